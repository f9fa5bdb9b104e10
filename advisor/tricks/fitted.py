"""Tricks of a deal whose layout is known, from tables fitted to solved deals.

The mean is a sum of table entries (`advisor.tricks.terms`). A further small table says how sure
it is (one of a few classes), and the *link* gives the distribution of tricks for class and mean; it
is counted from deals the means were not fitted to. Below the declarer's certain tricks it is cut
off. The files are described in ``data/tables/README.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.paths import data_path
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.layouts import suit_layouts
from advisor.tricks.terms import (
    NO_TRUMP_SPREAD,
    NO_TRUMP_TERMS,
    TRUMP_SPREAD,
    TRUMP_TERMS,
    no_trump_terms,
    trump_terms,
)

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]
Ints = NDArray[np.int64]

FILE = "tables/layouts.npz"
UNIT = 256  # entries are stored in 1/256 trick
STEPS = 20  # of the mean, in a trick
MEANS = 10 * STEPS + 1
BLOCK = 1 << 14


@dataclass(frozen=True, slots=True)
class Half:
    """The tables of games with trumps, or of no trump.

    Parameters
    ----------
    constant : float
        Tricks.
    tables : mapping of name to float32, flat
        Tricks; see `advisor.tricks.terms`.
    spread : uint8, flat
        Class of spread, by the entry of the spread term.
    """

    constant: float
    tables: Mapping[str, NDArray[np.float32]]
    spread: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything fitted.

    Parameters
    ----------
    trump, no_trump : Half
    alone : uint8 (4, 9841)
        As `advisor.fitting.alone.alone_table` gives them.
    link : float64 (2, classes, 201, 11)
        Probability of each number of tricks: with trumps or without, class of spread, mean.
    """

    trump: Half
    no_trump: Half
    alone: NDArray[np.uint8]
    link: Floats

    def means(
        self, hands: Masks, strain: Ints | int, leader: Ints | int
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """Mean tricks of deals, and their classes of spread.

        Parameters
        ----------
        hands : uint32 (n, 3)
            The declarer's hand first, then clockwise.
        strain, leader : int (n,), or one for all
            Strain 0..4; column of the leader.

        Returns
        -------
        mean : float64 (n,)
            Tricks, between 0 and 10.
        spread : uint8 (n,)
        """
        strain, leader = (np.broadcast_to(np.asarray(one, dtype=np.int64), len(hands))
                          for one in (strain, leader))
        mean = np.empty(len(hands))
        spread = np.empty(len(hands), dtype=np.uint8)
        for start in range(0, len(hands), BLOCK):
            part = slice(start, start + BLOCK)
            layouts = suit_layouts(*hands[part].T)
            strains, leaders = strain[part], leader[part]
            plain = strains == NO_TRUMP
            for rows, half in ((~plain, self.trump), (plain, self.no_trump)):
                if not rows.any():
                    continue
                if half is self.trump:
                    index = trump_terms(layouts[rows], strains[rows], leaders[rows], self.alone)
                    which = index[TRUMP_SPREAD]
                else:
                    index = no_trump_terms(layouts[rows], leaders[rows], self.alone)
                    which = index[NO_TRUMP_SPREAD]
                total = np.full(len(which), half.constant)
                for name, entries in index.items():
                    table = half.tables[name]
                    for column in range(entries.shape[1]):
                        total += table[entries[:, column]]
                mean[part][rows] = total
                spread[part][rows] = half.spread[which[:, 0]]
        return np.clip(mean, 0.0, 10.0), spread

    def cells(
        self, hands: Masks, strain: Ints | int, leader: Ints | int, certain: Ints | int = 0
    ) -> NDArray[np.intp]:
        """Rows of `distributions`, intp (...), for deals (..., 3).

        `strain`, `leader`, and the tricks that are the declarer's in any, broadcast to them.
        """
        shape = hands.shape[:-1]
        strains, leaders = np.broadcast_to(strain, shape), np.broadcast_to(leader, shape)
        mean, spread = (one.reshape(shape) for one in self.means(
            hands.reshape(-1, 3), strains.ravel(), leaders.ravel()))
        step = np.rint(mean * STEPS).astype(np.intp)
        classes = self.link.shape[1]
        cells: NDArray[np.intp] = ((np.asarray(certain, dtype=np.intp) * 2
                                    + (strains == NO_TRUMP)) * classes + spread) * MEANS + step
        return cells


@cache
def tables() -> Tables:
    """The tables that come with the package."""
    return read_tables(data_path(FILE))


def read_tables(path: Path) -> Tables:
    """Read fitted tables from an npz file."""
    with np.load(path) as file:
        halves = [
            Half(float(file[f"{name}_constant"]),
                 {term: file[f"{name}_{term}"].astype(np.float32).ravel() / np.float32(UNIT)
                  for term in terms},
                 file[f"{name}_spread"].ravel())
            for name, terms in (("trump", TRUMP_TERMS), ("no_trump", NO_TRUMP_TERMS))]
        return Tables(halves[0], halves[1], file["alone"], file["link"].astype(np.float64))


def cut(link: Floats) -> Floats:
    """Distributions by certain tricks: cut off below them, float64 (11, ..., 11).

    Where nothing is left the certain tricks themselves are taken.
    """
    reach = np.arange(11) >= np.arange(11)[:, None]
    out = link[None] * reach.reshape(11, *([1] * (link.ndim - 1)), 11)
    left = out.sum(axis=-1, keepdims=True)
    sure = np.eye(11).reshape(11, *([1] * (link.ndim - 1)), 11)
    return np.where(left > 1e-6, out / np.maximum(left, 1e-6), sure)


@cache
def distributions() -> Floats:
    """Probability of 0..10 tricks for every cell, float64 (cells, 11); read-only."""
    rows: Floats = cut(tables().link).reshape(-1, 11)
    rows.flags.writeable = False
    return rows
