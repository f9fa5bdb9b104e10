"""Result files: how one deal was played, in ``key: value`` lines, English or Russian.

::

    convention: sochi       # or конвенция; a name or a path ending in .toml, Sochi if left out
    players: 3              # or игроков; 3 (if left out) or 4
    contract: 7H            # or контракт; 6S .. 10NT, misere, all-pass
    declarer: 1             # or играющий; seat; absent for all-pass
    whist: pass whist       # or вист; the two defenders, clockwise from the declarer
    tricks: 7 2 1           # or взятки; seats 1 2 3, and the dealer's in a four-handed all-pass
    talon: SA CK            # or прикуп; optional, for the talon bonus
    all-pass-number: 1      # or номер распасов; first, second, third ... in a row
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from advisor.cards import parse_cards
from advisor.errors import InputError
from advisor.records.fields import Field, read_fields, read_text, whole
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import Convention, load_convention
from advisor.rules.deal import TRICKS, DealResult, Reply, problems

_KEYS = {
    "convention": "convention", "конвенция": "convention", "соглашение": "convention",
    "players": "players", "игроков": "players", "игроки": "players",
    "contract": "contract", "контракт": "contract", "игра": "contract",
    "declarer": "declarer", "играющий": "declarer", "разыгрывающий": "declarer",
    "whist": "whist", "вист": "whist", "висты": "whist", "вистующие": "whist",
    "tricks": "tricks", "взятки": "tricks", "взяток": "tricks",
    "talon": "talon", "прикуп": "talon",
    "all-pass-number": "all-pass-number", "all-pass number": "all-pass-number",
    "all pass number": "all-pass-number", "номер распасов": "all-pass-number",
    "номер-распасов": "all-pass-number",
}
_REPLIES = {
    "whist": Reply.WHIST, "w": Reply.WHIST, "вист": Reply.WHIST, "в": Reply.WHIST,
    "pass": Reply.PASS, "p": Reply.PASS, "пас": Reply.PASS, "п": Reply.PASS, "пасс": Reply.PASS,
    "half": Reply.HALF, "1/2": Reply.HALF, "½": Reply.HALF, "полвиста": Reply.HALF,
    "half-whist": Reply.HALF, "пол-виста": Reply.HALF,
}
_SEATS = {"1": 0, "first": 0, "первая": 0, "первый": 0,
          "2": 1, "second": 1, "вторая": 1, "второй": 1,
          "3": 2, "third": 2, "третья": 2, "третий": 2}
_FIELD_KEYS = {"replies": "whist", "all_pass_number": "all-pass-number"}
_WORD = re.compile(r"[^\s,;]+")


def read_result(path: str | os.PathLike[str]) -> tuple[DealResult, Convention]:
    """Read a result file, or standard input for ``-``; see `parse_result`."""
    text, source = read_text(path)
    return parse_result(text, source)


def parse_result(text: str, source: str | None = None) -> tuple[DealResult, Convention]:
    """Read a result file's text.

    Parameters
    ----------
    text : str
        See the module's description.
    source : str, optional
        File name, for errors and for a convention's path relative to it.

    Raises
    ------
    InputError
        With line and column: unknown key, bad value, or a result that cannot be so.

    Examples
    --------
    >>> result, convention = parse_result("contract: 7S\\ndeclarer: 2\\nwhist: pass pass")
    >>> str(result.contract), result.declarer, convention.name
    ('7S', 1, 'sochi')
    """
    fields = read_fields(text, source, _KEYS)
    if "contract" not in fields:
        raise InputError("the contract is missing; expected a line 'contract: 7H'", source=source)
    convention = parse_convention(fields.get("convention"))
    result = DealResult(
        contract=fields["contract"].parse(parse_contract),
        declarer=_parse_seat(fields["declarer"]) if "declarer" in fields else None,
        replies=_parse_replies(fields["whist"]) if "whist" in fields else None,
        tricks=_parse_tricks(fields["tricks"]) if "tricks" in fields else None,
        players=fields["players"].integer(3, 4) if "players" in fields else 3,
        talon=fields["talon"].parse(parse_cards) if "talon" in fields else 0,
        all_pass_number=(fields["all-pass-number"].integer(1, 99)
                         if "all-pass-number" in fields else 1),
    )
    for name, error in problems(result, convention):
        field = fields.get(_FIELD_KEYS.get(name, name), fields["contract"])
        raise error.at(field.source, field.line, field.column)
    return result, convention


def parse_convention(field: Field | None) -> Convention:
    """The convention a file names, Sochi where it names none; paths start from the file."""
    if field is None:
        return load_convention("sochi")
    base = Path(field.source).parent if field.source else None
    return field.parse(lambda value: load_convention(value, base))


def _parse_seat(field: Field) -> int:
    seat = _SEATS.get(field.value.lower().removesuffix("рука").removesuffix("hand").strip())
    if seat is None:
        raise field.error("found '{found}', expected seat 1, 2 or 3", found=field.value)
    return seat


def parse_reply(field: Field) -> Reply:
    """What one defender said."""
    return _reply(field, field.value, 1)


def _reply(field: Field, word: str, column: int) -> Reply:
    reply = _REPLIES.get(word.lower())
    if reply is None:
        raise field.error("found '{found}', expected whist, pass or half", column, found=word)
    return reply


def _parse_replies(field: Field) -> tuple[Reply, Reply]:
    replies = [_reply(field, word[0], word.start() + 1) for word in _WORD.finditer(field.value)]
    if len(replies) != 2:
        raise field.error("found {found} replies, expected those of the two defenders, clockwise "
                          "from the declarer", found=len(replies))
    return replies[0], replies[1]


def _parse_tricks(field: Field) -> tuple[int, ...]:
    tricks = []
    for word in _WORD.finditer(field.value):
        number = whole(word[0], 0, TRICKS)
        if number is None:
            raise field.error("found '{found}', expected a number of tricks from 0 to 10",
                              word.start() + 1, found=word[0])
        tricks.append(number)
    return tuple(tricks)
