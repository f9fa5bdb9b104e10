"""Misère by the printed odds: holes (дыры), their chances, and the distribution of tricks.

The k-th lowest card of a suit is a hole when more outstanding cards are below it than the k - 1 it
can spare; what it has too many is its excess. The printed rows of ``data/guide/misere_holes.csv``
give the chance that a hole is caught by k and excess. Extended by these rules:

* a hole beyond the printed ones is always caught;
* in a suit of two or more cards without its lowest card the first hole is caught at least as often
  as printed for ``8 9``, whoever leads;
* on his own lead he leads one card, from the suit where that helps most (or harms least): with no
  outstanding card below it is safe, with one below it costs what ``7 9`` and a lone ``8`` print,
  with two what a lone ``9`` prints, or from more cards what ``7 10`` prints, else (or with nothing
  outstanding above) it is caught; the rest of the suit is judged as if nothing had fallen;
* holes are independent of each other.

Exact is only what is certain: with no hole there is no trick. With nothing gone, k and excess are
the printed places in the deck (rules.md 7.4, 7.5); cards known to be gone shrink the excess.
"""

from __future__ import annotations

import csv
import itertools
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.cards import holding, ranks_text
from advisor.paths import data_path
from advisor.tricks.sure import STATES, digits, excess, suit_states, ternary

Floats = NDArray[np.float64]
Lead = Literal["own", "other"]
_HOLES = 5  # holes a suit is given room for; no suit has more
_RANKS = {name: rank for rank, name in enumerate(("7", "8", "9", "10", "J", "Q", "K", "A"))}


@dataclass(frozen=True, slots=True)
class PrintedHole:
    """One row of the printed misère odds.

    Parameters
    ----------
    row : int
    holding : str
        Lowest card first; ``8/9`` is either card.
    lead : str
        ``own``, ``other`` or ``unspecified``.
    low, high : float
        Chance of a caught trick, per cent.
    """

    row: int
    holding: str
    lead: str
    low: float
    high: float

    @property
    def chance(self) -> float:
        """Middle of the printed chance, as a fraction."""
        return (self.low + self.high) / 200

    def holdings(self) -> tuple[int, ...]:
        """Every holding the row stands for, as bytes."""
        places = [[_RANKS[name] for name in part.split("/")] for part in self.holding.split()]
        return tuple(sum(1 << rank for rank in ranks) for ranks in itertools.product(*places))


@dataclass(frozen=True, slots=True)
class SuitReport:
    """A misère suit by the odds.

    Parameters
    ----------
    holding : str
        Ranks, highest first; ``-`` for a void.
    clean : bool
        The suit takes no trick unless it must be led.
    chances : tuple of float
        Chance of each hole, from the lowest card up.
    tricks : float
        Their sum, expected tricks.
    row : PrintedHole or None
        The row that prints this holding and lead; ``None`` where the odds are extended or the
        suit is clean.
    """

    holding: str
    clean: bool
    chances: tuple[float, ...]
    tricks: float
    row: PrintedHole | None


class _Tables(NamedTuple):
    """Chances and distributions by suit state, for a suit not led and led by its holder."""

    chances: Floats  # (2, states, 8), by rank
    tricks: Floats  # (2, states)
    gain: Floats  # (states,), tricks lost by leading the suit; infinite without cards
    spread: Floats  # (2, _HOLES + 1, states)


@cache
def printed_holes() -> tuple[PrintedHole, ...]:
    """The printed misère odds exactly as printed; a row for both leads stands twice."""
    text = data_path("guide/misere_holes.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        PrintedHole(int(r["row"]), r["holding"], r["lead"], float(r["low_pct"]),
                    float(r["high_pct"]))
        for r in csv.DictReader(lines)
    )


def hole_chances(kept: ArrayLike, gone: ArrayLike, on_lead: bool) -> Floats:
    """Chance that each card takes an unwanted trick.

    Parameters
    ----------
    kept : array_like of uint32
        Masks of the misère player's cards, any shape.
    gone : array_like of uint32
        Masks of cards he knows to be out of play; broadcasts with `kept`.
    on_lead : bool
        He leads to the first trick.

    Returns
    -------
    ndarray of float64
        Shape (..., 4, 8), by suit and rank; 0 where the card is no hole or not held.
    """
    states = suit_states(kept, gone)
    tables = _tables()
    led = _led_suit(states) if on_lead else None
    return np.stack([tables.chances[_row(led, s), state] for s, state in enumerate(states)], -2)


def misere_distribution(kept: ArrayLike, gone: ArrayLike, on_lead: bool) -> Floats:
    """Distribution of a misère's tricks: a sum of independent holes.

    Parameters
    ----------
    kept, gone, on_lead
        As in `hole_chances`.

    Returns
    -------
    ndarray of float64
        Shape (..., 11): probability of 0..10 tricks. It is exactly 1 at 0 where, and only where,
        `advisor.tricks.sure.sure_zero` holds.
    """
    states = suit_states(kept, gone)
    tables = _tables()
    led = _led_suit(states) if on_lead else None
    total: list[Floats] = []
    for suit, state in enumerate(states):
        row = _row(led, suit)
        spread = [tables.spread[row, i, state] for i in range(_HOLES + 1)]
        total = _convolve(total, spread) if total else spread
    return np.stack(total, -1)


def suit_report(byte: int, gone: int = 0, lead: Lead = "other") -> SuitReport:
    """One suit by the odds, with the printed row where there is one.

    Parameters
    ----------
    byte, gone : int
        Kept and gone cards of the suit, bit 0 the seven.
    lead : str
        ``own``: he leads this suit; ``other``: a catcher leads.
    """
    state = int(ternary()[byte]) + 2 * int(ternary()[~(byte | gone) & 0xFF])
    own, tables = int(lead == "own"), _tables()
    chances = tables.chances[own, state]
    return SuitReport(
        holding=ranks_text(byte),
        clean=not excess()[state].any(),
        chances=tuple(float(c) for c in chances[chances > 0]),
        tricks=float(tables.tricks[own, state]),
        row=_printed(byte, lead) if not gone else None,
    )


def rule_of_80(kept: int, on_lead: bool = False) -> tuple[float, int]:
    """Sum of the catch chances of a hand and the number of its holes.

    Parameters
    ----------
    kept : int
        Mask of the hand; all other cards count as outstanding.
    on_lead : bool

    Returns
    -------
    percent : float
        Sum, per cent; a misère is bid up to 80 (rules.md 7.3).
    holes : int
    """
    chances = hole_chances(kept, 0, on_lead)
    return round(100 * float(chances.sum()), 6), int((chances > 0).sum())


def sevenless_suits(kept: int, on_lead: bool = False) -> tuple[int, ...]:
    """Suits with cards but no seven, which forbid a misère (rules.md 7.3).

    A lone eight or nine is no such suit on one's own lead, once: only one suit can be led first.
    """
    suits = [s for s in range(4) if holding(kept, s) and not holding(kept, s) & 1]
    lone = [s for s in suits if holding(kept, s) in (0b10, 0b100)]
    if on_lead and lone:
        suits.remove(max(lone, key=lambda s: holding(kept, s)))
    return tuple(suits)


class _Odds(NamedTuple):
    """The printed chances by what they depend on."""

    hole: dict[tuple[int, int], float]  # (k, excess)
    lone: dict[int, float]  # led from a single card, by outstanding cards below
    led: dict[int, float]  # led from more cards
    sevenless: float


@cache
def _odds() -> _Odds:
    """Sort the printed rows by their top card, which is the hole (or the card led)."""
    odds = _Odds({}, {}, {}, 1.0)
    for row in printed_holes():
        byte = row.holdings()[0]
        k = byte.bit_count()
        below = byte.bit_length() - k
        if row.lead == "own":
            (odds.lone if k == 1 else odds.led)[below] = row.chance
        elif k > 1 and not byte & 1:
            odds = odds._replace(sevenless=row.chance)
        else:
            odds.hole[k, below - (k - 1)] = row.chance
    odds.led[2] = odds.hole[2, 1]
    return odds


def _not_led() -> Floats:
    """Chances by state and rank of a suit the holder does not lead."""
    odds, over = _odds(), excess()
    kept = digits() == 1
    table = np.ones((9, 9))
    table[:, 0] = 0
    for place, chance in odds.hole.items():
        table[place] = chance
    chances: Floats = table[kept.cumsum(1), over] * kept
    first = kept.argmax(1), over[np.arange(STATES), kept.argmax(1)]
    at = np.flatnonzero((kept.sum(1) > 1) & (first[1] > 0))
    chances[at, first[0][at]] = np.maximum(chances[at, first[0][at]], odds.sevenless)
    return chances


def _led(chances: Floats) -> Floats:
    """Chances by state and rank of a suit the holder leads, with his best card."""
    state = digits()
    kept, out = state == 1, state == 2
    below = out.cumsum(1)
    cost = np.ones((2, 9))
    cost[:, 0] = 0
    for alone, table in enumerate((_odds().led, _odds().lone)):
        for outside, chance in table.items():
            cost[alone, outside] = chance
    cards = kept.sum(1)
    price = cost[(cards == 1).astype(int)[:, None], below]
    price = np.where(below == out.sum(1)[:, None], 1.0, price)
    rest = np.where(kept, np.arange(STATES)[:, None] - 3 ** np.arange(8), 0)
    total = np.where(kept, price + chances.sum(1)[rest], np.inf)
    best, every = total.argmin(1), np.arange(STATES)
    led = chances[rest[every, best]]
    led[every, best] = np.where(cards > 0, price[every, best], 0)
    stays = (cards > 1) & (excess()[every, kept.argmax(1)] > 0)
    return np.where(stays[:, None], chances, led)


@cache
def _tables() -> _Tables:
    free = _not_led()
    chances = np.stack([free, _led(free)])
    tricks = chances.sum(2)
    gain = np.where((digits() == 1).any(1), tricks[1] - tricks[0], np.inf)
    spread = np.zeros((2, _HOLES + 1, STATES))
    spread[:, 0] = 1
    for rank in range(8):
        chance = chances[:, :, rank]
        for i in range(min(rank + 1, _HOLES), 0, -1):
            spread[:, i] += chance * (spread[:, i - 1] - spread[:, i])
        spread[:, 0] *= 1 - chance
    return _Tables(chances, tricks, gain, spread)


def _led_suit(states: list[NDArray[np.uint16]]) -> NDArray[np.intp]:
    gain = _tables().gain
    best = gain[states[0]]
    led = np.zeros(best.shape, dtype=np.intp)
    for suit in range(1, 4):
        other = gain[states[suit]]
        led = np.where(other < best, suit, led)
        best = np.minimum(best, other)
    return led


def _row(led: NDArray[np.intp] | None, suit: int) -> NDArray[np.intp] | int:
    """Index of the tables' first axis: 1 where the suit is led."""
    return 0 if led is None else (led == suit).astype(np.intp)


def _convolve(one: list[Floats], two: list[Floats]) -> list[Floats]:
    """Distribution of the sum; more than ten tricks cannot be."""
    size = min(len(one) + len(two) - 1, 11)
    total = [np.zeros_like(one[0] * two[0]) for _ in range(size)]
    for i, first in enumerate(one):
        for j, second in enumerate(two[: size - i]):
            total[i + j] += first * second
    return total


def _printed(byte: int, lead: Lead) -> PrintedHole | None:
    return next((row for row in printed_holes()
                 if byte in row.holdings() and row.lead in (lead, "unspecified")), None)
