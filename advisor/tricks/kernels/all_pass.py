# mypy: disable-error-code="arg-type, no-any-return"
"""All-pass: three players, each for himself.

``at_most``: what a player can be made to take, the others joined against him (a misère).
``share``: the outcome when each looks after himself.
"""

import numpy as np

from advisor.tricks.kernels.cards import (
    CARDS,
    beats,
    count,
    first_of_runs,
    interchangeable,
    known_end,
    legal,
    rank_of,
    rank_used,
    suit_of,
)
from advisor.tricks.kernels.jit import Bytes, Ints, Masks, Places, compiled, inlined
from advisor.tricks.kernels.search import search
from advisor.tricks.kernels.table import (
    CAPACITY,
    ENTRY,
    GENERATION,
    HEADS,
    NODES,
    POOL,
    USED,
    YES,
    begin,
    first_places,
    length_key,
    mix,
    spread,
)

WORST = 1 << 20


@inlined("int64(int64, int64, int64, int64, int64, int64)")
def turned_winner(x: int, y: int, z: int, led: int, card: int, plays: int) -> int:
    """Place that wins a trick led by a turned talon card; 3 is the dealer.

    A card that only names the suit cannot win; if nobody follows, the first hand takes the trick.
    """
    best = card if plays else 0
    winner = 3 if plays else 0
    if x & led > best:
        best = x & led
        winner = 0
    if y & led > best:
        best = y & led
        winner = 1
    if z & led > best:
        winner = 2
    return winner


@compiled(
    "int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64,"
    " int64, int64, int64)"
)
def take(
    mem: Ints,
    places: Places,
    a: int,
    b: int,
    c: int,
    d: int,
    x: int,
    y: int,
    z: int,
    need: int,
    n: int,
    card: int,
    later: int,
    plays: int,
) -> int:
    """``search`` for misère tricks in an all-pass: 0 or 1.

    ``x``, ``y``, ``z`` are on the table, 0 if not yet, and still in the hands of those who played
    them. Turned talon cards (``card``, then ``later``) lead the first tricks.
    """
    if card == 0 and x == 0:
        return 1 if search(mem, places, a, b, c, d, need, n) >= YES else 0
    none = later & 0  # not a literal: recursion with one breaks the cache (numba #6061)
    union = a | b | c | (card | later if plays else 0)
    led = suit_of(card) if card else 0
    left_a = x if x else first_of_runs(a, union) & legal(a, led, 0)
    val_a = 0 if d != 0 else 1
    while left_a and val_a == (0 if d != 0 else 1):
        p = left_a & -left_a
        left_a ^= p
        asked = led if card else suit_of(p)
        left_b = y if y else first_of_runs(b, union) & legal(b, asked, 0)
        val_b = 0 if d != 1 else 1
        while left_b and val_b == (0 if d != 1 else 1):
            q = left_b & -left_b
            left_b ^= q
            left_c = z if z else first_of_runs(c, union) & legal(c, asked, 0)
            val_c = 0 if d != 2 else 1
            while left_c and val_c == (0 if d != 2 else 1):
                r = left_c & -left_c
                left_c ^= r
                if card:
                    winner = turned_winner(p, q, r, led, card, plays)
                else:
                    second = beats(q, p, 0, 1)
                    winner = 2 if beats(r, q if second else p, 0, 1) else (1 if second else 0)
                rest = need - (1 if winner == d else 0)
                if rest <= 0:
                    val_c = 1
                elif rest > n - 1:
                    val_c = 0
                elif card or winner == 0:
                    val_c = take(
                        mem, places, a ^ p, b ^ q, c ^ r, d, none, none, none, rest, n - 1, later,
                        none, plays
                    )
                elif winner == 1:
                    val_c = take(
                        mem, places, b ^ q, c ^ r, a ^ p, (d + 2) % 3, none, none, none, rest,
                        n - 1, later, none, plays
                    )
                else:
                    val_c = take(
                        mem, places, c ^ r, a ^ p, b ^ q, (d + 1) % 3, none, none, none, rest,
                        n - 1, later, none, plays
                    )
            val_b = val_c
        val_a = val_b
    return val_a


@inlined("int64(int64)")
def rank_sum(cards: int) -> int:
    """Ranks of cards, 0..7 each, added up; a card of average rank takes half a trick or so."""
    total = 0
    while cards:
        total += rank_of(cards & -cards)
        cards &= cards - 1
    return total


@compiled(
    "int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64,"
    " int64, int64)"
)
def at_most(
    mem: Ints,
    places: Places,
    a: int,
    b: int,
    c: int,
    d: int,
    x: int,
    y: int,
    z: int,
    card: int,
    later: int,
    plays: int,
    guess: int,
) -> int:
    """Most tricks that the others together can make player ``d`` take in all-pass.

    Cards on the table and turned ones as in ``take``; so many tricks as ``guess`` are asked first.
    """
    n = count(a)
    low = 0
    high = n
    need = min(max(guess, 1), n)
    while low < high:
        if take(mem, places, a, b, c, d, x, y, z, need, n, card, later, plays):
            low = need
            need += 1
        else:
            high = need - 1
            need -= 1
    return low


@compiled(
    "void(int64[::1], uint16[::1], uint32[:, ::1], int8[::1], uint32[:, ::1], int64, int8[:, ::1])"
)
def at_most_rows(
    mem: Ints, places: Places, hands: Masks, leader: Bytes, talon: Masks, plays: int, out: Bytes
) -> None:
    """``at_most`` of each player, by column."""
    for row in range(hands.shape[0]):
        begin(mem, 4, 1)
        first = np.int64(leader[row])
        a = np.int64(hands[row, first])
        b = np.int64(hands[row, (first + 1) % 3])
        c = np.int64(hands[row, (first + 2) % 3])
        for d in range(3):
            own = a if d == 0 else (b if d == 1 else c)
            out[row, (first + d) % 3] = at_most(
                mem, places, a, b, c, d, 0, 0, 0, np.int64(talon[row, 0]),
                np.int64(talon[row, 1]), plays, rank_sum(own) // 7
            )


@inlined("int64(int64, int64)")
def wish(shares: int, own: int) -> int:
    """What a player wants small: his tricks; then those that the next, the last do not take."""
    following = (own + 1) % 3
    last = (own + 2) % 3
    return (
        (shares >> (4 * own) & 15) << 8
        | (15 - (shares >> (4 * following) & 15)) << 4
        | (15 - (shares >> (4 * last) & 15))
    )


@inlined("int64(int64, int64)")
def turn_back(shares: int, winner: int) -> int:
    """Shares counted from the winner of a trick, counted from its leader again; his trick added."""
    if winner == 1:
        shares = (shares << 4 | shares >> 8) & 0xFFF
    elif winner == 2:
        shares = (shares >> 4 | shares << 8) & 0xFFF
    return shares + (1 << (4 * winner))


@inlined("int64(int64[::1], int64, int64)")
def probe_shares(mem: Ints, key: int, owners: int) -> int:
    """Pool index of an entry for the position, or -1."""
    head = mem[HEADS + mix(key)]
    if (head >> 32) != mem[GENERATION]:
        return -1
    at = head & CARDS
    while at != 0:
        if mem[at] == key and (mem[at + 1] ^ owners) & mem[at + 2] == 0:
            return at
        at = mem[at + 3] >> 12
    return -1


@compiled("void(int64[::1], int64, int64, int64, int64)")
def store_shares(mem: Ints, key: int, owners: int, mask: int, shares: int) -> None:
    """Add a position's shares."""
    if mem[USED] == mem[CAPACITY]:
        mem[USED] = 0
        mem[GENERATION] += 1
    slot = HEADS + mix(key)
    head = mem[slot]
    after = (head & CARDS) if (head >> 32) == mem[GENERATION] else 0
    at = POOL + ENTRY * mem[USED]
    mem[USED] += 1
    mem[at] = key
    mem[at + 1] = owners & mask
    mem[at + 2] = mask
    mem[at + 3] = after << 12 | shares
    mem[slot] = mem[GENERATION] << 32 | at


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64)")
def share(mem: Ints, places: Places, a: int, b: int, c: int, n: int) -> int:
    """All-pass among three who each look after themselves: shares << 32 | relevant cards.

    Shares are tricks, four bits a player, from the leader on.
    """
    if n == 0:
        return 0
    mem[NODES] += 1
    union = a | b | c
    key = length_key(a, b, c, 0)
    owners = spread(places, union, b) | spread(places, union, c) << 1
    at = probe_shares(mem, key, owners)
    if at >= 0:
        return (mem[at + 3] & 0xFFF) << 32 | first_places(places, mem[at + 2], union)
    left_a = first_of_runs(a, union)
    rel_a = 0
    val_a = 0
    wish_a = WORST
    while left_a:
        x = left_a & -left_a
        left_a ^= x
        led = suit_of(x)
        left_b = first_of_runs(b, union) & legal(b, led, 0)
        rel_b = 0
        val_b = 0
        wish_b = WORST
        while left_b:
            y = left_b & -left_b
            left_b ^= y
            b_wins = beats(y, x, 0, 1)
            best = y if b_wins else x
            left_c = first_of_runs(c, union) & legal(c, led, 0)
            rel_c = 0
            val_c = 0
            wish_c = WORST
            while left_c:
                z = left_c & -left_c
                left_c ^= z
                winner = 2 if beats(z, best, 0, 1) else (1 if b_wins else 0)
                if winner == 0:
                    got = share(mem, places, a ^ x, b ^ y, c ^ z, n - 1)
                elif winner == 1:
                    got = share(mem, places, b ^ y, c ^ z, a ^ x, n - 1)
                else:
                    got = share(mem, places, c ^ z, a ^ x, b ^ y, n - 1)
                val = turn_back(got >> 32, winner)
                rel = got & CARDS | rank_used(x, y, z, a, b, c, winner, 0, union, 1)
                rel_c |= rel
                left_c &= ~interchangeable(z, rel, union)
                if wish(val, 2) < wish_c:
                    wish_c = wish(val, 2)
                    val_c = val
            rel_b |= rel_c
            left_b &= ~interchangeable(y, rel_c, union)
            if wish(val_c, 1) < wish_b:
                wish_b = wish(val_c, 1)
                val_b = val_c
        rel_a |= rel_b
        left_a &= ~interchangeable(x, rel_b, union)
        if wish(val_b, 0) < wish_a:
            wish_a = wish(val_b, 0)
            val_a = val_b
    known = known_end(rel_a, union)
    store_shares(mem, key, owners, spread(places, union, known) * 3, val_a)
    return val_a << 32 | known


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def share_turned(
    mem: Ints, places: Places, a: int, b: int, c: int, n: int, card: int, later: int, plays: int
) -> int:
    """Shares as ``share`` gives them, the dealer's in a fourth place, from a turned card on."""
    if card == 0:
        return share(mem, places, a, b, c, n) >> 32
    led = suit_of(card)
    done = later & 0  # not a literal: recursion with one breaks the cache (numba #6061)
    union = a | b | c | (card | later if plays else 0)
    val_a = 0
    wish_a = WORST
    left_a = first_of_runs(a, union) & legal(a, led, 0)
    while left_a:
        x = left_a & -left_a
        left_a ^= x
        val_b = 0
        wish_b = WORST
        left_b = first_of_runs(b, union) & legal(b, led, 0)
        while left_b:
            y = left_b & -left_b
            left_b ^= y
            val_c = 0
            wish_c = WORST
            left_c = first_of_runs(c, union) & legal(c, led, 0)
            while left_c:
                z = left_c & -left_c
                left_c ^= z
                val = share_turned(mem, places, a ^ x, b ^ y, c ^ z, n - 1, later, done, plays)
                val += 1 << (4 * turned_winner(x, y, z, led, card, plays))
                if wish(val, 2) < wish_c:
                    wish_c = wish(val, 2)
                    val_c = val
            if wish(val_c, 1) < wish_b:
                wish_b = wish(val_c, 1)
                val_b = val_c
        if wish(val_b, 0) < wish_a:
            wish_a = wish(val_b, 0)
            val_a = val_b
    return val_a


@compiled(
    "void(int64[::1], uint16[::1], uint32[:, ::1], int8[::1], uint32[:, ::1], int64, int8[:, ::1])"
)
def share_rows(
    mem: Ints, places: Places, hands: Masks, leader: Bytes, talon: Masks, plays: int, out: Bytes
) -> None:
    """``share_turned`` of each deal, by column, the dealer in the fourth."""
    for row in range(hands.shape[0]):
        begin(mem, 4, 1)
        first = np.int64(leader[row])
        a = np.int64(hands[row, first])
        b = np.int64(hands[row, (first + 1) % 3])
        c = np.int64(hands[row, (first + 2) % 3])
        got = share_turned(
            mem, places, a, b, c, count(a), np.int64(talon[row, 0]), np.int64(talon[row, 1]), plays
        )
        for d in range(3):
            out[row, (first + d) % 3] = got >> (4 * d) & 15
        out[row, 3] = got >> 12 & 15
