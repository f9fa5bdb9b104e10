"""Scores from solved deals: the player's own games and misère with the tricks of each layout.

While choosing under one talon, a few solved layouts are helped by the guide: its distribution of
tricks counts as `GUIDE_LAYOUTS` further layouts. What is chosen is then valued on the other half of
the layouts by their solved tricks alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import Outcome, Play, halves
from advisor.advice.guide_games import GuideGames
from advisor.advice.payoff import Payoff
from advisor.advice.screened import ScreenedGames
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

    @cached_property
    def pooled(self) -> Floats:
        """Distribution of tricks on each half, guide included, float64 (2, t, 5, d, 11)."""
        weight = self.deals.weight
        half = halves(weight.shape[1])
        return np.stack([_distribution(self.tricks, np.where(half == side, weight, 0.0), self.prior)
                         for side in (0, 1)])

    def chances(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Floats:
        """Chances of 0..10 tricks of one play a talon, each 0 or 1, float64 (t, m, 11)."""
        return np.eye(11)[self.tricks[np.arange(len(game)), game % 5, discard]]


def _distribution(tricks: NDArray[np.int8], weight: Floats, prior: Floats) -> Floats:
    """Share of each number of tricks under a weight (t, m), the prior as so many layouts."""
    layouts = np.count_nonzero(weight, axis=1)
    weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    shares = np.stack([np.einsum("tsdj,tj->tsd", tricks == k, weight) for k in range(11)], axis=-1)
    size = layouts[:, None, None, None]
    pooled: Floats = (size * shares + GUIDE_LAYOUTS * prior) / (size + GUIDE_LAYOUTS)
    return pooled


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
    return SolvedGames(guide.deals, guide.pattern, guide.pay, solved.away, prior, guide, solved.own)


def solved_misere(hand: int, deals: Deals, table: Payoff, solved: Solved) -> Outcome:
    """Misère: the discard chosen on one half of the layouts, valued on the other."""
    half = halves(deals.weight.shape[1])
    away = solved.misere_away
    prior = misere_distribution((np.uint32(hand) | deals.talon)[:, None] ^ away, away,
                                deals.seat == 0)
    t = np.arange(len(away))
    net = np.empty(deals.weight.shape)
    made, taken = np.empty_like(net), np.empty_like(net)
    thrown = np.empty((2, len(t)), dtype=np.uint32)
    for side in (0, 1):
        chosen_on = np.where(half != side, deals.weight, 0.0)
        pooled = _distribution(solved.misere[:, None], chosen_on, prior[:, None])[:, 0]
        best = (pooled @ table.misere[:, 0]).argmax(axis=1)
        columns = half == side
        tricks = solved.misere[t, best][:, columns]
        net[:, columns] = table.misere[tricks, 0]
        made[:, columns] = tricks == 0
        taken[:, columns] = tricks
        thrown[1 - side] = away[t, best]
    return Outcome(net, made, taken, np.zeros((2, len(t)), dtype=np.intp), thrown)


def solved_misere_play(
    away: int, tricks: NDArray[np.int8], deals: Deals, table: Payoff
) -> Play:
    """Misère with one discard, for a known talon; `tricks` (m,)."""
    weight = deals.weight[0] / deals.weight.sum()
    shares = np.bincount(tricks, weights=weight, minlength=11).astype(np.float64)
    return Play(away, table.misere[tricks, 0][None], shares)
