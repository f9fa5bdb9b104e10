"""The hands of data/hands show what their comment says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from advisor.advice.decide import advise
from advisor.advice.misere import study_misere
from advisor.advice.results import Advice
from advisor.paths import data_path
from advisor.records.hand import read_hand

FOLDER = data_path("hands")
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


@cache
def ask(name: str, evaluator: str = "fitted") -> Advice:
    return advise(read_hand(str(FOLDER / name)), evaluator=evaluator, seed=1, why=False)


def holes(name: str) -> int:
    return study_misere(read_hand(str(FOLDER / name)), deals=231, seed=1).holes


def lead(advice: Advice, first: str, second: str) -> float:
    """By how many whists one option is ahead of another."""
    by_name = {option.name: option for option in advice.options}
    return by_name[first].ev - by_name[second].ev


def whole_lead(advice: Advice) -> float:
    """By how many whists the best option is ahead of the next."""
    return advice.options[0].ev - advice.options[1].ev


def exact_misere() -> Advice:
    return ask("misere_talon.txt", "exact")


@pytest.mark.parametrize("name", FILES)
def test_each_begins_with_one_comment(name: str) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert lines[0].endswith((".", "?"))
    assert len(lines[0]) <= 105
    assert not [line for line in lines[1:] if "#" in line]


def bids(name: str, best: str, over: str, least: float) -> Callable[[], bool]:
    return lambda: ask(name).best.name == best and lead(ask(name), best, over) > least


SHOWN: dict[str, Callable[[], bool]] = {
    "example.txt": bids("example.txt", "6S", "pass", 10),
    "bare.txt": bids("bare.txt", "pass", "6S", 5),
    "pass.txt": bids("pass.txt", "pass", "6S", 8),
    "close.txt": lambda: abs(lead(ask("close.txt"), "6S", "pass")) < 1,
    "four_handed.txt": bids("four_handed.txt", "6S", "pass", 1.5),
    "after_pass.txt": bids("after_pass.txt", "pass", "6S", 1),
    "third_hand.txt": bids("third_hand.txt", "pass", "6S", 3),
    "overcalled.txt": lambda: lead(ask("overcalled.txt"), "hold", "pass") > 5
    and lead(ask("overcalled.txt"), ask("overcalled.txt").best.name, "hold") < 0.5,
    "second_seat.txt": lambda: ask("second_seat.txt").best.name != "pass"
    and lead(ask("second_seat.txt"), "7D", "pass") > 5,
    "russian.txt": bids("russian.txt", "6C", "pass", 1),
    "misere.txt": lambda: holes("misere.txt") == 0 and ask("misere.txt").best.name == "misere"
    and ask("misere.txt").best.p_make > 0.99,
    "misere_hole.txt": lambda: holes("misere_hole.txt") == 1
    and ask("misere_hole.txt").best.name == "misere"
    and lead(ask("misere_hole.txt"), "misere", "pass") > 20,
    "misere_talon.txt": lambda: {option.name for option in exact_misere().options[:2]}
    == {"misere SK HQ", "misere SK S10"} and whole_lead(exact_misere()) < 20
    < lead(exact_misere(), "misere SK HQ", "misere SK D10"),
    "talon.txt": lambda: ask("talon.txt").best.name == "9S C8 HJ",
    "talon_hard.txt": lambda: {option.name for option in ask("talon_hard.txt").options[:2]}
    == {"6H CK C8", "6H DK D10"} and whole_lead(ask("talon_hard.txt")) < 1,
    "whist.txt": bids("whist.txt", "whist", "pass", 2),
    "whist_first.txt": bids("whist_first.txt", "pass", "whist", 1.5),
    "whist_russian.txt": bids("whist_russian.txt", "whist", "pass", 3),
}


@pytest.mark.parametrize("name", FILES)
def test_each_shows_what_it_says(name: str) -> None:
    assert SHOWN[name]()


def test_one_hand_is_asked_in_every_position() -> None:
    records = [read_hand(str(FOLDER / name)) for name in
               ("close.txt", "after_pass.txt", "third_hand.txt", "four_handed.txt")]
    assert len({record.cards for record in records}) == 1
    assert [(record.seat, record.players) for record in records] == [
        (0, 3), (1, 3), (2, 3), (0, 4)]
