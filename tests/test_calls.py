"""Words of the auction and the ladders they stand in (rules.md 1.1, 2.2, 2.3, 8)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import Strain
from advisor.errors import InputError
from advisor.rules.calls import (
    HOLD,
    MISERE_CALL,
    MISERE_WITHOUT,
    PASS,
    Call,
    format_calls,
    parse_auction,
    parse_call,
)
from advisor.rules.contracts import LEVELS, parse_contract
from advisor.rules.ladders import LADDERS, get_ladder

GAMES = [Call.game(level, strain) for level in LEVELS for strain in Strain]
WITHOUT = [Call.game(level, strain, with_talon=False) for level in LEVELS for strain in Strain]
EVERY_CALL = [PASS, HOLD, MISERE_CALL, MISERE_WITHOUT, *GAMES, *WITHOUT]


def names(text: str) -> str:
    return " ".join(str(call) for call, _ in parse_auction(text))


# --- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expected"), [
    ("6S pass", "6S pass"),
    ("раз пас", "6S pass"),
    ("РАЗ Два три ЧЕТЫРЕ бескозырка", "6S 6C 6D 6H 6NT"),
    ("пика трефа бубна черва БК", "6S 6C 6D 6H 6NT"),
    ("первые вторые третьи четвёртые", "6S 6C 6D 6H"),
    ("здесь мои держу hold", "hold hold hold hold"),
    ("мизер упал misere misère MISE\u0300RE", "misere misere misere misere misere"),
    ("семь треф", "7C"),
    ("шесть первых, восемь вторых; девять третьих / десять четвертых", "6S 8C 9D 10H"),
    ("6♠ 7♣️ 8♦ 9♡", "6S 7C 8D 9H"),
    ("6п7Т 8 б 9ч", "6S 7C 8D 9H"),
    ("6 БК 7БК 8 б/к 9 без козыря 10 бескозырка", "6NT 7NT 8NT 9NT 10NT"),
    ("6nt 7 NT 8 no trump 9 no-trump 10 notrump", "6NT 7NT 8NT 9NT 10NT"),
    ("six spades-p–seven hearts", "6S pass 7H"),
    ("6T 6Т 6С 6Н", "6C 6C 6C 6H"),
    ("9S without, 9S-without, 9♠ without talon, 9п без прикупа", "9S-without " * 4),
    ("9 без прикупа пас", "9S-without pass"),
    ("9 без пас", "9NT pass"),
    ("10 без козыря без прикупа", "10NT-without"),
    ("мизер без прикупа misere-without", "misere-without misere-without"),
    ("", ""),
    (" , - ", ""),
])
def test_words(text: str, expected: str) -> None:
    assert names(text) == expected.strip()


def test_columns_point_at_the_first_word_of_each_call() -> None:
    assert [column for _, column in parse_auction("раз, пас;семь треф / 9 без прикупа пас")] == [
        1, 6, 10, 22, 36]


@pytest.mark.parametrize(("text", "column", "found"), [
    ("6S x", 4, "'x'"),
    ("пас 5S", 5, "'5S'"),
    ("11NT", 1, "'11NT'"),
    ("pass 16S", 6, "'16S'"),
    ("6S семь", 4, "'семь'"),
    ("6S 7 pass", 4, "'7'"),
    ("п", 1, "6п"),
    ("s", 1, "'s'"),
    ("T", 1, "'T'"),
    ("without", 1, "'without'"),
    ("6S mistake", 4, "'mistake'"),
    ("♠AKQ9", 1, "'♠AKQ9'"),
])
def test_other_words_are_refused_with_their_place(text: str, column: int, found: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_auction(text)
    assert caught.value.column == column
    assert found in str(caught.value)


@pytest.mark.parametrize("text", ["", "6S 7S", "раз два"])
def test_parse_call_wants_one(text: str) -> None:
    with pytest.raises(InputError, match="expected one"):
        parse_call(text)


@pytest.mark.parametrize("call", EVERY_CALL, ids=str)
def test_every_printed_form_is_read_back(call: Call) -> None:
    forms = [call.label(lang, symbols) for lang in ("en", "ru") for symbols in (True, False)]
    assert {parse_call(form) for form in [str(call), *forms]} == {call}


def test_labels() -> None:
    nine = Call.game(9, Strain.S, with_talon=False)
    assert [c.label() for c in (PASS, HOLD, MISERE_CALL, nine)] == [
        "pass", "hold", "misère", "9♠ without talon"]
    assert [c.label("ru") for c in (PASS, HOLD, MISERE_WITHOUT, nine)] == [
        "пас", "здесь", "мизер без прикупа", "9♠ без прикупа"]
    assert Call.game(6, Strain.C).label("ru", symbols=False) == "6Т"


def test_calls_are_listed_in_runs() -> None:
    assert format_calls([PASS, HOLD, *GAMES[1:], MISERE_CALL]) == "pass, hold, 6C .. 10NT, misere"
    assert format_calls([GAMES[0], GAMES[1], GAMES[4], MISERE_WITHOUT, *WITHOUT[15:20]]) == (
        "6S, 6C, 6NT, 9S-without .. 9NT-without, misere-without")
    assert format_calls([]) == ""


@pytest.mark.parametrize("level", [5, 11])
def test_no_such_level(level: int) -> None:
    with pytest.raises(ValueError, match=r"6\.\.10"):
        Call.game(level, 0)


@given(st.text("6789107бпктчscdhnраздвемиьхы ,-/♠♥⁉\u200b\ufe0f", max_size=30))
def test_parser_reads_or_refuses_anything(text: str) -> None:
    try:
        columns = [column for _, column in parse_auction(text)]
    except InputError as error:
        columns = [error.column or 0]
    assert columns == sorted({*columns})
    assert all(1 <= column <= len(text) for column in columns)


@pytest.mark.parametrize("text", ["٦S", "6S ٧", "²", "1" * 5000, "٣" * 5000])
def test_levels_are_written_in_digits_0_to_9(text: str) -> None:
    with pytest.raises(InputError):
        parse_auction(text)


# --- contracts: the same words, and nothing else ----------------------------------------------


@pytest.mark.parametrize(("words", "name"), [
    ("misere, misère, MISE\u0300RE, мизер, mizer", "misere"),
    ("all-pass, allpass, All pass, распасы, распас, raspasy", "all-pass"),
    ("7H, 7 ♥, 7♥\ufe0f, семь червей, seven hearts, 7Н, 7ч", "7H"),
    ("6T, 6Т, 6c, 6С, шесть вторых, шестерная треф", "6C"),
    ("10NT, 10 без козыря, 10 no trump, десять бескозырка, 10бк, 10БK, ten no-trump", "10NT"),
])
def test_contracts_in_words(words: str, name: str) -> None:
    assert {str(parse_contract(word)) for word in words.split(", ")} == {name}


@pytest.mark.parametrize("text", [
    "mistake", "misery", "мизерабль", "all aboard", "all", "распасовка", "tennis s", "sixth s",
    "7 hearts doubled", "7H 7H", "7HH", "7 clubhouse", "6 пикник", "7", "H", "сем треф", "٧H", "",
    "9S without", "раз", "11S", "6 без прикупа"])
def test_what_is_no_contract_is_not_guessed_at(text: str) -> None:
    with pytest.raises(InputError, match="is not a contract"):
        parse_contract(text)


@pytest.mark.parametrize("call", GAMES, ids=str)
def test_a_game_reads_as_a_call_and_as_a_contract(call: Call) -> None:
    for form in [str(call), *(call.label(lang, symbols) for lang in ("en", "ru")
                              for symbols in (True, False))]:
        contract = parse_contract(form)
        assert (contract.level, contract.strain) == (call.level, call.strain)


# --- ladders (rules.md 2.3) --------------------------------------------------------------------

# Low to high; only the neighbours of misère and of the calls without the talon.
CHAINS = {
    "simple": "8NT misere 9S 9NT 10S",
    "s3": "8NT misere 9S 9NT misere-without 9S-without 9NT-without 10S",
    "s2_ch7": "8NT misere 9S 9NT misere-without 10S",
    "s2_ch4": "8NT misere 9S 9NT 10S",
    "s2_house": "9S 9H misere 9NT 10S",
    "s0": "9S 9NT misere 9S-without 9NT-without 10S 10NT misere-without 10S-without",
    "codex_cic": "8NT misere 9S 10NT misere-without 10S-without 10NT-without",
}


@pytest.mark.parametrize("name", LADDERS)
def test_ladder_order(name: str) -> None:
    ladder = get_ladder(name)
    chain = [parse_call(word) for word in CHAINS[name].split()]
    for lower, higher in pairwise(chain):
        assert ladder.beats(higher, lower)
        assert not ladder.beats(lower, higher)


@pytest.mark.parametrize("name", LADDERS)
def test_ladder_is_strict_and_keeps_the_25_games(name: str) -> None:
    ladder = get_ladder(name)
    assert [c for c in ladder.calls if c.is_game and c.with_talon] == GAMES
    assert [c for group in ladder.groups for c in group] == list(ladder.calls)
    assert len(set(ladder.calls)) == len(ladder.calls)
    for i, call in enumerate(ladder.calls):
        assert ladder.beats(call, None)
        assert [ladder.beats(call, last) for last in ladder.calls] == [
            j < i for j in range(len(ladder.calls))]


@pytest.mark.parametrize(("name", "without"), [
    ("simple", ""), ("s2_ch4", ""), ("s2_house", ""), ("s2_ch7", "misere-without"),
    ("s3", "misere-without, 9S-without .. 9NT-without"),
    ("codex_cic", "misere-without, 10S-without .. 10NT-without"),
    ("s0", "misere-without, 9S-without .. 10NT-without"),
])
def test_calls_without_talon_exist_only_where_named(name: str, without: str) -> None:
    ladder = get_ladder(name)
    assert {c for c in ladder.calls if not c.with_talon} == {
        c for c in EVERY_CALL if not c.with_talon and str(c) in _spelled(without)}
    assert not ladder.beats(Call.game(8, 0, with_talon=False), None)


def _spelled(text: str) -> set[str]:
    """The calls of a list such as ``format_calls`` prints."""
    out: set[str] = set()
    for part in filter(None, text.split(", ")):
        ends = [parse_call(end) for end in part.split(" .. ")]
        out |= {str(c) for c in WITHOUT if ends[0].is_game and ends[0].rank <= c.rank
                <= ends[-1].rank} or {str(ends[0])}
    return out


@pytest.mark.parametrize(("name", "beaten_by"), [
    ("s2_house", ["9NT", "10S", "10C", "10D", "10H", "10NT"]),
    ("s0", ["9S-without", "9C-without", "9D-without", "9H-without", "9NT-without",
            "10S", "10C", "10D", "10H", "10NT", "misere-without",
            "10S-without", "10C-without", "10D-without", "10H-without", "10NT-without"]),
])
def test_what_alone_beats_misere(name: str, beaten_by: list[str]) -> None:
    ladder = get_ladder(name)
    assert [str(c) for c in ladder.calls if ladder.beats(c, MISERE_CALL)] == beaten_by


def test_unknown_ladder() -> None:
    with pytest.raises(ValueError, match="'s9'"):
        get_ladder("s9")
