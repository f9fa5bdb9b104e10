"""What to bid, or to declare and discard; and saved answers shown again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.commands.asking import (
    AllPasses,
    AuctionCalls,
    ContractName,
    ConventionName,
    Deals,
    Declarer,
    Evaluator,
    Hand,
    Left,
    Mountain,
    Players,
    Pool,
    Right,
    Seat,
    Seconds,
    Talon,
    Target,
    Whist,
    answers,
    check_files,
    hand_records,
    manner,
    told,
)
from advisor.commands.console import (
    STDOUT,
    Files,
    Json,
    LangOption,
    Seed,
    Version,
    check_table,
    delivering,
    keep_apart,
    refuse_both,
    reporting,
    write_table,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import Lang
from advisor.show.terminal import print_json

if TYPE_CHECKING:
    from advisor.advice.results import Advice

Brief = Annotated[bool, typer.Option("--brief", help="Leave out why.")]
Everything = Annotated[bool, typer.Option("--all", help="Show every option.")]
Csv = Annotated[str | None, typer.Option(
    "--csv", metavar="FILE|-", help="Write all options of all hands as one table; - prints it "
                                    "instead of the report.")]
Plot = Annotated[str | None, typer.Option(
    metavar="FILE.png|.svg|.pdf", help="Draw the expected scores.")]
Deliver = Callable[[Callable[[], None]], None]


def advise_command(
    files: Files = None,
    hand: Hand = None,
    seat: Seat = None,
    auction: AuctionCalls = None,
    talon: Talon = None,
    convention: ConventionName = None,
    players: Players = None,
    all_passes: AllPasses = None,
    contract: ContractName = None,
    declarer: Declarer = None,
    whist: Whist = None,
    left: Left = None,
    right: Right = None,
    pool: Pool = None,
    mountain: Mountain = None,
    target: Target = None,
    evaluator: Evaluator = "auto",
    seconds: Seconds = None,
    deals: Deals = None,
    seed: Seed = "1",
    lang: LangOption = None,
    json_: Json = False,
    csv: Csv = None,
    brief: Brief = False,
    everything: Everything = False,
    plot: Plot = None,
    version: Version = False,
) -> None:
    """What should I bid, or declare and discard? Expected scores with their errors."""
    overrides = told(
        hand=hand, seat=seat, auction=auction, talon=talon, convention=convention, players=players,
        all_passes=all_passes, contract=contract, declarer=declarer, whist=whist, left=left,
        right=right, pool=pool, mountain=mountain, target=target)
    with reporting(lang) as language:
        how = manner(evaluator, deals, seconds, seed)
        named = files or []
        check_files(named, hand)
        picture = _checked_output(csv, json_, plot, len(named))
        keep_apart(named, picture, csv)
        records = hand_records(named, overrides)
        found = answers(records, how, language, why=not brief)
        advices: list[Advice] = []
        with Interruptible(), delivering() as deliver:
            try:
                for advice in found:
                    advices.append(advice)
                    if advice.complete:
                        _write_files(advices, len(records), picture, csv, language, deliver)
                    if not json_ and csv != STDOUT:
                        _show(advice, language, everything, first=len(advices) == 1)
                    if not advice.complete:
                        raise KeyboardInterrupt
            finally:
                _conclude(advices, language, json_, csv, several=len(records) > 1)


def show(
    file: Annotated[str, typer.Argument(
        metavar="ADVICE.json", help="What advise --json has printed; - reads standard input.")],
    lang: LangOption = None,
    csv: Csv = None,
    brief: Brief = False,
    everything: Everything = False,
    plot: Plot = None,
) -> None:
    """Show a saved answer again, or draw it; nothing is computed anew."""
    with reporting(lang) as language:
        picture = _checked_output(csv, False, plot, 1)
        keep_apart([file], picture, csv)
        from advisor.advice.saved import read_saved

        saved = read_saved(file)
        if picture is not None and len(saved.advices) > 1:
            raise InputError("a picture shows one hand; give one file", source="--plot")
        with delivering() as deliver:
            _write_files(saved.advices, len(saved.advices), picture, csv, language, deliver)
            if csv != STDOUT:
                for number, advice in enumerate(saved.advices):
                    _show(advice, language, everything, first=not number, why=not brief)
            _conclude(saved.advices, language, False, csv, several=saved.several)


def _checked_output(csv: str | None, json_: bool, plot: str | None, hands: int) -> Path | None:
    """Whether all that is asked for can be written, before the long work; the picture's path."""
    check_table(csv)
    if csv == STDOUT:
        refuse_both("--json", json_ or None, "--csv -", csv)
    if plot is None:
        return None
    from advisor.show.charts.canvas import checked_path

    if hands > 1:
        raise InputError("a picture shows one hand; give one file", source="--plot")
    return checked_path(Path(plot))


def _write_files(
    advices: Sequence[Advice], asked: int, picture: Path | None, csv: str | None, lang: Lang,
    deliver: Deliver,
) -> None:
    """The picture, and the table once all hands are answered."""
    if picture is not None:
        deliver(partial(_draw, advices[-1], lang, picture))
    if csv not in (None, STDOUT) and len(advices) == asked:
        deliver(partial(_write_csv, advices, csv))


def _draw(advice: Advice, lang: Lang, picture: Path) -> None:
    from advisor.show.charts.canvas import save
    from advisor.show.charts.ev import plot_ev

    save(plot_ev(advice, lang), picture)


def _write_csv(advices: Sequence[Advice], csv: str) -> None:
    from advisor.advice.frames import advice_frame

    write_table(advice_frame(advices).round(4), csv)


def _show(
    advice: Advice, lang: Lang, everything: bool, *, first: bool, why: bool = True
) -> None:
    from advisor.show.report import print_advice
    from advisor.show.why import print_why

    if not first:
        sys.stdout.write("\n")
    print_advice(advice, lang, everything=everything)
    if why:
        print_why(advice, lang)


def _conclude(
    advices: Sequence[Advice], lang: Lang, json_: bool, csv: str | None, *, several: bool
) -> None:
    """What was found, for several hands; also after an interruption."""
    if not advices:
        return
    if json_:
        found = [advice.to_json() for advice in advices]
        print_json(found if several else found[0])
    elif csv == STDOUT:
        _write_csv(advices, STDOUT)
    elif several:
        from advisor.show.report import print_summary

        sys.stdout.write("\n")
        print_summary(advices, lang)
