"""The measured misère holes: the shipped table and its making."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from advisor.advice.hole_table import (
    FIELDS,
    LEADS,
    SHAPES,
    HoleCase,
    hole_cases,
    hole_odds,
    hole_table,
    measured_holes,
    provenance,
    write_table,
)
from advisor.cards import DECK
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
    assert any("advisor misere-holes" in note and "Date:" in note for note in notes)
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


def test_hiding_never_helps_the_defenders() -> None:
    known = [line for line in measured_holes() if line.hidden_pct is not None]
    assert known
    for line in known:
        assert line.best_open_pct is not None
        assert line.hidden_low_pct is not None
        assert line.hidden_pct is not None
        assert line.hidden_pct <= line.hidden_low_pct + 0.011
        assert line.hidden_low_pct <= line.best_open_pct + 0.011


def test_the_command_reproduces_lines(tmp_path: Path) -> None:
    lines = list(hole_table(shapes=("two voids",), deals=200, hidden=False))
    again = list(hole_table(shapes=("two voids",), deals=200, hidden=False, threads=1))
    assert lines == again
    path = tmp_path / "holes.csv"
    write_table(path, lines, provenance(200, 1, "2024-01-01"))
    assert path.read_text(encoding="utf-8").count("\n") == len(lines) + 7
