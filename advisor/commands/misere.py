"""A misère from all sides, and the printed holes measured."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    Json,
    LangOption,
    Seed,
    drawing,
    path_option,
    reporting,
    whole_option,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.show.terminal import print_json


def misere(
    file: Annotated[str, typer.Argument(
        metavar="HAND.txt", help="Hand file; - reads standard input.")],
    deals: Annotated[str | None, typer.Option(
        metavar="N", show_default=False,
        help=f"Layouts to solve for each lead, 1 to {MAX_DEALS}; by default 1000, or 2310 with "
             "the talon unknown.")] = None,
    seed: Seed = "1",
    json_: Json = False,
    lang: LangOption = None,
    plot: Annotated[str | None, typer.Option(
        metavar="FILE.png|.svg|.pdf", help="Draw the chances.")] = None,
) -> None:
    """Misère: holes, saving cards, the chance under three models of the defence, and its worth."""
    with reporting(lang) as language:
        number = None if deals is None else whole_option("--deals", deals, 1, MAX_DEALS)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        picture = None if plot is None else Path(plot)
        if picture is not None:
            from advisor.show.charts.canvas import checked_path

            checked_path(picture)
        from advisor.advice.misere import study_misere
        from advisor.records.hand import read_hand
        from advisor.show.misere import plot_misere, print_misere

        report = study_misere(read_hand(file), deals=number, seed=start)
        with drawing(picture) as draw:
            draw(lambda: plot_misere(report, language))
            if json_:
                print_json(report.to_json())
            else:
                print_misere(report, language)


def misere_holes(
    out: Annotated[str, typer.Option(metavar="FILE.csv", help="Where to write the table.")],
    deals: Annotated[str | None, typer.Option(
        metavar="N", show_default=False,
        help="Layouts to draw for each line; by default all 184756.")] = None,
    shape: Annotated[list[str] | None, typer.Option(
        metavar="SHAPE",
        help="even, one long, one void or two voids; may be repeated; by default all.")] = None,
    hidden: Annotated[bool, typer.Option(
        help="Look at the hidden discard too.")] = True,
    seed: Seed = "1",
    lang: LangOption = None,
) -> None:
    """Measure every printed misère hole; takes long, and goes on where it was stopped."""
    with reporting(lang):
        from advisor.advice.hole_file import make_table
        from advisor.advice.hole_table import SHAPES
        from advisor.writing import check_file

        number = None if deals is None else whole_option("--deals", deals, 1, MAX_DEALS)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        for name in shape or ():
            if name not in SHAPES:
                raise InputError("found '{found}', expected {expected}", found=name,
                                 expected=", ".join(SHAPES), source="--shape")
        path = path_option("--out", out)
        check_file(path)

        def report(done: int, total: int) -> None:
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{done}/{total}" + ("\n" if done == total else ""))

        with Interruptible():
            make_table(path, shapes=tuple(dict.fromkeys(shape or SHAPES)), deals=number, seed=start,
                       hidden=hidden, progress=report)
