"""Who whists: each defender by his own ten cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.payoff import Pattern
from advisor.advice.replies import (
    FIRST_NEEDS,
    SIDE_CAP,
    SIDE_FAITH,
    defence_value,
    defence_values,
    reply_pattern,
)
from advisor.cards import parse_cards
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import load_convention

SOCHI, LENINGRAD, CLASSIC = map(load_convention, ("sochi", "leningrad", "classic"))
PLAIN = replace(SOCHI, half_whist="off")
STRONG = "♠AK7 ♣AK8 ♦A87 ♥7"
WEAK = "♠987 ♣987 ♦97 ♥97"
ACES = "♠7 ♣A87 ♦A87 ♥A87"


def say(first: str, second: str, level: int, strain: int, convention=PLAIN) -> Pattern:
    values = [defence_values(np.array([parse_cards(hand)], dtype=np.uint32))
              for hand in (first, second)]
    one, two = (defence_value(value, level)[..., strain] for value in values)
    return Pattern(int(reply_pattern(one, two, level, convention, strain)[0]))


@pytest.mark.parametrize("level", [6, 7, 8, 9])
def test_obvious_hands(level):
    assert say(WEAK, WEAK, level, 0) is Pattern.NOBODY
    assert say(STRONG, WEAK, level, 0) is Pattern.FIRST
    assert say(WEAK, STRONG, level, 0) is Pattern.SECOND
    assert say(STRONG, STRONG, level, 0) is Pattern.BOTH


def test_an_uneven_pair_of_whisters_shares_unevenly():
    assert say("♠AKQ7 ♣AKQ ♦AK7", "♠J98 ♣A87 ♦987 ♥A", 6, 0) \
        is Pattern.BOTH_FIRST_MORE
    assert say("♠J98 ♣A87 ♦987 ♥A", "♠AKQ7 ♣AKQ ♦AK7", 6, 0) is Pattern.BOTH_SECOND_MORE


def test_a_ten_is_whisted_on_trumps_alone():
    assert say(ACES, ACES, 10, 0) is Pattern.NOBODY
    assert say("♠A7 ♣987 ♦987 ♥98", WEAK, 10, 0) is Pattern.FIRST
    assert say(ACES, ACES, 10, 4) is Pattern.NOBODY


@pytest.mark.parametrize("strain", range(5))
def test_a_checked_ten_is_always_played(strain):
    assert LENINGRAD.ten == "checked"
    assert say(WEAK, WEAK, 10, strain, LENINGRAD) is Pattern.BOTH
    assert say(WEAK, WEAK, 10, strain, PLAIN) is Pattern.NOBODY


def test_stalingrad_makes_both_whist_on_six_spades_only():
    assert CLASSIC.stalingrad
    assert say(WEAK, WEAK, 6, 0, CLASSIC) is Pattern.BOTH
    assert say(WEAK, WEAK, 6, 1, CLASSIC) is Pattern.NOBODY
    assert say(WEAK, WEAK, 7, 0, CLASSIC) is Pattern.NOBODY
    strain = np.array([0, 1, 0])
    got = reply_pattern(np.zeros(3), np.zeros(3), 6, CLASSIC, strain)
    np.testing.assert_array_equal(got, [Pattern.BOTH, Pattern.NOBODY, Pattern.BOTH])


def test_who_sees_no_trick_passes():
    for level in LEVELS:
        assert say(WEAK, WEAK, level, 0, SOCHI) is Pattern.NOBODY


def test_the_second_goes_for_half_with_one_trick_on_six_where_it_is_allowed():
    one_trick = "♠987 ♣A87 ♦97 ♥97"
    assert say(WEAK, one_trick, 6, 0, SOCHI) is Pattern.HALF
    assert say(one_trick, WEAK, 6, 0, SOCHI) is Pattern.NOBODY
    assert say(WEAK, one_trick, 6, 0, PLAIN) is Pattern.NOBODY
    assert say(WEAK, one_trick, 8, 0, SOCHI) is Pattern.SECOND


def test_side_suits_are_capped_and_trusted_less_the_higher_the_contract():
    long_suit = np.array([parse_cards("♠7 ♣AKQJ1098 ♦87")], dtype=np.uint32)
    side, trump = defence_values(long_suit)
    assert side[0, 0] == SIDE_CAP
    assert trump[0, 1] > SIDE_CAP
    assert side[0, 4] == SIDE_CAP
    assert trump[0, 4] == 0
    values = [defence_value((side, trump), level)[0, 0] for level in LEVELS]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 0
    assert all(SIDE_FAITH[level] >= 0 for level in LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_whisting_is_monotone(level):
    """A stronger hand whists wherever a weaker one does."""
    strength = np.linspace(0, 4, 41)
    first, second = np.meshgrid(strength, strength, indexing="ij")
    pattern = reply_pattern(first, second, level, PLAIN)
    one = ~np.isin(pattern, [Pattern.NOBODY, Pattern.SECOND])
    two = ~np.isin(pattern, [Pattern.NOBODY, Pattern.FIRST])
    assert (np.diff(one.astype(int), axis=0) >= 0).all()
    assert (np.diff(two.astype(int), axis=1) >= 0).all()
    np.testing.assert_array_equal(one, first >= FIRST_NEEDS[level])
