# mypy: disable-error-code="no-any-return"
"""Tricks the declarer's trumps bring for certain, whatever the other cards are.

Trumps are played in two kinds of tricks: trumps are led, and whoever has one plays one; or another
suit is led, and those void in it must trump; who is void, the defenders may choose at will here.
So the trumps alone make a game, small enough to be solved in all its states. The order of play
matters: a king and a jack are one trick behind ace and queen, but none on lead with nothing else.

A hand with trumps never discards. On lead with another card the declarer leads that, and is then
off lead or has won a trick.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.tricks.kernels.cards import count
from advisor.tricks.kernels.jit import Ints, compiled, inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint16]
    Tables = NDArray[np.int64]
else:
    Words = Tables = Any

OFF_LEAD = 0  # tricks of the declarer, a defender to lead
ALWAYS = 1  # his trump tricks, whoever leads and whatever else he wins
ON_LEAD = 2  # his tricks, he to lead
KINDS = 3
STATES = 1 << 16  # two bits a trump: 1 the declarer's, 2 the next hand's, 3 the one's before him
DIFFERENT = 9841  # states without gaps, 3**0 + ... + 3**8
MANY = 99


@inlined("int64(int64, int64)")
def without(state: int, card: int) -> int:
    """The state without a trump, 1 << its place; with 0 it stays."""
    below = card * card - 1
    return state & below | (state >> 2) & ~below


@inlined("int64(int64[:, ::1], int64, int64, int64, int64, int64)")
def outcome(tables: Tables, kind: int, state: int, x: int, y: int, z: int) -> int:
    """What a trick and the rest of the game bring; x the declarer's trump, 0 for none."""
    high = max(x, y, z)
    low = min(x, y, z)
    rest = without(without(without(state, high), x ^ y ^ z ^ high ^ low), low)
    rivals = y | z
    if x == 0 or (rivals and x > (rivals & -rivals)):
        return tables[kind, rest]
    return 1 + tables[ALWAYS if kind == ALWAYS else ON_LEAD, rest]


@compiled("int64(int64[:, ::1], int64, int64, int64[::1], int64[::1], int64, int64, int64)")
def trick(
    tables: Tables,
    kind: int,
    state: int,
    hands: Ints,
    played: Ints,
    parties: int,
    seat: int,
    left: int,
) -> int:
    """Value of a trick in which ``parties`` play trumps, ``seat`` next, ``left`` seats to go."""
    if left == 0:
        return outcome(tables, kind, state, played[0], played[1], played[2])
    after = (seat + 1) % 3
    played[seat] = 0
    cards = hands[seat] if parties >> seat & 1 else 0
    if cards == 0:
        return trick(tables, kind, state, hands, played, parties, after, left - 1)
    best = MANY if seat else 0
    while cards:
        played[seat] = cards & -cards
        cards ^= played[seat]
        got = trick(tables, kind, state, hands, played, parties, after, left - 1)
        best = min(best, got) if seat else max(best, got)
    return best


@compiled("int64(int64[:, ::1], int64, int64, int64[::1], int64[::1])")
def least(tables: Tables, kind: int, state: int, hands: Ints, played: Ints) -> int:
    """The worst of all tricks but trumps led by the declarer."""
    worst = MANY
    for leader in range(3):
        if leader and hands[leader]:
            worst = min(worst, trick(tables, kind, state, hands, played, 7, leader, 3))
        for parties in range(1, 8):
            there = parties >> leader & 1 == 0
            for seat in range(3):
                there = there and (hands[seat] or not parties >> seat & 1)
            if there:
                worst = min(worst, trick(tables, kind, state, hands, played, parties, leader, 3))
    return worst


@compiled("void(int64[:, ::1], int64, int64[::1], int64[::1])")
def solve_state(tables: Tables, state: int, hands: Ints, played: Ints) -> None:
    """Fill in one state; those with fewer trumps are known."""
    if hands[0] == 0:
        return
    for kind in (ALWAYS, OFF_LEAD):
        off = least(tables, kind, state, hands, played)
        on = min(off, trick(tables, kind, state, hands, played, 7, 0, 3))
        tables[kind, state] = on
        if kind == OFF_LEAD:
            tables[ON_LEAD, state] = on
            tables[OFF_LEAD, state] = min(off, on + 1)


@compiled("int64(int64[::1], int64[::1], int64, int64, int64)")
def relevant(table: Ints, alike: Ints, first: int, last: int, state: int) -> int:
    """First trumps that decide: whoever has the others, if as many, there are no fewer tricks."""
    number = 0
    for i in range(first, last):
        other = alike[i] ^ state
        if table[alike[i]] < table[state]:
            number = max(number, (count((other & -other) - 1) >> 1) + 1)
    return number


@compiled("void(uint16[::1])")
def trump_game(words: Words) -> None:
    """Write number | relevant << 4 of each kind for each state: KINDS words a state."""
    tables = np.zeros((KINDS, STATES), np.int64)
    states = np.zeros(DIFFERENT, np.int64)
    hands = np.zeros((DIFFERENT, 3), np.int64)
    lengths = np.zeros(DIFFERENT, np.int64)
    played = np.zeros(3, np.int64)
    size = 1
    start = 0
    for place in range(8):
        end = size
        for i in range(start, end):
            for seat in range(3):
                states[size] = states[i] | (seat + 1) << (2 * place)
                hands[size] = hands[i]
                hands[size, seat] |= 1 << place
                lengths[size] = lengths[i] + 9**seat
                solve_state(tables, states[size], hands[size], played)
                size += 1
        start = end
    order = np.argsort(lengths)
    alike = states[order]
    first = 0
    for last in range(1, DIFFERENT + 1):
        if last < DIFFERENT and lengths[order[last]] == lengths[order[first]]:
            continue
        for i in range(first, last):
            for kind in range(KINDS):
                last_needed = relevant(tables[kind], alike, first, last, alike[i])
                words[KINDS * alike[i] + kind] = tables[kind, alike[i]] | last_needed << 4
        first = last
