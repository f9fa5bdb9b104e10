"""Scoring as arrays, against the ready table of rules.md 5.4 and against the scorer itself."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor.advice.payoff import PATTERNS, Pattern, paid_units, payoff
from advisor.cards import parse_cards
from advisor.rules.conventions import convention_names, load_convention

TABLE = Path(__file__).parent / "data" / "net_table.csv"
ALL = [(name, players) for name in convention_names() for players in (3, 4)]


def rows() -> list[dict[str, str]]:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


@pytest.mark.parametrize("row", rows(), ids=lambda r: "-".join(list(r.values())[:4]))
def test_ready_table(row):
    """Rules.md 5.4: a lone first defender takes all, the second passes."""
    convention, players = load_convention(row["convention"]), int(row["players"])
    if row["outcome"] == "made_free":
        convention = replace(convention, ten="checked")
    table = payoff(convention, players, 1)
    down = int(row["outcome"][4:]) if row["outcome"].startswith("down") else 0
    if row["level"] == "misere":
        got = table.misere[down]
    else:
        level = int(row["level"])
        pattern = Pattern.NOBODY if row["outcome"] == "not_whisted" else Pattern.FIRST
        got = table.games[0, level - 6, pattern, level - down]
    want = [float(row[role]) for role in ("declarer", "whister", "passer", "dealer") if row[role]]
    np.testing.assert_allclose(got, want, atol=0.0051)


@pytest.mark.parametrize(("name", "players"), ALL)
def test_every_row_sums_to_zero(name, players):
    table = payoff(load_convention(name), players, 2)
    assert table.games.shape == (4, 5, PATTERNS, 11, players)
    np.testing.assert_allclose(table.games.sum(axis=-1), 0, atol=1e-9)
    np.testing.assert_allclose(table.misere.sum(axis=-1), 0, atol=1e-9)
    inside = np.add.outer(np.arange(11), np.arange(11)) <= 10
    np.testing.assert_allclose(table.all_pass[0, inside].sum(axis=-1), 0, atol=1e-9)
    assert np.isnan(table.all_pass[0, ~inside]).all()


@pytest.mark.parametrize(("name", "players"), ALL)
def test_only_a_dealer_whose_talon_plays_takes_tricks(name, players):
    convention = load_convention(name)
    table = payoff(convention, players, 1).all_pass
    for dealer in (1, 2):
        inside = np.add.outer(np.arange(11), np.arange(11)) <= 10 - dealer
        if players == 4 and convention.all_pass_talon == "plays":
            np.testing.assert_allclose(table[dealer, inside].sum(axis=-1), 0, atol=1e-9)
            assert np.isnan(table[dealer, ~inside]).all()
        else:
            assert np.isnan(table[dealer]).all()


@pytest.mark.parametrize(("name", "players"), ALL)
def test_defenders_change_places_with_their_replies(name, players):
    games = payoff(load_convention(name), players, 1).games
    swapped = games[..., [0, 2, 1, *range(3, players)]]
    np.testing.assert_allclose(games[:, :, Pattern.FIRST], swapped[:, :, Pattern.SECOND])
    np.testing.assert_allclose(games[:, :4, Pattern.BOTH_FIRST_MORE, :10, 0],
                               games[:, :4, Pattern.BOTH_SECOND_MORE, :10, 0])


@pytest.mark.parametrize(("name", "players"), ALL)
def test_more_tricks_never_cost_the_declarer(name, players):
    table = payoff(load_convention(name), players, 1)
    assert (np.diff(table.games[..., 0], axis=-1) >= -1e-9).all()
    assert (np.diff(table.misere[:, 0]) < 0).all()


@pytest.mark.parametrize(("name", "level", "declarer", "second"), [
    ("sochi", 6, 40 / 3 - 4, 4 - 20 / 3),
    ("sochi", 7, 80 / 3 - 4, 4 - 40 / 3),
    ("leningrad", 6, 80 / 3 - 8, 8 - 40 / 3),
    ("leningrad", 7, 160 / 3 - 8, 8 - 80 / 3),
])
def test_half_whist(name, level, declarer, second):
    """Rules.md 3.4: half the duty at the normal price, without play."""
    games = payoff(load_convention(name), 3, 1).games
    for tricks in (0, 6, 10):
        got = games[0, level - 6, Pattern.HALF, tricks]
        assert got[[0, 2]] == pytest.approx([declarer, second])


def test_no_half_whist_above_seven_or_where_there_is_none():
    for name, levels in (("sochi", (8, 9, 10)), ("zhuk", (6, 7, 8, 9, 10))):
        games = payoff(load_convention(name), 3, 1).games
        for level in levels:
            np.testing.assert_array_equal(games[0, level - 6, Pattern.HALF],
                                          games[0, level - 6, Pattern.NOBODY])


def test_an_unwhisted_game_does_not_depend_on_tricks_but_a_checked_ten_does():
    sochi, leningrad = (payoff(load_convention(n), 3, 1).games for n in ("sochi", "leningrad"))
    assert np.ptp(sochi[:, :, Pattern.NOBODY], axis=2).max() == 0
    assert leningrad[0, 4, Pattern.NOBODY, 10, 0] == pytest.approx(400 / 3)
    assert leningrad[0, 4, Pattern.NOBODY, 9, 0] < 0


@pytest.mark.parametrize(("talon", "units"), [
    ("♠A ♥A", 3), ("♠AK", 2), ("♠A ♥K", 1), ("♣KQ", 1), ("♣K ♦Q", 0), ("♠7 ♥8", 0)])
def test_paid_units(talon, units):
    """Rules.md 4.5."""
    talons = np.array([parse_cards(talon), 0], dtype=np.uint32)
    np.testing.assert_array_equal(paid_units(talons), [units, 0])


@pytest.mark.parametrize(("name", "players", "unit"), [
    ("sochi", 3, [0, 0, 0]),
    ("leningrad", 3, [-12, 6, 6]),
    ("leningrad", 4, [-12, 0, 0, 12]),
    ("rostov", 3, [0, 0, 0]),
    ("rostov", 4, [-10, 0, 0, 10]),
    ("zhuk", 4, [-6, 0, 0, 6]),
])
def test_the_talon_is_paid_by_the_unit_whatever_happens(name, players, unit):
    """An eight: one trick's price a unit, or ten whists in Rostov."""
    games = payoff(load_convention(name), players, 1).games[:, 2]
    for units in range(4):
        more = games[units] - games[0]
        np.testing.assert_allclose(more, np.broadcast_to(np.array(unit) * units, more.shape),
                                   atol=1e-9)


def test_all_pass_prices_and_progression():
    """Rules.md 4.4; the zero in Sochi writes the price into the pool."""
    for number, price in ((1, 1), (2, 2), (3, 3), (7, 3)):
        table = payoff(load_convention("sochi"), 3, number).all_pass[0]
        assert table[2, 3, 0] == pytest.approx(-10 * price * (2 - 10 / 3))
        assert table[0, 4] == pytest.approx(np.array([40, -10, -30]) * price)


def test_tables_are_made_once():
    sochi = load_convention("sochi")
    assert payoff(sochi, 3, 1) is payoff(sochi, 3, 1)
    assert payoff(sochi, 3, 1) is not payoff(sochi, 4, 1)
