"""The bidding model fitted by self-play: a call is likely where going on is worth it.

The chance to go to a level, where the choice comes up, is logistic in the stored gain
(`advisor.sampling.bidding_tables`), with `TEMPERATURE` whists for what hands of the same features
differ in and for errors. A style shifts the gain that is asked for by `MARGIN` whists. Both hold
where a pool point is worth ten whists, and are doubled where it is worth twenty. The gains are the
fitted answer to players who bid the same way, a quantal response equilibrium (McKelvey and
Palfrey, 1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from advisor.records.hand import HandRecord
from advisor.rules.auction import AuctionRules
from advisor.rules.conventions import Convention
from advisor.sampling.bidder import LimitBidder, Reach
from advisor.sampling.bidding_tables import (
    HOLES,
    MISERE_KNOTS,
    STRENGTHS,
    Features,
    Gains,
    features,
    gains_for,
)

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]
Style = Literal["careful", "normal", "bold"]

TEMPERATURE = 4.0
MARGIN = {"careful": 6.0, "normal": 0.0, "bold": -6.0}
STEPS, HOLE_STEPS = 20, 4  # of strength and holes, in a trick
NORMAL: tuple[Style, Style, Style] = ("normal", "normal", "normal")


@dataclass(frozen=True, slots=True)
class Chances:
    """Gains as probabilities, finely tabulated for one seat.

    Parameters
    ----------
    levels : float64 (41 steps of holes, 201 steps of strength, 5)
        Chance to go to each level.
    misere : float64 (201 steps of holes,)
    """

    levels: Floats
    misere: Floats

    def reach(self, seen: Features) -> Reach:
        """How far hands of these features go."""
        holes = np.minimum(seen.holes, 10.0)
        step, hole, fine = (np.rint(x).astype(np.intp) for x in (
            STEPS * seen.strength, HOLE_STEPS * holes, STEPS * holes))
        return Reach(self.levels[hole, step], seen.strain, self.misere[fine])


def chances(gains: Gains, seat: int, style: str = "normal") -> Chances:
    """Probabilities from gains; a level below the lowest legal one is as likely as that."""
    strengths, holes = (np.arange(10 * steps + 1) / steps for steps in (STEPS, HOLE_STEPS))
    margin, temperature = MARGIN[style] * gains.unit, TEMPERATURE * gains.unit
    known = gains.levels[seat]
    first = int(np.isnan(known[:, 0, 0]).sum())
    between = _between(HOLES, holes) @ known[first:] @ _between(STRENGTHS, strengths).T
    going = np.cumprod(logistic((between - margin) / temperature), axis=0)
    levels = np.concatenate([np.repeat(going[:1], first, axis=0), going])
    misere = np.interp(strengths, MISERE_KNOTS, gains.misere[seat])
    return Chances(np.ascontiguousarray(levels.transpose(1, 2, 0)),
                   logistic((misere - margin) / temperature))


def _between(knots: Floats, points: Floats) -> Floats:
    """Weights (points, knots) of linear interpolation, constant beyond the ends."""
    return np.stack([np.interp(points, knots, one) for one in np.eye(len(knots))], axis=1)


def logistic(z: Floats) -> Floats:
    """The logistic function, kept inside (0, 1)."""
    chance: Floats = 1 / (1 + np.exp(-np.clip(z, -20.0, 20.0)))
    return chance


@dataclass(frozen=True, eq=False)
class ChancesBidder(LimitBidder):
    """Players of given chances.

    Parameters
    ----------
    seats : tuple of Chances
    """

    seats: tuple[Chances, ...]

    def reach(self, hands: Masks, seat: int, rules: AuctionRules) -> Reach:
        """How far each hand goes."""
        return self.seats[seat].reach(features(hands, seat))


@dataclass(frozen=True)
class FittedBidder(LimitBidder):
    """Players who bid as self-play has it.

    Parameters
    ----------
    convention : Convention
        A user's own reads the tables of `advisor.rules.conventions.bidding_parent`.
    all_passes : int
        All-pass deals already played in a row.
    styles : tuple of str
        "careful", "normal" or "bold" by seat.
    """

    convention: Convention
    all_passes: int = 0
    styles: tuple[str, str, str] = NORMAL

    def reach(self, hands: Masks, seat: int, rules: AuctionRules) -> Reach:
        """How far each hand goes."""
        return _chances(self.convention, self.all_passes, seat, self.styles[seat]).reach(
            features(hands, seat))


def default_bidder(record: HandRecord) -> FittedBidder:
    """How the others bid if nobody says: as fitted, in the styles the record tells."""
    return FittedBidder(record.convention, record.all_passes, record.styles)


@lru_cache(maxsize=64)
def _chances(convention: Convention, all_passes: int, seat: int, style: str) -> Chances:
    return chances(gains_for(convention, all_passes), seat, style)
