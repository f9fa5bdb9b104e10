"""What a suit yields when it is played alone, by exhaustion: four small numbers of each layout.

They are no estimates of the whole deal; sums of them over the suits tell the fitted tables how the
race between the sides stands.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.layouts import owners

Row = tuple[int, ...]
NAMES = ("cash", "lost", "kept", "held")


def alone_table() -> NDArray[np.uint8]:
    """The four numbers of every layout, uint8 (4, 9841), in the order of `NAMES`.

    * cash: tricks of the declarer leading the suit until he loses one;
    * lost: tricks of the defenders, either leading, until the declarer wins one;
    * kept: tricks of the declarer leading the suit until he has no more of it;
    * held: tricks of the declarer when the defenders lead it until he has no more of it.
    """
    rows = [tuple(int(who) for who in row if who >= 0) for row in owners()]
    return np.array([[number(row) for row in rows] for number in (_cash, _lost, _kept, _held)],
                    dtype=np.uint8)


def _places(row: Row) -> tuple[Row, Row, Row]:
    """Places of each hand's cards; a hand without cards plays nothing, place -1."""
    own = tuple(i for i, who in enumerate(row) if who == 0)
    two, three = (tuple(i for i, who in enumerate(row) if who == d) or (-1,) for d in (1, 2))
    return own, two, three


def _without(row: Row, *places: int) -> Row:
    return tuple(who for i, who in enumerate(row) if i not in places)


@cache
def _cash(row: Row) -> int:
    own, two, three = _places(row)
    if not own or own[-1] < max(two[-1], three[-1]):
        return 0
    return 1 + min(_cash(_without(row, own[-1], a, b)) for a in two for b in three)


@cache
def _kept(row: Row) -> int:
    own, two, three = _places(row)
    return max((min((c > max(a, b)) + _kept(_without(row, c, a, b)) for a in two for b in three)
                for c in own), default=0)


@cache
def _lost(row: Row) -> int:
    own, two, three = _places(row)
    if not own:
        return max(row.count(1), row.count(2))
    if len(own) == len(row):
        return 0
    return max(
        0 if own[-1] > max(a, b) else min(1 + _lost(_without(row, c, a, b)) for c in own)
        for a in two for b in three)


@cache
def _held(row: Row) -> int:
    own, two, three = _places(row)
    if not own or len(own) == len(row):
        return len(own)
    return min(max((c > max(a, b)) + _held(_without(row, c, a, b)) for c in own)
               for a in two for b in three)
