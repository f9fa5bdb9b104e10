"""Can the declarer take ``need`` tricks of a position in which all cards lie open?

A position is ``a, b, c``: the cards of the player to lead, of the next and of the last, and
``d``, the place of the declarer among them.
"""

from advisor.tricks.kernels.cards import (
    CARDS,
    beats,
    count,
    first_of_runs,
    inner,
    interchangeable,
    known_end,
    legal,
    rank_used,
    suit_of,
)
from advisor.tricks.kernels.jit import Ints, Places, compiled, inlined
from advisor.tricks.kernels.misere import sure_misere
from advisor.tricks.kernels.order import order_leads, order_replies
from advisor.tricks.kernels.sure import cashed, sure
from advisor.tricks.kernels.table import (
    KILLER,
    MISERE,
    NODES,
    SCRATCH,
    SCRATCH_STEP,
    TRUMPS,
    YES,
    first_places,
    length_key,
    probe,
    spread,
    store,
)


@inlined("int64(int64, int64, int64, int64, int64, int64, int64)")
def last_trick(x: int, y: int, z: int, d: int, union: int, trumps: int, misere: int) -> int:
    """Does the declarer win the last trick? Relevant cards, plus YES."""
    winner = 1 if beats(y, x, trumps, misere) else 0
    if beats(z, y if winner else x, trumps, misere):
        winner = 2
    val = winner == d
    yes_side = 7 ^ (1 << d) if misere else 1 << d
    rel = rank_used(x, y, z, x, y, z, winner, yes_side if val else 7 ^ yes_side, union, misere)
    known = known_end(rel, union)
    return known | YES if val else known


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64)")
def search(mem: Ints, places: Places, a: int, b: int, c: int, d: int, need: int, n: int) -> int:
    """Can the declarer take ``need`` of the ``n`` tricks left (1 <= need <= n)?

    Returns the relevant cards, plus YES. "The declarer takes at least": in a misère the
    defenders are the ones who want it.
    """
    mem[NODES] += 1
    trumps = mem[TRUMPS]
    misere = mem[MISERE]
    union = a | b | c
    if n == 1:
        return last_trick(a, b, c, d, union, trumps, misere)
    if misere:
        got = sure_misere(places, a, b, c, d, need)
    else:
        got = cashed(places, a, b, c, d, need, n, trumps)
    if got:
        known = known_end(got & CARDS, union)
        return known | YES if got & YES else known
    key = length_key(a, b, c, d)
    owners = spread(places, union, b) | spread(places, union, c) << 1
    at = probe(mem, key, owners, need)
    if at >= 0:
        relevant = first_places(places, mem[at + 2], union)
        return relevant | YES if (mem[at + 3] & 15) >= need else relevant
    if not misere:
        got = sure(places, a, b, c, d, need, n, trumps)
        if got:
            known = known_end(got & CARDS, union)
            return known | YES if got & YES else known
    declarer_side = 1 << d
    yes_side = 7 ^ declarer_side if misere else declarer_side
    a_yes = yes_side & 1
    b_yes = yes_side >> 1 & 1
    c_yes = yes_side >> 2 & 1
    base = SCRATCH + n * SCRATCH_STEP
    n_a = order_leads(mem, base, first_of_runs(a, union), a, b, c, d)
    rel_a = 0
    dead_a = 0
    val_a = 1 - a_yes
    for i in range(n_a):
        x = mem[base + i] & CARDS
        if x & dead_a:
            continue
        led = suit_of(x)
        moves = first_of_runs(b, union) & legal(b, led, trumps)
        n_b = 1
        if moves & (moves - 1):
            n_b = order_replies(
                mem, base + 10, moves, b, union, x, led, a_yes != b_yes, d == 1, trumps, misere
            )
        else:
            mem[base + 10] = moves
        rel_b = 0
        dead_b = 0
        val_b = 1 - b_yes
        for j in range(n_b):
            y = mem[base + 10 + j] & CARDS
            if y & dead_b:
                continue
            b_wins = beats(y, x, trumps, misere)
            best = y if b_wins else x
            moves = first_of_runs(c, union) & legal(c, led, trumps)
            n_c = 1
            if moves & (moves - 1):
                want = (b_yes if b_wins else a_yes) != c_yes
                n_c = order_replies(
                    mem, base + 20, moves, c, union, best, led, want, d == 2, trumps, misere
                )
            else:
                mem[base + 20] = moves
            rel_c = 0
            dead_c = 0
            val_c = 1 - c_yes
            for k in range(n_c):
                z = mem[base + 20 + k] & CARDS
                if z & dead_c:
                    continue
                winner = 2 if beats(z, best, trumps, misere) else (1 if b_wins else 0)
                rest = need - 1 if winner == d else need
                rel = 0
                if rest <= 0:
                    val = 1
                elif rest > n - 1:
                    val = 0
                else:
                    if winner == 0:
                        got = search(mem, places, a ^ x, b ^ y, c ^ z, d, rest, n - 1)
                    elif winner == 1:
                        got = search(mem, places, b ^ y, c ^ z, a ^ x, (d + 2) % 3, rest, n - 1)
                    else:
                        got = search(mem, places, c ^ z, a ^ x, b ^ y, (d + 1) % 3, rest, n - 1)
                    val = 1 if got >= YES else 0
                    rel = got & CARDS
                free = yes_side if val else 7 ^ yes_side
                rel |= rank_used(x, y, z, a, b, c, winner, free, union, misere)
                if val == c_yes:
                    val_c = val
                    rel_c = rel
                    break
                rel_c |= rel
                dead_c |= interchangeable(z, rel, union)
            if val_c == b_yes:
                val_b = val_c
                rel_b = rel_c
                break
            rel_b |= rel_c
            dead_b |= interchangeable(y, rel_c, union)
        if val_b == a_yes:
            val_a = val_b
            rel_a = rel_b
            mem[base + KILLER] = x
            break
        rel_a |= rel_b
        dead_a |= interchangeable(x, rel_b, union)
    known = known_end(rel_a, union)
    mask = spread(places, union, known) * 3
    if val_a:
        store(mem, key, owners, mask, need, n)
    else:
        store(mem, key, owners, mask, 0, need - 1)
    return known | YES if val_a else known


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64)")
def can_take(
    mem: Ints, places: Places, h0: int, h1: int, h2: int, leader: int, need: int, n: int
) -> int:
    """``search`` as a plain 0 or 1, with the hands by column."""
    if need <= 0:
        return 1
    if need > n:
        return 0
    if leader == 0:
        got = search(mem, places, h0, h1, h2, 0, need, n)
    elif leader == 1:
        got = search(mem, places, h1, h2, h0, 2, need, n)
    else:
        got = search(mem, places, h2, h0, h1, 1, need, n)
    return 1 if got >= YES else 0


@compiled("int64(int64[::1], int64)")
def first_guess(mem: Ints, h0: int) -> int:
    """Where to start asking; refuting too much is cheaper than proving too little."""
    if mem[MISERE]:
        return 1
    high = count(h0 & 0x03030303 & ~mem[TRUMPS])
    length = count(h0 & mem[TRUMPS])
    if mem[TRUMPS] and length < 4:
        return high + length - 1
    return high + length + (1 if length > 4 else 0)


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64)")
def tricks(mem: Ints, places: Places, h0: int, h1: int, h2: int, leader: int, guess: int) -> int:
    """Declarer's tricks, by yes-or-no searches starting at ``guess``; hands as ``inner`` gives."""
    n = count(h0)
    low = 0
    high = n
    need = min(max(guess, 1), n)
    while low < high:
        if can_take(mem, places, h0, h1, h2, leader, need, n):
            low = need
            need += 1
        else:
            high = need - 1
            need -= 1
    return low


@compiled(
    "int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64)"
)
def can_take_after(
    mem: Ints,
    places: Places,
    a: int,
    b: int,
    c: int,
    d: int,
    need: int,
    n: int,
    x: int,
    y: int,
    z: int,
) -> int:
    """Can the declarer take ``need`` if the cards x, y, z are played (0: still free)?"""
    trumps = mem[TRUMPS]
    misere = mem[MISERE]
    led = suit_of(x)
    b_yes = (d == 1) != (misere == 1)
    c_yes = (d == 2) != (misere == 1)
    left_b = y if y else legal(b, led, trumps)
    val_b = not b_yes
    while left_b:
        y = left_b & -left_b
        left_b ^= y
        b_wins = beats(y, x, trumps, misere)
        best = y if b_wins else x
        left_c = z if z else legal(c, led, trumps)
        val_c = not c_yes
        while left_c:
            card = left_c & -left_c
            left_c ^= card
            winner = 2 if beats(card, best, trumps, misere) else (1 if b_wins else 0)
            rest = need - 1 if winner == d else need
            to_lead = (winner + 3 - d) % 3
            if d == 0:
                h0, h1, h2 = a ^ x, b ^ y, c ^ card
            elif d == 1:
                h0, h1, h2 = b ^ y, c ^ card, a ^ x
            else:
                h0, h1, h2 = c ^ card, a ^ x, b ^ y
            if (can_take(mem, places, h0, h1, h2, to_lead, rest, n - 1) == 1) == c_yes:
                val_c = c_yes
                break
        if val_c == b_yes:
            val_b = b_yes
            break
    return 1 if val_b else 0


@compiled("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def tricks_after(
    mem: Ints, places: Places, h0: int, h1: int, h2: int, leader: int, x: int, y: int, z: int
) -> int:
    """Declarer's tricks with cards on the table (0: not yet played); all as outside the search."""
    misere = mem[MISERE]
    h0 = inner(h0, misere)
    h1 = inner(h1, misere)
    h2 = inner(h2, misere)
    x = inner(x, misere)
    if x == 0:
        return tricks(mem, places, h0, h1, h2, leader, first_guess(mem, h0))
    y = inner(y, misere)
    z = inner(z, misere)
    n = count(h0)
    if leader == 0:
        a, b, c, d = h0, h1, h2, 0
    elif leader == 1:
        a, b, c, d = h1, h2, h0, 2
    else:
        a, b, c, d = h2, h0, h1, 1
    low = 0
    while low < n and can_take_after(mem, places, a, b, c, d, low + 1, n, x, y, z):
        low += 1
    return low
