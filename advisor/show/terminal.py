"""The edge to the outside: output streams, whatever they can show and however they end."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from typing import Any

from advisor.language import Lang, printable


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
    """One line on standard error."""
    sys.stderr.write(printable(text, sys.stderr.encoding, lang) + "\n")


def print_json(value: Any) -> None:
    """A value as JSON on standard output, in ASCII where the encoding would lose a character."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if printable(text, sys.stdout.encoding) != text:
        text = json.dumps(value, indent=2)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def drop_output() -> None:
    """Send what is still buffered for an output that takes no more to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
