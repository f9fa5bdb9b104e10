"""What the player's own games are worth, deal by deal, with the talon taken.

For every talon, the contract and discard are chosen knowing twelve cards and valued over the hidden
hands. The best of several noisy means is not taken at its face, nor is what it costs to choose on
few layouts told as the player's (`advisor.advice.folds`).

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

from advisor.advice.folds import (
    each_use,
    fold_count,
    folds,
    layouts_outside,
    outside,
    sums_by_fold,
    with_prior,
)
from advisor.advice.payoff import DOUBTED, PATTERNS, UNPLAYED, Pattern
from advisor.advice.statistics import Score
from advisor.cards import cards_of
from advisor.rules.contracts import LEVELS, Contract
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]
Mask = NDArray[np.bool_]
Columns = Mask | slice
Choice = tuple[NDArray[np.intp], NDArray[np.intp]]

ALL = slice(None)
POOLED = 20
UNSURE = 1e-3
ALIKE = 25  # talons, or so, that lend each other their replies
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


@dataclass(frozen=True, slots=True)
class Use:
    """One play a talon, and where it is used.

    Parameters
    ----------
    columns : bool (m,)
        Layouts.
    game, discard : intp (t,)
    part : float
        For how much of these layouts it counts.
    """

    columns: Mask
    game: NDArray[np.intp]
    discard: NDArray[np.intp]
    part: float


@dataclass(frozen=True)
class OwnGames(ABC):
    """The 25 games as the player himself would declare them; evaluators differ in the tricks.

    Parameters
    ----------
    deals : Deals
    pattern : uint8 (25, t, m)
        The defenders' replies to each contract.
    told : float64 (25, t)
        Tricks that a talon tells them to expect more of each contract.
    pay : float64 (t, 5, 8, 11)
        Declarer's net whists by talon, level, pattern, tricks.
    """

    deals: Deals
    pattern: NDArray[np.uint8]
    told: Floats
    pay: Floats

    @cached_property
    def _pattern_sums(self) -> Floats:
        """Sum of weights by reply pattern in each fold, float64 (F, 25, t, 8)."""
        weight = self.deals.weight
        t, m = weight.shape
        count = fold_count(m)
        cell = (folds(m) * t + np.arange(t)[:, None]) * PATTERNS
        sums = [np.bincount((cell + pattern).ravel(), weight.ravel(), count * t * PATTERNS)
                for pattern in self.pattern]
        return np.stack([one.reshape(count, t, PATTERNS) for one in sums], axis=1)

    @cached_property
    def _alike(self) -> Floats:
        """Groups of talons that tell the defenders about as much of a game, 0 or 1, (25, G, t)."""
        groups = max(1, self.told.shape[1] // ALIKE)
        edges = np.quantile(self.told, np.arange(1, groups) / groups, axis=1)
        group = (self.told > edges[..., None]).sum(axis=0)
        alike: Floats = (group[:, None] == np.arange(groups)[:, None]).astype(np.float64)
        return alike

    def pattern_share(self, fold: int | None = None) -> Floats:
        """Share of each reply pattern outside a fold, float64 (25, t, 8); None leaves none out.

        A few layouts under one talon say little, so the share over all talons that tell the
        defenders about as much counts as `POOLED` further layouts. Where there is one fold, that of
        all layouts is all there is.
        """
        sums = self._pattern_sums
        left = outside(sums, fold)
        size = layouts_outside(self.deals.weight.shape[1], fold)
        grouped = _shares(self._alike @ (left if size else outside(sums, None)))
        prior = self._alike.transpose(0, 2, 1) @ grouped
        here = np.where(left.sum(axis=-1, keepdims=True) > 0, _shares(left), prior)
        return with_prior(here, size, prior, POOLED)

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
    def expected(self, fold: int | None = None) -> Floats:
        """Mean net whists of each game and discard outside a fold, float64 (25, t, d).

        None leaves none out.
        """

    @abstractmethod
    def value(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Outcome:
        """Value choices on the folds they are used on: `game`, `discard` (F, t)."""

    @abstractmethod
    def chances(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], columns: Columns = ALL
    ) -> Floats:
        """Chances of 0..10 tricks of one play a talon, float64 (t, m, 11).

        With `columns`, bool (m,), on these layouts alone, as in all that follows.
        """

    @abstractmethod
    def doubted(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Where a play that nobody whists counts as whisted by one, bool (t,)."""

    @abstractmethod
    def kept(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Masks:
        """The ten cards of one play a talon, uint32 (t,)."""

    def replies(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], columns: Columns = ALL
    ) -> NDArray[np.intp]:
        """The `Pattern` that one play a talon counts for, intp (t, m)."""
        pattern = self.pattern[game, np.arange(len(game))][:, columns].astype(np.intp)
        passed_out = self.doubted(game, discard)[:, None] & (pattern == Pattern.NOBODY)
        return np.where(passed_out, Pattern.FIRST, pattern)

    def nets(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], columns: Columns = ALL
    ) -> Floats:
        """Net whists of 0..10 tricks of one play a talon, replies given, float64 (t, m, 11)."""
        t = np.arange(len(game))[:, None]
        return self.pay[t, (game // 5)[:, None], self.replies(game, discard, columns)]

    @cached_property
    def best(self) -> tuple[NDArray[np.intp], Floats]:
        """To be used on each fold: the best discard of each game outside it, and its mean.

        Returns
        -------
        discard : intp (F, 25, t)
        value : float64 (F, 25, t)
        """
        values = [self.expected(fold) for fold in range(fold_count(self.deals.weight.shape[1]))]
        return (np.stack([one.argmax(axis=-1) for one in values]),
                np.stack([one.max(axis=-1) for one in values]))

    @cached_property
    def best_together(self) -> tuple[NDArray[np.intp], Floats]:
        """As `best` on all layouts: discard intp (1, 25, t), value float64 (1, 25, t)."""
        values = self.expected()[None]
        return values.argmax(axis=-1), values.max(axis=-1)

    def chosen_apart(self, first: int) -> Choice:
        """The game from `first` and its best discard, to be used on each fold, intp (F, t) each."""
        return _best_from(self.best, first)

    def chosen_together(self, first: int) -> Choice:
        """The same on all layouts, intp (1, t) each."""
        return _best_from(self.best_together, first)

    def played_from(self, first: int) -> Iterator[Use]:
        """All uses of what is chosen apart and together, each for half of its layouts."""
        choices = zip(self.chosen_apart(first), self.chosen_together(first), strict=True)
        game, discard = (np.concatenate(pair) for pair in choices)
        for row, columns, part in each_use(self.deals.weight.shape[1], len(game), True):
            yield Use(columns, game[row], discard[row], part)

    def apart(self, first: int) -> Outcome:
        """The game bought at `first`, chosen on other layouts than it is valued on."""
        return self.value(*self.chosen_apart(first))

    def together(self, first: int) -> Outcome:
        """The same chosen on all layouts and valued on all."""
        return self.value(*self.chosen_together(first))

    def outcome(self, first: int) -> Outcome:
        """The game bought at `first`, half-way between the two."""
        return halfway(self.apart(first), self.together(first))


def _best_from(best: tuple[NDArray[np.intp], Floats], first: int) -> Choice:
    game: NDArray[np.intp] = first + best[1][:, first:].argmax(axis=1)
    return game, np.take_along_axis(best[0], game[:, None], axis=1)[:, 0]


def _shares(sums: Floats) -> Floats:
    """Sums (..., 8) as shares of their total; none of nothing."""
    shares: Floats = sums / np.maximum(sums.sum(axis=-1, keepdims=True), 1e-300)
    return shares


def mean_net(tricks: Floats, share: Floats, pay: Floats) -> Floats:
    """Mean net whists of every discard in every game, replies and tricks taken as independent.

    Games that nobody plays out count, for a share `UNSURE`, as whisted by the first defender: where
    nobody is expected to whist all discards are worth the same, and yet one would throw as if
    somebody did. By these means plays are chosen; what is told of them is valued without.

    Parameters
    ----------
    tricks : float64 (5, t, 11, d)
        Chances of each number of tricks, quickest where contiguous.
    share : float64 (25, t, 8)
        Of each reply pattern.
    pay : float64 (t, 5, 8, 11)

    Returns
    -------
    float64 (25, t, d)
    """
    _, t, _, d = tricks.shape
    unplayed = UNSURE * share[..., UNPLAYED]
    share = share.copy()
    share[..., UNPLAYED] -= unplayed
    share[..., Pattern.FIRST] += unplayed.sum(axis=-1)
    share = share.reshape(5, 5, t, PATTERNS)
    passed_out = share[DOUBTED:, ..., Pattern.NOBODY].copy()
    share[DOUBTED:, ..., Pattern.NOBODY] = 0
    value = np.ascontiguousarray(np.einsum("lstp,tlpk->stlk", share, pay, optimize=True))
    means = np.empty((5, 5, t, d))
    np.matmul(value, tricks, out=means.transpose(1, 2, 0, 3))
    nobody, one = (np.matmul(pay[:, DOUBTED:, pattern], tricks)
                   for pattern in (Pattern.NOBODY, Pattern.FIRST))
    means[DOUBTED:] += passed_out[..., None] * unwhisted(nobody, one).transpose(2, 0, 1, 3)
    return means.reshape(25, t, d)


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
    game : intp (F, t)
        Index into `GAMES` of the contract declared, by the fold it is used on; F is 1 where one
        choice serves all layouts.
    away : uint32 (F, t)
        The discard, by the fold it is used on; 0 without the talon.
    halfway : bool
        Whether the last row is a choice used on all layouts, every use counting half.
    """

    net: Floats
    made: Floats
    tricks: Floats
    game: NDArray[np.intp]
    away: Masks
    halfway: bool = False

    def share(self, weight: Floats) -> Floats:
        """Sum of weights (t, m) by the use of a choice, float64 (F, t)."""
        by_fold = sums_by_fold(weight, len(self.game) - self.halfway)
        if not self.halfway:
            return by_fold
        return np.concatenate([by_fold, weight.sum(axis=1)[None]]) / 2


def halfway(apart: Outcome, together: Outcome) -> Outcome:
    """Half-way between what is chosen on other layouts and what is chosen on the same."""
    return Outcome((apart.net + together.net) / 2, (apart.made + together.made) / 2,
                   (apart.tricks + together.tricks) / 2,
                   np.concatenate([apart.game, together.game]),
                   np.concatenate([apart.away, together.away]), halfway=True)
