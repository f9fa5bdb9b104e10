"""What a defender's holdings are worth: tricks of both defenders, regressed on the cards he sees.

For each level the tricks of the defence are a mean and a sum over the four suits of a defender's
hand and the two cards of the talon, by role: trumps, side suit beside trumps, suit in no trump.
Games with trumps and in no trump are fitted apart, as a level leaves the defence another mean. The
sums of all levels together are fitted first, those of each level drawn towards a multiple of them
(ridge regression), so that a rare holding against a rare contract falls back on what it is worth
against others. Tens are too rare to fit: against them only the guide's trump tricks count.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.advice.replies import TALON, own_tables
from advisor.fitting.bought import Bought
from advisor.rules.contracts import LEVELS
from advisor.tricks.fitted import distributions
from advisor.tricks.holdings import NO_TRUMP, PLAIN, ROLES, SIDE, TRUMP, role_keys, suit_roles

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Masks = NDArray[np.uint32]

PENALTY = 30.0  # deals that a zero, or the entry of all levels, counts as
HOLDINGS, CARDS = len(ROLES) * 256, len(ROLES) * 8
ENTRIES = HOLDINGS + CARDS


def defence_tricks(deals: Bought, plain: NDArray[np.bool_]) -> Floats:
    """Tricks of the defence against what is played, no trump where `plain` (n,); (n,)."""
    cells = deals.cells[plain.astype(np.intp), np.arange(len(deals))]
    return 10 - _mean_tricks()[cells]


def _mean_tricks() -> Floats:
    means: Floats = distributions() @ np.arange(11)
    return means


@dataclass(frozen=True, slots=True)
class FittedDefence:
    """The defenders' table, and how often each of its entries was seen.

    Parameters
    ----------
    holding : float64 (5, 3, 256)
        As `advisor.advice.replies.DefenceTable` has it.
    cards : float64 (5, 3, 8)
        Tricks that single cards of the talon add, by rank.
    held : int64 (3, 256)
        Hands with each holding in each role, of all levels.
    shown : int64 (3, 8)
        Talons with each card, counted once for each defender.
    """

    holding: Floats
    cards: Floats
    held: NDArray[np.int64]
    shown: NDArray[np.int64]

    def with_plain_of(self, other: FittedDefence) -> FittedDefence:
        """The same with another's entries for no trump."""
        def mixed(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
            plain = (np.arange(len(ROLES)) == PLAIN)[:, None]
            return np.where(plain, theirs, mine)

        return FittedDefence(
            mixed(self.holding, other.holding), mixed(self.cards, other.cards),
            mixed(self.held, other.held), mixed(self.shown, other.shown))


def fit_defence(deals: Bought, strain: Ints, level: Ints) -> FittedDefence:
    """Fit the tables to deals declared at `level` (n,) in `strain` (n,)."""
    plain = strain == NO_TRUMP
    tricks = np.repeat(defence_tricks(deals, plain), 2)
    plain, row = np.repeat(plain, 2), np.repeat(level - min(LEVELS), 2)
    held = role_keys(deals.defenders.ravel(), np.repeat(strain, 2))
    shown = np.repeat(_talon_keys(deals.talon, strain), 2, axis=0)
    keys = np.column_stack([held, HOLDINGS + shown])
    holding = np.empty((len(LEVELS), len(ROLES), 256))
    cards = np.empty((len(LEVELS), len(ROLES), 8))
    for kind, roles in ((~plain, [TRUMP, SIDE]), (plain, [PLAIN])):
        fitted = _fit(keys[kind], tricks[kind], row[kind])
        holding[:, roles] = fitted[:, :HOLDINGS].reshape(holding.shape)[:, roles]
        cards[:, roles] = fitted[:, HOLDINGS:].reshape(cards.shape)[:, roles]
    holding[-1], cards[-1] = 0.0, 0.0
    holding[-1, TRUMP] = own_tables()[TRUMP]
    return FittedDefence(
        holding, cards, np.bincount(held.ravel(), minlength=HOLDINGS).reshape(len(ROLES), 256),
        np.bincount(shown.ravel(), minlength=CARDS).reshape(len(ROLES), 8))


def _talon_keys(talon: Masks, strain: Ints) -> Ints:
    """Where each of the talon's cards stands in a flat table by role and rank, intp (n, 2)."""
    low = talon & (~talon + np.uint32(1))
    card = np.bitwise_count(np.stack([low, talon ^ low], axis=1) - np.uint32(1)).astype(np.intp)
    suit, rank = np.divmod(card, 8)
    return np.take_along_axis(suit_roles(strain), suit, axis=1) * 8 + rank


def _fit(keys: Ints, tricks: Floats, row: Ints) -> Floats:
    """Entries of every level from hands of one kind of game, float64 (5, `ENTRIES`)."""
    size = np.maximum(np.bincount(row, minlength=len(LEVELS)), 1)
    mean = np.bincount(row, tricks, minlength=len(LEVELS)) / size
    common = _ridge(keys, tricks - mean[row], np.zeros(ENTRIES))
    table = np.empty((len(LEVELS), ENTRIES))
    for at in range(len(LEVELS)):
        where = row == at
        if not where.any():
            table[at] = _centred(common, keys, np.full(len(keys), 10.0 - LEVELS[at]))
            continue
        target = tricks[where] - tricks[where].mean()
        own = _ridge(keys[where], target, _slope(common[keys[where]].sum(axis=1), target) * common)
        table[at] = _centred(own, keys[where], tricks[where])
    return table


def _centred(table: Floats, keys: Ints, tricks: Floats) -> Floats:
    """The table moved so that talons add nothing on average, and the hands sum to the tricks."""
    table = table.copy()
    if not len(keys):
        return table
    table[HOLDINGS:] -= table[keys[:, 4:]].sum(axis=1).mean() / 2
    table[:HOLDINGS] += (tricks - table[keys].sum(axis=1)).mean() / 4
    return table


def _slope(values: Floats, target: Floats) -> float:
    """Least-squares multiple of `values` that is nearest to a target of mean 0."""
    centred = values - values.mean()
    return float(centred @ target / max(float(centred @ centred), 1e-9))


def _ridge(keys: Ints, target: Floats, prior: Floats) -> Floats:
    """Entries that sum to the target over each row's keys, drawn towards a prior."""
    normal = np.zeros((ENTRIES, ENTRIES))
    right = np.zeros(ENTRIES)
    left_over = target - prior[keys].sum(axis=1)
    for one in range(keys.shape[1]):
        right = right + np.bincount(keys[:, one], left_over, minlength=ENTRIES)
        for two in range(keys.shape[1]):
            normal += np.bincount(keys[:, one] * ENTRIES + keys[:, two],
                                  minlength=ENTRIES**2).reshape(ENTRIES, ENTRIES)
    fitted: Floats = prior + np.linalg.solve(normal + PENALTY * np.eye(ENTRIES), right)
    return fitted


def write_defence(fitted: FittedDefence, path: Path, told: str) -> None:
    """Write the tables as `advisor.advice.replies.defence_table` reads them."""
    lines = [f"# {told}",
             "# Tricks of both defenders that a defender's holding adds, by level of the contract;",
             "# a fourth of the level's mean is in every entry. byte: bit 0 the seven, bit 7 the "
             "ace.",
             f"# Then what a card{TALON} adds that all have seen, on average nothing.",
             ",".join(["role", "byte", "hands", *map(str, LEVELS)])]

    def add(role: str, byte: int, count: int, values: Floats) -> None:
        lines.append(",".join([role, str(byte), str(count), *(f"{v:.3f}" for v in values)]))

    for at, role in enumerate(ROLES):
        for byte in range(256):
            add(role, byte, fitted.held[at, byte], fitted.holding[:, at, byte])
    for at, role in enumerate(ROLES):
        for rank in range(8):
            add(role + TALON, 1 << rank, fitted.shown[at, rank], fitted.cards[:, at, rank])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
