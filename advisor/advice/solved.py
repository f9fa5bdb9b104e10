"""Scores from solved deals: the player's own games and misère with the tricks of each layout.

While choosing under one talon, a few solved layouts are helped by the guide: its distribution of
tricks counts as `GUIDE_LAYOUTS` further layouts. What is chosen is then valued by solved tricks
alone, half on other layouts, half on the same (`advisor.advice.folds`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import ALL, Columns, Mask, Outcome, Play, halfway
from advisor.advice.folds import each_fold, with_prior
from advisor.advice.guide_games import GuideGames
from advisor.advice.payoff import Payoff
from advisor.advice.screened import ScreenedGames, Tried
from advisor.advice.solving import Solved
from advisor.sampling.deals import Deals
from advisor.tricks.estimate import strain_means, trick_distribution
from advisor.tricks.holes import misere_distribution
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

GUIDE_LAYOUTS = 3.0


@dataclass(frozen=True)
class SolvedGames(ScreenedGames):
    """Own games with solved tricks; the prior is the guide's.

    Parameters
    ----------
    tricks : int8 (t, 5, d, m)
        Tricks of each layout with each discard.
    """

    tricks: NDArray[np.int8]
    prior_layouts: ClassVar[float] = GUIDE_LAYOUTS

    def rows(self, plays: Tried, columns: Columns = ALL) -> Floats:
        """Chances of 0..10 tricks of plays, each 0 or 1, float64 (n, m, 11)."""
        return np.eye(11)[self.tricks[self._cells(plays, columns)]]


def _distribution(tricks: NDArray[np.int8], weight: Floats, prior: Floats) -> Floats:
    """Share of each number of tricks (t, k, m) under a weight (t, m), float64 (t, k, 11).

    The prior counts as `GUIDE_LAYOUTS` further layouts.
    """
    size = np.count_nonzero(weight, axis=1)[:, None, None]
    weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    shares = np.stack([np.einsum("tkj,tj->tk", tricks == n, weight) for n in range(11)], axis=-1)
    return with_prior(shares, size, prior, GUIDE_LAYOUTS)


def solved_games(hand: int, guide: GuideGames, solved: Solved) -> SolvedGames:
    """The player's games with solved tricks, beside the same by the guide."""
    on_lead = guide.deals.seat == 0
    kept = (np.uint32(hand) | guide.deals.talon)[:, None, None] ^ solved.away
    prior = np.empty((*solved.away.shape, 11))
    for strain in range(5):
        cards, away = kept[:, strain], solved.away[:, strain]
        certain = np.stack([sure_tricks(cards, away, s, on_lead) for s in range(5)], axis=-1)
        certain = np.minimum(certain, 10)  # twelve cards where nothing was tried
        prior[:, strain] = trick_distribution(strain_means(cards, on_lead), certain)[..., strain, :]
    return SolvedGames(guide.deals, guide.pattern, guide.told, guide.pay, solved.away, prior,
                       guide, solved.own)


def solved_misere(hand: int, deals: Deals, table: Payoff, solved: Solved) -> Outcome:
    """Misère, half-way between the discard chosen apart and together."""
    prior = misere_distribution((np.uint32(hand) | deals.talon)[:, None] ^ solved.misere_away,
                                solved.misere_away, deals.seat == 0)
    m = deals.weight.shape[1]
    apart = ((columns, ~columns) for _, columns in each_fold(m))
    everywhere = np.ones(m, dtype=bool)
    return halfway(misere_by(apart, prior, deals, table, solved),
                   misere_by([(everywhere, everywhere)], prior, deals, table, solved))


def misere_by(
    uses: Iterable[tuple[Mask, Mask]], prior: Floats, deals: Deals, table: Payoff, solved: Solved
) -> Outcome:
    """Misère by where a discard is used, and on which layouts it is chosen, bool (m,) each."""
    away = solved.misere_away
    t = np.arange(len(away))
    net = np.empty(deals.weight.shape)
    made, taken = np.empty_like(net), np.empty_like(net)
    thrown = []
    for columns, chosen_on in uses:
        pooled = _distribution(solved.misere, np.where(chosen_on, deals.weight, 0.0), prior)
        best = (pooled @ table.misere[:, 0]).argmax(axis=1)
        tricks = solved.misere[t, best][:, columns]
        net[:, columns] = table.misere[tricks, 0]
        made[:, columns] = tricks == 0
        taken[:, columns] = tricks
        thrown.append(away[t, best])
    return Outcome(net, made, taken, np.zeros((len(thrown), len(t)), dtype=np.intp),
                   np.stack(thrown))


def solved_misere_play(
    away: int, tricks: NDArray[np.int8], deals: Deals, table: Payoff
) -> Play:
    """Misère with one discard, for a known talon; `tricks` (m,)."""
    weight = deals.weight[0] / deals.weight.sum()
    shares = np.bincount(tricks, weights=weight, minlength=11).astype(np.float64)
    return Play(away, table.misere[tricks, 0][None], shares)
