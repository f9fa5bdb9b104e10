"""Own games whose tricks are known layout by layout, for the discards a screen let through.

What differs is where the tricks come from: the fitted tables give each layout a distribution
(`advisor.advice.fitted`), the solver a number (`advisor.advice.solved`).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bare import bare_outcome
from advisor.advice.declaring import ALL, Columns, Outcome, OwnGames, Play, mean_net
from advisor.advice.folds import each_fold, fold_count, layouts_outside, outside, with_prior
from advisor.advice.guide_games import GuideGames
from advisor.advice.payoff import DOUBTED, Pattern

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]
Tried = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class ScreenedGames(OwnGames):
    """The player's games with tricks by layout.

    Parameters
    ----------
    away : uint32 (t, 5, d)
        Discards tried in each strain, 0 fills up.
    prior : float64 (t, 5, d, 11)
        Distribution of tricks that helps the choice where few layouts speak.
    guide : GuideGames
        The same games by the printed guide.

    Attributes
    ----------
    prior_layouts : float
        Layouts the prior counts for.
    """

    away: Masks
    prior: Floats
    guide: GuideGames
    prior_layouts: ClassVar[float]

    @abstractmethod
    def rows(self, plays: Tried, columns: Columns = ALL) -> Floats:
        """Chances of 0..10 tricks of plays, by talon, strain and place in `away`, (n, m, 11)."""

    def _cells(self, plays: Tried, columns: Columns) -> tuple[NDArray[np.intp], ...]:
        """Index of plays on some layouts into an array (t, 5, d, m)."""
        layouts = np.arange(self.deals.weight.shape[1])[columns]
        talon, strain, place = (axis[:, None] for axis in plays)
        return talon, strain, place, layouts

    @cached_property
    def _trick_sums(self) -> Floats:
        """Weighted chances of tricks added up in each fold, float64 (F, t, 5, d, 11)."""
        weight = self.deals.weight
        talon, strain, place = np.nonzero(self.away)
        sums = np.zeros((fold_count(weight.shape[1]), *self.away.shape, 11))
        for fold, columns in each_fold(weight.shape[1]):
            chances = self.rows((talon, strain, place), columns)
            added: Floats = np.einsum("njk,nj->nk", chances, weight[:, columns][talon])
            sums[fold, talon, strain, place] = added
        return sums

    def pooled(self, fold: int | None = None) -> Floats:
        """Distribution of tricks outside a fold, the prior included, float64 (t, 5, d, 11).

        The prior counts as `prior_layouts` further layouts; where there are no others, it is all.
        """
        size = layouts_outside(self.deals.weight.shape[1], fold)
        sums = outside(self._trick_sums, fold)
        total = sums.sum(axis=-1, keepdims=True)
        here = np.where(total > 0, sums / np.maximum(total, 1e-300), self.prior)
        return with_prior(here, size, self.prior, self.prior_layouts)

    def without_talon(self, hand: int, first: int) -> Outcome:
        """The best game not below `first` on the ten cards dealt, by the fitted tables."""
        return bare_outcome(hand, self.guide, first)

    def expected(self, fold: int | None = None) -> Floats:
        """Mean net whists of each game and discard outside a fold, float64 (25, t, d)."""
        values = mean_net(self.pooled(fold).transpose(1, 0, 3, 2), self.pattern_share(fold),
                          self.pay)
        tried = np.broadcast_to((self.away > 0).transpose(1, 0, 2)[None], (5, 5, *values.shape[1:]))
        return np.where(tried.reshape(values.shape), values, -np.inf)

    def value(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Outcome:
        """Value choices on the folds they are used on: `game`, `discard` (F, t)."""
        net = np.empty(self.deals.weight.shape)
        made, taken = np.empty_like(net), np.empty_like(net)
        for fold, columns in each_fold(self.deals.weight.shape[1], len(game)):
            picked, thrown = game[fold], discard[fold]
            chances = self.chances(picked, thrown, columns)
            reaches = np.arange(11) >= picked[:, None] // 5 + 6
            net[:, columns] = self._net(picked, thrown, chances, columns)
            made[:, columns] = np.einsum("tmk,tk->tm", chances, reaches)
            taken[:, columns] = chances @ np.arange(11)
        return Outcome(net, made, taken, game,
                       self.away[np.arange(len(self.away)), game % 5, discard])

    def chances(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], columns: Columns = ALL
    ) -> Floats:
        """Chances of 0..10 tricks of one play a talon, float64 (t, m, 11)."""
        return self.rows((np.arange(len(game)), game % 5, discard), columns)

    def tried(self, strain: int) -> Masks:
        """The discards the screen let through, uint32 (t, d), 0 for none."""
        return self.away[:, strain]

    def single(self, game: int, discard: int) -> Play:
        """One game with one discard, for a known talon."""
        picked, thrown = np.array([game]), np.array([discard])
        chances = self.chances(picked, thrown)
        weight = self.deals.weight[0] / self.deals.weight.sum()
        return Play(int(self.away[0, game % 5, discard]), self._net(picked, thrown, chances),
                    np.einsum("m,mk->k", weight, chances[0]))

    def _net(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], chances: Floats,
        columns: Columns = ALL,
    ) -> Floats:
        """Net whists (t, m) of one play a talon."""
        net: Floats = np.einsum("tmk,tmk->tm", chances, self.nets(game, discard, columns))
        return net

    def kept(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Masks:
        """The ten cards of one play a talon, uint32 (t,)."""
        return self.guide.plays.kept[:, 0] ^ self.guide.plays.away[:, 0] ^ self.away[
            np.arange(len(game)), game % 5, discard]

    def doubted(
        self, game: NDArray[np.intp], discard: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Where a play that nobody whists counts as whisted by one, bool (t,).

        Where it would be worth less then, on the layouts on which nobody whists: those are better
        than others.
        """
        level = game // 5
        dear = level >= DOUBTED
        t = np.flatnonzero(dear)
        if not len(t):
            return dear
        weight = self.deals.weight[t] * (self.pattern[game[t], t] == Pattern.NOBODY)
        pays = self.pay[t, level[t]]
        gain = pays[:, Pattern.FIRST] - pays[:, Pattern.NOBODY]
        dear[t] = np.einsum("tmk,tk,tm->t", self.rows((t, game[t] % 5, discard[t])), gain,
                            weight) < 0
        return dear
