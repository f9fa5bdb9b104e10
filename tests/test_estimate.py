"""Tricks by the guide: means for each strain and the spread around them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import parse_cards
from advisor.tricks.estimate import (
    SHORT_TRUMP,
    STEPS_PER_TRICK,
    UPSIDE,
    hole_tables,
    mean_step,
    spread_table,
    strain_means,
    suit_bytes,
    trick_distribution,
)
from advisor.tricks.guide import high_values, low_values
from advisor.tricks.sure import sure_tricks

TRICKS = np.arange(11)
hands = st.permutations(range(32)).map(lambda cards: sum(1 << c for c in cards[:10]))


def mask(text: str) -> np.ndarray:
    return np.array([parse_cards(text)], dtype=np.uint32)


def distribution(text: str, on_lead: bool = True) -> np.ndarray:
    hand = mask(text)
    certain = np.stack([sure_tricks(hand, 0, s, on_lead) for s in range(5)], axis=-1)
    return trick_distribution(strain_means(hand, on_lead), certain)[0]


@pytest.mark.parametrize("no_trump", [False, True])
def test_every_spread_is_a_distribution_with_the_mean_asked_for(no_trump):
    table = spread_table(no_trump)
    asked = np.arange(10 * STEPS_PER_TRICK + 1) / STEPS_PER_TRICK
    assert table.min() >= 0
    np.testing.assert_allclose(table.sum(axis=-1), 1, atol=1e-12)
    for certain in range(11):
        assert table[certain, :, :certain].sum() == 0, "below the certain tricks"
        floor = min(certain + UPSIDE[no_trump], 10) if certain else 0
        np.testing.assert_allclose(table[certain] @ TRICKS, np.maximum(asked, floor), atol=1e-5)


@pytest.mark.parametrize("no_trump", [False, True])
def test_a_greater_mean_makes_every_contract_likelier(no_trump):
    reach = spread_table(no_trump)[:, :, ::-1].cumsum(axis=-1)
    assert (np.diff(reach, axis=1) >= -1e-7).all()


def test_mean_steps_round_to_the_nearest_twentieth():
    np.testing.assert_array_equal(mean_step(np.array([0.0, 0.024, 0.026, 5.05, 10.0])),
                                  [0, 0, 1, 101, 200])


def test_ten_certain_tricks_are_a_point_mass():
    got = distribution("♠AKQJ10987 ♣AK")
    np.testing.assert_array_equal(got[0], TRICKS == 10)
    np.testing.assert_array_equal(got[4], TRICKS == 10)


def test_certain_tricks_are_never_missed_and_more_stay_possible():
    got = distribution("♠AKQJ ♣AKQJ ♦78")
    assert got[4][:8].sum() == 0
    assert got[4][8] > 0.5
    assert got[4][9:].sum() > 0


def test_a_hand_without_honours_takes_almost_nothing_in_no_trump():
    assert distribution("♠789 ♣789 ♦78 ♥78")[4][0] == 1


def test_trumps_count_high_side_suits_low_and_a_short_trump_suit_costs():
    hand = mask("♠KJ98 ♣A87 ♦QJ9 ♥")
    low, high = low_values(), high_values()
    spades, clubs, diamonds = (int(suit_bytes(hand)[0, s]) for s in (0, 1, 2))
    got = strain_means(hand)[0]
    assert got[0] == pytest.approx(
        high[spades] + low[clubs] + low[diamonds] - SHORT_TRUMP)
    assert got[1] == pytest.approx(
        low[spades] + high[clubs] + low[diamonds] - 2 * SHORT_TRUMP)


def test_in_no_trump_an_open_suit_costs_most_when_a_defender_leads():
    stopped, open_suit = mask("♠AKQ9 ♣A87 ♦A8 ♥A"), mask("♠AKQ9 ♣A87 ♦A8 ♥9")
    lead, no_lead = (strain_means(open_suit, on)[0, 4] for on in (True, False))
    assert no_lead < lead < strain_means(stopped, True)[0, 4]
    assert strain_means(stopped, True)[0, 4] == strain_means(stopped, False)[0, 4]


@given(hands, st.sampled_from(list(permutations(range(4)))), st.booleans())
def test_suits_are_alike(hand, order, on_lead):
    moved = sum((hand >> 8 * s & 0xFF) << 8 * order[s] for s in range(4))
    one, two = strain_means(np.array([hand, moved], dtype=np.uint32), on_lead)
    np.testing.assert_allclose(two[list(order)], one[:4], atol=1e-12)
    assert two[4] == pytest.approx(one[4], abs=1e-12)


@given(hands, st.integers(0, 31))
def test_a_suit_of_higher_cards_is_worth_no_less(hand, at):
    suit, rank = divmod(at, 8)
    bit = 1 << at
    if not hand & bit or rank == 7 or hand & bit << 1:
        return
    better = hand ^ bit ^ bit << 1
    one, two = strain_means(np.array([hand, better], dtype=np.uint32))
    assert (two >= one - 1e-9).all(), suit


def test_hole_tables_know_clean_suits_and_single_high_cards():
    tricks, holes = hole_tables()
    assert tricks[0b0000_0101] == holes[0b0000_0101] == 0
    assert tricks[0b1000_0000] == 1
    assert holes[0b1000_0000] == 1
