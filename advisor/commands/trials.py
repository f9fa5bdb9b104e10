"""Putting the advice to the test: a tournament, and predictions against what happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    Json,
    LangOption,
    Seed,
    check_evaluator,
    drawing,
    keep_apart,
    path_option,
    reporting,
    whole_option,
    workers_option,
)
from advisor.interrupt import Interruptible
from advisor.language import Lang, tr
from advisor.show.terminal import bar, print_json
from advisor.writing import check_file, whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.trials.calibrated import CalibrationResult
    from advisor.trials.results import ArenaResult

T = TypeVar("T", "ArenaResult", "CalibrationResult")
MAX_TRIALS = 1_000_000
MAX_LONG = 10_000
ConventionOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.toml",
        help="sochi, leningrad, rostov, classic, zhuk, seed004, or a FILE.toml.",
    ),
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
        count = workers_option(workers)
        picture = _checked(plot, csv)
        from advisor.rules.conventions import load_convention
        from advisor.show.arena import plot_arena, print_arena
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
        _conclude(result, language, json_, csv, picture, plot_arena, print_arena)


def calibrate(
    hands: Annotated[
        str, typer.Option(metavar="N", help="Hands whose first call is a bid.")
    ] = "200",
    evaluator: Annotated[
        str, typer.Option(metavar="NAME", help="Whose predictions to test, as in advise.")
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
        str, typer.Option(
            metavar="NAME", help="How the other two bid: model, rule, or an evaluator.")
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
        count = workers_option(workers)
        picture = _checked(plot, csv)
        check_evaluator(evaluator)
        from advisor.rules.conventions import load_convention
        from advisor.show.calibration import plot_calibration, print_calibration
        from advisor.trials.calibration import run_calibration

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
        _conclude(result, language, json_, csv, picture, plot_calibration, print_calibration)


def _checked(plot: str | None, csv: str | None) -> Path | None:
    """Whether both files can be written, before the long work."""
    if csv is not None:
        check_file(path_option("--csv", csv))
    if plot is None:
        return None
    from advisor.show.charts.canvas import checked_path

    picture = checked_path(path_option("--plot", plot))
    keep_apart([], picture, csv)
    return picture


def _conclude(
    result: T, lang: Lang, json_: bool, csv: str | None, picture: Path | None,
    plot: Callable[[T, Lang], Axes], show: Callable[[T, Lang], None],
) -> None:
    """Write and print what was found; an interruption ends as one after that."""
    with drawing(picture) as draw:
        draw(lambda: plot(result, lang))
        if csv is not None:
            with whole_file(Path(csv)) as part:
                result.to_frame().to_csv(part, index=False)
        if json_:
            print_json(result.to_json())
        else:
            show(result, lang)
    if not result.complete:
        raise KeyboardInterrupt
