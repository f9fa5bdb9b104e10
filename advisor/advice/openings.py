"""What opening is worth against passing, hand by hand: for curves over many hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bidding import BidTable, drawn_limits, own_limits, play_all, rank
from advisor.advice.decide import sample_deals
from advisor.advice.results import ALL_PASS_END
from advisor.advice.statistics import Estimate
from advisor.cards import format_hand
from advisor.records.decider import auction_rules
from advisor.records.hand import HandRecord
from advisor.rules.auction import Auction
from advisor.rules.calls import PASS, Call
from advisor.rules.conventions import Convention
from advisor.sampling.bidding_tables import features, unit_of
from advisor.sampling.fitted_bidder import default_bidder

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

SIX_SPADES = Call.game(6, 0)
STEPS = 15  # of Newton's method
SHRINK = 0.05  # towards a flat curve, so that few hands which part neatly have one too
RESAMPLES = 400


@dataclass(frozen=True, slots=True)
class Opening:
    """One hand that may open the auction, the others having passed before it.

    Parameters
    ----------
    record : HandRecord
    strength : float
        Tricks of the ten cards in the best suit, by the coarse fitted table.
    holes : float
        Tricks of the ten cards on misère, by the printed holes.
    six, passed, gain : Estimate
        Expected score of six spades and of pass, and the difference taken deal by deal, net
        whists.
    all_pass : float
        Share of the deals that end in an all-pass after the pass.
    best : Call or None
        The best of all calls, where they were all valued.
    """

    record: HandRecord
    strength: float
    holes: float
    six: Estimate
    passed: Estimate
    gain: Estimate
    all_pass: float
    best: Call | None = None


def random_hands(n: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Hands of ten cards as they are dealt, as masks."""
    return tuple(sum(1 << card for card in rng.permutation(32)[:10].tolist()) for _ in range(n))


def first_bid(hand: int, seat: int, convention: Convention) -> HandRecord:
    """The question of who may open at a table of three; whoever sits before has passed."""
    auction = Auction(auction_rules(convention, 0))
    for _ in range(seat):
        auction = auction.after(PASS)
    return HandRecord(hand, seat, auction, convention)


def opening(
    hand: int, seat: int, convention: Convention, deals: int, seed: int = 1, *,
    every_call: bool = True,
) -> Opening:
    """Value six spades against pass, by the fitted tables.

    Six spades is the lowest call, so it stands for opening in any suit: after it everything may
    still be declared.

    Parameters
    ----------
    hand : int
        Mask of ten cards.
    seat : int
        0, 1, 2.
    convention : Convention
    deals : int
    seed : int
        The same deals of a hand and seat, whatever the convention, as long as nobody has called;
        after passes they are weighed by its own bidding.
    every_call : bool
        Whether to value all calls, to tell the best.
    """
    record = first_bid(hand, seat, convention)
    rng, model = np.random.default_rng(seed), default_bidder(record)
    drawn = sample_deals(record, deals, rng, model)
    table = BidTable(record, drawn, drawn_limits(record, drawn, model, rng), fitted=True)
    if every_call:
        played, _ = play_all(table)
        best = rank(played, drawn)[0].call
    else:
        limit = own_limits(table)
        played, best = table.play_each((SIX_SPADES, PASS), limit), None
    six, passed = played[SIX_SPADES].score(drawn), played[PASS].score(drawn)
    seen = features(np.array([hand], dtype=np.uint32), seat)
    return Opening(
        record, float(seen.strength[0]), float(seen.holes[0]), six.estimate(), passed.estimate(),
        (six - passed).estimate(), played[PASS].ends[ALL_PASS_END], best)


def openings_frame(found: Iterable[Opening]) -> pd.DataFrame:
    """Openings as a table, one row each.

    Columns: hand, seat (1..3), convention, strength, holes (tricks), six, six_se, passed,
    passed_se, gain, gain_se (net whists), unit (whists of a pool point over ten), all_pass (share
    of the deals), best, opens (whether the best is no pass); the last two are missing where
    not every call was valued.
    """
    import pandas as pd

    return pd.DataFrame([
        {"hand": format_hand(one.record.cards), "seat": one.record.seat + 1,
         "convention": one.record.convention.title_en, "strength": one.strength,
         "holes": one.holes, "six": one.six.mean, "six_se": one.six.se,
         "passed": one.passed.mean, "passed_se": one.passed.se, "gain": one.gain.mean,
         "gain_se": one.gain.se, "unit": unit_of(one.record.convention),
         "all_pass": one.all_pass, "best": None if one.best is None else str(one.best),
         "opens": None if one.best is None else one.best != PASS}
        for one in found])


def even_strength(frame: pd.DataFrame, seed: int = 1) -> Estimate:
    """The strength at which every second hand gains by opening.

    A logistic curve in the strength is fitted to whether hands gain. Unlike the strength at which
    the mean gain is nought it does not hang on the few hands that gain very much.

    Parameters
    ----------
    frame : DataFrame
        As `openings_frame` gives it.
    seed : int
        Of the hands drawn again for the error.

    Returns
    -------
    Estimate
        In tricks; the error is the spread over `RESAMPLES` samples of as many hands drawn from
        these (bootstrap). nan where strength does not tell who gains.
    """
    strength, gains = frame.strength.to_numpy(), frame.gain.to_numpy() > 0
    rng = np.random.default_rng(seed)
    drawn = np.array([_even(strength[rows], gains[rows])
                      for rows in rng.integers(len(gains), size=(RESAMPLES, len(gains)))])
    known = drawn[np.isfinite(drawn)]
    error = float(np.std(known, ddof=1)) if len(known) > RESAMPLES // 2 else float("nan")
    return Estimate(_even(strength, gains), error)


def _even(strength: Floats, gains: NDArray[np.bool_]) -> float:
    """Where the logistic curve is at one half, by Newton's method."""
    if gains.all() or not gains.any():
        return float("nan")
    centre = float(strength.mean())
    terms = np.stack([np.ones(len(strength)), strength - centre])
    weights = np.zeros(2)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(weights @ terms, -30, 30)))
        slope = terms @ (gains - chance) - SHRINK * weights
        curve = (terms * (chance * (1 - chance))) @ terms.T + SHRINK * np.eye(2)
        weights = weights + np.linalg.solve(curve, slope)
    return centre - float(weights[0] / weights[1]) if weights[1] > 0 else float("nan")


def binned(frame: pd.DataFrame, edges: Sequence[float], value: str = "gain") -> pd.DataFrame:
    """Means by strength, with the spread between hands.

    Parameters
    ----------
    frame : DataFrame
        As `openings_frame` gives it.
    edges : sequence of float
        Of the bins, tricks.
    value : str
        A column; net whists are divided by `unit`.

    Returns
    -------
    DataFrame
        One row a bin with two hands or more: strength (their mean, tricks), mean, se (of the mean
        over hands), hands, opens (share of hands that gain by opening).
    """
    import pandas as pd

    rows = []
    for low, high in pairwise(edges):
        part = frame[(frame.strength >= low) & (frame.strength < high)]
        if len(part) < 2:
            continue
        values = part[value] / part.unit
        rows.append({"strength": part.strength.mean(), "mean": values.mean(),
                     "se": values.std(ddof=1) / len(part) ** 0.5, "hands": len(part),
                     "opens": (part.gain > 0).mean()})
    return pd.DataFrame(rows, columns=["strength", "mean", "se", "hands", "opens"])
