"""Fitting the bidder: its smoothing, what a choice is worth, and that the fit can be repeated."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.habits import habits
from advisor.fitting import bidder_command, replies, settling
from advisor.fitting.bidder_command import fit_bidder, write_section
from advisor.fitting.self_play import (
    bought_at,
    draw_limits,
    first_gains,
    frequencies,
    net_of,
    new_game,
    reach_of,
    step,
)
from advisor.fitting.smoothing import rising, smooth
from advisor.fitting.table_deals import deal_table, joined, stored_deals
from advisor.rules.conventions import load_convention
from advisor.sampling.bid_shares import ENDS
from advisor.sampling.bidder import PASS_LIMIT
from advisor.sampling.bidding_tables import Gains, Situation, read_gains, situations

SOCHI, ROSTOV = load_convention("sochi"), load_convention("rostov")


# --- smoothing -----------------------------------------------------------------------------------


def test_a_straight_line_stays_and_is_continued():
    x = np.arange(12.0)
    weight = np.where((x > 2) & (x < 8), 50.0, 0.0)
    assert np.allclose(smooth(3 * x - 5, weight, bend=100.0), 3 * x - 5, atol=1e-4)


def test_noise_is_smoothed_and_neighbours_help(rng):
    x = np.arange(20.0)
    truth = np.stack([0.1 * x**2, 0.1 * x**2 + 1])
    weight = np.stack([np.full(20, 100.0), np.full(20, 1.0)])
    noisy = truth + rng.normal(size=truth.shape) * 10 / np.sqrt(weight)
    alone, helped = smooth(noisy, weight, 50.0), smooth(noisy, weight, 50.0, (50.0,))

    def error(found):
        return np.sqrt(np.mean((found[1] - truth[1]) ** 2))

    assert error(helped) < error(alone) < error(noisy)


def test_rising_leaves_what_rises_and_makes_the_rest_rise(rng):
    up = np.cumsum(rng.random((3, 15)), axis=1)
    assert np.array_equal(rising(up), up)
    rough = up + rng.normal(size=up.shape)
    made = rising(rough)
    assert np.diff(made, axis=-1).min() >= 0
    assert np.abs(made - rough).max() <= np.ptp(rough)


# --- what a choice is worth ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return deal_table(3, 0, 3000, solve=False)


@pytest.fixture(scope="module")
def game(table):
    return new_game(table, SOCHI, Situation(1, 6, 1), 1, habits(SOCHI))


def flat(game, declaring: float, defending: float):
    """The same game where to declare and to defend are worth the same on all deals."""
    games = np.full_like(game.values.games, defending)
    misere = np.full_like(game.values.misere, -2 * defending - 90)
    for seat in range(3):
        games[seat, ..., seat] = declaring
        misere[seat, ..., seat] = -90.0
    values = replace(game.values, games=games, misere=misere,
                     all_pass=np.zeros_like(game.values.all_pass))
    return replace(game, values=values)


def test_gains_are_those_of_a_game_of_known_value(game):
    """Nobody else bids: a six gains what declaring is worth; a level more is never asked for."""
    silent = [np.full(len(game.deals), PASS_LIMIT)] * 3
    found = step(flat(game, 10.0, -5.0), first_gains(6, 1.0), silent)
    assert np.allclose(found.levels[:, 0], 10.0, atol=0.01)
    assert np.allclose(found.levels[:, 1:], 0.0, atol=1e-6)
    assert np.allclose(found.misere, -90.0, atol=0.01)


def test_what_is_never_asked_for_gains_nothing(game):
    """Another always goes to ten spades: to pass or to lose the auction is the same."""
    ten = game.rules.order.calls[-5]
    limit = float(game.rules.order.places[ten])
    others = [np.full(len(game.deals), limit), *[np.full(len(game.deals), PASS_LIMIT)] * 2]
    bought = bought_at(game, others)
    assert np.all(bought.winner == 0)
    assert np.allclose(net_of(flat(game, 10.0, -5.0), bought, 1), -5.0)


def test_frequencies_are_shares_of_all_deals(game):
    limits = draw_limits(game, reach_of(game, first_gains(6, 1.0)))
    ends = frequencies(game, limits)
    assert list(ends) == list(ENDS)
    assert sum(ends.values()) == pytest.approx(1)
    silent = [np.full(len(game.deals), PASS_LIMIT)] * 3
    assert frequencies(game, silent)["all-pass"] == 1


def test_calls_follow_the_gains(game):
    eager = Gains(np.full_like(first_gains(6, 1.0).levels, -60.0), np.full((3, 17), -60.0))
    eager.levels[:, 0] = 60.0
    ends = frequencies(game, draw_limits(game, reach_of(game, eager)))
    assert ends["all-pass"] == ends["misère"] == 0


# --- deals ---------------------------------------------------------------------------------------


def test_deals_depend_on_the_seed_alone(tmp_path):
    one = stored_deals(tmp_path, 4, 2, size=6, threads=1)
    other = joined([deal_table(4, chunk, 6, threads=2) for chunk in (0, 1)])
    again = stored_deals(tmp_path, 4, 2, size=6)
    for name in ("hands", "talon", "misere"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert np.array_equal(getattr(one, name), getattr(again, name))
    together = np.bitwise_or.reduce(one.hands, axis=1) | one.talon
    assert np.all(together == 0xFFFFFFFF)


# --- the fit -------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch):
    """One round of habits and a few steps."""
    monkeypatch.setattr(settling, "EVERY", 1)
    monkeypatch.setattr(settling, "MOST", 3)
    monkeypatch.setattr(settling, "HABIT_DEALS", 3000)
    monkeypatch.setattr(settling, "PLAIN_DEALS", 3000)
    monkeypatch.setattr(replies, "ROUNDS", 2)
    monkeypatch.setattr(replies, "FEWEST", 20)
    monkeypatch.setattr(bidder_command, "ROUNDS", 1)


CHUNKS = 2


def fit(out, work, **more):
    return fit_bidder([ROSTOV], 40, 5, out, work, size=20, **more)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class Stopped(Exception):
    """Stands for Ctrl-C."""


def test_a_fit_is_repeated_by_its_seed_and_goes_on_where_it_stopped(short, tmp_path):
    one = fit(tmp_path / "one", tmp_path / "work1", threads=1)
    fit(tmp_path / "two", tmp_path / "work2", threads=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert sorted(contents(tmp_path / "one")) == ["replies.toml", "rostov.json"]

    def stop(steps: int, most: int) -> None:
        if steps == CHUNKS + 2:
            raise Stopped

    with pytest.raises(Stopped):
        fit(tmp_path / "three", tmp_path / "work3", progress=stop)
    assert not (tmp_path / "three").exists()
    seen = []
    fit(tmp_path / "three", tmp_path / "work3", progress=lambda *at: seen.append(at))
    assert contents(tmp_path / "three") == contents(tmp_path / "one")
    assert [at[0] for at in seen][CHUNKS] == CHUNKS + 3  # the first two were not made again
    (path, told), = one.items()
    assert json.loads(path.read_text(encoding="utf-8")) == told
    (place,), (gains,) = read_gains(path)
    assert place == situations(ROSTOV)[0]
    assert np.array_equal(gains.levels, np.array(told["situations"][0]["levels"]))


def test_a_section_replaces_its_own_only(tmp_path):
    path = tmp_path / "replies.toml"
    write_section("rostov", "[rostov]\nfirst = [1]", path, "x")
    write_section("sochi", "[sochi]\nfirst = [2]", path, "x")
    write_section("rostov", "[rostov]\nfirst = [3]", path, "y")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# y\n")
    assert text.endswith("\n\n[sochi]\nfirst = [2]\n\n[rostov]\nfirst = [3]\n")
