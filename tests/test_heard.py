"""Layouts drawn by their likelihood after the calls heard."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.cards import DECK
from advisor.records.hand import HandRecord, parse_hand
from advisor.sampling.fitted_bidder import default_bidder
from advisor.sampling.heard import POOL, heard_layouts
from advisor.sampling.unseen import Unseen

DIAMONDS = 0xFF0000
TALON = "hand: ♠710 ♣789 ♦7810 ♥78\nseat: 2\nauction: {auction}\ntalon: ♠K ♥Q"


def taken(auction: str) -> tuple[HandRecord, Unseen]:
    record = parse_hand(TALON.format(auction=auction))
    return record, Unseen(DECK & ~record.cards)


def test_hands_are_the_unseen_cards(rng: np.random.Generator) -> None:
    record, unseen = taken("6D misere pass pass")
    found = heard_layouts(record, unseen, 500, rng)
    assert found.hands.shape == (500, 2)
    assert (found.hands[:, 0] ^ found.hands[:, 1] == unseen.mask).all()
    assert (np.bitwise_count(found.hands) == 10).all()


@pytest.mark.parametrize("n", [1_000, 40_000])
def test_layouts_come_as_often_as_their_weight_says(n: int, rng: np.random.Generator) -> None:
    """Diamonds of the first hand, who called them, against the weighted mean over all layouts."""
    record, unseen = taken("6D misere pass pass")
    every = unseen.unrank(np.arange(unseen.count))
    third, first = every[:, 0], every[:, 1]
    weight = np.prod([default_bidder(record).likelihood(hand[None], seat, record.auction)[0]
                      for hand, seat in ((third, 2), (first, 0))], axis=0)
    diamonds = np.bitwise_count(first & DIAMONDS)
    true = np.average(diamonds, weights=weight)
    found = heard_layouts(record, unseen, n, rng)
    drawn = np.bitwise_count(found.hands[:, 1] & DIAMONDS)
    error = found.widening * drawn.std() / np.sqrt(n)
    assert true > diamonds.mean() + 0.2
    assert drawn.mean() == pytest.approx(true, abs=4 * error)
    assert np.isinf(found.ess) == (n * POOL >= unseen.count)
    assert not found.exhaustive


def test_a_pool_widens_the_errors(rng: np.random.Generator) -> None:
    record, unseen = taken("6D misere pass pass")
    found = heard_layouts(record, unseen, 1_000, rng)
    assert 100 < found.ess < POOL * 1_000
    assert found.widening == pytest.approx(np.sqrt(1 + 1_000 / found.ess))


def test_without_calls_every_layout_is_as_likely(rng: np.random.Generator) -> None:
    record = parse_hand("♠79J ♣78J ♦78 ♥79")
    unseen = Unseen(DECK & ~record.cards & ~0x80000080)
    found = heard_layouts(record, unseen, unseen.count, rng)
    assert found.exhaustive
    assert found.widening == 1
    assert len(np.unique(found.hands[:, 0])) == unseen.count
    assert not heard_layouts(record, unseen, 100, rng).exhaustive
