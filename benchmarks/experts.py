"""The expert cases of ``data/experts/cases.csv`` as hands with what was said.

A line of the file is a row of a printed table, for one or more seats; what its columns mean stands
at its head. A `Decision` is such a row in one seat, and has one `PlayedHand` for every choice that
the row leaves open.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor.records.session import PlayedHand, parse_session

EXPERTS = Path(__file__).resolve().parents[1] / "data" / "experts"
CASES = EXPERTS / "cases.csv"
VERDICTS = EXPERTS / "verdicts.csv"
COMPETITION = {"yes": "others bid", "no": "others pass", "either": "either", "": "as called"}
ADDED = ("UJ",)
_SOURCE = re.compile(r"# ([A-Z]\w): (.+)")


@dataclass(frozen=True, slots=True)
class Decision:
    """One row in one seat.

    Parameters
    ----------
    case, source : str
        Name of the row, and key of its source.
    seat : int
        1, 2, 3, as printed.
    competition : str
        "yes", "no", "either" or, where the auction is told, empty.
    choices : tuple of PlayedHand
        What the expert does, in as many ways as he leaves open.
    """

    case: str
    source: str
    seat: int
    competition: str
    choices: tuple[PlayedHand, ...]

    @property
    def declares(self) -> bool:
        """Whether there are twelve cards and games to choose among."""
        record = self.choices[0].record
        return (
            record.declares
            and self.choices[0].said.contract in record.contracts
            and len(record.contracts) > 1
        )

    @property
    def is_printed(self) -> bool:
        """Whether an author printed it, and no transcriber added it."""
        return self.source not in ADDED

    @property
    def expert(self) -> str:
        """The expert's choices in words."""
        return " or ".join(str(hand.said) for hand in self.choices)

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What tells the decision from all others."""
        calls = " ".join(str(call) for call in self.choices[0].record.auction.calls)
        return self.case, self.seat, self.competition, calls


def read_sources(path: Path = CASES) -> dict[str, str]:
    """The sources by their keys."""
    found = map(_SOURCE.fullmatch, path.read_text(encoding="utf-8").splitlines())
    return {match[1]: match[2] for match in found if match is not None}


def read_decisions(path: Path = CASES) -> tuple[Decision, ...]:
    """Every row of the file in every seat it is printed for."""
    return tuple(
        Decision(
            row["case"], row["source"], int(seat), row["competition"], tuple(_choices(row, seat))
        )
        for row in _rows(path)
        for seat in row["seats"].split()
    )


def read_verdicts(path: Path = VERDICTS) -> dict[str, tuple[str, str]]:
    """Who is right and why, by case."""
    return {row["case"]: (row["right"], row["why"]) for row in _rows(path)}


def _rows(path: Path) -> Iterator[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    yield from csv.DictReader(line for line in lines if not line.startswith("#"))


def _choices(row: dict[str, str], seat: str) -> Iterator[PlayedHand]:
    """The row as hands of a session, one for each choice with each discard."""
    situation = [f"hand: {row['hand']}", f"seat: {seat}"]
    if row["auction"]:
        situation.append(f"auction: {row['auction']}")
    for choice in row["choice"].split(" / "):
        for discard in row["discard"].split(" / "):
            text = "\n".join([*situation, f"said: {choice} {discard}".rstrip()])
            yield from parse_session(text, row["case"])
