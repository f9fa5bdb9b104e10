"""Which layouts a choice may be made on: those of all other folds than the one it is used on.

The layouts under a talon are dealt out to folds, whole mirrored pairs in turn. What is used on one
fold is chosen on all others (cross-fitting), so no layout values a choice it helped to make, and
nearly all of them help every choice. A single pair makes one fold, with no others: a choice for it
rests on what is known beside the layouts.

One choice for all talons needs no more than two halves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FOLDS = 8


def fold_count(m: int) -> int:
    """Folds of `m` layouts: `FOLDS`, or one a pair."""
    return max(1, min(FOLDS, m // 2))


def folds(m: int, count: int | None = None) -> NDArray[np.intp]:
    """Which fold each layout belongs to, intp (m,).

    Parameters
    ----------
    m : int
        Layouts under a talon.
    count : int, optional
        Number of folds, where these are the first layouts of more that a choice was made on.
    """
    return np.arange(m) // 2 % (count or fold_count(m))


def each_fold(m: int, count: int | None = None) -> Iterator[tuple[int, Mask]]:
    """The folds one by one, each with its layouts, bool (m,)."""
    fold = folds(m, count)
    for one in range(count or fold_count(m)):
        yield one, fold == one


def outside(sums: Floats, fold: int | None) -> Floats:
    """Of sums by fold, float64 (F, ...), those of all others together; None leaves none out."""
    others: Floats = sums[np.arange(len(sums)) != fold].sum(axis=0)
    return others


def layouts_outside(m: int, fold: int | None) -> int:
    """Number of layouts in all other folds."""
    return m if fold is None else int(np.count_nonzero(folds(m) != fold))


def halves(shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Which half each deal (t, m) belongs to: whole mirrored pairs in turn, by talons in turn.

    So a single pair under each talon stays whole, and half of the talons are in either half.
    """
    t, m = shape
    return (np.arange(t)[:, None] + np.arange(m) // 2) % 2
