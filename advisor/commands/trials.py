"""Putting the advice to the test: a tournament, and predictions against what happens."""

from __future__ import annotations

from collections.abc import Callable
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    Json,
    LangOption,
    Seed,
    drawing,
    reporting,
    whole_option,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import tr
from advisor.show.terminal import print_json

if TYPE_CHECKING:
    import pandas as pd

MAX_TRIALS = 1_000_000
MAX_WORKERS = 1_000
MAX_LONG = 10_000
ConventionOption = Annotated[
    str, typer.Option(help="sochi, leningrad, rostov, classic, zhuk, seed004, or a FILE.toml.")
]
Workers = Annotated[
    str | None,
    typer.Option(metavar="W", help="Processes; by default one a processor.", show_default=False),
]
Csv = Annotated[
    str | None, typer.Option("--csv", metavar="FILE", help="Write every game or hand as a table.")
]
Plot = Annotated[str | None, typer.Option(metavar="FILE.png|.svg|.pdf", help="Draw the result.")]


def arena(
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [C]",
            help="rule, model, or an evaluator, with :N for N sampled deals a "
            "decision; of two, the first sits alone against two of the "
            "second.",
        ),
    ],
    deals: Annotated[
        str, typer.Option(metavar="N", help="Deals, each played in every rotation.")
    ] = "300",
    convention: ConventionOption = "sochi",
    both_ways: Annotated[
        bool, typer.Option("--both-ways", help="Of two policies, also seat the second alone.")
    ] = False,
    seed: Seed = "1",
    workers: Workers = None,
    csv: Csv = None,
    plot: Plot = None,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Let policies play the same deals in every rotation of seats: net whists a deal."""
    with reporting(lang) as language:
        number = whole_option("--deals", deals, 1, MAX_TRIALS)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        count = _workers(workers)
        picture = _checked(plot, csv)
        from advisor.rules.conventions import load_convention
        from advisor.show.arena import plot_arena, print_arena
        from advisor.show.fitting import bar
        from advisor.trials.arena import run_arena

        rules = load_convention(convention)
        with Interruptible(), bar(tr(language, "deals")) as progress:
            result = run_arena(
                policies,
                number,
                rules,
                seed=start,
                workers=count,
                both_ways=both_ways,
                progress=progress,
            )
        with drawing(picture) as draw:
            draw(lambda: plot_arena(result, language))
            _write(csv, result.to_frame)
            if json_:
                print_json(result.to_json())
            else:
                print_arena(result, language)
        if not result.complete:
            raise KeyboardInterrupt


def calibrate(
    hands: Annotated[
        str, typer.Option(metavar="N", help="Hands whose first call is a bid.")
    ] = "200",
    evaluator: Annotated[
        str, typer.Option(help="Whose predictions to test, as in advise.")
    ] = "fitted",
    deals: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            show_default=False,
            help="Deals to sample a decision; by default the evaluator's own number.",
        ),
    ] = None,
    others: Annotated[
        str, typer.Option(help="How the other two bid: model, rule, or an evaluator.")
    ] = "model",
    coverage: Annotated[
        str, typer.Option(metavar="M", help="Hands whose printed error is tested too.")
    ] = "0",
    long: Annotated[str, typer.Option(metavar="K", help="Times the deals, for that.")] = "50",
    convention: ConventionOption = "sochi",
    seed: Seed = "1",
    workers: Workers = None,
    csv: Csv = None,
    plot: Plot = None,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Do predicted chances of making come true, and do the printed errors hold?"""
    with reporting(lang) as language:
        number = whole_option("--hands", hands, 1, MAX_TRIALS)
        sampled = None if deals is None else whole_option("--deals", deals, 1, MAX_DEALS)
        covered = whole_option("--coverage", coverage, 0, MAX_TRIALS)
        times = whole_option("--long", long, 1, MAX_LONG)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        count = _workers(workers)
        picture = _checked(plot, csv)
        from advisor.advice.decide import EVALUATORS
        from advisor.rules.conventions import load_convention
        from advisor.show.calibration import plot_calibration, print_calibration
        from advisor.show.fitting import bar
        from advisor.trials.calibration import run_calibration

        if evaluator not in EVALUATORS:
            raise InputError(
                "'{found}' is not an evaluator; expected {expected}",
                found=evaluator,
                expected=", ".join(EVALUATORS),
                source="--evaluator",
            )
        rules = load_convention(convention)
        with Interruptible(), bar(tr(language, "hands")) as progress:
            result = run_calibration(
                number,
                rules,
                evaluator=evaluator,
                deals=sampled,
                others=others,
                seed=start,
                workers=count,
                coverage=covered,
                long=times,
                progress=progress,
            )
        with drawing(picture) as draw:
            draw(lambda: plot_calibration(result, language))
            _write(csv, result.to_frame)
            if json_:
                print_json(result.to_json())
            else:
                print_calibration(result, language)
        if not result.complete:
            raise KeyboardInterrupt


def _workers(given: str | None) -> int:
    return cpu_count() or 1 if given is None else whole_option("--workers", given, 1, MAX_WORKERS)


def _checked(plot: str | None, csv: str | None) -> Path | None:
    """Whether both files can be written, before the long work."""
    if csv is not None and not Path(csv).absolute().parent.is_dir():
        raise InputError(
            "found '{found}', expected {expected}",
            found=csv,
            expected="a file in a folder that exists",
            source="--csv",
        )
    if plot is None:
        return None
    from advisor.show.plots import checked_path

    return checked_path(Path(plot))


def _write(path: str | None, frame: Callable[[], pd.DataFrame]) -> None:
    if path is not None:
        from advisor.show.arena import write_frame

        write_frame(frame(), Path(path))
