"""Tricks by the printed guide: a mean for each strain, and a documented spread around it.

The guide prints one range for a holding, whatever the trumps. Used here: the high end for the trump
suit, the low end for side suits and in no trump, summed over the suits. Two corrections, ours, say
what the guide cannot: a trump suit of fewer than five cards is short of length, and in
no trump a suit without a stopper is run against the declarer.

The spread: the number of tricks is a discrete normal distribution of standard deviation `SPREAD`
tricks, cut off below at the certain tricks (`advisor.tricks.sure`) and above at ten, and shifted so that
its mean is the guide's. Certain tricks are therefore certain, and only the rest is spread.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.guide import high_values, low_values
from advisor.tricks.holes import hole_chances

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

SPREAD = 1.0
SHORT_TRUMP = 0.35
UNSTOPPED = 0.8
STEPS_PER_TRICK = 20
_TRICKS = np.arange(11)


def suit_bytes(hands: Masks) -> NDArray[np.uint8]:
    """Holdings of card masks by suit, uint8 (..., 4)."""
    little = np.ascontiguousarray(hands, dtype="<u4")
    return little.view(np.uint8).reshape(*little.shape, 4)


@cache
def _tables() -> tuple[Floats, Floats, Floats]:
    """By holding: worth as a side suit, extra worth as trumps, loss in no trump."""
    low, high = low_values(), high_values()
    byte = np.arange(256, dtype=np.uint8)
    length = np.bitwise_count(byte).astype(np.float64)
    extra = high - low - SHORT_TRUMP * np.maximum(0.0, 5 - length)
    stopped = (byte & 0x80 != 0) | ((byte & 0x40 != 0) & (length >= 2)) | (
        (byte & 0x20 != 0) & (length >= 3))
    return low, extra, np.where(stopped, 0.0, UNSTOPPED)


def strain_means(hands: Masks) -> Floats:
    """Expected tricks of a declarer's hand by the guide, for each strain.

    Parameters
    ----------
    hands : uint32 (...)
        Card masks of ten cards (or of fewer).

    Returns
    -------
    float64 (..., 5)
        Tricks, strains S C D H NT; between 0 and 10.
    """
    low, extra, loss = _tables()
    suits = suit_bytes(hands)
    side = low[suits].sum(axis=-1)
    means = np.empty((*suits.shape[:-1], 5))
    means[..., :4] = side[..., None] + extra[suits]
    means[..., 4] = side - loss[suits].sum(axis=-1)
    return np.clip(means, 0.0, 10.0, out=means)


@cache
def spread_table() -> Floats:
    """Probability of each number of tricks, float64 (11, 201, 11).

    Indexed by the certain tricks and by the mean in steps of 1/20 trick; a mean below the certain
    tricks counts as the certain tricks.
    """
    certain = np.arange(11)[:, None, None]
    mean = np.maximum(np.arange(10 * STEPS_PER_TRICK + 1)[None, :] / STEPS_PER_TRICK,
                      certain[:, :, 0])
    inside = certain <= _TRICKS
    centre = mean.copy()
    for _ in range(25):
        log = np.where(inside, -((_TRICKS - centre[..., None]) ** 2) / (2 * SPREAD**2), -np.inf)
        table: Floats = np.exp(log - log.max(axis=-1, keepdims=True))
        table /= table.sum(axis=-1, keepdims=True)
        got = table @ _TRICKS
        variance = np.maximum(table @ _TRICKS**2 - got**2, 0.05)
        centre += np.clip((mean - got) * SPREAD**2 / variance, -2.0, 2.0)
    edge = (mean <= certain[:, :, 0] + 1e-9)[..., None]
    table = np.where(edge, _TRICKS == certain, table)
    top = (mean >= 10 - 1e-9)[..., None]
    table = np.where(top, _TRICKS == 10, table)
    table.flags.writeable = False
    return table


@cache
def hole_tables() -> tuple[Floats, NDArray[np.intp]]:
    """By holding, nothing gone, a catcher leading: expected misère tricks, and number of holes."""
    chances = hole_chances(np.arange(256, dtype=np.uint32), 0, False)[:, 0]
    return chances.sum(axis=1), (chances > 0).sum(axis=1)


def mean_step(mean: Floats) -> NDArray[np.intp]:
    """Index of a mean in `spread_table`."""
    return np.rint(mean * STEPS_PER_TRICK).astype(np.intp)


def trick_distribution(mean: Floats, certain: NDArray[np.integer]) -> Floats:
    """Probability of 0..10 tricks around a mean, float64 (..., 11)."""
    table: Floats = spread_table()[certain, mean_step(mean)]
    return table
