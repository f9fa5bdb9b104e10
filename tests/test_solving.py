"""Solving the sampled deals: what is solved, in which order, and what an interruption leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import advisor.tricks.all_pass as all_pass_module
from advisor.advice import bidding, solving
from advisor.advice.bidding import PASS_LIMIT, BidTable, drawn_limits, play_all, rank
from advisor.advice.blocks import take, take_rows
from advisor.advice.decide import EXACT_DEALS, advise, default_deals, sample_deals
from advisor.advice.declaring import twelve_cards
from advisor.advice.discarding import declare_options
from advisor.advice.fitted import coarse_games
from advisor.advice.guide_games import GuideGames, own_games
from advisor.advice.habits import habits
from advisor.advice.naming import choose
from advisor.advice.opponents import throw_holes
from advisor.advice.payoff import payoff
from advisor.advice.playout import NOBODY
from advisor.advice.results import Advice
from advisor.advice.solving import (
    MISERE_DISCARDS,
    SCREEN,
    SCREEN_DECLARE,
    UNSOLVED,
    Plan,
    plan_bids,
    plan_declaration,
    screened,
    solve_plan,
)
from advisor.cards import parse_cards
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.calls import MISERE_CALL
from advisor.rules.contracts import MISERE
from advisor.rules.conventions import load_convention
from advisor.sampling.bidder import GuideBidder, game_places
from advisor.sampling.deals import Deals, draw_deals
from advisor.sampling.fitted_bidder import default_bidder
from advisor.tricks.solver import solve_all_pass, solve_deals

HAND = "♠AKQ9 ♣A8 ♦K107 ♥8"
MISERE_HAND = "♠79J ♣78Q ♦78 ♥79"


def record(hand: str, **fields: str) -> HandRecord:
    return parse_hand(overrides={"hand": hand}
                      | {key.replace("_", "-"): value for key, value in fields.items()})


RECORDS = {
    "first hand": record(HAND),
    "third hand": record("♠K97 ♣J98 ♦Q107 ♥8", auction="pass pass", convention="rostov"),
    "after a six": record(MISERE_HAND, seat="2", auction="6S"),
    "hold": record(HAND, auction="6S pass 6C"),
    "they play misere": record("♠A97 ♣KQ98 ♦Q107", auction="misere"),
    "four players": record("♠J97 ♣J98 ♦Q107 ♥8", seat="2", auction="pass", players="4"),
}
DECLARING = record(HAND, talon="♠7 ♥A")
MISERE_TAKEN = record(MISERE_HAND, talon="♠A ♦A", auction="misere pass pass")


@dataclass(frozen=True)
class Question:
    """A record with its deals, as `advise` prepares them."""

    record: HandRecord
    deals: Deals
    limits: dict[int, np.ndarray]
    games: GuideGames
    plan: Plan


def question(rec: HandRecord, n: int = 120, seed: int = 1) -> Question:
    rng = np.random.default_rng(seed)
    deals = sample_deals(rec, n, rng)
    table = payoff(rec.convention, rec.players, rec.all_passes + 1)
    games = coarse_games(rec.cards, own_games(rec.cards, deals, rec.convention, table))
    if rec.declares:
        known = None if rec.contracts == (MISERE,) else games
        return Question(rec, deals, {}, games, plan_declaration(rec, deals, known))
    limits = drawn_limits(rec, deals, GuideBidder(), rng)
    return Question(rec, deals, limits, games, plan_bids(rec, deals, games, limits))


def stop_after(blocks: int):
    """A progress callback that presses Ctrl-C."""
    seen: list[int] = []

    def progress(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) == blocks:
            raise KeyboardInterrupt

    return progress


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(solving, "BLOCK_ROWS", 200)


# --- the plan ---------------------------------------------------------------------------------

@pytest.mark.parametrize("widths", [SCREEN, SCREEN_DECLARE, (4, 2, 1, 1, 1)])
def test_the_screen_takes_the_coarse_tables_best(widths):
    asked = question(RECORDS["first hand"])
    away = screened(asked.games, widths)
    _, every = twelve_cards(asked.record.cards, asked.deals.talon)
    value = asked.games.expected()
    by_strain = value.reshape(5, 5, len(away), 66).max(axis=0)
    assert away.shape == (len(asked.deals.talon), 5, max(widths))
    for t, talon in enumerate(away):
        assert sorted(np.count_nonzero(talon, axis=1), reverse=True) == sorted(widths)[::-1]
        favourite = by_strain[:, t].max(axis=1).argmax()
        assert np.count_nonzero(talon[favourite]) == widths[0]
        for strain, row in enumerate(talon):
            kept = row[row > 0]
            assert (row[: len(kept)] > 0).all()
            assert set(kept) <= set(every[t])
            values = [by_strain[strain, t, list(every[t]).index(mask)] for mask in kept]
            assert values == sorted(by_strain[strain, t])[::-1][: len(kept)]


@pytest.mark.parametrize("rec", RECORDS.values(), ids=RECORDS.keys())
def test_others_are_planned_where_they_would_bid(rec):
    asked = question(rec)
    order = rec.auction.rules.order
    opening = game_places(order)[rec.auction.rules.min_level - 6].min()
    drawn = np.stack([asked.limits[seat] for seat in asked.deals.hidden])
    plan = asked.plan
    assert not (plan.may_declare & plan.may_misere).any()
    np.testing.assert_array_equal(plan.may_declare | plan.may_misere, drawn >= opening)
    assert (drawn[plan.may_misere] == order.places[MISERE_CALL]).all()
    bids = (plan.may_declare | plan.may_misere).any(axis=0)
    if rec.auction.last_call is None:
        np.testing.assert_array_equal(plan.may_pass, ~bids)
    else:
        assert not plan.may_pass.any()
    for i, seat in enumerate(asked.deals.hidden):
        if (asked.limits[seat] == PASS_LIMIT).all():
            assert not (plan.may_declare | plan.may_misere)[i].any()


@pytest.mark.parametrize("rec", RECORDS.values(), ids=RECORDS.keys())
def test_every_deal_an_option_ends_in_is_solved(rec, monkeypatch):
    asked = question(rec)
    bought = []
    real = bidding.BidTable._everywhere

    def noted(table, cells):
        bought.append(real(table, cells))
        return bought[-1]

    monkeypatch.setattr(bidding.BidTable, "_everywhere", noted)
    deals, solved, rows, _ = solve_plan(rec, asked.deals, asked.plan, np.random.default_rng(1))
    limits = {seat: take_rows(limit, rows) for seat, limit in asked.limits.items()}
    play_all(BidTable(rec, deals, limits, solved))
    assert bought
    misere = rec.auction.rules.order.places[MISERE_CALL]
    for purchase in bought:
        assert (solved.all_pass[purchase.winner == NOBODY, 0] != UNSOLVED).all()
        for i, seat in enumerate(deals.hidden):
            wins = purchase.winner == seat
            plays_misere = wins & (purchase.place == misere)
            assert (solved.their_misere[i][plays_misere] != UNSOLVED).all()
            assert (solved.theirs[i][wins & ~plays_misere] != UNSOLVED).all()


def test_misere_is_solved_only_where_it_is_hopeful():
    assert question(record("♠AKQJ109 ♣AK ♦AK")).plan.misere_away.shape[1] == 0
    hopeful = question(RECORDS["after a six"]).plan.misere_away
    assert hopeful.shape[1] == MISERE_DISCARDS
    assert (np.bitwise_count(hopeful) == 2).all()


def test_a_declaration_solves_nothing_but_its_own_games():
    games, misere = question(DECLARING).plan, question(MISERE_TAKEN).plan
    assert games.away.shape == (1, 5, max(SCREEN_DECLARE))
    assert games.misere_away.size == 0
    assert misere.away.size == 0
    assert misere.misere_away.shape == (1, 2 * MISERE_DISCARDS)
    for plan in (games, misere):
        assert not np.any([plan.may_declare, plan.may_misere])
        assert not plan.may_pass.any()


def test_default_numbers_of_deals():
    assert default_deals("exact", RECORDS["first hand"]) == EXACT_DEALS
    assert default_deals("exact", DECLARING) < default_deals("guide", DECLARING)


# --- blocks -----------------------------------------------------------------------------------

def test_blocks_take_every_talon_once_in_random_order(small_blocks):
    asked = question(RECORDS["first hand"], n=924)
    blocks = list(solving._blocks(asked.deals, asked.plan, np.random.default_rng(5)))
    order = np.concatenate(blocks)
    assert len(blocks) > 10
    assert sorted(order) == list(range(231))
    assert abs(np.corrcoef(order, np.arange(231))[0, 1]) < 0.3
    again = list(solving._blocks(asked.deals, asked.plan, np.random.default_rng(5)))
    np.testing.assert_array_equal(order, np.concatenate(again))


def test_blocks_of_one_talon_are_pairs_as_drawn(small_blocks):
    asked = question(DECLARING)
    blocks = list(solving._blocks(asked.deals, asked.plan, np.random.default_rng(5)))
    assert len(blocks) > 3
    assert all(len(block) % 2 == 0 for block in blocks)
    np.testing.assert_array_equal(np.concatenate(blocks), np.arange(asked.deals.count))


def test_take_cuts_talons_or_layouts():
    many, one = question(RECORDS["hold"], n=924).deals, question(DECLARING).deals
    rows = np.array([7, 3, 200])
    part = take(many, rows)
    np.testing.assert_array_equal(part.talon, many.talon[rows])
    np.testing.assert_array_equal(part.hands, many.hands[rows])
    np.testing.assert_array_equal(part.weight, many.weight[rows])
    assert (part.all_talons, part.seat, part.pool_ess) == (231, many.seat, many.pool_ess)
    part = take(one, np.arange(10))
    np.testing.assert_array_equal(part.hands, one.hands[:, :10])
    np.testing.assert_array_equal(part.weight, one.weight[:, :10])
    every = replace(one, exhaustive=True)
    assert not take(every, np.arange(10)).exhaustive
    assert take(every, np.arange(one.count)).exhaustive


@pytest.mark.parametrize("rec", [RECORDS["first hand"], DECLARING, MISERE_TAKEN])
def test_blocks_do_not_change_the_answer(rec, monkeypatch):
    whole = advise(rec, deals=120, evaluator="exact")
    monkeypatch.setattr(solving, "BLOCK_ROWS", 100)
    pieces = advise(rec, deals=120, evaluator="exact")
    assert whole.options == pieces.options


# --- what is solved ---------------------------------------------------------------------------

@pytest.mark.parametrize("rec", RECORDS.values(), ids=RECORDS.keys())
def test_solved_tricks_are_those_of_the_deal(rec):
    """Each deal put to the solver once more, seat by seat: the first hand leads."""
    asked = question(rec)
    deals, solved, _, complete = solve_plan(rec, asked.deals, asked.plan, np.random.default_rng(1))
    assert complete
    rng = np.random.default_rng(2)
    for _ in range(25):
        t, j = (int(rng.integers(n)) for n in deals.weight.shape)
        hands, talon = [int(h) for h in deals.hands[t, j]], int(deals.talon[t])
        strain = int(rng.integers(5))
        away = int(solved.away[t, strain, 0])
        kept = (hands[rec.seat] | talon) ^ away
        assert solved.own[t, strain, 0, j] == tricks_of(hands, rec.seat, kept, strain)
        for i, seat in enumerate(deals.hidden):
            taken = np.array([hands[seat] | talon], dtype=np.uint32)
            if asked.plan.may_declare[i].any() and solved.theirs[i, t, j] != UNSOLVED:
                named = choose(taken, seat == 0, habits(rec.convention))
                assert solved.theirs[i, t, j] == tricks_of(
                    hands, seat, int(named.kept[0]), int(named.strain[0]))
            if solved.their_misere[i, t, j] != UNSOLVED:
                kept, _ = throw_holes(taken)
                assert solved.their_misere[i, t, j] == tricks_of(
                    hands, seat, int(kept[0]), 4, misere=True)
        for place, mask in enumerate(solved.misere_away[t]):
            kept = (hands[rec.seat] | talon) ^ int(mask)
            assert solved.misere[t, place, j] == tricks_of(hands, rec.seat, kept, 4, misere=True)


def tricks_of(hands, declarer: int, kept: int, strain: int, *, misere: bool = False) -> int:
    seats = [(declarer + k) % 3 for k in range(3)]
    row = [kept if seat == declarer else hands[seat] for seat in seats]
    return int(solve_deals([row], strain, seats.index(0), misere=misere)[0])


def test_unsolved_is_what_was_not_planned():
    asked = question(RECORDS["first hand"])
    deals, solved, rows, _ = solve_plan(asked.record, asked.deals, asked.plan,
                                        np.random.default_rng(1))
    np.testing.assert_array_equal(rows, np.arange(len(deals.talon)))
    np.testing.assert_array_equal(solved.own[..., 0] == UNSOLVED, solved.away == 0)
    np.testing.assert_array_equal(solved.theirs == UNSOLVED, ~asked.plan.may_declare)
    np.testing.assert_array_equal(solved.their_misere == UNSOLVED, ~asked.plan.may_misere)
    np.testing.assert_array_equal(solved.all_pass[..., 0] == UNSOLVED, ~asked.plan.may_pass)


@pytest.mark.parametrize(("convention", "players", "mode"), [
    ("sochi", "3", "suit_only"), ("sochi", "4", "plays"), ("rostov", "3", "closed"),
    ("rostov", "4", "closed")])
def test_the_talon_of_an_all_pass(convention, players, mode, monkeypatch):
    modes = []

    def spy(*args, **options):
        modes.append(options["mode"])
        return solve_all_pass(*args, **options)

    monkeypatch.setattr(all_pass_module, "solve_all_pass", spy)
    rec = record("♠J97 ♣J98 ♦Q107 ♥8", seat="3", auction="pass pass", convention=convention,
                 players=players)
    asked = question(rec)
    deals, solved, _, _ = solve_plan(rec, asked.deals, asked.plan, np.random.default_rng(1))
    assert set(modes) == {mode}
    tricks = solved.all_pass
    assert asked.plan.may_pass.all()
    assert (tricks.sum(axis=-1) == 10).all()
    dealer = tricks[..., 3]
    assert dealer.max() <= 2
    assert (dealer > 0).any() == (mode == "plays")
    nobody = bidding.BidTable(rec, deals, asked.limits, solved).nobody
    assert np.isfinite(nobody).all()


# --- interruption -----------------------------------------------------------------------------

@pytest.mark.parametrize("rec", [RECORDS["first hand"], RECORDS["after a six"]])
def test_an_interrupted_bid_is_that_of_the_talons_solved(rec, small_blocks):
    whole = advise(rec, deals=924, evaluator="exact")
    got = advise(rec, deals=924, evaluator="exact", progress=stop_after(4))
    assert (whole.complete, got.complete) == (True, False)
    assert 0 < got.deals < whole.deals
    assert finite(got)
    assert got.best.se > whole.best.se
    assert {one.call for one in got.options} == set(rec.auction.legal_calls())
    assert got.to_json()["complete"] is False

    rng = np.random.default_rng(1)  # as `advise` draws
    deals = sample_deals(rec, 924, rng)
    limits = drawn_limits(rec, deals, default_bidder(rec), rng)
    games = coarse_games(rec.cards, own_games(
        rec.cards, deals, rec.convention,
        payoff(rec.convention, rec.players, rec.all_passes + 1)))
    plan = plan_bids(rec, deals, games, limits)
    rows = np.sort(np.concatenate(list(solving._blocks(deals, plan, rng))[:4]))
    part = take(deals, rows)
    solved = solve_plan(rec, part, solving._take_plan(plan, rows, False),
                        np.random.default_rng(9))[1]
    table = BidTable(rec, part, {s: limit[rows] for s, limit in limits.items()}, solved)
    expected = rank(play_all(table)[0], part)
    assert got.options == expected


def finite(advice: Advice) -> bool:
    return all(np.isfinite([one.ev, one.se, one.behind, one.behind_se]).all()
               for one in advice.options)


@pytest.mark.parametrize("rec", [DECLARING, MISERE_TAKEN])
def test_an_interrupted_declaration_is_that_of_the_layouts_solved(rec, small_blocks):
    asked = question(rec, n=300)
    whole = advise(rec, deals=300, evaluator="exact")
    got = advise(rec, deals=300, evaluator="exact", progress=stop_after(3))
    blocks = list(solving._blocks(asked.deals, asked.plan, np.random.default_rng(1)))[:3]
    rows = np.concatenate(blocks)
    assert not got.complete
    assert got.deals == len(rows) < whole.deals
    assert finite(got)
    assert whole.best.se < got.best.se
    part = take(asked.deals, rows)
    plan = solving._take_plan(asked.plan, rows, True)
    solved = solve_plan(rec, part, plan, np.random.default_rng(9))[1]
    assert got.options == declare_options(rec, part, solved)


@pytest.mark.parametrize("rec", [RECORDS["first hand"], DECLARING])
def test_an_interruption_inside_the_solver_keeps_whole_blocks(rec, small_blocks, monkeypatch):
    real, calls = solving._solve_block, []

    def solve(*args):
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(solving, "_solve_block", solve)
    inside = advise(rec, deals=462, evaluator="exact")
    monkeypatch.setattr(solving, "_solve_block", real)
    between = advise(rec, deals=462, evaluator="exact", progress=stop_after(2))
    assert not inside.complete
    assert inside.options == between.options
    assert inside.deals == between.deals


@pytest.mark.parametrize("rec", [RECORDS["first hand"], DECLARING])
def test_an_interruption_before_the_first_block_is_passed_on(rec, monkeypatch):
    def solve(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "_solve_block", solve)
    with pytest.raises(KeyboardInterrupt):
        advise(rec, deals=100, evaluator="exact")


def test_an_interruption_at_the_end_loses_nothing(small_blocks):
    seen = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done == total:
            raise KeyboardInterrupt

    got = advise(DECLARING, deals=100, evaluator="exact", progress=progress)
    assert got.complete
    assert got.options == advise(DECLARING, deals=100, evaluator="exact").options
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert {total for _, total in seen} == {100}


# --- the same answer --------------------------------------------------------------------------

@pytest.mark.parametrize("rec", [RECORDS["first hand"], DECLARING])
def test_same_seed_same_answer_whatever_the_threads(rec):
    one, two, again, other = (
        advise(rec, deals=120, evaluator="exact", seed=seed, threads=threads)
        for seed, threads in ((4, 1), (4, 2), (4, None), (5, 1)))
    assert one.options == two.options == again.options
    assert one.options != other.options


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("rec", [RECORDS["first hand"], RECORDS["they play misere"], DECLARING])
def test_a_single_deal_is_enough_for_an_answer(rec, n):
    got = advise(rec, deals=n, evaluator="exact")
    assert got.complete
    assert got.deals >= n
    assert all(np.isfinite(one.ev) for one in got.options)


def test_few_deals_have_errors_of_the_size_of_repetition():
    """One pair under each of some talons: the error is taken from talons side by side."""
    rec = RECORDS["hold"]
    got = [advise(rec, deals=300, evaluator="exact", seed=seed) for seed in range(10)]
    evs, errors = (np.array([next(getattr(o, key) for o in a.options if o.name == "pass")
                             for a in got]) for key in ("ev", "se"))
    assert 0.5 < np.std(evs, ddof=1) / errors.mean() < 1.7


def test_twelve_cards_do_not_need_the_talon():
    cards = parse_cards(HAND) | parse_cards("♠7 ♥A")
    deals = draw_deals(cards, 0, 20, np.random.default_rng(1))
    convention = load_convention("sochi")
    games = own_games(cards, deals, convention, payoff(convention, 3, 1))
    away = screened(games, SCREEN_DECLARE)
    assert (away & ~np.uint32(cards) == 0).all()
