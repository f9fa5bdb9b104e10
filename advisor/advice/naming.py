"""What a declarer of twelve cards throws and names, by what he can see: his own cards.

The coarse fitted table (`advisor.tricks.holdings`) says what ten cards are worth in each strain; it
is a sum over suits, so the best discard of every strain is found from two numbers a suit, what its
lowest card and what its two lowest are missed. Then the game is named that is worth most against
the usual replies, not below what was bought (`advisor.advice.habits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import Habits
from advisor.rules.contracts import LEVELS
from advisor.tricks.estimate import mean_step, suit_bytes
from advisor.tricks.holdings import NO_TRUMP, PLAIN, SIDE, TRUMP, holdings, suit_roles

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Masks = NDArray[np.uint32]

TEMPERATURE = 5.0
ODD_NAMES = 0.02
_NONE = -1e3


def _missed(on_lead: bool) -> tuple[Floats, Floats, Floats]:
    """By role and holding: its tricks, and what losing its one or two lowest cards adds."""
    values = holdings().tricks[:, int(on_lead)]
    byte = np.arange(256)
    once = byte & (byte - 1)
    twice = once & (once - 1)
    return (values, np.where(byte > 0, values[:, once] - values, _NONE),
            np.where(once > 0, values[:, twice] - values, _NONE))


def best_means(cards: Masks, on_lead: bool) -> Floats:
    """Tricks expected of twelve cards after the best discard in each strain.

    Parameters
    ----------
    cards : uint32 (...)
    on_lead : bool
        The declarer leads to the first trick.

    Returns
    -------
    float64 (..., 5)
    """
    suits = [np.ascontiguousarray(each) for each in np.moveaxis(suit_bytes(cards), -1, 0)]
    missed = _missed(on_lead)
    known = {role: [[table[role][suit] for table in missed] for suit in suits]
             for role in (TRUMP, SIDE, PLAIN)}
    means = np.empty((*np.shape(cards), 5))
    for strain in range(5):
        means[..., strain] = _best_pair(
            known[PLAIN] if strain == NO_TRUMP else
            [known[TRUMP if suit == strain else SIDE][suit] for suit in range(4)])
    return np.clip(means, 0.0, 10.0, out=means)


def _best_pair(suits: Sequence[Sequence[Floats]]) -> Floats:
    """Tricks of four suits without the two cards missed least.

    Each suit is its tricks, and what the loss of its lowest and of its two lowest cards adds.
    """
    total = suits[0][0].copy()
    one, best = suits[0][1], suits[0][2]
    for worth, once, twice in suits[1:]:
        total += worth
        best = np.maximum(np.maximum(best, twice), one + once)
        one = np.maximum(one, once)
    return total + best


def keep_ten(cards: Masks, strain: NDArray[np.integer] | int, on_lead: bool) -> Masks:
    """The ten cards kept when `strain` (...) is to be played, uint32 (...)."""
    suits, role = suit_bytes(cards), suit_roles(strain)
    _, one, two = (table[role, suits] for table in _missed(on_lead))
    order = np.argsort(one, axis=-1)
    pair = np.take_along_axis(one, order[..., 2:], axis=-1).sum(axis=-1)
    double = two.max(axis=-1) > pair
    first = np.where(double, two.argmax(axis=-1), order[..., 3])
    second = np.where(double, first, order[..., 2])
    kept = np.array(cards, dtype=np.uint32)
    for suit in (first, second):
        holding = kept & (np.uint32(0xFF) << (8 * suit).astype(np.uint32))
        kept ^= holding & (~holding + np.uint32(1))
    return kept


@dataclass(frozen=True, slots=True)
class Named:
    """Declarers with their talon taken.

    Parameters
    ----------
    kept : uint32 (...)
        The ten cards kept.
    strain : intp (...)
        0..4.
    mean : float64 (...)
        Tricks expected by the coarse table.
    """

    kept: Masks
    strain: Ints
    mean: Floats


def choose(cards: Masks, on_lead: bool, habits: Habits) -> Named:
    """The strain and discard of declarers of twelve cards (...) who are free to name any game."""
    means = best_means(cards, on_lead)
    strain = best_strain(means, habits)
    mean = np.take_along_axis(means, strain[..., None], axis=-1)[..., 0]
    return Named(keep_ten(cards, strain, on_lead), strain, mean)


def best_strain(means: Floats, habits: Habits) -> Ints:
    """The strain whose best game is worth most, intp (...), by `best_means` (..., 5)."""
    trump = means[..., :4].argmax(axis=-1)
    with_trump = np.take_along_axis(means, trump[..., None], axis=-1)[..., 0]
    return np.where(plain_is_better(with_trump, means[..., 4], habits), NO_TRUMP, trump)


def plain_is_better(trump: Floats, plain: Floats, habits: Habits) -> NDArray[np.bool_]:
    """Whether the best game in no trump is worth more than that with trumps, by their tricks."""
    free = habits.worth.max(axis=1)
    better: NDArray[np.bool_] = free[1][mean_step(plain)] > free[0][mean_step(trump)]
    return better


def named_levels(strain: Ints, mean: Floats, habits: Habits) -> Ints:
    """The level named when none below 6, 7, ... 10 is open, intp (5, ...)."""
    worth = habits.worth
    best = np.stack([low + worth[:, low:].argmax(axis=1) for low in range(len(LEVELS))])
    levels: Ints = min(LEVELS) + best[:, (strain == NO_TRUMP).astype(np.intp), mean_step(mean)]
    return levels


def naming_chance(cards: Masks, game: int, first: int, on_lead: bool, habits: Habits) -> Floats:
    """How likely a declarer of these twelve cards names `game`, having bought at `first`.

    Soft, since people judge their cards differently: the games he may name are chosen with weights
    that grow with their worth, by a factor e for `TEMPERATURE` net whists. Never zero: a share
    `ODD_NAMES` of players names any game.

    Parameters
    ----------
    cards : uint32 (...)
    game, first : int
        Places 0..24 on the ladder of games.
    on_lead : bool
    habits : Habits

    Returns
    -------
    float64 (...)
    """
    steps = mean_step(best_means(cards, on_lead))
    level, strain = divmod(game, 5)
    weights = np.exp(habits.worth / TEMPERATURE)
    total = np.zeros(steps.shape[:-1])
    for other in range(5):
        lowest = -(-(first - other) // 5)
        total += weights[int(other == NO_TRUMP), lowest:].sum(axis=0)[steps[..., other]]
    named = weights[int(strain == NO_TRUMP), level][steps[..., strain]]
    chance: Floats = (1 - ODD_NAMES) * named / total + ODD_NAMES / (25 - first)
    return chance
