"""How the tricks of an all-pass are shared: the table, its fit, the deals behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor.advice.opponents import all_pass_net
from advisor.advice.payoff import payoff
from advisor.cards import DECK, parse_cards
from advisor.fitting import shares as fitting
from advisor.fitting.passed_deals import PassedDeals, play_chunk, played_deals
from advisor.rules.conventions import load_convention
from advisor.sampling.deals import draw_deals
from advisor.tricks.shares import MODES, ShareTable, expected, share_table

NONE = np.zeros(256)


def dealt(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random hands (n, 3) and talons, each card a mask, (n, 2)."""
    cards = np.uint32(1) << np.argsort(rng.random((n, 32)), axis=1).astype(np.uint32)
    hands = np.stack([np.bitwise_or.reduce(cards[:, at:at + 10], axis=1) for at in (0, 10, 20)], 1)
    return hands, cards[:, 30:]


@pytest.mark.parametrize("mode", MODES)
def test_shares_are_chances(mode) -> None:
    hands, turned = dealt(500, np.random.default_rng(1))
    shares = share_table().shares(hands, turned[:, 0] | turned[:, 1], mode)
    assert shares.shape == (500, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares.min() > 0


@pytest.mark.parametrize("tricks", [8, 9, 10])
def test_tricks_fall_in_all_ways(tricks: int) -> None:
    shares = np.random.default_rng(4).dirichlet([1, 1, 1], size=(3, 5))
    one = np.ones((11, 11))
    first, second = np.indices(one.shape)
    np.testing.assert_allclose(expected(shares, one, tricks), 1)
    np.testing.assert_allclose(expected(shares, first * one, tricks), tricks * shares[..., 0])
    np.testing.assert_allclose(expected(shares, first * second * one, tricks),
                               tricks * (tricks - 1) * shares[..., 0] * shares[..., 1])


def test_expected_worth_is_that_of_drawn_tricks() -> None:
    rng = np.random.default_rng(2)
    shares = np.array([[0.5, 0.3, 0.2], [0.05, 0.05, 0.9]])
    worth = rng.normal(size=(11, 11, 2))
    found = expected(shares, worth)
    assert found.shape == (2, 2)
    for row, share in enumerate(shares):
        drawn = rng.multinomial(10, share, size=40_000)
        values = worth[drawn[:, 0], drawn[:, 1]]
        error = values.std(axis=0) / 200
        assert (abs(found[row] - values.mean(axis=0)) < 5 * error).all()


def test_dealers_chances() -> None:
    chances = share_table().dealer_chances(
        np.array([parse_cards("♠7 ♥7"), parse_cards("♠A ♥A"), parse_cards("♠A ♥7")]))
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    low, high = share_table().dealer[[0, 7]]
    assert chances[0, 2] == pytest.approx(low**2)
    assert chances[1, 0] == pytest.approx((1 - high) ** 2)
    assert chances[2, 2] == pytest.approx(low * high)
    assert (np.diff(share_table().dealer) >= 0).all()


@pytest.mark.parametrize("name", ["sochi", "rostov", "leningrad"])
@pytest.mark.parametrize("players", [3, 4])
def test_what_one_wins_the_others_lose(name: str, players: int) -> None:
    convention = load_convention(name)
    table, mode = payoff(convention, players, 1), convention.all_pass_mode(players)
    deals = draw_deals(parse_cards("♠K97 ♣J98 ♦Q107 ♥8"), 0, 500, np.random.default_rng(3))
    each = [all_pass_net(replace(deals, seat=seat), table, mode) for seat in range(players)]
    np.testing.assert_allclose(np.sum(each, axis=0), 0, atol=1e-9)


def test_solved_tricks_count_where_they_are_given() -> None:
    convention = load_convention("sochi")
    table = payoff(convention, 3, 1)
    deals = draw_deals(parse_cards("♠K97 ♣J98 ♦Q107 ♥8"), 0, 231 * 4, np.random.default_rng(3))
    solved = np.full((*deals.weight.shape, 4), -1, dtype=np.int8)
    solved[0, 0] = (0, 4, 6, 0)
    net, plain = all_pass_net(deals, table, "suit_only", solved), all_pass_net(
        deals, table, "suit_only")
    assert net[0, 0] == table.all_pass[0, 0, 4, 0]
    assert np.array_equal(net.ravel()[1:], plain.ravel()[1:])


def test_the_fit_finds_the_table_behind_drawn_tricks() -> None:
    rng = np.random.default_rng(4)
    told = ShareTable(np.zeros(256), np.zeros(256), np.array([[0.2, 0, -0.2]] * 3), 1.2,
                      np.linspace(0.05, 0.9, 8))
    told.holding[[0b10000000, 0b1]] = 0.5, -0.5
    told.turned[0b10000000] = 0.6
    hands, turned = dealt(12_000, rng)
    mode = np.arange(12_000) % 3
    tricks = np.zeros((12_000, 4), dtype=np.int8)
    for number, name in enumerate(MODES):
        rows = mode == number
        shares = told.shares(hands[rows], turned[rows, 0] | turned[rows, 1], name)
        ranks = np.log2(turned[rows]).astype(int) & 7
        dealer = (rng.random(ranks.shape) < told.dealer[ranks]).sum(axis=1) * (name == "plays")
        tricks[rows, :3] = [rng.multinomial(10 - int(his), share)
                            for share, his in zip(shares, dealer, strict=True)]
        tricks[rows, 3] = dealer
    found = fitting.fit_shares(PassedDeals(hands, turned, mode.astype(np.int8), tricks))
    assert found.forced == pytest.approx(1.2, abs=0.05)
    np.testing.assert_allclose(found.place, told.place, atol=0.04)
    np.testing.assert_allclose(found.dealer, told.dealer, atol=0.06)
    assert found.holding[0b10000000] - found.holding[0b1] == pytest.approx(1.0, abs=0.2)
    assert found.turned[0b10000000] == pytest.approx(0.6, abs=0.25)


@pytest.fixture(scope="module")
def played() -> PassedDeals:
    """Deals the stored table was not fitted to."""
    return play_chunk(seed=99, chunk=0, size=150)


def test_the_stored_table_holds_on_fresh_deals(played: PassedDeals) -> None:
    """By thirds of expected tricks; sampling errors of the mean, nothing assumed of the model."""
    given = fitting.design(played)
    count = given.tricks.sum(axis=1)
    means = np.empty(given.tricks.shape)
    for number, mode in enumerate(MODES):
        rows = played.mode == number
        talon = played.turned[rows, 0] | played.turned[rows, 1]
        means[rows] = count[rows, None] * share_table().shares(played.hands[rows], talon, mode)
    for group in np.array_split(np.argsort(means.ravel()), 3):
        off = (means - given.tricks).ravel()[group]
        assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(group))
    tricks = played.tricks[played.mode == MODES.index("plays")]
    assert tricks[:, 3].max() > 0
    assert (played.tricks[played.mode != MODES.index("plays")][:, 3] == 0).all()
    assert (played.tricks.sum(axis=1) == 10).all()
    for row in played.hands:
        assert int(row[0] | row[1] | row[2]).bit_count() == 30
        assert int(row[0] | row[1] | row[2]) & ~DECK == 0


def test_open_cards_flatter_strong_hands(played: PassedDeals) -> None:
    """Why `auto` does not solve all-passes: with two aces one takes more tricks than that."""
    from advisor.tricks.all_pass import solve_all_pass

    found = []
    for number, mode in enumerate(MODES):
        rows = played.mode == number
        solved = solve_all_pass(played.hands[rows], 0, played.turned[rows], mode=mode)[:, :3]
        strong = np.bitwise_count(played.hands[rows] & np.uint32(0x80808080)) >= 2
        found.append((solved - played.tricks[rows][:, :3])[strong])
    off = np.concatenate(found)
    assert off.mean() < -3 * off.std() / np.sqrt(off.size)


def test_played_deals_are_kept_and_gone_on_with(tmp_path: Path, monkeypatch) -> None:
    from advisor.fitting import passed_deals

    told: list[tuple[int, int]] = []
    first = played_deals(tmp_path, 5, 2, 1, lambda done, total: told.append((done, total)), size=3)
    assert told == [(1, 2), (2, 2)]
    monkeypatch.setattr(passed_deals, "play_chunk", None)
    again = played_deals(tmp_path, 5, 2, 1, size=3)
    assert np.array_equal(first.tricks, again.tricks)
    assert len(first) == 6


def test_workers_play_the_same_deals(tmp_path: Path) -> None:
    alone = played_deals(tmp_path / "alone", 7, 2, 1, size=2)
    together = played_deals(tmp_path / "together", 7, 2, 2, size=2)
    for name in ("hands", "turned", "mode", "tricks"):
        assert np.array_equal(getattr(alone, name), getattr(together, name))


def test_a_table_is_written_and_read_back(tmp_path: Path, monkeypatch, played: PassedDeals) -> None:
    from advisor.tricks import shares

    path = tmp_path / "all_pass.csv"
    table = fitting.write_shares(played, path, "a command")
    text = path.read_text(encoding="utf-8")
    assert "# Command: a command." in text
    assert "Deals: 150" in text
    monkeypatch.setattr(shares, "data_path", lambda name: path)
    shares.share_table.cache_clear()
    try:
        again = shares.share_table()
    finally:
        shares.share_table.cache_clear()
    for name in ("holding", "turned", "place", "dealer"):
        np.testing.assert_allclose(getattr(again, name), getattr(table, name), atol=1e-4)
