"""What a declarer of twelve cards throws and names."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.advice.declared import declared_net
from advisor.advice.habits import habits
from advisor.advice.naming import (
    NO_TRUMP,
    ODD_NAMES,
    best_means,
    choose,
    keep_ten,
    named_levels,
    naming_chance,
)
from advisor.advice.payoff import payoff
from advisor.cards import cards_of, format_cards, parse_cards
from advisor.rules.conventions import load_convention
from advisor.tricks.holdings import holding_means

SOCHI = load_convention("sochi")
USUAL = habits(SOCHI)
twelve = st.permutations(range(32)).map(lambda cards: sum(1 << c for c in cards[:12]))


def mask(cards: str | int) -> np.ndarray:
    return np.array([parse_cards(cards) if isinstance(cards, str) else cards], dtype=np.uint32)


def thrown(text: str, strain: int) -> str:
    cards = mask(text)
    return format_cards(int((cards ^ keep_ten(cards, strain, False))[0]))


def low_discards(cards: int) -> list[int]:
    """The pairs of cards that take only the lowest of their suits."""
    pairs = []
    for one, two in combinations(cards_of(cards), 2):
        away = 1 << one | 1 << two
        lower = [c for c in cards_of(cards & ~away)
                 if any(c // 8 == gone // 8 and c < gone for gone in (one, two))]
        if not lower:
            pairs.append(away)
    return pairs


@settings(max_examples=60, deadline=None)
@given(twelve, st.booleans())
def test_the_discard_is_the_best_of_all_low_ones(cards, on_lead):
    """Against trying every pair in every strain with the coarse table."""
    kept = np.array([cards ^ away for away in low_discards(cards)], dtype=np.uint32)
    tried = holding_means(kept, on_lead)
    means = best_means(mask(cards), on_lead)[0]
    np.testing.assert_allclose(means, tried.max(axis=0), atol=1e-9)
    for strain in range(5):
        mine = keep_ten(mask(cards), strain, on_lead)
        assert np.bitwise_count(mine[0]) == 10
        assert mine[0] & ~np.uint32(cards) == 0
        assert holding_means(mine, on_lead)[0, strain] == pytest.approx(means[strain])


def test_plain_losers_go_and_trumps_stay():
    assert thrown("♠AKQ1087 ♣AKQ ♦8 ♥A9", 0) == "D8 H9"
    assert thrown("♠AKQJ109 ♣AKQ8 ♦7 ♥8", 0) in ("D7 H8", "C8 D7", "C8 H8")


def test_the_best_suit_is_named_and_solid_no_trump_high():
    assert choose(mask("♠A10987 ♣K7 ♥AKQJ10"), False, USUAL).strain[0] == 3
    solid = choose(mask("♠AKQJ ♣AKQJ ♦AK ♥AK"), True, USUAL)
    assert named_levels(solid.strain, solid.mean, USUAL)[0, 0] >= 9


def test_the_level_follows_the_tricks_expected():
    means = np.arange(3.0, 10.01, 0.05)
    for strain in (0, NO_TRUMP):
        levels = named_levels(np.full(len(means), strain), means, USUAL)
        assert levels.shape == (5, len(means))
        assert levels[0, 0] == 6
        assert levels[0, -1] >= 9
        assert (np.diff(levels, axis=1) >= 0).all()
        assert (np.diff(levels, axis=0) >= 0).all()
        assert (levels >= np.arange(6, 11)[:, None]).all()
        # Nobody names what he expects to miss by a trick.
        assert (levels[0] <= np.maximum(means + 0.7, 6)).all()


@settings(max_examples=30, deadline=None)
@given(twelve, st.integers(0, 24))
def test_the_chances_of_naming_sum_to_one_and_none_is_zero(cards, first):
    chances = [naming_chance(mask(cards), game, first, False, USUAL)[0]
               for game in range(first, 25)]
    assert sum(chances) == pytest.approx(1)
    assert min(chances) >= ODD_NAMES / (25 - first) - 1e-12


def test_who_has_the_cards_names_the_game():
    hearts = mask("♠A7 ♣87 ♥AKQJ10987")
    assert choose(hearts, False, USUAL).strain[0] == 3
    named = [float(naming_chance(hearts, game, 0, False, USUAL)[0]) for game in range(25)]
    assert np.argmax(named) in (5 * 2 + 3, 5 * 3 + 3)
    assert sum(named[3::5]) > 0.95


# --- declared_net -------------------------------------------------------------------------------

def dealt(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    cards = np.uint32(1) << rng.permuted(np.tile(np.arange(32), (n, 1)), axis=1).astype(np.uint32)
    hands = np.stack([np.bitwise_or.reduce(cards[:, a : a + 10], axis=1) for a in (0, 10, 20)], 1)
    return hands, cards[:, 30] | cards[:, 31]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["sochi", "leningrad"])
def test_a_deal_is_worth_nothing_to_the_table_as_a_whole(name, players):
    hands, talon = dealt(400)
    for declarer in range(3):
        net = declared_net(hands, talon, declarer, load_convention(name), players)
        assert net.shape == (5, 400, players)
        np.testing.assert_allclose(net.sum(axis=-1), 0, atol=1e-9)
        assert (net[:, :, declarer].mean(axis=1)[1:] < net[0, :, declarer].mean()).all()


def test_a_certain_ten_that_nobody_whists_or_loses_is_worth_its_pool():
    convention = replace(SOCHI, ten="checked")
    hands = np.array([[parse_cards(hand) for hand in (
        "♠AKQJ10987 ♣AK", "♣QJ1098 ♦KQJ109", "♣7 ♦87 ♥QJ10987 ♥K")]], dtype=np.uint32)
    talon = mask("♦A ♥A")
    net = declared_net(hands, talon, 0, convention)
    assert net[4, 0, 0] == pytest.approx(float(payoff(convention, 3, 1).games[0, 4, 0, 10, 0]),
                                         abs=1.0)


def test_blocks_do_not_matter(monkeypatch):
    from advisor.advice import declared

    hands, talon = dealt(50)
    whole = declared_net(hands, talon, 1, SOCHI)
    monkeypatch.setattr(declared, "BLOCK", 7)
    np.testing.assert_allclose(declared_net(hands, talon, 1, SOCHI), whole)
