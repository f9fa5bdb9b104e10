"""What a defender's holdings are worth: tricks of both defenders, regressed on one's own ten cards.

For each level the tricks of the defence are a mean and a sum over the four suits of a defender's
hand, by role: trumps, side suit beside trumps, suit in no trump. Games with trumps and in no trump
are fitted apart, as a level leaves the defence another mean. The sums of all levels together are
fitted first, those of each level drawn towards a multiple of them (ridge regression), so that a
rare holding against a rare contract falls back on what it is worth against others. Tens are too
rare to fit: against them only the guide's trump tricks count.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.advice.replies import own_tables
from advisor.fitting.bought import Bought
from advisor.rules.contracts import LEVELS
from advisor.tricks.fitted import distributions
from advisor.tricks.holdings import NO_TRUMP, PLAIN, ROLES, TRUMP, role_keys

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PENALTY = 30.0  # deals that a zero, or the entry of all levels, counts as
ENTRIES = len(ROLES) * 256


def defence_tricks(deals: Bought, plain: NDArray[np.bool_]) -> Floats:
    """Tricks of the defence against what is played, no trump where `plain` (n,); (n,)."""
    cells = deals.cells[plain.astype(np.intp), np.arange(len(deals))]
    return 10 - _mean_tricks()[cells]


def _mean_tricks() -> Floats:
    means: Floats = distributions() @ np.arange(11)
    return means


def fit_defence(deals: Bought, strain: Ints, level: Ints) -> tuple[Floats, NDArray[np.int64]]:
    """Fit the tables to deals declared at `level` (n,) in `strain` (n,).

    Returns
    -------
    table : float64 (5, 3, 256)
        As `advisor.advice.replies.defence_table` has it.
    count : int64 (3, 256)
        Hands with each holding in each role, of all levels.
    """
    tricks = np.repeat(defence_tricks(deals, strain == NO_TRUMP), 2)
    strain, row = np.repeat(strain, 2), np.repeat(level - min(LEVELS), 2)
    keys = role_keys(deals.defenders.ravel(), strain)
    plain = strain == NO_TRUMP
    table = np.empty((len(LEVELS), ENTRIES))
    for kind, roles in ((~plain, slice(PLAIN * 256)), (plain, slice(PLAIN * 256, ENTRIES))):
        table[:, roles] = _fit(keys[kind], tricks[kind], row[kind])[:, roles]
    table[-1] = 0.0
    table[-1, :256] = own_tables()[TRUMP]
    return table.reshape(len(LEVELS), len(ROLES), 256), np.bincount(
        keys.ravel(), minlength=ENTRIES).reshape(len(ROLES), 256)


def _fit(keys: Ints, tricks: Floats, row: Ints) -> Floats:
    """Entries of every level from hands of one kind of game, float64 (5, 768)."""
    size = np.maximum(np.bincount(row, minlength=len(LEVELS)), 1)
    mean = np.bincount(row, tricks, minlength=len(LEVELS)) / size
    common = _ridge(keys, tricks - mean[row], np.zeros(ENTRIES))
    table = np.empty((len(LEVELS), ENTRIES))
    for at in range(len(LEVELS)):
        where = row == at
        if not where.any():
            table[at] = common + (10 - LEVELS[at]) / 4
            continue
        target = tricks[where] - tricks[where].mean()
        own = _ridge(keys[where], target, _slope(common[keys[where]].sum(axis=1), target) * common)
        rest = float((tricks[where] - own[keys[where]].sum(axis=1)).mean())
        table[at] = own + rest / 4
    return table


def _slope(values: Floats, target: Floats) -> float:
    """Least-squares multiple of `values` that is nearest to a target of mean 0."""
    centred = values - values.mean()
    return float(centred @ target / max(float(centred @ centred), 1e-9))


def _ridge(keys: Ints, target: Floats, prior: Floats) -> Floats:
    """Entries that sum to the target over each row's four keys, drawn towards a prior."""
    normal = np.zeros((ENTRIES, ENTRIES))
    right = np.zeros(ENTRIES)
    left_over = target - prior[keys].sum(axis=1)
    for one in range(4):
        right = right + np.bincount(keys[:, one], left_over, minlength=ENTRIES)
        for two in range(4):
            normal += np.bincount(keys[:, one] * ENTRIES + keys[:, two],
                                  minlength=ENTRIES**2).reshape(ENTRIES, ENTRIES)
    fitted: Floats = prior + np.linalg.solve(normal + PENALTY * np.eye(ENTRIES), right)
    return fitted


def write_defence(table: Floats, count: NDArray[np.int64], path: Path, told: str) -> None:
    """Write the tables as `advisor.advice.replies.defence_table` reads them."""
    lines = [f"# {told}",
             "# Tricks of both defenders that a defender's holding adds, by level of the contract;",
             "# a fourth of the level's mean is in every entry. byte: bit 0 the seven, bit 7 the "
             "ace.",
             ",".join(["role", "byte", "hands", *map(str, LEVELS)])]
    for at, role in enumerate(ROLES):
        for byte in range(256):
            values = ",".join(f"{value:.3f}" for value in table[:, at, byte])
            lines.append(f"{role},{byte},{count[at, byte]},{values}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
