"""The trick guide, sampled deals, and fitting the tables and the bidder."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.commands.console import (
    MAX_SEED,
    Json,
    LangOption,
    Seed,
    path_option,
    refuse_both,
    reporting,
    whole_option,
    workers_option,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import tr
from advisor.show.terminal import bar, print_json

MAX_LISTED = 10_000
MAX_FIT = 100_000_000
MAX_PLAYED = 1_000_000


def guide(
    holding: Annotated[str | None, typer.Argument(
        metavar="[HOLDING]",
        help="One suit, such as AQJxx or ТДВхх; x is a card below the jack.")] = None,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """The trick guide: the printed row, the value used, and why."""
    with reporting(lang) as language:
        from advisor.show.guide import guide_json, holding_json, print_guide, print_holding

        if json_:
            print_json(guide_json() if holding is None else holding_json(holding))
        elif holding is None:
            print_guide(language)
        else:
            print_holding(holding, language)


def deals_command(
    file: Annotated[str, typer.Argument(
        metavar="HAND.txt", help="Hand file; - reads standard input.")],
    n: Annotated[str, typer.Option(
        "-n", metavar="N", help=f"Deals to show, 1 to {MAX_LISTED}.")] = "10",
    seed: Seed = "1",
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Sampled deals of the unseen cards, weighted by the bidding heard."""
    with reporting(lang) as language:
        number = whole_option("-n", n, 1, MAX_LISTED)
        start = whole_option("--seed", seed, 0, MAX_SEED)
        import numpy as np

        from advisor.advice.decide import list_deals
        from advisor.records.hand import read_hand
        from advisor.show.deals import deals_json, print_deals

        record = read_hand(file)
        listed = list_deals(record, number, np.random.default_rng(start))
        if json_:
            print_json(deals_json(record, listed, start))
        else:
            print_deals(record, listed, start, language)


def fit_tables_command(
    deals: Annotated[str, typer.Option(
        metavar="N", help=f"Deals to solve, 1 to {MAX_FIT}.")] = "1000000",
    seed: Seed = "1",
    workers: Annotated[str | None, typer.Option(
        metavar="W", help="Processes; by default one a processor.", show_default=False)] = None,
    out: Annotated[str | None, typer.Option(
        metavar="DIR", help="Folder of the tables; by default that of the package.")] = None,
    work: Annotated[str, typer.Option(
        metavar="DIR", help="Folder of the solved deals, kept for the next run.")] = "fit-tables",
    scheduler: Annotated[str | None, typer.Option(
        metavar="ADDRESS", help="Solve on a dask cluster, such as tcp://host:8786.")] = None,
    report: Annotated[str | None, typer.Option(
        metavar="FILE.md", help="Measure the package's tables on fresh deals instead.")] = None,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Fit the tables of --evaluator fitted to solved deals; goes on where it was stopped."""
    with reporting(lang) as language:
        number = whole_option("--deals", deals, 1, MAX_FIT)
        start = whole_option("--seed", seed, 0, MAX_SEED // 2)
        count = workers_option(workers)
        refuse_both("--workers", workers, "--scheduler", scheduler)
        refuse_both("--report", report, "--out", out)
        refuse_both("--report", report, "--json", json_ or None)
        from advisor.fitting.command import fit_tables
        from advisor.fitting.report import report as measure
        from advisor.paths import data_path
        from advisor.show.fitting import fit_json, print_fit
        from advisor.writing import check_file, whole_file

        store = path_option("--work", work)
        tables = data_path("tables") if out is None else path_option("--out", out)
        target = None if report is None else path_option("--report", report)
        if target is not None:
            check_file(target)
        with Interruptible(), bar(tr(language, "chunks of deals")) as progress:
            if target is not None:
                text = measure(number, start, count, store, scheduler=scheduler, progress=progress)
                with whole_file(target) as part:
                    part.write_text(text, encoding="utf-8")
                return
            found, paths = fit_tables(number, start, count, tables, store, scheduler=scheduler,
                                      progress=progress)
        if json_:
            print_json(fit_json(found, paths))
        else:
            print_fit(found, paths, language)


def fit_bidder_command(
    convention: Annotated[str | None, typer.Option(
        metavar="NAME", help="A shipped convention; all if not given.", show_default=False)] = None,
    deals: Annotated[str, typer.Option(
        metavar="N", help=f"Deals to play, 1 to {MAX_PLAYED}.")] = "40000",
    seed: Seed = "1",
    out: Annotated[str | None, typer.Option(
        "--out", "-o", metavar="DIR",
        help="Folder of the tables; by default that of the package.")] = None,
    work: Annotated[str, typer.Option(
        metavar="DIR", help="Folder of deals and states, kept for the next run.")] = "fit-bidder",
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Fit the others' bidding by self-play; goes on where it was stopped."""
    with reporting(lang) as language:
        number = whole_option("--deals", deals, 1, MAX_PLAYED)
        start = whole_option("--seed", seed, 0, MAX_SEED // 2)
        from advisor.rules.conventions import convention_names, load_convention

        chosen = [load_convention(name) for name in (
            convention_names() if convention is None else [convention])]
        if chosen[0].name not in convention_names():
            raise InputError("'{found}' is not a shipped convention; expected one of: {expected}",
                             found=convention, expected=", ".join(convention_names()),
                             source="--convention")
        from advisor.fitting.bidder_command import fit_bidder
        from advisor.paths import data_path
        from advisor.show.fitting import bidder_json, print_bidder
        from advisor.writing import check_folder

        tables = data_path("bidding") if out is None else path_option("--out", out)
        store = path_option("--work", work)
        check_folder(tables)
        check_folder(store)
        with Interruptible(), bar(tr(language, "deals and steps of self-play")) as progress:
            found = fit_bidder(chosen, number, start, tables, store, progress=progress)
        if json_:
            print_json(bidder_json(found))
        else:
            print_bidder(found, language)
