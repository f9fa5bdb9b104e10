"""When another seat plays, or nobody does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.declaring import GAMES
from advisor.advice.habits import habits
from advisor.advice.naming import choose, named_levels
from advisor.advice.opponents import (
    WHISTS,
    OpponentGame,
    all_pass_net,
    opponent_game,
    opponent_misere,
    throw_holes,
)
from advisor.advice.payoff import payoff
from advisor.cards import parse_cards
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import load_convention
from advisor.sampling.deals import draw_deals

SOCHI = load_convention("sochi")
PLAIN = replace(SOCHI, half_whist="off")
TABLE = payoff(SOCHI, 3, 1)
MODE = SOCHI.all_pass_mode(3)
HAND = parse_cards("♠K97 ♣J98 ♦Q107 ♥8")
twelve = st.permutations(range(32)).map(lambda cards: sum(1 << c for c in cards[:12]))


def dealt(hand=HAND, n=2000, seat=0):
    return draw_deals(hand, seat, n, np.random.default_rng(5))


@given(twelve)
def test_a_misere_throws_two_cards(cards):
    kept = throw_holes(np.array([cards], dtype=np.uint32))[0]
    assert kept[0] & ~np.uint32(cards) == 0
    assert np.bitwise_count(kept[0]) == 10


def test_a_misere_throws_its_highest_holes():
    cards = np.array([parse_cards("♠79A ♣79JA ♦78 ♥789")], dtype=np.uint32)
    kept, away = throw_holes(cards)
    assert int(away[0]) == parse_cards("♠A ♣A")
    assert int(kept[0] | away[0]) == int(cards[0])


def test_the_level_is_at_least_what_was_bought():
    by_level = np.arange(6, 11)[:, None, None]
    hearts = OpponentGame(np.array([[3]]), by_level.astype(float), by_level.astype(np.uint8))
    levels = {"6S": 6, "6NT": 7, "7H": 7, "7NT": 8, "8S": 8, "8NT": 9, "10H": 10, "10NT": 10}
    for name, level in levels.items():
        first = np.full((1, 1), GAMES.index(parse_contract(name)))
        net, reply = hearts.at(first)
        assert net[0, 0] == reply[0, 0] == level, name


@pytest.mark.parametrize("declarer", [1, 2])
def test_opponent_game_pays_within_the_table(declarer):
    deals = dealt()
    game = opponent_game(deals, declarer, SOCHI, TABLE)
    role = 1 if declarer == 2 else 2
    assert (game.strain < 5).all()
    assert game.net.min() >= TABLE.games[..., role].min()
    assert game.net.max() <= TABLE.games[..., role].max()
    net, reply = game.at(np.zeros(deals.weight.shape, dtype=np.intp))
    assert net.shape == reply.shape == deals.weight.shape


def test_the_strong_whist_and_the_weak_do_not():
    strong = parse_cards("♠AKQ ♣AK7 ♦AK7 ♥7")
    weak = parse_cards("♠987 ♣987 ♦98 ♥98")
    for hand, share in ((strong, 1.0), (weak, 0.0)):
        game = opponent_game(dealt(hand), 1, PLAIN, payoff(PLAIN, 3, 1))
        assert (game.reply[0] == WHISTS).mean() == pytest.approx(share, abs=0.05)


def test_whether_a_seat_whists_does_not_depend_on_the_other_hidden_hand():
    """A first defender whists on his own cards and the talon; else only the game changes it."""
    deals = dealt(parse_cards("♠A97 ♣KQ98 ♦Q107"), 4000)
    game = opponent_game(deals, 2, PLAIN, payoff(PLAIN, 3, 1))
    usual = habits(PLAIN)
    named = choose(deals.hands[:, :, 2] | deals.talon[:, None], False, usual)
    levels = named_levels(named.strain, named.mean, usual)
    heard, both = 0, set()
    for talon in range(len(deals.talon)):
        for strain, row in np.ndindex(5, 5):
            for level in range(6, 11):
                where = (game.strain[talon] == strain) & (levels[row, talon] == level)
                said = (game.reply[row, talon] == WHISTS)[where]
                assert said.all() or not said.any()
                heard += len(said) > 1
                both.update(said.tolist())
    assert heard > 1000
    assert both == {True, False}


def test_their_misere_is_valued_only_where_it_is_played():
    deals = dealt()
    where = np.zeros(deals.weight.shape, dtype=bool)
    where[::3, ::2] = True
    net = opponent_misere(deals, 1, TABLE, where)
    assert np.isnan(net[~where]).all()
    assert (net[where] >= -100 / 3 - 1e-9).all()
    np.testing.assert_allclose(net[where], opponent_misere(deals, 1, TABLE, ~np.isnan(net))[where])


def test_an_all_pass_is_shared_out_among_three():
    deals = dealt()
    each = [all_pass_net(replace(deals, seat=seat), TABLE, MODE) for seat in range(3)]
    assert not np.isnan(each).any()
    np.testing.assert_allclose(np.sum(each, axis=0), 0, atol=1e-9)


def test_low_cards_are_good_and_high_cards_bad_in_an_all_pass():
    low = parse_cards("♠78910 ♣789 ♦78 ♥7")
    high = parse_cards("♠AKQJ ♣AKQ ♦AK ♥A")
    deals = dealt(low)
    assert all_pass_net(deals, TABLE, MODE).mean() > 20
    assert all_pass_net(dealt(high), TABLE, MODE).mean() < -40


def test_all_pass_does_not_mind_the_names_of_suits():
    deals = dealt()
    turned, swapped = (masks << np.uint32(8) | masks >> np.uint32(24)
                       for masks in (deals.hands, deals.talon))
    moved = replace(deals, hands=turned, talon=swapped)
    np.testing.assert_allclose(all_pass_net(deals, TABLE, MODE), all_pass_net(moved, TABLE, MODE))
