"""The printed trick guide: 47 suit holdings as printed, all 256 as used.

The printed rows stay as they are in ``data/guide/trick_guide.csv``. What is used comes from one
rule, which fills the missing holdings and mends the contradictions alike. Order holdings by
dominance: A is no worse than B when A has at least as many cards and, both sorted from the top,
each card of B is matched by a card of A at least as high; all cards below the jack are equal. Then

* ``up(h)`` is the best printed value among printed holdings no better than h, or 0,
* ``down(h)`` is the lowest printed value among printed holdings no worse than h, and at most the
  number of cards,
* the value used is ``(up + down) / 2``, for the low and the high end by themselves.

Both bounds grow with the holding, so a better holding is never worth less, and a row that no other
row contradicts keeps its value. Source of the rows and their defects: rules.md 7.1 and 7.2.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.cards import RANKS_EN, RANKS_RU, holding
from advisor.errors import InputError
from advisor.paths import data_path
from advisor.tricks.holes import rule_of_80, sevenless_suits

Floats = NDArray[np.float64]
Note = Literal["kept", "repaired", "extended", "misprint"]

# Row 16 prints 6.5 tricks for six cards between 3.5 for five and 7 for seven (rules.md 7.2).
MISPRINTS: Mapping[int, float] = {16: 5.5}
SMALL = 0x0F
_SMALL_CARDS = 4
_PATTERNS = 16 * (_SMALL_CARDS + 1)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One row of the guide as printed.

    Parameters
    ----------
    row : int
        Number of the row, 1..47.
    pattern : str
        Holding from the top, ``x`` for a card below the jack: ``A Q J x``.
    low, high : float
        Tricks.
    """

    row: int
    pattern: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """What a suit holding is worth, and why.

    Parameters
    ----------
    pattern : str
        Holding from the top, ``x`` for a card below the jack; ``-`` for a void.
    low, high : float
        Tricks as used.
    row : PrintedRow or None
        The row that prints this very holding.
    note : str
        ``kept``, ``repaired``, ``misprint`` (printed holdings) or ``extended``.
    below, above : PrintedRow or None
        The printed holdings no better, and no worse, that bound the low end.
    below_high, above_high : PrintedRow or None
        The same for the high end; nearly always the same rows.
    rivals : tuple of PrintedRow
        Rows that contradict the printed row of this holding.
    """

    pattern: str
    low: float
    high: float
    row: PrintedRow | None
    note: Note
    below: PrintedRow | None
    above: PrintedRow | None
    below_high: PrintedRow | None
    above_high: PrintedRow | None
    rivals: tuple[PrintedRow, ...]

    @property
    def middle(self) -> float:
        """Middle of the low and the high end, tricks."""
        return (self.low + self.high) / 2


class _Guide(NamedTuple):
    """The whole guide by pattern: printed values taken, dominance, values used."""

    rows: tuple[PrintedRow, ...]
    taken: Floats  # (2, rows), low and high with misprints replaced
    no_worse: NDArray[np.bool_]  # (patterns, rows): the pattern is no worse than the row
    no_better: NDArray[np.bool_]
    used: Floats  # (2, patterns)


@cache
def printed_rows() -> tuple[PrintedRow, ...]:
    """The 47 rows exactly as printed, in order."""
    text = data_path("guide/trick_guide.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        PrintedRow(int(r["row"]), r["holding"], float(r["low"]), float(r["high"]))
        for r in csv.DictReader(lines)
    )


def pattern_of(byte: int, lang: str = "en") -> str:
    """A holding as the guide writes it.

    >>> pattern_of(0b1011_0101), pattern_of(0b1011_0101, "ru"), pattern_of(0)
    ('A Q J x x', 'Т Д В х х', '-')
    """
    names, small = (RANKS_RU, "х") if lang == "ru" else (RANKS_EN, "x")
    honours = [names[rank] for rank in (7, 6, 5, 4) if byte >> rank & 1]
    return " ".join(honours + [small] * (byte & SMALL).bit_count()) or "-"


@cache
def low_values() -> Floats:
    """Low end of the value used for each of the 256 holdings, tricks; read-only."""
    return _by_byte(0)


@cache
def high_values() -> Floats:
    """High end of the value used for each of the 256 holdings, tricks; read-only."""
    return _by_byte(1)


@cache
def entry(byte: int) -> GuideEntry:
    """Value used for a holding and where it comes from.

    Parameters
    ----------
    byte : int
        Holding, bit 0 the seven, bit 7 the ace.
    """
    guide = _guide()
    pattern = _index(byte)
    row = next((r for r in guide.rows if r.pattern == pattern_of(byte)), None)
    rivals = _rivals(guide, guide.rows.index(row)) if row else ()
    return GuideEntry(
        pattern=pattern_of(byte),
        low=float(guide.used[0, pattern]),
        high=float(guide.used[1, pattern]),
        row=row,
        note=_note(row, rivals),
        below=_closest(guide, guide.no_worse[pattern], 0, largest=True),
        above=_closest(guide, guide.no_better[pattern], 0, largest=False),
        below_high=_closest(guide, guide.no_worse[pattern], 1, largest=True),
        above_high=_closest(guide, guide.no_better[pattern], 1, largest=False),
        rivals=rivals,
    )


def why(found: GuideEntry) -> tuple[str, dict[str, object]]:
    """Where a value comes from: an English message template and its parameters."""
    params: dict[str, object] = {"cards": 0 if found.pattern == "-" else len(found.pattern.split())}
    if found.row:
        params |= {"row": found.row.row, "printed": found.row.high,
                   "rivals": ", ".join(str(r.row) for r in found.rivals)}
    for name in ("below", "above", "below_high", "above_high"):
        row: PrintedRow | None = getattr(found, name)
        if row:
            params |= {name: row.row, f"{name}_holding": row.pattern}
    if found.row and found.note == "misprint":
        params["taken"] = MISPRINTS[found.row.row]
    return _template(found), params


def parse_holding(text: str) -> int:
    """Read one suit's cards; ``x`` stands for the lowest free ranks below the jack.

    Parameters
    ----------
    text : str
        ``AQJxx``, ``A Q J 9 8``, ``ТДВхх``, ``-`` for a void.

    Returns
    -------
    int
        Holding as a byte.

    Raises
    ------
    InputError
        With the column, what was found and what was expected.

    >>> parse_holding("AQJxx") == parse_holding("ТДВхх") == parse_holding("A Q J 8 7")
    True
    >>> parse_holding("ТКхх") == parse_holding("AKxx")
    True
    """
    glyphs = _glyphs(text)
    ranks = _ranks(glyphs, any(char in "хХ" for char in text) and "T" not in text.upper())
    byte, small = 0, []
    for glyph, column in glyphs:
        if glyph == "x":
            small.append(column)
        elif glyph not in ranks:
            raise InputError("'{found}' is not a card of a suit; expected A K Q J 10 9 8 7 or x, "
                             "in Russian Т К Д В 10 9 8 7 or х", found=glyph, column=column)
        elif byte >> ranks[glyph] & 1:
            raise InputError("the card {card} stands twice", card=glyph, column=column)
        else:
            byte |= 1 << ranks[glyph]
    free = [rank for rank in range(_SMALL_CARDS) if not byte >> rank & 1]
    if len(small) > len(free):
        raise InputError("one x too many; only four cards are below the jack",
                         column=small[len(free)])
    return byte | sum(1 << rank for rank in free[: len(small)])


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """What the seed text's rule says of a hand (rules.md 7.3).

    Parameters
    ----------
    tricks : tuple of float
        Guide tricks by suit, the middle of low and high: the rule speaks of a hope, with the
        talon still to come.
    best : tuple of int
        Suits from the most tricks to the fewest.
    one, two : float
        Tricks in the best suit, in the best two suits.
    bid : bool
        More than five in one suit or more than four in two.
    holes : int
        Misère holes.
    percent : float
        Sum of their catch chances.
    sevenless : tuple of int
        Suits that forbid a misère: no seven, and not a lone eight or nine on one's own lead.
    misere : bool
        At most two holes, at most 80 per cent, no forbidden suit.
    """

    tricks: tuple[float, ...]
    best: tuple[int, ...]
    one: float
    two: float
    bid: bool
    holes: int
    percent: float
    sevenless: tuple[int, ...]
    misere: bool


def bidding_rule(hand: int, on_lead: bool = False) -> RuleOfThumb:
    """The rule of thumb for a hand.

    Parameters
    ----------
    hand : int
        Mask of the ten cards.
    on_lead : bool
        The hand is the first hand, so a misère would begin with its own lead.
    """
    tricks = tuple(entry(holding(hand, suit)).middle for suit in range(4))
    best = tuple(sorted(range(4), key=lambda suit: -tricks[suit]))
    one = tricks[best[0]]
    two = one + tricks[best[1]]
    percent, holes = rule_of_80(hand, on_lead)
    forbidden = sevenless_suits(hand, on_lead)
    return RuleOfThumb(
        tricks, best, one, two, bid=one > 5 or two > 4, holes=holes, percent=percent,
        sevenless=forbidden, misere=holes <= 2 and percent <= 80 and not forbidden,
    )


def _index(byte: int) -> int:
    """Pattern number: honours, then the count of small cards."""
    return (byte >> 4) * (_SMALL_CARDS + 1) + (byte & SMALL).bit_count()


def _ladder(honours: int, small: int) -> list[int]:
    """Card heights from the top (A 5, K 4, Q 3, J 2, x 1), filled up with 0."""
    heights = [height for height in (5, 4, 3, 2) if honours >> (height - 2) & 1] + [1] * small
    return heights + [0] * (8 - len(heights))


@cache
def _guide() -> _Guide:
    rows = printed_rows()
    taken = np.array([[MISPRINTS.get(r.row, r.low) for r in rows],
                      [MISPRINTS.get(r.row, r.high) for r in rows]])
    ladders = np.array([_ladder(h, n) for h in range(16) for n in range(_SMALL_CARDS + 1)])
    printed = ladders[[_index(parse_holding(r.pattern)) for r in rows]]
    no_worse = np.all(ladders[:, None] >= printed, axis=2)
    no_better = np.all(ladders[:, None] <= printed, axis=2)
    cards = (ladders > 0).sum(1)
    up = np.where(no_worse, taken[:, None], 0.0).max(2)
    down = np.minimum(np.where(no_better, taken[:, None], np.inf).min(2), cards)
    return _Guide(rows, taken, no_worse, no_better, (up + down) / 2)


def _by_byte(end: int) -> Floats:
    values: Floats = _guide().used[end, [_index(byte) for byte in range(256)]]
    values.flags.writeable = False
    return values


def _closest(
    guide: _Guide, bounds: NDArray[np.bool_], end: int, largest: bool
) -> PrintedRow | None:
    """The row that bounds one end; of equals the one that binds the other end, then the nearest."""
    sign = 1 if largest else -1
    strength = guide.no_better.sum(0) - guide.no_worse.sum(0)
    order = np.lexsort(-sign * np.array([strength, guide.taken[1 - end], guide.taken[end]]))
    return next((guide.rows[i] for i in order if bounds[i]), None)


def _rivals(guide: _Guide, at: int) -> tuple[PrintedRow, ...]:
    """Rows no better that are worth more, or no worse that are worth less, than row `at`."""
    pattern = _index(parse_holding(guide.rows[at].pattern))
    more = (guide.taken > guide.taken[:, at : at + 1]).any(0) & guide.no_worse[pattern]
    less = (guide.taken < guide.taken[:, at : at + 1]).any(0) & guide.no_better[pattern]
    return tuple(guide.rows[i] for i in np.flatnonzero(more | less))


def _note(row: PrintedRow | None, rivals: tuple[PrintedRow, ...]) -> Note:
    if row is None:
        return "extended"
    if row.row in MISPRINTS:
        return "misprint"
    return "repaired" if rivals else "kept"


def _template(found: GuideEntry) -> str:
    if found.note == "kept":
        return "printed row {row}"
    if found.note == "repaired":
        return ("row {row} repaired: a better holding must not be worth less (row {rivals})"
                if len(found.rivals) == 1 else
                "row {row} repaired: a better holding must not be worth less (rows {rivals})")
    if found.note == "misprint":
        return "row {row} prints {printed} tricks for {cards} cards; taken as {taken}"
    if found.pattern == "-":
        return "no cards, no tricks"
    if (found.below, found.above) != (found.below_high, found.above_high):
        return _EXTENDED_BY_ENDS
    return _EXTENDED[found.below is not None, found.above is not None]


_EXTENDED_BY_ENDS = (
    "not printed; the low end halfway between row {below} ({below_holding}) and row {above} "
    "({above_holding}), the high end between row {below_high} ({below_high_holding}) and row "
    "{above_high} ({above_high_holding})"
)
_EXTENDED = {
    (True, True): "not printed; halfway between row {below} ({below_holding}) and "
                  "row {above} ({above_holding})",
    (True, False): "not printed; halfway between row {below} ({below_holding}) and a trick for "
                   "each of its {cards} cards",
    (False, True): "not printed; halfway between no tricks and row {above} ({above_holding})",
    (False, False): "not printed; halfway between no tricks and a trick for each of its {cards} "
                    "cards",
}


_DIGITS = {"7": 0, "8": 1, "9": 2, "10": 3}
_ENGLISH = {**_DIGITS, "T": 3, "J": 4, "Q": 5, "K": 6, "A": 7}
_RUSSIAN = {**_DIGITS, "В": 4, "Д": 5, "К": 6, "Т": 7}
_ONLY_ENGLISH, _ONLY_RUSSIAN = set("QJAА"), set("ДВB")
_TO_ENGLISH = str.maketrans("ТКА", "TKA")
_TO_RUSSIAN = str.maketrans("TKB", "ТКВ")


def _glyphs(text: str) -> list[tuple[str, int]]:
    """Upper-case glyphs with columns; ``10`` is one glyph, a small card is ``x``."""
    out: list[tuple[str, int]] = []
    for i, char in enumerate(text):
        if char == "0" and out and out[-1] == ("1", i):
            out[-1] = ("10", i)
        elif not char.isspace() and char not in ",.":
            out.append(("x" if char in "xXхХ" else char.upper(), i + 1))
    if not out:
        raise InputError("no cards found; expected a holding such as AQJxx, or - for none",
                         column=1)
    return [] if len(out) == 1 and out[0][0] in "-–—" else out


def _ranks(glyphs: list[tuple[str, int]], cyrillic_small: bool) -> dict[str, int]:
    """Ranks by the language of the whole entry; look-alikes are rewritten in place.

    A Cyrillic ``х`` beside a Cyrillic ``Т`` tells the language where no other letter does.
    """
    english = next((g for g in glyphs if g[0] in _ONLY_ENGLISH), None)
    russian = next((g for g in glyphs if g[0] in _ONLY_RUSSIAN), None)
    if not english and not russian and cyrillic_small:
        russian = glyphs[0]
    if english and russian:
        raise InputError(
            "'{english}' is an English letter and '{russian}' a Russian one; write all cards in "
            "one notation",
            english=english[0], russian=russian[0], column=max(english[1], russian[1]),
        )
    doubtful = next((g for g in glyphs if g[0] in "TТ"), None)
    if doubtful and not english and not russian:
        raise InputError("'T' may be a ten or the Russian ace here; write 10 for a ten, A for an "
                         "ace", column=doubtful[1])
    table = _TO_RUSSIAN if russian else _TO_ENGLISH
    glyphs[:] = [(g.translate(table), column) for g, column in glyphs]
    return _RUSSIAN if russian else _ENGLISH
