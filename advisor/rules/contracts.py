"""What can be played: a game on tricks, misère, all-pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

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


# Words of strains, compared in lower case by their beginnings (rules.md 8 and 2.1).
STRAIN_WORDS: tuple[tuple[str, Strain], ...] = (
    ("♠", Strain.S), ("♤", Strain.S), ("♣", Strain.C), ("♧", Strain.C),
    ("♦", Strain.D), ("♢", Strain.D), ("♥", Strain.H), ("♡", Strain.H),
    ("пик", Strain.S), ("вин", Strain.S), ("первы", Strain.S), ("spade", Strain.S),
    ("треф", Strain.C), ("крест", Strain.C), ("вторы", Strain.C), ("club", Strain.C),
    ("буб", Strain.D), ("третьи", Strain.D), ("diamond", Strain.D),
    ("черв", Strain.H), ("четв", Strain.H), ("heart", Strain.H),
    ("без", Strain.NT), ("бескоз", Strain.NT), ("бк", Strain.NT), ("б/к", Strain.NT),
    ("notrump", Strain.NT), ("no-trump", Strain.NT), ("nt", Strain.NT), ("n", Strain.NT),
    ("п", Strain.S), ("т", Strain.C), ("б", Strain.D), ("ч", Strain.H),
    ("s", Strain.S), ("c", Strain.C), ("с", Strain.C), ("d", Strain.D), ("h", Strain.H),
)
_SINGLE = {"п", "т", "б", "ч", "s", "c", "с", "d", "h", "n", "nt", "бк", "б/к",
           *"♠♤♣♧♦♢♥♡"}
LEVEL_WORDS = {"шест": 6, "сем": 7, "восем": 8, "девят": 9, "десят": 10,
               "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def strain_from_word(word: str) -> Strain | None:
    """The strain a word names, ``None`` where it names none.

    >>> strain_from_word("треф"), strain_from_word("БК"), strain_from_word("тузов")
    (<Strain.C: 1>, <Strain.NT: 4>, None)
    """
    word = word.lower().replace("\ufe0f", "").replace("\ufe0e", "")
    for beginning, strain in STRAIN_WORDS:
        if word == beginning or (beginning not in _SINGLE and word.startswith(beginning)):
            return strain
    return None


_GAME = re.compile(r"(10|[6-9])\s*(\S.*)", re.DOTALL)


def parse_contract(text: str) -> Contract:
    """Read a contract: ``7H``, ``10NT``, ``семь треф``, ``6♠``, ``мизер``, ``all-pass``.

    Raises
    ------
    InputError
    """
    word = " ".join(text.lower().split())
    if word.startswith(("mis", "миз")):
        return MISERE
    if word.startswith(("all", "расп", "rasp")):
        return ALL_PASS
    level, rest = split_level(word)
    strain = strain_from_word(rest.strip()) if rest else None
    if level is None or strain is None:
        raise InputError(
            "'{found}' is not a contract; expected 6S .. 10NT, misere or all-pass", found=text,
            column=1,
        )
    return Contract.game(level, strain)


def split_level(word: str) -> tuple[int | None, str]:
    """Separate a game's level from what follows.

    >>> split_level("7h"), split_level("семь треф"), split_level("треф")
    ((7, 'h'), (7, 'треф'), (None, 'треф'))
    """
    if match := _GAME.match(word):
        return int(match[1]), match[2]
    head, _, rest = word.partition(" ")
    for beginning, level in LEVEL_WORDS.items():
        if head.startswith(beginning):
            return level, rest
    return None, word
