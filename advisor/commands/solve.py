"""Open cards."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.commands.console import (
    Json,
    LangOption,
    reporting,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.show.terminal import print_json


def solve(
    file: Annotated[str, typer.Argument(
        metavar="DEAL.txt", help="Deal file; - reads standard input.")],
    contract: Annotated[str | None, typer.Option(
        metavar="CALL", help="6S .. 10NT, misere or all-pass; overrides the file.")] = None,
    declarer: Annotated[str | None, typer.Option(
        metavar="1|2|3", help="1, 2 or 3: first, second, third hand; overrides the file.")] = None,
    leader: Annotated[str | None, typer.Option(
        metavar="1|2|3", help="The seat that leads, 1, 2 or 3; by default the first hand.")] = None,
    line: Annotated[bool, typer.Option("--line", help="Show an optimal line of play.")] = False,
    table: Annotated[bool, typer.Option(
        "--table", help="All games, even if the file names a contract.")] = False,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Open cards and perfect play: who takes how many tricks, and by which leads."""
    overrides = {key: value for key, value in {
        "contract": contract, "declarer": declarer, "leader": leader}.items() if value is not None}
    with reporting(lang) as language:
        from advisor.records.deal import read_deal
        from advisor.show import solve as show
        from advisor.tricks.deal_table import solve_record, solve_table

        record = read_deal(file, overrides)
        if contract is not None and table:
            raise InputError("give a contract or --table, not both", source="--table")
        if record.contract is not None and not table:
            with Interruptible(), show.progress_bar(record, language) as progress:
                solution = solve_record(record, progress)
            if json_:
                print_json(show.solution_json(solution))
            else:
                show.print_solution(record, solution, language, line=line)
            return
        if line:
            raise InputError("a line of play needs a contract; give --contract", source="--line")
        told = record.contract is None  # else the file's seats belong to its contract
        declarers = _seats(record.declarer, told or declarer is not None)
        leaders = _seats(record.leader, told or leader is not None)
        cells = solve_table(record.hands, declarers, leaders)
        if json_:
            print_json(show.cells_json(record, cells))
        else:
            show.print_cells(record, cells, language)


def _seats(seat: int | None, told: bool) -> tuple[int, ...]:
    """Where the table looks from: the seat asked about, or all."""
    return (0, 1, 2) if seat is None or not told else (seat,)
