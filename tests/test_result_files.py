"""Result and sheet files, English and Russian, good and bad."""

from __future__ import annotations

from fractions import Fraction

import pytest

from advisor.cards import parse_cards
from advisor.errors import InputError
from advisor.records.result import parse_result, read_result
from advisor.records.sheet import parse_sheet, read_sheet
from advisor.rules.contracts import ALL_PASS, parse_contract
from advisor.rules.deal import DealResult, Reply
from advisor.rules.settlement import settle

W, P, H = Reply.WHIST, Reply.PASS, Reply.HALF
FULL = """\
convention: zhuk
players: 4
contract: 7H            # any game
declarer: 1
whist: pass whist
tricks: 7 2 1
talon: SA CK
all-pass-number: 1
"""
RUSSIAN = """\
конвенция: жук
игроков: 4
контракт: семь червей
играющий: первая рука
вист: пас, вист
взятки: 7, 2, 1
прикуп: П:Т Т:К
номер распасов: 1
"""


def test_both_languages_say_the_same():
    result, convention = parse_result(FULL)
    assert (result, convention) == parse_result(RUSSIAN)
    assert convention.name == "zhuk"
    assert result == DealResult(parse_contract("7H"), 0, (P, W), (7, 2, 1), 4,
                                parse_cards("SA CK"), 1)


def test_defaults():
    result, convention = parse_result("contract: all-pass\ntricks: 4 4 2\n")
    assert convention.name == "sochi"
    assert result == DealResult(ALL_PASS, tricks=(4, 4, 2))


def test_half_and_unplayed():
    result, _ = parse_result("контракт: 6♠\nиграющий: 3\nвист: пас полвиста")
    assert result == DealResult(parse_contract("6S"), 2, (P, H))


def test_a_convention_beside_the_file(tmp_path):
    (tmp_path / "club.toml").write_text('extends = "sochi"\nstalingrad = true\n', "utf-8")
    path = tmp_path / "deal.txt"
    path.write_bytes("\ufeffконвенция: club.toml\r\nконтракт: распасы\r\nвзятки: 0 4 6".encode())
    assert read_result(path)[1].name == "club"


@pytest.mark.parametrize(("text", "told"), [
    ("contract: 7H\ndeclarer: 1\nwhist: whist pass\ntricks: 7 2 2\n",
     "f:4:9: the tricks sum to 11, expected 10"),
    ("contract: 7H\ndeclarer: 1\nwhist: whist pass\n", "f:1:11: the tricks are missing"),
    ("contract: 7H\ndeclarer: 1\nwhist: pass pass\ntricks: 7 2 1\n", "f:4:9: nobody whisted"),
    ("contract: 7H\ndeclarer: 4\nwhist: pass pass\n", "f:2:11: found '4', expected seat 1, 2 or 3"),
    ("contract: 7H\nwhist: pass pass\n", "f:1:11: the declarer is missing"),
    ("contract: all-pass\ndeclarer: 1\ntricks: 4 4 2", "f:2:11: an all-pass has no declarer"),
    ("contract: 7H\ndeclarer: 1\nwhist: pass maybe\n", "f:3:13: found 'maybe', expected whist"),
    ("contract: 7H\ndeclarer: 1\nwhist: whist\n", "f:3:8: found 1 replies"),
    ("contract: 9H\ndeclarer: 1\nwhist: pass half\n", "f:3:8: found a half-whist on 9H"),
    ("contract: 5H\n", "f:1:11: '5H' is not a contract"),
    ("contract: 7H\ntricks: 7 x 1\n", "f:2:11: found 'x', expected a number of tricks"),
    ("contract: 7H\ntricks: 11 -1 0\n", "f:2:9: found '11'"),
    ("contract: 7H\nplayers: 5\n", "f:2:10: players: found '5'"),
    ("contract: all-pass\ntricks: 4 4 2\nall-pass-number: 0", "f:3:18: all-pass-number: found '0'"),
    ("contract: 7H\ntalon: SA SA\n", "f:2:12: the card SA stands twice"),
    ("contract: 7H\ndeclarer: 1\nwhist: pass pass\ntalon: SA\n", "f:4:8: found 1 cards"),
    ("contract: 7H\nconvention: tver\n", "f:2:13: 'tver' is not a convention"),
    ("contract: 7H\nbidder: 1\n", "f:2:1: 'bidder' is not a key"),
    ("contract: 7H\ncontract: 8H\n", "f:2:1: the key 'contract' stands twice"),
    ("players: 3\n", "f: the contract is missing"),
    ("convention: classic\ncontract: 6S\ndeclarer: 1\nwhist: whist pass\ntricks: 6 3 1",
     "f:4:8: both defenders must whist on 6S"),
])
def test_bad_results(text, told):
    with pytest.raises(InputError) as caught:
        parse_result(text, "f")
    assert str(caught.value).startswith(told)


SHEET = """\
players: Anna, Boris, Vera Pavlovna   # names may have two words
convention: sochi
target: 20
pool: 20 12 6
mountain: 8, 14, 26
Anna on Boris: 40
boris on anna: 72
Anna on Vera Pavlovna: 56
Vera  Pavlovna on Anna: 30
Boris on Vera Pavlovna: 22
Vera Pavlovna on Boris: 64
"""


def test_sheet():
    """E8 of rules.md 5.2."""
    sheet = parse_sheet(SHEET)
    assert sheet.players == ("Anna", "Boris", "Vera Pavlovna")
    assert sheet.target == 20
    assert settle(sheet) == (Fraction(442, 3), Fraction(10, 3), Fraction(-452, 3))


def test_russian_sheet_with_lines_of_single_players(tmp_path):
    path = tmp_path / "пуля.txt"
    path.write_bytes("Игроки: Анна, Борис, Вера\nконвенция: питер\nАнна пуля: 4\nВера гора: -2,5\n"
                     "Анна на Борис: 25/2\n".encode("cp1251"))
    sheet = read_sheet(path)
    assert sheet.convention.name == "leningrad"
    assert sheet.pool == (4, 0, 0)
    assert sheet.mountain == (0, 0, Fraction(-5, 2))
    assert sheet.whists == {(0, 1): Fraction(25, 2)}


@pytest.mark.parametrize(("lines", "told"), [
    ("Anna on Ann: 3", "f:2:9: 'ann' is not a player; expected one of: Anna, Boris, Vera"),
    ("Ann on Anna: 3", "f:2:1: 'ann' is not a player"),
    ("Anna on Anna: 3", "f:2:1: Anna cannot write whists on himself"),
    ("Anna on Boris: -3", "f:2:16: found -3, expected 0 or more"),
    ("Anna on Boris: many", "f:2:16: 'many' is not an amount"),
    ("Anna on Boris:", "f:2:15: the key 'anna on boris' has no value"),
    ("Anna on Boris: 1\nANNA on Boris: 2", "f:3:1: the key 'anna on boris' stands twice"),
    ("Anna on Boris: 1\nAnna на Boris: 2", "f:3:1: the key 'anna на boris' stands twice"),
    ("pool: 1 2", "f:2:7: found 2 numbers, expected 3"),
    ("pool: 1 2 3 4", "f:2:7: found 4 numbers, expected 3"),
    ("pool: 12,5 3 4", "f:2:7: found 2 numbers"),
    ("pool: 1 -2 3", "f:2:9: found -2, expected 0 or more"),
    ("pool: 1, x, 3", "f:2:10: 'x' is not an amount"),
    ("pool: 1 2 3\nAnna pool: 3", "f:3:1: 'anna pool' stands in line 2 for all players already"),
    ("Zoya pool: 3", "f:2:1: 'zoya' is not a player"),
    ("Anna: 3", "f:2:1: 'anna' is not a key; expected players, convention, target"),
    ("target: -1", "f:2:9: target: found '-1'"),
    ("convention: tver", "f:2:13: 'tver' is not a convention"),
    ("Anna Boris 3", "f:2:1: found 'Anna Boris 3', expected 'key: value'"),
    ("Anna on Boris: 99999999", "f:2:16: '99999999' is not an amount"),
    ("Anna on Boris: 1/0", "f:2:16: '1/0' is not an amount"),
])
def test_bad_sheets(lines, told):
    with pytest.raises(InputError) as caught:
        parse_sheet("players: Anna, Boris, Vera\n" + lines, "f")
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(("text", "told"), [
    ("pool: 1 2 3", "f: the players are missing"),
    ("players: Anna", "f:1:10: found 1 players"),
    ("players: A B C D E", "f:1:10: found 5 players"),
    ("players: Anna, anna, Vera", "f:1:16: the player 'anna' stands twice"),
    ("players: Anna, Cat on roof, Vera", "f:1:16: 'Cat on roof' cannot be a player's name"),
])
def test_bad_players(text, told):
    with pytest.raises(InputError) as caught:
        parse_sheet(text, "f")
    assert str(caught.value).startswith(told)
