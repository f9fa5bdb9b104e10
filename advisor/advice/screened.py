"""Own games whose tricks are known layout by layout, for the discards a screen let through.

What differs is where the tricks come from: the fitted tables give each layout a distribution
(`advisor.advice.fitted`), the solver a number (`advisor.advice.solved`).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bare import bare_outcome
from advisor.advice.declaring import Outcome, OwnGames, Play, halves, mean_net
from advisor.advice.guide_games import GuideGames
from advisor.advice.payoff import DOUBTED, Pattern

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]


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
    """

    away: Masks
    prior: Floats
    guide: GuideGames

    @property
    @abstractmethod
    def pooled(self) -> Floats:
        """Distribution of tricks on each half, the prior included, float64 (2, t, 5, d, 11)."""

    def without_talon(self, hand: int, first: int) -> Outcome:
        """The best game not below `first` on the ten cards dealt, by the fitted tables."""
        return bare_outcome(hand, self.guide, first)

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
            columns, picked = half == side, game[1 - side]
            chances = self.chances(picked, discard[1 - side])
            reaches = np.arange(11) >= picked[:, None] // 5 + 6
            net[:, columns] = self._net(picked, discard[1 - side], chances)[:, columns]
            made[:, columns] = np.einsum("tmk,tk->tm", chances, reaches)[:, columns]
            taken[:, columns] = (chances @ np.arange(11))[:, columns]
        return Outcome(net, made, taken, game,
                       self.away[np.arange(len(self.away)), game % 5, discard])

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
        self, game: NDArray[np.intp], discard: NDArray[np.intp], chances: Floats
    ) -> Floats:
        """Net whists (t, m) of one play a talon."""
        net: Floats = np.einsum("tmk,tmk->tm", chances, self.nets(game, discard))
        return net

    def kept(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Masks:
        """The ten cards of one play a talon, uint32 (t,)."""
        return self.guide.plays.kept[:, 0] ^ self.guide.plays.away[:, 0] ^ self.away[
            np.arange(len(game)), game % 5, discard]

    def doubted(
        self, game: NDArray[np.intp], discard: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Where a play that nobody whists counts as whisted by one, bool (t,)."""
        level = game // 5
        t = np.arange(len(game))
        high = level >= DOUBTED
        if not high.any():
            return high
        weight = self.deals.weight / self.deals.weight.sum(axis=1, keepdims=True)
        whisted = np.einsum("tmk,tk,tm->t", self.chances(game, discard),
                            self.pay[t, level, Pattern.FIRST], weight)
        passed = self.pay[t, level, Pattern.NOBODY, 0]
        dear: NDArray[np.bool_] = high & (whisted < passed)
        return dear
