"""Session files: hands with what was said, and faults told at their place in the whole file."""

from __future__ import annotations

import pytest

from advisor.cards import format_cards, parse_cards
from advisor.errors import InputError
from advisor.records.hand import parse_hand
from advisor.records.session import PlayedHand, parse_session, read_session
from advisor.rules.contracts import MISERE
from advisor.rules.deal import Reply

TEN = "hand: ♠AKQ98 ♣A8 ♦K107\n"
TAKEN = TEN + "auction: 6S pass pass\ntalon: ♦A ♥J\n"
RUSSIAN = "рука: П:ТКД98 Т:Т8 Б:К107\nторговля: раз пас пас\nприкуп: Бт Чв\n"
DEFENCE = "hand: ♠K97 ♣J98 ♦J98 ♥A\ncontract: 7H\ndeclarer: 1\ntalon: ♠A ♣7\n"


def one(text: str) -> PlayedHand:
    (hand,) = parse_session(text)
    return hand


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_session(text, "s")
    return str(caught.value)


def test_a_line_of_dashes_parts_the_hands() -> None:
    text = f"# an evening\n---\n\n{TEN}\nsaid: 6S\n-----\n# nothing\n --- \n{TEN}said: пас\n———\n"
    hands = parse_session(text, "s")
    assert [(hand.number, hand.line, str(hand.said)) for hand in hands] == [
        (1, 4, "6S"),
        (2, 10, "pass"),
    ]
    assert hands[0].record == parse_hand(TEN, "s")


def test_blank_lines_part_nothing() -> None:
    assert str(one("♠AKQ98\n\n♣A8 ♦K107\n\n\nsaid: 6S").said) == "6S"


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("7S C8 D7", "7S C8 D7"),
        ("7S", "7S"),
        ("7♠ ♣8♦7", "7S C8 D7"),
        ("7 S C8 D7", "7S C8 D7"),
        ("10NT d7 c8", "10NT C8 D7"),
        ("  seven spades  8c 7d ", "7S C8 D7"),
    ],
)
def test_contracts_with_discards(end: str, said: str) -> None:
    hand = one(f"{TAKEN}said: {end}")
    assert str(hand.said) == said
    asked = (hand.said.contract, hand.said.discard) if hand.said.discard else None
    assert hand.record.asked == asked


@pytest.mark.parametrize("end", ["7 пик Т8 Б7", "семь пик Т:8 Б:7", "7п 8т 7б", "7П ♣8 ♦7"])
def test_contracts_in_russian(end: str) -> None:
    assert str(one(f"{RUSSIAN}сыграно: {end}").said) == "7S C8 D7"


@pytest.mark.parametrize("end", ["7 БК Т8 Б7", "7 без козыря Т8 Б7", "7БК 8т 7б"])
def test_no_trump_in_russian(end: str) -> None:
    assert str(one(f"{RUSSIAN}сказано: {end}").said) == "7NT C8 D7"


def test_a_misere_and_its_discard() -> None:
    text = "hand: ♠710 ♣789 ♦7810 ♥78\nauction: misere pass pass\ntalon: ♠K ♥Q\n"
    said = one(text + "said: misere ♠K ♥Q").said
    assert (said.contract, said.discard) == (MISERE, parse_cards("♠K ♥Q"))


def test_the_talon_and_the_language_of_the_hand_hold() -> None:
    """The discard's Т is the Russian ace because the hand is Russian."""
    assert format_cards(one(f"{RUSSIAN}said: 7п БТ Т8").said.discard) == "C8 DA"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("seat: 2\nsaid: whist", Reply.WHIST),
        ("seat: 3\nwhist: пас\nсказано: полвиста", Reply.HALF),
        ("seat: 3\nwhist: whist\nsaid: pass", Reply.PASS),
    ],
)
def test_replies_of_defenders(more: str, said: Reply) -> None:
    hand = one(DEFENCE + more)
    assert (hand.record.decision, hand.said.reply) == ("whist", said)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "s: no hand found"),
        ("---\n# only this\n---", "s: no hand found"),
        (f"{TEN}said: 6S\n---\nsaid: 6S", "s:4:1: no hand found"),
        (
            f"{TEN}said: 6S\n---\n\n  {TEN}",
            "s:5:1: what was said is missing; expected a line 'said:",
        ),
        (f"{TEN}said: 6S\n---\n{TEN}said: 6Z", "s:5:7: no strain behind the level in '6Z'"),
        (f"{TEN}said: 6S\n---\n{TEN}auction: 7S\nsaid:  6S", "s:6:8: '6S' does not beat the last"),
        (f"{TEN}said: 6S 7S", "s:2:10: found 2 calls in '6S 7S', expected one"),
        (f"{TEN}said: 6S\n---\nhand: ♠AKZ\nsaid: pass", "s:4:10: 'Z' is not a rank"),
        (f"{TEN}said: 6S\n---\n♠AKQ98 ♣A8\n  ♦K10 z7\nsaid: pass", "s:5:8: 'Z' is not a rank"),
        (f"{TEN}said: 6S\nsaid: 7S", "s:3:1: the key 'said' stands twice, first in line 2"),
        (f"{TEN}said: 6S\n---\n{TEN}word: 6S", "s:5:1: 'word' is not a key; expected hand, seat"),
        (f"{TAKEN}said: 7Z C8 D7", "s:4:7: '7Z' is not a contract"),
        (
            f"{TAKEN}said: misere C8 D7",
            "s:4:7: misere cannot be declared: the auction was won with 6S",
        ),
        (f"{TAKEN}said: 7S C8", "s:4:10: found 1 cards in the discard, expected two"),
        (f"{TAKEN}said: 7S  C8 HA", "s:4:11: the card HA is not among the twelve"),
        (f"{TAKEN}said: 7S C8 DZ", "s:4:14: 'Z' is not a rank"),
        (f"{DEFENCE}seat: 2\nsaid: 6S", "s:6:7: found '6S', expected whist, pass or half"),
        (f"{DEFENCE}seat: 2\nsaid: half", "s:6:7: only the second defender may say half"),
        (
            f"{DEFENCE}seat: 3\nwhist: whist\nsaid: half",
            "s:7:7: a half-whist stands only where the",
        ),
    ],
)
def test_faults_stand_at_their_place(text: str, told: str) -> None:
    assert refusal(text).startswith(told)


def test_line_ends_of_all_kinds(tmp_path) -> None:
    text = f"{TEN}said: 6S\n---\n{TEN}said: pass\n"
    for ends in ("\r\n", "\r"):
        path = tmp_path / "session.txt"
        path.write_bytes(text.replace("\n", ends).encode("utf-8-sig"))
        assert [hand.line for hand in read_session(path)] == [1, 4]


def test_options_stand_in_every_hand() -> None:
    hands = parse_session(
        f"{TEN}said: 6S\n---\n{TEN}said: 6S\nconvention: zhuk", None, {"convention": "питер"}
    )
    assert [hand.record.convention.name for hand in hands] == ["leningrad", "leningrad"]
