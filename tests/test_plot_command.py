"""The command that draws a hand, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from charts import (
    EXAMPLE,
    HAND,
    TALON,
    WHIST,
)
from typer.testing import CliRunner, Result

from advisor.advice.discard_choice import discard_choice
from advisor.advice.lead_worth import lead_worth
from advisor.advice.talon_map import talon_map
from advisor.advice.trick_chances import trick_chances
from advisor.cards import parse_cards
from advisor.cli import app
from advisor.errors import InputError
from advisor.language import LANGUAGES
from advisor.records.hand import parse_hand, read_hand


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plot(*args: str | Path) -> Result:
    result = CliRunner().invoke(app, ["plot", *map(str, args)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(("kind", "hand", "name"), [
    ("ev", EXAMPLE, "x.svg"), ("talon", EXAMPLE, "x.png"), ("tricks", TALON, "x.pdf"),
    ("discards", TALON, "x.png"), ("lead", EXAMPLE, "x.svg")])
def test_every_kind_is_written(here: Path, kind: str, hand: Path, name: str) -> None:
    more = ["--evaluator", "fitted"] if kind == "ev" else []
    done = plot(hand, "--kind", kind, "-o", name, "--deals", "1000", "--csv", "x.csv", *more)
    assert (done.exit_code, done.output) == (0, "")
    assert (here / name).stat().st_size > 5_000
    assert len(pd.read_csv("x.csv")) >= 5
    assert {path.name for path in here.iterdir()} == {name, "x.csv"}


def test_the_hand_may_come_from_options(here: Path) -> None:
    done = plot("--hand", HAND, "--talon", "♦A ♥J", "--kind", "discards", "-o", "x.png",
                "--deals", "500", "--lang", "ru", "--convention", "leningrad", "--players", "4",
                "--csv", "-")
    assert done.exit_code == 0
    assert done.stdout.startswith("contract,discard,ev,se,behind,behind_se,p_make\n")


MISERE = ("--hand", "♠710 ♣789 ♦7810 ♥78", "--talon", "♠K ♥Q", "--auction", "misere pass pass")


@pytest.mark.parametrize(("args", "says"), [
    ((EXAMPLE, "--kind", "moon"), "--kind: found 'moon', expected ev, talon, tricks"),
    ((TALON, "--kind", "talon"), "talon.txt: a map of talons is drawn for ten cards"),
    ((EXAMPLE, "--kind", "discards"), "example.txt: discards are compared with the talon taken"),
    ((WHIST, "--kind", "lead"), "whist.txt: this picture shows the player's own games"),
    ((WHIST, "--kind", "talon"), "the hand is a defender's"),
    ((WHIST, "--kind", "discards"), "the hand is a defender's"),
    ((*MISERE, "--kind", "tricks"), "the auction was won with a misère"),
    (("--hand", HAND, "--seat", "2", "--auction", "10NT", "--kind", "talon"), "may call none"),
    ((EXAMPLE, "--kind", "talon", "--deals", "900"), "--deals: found 900, expected at least 924"),
    ((EXAMPLE, "--kind", "lead", "--evaluator", "guide"), "--evaluator: the fitted tables draw"),
    ((EXAMPLE, "--kind", "lead", "--seconds", "1"), "--seconds: a time limit is only for"),
    ((EXAMPLE, "--kind", "lead", "--deals", "0"), "--deals: found '0'"),
    (("no.txt",), "no.txt: there is no such file"),
    ((), "nothing to advise on"),
    ((EXAMPLE, "-o", "x.gif"), "x.gif: 'x.gif' is not a picture"),
    ((EXAMPLE, "-o", "no/x.png"), "no/x.png: nothing can be written here: no such folder"),
    ((EXAMPLE, "-o", ""), "--out: the file name is empty"),
    ((EXAMPLE, "--csv", "no/x.csv"), "no/x.csv: nothing can be written here"),
])
def test_what_cannot_be_drawn(here: Path, args: tuple[str | Path, ...], says: str) -> None:
    out = () if "-o" in args else ("-o", "x.png")
    for lang in LANGUAGES:
        done = plot(*args, *out, "--lang", lang)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert lang == "ru" or says in done.stderr
        assert lang == "en" or re.search("[а-я]", done.stderr)
    assert list(here.iterdir()) == []


def test_results_refuse_what_they_cannot_know() -> None:
    for find in (talon_map, trick_chances, lead_worth, discard_choice):
        with pytest.raises(InputError, match="defender"):
            find(read_hand(WHIST))
    with pytest.raises(InputError, match="talon taken"):
        discard_choice(parse_hand(HAND))
    assert parse_cards(HAND) == parse_hand(HAND).cards
