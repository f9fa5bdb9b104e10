"""The measured misère holes: the shipped table and its making."""

from __future__ import annotations

import re
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from advisor.advice import hole_table as table
from advisor.advice.hole_file import FIELDS, make_table, measured_holes, provenance, read_lines
from advisor.advice.hole_table import (
    HIDDEN_SHAPES,
    LEADS,
    SHAPES,
    VOIDS,
    HoleCase,
    HoleOdds,
    hole_cases,
    hole_odds,
    split_by_voids,
    void_kinds,
)
from advisor.cards import DECK, parse_cards
from advisor.paths import data_path
from advisor.sampling.unseen import Unseen
from advisor.tricks.holes import printed_holes
from advisor.tricks.misere import caught_alike
from advisor.tricks.solver import caught_deals
from advisor.tricks.sure import sure_zero

LAYOUTS = 184_756


def case(byte: int, shape: str = "even") -> HoleCase:
    found, = (c for c in hole_cases((shape,)) if c.byte == byte)
    return found


def test_every_printed_holding_is_there_under_every_lead_and_shape() -> None:
    holdings = {byte for row in printed_holes() for byte in row.holdings()}
    lines = measured_holes()
    assert len(lines) == len(holdings) * len(SHAPES) * len(LEADS)
    assert {line.row for line in lines} == {row.row for row in printed_holes()}
    assert len({(line.holding, line.lead, line.shape) for line in lines}) == len(lines)


def test_the_table_has_no_sampling_error() -> None:
    assert all(line.layouts == LAYOUTS and line.error_pct == 0 for line in measured_holes())


def test_provenance_stands_in_the_file() -> None:
    head = data_path("misere/holes.csv").read_text(encoding="utf-8").splitlines()
    notes = [line for line in head if line.startswith("# ")]
    made, = (note for note in notes if "advisor misere-holes" in note)
    assert "Date:" in made
    assert re.search(r"Commit: [0-9a-f]{12}\.", made)
    assert head[len(notes)] == ",".join(FIELDS)


@pytest.mark.parametrize("shape", SHAPES)
def test_cases_are_ten_cards_with_clean_other_suits(shape: str) -> None:
    for one in hole_cases((shape,)):
        assert one.kept.bit_count() == 10
        assert one.discard.bit_count() == 2
        assert one.kept & one.discard == 0
        assert bool(sure_zero(one.kept & ~0xFF, one.discard, False))


# Independent samples, solved deal by deal: open cards, known discard, 1,500 deals
# (own lead, other lead).
SAMPLED = {0b1001: (0.24, 0.33), 0b101: (0.00, 0.00), 0b10001: (0.62, 0.67),
           0b100001: (0.84, 0.86), 0b11: None}


@pytest.mark.parametrize("byte", [b for b, s in SAMPLED.items() if s])
def test_known_values(byte: int) -> None:
    own, other = SAMPLED[byte] or (0, 0)
    name = next(line.holding for line in measured_holes() if _byte(line.holding) == byte)
    chance = {line.lead: line.caught_pct / 100 for line in measured_holes()
              if line.holding == name and line.shape == "even"}
    assert chance["own"] == pytest.approx(own, abs=0.03)
    assert chance["next"] == pytest.approx(other, abs=0.03)


def _byte(holding: str) -> int:
    names = ("7", "8", "9", "10", "J", "Q", "K", "A")
    return sum(1 << names.index(part) for part in holding.split())


@pytest.mark.parametrize("leader", range(3))
def test_the_fast_loop_agrees_with_the_solver(leader: int, rng: np.random.Generator) -> None:
    one = case(0b1001)
    hands = Unseen(DECK & ~(one.kept | one.discard)).sample(300, rng)[:2].T
    rows = np.column_stack([np.full(300, one.kept, np.uint32), hands])
    assert (caught_alike(rows, leader, 50) == caught_deals(rows, leader)).all()


@pytest.mark.parametrize("byte", [0b1001, 0b1])
def test_a_fresh_sample_agrees_with_the_table(byte: int) -> None:
    one = case(byte if byte > 1 else 0b10)
    fresh = hole_odds(one, 1, deals=1500, seed=7, hidden=False)
    line, = (line for line in measured_holes() if line[:4] == fresh[:4])
    assert fresh.caught_pct == pytest.approx(line.caught_pct, abs=4 * fresh.error_pct)


@pytest.mark.parametrize(("one", "two", "kind"), [
    ("SJQK C9TJQK DA HA", "SA C8A D9TJQK H9T", "none"),
    ("SJQKA C9TJQK D9", "C8A DTJQKA H9TJ", "hole"),
    ("SJQKA C9TJQK", "C8A DTJQKA H9TJ", "hole"),
    ("SJQ C9TJQK DA", "SKA DTJQK H9TJ", "other"),
    ("SJQ C9TJQK DA", "SKA C8 DTJQK", "none"),
])
def test_kinds_of_layouts(one: str, two: str, kind: str) -> None:
    """A suit that neither defender has is no void."""
    for hands in ([one, two], [two, one]):
        layout = np.array([[parse_cards(hand) for hand in hands]], np.uint32)
        assert VOIDS[void_kinds(layout)[0]] == kind


def test_the_suit_of_the_hole_is_told_from_the_others() -> None:
    layout = np.array([[parse_cards("SJQ C9"), parse_cards("SKA")]], np.uint32)
    assert [VOIDS[void_kinds(layout, suit)[0]] for suit in range(4)] == [
        "other", "hole", "other", "other"]


def test_a_split_counts_each_kind() -> None:
    split = split_by_voids(np.array([0, 0, 0, 2]), np.array([True, False, False, True]))
    assert split.share == {"none": 0.75, "other": 0, "hole": 0.25}
    assert split.caught == {"none": pytest.approx(1 / 3), "other": None, "hole": 1}


def test_kinds_of_layouts_add_up_to_the_whole() -> None:
    for line in measured_holes():
        parts = ((line.void_hole_pct, line.caught_void_hole_pct),
                 (line.void_other_pct, line.caught_void_other_pct),
                 (100 - line.void_hole_pct - line.void_other_pct, line.caught_no_void_pct))
        whole = sum(share * caught for share, caught in parts if caught is not None) / 100
        assert whole == pytest.approx(line.caught_pct, abs=0.03)
        for share, caught in parts:
            assert (caught is None) == (round(share, 2) == 0) or 0 < share < 0.01


def test_shares_of_voids_are_those_of_counting() -> None:
    """Two ways to be void, C(20 - n, 10) layouts each, with n cards of the suit out."""
    for line in measured_holes():
        out = 8 - len(line.holding.split())
        assert line.void_hole_pct == pytest.approx(200 * comb(20 - out, 10) / LAYOUTS, abs=0.006)


def test_hiding_never_helps_the_defenders() -> None:
    known = [line for line in measured_holes() if line.hidden_pct is not None]
    assert {line.shape for line in known} == set(HIDDEN_SHAPES)
    for line in known:
        assert line.best_open_error_pct is not None
        assert line.hidden_error_pct is not None
        assert max(line.best_open_error_pct, line.hidden_error_pct) <= 1.6
        assert line.best_open_pct is not None
        assert line.hidden_low_pct is not None
        assert line.hidden_pct is not None
        assert line.hidden_pct <= line.hidden_low_pct + 0.011
        assert line.hidden_low_pct <= line.best_open_pct + 0.011


def made(path: Path, **settings: Any) -> list[HoleOdds]:
    make_table(path, shapes=("two voids",), hidden=False, **{"deals": 40} | settings)
    return read_lines(path.read_text(encoding="utf-8"))


def test_the_table_is_the_same_whatever_the_threads(tmp_path: Path) -> None:
    lines = made(tmp_path / "one.csv", threads=1)
    assert made(tmp_path / "two.csv", threads=2) == lines
    assert len(lines) == 3 * len(hole_cases(("two voids",)))
    assert lines != made(tmp_path / "other.csv", seed=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "other.csv", "two.csv"]


@pytest.mark.parametrize("cut", [0, 7])
def test_a_stopped_table_goes_on(
    cut: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the last line was cut short by a crash."""
    expected = made(tmp_path / "expected.csv")

    def stop(done: int, total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    path = tmp_path / "holes.csv"
    with pytest.raises(KeyboardInterrupt):
        made(path, progress=stop)
    journal, = tmp_path.glob("*.journal")
    assert not path.exists()
    text = journal.read_text(encoding="utf-8")
    journal.write_text(text[: len(text) - cut], encoding="utf-8")
    solved: list[HoleCase] = []

    def counted(case: HoleCase, *args: Any, **options: Any) -> HoleOdds:
        solved.append(case)
        return hole_odds(case, *args, **options)

    monkeypatch.setattr(table, "hole_odds", counted)
    assert made(path) == expected
    assert len(solved) == len(expected) - 10 + bool(cut)
    assert not journal.exists()


def test_other_settings_start_anew(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "holes.csv"
    with pytest.raises(KeyboardInterrupt):
        made(path, seed=2, progress=stop)
    assert made(path) == made(tmp_path / "expected.csv")


def test_a_journal_of_other_columns_is_left_alone(tmp_path: Path) -> None:
    """As one of an older version is."""
    path = tmp_path / "holes.csv"
    columns = ",".join(FIELDS[:-1])
    (tmp_path / "holes.csv.journal").write_text(
        f"# deals 40, seed 1, hidden False\n{columns}\n1,7 10\n", encoding="utf-8")
    assert made(path) == made(tmp_path / "expected.csv")


def test_the_command_in_the_file_makes_that_file() -> None:
    def told(*args: object, **more: object) -> str:
        return provenance(*args, **more)[1].split(". Date")[0]  # type: ignore[arg-type]

    plain = "Command: advisor misere-holes --out data/misere/holes.csv"
    assert told(None, 1, "today") == plain
    assert told(LAYOUTS, 1, "today") == plain
    assert told(50, 3, "today", shapes=["two voids"], hidden=False) == \
        f'{plain} --shape "two voids" --no-hidden --deals 50 --seed 3'
    assert "hidden" not in " ".join(provenance(50, 3, "today", hidden=False)[2:])


def test_one_layout_says_little() -> None:
    assert hole_odds(case(0b10), 1, deals=1, hidden=False).error_pct > 40
