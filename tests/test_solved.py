"""Scores from solved deals: what may be known when a play is chosen, and what it then writes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hands import ALL, CLEAN, TEN_SPADES, Silent, full, option, record, unpaid

from advisor.advice.bidding import BidTable, drawn_limits
from advisor.advice.decide import advise, sample_deals
from advisor.advice.declaring import GAMES
from advisor.advice.discarding import declare_options
from advisor.advice.folds import each_fold, fold_count, folds
from advisor.advice.guide_games import own_games
from advisor.advice.habits import habits
from advisor.advice.naming import choose, named_levels
from advisor.advice.payoff import Pattern, payoff
from advisor.advice.replies import outlooks, reply_pattern
from advisor.advice.solved import SolvedGames, misere_by, solved_games, solved_misere
from advisor.advice.solving import Solved, plan_bids, plan_declaration, solve_plan
from advisor.advice.statistics import weighted_mean
from advisor.cards import parse_cards
from advisor.records.hand import HandRecord
from advisor.rules.contracts import ALL_PASS, MISERE, Contract
from advisor.rules.conventions import Convention, convention_names, load_convention
from advisor.rules.scoring import DealResult, Reply, net, score
from advisor.sampling.bidder import GuideBidder
from advisor.sampling.deals import Deals
from advisor.tricks.holes import misere_distribution

HAND = "♠AKQ9 ♣A8 ♦K107 ♥8"


def solved_bids(rec: HandRecord, n: int = 100) -> tuple[BidTable, Solved, Deals]:
    rng = np.random.default_rng(1)
    deals = sample_deals(rec, n, rng)
    limits = drawn_limits(rec, deals, GuideBidder(), rng)
    games = own_games(rec.cards, deals, rec.convention,
                      payoff(rec.convention, rec.players, rec.all_passes + 1))
    deals, solved, rows, _ = solve_plan(rec, deals, plan_bids(rec, deals, games, limits), rng)
    limits = {seat: limit[rows] for seat, limit in limits.items()}
    return BidTable(rec, deals, limits, solved), solved, deals


def solved_declaration(rec: HandRecord, n: int = 60) -> tuple[SolvedGames, Solved, Deals]:
    rng = np.random.default_rng(1)
    deals = sample_deals(rec, n, rng)
    games = own_games(rec.cards, deals, rec.convention,
                      payoff(rec.convention, rec.players, rec.all_passes + 1), rec.talon)
    deals, solved, _, _ = solve_plan(rec, deals, plan_declaration(rec, deals, games), rng)
    return solved_games(rec.cards, games, solved), solved, deals


# --- a solved layout writes what that very deal would ------------------------------------------

REPLIES = {Pattern.NOBODY: (Reply.PASS, Reply.PASS), Pattern.FIRST: (Reply.WHIST, Reply.PASS),
           Pattern.SECOND: (Reply.PASS, Reply.WHIST), Pattern.HALF: (Reply.PASS, Reply.HALF),
           Pattern.FIRST_HALF: (Reply.HALF, Reply.PASS)}
SHARES = {Pattern.BOTH_FIRST_MORE: 2 / 3, Pattern.BOTH_SECOND_MORE: 1 / 3}


def by_the_rules(
    rec: HandRecord, declarer: int, contract: Contract, pattern: int, tricks: int, talon: int = 0
) -> float:
    """The player's net whists of one game, scored as a result file would be."""
    said = Pattern(pattern)
    replies = REPLIES.get(said, (Reply.WHIST, Reply.WHIST))
    unplayed = said in (Pattern.NOBODY, Pattern.HALF, Pattern.FIRST_HALF)
    defence = 10 - tricks
    # Two equal whisters share an odd number of tricks either way.
    ways = {round(defence * SHARES[said])} if said in SHARES else {defence // 2, -(-defence // 2)}
    found = []
    for first in ways:
        taken = [0, 0, 0]
        taken[declarer], taken[(declarer + 1) % 3] = tricks, first
        taken[(declarer + 2) % 3] = defence - first
        found.append(net_of(DealResult(contract, declarer, replies,
                                       None if unplayed else (taken[0], taken[1], taken[2]),
                                       rec.players, talon), rec))
    return sum(found) / len(found)


def net_of(result: DealResult, rec: HandRecord) -> float:
    return float(net(score(result, rec.convention), rec.convention, rec.players)[rec.seat])


@pytest.mark.parametrize("rec", [
    record(HAND, talon="♠7 ♥A"),
    record(HAND, talon="♠7 ♥A", seat="2", auction="pass 6S pass", convention="leningrad"),
    record(HAND, talon="♠7 ♥A", seat="3", auction="pass pass 6S", players="4",
           convention="rostov")])
def test_a_declared_game_writes_what_its_deal_does(rec):
    games, solved, deals = solved_declaration(rec)
    rng = np.random.default_rng(3)
    for game in (*rng.choice(15, size=8), 16, 22):
        contract, place = GAMES[game], 0
        play = games.single(int(game), place)
        assert play.away == solved.away[0, game % 5, place]
        patterns = games.pattern[game, 0]
        first, second = (outlooks(deals.hands[0, :, seat], rec.talon)[contract.level - 6]
                         for seat in deals.hidden)
        np.testing.assert_array_equal(patterns, reply_pattern(
            first[..., game % 5], second[..., game % 5], contract.level, rec.convention, game % 5))
        for j in rng.integers(deals.count, size=10):
            if contract.level > 8 and patterns[j] == Pattern.NOBODY:
                continue  # the lower of two values, see below
            tricks = int(solved.own[0, game % 5, place, j])
            assert play.net[0, j] == pytest.approx(
                by_the_rules(rec, rec.seat, contract, patterns[j], tricks, rec.talon), abs=1e-9)
        shares = np.bincount(solved.own[0, game % 5, place], weights=deals.weight[0], minlength=11)
        np.testing.assert_allclose(play.tricks, shares / deals.weight.sum())


@pytest.mark.parametrize("rec", [
    record("♠K97 ♣J98 ♦Q107 ♥8", convention="leningrad"),
    record("♠K97 ♣J98 ♦Q107 ♥8", seat="3", auction="6S pass"),
    record("♠K97 ♣J98 ♦Q107 ♥8", seat="2", auction="pass", players="4")])
def test_an_opponents_game_writes_what_its_deal_does(rec):
    table, solved, deals = solved_bids(rec)
    checked = 0
    for i, seat in enumerate(deals.hidden):
        game = table.others[seat]
        for t, j in np.argwhere(solved.theirs[i] >= 0)[::7]:
            talon = int(deals.talon[t])
            taken = np.array([int(deals.hands[t, j, seat]) | talon], dtype=np.uint32)
            usual = habits(rec.convention)
            named = choose(taken, seat == 0, usual)
            strain = int(named.strain[0])
            assert game.strain[t, j] == strain
            for lowest, level in enumerate(named_levels(named.strain, named.mean, usual)[:3, 0]):
                level = int(level)
                first, second = (outlooks(deals.hands[t, [j], (seat + k) % 3], talon)[level - 6]
                                 for k in (1, 2))
                pattern = int(reply_pattern(first[:, strain], second[:, strain], level,
                                            rec.convention, strain)[0])
                expected = by_the_rules(rec, seat, Contract.game(level, strain), pattern,
                                        int(solved.theirs[i, t, j]), talon)
                assert game.net[lowest, t, j] == pytest.approx(expected, abs=1e-9)
                checked += 1
    assert checked > 10


@pytest.mark.parametrize("rec", [
    record("♠J97 ♣J98 ♦Q107 ♥8", convention="rostov", all_passes="1"),
    record("♠J97 ♣J98 ♦Q107 ♥8", seat="2", auction="pass", players="4")])
def test_an_all_pass_writes_what_its_deal_does(rec):
    table, solved, _ = solved_bids(rec)
    places = np.argwhere(solved.all_pass[..., 0] >= 0)[::5]
    assert len(places) > 5
    for t, j in places:
        tricks = tuple(int(k) for k in solved.all_pass[t, j, : rec.players])
        result = DealResult(ALL_PASS, None, None, tricks, rec.players,
                            all_pass_number=rec.all_passes + 1)
        assert table.nobody[t, j] == pytest.approx(net_of(result, rec), abs=1e-9)


def test_a_misere_writes_what_its_deal_does():
    rec = record("♠79J ♣78Q ♦78 ♥79", talon="♠A ♦A", auction="misere pass pass")
    rng = np.random.default_rng(1)
    deals = sample_deals(rec, 60, rng)
    _, solved, _, _ = solve_plan(rec, deals, plan_declaration(rec, deals, None), rng)
    for place, mask in enumerate(solved.misere_away[0]):
        expected = np.average([
            net_of(DealResult(MISERE, 0, None, (t, 10 - t, 0)), rec)
            for t in solved.misere[0, place].tolist()], weights=deals.weight[0])
        got = [one for one in declare_options(rec, deals, solved) if one.discard == mask]
        assert got[0].ev == pytest.approx(expected, abs=1e-9)
        assert got[0].p_make == pytest.approx(
            np.average(solved.misere[0, place] == 0, weights=deals.weight[0]))


def test_a_nine_that_nobody_whists_is_worth_no_more_than_whisted():
    """Else a declarer would name ten with anything; see `advisor.advice.declaring`."""
    games, _, _ = solved_declaration(record(HAND, talon="♠7 ♥A"))
    pattern = np.full_like(games.pattern, Pattern.NOBODY)
    hopeless = replace(games, pattern=pattern, tricks=np.full_like(games.tricks, 5))
    certain = replace(games, pattern=pattern, tricks=np.full_like(games.tricks, 10))
    pay = games.pay[0]
    for game in range(25):
        level = game // 5
        value = hopeless.single(game, 0).net
        whisted = pay[level, Pattern.FIRST, 5]
        passed = pay[level, Pattern.NOBODY, 0]
        assert whisted < passed
        np.testing.assert_allclose(value, whisted if level >= 3 else passed)
        expected = pay[level, [Pattern.FIRST, Pattern.NOBODY], 10]
        np.testing.assert_allclose(certain.single(game, 0).net,
                                   expected.min() if level >= 3 else expected[1])
    assert hopeless.expected()[15:].max() < 0


@pytest.mark.parametrize("tricks", [[10, 10, 8, 8], [8, 10, 8, 10], [9, 9, 5, 5]])
def test_the_layouts_on_which_nobody_whists_are_those_compared(tricks):
    """Two whist, on the others nobody does: whisted everywhere is not what these are worth."""
    games, _, deals = solved_declaration(record(HAND, talon="♠7 ♥A"))
    places = np.arange(deals.weight.shape[1]) % 4
    pattern = np.full_like(games.pattern, Pattern.NOBODY)
    pattern[..., places >= 2] = Pattern.SECOND
    games = replace(games, pattern=pattern, tricks=np.zeros_like(games.tricks)
                    + np.array(tricks, dtype=games.tricks.dtype)[places])
    pay, nobody = games.pay[0, 3], places < 2
    whisted = pay[Pattern.FIRST, games.tricks[0, 0, 0]]
    lower = min(np.average(whisted[nobody], weights=deals.weight[0, nobody]),
                pay[Pattern.NOBODY, 0])
    net = games.single(15, 0).net[0]
    assert np.average(net[nobody], weights=deals.weight[0, nobody]) == pytest.approx(lower)
    np.testing.assert_allclose(net[~nobody], pay[Pattern.SECOND, games.tricks[0, 0, 0]][~nobody])


# --- what may be known -------------------------------------------------------------------------

def test_the_choice_for_a_fold_does_not_see_its_hidden_cards():
    """Replies and tricks on one fold are shuffled: what is chosen for it stays."""
    table, _, deals = solved_bids(record(HAND), n=924)
    games = table.own
    assert isinstance(games, SolvedGames)
    rng = np.random.default_rng(8)
    assert games.best[0].shape == (2, 25, len(deals.talon))
    for seen, where in each_fold(deals.weight.shape[1]):
        columns, blind = np.flatnonzero(where), 1 - seen
        tricks, pattern = games.tricks.copy(), games.pattern.copy()
        tricks[..., columns] = rng.integers(11, size=tricks[..., columns].shape)
        pattern[..., columns] = rng.integers(6, size=pattern[..., columns].shape)
        other = replace(games, tricks=tricks, pattern=pattern)
        np.testing.assert_array_equal(other.best[1][seen], games.best[1][seen])
        before, after = games.chosen_apart(0)[0], other.chosen_apart(0)[0]
        np.testing.assert_array_equal(after[seen], before[seen])
        assert (after[blind] != before[blind]).any()
        was, now = games.apart(0), other.apart(0)
        np.testing.assert_array_equal(was.game[seen], now.game[seen])
        game, place = now.game[seen], other.best[0][seen]
        t = np.arange(len(game))
        taken = tricks[t, game % 5, place[game, t]]
        np.testing.assert_array_equal(now.made[:, columns],
                                      (taken >= game[:, None] // 5 + 6)[:, columns])


def test_the_misere_discard_for_a_fold_does_not_see_its_hidden_cards():
    rec = record("♠79J ♣78Q ♦78 ♥79", seat="2", auction="6S")
    table, solved, deals = solved_bids(rec)
    t, k = solved.misere_away.shape
    prior = np.full((t, k, 11), 1 / 11)
    for _, columns in each_fold(deals.weight.shape[1]):
        places = []
        for shift in (0, 4):
            tricks = solved.misere.copy()
            tricks[..., columns] = (np.arange(k) + shift)[None, :, None]  # tells the discard
            got = misere_by([(columns, ~columns)], prior, deals, table.table,
                            replace(solved, misere=tricks))
            price = table.table.misere[:, 0]
            places.append(np.abs(got.net[:, columns][..., None] - price).argmin(axis=-1) - shift)
        np.testing.assert_array_equal(*places)
        assert set(np.unique(places[0])) <= set(range(k))
        assert places[0].shape == (t, int(columns.sum()))


def test_a_misere_is_told_half_way():
    rec = record("♠79J ♣78Q ♦78 ♥79", seat="2", auction="6S")
    table, solved, deals = solved_bids(rec)
    m = deals.weight.shape[1]
    prior = misere_distribution((np.uint32(rec.cards) | deals.talon)[:, None] ^ solved.misere_away,
                                solved.misere_away, False)
    every = np.ones(m, dtype=bool)
    apart, together = (
        misere_by(uses, prior, deals, table.table, solved)
        for uses in ([(where, ~where) for _, where in each_fold(m)], [(every, every)]))
    got = solved_misere(rec.cards, deals, table.table, solved)
    np.testing.assert_allclose(got.net, (apart.net + together.net) / 2)
    np.testing.assert_array_equal(got.away, np.concatenate([apart.away, together.away]))
    assert len(got.away) == fold_count(m) + 1
    assert weighted_mean(together.net, deals) >= weighted_mean(apart.net, deals)


def test_padded_discards_are_never_chosen():
    table, solved, _ = solved_bids(record(HAND), n=300)
    games = table.own
    assert (solved.away == 0).any()
    discard = games.best[0]
    t = np.arange(len(solved.away))
    for game in range(25):
        assert (solved.away[t, game % 5, discard[:, game]] > 0).all()
    declared, solved, deals = solved_declaration(record(HAND, talon="♠7 ♥A"))
    assert np.isfinite(declared.best[1]).all()
    options = declare_options(record(HAND, talon="♠7 ♥A"), deals, solved)
    assert all(one.discard.bit_count() == 2 and np.isfinite(one.ev) for one in options)


def test_the_choice_is_not_taken_at_its_face():
    """With tricks that are pure noise what is chosen apart is worth no more than any play."""
    table, _, deals = solved_bids(record(HAND), n=924)
    games = table.own
    tricks = np.random.default_rng(5).integers(5, 9, size=games.tricks.shape).astype(np.int8)
    noise = replace(games, tricks=tricks, pattern=np.full_like(games.pattern, Pattern.FIRST))
    got = noise.apart(0)
    level = got.game[folds(deals.weight.shape[1])].T // 5
    pay = games.pay[:, :, Pattern.FIRST, 5:9].mean(axis=-1)
    expected = pay[np.arange(len(pay))[:, None], level]
    error = got.net.std() / np.sqrt(got.net.size)
    assert abs(got.net.mean() - expected.mean()) < 4 * error


# --- known answers -----------------------------------------------------------------------------

@pytest.mark.parametrize(("name", "players"), ALL)
def test_ten_certain_spades(name, players):
    rec = unpaid(TEN_SPADES, name, players)
    got = option(advise(rec, deals=60, evaluator="exact", bidder=Silent()), "10S")
    assert got.ev == pytest.approx(full(name, players), abs=1e-9)
    assert (got.p_make, got.declares) == (1, 1)
    assert got.se == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("name", "players"), ALL)
def test_ten_certain_spades_with_the_talon_taken(name, players):
    rec = unpaid(TEN_SPADES, name, players, talon="♥A ♦7")
    advice = advise(rec, deals=30, evaluator="exact")
    ten = next(one for one in advice.options if str(one.contract) == "10S")
    assert ten.ev == pytest.approx(full(name, players), abs=1e-9)
    assert ten.tricks == pytest.approx((0,) * 10 + (1,))
    assert advice.best.ev >= ten.ev  # a lower game may be whisted short
    assert advice.best.tricks == ten.tricks


@pytest.mark.parametrize(("name", "players"), ALL)
@pytest.mark.parametrize("hand", [CLEAN, "♠79J ♣79J ♦79 ♥79"])
def test_certain_misere(name, players, hand):
    rec = unpaid(hand, name, players, auction="pass")
    got = option(advise(rec, deals=60, evaluator="exact", bidder=Silent()), "misere")
    assert got.ev == pytest.approx(full(name, players), abs=1e-9)
    assert got.p_make == 1


@pytest.mark.parametrize(("name", "players"), ALL)
def test_certain_misere_with_the_talon_taken(name, players):
    rec = unpaid(CLEAN, name, players, talon="♥A ♦K", auction="misere pass pass")
    advice = advise(rec, deals=60, evaluator="exact")
    assert advice.best.ev == pytest.approx(full(name, players), abs=1e-9)
    assert advice.best.discard == parse_cards("♥A ♦K")
    assert advice.options[1].ev < advice.best.ev


RECORDS = {
    "first hand": record(HAND),
    "misere": record("♠79J ♣78Q ♦78 ♥79", seat="2", auction="6S"),
    "third hand": record("♠KQ98 ♣A8 ♦K107 ♥8", auction="pass pass", players="4"),
    "they play misere": record("♠A97 ♣KQ98 ♦Q107", auction="misere"),
    "without talon": record("♠AKQJ109 ♣AK8 ♥A", convention="classic"),
    "after all-passes": record(HAND, convention="zhuk", all_passes="2"),
    "declare": record(HAND, talon="♠7 ♥A"),
    "declare high": record(HAND, talon="♠7 ♥A", auction="6S 7C pass 7D pass"),
    "misere, talon taken": record("♠79J ♣78Q ♦78 ♥79", talon="♠A ♦A",
                                  auction="misere pass pass"),
}


@pytest.mark.parametrize("rec", RECORDS.values(), ids=RECORDS.keys())
def test_every_exact_answer_hangs_together(rec):
    advice = advise(rec, deals=100, evaluator="exact")
    options = advice.options
    assert (advice.evaluator, advice.complete) == ("exact", True)
    assert (options[0].behind, options[0].behind_se) == (0, 0)
    assert np.all(np.diff([one.ev for one in options]) < 1e-8)
    for one in options:
        assert one.behind == pytest.approx(one.ev - options[0].ev, abs=1e-9)
        assert sum(one.becomes.values()) == pytest.approx(1, abs=1e-9)
        assert one.p_make is None or -1e-12 <= one.p_make <= 1 + 1e-12
    if rec.declares:
        assert {one.contract for one in options} == set(rec.contracts)
        for one in options:
            assert one.tricks is not None
            assert sum(one.tricks) == pytest.approx(1)
            assert one.discard & ~rec.cards == 0
            assert one.discard.bit_count() == 2
    else:
        assert {one.call for one in options} == set(rec.auction.legal_calls())
    assert json.loads(json.dumps(advice.to_json(), allow_nan=False))["evaluator"] == "exact"


@pytest.mark.parametrize("hand", ["♠AK987 ♣AKJ ♦A7 ♥87", "♠AQJ10987 ♣KJ10 ♦87"])
def test_a_plain_discard_is_found(hand):
    """Two small cards of the suit without a trick, the length and the honours kept."""
    best = advise(record(hand), deals=60, evaluator="exact").best
    assert best.discard in (parse_cards("♥87"), parse_cards("♦87"))
    assert str(best.contract).endswith("S")


def test_convention_is_a_parameter_of_every_answer():
    names: dict[str, Convention] = {name: load_convention(name) for name in convention_names()}
    evs = {name: advise(replace(RECORDS["declare"], convention=convention), deals=40,
                        evaluator="exact").best.ev for name, convention in names.items()}
    assert len({round(ev, 6) for ev in evs.values()}) > 1
