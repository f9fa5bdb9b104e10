"""Blocks of deals as one player sees them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.decide import sample_deals
from advisor.advice.whisting import whist_deals
from advisor.cards import DECK
from advisor.records.hand import parse_hand
from advisor.sampling.deals import Deals, draw_deals, effective_size

LAYOUTS = 184_756
ODD_CARDS = 0x5555_5555


def card_sets(count: int) -> st.SearchStrategy[int]:
    cards = st.lists(st.integers(0, 31), min_size=count, max_size=count, unique=True)
    return cards.map(lambda held: sum(1 << c for c in held))


def draw(cards: int, n: int, seat: int = 0, seed: int = 1, weigh=None) -> Deals:
    return draw_deals(cards, seat, n, np.random.default_rng(seed), weigh)


def assert_sound(deals: Deals, cards: int, n: int) -> None:
    """Every deal shares out the deck, and neighbours are each other's mirror."""
    left, right = deals.hidden
    assert sorted((deals.seat, left, right)) == [0, 1, 2]
    assert (left - deals.seat) % 3 == 1
    hands = deals.hands
    assert np.all(hands[:, :, deals.seat] == cards)
    assert np.all(np.bitwise_count(hands[:, :, left]) == 10)
    assert np.all(np.bitwise_count(hands[:, :, right]) == 10)
    assert np.all(np.bitwise_or.reduce(hands, axis=2) | deals.talon[:, None] == DECK)
    held = np.bitwise_count(hands).sum(axis=2) + np.bitwise_count(deals.talon)[:, None]
    assert np.all(held == 32)
    assert np.array_equal(hands[:, 0::2, left], hands[:, 1::2, right])
    assert np.array_equal(hands[:, 0::2, right], hands[:, 1::2, left])
    assert len(np.unique(deals.talon)) == len(deals.talon)
    assert deals.count == deals.weight.size == hands.shape[0] * hands.shape[1] >= n


@given(card_sets(10), st.integers(0, 2), st.integers(1, 3000), st.integers(0, 2**32))
def test_ten_cards(cards, seat, n, seed):
    deals = draw(cards, n, seat, seed)
    assert_sound(deals, cards, n)
    assert np.all(deals.weight == 1)
    assert deals.all_talons == 231
    assert not deals.exhaustive
    talons, m = deals.weight.shape
    assert (talons, m) == ((n + 1) // 2, 2) if n < 462 else (231, 2 * -(-n // 462))


@given(card_sets(12), st.integers(0, 2), st.integers(1, 3000), st.integers(0, 2**32))
def test_twelve_cards(cards, seat, n, seed):
    deals = draw(cards, n, seat, seed)
    assert_sound(deals, cards, n)
    assert deals.all_talons == 1
    assert deals.talon.tolist() == [0]
    assert deals.weight.shape == (1, n + n % 2)
    assert not deals.exhaustive


@pytest.mark.parametrize(("n", "talons", "count"), [
    (1, 1, 2), (2, 1, 2), (3, 2, 4), (100, 50, 100), (461, 231, 462), (462, 231, 462),
    (463, 231, 924), (20_000, 231, 44 * 462),
])
def test_blocks(ten, n, talons, count):
    deals = draw(ten, n)
    assert (len(deals.talon), deals.count) == (talons, count)


def test_few_deals_take_talons_at_random(ten):
    """Each of the 231 talons comes up about as often as another over many small draws."""
    drawn = [draw(ten, 20, seed=seed).talon for seed in range(1000)]
    talons, counts = np.unique(np.concatenate(drawn), return_counts=True)
    assert len(talons) == 231
    expected = 10_000 / 231
    # Drawn without replacement: the variance is smaller than a multinomial's.
    assert np.sum((counts - expected) ** 2 / expected) < 302.01


@pytest.mark.parametrize("n", [LAYOUTS, LAYOUTS + 1, 10**6])
def test_every_layout_exactly_once(twelve, n):
    deals = draw(twelve, n, seat=2)
    assert deals.exhaustive
    assert deals.count == LAYOUTS
    assert_sound(deals, twelve, LAYOUTS)
    for hidden in deals.hidden:
        assert len(np.unique(deals.hands[0, :, hidden])) == LAYOUTS


def test_one_deal_less_is_a_sample(twelve):
    assert not draw(twelve, LAYOUTS - 2).exhaustive


@pytest.mark.parametrize("n", [0, -1])
def test_no_deals(ten, n):
    with pytest.raises(ValueError, match="expected at least 1"):
        draw(ten, n)


@pytest.mark.parametrize("n", [100, 2000])
def test_the_same_seed_gives_the_same_deals(ten, n):
    one, same, other = draw(ten, n), draw(ten, n), draw(ten, n, seed=2)
    assert np.array_equal(one.hands, same.hands)
    assert np.array_equal(one.talon, same.talon)
    assert not np.array_equal(one.hands, other.hands)


def test_the_seat_turns_the_same_deals(ten):
    first, third = draw(ten, 1000), draw(ten, 1000, seat=2)
    assert np.array_equal(first.hands, third.hands[:, :, [2, 0, 1]])


def test_weights_and_effective_size(ten):
    def weigh(hands, talon):
        return 1.0 + np.bitwise_count(hands[:, :, 1] & np.uint32(ODD_CARDS))

    deals = draw(ten, 2000, weigh=weigh)
    assert np.array_equal(deals.weight, weigh(deals.hands, deals.talon))
    w = deals.weight.ravel()
    assert deals.ess == pytest.approx(w.sum() ** 2 / (w @ w))
    assert 1 < deals.ess < deals.count
    assert draw(ten, 2000).ess == pytest.approx(2310)


def test_effective_size_of_extremes():
    assert effective_size(np.array([[0.0, 3.0]])) == 1
    assert effective_size(np.zeros((2, 2))) == 0
    assert effective_size(np.array([[1e-30, 1e-30]])) == pytest.approx(2)


def test_more_deals_are_worth_more() -> None:
    """After an odd auction too: the pool does not go away as soon as some deals are left."""
    record = parse_hand("hand: ♠K97 ♣J98 ♦J98 ♥A\nseat: 3\ncontract: 7H\ndeclarer: 1\n"
                        "talon: ♠A ♣7\nwhist: pass")
    sizes = [whist_deals(record, n, np.random.default_rng(1)).ess for n in (20_000, 32_000, 60_000)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("seed", range(4))
def test_an_auction_as_good_as_impossible_tells_how_few_deals_count(seed: int) -> None:
    """A few deals carry the weight; a sample without them must not look sound."""
    record = parse_hand("hand: ♠AKQ98 ♣A8 ♦K107\nseat: 3\nauction: 7H 8C")
    assert sample_deals(record, 20_000, np.random.default_rng(seed)).ess < 700
