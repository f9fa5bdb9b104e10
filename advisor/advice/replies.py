"""Whether the defenders whist: each by the guide's tricks of his own ten cards, nothing else.

In a side suit only the three highest cards count, at the guide's low end and at most `SIDE_CAP`
tricks: length is ruffed. They count for less the higher the contract, since the declarer is then
likelier to be short there (`SIDE_FAITH`); trumps count in full. The first defender whists with
`FIRST_NEEDS` tricks; the second asks for his own quota when the first has whisted, and when the
first has passed he whists like him, or with `HALF_NEEDS` tricks goes for half where the convention
allows it; taking the whist back is not modelled. On a ten only a trump trick is trusted. These
thresholds are ours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from advisor.advice.payoff import Pattern
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.tricks.estimate import suit_bytes
from advisor.tricks.guide import low_values

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

SIDE_CAP = 2.0
TRUMP_CAP = 4.0
SIDE_FAITH = {6: 1.0, 7: 1.0, 8: 1.0, 9: 0.6, 10: 0.0}
FIRST_NEEDS = {6: 1.75, 7: 1.0, 8: 1.0, 9: 1.0, 10: 1.0}
SECOND_NEEDS = {6: 2.0, 7: 1.0, 8: 1.0, 9: 1.0, 10: 1.0}
HALF_NEEDS = {6: 1.0, 7: 0.5}
MORE = 1.5


@cache
def _tables() -> tuple[Floats, Floats]:
    low = low_values()
    return np.minimum(low[_three_highest()], SIDE_CAP), np.minimum(low, TRUMP_CAP)


def _three_highest() -> NDArray[np.intp]:
    """Each holding with all but its three highest cards taken away."""
    top = np.arange(256)
    while (long := np.bitwise_count(top) > 3).any():
        top = np.where(long, top & (top - 1), top)
    return top


def defence_values(hands: Masks) -> tuple[Floats, Floats]:
    """Guide tricks of a defender's hand: in all side suits together, and in trumps.

    Returns
    -------
    side, trump : float64 (..., 5)
        Tricks for each strain of the contract; in no trump all suits are side suits.
    """
    side_table, trump_table = _tables()
    suits = suit_bytes(hands)
    each = side_table[suits]
    side = np.empty((*each.shape[:-1], 5))
    side[..., 4] = each.sum(axis=-1)
    side[..., :4] = side[..., 4:] - each
    trump = np.zeros_like(side)
    trump[..., :4] = trump_table[suits]
    return side, trump


def defence_value(values: tuple[Floats, Floats], level: int) -> Floats:
    """Tricks expected in defence against a contract of this level, float64 (..., 5)."""
    side, trump = values
    return SIDE_FAITH[level] * side + trump


def reply_pattern(
    first: Floats, second: Floats, level: int, convention: Convention, strain: object = None
) -> NDArray[np.uint8]:
    """What the two defenders say to a contract of `level`.

    Parameters
    ----------
    first, second : float64 (...)
        Tricks each expects, from `defence_value`.
    level : int
    convention : Convention
    strain : int or int array, optional
        Only asked where the convention makes both whist on six spades.

    Returns
    -------
    uint8 (...)
        `Pattern` values.
    """
    one = first >= FIRST_NEEDS[level]
    two = second >= np.where(one, SECOND_NEEDS[level], FIRST_NEEDS[level])
    if level == 10 and convention.ten == "checked":
        one, two = np.ones_like(one), np.ones_like(two)
    elif convention.stalingrad and level == min(LEVELS) and strain is not None:
        spades = np.asarray(strain) == 0
        one, two = one | spades, two | spades
    pattern = np.full(one.shape, Pattern.NOBODY, dtype=np.uint8)
    if convention.half_whist != "off" and level in HALF_NEEDS:
        pattern[second >= HALF_NEEDS[level]] = Pattern.HALF
    pattern[one] = Pattern.FIRST
    pattern[two] = Pattern.SECOND
    both = one & two
    pattern[both] = Pattern.BOTH
    pattern[both & (first > MORE * second)] = Pattern.BOTH_FIRST_MORE
    pattern[both & (second > MORE * first)] = Pattern.BOTH_SECOND_MORE
    return pattern
