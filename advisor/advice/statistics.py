"""Weighted means over blocks of deals, and their standard errors.

The design is two-stage: talons (all 231, or a random part of them), and under each an equal number
of independent mirrored pairs of layouts. The error formula is the textbook one for that
design (Cochran, Sampling Techniques, 3rd ed., 10.4), applied to linearised residuals of the
weighted mean. With one pair under each talon the spread within a talon is taken from neighbouring
talons, which share a card (collapsed strata, ibid.): an upper bound, so the error is told a
little too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.sampling.deals import Deals, effective_size, first_layouts

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A mean and its standard error, in the unit of what was averaged."""

    mean: float
    se: float


@dataclass(frozen=True, slots=True)
class Score:
    """A score on every deal, and by how much it changes on those that were solved.

    Parameters
    ----------
    net : float64 (t, m)
        Net whists.
    deals : Deals
    change : float64 (t, k), optional
        Solved less estimated net whists, on the first k layouts of every talon.

    Notes
    -----
    The mean is that of all deals plus the mean change on the solved ones, a difference estimator
    (Cochran, Sampling Techniques, 3rd ed., 12.2): all deals settle the level, and few solved ones
    the change, which varies little. The covariance of the two is estimated on the solved deals;
    it counts for its share of all layouts, or, where not every talon is in the sample and it
    would make the error larger, in full.
    """

    net: Floats
    deals: Deals
    change: Floats | None = None

    def __sub__(self, other: Score) -> Score:
        """The paired difference, corrected by what is known of either."""
        mine, theirs = self.change, other.change
        if mine is None or theirs is None:
            alone = mine if theirs is None else -theirs
            return Score(self.net - other.net, self.deals, alone)
        return Score(self.net - other.net, self.deals, mine - theirs)

    def estimate(self) -> Estimate:
        """Mean and standard error, net whists."""
        if self.change is None:
            return estimate(self.net, self.deals)
        solved = self.change.shape[1]
        if solved == self.net.shape[1]:
            return estimate(self.net + self.change, self.deals)
        part = first_layouts(self.deals, solved)
        level, change = estimate(self.net, self.deals), estimate(self.change, part)
        before = estimate(self.net[:, :solved], part)
        after = estimate(self.net[:, :solved] + self.change, part)
        twice_covariance = after.se**2 - before.se**2 - change.se**2
        if len(self.net) == self.deals.all_talons or twice_covariance < 0:
            twice_covariance *= solved / self.net.shape[1]
        variance = level.se**2 + change.se**2 + twice_covariance
        return Estimate(level.mean + change.mean, float(np.sqrt(max(variance, 0.0))))


def borrowing(scores: Sequence[Score], lenders: Sequence[Score]) -> list[Score]:
    """Scores without a change take that of the lender with the best mean before its change.

    Neither one solved only since it was asked about, nor one that solving flatters, moves others.
    """
    if not lenders:
        return list(scores)
    lender = max(lenders, key=lambda score: weighted_mean(score.net, score.deals))
    return [score if score.change is not None else replace(score, change=lender.change)
            for score in scores]


def weighted_mean(x: Floats, deals: Deals) -> float:
    """Mean of `x` (t, m) under the deals' weights."""
    total = float(np.sum(deals.weight))
    return float(np.sum(deals.weight * x)) / total


def estimate(x: Floats, deals: Deals) -> Estimate:
    """Mean of `x` (t, m) over the deals, with its standard error.

    Returns
    -------
    Estimate
        In the unit of `x`; the error is 0 where the deals are exhaustive, and nan where a single
        pair says nothing about it.
    """
    mean = weighted_mean(x, deals)
    if deals.exhaustive:
        return Estimate(mean, 0.0)
    residual = deals.weight * (x - mean) / float(np.mean(deals.weight))
    pairs = residual.reshape(len(residual), -1, 2).mean(axis=2)
    talons = len(pairs)
    fraction = talons / deals.all_talons
    variance = fraction * _within(pairs) / talons
    if fraction < 1:
        variance += (1 - fraction) * _variance(pairs.mean(axis=1)) / talons
    variance *= 1 + effective_size(deals.weight) / deals.pool_ess
    if deals.talon_variance is not None:
        distance = np.average(x, axis=1, weights=deals.weight) - mean
        variance += float(np.sum(deals.talon_variance * distance**2) / deals.weight.sum() ** 2)
    return Estimate(mean, float(np.sqrt(variance)))


def estimate_where(where: NDArray[np.bool_], x: Floats, deals: Deals) -> Estimate:
    """Mean of `x` (t, m) over the deals of `where` (t, m), of which there must be some.

    A ratio of two means, its error that of the linearised residuals.
    """
    share = weighted_mean(where.astype(np.float64), deals)
    mean = weighted_mean(np.where(where, x, 0.0), deals) / share
    return Estimate(mean, estimate(np.where(where, x - mean, 0.0), deals).se / share)


def _within(pairs: Floats) -> float:
    """Variance of a talon's mean over its pairs (t, m), on average over the talons."""
    m: int = pairs.shape[1]
    if m > 1:
        return float(np.mean(np.var(pairs, axis=1, ddof=1))) / m
    steps = np.diff(pairs[:, 0])
    return float(np.mean(steps**2)) / 2 if steps.size else float("nan")


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1)) if values.size > 1 else float("nan")
