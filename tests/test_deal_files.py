"""Deal files: what people write, and what is told them when it cannot be used."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import card_code, cards_of, format_cards, format_hand, parse_cards
from advisor.errors import InputError
from advisor.records.deal import KEYS, DealRecord, parse_deal, read_deal
from advisor.rules.contracts import ALL_PASS, MISERE, Contract

ONE, TWO, THREE = "♠AKQ98 ♣A8 ♦K107", "♠J107 ♣K109 ♦A9 ♥K9", "♣QJ ♦QJ8 ♥AQJ108"
HANDS = (parse_cards(ONE), parse_cards(TWO), parse_cards(THREE))
BARE = f"{ONE}\n{TWO}\n{THREE}\n"
FULL = f"""\
# after the auction
hand 1: {ONE}     # the declarer's
hand 2: {TWO}
hand 3: {THREE}
discard: ♣7 ♥7
contract: 7S
declarer: 1
leader: 3
players: 4
convention: leningrad
"""
RUSSIAN = """\
Первая: П:ТКД98 Т:Т8 Б:К107
вторая рука: П:В107 Т:К109 Б:Т9 Ч:К9
рука 3: Т:ДВ Б:ДВ8 Ч:ТДВ108
прикуп: 7ч 7т
контракт: распасы
ход: вторая
игроков: 4
"""


def refusal(text: str, source: str | None = "f", **overrides: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_deal(text, source, overrides)
    return str(caught.value)


# --- what is read --------------------------------------------------------------------------------


def test_three_lines_of_cards_are_a_whole_file() -> None:
    record = parse_deal(BARE)
    assert record.hands == HANDS
    assert (record.size, record.talon, record.discard, record.players) == (10, (), 0, 3)
    assert (record.contract, record.declarer, record.leader) == (None, None, None)
    assert record.convention.name == "sochi"


def test_all_keys() -> None:
    record = parse_deal(FULL, "deal.txt")
    assert record.hands == HANDS
    assert format_cards(record.discard) == "C7 H7"
    assert record.talon == ()
    assert record.contract == Contract.game(7, 0)
    assert (record.declarer, record.leader, record.players) == (0, 2, 4)
    assert (record.convention.name, record.source) == ("leningrad", "deal.txt")


def test_russian_keys_and_cards() -> None:
    record = parse_deal(RUSSIAN)
    assert record.hands == HANDS
    assert [card_code(card) for card in record.talon] == ["H7", "C7"]
    assert (record.contract, record.declarer, record.leader) == (ALL_PASS, None, 1)


@pytest.mark.parametrize("keys", [
    ("1", "2", "3"), ("hand 1", "hand 2", "hand 3"), ("Seat 1", "SEAT 2", "seat  3"),
    ("first", "second", "third"), ("first hand", "second hand", "third hand"),
    ("рука 1", "рука 2", "рука 3"), ("место 1", "место 2", "место 3"),
    ("первая", "вторая", "третья"), ("1-я рука", "2-я рука", "3-я рука")])
def test_names_of_the_hands(keys: tuple[str, str, str]) -> None:
    lines = [f"{key}: {hand}" for key, hand in zip(keys, (ONE, TWO, THREE), strict=True)]
    assert parse_deal("\n".join(reversed(lines))).hands == HANDS


def test_bare_hands_with_keys_below() -> None:
    record = parse_deal(BARE + "contract: misere\ndeclarer: 3")
    assert (record.hands, record.contract, record.declarer) == (HANDS, MISERE, 2)


def test_letters_before_a_colon_are_suits() -> None:
    assert parse_deal("S:A H:7\nH: 8 S: K\nS:Q H:9").hands == parse_deal("♠A♥7\n♠K♥8\n♠Q♥9").hands


def test_the_language_of_one_hand_settles_that_of_another() -> None:
    """Three aces or three tens? Д in the third line says that they are aces."""
    assert parse_deal("♠Т\n♣Т\n♦Д").hands == parse_deal("♠A\n♣A\n♦Q").hands


@pytest.mark.parametrize(("text", "order"), [
    ("♣7 ♥7", "C7 H7"), ("♥7 ♣7", "H7 C7"), ("7♥ 7♣", "H7 C7"), ("♦2", None), ("♥7♣7", "H7 C7"),
    ("H7C7", "H7 C7"), ("7h 7c", "H7 C7"), ("H:7 C:7", "H7 C7")])
def test_the_talon_keeps_its_order(text: str, order: str | None) -> None:
    if order is None:
        assert "not a rank" in refusal(f"{BARE}talon: {text}")
        return
    assert " ".join(map(card_code, parse_deal(f"{BARE}talon: {text}").talon)) == order


def test_a_talon_of_one_suit_keeps_its_order() -> None:
    assert parse_deal("♠A\n♠K\n♠Q\ntalon: ♠710").talon == (0, 3)
    assert parse_deal("♠A\n♠K\n♠Q\ntalon: ♠107").talon == (3, 0)


@given(st.permutations(range(32)), st.integers(1, 10), st.sampled_from(["en", "ru"]),
       st.booleans())
def test_what_is_printed_is_read_back(
    cards: list[int], size: int, lang: str, symbols: bool
) -> None:
    hands = [sum(1 << card for card in cards[i * size:(i + 1) * size]) for i in range(3)]
    text = "\n".join(format_hand(hand, lang, symbols=symbols) for hand in hands)
    if lang == "ru" and symbols and not set(text) & set("ДВ"):
        return  # only look-alikes: the advisor asks instead
    record = parse_deal(text)
    assert record.hands == tuple(hands)
    assert record.size == size


# --- options instead of lines --------------------------------------------------------------------


def test_options_overrule_the_file() -> None:
    record = parse_deal(FULL, None, {"contract": "misere", "declarer": "вторая", "leader": "1"})
    assert (record.contract, record.declarer, record.leader) == (MISERE, 1, 0)


def test_an_all_pass_asked_for_drops_the_files_declarer() -> None:
    assert parse_deal(FULL, None, {"contract": "all-pass"}).declarer is None
    assert refusal(FULL, contract="all-pass", declarer="2") == \
        "--declarer: an all-pass has no declarer"
    assert "an all-pass has no declarer" in refusal(BARE + "contract: all-pass\ndeclarer: 1")


def test_a_bad_option() -> None:
    assert refusal(FULL, contract="5S").startswith("--contract: '5S' is not a contract")
    assert refusal(FULL, declarer="4").startswith("--declarer: '4' is not a seat")
    assert refusal(BARE, contract="6S") == \
        "--contract: the declarer is missing; expected seat 1, 2 or 3"


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "place", "says"), [
    (f"1: {ONE}\n2: ♠K107 ♣K109 ♦A9 ♥K9\n3: {THREE}", "2:5",
     "the card SK stands in the hands of seats 1 and 2"),
    (f"{ONE}\n{TWO}\n♣QJ ♦QJ10 ♥AQJ108", "3:8",
     "the card D10 stands in the hands of seats 1 and 3"),
    (f"1: {ONE}\n2: {TWO}\n3: ♣QJ ♦QJJ ♥AQJ108", "3:11", "the card DJ stands twice"),
    (f"1: {ONE}\n2: ♠J107 ♣K109 ♦A9 ♥K\n3: {THREE}", "2:4",
     "found 9 cards in the hand of seat 2, expected 10 as in the hand of seat 1"),
    ("♠A\n♠K7\n♠Q9", "1:1",
     "found 1 cards in the hand of seat 1, expected 2 as in the hand of seat 2"),
    (f"1: ♥7 {ONE}\n2: {TWO}\n3: {THREE}", "1:4", "found 11 cards, expected at most ten"),
    (BARE + "talon: ♣7", "4:8", "found 1 cards in the talon, expected two"),
    (BARE + "discard: ♣7 ♥7 ♦8", "4:10", "found 3 cards in the discard, expected two"),
    (BARE + "talon: ♣7 ♠10", "4:12",
     "the card S10 stands in the talon and in the hand of seat 2"),
    (BARE + "discard: ♠A ♣7", "4:11",
     "the card SA stands in the discard and in the hand of seat 1"),
    (BARE + "talon: ♣7 ♥7\ndiscard: ♣7 ♥7", "5:10", "the talon is given in line 4 already"),
    (BARE + "♣7 ♥7", "4:1", "found a fourth line of cards"),
    (BARE + f"1: {ONE}", "1:1", "found cards without a seat, but the key '1' in line 4"),
    (f"1: {ONE}\n4: {TWO}", "2:1", "'4' is not a key; expected 1, 2, 3, talon"),
    (f"1: {ONE}\nfirst: {TWO}", "2:1", "the key 'first' stands twice, first in line 1"),
    (f"1: {ONE}\n2: ♠J107 ♣ZK9", "", "the hand of seat 3 is missing; expected a line '3: "),
    (f"{ONE}\n{TWO}\n♣QZ", "3:3", "'Z' is not a rank"),
    (f"{ONE}\nhello", "2:1", "found 'hello', expected 'key: value' or the cards of a hand"),
    (f"{ONE}\nhello: you", "2:1", "'hello' is not a key"),
    (BARE + "contract: 5S\ndeclarer: 1", "4:11", "'5S' is not a contract"),
    (BARE + "contract: 6S", "4:11", "the declarer is missing"),
    (BARE + "leader: 4", "4:9", "'4' is not a seat"),
    (BARE + "players: 5", "4:10", "from 3 to 4"),
    (BARE + "convention: odessa", "4:13", "'odessa' is not a convention"),
    (BARE + "talon:", "4:7", "the key 'talon' has no value"),
])
def test_a_deal_with_a_mistake(text: str, place: str, says: str) -> None:
    said = refusal(text)
    assert said.startswith(f"f:{place}: " if place else "f: ")
    assert says in said


@given(st.text(alphabet="♠♣♦♥AKQJ109876TКДВПТБЧ:-123 \n#scd", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        record = parse_deal(text)
    except InputError:
        return
    first, second, third = record.hands
    assert not first & second | first & third | second & third
    assert 1 <= record.size == len(list(cards_of(second))) == third.bit_count() <= 10


# --- files ---------------------------------------------------------------------------------------


def test_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "сдача.txt"
    path.write_text(RUSSIAN, encoding="cp1251")
    by_file = read_deal(path)
    assert by_file.source == str(path)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RUSSIAN.encode())))
    by_input = read_deal("-")
    assert by_input.source == "<stdin>"
    assert by_input.hands == by_file.hands == HANDS


def test_a_convention_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('extends = "rostov"\n', encoding="utf-8")
    (tmp_path / "deal.txt").write_text(BARE + "convention: ours.toml", encoding="utf-8")
    assert read_deal(tmp_path / "deal.txt").convention.all_pass_talon == "closed"


def test_keys_do_not_look_like_suits() -> None:
    assert not {key for key in KEYS if len(key) == 1} - {"1", "2", "3"}
    assert isinstance(parse_deal(BARE), DealRecord)
