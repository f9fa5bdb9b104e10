# mypy: disable-error-code="arg-type, return-value"
"""Deals of one twelve-card hand: the same defenders, all discards, one table of results."""

import numpy as np

from advisor.tricks.kernels.cards import count, inner
from advisor.tricks.kernels.jit import Bytes, Ints, Masks, Places, compiled, inlined
from advisor.tricks.kernels.search import first_guess, tricks
from advisor.tricks.kernels.table import begin, length_key, spread

UNKNOWN = -99


@compiled("void(uint16[::1], int64[:, ::1], int64[::1])")
def find_alike(places: Places, hands: Ints, alike: Ints) -> None:
    """For each deal the first with the same position, itself if there is none before it."""
    keys = np.zeros((len(hands), 2), np.int64)
    for row in range(len(hands)):
        h0, h1, h2 = hands[row, 0], hands[row, 1], hands[row, 2]
        union = h0 | h1 | h2
        keys[row, 0] = length_key(h0, h1, h2, 0)
        keys[row, 1] = spread(places, union, h1) | spread(places, union, h2) << 1
        first = np.int64(0)
        while keys[first, 0] != keys[row, 0] or keys[first, 1] != keys[row, 1]:
            first += 1
        alike[row] = first


@inlined("int64(int64[::1], int64)")
def worse_card(best: Ints, away: int) -> int:
    """The least that one of the cards put away has brought at best with any other."""
    least = -UNKNOWN
    while away:
        got = best[count((away & -away) - 1)]
        away &= away - 1
        if got != UNKNOWN:
            least = min(least, got)
    return np.int64(least)


@inlined("void(int64[::1], int64, int64)")
def raise_best(best: Ints, away: int, got: int) -> None:
    """Remember for each card put away what it has brought at best."""
    while away:
        card = count((away & -away) - 1)
        away &= away - 1
        best[card] = max(best[card], got)


@compiled("void(int64[::1], uint16[::1], uint32[:, ::1], int64, int8[::1], int64, int8[:, ::1])")
def solve_alike(
    mem: Ints, places: Places, hands: Masks, strain: int, leaders: Bytes, misere: int, out: Bytes
) -> None:
    """Solve deals with the same defenders, from all leaders, with one table.

    A discard is about as good as the worse of its two cards with its best partner: there the
    questions begin.
    """
    begin(mem, strain, misere)
    inside = np.zeros(hands.shape, np.int64)
    every = np.int64(0)
    for row in range(len(hands)):
        for column in range(3):
            inside[row, column] = inner(np.int64(hands[row, column]), misere)
        every |= inside[row, 0]
    alike = np.zeros(len(hands), np.int64)
    find_alike(places, inside, alike)
    sign = -1 if misere else 1
    best = np.zeros(32, np.int64)
    for column in range(len(leaders)):
        best[:] = UNKNOWN
        for row in range(len(hands)):
            h0, h1, h2 = inside[row, 0], inside[row, 1], inside[row, 2]
            if alike[row] < row:
                got = int(out[alike[row], column])
            else:
                least = worse_card(best, every ^ h0)
                guess = first_guess(mem, h0) if least == -UNKNOWN else sign * least
                got = tricks(mem, places, h0, h1, h2, np.int64(leaders[column]), guess)
            out[row, column] = got
            raise_best(best, every ^ h0, sign * got)
