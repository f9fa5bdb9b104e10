"""The command that asks whether the defenders' habits are best replies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.habits import Habits, habits
from advisor.advice.payoff import Pattern
from advisor.advice.replies import Outlook
from advisor.fitting.bought import Bought, bought_deals
from advisor.fitting.replies import played
from advisor.rules.conventions import load_convention
from advisor.sampling.fitted_bidder import FittedBidder
from advisor.tricks.holdings import NO_TRUMP
from benchmarks import whisters
from benchmarks.whisters import (
    EXPECTED,
    UNDERBIDS,
    Games,
    asked,
    by_expected,
    endings,
    explained,
    gain,
    judge,
    named_games,
    nets,
    regret,
    said,
    underbids,
)

SOCHI = load_convention("sochi")


@pytest.fixture(scope="module")
def bought() -> Bought:
    return bought_deals(SOCHI, 1500, np.random.default_rng(1), FittedBidder(SOCHI))


def flat(needs: float) -> Habits:
    """Everybody whists with as much; nobody goes half or comes back."""
    all_alike = np.full((2, 5), needs)
    return replace(habits(SOCHI), first=all_alike, second=all_alike, after_whist=all_alike,
                   half=all_alike, take_back=np.full((2, 5), 10.0))


def some(first: list[float], second: list[float], tricks: list[int]) -> Games:
    looks = tuple(Outlook(np.array(each), np.ones(len(each))) for each in (first, second))
    return Games(6, np.zeros(len(tricks), dtype=np.intp), (looks[0], looks[1]), np.array(tricks),
                 np.array(tricks, dtype=float), np.zeros(len(tricks)))


def test_games_are_those_named_and_are_solved(bought):
    usual = habits(SOCHI)
    games = named_games(bought, 6, usual, plain=False)
    strain, level = played(bought, usual)
    assert len(games) == ((strain != NO_TRUMP) & (level == 6)).sum()
    assert abs(games.tricks.mean() - games.mean.mean()) < 0.4
    higher = named_games(bought, 7, usual, plain=False, named_at=6)
    np.testing.assert_array_equal(higher.tricks, games.tricks)
    assert (higher.looks[0].together < games.looks[0].together).mean() > 0.9


def test_what_the_talon_tells_is_told_apart():
    """Own cards that say nothing, and a talon that says all."""
    games = some([4, 4, 3, 3], [4, 3, 4, 3], [5, 7, 6, 6])
    seen, unseen = (list(share) for share in zip(*[iter(explained(games))] * 2, strict=True))
    assert seen == unseen == pytest.approx([0.0, 0.5])
    told = np.array([2.0, 0.0, 1.0, 1.0])
    shown = tuple(Outlook(look.together + told, look.own) for look in games.looks)
    first, _, first_unseen, second_unseen = explained(replace(games, looks=shown, told=told))
    assert (first_unseen, second_unseen) == pytest.approx((0.0, 0.5))
    assert first == pytest.approx(2 / 3)


def test_questions_come_up_as_the_others_reply():
    games, usual = some([4, 3, 3, 3], [3, 4, 3, 4], [6, 6, 6, 5]), flat(3.5)
    assert asked(games, "first", usual).all()
    np.testing.assert_array_equal(asked(games, "after_whist", usual), [True, False, False, False])
    np.testing.assert_array_equal(asked(games, "second", usual), [False, True, True, True])
    np.testing.assert_array_equal(asked(games, "half", usual), [False, False, True, False])


def test_a_gain_is_the_difference_of_two_scores():
    """A lone whister of a six that is just made writes four tricks; nobody pays a shortfall."""
    games, usual = some([4, 3], [3, 3], [6, 8]), flat(3.5)
    np.testing.assert_array_equal(said(games, SOCHI, usual), [Pattern.FIRST, Pattern.NOBODY])
    for question, defender in (("first", 1), ("second", 2)):
        found = gain(games, question, SOCHI, usual)
        yes = Pattern.FIRST if question == "first" else Pattern.SECOND
        does = nets(games, np.full(2, yes, dtype=np.uint8), SOCHI)[:, defender]
        not_so = nets(games, np.zeros(2, dtype=np.uint8), SOCHI)[:, defender]
        if question == "second":  # the first whists the one game, so he is not asked there
            does, not_so, found = does[1:], not_so[1:], found[1:]
        np.testing.assert_allclose(found, does - not_so)
        assert found[-1] < 0


def test_regret_is_what_the_best_threshold_gains():
    values = np.tile(np.linspace(0, 4, 81), 20)
    gains = np.where(values > 2, 1.0, -1.0)
    assert regret(values, gains, 2.01) == pytest.approx((0.0, 0.0))
    assert regret(values, gains, 3.01)[0] == pytest.approx(0.25, abs=0.01)
    assert regret(values, gains, 0.0)[0] == pytest.approx(0.5, abs=0.01)
    noise = np.random.default_rng(1).normal(size=len(values))
    mean, error = regret(values, noise, 2.0)
    assert abs(mean) < 4 * error + 0.01


def test_endings_and_shares():
    games, usual = some([4, 4, 3, 4], [3, 4, 3, 3], [6, 7, 6, 5]), flat(3.5)
    whisted, short, over = endings(games, SOCHI, usual)
    assert whisted == 0.75
    assert short == pytest.approx(1 / 3)  # the pair owes four against a seven's three
    assert over[[9, 10, 11]] == pytest.approx([1 / 3] * 3)
    parts = list(by_expected(games, games, SOCHI, usual))
    assert len(parts) == len(EXPECTED) + 1
    assert sum(share for share, *_ in parts) == pytest.approx(1)


def test_whisters_shy_where_sixes_hide_sevens(bought):
    found = list(underbids(bought, SOCHI, habits(SOCHI)))
    assert [share for share, *_ in found] == list(UNDERBIDS)
    assert found[-1][1] < found[0][1]
    assert len({seven for *_, seven in found}) == 1


def test_the_report_tells_of_every_level(bought, monkeypatch, capsys):
    usual = habits(SOCHI)
    games = named_games(bought, 6, usual, plain=False)
    told = judge(games, "first", SOCHI, usual)
    assert told is not None
    assert 0 < told.says < 1
    assert told.now == usual.needs("first", 6, 0)
    assert judge(some([], [], []), "first", SOCHI, usual) is None
    monkeypatch.setattr(whisters, "MORE_PLAIN", 1)
    whisters.main(["--deals", "1500"])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("| 6 | ") for line in lines)
    assert any(line.startswith("| expected, named 7") for line in lines)
