"""From a mean to a distribution of tricks, counted on deals the means were not fitted to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.fitted import MEANS, STEPS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLASSES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.95, 1.25)
SPREAD_PRIOR = 30.0  # deals
LINK_PRIOR = 20.0  # deals
SMOOTH = 2.0  # steps of the mean


def spread_classes(index: Ints, size: int, error: Floats) -> NDArray[np.uint8]:
    """The class of `CLASSES` nearest to the standard deviation of the errors in each entry.

    Parameters
    ----------
    index : int (n,)
        Entry of each deal.
    size : int
        Number of entries.
    error : float64 (n,)
        Tricks less their mean.
    """
    count = np.bincount(index, minlength=size)
    square = np.bincount(index, weights=error**2, minlength=size)
    overall = float(np.mean(error**2))
    sd = np.sqrt((square + SPREAD_PRIOR * overall) / (count + SPREAD_PRIOR))
    classes = np.abs(sd[:, None] - np.array(CLASSES)).argmin(axis=1)
    return np.asarray(classes, dtype=np.uint8)


def link_table(mean: Floats, spread: NDArray[np.uint8], tricks: Ints) -> Floats:
    """Distributions by class and mean, float64 (classes, 201, 11).

    Counts of deals with about this mean (smoothed over `SMOOTH` steps), with `LINK_PRIOR` deals of
    a distribution of the mean and the class's spread beside them.
    """
    step = np.rint(mean * STEPS).astype(np.int64)
    counts = np.zeros((len(CLASSES), MEANS, 11))
    np.add.at(counts, (spread, step, tricks), 1.0)
    gap = np.arange(MEANS)[:, None] - np.arange(MEANS)
    kernel = np.exp(-0.5 * (gap / SMOOTH) ** 2)
    counts = np.einsum("st,ctk->csk", kernel, counts)
    counts += LINK_PRIOR * np.stack([discrete(np.arange(MEANS) / STEPS, sd) for sd in CLASSES])
    table: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return table


def discrete(mean: Floats, sd: float) -> Floats:
    """Whole numbers 0..10 of a mean and about a standard deviation, float64 (n, 11)."""
    low = np.minimum(np.floor(mean).astype(np.int64), 9)
    part = mean - low
    out = np.zeros((len(mean), 11))
    rows = np.arange(len(mean))
    out[rows, low], out[rows, low + 1] = 1 - part, part
    excess = np.maximum(sd**2 - part * (1 - part), 0.0) / 2
    for _ in range(2):
        side = np.minimum(excess, 1.0)[:, None] / 2
        moved = side * out
        out = out - 2 * moved
        out[:, 1:] += moved[:, :-1]
        out[:, :-1] += moved[:, 1:]
        out[:, 0] += moved[:, 0]
        out[:, -1] += moved[:, -1]
    return out
