"""Hand files of a defender, of a table with styles, and of a pulka in its middle."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from advisor.advice.decide import advise
from advisor.advice.misere import study_misere
from advisor.cards import format_cards
from advisor.cli import app
from advisor.errors import InputError
from advisor.records.hand import KEYS, HandRecord, parse_hand, unseen_mask
from advisor.rules.deal import Reply
from advisor.rules.pulka import Pulka
from advisor.show.words import situation

HAND = "hand: ♠K97 ♣J98 ♦J98 ♥A\n"
FIRST = HAND + "seat: 2\ncontract: 7H\ndeclarer: 1\ntalon: ♠A ♣7\n"
SECOND = FIRST.replace("seat: 2", "seat: 3") + "whist: pass\n"
RUSSIAN = """\
рука: ♠К97 ♣В98 ♦В98 ♥Т
место: 3
контракт: 7Ч
играющий: первая рука
прикуп: ♠Т ♣7
вист: пас
слева: смелый
справа: осторожный
игроков: 4
пуля: 4 6 8 0
гора: 0 -2 12.5 7
размер пули: 10
"""


def calls(record: HandRecord) -> str:
    return " ".join(str(call) for call in record.auction.calls)


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_hand(text, "f")
    return str(caught.value)


def test_the_first_defender() -> None:
    record = parse_hand(FIRST)
    assert (record.decision, record.declares) == ("whist", False)
    assert (record.seat, record.declarer, str(record.contract)) == (1, 0, "7H")
    assert (record.whist, record.assumed, calls(record)) == (None, True, "6S pass pass")
    assert format_cards(record.talon) == "SA C7"
    assert record.cards.bit_count() == 10
    assert not record.cards & record.talon
    assert unseen_mask(record).bit_count() == 20


def test_the_second_defender_has_heard_the_first() -> None:
    record = parse_hand(SECOND)
    assert (record.seat, record.whist) == (2, Reply.PASS)
    assert parse_hand(SECOND.replace("whist: pass", "whist: вист")).whist is Reply.WHIST


def test_the_other_decisions() -> None:
    ten = "♠AKQ9 ♣A8 ♦K107 ♥8"
    assert parse_hand(ten).decision == "bid"
    assert parse_hand(f"hand: {ten}\ntalon: ♠7 ♥A").decision == "declare"


def test_the_auction_tells_the_declarer() -> None:
    text = HAND + "seat: 2\ntalon: ♠A ♣7\ncontract: 7H\nwhist: pass\nauction: pass 6S 6C pass\n"
    record = parse_hand(text)
    assert (record.declarer, record.assumed, calls(record)) == (2, False, "pass 6S 6C pass")
    assert parse_hand(text + "declarer: 3") == record


def test_the_assumed_auction_is_won_by_that_declarer() -> None:
    text = HAND + "seat: 2\ncontract: 8D\ndeclarer: 3\ntalon: ♠A ♣7\nwhist: pass\nall-passes: 1\n"
    record = parse_hand(text + "convention: zhuk\n")
    assert calls(record) == "pass pass 7S"
    assert record.assumed


def test_russian_keys_and_the_table() -> None:
    record = parse_hand(RUSSIAN)
    assert (record.decision, record.whist, record.declarer) == ("whist", Reply.PASS, 0)
    assert record.styles == ("bold", "careful", "normal")
    assert record.pulka == Pulka((4, 6, 8, 0), (0, -2, Fraction(25, 2), 7), 10)


@pytest.mark.parametrize(
    ("seat", "styles"),
    [
        (1, ("normal", "bold", "careful")),
        (2, ("careful", "normal", "bold")),
        (3, ("bold", "careful", "normal")),
    ],
)
def test_left_is_the_next_clockwise(seat: int, styles: tuple[str, str, str]) -> None:
    passes = "pass " * (seat - 1)
    text = f"♠AKQ9 ♣A8 ♦K107 ♥8\nleft: bold\nright: careful\nseat: {seat}\n"
    assert parse_hand(text + (f"auction: {passes}" if passes else "")).styles == styles


def test_what_is_not_told_of_the_pulka() -> None:
    ten = "♠AKQ9 ♣A8 ♦K107 ♥8\n"
    assert parse_hand(ten).pulka is None
    assert parse_hand(ten + "target: 20").pulka == Pulka((0, 0, 0), (0, 0, 0), 20)
    assert parse_hand(ten + "pool: 1 2 3").pulka == Pulka((1, 2, 3), (0, 0, 0), None)


def test_a_game_without_the_talon_shows_none() -> None:
    text = HAND + "seat: 2\ncontract: 9S\nconvention: classic\nauction: 9S-without pass pass\n"
    record = parse_hand(text)
    assert (record.talon, record.declarer) == (0, 0)
    assert unseen_mask(record).bit_count() == 22
    assert refusal(text + "talon: ♠A ♣7").startswith(
        "f:6:8: the talon is given, but the auction was won without the talon, with 9S-without"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FIRST.replace("seat: 2\n", ""), "f:2:11: the seat is missing; expected a line 'seat: 2'"),
        (FIRST.replace("declarer: 1\n", ""), "f:3:11: the declarer is missing"),
        (FIRST.replace("contract: 7H\n", ""), "f:3:11: the contract is missing"),
        (HAND + "whist: pass", "f:2:8: the contract is missing"),
        (
            FIRST.replace("talon: ♠A ♣7\n", ""),
            "f:3:11: the talon is missing, which the declarer shows",
        ),
        (FIRST.replace("declarer: 1", "declarer: 2"), "f:4:11: seat 2 is the declarer himself"),
        (FIRST + "whist: pass", "f:6:8: seat 2 speaks first after the declarer, seat 1; leave"),
        (
            SECOND.replace("whist: pass\n", ""),
            "f:2:7: seat 3 speaks second; expected a line 'whist:",
        ),
        (FIRST.replace("7H", "misere"), "f:3:11: nobody whists on misere"),
        (FIRST.replace("7H", "all-pass"), "f:3:11: nobody whists on all-pass"),
        (FIRST.replace("7H", "7Z"), "f:3:11: '7Z' is not a contract"),
        (
            FIRST + "auction: 8S pass pass",
            "f:3:11: 7H is too low: the auction was won with 8S; expected 8S or higher",
        ),
        (FIRST + "auction: misere pass pass", "f:3:11: the auction was won with misere"),
        (
            FIRST + "all-passes: 2\nconvention: zhuk",
            "f:3:11: 7H is too low: the auction was won with 8S",
        ),
        (
            FIRST + "auction: 6S pass",
            "f:6:10: the contract is given, but the auction is not won yet: "
            "it is the turn of seat 3",
        ),
        (FIRST + "auction: pass pass pass", "f:6:10: the contract is given, but nobody won"),
        (FIRST + "auction: pass pass 6S", "f:4:11: seat 3 won the auction, not seat 1"),
        (FIRST.replace("♠A ♣7", "♠A ♠K"), "f:5:8: the card SK stands in the hand and in the talon"),
        (FIRST.replace("♠A ♣7", "♠A"), "f:5:8: found 1 cards in the talon, expected two"),
        (FIRST.replace("♥A", "♥AKQ"), "f:1:7: found 12 cards, expected a defender's ten"),
        (SECOND.replace("pass", "half"), "f:6:8: only the second defender may say half"),
        (
            SECOND.replace("pass", "half") + "convention: zhuk",
            "f:6:8: there is no half-whist in the convention zhuk",
        ),
        (
            SECOND.replace("pass", "half").replace("7H", "8H") + "convention: leningrad",
            "f:6:8: found a half-whist on 8H, expected one on a six or a seven only",
        ),
        (
            SECOND.replace("pass", "half") + "convention: leningrad",
            "f:6:8: the first defender goes for half only after the second has passed",
        ),
        (SECOND.replace("pass", "maybe"), "f:6:8: found 'maybe', expected whist, pass or half"),
        (
            FIRST.replace("7H", "10H") + "convention: leningrad",
            "f:3:11: a ten is checked, not whisted",
        ),
        (
            FIRST.replace("7H", "6S") + "convention: classic",
            "f:3:11: both defenders must whist on 6S",
        ),
        (HAND + "left: rash", "f:2:7: 'rash' is not a style; expected careful, normal or bold"),
        (HAND + "pool: 1 2", "f:2:7: found 2 numbers, expected 3, one for each player"),
        (HAND + "players: 4\nmountain: 1 2 3", "f:3:11: found 3 numbers, expected 4"),
        (HAND + "pool: 1 -2 3", "f:2:9: found -2, expected 0 or more"),
        (HAND + "target: 0", "f:2:9: target: found '0', expected a whole number from 1 to 1000"),
        (
            HAND + "auction: 6S pass pass\nseat: 2",
            "f:2:10: the auction is already over: seat 1 won it; "
            "a defender gives what was declared",
        ),
    ],
)
def test_what_cannot_be_so(text: str, told: str) -> None:
    assert refusal(text).startswith(told)


def test_situation_and_json() -> None:
    record = parse_hand(RUSSIAN)
    assert situation(record, "en").endswith(
        "talon ♠A ♣7 · left bold · right careful · pool 4 6 8 0 · mountain 0 −2 12.5 7 · "
        "pool to close 10\nfirst hand plays 7♥ · second hand said pass"
    )
    assert situation(record, "ru").endswith("\n7♥, играет первая рука · вторая рука: пас")
    ten = parse_hand("♠AKQ9 ♣A8 ♦K107 ♥8\nleft: bold\npool: 1 2 3\ntarget: 10\nmountain: 0 0 1/2")
    told = json.loads(json.dumps(advise(ten, deals=100).to_json()))
    assert told["styles"] == ["normal", "bold", "normal"]
    assert told["pulka"]["mountain"] == [0, 0, 0.5]
    assert (told["contract"], told["declarer"], told["whist"]) == (None, None, None)


def test_a_defender_is_not_asked_about_a_misere() -> None:
    with pytest.raises(InputError, match="the hand is a defender's"):
        study_misere(parse_hand(FIRST))


def test_options_stand_instead_of_lines() -> None:
    found = CliRunner().invoke(
        app,
        [
            "advise",
            "--hand",
            "♠K97 ♣J98 ♦J98 ♥A",
            "--contract",
            "7H",
            "--declarer",
            "1",
            "--talon",
            "♠A ♣7",
            "--seat",
            "2",
            "--whist",
            "pass",
        ],
    )
    assert found.exit_code == 2
    assert found.output.startswith("--whist: seat 2 speaks first after the declarer")
    found = CliRunner().invoke(
        app,
        [
            "advise",
            "--hand",
            "♠K97 ♣J98 ♦J98 ♥A",
            "--left",
            "bold",
            "--right",
            "careful",
            "--pool",
            "1 2 3",
            "--mountain",
            "3 2 1",
            "--target",
            "10",
            "--deals",
            "100",
        ],
    )
    assert found.exit_code == 0
    assert "left bold · right careful · pool 1 2 3" in " ".join(found.output.split())


def test_every_option_is_a_key() -> None:
    assert {"contract", "declarer", "whist", "left", "right", "pool", "mountain", "target"} <= set(
        KEYS.values()
    )
