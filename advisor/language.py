"""English and Russian: message templates and their translations, and terminals that know neither.

Every text is written in English where it is used; ``data/lang/ru.toml`` holds the Russian of it. A text that is
not there is shown in English.
"""

from __future__ import annotations

import os
import tomllib
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
    "\u202f": " ", "\u00a0": " ", "№": "No", "√": "sqrt", "█": "#",
}
_PLAIN_RU = {"♠": "П", "♣": "Т", "♦": "Б", "♥": "Ч"}
_LATIN = dict(zip("абвгдезийклмнопрстуфхыэ", "abvgdezijklmnoprstufhye", strict=True)) | {
    "ё": "jo", "ж": "zh", "ц": "c", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "",
    "ю": "ju", "я": "ja"}


@cache
def _catalogue(lang: Lang) -> dict[str, str]:
    if lang == "en":
        return {}
    text = data_path(f"lang/{lang}.toml").read_text(encoding="utf-8")
    return cast(dict[str, str], tomllib.loads(text))


def tr(lang: Lang, template: str, **params: object) -> str:
    """A text in a language, its ``{name}`` places filled.

    >>> tr("en", "{n} deals", n=3), tr("ru", "seat"), tr("ru", "not translated at all")
    ('3 deals', 'место', 'not translated at all')
    """
    text = _catalogue(lang).get(template, template)
    return text.format(**params) if params else text


def explain(error: InputError, lang: Lang) -> str:
    """An input error in a language, with its place."""
    return error.render(_catalogue(lang).get(error.template))


def default_lang() -> Lang:
    """The language of the environment: ``ADVISOR_LANG``, else the locale; English by default."""
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "").lower()
        if value:
            return "ru" if value.startswith("ru") else "en"
    return "en"


def printable(text: str, encoding: str | None, lang: Lang = "en") -> str:
    """Text that an output of this encoding can show: suits as letters, Cyrillic as Latin if need be.

    >>> printable("♠A ±1 пас", "ascii"), printable("♠Т", "cp1251", "ru")
    ('SA +-1 pas', 'ПТ')
    """
    encoding = encoding or "ascii"
    if _fits(text, encoding):
        return text
    return "".join(char if _fits(char, encoding) else _substitute(char, encoding, lang)
                   for char in text)


def _substitute(char: str, encoding: str, lang: Lang) -> str:
    if lang == "ru" and char in _PLAIN_RU and _fits(_PLAIN_RU[char], encoding):
        return _PLAIN_RU[char]
    latin = _LATIN.get(char.lower())
    if latin is not None:
        return latin.capitalize() if char.isupper() else latin
    return _PLAIN.get(char, "?")


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
