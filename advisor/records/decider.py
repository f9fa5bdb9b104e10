"""Who decides in a hand file, and after which auction."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.records.fields import Field
from advisor.rules.auction import Auction, AuctionRules, replay
from advisor.rules.calls import PASS, CallKind, parse_auction
from advisor.rules.conventions import Convention

SEAT_WORDS = {
    "1": 0,
    "2": 1,
    "3": 2,
    "first": 0,
    "second": 1,
    "third": 2,
    "первая": 0,
    "вторая": 1,
    "третья": 2,
    "первый": 0,
    "второй": 1,
    "третий": 2,
    "eldest": 0,
}


def parse_seat(field: Field | None) -> int | None:
    """The seat 0, 1, 2 a field names, ``None`` where there is no field."""
    if field is None:
        return None
    words = field.value.lower().split()
    if not words or words[0] not in SEAT_WORDS or words[1:] not in ([], ["hand"], ["рука"]):
        raise field.error("'{found}' is not a seat; expected 1, 2 or 3", found=field.value)
    return SEAT_WORDS[words[0]]


def auction_rules(convention: Convention, all_passes: int) -> AuctionRules:
    """The convention's auction, after so many all-pass deals in a row."""
    return AuctionRules(
        convention.ladder, convention.hold, convention.allow_jumps, convention.min_level(all_passes)
    )


def read_auction(field: Field | None, rules: AuctionRules) -> Auction:
    """The calls a field holds, checked; none where there is no field."""
    if field is None:
        return Auction(rules)
    return field.parse(lambda value: replay(parse_auction(value), rules))


def won_at_lowest(rules: AuctionRules, seat: int) -> Auction:
    """The auction nobody disputed: passes around one lowest game."""
    auction = Auction(rules, (PASS,) * seat)
    lowest = next(call for call in auction.legal_calls() if call.kind is CallKind.GAME)
    return Auction(rules, (*auction.calls, lowest, *(PASS,) * (2 - seat)))


def takes_talon(auction: Auction) -> bool:
    """Whether the winner takes the talon and shows it to all."""
    return auction.last_call is None or auction.last_call.with_talon


def read_decider(
    fields: Mapping[str, Field], rules: AuctionRules, *, won: bool
) -> tuple[Auction, int]:
    """The checked auction, and the seat that has to call or, where it is `won`, to declare."""
    field = fields.get("auction")
    seat = parse_seat(fields.get("seat"))
    if field is None and won:
        return won_at_lowest(rules, seat or 0), seat or 0
    auction = read_auction(field, rules)
    place = field or fields.get("seat") or fields["hand"]
    settled = auction.with_forced_passes()
    if won or (seat is not None and settled.declarer == seat):
        auction = settled
    if won:
        return auction, _winner(auction, seat, place)
    if auction.is_all_pass:
        raise place.error("the auction is already over: all passed, there is nothing to bid")
    if auction.declarer is not None:
        _refuse_call(auction, seat, place)
    turn = auction.seat_to_call
    if seat is not None and seat != turn:
        raise fields["seat"].error(
            "it is the turn of seat {turn}, not of seat {seat}",
            turn=int(turn or 0) + 1,
            seat=seat + 1,
        )
    return auction, int(turn or 0)


def _refuse_call(auction: Auction, seat: int | None, place: Field) -> None:
    """Say what is missing where the auction is won and a call would be asked for."""
    winner = int(auction.declarer or 0)
    if seat not in (None, winner):
        raise place.error(
            "the auction is already over: seat {seat} won it; a defender gives what "
            "was declared in a line 'contract: 7H'",
            seat=winner + 1,
        )
    if not takes_talon(auction):
        raise place.error(
            "the auction is already over: seat {seat} won it without the talon; "
            "there is nothing to bid or to discard",
            seat=winner + 1,
        )
    raise place.error(
        "the auction is already over: seat {seat} won it; with the talon taken "
        "give it in a line 'talon: ♠7 ♥A'",
        seat=winner + 1,
    )


def _winner(auction: Auction, seat: int | None, place: Field) -> int:
    """The seat that has won the auction and holds the talon, `seat` where it is told."""
    if auction.is_all_pass:
        raise place.error("the talon is given, but nobody won the auction: all passed")
    if auction.declarer is None:
        raise place.error(
            "the talon is given, but the auction is not won yet: it is the turn of seat {turn}",
            turn=int(auction.seat_to_call or 0) + 1,
        )
    if seat is not None and auction.declarer != seat:
        raise place.error(
            "the talon is given, but seat {winner} won the auction, not seat {seat}",
            winner=auction.declarer + 1,
            seat=seat + 1,
        )
    if not takes_talon(auction):
        raise place.error(
            "the talon is given, but the auction was won without the talon, with {call}",
            call=auction.last_call,
        )
    return auction.declarer
