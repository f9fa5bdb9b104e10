"""The coarse table: what each holding of the declarer contributes, whatever the layout.

First fitted to all deals, then corrected on those of kind ``DECLARER``, for which it is meant.
Values are unique only up to shifts (every hand has four suits and ten cards), fixed by these
conventions: low cards alone, none to `LOW_CARDS` of them, are worth nothing on average as a side
suit beside trumps, and do not gain or lose with their number, there and in no trump.

The four suits of a deal share its one error, and some holdings leave more open than others. So the
standard errors come from the covariance of all values of a lead, clustered by deal (the *sandwich*
of White, Econometrica 48, 1980), after the shifts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.regression import ridge
from advisor.fitting.sample import DECLARER, SolvedDeals, part_of
from advisor.tricks.estimate import suit_bytes
from advisor.tricks.holdings import NO_TRUMP, Holdings, alike, means_from

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LOW_CARDS = 3
ALL_PENALTY, DECLARER_PENALTY = 1.0, 20.0
FEW = 30  # deals; below, an error counts as no less than that of deals spread all alike


def fit_holdings(deals: SolvedDeals) -> Holdings:
    """Fit the coarse table."""
    shape = (3, 2, 256)
    found = Holdings(np.zeros(shape), np.full(shape, np.nan), np.full(shape, np.nan),
                     np.zeros(shape, dtype=np.int64))
    for lead in (0, 1):
        for roles in ((0, 1), (2,)):
            rows = ((deals.strain == NO_TRUMP) == (roles == (2,))) & ((deals.leader == 0) == lead)
            _fit_roles(found, part_of(deals, rows), roles, lead)
    return found


def _fit_roles(found: Holdings, deals: SolvedDeals, roles: tuple[int, ...], lead: int) -> None:
    """Fill in some roles of one lead, from deals that all have it."""
    index = _entries(suit_bytes(deals.hands[:, 0]).astype(np.int64), deals.strain, roles)
    target = deals.tricks.astype(np.float64)
    own = deals.kind == DECLARER
    size = 256 * len(roles)
    values = ridge(index, size, ALL_PENALTY, target)
    rest = target - values[index].sum(axis=1)
    correction = ridge(index[own], size, DECLARER_PENALTY, rest[own])
    error = rest[own] - correction[index[own]].sum(axis=1)
    seen = np.bincount(index[own].ravel(), minlength=size).reshape(-1, 256)
    pinned = _pin((values + correction).reshape(-1, 256), seen, roles)
    single, groups = standard_errors(index[own], error, seen, roles)
    for place, role in enumerate(roles):
        found.tricks[role, lead], found.deals[role, lead] = pinned[place], seen[place]
        found.se[role, lead], found.alike_se[role, lead] = single[place], groups[place]


def standard_errors(
    index: Ints, error: Floats, seen: Ints, roles: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Standard errors of pinned values, and of averages over holdings that are alike.

    Parameters
    ----------
    index : int (n, 4)
        Entries of each deal's suits.
    error : float64 (n,)
        Tricks less their mean.
    seen : int (roles, 256)
        Deals of each holding, as in `_pin`.
    roles : tuple of int

    Returns
    -------
    single, groups : float64 (roles, 256)
        Tricks; nan where no deal was seen.
    """
    size = seen.size
    counts = _moments(index, size, np.ones_like(error))
    bread = np.linalg.pinv(counts, rcond=1e-9, hermitian=True)
    pins = np.stack([_pin(unit.reshape(seen.shape), seen, roles).ravel()
                     for unit in np.eye(size)], axis=1) @ bread
    clustered = pins @ _moments(index, size, error**2) @ pins.T
    even = float(np.mean(error**2)) * pins @ counts @ pins.T
    single, groups = np.full(size, np.nan), np.full(size, np.nan)
    for place in np.flatnonzero(seen.ravel()).tolist():
        group = place // 256 * 256 + alike(place % 256)
        single[place] = _error(clustered, even, seen.ravel(), np.array([place]))
        groups[place] = _error(clustered, even, seen.ravel(), group)
    return single.reshape(seen.shape), groups.reshape(seen.shape)


def _moments(index: Ints, size: int, weight: Floats) -> Floats:
    """Sums of weights over the pairs of entries that deals have, float64 (size, size)."""
    out = np.zeros(size * size)
    for one in index.T:
        for two in index.T:
            out += np.bincount(one * size + two, weights=weight, minlength=size * size)
    return out.reshape(size, size)


def _error(clustered: Floats, even: Floats, seen: Ints, places: NDArray[np.intp]) -> float:
    """Standard error of the average of some entries, weighed by their deals."""
    share = seen[places] / seen[places].sum()
    variance, plain = (float(share @ table[np.ix_(places, places)] @ share)
                       for table in (clustered, even))
    few = seen[places].sum() < FEW
    return float(np.sqrt(max(variance, plain) if few else variance))


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

