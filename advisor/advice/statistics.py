"""Weighted means over blocks of deals, and their standard errors.

The design is two-stage: talons (all 231, or a random part of them), and under each an equal number
of independent mirrored pairs of layouts. The error formula is the textbook one for that
design (Cochran, Sampling Techniques, 3rd ed., 10.4), applied to linearised residuals of the
weighted mean.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A mean and its standard error, in the unit of what was averaged."""

    mean: float
    se: float


def weighted_mean(x: Floats, deals: Deals) -> float:
    """Mean of `x` (t, m) under the deals' weights."""
    total = float(np.sum(deals.weight))
    return float(np.sum(deals.weight * x)) / total


def estimate(x: Floats, deals: Deals) -> Estimate:
    """Mean of `x` (t, m) over the deals, with its standard error.

    Returns
    -------
    Estimate
        In the unit of `x`; the error is 0 where the deals are exhaustive, and nan where one
        block of one pair says nothing about it.
    """
    mean = weighted_mean(x, deals)
    if deals.exhaustive:
        return Estimate(mean, 0.0)
    residual = deals.weight * (x - mean) / float(np.mean(deals.weight))
    pairs = residual.reshape(len(residual), -1, 2).mean(axis=2)
    talons, m = pairs.shape
    between = float(np.var(pairs.mean(axis=1), ddof=1)) if talons > 1 else np.nan
    if m == 1:
        return Estimate(mean, float(np.sqrt(between / talons)))
    within = float(np.mean(np.var(pairs, axis=1, ddof=1))) / m
    fraction = talons / deals.all_talons
    variance = fraction * within / talons
    if fraction < 1:
        variance += (1 - fraction) * between / talons
    return Estimate(mean, float(np.sqrt(variance)))
