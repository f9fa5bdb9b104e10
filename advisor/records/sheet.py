"""Score sheets (пуля) to settle, in ``key: value`` lines, English or Russian.

::

    players: Anna, Boris, Vera    # or игроки; two to four names, without colons
    convention: leningrad         # or конвенция; Sochi if left out
    target: 20                    # or размер; one player's pool, optional, changes no net
    pool: 20 12 6                 # or пуля; in the order of the players
    mountain: 8 14 26             # or гора
    Anna on Boris: 40             # whists Anna has written on Boris; or: Анна на Бориса, with both
    Boris on Anna: 72             # names spelt exactly as in `players`, so here "Анна на Борис"

Instead of one ``pool`` line each player may have his own: ``Anna pool: 20``, ``Анна гора: 8``.
What is left out is 0. Amounts are whole numbers, decimals (``12.5``) or fractions (``25/2``); only
a mountain may be negative. An open pulka, whose pools have not reached the target, settles too.
"""

from __future__ import annotations

import os
import re
from fractions import Fraction

from advisor.errors import InputError
from advisor.records.fields import Field, put, read_text, split_field, split_lines
from advisor.records.result import parse_convention
from advisor.rules.settlement import Amount, Sheet

_KEYS = {
    "players": "players", "игроки": "players",
    "convention": "convention", "конвенция": "convention", "соглашение": "convention",
    "target": "target", "размер": "target", "размер пули": "target", "цель": "target",
    "pool": "pool", "пуля": "pool", "пулька": "pool",
    "mountain": "mountain", "гора": "mountain",
}
_COLUMNS = {spelling: key for spelling, key in _KEYS.items() if key in ("pool", "mountain")}
_ON = re.compile(r"\s(?:on|на)\s")
_AMOUNT = re.compile(r"(-?)([0-9]{1,7})(?:[.,]([0-9]{1,4})|/([1-9][0-9]{0,3}))?")
_Cells = dict[tuple[str, ...], Field]


def read_sheet(path: str | os.PathLike[str]) -> Sheet:
    """Read a sheet file, or standard input for ``-``; see `parse_sheet`."""
    text, source = read_text(path)
    return parse_sheet(text, source)


def parse_sheet(text: str, source: str | None = None) -> Sheet:
    """Read a sheet's text.

    Raises
    ------
    InputError
        With line and column: unknown key or player, bad or missing amount, whists on oneself.

    Examples
    --------
    >>> parse_sheet("players: Ann, Bob, Cy\\npool: 3 0 0\\nBob on Ann: 8").whists
    {(1, 0): 8}
    """
    fields: dict[str, Field] = {}
    others: list[Field] = []
    for number, line in split_lines(text):
        field = split_field(line, number, source)
        if field is None:
            raise InputError("found '{found}', expected 'key: value'", found=line.strip(),
                             source=source, line=number, column=len(line) - len(line.lstrip()) + 1)
        if field.key in _KEYS:
            put(fields, field, _KEYS)
        else:
            others.append(field)
    if "players" not in fields:
        raise InputError("the players are missing; expected a line 'players: Anna, Boris, Vera'",
                         source=source)
    players = _parse_players(fields["players"])
    cells = _cells(others, players)
    return Sheet(
        players=players,
        pool=_column("pool", fields, cells, players),
        mountain=_column("mountain", fields, cells, players),
        whists=_whists(cells, players),
        convention=parse_convention(fields.get("convention")),
        target=fields["target"].integer(1, 1000) if "target" in fields else None,
    )


def _parse_players(field: Field) -> tuple[str, ...]:
    separator = r"[^,;]+" if re.search(r"[,;]", field.value) else r"\S+"
    names: list[str] = []
    for part in re.finditer(separator, field.value):
        name = " ".join(part[0].split())
        column = part.start() + 1 + len(part[0]) - len(part[0].lstrip())
        if not name:
            continue
        if ":" in name or _ON.search(f" {name.lower()} "):
            raise field.error("'{found}' cannot be a player's name: the word 'on' or a colon in it "
                              "would be misread", column, found=name)
        if name.lower() in (known.lower() for known in names):
            raise field.error("the player '{found}' stands twice", column, found=name)
        names.append(name)
    if not 2 <= len(names) <= 4:
        raise field.error("found {found} players, expected two to four names with commas between",
                          found=len(names))
    return tuple(names)


def _cells(others: list[Field], players: tuple[str, ...]) -> _Cells:
    """Lines about single players: ``("pool", name)`` and ``("whists", writer, on whom)``."""
    by_name = {name.lower(): name for name in players}
    cells: _Cells = {}
    for field in others:
        key = _whist_key(field, by_name) or _column_key(field, by_name)
        if key in cells:
            raise InputError("the key '{key}' stands twice, first in line {first}", key=field.key,
                             first=cells[key].line, source=field.source, line=field.line,
                             column=field.key_column)
        if not field.value:
            raise field.error("the key '{key}' has no value", key=field.key)
        cells[key] = field
    return cells


def _whist_key(field: Field, by_name: dict[str, str]) -> tuple[str, ...] | None:
    link = _ON.search(field.key)
    if link is None:
        return None
    writer = _player(field, field.key[: link.start()], by_name, 0)
    on = _player(field, field.key[link.end():], by_name, link.end())
    if writer == on:
        raise InputError("{player} cannot write whists on himself", player=writer,
                         source=field.source, line=field.line, column=field.key_column)
    return "whists", writer, on


def _column_key(field: Field, by_name: dict[str, str]) -> tuple[str, ...]:
    name, _, last = field.key.rpartition(" ")
    if name and last in _COLUMNS:
        return _COLUMNS[last], _player(field, name, by_name, 0)
    raise InputError(
        "'{found}' is not a key; expected {expected}, 'NAME on NAME', 'NAME pool' or "
        "'NAME mountain'",
        found=field.key, expected=", ".join(dict.fromkeys(_KEYS.values())),
        source=field.source, line=field.line, column=field.key_column,
    )


def _player(field: Field, name: str, by_name: dict[str, str], offset: int) -> str:
    player = by_name.get(name)
    if player is None:
        raise InputError("'{found}' is not a player; expected one of: {expected}",
                         found=name, expected=", ".join(by_name.values()),
                         source=field.source, line=field.line, column=field.key_column + offset)
    return player


def _column(
    key: str, fields: dict[str, Field], cells: _Cells, players: tuple[str, ...]
) -> tuple[Amount, ...]:
    """Pool or mountain of all players, from one line or from their own lines."""
    own = {name: cells[key, name] for name in players if (key, name) in cells}
    negative = key == "mountain"
    if key not in fields:
        return tuple(_amount(own[name], own[name].value, 0, negative) if name in own else 0
                     for name in players)
    field = fields[key]
    if own:
        one = next(iter(own.values()))
        raise InputError("'{key}' stands in line {line_of_all} for all players already",
                         key=one.key, line_of_all=field.line, source=one.source, line=one.line,
                         column=one.key_column)
    return parse_amounts(field, len(players), negative=negative)


def parse_amounts(field: Field, count: int, *, negative: bool = False) -> tuple[Amount, ...]:
    """So many amounts in one line, one for each player; below 0 where `negative` ones may be."""
    parts = list(re.finditer(r"[^,;]+" if re.search(r"[,;]", field.value) else r"\S+", field.value))
    if len(parts) != count:
        raise field.error("found {found} numbers, expected {expected}, one for each player; a half "
                          "is written 12.5", found=len(parts), expected=count)
    return tuple(_amount(field, part[0], part.start(), negative) for part in parts)


def _whists(cells: _Cells, players: tuple[str, ...]) -> dict[tuple[int, int], Amount]:
    return {
        (players.index(key[1]), players.index(key[2])): _amount(field, field.value, 0, False)
        for key, field in cells.items()
        if key[0] == "whists"
    }


def _amount(field: Field, text: str, start: int, negative: bool) -> Amount:
    column = start + 1 + len(text) - len(text.lstrip())
    text = text.strip().replace("−", "-")
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise field.error("'{found}' is not an amount; expected a number such as 24 or 12.5",
                          column, found=text)
    if match[1] and not negative:
        raise field.error("found {found}, expected 0 or more", column, found=text)
    decimals = match[3] or ""
    amount = Fraction(int(match[2] + decimals), 10 ** len(decimals) * int(match[4] or 1))
    amount = -amount if match[1] else amount
    return amount.numerator if amount.denominator == 1 else amount
