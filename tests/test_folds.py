"""Folds of the layouts: what a choice may be made on, and where it is used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.bidding import BidTable, drawn_limits, own_limits
from advisor.advice.declaring import Outcome
from advisor.advice.fitted import FittedGames
from advisor.advice.folds import (
    FOLDS,
    each_fold,
    fold_count,
    folds,
    halves,
    layouts_outside,
    outside,
)
from advisor.advice.known import decided_games
from advisor.advice.payoff import Pattern
from advisor.advice.statistics import weighted_mean
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.calls import parse_call
from advisor.sampling.deals import draw_deals, first_layouts
from advisor.sampling.fitted_bidder import default_bidder
from advisor.tricks.fitted import distributions

HAND = "♠AKQ9 ♣A8 ♦K107 ♥8"


def bid_table(n: int, hand: str = HAND) -> BidTable:
    record: HandRecord = parse_hand(hand)
    rng = np.random.default_rng(4)
    deals = draw_deals(record.cards, record.seat, n, rng)
    limits = drawn_limits(record, deals, default_bidder(record), rng)
    return BidTable(record, deals, limits, fitted=True)


def fitted(pairs: int) -> FittedGames:
    games = bid_table(231 * 2 * pairs).own
    assert isinstance(games, FittedGames)
    return games


def shuffled(games: FittedGames, columns: np.ndarray, rng: np.random.Generator) -> FittedGames:
    """The games with other tricks and replies on some layouts."""
    cells, pattern = games.cells.copy(), games.pattern.copy()
    cells[..., columns] = rng.integers(len(distributions()), size=cells[..., columns].shape)
    pattern[..., columns] = rng.integers(len(Pattern), size=pattern[..., columns].shape)
    return replace(games, cells=cells, pattern=pattern)


def test_mirrored_pairs_stay_together():
    np.testing.assert_array_equal(folds(8), [0, 0, 1, 1, 2, 2, 3, 3])
    np.testing.assert_array_equal(folds(2), [0, 0])
    np.testing.assert_array_equal(folds(6, 2), [0, 0, 1, 1, 0, 0])
    assert [fold_count(m) for m in (1, 2, 4, 6, 88)] == [1, 1, 2, 3, FOLDS]


@pytest.mark.parametrize("m", [2, 4, 10, 88])
def test_the_first_layouts_keep_their_folds(m):
    for k in range(2, m + 1, 2):
        np.testing.assert_array_equal(folds(k, fold_count(m)), folds(m)[:k])


def test_every_layout_is_in_one_fold():
    columns = [where for _, where in each_fold(20)]
    np.testing.assert_array_equal(np.sum(columns, axis=0), 1)


def test_outside_is_all_but_the_fold():
    sums = np.random.default_rng(1).random((5, 3, 2))
    np.testing.assert_allclose(outside(sums, 2), sums[[0, 1, 3, 4]].sum(axis=0))
    np.testing.assert_allclose(outside(sums, None), sums.sum(axis=0))
    np.testing.assert_array_equal(outside(sums[:1], 0), 0)
    assert (layouts_outside(20, 1), layouts_outside(20, None), layouts_outside(2, 0)) == (16, 20, 0)


def test_halves_part_no_pair():
    np.testing.assert_array_equal(halves((2, 8)), [[0, 0, 1, 1, 0, 0, 1, 1],
                                                   [1, 1, 0, 0, 1, 1, 0, 0]])
    np.testing.assert_array_equal(halves((4, 2))[:, 0], [0, 1, 0, 1])
    np.testing.assert_array_equal(halves((7, 10))[:, :4], halves((7, 4)))


def test_the_choice_for_a_fold_does_not_depend_on_its_layouts():
    games = fitted(pairs=5)
    rng = np.random.default_rng(9)
    game, discard = games.chosen_apart(0)
    assert game.shape == discard.shape == (5, 231)
    for fold, columns in each_fold(10):
        others = np.arange(5) != fold
        after, thrown = shuffled(games, columns, rng).chosen_apart(0)
        np.testing.assert_array_equal(after[fold], game[fold])
        np.testing.assert_array_equal(thrown[fold], discard[fold])
        assert (after[others] != game[others]).any()
        assert (thrown[others] != discard[others]).any()


def test_the_sums_outside_a_fold_are_those_of_its_layouts_left_out():
    """What is taken off the total is what the fold's layouts had added to it."""
    games = fitted(pairs=5)
    weighed = replace(games.deals, weight=np.random.default_rng(3).random((231, 10)) + 0.1)
    games = replace(games, deals=weighed)
    for fold, columns in each_fold(10):
        part = replace(weighed, hands=weighed.hands[:, ~columns],
                       weight=weighed.weight[:, ~columns])
        left = replace(games, deals=part, cells=games.cells[..., ~columns],
                       pattern=games.pattern[..., ~columns])
        np.testing.assert_allclose(games.pooled(fold), left.pooled(), atol=1e-12)
        np.testing.assert_allclose(games.pattern_share(fold), left.pattern_share(), atol=1e-12)


def test_a_single_pair_is_chosen_for_by_the_prior():
    games = fitted(pairs=1)
    np.testing.assert_allclose(games.pooled(0), games.prior, rtol=1e-12)
    other = shuffled(games, np.array([True, True]), np.random.default_rng(2))
    other = replace(other, pattern=games.pattern)
    for one, two in zip(games.chosen_apart(0), other.chosen_apart(0), strict=True):
        assert one.shape == (1, 231)
        np.testing.assert_array_equal(one, two)


def test_with_all_layouts_alike_every_fold_chooses_the_same():
    games = fitted(pairs=3)
    games = replace(games, cells=np.repeat(games.cells[..., :1], 6, axis=3),
                    pattern=np.repeat(games.pattern[..., :1], 6, axis=2))
    for chosen in games.chosen_apart(0):
        np.testing.assert_array_equal(chosen, chosen[:1].repeat(3, axis=0))


@pytest.mark.parametrize("k", [2, 4, 8, 10])
def test_the_first_layouts_solved_keep_what_all_layouts_chose(k):
    """Some folds may have no layout among the first; none changes hands."""
    games = fitted(pairs=5)
    tricks = np.random.default_rng(6).integers(11, size=(*games.away.shape, k)).astype(np.int8)
    part = decided_games(games, tricks)
    whole, first = games.apart(0), part.apart(0)
    np.testing.assert_array_equal(whole.game, first.game)
    np.testing.assert_array_equal(whole.away, first.away)
    talon, fold = np.arange(231)[:, None], folds(10)[:k]
    _, discard = games.chosen_apart(0)
    game, place = whole.game[fold].T, discard[fold].T
    taken = tricks[talon, game % 5, place, np.arange(k)]
    np.testing.assert_array_equal(first.tricks, taken)
    np.testing.assert_array_equal(first.made, taken >= game // 5 + 6)
    *apart, together = part.played_from(0)
    for use in apart:
        for whole_rows, row in ((game, use.game), (place, use.discard)):
            np.testing.assert_array_equal(whole_rows[:, use.columns], np.repeat(
                row[:, None], use.columns.sum(), axis=1))
    for row, choice in zip((together.game, together.discard), games.chosen_together(0),
                           strict=True):
        np.testing.assert_array_equal(row, choice[0])
    assert together.columns.all()
    np.testing.assert_allclose(sum(use.part * use.columns for use in (*apart, together)), 1)
    both = decided_games(games, tricks).outcome(0)
    np.testing.assert_allclose(both.net, (part.apart(0).net + part.together(0).net) / 2)


def test_where_the_talon_is_left_the_first_layouts_are_those_of_all():
    games = fitted(pairs=5)
    tricks = np.zeros((*games.away.shape, 4), dtype=np.int8)
    hand = parse_hand(HAND).cards
    whole: Outcome = games.without_talon(hand, 0)
    first = decided_games(games, tricks).without_talon(hand, 0)
    np.testing.assert_array_equal(first.net, whole.net[:, :4])
    np.testing.assert_array_equal(first.game, whole.game)


@pytest.mark.parametrize("pairs", [1, 2, 20])
def test_a_call_played_out_counts_every_deal_it_declares_once(pairs):
    table = bid_table(231 * 2 * pairs)
    played = table.play(parse_call("6S"), own_limits(table))
    assert sum(played.ends.values()) == pytest.approx(1)
    declares = weighted_mean((~np.isnan(played.made)).astype(np.float64), table.deals)
    assert sum(played.thrown.values()) == pytest.approx(declares)


def test_first_layouts_of_a_table_buy_as_all_do():
    table = bid_table(231 * 12)
    limit, call = own_limits(table), parse_call("6S")
    part = BidTable(table.record, first_layouts(table.deals, 6),
                    {seat: one[:, :6] for seat, one in table.limits.items()}, fitted=True)
    whole, first = table.purchase(call, limit), part.purchase(call, limit)
    np.testing.assert_array_equal(whole.winner[:, :6], first.winner)
    np.testing.assert_array_equal(whole.place[:, :6], first.place)
