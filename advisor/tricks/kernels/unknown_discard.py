# mypy: disable-error-code="no-any-return, return-value, arg-type, assignment"
"""Can one plan of the defenders catch a misère after every discard of a set?

The defenders know the declarer's twelve cards but not which two of them are gone. ``gone[i]`` is
the i-th discard; ``worlds`` a set of such numbers, those the plan must catch. ``own`` are the
declarer's cards not yet played, the discard among them; a world's hand is ``own & ~gone[i]``.
Columns are 0 declarer, 1 and 2 defenders.

A plan is one card for each public position. Where the declarer moves, the worlds part by the card.
``FREE``: a world counts as caught only after every card it could play; the declarer answers the
plan, a bound in his favour. ``FIXED``: each world plays one card by a rule that looks at its hand
and at public cards. ``TOLD``: he follows suit by the rule, and at his first real choice the
discard is shown to the defenders. Both are bounds against him.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.tricks.kernels.cards import beats, count, first_of_runs, legal, suit_of
from advisor.tricks.kernels.jit import Ints, Masks, Places, compiled, inlined
from advisor.tricks.kernels.search import can_take, can_take_after
from advisor.tricks.kernels.table import begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
else:
    Bools = Any

FREE = 0
FIXED = 1
TOLD = 2
EPOCH = 0  # words of the memo: positions of older epochs do not exist
MODE = 1
DISCARDS = 2  # number of them in ``gone``
VISITED = 3
RULES = 4  # where the rule of each world stands: SAFEST, SILENT or LONGEST
MEMO = RULES + 16
SAFEST = 0
SILENT = 1
LONGEST = 2
SLOTS = 1 << 16
WORDS = 3
PATIENCE = 300
LED = 0xFFFFFFFF
NO_TRUMP = 4


@inlined("int64(int64, int64)")
def slot_of(one: int, two: int) -> int:
    """Where a position stands in the memo."""
    x = one ^ (two * -0x61C8864680B583EB)
    x = (x ^ (x >> 30)) * -0x40A7B892E31B1A47
    x = (x ^ (x >> 27)) * -0x6B2FB644ECCEEE15
    return MEMO + WORDS * ((x ^ (x >> 31)) & (SLOTS - 1))


@inlined("int64(int64[::1], uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def open_caught(
    mem: Ints, places: Places, h0: int, h1: int, h2: int, leader: int, x: int, y: int, z: int
) -> int:
    """Is this world caught by defenders who see it? Cards on the table are in the hands."""
    n = count(h0)
    if x == 0:
        return can_take(mem, places, h0, h1, h2, leader, 1, n)
    if leader == 0:
        return can_take_after(mem, places, h0, h1, h2, 0, 1, n, x, y, z)
    if leader == 1:
        return can_take_after(mem, places, h1, h2, h0, 2, 1, n, x, y, z)
    return can_take_after(mem, places, h2, h0, h1, 1, 1, n, x, y, z)


@compiled("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64)")
def ruled_card(memo: Ints, gone: Ints, world: int, own: int, h1: int, h2: int, best: int) -> int:
    """The card a FIXED declarer plays; ``best`` is the best card on the table, 0 if he leads.

    SAFEST: the highest card that stays under ``best``, the lead most likely to lose, or the discard
    farthest from safety; SILENT: first of all a card that few of the discards contain, since it
    tells least; LONGEST: discards from the longest suit.
    """
    rule = memo[RULES + world]
    left = legal(own & ~gone[world], suit_of(best) if best else LED, 0)
    chosen = 0
    top = np.int64(-(1 << 40))
    while left:
        c = left & -left
        left ^= c
        told = 0
        for i in range(memo[DISCARDS]):
            if gone[i] & c:
                told += 1
        suit = suit_of(c)
        mine = own & ~gone[world] & suit
        lower = (h1 | h2) & suit & (c - 1)
        excess = count(lower) - 2 * count(mine & (c - 1))
        higher = count((h1 | h2) & suit & ~(c | (c - 1)))
        if best == 0:
            worth = higher - count(lower)
        elif c & suit_of(best):
            worth = count(lower) if c < best else -count(lower) - 8
        else:
            worth = count(lower) + excess
        score = worth - 64 * told if rule == SILENT else 64 * worth - told
        if rule == LONGEST:
            score = 64 * (count(mine) if best else worth) + worth
        if score > top:
            top = score
            chosen = c
    return chosen


@compiled(
    "int64(int64[::1], uint16[::1], int64[::1], int64[::1], int64, int64, int64, int64, int64,"
    " int64, int64)"
)
def one_plan(
    mem: Ints,
    places: Places,
    memo: Ints,
    gone: Ints,
    own: int,
    h1: int,
    h2: int,
    worlds: int,
    leader: int,
    x: int,
    y: int,
) -> int:
    """Does one plan catch all of ``worlds``? x, y: cards on the table, no longer in the hands."""
    if worlds == 0:
        return 1
    memo[VISITED] += 1
    none = x ^ x  # a literal in a recursive call would be compiled apart, and not be cached
    slot = 0
    one = h1 | h2 << 32
    two = own | worlds << 32 | leader << 48
    if x == 0:
        if count(h1) == 0:
            return 0
        left = worlds
        while left:
            bit = left & -left
            left ^= bit
            h0 = own & ~gone[count(bit - 1)]
            if can_take(mem, places, h0, h1, h2, leader, 1, count(h1)) == 0:
                return 0
        if worlds & (worlds - 1) == 0:
            return 1
        slot = slot_of(one, two)
        if memo[slot] == one and memo[slot + 1] == two and memo[slot + 2] >> 1 == memo[EPOCH]:
            return memo[slot + 2] & 1
    played = 0 if x == 0 else (1 if y == 0 else 2)
    player = (leader + played) % 3
    best = y if y and beats(y, x, 0, 1) else x
    led = suit_of(x) if x else LED
    value = 0
    if player == 0:
        value = 1
        options = 0
        if memo[MODE] == TOLD:
            left = worlds
            while left:
                bit = left & -left
                left ^= bit
                h0 = own & ~gone[count(bit - 1)]
                moves = first_of_runs(legal(h0, led, 0), h0 | h1 | h2)
                if best and h0 & led:
                    continue
                if moves & (moves - 1) == 0:
                    continue
                if leader == 1:
                    a, b = h1 | x, h2 | y
                else:
                    a, b = (h1 | y, h2 | x) if leader == 2 else (h1, h2)
                if open_caught(mem, places, h0, a, b, leader, x, y, 0) == 0:
                    return 0
                worlds ^= bit
        left = worlds
        while left:
            bit = left & -left
            left ^= bit
            world = count(bit - 1)
            if memo[MODE] == FREE:
                options |= legal(own & ~gone[world], led, 0)
            else:
                options |= ruled_card(memo, gone, world, own, h1, h2, best)
        while options and value:
            c = options & -options
            options ^= c
            after = 0
            left = worlds
            while left:
                bit = left & -left
                left ^= bit
                world = count(bit - 1)
                if memo[MODE] == FREE:
                    if c & legal(own & ~gone[world], led, 0):
                        after |= bit
                elif c == ruled_card(memo, gone, world, own, h1, h2, best):
                    after |= bit
            if played == 0:
                value = one_plan(mem, places, memo, gone, own ^ c, h1, h2, after, leader, c, y)
            elif played == 1:
                value = one_plan(mem, places, memo, gone, own ^ c, h1, h2, after, leader, x, c)
            elif not beats(c, best, 0, 1):
                winner = (leader + 1) % 3 if best == y else leader
                left = own ^ c
                value = one_plan(mem, places, memo, gone, left, h1, h2, after, winner, none, none)
    else:
        hand = h1 if player == 1 else h2
        moves = legal(hand, led, 0)
        moves &= first_of_runs(hand, own | h1 | h2 | x | y)
        if moves == 0:
            moves = legal(hand, led, 0)
        while moves and not value:
            c = moves & -moves
            moves ^= c
            a = h1 ^ c if player == 1 else h1
            b = h2 ^ c if player == 2 else h2
            if played == 0:
                value = one_plan(mem, places, memo, gone, own, a, b, worlds, leader, c, y)
            elif played == 1:
                value = one_plan(mem, places, memo, gone, own, a, b, worlds, leader, x, c)
            else:
                winner = (leader + 1) % 3 if best == y else leader
                if beats(c, best, 0, 1):
                    winner = player
                if winner == 0:
                    value = 1
                else:
                    value = one_plan(mem, places, memo, gone, own, a, b, worlds, winner, none, none)
    if x == 0:
        memo[slot] = one
        memo[slot + 1] = two
        memo[slot + 2] = memo[EPOCH] << 1 | value
    return value


@compiled(
    "int64(int64[::1], uint16[::1], int64[::1], int64[::1], int64, int64, int64, int64, int64,"
    " int64, int64, int64[::1])"
)
def greatest_sets(
    mem: Ints,
    places: Places,
    memo: Ints,
    gone: Ints,
    own: int,
    h1: int,
    h2: int,
    leader: int,
    caught: int,
    mode: int,
    lead: int,
    found: Ints,
) -> int:
    """Write the maximal sets of ``caught`` that one plan catches; returns how many.

    ``caught`` are the worlds that defenders who see the discard catch. A ``lead`` is the declarer's
    first card, led whatever the discard and no longer in ``own``; 0 if it is free. Sets are tried
    in order of size, greatest first; a set inside one that was found, or with two worlds that no
    plan joins, is not tried. At most ``len(found)`` are kept; with restricted play that is also the
    answer after ``PATIENCE`` sets tried in vain.
    """
    none = lead ^ lead
    memo[EPOCH] += 1
    memo[MODE] = mode
    memo[DISCARDS] = len(gone)
    size = count(caught)
    if size == 0:
        return 0
    if one_plan(mem, places, memo, gone, own, h1, h2, caught, leader, lead, none):
        found[0] = caught
        return 1
    apart = np.zeros(len(gone), np.int64)
    for i in range(len(gone)):
        for j in range(i + 1, len(gone)):
            pair = (1 << i) | (1 << j)
            if pair & ~caught == 0 and not one_plan(
                mem, places, memo, gone, own, h1, h2, pair, leader, lead, none
            ):
                apart[i] |= 1 << j
                apart[j] |= 1 << i
    number = 0
    failed = 0
    for wanted in range(size - 1, 0, -1):
        part = caught
        while part:
            part = (part - 1) & caught
            if count(part) != wanted:
                continue
            skip = False
            for i in range(number):
                if part & ~found[i] == 0:
                    skip = True
            left = part
            while left and not skip:
                bit = left & -left
                left ^= bit
                skip = (apart[count(bit - 1)] & part) != 0
            if skip:
                continue
            if one_plan(mem, places, memo, gone, own, h1, h2, part, leader, lead, none):
                if number == len(found):
                    return number
                found[number] = part
                number += 1
            else:
                failed += 1
                if mode != FREE and failed == PATIENCE:
                    return len(found)
    return number


@compiled(
    "void(int64[::1], uint16[::1], int64[::1], int64[::1], int64, int64[:, ::1], int64, int64,"
    " int64, int64[::1], int64[:, ::1], int64[::1])"
)
def layouts(
    mem: Ints,
    places: Places,
    memo: Ints,
    gone: Ints,
    own: int,
    defenders: Ints,
    leader: int,
    mode: int,
    lead: int,
    caught: Ints,
    found: Ints,
    numbers: Ints,
) -> None:
    """``greatest_sets`` of many layouts; ``caught`` is read where it is not negative."""
    for row in range(defenders.shape[0]):
        h1 = defenders[row, 0]
        h2 = defenders[row, 1]
        if caught[row] < 0:
            caught[row] = 0
            for i in range(len(gone)):
                h0 = own & ~gone[i]
                if can_take(mem, places, h0, h1, h2, leader, 1, count(h1)):
                    caught[row] |= 1 << i
        numbers[row] = greatest_sets(
            mem, places, memo, gone, own, h1, h2, leader, caught[row], mode, lead, found[row]
        )


@compiled("void(int64[::1], uint16[::1], uint32[:, ::1], int64, int64, boolean[::1])")
def caught_alike(
    mem: Ints, places: Places, hands: Masks, leader: int, fresh: int, out: Bools
) -> None:
    """Is the misère caught on each deal, with open cards? ``fresh`` deals share a table."""
    for row in range(hands.shape[0]):
        if row % fresh == 0:
            begin(mem, NO_TRUMP, 1)
        h0 = np.int64(hands[row, 0])
        h1 = np.int64(hands[row, 1])
        h2 = np.int64(hands[row, 2])
        out[row] = can_take(mem, places, h0, h1, h2, leader, 1, count(h0)) == 1
