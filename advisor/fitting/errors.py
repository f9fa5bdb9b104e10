"""Errors of the guide, the coarse table and the fitted tables on deals none was fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.coarse import coarse_means
from advisor.fitting.sample import DECLARER, SolvedDeals, part_of
from advisor.rules.contracts import LEVELS
from advisor.tricks.estimate import SPREAD as GUIDE_SPREAD
from advisor.tricks.estimate import strain_means, trick_distribution
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.holdings import NO_TRUMP, holdings
from advisor.tricks.holdings import SPREAD as HOLDINGS_SPREAD
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
MARGIN = 0.3  # tricks the mean stands above the level asked about
SURELY = 1e-3  # no chance is taken for nearer to 0 or 1 than this in a log-loss
EVALUATORS = ("guide", "coarse", "fitted")


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors on one group of deals, by evaluator.

    Parameters
    ----------
    group : str
    deals : int
    bias, rmse : dict
        Mean of (estimate less truth), and root mean square error, tricks.
    log_loss : dict
        Of making the level the guide would name, nats a deal; ``always the same`` is that of the
        share that makes it. Exact is 0.
    """

    group: str
    deals: int
    bias: dict[str, float]
    rmse: dict[str, float]
    log_loss: dict[str, float]


def measure(deals: SolvedDeals) -> list[Errors]:
    """Errors on declarers' deals and on all, with trumps and in no trump."""
    plain = deals.strain == NO_TRUMP
    declarer = deals.kind == DECLARER
    groups = {"declarers, trumps": declarer & ~plain, "declarers, no trump": declarer & plain,
              "other deals, trumps": ~declarer & ~plain, "other deals, no trump": ~declarer & plain}
    return [_group(name, part_of(deals, rows)) for name, rows in groups.items()]


def estimates(deals: SolvedDeals) -> dict[str, tuple[Floats, Floats]]:
    """Mean (n,) and distribution (n, 11) of each deal by each evaluator."""
    certain = certain_tricks(deals)
    n = np.arange(len(deals))
    lead = deals.leader == 0
    by_lead = np.stack([strain_means(deals.hands[:, 0], own) for own in (False, True)])
    guide = by_lead[lead.astype(int), n, deals.strain]
    coarse = coarse_means(holdings(), deals)
    cells = tables().cells(deals.hands, deals.strain.astype(np.int64),
                           deals.leader.astype(np.int64), certain)
    return {"guide": (guide, _around(guide, certain, deals)),
            "coarse": (coarse, _around(coarse, certain, deals, HOLDINGS_SPREAD)),
            "fitted": (distributions()[cells] @ np.arange(11), distributions()[cells])}


def certain_tricks(deals: SolvedDeals) -> NDArray[np.int64]:
    """Tricks certain to the declarer who knows his discard, int (n,)."""
    gone = ~np.bitwise_or.reduce(deals.hands, axis=1)
    out = np.zeros(len(deals), dtype=np.int64)
    for strain in range(5):
        for lead in (False, True):
            rows = (deals.strain == strain) & ((deals.leader == 0) == lead)
            out[rows] = sure_tricks(deals.hands[rows, 0], gone[rows], strain, lead)
    return out


def _around(
    mean: Floats, certain: NDArray[np.int64], deals: SolvedDeals,
    spread: tuple[float, float] = GUIDE_SPREAD,
) -> Floats:
    chances = trick_distribution(np.repeat(mean[:, None], 5, axis=1),
                                 np.repeat(certain[:, None], 5, axis=1), spread)
    around: Floats = chances[np.arange(len(deals)), deals.strain]
    return around


def _group(name: str, deals: SolvedDeals) -> Errors:
    found = estimates(deals)
    level = np.clip(np.floor(found["guide"][0] - MARGIN), min(LEVELS), max(LEVELS))
    made = deals.tricks >= level
    reach = np.arange(11) >= level[:, None]
    chances = {key: (chance * reach).sum(axis=1) for key, (_, chance) in found.items()}
    chances["always the same"] = np.full(len(deals), made.mean())
    return Errors(
        name, len(deals),
        {key: float(np.mean(mean - deals.tricks)) for key, (mean, _) in found.items()},
        {key: float(np.sqrt(np.mean((mean - deals.tricks) ** 2)))
         for key, (mean, _) in found.items()},
        {key: _log_loss(chance, made) for key, chance in chances.items()})


def _log_loss(chance: Floats, made: NDArray[np.bool_]) -> float:
    inside = np.clip(chance, SURELY, 1 - SURELY)
    return float(-np.mean(np.log(np.where(made, inside, 1 - inside))))
