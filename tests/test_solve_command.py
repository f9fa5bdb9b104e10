"""`advisor solve`: its numbers against a plain minimax and the literature, its outputs, its edges.

The minimax is `reference_solver`; the all-pass has one of its own below, as plain.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT, on_terminal, plain, run
from reference_solver import cards_of, legal_cards, reference_tricks, trick_winner
from typer.testing import CliRunner

from advisor.cards import card_code, format_hand, parse_cards
from advisor.cli import app
from advisor.rules.play import replay_all_pass, replay_line
from advisor.tricks.deal_table import solve_contract, turned_cards
from advisor.tricks.selfish import Turned, selfish_play
from advisor.tricks.solver import solve_all_pass

DEALS = ROOT / "data/deals"
STRAINS = ("S", "C", "D", "H", "NT", "misere")
Hands = tuple[int, int, int]
Call = Callable[..., Any]  # what `CliRunner.invoke` returns

# Misères after the discard: source, seats clockwise from the declarer, column that leads, tricks.
# Cards as published, numbers as published or, where only "caught" is, those of an alpha-beta search
# made for these tests' source list.
LASKER = ("♠987 ♣J987 ♦98 ♥8", "♠Q ♣KQ ♦KQJ10 ♥J109", "♠AKJ10 ♣A10 ♦A7 ♥A7")
KOVALEVSKAYA = ("♠10987 ♣8 ♦987 ♥98", "♠AK ♣QJ10 ♦A ♥AKQ10", "♠QJ ♣97 ♦KQJ10 ♥J7")
DE_GAULLE = ("♠98 ♣98 ♦J107 ♥987", "♠J7 ♣QJ107 ♦Q8 ♥J10", "♠AKQ ♣AK ♦AK9 ♥KQ")
CLASSICS = [
    pytest.param(LASKER, 2, 2, id="Lasker, a defender leads (Unisay/preferanser, deal 4)"),
    pytest.param(LASKER, 0, 0, id="Lasker, the declarer leads"),
    pytest.param(KOVALEVSKAYA, 2, 1, id="Kovalevskaya (Unisay/preferanser, deal 5)"),
    pytest.param(DE_GAULLE, 2, 1, id="De Gaulle (Unisay/preferanser, deal 6)"),
    pytest.param(("♠107 ♣7 ♦J97 ♥J987", "♠8 ♣QJ109 ♦A10 ♥AK10", "♠AKQJ9 ♣8 ♦KQ8 ♥Q"), 1, 0,
                 id="not caught (ab-chesspad/jpref, misereplay 9)"),
    pytest.param(("♠J10987 ♣9 ♦1087 ♥7", "♠AKQ ♣87 ♦KQJ9 ♥J", "♣AKQJ10 ♥KQ1098"), 1, 3,
                 id="caught (ab-chesspad/jpref, misereplay 27)"),
]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a command line in this process; it has to succeed."""
    monkeypatch.setenv("ADVISOR_LANG", "en")

    def invoke(*args: str | Path, data: str | None = None, code: int = 0) -> Any:
        result = CliRunner().invoke(app, ["solve", *map(str, args)], input=data)
        assert result.exit_code == code, result.stderr or result.exception
        return result

    return invoke


def answer(call: Call, *args: str | Path, data: str | None = None) -> Any:
    return json.loads(call(*args, "--json", data=data).stdout)


def deal(rng: np.random.Generator, size: int, suits: int = 4) -> tuple[Hands, tuple[int, int]]:
    """Three random hands and two more cards."""
    cards = [int(card) for card in rng.permutation(8 * suits)]
    x, y, z = (sum(1 << card for card in cards[i * size:(i + 1) * size]) for i in range(3))
    return (x, y, z), (cards[-1], cards[-2])


def written(hands: Hands) -> str:
    return "\n".join(format_hand(hand) for hand in hands) + "\n"


def from_declarer(hands: Hands, declarer: int) -> Hands:
    x, y, z = (hands[(declarer + i) % 3] for i in range(3))
    return x, y, z


def after_lead(hands: Hands, leader: int, card: int, strain: int, misere: bool) -> int:
    """Declarer's tricks (column 0) once a card is led, by trying what may follow."""

    def play(table: list[int]) -> int:
        if len(table) == 3:
            left = list(hands)
            for place, played in enumerate(table):
                left[(leader + place) % 3] ^= 1 << played
            winner = trick_winner(leader, table, strain)
            rest = reference_tricks((left[0], left[1], left[2]), strain, winner, misere)
            return (winner == 0) + rest
        seat = (leader + len(table)) % 3
        legal = legal_cards(cards_of(hands[seat]), table[0], strain)
        results = [play([*table, other]) for other in legal]
        return max(results) if (seat == 0) != misere else min(results)

    return play([card])


# --- the numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_table_of_an_ending_is_that_of_plain_minimax(call: Call, size: int) -> None:
    hands, _ = deal(np.random.default_rng(size), size, suits=3)
    rows = answer(call, "-", data=written(hands))["table"]
    assert [(row["declarer"], row["leader"], row["strain"]) for row in rows] == [
        (d, lead, strain) for d in (1, 2, 3) for lead in (1, 2, 3) for strain in STRAINS]
    for row in rows:
        misere = row["strain"] == "misere"
        strain = min(STRAINS.index(row["strain"]), 4)
        own = from_declarer(hands, row["declarer"] - 1)
        leader = (row["leader"] - row["declarer"]) % 3
        assert row["tricks"] == reference_tricks(own, strain, leader, misere)
        best = [card_code(card) for card in cards_of(own[leader])
                if after_lead(own, leader, card, strain, misere) == row["tricks"]]
        assert sorted(row["leads"]) == sorted(best)


@pytest.mark.parametrize(("contract", "strain"), [
    ("6S", 0), ("7C", 1), ("8 бубен", 2), ("9H", 3), ("10NT", 4), ("misere", 4)])
def test_a_contract_on_an_ending(call: Call, contract: str, strain: int) -> None:
    misere = contract == "misere"
    rng = np.random.default_rng(40 + strain + misere)
    for declarer in range(3):
        for leader in range(3):
            hands, _ = deal(rng, 4)
            said = answer(call, "-", "--contract", contract, "--declarer", declarer + 1,
                          "--leader", leader + 1, data=written(hands))
            assert list(said) == ["contract", "declarer", "leader", "tricks", "line", "leads"]
            own, column = from_declarer(hands, declarer), (leader - declarer) % 3
            tricks = reference_tricks(own, strain, column, misere)
            assert said["tricks"][declarer] == tricks
            assert said["leads"] == {
                card_code(card): after_lead(own, column, card, strain, misere)
                for card in cards_of(hands[leader])}
            assert replayed(said, hands, strain) == said["tricks"]


def replayed(said: Any, hands: Hands, strain: int) -> list[int]:
    """Tricks by seat of the printed line, by the rules."""
    cards, to_lead = [], said["leader"]
    for trick in said["line"]:
        assert trick["leader"] == to_lead
        to_lead = trick["winner"]
        cards += [next(iter(cards_of(parse_cards(code)))) for code in trick["cards"]]
    assert len(cards) == 3 * hands[0].bit_count()
    return list(replay_line(hands, strain, said["leader"] - 1, cards))


@pytest.mark.parametrize(("hands", "leader", "tricks"), CLASSICS)
@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_famous_miseres(
    call: Call, hands: tuple[str, str, str], leader: int, tricks: int, declarer: int
) -> None:
    lines = [f"{(declarer + column) % 3 + 1}: {hand}" for column, hand in enumerate(hands)]
    text = "\n".join([*lines, "contract: misere", f"declarer: {declarer + 1}",
                      f"leader: {(declarer + leader) % 3 + 1}"])
    said = answer(call, "-", data=text)
    assert said["tricks"][declarer] == tricks
    verdict = "not caught." if tricks == 0 else "; caught."
    assert verdict in call("-", data=text).stdout


def test_a_full_deal_and_its_line(call: Call) -> None:
    """The cell of the table, the contract's tricks and the replayed line agree."""
    rows = answer(call, DEALS / "example.txt")["table"]
    cell = {(row["declarer"], row["leader"], row["strain"]): row for row in rows}
    hands = tuple(parse_cards(line) for line in
                  (DEALS / "example.txt").read_text(encoding="utf-8").splitlines()[1:])
    for contract, strain in (("7S", 0), ("6NT", 4)):
        for leader in (1, 2, 3):
            said = answer(call, DEALS / "example.txt", "--contract", contract, "--declarer", 1,
                          "--leader", leader)
            row = cell[1, leader, contract[1:]]
            assert said["tricks"][0] == row["tricks"]
            assert {card for card, n in said["leads"].items() if n == row["tricks"]} == \
                set(row["leads"])
            assert replayed(said, hands, strain) == said["tricks"]
            assert sum(said["tricks"]) == 10


# --- all-pass ------------------------------------------------------------------------------------


def plain_all_pass(
    hands: Hands, leader: int, turned: tuple[int, ...], plays: bool
) -> dict[int, tuple[int, ...]]:
    """Tricks by seat (the dealer's fourth) after each lead, everybody for himself: plain recursion.

    A player wants few tricks, among equals many for the next player, then for the one after.
    """

    @cache
    def value(
        hands: Hands, leader: int, turned: tuple[int, ...], table: tuple[int, ...]
    ) -> tuple[int, ...]:
        if len(table) == 3:
            left = list(hands)
            for place, card in enumerate(table):
                left[(leader + place) % 3] ^= 1 << card
            if turned:
                led = turned[0] // 8
                power = [card % 8 if card // 8 == led else -1 for card in table]
                winner = (leader + power.index(max(power))) % 3
                if plays and turned[0] % 8 > max(power):
                    winner = 3
                rest = value((left[0], left[1], left[2]), leader, turned[1:], ())
            else:
                winner = trick_winner(leader, list(table), 4)
                rest = value((left[0], left[1], left[2]), winner, (), ())
            return tuple(tricks + (seat == winner) for seat, tricks in enumerate(rest))
        seat = (leader + len(table)) % 3
        options = [value(hands, leader, turned, (*table, card))
                   for card in choices(hands, leader, turned, table)]
        if not options:
            return 0, 0, 0, 0
        return min(options, key=lambda found: (found[seat], -found[(seat + 1) % 3],
                                               -found[(seat + 2) % 3]))

    def choices(
        hands: Hands, leader: int, turned: tuple[int, ...], table: tuple[int, ...]
    ) -> list[int]:
        led = turned[0] if turned else table[0] if table else None
        return legal_cards(cards_of(hands[(leader + len(table)) % 3]), led, 4)

    return {card: value(hands, leader, turned, (card,))
            for card in choices(hands, leader, turned, ())}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("plays", [False, True])
@pytest.mark.parametrize("turned", [0, 1, 2])
def test_all_pass_endings_equal_plain_recursion(size: int, plays: bool, turned: int) -> None:
    rng = np.random.default_rng(100 * size + 10 * turned + plays)
    for suits in (2, 3, 4):
        if 3 * size + 2 > 8 * suits or turned > size:
            continue
        for leader in range(3):
            hands, talon = deal(rng, size, suits)
            cards = talon[:turned]
            leads, line = selfish_play(hands, leader, Turned(cards, plays))
            assert leads == plain_all_pass(hands, leader, cards, plays)
            if not turned:
                played = [card for trick in line for card in trick.cards]
                counted = replay_line(hands, 4, leader, played)
                assert (*counted, 0) in leads.values()


def test_a_line_under_the_talon_replays_to_its_tricks() -> None:
    rng = np.random.default_rng(5)
    for plays in (False, True):
        for _ in range(5):
            hands, talon = deal(rng, 5)
            leads, line = selfish_play(hands, 0, Turned(talon, plays))
            played = [card for trick in line for card in trick.cards]
            tricks = replay_all_pass(hands, played, talon, talon_plays=plays)
            assert tricks == tuple(sum(trick.winner == seat for trick in line)
                                   for seat in range(4))
            assert tricks == leads[line[0].cards[0]]


def test_a_full_all_pass_agrees_with_the_solver(call: Call) -> None:
    hands, talon = deal(np.random.default_rng(9), 10)
    text = written(hands) + f"talon: {' '.join(map(card_code, talon))}\nplayers: 4\n"
    said = answer(call, "-", "--contract", "all-pass", data=text)
    expected = solve_all_pass([hands], 0, [[1 << card for card in talon]], mode="plays",
                              method="equilibrium")[0].tolist()
    assert said["tricks"] == expected
    assert (said["contract"], said["declarer"], said["leader"]) == ("all-pass", None, 1)
    assert sum(trick["winner"] == 4 for trick in said["line"]) == expected[3]
    assert said["leads"][said["line"][0]["cards"][0]] == expected[0]


def test_an_all_pass_of_an_ending(call: Call) -> None:
    hands, _ = deal(np.random.default_rng(10), 4)
    said = answer(call, "-", "--contract", "распасы", "--leader", 2, data=written(hands))
    plainly = plain_all_pass(hands, 1, (), False)
    assert said["leads"] == {card_code(card): found[1] for card, found in plainly.items()}
    assert replayed(said, hands, 4) == said["tricks"]
    assert (*said["tricks"], 0) in plainly.values()


@pytest.mark.parametrize(("more", "cards", "plays"), [
    ("", 2, False), ("players: 4", 2, True), ("players: 4\nconvention: rostov", 0, False)])
def test_what_the_talon_does(more: str, cards: int, plays: bool) -> None:
    from advisor.records.deal import parse_deal

    hands, talon = deal(np.random.default_rng(11), 10)
    record = parse_deal(f"{written(hands)}talon: {' '.join(map(card_code, talon))}\n{more}")
    assert turned_cards(record) == (talon[:cards], plays)
    ending, talon = deal(np.random.default_rng(11), 4)
    record = parse_deal(f"{written(ending)}talon: {' '.join(map(card_code, talon))}\n{more}")
    assert turned_cards(record) == ((), False)


def test_a_contract_without_a_declarer_is_refused() -> None:
    from advisor.rules.contracts import MISERE

    with pytest.raises(ValueError, match="a declarer is needed for misere"):
        solve_contract((1, 2, 4), MISERE, None, 0)


# --- what is printed -----------------------------------------------------------------------------


def test_the_table_in_words(call: Call) -> None:
    text = call(DEALS / "example.txt").stdout
    rows = answer(call, DEALS / "example.txt")["table"]
    for declarer in (1, 2, 3):
        values = [str(row["tricks"]) for row in rows if row["declarer"] == declarer
                  and row["leader"] == 1 and row["strain"] != "misere"]
        assert any(line.split() == ["seat", str(declarer), "seat", "1", *values]
                   for line in text.splitlines())
        values = [str(row["tricks"]) for row in rows if row["declarer"] == declarer
                  and row["strain"] == "misere"]
        assert any(line.split() == ["seat", str(declarer), *values] for line in text.splitlines())
    assert "seat 1  A K Q 9 8  A 8     K 10 7  —" in text
    assert "Best leads of seat 1" in text


def test_the_table_for_one_declarer_and_leader(call: Call) -> None:
    whole = answer(call, DEALS / "example.txt")["table"]
    part = answer(call, DEALS / "example.txt", "--declarer", 2, "--leader", 3)["table"]
    assert part == [row for row in whole if (row["declarer"], row["leader"]) == (2, 3)]
    assert "Best leads of seat 3" in call(DEALS / "example.txt", "--leader", 3).stdout


def test_a_contract_in_words(call: Call) -> None:
    text = call(DEALS / "lasker.txt").stdout
    assert "seat 2 plays misère, seat 1 leads. Tricks: seat 1: 7, seat 2: 2, seat 3: 1; caught." \
        in text
    assert "▶  ♠AKJ10 ♦A" in text
    assert "discard ♥KQ" in text
    assert "cards in the order played" not in text
    line = call(DEALS / "lasker.txt", "--line").stdout
    assert [row.split()[0] for row in line.splitlines() if "seat" in row][-10:] == \
        [str(n) for n in range(1, 11)]


def test_made_or_short(call: Call) -> None:
    args = (DEALS / "example.txt", "--declarer", 1, "--leader", 1, "--contract")
    tricks = answer(call, *args, "6S")["tricks"][0]
    assert f"seat 1: {tricks}, " in call(*args, "6S").stdout
    assert "; made." in call(*args, f"{tricks}S").stdout
    assert "; short by 1." in call(*args, f"{tricks + 1}S").stdout
    ending = call(DEALS / "ending.txt").stdout
    assert "made" not in ending
    assert "short" not in ending


def test_a_talon_is_told_to_be_out_of_play(call: Call) -> None:
    text = (DEALS / "example.txt").read_text(encoding="utf-8") + "talon: ♣7 ♥7\n"
    assert "without the talon" in " ".join(call("-", data=text).stdout.split())
    assert "without the talon" not in call(DEALS / "example.txt").stdout


def test_the_reports_in_russian(call: Call) -> None:
    table = call(DEALS / "example.txt", "--lang", "ru").stdout
    assert "Взятки играющего" in table
    assert "БК" in table
    line = call(DEALS / "ending.txt", "--line", "--lang", "ru").stdout
    assert "6♠, играет 1-я рука, ходит 2-я рука. Взятки: 1-я рука: 2" in line
    assert "seat" not in table + line


def test_the_table_in_spite_of_the_files_contract(call: Call) -> None:
    assert len(answer(call, DEALS / "lasker.txt", "--table")["table"]) == 54
    assert len(answer(call, DEALS / "lasker.txt", "--table", "--declarer", 2)["table"]) == 18


@pytest.mark.parametrize(("more", "rows"), [
    ("", 54), ("declarer: 2", 18), ("leader: 3", 18), ("declarer: 2\nleader: 3", 6)])
def test_a_file_without_a_contract_may_name_the_seats(call: Call, more: str, rows: int) -> None:
    table = answer(call, "-", data=f"♠A\n♠K\n♠Q\n{more}")["table"]
    assert len(table) == rows
    assert {row["declarer"] for row in table} == ({2} if "declarer" in more else {1, 2, 3})
    assert {row["leader"] for row in table} == ({3} if "leader" in more else {1, 2, 3})


# --- the edges -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("args", "says"), [
    (["--line"], "--line: a line of play needs a contract"),
    (["--contract", "6S"], "--contract: the declarer is missing"),
    (["--contract", "5S", "--declarer", "1"], "--contract: '5S' is not a contract"),
    (["--contract", "6S", "--declarer", "x"], "--declarer: 'x' is not a seat"),
    (["--leader", "0"], "--leader: '0' is not a seat"),
    (["--contract", "all-pass", "--declarer", "1"], "an all-pass has no declarer"),
    (["--contract", "6S", "--declarer", "1", "--table"], "--table: give a contract or --table"),
])
def test_options_with_a_mistake(call: Call, args: list[str], says: str) -> None:
    done = call(DEALS / "example.txt", *args, code=2)
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert says not in call(DEALS / "example.txt", *args, "--lang", "ru", code=2).stderr


def test_a_bad_file_of_a_real_process() -> None:
    done = run("solve", "-", data="♠A\n♠K\n♠A".encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == \
        "<stdin>:3:2: the card SA stands in the hands of seats 1 and 3\n"
    assert run("solve", "none.txt").stderr == b"none.txt: there is no such file\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "koi8-r"])
def test_terminals_without_suit_symbols(encoding: str) -> None:
    done = run("solve", DEALS / "ending.txt", "--line", "--lang", "ru", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "?" not in done.stdout.decode(encoding)


def test_only_an_all_pass_has_a_progress_bar() -> None:
    code, text = on_terminal("solve", DEALS / "ending.txt", "--contract", "all-pass")
    assert code == 0
    assert "endings" in text
    assert "In an ending the talon plays no part." in plain(text)
    code, text = on_terminal("solve", DEALS / "ending.txt")
    assert code == 0
    assert "endings" not in text
