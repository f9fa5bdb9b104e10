"""The coarse table: what each holding of the declarer contributes, whatever the layout.

First fitted to all deals, then corrected on those of kind ``DECLARER``, for which it is meant.
Values are unique only up to shifts (every hand has four suits and ten cards), fixed by these
conventions: low cards alone, none to `LOW_CARDS` of them, are worth nothing on average as a side
suit beside trumps, and do not gain or lose with their number, there and in no trump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.regression import ridge
from advisor.fitting.sample import DECLARER, SolvedDeals
from advisor.tricks.estimate import suit_bytes
from advisor.tricks.holdings import means_from

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_TRUMP = 4
LOW_CARDS = 3
ALL_PENALTY, DECLARER_PENALTY = 1.0, 20.0


@dataclass(frozen=True, slots=True)
class Holdings:
    """The coarse table; axes are `advisor.tricks.holdings.ROLES`, own lead, holding.

    Parameters
    ----------
    tricks, se : float64 (3, 2, 256)
    deals : int64 (3, 2, 256)
        Deals of kind ``DECLARER``.
    """

    tricks: Floats
    se: Floats
    deals: Ints


def fit_holdings(deals: SolvedDeals) -> Holdings:
    """Fit the coarse table."""
    tricks, se = np.zeros((3, 2, 256)), np.full((3, 2, 256), np.nan)
    count = np.zeros((3, 2, 256), dtype=np.int64)
    suits = suit_bytes(deals.hands[:, 0]).astype(np.int64)
    for lead in (0, 1):
        for roles in ((0, 1), (2,)):
            rows = ((deals.strain == NO_TRUMP) == (roles == (2,))) & ((deals.leader == 0) == lead)
            own = rows & (deals.kind == DECLARER)
            index = _entries(suits, deals.strain, roles)
            target = deals.tricks.astype(np.float64)
            size = 256 * len(roles)
            values = ridge(index[rows], size, ALL_PENALTY, target[rows])
            rest = target[own] - values[index[own]].sum(axis=1)
            values += ridge(index[own], size, DECLARER_PENALTY, rest)
            error = target[own] - values[index[own]].sum(axis=1)
            seen = np.bincount(index[own].ravel(), minlength=size)
            spread = float(np.sqrt(np.mean(error**2))) if own.any() else float("nan")
            pinned = _pin(values.reshape(-1, 256), seen.reshape(-1, 256), roles)
            for place, role in enumerate(roles):
                tricks[role, lead] = pinned[place]
                count[role, lead] = seen.reshape(-1, 256)[place]
            with np.errstate(divide="ignore"):
                errors = spread / np.sqrt(seen.reshape(-1, 256))
            se[list(roles), lead] = np.where(np.isfinite(errors), errors, np.nan)
    return Holdings(tricks, se, count)


def _entries(suits: Ints, strain: NDArray[np.int8], roles: tuple[int, ...]) -> Ints:
    """Entries of each deal's four suits: trumps first, or all alike in no trump."""
    if roles == (2,):
        return suits
    trump = np.arange(4) == strain[:, None]
    entries: Ints = np.where(trump, suits, suits + 256)
    return entries


def _pin(values: Floats, seen: Ints, roles: tuple[int, ...]) -> Floats:
    """Shift values (roles, 256), without changing any hand's sum, to the conventions above.

    `seen` (roles, 256) are the deals of each holding, the weights of low holdings.
    """
    length = np.bitwise_count(np.arange(256, dtype=np.uint8)).astype(np.float64)
    low = np.flatnonzero((np.arange(256) < 16) & (length <= LOW_CARDS))
    weight = np.sqrt(seen[-1, low] + 1.0)
    line = np.stack([np.ones(len(low)), length[low]], axis=1) * weight[:, None]
    (level, slope), *_ = np.linalg.lstsq(line, values[-1, low] * weight)
    if roles == (2,):
        shifted: Floats = values - slope * (length - 2.5)
        return shifted
    trump, side = values
    return np.stack([trump + 3 * level + slope * (10 - length), side - level - slope * length])


def coarse_means(found: Holdings, deals: SolvedDeals) -> Floats:
    """Means of deals by the coarse table, float64 (n,)."""
    lead = (deals.leader == 0).astype(np.int64)
    means = np.stack([means_from(found.tricks[:, own], deals.hands[:, 0]) for own in (0, 1)])
    chosen: Floats = means[lead, np.arange(len(deals)), deals.strain]
    return chosen

