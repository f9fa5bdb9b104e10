"""Scores from fitted tables: the tricks of each sampled layout as a distribution.

The coarse table of holdings screens the player's plays; those worth it are looked up layout by
layout. While choosing under one talon, the coarse table's distribution counts as `COARSE_LAYOUTS`
further layouts; what is chosen is then valued on the other half of the layouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import (
    GuideGames,
    Outcome,
    OwnGames,
    Play,
    Plays,
    halves,
    mean_net,
    twelve_cards,
    unwhisted,
)
from advisor.advice.opponents import throw_two
from advisor.advice.payoff import DOUBTED, Pattern
from advisor.sampling.deals import Deals
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.holdings import coarse_distribution, holding_means
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

COARSE_LAYOUTS = 3.0


def coarse_plays(hand: int, talons: Masks, on_lead: bool) -> Plays:
    """Trick distributions by the coarse table; they do not depend on the hidden hands."""
    kept, away = twelve_cards(hand, talons)
    certain = np.stack([sure_tricks(kept, away, s, on_lead) for s in range(5)], axis=-1)
    return Plays(kept, away, coarse_distribution(holding_means(kept, on_lead), certain))


def coarse_games(hand: int, guide: GuideGames) -> GuideGames:
    """The same games with tricks by the coarse table instead of the printed guide."""
    return replace(guide, plays=coarse_plays(hand, guide.deals.talon, guide.deals.seat == 0))


@dataclass(frozen=True)
class FittedGames(OwnGames):
    """Own games with a distribution of tricks for each layout.

    Parameters
    ----------
    away : uint32 (t, 5, d)
        Discards tried in each strain, 0 fills up.
    cells : intp (t, 5, d, m)
        Row of `advisor.tricks.fitted.distributions` for each layout with them.
    prior : float64 (t, 5, d, 11)
        The coarse table's distribution of tricks for the discards tried.
    guide : GuideGames
        The same games by the printed guide.
    """

    away: Masks
    cells: NDArray[np.intp]
    prior: Floats
    guide: GuideGames

    def without_talon(self, hand: int, first: int) -> Outcome:
        """Without the talon; this rare call is valued by the guide."""
        return self.guide.without_talon(hand, first)

    @cached_property
    def pooled(self) -> Floats:
        """Distribution of tricks on each half, coarse table included, float64 (2, t, 5, d, 11)."""
        weight = self.deals.weight
        half = halves(weight.shape[1])
        out = np.empty((2, *self.away.shape, 11))
        for side in (0, 1):
            columns = np.flatnonzero(half == side)
            w = weight[:, columns]
            w = w / np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
            size = len(columns)
            for row in range(len(self.away)):
                chances = distributions()[self.cells[row][..., columns]]
                mean = np.einsum("sdjk,j->sdk", chances, w[row])
                out[side, row] = (size * mean + COARSE_LAYOUTS * self.prior[row]) / (
                    size + COARSE_LAYOUTS)
        return out

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
            got, chances = self._by_layout(game[1 - side], discard[1 - side])
            reaches = np.arange(11) >= game[1 - side][:, None] // 5 + 6
            net[:, columns] = got[:, columns]
            made[:, columns] = np.einsum("tmk,tk->tm", chances, reaches)[:, columns]
            taken[:, columns] = (chances @ np.arange(11))[:, columns]
        return Outcome(net, made, taken, game,
                       self.away[np.arange(len(self.away)), game % 5, discard])

    def single(self, game: int, discard: int) -> Play:
        """One game with one discard, for a known talon."""
        net, chances = self._by_layout(np.array([game]), np.array([discard]))
        weight = self.deals.weight[0] / self.deals.weight.sum()
        return Play(int(self.away[0, game % 5, discard]), net, weight @ chances[0])

    def _by_layout(
        self, game: NDArray[np.intp], discard: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Net whists (t, m) and chances of 0..10 tricks (t, m, 11) of one play a talon."""
        t = np.arange(len(game))
        level, strain = np.divmod(game, 5)
        chances = distributions()[self.cells[t, strain, discard]]
        table = np.einsum("tmk,tpk->tmp", chances, self.pay[t, level])
        pattern = self.pattern[game, t]
        net = np.take_along_axis(table, pattern[..., None].astype(np.intp), axis=-1)[..., 0]
        weight = self.deals.weight / self.deals.weight.sum(axis=1, keepdims=True)
        whisted = table[..., Pattern.FIRST]
        passed = self.pay[t, level, Pattern.NOBODY, 0]
        doubted = (level >= DOUBTED) & (
            unwhisted(passed, np.sum(weight * whisted, axis=1)) < passed)
        return np.where(doubted[:, None] & (pattern == Pattern.NOBODY), whisted, net), chances


def fitted_games(hand: int, guide: GuideGames, away: Masks) -> FittedGames:
    """The player's games by the fitted tables, for the discards `away` (t, 5, d) worth it."""
    deals = guide.deals
    on_lead = deals.seat == 0
    hidden = deals.hands[:, :, list(deals.hidden)]
    cards = np.uint32(hand) | deals.talon
    cells = np.zeros((*away.shape, deals.weight.shape[1]), dtype=np.intp)
    prior = np.zeros((*away.shape, 11))
    for strain in range(5):
        talon, place = np.nonzero(away[:, strain])
        gone = away[talon, strain, place]
        kept = cards[talon] ^ gone
        certain = np.asarray(sure_tricks(kept, gone, strain, on_lead), dtype=np.int64)
        cells[talon, strain, place] = _cells(kept, hidden[talon], strain, -deals.seat % 3, certain)
        means = holding_means(kept, on_lead)
        sure = np.broadcast_to(certain[:, None], means.shape)
        prior[talon, strain, place] = coarse_distribution(means, sure)[:, strain]
    return FittedGames(deals, guide.pattern, guide.pay, away, cells, prior, guide)


def _cells(
    kept: Masks, hidden: Masks, strain: int, lead: int, certain: NDArray[np.int64]
) -> NDArray[np.intp]:
    """Cells (k, m) of kept cards (k,) against hidden hands (k, m, 2)."""
    shape = hidden.shape[:2]
    rows = np.empty((*shape, 3), dtype=np.uint32)
    rows[..., 0] = kept[:, None]
    rows[..., 1:] = hidden
    n = shape[0] * shape[1]
    return tables().cells(rows.reshape(-1, 3), np.full(n, strain), np.full(n, lead),
                          np.repeat(certain, shape[1])).reshape(shape)


def opponent_chances(deals: Deals, declarer: int) -> Floats:
    """Chances of 0..10 tricks when an opponent plays his best suit, float64 (t, m, 11)."""
    shape = deals.weight.shape
    hands = deals.hands.reshape(-1, 3)
    talon = np.repeat(deals.talon, shape[1])
    kept, strain = throw_two(hands[:, declarer] | talon)
    rows = np.stack([kept, hands[:, (declarer + 1) % 3], hands[:, (declarer + 2) % 3]], axis=1)
    cells = tables().cells(rows, strain, np.full(len(rows), -declarer % 3))
    chances: Floats = distributions()[cells].reshape(*shape, 11)
    return chances
