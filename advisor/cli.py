"""The commands: ``advise`` for the one job, ``advisor`` for all of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from advisor.errors import InputError
from advisor.interrupt import (
    EXIT_INTERRUPTED,
    Interruptible,
    ignore_from_now,
    is_interrupt,
    say,
)
from advisor.language import LANGUAGES, Lang, default_lang, explain, tr
from advisor.show.terminal import complain, drop_output, prepare_streams, print_json

if TYPE_CHECKING:
    from advisor.advice.results import Advice
    from advisor.records.hand import HandRecord

MAX_DEALS = 2_000_000
MAX_LISTED = 10_000
MAX_FIT = 100_000_000
MAX_WORKERS = 1_000
MAX_SEED = 2**63 - 1
EXIT_NOT_WRITTEN = 1
EXIT_BAD_INPUT = 2

app = typer.Typer(name="advisor", no_args_is_help=True, rich_markup_mode=None,
                  pretty_exceptions_enable=False,
                  help="Preferans bidding advisor: what is a call worth?",
                  epilog="Example: advisor advise hand.txt")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"preferans-advisor {_installed_version()}")
        raise typer.Exit


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("preferans-advisor")
    except PackageNotFoundError:
        return "(run from its source, not installed)"


@contextmanager
def _reporting(option: str | None) -> Iterator[Lang]:
    """Turn what a user can cause into one line and an exit code; gives the report's language."""
    lang = default_lang()
    try:
        lang = _language(option)
        say(tr(lang, "stopped"))
        yield lang
        sys.stdout.flush()
    except InputError as error:
        complain(explain(error, lang), lang)
        raise typer.Exit(EXIT_BAD_INPUT) from None
    except (KeyboardInterrupt, RuntimeError, ImportError) as error:
        if not is_interrupt(error):
            raise
        complain(tr(lang, "stopped"), lang)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    except MemoryError:
        complain(tr(lang, "not enough memory; try fewer --deals"), lang)
        raise typer.Exit(EXIT_BAD_INPUT) from None
    except BrokenPipeError:
        drop_output()
        raise typer.Exit from None
    except OSError as error:
        if error.filename is not None:
            raise
        drop_output()
        complain(f"<stdout>: {tr(lang, error.strerror or str(error))}", lang)
        raise typer.Exit(EXIT_NOT_WRITTEN) from None


def _language(option: str | None) -> Lang:
    if option is None:
        return default_lang()
    for lang in LANGUAGES:
        if option.lower() == lang:
            return lang
    raise InputError("found '{found}', expected {expected}", found=option,
                     expected=", ".join(LANGUAGES), source="--lang")


def _whole(option: str, text: str, low: int, high: int) -> int:
    """The value of an option as a whole number from `low` to `high`."""
    from advisor.records.fields import whole

    number = whole(text, low, high)
    if number is None:
        raise InputError("found '{found}', expected a whole number from {low} to {high}",
                         found=text, low=low, high=high, source=option)
    return number


Files = Annotated[list[str] | None, typer.Argument(
    metavar="[HAND.txt ...]", help="Hand files; - reads standard input.", show_default=False)]
LangOption = Annotated[str | None, typer.Option(
    "--lang", metavar="en|ru", help="Language of the report; by default the terminal's.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Seed = Annotated[str, typer.Option("--seed", metavar="K", help="Same seed, same answer.")]
Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                       help="Show the version and exit.")]


@app.callback()
def _root(version: Version = False) -> None:
    """Preferans bidding advisor: what is a call worth?"""


@app.command(name="advise", epilog='Example: advise --hand "♠AKQ9 ♣A8 ♦K107 ♥8" --seat 2 '
                                   '--auction pass')
def advise_command(
    files: Files = None,
    hand: Annotated[str | None, typer.Option(
        help="Ten cards (twelve with the talon); overrides the file.")] = None,
    seat: Annotated[str | None, typer.Option(
        help="1, 2 or 3: first, second, third hand.")] = None,
    auction: Annotated[str | None, typer.Option(
        help="Calls so far, in order from first hand.")] = None,
    talon: Annotated[str | None, typer.Option(help="The two cards of the talon taken.")] = None,
    convention: Annotated[str | None, typer.Option(
        help="sochi, leningrad, rostov, classic, zhuk, seed004, or a FILE.toml.")] = None,
    players: Annotated[str | None, typer.Option(help="3 or 4 at the table.")] = None,
    all_passes: Annotated[str | None, typer.Option(
        help="All-pass deals already played in a row.")] = None,
    evaluator: Annotated[str, typer.Option(
        help="guide: the printed trick guide; fitted: tables fitted to solved deals; exact: the "
             "sampled deals solved with open cards.")] = "guide",
    deals: Annotated[str | None, typer.Option(
        metavar="N", show_default=False,
        help=f"Deals to sample, 1 to {MAX_DEALS}; by default 20000, "
             "some hundreds to solve.")] = None,
    seed: Seed = "1",
    lang: LangOption = None,
    json_: Json = False,
    everything: Annotated[bool, typer.Option("--all", help="Show every option.")] = False,
    plot: Annotated[str | None, typer.Option(
        metavar="FILE.png|.svg|.pdf", help="Draw the expected scores.")] = None,
    version: Version = False,
) -> None:
    """What should I bid, or declare and discard? Expected scores with their errors."""
    overrides = {key: value for key, value in {
        "hand": hand, "seat": seat, "auction": auction, "talon": talon, "convention": convention,
        "players": players, "all-passes": all_passes}.items() if value is not None}
    with _reporting(lang) as language:
        number = None if deals is None else _whole("--deals", deals, 1, MAX_DEALS)
        start = _whole("--seed", seed, 0, MAX_SEED)
        picture = None if plot is None else Path(plot)
        _check_request(files, hand, picture, evaluator)
        sources: list[str | None] = [*files] if files else [None]
        records = [_record(source, overrides) for source in sources]
        found = _advices(records, number, start, evaluator, language)
        advices: list[Advice] = []
        with Interruptible(), _drawing(picture, language) as draw:
            try:
                for advice in found:
                    advices.append(advice)
                    draw(advice)
                    if not json_:
                        _show(advice, language, everything, first=len(advices) == 1)
                    if not advice.complete:
                        raise KeyboardInterrupt
            finally:
                _conclude(advices, len(records), language, json_)


def _check_request(
    files: list[str] | None, hand: str | None, plot: Path | None, evaluator: str
) -> None:
    from advisor.advice.decide import EVALUATORS

    if not files and hand is None:
        raise InputError("nothing to advise on: give a hand file, - for standard input, or --hand")
    if files and files.count("-") > 1:
        raise InputError("standard input can be read only once")
    if evaluator not in EVALUATORS:
        raise InputError("'{found}' is not an evaluator; expected {expected}", found=evaluator,
                         expected=", ".join(EVALUATORS), source="--evaluator")
    if plot is not None:
        from advisor.show.plots import checked_path

        if files and len(files) > 1:
            raise InputError("a picture shows one hand; give one file", source="--plot")
        checked_path(plot)


def _record(source: str | None, overrides: dict[str, str]) -> HandRecord:
    from advisor.records.hand import parse_hand, read_hand

    return parse_hand("", None, overrides) if source is None else read_hand(source, overrides)


def _advices(
    records: list[HandRecord], deals: int | None, seed: int, evaluator: str, lang: Lang
) -> Iterator[Advice]:
    """Evaluate one hand after another, with a bar on a terminal where it takes long."""
    from advisor.advice.decide import advise

    if not sys.stderr.isatty() or (len(records) == 1 and evaluator == "guide"):
        for record in records:
            yield advise(record, deals=deals, seed=seed, evaluator=evaluator)
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
            advice = advise(record, deals=deals, seed=seed, evaluator=evaluator, progress=report)
            bar.update(task, completed=number + 1)
        yield advice


def _show(advice: Advice, lang: Lang, everything: bool, *, first: bool) -> None:
    from advisor.show.report import print_advice

    if not first:
        sys.stdout.write("\n")
    print_advice(advice, lang, everything=everything)


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


@contextmanager
def _drawing(path: Path | None, lang: Lang) -> Iterator[Callable[[Advice], None]]:
    """What draws a hand, before it is printed, for the reader may go away.

    That a picture cannot be written is told behind the report, whatever becomes of that.
    """
    faults: list[InputError] = []

    def draw(advice: Advice) -> None:
        if path is None or not advice.complete:
            return
        from advisor.show.plots import plot_ev, save

        try:
            save(plot_ev(advice, lang), path)
        except InputError as error:
            faults.append(error)

    try:
        yield draw
    except OSError:
        if not faults:
            raise
        drop_output()
    if faults:
        raise faults[0]


@app.command(epilog="Example: advisor score result.txt --json")
def score(
    file: Annotated[str, typer.Argument(help="Result file; - reads standard input.")],
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """What one played deal writes: pool, mountain, whists, and its net value."""
    with _reporting(lang) as language:
        from advisor.records.result import read_result
        from advisor.rules.scoring import entries_json, net
        from advisor.rules.scoring import score as score_deal

        result, convention = read_result(file)
        entries = score_deal(result, convention)
        nets = net(entries, convention, result.players)
        if json_:
            print_json(entries_json(entries, nets))
            return
        from advisor.show.sheets import print_entries

        print_entries(result, convention, entries, nets, language)


@app.command(epilog="Example: advisor settle sheet.txt --lang ru")
def settle(
    file: Annotated[str, typer.Argument(help="Sheet file; - reads standard input.")],
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Settle a score sheet (расчёт пули): what everyone wins or loses, in whists."""
    with _reporting(lang) as language:
        from advisor.records.sheet import read_sheet
        from advisor.rules.settlement import settlement_json

        sheet = read_sheet(file)
        if json_:
            print_json(settlement_json(sheet))
            return
        from advisor.show.sheets import print_settlement

        print_settlement(sheet, language)


@app.command(epilog="Example: advisor guide AQJxx")
def guide(
    holding: Annotated[str | None, typer.Argument(
        help="One suit, such as AQJxx or ТДВхх; x is a card below the jack.")] = None,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """The trick guide: the printed row, the value used, and why."""
    with _reporting(lang) as language:
        from advisor.show.guide import guide_json, holding_json, print_guide, print_holding

        if json_:
            print_json(guide_json() if holding is None else holding_json(holding))
        elif holding is None:
            print_guide(language)
        else:
            print_holding(holding, language)


@app.command(name="deals", epilog="Example: advisor deals hand.txt -n 10")
def deals_command(
    file: Annotated[str, typer.Argument(help="Hand file; - reads standard input.")],
    n: Annotated[str, typer.Option(
        "-n", metavar="N", help=f"Deals to show, 1 to {MAX_LISTED}.")] = "10",
    seed: Seed = "1",
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Sampled deals of the unseen cards, weighted by the bidding heard."""
    with _reporting(lang) as language:
        number = _whole("-n", n, 1, MAX_LISTED)
        start = _whole("--seed", seed, 0, MAX_SEED)
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


@app.command(name="fit-tables", epilog="Example: advisor fit-tables --deals 1000000")
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
    with _reporting(lang) as language:
        number = _whole("--deals", deals, 1, MAX_FIT)
        start = _whole("--seed", seed, 0, MAX_SEED // 2)
        count = _cpus() if workers is None else _whole("--workers", workers, 1, MAX_WORKERS)
        from advisor.fitting.command import fit_tables
        from advisor.fitting.report import report as measure
        from advisor.paths import data_path
        from advisor.show.fitting import bar, fit_json, print_fit

        with Interruptible(), bar(language) as progress:
            if report is not None:
                text = measure(number, start, count, Path(work), scheduler=scheduler,
                               progress=progress)
                Path(report).write_text(text, encoding="utf-8")
                return
            found, paths = fit_tables(
                number, start, count, data_path("tables") if out is None else Path(out),
                Path(work), scheduler=scheduler, progress=progress)
        if json_:
            print_json(fit_json(found, paths))
        else:
            print_fit(found, paths, language)


@app.command(epilog="Example: advisor misere hand.txt --plot misere.png")
def misere(
    file: Annotated[str, typer.Argument(help="Hand file; - reads standard input.")],
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
    with _reporting(lang) as language:
        number = None if deals is None else _whole("--deals", deals, 1, MAX_DEALS)
        start = _whole("--seed", seed, 0, MAX_SEED)
        picture = None if plot is None else Path(plot)
        if picture is not None:
            from advisor.show.plots import checked_path

            checked_path(picture)
        from advisor.advice.misere import study_misere
        from advisor.records.hand import read_hand
        from advisor.show.misere import plot_misere, print_misere

        report = study_misere(read_hand(file), deals=number, seed=start)
        if json_:
            print_json(report.to_json())
        else:
            print_misere(report, language)
        if picture is not None:
            from advisor.show.plots import save

            save(plot_misere(report, language), picture)


@app.command(name="misere-holes", epilog="Example: advisor misere-holes --out holes.csv")
def misere_holes(
    out: Annotated[str, typer.Option(metavar="FILE.csv", help="Where to write the table.")],
    deals: Annotated[str | None, typer.Option(
        metavar="N", show_default=False,
        help="Layouts to draw for each line; by default all 184756.")] = None,
    shape: Annotated[list[str] | None, typer.Option(
        help="even, one long, one void or two voids; may be repeated; by default all.")] = None,
    hidden: Annotated[bool, typer.Option(
        help="Look at the hidden discard too.")] = True,
    seed: Seed = "1",
    lang: LangOption = None,
) -> None:
    """Measure every printed misère hole; the whole table takes a quarter of an hour or more."""
    with _reporting(lang):
        from datetime import date

        from advisor.advice.hole_table import SHAPES, hole_table, provenance, write_table

        number = None if deals is None else _whole("--deals", deals, 1, MAX_DEALS)
        start = _whole("--seed", seed, 0, MAX_SEED)
        for name in shape or ():
            if name not in SHAPES:
                raise InputError("{key}: found {found}, expected {expected}", key="--shape",
                                 found=name, expected=", ".join(SHAPES))
        path = Path(out)
        if not path.parent.is_dir():
            raise InputError("{key}: found {found}, expected {expected}", key="--out", found=out,
                             expected="a file in a folder that exists")

        def report(done: int, total: int) -> None:
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{done}/{total}" + ("\n" if done == total else ""))

        lines = list(hole_table(shapes=shape or tuple(SHAPES), deals=number, seed=start,
                                hidden=hidden, progress=report))
        write_table(path, lines, provenance(number, start, date.today().isoformat()))


def _cpus() -> int:
    from os import cpu_count

    return cpu_count() or 1


@app.command(epilog="Example: advisor solve data/deals/example.txt --contract 6S --declarer 1 "
                    "--line")
def solve(
    file: Annotated[str, typer.Argument(help="Deal file; - reads standard input.")],
    contract: Annotated[str | None, typer.Option(
        help="6S .. 10NT, misere or all-pass; overrides the file.")] = None,
    declarer: Annotated[str | None, typer.Option(
        help="1, 2 or 3: first, second, third hand; overrides the file.")] = None,
    leader: Annotated[str | None, typer.Option(
        help="The seat that leads, 1, 2 or 3; by default the first hand.")] = None,
    line: Annotated[bool, typer.Option("--line", help="Show an optimal line of play.")] = False,
    table: Annotated[bool, typer.Option(
        "--table", help="All games, even if the file names a contract.")] = False,
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Open cards and perfect play: who takes how many tricks, and by which leads."""
    overrides = {key: value for key, value in {
        "contract": contract, "declarer": declarer, "leader": leader}.items() if value is not None}
    with _reporting(lang) as language:
        from advisor.records.deal import read_deal
        from advisor.show import solve as show
        from advisor.tricks.deal_table import SEATS, solve_record, solve_table

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
        declarers = SEATS if declarer is None or record.declarer is None else (record.declarer,)
        leaders = SEATS if leader is None or record.leader is None else (record.leader,)
        cells = solve_table(record.hands, declarers, leaders)
        if json_:
            print_json(show.cells_json(record, cells))
        else:
            show.print_cells(record, cells, language)


def main() -> NoReturn:
    """Run ``advisor`` and exit."""
    sys.exit(_guarded(app))


def advise_main() -> NoReturn:
    """Run ``advise``, the one job under its own name, and exit."""
    one = typer.Typer(name="advise", rich_markup_mode=None, pretty_exceptions_enable=False)
    one.command(epilog='Example: advise --hand "♠AKQ9 ♣A8 ♦K107 ♥8" --seat 2 --auction pass')(
        advise_command)
    sys.exit(_guarded(one))


def _guarded(command: Callable[..., object]) -> int:
    """Run a command line, help and version included, to its exit code."""
    prepare_streams()
    code: object = None
    try:
        with _reporting(None):
            code = command(standalone_mode=False)
    except typer.Exit as end:
        code = end.exit_code
    except _USAGE_ERROR as error:
        code = _complain_of_usage(error)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        drop_output()
    ignore_from_now()
    return code if isinstance(code, int) else 0


# Typer gives no name to the base of what it raises for a command line that cannot be read.
_USAGE_ERROR: type[Exception] = next(
    one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException")


def _complain_of_usage(error: Any) -> int:
    text = io.StringIO()
    try:
        error.show(text)
    except OSError:  # help for want of arguments goes to standard error whatever is asked
        drop_output(sys.stderr)
    for line in text.getvalue().removesuffix("\n").split("\n"):
        if text.getvalue():
            complain(line, "en")
    return int(error.exit_code)
