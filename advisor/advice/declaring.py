"""What the player's own games are worth, deal by deal, with the talon taken.

For every talon, the contract and discard are chosen knowing twelve cards and valued over the hidden
hands. The choice is made on one half of the layouts and valued on the other, and the halves
exchanged, so that the best of several noisy means is not taken at its face.

Few nines and tens are named without the cards for them, so few are whisted
(`advisor.advice.replies`); a declarer must not live on that, or he would name ten with any hand. So
from nine up an unwhisted game counts at the lower of two values: as passed out, and as whisted by
one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from advisor.advice.payoff import DOUBTED, PATTERNS, Pattern
from advisor.advice.statistics import Score
from advisor.cards import cards_of
from advisor.rules.contracts import LEVELS, Contract
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

POOLED = 20
GAMES = tuple(Contract.game(level, strain) for level in LEVELS for strain in range(5))


def discards(cards: int) -> Masks:
    """The 66 pairs out of twelve cards, uint32 (66,)."""
    return np.array([1 << a | 1 << b for a, b in combinations(cards_of(cards), 2)],
                    dtype=np.uint32)


def twelve_cards(hand: int, talons: Masks) -> tuple[Masks, Masks]:
    """Every discard under every talon: kept cards and discards, uint32 (t, 66)."""
    if hand.bit_count() == 12:
        away = discards(hand)[None, :]
        return np.uint32(hand) ^ away, away
    own = np.array([1 << card for card in cards_of(hand)], dtype=np.uint32)
    low = talons & (~talons + np.uint32(1))
    cards = np.concatenate(
        [np.broadcast_to(own, (len(talons), len(own))), low[:, None], (talons ^ low)[:, None]],
        axis=1)
    one, two = np.triu_indices(cards.shape[1], 1)
    away = cards[:, one] | cards[:, two]
    return (np.uint32(hand) | talons)[:, None] ^ away, away


@dataclass(frozen=True, slots=True)
class Play:
    """One game with one discard.

    Parameters
    ----------
    away : int
        Mask of the discard.
    net : float64 (1, m)
        The declarer's net whists on every layout.
    tricks : float64 (11,)
        Probability of each number of tricks.
    solved : Play, optional
        The same play on the first layouts with solved tricks.
    """

    away: int
    net: Floats
    tricks: Floats
    solved: Play | None = None

    def score(self, deals: Deals) -> Score:
        """The declarer's score on his deals, corrected by the solved ones."""
        if self.solved is None:
            return Score(self.net, deals)
        return Score(self.net, deals, self.solved.net - self.net[:, : self.solved.net.shape[1]])


@dataclass(frozen=True)
class OwnGames(ABC):
    """The 25 games as the player himself would declare them; evaluators differ in the tricks.

    Parameters
    ----------
    deals : Deals
    pattern : uint8 (25, t, m)
        The defenders' replies to each contract.
    pay : float64 (t, 5, 8, 11)
        Declarer's net whists by talon, level, pattern, tricks.
    """

    deals: Deals
    pattern: NDArray[np.uint8]
    pay: Floats

    @cached_property
    def pattern_share(self) -> Floats:
        """Share of each reply pattern, float64 (2 halves, 25, t, 8).

        A few layouts under one talon say little, so the share over all talons counts as `POOLED`
        further layouts.
        """
        weight = self.deals.weight
        half = halves(weight.shape[1])
        shares = np.empty((2, 25, len(weight), PATTERNS))
        for side in (0, 1):
            w = np.where(half == side, weight, 0.0)
            w = w / np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
            for p in range(PATTERNS):
                shares[side, :, :, p] = np.einsum("ctj,tj->ct", self.pattern == p, w)
            own = np.count_nonzero(half == side)
            everywhere = np.average(shares[side], axis=1, weights=weight.sum(axis=1))
            shares[side] += (everywhere[:, None] - shares[side]) * POOLED / (own + POOLED)
        return shares

    @abstractmethod
    def without_talon(self, hand: int, first: int) -> Outcome:
        """The best game not below `first` on the ten cards dealt, nothing thrown."""

    @abstractmethod
    def tried(self, strain: int) -> Masks:
        """The discards looked at in a strain under each talon, uint32 (t, d), 0 for none."""

    @abstractmethod
    def single(self, game: int, discard: int) -> Play:
        """One game with one discard, for a known talon."""

    @abstractmethod
    def expected_by_half(self) -> Floats:
        """Mean net whists of each game and discard on each half, float64 (2, 25, t, d)."""

    @abstractmethod
    def value(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Outcome:
        """Value the choice of each half on the other: `game`, `discard` (2, t)."""

    @abstractmethod
    def chances(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Floats:
        """Chances of 0..10 tricks of one play a talon, float64 (t, m, 11)."""

    @abstractmethod
    def doubted(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Where a play that nobody whists counts as whisted by one, bool (t,)."""

    @abstractmethod
    def kept(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Masks:
        """The ten cards of one play a talon, uint32 (t,)."""

    def replies(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> NDArray[np.intp]:
        """The `Pattern` that one play a talon counts for, intp (t, m)."""
        pattern = self.pattern[game, np.arange(len(game))].astype(np.intp)
        passed_out = self.doubted(game, discard)[:, None] & (pattern == Pattern.NOBODY)
        return np.where(passed_out, Pattern.FIRST, pattern)

    def nets(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Floats:
        """Net whists of 0..10 tricks of one play a talon, replies given, float64 (t, m, 11)."""
        t = np.arange(len(game))[:, None]
        return self.pay[t, (game // 5)[:, None], self.replies(game, discard)]

    @cached_property
    def best(self) -> tuple[NDArray[np.intp], Floats]:
        """On each half of the layouts: the best discard of each game and its mean.

        Returns
        -------
        discard : intp (2, 25, t)
        value : float64 (2, 25, t)
        """
        values = self.expected_by_half()
        return values.argmax(axis=-1), values.max(axis=-1)

    def chosen(self, first: int) -> NDArray[np.intp]:
        """The best game not below ladder position `first`, chosen on each half, intp (2, t)."""
        game: NDArray[np.intp] = first + self.best[1][:, first:].argmax(axis=1)
        return game

    def _play_from(self, first: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """That game and its best discard, chosen on each half, intp (2, t) each."""
        game = self.chosen(first)
        return game, np.take_along_axis(self.best[0], game[:, None], axis=1)[:, 0]

    def played_from(
        self, first: int
    ) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]]:
        """On which layouts (m,) which game and discard (t,) are played: each half's other's."""
        half = halves(self.deals.weight.shape[1])
        game, discard = self._play_from(first)
        for side in (0, 1):
            yield half == side, game[1 - side], discard[1 - side]

    def outcome(self, first: int) -> Outcome:
        """The game bought at `first`: declared on one half's evidence, valued on the other."""
        return self.value(*self._play_from(first))


def mean_net(tricks: Floats, share: Floats, pay: Floats) -> Floats:
    """Mean net whists of every discard in every game, replies and tricks taken as independent.

    Parameters
    ----------
    tricks : float64 (t, d, 5, 11)
    share : float64 (25, t, 8)
        Of each reply pattern.
    pay : float64 (t, 5, 8, 11)

    Returns
    -------
    float64 (25, t, d)
    """
    t = len(pay)
    share = share.reshape(5, 5, t, PATTERNS).copy()
    passed_out = share[DOUBTED:, ..., Pattern.NOBODY].copy()
    share[DOUBTED:, ..., Pattern.NOBODY] = 0
    value = np.einsum("lstp,tlpk->lstk", share, pay, optimize=True)
    by_strain = tricks.transpose(2, 0, 1, 3)
    got = np.matmul(by_strain[None], value[..., None])[..., 0]
    for row, share_out in enumerate(passed_out, DOUBTED):
        got[row] += share_out[..., None] * unwhisted(
            by_strain @ pay[:, row, Pattern.NOBODY, :, None],
            by_strain @ pay[:, row, Pattern.FIRST, :, None])[..., 0]
    means: Floats = np.ascontiguousarray(got).reshape(25, t, -1)
    return means


def unwhisted(passed: Floats, whisted: Floats) -> Floats:
    """What a game that nobody whists counts for, from `DOUBTED` up."""
    return np.minimum(passed, whisted)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Declaring, deal by deal.

    Parameters
    ----------
    net : float64 (t, m)
        The player's net whists.
    made : float64 (t, m)
        Chance that the contract is made.
    tricks : float64 (t, m)
        Expected tricks.
    game : intp (2, t)
        Index into `GAMES` of the contract declared, by the half it was chosen on.
    away : uint32 (2, t)
        The discard, by the half it was chosen on; 0 without the talon.
    """

    net: Floats
    made: Floats
    tricks: Floats
    game: NDArray[np.intp]
    away: Masks

    def share(self, weight: Floats) -> Floats:
        """Sum of weights (t, m) by the half a choice was made on, float64 (2, t)."""
        valued = halves(weight.shape[1])
        return np.stack([weight[:, valued != side].sum(axis=1) for side in (0, 1)])


def halves(m: int) -> NDArray[np.intp]:
    """Which half each layout belongs to: whole mirrored pairs in turn, where there are two."""
    index = np.arange(m)
    return (index // 2 if m >= 4 else index) % 2
