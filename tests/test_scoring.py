"""Scoring of one deal: printed cases, the ready table, each option, and zero sums."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import parse_cards
from advisor.errors import InputError
from advisor.rules.contracts import ALL_PASS, MISERE, Contract, parse_contract
from advisor.rules.conventions import convention_names, load_convention
from advisor.rules.scoring import (
    DealResult,
    Entries,
    Reply,
    entries_json,
    net,
    net_floats,
    score,
    talon_units,
)

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "scoring_cases.json").read_text("utf-8"))
SEAT = {"1": 0, "2": 1, "3": 2, "dealer": 3}
W, P, H = Reply.WHIST, Reply.PASS, Reply.HALF
SOCHI, LENINGRAD, ROSTOV, CLASSIC, ZHUK = map(
    load_convention, ("sochi", "leningrad", "rostov", "classic", "zhuk"))


def game(name, replies, tricks, convention, *, players=3, talon="", declarer=0):
    talon_mask = parse_cards(talon) if talon else 0
    result = DealResult(parse_contract(name), declarer, replies, tricks, players, talon_mask)
    return score(result, convention)


def all_pass(tricks, convention, *, players=3, number=1):
    return score(DealResult(ALL_PASS, tricks=tricks, players=players, all_pass_number=number),
                 convention)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_printed_case(case):
    """Rules.md 9."""
    convention = load_convention(case["convention"])
    result = DealResult(
        contract=parse_contract(case["contract"]),
        declarer=SEAT[str(case["declarer"])] if "declarer" in case else None,
        replies=tuple(map(Reply, case["whist"])) if "whist" in case else None,
        tricks=tuple(case["tricks"]) if "tricks" in case else None,
        players=case["players"],
        all_pass_number=case.get("all_pass_number", 1),
    )
    entries = score(result, convention)
    assert entries.pool == {SEAT[p]: Fraction(v) for p, v in case["pool"].items()}
    assert entries.mountain == {SEAT[p]: Fraction(v) for p, v in case["mountain"].items()}
    assert entries.whists == {(SEAT[a], SEAT[b]): Fraction(v) for a, b, v in case["whists"]}
    assert net(entries, convention, result.players) == tuple(map(Fraction, case["net"].values()))


def table_rows():
    with open(DATA / "net_table.csv", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def table_result(level, outcome, players):
    if level == "misere":
        caught = {"made": 0, "down1": 1, "down2": 2}[outcome]
        return DealResult(MISERE, 0, None, (caught, 10 - caught, 0), players)
    contract = Contract.game(int(level), 0)
    if outcome == "not_whisted":
        return DealResult(contract, 0, (P, P), None, players)
    tricks = int(level) - {"made": 0, "made_free": 0, "down1": 1, "down2": 2}[outcome]
    return DealResult(contract, 0, (W, P), (tricks, 10 - tricks, 0), players)


@pytest.mark.parametrize(
    "row", table_rows(), ids=lambda r: "-".join(list(r.values())[:4]))
def test_ready_table(row):
    """Rules.md 5.4: printed to two decimals, exact in twelfths."""
    convention, players = load_convention(row["convention"]), int(row["players"])
    if row["outcome"] == "made_free":
        convention = replace(convention, ten="checked")
    result = table_result(row["level"], row["outcome"], players)
    printed = [row[who] for who in ("declarer", "whister", "passer", "dealer")][:players]
    exact = tuple(Fraction(round(Fraction(value) * 12), 12) for value in printed)
    assert net(score(result, convention), convention, players) == exact


def test_the_table_is_whole():
    assert len(table_rows()) == 2 * 3 * (5 * 4 + 3)


class TestWhisters:
    def test_a_six_played_alone_in_zhuk_owes_three(self):
        assert game("6S", (W, P), (7, 3, 0), ZHUK).mountain == {}
        assert game("6S", (W, W), (7, 3, 0), ZHUK).mountain == {2: 4}

    def test_a_lone_whister_pays_the_whole_shortfall(self):
        assert game("6S", (P, W), (8, 1, 1), SOCHI).mountain == {2: 4}

    @pytest.mark.parametrize(("cap", "fine"), [("quota", 4), ("pair_deficit", 2)])
    def test_three_and_nothing_on_a_six(self, cap, fine):
        entries = game("6S", (W, W), (7, 3, 0), replace(SOCHI, shortfall_cap=cap))
        assert entries.mountain == {2: fine}

    def test_nobody_pays_where_the_pair_has_done_its_duty(self):
        assert game("6S", (W, W), (6, 4, 0), SOCHI).mountain == {}

    @pytest.mark.parametrize("level", [8, 9, 10])
    @pytest.mark.parametrize(("liability", "payers"), [("both", (1, 2)), ("second", (2,))])
    def test_liability_for_no_trick(self, level, liability, payers):
        convention = replace(SOCHI, liability_8_10=liability)
        entries = game(f"{level}S", (W, W), (10, 0, 0), convention)
        assert entries.mountain == dict.fromkeys(payers, 2 * level - 10)

    def test_the_second_whister_is_second_clockwise(self):
        entries = game("9H", (W, W), (0, 10, 0), SOCHI, declarer=1)
        assert entries.mountain == {0: 8}

    def test_half_responsibility(self):
        assert game("10S", (W, P), (10, 0, 0), replace(ROSTOV, ten="whisted")).mountain == {1: 5}

    def test_an_unverified_ten_that_is_whisted_has_its_duty(self):
        convention = replace(SOCHI, ten="unverified")
        assert game("10S", (P, W), (10, 0, 0), convention).mountain == {2: 10}

    def test_a_checked_ten_needs_no_replies_and_both_write_whists(self):
        entries = game("10S", None, (9, 1, 0), LENINGRAD)
        assert entries.mountain == {0: 20}
        assert entries.whists == {(1, 0): 20 + 20, (2, 0): 20}
        assert game("10S", None, (10, 0, 0), LENINGRAD).mountain == {}
        assert game("10S", (P, P), (9, 1, 0), LENINGRAD) == entries

    def test_gentleman_shares_only_a_failure(self):
        assert game("6S", (P, W), (6, 3, 1), LENINGRAD).whists == {(2, 0): 16}
        assert game("6S", (P, W), (5, 3, 2), LENINGRAD).whists == {(1, 0): 14 + 0, (2, 0): 14}
        assert game("6S", (W, W), (5, 3, 2), LENINGRAD).whists == {(1, 0): 16, (2, 0): 12}

    def test_greedy_leaves_the_passer_consolation_or_nothing(self):
        assert game("6S", (W, P), (5, 3, 2), SOCHI).whists == {(1, 0): 12, (2, 0): 2}
        assert game("6S", (W, P), (5, 3, 2), ZHUK).whists == {(1, 0): 12}

    @pytest.mark.parametrize(("price", "each"), [("value", 6), ("double_value", 12),
                                                 ("ten_whists", 10)])
    def test_consolation_prices(self, price, each):
        entries = game("8S", (W, P), (7, 3, 0), replace(SOCHI, consolation=price), players=4)
        assert entries.whists == {(1, 0): 18 + each, (2, 0): each, (3, 0): each}

    def test_no_consolation_for_the_dealer(self):
        convention = replace(SOCHI, consolation_dealer=False)
        assert (3, 0) not in game("8S", (W, P), (7, 3, 0), convention, players=4).whists


class TestUnplayed:
    @pytest.mark.parametrize(("convention", "six", "seven"), [(SOCHI, 4, 4), (LENINGRAD, 8, 8)])
    def test_half_whist(self, convention, six, seven):
        for name, whists in (("6S", six), ("7S", seven)):
            entries = game(name, (P, H), None, convention)
            assert entries.whists == {(2, 0): whists}
            assert entries.pool == {0: 2 if name == "6S" else 4}

    def test_a_first_defender_goes_for_half_where_gentlemen_play(self):
        assert game("6S", (H, P), None, LENINGRAD).whists == {(1, 0): 8}
        with pytest.raises(InputError, match="second defender"):
            game("6S", (H, P), None, SOCHI)

    @pytest.mark.parametrize(("name", "whists"), [("6C", {(2, 0): 4}), ("7S", {(2, 0): 4}),
                                                  ("8S", {})])
    def test_classic_gives_the_right_defender_whists(self, name, whists):
        assert game(name, (P, P), None, CLASSIC).whists == whists
        assert game(name, (P, P), None, SOCHI).whists == {}


    def test_six_spades_must_be_whisted_where_both_have_to(self):
        for replies in ((P, P), (W, P), (P, W)):
            with pytest.raises(InputError, match="both defenders must whist on 6S"):
                game("6S", replies, None if W not in replies else (6, 4, 0), CLASSIC)
        assert game("6S", (W, W), (6, 2, 2), CLASSIC).pool == {0: 2}


class TestMisere:
    def test_consolation_for_tricks_where_agreed(self):
        convention = replace(ROSTOV, misere_consolation=10)
        entries = score(DealResult(MISERE, 1, None, (4, 2, 4), 4), convention)
        assert entries.mountain == {1: 20}
        assert entries.whists == {(0, 1): 20, (2, 1): 20, (3, 1): 20}

    def test_leningrad_pays_twice(self):
        entries = score(DealResult(MISERE, 2, None, (4, 3, 3)), LENINGRAD)
        assert entries.mountain == {2: 60}
        assert entries.whists == {}


class TestAllPass:
    @pytest.mark.parametrize(("convention", "prices"), [
        (SOCHI, (1, 2, 3, 3, 3)), (LENINGRAD, (2, 4, 6, 6, 6)), (CLASSIC, (1, 2, 4, 4, 4)),
        (ZHUK, (2, 4, 6, 2, 4)),
    ])
    def test_progression(self, convention, prices):
        for number, price in enumerate(prices, 1):
            entries = all_pass((1, 4, 5), convention, number=number)
            assert entries.mountain == {0: price, 1: 4 * price, 2: 5 * price}
            assert entries.pool == {}

    @pytest.mark.parametrize(("bonus", "pool", "mountain"), [
        ("off", {}, {}), ("pool_price", {0: 2}, {}), ("pool_point", {0: 1}, {}),
        ("mountain_price", {}, {0: -2}), ("mountain_two_prices", {}, {0: -4}),
    ])
    def test_zero_bonus(self, bonus, pool, mountain):
        entries = all_pass((0, 4, 6), replace(SOCHI, zero_bonus=bonus), number=2)
        assert entries.pool == pool
        assert entries.mountain == {**mountain, 1: 8, 2: 12}

    def test_the_dealer_pays_for_his_tricks_and_may_have_the_bonus(self):
        entries = all_pass((3, 3, 2, 2), LENINGRAD, players=4)
        assert entries.mountain == {0: 6, 1: 6, 2: 4, 3: 4}
        assert all_pass((3, 3, 4, 0), LENINGRAD, players=4).mountain == {0: 6, 1: 6, 2: 8}
        assert all_pass((3, 3, 4), SOCHI, players=4).pool == {3: 1}

    def test_rostov_one_lowest(self):
        entries = all_pass((1, 4, 5), ROSTOV)
        assert entries == Entries(whists={(0, 1): 20, (0, 2): 25})

    def test_rostov_two_lowest_share(self):
        entries = all_pass((1, 8, 1), ROSTOV)
        assert entries.whists == {(0, 1): 20, (2, 1): 20}
        assert entries.pool == {}

    def test_rostov_halves_stay_exact_where_the_dealer_plays(self):
        entries = all_pass((2, 5, 2, 1), replace(ROSTOV, all_pass_talon="plays"), players=4)
        assert entries.whists == {(0, 1): Fraction(25, 2), (2, 1): Fraction(25, 2)}


class TestTalon:
    @pytest.mark.parametrize(("cards", "units"), [
        ("SA CA", 3), ("SA SK", 2), ("SA CK", 1), ("SA S7", 1), ("SK SQ", 1), ("SK CQ", 0),
        ("S7 S8", 0), ("SQ SJ", 0),
    ])
    def test_units(self, cards, units):
        assert talon_units(parse_cards(cards)) == units

    def test_zhuk_ace_on_an_eight_is_six_whists(self):
        assert game("8S", (P, P), None, ZHUK, players=4, talon="SA C7").whists == {(3, 0): 6}
        assert game("8S", (P, P), None, ZHUK, players=3, talon="SA C7").whists == {}

    def test_leningrad_opponents_halve_it_at_three(self):
        assert game("6S", (P, P), None, LENINGRAD, talon="SA CA").whists == {(1, 0): 6, (2, 0): 6}
        assert game("6S", (P, P), None, LENINGRAD, players=4, talon="SA CA").whists == {(3, 0): 12}

    def test_an_odd_bonus_is_halved_exactly(self):
        convention = replace(LENINGRAD, talon_bonus_unit="ten_whists")
        assert game("6S", (P, P), None, convention, talon="SA CA").whists[1, 0] == 15

    def test_it_is_written_on_a_failed_game_too(self):
        entries = game("6S", (W, P), (5, 5, 0), ROSTOV, players=4, talon="SA CA")
        assert entries.whists[3, 0] == 10 + 30

    def test_no_bonus_on_misere_or_where_it_is_off(self):
        result = DealResult(MISERE, 0, None, (0, 5, 5), 4, parse_cards("SA CA"))
        assert score(result, ZHUK).whists == {}
        assert game("6S", (P, P), None, SOCHI, players=4, talon="SA CA").whists == {}


SIX = parse_contract("6S")


@pytest.mark.parametrize(("result", "told"), [
    (DealResult(SIX, 0, (W, P), (6, 3, 2)), "sum to 11, expected 10"),
    (DealResult(SIX, 0, (W, P), (6, 5, -1)), "expected 10"),
    (DealResult(SIX, 0, (W, P), (6, 4)), "found 2 numbers of tricks"),
    (DealResult(SIX, 0, (W, P), (6, 2, 2, 0), 4), "found 4 numbers"),
    (DealResult(SIX, 0, (W, P)), "tricks are missing"),
    (DealResult(SIX, 0, (P, P), (6, 2, 2)), "leave the tricks out"),
    (DealResult(SIX, 0, (P, H), (6, 2, 2)), "leave the tricks out"),
    (DealResult(SIX, 0, None, (6, 2, 2)), "whist is missing"),
    (DealResult(SIX, None, (P, P)), "declarer is missing"),
    (DealResult(SIX, 3, (P, P), players=4), "expected seat 1, 2 or 3"),
    (DealResult(SIX, 0, (P, P), players=5), "5 players"),
    (DealResult(SIX, 0, (P, P), talon=1), "1 cards in the talon"),
    (DealResult(SIX, 0, (W, H), None), "other defender passed"),
    (DealResult(SIX, 0, (H, W), (6, 2, 2)), "other defender passed"),
    (DealResult(parse_contract("8S"), 0, (P, H)), "six or a seven"),
    (DealResult(MISERE, 0, (W, P), (0, 5, 5)), "nobody whists on misere"),
    (DealResult(MISERE, 0), "tricks are missing"),
    (DealResult(ALL_PASS, 0, None, (4, 4, 2)), "no declarer"),
    (DealResult(ALL_PASS, tricks=(4, 4, 1, 1)), "found 4 numbers"),
    (DealResult(ALL_PASS, tricks=(4, 2, 1, 3), players=4), "the dealer has 3 tricks"),
    (DealResult(ALL_PASS, tricks=(4, 4, 2), all_pass_number=0), "all-pass number 0"),
])
def test_what_cannot_be(result, told):
    with pytest.raises(InputError, match=told):
        score(result, SOCHI)


def test_no_half_whist_in_classic_and_no_dealer_trick_with_a_closed_talon():
    with pytest.raises(InputError, match="no half-whist in the convention classic"):
        game("7S", (P, H), None, CLASSIC)
    with pytest.raises(InputError, match="at most 0"):
        all_pass((4, 3, 2, 1), ROSTOV, players=4)


def test_json():
    entries = game("7H", (W, W), (7, 2, 1), SOCHI)
    assert entries_json(entries, net(entries, SOCHI, 3)) == {
        "pool": {"1": 4},
        "mountain": {},
        "whists": [{"from": "2", "on": "1", "amount": 8}, {"from": "3", "on": "1", "amount": 4}],
        "net": {"1": 14.6667, "2": -5.3333, "3": -9.3333},
        "net_exact": {"1": "44/3", "2": "-16/3", "3": "-28/3"},
    }


def test_json_halves_and_the_dealer():
    entries = Entries({3: 1}, {}, {(3, 0): Fraction(25, 2)})
    told = entries_json(entries, net(entries, ROSTOV, 4))
    assert told["whists"] == [{"from": "dealer", "on": "1", "amount": 12.5}]
    assert told["net_exact"]["dealer"] == "20"
    assert json.loads(json.dumps(told)) == told


CONVENTIONS = [load_convention(name) for name in convention_names()]


@st.composite
def results(draw):
    """Any deal that a convention allows."""
    convention = draw(st.sampled_from(CONVENTIONS))
    players = draw(st.sampled_from([3, 4]))
    kind = draw(st.sampled_from(["game", "unplayed", "misere", "all-pass"]))
    first = draw(st.integers(0, 10))
    tricks = (first, taken := draw(st.integers(0, 10 - first)), 10 - first - taken)
    if kind == "all-pass":
        result = DealResult(ALL_PASS, tricks=tricks, players=players,
                            all_pass_number=draw(st.integers(1, 6)))
    elif kind == "misere":
        result = DealResult(MISERE, draw(st.integers(0, 2)), None, tricks, players)
    else:
        contract = Contract.game(draw(st.integers(6, 10)), draw(st.integers(0, 4)))
        talon = 0
        for card in draw(st.sets(st.integers(0, 31), min_size=2, max_size=2)):
            talon |= 1 << card
        replies = (P, P) if kind == "unplayed" else draw(st.sampled_from([(W, W), (W, P), (P, W)]))
        result = DealResult(contract, draw(st.integers(0, 2)), replies,
                            None if kind == "unplayed" else tricks, players, talon)
    return result, convention


@given(results())
def test_every_deal_sums_to_zero(drawn):
    result, convention = drawn
    entries = score(result, convention)
    exact = net(entries, convention, result.players)
    assert len(exact) == result.players
    assert sum(exact) == 0
    assert net_floats(entries, convention, result.players) == pytest.approx(
        [float(value) for value in exact])


@given(results())
def test_turning_the_table_turns_the_score(drawn):
    """Who sits where does not matter, only who follows whom."""
    result, convention = drawn
    turned = replace(
        result,
        declarer=None if result.declarer is None else (result.declarer + 1) % 3,
        tricks=result.tricks and (result.tricks[2], *result.tricks[:2]),
    )
    before = net(score(result, convention), convention, result.players)
    after = net(score(turned, convention), convention, result.players)
    assert after == (before[2], *before[:2], *before[3:])
