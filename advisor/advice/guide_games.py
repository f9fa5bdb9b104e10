"""The player's own games with tricks by the printed guide, which sees his cards alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import (
    ALL,
    Columns,
    Outcome,
    OwnGames,
    Play,
    discards,
    mean_net,
    twelve_cards,
    unwhisted,
)
from advisor.advice.folds import each_fold
from advisor.advice.payoff import DOUBTED, PATTERNS, Pattern, Payoff, paid_units, talon_chances
from advisor.advice.replies import outlooks, reply_pattern, told_by
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.sampling.deals import Deals
from advisor.tricks.estimate import strain_means, suit_bytes, trick_distribution
from advisor.tricks.holes import misere_distribution
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

TIE_BREAK = 1e-7


@dataclass(frozen=True, slots=True)
class Plays:
    """Every discard in every strain: the tricks it may take.

    Parameters
    ----------
    kept, away : uint32 (t, 66)
    tricks : float64 (t, 66, 5, 11)
        Probability of each number of tricks.
    """

    kept: Masks
    away: Masks
    tricks: Floats


def guide_plays(hand: int, talons: Masks, on_lead: bool) -> Plays:
    """Trick distributions by the guide; they do not depend on the hidden hands."""
    kept, away = twelve_cards(hand, talons)
    means = strain_means(kept, on_lead)
    certain = np.stack([sure_tricks(kept, away, s, on_lead) for s in range(5)], axis=-1)
    return Plays(kept, away, trick_distribution(means, certain))


@dataclass(frozen=True)
class GuideGames(OwnGames):
    """Own games with tricks by the guide: a distribution that does not see the hidden hands.

    Parameters
    ----------
    plays : Plays
    unpaid : float64 (5, 8, 11)
        Declarer's net whists where no talon is taken.
    convention : Convention
    """

    plays: Plays
    unpaid: Floats
    convention: Convention

    @cached_property
    def unshown(self) -> NDArray[np.uint8]:
        """As `pattern` where the talon is left and nobody sees it."""
        return reply_patterns(self.deals, self.convention, np.zeros((1, 1), dtype=np.uint32))

    def by_pattern(self, tricks: Floats, level: NDArray[np.intp], pay: Floats) -> Floats:
        """Mean net whists under each reply pattern, float64 (t, 8), for one play a talon."""
        table: Floats = np.einsum("tk,tpk->tp", tricks, pay[np.arange(len(level)), level])
        high = level >= DOUBTED
        table[high, Pattern.NOBODY] = unwhisted(
            table[high, Pattern.NOBODY], table[high, Pattern.FIRST])
        return table

    def expected(self, fold: int | None = None) -> Floats:
        """Mean net whists of each game and discard outside a fold, float64 (25, t, 66).

        Between discards of equal worth higher and guarded cards are kept, by too little to show.
        """
        values = mean_net(self._by_strain, self.pattern_share(fold), self.pay)
        values += self._nicety
        return values

    @cached_property
    def _by_strain(self) -> Floats:
        """The plays' tricks, float64 (5, t, 11, 66)."""
        return np.ascontiguousarray(self.plays.tricks.transpose(2, 0, 3, 1))

    @cached_property
    def _nicety(self) -> Floats:
        """What settles ties, float64 (t, 66)."""
        return TIE_BREAK * _pips(self.plays.kept)

    def chances(
        self, game: NDArray[np.intp], discard: NDArray[np.intp], columns: Columns = ALL
    ) -> Floats:
        """Chances of 0..10 tricks of one play a talon, the same on every layout, (t, m, 11)."""
        tricks = self.plays.tricks[np.arange(len(game)), discard, game % 5]
        layouts = np.arange(self.deals.weight.shape[1])[columns]
        return np.broadcast_to(tricks[:, None], (len(game), len(layouts), 11))

    def doubted(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Where a play that nobody whists counts as whisted by one, bool (t,)."""
        t, level = np.arange(len(game)), game // 5
        tricks = self.plays.tricks[t, discard, game % 5]
        passed, whisted = (np.sum(tricks * self.pay[t, level, p], axis=1)
                           for p in (Pattern.NOBODY, Pattern.FIRST))
        dear: NDArray[np.bool_] = (level >= DOUBTED) & (whisted < passed)
        return dear

    def kept(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Masks:
        """The ten cards of one play a talon, uint32 (t,)."""
        return self.plays.kept[np.arange(len(game)), discard]

    def tried(self, strain: int) -> Masks:
        """All discards, whatever the strain."""
        return self.plays.away

    def single(self, game: int, discard: int) -> Play:
        """One game with one discard, for a known talon."""
        tricks = self.plays.tricks[:, discard, game % 5]
        table = self.by_pattern(tricks, np.array([game // 5]), self.pay)
        return Play(int(self.plays.away[0, discard]), table[0][self.pattern[game]], tricks[0])

    def value(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Outcome:
        """Value choices on the folds they are used on: `game`, `discard` (F, t)."""
        t = np.arange(len(self.pay))
        return self._spread(game, self.plays.tricks[t, discard, game % 5], self.pay,
                            self.plays.away[t, discard], self.pattern)

    def without_talon(self, hand: int, first: int) -> Outcome:
        """The best game not below `first` on the ten cards dealt, nothing thrown."""
        kept = np.array([hand], dtype=np.uint32)
        on_lead = self.deals.seat == 0
        certain = np.array([[sure_tricks(kept, 0, s, on_lead)[0] for s in range(5)]])
        tricks = trick_distribution(strain_means(kept, on_lead), certain)[0]
        t = len(self.pay)
        game = np.full((1, t), self.bare_game(tricks, first))
        return self._spread(game, tricks[game % 5],
                            np.broadcast_to(self.unpaid, (t, *self.unpaid.shape)),
                            np.zeros((1, t), dtype=np.uint32), self.unshown)

    def bare_game(self, tricks: Floats, first: int) -> int:
        """The best game not below `first` where the talon is left, by chances of tricks (5, 11)."""
        value = []
        for game in range(first, 25):
            share = np.bincount(self.unshown[game].ravel(), self.deals.weight.ravel(), PATTERNS)
            value.append(float(share @ self.by_pattern(
                tricks[None, game % 5], np.array([game // 5]), self.unpaid[None])[0]))
        return first + int(np.argmax(value))

    def _spread(
        self, game: NDArray[np.intp], chances: Floats, pay: Floats, away: Masks,
        pattern: NDArray[np.uint8],
    ) -> Outcome:
        """Games with their trick distributions (F, t, 11), by the fold they are used on."""
        t = np.arange(len(self.pay))
        net = np.empty(self.deals.weight.shape)
        made, taken = np.empty_like(net), np.empty_like(net)
        for fold, columns in each_fold(self.deals.weight.shape[1], len(game)):
            picked, tricks = game[fold], chances[fold]
            level = picked // 5
            table = self.by_pattern(tricks, level, pay)
            net[:, columns] = np.take_along_axis(
                table, pattern[picked, t][:, columns], axis=1)
            reaches = np.arange(11) >= level[:, None] + 6
            made[:, columns] = (tricks * reaches).sum(axis=1)[:, None]
            taken[:, columns] = (tricks @ np.arange(11))[:, None]
        return Outcome(net, made, taken, game, away)


@cache
def _keepsakes() -> Floats:
    """What is nice to keep of a suit where the guide sees no difference: ranks, guarded honours."""
    return np.array([
        sum(rank for rank in range(8) if byte >> rank & 1)
        + (12 if byte >> 6 & 1 and byte.bit_count() >= 2 else 0)
        + (8 if byte >> 5 & 1 and byte.bit_count() >= 3 else 0)
        - (10 if byte in (1 << 6, 1 << 5) else 0)
        for byte in range(256)
    ], dtype=float)


def _pips(cards: Masks) -> Floats:
    """Worth of each card set where the guide sees none, float64 (...)."""
    pips: Floats = _keepsakes()[suit_bytes(cards)].sum(axis=-1)
    return pips


def reply_patterns(deals: Deals, convention: Convention, shown: Masks) -> NDArray[np.uint8]:
    """The defenders' replies to each of the player's 25 games, uint8 (25, t, m).

    `shown`, (t, 1) or (t, m), is the talon they have seen, 0 for none.
    """
    pattern = np.empty((25, *deals.weight.shape), dtype=np.uint8)
    looks = (outlooks(deals.hands[:, :, seat], shown) for seat in deals.hidden)
    for level, first, second in zip(LEVELS, *looks, strict=True):
        for strain in range(5):
            pattern[5 * (level - 6) + strain] = reply_pattern(
                first[..., strain], second[..., strain], level, convention, strain)
    return pattern


def shown_talons(hand: int, deals: Deals, talon: int = 0) -> Masks:
    """The talon that the defenders have seen on every deal, uint32 (t, 1) or (t, m).

    Where a talon was taken but is not told, any two of the twelve cards: each in turn, in an order
    that has nothing to do with the layouts, the same for both of a mirrored pair, and for the first
    layouts whether or not there are more.
    """
    if hand.bit_count() < 12 or talon:
        return (deals.talon | np.uint32(talon))[:, None]
    pairs, t = discards(hand), len(deals.talon)
    turns = -(-deals.weight.size // (2 * len(pairs)))
    order = np.random.default_rng(0).permuted(np.tile(pairs, (turns, 1)), axis=1)
    return order.ravel()[: deals.weight.size // 2].repeat(2).reshape(t, -1)


def declarer_pay(hand: int, deals: Deals, table: Payoff, talon: int = 0) -> Floats:
    """Declarer's net whists, float64 (t, 5, 8, 11), with the talon paid for.

    `talon` is the one taken. Where it is taken but not told, it may be any two of the twelve cards.
    """
    games = table.games[..., 0]
    if hand.bit_count() == 12 and not talon:
        mean: Floats = np.einsum("u,ulpk->lpk", talon_chances(hand), games)[None]
        return mean
    pay: Floats = games[paid_units(deals.talon | np.uint32(talon))]
    return pay


def own_games(
    hand: int, deals: Deals, convention: Convention, table: Payoff, talon: int = 0
) -> GuideGames:
    """Evaluate all 25 games of the player on his deals by the guide.

    `talon` is the talon he has taken, where he knows it: it may have to be paid for.
    """
    shown = shown_talons(hand, deals, talon)
    told = told_by(shown).mean(axis=2).transpose(0, 2, 1).reshape(25, -1)
    return GuideGames(
        deals, reply_patterns(deals, convention, shown), told,
        declarer_pay(hand, deals, table, talon), guide_plays(hand, deals.talon, deals.seat == 0),
        table.games[0, ..., 0], convention)


def own_misere(hand: int, deals: Deals, table: Payoff, *, talon: bool = True) -> Outcome:
    """Misère with the best discard for each talon (or on the ten cards dealt)."""
    on_lead = deals.seat == 0
    if talon:
        kept, away = twelve_cards(hand, deals.talon)
    else:
        kept = np.full((len(deals.talon), 1), hand, dtype=np.uint32)
        away = np.zeros_like(kept)
    tricks = misere_distribution(kept, away, on_lead)
    value = tricks @ table.misere[:, 0]
    best = value.argmax(axis=1)
    t = np.arange(len(best))
    shape = deals.weight.shape
    return Outcome(np.broadcast_to(value[t, best][:, None], shape),
                   np.broadcast_to(tricks[t, best, 0][:, None], shape),
                   np.broadcast_to((tricks[t, best] @ np.arange(11))[:, None], shape),
                   np.zeros((1, len(t)), dtype=np.intp), away[t, best][None])
