"""English and Russian: message templates and their translations, and terminals that know neither.

Every text is written in English where it is used; ``data/lang/ru.toml`` holds the Russian of it.
A text that is not there is shown in English.

Of a message's parameters only those the program worded itself are translated: calls and contracts,
``card`` and ``legal`` (file notation), names ending in ``holding`` (the guide's patterns), and an
``expected`` or ``reason`` that stands in the catalogue as a whole and is more than one word (a
single word may be an option, to be written just so). What quotes the user stays as he wrote it.
"""

from __future__ import annotations

import codecs
import os
import re
import tomllib
import unicodedata
from functools import cache
from typing import Literal, cast

from advisor.errors import InputError
from advisor.paths import data_path

Lang = Literal["en", "ru"]
LANGUAGES: tuple[Lang, ...] = ("en", "ru")

# What to print where the terminal's encoding lacks a character.
_PLAIN = {
    "♠": "S", "♣": "C", "♦": "D", "♥": "H", "▶": ">", "±": "+-", "−": "-", "—": "-", "–": "-",
    "·": "|", "…": "...", "è": "e", "é": "e", "«": '"', "»": '"', "×": "x", "≥": ">=", "≤": "<=",
    "\u202f": " ", "\u00a0": " ", "№": "No", "≈": "~", "√": "sqrt", "█": "#",
}
_PLAIN_RU = {"♠": "П", "♣": "Т", "♦": "Б", "♥": "Ч"}
_LATIN = dict(zip("абвгдезийклмнопрстуфхыэ", "abvgdezijklmnoprstufhye", strict=True)) | {
    "ё": "jo", "ж": "zh", "ц": "c", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "",
    "ю": "ju", "я": "ja"}


# Controls, direction marks and other invisible formatting, line separators, lone surrogates.
_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")

# Cards, games and words of calls in the notation of files.
_CODE = re.compile(r"\b(?:(?P<suit>[SCDH])(?P<rank>10|[7-9JQKA])"
                   r"|(?P<level>10|[6-9])(?P<strain>NT|[SCDH])|pass|hold|misere|none)\b|-without\b")
_SYMBOLS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥", "NT": "БК"}
_RANKS = str.maketrans("AKQJx", "ТКДВх")


@cache
def _catalogue(lang: Lang) -> dict[str, str]:
    if lang == "en":
        return {}
    text = data_path(f"lang/{lang}.toml").read_text(encoding="utf-8")
    return cast(dict[str, str], tomllib.loads(text))


def tr(lang: Lang, template: str, /, **params: object) -> str:
    """A text in a language, its ``{name}`` places filled.

    >>> tr("en", "{n} deals", n=3), tr("ru", "talon"), tr("ru", "not translated at all")
    ('3 deals', 'прикуп', 'not translated at all')
    """
    text = _catalogue(lang).get(template, template)
    if lang == "ru":
        params = {name: _param_ru(name, value) for name, value in params.items()}
    return text.format(**params) if params else text


def explain(error: InputError, lang: Lang) -> str:
    """An input error in a language, with its place.

    >>> explain(InputError("the card {card} stands twice", card="CA", source="x.txt", line=3), "ru")
    'x.txt:3: карта ♣Т указана дважды'
    """
    if lang == "en":
        return str(error)
    return _place(error, lang) + tr(lang, error.template, **error.params)


def _place(error: InputError, lang: Lang) -> str:
    if error.line is not None or error.column is None:
        return error.where
    parts = (error.source, tr(lang, "column {n}", n=error.column))
    return "".join(f"{part}: " for part in parts if part)


def _param_ru(name: str, value: object) -> object:
    """A parameter in Russian, where its wording is the program's own."""
    label = getattr(value, "label", None)
    if callable(label):
        return label("ru")
    if not isinstance(value, str):
        return value
    if name in ("card", "legal"):
        return _CODE.sub(_code_ru, value)
    if name.endswith("holding"):
        return value.translate(_RANKS)
    if name in ("expected", "reason") and " " in value:
        return _catalogue("ru").get(value, value)
    return value


def _code_ru(match: re.Match[str]) -> str:
    suit, rank, level, strain = match.group("suit", "rank", "level", "strain")
    if suit:
        return _SYMBOLS[suit] + rank.translate(_RANKS)
    if level:
        return level + _SYMBOLS[strain]
    return _catalogue("ru").get(match[0], match[0])


def default_lang() -> Lang:
    """The language of the environment: ``ADVISOR_LANG``, else the locale; English by default."""
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "").lower()
        if value:
            return "ru" if value.startswith("ru") else "en"
    return "en"


_chosen: list[Lang] = []


def speak(lang: Lang | None) -> None:
    """What the user asked to be told in, for those whom nobody can hand it; ``None`` to forget."""
    _chosen[:] = [] if lang is None else [lang]


def spoken() -> Lang:
    """The language chosen with `speak`, else that of the environment."""
    return _chosen[0] if _chosen else default_lang()


def visible(text: str) -> str:
    r"""Text that comes from outside, in one line that does nothing to a terminal.

    >>> print(visible("red: \x1b[31m, right to left: \u202e, пас"))
    red: \x1b[31m, right to left: \u202e, пас
    """
    if text.isprintable():
        return text
    return "".join(char.encode("unicode_escape").decode("ascii")
                   if unicodedata.category(char) in _INVISIBLE else char for char in text)


def printable(text: str, encoding: str | None, lang: Lang = "en") -> str:
    """Text as an output of this encoding can show it: suits as letters, Cyrillic as Latin.

    An encoding that Python does not know counts as ASCII.

    >>> printable("♠A ±1 пас", "ascii"), printable("♠Т", "cp1251", "ru")
    ('SA +-1 pas', 'ПТ')
    """
    encoding = _known(encoding)
    if _fits(text, encoding):
        return text
    return "".join(char if _fits(char, encoding) else _substitute(char, encoding, lang)
                   for char in text)


def _substitute(char: str, encoding: str, lang: Lang) -> str:
    if lang == "ru":
        char = _PLAIN_RU.get(char, char)
        if _fits(char, encoding):
            return char
    latin = _LATIN.get(char.lower())
    if latin is not None:
        return latin.capitalize() if char.isupper() else latin
    return _PLAIN.get(char, "?")


def _known(encoding: str | None) -> str:
    try:
        return codecs.lookup(encoding or "ascii").name
    except (LookupError, ValueError):
        return "ascii"


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
