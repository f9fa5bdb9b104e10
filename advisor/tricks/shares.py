"""How the tricks of an all-pass are shared when nobody sees the others' cards: a fitted table.

Solved with open cards an all-pass flatters strong hands: whoever sees everything finds the moment
to throw his high cards, or to let another in. The table is fitted to all-passes played out by
players who see only their own cards (`advisor.tricks.cautious`, `advisor.fitting.shares`). Every
hand has a score, a sum over its suits; the hands' chances at each trick are as the exponentials of
their scores, and the tricks of a deal are a multinomial draw.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from advisor.paths import data_path
from advisor.tricks.estimate import hole_tables, suit_bytes

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]
Mode = Literal["closed", "suit_only", "plays"]

FILE = "tables/all_pass.csv"
MODES: tuple[Mode, ...] = ("closed", "suit_only", "plays")
TRICKS = 10
LEAST = 0.3  # added to the forced tricks before their logarithm: even a safe hand may take one


@dataclass(frozen=True, slots=True)
class ShareTable:
    """The entries of the scores.

    Parameters
    ----------
    holding : float64 (256,)
        Of each suit's holding.
    turned : float64 (256,)
        Once more, of the holding in the suit of each talon card that leads a trick.
    place : float64 (3, 3)
        By mode (`MODES`) and seat.
    forced : float
        Of the logarithm of the tricks that the printed misère holes force upon the hand.
    dealer : float64 (8,)
        Chance that a talon card of each rank, 7 to A, takes the trick it leads, where it plays.
    """

    holding: Floats
    turned: Floats
    place: Floats
    forced: float
    dealer: Floats

    def scores(self, hands: Masks, talon: Masks, mode: Mode) -> Floats:
        """Scores of the hands (..., 3) with the talon (...), (..., 3)."""
        suits = suit_bytes(hands)
        scores: Floats = (
            self.holding[suits].sum(axis=-1) + self.place[MODES.index(mode)]
            + self.forced * np.log(hole_tables()[0][suits].sum(axis=-1) + LEAST))
        if mode != "closed":
            led = np.bitwise_count(suit_bytes(talon))[..., None, :]
            scores += (self.turned[suits] * led).sum(axis=-1)
        return scores

    def shares(self, hands: Masks, talon: Masks, mode: Mode) -> Floats:
        """Each hand's chance at a trick that is not the dealer's, (..., 3)."""
        scores = self.scores(hands, talon, mode)
        part = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares: Floats = part / part.sum(axis=-1, keepdims=True)
        return shares

    def dealer_chances(self, talon: Masks) -> Floats:
        """Chances that the dealer takes 0, 1, 2 tricks with the talon (...), (..., 3)."""
        held = (talon[..., None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)).astype(bool)
        miss = np.where(held, 1 - np.tile(self.dealer, 4), 1.0).prod(axis=-1)
        both = np.where(held, np.tile(self.dealer, 4), 1.0).prod(axis=-1)
        return np.stack([miss, 1 - miss - both, both], axis=-1)


@cache
def share_table() -> ShareTable:
    """The stored table."""
    found: dict[str, dict[str, float]] = {}
    lines = data_path(FILE).read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        found.setdefault(row["part"], {})[row["key"]] = float(row["value"])
    holding, turned = (np.array([found[part][str(byte)] for byte in range(256)])
                       for part in ("holding", "turned"))
    return ShareTable(
        holding, turned,
        np.array([[found["place"][f"{mode} {seat + 1}"] for seat in range(3)] for mode in MODES]),
        found["forced"]["log"],
        np.array([found["dealer"][str(rank)] for rank in range(8)]))


def expected(shares: Floats, worth: Floats, tricks: int = TRICKS) -> Floats:
    """Mean worth over the draws of `tricks` tricks.

    Parameters
    ----------
    shares : float64 (..., 3)
    worth : float64 (11, 11, ...)
        By tricks of the first and of the second hand; further axes are kept.
    tricks : int

    Returns
    -------
    float64 (...) of the shares' shape, then the further axes of `worth`
    """
    powers = np.ones((tricks + 1, 3, *shares.shape[:-1]))
    np.cumprod(np.broadcast_to(np.moveaxis(shares, -1, 0), powers[1:].shape), axis=0,
               out=powers[1:])
    flat = worth.reshape(*worth.shape[:2], -1)
    mean: Floats = np.zeros((flat.shape[2], *shares.shape[:-1]))
    for first in range(tricks + 1):
        left = tricks - first
        ways = np.array([comb(tricks, first) * comb(left, n) for n in range(left + 1)])
        mean += powers[first, 0] * np.einsum(
            "n...,n...,nw->w...", powers[: left + 1, 1], powers[left::-1, 2],
            ways[:, None] * flat[first, : left + 1])
    return np.moveaxis(mean, 0, -1).reshape(*shares.shape[:-1], *worth.shape[2:])
