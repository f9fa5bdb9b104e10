"""Tricks by the declarer's own holdings alone, fitted to solved deals: the coarse table.

A holding has a value as trumps, as a side suit beside trumps, and in no trump, each with the
declarer on lead or not; a hand's tricks are the sum over its suits. It serves the first screen
before layouts are looked at, and the audit of the printed guide. ``data/tables/README.md``
describes the file.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from advisor.paths import data_path
from advisor.tricks.estimate import suit_bytes, trick_distribution
from advisor.tricks.guide import SMALL

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

FILE = "tables/holdings.csv"
SPREAD = (0.68, 0.96)  # of declarers' tricks around the means, as tables/provenance.json has it
ROLES = ("trump", "side", "no trump")
TRUMP, SIDE, PLAIN = range(len(ROLES))
NO_TRUMP = 4


def suit_roles(strain: NDArray[np.integer] | int) -> NDArray[np.intp]:
    """Each suit's place in `ROLES` when a strain (...) is played, intp (..., 4)."""
    played = np.asarray(strain)[..., None]
    beside = np.where(played == NO_TRUMP, PLAIN, SIDE)
    return np.where(np.arange(4) == played, TRUMP, beside).astype(np.intp)


def role_keys(hands: Masks, strain: NDArray[np.integer] | int) -> NDArray[np.intp]:
    """Where each suit of hands (...) stands in a flat table by role and holding, intp (..., 4)."""
    keys: NDArray[np.intp] = suit_roles(strain) * 256 + suit_bytes(hands)
    return keys


@dataclass(frozen=True, slots=True)
class Audited:
    """What a holding is worth by solved deals.

    Parameters
    ----------
    role : str
        One of `ROLES`.
    own_lead : bool
        The declarer leads to the first trick.
    tricks, se : float
        Contribution to the declarer's tricks, and its standard error, deals clustered; nan where no
        deal had it.
    deals : int
        Deals with this holding in this role that it was fitted to.
    """

    role: str
    own_lead: bool
    tricks: float
    se: float
    deals: int


@dataclass(frozen=True, slots=True)
class Holdings:
    """The coarse table; axes are `ROLES`, own lead, holding.

    Parameters
    ----------
    tricks, se : float64 (3, 2, 256)
        What a holding adds to the declarer's tricks, and its standard error; nan where no deal was
        seen.
    alike_se : float64 (3, 2, 256)
        Standard error of the average, by deals, of the holdings that are `alike`.
    deals : int64 (3, 2, 256)
        Deals behind it.
    """

    tricks: Floats
    se: Floats
    alike_se: Floats
    deals: NDArray[np.int64]


@cache
def holdings() -> Holdings:
    """The table that comes with the package."""
    tricks, se, alike_se = np.zeros((3, 2, 256)), *np.full((2, 3, 2, 256), np.nan)
    deals = np.zeros((3, 2, 256), dtype=np.int64)
    lines = data_path(FILE).read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        at = ROLES.index(row["role"]), int(row["own_lead"]), int(row["byte"])
        tricks[at] = float(row["tricks"])
        se[at], alike_se[at] = (float(row.get(name) or "nan") for name in ("se", "alike_se"))
        deals[at] = int(row["deals"])
    return Holdings(tricks, se, alike_se, deals)


def holding_means(hands: Masks, on_lead: bool) -> Floats:
    """Expected tricks of a declarer's ten cards for each strain, float64 (..., 5)."""
    return means_from(holdings().tricks[:, int(on_lead)], hands)


def means_from(values: Floats, hands: Masks) -> Floats:
    """Means by a table of values (3 roles, 256); see `holding_means`."""
    suits = suit_bytes(hands)
    side = values[1][suits]
    means = np.empty((*suits.shape[:-1], 5))
    means[..., :4] = side.sum(axis=-1, keepdims=True) - side + values[0][suits]
    means[..., 4] = values[2][suits].sum(axis=-1)
    return np.clip(means, 0.0, 10.0, out=means)


def coarse_distribution(means: Floats, certain: NDArray[np.integer]) -> Floats:
    """Probability of 0..10 tricks around coarse means (..., 5), as the guide's but narrower."""
    return trick_distribution(means, certain, SPREAD)


def audit(byte: int) -> tuple[Audited, ...]:
    """A holding in every role, led by the declarer or not.

    As the guide has it, all cards below the jack are the same: holdings with the same honours and
    as many small cards are averaged, each by its deals.
    """
    group, table = alike(byte), holdings()
    out = []
    for r, role in enumerate(ROLES):
        for lead in (False, True):
            at = r, int(lead), group
            deals = table.deals[at]
            seen = deals > 0
            value = np.average(table.tricks[at], weights=deals) if seen.any() else np.nan
            error = table.alike_se[at][seen][0] if seen.any() else np.nan
            out.append(Audited(role, lead, float(value), float(error), int(deals.sum())))
    return tuple(out)


def alike(byte: int) -> NDArray[np.intp]:
    """Holdings with the same honours and as many cards below the jack."""
    every = np.arange(256, dtype=np.uint8)
    small = np.bitwise_count(every & np.uint8(SMALL))
    same: NDArray[np.intp] = np.flatnonzero(
        (every & ~np.uint8(SMALL) == byte & ~SMALL) & (small == small[byte]))
    return same
