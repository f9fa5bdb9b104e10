"""What going on is worth, by a hand's strength and holes: tables fitted by self-play.

An entry is a difference in net whists: going to a level against stopping below it, where that
choice comes up; or calling misère against the best the hand does otherwise. `advisor fit-bidder`
writes them, ``data/bidding/README.md`` describes the files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.paths import data_path
from advisor.rules.conventions import Convention, bidding_parent
from advisor.sampling.bidder import LONGER
from advisor.tricks.estimate import hole_tables, suit_bytes
from advisor.tricks.holdings import holding_means

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

FOLDER = "bidding"
STRENGTHS = np.arange(0.0, 10.25, 0.5)  # tricks in the best suit
HOLES = np.arange(1.5, 8.0, 1.5)  # misère tricks
MISERE_KNOTS = np.arange(0.0, 4.1, 0.25)  # misère tricks
LARGEST = 80.0  # whists for each unit; beyond it a chance is 0 or 1 for all purposes


@dataclass(frozen=True, slots=True)
class Situation:
    """A place in a row of all-passes, as far as bidding depends on it.

    Parameters
    ----------
    number : int
        The place an all-pass of this deal would have in its row, from 1.
    min_level : int
        Lowest level legal.
    price : int
        Of a trick in that all-pass, as the convention counts.
    """

    number: int
    min_level: int
    price: int


@dataclass(frozen=True, slots=True)
class Gains:
    """Net whists gained by going on, in one situation.

    Parameters
    ----------
    levels : float64 (3 seats, 5 levels, holes, strengths)
        Rising with the strength; nan below the lowest level.
    misere : float64 (3 seats, misère holes)
        Falling with the holes.
    unit : float
        The convention's scale: whists of a pool point over ten.
    """

    levels: Floats
    misere: Floats
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class Features:
    """What the model sees of hands, each (...).

    Parameters
    ----------
    strength : float64
        Expected tricks of the ten cards in the best suit, by the coarse fitted table.
    strain : intp
        That suit; of equal ones the longest.
    holes : float64
        Expected tricks of the ten cards on misère, by the printed holes.
    """

    strength: Floats
    strain: NDArray[np.intp]
    holes: Floats


def features(hands: Masks, seat: int) -> Features:
    """What the model sees of hands (...) of a seat; the first hand will lead."""
    suits = suit_bytes(hands)
    means = holding_means(hands, seat == 0)[..., :4]
    strain = np.argmax(means + LONGER * np.bitwise_count(suits), axis=-1)
    return Features(means.max(axis=-1), strain, hole_tables()[0][suits].sum(axis=-1))


def situations(convention: Convention) -> tuple[Situation, ...]:
    """The places 1, 2 and 3 of a row that differ in the lowest level or the price."""
    found: dict[tuple[int, int], Situation] = {}
    for number in (1, 2, 3):
        key = convention.min_level(number - 1), convention.all_pass_trick(number)
        found.setdefault(key, Situation(number, *key))
    return tuple(found.values())


def nearest(known: tuple[Situation, ...], convention: Convention, all_passes: int) -> int:
    """Index of the situation most like the one after so many all-passes: level, then price."""
    level = convention.min_level(all_passes)
    price = convention.all_pass_trick(all_passes + 1)
    return min(range(len(known)), key=lambda i: (
        abs(known[i].min_level - level), abs(known[i].price - price)))


def unit_of(convention: Convention) -> float:
    """Whists of a pool point over ten: 2 where everything is written at double prices."""
    return convention.pool_point / 10


@lru_cache(maxsize=32)
def gains_for(convention: Convention, all_passes: int) -> Gains:
    """The stored gains of a convention, or of the shipped one nearest to a user's own."""
    known, gains = _stored(bidding_parent(convention))
    return gains[nearest(known, convention, all_passes)]


def next_deal_worth(convention: Convention, all_passes: int, seat: int) -> float:
    """What another all-pass adds to the next deal at a table of three, net whists.

    Its all-pass is dearer, or its lowest level higher, than where the row ends; and the seats have
    moved on by one, the second hand of this deal being first in the next. Only the next deal is
    looked at, as the stored frequencies play it.

    Parameters
    ----------
    convention : Convention
    all_passes : int
        Played in a row before this deal.
    seat : int
        The player's seat in this deal.
    """
    known, nets = _stored_nets(bidding_parent(convention))
    follows = nets[nearest(known, convention, all_passes + 1)]
    fresh = nets[nearest(known, convention, 0)]
    return (follows[seat - 1] - fresh[seat - 1]) * unit_of(convention)


@cache
def _stored_nets(name: str) -> tuple[tuple[Situation, ...], tuple[tuple[float, ...], ...]]:
    data = json.loads(data_path(f"{FOLDER}/{name}.json").read_text(encoding="utf-8"))
    unit = data["unit"]
    return _stored(name)[0], tuple(
        tuple(net / unit for net in one["nets"]) for one in data["situations"])


@cache
def _stored(name: str) -> tuple[tuple[Situation, ...], tuple[Gains, ...]]:
    return read_gains(data_path(f"{FOLDER}/{name}.json"))


def read_gains(path: Path) -> tuple[tuple[Situation, ...], tuple[Gains, ...]]:
    """Read the gains of one convention, situation by situation."""
    return gains_from(json.loads(path.read_text(encoding="utf-8")))


def gains_from(data: dict[str, Any]) -> tuple[tuple[Situation, ...], tuple[Gains, ...]]:
    """The gains in the contents of a file."""
    known, gains = [], []
    for one in data["situations"]:
        known.append(Situation(one["number"], one["min_level"], one["price"]))
        shape = 3, -1, len(HOLES), len(STRENGTHS)
        stored = np.array(one["levels"], dtype=np.float64).reshape(shape)
        levels = np.full((3, 5, *shape[2:]), np.nan)
        levels[:, one["min_level"] - 6:] = stored
        gains.append(Gains(levels, np.array(one["misere"], dtype=np.float64),
                           data["unit"]))
    return tuple(known), tuple(gains)
