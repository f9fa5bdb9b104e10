"""Random deals with the auction played out: who bought a game, and at what.

What is common to all fits of replies and declarations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.advice.naming import best_means, keep_ten
from advisor.advice.playout import NOBODY, buy
from advisor.fitting.sample import random_deals
from advisor.records.decider import auction_rules
from advisor.rules.auction import Auction
from advisor.rules.conventions import Convention
from advisor.sampling.bidder import Bidder
from advisor.tricks.fitted import tables
from advisor.tricks.holdings import NO_TRUMP

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Masks = NDArray[np.uint32]

BLOCK = 50_000
NEAR_PLAIN = 0.5  # tricks no trump may be behind


@dataclass(frozen=True, slots=True)
class Bought:
    """Deals at which somebody bought a game with the talon.

    Parameters
    ----------
    cards : uint32 (n,)
        His twelve.
    talon : uint32 (n,)
        Two of them, shown to the others.
    seat : intp (n,)
        Where he sits; the seat 0 leads.
    first : intp (n,)
        Lowest game he may name, 0..24.
    defenders : uint32 (n, 2)
        The first and the second defender's cards.
    trump : intp (n,)
        The declarer's best trump suit.
    means : float64 (2, n)
        Tricks he expects with it after the best discard, and in no trump.
    cells : intp (2, n)
        His tricks with it and in no trump: rows of `advisor.tricks.fitted.distributions`.
    """

    cards: Masks
    talon: Masks
    seat: Ints
    first: Ints
    defenders: Masks
    trump: Ints
    means: Floats
    cells: Ints

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.first)

    def __getitem__(self, where: NDArray[np.bool_]) -> Bought:
        """Some of them."""
        return Bought(self.cards[where], self.talon[where], self.seat[where], self.first[where],
                      self.defenders[where], self.trump[where], self.means[:, where],
                      self.cells[:, where])

    def lowest(self, strain: Ints) -> Ints:
        """Lowest level of `strain` (n,) he may name, at most ten."""
        level, least = np.divmod(self.first, 5)
        lowest: Ints = np.minimum(6 + level + (strain < least), 10)
        return lowest

    def kept(self, strain: Ints) -> Masks:
        """The ten cards the declarers keep when `strain` (n,) is played, uint32 (n,)."""
        lead, other = (keep_ten(self.cards, strain, on_lead) for on_lead in (True, False))
        return np.where(self.seat == 0, lead, other)


def bought_deals(
    convention: Convention, deals: int, rng: np.random.Generator, bidder: Bidder,
    *, near_plain: bool = False,
) -> Bought:
    """Deal so many times, let everybody call to his limit, and keep the games bought.

    With `near_plain` only those that no trump may suit (`NEAR_PLAIN`): they are rare.
    """
    blocks: list[tuple[NDArray[Any], ...]] = []
    for start in range(0, deals, BLOCK):
        hands, talon = random_deals(rng, min(BLOCK, deals - start))
        blocks += _bought(hands, talon, convention, rng, bidder, near_plain)
    parts = zip(*blocks, strict=True)
    return Bought(*(np.concatenate(part, axis=axis)
                    for part, axis in zip(parts, (0, 0, 0, 0, 0, 0, 1, 1), strict=True)))


def may_be_plain(means: Floats) -> NDArray[np.bool_]:
    """Whether no trump may suit, by the tricks expected with trumps and in no trump, (2, n)."""
    near: NDArray[np.bool_] = means[1] > means[0] - NEAR_PLAIN
    return near


def _bought(
    hands: Masks, talon: Masks, convention: Convention, rng: np.random.Generator, bidder: Bidder,
    near_plain: bool,
) -> list[tuple[NDArray[Any], ...]]:
    auction = Auction(auction_rules(convention, 0))
    one, two, three = (bidder.limits(hands[:, seat], seat, auction, rng) for seat in range(3))
    purchase = buy(auction, (one, two, three))
    calls = auction.rules.order.calls
    game = np.array([call.rank if call.is_game and call.with_talon else -1 for call in calls])
    first = np.where(purchase.winner == NOBODY, -1, game[purchase.place])
    blocks: list[tuple[NDArray[Any], ...]] = []
    for seat in range(3):
        mine = np.flatnonzero((purchase.winner == seat) & (first >= 0))
        cards = hands[mine, seat] | talon[mine]
        by_strain = best_means(cards, seat == 0)
        trump = by_strain[:, :NO_TRUMP].argmax(axis=1)
        means = np.stack([by_strain[np.arange(len(mine)), trump], by_strain[:, NO_TRUMP]])
        if near_plain:
            near = may_be_plain(means)
            mine, cards, trump, means = mine[near], cards[near], trump[near], means[:, near]
        defenders = hands[mine][:, [(seat + 1) % 3, (seat + 2) % 3]]
        blocks.append((cards, talon[mine], np.full(len(mine), seat), first[mine], defenders, trump,
                       means, _cells(cards, defenders, trump, seat)))
    return blocks


def _cells(cards: Masks, defenders: Masks, trump: Ints, seat: int) -> Ints:
    """Cells of the declarers' tricks with the best trumps and in no trump, intp (2, n)."""
    cells = []
    for strain in (trump, np.full(len(cards), NO_TRUMP)):
        rows = np.column_stack([keep_ten(cards, strain, seat == 0), defenders])
        cells.append(tables().cells(rows, strain, -seat % 3))
    return np.stack(cells)
