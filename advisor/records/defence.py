"""What a defender has before he whists: another's contract, the talon shown, the first reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.cards import card_code, cards_of, parse_cards
from advisor.records.decider import parse_seat, read_auction, takes_talon, won_at_lowest
from advisor.records.fields import Field
from advisor.records.result import parse_reply
from advisor.rules.auction import Auction, AuctionRules
from advisor.rules.contracts import Contract, parse_contract
from advisor.rules.conventions import Convention
from advisor.rules.deal import DealResult, Reply, problems

DEFENCE_KEYS = ("contract", "declarer", "whist")
TEN_CARDS = 10


@dataclass(frozen=True, slots=True)
class Defence:
    """A defender's question: what to say to another's game.

    Parameters
    ----------
    seat, declarer : int
        0..2, different.
    contract : Contract
        A game on tricks.
    whist : Reply or None
        What the first defender said, where `seat` speaks second.
    auction : Auction
        Won by `declarer`.
    cards : int
        Mask of the defender's ten.
    talon : int
        Mask of the two cards shown, 0 where the declarer has not taken them.
    """

    seat: int
    declarer: int
    contract: Contract
    whist: Reply | None
    auction: Auction
    cards: int
    talon: int


def read_defence(
    fields: Mapping[str, Field], convention: Convention, rules: AuctionRules
) -> Defence:
    """Read a hand file that names another's contract.

    Raises
    ------
    InputError
        With line and column: something missing, or what cannot be so together.
    """
    contract = _contract(fields, convention)
    seat = parse_seat(fields.get("seat"))
    if seat is None:
        raise fields["contract"].error(
            "the seat is missing; expected a line 'seat: 2' that says where the defender sits"
        )
    auction, declarer = _auction(fields, rules)
    if seat == declarer:
        raise fields.get("declarer", fields["seat"]).error(
            "seat {seat} is the declarer himself; what to declare is asked with the talon and "
            "without a contract",
            seat=seat + 1,
        )
    _check_contract(fields["contract"], contract, auction)
    whist = _whist(fields, convention, contract, declarer, seat)
    cards, talon = _cards(fields, auction)
    return Defence(seat, declarer, contract, whist, auction, cards, talon)


def _contract(fields: Mapping[str, Field], convention: Convention) -> Contract:
    """The game to whist on or not; some leave a defender nothing to say."""
    field = fields.get("contract")
    if field is None:
        given = next(fields[key] for key in DEFENCE_KEYS if key in fields)
        raise given.error("the contract is missing; expected a line 'contract: 7H'")
    contract = field.parse(parse_contract)
    if not contract.is_game:
        raise field.error(
            "nobody whists on {contract}; expected a game, 6S .. 10NT", contract=contract
        )
    if convention.both_must_whist(contract):
        raise field.error(
            "both defenders must whist on 6S in the convention {convention}; there "
            "is nothing to decide",
            convention=convention.name,
        )
    if contract.level == 10 and convention.ten == "checked":
        raise field.error(
            "a ten is checked, not whisted, in the convention {convention}; there "
            "is nothing to decide",
            convention=convention.name,
        )
    return contract


def _auction(fields: Mapping[str, Field], rules: AuctionRules) -> tuple[Auction, int]:
    """The auction and who won it; at the lowest call where it is not told."""
    field, said = fields.get("auction"), parse_seat(fields.get("declarer"))
    if field is None:
        if said is None:
            raise fields["contract"].error("the declarer is missing; expected seat 1, 2 or 3")
        return won_at_lowest(rules, said), said
    auction = read_auction(field, rules).with_forced_passes()
    if auction.is_all_pass:
        raise field.error("the contract is given, but nobody won the auction: all passed")
    if auction.declarer is None:
        raise field.error(
            "the contract is given, but the auction is not won yet: it is the turn of seat {turn}",
            turn=int(auction.seat_to_call or 0) + 1,
        )
    if said not in (None, auction.declarer):
        raise fields["declarer"].error(
            "seat {winner} won the auction, not seat {seat}",
            winner=auction.declarer + 1,
            seat=int(said or 0) + 1,
        )
    return auction, auction.declarer


def _check_contract(field: Field, contract: Contract, auction: Auction) -> None:
    allowed = auction.contracts()
    if contract in allowed:
        return
    if not allowed[0].is_game:
        raise field.error(
            "the auction was won with {call}, which must be played; nobody whists on it",
            call=auction.last_call,
        )
    raise field.error(
        "{contract} is too low: the auction was won with {call}; expected {lowest} or higher",
        contract=contract,
        call=auction.last_call,
        lowest=allowed[0],
    )


def _whist(
    fields: Mapping[str, Field],
    convention: Convention,
    contract: Contract,
    declarer: int,
    seat: int,
) -> Reply | None:
    """The first defender's reply, heard by the second."""
    first, field = (declarer + 1) % 3, fields.get("whist")
    if field is None:
        if seat != first:
            raise fields["seat"].error(
                "seat {seat} speaks second; expected a line 'whist: pass' with what seat {first} "
                "said",
                seat=seat + 1,
                first=first + 1,
            )
        return None
    if seat == first:
        raise field.error(
            "seat {seat} speaks first after the declarer, seat {declarer}; leave the whist out",
            seat=seat + 1,
            declarer=declarer + 1,
        )
    reply = parse_reply(field)
    heard = DealResult(contract, declarer, (reply, Reply.PASS))
    for name, error in problems(heard, convention):
        if name == "replies":
            raise error.at(field.source, field.line, field.column)
    if reply is Reply.HALF:
        raise field.error(
            "the first defender goes for half only after the second has passed; there is nothing "
            "to decide"
        )
    return reply


def _cards(fields: Mapping[str, Field], auction: Auction) -> tuple[int, int]:
    """The ten cards held, and the talon shown to all."""
    hand, talon = fields["hand"], fields.get("talon")
    cards = hand.parse(lambda value: parse_cards(value, talon.value if talon else ""))
    if cards.bit_count() != TEN_CARDS:
        raise hand.error("found {count} cards, expected a defender's ten", count=cards.bit_count())
    if not takes_talon(auction):
        if talon is not None:
            raise talon.error(
                "the talon is given, but the auction was won without the talon, with {call}",
                call=auction.last_call,
            )
        return cards, 0
    if talon is None:
        raise fields["contract"].error(
            "the talon is missing, which the declarer shows to all; expected a line 'talon: ♠7 ♥A'"
        )
    shown = talon.parse(lambda value: parse_cards(value, hand.value))
    if shown.bit_count() != 2:
        raise talon.error("found {count} cards in the talon, expected two", count=shown.bit_count())
    if both := shown & cards:
        raise talon.error(
            "the card {card} stands in the hand and in the talon",
            card=card_code(next(cards_of(both))),
        )
    return cards, shown
