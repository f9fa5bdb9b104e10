"""Talon cards that save a misère, and the chance that they come; exact."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from advisor.cards import DECK, cards_of
from advisor.tricks.sure import sure_zero

RULE_OF_SEVEN = 7
UNSEEN = 22
_LONE_EIGHT = 0b10


@dataclass(frozen=True, slots=True)
class Saving:
    """What the talon can do for ten cards.

    Parameters
    ----------
    cards : int
        Mask of the unseen cards each of which alone makes the hand clean: with it, and one other
        card thrown, no suit has a hole.
    chance : float
        That at least one of them is in the talon, ``1 - C(22 - k, 2) / C(22, 2)``.
    clean : float
        That the talon leaves a clean hand, also by two cards together.
    eights : int
        As `cards`, where a lone eight counts as clean.
    eights_chance, eights_clean : float
        As `chance` and `clean`, with `eights`.
    """

    cards: int
    chance: float
    clean: float
    eights: int
    eights_chance: float
    eights_clean: float

    @property
    def rule_of_seven(self) -> bool:
        """The published rule: bid misère with seven saving cards or more (review-pref, 145/4)."""
        return self.cards.bit_count() >= RULE_OF_SEVEN


def is_clean(kept: NDArray[np.uint32], gone: NDArray[np.uint32], *, eights: bool
             ) -> NDArray[np.bool_]:
    """No suit with a hole, off lead (rules.md 7.4); with `eights` a lone eight is none."""
    if eights:
        for suit in range(4):
            lone = kept >> np.uint32(8 * suit) & np.uint32(0xFF) == _LONE_EIGHT
            kept = np.where(lone, kept & ~np.uint32(0xFF << 8 * suit), kept)
    return sure_zero(kept, gone, False)


def saving_cards(ten: int) -> Saving:
    """The talon cards that save a misère on ten cards.

    Parameters
    ----------
    ten : int
        Mask of the ten cards.
    """
    unseen = [1 << c for c in cards_of(DECK & ~ten)]
    pairs = [a | b for a, b in combinations(unseen, 2)]
    found: list[tuple[int, float, float]] = []
    for eights in (False, True):
        one = _can_be_clean(ten, unseen, 1, eights)
        two = _can_be_clean(ten, pairs, 2, eights)
        cards = sum(bit for bit, saves in zip(unseen, one, strict=True) if saves)
        found.append((cards, chance_of_one(cards.bit_count()), float(np.mean(two))))
    (cards, chance, clean), (more, more_chance, more_clean) = found
    return Saving(cards, chance, clean, more, more_chance, more_clean)


def chance_of_one(number: int) -> float:
    """That the talon holds at least one of so many unseen cards.

    >>> round(chance_of_one(7), 4), round(chance_of_one(11), 4)
    (0.5455, 0.7619)
    """
    return 1 - comb(UNSEEN - number, 2) / comb(UNSEEN, 2)


def _can_be_clean(ten: int, added: list[int], number: int, eights: bool) -> list[bool]:
    """For each set of added cards: can as many be thrown so that the rest is clean?"""
    kept, gone = [], []
    for extra in added:
        full = ten | extra
        thrown = [sum(pick) for pick in combinations([1 << c for c in cards_of(full)], number)]
        kept.append([full & ~mask for mask in thrown])
        gone.append(thrown)
    clean = is_clean(np.array(kept, np.uint32), np.array(gone, np.uint32), eights=eights)
    return [bool(row.any()) for row in clean]
