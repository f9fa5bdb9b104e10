"""What happens when another seat plays, or nobody does, deal by deal.

An opponent who wins the auction takes the deal's talon, throws the two low cards he misses least by
the guide (never a trump before a side card), and names the highest level his guide tricks carry
with `MARGIN` to spare, not below what he bought.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from advisor.advice.payoff import DOUBTED, PATTERNS, Pattern, Payoff, paid_units
from advisor.advice.replies import defence_value, defence_values, reply_pattern
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.sampling.deals import Deals
from advisor.tricks.estimate import (
    hole_tables,
    mean_step,
    spread_table,
    strain_means,
    suit_bytes,
)
from advisor.tricks.guide import low_values
from advisor.tricks.holes import misere_distribution

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

MARGIN = 0.3
PASSES, WHISTS, GOES_HALF = range(3)
ALL_PASS_POWER = 1.75
# Chance that a talon card of each rank, 7 to A, takes the trick it is led to: a least-squares fit
# to 200 all-pass deals of four solved exactly.
DEALER_CARD = (0.0, 0.0, 0.06, 0.10, 0.34, 0.56, 0.82, 1.0)
_KEEP_TRUMPS = 5.0
_UNWILLING = 99.0
_LONGER = 0.01


@dataclass(frozen=True, slots=True)
class OpponentGame:
    """One opponent as declarer.

    Parameters
    ----------
    strain : intp (t, m)
        His trump suit.
    level : intp (t, m)
        The level he would name if the auction left him free.
    net : float64 (5, t, m)
        The player's net whists at each level.
    reply : uint8 (5, t, m)
        What the player says: `PASSES`, `WHISTS` or `GOES_HALF`.
    """

    strain: NDArray[np.intp]
    level: NDArray[np.intp]
    net: Floats
    reply: NDArray[np.uint8]

    def final_level(self, first: NDArray[np.intp]) -> NDArray[np.intp]:
        """The level played when the auction was won at game `first` (0..24)."""
        least, strain = np.divmod(first, 5)
        lowest = 6 + least + (self.strain < strain)
        level: NDArray[np.intp] = np.minimum(np.maximum(self.level, lowest), 10)
        return level

    def at(self, first: NDArray[np.intp]) -> tuple[Floats, NDArray[np.uint8]]:
        """The player's net whists, and what he says, when it was won at `first`."""
        row = (self.final_level(first) - 6)[None]
        return (np.take_along_axis(self.net, row, axis=0)[0],
                np.take_along_axis(self.reply, row, axis=0)[0])


def throw_two(cards: Masks) -> tuple[Masks, NDArray[np.intp]]:
    """A simple discard: the two low cards whose loss costs least by the guide.

    Returns
    -------
    kept : uint32 (...)
    strain : intp (...)
        Best trump suit before the discard, the one protected; of equal ones the longest.
    """
    suits = suit_bytes(cards)
    strain = np.argmax(strain_means(cards)[..., :4] + _LONGER * np.bitwise_count(suits), axis=-1)
    once = suits & (suits - np.uint8(1))
    twice = once & (once - np.uint8(1))
    low = low_values()
    trump = np.arange(4) == strain[..., None]
    loss_one = low[suits] - low[once] + _KEEP_TRUMPS * trump + _UNWILLING * (suits == 0)
    loss_two = low[suits] - low[twice] + 2 * _KEEP_TRUMPS * trump + _UNWILLING * (once == 0)
    ways = list(combinations_with_replacement(range(4), 2))
    losses = np.stack([loss_two[..., a] if a == b else loss_one[..., a] + loss_one[..., b]
                       for a, b in ways])
    best = losses.argmin(axis=0)
    kept = suits.copy()
    for way, (a, b) in enumerate(ways):
        chosen = best == way
        if a == b:
            kept[..., a] = np.where(chosen, twice[..., a], kept[..., a])
        else:
            kept[..., a] = np.where(chosen, once[..., a], kept[..., a])
            kept[..., b] = np.where(chosen, once[..., b], kept[..., b])
    return np.ascontiguousarray(kept).view("<u4")[..., 0].astype(np.uint32), strain


def opponent_game(
    deals: Deals, declarer: int, convention: Convention, table: Payoff,
    solved: NDArray[np.int8] | None = None, chances: Floats | None = None,
) -> OpponentGame:
    """Evaluate an opponent's games on every deal by the guide.

    `solved` (t, m) are his tricks where they are known, negative elsewhere; `chances` (t, m, 11)
    those of each number of tricks, where they are to replace the guide's.
    """
    kept, strain = throw_two(deals.hands[:, :, declarer] | deals.talon[:, None])
    means = np.take_along_axis(strain_means(kept), strain[..., None], axis=-1)[..., 0]
    level = np.clip(np.floor(means - MARGIN).astype(np.intp), min(LEVELS), max(LEVELS))
    first, second = (declarer + 1) % 3, (declarer + 2) % 3
    role = 1 if first == deals.seat else 2
    values = [_value_in(deals, seat, strain) for seat in (first, second)]
    step = mean_step(means)
    units = paid_units(deals.talon)
    net = np.empty((5, *level.shape))
    replies = np.empty(net.shape, dtype=np.uint8)
    for row, game_level in enumerate(LEVELS):
        one, two = (defence_value(value, game_level) for value in values)
        pattern = reply_pattern(one, two, game_level, convention, strain)
        pay = table.games[:, row, :, :, role]
        counted = np.where(_dear(table, row)[units[:, None], step] & (pattern == Pattern.NOBODY),
                           np.uint8(Pattern.FIRST), pattern)
        if chances is None:
            worth = np.einsum("sk,upk->usp", spread_table()[0], pay)
            net[row] = worth[units[:, None], step, counted]
        else:
            net[row] = np.einsum("tmk,tmk->tm", chances, pay[units[:, None], counted])
        if solved is not None:
            known = table.games[units[:, None], row, pattern, np.maximum(solved, 0), role]
            net[row] = np.where(solved >= 0, known, net[row])
        replies[row] = _reply(pattern, role)
    return OpponentGame(strain, level, net, replies)


def _dear(table: Payoff, row: int) -> NDArray[np.bool_]:
    """Whether a game nobody whists counts as whisted, by paid units and guide mean, (4, 201)."""
    his = np.einsum("sk,upk->usp", spread_table()[0], table.games[:, row, :, :, 0])
    dear: NDArray[np.bool_] = his[..., Pattern.FIRST] < his[..., Pattern.NOBODY]
    return dear & (row >= DOUBTED)


def _value_in(deals: Deals, seat: int, strain: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """A seat's tricks in defence against the trumps of each deal."""
    side, trump = defence_values(deals.hands[:, :, seat])
    pick = strain[..., None]
    return (np.take_along_axis(side, pick, axis=-1)[..., 0],
            np.take_along_axis(trump, pick, axis=-1)[..., 0])


def _reply(pattern: NDArray[np.uint8], role: int) -> NDArray[np.uint8]:
    alone = Pattern.FIRST if role == 1 else Pattern.SECOND
    said = np.full(PATTERNS, PASSES, dtype=np.uint8)
    said[[alone, Pattern.BOTH, Pattern.BOTH_FIRST_MORE, Pattern.BOTH_SECOND_MORE]] = WHISTS
    if role == 2:
        said[Pattern.HALF] = GOES_HALF
    answer: NDArray[np.uint8] = said[pattern]
    return answer


def opponent_misere(
    deals: Deals, declarer: int, table: Payoff, where: NDArray[np.bool_],
    solved: NDArray[np.int8] | None = None,
) -> Floats:
    """The player's net whists where an opponent plays misère; nan elsewhere.

    Only the deals of `where` (t, m) are evaluated. `solved` (t, m) are his tricks where they are
    known, negative elsewhere.
    """
    role = (deals.seat - declarer) % 3
    net = np.full(where.shape, np.nan)
    talon = np.broadcast_to(deals.talon[:, None], where.shape)[where]
    cards = deals.hands[:, :, declarer][where] | talon
    kept, away = throw_holes(cards)
    net[where] = misere_distribution(kept, away, declarer == 0) @ table.misere[:, role]
    if solved is not None:
        net = np.where(where & (solved >= 0), table.misere[np.maximum(solved, 0), role], net)
    return net


def throw_holes(cards: Masks) -> tuple[Masks, Masks]:
    """A simple misère discard: twice the highest card of the suit that gains most by losing it."""
    kept = np.array(cards, dtype=np.uint32)
    for _ in range(2):
        suits = suit_bytes(kept)
        top = _highest(suits)
        shorter = suits & ~top
        tricks, _ = hole_tables()
        gain = tricks[suits] - tricks[shorter] - 9.0 * (suits == 0)
        best = gain.argmax(axis=-1)[..., None]
        bit = np.take_along_axis(top, best, axis=-1)[..., 0].astype(np.uint32)
        kept ^= bit << (8 * best[..., 0]).astype(np.uint32)
    return kept, cards ^ kept


def _highest(suits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    filled = suits | suits >> np.uint8(1)
    filled |= filled >> np.uint8(2)
    filled |= filled >> np.uint8(4)
    highest: NDArray[np.uint8] = filled ^ (filled >> np.uint8(1))
    return highest


def _dealer_tricks(talon: Masks, table: Payoff) -> NDArray[np.intp]:
    """Tricks of a dealer whose talon cards are led for him, rounded, intp (t,); else none."""
    if np.isnan(table.all_pass[1]).all():
        return np.zeros(len(talon), dtype=np.intp)
    held = talon[:, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    expected = (held * np.tile(DEALER_CARD, 4)).sum(axis=1)
    whole: NDArray[np.intp] = np.rint(expected).astype(np.intp)
    return whole


def all_pass_net(
    deals: Deals, table: Payoff, solved: NDArray[np.int8] | None = None
) -> Floats:
    """The player's net whists in an all-pass, by a rough share of the tricks, float64 (t, m).

    The ten tricks are shared in proportion to a power of the tricks each hand would be forced to
    take by its misère holes, rounded to whole tricks. The power was set on 4,000 random deals
    played out by simple rules: the shares are right there within 0.3 tricks on average for hands of
    every strength, 1.9 for a single deal. `solved` (t, m, 4) are the tricks by seat, the dealer's
    last, where they are known, negative elsewhere.
    """
    forced = (hole_tables()[0][suit_bytes(deals.hands)].sum(axis=-1) + 0.3) ** ALL_PASS_POWER
    dealer = _dealer_tricks(deals.talon, table)
    left = (10 - dealer)[:, None, None]
    upto = np.cumsum(left * forced / forced.sum(axis=-1, keepdims=True), axis=-1)
    cut = np.rint(upto).astype(np.intp)
    net: Floats = table.all_pass[dealer[:, None], cut[..., 0], cut[..., 1] - cut[..., 0],
                                 deals.seat]
    if solved is None:
        return net
    first, second, _, last = np.moveaxis(np.maximum(solved, 0), -1, 0)
    known = table.all_pass[last, first, second, deals.seat]
    return np.where(solved[..., 0] >= 0, known, net)
