"""What commands that ask about hands share: the hand's options, and asking with a bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    check_evaluator,
    seconds_option,
    spent,
    whole_option,
)
from advisor.commands.helping import OF_THE_HAND
from advisor.errors import InputError
from advisor.language import Lang, tr

if TYPE_CHECKING:
    from advisor.advice.results import Advice
    from advisor.records.hand import HandRecord

Hand = Annotated[str | None, typer.Option(
    metavar="CARDS", rich_help_panel=OF_THE_HAND,
    help="Ten cards (twelve with the talon); overrides the file.")]
Seat = Annotated[str | None, typer.Option(
    metavar="1|2|3", rich_help_panel=OF_THE_HAND,
    help="1, 2 or 3: first, second, third hand.")]
AuctionCalls = Annotated[str | None, typer.Option(
    metavar="CALLS", rich_help_panel=OF_THE_HAND,
    help="Calls so far, in order from first hand.")]
Talon = Annotated[str | None, typer.Option(
    metavar="CARDS", rich_help_panel=OF_THE_HAND,
    help="The two cards of the talon, taken or shown.")]
ConventionName = Annotated[str | None, typer.Option(
    metavar="NAME|FILE.toml", rich_help_panel=OF_THE_HAND,
    help="sochi, leningrad, rostov, classic, zhuk, seed004, or a FILE.toml.")]
Players = Annotated[str | None, typer.Option(
    metavar="3|4", rich_help_panel=OF_THE_HAND,
    help="3 or 4 at the table.")]
AllPasses = Annotated[str | None, typer.Option(
    metavar="N", rich_help_panel=OF_THE_HAND,
    help="All-pass deals already played in a row.")]
ContractName = Annotated[str | None, typer.Option(
    metavar="CALL", rich_help_panel=OF_THE_HAND,
    help="What another has declared: should you whist?")]
Declarer = Annotated[str | None, typer.Option(
    metavar="1|2|3", rich_help_panel=OF_THE_HAND,
    help="1, 2 or 3: who has declared it.")]
Whist = Annotated[str | None, typer.Option(
    metavar="pass|whist", rich_help_panel=OF_THE_HAND,
    help="pass or whist: what the first defender said.")]
Left = Annotated[str | None, typer.Option(
    metavar="STYLE", rich_help_panel=OF_THE_HAND,
    help="careful, normal or bold: the next player clockwise.")]
Right = Annotated[str | None, typer.Option(
    metavar="STYLE", rich_help_panel=OF_THE_HAND,
    help="careful, normal or bold: the player before you.")]
Pool = Annotated[str | None, typer.Option(
    metavar="POINTS", rich_help_panel=OF_THE_HAND,
    help="Points of first, second, third hand (and dealer) in the pool.")]
Mountain = Annotated[str | None, typer.Option(
    metavar="POINTS", rich_help_panel=OF_THE_HAND,
    help="Likewise in the mountain.")]
Target = Annotated[str | None, typer.Option(
    metavar="N", rich_help_panel=OF_THE_HAND,
    help="Points each player has to reach in his pool.")]
Evaluator = Annotated[str, typer.Option(
    metavar="NAME",
    help="auto: fitted tables, then deals solved until the best is clear; guide: the printed "
         "trick guide; fitted: the tables alone; exact: the sampled deals solved.")]
Seconds = Annotated[str | None, typer.Option(
    metavar="S", show_default=False,
    help="Time for auto to solve deals in, 0 to 3600; by default 5.")]
Deals = Annotated[str | None, typer.Option(
    metavar="N", show_default=False,
    help=f"Deals to sample, 1 to {MAX_DEALS}; by default 20000, with exact some hundreds. "
         "Given to auto, all of them may be solved, whatever the time.")]


@dataclass(frozen=True, slots=True)
class Manner:
    """How to answer: `deals` and `seconds` are None where not told."""

    evaluator: str
    deals: int | None
    seconds: float | None
    seed: int


def manner(evaluator: str, deals: str | None, seconds: str | None, seed: str) -> Manner:
    """Check the options that say how to answer."""
    number = None if deals is None else whole_option("--deals", deals, 1, MAX_DEALS)
    start = whole_option("--seed", seed, 0, MAX_SEED)
    limit = None if seconds is None else seconds_option("--seconds", seconds)
    check_evaluator(evaluator)
    if limit is not None and evaluator != "auto":
        raise InputError("a time limit is only for the evaluator auto", source="--seconds")
    return Manner(evaluator, number, limit, start)


def told(**options: str | None) -> dict[str, str]:
    """The options given of a hand, by key of a hand file."""
    return {key.replace("_", "-"): value for key, value in options.items() if value is not None}


def check_files(files: Sequence[str], hand: str | None) -> None:
    """Whether there is something to ask about."""
    if not files and hand is None:
        raise InputError("nothing to advise on: give a hand file, - for standard input, or --hand")
    if files.count("-") > 1:
        raise InputError("standard input can be read only once")


def hand_records(files: Sequence[str], overrides: dict[str, str]) -> list[HandRecord]:
    """The hands of the files, or the one the options give."""
    from advisor.records.hand import parse_hand, read_hand

    if not files:
        return [parse_hand("", None, overrides)]
    return [read_hand(source, overrides) for source in files]


def answers(
    records: Sequence[HandRecord], how: Manner, lang: Lang, *, why: bool
) -> Iterator[Advice]:
    """Evaluate one hand after another, with a bar on a terminal where it takes long.

    What is shown has the digits that are saved, so that a saved answer shows the same.
    """
    from advisor.advice.decide import DEFAULT_SECONDS, advise
    from advisor.advice.rounding import as_told

    seconds = how.seconds
    if how.evaluator == "auto" and seconds is None and how.deals is None:
        seconds = DEFAULT_SECONDS
    if seconds is not None and len(records) == 1:
        seconds = max(0.0, seconds - spent())
    ask = partial(advise, deals=how.deals, seed=how.seed, evaluator=how.evaluator,
                  seconds=seconds, why=why)
    if not sys.stderr.isatty() or (len(records) == 1 and how.evaluator == "guide"):
        for record in records:
            yield as_told(ask(record))
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True,
                   redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task(tr(lang, "hands"), total=len(records))
    for number, record in enumerate(records):
        def report(done: int, total: int, before: int = number) -> None:
            bar.update(task, completed=before + done / total)

        with bar:
            advice = ask(record, progress=report)
            bar.update(task, completed=number + 1)
        yield as_told(advice)
