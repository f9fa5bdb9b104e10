"""Hands whose answer is known, and what every answer must satisfy."""

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
from advisor.advice.folds import halves
from advisor.advice.guide_games import reply_patterns, shown_talons
from advisor.advice.payoff import Pattern
from advisor.cards import parse_cards
from advisor.records.hand import HandRecord, parse_hand
from advisor.sampling.bidder import PASS_LIMIT
from advisor.sampling.deals import draw_deals
from advisor.sampling.fitted_bidder import default_bidder

GAME_VALUE = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}


@pytest.mark.parametrize(("name", "players"), ALL)
def test_ten_certain_spades(name, players):
    """Rules.md 5.4: a ten not whisted, or made."""
    got = option(advise(unpaid(TEN_SPADES, name, players), deals=2000, evaluator="guide"), "10S")
    assert got.ev == pytest.approx(full(name, players), abs=1e-9)
    assert got.p_make == 1
    assert got.declares == 1


def test_ten_certain_spades_in_sochi_as_it_stands():
    got = option(advise(record(TEN_SPADES), evaluator="guide"), "10S")
    assert got.ev == pytest.approx(200 / 3, abs=1e-9)
    assert got.p_make == 1
    assert got.se == pytest.approx(0, abs=1e-9)


def test_a_paid_talon_is_paid_for_on_average():
    """Leningrad, three players: each writes half of 20 a unit.

    Unseen are two aces: one talon of both (3 units), two of ace and king (2), 38 others with one
    ace (1), and two of king and queen (1).
    """
    mean_units = (3 + 2 * 2 + 38 + 2) / 231
    got = option(advise(record(TEN_SPADES, convention="leningrad"), bidder=Silent(),
                        evaluator="guide"), "10S")
    assert got.ev == pytest.approx(400 / 3 - 20 * mean_units, abs=1e-9)


@pytest.mark.parametrize(("name", "players"), ALL)
@pytest.mark.parametrize("hand", [CLEAN, "♠79J ♣79J ♦79 ♥79"])
def test_certain_misere(name, players, hand):
    """A clean hand that is not outbid; in seat 2, since ``7 9`` may not be led in safety."""
    rec = unpaid(hand, name, players, auction="pass")
    got = option(advise(rec, deals=2000, bidder=Silent(), evaluator="guide"), "misere")
    assert got.ev == pytest.approx(full(name, players), abs=1e-9)
    assert got.p_make == 1
    assert got.becomes == {"misere": pytest.approx(1)}


@pytest.mark.parametrize(("name", "players"), ALL)
def test_certain_misere_with_the_talon_taken(name, players):
    rec = unpaid(CLEAN, name, players, talon="♥A ♦K", auction="misere pass pass")
    advice = advise(rec, deals=100, evaluator="guide")
    assert advice.decision == "declare"
    assert advice.best.ev == pytest.approx(full(name, players), abs=1e-9)
    assert advice.best.discard == parse_cards("♥A ♦K")
    assert advice.best.p_make == 1
    assert advice.options[1].ev < advice.best.ev


@pytest.mark.parametrize(("name", "players"), ALL)
def test_certain_tricks_against_hands_that_see_none(name, players):
    """Twelve cards: every contract that is sure is worth its unwhisted value (rules.md 5.4)."""
    rec = unpaid("♠AKQJ1098 ♣AK7 ♦A ♥A", name, players)
    rec = replace(rec, talon=parse_cards("♠8 ♦A"), convention=replace(
        rec.convention, half_whist="off", both_pass="pool_only", stalingrad=False))
    deals = draw_deals(rec.cards, 0, 40_000, np.random.default_rng(1))
    asked = 0
    for level in range(6, 11):
        patterns = reply_patterns(deals, rec.convention, shown_talons(rec.cards, deals, rec.talon))
        blind = patterns[5 * (level - 6), 0] == Pattern.NOBODY
        blind = blind[0::2].repeat(2) & blind[1::2].repeat(2)
        if blind.sum() < 8:
            continue  # a checked ten is always played, a six mostly whisted
        asked += 1
        seen = replace(deals, hands=deals.hands[:, blind], weight=deals.weight[:, blind])
        options = {one.contract: one for one in reversed(declare_options(rec, seen))}
        got = options[GAMES[5 * (level - 6)]]
        assert got.p_make == 1
        assert got.ev == pytest.approx(full(name, players) / 10 * GAME_VALUE[level], abs=1e-9)
    assert asked >= 1


RECORDS = {
    "first hand": record("♠AKQ9 ♣A8 ♦K107 ♥8"),
    "weak": record("♠K97 ♣J98 ♦Q107 ♥8", convention="leningrad"),
    "misere": record("♠79J ♣78Q ♦78 ♥79", seat="2", auction="6S"),
    "third hand": record("♠KQ98 ♣A8 ♦K107 ♥8", auction="pass pass", players="4"),
    "hold": record("♠AKQ9 ♣A8 ♦K107 ♥8", auction="6S pass 6C"),
    "they play misere": record("♠A97 ♣KQ98 ♦Q107", auction="misere"),
    "without talon": record("♠AKQJ109 ♣AK8 ♥A", convention="classic"),
    "after all-passes": record("♠AKQ9 ♣A8 ♦K107 ♥8", convention="zhuk", all_passes="2"),
    "declare": record("♠AKQ9 ♣A8 ♦K107 ♥8", talon="♠7 ♥A"),
    "declare high": record("♠AKQ9 ♣A8 ♦K107 ♥8", talon="♠7 ♥A", auction="6S 7C pass 7D pass"),
    "misere, talon taken": record("♠79J ♣78Q ♦78 ♥79", talon="♠A ♦A",
                                  auction="misere pass pass"),
}


@pytest.mark.parametrize("rec", RECORDS.values(), ids=RECORDS.keys())
def test_every_answer_hangs_together(rec):
    advice = advise(rec, deals=3000, evaluator="guide")
    options = advice.options
    assert advice.best is options[0]
    assert (options[0].behind, options[0].behind_se) == (0, 0)
    assert np.all(np.diff([one.ev for one in options]) < 1e-8)
    assert len({one.name for one in options}) == len(options)
    for one in options:
        assert one.behind == pytest.approx(one.ev - options[0].ev, abs=1e-9)
        assert one.se >= 0
        assert one.behind_se >= 0
        assert sum(one.becomes.values()) == pytest.approx(1, abs=1e-9)
        assert (one.p_make is None) == (one.declares == 0)
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
        assert option(advice, "pass").p_make is None
    text = json.dumps(advice.to_json(), allow_nan=False)
    assert json.loads(text)["best"] == options[0].name
    assert len(advice.to_frame()) == len(options)


def test_one_deal_is_enough_for_an_answer_without_error():
    for rec in (RECORDS["first hand"], RECORDS["declare"]):
        text = json.dumps(advise(rec, deals=1, evaluator="guide").to_json(), allow_nan=False)
        assert json.loads(text)["options"][0]["se"] is None


def test_same_seed_same_answer():
    rec = RECORDS["first hand"]
    one, two, other = (advise(rec, deals=2000, seed=seed, evaluator="guide") for seed in (4, 4, 5))
    assert one.options == two.options
    assert one.options != other.options


def test_more_deals_shrink_the_error_by_the_root():
    rec = RECORDS["first hand"]
    few, many = (option(advise(rec, deals=n, evaluator="guide"), "pass") for n in (4000, 64_000))
    assert 3 < few.se / many.se < 5.5
    assert abs(few.ev - many.ev) < 4 * few.se


def test_the_reported_error_is_that_of_repetition():
    rec = RECORDS["first hand"]
    got = [option(advise(rec, deals=2000, seed=seed, evaluator="guide"), "6S")
           for seed in range(25)]
    spread = np.std([one.ev for one in got], ddof=1)
    assert 0.6 < spread / np.mean([one.se for one in got]) < 1.6


def test_few_deals_are_neither_rosier_nor_darker_than_many():
    """The choice of contract and discard is not taken at its face, and not made on noise."""
    rec = RECORDS["first hand"]
    many = option(advise(rec, deals=60_000, bidder=Silent(), evaluator="guide"), "6S")
    few = [option(advise(rec, deals=1000, seed=seed, bidder=Silent(), evaluator="guide"), "6S")
           for seed in range(25)]
    error = np.std([one.ev for one in few], ddof=1) / 5
    assert abs(np.mean([one.ev for one in few]) - many.ev) < 4 * error + many.se


def best_by_contract(rec: HandRecord) -> dict[str, float]:
    advice = advise(rec, deals=184_756, bidder=Silent(), evaluator="guide")
    assert advice.exhaustive
    best: dict[str, float] = {}
    for one in advice.options:
        best.setdefault(str(one.contract), one.ev)
    return best


@pytest.mark.parametrize(("hand", "talon"), [
    ("♠AQ97 ♣A8 ♦K107 ♥8", "♠K ♥A"), ("♠QJ98 ♣A7 ♦K108 ♥Q", "♣K ♥7")])
def test_exhaustive_answers_do_not_mind_the_names_of_suits(hand, talon):
    """With twelve cards and all layouts counted, suits are alike: strains go with them.

    The opponents' passes are not, since they had more to pass over in the higher suits.
    """
    order = (2, 0, 3, 1)

    def renamed(cards: int) -> int:
        return sum((cards >> 8 * s & 0xFF) << 8 * order[s] for s in range(4))

    rec = record(hand, talon=talon)
    here, there = (best_by_contract(one) for one in (
        rec, replace(rec, cards=renamed(rec.cards), talon=renamed(rec.talon))))
    for game, contract in enumerate(GAMES):
        strain = game % 5
        image = GAMES[game if strain == 4 else game - strain + order[strain]]
        assert there[str(image)] == pytest.approx(here[str(contract)], abs=1e-9)


def test_a_talon_not_told_leaves_an_error_to_all_layouts():
    advice = advise(record("♠AKQ97 ♣A8 ♦K107 ♥A8"), deals=184_756, evaluator="guide")
    assert advice.deals == 184_756
    assert not advice.exhaustive
    assert advice.options[0].se > 0


def test_exhaustive_answers_have_no_error_and_sampled_ones_agree():
    rec = RECORDS["declare"]
    exact, sampled = (advise(rec, deals=n, evaluator="guide") for n in (184_756, 4000))
    assert all(one.se == one.behind_se == 0 for one in exact.options)
    for one in sampled.options[:5]:
        same = next(o for o in exact.options if o.contract == one.contract)
        assert abs(one.ev - same.ev) < 4 * one.se + 1e-3


def test_a_paid_talon_sways_the_contract():
    """The dearer the game, the dearer the talon: two aces in Leningrad speak for a lower level."""
    hand, talon = "♠AKQ9 ♣A8 ♦K107 ♥8", "♥A ♦A"
    paid = advise(record(hand, talon=talon, convention="leningrad"), deals=4000, evaluator="guide")
    free = advise(unpaid(hand, "leningrad", 3, talon=talon), deals=4000, evaluator="guide")
    level = {str(c): c.level for c in GAMES}
    by_contract = {str(one.contract): one.ev for one in reversed(free.options)}
    for one in paid.options:
        if one.discard == next(o for o in free.options if o.contract == one.contract).discard:
            price = 3 * paid.record.convention.whist_price(level[str(one.contract)])
            assert by_contract[str(one.contract)] - one.ev == pytest.approx(price, abs=1e-6)
            break
    else:
        pytest.fail("no contract with the same discard")


def test_calls_heard_count():
    """Against one who has opened high the player seldom gets to declare, and gladly defends."""
    hand = "♠AKQ9 ♣A8 ♦K107 ♥8"
    quiet = advise(record(hand, auction="pass pass"), deals=4000, evaluator="guide")
    loud = advise(record(hand, auction="7C pass"), deals=4000, evaluator="guide")
    assert option(quiet, "7D").declares == 1
    assert option(loud, "7D").declares < 0.8
    assert option(loud, "pass").ev > option(quiet, "pass").ev
    assert loud.ess < quiet.ess


def test_the_weights_are_never_zero():
    for rec in RECORDS.values():
        assert sample_deals(rec, 500, np.random.default_rng(1)).weight.min() > 0


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="evaluator"):
        advise(RECORDS["declare"], evaluator="oracle")
    with pytest.raises(ValueError, match="deals"):
        advise(RECORDS["declare"], deals=0, evaluator="guide")


def test_no_discard_is_told_that_no_deal_throws():
    hand = parse_hand("hand: ♠J ♣AK8 ♦J107 ♥QJ9")
    found = advise(hand, deals=3, evaluator="fitted")
    assert found.best.discards
    assert all(min(option.discards.values(), default=1) > 0 for option in found.options)


@pytest.mark.parametrize("rec", [
    record("♠AKQ98 ♣A8 ♦K107"), record("♠AKQ98 ♣A8 ♦K107", seat="3", auction="pass pass"),
    record("♠AKQJ1098 ♣AK ♦A", seat="2", convention="classic", auction="misere"),
    record("♠AKQJ1098 ♣AK ♦A", seat="2", convention="classic", auction="misere-without"),
    record("♠AKQJ1098 ♣AK ♦A", seat="2", convention="classic", auction="9S-without")])
def test_what_going_on_is_worth_is_what_playing_it_comes_to(rec):
    """The sums by which own limits are chosen, against the deals played out one by one."""
    rng, model = np.random.default_rng(2), default_bidder(rec)
    deals = sample_deals(rec, 924, rng, model)
    table = BidTable(rec, deals, drawn_limits(rec, deals, model, rng), fitted=True)
    half = halves(deals.weight.shape)
    going = [call for call in rec.auction.legal_calls() if call.is_game and call.with_talon]
    for call in going[:2]:
        tried = [PASS_LIMIT, 5.0, 12.0]
        for limit, sums in zip(tried, table.expected(call, tried), strict=True):
            net = deals.weight * table.play(call, limit).net
            np.testing.assert_allclose(sums, [net[half == side].sum() for side in (0, 1)])
