"""Who buys the auction, and at what: every seat goes on up to its limit.

A shortcut for the real exchange of calls: the highest limit wins, at the cheapest call that the
runner-up would not overcall. An earlier hand may hold a call where the convention lets it; a later
one must go one higher.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.rules.auction import Auction
from advisor.rules.calls import HOLD, MISERE_CALL, PASS, Call, CallKind
from advisor.rules.contracts import LEVELS
from advisor.sampling.bidder import PASS_LIMIT, Floats, game_places

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Purchase:
    """How auctions end.

    Parameters
    ----------
    winner : intp (...)
        Seat that declares, `NOBODY` for an all-pass.
    place : intp (...)
        Ladder place of the winning call, -1 for an all-pass.
    """

    winner: NDArray[np.intp]
    place: NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Ladder:
    """Ladder places as look-up tables; ``above[p + 1]`` is the next game above place p."""

    above: NDArray[np.intp]
    at: NDArray[np.intp]
    opening: int
    misere: int


def _ladder(auction: Auction) -> _Ladder:
    order = auction.rules.order
    games = game_places(order)[auction.rules.min_level - min(LEVELS):].ravel().astype(np.intp)
    size = len(order.places) + 1
    points = np.arange(-1, size)
    top = games[-1]
    above = np.array([next((g for g in games if g > p), top) for p in points], dtype=np.intp)
    at = np.array([next((g for g in games if g >= p), top) for p in points], dtype=np.intp)
    return _Ladder(above, at, int(games[0]), order.places[MISERE_CALL])


def buy(auction: Auction, limits: tuple[Floats, Floats, Floats]) -> Purchase:
    """Play an auction out.

    Parameters
    ----------
    auction : Auction
        The calls so far.
    limits : three float64 arrays, broadcastable
        By seat: the highest ladder place each would go to, `PASS_LIMIT` for out.

    Notes
    -----
    Called out step by step with the same limits, auctions end with the same winner, and in 98 of
    100 at the same price. Else it is one call off: the two beaten limits are equal or next to each
    other, and the price depends on which of the two drops out first. Where the convention knows no
    hold, the price may be one call too high, since there it depends on who comes to say the
    runner-up's limit, and of equal limits the earlier hand wins.
    """
    ladder = _ladder(auction)
    limit = np.stack(np.broadcast_arrays(*limits))
    idle = (limit < ladder.opening) & (limit != ladder.misere)
    limit = np.where(idle, PASS_LIMIT, limit)
    seats = np.arange(3).reshape(3, *[1] * (limit.ndim - 1))
    standing, holder = _standing(auction)
    may_hold = _may_hold(auction, limit)
    if holder is not None:
        limit[holder] = np.maximum(limit[holder], standing)
        beaten = (limit <= standing) & (seats != holder)
        limit = np.where(beaten & ~((limit == standing) & may_hold), PASS_LIMIT, limit)
    winner = (limit + 0.5 * (may_hold & (limit == standing))).argmax(axis=0)
    best = limit.max(axis=0)
    others = np.where(seats == winner, PASS_LIMIT - 1, limit)
    runner, second = others.argmax(axis=0), others.max(axis=0).astype(np.intp)
    second = np.maximum(second, -1)
    holds = (winner < runner) & _right_to_hold(auction, winner)
    price = np.where(holds, ladder.at[second + 1], ladder.above[second + 1])
    price = np.minimum(price, np.maximum(best, ladder.opening)).astype(np.intp)
    if holder is None:
        price = np.maximum(price, ladder.opening)
    else:
        stood = (winner == holder) & (second < standing)
        repeats = np.take_along_axis(may_hold, winner[None], axis=0)[0] & (second <= standing)
        lowest = np.where(stood, standing, ladder.above[standing + 1])
        price = np.where(stood | repeats, standing, np.maximum(price, lowest))
    price = np.where(best == ladder.misere, ladder.misere, price)
    nobody = best < 0
    return Purchase(np.where(nobody, NOBODY, winner), np.where(nobody, -1, price))


def _standing(auction: Auction) -> tuple[int, int | None]:
    if auction.last_call is None or auction.holder is None:
        return -1, None
    return auction.rules.order.places[auction.last_call], auction.holder


def _right_to_hold(auction: Auction, seat: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which seats the convention ever lets hold a later hand's call."""
    rule = auction.rules.hold
    return np.where(rule == "first_hand_only", seat == 0, rule != "none")


def _may_hold(auction: Auction, limit: Floats) -> NDArray[np.bool_]:
    """Which seats may repeat the standing call, shape of `limit`.

    The one to call where it is legal, and the hand before the holder where the one to call, still
    in, will not raise.
    """
    may = np.zeros(limit.shape, dtype=bool)
    standing, holder = _standing(auction)
    seat = auction.seat_to_call
    if holder is None or seat is None:
        return may
    may[seat] = auction.is_legal(HOLD)
    before = holder - 1
    if before >= 0 and before != seat and not any(auction.passed):
        may[before] = (limit[seat] <= standing) & auction.after(PASS).is_legal(HOLD)
    return may


def call_place(call: Call, auction: Auction) -> float:
    """Ladder place a call reaches: its own, the held one's, `PASS_LIMIT` for a pass."""
    if call.kind is CallKind.PASS:
        return PASS_LIMIT
    meant = auction.last_call if call.kind is CallKind.HOLD else call
    assert meant is not None
    return float(auction.rules.order.places[meant])
