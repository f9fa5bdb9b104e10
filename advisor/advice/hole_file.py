"""The file of measured holes, ``data/misere/holes.csv``: making it, stopping, going on, reading it.

Every line is written to a journal beside the file as soon as it is known. The same command goes on
from there; when all lines are there the file is written and the journal removed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from math import comb
from pathlib import Path

from advisor.advice.hole_table import (
    HIDDEN_DEALS,
    HIDDEN_SEARCHED,
    SHAPES,
    HoleOdds,
    hole_table,
)
from advisor.paths import data_path, source_commit
from advisor.writing import check_file, whole_file

FILE = "data/misere/holes.csv"
FIELDS = HoleOdds._fields
LAYOUTS = comb(20, 10)


def make_table(
    path: Path, *, shapes: Sequence[str] = tuple(SHAPES), deals: int | None = None, seed: int = 1,
    hidden: bool = True, threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Work out the table and write it, from where the same command was stopped.

    Parameters
    ----------
    path : Path
        The file.
    shapes, deals, seed, hidden, threads, progress
        As for `advisor.advice.hole_table.hole_table`.

    Raises
    ------
    InputError
        The file or its journal cannot be written.
    """
    journal = path.with_name(path.name + ".journal")
    settings = f"# deals {deals}, seed {seed}, hidden {hidden}"
    check_file(path)
    check_file(journal)
    commit = source_commit()
    known = _known(journal, settings)
    lines = []
    with journal.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{settings}\n{','.join(FIELDS)}\n")
        file.writelines(map(_text, known))
        file.flush()
        for line in hole_table(shapes=shapes, deals=deals, seed=seed, hidden=hidden,
                               threads=threads, known=known, progress=progress):
            lines.append(line)
            if line not in known:
                file.write(_text(line))
                file.flush()
    write_table(path, lines, provenance(deals, seed, datetime.now(UTC).date().isoformat(),
                                        shapes=shapes, hidden=hidden, commit=commit))
    journal.unlink()


def _known(journal: Path, settings: str) -> list[HoleOdds]:
    """Whole lines of a journal with these settings and columns."""
    if not journal.exists():
        return []
    text = journal.read_text(encoding="utf-8")
    head, _, rest = text[: text.rfind("\n") + 1].partition("\n")
    same = head == settings and rest.partition("\n")[0] == ",".join(FIELDS)
    return read_lines(rest) if same else []


def _text(line: HoleOdds) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(
        ["" if value is None else value for value in line])
    return out.getvalue()


def write_table(path: Path, lines: Iterable[HoleOdds], notes: Sequence[str]) -> None:
    """Write the table with its provenance as comment lines.

    Raises
    ------
    InputError
        It cannot be written.
    """
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {note}\n" for note in notes)
        file.write(",".join(FIELDS) + "\n")
        file.writelines(map(_text, lines))


def provenance(
    deals: int | None, seed: int, date: str, *, shapes: Sequence[str] = tuple(SHAPES),
    hidden: bool = True, commit: str | None = None,
) -> list[str]:
    """Comment lines: what the table is and how it came about."""
    every = deals is None or deals >= LAYOUTS
    layouts = "all 184,756 layouts each, no sampling error" if every else \
        f"{deals} layouts each, drawn with seed {seed}; error_pct is one standard error"
    notes = [
        "Chance, per cent, that a misère with one printed hole takes a trick; the other suits are "
        "low and clean.",
        f"Command: {_command(None if every else deals, seed, shapes, hidden)}. Date: {date}. "
        f"Commit: {commit or 'unknown'}.",
        f"caught_pct: the defenders see the discard (model a), {layouts}.",
        "lead: own = the misère player, next and third = the players after him. shape: lengths of "
        "the other suits, see advisor/advice/hole_table.py.",
        "void_hole_pct: share of the layouts in which a defender has no card of the hole's suit; "
        "void_other_pct: in which he has none of some other suit only, of which the other defender "
        "has some.",
        "caught_void_hole_pct, caught_void_other_pct, caught_no_void_pct: caught_pct of these "
        "layouts and of the rest; empty where there are none" + ("." if every else
        "; one standard error is sqrt(p (100 - p) / n), n the number of these layouts."),
    ]
    return notes if not hidden else [
        *notes,
        "best_open_pct, hidden_pct: the twelve cards before the discard, with the best discard "
        "seen (a), which often throws the hole itself, and the best mixture of all sensible ones "
        "hidden (b); "
        "hidden_low_pct: (b) with the declarer's play restricted, so caught more often.",
        f"best_open and hidden columns: {HIDDEN_DEALS} layouts, {HIDDEN_SEARCHED} of them searched "
        f"for plans, seed {seed}; best_open_error_pct and hidden_error_pct (of hidden_pct and "
        "hidden_low_pct) are one standard error.",
    ]


def _command(deals: int | None, seed: int, shapes: Sequence[str], hidden: bool) -> str:
    """What makes the table again."""
    parts = [f"advisor misere-holes --out {FILE}"]
    if tuple(shapes) != tuple(SHAPES):
        parts += [f'--shape "{shape}"' for shape in shapes]
    if not hidden:
        parts.append("--no-hidden")
    if deals is not None:
        parts.append(f"--deals {deals}")
    if deals is not None or seed != 1:
        parts.append(f"--seed {seed}")
    return " ".join(parts)


@cache
def measured_holes() -> tuple[HoleOdds, ...]:
    """The shipped table ``data/misere/holes.csv``."""
    return tuple(read_lines(data_path("misere/holes.csv").read_text(encoding="utf-8")))


def read_lines(text: str) -> list[HoleOdds]:
    """Lines of the table; comment lines are passed over."""
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return [_line(row) for row in rows]


def _line(row: dict[str, str]) -> HoleOdds:
    chances = FIELDS[FIELDS.index("void_other_pct") + 1 :]
    return HoleOdds(
        int(row["row"]), row["holding"], row["lead"], row["shape"], row["discard"],
        _number(row["printed_pct"]), float(row["caught_pct"]), float(row["error_pct"]),
        int(row["layouts"]), float(row["void_hole_pct"]), float(row["void_other_pct"]),
        *(_number(row[name]) for name in chances))


def _number(text: str) -> float | None:
    return float(text) if text else None
