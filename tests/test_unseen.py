"""The unseen cards: counted, numbered, walked through and drawn."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import DECK
from advisor.sampling.unseen import Unseen, hand_masks

WITH_TALON = comb(22, 2) * comb(20, 10)
LAYOUTS = comb(20, 10)


def mask_of(cards: list[int]) -> int:
    return sum(1 << c for c in cards)


def card_sets(count: int) -> st.SearchStrategy[int]:
    return st.lists(st.integers(0, 31), min_size=count, max_size=count, unique=True).map(mask_of)


@st.composite
def unseen_and_numbers(draw: st.DrawFn) -> tuple[Unseen, np.ndarray]:
    size = draw(st.integers(1, 10))
    unseen = Unseen(draw(card_sets(2 * size + draw(st.sampled_from([0, 2])))), size)
    numbers = draw(st.lists(st.integers(0, unseen.count - 1), min_size=1, max_size=20))
    return unseen, np.array(numbers)


def assert_partition(deals: np.ndarray, mask: int, size: int) -> None:
    """Rows of first hand, second hand, talon share out the mask's cards."""
    first, second, talon = deals.T
    assert np.all(first | second | talon == mask)
    assert np.all(np.bitwise_count(first) == size)
    assert np.all(np.bitwise_count(second) == size)
    assert np.all(np.bitwise_count(talon) == mask.bit_count() - 2 * size)


def test_counts():
    """The numbers of deals behind ten and behind twelve known cards."""
    assert Unseen(DECK >> 10).count == WITH_TALON == 42_678_636
    assert Unseen(DECK >> 12).count == LAYOUTS == 184_756
    assert len(Unseen(DECK >> 10).talons) == 231
    assert Unseen(DECK >> 12).talons.tolist() == [0]
    assert len(hand_masks()) == LAYOUTS


@pytest.mark.parametrize(("cards", "size"), [(21, 10), (23, 10), (0, 10), (2, 0), (24, 11), (5, 2)])
def test_other_numbers_of_cards_are_refused(cards, size):
    with pytest.raises(ValueError, match=rf"^{cards} unseen cards do not make two hands of {size}"):
        Unseen((1 << cards) - 1, size)


@given(unseen_and_numbers())
def test_unrank_partitions_the_cards_and_rank_goes_back(case):
    unseen, numbers = case
    deals = unseen.unrank(numbers)
    assert deals.dtype == np.uint32
    assert_partition(deals, unseen.mask, unseen.size)
    assert unseen.rank(deals).tolist() == numbers.tolist()


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("extra", [0, 2])
@given(data=st.data())
def test_unrank_is_a_bijection(size, extra, data):
    """Every deal once: as many different ones as there are."""
    unseen = Unseen(data.draw(card_sets(2 * size + extra)), size)
    deals = unseen.unrank(np.arange(unseen.count))
    assert_partition(deals, unseen.mask, size)
    assert len(np.unique(deals, axis=0)) == unseen.count
    assert unseen.count == len(unseen.talons) * comb(2 * size, size)


@pytest.mark.parametrize("number", [-1, LAYOUTS])
def test_numbers_outside_are_refused(number):
    with pytest.raises(ValueError, match="deal numbers run from 0 to 184755"):
        Unseen(DECK >> 12).unrank(np.array([0, number]))


@given(card_sets(22), st.lists(st.integers(0, LAYOUTS - 1), min_size=1, max_size=4))
def test_layouts_are_the_numbered_deals(mask, numbers):
    unseen = Unseen(mask)
    which, index = np.array([0, 7, 230]), np.array(numbers)
    first = unseen.layout(unseen.talons[which], np.tile(index, (3, 1)))
    expected = unseen.unrank((which[:, None] * LAYOUTS + index).ravel())[:, 0]
    assert first.ravel().tolist() == expected.tolist()


@pytest.mark.parametrize(("mask", "size", "chunk"), [
    (0b1111, 1, 5), (0b1111, 2, 4), (0x8080_0303, 2, 7), (0xC011_0F00, 3, 1000),
])
def test_enumerate_visits_every_deal_once(mask, size, chunk):
    unseen = Unseen(mask, size)
    parts = list(unseen.enumerate(chunk))
    assert max(map(len, parts)) <= chunk
    deals = np.concatenate(parts)
    assert_partition(deals, unseen.mask, size)
    assert len(np.unique(deals, axis=0)) == len(deals) == unseen.count


def test_enumerate_at_full_size_with_the_talon_known(twelve):
    unseen = Unseen(DECK & ~twelve)
    deals = np.concatenate(list(unseen.enumerate()))
    assert_partition(deals, DECK & ~twelve, 10)
    assert len(np.unique(deals[:, 0])) == len(deals) == LAYOUTS


@pytest.mark.slow
def test_enumerate_at_full_size(ten, full):
    """All 42,678,636 deals with ``--full``, the first million without: ever growing numbers."""
    unseen = Unseen(DECK & ~ten)
    seen, held, stop = 0, 0, unseen.count if full else 1_000_000
    for deals in unseen.enumerate(1 << 18):
        assert_partition(deals, unseen.mask, 10)
        fresh = unseen.rank(deals[:: len(deals) - 1])
        assert fresh.tolist() == [seen, seen + len(deals) - 1]
        held += len(np.unique(deals.astype(np.uint64) @ np.array([1 << 32, 0, 1], np.uint64)))
        seen += len(deals)
        if seen >= stop:
            break
    assert held == seen >= stop


@given(card_sets(22), st.integers(0, 3000), st.integers(0, 2**32))
def test_sampled_deals_partition_the_cards(mask, n, seed):
    deals = Unseen(mask).sample(n, np.random.default_rng(seed))
    assert deals.shape == (3, n)
    assert_partition(deals.T, mask, 10)


@pytest.mark.parametrize("held", ["ten", "twelve"])
def test_the_same_seed_draws_the_same_deals(held, request):
    unseen = Unseen(DECK & ~request.getfixturevalue(held))
    one, same, other = (unseen.sample(70_000, np.random.default_rng(s)) for s in (5, 5, 6))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


# Upper 0.1 % points of chi-square for 89, 559 and 230 degrees of freedom.
CHI_SQUARE = {90: 135.98, 560: 668.05, 231: 302.01}


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / counts.size
    return float(np.sum((counts - expected) ** 2) / expected)


@pytest.mark.parametrize(("size", "deals"), [(2, 90), (3, 560)])
def test_samples_are_uniform(size, deals, rng):
    unseen = Unseen((1 << 2 * size + 2) - 1, size)
    assert unseen.count == deals
    drawn = unseen.sample(200 * deals, rng)
    counts = np.bincount(unseen.rank(drawn.T), minlength=deals)
    assert chi_square(counts) < CHI_SQUARE[deals]
    assert counts.min() > 0


def test_talons_of_samples_are_uniform_at_full_size(ten, rng):
    unseen = Unseen(DECK & ~ten)
    drawn = unseen.sample(231 * 200, rng)
    which = np.searchsorted(np.sort(unseen.talons), drawn[2])
    assert chi_square(np.bincount(which, minlength=231)) < CHI_SQUARE[231]
