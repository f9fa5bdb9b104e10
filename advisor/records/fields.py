"""Files of ``key: value`` lines: bytes to placed text, before any meaning."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from advisor.errors import InputError

MAX_BYTES = 1_000_000
MAX_VALUE = 1_000
_MAX_DIGITS = 20
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Field:
    """One value with its place: `column` is where the value begins, `key_column` the key.

    A value of several lines holds them from its second on with everything to their left.

    Raises
    ------
    InputError
        A value of more than `MAX_VALUE` characters, which no reader has to bear.
    """

    key: str
    value: str
    source: str | None = None
    line: int | None = None
    column: int = 1
    key_column: int = 1

    def __post_init__(self) -> None:
        if len(self.value) > MAX_VALUE:
            raise self.error("found {found} characters, expected at most {limit}",
                             found=len(self.value), limit=MAX_VALUE)

    def error(self, template: str, column: int | None = None, **params: Any) -> InputError:
        """An error at the value, or `column` characters (from 1) into it."""
        return self._place(InputError(template, column=column, **params))

    def _place(self, error: InputError) -> InputError:
        """The error of a parser of plain text, at its place in the file."""
        before = self.value[: (error.column or 1) - 1]
        breaks = before.count("\n")
        if not breaks or self.line is None or error.source is not None:
            return error.at(self.source, self.line, self.column)
        return InputError(error.template, source=self.source, line=self.line + breaks,
                          column=len(before) - before.rfind("\n"), **error.params)

    def parse(self, parser: Callable[[str], T]) -> T:
        """Apply a parser of plain text; its errors come back with this field's place."""
        try:
            return parser(self.value)
        except InputError as error:
            raise self._place(error) from None

    def integer(self, low: int, high: int) -> int:
        """The value as a whole number from `low` to `high`; an option's own name is its place."""
        number = whole(self.value, low, high)
        if number is None:
            raise self.error("found '{found}', expected a whole number from {low} to {high}"
                             if (self.source or "").lstrip("-") == self.key else
                             "{key}: found '{found}', expected a whole number from {low} to {high}",
                             key=self.key, found=self.value, low=low, high=high)
        return number


def whole(text: str, low: int, high: int) -> int | None:
    """A whole number from `low` to `high` in the digits 0 to 9; ``None`` for all else.

    >>> whole("07", 0, 10), whole("11", 0, 10), whole("٣", 0, 10)
    (7, None, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        return None
    return int(text) if low <= int(text) <= high else None


def read_text(
    path: str | os.PathLike[str], limit: int = MAX_BYTES, expected: str = "a few lines of text"
) -> tuple[str, str]:
    """Read a text file, or standard input for ``-``; UTF-8 (with or without BOM) or CP1251.

    Parameters
    ----------
    path : path
    limit : int
        The most bytes.
    expected : str
        What is read, for the error that there are more.

    Returns
    -------
    text, source : str
        `source` is the name to show in errors.

    Raises
    ------
    InputError
        No name, missing, unreadable, a directory, empty, binary, or too large.
    """
    if not str(path):
        raise InputError("the file name is empty; expected a file, or - for standard input")
    source = "<stdin>" if str(path) == "-" else str(path)
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            if Path(path).is_dir():
                raise InputError("this is a directory; expected a file", source=source)
            with open(path, "rb") as file:
                data = file.read(limit + 1)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("there is no such file", source=source) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError("the file cannot be read: {reason}", reason=reason,
                         source=source) from None
    if len(data) > limit:
        raise InputError("the file is larger than {limit} bytes; expected {expected}",
                         limit=limit, expected=expected, source=source)
    return decode(data, source), source


def decode(data: bytes, source: str) -> str:
    """Bytes of a user's file to text, by byte-order mark, UTF-8, then CP1251."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        if b"\0" in data:
            raise InputError("the file is binary; expected text", source=source)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1251", errors="replace")
    if any(ord(char) < 32 and char not in "\t\r\n\f\v" for char in text):
        raise InputError("the file is binary; expected text", source=source)
    if not text.strip():
        raise InputError("the file is empty", source=source)
    return text


def text_lines(text: str) -> list[str]:
    """Lines of a text, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split_lines(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments, from `first` on; blank ones are left out.

    A ``#`` opens a comment at the beginning of a line or after white space.
    """
    for number, raw in enumerate(text_lines(text), first):
        line = raw
        for i, char in enumerate(raw):
            if char == "#" and (i == 0 or raw[i - 1].isspace()):
                line = raw[:i]
                break
        if line.strip():
            yield number, line.rstrip()


def split_field(line: str, number: int, source: str | None) -> Field | None:
    """Cut one line at its first colon; ``None`` where there is none."""
    head, colon, tail = line.partition(":")
    if not colon:
        return None
    return Field(
        key=" ".join(head.split()).lower(),
        value=tail.strip(),
        source=source,
        line=number,
        column=len(head) + 2 + len(tail) - len(tail.lstrip()),
        key_column=len(head) - len(head.lstrip()) + 1,
    )


def read_fields(text: str, source: str | None, keys: Mapping[str, str]) -> dict[str, Field]:
    """Read ``key: value`` lines.

    Parameters
    ----------
    text : str
    source : str or None
        Name for errors.
    keys : mapping
        Every accepted spelling of a key, lower case, to its English name.

    Returns
    -------
    dict of Field
        By English key.

    Raises
    ------
    InputError
        A line without a colon, an unknown key, a key twice, a key without a value.
    """
    fields: dict[str, Field] = {}
    for number, line in split_lines(text):
        field = split_field(line, number, source)
        if field is None:
            raise InputError("found '{found}', expected 'key: value'", found=line.strip(),
                             source=source, line=number, column=len(line) - len(line.lstrip()) + 1)
        put(fields, field, keys)
    return fields


def put(fields: dict[str, Field], field: Field, keys: Mapping[str, str]) -> None:
    """Add a field under its English key, or say why it cannot be added."""
    key = keys.get(field.key)
    if key is None:
        raise InputError("'{found}' is not a key; expected {expected}", found=field.key,
                         expected=", ".join(dict.fromkeys(keys.values())),
                         source=field.source, line=field.line, column=field.key_column)
    if key in fields:
        raise InputError("the key '{key}' stands twice, first in line {first}", key=field.key,
                         first=fields[key].line, source=field.source, line=field.line,
                         column=field.key_column)
    if not field.value:
        raise field.error("the key '{key}' has no value", key=field.key)
    fields[key] = field
