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

from advisor.advice.declaring import (
    GuideGames,
    Outcome,
    OwnGames,
    Play,
    halves,
    mean_net,
    unwhisted,
)
from advisor.advice.payoff import DOUBTED, Pattern, Payoff
from advisor.advice.solving import Solved
from advisor.sampling.deals import Deals
from advisor.tricks.estimate import strain_means, trick_distribution
from advisor.tricks.holes import misere_distribution
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

GUIDE_LAYOUTS = 3.0

__all__ = ["GUIDE_LAYOUTS", "Solved", "SolvedGames", "solved_games", "solved_misere",
           "solved_misere_play"]


@dataclass(frozen=True)
class SolvedGames(OwnGames):
    """Own games with solved tricks.

    Parameters
    ----------
    away : uint32 (t, 5, d)
        Discards tried in each strain, 0 fills up.
    tricks : int8 (t, 5, d, m)
        Tricks of each layout with them.
    guide : GuideGames
        The same games by the guide.
    prior : float64 (t, 5, d, 11)
        The guide's distribution of tricks for the discards tried.
    """

    away: Masks
    tricks: NDArray[np.int8]
    guide: GuideGames
    prior: Floats

    def without_talon(self, hand: int, first: int) -> Outcome:
        """Without the talon; this rare call is valued by the guide."""
        return self.guide.without_talon(hand, first)

    @cached_property
    def pooled(self) -> Floats:
        """Distribution of tricks on each half, guide included, float64 (2, t, 5, d, 11)."""
        weight = self.deals.weight
        half = halves(weight.shape[1])
        return np.stack([_distribution(self.tricks, np.where(half == side, weight, 0.0), self.prior)
                         for side in (0, 1)])

    def expected_by_half(self) -> Floats:
        """Mean net whists of each game and discard on each half, float64 (2, 25, t, d)."""
        values = np.stack([
            mean_net(self.pooled[side].transpose(0, 2, 1, 3), self.pattern_share[side], self.pay)
            for side in (0, 1)])
        tried = np.broadcast_to((self.away > 0).transpose(1, 0, 2)[None], (5, 5, *values.shape[2:]))
        return np.where(tried.reshape(values.shape[1:]), values, -np.inf)

    def value(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Outcome:
        """Value the choice of each half on the other: `game`, `discard` (2, t)."""
        half = halves(self.deals.weight.shape[1])
        net = np.empty(self.deals.weight.shape)
        made, taken = np.empty_like(net), np.empty_like(net)
        for side in (0, 1):
            columns = half == side
            got, tricks = self._by_layout(game[1 - side], discard[1 - side])
            net[:, columns] = got[:, columns]
            made[:, columns] = (tricks >= game[1 - side][:, None] // 5 + 6)[:, columns]
            taken[:, columns] = tricks[:, columns]
        return Outcome(net, made, taken, game,
                       self.away[np.arange(len(self.away)), game % 5, discard])

    def single(self, game: int, discard: int) -> Play:
        """One game with one discard, for a known talon."""
        net, tricks = self._by_layout(np.array([game]), np.array([discard]))
        weight = self.deals.weight[0] / self.deals.weight.sum()
        return Play(int(self.away[0, game % 5, discard]), net, _shares(tricks[0], weight))

    def _by_layout(
        self, game: NDArray[np.intp], discard: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.int8]]:
        """Net whists and tricks (t, m) of one play a talon."""
        t = np.arange(len(game))
        level, strain = np.divmod(game, 5)
        tricks = self.tricks[t, strain, discard]
        pattern = self.pattern[game, t]
        table = self.pay[t, level]
        net: Floats = table[t[:, None], pattern, tricks]
        weight = self.deals.weight / self.deals.weight.sum(axis=1, keepdims=True)
        whisted = np.sum(weight * table[t[:, None], Pattern.FIRST, tricks], axis=1)
        passed = table[:, Pattern.NOBODY, 0]
        doubted = (level >= DOUBTED) & (unwhisted(passed, whisted) < passed)
        return np.where(doubted[:, None] & (pattern == Pattern.NOBODY),
                        table[t[:, None], Pattern.FIRST, tricks], net), tricks


def _distribution(tricks: NDArray[np.int8], weight: Floats, prior: Floats) -> Floats:
    """Share of each number of tricks under a weight (t, m), the prior as so many layouts."""
    layouts = np.count_nonzero(weight, axis=1)
    weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    shares = np.stack([np.einsum("tsdj,tj->tsd", tricks == k, weight) for k in range(11)], axis=-1)
    size = layouts[:, None, None, None]
    pooled: Floats = (size * shares + GUIDE_LAYOUTS * prior) / (size + GUIDE_LAYOUTS)
    return pooled


def solved_games(hand: int, guide: OwnGames, solved: Solved) -> SolvedGames:
    """The player's games with solved tricks, beside the same by the guide."""
    assert isinstance(guide, GuideGames)
    on_lead = guide.deals.seat == 0
    kept = (np.uint32(hand) | guide.deals.talon)[:, None, None] ^ solved.away
    prior = np.empty((*solved.away.shape, 11))
    for strain in range(5):
        cards, away = kept[:, strain], solved.away[:, strain]
        certain = np.stack([sure_tricks(cards, away, s, on_lead) for s in range(5)], axis=-1)
        certain = np.minimum(certain, 10)  # twelve cards where nothing was tried
        prior[:, strain] = trick_distribution(strain_means(cards, on_lead), certain)[..., strain, :]
    return SolvedGames(guide.deals, guide.pattern, guide.pay, solved.away, solved.own, guide, prior)


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
    return Play(away, table.misere[tricks, 0][None], _shares(tricks, weight))


def _shares(tricks: NDArray[np.int8], weight: Floats) -> Floats:
    shares: Floats = np.bincount(tricks, weights=weight, minlength=11).astype(np.float64)
    return shares
