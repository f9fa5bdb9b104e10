"""What to bid, or to declare and discard."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    Files,
    Json,
    LangOption,
    Seed,
    Version,
    check_evaluator,
    drawing,
    reporting,
    seconds_option,
    spent,
    whole_option,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import Lang, tr
from advisor.show.terminal import print_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.advice.results import Advice
    from advisor.records.hand import HandRecord



def advise_command(
    files: Files = None,
    hand: Annotated[str | None, typer.Option(
        help="Ten cards (twelve with the talon); overrides the file.")] = None,
    seat: Annotated[str | None, typer.Option(
        help="1, 2 or 3: first, second, third hand.")] = None,
    auction: Annotated[str | None, typer.Option(
        help="Calls so far, in order from first hand.")] = None,
    talon: Annotated[str | None, typer.Option(
        help="The two cards of the talon, taken or shown.")] = None,
    convention: Annotated[str | None, typer.Option(
        help="sochi, leningrad, rostov, classic, zhuk, seed004, or a FILE.toml.")] = None,
    players: Annotated[str | None, typer.Option(help="3 or 4 at the table.")] = None,
    all_passes: Annotated[str | None, typer.Option(
        help="All-pass deals already played in a row.")] = None,
    contract: Annotated[str | None, typer.Option(
        help="What another has declared: should you whist?")] = None,
    declarer: Annotated[str | None, typer.Option(
        help="1, 2 or 3: who has declared it.")] = None,
    whist: Annotated[str | None, typer.Option(
        help="pass or whist: what the first defender said.")] = None,
    left: Annotated[str | None, typer.Option(
        help="careful, normal or bold: the next player clockwise.")] = None,
    right: Annotated[str | None, typer.Option(
        help="careful, normal or bold: the player before you.")] = None,
    pool: Annotated[str | None, typer.Option(
        help="Points of first, second, third hand (and dealer) in the pool.")] = None,
    mountain: Annotated[str | None, typer.Option(
        help="Likewise in the mountain.")] = None,
    target: Annotated[str | None, typer.Option(
        help="Points each player has to reach in his pool.")] = None,
    evaluator: Annotated[str, typer.Option(
        help="auto: fitted tables, then deals solved until the best is clear; guide: the printed "
             "trick guide; fitted: the tables alone; exact: the sampled deals solved.")] = "auto",
    seconds: Annotated[str | None, typer.Option(
        metavar="S", show_default=False,
        help="Time for auto to solve deals in, 0 to 3600; by default 5.")] = None,
    deals: Annotated[str | None, typer.Option(
        metavar="N", show_default=False,
        help=f"Deals to sample, 1 to {MAX_DEALS}; by default 20000, with exact some hundreds. "
             "Given to auto, all of them may be solved, whatever the time.")] = None,
    seed: Seed = "1",
    lang: LangOption = None,
    json_: Json = False,
    brief: Annotated[bool, typer.Option("--brief", help="Leave out why.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show every option.")] = False,
    plot: Annotated[str | None, typer.Option(
        metavar="FILE.png|.svg|.pdf", help="Draw the expected scores.")] = None,
    version: Version = False,
) -> None:
    """What should I bid, or declare and discard? Expected scores with their errors."""
    overrides = {key: value for key, value in {
        "hand": hand, "seat": seat, "auction": auction, "talon": talon, "convention": convention,
        "players": players, "all-passes": all_passes, "contract": contract, "declarer": declarer,
        "whist": whist, "left": left, "right": right, "pool": pool, "mountain": mountain,
        "target": target}.items() if value is not None}
    with reporting(lang) as language:
        number = None if deals is None else whole_option("--deals", deals, 1, MAX_DEALS)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        limit = None if seconds is None else seconds_option("--seconds", seconds)
        picture = None if plot is None else Path(plot)
        _check_request(files, hand, picture, evaluator, limit)
        sources: list[str | None] = [*files] if files else [None]
        records = [_record(source, overrides) for source in sources]
        found = _advices(records, number, start, evaluator, limit, language, brief)
        advices: list[Advice] = []
        with Interruptible(), drawing(picture) as draw:
            try:
                for advice in found:
                    advices.append(advice)
                    if advice.complete:
                        draw(partial(_plotted, advice, language))
                    if not json_:
                        _show(advice, language, everything, first=len(advices) == 1)
                    if not advice.complete:
                        raise KeyboardInterrupt
            finally:
                _conclude(advices, len(records), language, json_)


def _check_request(
    files: list[str] | None, hand: str | None, plot: Path | None, evaluator: str,
    seconds: float | None,
) -> None:
    if not files and hand is None:
        raise InputError("nothing to advise on: give a hand file, - for standard input, or --hand")
    if files and files.count("-") > 1:
        raise InputError("standard input can be read only once")
    check_evaluator(evaluator)
    if seconds is not None and evaluator != "auto":
        raise InputError("a time limit is only for the evaluator auto", source="--seconds")
    if plot is not None:
        from advisor.show.plots import checked_path

        if files and len(files) > 1:
            raise InputError("a picture shows one hand; give one file", source="--plot")
        checked_path(plot)


def _record(source: str | None, overrides: dict[str, str]) -> HandRecord:
    from advisor.records.hand import parse_hand, read_hand

    return parse_hand("", None, overrides) if source is None else read_hand(source, overrides)


def _advices(
    records: list[HandRecord], deals: int | None, seed: int, evaluator: str,
    seconds: float | None, lang: Lang, brief: bool,
) -> Iterator[Advice]:
    """Evaluate one hand after another, with a bar on a terminal where it takes long."""
    from advisor.advice.decide import DEFAULT_SECONDS, advise

    if evaluator == "auto" and seconds is None and deals is None:
        seconds = DEFAULT_SECONDS
    if seconds is not None and len(records) == 1:
        seconds = max(0.0, seconds - spent())
    ask = partial(advise, deals=deals, seed=seed, evaluator=evaluator, seconds=seconds,
                  why=not brief)
    if not sys.stderr.isatty() or (len(records) == 1 and evaluator == "guide"):
        for record in records:
            yield ask(record)
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
        yield advice


def _show(advice: Advice, lang: Lang, everything: bool, *, first: bool) -> None:
    from advisor.show.report import print_advice
    from advisor.show.why import print_why

    if not first:
        sys.stdout.write("\n")
    print_advice(advice, lang, everything=everything)
    print_why(advice, lang)


def _conclude(advices: list[Advice], asked: int, lang: Lang, json_: bool) -> None:
    """What was found, for several hands; also after an interruption."""
    if json_:
        if advices:
            found = [advice.to_json() for advice in advices]
            print_json(found[0] if asked == 1 else found)
    elif advices and asked > 1:
        from advisor.show.report import print_summary

        sys.stdout.write("\n")
        print_summary(advices, lang)


def _plotted(advice: Advice, lang: Lang) -> Axes:
    from advisor.show.plots import plot_ev

    return plot_ev(advice, lang)
