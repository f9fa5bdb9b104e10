"""Replies and declarations that answer one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.habits import THRESHOLDS, Habits, habits
from advisor.advice.naming import keep_ten
from advisor.advice.payoff import payoff
from advisor.advice.replies import outlook_in, reply_pattern
from advisor.cards import cards_of
from advisor.fitting import replies
from advisor.fitting.bought import Bought, bought_deals, may_be_plain
from advisor.fitting.defence import defence_tricks, fit_defence
from advisor.fitting.replies import (
    fitted_section,
    played,
    settle,
    start,
    threshold,
    write_habits,
)
from advisor.rules.conventions import load_convention
from advisor.sampling.bidder import GuideBidder
from advisor.sampling.fitted_bidder import FittedBidder
from advisor.tricks.fitted import distributions
from advisor.tricks.holdings import NO_TRUMP, suit_roles

SOCHI, ZHUK = map(load_convention, ("sochi", "zhuk"))


@pytest.fixture(scope="module")
def bought() -> Bought:
    return bought_deals(ZHUK, 40_000, np.random.default_rng(5), GuideBidder())


def test_a_threshold_stands_where_gains_begin():
    values = np.array([1.0, 1.5, 2.0, 2.5, 3.0])
    assert threshold(values, np.array([-1.0, -1.0, 1.0, 1.0, 1.0])) == pytest.approx(1.55)
    # A loss in between is put up with where more is gained below it.
    assert threshold(values, np.array([-1.0, 3.0, -1.0, 1.0, 1.0])) == pytest.approx(1.05)
    assert threshold(values, -np.ones(5)) > 3
    assert threshold(values, np.ones(5)) == pytest.approx(1.0)


def test_bought_deals_are_deals(bought):
    assert 0.3 < len(bought) / 40_000 < 0.8
    one, two = bought.defenders.T
    assert (np.bitwise_count(one) == 10).all()
    assert (one & two == 0).all()
    assert (bought.lowest(bought.trump) >= 6).all()
    assert (bought.first >= 0).all()
    assert bought.means[0].mean() > 6


def test_the_defenders_table_knows_an_ace(bought):
    """Of as many cards the higher are worth more; against a ten only trumps count."""
    strain, level = bought.trump, np.full(len(bought), 6)
    fitted = fit_defence(bought, strain, level)
    plain = fitted.holding
    assert fitted.held.sum() == 8 * len(bought)
    assert fitted.shown.sum() == 4 * len(bought)
    means = distributions() @ np.arange(11)
    assert defence_tricks(bought, strain == NO_TRUMP) == pytest.approx(
        10 - means[bought.cells[0]])
    for role in (0, 1):
        assert plain[0, role, 0b10000011] > plain[0, role, 0b111] + 0.1
        assert plain[0, role, 0b10000001] > plain[0, role, 0b11] + 0.1
    assert plain[-1, 1:].max() == 0
    by_rank = fitted.cards[0, 1]
    for row in range(4):  # a talon not shown adds what talons do on average: nothing
        flat, suits = fitted.cards[row].ravel(), suit_roles(strain)
        shown = [flat[suits[i, card // 8] * 8 + card % 8]
                 for i, talon in enumerate(bought.talon) for card in cards_of(int(talon))]
        assert abs(np.sum(shown)) < 1e-6 * len(bought)
    assert by_rank[7] < by_rank[0] - 0.3
    assert fitted.cards[0, 0].mean() < by_rank.mean()


def test_nobody_gains_by_another_threshold_of_his_own(bought):
    """An odd threshold scores less, on average over all deals, than the fitted one."""
    usual = replies.settle(bought, ZHUK)[0]
    for name, seat in (("first", 1), ("second", 2)):
        scores = []
        for shift in (-1.0, 0.0, 1.0):
            changed = replace(usual, **{name: getattr(usual, name) + shift})
            scores.append(score(bought, usual, changed, seat))
        assert scores[1] > max(scores[0], scores[2]) - 0.02, (name, scores)


def score(deals: Bought, declarers: Habits, defenders: Habits, role: int) -> float:
    strain, level = played(deals, declarers)
    plain = strain == NO_TRUMP
    chances = distributions()[deals.cells[plain.astype(int), np.arange(len(deals))]]
    net = np.zeros(len(deals))
    for row in range(5):
        where = level == row + 6
        some = deals[where]
        one, two = (outlook_in(some.defenders[:, i], some.talon, strain[where], row + 6)
                    for i in (0, 1))
        pattern = reply_pattern(one, two, row + 6, ZHUK, strain[where], defenders)
        pay = payoff(ZHUK, 3, 1).games[0, row, :, :, role]
        net[where] = (chances[where] * pay[pattern]).sum(axis=1)
    return float(net.mean())


def test_no_trump_has_thresholds_of_its_own(bought):
    """Both kinds of games move from where all begin, each by its own deals."""
    plain = bought_deals(ZHUK, 60_000, np.random.default_rng(6), FittedBidder(ZHUK),
                         near_plain=True)
    usual, begun = settle(bought, ZHUK, plain)[0], start(ZHUK)
    assert (np.abs(usual.first - begun.first)[:, 0] > 0.01).all()
    assert usual.first[0, 0] != usual.first[1, 0]


def test_deals_no_trump_may_suit_are_some_of_all():
    every = bought_deals(ZHUK, 5000, np.random.default_rng(2), GuideBidder())
    near = bought_deals(ZHUK, 5000, np.random.default_rng(2), GuideBidder(), near_plain=True)
    kept = every[may_be_plain(every.means)]
    assert 0 < len(near) < len(every) / 3
    np.testing.assert_array_equal(near.cards, kept.cards)
    np.testing.assert_array_equal(near.cells, kept.cells)


def test_declarers_keep_ten_of_their_twelve(bought):
    kept = bought.kept(bought.trump)
    assert (np.bitwise_count(kept) == 10).all()
    assert (kept & ~bought.cards == 0).all()
    for seat in range(3):
        mine = bought.seat == seat
        np.testing.assert_array_equal(
            kept[mine], keep_ten(bought.cards[mine], bought.trump[mine], seat == 0))


def test_a_fit_is_near_to_the_shipped_habits_and_repeats():
    one, two = (settle(bought_deals(ZHUK, 20_000, np.random.default_rng(7), GuideBidder()),
                       ZHUK)[0] for _ in range(2))
    for name in THRESHOLDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    shipped = habits(ZHUK)
    assert one.first[0, 1] == pytest.approx(shipped.first[0, 1], abs=0.5)
    assert one.second[0, 1] == pytest.approx(shipped.second[0, 1], abs=0.6)
    steps = slice(130, 171)
    np.testing.assert_allclose(one.worth[0, :2, steps], shipped.worth[0, :2, steps], atol=8)


def test_the_file_is_written_as_it_is_read(tmp_path):
    import tomllib

    write_habits(4000, 3, tmp_path, GuideBidder(), defence=False, names=("sochi",))
    told = tomllib.loads((tmp_path / "replies.toml").read_text(encoding="utf-8"))
    assert set(told["sochi"]) == {*THRESHOLDS, "worth", "moved"}
    again = tomllib.loads(fitted_section("sochi", 4000, 3, GuideBidder()))
    assert again["sochi"] == told["sochi"]
    assert np.shape(told["sochi"]["worth"]) == (2, 5, 15)
