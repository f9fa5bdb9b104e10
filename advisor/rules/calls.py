"""One word of the auction: pass, hold, a game, misère; reading and printing it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from advisor.cards import Strain
from advisor.errors import InputError
from advisor.rules.contracts import (
    LEVELS,
    LOOK_ALIKES,
    game_label,
    read_level,
    read_strain,
    words_of,
)


class CallKind(Enum):
    """Pass (пас), hold (здесь, мои), a game on tricks, misère (мизер)."""

    PASS = "pass"
    HOLD = "hold"
    GAME = "game"
    MISERE = "misere"


@dataclass(frozen=True, slots=True)
class Call:
    """One call; `level` and `strain` belong to games only.

    `with_talon` is false for the calls made without the talon (без прикупа).

    >>> str(Call.game(9, Strain.S, with_talon=False)), str(MISERE_CALL), Call.game(6, 1).label()
    ('9S-without', 'misere', '6♣')
    """

    kind: CallKind
    level: int = 0
    strain: Strain = Strain.NT
    with_talon: bool = True

    @classmethod
    def game(cls, level: int, strain: int, with_talon: bool = True) -> Call:
        """A game on `level` (6..10) tricks in `strain` (0..4)."""
        if level not in LEVELS:
            raise ValueError(f"level {level}: expected 6..10")
        return cls(CallKind.GAME, level, Strain(strain), with_talon)

    @property
    def is_game(self) -> bool:
        """Whether it names a number of tricks."""
        return self.kind is CallKind.GAME

    @property
    def is_misere(self) -> bool:
        """Whether it is misère, with the talon or without."""
        return self.kind is CallKind.MISERE

    @property
    def rank(self) -> int:
        """Place of a game among the 25 of the trick-game ladder, 0..24 (rules.md 2.2)."""
        return 5 * (self.level - LEVELS[0]) + self.strain

    def __str__(self) -> str:
        word = f"{self.level}{self.strain.name}" if self.is_game else self.kind.value
        return word if self.with_talon else word + "-without"

    def label(self, lang: str = "en", symbols: bool = True) -> str:
        """How a report shows it: ``6♠``, ``пас``, ``здесь``, ``9♠ без прикупа``."""
        word = game_label(self.level, self.strain, lang, symbols=symbols) if self.is_game \
            else _LABELS[lang][self.kind]
        return word if self.with_talon else f"{word} {_WITHOUT_LABELS[lang]}"


_LABELS = {
    "en": {CallKind.PASS: "pass", CallKind.HOLD: "hold", CallKind.MISERE: "misère"},
    "ru": {CallKind.PASS: "пас", CallKind.HOLD: "здесь", CallKind.MISERE: "мизер"},
}
_WITHOUT_LABELS = {"en": "without talon", "ru": "без прикупа"}

PASS = Call(CallKind.PASS)
HOLD = Call(CallKind.HOLD)
MISERE_CALL = Call(CallKind.MISERE)
MISERE_WITHOUT = Call(CallKind.MISERE, with_talon=False)


def format_calls(calls: Iterable[Call]) -> str:
    """A list of calls in the notation of files, runs of games drawn together.

    >>> format_calls([PASS, *(Call.game(10, strain) for strain in Strain), MISERE_CALL])
    'pass, 10S .. 10NT, misere'
    """
    given = list(calls)
    parts = [str(call) for call in (PASS, HOLD) if call in given]
    for with_talon in (True, False):
        games = sorted((c for c in given if c.is_game and c.with_talon is with_talon),
                       key=lambda call: call.rank)
        parts += _runs(games)
        parts += [str(c) for c in given if c.is_misere and c.with_talon is with_talon]
    return ", ".join(parts)


def _runs(games: list[Call]) -> Iterator[str]:
    start = 0
    for i, game in enumerate(games):
        if i + 1 < len(games) and games[i + 1].rank == game.rank + 1:
            continue
        first, joint = games[start], " .. " if i - start > 1 else ", "
        yield str(game) if i == start else f"{first}{joint}{game}"
        start = i + 1


_PASS_WORDS = ("pass", "p", "пас", "пасс", "пасую")
_HOLD_WORDS = ("hold", "здесь", "мои", "держу")
_MISERE_WORDS = ("misere", "miser", "мизер", "мизера", "упал", "упала")
_WORDS = dict.fromkeys(_PASS_WORDS, PASS) | dict.fromkeys(_HOLD_WORDS, HOLD) \
    | dict.fromkeys(_MISERE_WORDS, MISERE_CALL)
_COUNTS = {"раз": Strain.S, "два": Strain.C, "три": Strain.D, "четыре": Strain.H}
_LETTERS = set("птбчscсdhn")
_WITHOUT_WORDS = {"without", "w/o", "б/п", "безприкупа", "бесприкупа"}
_CHUNK = re.compile(r"[^\s,;|]+")

Word = tuple[str, int]


def parse_auction(text: str) -> tuple[tuple[Call, int], ...]:
    """Read calls, each with the column (from 1) where it begins.

    Spaces, commas, semicolons, full stops, ``/``, ``|`` and dashes separate calls; case is free.
    A game is a level and a strain (``6S``, ``6♠``, ``6п``, ``6 БК``, ``семь треф``, ``шесть
    первых``) or, at six, a nickname (``раз``, ``два``, ``пика``, ``бескозырка``). ``without`` or
    ``без прикупа`` behind a game or misère marks a call without the talon; a level with these
    words but no strain (``9 без прикупа``) is read as its lowest strain, spades. An empty text
    holds no calls. Whether the calls are legal is for `advisor.rules.auction` to say.

    Raises
    ------
    InputError
        With the column, what was found and what was expected.

    Notes
    -----
    Source: rules.md 1.1, 8.

    >>> [str(call) for call, _ in parse_auction("раз пас, 6♦ / здесь - девять пик без прикупа")]
    ['6S', 'pass', '6D', 'hold', '9S-without']
    """
    words = words_of(text)
    calls: list[tuple[Call, int]] = []
    i = 0
    while i < len(words):
        call, after = _read_call(words, i, text)
        calls.append((call, words[i][1]))
        i = after
    return tuple(calls)


def parse_call(text: str) -> Call:
    """Read exactly one call, in the notation of `parse_auction`.

    Raises
    ------
    InputError
    """
    calls = parse_auction(text)
    if len(calls) != 1:
        raise InputError("found {count} calls in '{found}', expected one", count=len(calls),
                         found=text, column=calls[1][1] if calls else 1)
    return calls[0][0]


def _word(words: list[Word], i: int) -> str:
    return words[i][0] if i < len(words) else ""


def _read_call(words: list[Word], i: int, text: str) -> tuple[Call, int]:
    """The call that begins at word `i`, and the number of the word behind it."""
    word = words[i][0]
    call = _WORDS.get(word)
    if call is not None:
        after = _without(words, i + 1) if call.is_misere else i + 1
        return (MISERE_WITHOUT, after) if call.is_misere and after > i + 1 else (call, after)
    level = read_level(word)
    strain, behind = _strain(words, i + 1) if level else _nickname(words, i)
    after = _without(words, behind)
    if level and strain is None and after > behind:
        strain = Strain.S
    if strain is None:
        raise _not_a_call(words, i, text, level)
    return Call.game(level or LEVELS[0], strain, with_talon=after == behind), after


def _strain(words: list[Word], i: int) -> tuple[Strain | None, int]:
    """The strain named at word `i`, and the number of the word behind it."""
    if _without(words, i) > i:
        return None, i
    strain, taken = read_strain(_word(words, i), _word(words, i + 1))
    return strain, i + taken


def _nickname(words: list[Word], i: int) -> tuple[Strain | None, int]:
    """The strain of a six called by its nickname alone (rules.md 1.1)."""
    word = _word(words, i)
    if word in _LETTERS or word in LOOK_ALIKES:
        return None, i
    return (_COUNTS[word], i + 1) if word in _COUNTS else _strain(words, i)


def _without(words: list[Word], i: int) -> int:
    """Number of the word behind "without talon" at word `i`; `i` itself where it is not said."""
    word, following = _word(words, i), _word(words, i + 1)
    if word == "без" and following.startswith("прикуп"):
        return i + 2
    if word in _WITHOUT_WORDS:
        return i + 2 if following == "talon" else i + 1
    return i


def _not_a_call(words: list[Word], i: int, text: str, level: int | None) -> InputError:
    word, column = words[i]
    chunk = _CHUNK.match(text, column - 1)
    found = chunk[0] if chunk else word
    if level:
        return InputError(
            "no strain behind the level in '{found}'; expected S C D H NT, П Т Б Ч БК or a "
            "symbol, as in 6S or 6♠", found=found, column=column)
    if word == "п":
        return InputError("'{found}' may be a pass or spades here; write пас or 6п", found=found,
                          column=column)
    return InputError("'{found}' is not a call; expected pass, hold, 6S .. 10NT, misere, or "
                      "9S-without for a call without the talon", found=found, column=column)
