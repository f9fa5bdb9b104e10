"""JSON files: their values with the path to them, so that what cannot be used is told at its place.

Numbers have to be finite; of a text the length is bounded, so that no reader has to bear it.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, TypeVar

from advisor.errors import InputError
from advisor.records.fields import read_text

MAX_BYTES = 64_000_000
MAX_TEXT = 5_000
MAX_DIGITS = 400
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node:
    """A value somewhere in a JSON file.

    Parameters
    ----------
    value : object
    path : str
        Where it stands: ``options[3].ev``; empty for the whole.
    source : str
        The file's name, for errors.
    """

    value: Any
    path: str
    source: str

    def refuse(self, expected: str) -> NoReturn:
        """Say that something else was expected."""
        raise InputError("{key}: found {found}, expected {expected}", key=self.path or "JSON",
                         found=_shown(self.value), expected=expected, source=self.source)

    def has(self, key: str) -> bool:
        """Whether this is an object with such a key, and not null there."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str) -> Node:
        """The value of a key that has to be there."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        path = f"{self.path}.{key}" if self.path else key
        if key not in self.value:
            raise InputError("'{key}' is missing", key=path, source=self.source)
        return Node(self.value[key], path, self.source)

    def maybe(self, key: str, read: Callable[[Node], T]) -> T | None:
        """What `read` makes of the value of a key that has to be there; ``None`` of null."""
        node = self.at(key)
        return None if node.value is None else read(node)

    def items(self) -> Iterator[Node]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        for number, item in enumerate(self.value):
            yield Node(item, f"{self.path}[{number}]", self.source)

    def pairs(self) -> Iterator[tuple[str, Node]]:
        """The keys of an object with their values, in the order of the file."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        for key in self.value:
            yield key, self.at(key)

    def text(self) -> str:
        """A text of at most `MAX_TEXT` characters."""
        if not isinstance(self.value, str):
            self.refuse("a text")
        if len(self.value) > MAX_TEXT:
            raise InputError("{key}: found {found} characters, expected at most {limit}",
                             key=self.path, found=len(self.value), limit=MAX_TEXT,
                             source=self.source)
        return self.value

    def number(self) -> float:
        """A finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse("a number")
        try:
            number = float(self.value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.refuse("a number")
        return number

    def within(self, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        number = self.number()
        if not low <= number <= high:
            raise InputError("{key}: found {found}, expected a number from {low} to {high}",
                             key=self.path, found=_shown(self.value), low=f"{low:g}",
                             high=f"{high:g}", source=self.source)
        return number

    def share(self) -> float:
        """A number from 0 to 1, give or take the last digit of a sum."""
        number = self.number()
        if not -1e-9 <= number <= 1 + 1e-9:
            self.refuse("a share from 0 to 1")
        return number

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        if type(self.value) is not int or not low <= self.value <= high:
            raise InputError("{key}: found {found}, expected a whole number from {low} to {high}",
                             key=self.path, found=_shown(self.value), low=low, high=high,
                             source=self.source)
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def one_of(self, allowed: dict[str, T]) -> T:
        """What one of some words stands for."""
        word = self.text()
        if word not in allowed:
            raise InputError("{key}: found {found}, expected one of: {expected}", key=self.path,
                             found=_shown(word), expected=", ".join(allowed), source=self.source)
        return allowed[word]

    def parse(self, parser: Callable[[str], T]) -> T:
        """Apply a parser of plain text; its errors come back with this file and path."""
        text = self.text()
        with self.placed():
            return parser(text)

    def placed(self) -> _Placed:
        """Within it, errors that know no place get this one."""
        return _Placed(self)


@dataclass(frozen=True, slots=True)
class _Placed:
    node: Node

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and error.source is None:
            raise error.at(f"{self.node.source}: {self.node.path}") from None


def read_json(path: str | os.PathLike[str]) -> Node:
    """Read a JSON file, or standard input for ``-``.

    Raises
    ------
    InputError
        It cannot be read, or is no JSON: with line and column.
    """
    text, source = read_text(path, MAX_BYTES, "JSON")
    return parse_json(text, source)


def parse_json(text: str, source: str = "<text>") -> Node:
    """Read the text of a JSON file; see `read_json`."""
    try:
        value = json.loads(
            text, parse_constant=partial(_refuse_constant, source),
            parse_int=partial(_short_int, source),
            object_pairs_hook=partial(_without_doubles, source))
        return Node(value, "", source)
    except json.JSONDecodeError as error:
        raise InputError("this is not JSON: {reason}", reason=error.msg, source=source,
                         line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InputError("this is not JSON: {reason}", reason="nested too deep",
                         source=source) from None


def _refuse_constant(source: str, word: str) -> NoReturn:
    raise InputError("this is not JSON: '{found}' is not a number", found=word,
                     source=source)


def _short_int(source: str, digits: str) -> int:
    """A whole number, unless it has more digits than anything a report shows."""
    if len(digits) > MAX_DIGITS:
        raise InputError("found a number of {found} digits, expected at most {limit}",
                         found=len(digits), limit=MAX_DIGITS, source=source)
    return int(digits)


def _without_doubles(source: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError("'{key}' stands twice", key=next(k for k in keys if keys.count(k) > 1),
                         source=source)
    return found


def _shown(value: object) -> str:
    """A value as JSON writes it, or what kind of value it is where that may be long."""
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**30:
        return "..."
    return json.dumps(value, ensure_ascii=False)
