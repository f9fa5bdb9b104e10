"""Hand files: what people write, and what is told them when it cannot be used."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from advisor.cards import format_cards, parse_cards
from advisor.errors import InputError
from advisor.records.fields import MAX_BYTES, split_lines
from advisor.records.hand import HandRecord, parse_hand, read_hand, unseen_mask

HAND = "hand: ♠AKQ9 ♣A8 ♦K107 ♥8\n"
TEN = "SA SK SQ S9 CA C8 DK D10 D7 H8"
TWELVE = "SA SK SQ S9 S7 CA C8 DK D10 D7 HA H8"
FULL = """\
hand: ♠AKQ9 ♣A8 ♦K107 ♥8     # mine
seat: 2                      # second hand
auction: 6S 6C pass pass     # one call after another
convention: leningrad
players: 4
talon: ♠7 ♥A
all-passes: 0
"""
RUSSIAN = """\
Рука: П:ТКД9 Т:Т8 Б:К107 Ч:8
место: вторая рука
торговля: раз, 6 треф, пас, пас
конвенция: питер
игроков: 4
прикуп: 7п Тч
распасы: 0
"""


def calls(record: HandRecord) -> str:
    return " ".join(str(call) for call in record.auction.calls)


def refusal(text: str, source: str | None = "f", **overrides: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_hand(text, source, {key.replace("_", "-"): v for key, v in overrides.items()})
    return str(caught.value)


# --- what is read --------------------------------------------------------------------------------


def test_ten_cards_are_a_whole_file():
    record = parse_hand("♠AKQ9 ♣A8 ♦K107 ♥8")
    assert format_cards(record.cards) == TEN
    assert (record.seat, record.convention.name, record.players) == (0, "sochi", 3)
    assert (record.all_passes, record.talon, record.source) == (0, 0, None)
    assert not record.auction.calls
    assert not record.declares
    assert unseen_mask(record).bit_count() == 22
    assert record.contracts == ()


@pytest.mark.parametrize("text", [
    "As Ks Qs 9s Ac 8c Kd 10d 7d 8h",
    "As Ks Qs 9s\nAc 8c\n\nKd 10d 7d\n8h",
    "S: AKQ9\nC: A8\nD: K107\nH: 8",
    "  S: AKQ9   # my suit\n# a comment\n\n  C: A8\n\tD: K107\n  H: 8\n\n",
    "♠ AKQ9\n♣ A8\n♦ K107\n♥ 8",
    "♠: AKQ9\n♣: A8\n♦: K107\n♥: 8",
    "SAKQ9\nCA8\nDK107\nH8",
    "П: ТКД9\nТ: Т8\nБ: К107\nЧ: 8",
    "Тп Кп Дп 9п Тт 8т Кб 10б 7б 8ч",
    "cards: As Ks Qs 9s Ac 8c Kd 10d 7d 8h",
    "карты: Тп Кп Дп 9п Тт 8т Кб 10б 7б 8ч",
    "HAND : ♠AKQ9 ♣A8 ♦K107 ♥8",
    "seat: 1\nS: AKQ9\nC: A8\nplayers: 3\nD: K107\nH: 8",
])
def test_hands_in_every_layout(text):
    record = parse_hand(text, "f")
    assert format_cards(record.cards) == TEN
    assert record.seat == 0


@pytest.mark.parametrize(("text", "cards"), [
    ("S: AKQ9\nC: -\nD: AK107\nH: 87", "SA SK SQ S9 DA DK D10 D7 H8 H7"),
    ("As Ks Qs Js Ac Kc Qc Jc Ad Kd", "SA SK SQ SJ CA CK CQ CJ DA DK"),
    ("SAKQJ\nCAKQJ\nDAK", "SA SK SQ SJ CA CK CQ CJ DA DK"),
])
def test_voids_and_hands_without_digits(text, cards):
    assert format_cards(parse_hand(text).cards) == cards


@pytest.mark.parametrize("text", [FULL, RUSSIAN])
def test_all_keys(text):
    record = parse_hand(text)
    assert format_cards(record.cards) == TWELVE
    assert format_cards(record.talon) == "S7 HA"
    assert (record.seat, record.players, record.all_passes) == (1, 4, 0)
    assert record.convention.name == "leningrad"
    assert calls(record) == "6S 6C pass pass"


@pytest.mark.parametrize(("auction", "seat"), [
    ("pass", 1), ("6S 6C", 2), ("6S pass", 2), ("6S 6C pass", 0), ("pass pass", 2),
    ("раз, пас, 6 треф", 0), ("6S pass 6C hold", 2),
])
def test_the_seat_follows_from_the_auction(auction, seat):
    record = parse_hand(HAND + f"auction: {auction}\n")
    assert record.seat == seat == record.auction.seat_to_call
    assert parse_hand(HAND + f"auction: {auction}\nseat: {seat + 1}\n") == record


@pytest.mark.parametrize("word", ["3", "third", "Third hand", "третья", "третья рука", "третий"])
def test_seat_words(word):
    assert parse_hand(HAND + f"auction: pass pass\nseat: {word}").seat == 2


def test_twelve_cards_have_won_at_the_lowest_call():
    record = parse_hand("♠AKQ97 ♣A8 ♦K107 ♥A8\nseat: 2\n")
    assert record.declares
    assert (record.seat, record.talon, calls(record)) == (1, 0, "pass 6S pass")
    assert len(record.contracts) == 25
    assert unseen_mask(record).bit_count() == 20


@pytest.mark.parametrize("hand", ["♠AKQ9 ♣A8 ♦K107 ♥8", "♠AKQ97 ♣A8 ♦K107 ♥A8"])
def test_the_talon_beside_or_among_the_cards(hand):
    record = parse_hand(f"hand: {hand}\ntalon: ♠7 ♥A\n")
    assert format_cards(record.cards) == TWELVE
    assert format_cards(record.talon) == "S7 HA"
    assert (record.seat, calls(record)) == (0, "6S pass pass")


def test_the_lowest_call_after_all_passes():
    record = parse_hand(HAND + "talon: ♠7 ♥A\nall-passes: 1\nconvention: leningrad\n")
    assert calls(record) == "7S pass pass"
    assert str(record.contracts[0]) == "7S"


def test_the_winner_of_the_auction_declares():
    record = parse_hand(HAND + "talon: ♠7 ♥A\nauction: pass 7C 7D hold pass\n")
    assert record.seat == 1
    assert [str(c) for c in record.contracts[:2]] == ["7D", "7H"]


def test_passes_that_nobody_has_to_say():
    """Nobody can speak over 10NT."""
    record = parse_hand(HAND + "talon: ♠7 ♥A\nauction: pass 10NT\n")
    assert (record.seat, calls(record)) == (1, "pass 10NT pass")


def test_one_language_for_hand_and_talon():
    """The talon's T is the Russian ace because the hand is in Russian, and the other way round."""
    assert format_cards(parse_hand(RUSSIAN.replace("7п Тч", "7Т ТТ").replace("Т:Т8", "Т:К8"))
                        .talon) == "CA C7"
    assert parse_cards("♠T ♥A") == parse_hand(HAND + "talon: ♠T ♥A\n").talon


def test_overrides_stand_instead_of_lines():
    record = parse_hand("", None, {"hand": "♠AKQ9 ♣A8 ♦K107 ♥8", "seat": "2", "auction": "пас"})
    assert (format_cards(record.cards), record.seat, calls(record)) == (TEN, 1, "pass")
    changed = parse_hand(HAND + "auction: 6S 6C\nseat: 3\nplayers: 4", None,
                         {"auction": "", "seat": "1"})
    assert (changed.seat, calls(changed), changed.players) == (0, "", 4)
    assert format_cards(parse_hand("♠AKQ9 ♣A8\n♦K107 ♥8", None, {"hand": "♥AKQ9 ♣A8 ♦K107 ♠8"})
                        .cards).startswith("S8 CA")


def test_comments_need_space_before_them():
    assert list(split_lines("a # b\n#c\nd#e\n\n  #f")) == [(1, "a"), (3, "d#e")]


# --- bytes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [
    RUSSIAN.encode(),
    ("\ufeff" + RUSSIAN).encode(),
    RUSSIAN.replace("\n", "\r\n").encode(),
    RUSSIAN.replace("\n", "\r").encode(),
    RUSSIAN.encode("cp1251"),
    RUSSIAN.encode("utf-16"),
    b"\xfe\xff" + RUSSIAN.encode("utf-16-be"),
    ("\ufeff" + RUSSIAN.replace("\n", "\r\n")).encode("utf-16-le"),
], ids=["utf-8", "bom", "crlf", "cr", "cp1251", "utf-16", "utf-16-be", "utf-16-le-crlf"])
def test_encodings(tmp_path, data):
    path = tmp_path / "рука.txt"
    path.write_bytes(data)
    record = read_hand(path)
    assert format_cards(record.cards) == TWELVE
    assert record.convention.name == "leningrad"
    assert record.source == str(path)


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(HAND.encode() + b"seat: 9")))
    with pytest.raises(InputError, match=r"^<stdin>:2:7: '9' is not a seat"):
        read_hand("-")


def test_a_convention_of_ones_own_beside_the_file(tmp_path):
    (tmp_path / "club.toml").write_text('extends = "sochi"\nexit_levels = [6, 8]\n', "utf-8")
    path = tmp_path / "hand.txt"
    path.write_text(HAND + "convention: club.toml\nall-passes: 1\nauction: 8S\n", "utf-8")
    record = read_hand(path)
    assert (record.convention.name, record.seat) == ("club", 1)


def test_a_fault_in_a_convention_is_placed_in_its_own_file(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text('extends = "sochi"\nhold = "nobody"\n', "utf-8")
    path = tmp_path / "hand.txt"
    path.write_text(HAND + "convention: club.toml\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_hand(path)
    assert str(caught.value).startswith(f'{club}:2:1: hold: found "nobody", expected one of')


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "told"), [
    pytest.param("hand: ♠AKQ9 ♣A8 ♦K107 ♥Z", "f:1:24: 'Z' is not a rank; expected 7 8 9 10 J",
                 id="wrong-card"),
    pytest.param("  hand :   ♠AKQ9 ♣A8 ♦K107 ♥1", "f:1:29: '1' is not a rank; expected 10",
                 id="wrong-card-indented"),
    pytest.param("S: AKQ9\nC: A8\n\n  D: K1O3\nH: 8", "f:4:9: '3' is not a rank",
                 id="wrong-card-in-a-later-line"),
    pytest.param("As Ks Qs 9s\nAc 8c Kd Td\n 7d Zh", "f:3:5: 'Z' is not a rank",
                 id="wrong-single-card"),
    pytest.param("hand: ♠AKQ9 ♣A8 ♦K107", "f:1:7: found 9 cards, expected ten (or twelve",
                 id="nine"),
    pytest.param("\n# x\n♠AKQ9 ♣A87 ♦K107 ♥8", "f:3:1: found 11 cards, expected ten", id="eleven"),
    pytest.param("hand: ♠AKQ9 ♣A8 ♦K107 ♥8 ♠K", "f:1:27: the card SK stands twice", id="twice"),
    pytest.param("S: AKQ9\nseat: 1\n  C: A8\n  D: K107 S: A", "f:4:14: the card SA stands twice",
                 id="twice-over-lines"),
    pytest.param(HAND + "talon: ♠7 ♠A", "f:2:8: the card SA stands in the hand and in the talon",
                 id="hand-and-talon"),
    pytest.param(HAND + "talon: ♠7 ♠7", "f:2:12: the card S7 stands twice", id="twice-in-talon"),
    pytest.param(HAND + "talon: ♠7", "f:2:8: found 1 cards in the talon, expected two",
                 id="talon-of-one"),
    pytest.param(HAND + "talon: ♠7 ♥AK", "f:2:8: found 3 cards in the talon", id="talon-of-three"),
    pytest.param("hand: ♠AKQ97 ♣A8 ♦K107 ♥A8\ntalon: ♠J ♥A",
                 "f:1:7: found 12 cards beside a talon of two, expected ten", id="fourteen"),
    pytest.param("hand: ♠AKQ9 ♣A8 ♦K107\ntalon: ♠7 ♥A", "f:1:7: found 9 cards beside a talon",
                 id="nine-and-talon"),
    pytest.param("hand: ♠ТК97 ♣Т8 ♦К107 ♥8", "f:1:8: 'T' may be a ten or the Russian ace here",
                 id="ambiguous"),
    pytest.param("hand: ♠AKQ9 ♣A8 ♦КД7 ♥8", "f:1:19: 'Q' is an English letter and 'Д' a Russian",
                 id="mixed"),
    pytest.param(HAND + "colour: red", "f:2:1: 'colour' is not a key; expected hand, seat, auction",
                 id="unknown-key"),
    pytest.param("♠AKQ9 ♣A8 ♦K107 ♥8\n  хэнд: x", "f:2:3: 'хэнд' is not a key",
                 id="unknown-russian-key"),
    pytest.param(HAND + "seat: 1\nМесто: 1", "f:3:1: the key 'место' stands twice, first in line 2",
                 id="key-twice"),
    pytest.param(HAND + "\n♠AKQ9", "f:3:1: the hand stands twice, first in line 1",
                 id="hand-and-cards"),
    pytest.param("♠AKQ9\n" + HAND, "f:2:7: the hand stands twice, first in line 1",
                 id="cards-and-hand"),
    pytest.param(HAND + "auction:   # none", "f:2:9: the key 'auction' has no value",
                 id="empty-value"),
    pytest.param("hand ♠AKQ9 ♣A8 ♦K107 ♥8", "f:1:1: found 'hand ♠AKQ9 ♣A8 ♦K107 ♥8', expected 'key",
                 id="no-colon"),
    pytest.param(HAND + "what shall I do?", "f:2:1: found 'what shall I do?', expected 'key",
                 id="prose"),
    pytest.param("seat: 1", "f: no hand found; expected a line 'hand: ♠AKQ9", id="no-hand"),
    pytest.param(HAND + "auction: 6S 6C 6C", "f:2:16: '6C' does not beat the last call, 6C; legal "
                 "calls: pass, 6D", id="illegal-call"),
    pytest.param(HAND + "auction: pass 6S мои", "f:2:18: seat 3 may not hold here: an earlier hand",
                 id="illegal-hold"),
    pytest.param(HAND + "auction: pass  6Z", "f:2:16: no strain behind the level in '6Z'",
                 id="no-call"),
    pytest.param(HAND + "auction: pass foo", "f:2:15: 'foo' is not a call", id="no-word"),
    pytest.param(HAND + "auction: 6S\nall-passes: 1\nconvention: zhuk",
                 "f:2:10: '6S' is too low: after all-passes the lowest level is 7", id="too-low"),
    pytest.param(HAND + "auction: 6S pass pass 7S", "f:2:23: '7S' is one call too many: the "
                 "auction is already over", id="one-call-too-many"),
    pytest.param(HAND + "auction: 6S pass pass", "f:2:10: the auction is already over: seat 1 won",
                 id="won-without-talon-told"),
    pytest.param(HAND + "seat: 1\nauction: 10NT", "f:3:10: the auction is already over: seat 1 won",
                 id="won-before-forced-passes"),
    pytest.param(HAND + "auction: pass pass pass", "f:2:10: the auction is already over: all",
                 id="all-pass"),
    pytest.param(HAND + "seat: 2", "f:2:7: it is the turn of seat 1, not of seat 2", id="not-turn"),
    pytest.param(HAND + "seat: 2\nauction: 6S pass", "f:2:7: it is the turn of seat 3, not of seat",
                 id="not-turn-in-auction"),
    pytest.param(HAND + "seat: 4", "f:2:7: '4' is not a seat; expected 1, 2 or 3", id="seat-4"),
    pytest.param(HAND + "seat: first of all", "f:2:7: 'first of all' is not a seat",
                 id="seat-words"),
    pytest.param(HAND + "talon: ♠7 ♥A\nauction: 6S pass", "f:3:10: the talon is given, but the "
                 "auction is not won yet: it is the turn of seat 3", id="talon-too-early"),
    pytest.param("♠AKQ97 ♣A8 ♦K107 ♥A8\nauction: 6S pass", "f:2:10: the talon is given, but the "
                 "auction is not won yet", id="twelve-too-early"),
    pytest.param(HAND + "talon: ♠7 ♥A\nauction: pass pass pass", "f:3:10: the talon is given, but "
                 "nobody won the auction", id="talon-of-all-pass"),
    pytest.param(HAND + "talon: ♠7 ♥A\nseat: 1\nauction: pass 6S pass", "f:4:10: the talon is "
                 "given, but seat 2 won the auction, not seat 1", id="another-won"),
    pytest.param(HAND + "talon: ♠7 ♥A\nconvention: zhuk\nauction: pass misere-without pass",
                 "f:4:10: the talon is given, but the auction was won without the talon",
                 id="talon-without-talon"),
    pytest.param("♠AKQ97 ♣A8 ♦K107 ♥A8\nconvention: classic\nauction: 9S-without pass pass",
                 "f:3:10: the talon is given, but the auction was won without the talon, with "
                 "9S-without", id="twelve-without-talon"),
    pytest.param(HAND + "convention: zhuk\nauction: misere-without pass pass",
                 "f:3:10: the auction is already over: seat 1 won it without the talon",
                 id="won-without-the-talon"),
    pytest.param(HAND + "convention: moscow", "f:2:13: 'moscow' is not a convention; expected one "
                 "of: sochi, leningrad", id="convention"),
    pytest.param(HAND + "convention: nowhere.toml", "nowhere.toml: there is no such file",
                 id="convention-file"),
    pytest.param(HAND + "players: 5", "f:2:10: players: found '5', expected a whole number from 3",
                 id="players"),
    pytest.param(HAND + "игроков: 0000000015", "f:2:10: игроков: found '0000000015'",
                 id="players-zeros"),
    pytest.param(HAND + "all-passes: -1", "f:2:13: all-passes: found '-1', expected a whole number "
                 "from 0 to 99", id="all-passes"),
    pytest.param(HAND + "all-passes: 1.5", "f:2:13: all-passes: found '1.5'", id="all-passes-half"),
])
def test_bad_hands(text, told):
    assert refusal(text).startswith(told)


@pytest.mark.parametrize(("key", "value", "told"), [
    ("hand", "♠AKZ", "--hand: column 4: 'Z' is not a rank"),
    ("hand", "", "--hand: no cards found"),
    ("seat", "2", "--seat: it is the turn of seat 1, not of seat 2"),
    ("auction", "6S 6S", "--auction: column 4: '6S' does not beat the last call"),
    ("talon", "♠7 ♠A", "--talon: the card SA stands in the hand and in the talon"),
    ("convention", "moscow", "--convention: 'moscow' is not a convention"),
    ("all_passes", "-1", "--all-passes: found '-1'"),
])
def test_bad_overrides_name_the_option(key, value, told):
    assert refusal(HAND, **{key: value}).startswith(told)


@pytest.mark.parametrize(("data", "told"), [
    (b"", "the file is empty"),
    (b" \r\n\t\n", "the file is empty"),
    (b"\xef\xbb\xbf", "the file is empty"),
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "the file is binary; expected text"),
    (b"hand: \x01\x02", "the file is binary; expected text"),
    (b"\xff\xfe\x00\x00A\x00\x00\x00", "the file is binary; expected text"),
    (b"hand: As" + b" " * MAX_BYTES, "the file is larger than 1000000 bytes"),
], ids=["empty", "blank", "bom-only", "png", "control", "utf-32", "huge"])
def test_bad_files(tmp_path, data, told):
    path = tmp_path / "hand.txt"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_hand(path)
    assert str(caught.value).startswith(f"{path}: {told}")
    assert caught.value.line is None


def unreadable(tmp_path: Path) -> Path:
    path = tmp_path / "loop.txt"
    path.symlink_to(path)
    return path


@pytest.mark.parametrize(("make", "told"), [
    (lambda tmp_path: tmp_path, "this is a directory; expected a file"),
    (lambda tmp_path: tmp_path / "missing.txt", "there is no such file"),
    (lambda tmp_path: tmp_path / "missing" / "hand.txt", "there is no such file"),
    (unreadable, "the file cannot be read: "),
    (lambda tmp_path: f"{tmp_path}/a\0b", "the file cannot be read: "),
    (lambda tmp_path: tmp_path / ("x" * 300), "the file cannot be read: "),
], ids=["directory", "missing", "missing-folder", "loop", "nul", "long-name"])
def test_files_that_cannot_be_read(tmp_path, make, told):
    path = make(tmp_path)
    with pytest.raises(InputError) as caught:
        read_hand(path)
    assert str(caught.value).startswith(f"{path}: {told}")


# --- errors themselves ---------------------------------------------------------------------------


def test_a_message_can_be_translated_and_keeps_its_place():
    error = InputError("found {count} cards", count=9, column=2).at("f", 3, 7)
    assert str(error) == "f:3:8: found 9 cards"
    assert error.render("найдено карт: {count}") == "f:3:8: найдено карт: 9"
    assert str(InputError("x", line=2)) == "<text>:2: x"
    assert str(InputError("x", column=2)) == "column 2: x"
    assert str(InputError("x")) == "x"


def test_a_placed_error_keeps_its_place():
    error = InputError("x", source="club.toml", line=4)
    assert str(error.at("hand.txt", 9, 9)) == "club.toml:4: x"


def test_braces_in_what_was_found_are_no_places():
    assert refusal(HAND + "seat: {0}{key}").startswith("f:2:7: '{0}{key}' is not a seat")
