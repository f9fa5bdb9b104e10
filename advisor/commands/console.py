"""What all commands share: options, the report's language, errors as one line, pictures."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.errors import InputError
from advisor.interrupt import EXIT_INTERRUPTED, is_interrupt, say
from advisor.language import LANGUAGES, Lang, default_lang, explain, printable, speak, tr, visible
from advisor.show.terminal import complain, drop_output

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

STARTED = time.perf_counter()
MAX_DEALS = 2_000_000
MAX_SECONDS = 3600
MAX_SEED = 2**63 - 1
MAX_WORKERS = 1_000
STDOUT = "-"  # and standard input
EXIT_NOT_WRITTEN = 1
EXIT_BAD_INPUT = 2


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
def reporting(option: str | None) -> Iterator[Lang]:
    """Turn what a user can cause into one line and an exit code; gives the report's language."""
    lang = default_lang()
    try:
        lang = _language(option)
        speak(lang)
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
    finally:
        speak(None)


def _language(option: str | None) -> Lang:
    if option is None:
        return default_lang()
    for lang in LANGUAGES:
        if option.lower() == lang:
            return lang
    raise InputError("found '{found}', expected {expected}", found=option,
                     expected=", ".join(LANGUAGES), source="--lang")


def whole_option(option: str, text: str, low: int, high: int) -> int:
    """The value of an option as a whole number from `low` to `high`."""
    from advisor.records.fields import whole

    number = whole(text, low, high)
    if number is None:
        raise InputError("found '{found}', expected a whole number from {low} to {high}",
                         found=text, low=low, high=high, source=option)
    return number


def workers_option(text: str | None) -> int:
    """The value of ``--workers``; as many processes as processors where it is not given."""
    return cpu_count() or 1 if text is None else whole_option("--workers", text, 1, MAX_WORKERS)


def seconds_option(option: str, text: str) -> float:
    """The value of an option as a time from 0 to `MAX_SECONDS` seconds."""
    try:
        seconds = float(text.strip().replace(",", "."))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_SECONDS:
        raise InputError("found '{found}', expected a number of seconds from 0 to {high}",
                         found=text, high=MAX_SECONDS, source=option)
    return seconds


def spent() -> float:
    """Seconds since the program started."""
    return time.perf_counter() - STARTED


def check_evaluator(found: str) -> str:
    """The name of an evaluator, if it is one."""
    from advisor.advice.decide import EVALUATORS

    if found not in EVALUATORS:
        raise InputError("'{found}' is not an evaluator; expected {expected}", found=found,
                         expected=", ".join(EVALUATORS), source="--evaluator")
    return found


def path_option(option: str, text: str) -> Path:
    """The value of an option as a path; an empty one would mean the current folder."""
    if not text:
        raise InputError("the file name is empty; expected a file or a folder", source=option)
    return Path(text)


def refuse_both(one: str, first: object, other: str, second: object) -> None:
    """Two options, each with its value or ``None``, of which the one would be ignored."""
    if first is not None and second is not None:
        raise InputError("give {one} or {other}, not both", one=one, other=other)


@contextmanager
def delivering() -> Iterator[Callable[[Callable[[], None]], None]]:
    """What writes files, before the report is printed, for the reader may go away.

    That a file cannot be written is told behind the report, whatever becomes of that.
    """
    faults: list[InputError] = []

    def deliver(write: Callable[[], None]) -> None:
        try:
            write()
        except InputError as error:
            faults.append(error)

    try:
        yield deliver
    except OSError:
        if not faults:
            raise
        drop_output()
    if faults:
        raise faults[0]


@contextmanager
def drawing(path: Path | None) -> Iterator[Callable[[Callable[[], Axes]], None]]:
    """What saves a picture, if there is to be one, as `delivering` does."""
    with delivering() as deliver:

        def draw(plot: Callable[[], Axes]) -> None:
            if path is None:
                return
            from advisor.show.charts.canvas import house_style, save

            with house_style():
                figure = plot()
            deliver(lambda: save(figure, path))

        yield draw


def check_table(csv: str | None) -> None:
    """Whether the table of ``--csv`` can be written, before the long work."""
    if csv not in (None, STDOUT):
        from advisor.writing import check_file

        check_file(path_option("--csv", csv))


def keep_apart(read: Iterable[str], *written: Path | str | None) -> None:
    """Refuse to write over a file that is read, or one result over another."""
    taken = {os.path.realpath(path) for path in read if path != STDOUT}
    for path in written:
        if path is None or str(path) == STDOUT:
            continue
        real = os.path.realpath(path)
        if real in taken:
            raise InputError("this file is read, or written twice; expected another name",
                             source=str(path))
        taken.add(real)


def write_table(frame: pd.DataFrame, csv: str) -> None:
    """A table as CSV to a file, whole or not at all, or to standard output."""
    if csv == STDOUT:
        text = frame.to_csv(index=False, lineterminator="\n")
        shown = "\n".join(visible(line) for line in text.split("\n"))
        sys.stdout.write(printable(shown, sys.stdout.encoding))
        sys.stdout.flush()
        return
    from advisor.writing import whole_file

    with whole_file(Path(csv)) as part:
        frame.to_csv(part, index=False, encoding="utf-8", lineterminator="\n",
                     errors="backslashreplace")


Files = Annotated[list[str] | None, typer.Argument(
    metavar="[HAND.txt ...]", help="Hand files; - reads standard input.", show_default=False)]
LangOption = Annotated[str | None, typer.Option(
    "--lang", metavar="en|ru", help="Language of the report; by default the terminal's.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Seed = Annotated[str, typer.Option("--seed", metavar="K", help="Same seed, same answer.")]
Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                       help="Show the version and exit.")]

