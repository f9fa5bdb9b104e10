"""The edge to the outside: output streams, whatever they can show and however they end."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from advisor.language import Lang, printable, visible


def prepare_streams() -> None:
    """Make streams that exist, and that show letters where their encoding lacks a character."""
    codecs.register_error("letters", _letters)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="letters")


def _letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return printable(error.object[error.start:error.end], error.encoding), error.end


def complain(text: str, lang: Lang) -> None:
    """One line on standard error; where that takes nothing more, the exit code has to tell."""
    try:
        sys.stderr.write(printable(visible(text), sys.stderr.encoding, lang) + "\n")
        sys.stderr.flush()
    except OSError:
        drop_output(sys.stderr)


def print_json(value: Any) -> None:
    """A value as JSON on standard output, in ASCII where the encoding would lose a character."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if printable(text, sys.stdout.encoding) != text:
        text = json.dumps(value, indent=2)
    text = "\n".join(map(_json_visible, text.split("\n")))
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _json_visible(line: str) -> str:
    """A line of JSON that shows its strings' controls, as JSON writes them."""
    if visible(line) == line:
        return line
    return "".join(char if visible(char) == char else json.dumps(char)[1:-1] for char in line)


def drop_output(stream: TextIO | None = None) -> None:
    """Send what is still buffered for an output that takes no more to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


@contextmanager
def bar(what: str, *, transient: bool = False) -> Iterator[Callable[[float, int], None] | None]:
    """A progress bar of `what` is counted on a terminal's standard error; nothing elsewhere.

    Gives what is to be called with (done, total); a `transient` bar goes away at the end.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Left

    shown = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                     Left(elapsed_when_finished=True), console=Console(stderr=True),
                     transient=transient, redirect_stdout=False, redirect_stderr=False)
    task = shown.add_task(what, total=None)
    with shown:
        yield lambda done, total: shown.update(task, completed=done, total=total)
