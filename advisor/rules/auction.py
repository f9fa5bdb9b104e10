"""The auction (торговля): whose turn it is, what may be called, who declares and what.

Rules of rules.md 2. Where that text is silent:

* One who has called misère may later only hold or pass: he may not raise his own misère either.
* After a hold the other player must raise or pass, so a hold is never held in turn, and a senior
  who raises a held call has waived nothing: the junior may not hold that raise.
* Who has called a game may not hold a misère, and the other way round.
* Without jumps a game must be the lowest that beats the last call; misère is not a step and may
  be called over any distance.
* One who has bought a game without the talon may name any game not lower, like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from advisor.cards import Strain
from advisor.errors import InputError
from advisor.rules.calls import HOLD, PASS, Call, CallKind, format_calls
from advisor.rules.contracts import LEVELS, MISERE, Contract
from advisor.rules.ladders import Ladder, get_ladder

HOLD_RULES = ("none", "senior", "senior_then_junior", "first_hand_only")


@dataclass(frozen=True, slots=True)
class AuctionRules:
    """What a convention says about the auction.

    Parameters
    ----------
    ladder : str
        One of `advisor.rules.ladders.LADDERS`.
    hold : str
        One of `HOLD_RULES`: nobody; the earlier hand of two; the later one too where the earlier
        had the right and raised instead; the first hand alone (rules.md 2.4).
    allow_jumps : bool
        Whether a game may be called over the heads of lower ones (rules.md 2.1).
    min_level : int
        Lowest level legal now, 6..10, after all-passes (rules.md 4.7); misère stays legal.
    """

    ladder: str = "simple"
    hold: str = "senior_then_junior"
    allow_jumps: bool = True
    min_level: int = 6

    def __post_init__(self) -> None:
        get_ladder(self.ladder)
        if self.hold not in HOLD_RULES:
            raise ValueError(f"hold {self.hold!r}: expected one of {', '.join(HOLD_RULES)}")
        if self.min_level not in LEVELS:
            raise ValueError(f"min_level {self.min_level}: expected 6..10")

    @property
    def order(self) -> Ladder:
        """The ladder itself."""
        return get_ladder(self.ladder)


@dataclass(frozen=True, slots=True)
class Standing:
    """The table after some calls, as far as it matters for what may follow.

    Parameters
    ----------
    seat : int or None
        Whose turn it is.
    passed : three bool
        By seat.
    bidding : three CallKind or None
        What each seat has committed itself to.
    last : Call or None
        The call standing.
    holder : int or None
        Whose call that is.
    held : bool
        Whether he holds it.
    waived : bool
        Whether he had the right to hold and raised instead.
    """

    seat: int | None = 0
    passed: tuple[bool, bool, bool] = (False, False, False)
    bidding: tuple[CallKind | None, ...] = (None, None, None)
    last: Call | None = None
    holder: int | None = None
    held: bool = False
    waived: bool = False


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls made so far; an illegal one cannot be built.

    Seats 0, 1, 2 are first, second and third hand.

    >>> auction = Auction(AuctionRules()).after(Call.game(6, Strain.S)).after(PASS).after(PASS)
    >>> auction.finished, auction.declarer, len(auction.contracts())
    (True, 0, 25)
    """

    rules: AuctionRules
    calls: tuple[Call, ...] = ()
    standing: Standing = field(init=False, repr=False, compare=False)
    _seats: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        standing, seats = Standing(), list[int]()
        for call in self.calls:
            objection = _objection(self.rules, standing, call)
            if objection:
                raise _refusal(self.rules, standing, call, objection)
            assert standing.seat is not None
            seats.append(standing.seat)
            standing = after_call(self.rules, standing, call)
        object.__setattr__(self, "standing", standing)
        object.__setattr__(self, "_seats", tuple(seats))

    @property
    def seat_to_call(self) -> int | None:
        """Whose turn it is; ``None`` when the auction is over."""
        return self.standing.seat

    @property
    def passed(self) -> tuple[bool, bool, bool]:
        """Who has passed; a pass is final."""
        return self.standing.passed

    @property
    def last_call(self) -> Call | None:
        """The highest call standing; a hold is the call it repeats."""
        return self.standing.last

    @property
    def holder(self) -> int | None:
        """Whose call that is."""
        return self.standing.holder

    @property
    def finished(self) -> bool:
        """Whether nobody is left to call."""
        return self.standing.seat is None

    @property
    def declarer(self) -> int | None:
        """The winner (играющий); ``None`` while calls go on and after three passes."""
        return self.standing.holder if self.finished else None

    @property
    def is_all_pass(self) -> bool:
        """Whether all three passed (распасы)."""
        return all(self.standing.passed)

    @property
    def history(self) -> tuple[tuple[int, Call], ...]:
        """Each call with its seat."""
        return tuple(zip(self._seats, self.calls, strict=True))

    def is_legal(self, call: Call) -> bool:
        """Whether the seat to call may say this."""
        return may_call(self.rules, self.standing, call)

    def legal_calls(self) -> tuple[Call, ...]:
        """Pass, hold where it is legal, then the others in the order of the ladder."""
        return _legal_calls(self.rules, self.standing)

    def after(self, call: Call) -> Auction:
        """The auction with one more call.

        Raises
        ------
        InputError
            The call is not legal, or the auction is over; the message says what was legal.
        """
        return Auction(self.rules, (*self.calls, call))

    def with_forced_passes(self) -> Auction:
        """The auction with the passes of those who could say nothing else.

        People leave these unsaid: nobody speaks over 10NT or over a held misère.
        """
        auction = self
        while auction.legal_calls() == (PASS,):
            auction = auction.after(PASS)
        return auction

    def contracts(self) -> tuple[Contract, ...]:
        """What the declarer may name, ascending; empty without a declarer (rules.md 2.1)."""
        winning = self.standing.last
        if self.declarer is None or winning is None:
            return ()
        return contracts_after(winning, self.rules)


def contracts_after(winning_call: Call, rules: AuctionRules) -> tuple[Contract, ...]:
    """What may be played when the auction was won at a call, ascending.

    Misère must be played once bought; a game may become any game not lower by level and suit,
    never misère.

    Raises
    ------
    ValueError
        For a pass or a hold, which win nothing by themselves.

    Notes
    -----
    Source: rules.md 2.1, item 7.
    """
    if winning_call.is_misere:
        return (MISERE,)
    if not winning_call.is_game:
        raise ValueError(f"'{winning_call}' wins no auction")
    games = (Call.game(level, strain) for level in LEVELS for strain in Strain)
    return tuple(Contract.game(game.level, game.strain) for game in games
                 if game.rank >= winning_call.rank and game.level >= rules.min_level)


def replay(calls: Iterable[tuple[Call, int]], rules: AuctionRules) -> Auction:
    """Check calls one by one, as `advisor.rules.calls.parse_auction` gives them.

    Parameters
    ----------
    calls : iterable of (Call, int)
        Each call with its column, from 1.
    rules : AuctionRules

    Raises
    ------
    InputError
        With the column of the first call that is not legal.
    """
    auction = Auction(rules)
    for call, column in calls:
        try:
            auction = auction.after(call)
        except InputError as error:
            raise error.at(start=column) from None
    return auction


def _may_hold(rules: AuctionRules, at: Standing) -> bool:
    """rules.md 2.4; `at.holder` is the other of the two still in."""
    if rules.hold == "none" or at.seat is None or at.holder is None or at.last is None:
        return False
    if sum(at.passed) != 1 or at.held or at.bidding[at.seat] is not at.last.kind:
        return False
    if rules.hold == "first_hand_only":
        return at.seat == 0
    return at.seat < at.holder or (rules.hold == "senior_then_junior" and at.waived)


def _objection(rules: AuctionRules, at: Standing, call: Call) -> str | None:
    """Why a call is illegal, as the template of a message; ``None`` where it is legal."""
    if at.seat is None:
        return _OVER if at.last else _OVER_ALL_PASS
    if call == PASS:
        return None
    if call == HOLD:
        return None if _may_hold(rules, at) else _NO_HOLD
    if call not in rules.order:
        return _NOT_IN_LADDER
    committed = at.bidding[at.seat]
    if call.is_misere and committed:
        return _MISERE_LATE
    if call.is_game and committed is CallKind.MISERE:
        return _MISERE_BOUND
    if not rules.order.beats(call, at.last):
        return _TOO_LOW
    if call.is_game and call.level < rules.min_level:
        return _BELOW_MINIMUM
    if call.is_game and not rules.allow_jumps and call != _next_game(rules, at.last):
        return _JUMP
    return None


def _next_game(rules: AuctionRules, last: Call | None) -> Call | None:
    return next((call for call in rules.order.above(last)
                 if call.is_game and call.level >= rules.min_level), None)


def _legal_calls(rules: AuctionRules, at: Standing) -> tuple[Call, ...]:
    return tuple(call for call in (PASS, HOLD, *rules.order.calls)
                 if may_call(rules, at, call))


def may_call(rules: AuctionRules, at: Standing, call: Call) -> bool:
    """Whether the seat to call may say this."""
    return _objection(rules, at, call) is None


def after_call(rules: AuctionRules, at: Standing, call: Call) -> Standing:
    """The table after a legal call."""
    seat, passed, bidding = at.seat, list(at.passed), list(at.bidding)
    assert seat is not None
    last, holder, held, waived = at.last, at.holder, at.held, at.waived
    if call == PASS:
        passed[seat] = True
    elif call == HOLD:
        holder, held, waived = seat, True, False
    else:
        waived = holder is not None and seat < holder and _may_hold(rules, at)
        last, holder, held, bidding[seat] = call, seat, False, call.kind
    still_in = [i for i in ((seat + 1) % 3, (seat + 2) % 3, seat) if not passed[i]]
    over = not still_in or still_in == [holder]
    first, second, third = passed
    return Standing(None if over else still_in[0], (first, second, third), tuple(bidding),
                    last, holder, held, waived)


_OVER = ("'{call}' is one call too many: the auction is already over, seat {hand} has won it "
         "with {last}")
_OVER_ALL_PASS = "'{call}' is one call too many: the auction is already over, all three passed"
_NO_HOLD = ("seat {hand} may not hold here: an earlier hand may repeat the last call once two are "
            "left; legal calls: {legal}")
_NOT_IN_LADDER = "'{call}' is not a call of this convention; legal calls: {legal}"
_MISERE_LATE = ("'{call}' is not legal: misère may only be a player's first call, and seat {hand} "
                "has called before; legal calls: {legal}")
_MISERE_BOUND = ("'{call}' is not legal: seat {hand} has called misère and may not bid a game; "
                 "legal calls: {legal}")
_TOO_LOW = "'{call}' does not beat the last call, {last}; legal calls: {legal}"
_BELOW_MINIMUM = ("'{call}' is too low: after all-passes the lowest level is {level}; legal calls: "
                  "{legal}")
_JUMP = "'{call}' is a jump, and jumps are not allowed; legal calls: {legal}"


def _refusal(rules: AuctionRules, at: Standing, call: Call, objection: str) -> InputError:
    hand = at.holder if at.seat is None else at.seat
    return InputError(
        objection, call=call, hand=None if hand is None else hand + 1, last=at.last,
        level=rules.min_level, legal=format_calls(_legal_calls(rules, at)),
    )
