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


@dataclass(frozen=True, slots=True)
class Bought:
    """Deals at which somebody bought a game with the talon.

    Parameters
    ----------
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

    first: Ints
    defenders: Masks
    trump: Ints
    means: Floats
    cells: Ints

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.first)

    def lowest(self, strain: Ints) -> Ints:
        """Lowest level of `strain` (n,) he may name, at most ten."""
        level, least = np.divmod(self.first, 5)
        lowest: Ints = np.minimum(6 + level + (strain < least), 10)
        return lowest


def bought_deals(
    convention: Convention, deals: int, rng: np.random.Generator, bidder: Bidder
) -> Bought:
    """Deal so many times, let everybody call to his limit, and keep the games bought."""
    blocks: list[tuple[NDArray[Any], ...]] = []
    for start in range(0, deals, BLOCK):
        hands, talon = random_deals(rng, min(BLOCK, deals - start))
        blocks += _bought(hands, talon, convention, rng, bidder)
    parts = zip(*blocks, strict=True)
    return Bought(*(np.concatenate(part, axis=axis)
                    for part, axis in zip(parts, (0, 0, 0, 1, 1), strict=True)))


def _bought(
    hands: Masks, talon: Masks, convention: Convention, rng: np.random.Generator, bidder: Bidder
) -> list[tuple[NDArray[Any], ...]]:
    auction = Auction(auction_rules(convention, 0))
    one, two, three = (bidder.limits(hands[:, seat], seat, auction, rng) for seat in range(3))
    purchase = buy(auction, (one, two, three))
    calls = auction.rules.order.calls
    game = np.array([call.rank if call.is_game and call.with_talon else -1 for call in calls])
    first = np.where(purchase.winner == NOBODY, -1, game[purchase.place])
    blocks: list[tuple[NDArray[Any], ...]] = []
    for seat in range(3):
        mine = (purchase.winner == seat) & (first >= 0)
        defenders = hands[mine][:, [(seat + 1) % 3, (seat + 2) % 3]]
        blocks.append((first[mine], defenders,
                       *_games(hands[mine, seat] | talon[mine], defenders, seat)))
    return blocks


def _games(cards: Masks, defenders: Masks, seat: int) -> tuple[Ints, Floats, Ints]:
    """Best trump suit, and means and cells with it and in no trump."""
    by_strain = best_means(cards, seat == 0)
    trump = by_strain[:, :NO_TRUMP].argmax(axis=1)
    means, cells = [], []
    for strain in (trump, np.full(len(cards), NO_TRUMP)):
        means.append(np.take_along_axis(by_strain, strain[:, None], axis=1)[:, 0])
        rows = np.column_stack([keep_ten(cards, strain, seat == 0), defenders])
        cells.append(tables().cells(rows, strain, -seat % 3))
    return trump, np.stack(means), np.stack(cells)
