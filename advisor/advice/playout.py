"""Who buys the auction, and at what: every seat goes on up to its limit.

The auction is called out by the rules (`advisor.rules.auction`): each seat in turn makes the
cheapest call that is legal and not above its limit, and passes where there is none; who would play
misère says it at once or never. A turn then comes down to one place of the ladder: that which the
limit must reach to go on (`_Turn`). So a turn is worked out once, and many auctions are called out
side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from advisor.rules.auction import Auction, AuctionRules, Standing, after_call, may_call
from advisor.rules.calls import HOLD, MISERE_CALL, PASS, Call, CallKind
from advisor.sampling.bidder import PASS_LIMIT, Floats

Ints = NDArray[np.intp]
Limits = tuple[Floats, Floats, Floats]

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

    winner: Ints
    place: Ints

    def __getitem__(self, where: int | NDArray[np.integer]) -> Purchase:
        """Some of them."""
        return Purchase(self.winner[where], self.place[where])


def buy(auction: Auction, limits: Limits) -> Purchase:
    """Call an auction out.

    Parameters
    ----------
    auction : Auction
        The calls so far.
    limits : three float64 arrays, broadcastable
        By seat: the highest ladder place each would go to, `PASS_LIMIT` for out. With a limit at
        misère a seat calls that or passes. Those of seats that have passed do not matter.
    """
    return _bought(_course(auction.rules, (auction.standing,)), np.zeros((), np.intp), limits)


def buy_each(auctions: Sequence[Auction], limits: Limits) -> Purchase:
    """Call several auctions out, all by the same rules, each for limits of its own.

    Parameters
    ----------
    auctions : sequence of Auction, length k
    limits : three float64 arrays, broadcastable to (k, n)
        As `buy` takes them.
    """
    rules, = {auction.rules for auction in auctions}
    course = _course(rules, tuple(auction.standing for auction in auctions))
    return _bought(course, np.arange(len(auctions))[:, None], limits)


def call_place(call: Call, auction: Auction) -> float:
    """Ladder place a call reaches: its own, the held one's, `PASS_LIMIT` for a pass."""
    if call.kind is CallKind.PASS:
        return PASS_LIMIT
    meant = auction.last_call if call.kind is CallKind.HOLD else call
    assert meant is not None
    return float(auction.rules.order.places[meant])


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """A seat's choice, or an end.

    Parameters
    ----------
    seat : int
        Whose turn it is, `NOBODY` at an end.
    need : int
        Ladder place the limit must reach to go on.
    then : three _Turn
        What comes after a pass, after going on, and with a limit at misère; nothing at an end.
    winner, place : int
        As in `Purchase`, at an end.
    """

    seat: int = NOBODY
    need: int = 0
    then: tuple[_Turn, ...] = ()
    winner: int = NOBODY
    place: int = -1


@cache
def _turn(rules: AuctionRules, at: Standing) -> _Turn:
    """The turn a seat has at a table; the same object every time."""
    places = rules.order.places
    if at.seat is None:
        return _Turn() if at.holder is None or at.last is None else \
            _Turn(winner=at.holder, place=places[at.last])
    passed = _turn(rules, after_call(rules, at, PASS))
    misere = _turn(rules, after_call(rules, at, MISERE_CALL)) \
        if may_call(rules, at, MISERE_CALL) else passed
    cheapest = _cheapest(rules, at)
    if cheapest is None:
        return _Turn(at.seat, 0, (passed, passed, misere))
    meant = at.last if cheapest == HOLD else cheapest
    assert meant is not None
    return _Turn(at.seat, places[meant],
                 (passed, _turn(rules, after_call(rules, at, cheapest)), misere))


def _cheapest(rules: AuctionRules, at: Standing) -> Call | None:
    """The cheapest way to go on: to hold, or the lowest game that takes the talon."""
    if may_call(rules, at, HOLD):
        return HOLD
    return next((call for call in rules.order.above(at.last)
                 if call.is_game and call.with_talon and may_call(rules, at, call)), None)


@dataclass(frozen=True, slots=True)
class _Course:
    """All turns that auctions may come to, numbered.

    Parameters
    ----------
    start : intp (k,)
        The turn each auction is at.
    seat : intp (turns,)
    then : intp (turns, codes)
        The next turn by the code of the limit (`_codes`).
    ends : Purchase (turns,)
    misere : int
        Ladder place.
    """

    start: Ints
    seat: Ints
    then: Ints
    ends: Purchase
    misere: int


@lru_cache(maxsize=64)
def _course(rules: AuctionRules, standings: tuple[Standing, ...]) -> _Course:
    """What may follow on auctions that have come so far."""
    starts = [_turn(rules, at) for at in standings]
    number = _numbered(starts)
    passed, goes_on, says_misere = np.array(
        [[number[after] for after in turn.then or (turn,) * 3] for turn in number]).T[..., None]
    misere, code = rules.order.places[MISERE_CALL], np.arange(len(rules.order.places) + 1)
    seat, need, winner, place = np.array(
        [(turn.seat, turn.need, turn.winner, turn.place) for turn in number]).T
    then = np.where(code > need[:, None], goes_on, passed)
    then = np.where(code == misere + 1, says_misere, then)
    return _Course(np.array([number[turn] for turn in starts]), seat, then,
                   Purchase(winner, place), misere)


def _numbered(starts: Iterable[_Turn]) -> dict[_Turn, int]:
    """These turns and all that may come after them, in the order of their numbers."""
    number: dict[_Turn, int] = {}
    ahead = list(starts)
    while ahead:
        turn = ahead.pop()
        if turn not in number:
            number[turn] = len(number)
            ahead += turn.then
    return number


def _bought(course: _Course, which: Ints, limits: Limits) -> Purchase:
    """Call auctions out: `which` of those of the course, broadcastable with the limits.

    Limits take few values, so cases are told apart by a table of all there could be, and each that
    occurs is called out once.
    """
    codes = course.then.shape[1]
    case = which
    for limit in limits:
        case = case * codes + _codes(course, limit)
    shape = (len(course.start), codes, codes, codes)
    occurs = np.zeros(prod(shape), dtype=bool)
    occurs[case] = True
    different = np.flatnonzero(occurs)
    start, *by_seat = np.unravel_index(different, shape)
    end = np.empty(occurs.shape, dtype=np.int16)
    end[different] = _called_out(course, course.start[start], np.stack(by_seat))
    return course.ends[end[case]]


def _codes(course: _Course, limit: Floats) -> Ints:
    """Limits as whole numbers: 0 for out, else the ladder place reached + 1."""
    code = np.floor(np.clip(limit, PASS_LIMIT, course.then.shape[1] - 2)).astype(np.intp) + 1
    code -= (code == course.misere + 1) & (limit != course.misere)
    return code


def _called_out(course: _Course, turn: Ints, codes: Ints) -> Ints:
    """The ends that auctions (n,) come to, by the codes of their limits (3, n)."""
    turn = turn.copy()
    going = np.flatnonzero(course.seat[turn] != NOBODY)
    while going.size:
        at = turn[going]
        turn[going] = at = course.then[at, codes[course.seat[at], going]]
        going = going[course.seat[at] != NOBODY]
    return turn
