"""Who whists: each by his own ten cards, where that beats passing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.habits import THRESHOLDS, WORTH_MEANS, habits, nearest
from advisor.advice.payoff import HALF_LEVELS, Pattern
from advisor.advice.replies import (
    SIDE_CAP,
    Outlook,
    defence_table,
    outlook_in,
    outlooks,
    reply_pattern,
)
from advisor.cards import parse_cards
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import convention_names, load_convention
from advisor.tricks.estimate import mean_step

SOCHI, LENINGRAD, CLASSIC = map(load_convention, ("sochi", "leningrad", "classic"))
PLAIN = replace(SOCHI, half_whist="off")
STRONG = "♠AKJ ♣AK8 ♦A87 ♥7"
TRUMPED = "♠AKJ ♣A8 ♦A8 ♥KJ9"
WEAK = "♠987 ♣987 ♦97 ♥97"


def mask(*hands: str) -> np.ndarray:
    return np.array([parse_cards(hand) for hand in hands], dtype=np.uint32)


def say(first: str, second: str, level: int, strain: int, convention=PLAIN) -> Pattern:
    one, two = (outlooks(mask(hand), 0)[level - 6][:, strain] for hand in (first, second))
    return Pattern(int(reply_pattern(one, two, level, convention, strain)[0]))


def look(*tricks: float) -> Outlook:
    return Outlook(np.array(tricks), np.array(tricks))


@pytest.mark.parametrize(("level", "strong"), [(6, STRONG), (7, STRONG), (8, TRUMPED)])
def test_obvious_hands(level, strong):
    assert say(WEAK, WEAK, level, 3) is Pattern.NOBODY
    assert say(strong, WEAK, level, 3) is Pattern.FIRST
    assert say(WEAK, strong, level, 3) is Pattern.SECOND


def test_a_defender_goes_by_the_talon_he_was_shown():
    """An ace or a trump that the declarer has taken makes a six likelier to be made."""
    shown = ["♠10 ♦8", "♣10 ♦8", "♣A ♦8", "♥108", "♥KQ", "♥A ♣A"]
    weak, queens, ace, low_trumps, trumps, both = (
        float(outlooks(mask(WEAK), mask(talon))[0].together[0, 3]) for talon in shown)
    assert weak == pytest.approx(queens, abs=1e-9)
    assert weak > ace > both
    assert weak > low_trumps > trumps > both
    unseen = float(outlooks(mask(WEAK), 0)[0].together[0, 3])
    assert weak > unseen + 0.2 > both + 1.0
    against_eight = [float(outlooks(mask(WEAK), mask(talon))[2].together[0, 3])
                     for talon in (shown[0], shown[-1])]
    assert against_eight[0] - against_eight[1] < 0.3 * (weak - both)


def test_two_strong_hands_share_as_they_are_strong():
    usual = habits(PLAIN)
    enough = float(max(usual.first[0, 0], usual.after_whist[0, 0])) + 1
    for one, two, pattern in ((2.0, 2.0, Pattern.BOTH), (3.0, 1.0, Pattern.BOTH_FIRST_MORE),
                              (1.0, 3.0, Pattern.BOTH_SECOND_MORE)):
        first, second = (Outlook(np.array([enough]), np.array([own])) for own in (one, two))
        assert reply_pattern(first, second, 6, PLAIN, 1)[0] == pattern


@pytest.mark.parametrize("strain", range(5))
def test_a_checked_ten_is_always_played(strain):
    assert LENINGRAD.ten == "checked"
    assert say(WEAK, WEAK, 10, strain, LENINGRAD) is Pattern.BOTH


def test_stalingrad_makes_both_whist_on_six_spades_only():
    assert CLASSIC.stalingrad
    assert say(WEAK, WEAK, 6, 0, CLASSIC) is Pattern.BOTH
    assert say(WEAK, WEAK, 6, 3, CLASSIC) is Pattern.NOBODY
    got = reply_pattern(look(0, 0, 0), look(0, 0, 0), 6, CLASSIC, np.array([0, 1, 0]))
    np.testing.assert_array_equal(got, [Pattern.BOTH, Pattern.NOBODY, Pattern.BOTH])


def test_a_half_whist_costs_nothing_and_is_said_where_it_is_allowed():
    """Two tricks' whists without play beat nothing: after a pass a weak hand goes for half."""
    for level in LEVELS:
        halves = say(WEAK, "♠A87 ♣987 ♦97 ♥97", level, 3, SOCHI) is Pattern.HALF
        assert halves == (level in HALF_LEVELS)


def test_the_whist_is_taken_back_and_given_up_by_the_first_only():
    usual = replace(habits(SOCHI), first=np.full((2, 5), 5.0), second=np.full((2, 5), 5.0),
                    half=np.full((2, 5), 1.0), take_back=np.full((2, 5), 4.0),
                    stand=np.full((2, 5), 6.0))
    second = look(2.0, 2.0, 0.5)
    said = reply_pattern(look(4.5, 3.0, 4.5), second, 6, SOCHI, 1, usual)
    np.testing.assert_array_equal(said, [Pattern.FIRST, Pattern.HALF, Pattern.NOBODY])
    never = replace(SOCHI, take_back="off")
    assert reply_pattern(look(4.5), look(2.0), 6, never, 1, usual)[0] == Pattern.HALF
    whister = look(5.5)
    assert reply_pattern(whister, look(0.0), 6, SOCHI, 1, usual)[0] == Pattern.FIRST
    assert reply_pattern(whister, look(0.0), 6, LENINGRAD, 1, usual)[0] == Pattern.FIRST_HALF
    assert reply_pattern(whister, look(0.0), 8, LENINGRAD, 1, usual)[0] == Pattern.FIRST


@pytest.mark.parametrize("level", LEVELS)
def test_whisting_is_monotone(level):
    """A stronger hand whists wherever a weaker one does."""
    strength = np.linspace(0, 6, 61)
    first, second = np.meshgrid(strength, strength, indexing="ij")
    pattern = reply_pattern(Outlook(first, first), Outlook(second, second), level, PLAIN, 1)
    one = ~np.isin(pattern, [Pattern.NOBODY, Pattern.SECOND])
    two = ~np.isin(pattern, [Pattern.NOBODY, Pattern.FIRST])
    assert (np.diff(one.astype(int), axis=0) >= 0).all()
    assert (np.diff(two.astype(int), axis=1) >= 0).all()
    np.testing.assert_array_equal(one, first >= habits(PLAIN).first[0, level - 6])


def test_what_a_defender_expects_grows_with_his_cards_and_falls_with_the_contract():
    weak, strong = (outlooks(mask(hand), 0)[0] for hand in (WEAK, STRONG))
    assert (strong.together[:, :4] > weak.together[:, :4] + 0.5).all()
    for hand in (WEAK, STRONG):
        expected = [float(one.together[0, 3]) for one in outlooks(mask(hand), 0)[:4]]
        assert expected == sorted(expected, reverse=True)
    trumps = outlooks(mask("♠K987 ♣87 ♦87 ♥87"), 0)[1].together[0]
    assert trumps[0] > trumps[3] + 0.5


def test_one_strain_is_a_column_of_all():
    hands = mask(STRONG, WEAK, "♠K987 ♣J8 ♦A7 ♥87", "♠7 ♣AKQJ1098 ♦87")
    talon = mask("♥K ♦10", "♠K ♠Q", "♣A ♦K", "♠8 ♣7")
    every = outlooks(hands, talon)[1]
    for strain in range(5):
        one = outlook_in(hands, talon, np.full(len(hands), strain), 7)
        np.testing.assert_allclose(one.together, every.together[:, strain])
        np.testing.assert_allclose(one.own, every.own[:, strain])
    assert every.own[3, 0] == SIDE_CAP


def test_the_defence_expects_about_what_the_level_leaves():
    """A random hand's four entries sum to near ten less the level, a little more or less."""
    rng = np.random.default_rng(1)
    deck = rng.permuted(np.tile(np.arange(32), (4000, 1)), axis=1)[:, :10].astype(np.uint32)
    hands = np.bitwise_or.reduce(np.uint32(1) << deck, axis=1)
    for level in (6, 7, 8, 9):
        mean = float(outlooks(hands, 0)[level - 6].together[:, :4].mean())
        assert abs(mean - (10 - level)) < 0.75, level
    assert defence_table().holding.shape == defence_table().talon.shape == (5, 3, 256)


def test_no_trump_is_asked_for_its_own_threshold():
    usual = replace(habits(PLAIN), first=np.repeat([[3.0], [4.0]], 5, axis=1),
                    second=np.full((2, 5), 9.0), after_whist=np.full((2, 5), 9.0))
    said = reply_pattern(look(3.5, 3.5, 4.5), look(0, 0, 0), 6, PLAIN, np.array([3, 4, 4]), usual)
    np.testing.assert_array_equal(said, [Pattern.FIRST, Pattern.NOBODY, Pattern.FIRST])
    np.testing.assert_array_equal(usual.needs("first", 6, np.array([0, 4])), [3.0, 4.0])


# --- the habits ---------------------------------------------------------------------------------

@pytest.mark.parametrize("name", convention_names())
def test_every_shipped_convention_has_habits(name):
    usual = habits(load_convention(name))
    assert nearest(load_convention(name)) == name
    for key in THRESHOLDS:
        assert getattr(usual, key).shape == (2, 5)
    assert (np.diff(usual.first[:, :3]) < 0).all()
    assert (usual.half <= usual.second + 1e-9).all()


@pytest.mark.parametrize("name", convention_names())
def test_naming_a_game_is_worth_more_the_more_tricks_are_expected(name):
    worth = habits(load_convention(name)).worth
    assert worth.shape == (2, 5, 201)
    points = worth[:, :, mean_step(WORTH_MEANS)]
    assert (np.diff(points[0, 1:4, 2:], axis=-1) > 0).all()
    # The more tricks the fewer who whist, and a six that nobody whists is worth no more for them.
    assert (np.diff(points[0, 0, 2:]) > -1.0).all()
    assert (np.diff(points[0, 0, 2:-6]) > 0).all()
    assert (np.diff(points[1, :4, 2:], axis=-1) > -1.0).all()
    for row, level in enumerate(LEVELS[:4]):
        sure = points[0, row, int((level + 1.5 - 3) * 2)] if level < 9 else points[0, row, -1]
        hopeless = points[0, row, int((level - 1.5 - 3) * 2)]
        assert sure > 0 > hopeless


def test_a_convention_of_ones_own_takes_the_nearest_habits():
    assert nearest(replace(SOCHI, name="house")) == "sochi"
    assert nearest(replace(LENINGRAD, name="house", exit_levels=(6,))) == "leningrad"
    assert nearest(replace(CLASSIC, name="sochi")) == "classic"
