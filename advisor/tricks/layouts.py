"""Suit layouts: who holds each card of a suit, with the cards that are gone left out.

A layout is the row of owners of the cards still in play, lowest first: the declarer, the next
clockwise, or the third hand. Only this order matters for tricks, so there are
``1 + 3 + 9 + ... + 3**8`` = 9,841 layouts, numbered by length and then in base three, the lowest
card as the last digit.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.estimate import suit_bytes

Masks = NDArray[np.uint32]
Layouts = NDArray[np.uint16]
LAYOUTS = (3**9 - 1) // 2
OWN_LAYOUTS = 2**9 - 1
_FIRST = np.cumsum([0, *(3**k for k in range(8))])


@cache
def _by_owners() -> Layouts:
    """Layout of each of the 4**8 ways to give eight ranks to three hands or nobody."""
    code = np.arange(4**8)
    number, length = np.zeros(4**8, np.int64), np.zeros(4**8, np.int64)
    for rank in range(8):
        owner = code >> 2 * rank & 3
        held = owner > 0
        number += np.where(held, (owner - 1) * 3**length, 0)
        length += held
    return np.asarray(number + _FIRST[length], dtype=np.uint16)


@cache
def _spread() -> NDArray[np.uint16]:
    """The eight bits of a byte moved to every second place."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    return np.asarray(bits @ 4 ** np.arange(8), dtype=np.uint16)


def suit_layouts(declarer: Masks, second: Masks, third: Masks) -> Layouts:
    """Layouts of the four suits.

    Parameters
    ----------
    declarer, second, third : uint32 (...)
        Hands of the declarer, the next clockwise and the third; they broadcast.

    Returns
    -------
    uint16 (..., 4)
    """
    spread = _spread()
    own, two, three = (spread[suit_bytes(hand)] for hand in (declarer, second, third))
    layouts: Layouts = _by_owners()[own + np.uint16(2) * two + np.uint16(3) * three]
    return layouts


@cache
def owners() -> NDArray[np.int8]:
    """Owners of each layout's cards, int8 (9841, 8): lowest first, 0..2, and -1 beyond the last."""
    table = np.full((LAYOUTS, 8), -1, dtype=np.int8)
    for length in range(1, 9):
        number = np.arange(3**length)
        rows = table[_FIRST[length] : _FIRST[length] + 3**length]
        rows[:, :length] = number[:, None] // 3 ** np.arange(length) % 3
    return table


@cache
def own_layouts() -> Layouts:
    """Each layout with both defenders taken as one, numbered in base two, uint16 (9841,)."""
    held = owners()
    length = (held >= 0).sum(axis=1)
    number = ((held == 0) << np.arange(8)).sum(axis=1)
    return np.asarray(number + 2**length - 1, dtype=np.uint16)


@cache
def mirrored() -> Layouts:
    """The lower number of each layout and the same with the defenders exchanged."""
    held = owners()
    length = (held >= 0).sum(axis=1)
    swapped = np.where(held > 0, 3 - held, np.maximum(held, 0))
    number = (swapped * 3 ** np.arange(8)).sum(axis=1) + _FIRST[length]
    return np.asarray(np.minimum(number, np.arange(LAYOUTS)), dtype=np.uint16)


@cache
def lengths() -> NDArray[np.int8]:
    """Cards of each hand in each layout, int8 (3, 9841)."""
    held = owners()
    return np.stack([(held == who).sum(axis=1) for who in range(3)]).astype(np.int8)
