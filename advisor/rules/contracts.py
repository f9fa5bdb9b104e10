"""What can be played: a game on tricks, misère, all-pass."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from advisor.cards import Strain
from advisor.errors import InputError

LEVELS = range(6, 11)


class Kind(Enum):
    """Game on tricks (игра на взятки), misère (мизер), all-pass (распасы)."""

    GAME = "game"
    MISERE = "misere"
    ALL_PASS = "all-pass"


@dataclass(frozen=True, slots=True)
class Contract:
    """One contract; `level` and `strain` belong to games only.

    >>> str(Contract.game(7, Strain.H)), str(MISERE), Contract.game(10, Strain.NT).label()
    ('7H', 'misere', '10NT')
    """

    kind: Kind
    level: int = 0
    strain: Strain = Strain.NT

    @classmethod
    def game(cls, level: int, strain: int) -> Contract:
        """A game on `level` (6..10) tricks in `strain` (0..4)."""
        if level not in LEVELS:
            raise ValueError(f"level {level}: expected 6..10")
        return cls(Kind.GAME, level, Strain(strain))

    @property
    def is_game(self) -> bool:
        """Whether it is a game on tricks."""
        return self.kind is Kind.GAME

    def __str__(self) -> str:
        return f"{self.level}{self.strain.name}" if self.is_game else self.kind.value

    def label(self, lang: str = "en", *, symbols: bool = True) -> str:
        """How a report shows it: ``7♥``, ``7 БК``, ``мизер``."""
        return game_label(self.level, self.strain, lang, symbols=symbols) if self.is_game \
            else KIND_LABELS[lang][self.kind]


KIND_LABELS = {
    "en": {Kind.MISERE: "misère", Kind.ALL_PASS: "all-pass"},
    "ru": {Kind.MISERE: "мизер", Kind.ALL_PASS: "распасы"},
}
MISERE = Contract(Kind.MISERE)
ALL_PASS = Contract(Kind.ALL_PASS)


def game_label(level: int, strain: int, lang: str = "en", *, symbols: bool = True) -> str:
    """A level and a strain in the words of a language.

    >>> game_label(6, 1), game_label(8, 4, "ru"), game_label(6, 1, "ru", symbols=False)
    ('6♣', '8БК', '6Т')
    """
    if strain == Strain.NT:
        return f"{level}БК" if lang == "ru" else f"{level}NT"
    if symbols:
        return f"{level}{'♠♣♦♥'[strain]}"
    return f"{level}{('ПТБЧ' if lang == 'ru' else 'SCDH')[strain]}"


# Words of strains and levels, whole, with their cases (rules.md 8 and 2.1).
_CASE = "(?:ов)?[аеиоуыюяхм]{0,3}"
_STRAINS: tuple[tuple[str, Strain], ...] = (
    (f"[♠♤пs]|пик{_CASE}|вин{_CASE}|первы(?:е|х|м|ми)|spades?", Strain.S),
    (f"[♣♧тcс]|треф{_CASE}|крест{_CASE}|вторы(?:е|х|м|ми)|clubs?", Strain.C),
    (f"[♦♢бd]|буб(?:е?н)?{_CASE}|третьи(?:х|м|ми)?|diamonds?", Strain.D),
    (f"[♥♡чh]|черв{_CASE}|четверты(?:е|х|м|ми)|hearts?", Strain.H),
    (f"n|nt|бк|б/к|без|бе[сз]козыр(?:к|н|ь)?{_CASE}|no-?trumps?", Strain.NT),
)
_LEVELS = {str(level): level for level in LEVELS} | {
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_LEVEL_STEMS = {"шест": 6, "сем": 7, "восем": 8, "восьм": 8, "девят": 9, "десят": 10}
_LEVEL_CASE = re.compile("ь|и|ью|ер(?:ная|нои|ную|ною|ные|ных|ик|ика|ку|ка|ки)")
# One alphabet's letter for its look-alike in the other: no suit but this one can be meant.
LOOK_ALIKES = {"t": "т", "н": "h", "nт": "nt", "бk": "бк"}
_MISERE_WORDS = {"misere", "мизер", "mizer"}
_ALL_PASS_WORDS = {"all-pass", "allpass", "all pass", "распасы", "распас", "raspasy"}
_WORD = re.compile(r"б/к|б/п|w/o|10|[6-9]|\d+|[^\s\d,;./|\-–—]+", re.IGNORECASE)
_UNSEEN = ("Mn", "Cf")


def plain(word: str) -> str:
    """A word in lower case, without accents, variation selectors and invisible characters."""
    glyphs = unicodedata.normalize("NFD", word.casefold())
    return "".join(glyph for glyph in glyphs if unicodedata.category(glyph) not in _UNSEEN)


def words_of(text: str) -> list[tuple[str, int]]:
    """Words as `plain` ones with their columns; a level is a word of its own: ``7H`` are two."""
    return [(word, match.start() + 1) for match in _WORD.finditer(text)
            if (word := plain(match[0]))]


@lru_cache(maxsize=256)
def strain_from_word(word: str) -> Strain | None:
    """The strain a word names, ``None`` where it names none.

    >>> strain_from_word("треф"), strain_from_word("БК"), strain_from_word("тузов")
    (<Strain.C: 1>, <Strain.NT: 4>, None)
    """
    word = plain(word)
    word = LOOK_ALIKES.get(word, word)
    return next((strain for words, strain in _STRAINS if re.fullmatch(words, word)), None)


def read_strain(word: str, following: str) -> tuple[Strain | None, int]:
    """The strain named by one or two plain words, and how many of them it takes.

    >>> read_strain("пик", "без"), read_strain("без", "козыря"), read_strain("туз", "")
    ((<Strain.S: 0>, 1), (<Strain.NT: 4>, 2), (None, 0))
    """
    if (word == "без" and following.startswith("козыр")) \
            or (word == "no" and following.startswith("trump")):
        return Strain.NT, 2
    strain = strain_from_word(word)
    return strain, 0 if strain is None else 1


def read_level(word: str) -> int | None:
    """The level a plain word names, in digits or letters.

    >>> read_level("7"), read_level("десять"), read_level("tennis"), read_level("5")
    (7, 10, None, None)
    """
    if word in _LEVELS:
        return _LEVELS[word]
    return next((level for stem, level in _LEVEL_STEMS.items() if word.startswith(stem)
                 and _LEVEL_CASE.fullmatch(word, len(stem))), None)


def parse_contract(text: str) -> Contract:
    """Read a contract: ``7H``, ``10NT``, ``семь треф``, ``6♠``, ``мизер``, ``all-pass``.

    A game is a level and a strain and nothing else, in the words of
    `advisor.rules.calls.parse_call`.

    Raises
    ------
    InputError
    """
    whole = " ".join(plain(text).split())
    if whole in _MISERE_WORDS:
        return MISERE
    if whole in _ALL_PASS_WORDS:
        return ALL_PASS
    words = [word for word, _ in words_of(text)]
    level = read_level(words[0]) if words else None
    strain, taken = read_strain(*(*words[1:3], "", "")[:2])
    if level is None or strain is None or len(words) != 1 + taken:
        raise InputError(
            "'{found}' is not a contract; expected 6S .. 10NT, misere or all-pass", found=text,
            column=1,
        )
    return Contract.game(level, strain)
