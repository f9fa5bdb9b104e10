"""Which layouts a choice is made on, and on which it is used.

The layouts under a talon are dealt out to folds, whole mirrored pairs in turn. Chosen *apart*, what
is used on one fold is chosen on all others (cross-fitting): no layout values a choice it helped to
make. A single pair makes one fold, with no others: a choice for it rests on what is known beside
the layouts, and on the replies under talons like it. Chosen *together*, it is chosen on all layouts
and used on all.

Choosing on few layouts costs something, and valued apart a choice is told too low by that; valued
together it is flattered. Where the worths of the choices lie about as densely near the best as
further off, one errs as much as the other: for two choices with a gap g and a noise s in their
difference the cost is g Q(g/s), what it is flattered by s q(g/s) - g Q(g/s), q the normal density
and Q its upper tail, and over all gaps both come to s²/4 (each half of the optimism in Akaike's
criterion). So a score is told half-way between the two (`advisor.advice.declaring.halfway`). That
holds for the noise of the layouts, not for what a prior counts, and as if a choice apart had all
layouts to go by. ARCHITECTURE.md has what is left.

Choices for different folds rest on much the same layouts and err together, which no printed error
knows.

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


def each_use(m: int, count: int, halfway: bool) -> Iterator[tuple[int, Mask, float]]:
    """Where each of `count` choices is used, bool (m,), and for how much of these layouts.

    By folds; where they are `halfway` the last is chosen together and used on all layouts, and
    every use counts half.
    """
    apart, part = (count - 1, 0.5) if halfway else (count, 1.0)
    for fold, columns in each_fold(m, apart):
        yield fold, columns, part
    if halfway:
        yield apart, np.ones(m, dtype=bool), part


def sums_by_fold(x: Floats, count: int | None = None) -> Floats:
    """Sums of `x` (t, m) over the layouts of each fold, float64 (F, t)."""
    t, m = x.shape
    count = count or fold_count(m)
    cell = folds(m, count) * t + np.arange(t)[:, None]
    sums = np.bincount(cell.ravel(), x.ravel(), count * t).astype(np.float64)
    return sums.reshape(count, t)


def outside(sums: Floats, fold: int | None) -> Floats:
    """Of sums by fold, float64 (F, ...), those of all others together; None leaves none out."""
    others: Floats = (sums if fold is None else np.delete(sums, fold, axis=0)).sum(axis=0)
    return others


def layouts_outside(m: int, fold: int | None) -> int:
    """Number of layouts in all other folds."""
    return m if fold is None else int(np.count_nonzero(folds(m) != fold))


def with_prior(
    share: Floats, size: int | NDArray[np.intp], prior: Floats, layouts: float
) -> Floats:
    """Shares of `size` layouts, a prior counting as so many further `layouts`."""
    pooled: Floats = (size * share + layouts * prior) / (size + layouts)
    return pooled


def halves(shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Which half each deal (t, m) belongs to: whole mirrored pairs in turn, by talons in turn.

    So a single pair under each talon stays whole, and half of the talons are in either half.
    """
    t, m = shape
    return (np.arange(t)[:, None] + np.arange(m) // 2) % 2
