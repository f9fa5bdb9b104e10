"""Whether the defenders whist: each by his own ten cards and the talon shown, nothing else.

What a defender expects of both defenders together is a sum over his four suits and the two cards of
the talon, fitted for each level to deals declared at it (`advisor.fitting.defence`): so it knows
that who names eight has the cards for it, that a trump more is worth a trick, and that who took an
ace is the stronger for it. He whists where that beats passing, and the thresholds at which it does
are the convention's (`advisor.advice.habits`). How two whisters share the tricks is judged by the
guide's low values of their own cards, of a side suit the three highest.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.advice.habits import Habits, habits
from advisor.advice.payoff import HALF_LEVELS, Pattern
from advisor.paths import data_path
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.tricks.estimate import suit_bytes
from advisor.tricks.guide import low_values
from advisor.tricks.holdings import NO_TRUMP, PLAIN, ROLES, SIDE, TRUMP, role_keys

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

FILE = "bidding/defence.csv"
TALON = " in the talon"
SIDE_CAP = 2.0
TRUMP_CAP = 4.0
MORE = 1.5
SOFTNESS = 0.1
ODD = 0.02


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a defender expects, tricks.

    Parameters
    ----------
    together : float64 (...)
        Of both defenders, by this one's cards and the talon.
    own : float64 (...)
        His own, by the guide.
    """

    together: Floats
    own: Floats

    def __getitem__(self, index: Any) -> Outlook:
        """The same for part of the hands, by any numpy index."""
        return Outlook(self.together[index], self.own[index])


@dataclass(frozen=True, slots=True)
class DefenceTable:
    """What the cards a defender sees tell of the defence's tricks, by level, role and suit.

    Parameters
    ----------
    holding : float64 (5, 3, 256)
        Tricks that a holding of his adds. A fourth of the level's mean is in every entry, so that a
        hand's four suits sum to the expected tricks.
    talon : float64 (5, 3, 256)
        Tricks that the talon's cards of a suit add, on average none: 0 for a talon not shown, too.
    """

    holding: Floats
    talon: Floats


@cache
def defence_table() -> DefenceTable:
    """The table that comes with the package."""
    holding = np.zeros((len(LEVELS), len(ROLES), 256))
    cards = np.zeros((len(LEVELS), len(ROLES), 8))
    lines = data_path(FILE).read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        values, byte = [float(row[str(level)]) for level in LEVELS], int(row["byte"])
        if row["role"] in ROLES:
            holding[:, ROLES.index(row["role"]), byte] = values
        else:
            role = ROLES.index(row["role"].removesuffix(TALON))
            cards[:, role, byte.bit_length() - 1] = values
    return DefenceTable(holding, of_cards(cards))


def of_cards(cards: Floats) -> Floats:
    """Entries of single cards (..., 8 ranks) summed for all sets of them, (..., 256)."""
    sets = np.arange(256)[:, None] >> np.arange(8) & 1
    sums: Floats = cards @ sets.T.astype(np.float64)
    return sums


@cache
def own_tables() -> Floats:
    """Guide tricks of a defender's holding by role, float64 (3, 256)."""
    low = low_values()
    side = np.minimum(low[three_highest()], SIDE_CAP)
    return np.stack([np.minimum(low, TRUMP_CAP), side, side])


@cache
def three_highest() -> NDArray[np.intp]:
    """Each holding with all but its three highest cards taken away."""
    top = np.arange(256)
    while (long := np.bitwise_count(top) > 3).any():
        top = np.where(long, top & (top - 1), top)
    return top


def outlooks(hands: Masks, talon: Masks | int) -> tuple[Outlook, ...]:
    """What hands (...) expect in defence, by level of the contract; for each strain, (..., 5).

    `talon` (...) is the one the declarer has taken and shown, 0 for one not shown.
    """
    suits, shown = _by_suit(hands), _by_suit(np.asarray(talon, dtype=np.uint32))
    own, table = _by_strain(own_tables(), suits), defence_table()
    return tuple(
        Outlook(_by_strain(table.holding[row], suits) + _by_strain(table.talon[row], shown), own)
        for row in range(len(LEVELS)))


def told_by(talon: Masks) -> Floats:
    """Tricks that talons (...) add to what defenders expect, by level and strain, (5, ..., 5)."""
    shown = _by_suit(talon)
    return np.stack([_by_strain(row, shown) for row in defence_table().talon])


def _by_suit(cards: Masks) -> NDArray[np.uint8]:
    """Bytes of each suit, uint8 (4, ...), each suit's in a row."""
    return np.ascontiguousarray(np.moveaxis(suit_bytes(cards), -1, 0))


def _by_strain(table: Floats, suits: NDArray[np.uint8]) -> Floats:
    """Entries summed over the suits (4, ...) for each strain, (..., 5), each strain's in a row."""
    total = np.empty((5, *suits.shape[1:]))
    sides, trumps = table[SIDE][suits], table[TRUMP][suits]
    total[:4] = trumps - sides
    total[:4] += sides.sum(axis=0)
    total[NO_TRUMP] = table[PLAIN][suits].sum(axis=0)
    return np.moveaxis(total, 0, -1)


def outlooks_in(
    hands: Masks, talon: Masks | int, strain: NDArray[np.integer], levels: Sequence[int] = LEVELS
) -> tuple[Outlook, ...]:
    """What each hand (...) expects against contracts of `levels` in its own `strain` (...).

    `talon` (...) as in `outlooks`.
    """
    held = _keys_by_suit(hands, strain)
    shown = _keys_by_suit(np.asarray(talon, dtype=np.uint32), strain)
    table, own = defence_table(), _summed(own_tables(), held)
    rows = [level - min(LEVELS) for level in levels]
    return tuple(Outlook(_summed(table.holding[row], held) + _summed(table.talon[row], shown), own)
                 for row in rows)


def outlook_in(
    hands: Masks, talon: Masks | int, strain: NDArray[np.integer], level: int
) -> Outlook:
    """The same against one level."""
    return outlooks_in(hands, talon, strain, (level,))[0]


def _keys_by_suit(cards: Masks, strain: NDArray[np.integer]) -> NDArray[np.intp]:
    return np.ascontiguousarray(np.moveaxis(role_keys(cards, strain), -1, 0))


def _summed(table: Floats, keys: NDArray[np.intp]) -> Floats:
    flat = table.ravel()
    total: Floats = flat[keys[0]]
    for each in keys[1:]:
        total += flat[each]
    return total


def reply_pattern(
    first: Outlook, second: Outlook, level: int, convention: Convention,
    strain: ArrayLike, usual: Habits | None = None,
) -> NDArray[np.uint8]:
    """What the two defenders say to a contract of `level`.

    Parameters
    ----------
    first, second : Outlook (...)
        What each expects.
    level : int
    convention : Convention
    strain : int or int array, optional
        By default a trump suit, but not spades: some conventions make both whist on six spades.
    usual : Habits, optional
        Thresholds; the convention's if not given.

    Returns
    -------
    uint8 (...)
        `Pattern` values.
    """
    usual = usual or habits(convention)

    def needs(said: str) -> Floats:
        return usual.needs(said, level, strain)

    one = first.together >= needs("first")
    two = second.together >= np.where(one, needs("after_whist"), needs("second"))
    if level == max(LEVELS) and convention.ten == "checked":
        one, two = np.ones_like(one), np.ones_like(two)
    elif convention.stalingrad and level == min(LEVELS):
        spades = np.asarray(strain) == 0
        one, two = one | spades, two | spades
    pattern = np.full(one.shape, Pattern.NOBODY, dtype=np.uint8)
    if half_allowed(convention, level):
        half = second.together >= needs("half")
        back = may_take_back(convention) & (first.together >= needs("take_back"))
        pattern[half] = np.where(back, Pattern.FIRST, Pattern.HALF)[half]
    stands = first.together >= needs("stand") if may_retreat(convention, level) \
        else np.ones_like(one)
    pattern[one] = np.where(stands, Pattern.FIRST, Pattern.FIRST_HALF)[one]
    pattern[two] = Pattern.SECOND
    both = one & two
    pattern[both] = both_pattern(first.own[both], second.own[both])
    return pattern


def both_pattern(first: Floats, second: Floats) -> NDArray[np.uint8]:
    """How two whisters share the tricks, by what each expects to take himself, uint8 (...)."""
    pattern = np.full(first.shape, Pattern.BOTH, dtype=np.uint8)
    pattern[first > MORE * second] = Pattern.BOTH_FIRST_MORE
    pattern[second > MORE * first] = Pattern.BOTH_SECOND_MORE
    return pattern


def chance_to_say(look: Outlook, needs: float | Floats) -> Floats:
    """Chance that a defender who usually needs so many tricks says it, shape of the outlook.

    Soft, since people judge their cards differently (`SOFTNESS` tricks), and never 0 or 1: a share
    `ODD` of players says anything.
    """
    z = np.clip((look.together - needs) / SOFTNESS, -50.0, 50.0)
    return ODD / 2 + (1 - ODD) / (1 + np.exp(-z))


def half_allowed(convention: Convention, level: int) -> bool:
    """Whether the second defender, after a pass, may go for half."""
    return convention.half_whist != "off" and level in HALF_LEVELS


def may_take_back(convention: Convention) -> bool:
    """Whether a first defender who passed may take the whist back from a half-whister."""
    return convention.half_whist != "off" and convention.take_back != "off"


def may_retreat(convention: Convention, level: int) -> bool:
    """Whether a first defender left alone with his whist may still go for half."""
    return convention.first_may_half and half_allowed(convention, level)
