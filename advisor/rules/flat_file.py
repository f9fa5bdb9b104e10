"""Small flat TOML files, read with the place of what cannot be used."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from advisor.errors import InputError

_MAX_BYTES = 20_000
# What the TOML parser takes long or gives up on; a convention is flat and its numbers are small.
_QUIET = re.compile(
    r"""\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:[^"\\\n]|\\[^\n])*+"?|'[^'\n]*'?|#[^\n]*""",
    re.DOTALL)
_LONG_NUMBER = re.compile(r"(?<!\w)[0-9]\w{29}")
_LONG_KEY = re.compile(r"(?:\.[ \t]*[\w-]+[ \t]*){5}")
_MAX_NESTING = 4


def place_of(text: str, key: str) -> tuple[int | None, int]:
    """Line and column of a key, which the TOML parser does not keep."""
    pattern = re.compile(rf"""\s*["'\[]*{re.escape(key)}\b""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number, line.index(key) + 1
    return None, 1


def parse_flat(text: str, source: str) -> dict[str, Any]:
    """The keys and values of a flat TOML text.

    Raises
    ------
    InputError
        No TOML, or more than a flat file with small numbers needs; with line and column.
    """
    _check_flat(text, source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        line, column = (place[1], place[2]) if place and place[1] else (text.count("\n") + 1, None)
        raise InputError("this is not TOML: {reason}",
                         reason=str(error)[: place.start()] if place else str(error),
                         source=source, line=int(line), column=int(column) if column else None,
                         ) from None


def _check_flat(text: str, source: str) -> None:
    """Refuse what no convention needs and the parser would take long to read or fail on."""
    bare = _QUIET.sub(_blank, text)
    if match := _LONG_NUMBER.search(bare):
        raise _placed(InputError("found a number of more than {limit} digits, expected a small one",
                                 limit=29), text, match.start(), source)
    if match := _LONG_KEY.search(bare):
        raise _placed(InputError("found a key of more than {limit} parts, expected one word",
                                 limit=5), text, match.start(), source)
    depth = 0
    for match in re.finditer(r"[][{}]", bare):
        depth = depth + 1 if match[0] in "[{" else max(0, depth - 1)
        if depth > _MAX_NESTING:
            raise _placed(InputError("found brackets more than {limit} deep, expected at most a "
                                     "list", limit=_MAX_NESTING), text, match.start(), source)


def _blank(match: re.Match[str]) -> str:
    """Strings and comments without what stands in them, as long as they were."""
    return re.sub(r"[^\n]", " " if match[0][0] == "#" else "_", match[0])


def _placed(error: InputError, text: str, offset: int, source: str) -> InputError:
    before = text[:offset]
    return error.at(source, before.count("\n") + 1, offset - before.rfind("\n"))


def read_flat(path: Path) -> str:
    """The text of a small UTF-8 file.

    Raises
    ------
    InputError
        It cannot be read, is no UTF-8, or larger than a convention can be.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise InputError("the file is larger than {limit} bytes; expected a convention",
                             limit=_MAX_BYTES, source=str(path))
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError("there is no such file", source=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a directory; expected a file", source=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", source=str(path)) from None
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError("the file cannot be read: {reason}", reason=reason,
                         source=str(path)) from None
