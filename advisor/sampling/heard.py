"""Layouts of equal weight after the calls heard, for what cannot weigh layouts itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.records.hand import HandRecord
from advisor.sampling.bidder import Bidder, weigh
from advisor.sampling.deals import effective_size
from advisor.sampling.fitted_bidder import default_bidder
from advisor.sampling.unseen import Masks, Unseen

POOL = 20  # layouts looked at for each one kept, where calls weigh


@dataclass(frozen=True, slots=True)
class Layouts:
    """Layouts of the hidden hands once the talon is known.

    Parameters
    ----------
    hands : uint32 (n, 2)
        Hands of the next player clockwise and of the third, in random order.
    ess : float
        Effective size of the pool they were drawn from, layouts; infinite without calls that
        weigh, or with a pool of all layouts.
    exhaustive : bool
        Every layout is there once, and all are equally likely.
    """

    hands: Masks
    ess: float = np.inf
    exhaustive: bool = False

    @property
    def widening(self) -> float:
        """What a standard error that takes the layouts for independent is to be multiplied by."""
        return float(np.sqrt(1 + len(self.hands) / self.ess))


def heard_layouts(
    record: HandRecord, unseen: Unseen, n: int, rng: np.random.Generator,
    bidder: Bidder | None = None,
) -> Layouts:
    """Draw layouts by their likelihood after the calls heard.

    Where no call tells anything they are drawn evenly, from `Unseen.count` on each once. Else a
    pool `POOL` times as large, or of all layouts, is weighed, and the layouts are taken from it in
    equal steps of the sum of weights (systematic sampling: Cochran, Sampling Techniques, 3rd ed.,
    chapter 8), so that each comes as often as its weight says, give or take one.

    Parameters
    ----------
    record : HandRecord
        Seat and auction.
    unseen : Unseen
        Twenty cards: the talon is known, or assumed.
    n : int
        Layouts wanted, at least 1.
    rng : numpy.random.Generator
    bidder : Bidder, optional
        Model of the others' calls; `default_bidder` if not given.
    """
    hands, every = _drawn(unseen, n, rng)
    model = bidder or default_bidder(record)
    weight = _weight(record, hands, model)
    if np.ptp(weight) == 0:
        return Layouts(hands, exhaustive=every)
    hands, every = _drawn(unseen, POOL * n, rng)
    upto = np.cumsum(_weight(record, hands, model))
    n = min(n, unseen.count)
    steps = (np.arange(n) + rng.random()) / n * upto[-1]
    rows = rng.permutation(np.minimum(np.searchsorted(upto, steps), len(hands) - 1))
    return Layouts(hands[rows], np.inf if every else effective_size(np.diff(upto, prepend=0)))


def _drawn(unseen: Unseen, n: int, rng: np.random.Generator) -> tuple[Masks, bool]:
    """Layouts (n, 2) drawn evenly, or all of them in random order."""
    if n >= unseen.count:
        return np.ascontiguousarray(unseen.unrank(rng.permutation(unseen.count))[:, :2]), True
    return np.ascontiguousarray(unseen.sample(n, rng)[:2].T), False


def _weight(record: HandRecord, hands: Masks, bidder: Bidder) -> NDArray[np.float64]:
    seats = np.full((1, len(hands), 3), record.cards, dtype=np.uint32)
    for place in (0, 1):
        seats[0, :, (record.seat + 1 + place) % 3] = hands[:, place]
    weight: NDArray[np.float64] = weigh(bidder, record.auction, record.seat, seats,
                                        np.zeros(1, dtype=np.uint32))[0]
    return weight
