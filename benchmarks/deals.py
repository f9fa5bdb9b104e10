"""Hands of the kinds the advisor meets, and the bridge solver DDS as an outside judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DDS_SEATS = (2, 3, 1)  # South, West, East for declarer, next, third
DDS_DEAD = 0  # North holds only cards below the seven
DDS_NO_TRUMP = 4


def mask_of(cards: NDArray[np.integer]) -> int:
    """Card mask of card numbers 0..31."""
    return int(sum(1 << int(card) for card in cards))


def random_hands(rng: np.random.Generator, deals: int, size: int = 10) -> NDArray[np.uint32]:
    """Three random hands of ``size`` cards in each row."""
    rows = [rng.permutation(32)[: 3 * size].reshape(3, size) for _ in range(deals)]
    return np.array([[mask_of(hand) for hand in row] for row in rows], np.uint32).reshape(deals, 3)


def declarer_hands(
    rng: np.random.Generator, deals: int
) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Twelve cards with a suit of five or more, two low side cards put away; and the trump suit."""
    hands: list[list[int]] = []
    strains: list[int] = []
    while len(hands) < deals:
        deck = rng.permutation(32)
        twelve = deck[:12]
        lengths = np.bincount(twelve // 8, minlength=4)
        trump = int(np.argmax(lengths))
        if lengths[trump] < 5:
            continue
        by_use = sorted(
            twelve.tolist(), key=lambda c: (c // 8 == trump, c % 8 == 7, lengths[c // 8], c % 8)
        )
        kept = np.array(by_use[2:])
        hands.append([mask_of(kept), mask_of(deck[12:22]), mask_of(deck[22:])])
        strains.append(trump)
    return np.array(hands, np.uint32).reshape(deals, 3), np.array(strains, np.int8)


def misere_hands(rng: np.random.Generator, deals: int) -> NDArray[np.uint32]:
    """The declarer holds ten of the sixteen lowest cards, the others what comes."""
    hands = []
    for _ in range(deals):
        deck = rng.permutation(32)
        low = deck[deck % 8 < 4][:10]
        rest = deck[~np.isin(deck, low)]
        hands.append([mask_of(low), mask_of(rest[:10]), mask_of(rest[10:20])])
    return np.array(hands, np.uint32).reshape(deals, 3)


def dds_deal(hands: NDArray[np.uint32], leader: int) -> Any:
    """A no-trump deal for DDS: the three hands and a fourth with nothing above a six."""
    from endplay import _dds

    deal = _dds.deal()
    deal.trump = DDS_NO_TRUMP
    deal.first = DDS_SEATS[leader]
    size = int(hands[0]).bit_count()
    for suit in range(4):
        for column, seat in enumerate(DDS_SEATS):
            deal.remainCards[seat][suit] = (int(hands[column]) >> (8 * suit) & 0xFF) << 7
        dead = min(5, max(0, size - 5 * suit))
        deal.remainCards[DDS_DEAD][suit] = ((1 << dead) - 1) << 2
    return deal


def dds_tricks(hands: NDArray[np.uint32], leader: int) -> int:
    """Declarer's no-trump tricks by DDS; the dead hand can neither win nor disturb a trick."""
    from endplay import _dds

    answer = _dds.futureTricks()
    _dds.SolveBoard(dds_deal(hands, leader), -1, 1, 1, answer, 0)
    score = int(answer.score[0])
    return score if leader == 0 else int(hands[0]).bit_count() - score
