"""The coarse table: what each holding of the declarer contributes, whatever the layout.

First fitted to all deals, then corrected on those of kind ``DECLARER``, for which it is meant.
Values are unique only up to shifts (every hand has four suits and ten cards), fixed by two
conventions: with trumps a void side suit is worth nothing, and a lone seven is worth as much as a
void.
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
            pinned = _pin(values.reshape(-1, 256), roles)
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


def _pin(values: Floats, roles: tuple[int, ...]) -> Floats:
    """Shift values, without changing any hand's sum, to the conventions above."""
    length = np.bitwise_count(np.arange(256, dtype=np.uint8)).astype(np.float64)
    if roles == (2,):
        slope = values[0, 0] - values[0, 1]
        shifted: Floats = values + slope * (length - 2.5)
        return shifted
    trump, side = values
    slope = side[0] - side[1]
    # The slope for each of ten cards comes off the trumps; so does a void from three side suits,
    # the other way round.
    return np.stack([trump + slope * (length - 10) + 3 * side[0], side + slope * length - side[0]])


def coarse_means(found: Holdings, deals: SolvedDeals) -> Floats:
    """Means of deals by the coarse table, float64 (n,)."""
    lead = (deals.leader == 0).astype(np.int64)
    means = np.stack([means_from(found.tricks[:, own], deals.hands[:, 0]) for own in (0, 1)])
    chosen: Floats = means[lead, np.arange(len(deals)), deals.strain]
    return chosen

