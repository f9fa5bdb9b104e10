"""Suits, ranks, strains and card sets; reading and printing them, English and Russian.

A card is an int ``8 * suit + rank`` (suits S C D H = 0..3, ranks 7 8 9 10 J Q K A = 0..7) and a
card set is an int mask with one bit a card, so a suit's holding is one byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple

from advisor.errors import InputError


class Suit(IntEnum):
    """Suits in bidding order, low to high (rules.md 1.1)."""

    S = 0
    C = 1
    D = 2
    H = 3

    @property
    def symbol(self) -> str:
        return "♠♣♦♥"[self]


class Strain(IntEnum):
    """Trump suit or no trump (без козыря), in bidding order."""

    S = 0
    C = 1
    D = 2
    H = 3
    NT = 4


class Rank(IntEnum):
    """Ranks, low to high; the order never changes (rules.md 1.1)."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    TEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7


DECK = (1 << 32) - 1
RANKS_EN = ("7", "8", "9", "10", "J", "Q", "K", "A")
RANKS_RU = ("7", "8", "9", "10", "В", "Д", "К", "Т")
SUITS_EN = "SCDH"
SUITS_RU = "ПТБЧ"
_VOID = "-"
_DASHES = "-–—"
_SEPARATORS = " \t,;.|/_"
_SYMBOLS = {glyph: i for i, pair in enumerate(("♠♤", "♣♧", "♦♢", "♥♡")) for glyph in pair}
_INVISIBLE = "\ufe0e\ufe0f\u200b\u200d\u2060\ufeff"

# Glyphs that look alike in the two alphabets, Cyrillic to Latin.
_TO_LATIN = str.maketrans("ТКАВХСН", "TKABXCH")
_TO_CYRILLIC = str.maketrans("TKABXCH", "ТКАВХСН")


class _Alphabet(NamedTuple):
    """How one language writes cards; ``Т`` is both a rank and a suit in the Russian one."""

    name: str
    ranks: dict[str, int]
    suits: dict[str, int]
    expected_ranks: str
    expected_suits: str


_DIGITS = {"7": 0, "8": 1, "9": 2, "10": 3, "X": 3}
# Words of printed deals (rules.md 8); a word counts as one glyph.
_RANK_WORDS = {"ТУЗ": 7, "КОРОЛЬ": 6, "ДАМА": 5, "ВАЛЕТ": 4, "СЕМАК": 0}
_SUIT_WORDS = {word: i for i, words in enumerate((
    "ПИКА ПИКИ ПИК ВИНИ", "ТРЕФА ТРЕФЫ ТРЕФ КРЕСТИ КРЕСТА", "БУБНА БУБНЫ БУБНИ БУБЕЙ БУБЕН",
    "ЧЕРВА ЧЕРВЫ ЧЕРВИ ЧЕРВЕЙ")) for word in words.split()}
_WORD = re.compile(rf"(?:{'|'.join(_RANK_WORDS | _SUIT_WORDS)})(?![^\W\d_])", re.IGNORECASE)
_ENGLISH = _Alphabet(
    "English",
    _DIGITS | {"T": 3, "J": 4, "Q": 5, "K": 6, "A": 7},
    {letter: i for i, letter in enumerate(SUITS_EN)},
    "7 8 9 10 J Q K A",
    "S C D H or ♠ ♣ ♦ ♥",
)
_RUSSIAN = _Alphabet(
    "Russian",
    _DIGITS | {"Х": 3, "В": 4, "Д": 5, "К": 6, "Т": 7} | _RANK_WORDS,
    {letter: i for i, letter in enumerate(SUITS_RU)} | _SUIT_WORDS,
    "7 8 9 10 В Д К Т",
    "П Т Б Ч or ♠ ♣ ♦ ♥",
)
_RUSSIAN_ONLY = set("ДПБЧ") | _RANK_WORDS.keys() | _SUIT_WORDS.keys()
_RUSSIAN_BY_MEANING = set("ВB")
_ENGLISH_ONLY = set("QJSD")
_ENGLISH_BY_MEANING = set("AАCСHН")


def card(suit: int, rank: int) -> int:
    """The number 0..31 of a card."""
    return 8 * suit + rank


def holding(mask: int, suit: int) -> int:
    """The byte of a card set that belongs to one suit, bit 0 the seven."""
    return (mask >> 8 * suit) & 0xFF


def cards_of(mask: int) -> Iterator[int]:
    """Card numbers of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def ranks_text(byte: int, lang: str = "en", sep: str = "") -> str:
    """Ranks of one suit, highest first; ``-`` for a void.

    >>> ranks_text(0b1110_0100)
    'AKQ9'
    """
    names = RANKS_RU if lang == "ru" else RANKS_EN
    return sep.join(names[r] for r in range(7, -1, -1) if byte >> r & 1) or "-"


def format_hand(mask: int, lang: str = "en", *, symbols: bool = True) -> str:
    """A card set suit by suit, as the parser reads it back; voids are left out.

    Only a Russian text with an ace but without any letter that shows its language (no В, Д, П, Б,
    Ч) is one the parser asks about.

    >>> format_hand(parse_cards("As Ks 9h 10h"))
    '♠AK ♥109'
    >>> format_hand(parse_cards("As Ks 9h 10h"), "ru", symbols=False)
    'П:ТК Ч:109'
    """
    letters = SUITS_RU if lang == "ru" else SUITS_EN
    return " ".join(
        (Suit(s).symbol if symbols else letters[s] + ":") + ranks_text(holding(mask, s), lang)
        for s in range(4)
        if holding(mask, s)
    )


def card_code(number: int) -> str:
    """A card in the ASCII form of files and JSON: suit, then rank.

    >>> card_code(15), card_code(3)
    ('CA', 'S10')
    """
    return SUITS_EN[number >> 3] + RANKS_EN[number & 7]


def format_cards(mask: int) -> str:
    """A card set in the ASCII form of files and JSON, by suit, highest first: ``C8 D7``."""
    return " ".join(card_code(8 * s + r) for s in range(4) for r in range(7, -1, -1)
                    if mask >> (8 * s + r) & 1)


def parse_cards(text: str, like: str = "") -> int:
    """Read a card set in Russian or English notation.

    Suits may stand first (``♠AKQ9``, ``S:AK``, ``П:ТК``, ``SA``) or last (``As``, ``Тп``, ``10♠``),
    spaces are free, Russian words (``туз пик``) are read. The alphabet of the whole entry decides
    what a look-alike glyph means, its place what the Russian ``Т`` means.

    Parameters
    ----------
    text : str
    like : str
        Another entry of the same writer: it settles the language where `text` alone does not.

    Returns
    -------
    int
        Card mask.

    Raises
    ------
    InputError
        With the column, what was found and what was expected; also where the glyphs do not
        say which language they are in.

    Notes
    -----
    Source: rules.md 8.

    >>> parse_cards("П:ТКД9 Т:Т8") == parse_cards("♠AKQ9 ♣A8") == parse_cards("Тп Кп Дп 9п Тт 8т")
    True
    """
    glyphs = _glyphs(text)
    alphabet = _alphabet(glyphs, _glyphs(like))
    if any(g in _SYMBOLS or g == ":" for g, _ in glyphs):
        return _collect(glyphs, alphabet, _split_marked)
    first = next((g for g, _ in glyphs if g != " "), "")
    if not first:
        raise InputError("no cards found; expected cards such as ♠AKQ9 or As", column=1)
    if first in alphabet.suits and first in alphabet.ranks:
        return _collect_either(glyphs, alphabet)
    if first in alphabet.suits:
        return _collect_suit_first(glyphs, alphabet)
    return _collect(glyphs, alphabet, _split_rank_first)


Glyph = tuple[str, int]
_State = tuple[int | None, bool, int]    # the suit at hand, whether it has no rank yet, the cards
_Split = Callable[[list[Glyph], _Alphabet], Iterator[tuple[int, int, int]]]


def _glyphs(text: str) -> list[Glyph]:
    """Upper-case glyphs with their columns; ``10`` is one glyph, separators are one space."""
    out: list[Glyph] = []
    i = 0
    while i < len(text):
        char = text[i]
        if char in _INVISIBLE:
            i += 1
        elif char in _SEPARATORS or char.isspace():
            out.append((" ", i + 1))
            i += 1
        elif char in _DASHES:
            out.append((_VOID, i + 1))
            i += 1
        elif char == "1":
            if text[i + 1 : i + 2] not in ("0", "O", "О", "o", "о"):
                raise InputError("'{found}' is not a rank; expected 10", found="1", column=i + 1)
            out.append(("10", i + 1))
            i += 2
        elif word := _WORD.match(text, i):
            out.append((word[0].upper(), i + 1))
            i = word.end()
        else:
            out.append((char.upper(), i + 1))
            i += 1
    return out


def _first(glyphs: list[Glyph], wanted: set[str]) -> Glyph | None:
    return next((glyph for glyph in glyphs if glyph[0] in wanted), None)


def _alphabet(glyphs: list[Glyph], like: list[Glyph]) -> _Alphabet:
    """Decide the language by the whole entry; rewrite look-alikes in place to match it."""
    russian, english = _signs(glyphs)
    if russian and english:
        raise InputError(
            "'{english}' is an English letter and '{russian}' a Russian one; write all cards in "
            "one notation",
            english=english[0], russian=russian[0], column=max(russian[1], english[1]),
        )
    if not russian and not english:
        russian, english = _signs(like)
    doubtful = _first(glyphs, set("TТ"))
    if doubtful and bool(russian) == bool(english):
        raise InputError(
            "'T' may be a ten or the Russian ace here; write 10 for a ten, or suit letters "
            "(S: or П:) that show the language",
            column=doubtful[1],
        )
    table = _TO_CYRILLIC if russian else _TO_LATIN
    glyphs[:] = [(g.translate(table), c) for g, c in glyphs]
    return _RUSSIAN if russian else _ENGLISH


def _signs(glyphs: list[Glyph]) -> tuple[Glyph | None, Glyph | None]:
    """The first glyphs with a meaning in Russian only, and in English only."""
    russian = _first(glyphs, _RUSSIAN_ONLY) or _first(glyphs, _RUSSIAN_BY_MEANING)
    english = _first(glyphs, _ENGLISH_ONLY) or _first(glyphs, _ENGLISH_BY_MEANING)
    if russian and english and russian[0] == "B":
        return None, english
    return russian, english


def _collect(glyphs: list[Glyph], alphabet: _Alphabet, split: _Split) -> int:
    mask = 0
    for suit, rank, column in split(glyphs, alphabet):
        bit = 1 << card(suit, rank)
        if mask & bit:
            raise InputError("the card {card} stands twice", card=card_code(card(suit, rank)),
                             column=column)
        mask |= bit
    if not mask:
        raise InputError("no cards found; expected cards such as ♠AKQ9 or As", column=1)
    return mask


def _collect_either(glyphs: list[Glyph], alphabet: _Alphabet) -> int:
    """An entry that begins with the Russian Т: ace of something, or the suit of clubs?"""
    readings = _readings(glyphs, alphabet, word_begins=True)
    try:
        readings.add(_collect(glyphs, alphabet, _split_rank_first))
    except InputError as error:
        rank_first = error
    if readings:
        return _only(readings, glyphs, alphabet)
    try:
        return _collect_suit_first(glyphs, alphabet)
    except InputError as error:
        raise max(rank_first, error, key=lambda e: e.column or 0) from None


def _collect_suit_first(glyphs: list[Glyph], alphabet: _Alphabet) -> int:
    readings = _readings(glyphs, alphabet)
    return _only(readings, glyphs, alphabet) if readings \
        else _collect(glyphs, alphabet, _split_suit_first)


def _only(readings: set[int], glyphs: list[Glyph], alphabet: _Alphabet) -> int:
    if len(readings) > 1:
        doubtful = _first(glyphs, alphabet.suits.keys() & alphabet.ranks.keys())
        raise InputError("'Т' may be the ace or clubs here; write the suit with a colon (Т:) or as "
                         "a symbol (♣)", column=doubtful[1] if doubtful else 1)
    return next(iter(readings))


def _readings(
    glyphs: list[Glyph], alphabet: _Alphabet, *, word_begins: bool = False
) -> set[int]:
    """All card sets that glyphs with suits first may mean; some may be both suit and rank.

    Where the text has words at all, such a glyph is a suit at the beginning of one and a rank
    within it; with `word_begins` every suit must begin a word.
    """
    words = "".join(" " if g in (" ", _VOID) else "x" for g, _ in glyphs).split()
    telling = len(words) > 1 and max(map(len, words)) > 1
    states: set[_State] = {(None, False, 0)}
    before = " "
    for found, _ in glyphs:
        if found in (" ", _VOID):
            states = {(suit, waiting and found == " ", mask) for suit, waiting, mask in states}
            before = _VOID if _VOID in (found, before) else " "
            continue
        suit, rank = alphabet.suits.get(found), alphabet.ranks.get(found)
        both = suit is not None and rank is not None
        if telling and before not in (" ", _VOID) and (both or word_begins):
            suit = None
        opens = telling and both and before == " "
        states = {after for state in states for after in _steps(state, suit, rank, opens)}
        before = found
    return {mask for _, waiting, mask in states if mask and not waiting}


def _steps(state: _State, suit: int | None, rank: int | None, opens: bool) -> Iterator[_State]:
    """What may follow: a new suit, or a card of the suit at hand that is not there yet."""
    held, waiting, mask = state
    if suit is not None and not waiting:
        yield suit, True, mask
    if rank is not None and held is not None and (waiting or not opens):
        bit = 1 << card(held, rank)
        if not mask & bit:
            yield held, False, mask | bit


def _rank(glyph: Glyph, alphabet: _Alphabet) -> int:
    found, column = glyph
    if found not in alphabet.ranks:
        raise InputError(
            "'{found}' is not a rank; expected 7 8 9 10 J Q K A or 7 8 9 10 В Д К Т",
            found=found, column=column,
        )
    return alphabet.ranks[found]


def _suit(glyph: Glyph, alphabet: _Alphabet) -> int:
    found, column = glyph
    suit = _SYMBOLS.get(found, alphabet.suits.get(found))
    if suit is None:
        raise InputError("'{found}' is not a suit; expected {expected}", found=found,
                         expected=alphabet.expected_suits, column=column)
    return suit


def _solid(glyphs: list[Glyph]) -> list[Glyph]:
    return [g for g in glyphs if g[0] not in (" ", _VOID)]


def _split_marked(glyphs: list[Glyph], alphabet: _Alphabet) -> Iterator[tuple[int, int, int]]:
    """Suits as symbols or with a colon: before their ranks, or symbols behind each rank."""
    solid = _solid(glyphs)
    if solid[0][0] == ":":
        raise InputError("a suit is missing before ':'; expected {expected}",
                         expected=alphabet.expected_suits, column=solid[0][1])
    if solid[0][0] not in _SYMBOLS and (len(solid) < 2 or solid[1][0] != ":"):
        yield from _pairs(solid, alphabet)
        return
    suit = i = 0
    while i < len(solid):
        if i + 1 < len(solid) and solid[i + 1][0] == ":":
            suit = _suit(solid[i], alphabet)
            i += 2
        elif solid[i][0] in _SYMBOLS:
            suit = _SYMBOLS[solid[i][0]]
            i += 1
        else:
            yield suit, _rank(solid[i], alphabet), solid[i][1]
            i += 1


def _split_rank_first(glyphs: list[Glyph], alphabet: _Alphabet) -> Iterator[tuple[int, int, int]]:
    yield from _pairs(_solid(glyphs), alphabet)


def _pairs(solid: list[Glyph], alphabet: _Alphabet) -> Iterator[tuple[int, int, int]]:
    for i in range(0, len(solid), 2):
        rank = _rank(solid[i], alphabet)
        if i + 1 == len(solid):
            raise InputError("a suit is missing behind '{found}'; expected {expected}",
                             found=solid[i][0], expected=alphabet.expected_suits,
                             column=solid[i][1])
        yield _suit(solid[i + 1], alphabet), rank, solid[i][1]


def _split_suit_first(glyphs: list[Glyph], alphabet: _Alphabet) -> Iterator[tuple[int, int, int]]:
    """Letters for suits before their ranks; a new word may begin with an ambiguous letter."""
    suit: int | None = None
    waiting: Glyph | None = None
    fresh = True
    for glyph in glyphs:
        found, column = glyph
        if found in (" ", _VOID):
            waiting = None if found == _VOID else waiting
            fresh = True
            continue
        both = found in alphabet.suits and found in alphabet.ranks
        if suit is None or (found in alphabet.suits and (not both or (fresh and not waiting))):
            if waiting:
                break
            suit, waiting = _suit(glyph, alphabet), glyph
        else:
            yield suit, _rank(glyph, alphabet), column
            waiting = None
        fresh = False
    if waiting:
        raise InputError("no ranks behind the suit '{found}'; expected {expected} or - for none",
                         found=waiting[0], expected=alphabet.expected_ranks, column=waiting[1])
