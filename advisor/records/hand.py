"""The hand file: one player's cards and what he has heard.

``key: value`` lines in English or Russian; ten cards alone are a whole file. Keys:

============  =================================  ==========================================
hand          рука, карты                        ten cards, or twelve after the talon
seat          место                              1 2 3, first, second, third (первая ...)
auction       торговля, торг                     every call so far, from first hand on
convention    конвенция                          a shipped name or a ``.toml`` path
players       игроков                            3 or 4 at the table
talon         прикуп                             its two cards: the hand has won the auction
all-passes    распасы                            all-pass deals already played in a row
============  =================================  ==========================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from advisor.cards import DECK, card_code, cards_of, parse_cards
from advisor.errors import InputError
from advisor.records.fields import Field, put, read_text, split_field, split_lines
from advisor.records.result import parse_convention
from advisor.rules.auction import Auction, AuctionRules, replay
from advisor.rules.calls import PASS, CallKind, parse_auction
from advisor.rules.contracts import Contract
from advisor.rules.conventions import Convention

KEYS = {
    spelling: key
    for key, spellings in {
        "hand": "hand cards рука карты",
        "seat": "seat место",
        "auction": "auction bidding calls торговля торг торги заявки",
        "convention": "convention конвенция соглашение",
        "players": "players игроков игроки",
        "talon": "talon widow прикуп",
        "all-passes": "all-passes распасы распасов",
    }.items()
    for spelling in spellings.split()
}
SEAT_WORDS = {"1": 0, "2": 1, "3": 2, "first": 0, "second": 1, "third": 2,
              "первая": 0, "вторая": 1, "третья": 2, "первый": 0, "второй": 1, "третий": 2,
              "eldest": 0}
MAX_ALL_PASSES = 99
_SYMBOLS = "♠♣♦♥♤♧♢♡"
_CARD_LETTERS = "10XХTТJQKAВДКАSCDHПТБЧСНB"


@dataclass(frozen=True, slots=True)
class HandRecord:
    """What one player knows when he has to decide.

    Parameters
    ----------
    cards : int
        Card mask: ten cards while bidding, twelve once the talon is taken.
    seat : int
        0, 1, 2: first, second, third hand.
    auction : Auction
        Every call so far; won by `seat` where `cards` are twelve.
    convention : Convention
    players : int
        3 or 4 at the table.
    all_passes : int
        All-pass deals already played in a row.
    talon : int
        Mask of the two talon cards among the twelve, 0 where not told.
    source : str or None
        File name, for reports.
    assumed : bool
        Whether the auction was not told: won at the lowest game, the others passing.
    """

    cards: int
    seat: int
    auction: Auction
    convention: Convention
    players: int = 3
    all_passes: int = 0
    talon: int = 0
    source: str | None = None
    assumed: bool = False

    @property
    def declares(self) -> bool:
        """Whether the question is which contract and discard, not which call."""
        return self.cards.bit_count() == 12

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """What may be declared, where the auction is won."""
        return self.auction.contracts()


def read_hand(
    path: str | os.PathLike[str], overrides: Mapping[str, str] | None = None
) -> HandRecord:
    """Read a hand file, or standard input for ``-``.

    Parameters
    ----------
    path : path
    overrides : mapping, optional
        Values by English key that stand instead of the file's lines.

    Raises
    ------
    InputError
        With file, line and column.
    """
    text, source = read_text(path)
    return parse_hand(text, source, overrides)


def parse_hand(
    text: str = "", source: str | None = None, overrides: Mapping[str, str] | None = None
) -> HandRecord:
    """Read the text of a hand file.

    >>> record = parse_hand("♠AKQ9 ♣A8 ♦K107 ♥8")
    >>> record.seat, record.convention.name, record.declares
    (0, 'sochi', False)
    """
    fields = _fields(text, source)
    for key, value in (overrides or {}).items():
        fields[key] = Field(key, value.strip(), source=f"--{key}")
    return _record(fields, source)


def _fields(text: str, source: str | None) -> dict[str, Field]:
    """Keyed lines, and lines of bare cards gathered under ``hand``."""
    fields: dict[str, Field] = {}
    bare: list[Field] = []
    for number, line in split_lines(text):
        field = split_field(line, number, source)
        if field is not None and (field.key in KEYS or not looks_like_cards(line, KEYS)):
            put(fields, field, KEYS)
            continue
        column = len(line) - len(line.lstrip()) + 1
        if not looks_like_cards(line, KEYS):
            raise InputError("found '{found}', expected 'key: value' or ten cards",
                             found=line.strip(), source=source, line=number, column=column)
        bare.append(Field("hand", line, source, number, column))
    if bare and "hand" in fields:
        keyed = fields["hand"]
        first, second = sorted((bare[0], keyed), key=lambda field: field.line or 0)
        raise InputError("the hand stands twice, first in line {first}", first=first.line,
                         source=source, line=second.line, column=second.column)
    if bare:
        fields["hand"] = _join(bare)
    return fields


def looks_like_cards(line: str, keys: Mapping[str, str]) -> bool:
    """Whether a line of a file is bare cards, and not one of its `keys` or a mistake."""
    head, colon, _ = line.partition(":")
    if colon:
        return len(head.strip()) == 1 or any(char in _SYMBOLS for char in head)
    if line.split()[0].lower() in keys:
        return False
    letters = [char for char in line.upper() if char.isalnum()]
    return any(char in _SYMBOLS + "789" for char in line) or (
        bool(letters) and all(char in _CARD_LETTERS for char in letters))


def _join(bare: list[Field]) -> Field:
    """Bare lines as one value, laid out as in the file so that a fault is told at its own place."""
    first = bare[0]
    value, number = first.value.lstrip(), first.line or 1
    for field in bare[1:]:
        value += "\n" * ((field.line or 1) - number) + field.value
        number = field.line or 1
    return Field("hand", value, first.source, first.line, first.column)


def _record(fields: Mapping[str, Field], source: str | None) -> HandRecord:
    if "hand" not in fields:
        raise InputError("no hand found; expected a line 'hand: ♠AKQ9 ♣A8 ♦K107 ♥8'", source=source)
    convention = parse_convention(fields.get("convention"))
    players = fields["players"].integer(3, 4) if "players" in fields else 3
    all_passes = fields["all-passes"].integer(0, MAX_ALL_PASSES) if "all-passes" in fields else 0
    cards, talon = _cards(fields)
    auction, seat = _auction(fields, convention, all_passes, won=cards.bit_count() == 12)
    assumed = cards.bit_count() == 12 and "auction" not in fields
    return HandRecord(cards, seat, auction, convention, players, all_passes, talon, source, assumed)


def _cards(fields: Mapping[str, Field]) -> tuple[int, int]:
    """The cards held, and the talon among them."""
    hand = fields["hand"]
    talon = fields.get("talon")
    others = talon.value if talon else ""
    cards = hand.parse(lambda value: parse_cards(value, others))
    count = cards.bit_count()
    if talon is None:
        if count not in (10, 12):
            raise hand.error("found {count} cards, expected ten (or twelve with the talon taken)",
                             count=count)
        return cards, 0
    shown = talon.parse(lambda value: parse_cards(value, hand.value))
    if shown.bit_count() != 2:
        raise talon.error("found {count} cards in the talon, expected two", count=shown.bit_count())
    if count == 12 and shown & cards == shown:
        return cards, shown
    if count != 10:
        raise hand.error("found {count} cards beside a talon of two, expected ten", count=count)
    if both := shown & cards:
        raise talon.error("the card {card} stands in the hand and in the talon",
                          card=card_code(next(cards_of(both))))
    return cards | shown, shown


def _auction(
    fields: Mapping[str, Field], convention: Convention, all_passes: int, *, won: bool
) -> tuple[Auction, int]:
    """The checked auction and the seat that has to decide."""
    rules = auction_rules(convention, all_passes)
    field = fields.get("auction")
    seat = parse_seat(fields.get("seat"))
    if field is None and won:
        return _won_at_lowest(rules, seat or 0), seat or 0
    auction = field.parse(lambda value: replay(parse_auction(value), rules)) if field \
        else Auction(rules)
    place = field or fields.get("seat") or fields["hand"]
    settled = auction.with_forced_passes()
    if won or (seat is not None and settled.declarer == seat):
        auction = settled
    if won:
        return auction, _winner(auction, seat, place)
    if auction.is_all_pass:
        raise place.error("the auction is already over: all passed, there is nothing to bid")
    if auction.declarer is not None and not _takes_talon(auction):
        raise place.error("the auction is already over: seat {seat} won it without the talon; "
                          "there is nothing to bid or to discard", seat=auction.declarer + 1)
    if auction.declarer is not None and seat not in (None, auction.declarer):
        raise place.error("the auction is already over: seat {seat} won it; only the winner has a "
                          "decision here, with the talon in a line 'talon: ♠7 ♥A'",
                          seat=auction.declarer + 1)
    if auction.declarer is not None:
        raise place.error("the auction is already over: seat {seat} won it; with the talon taken "
                          "give it in a line 'talon: ♠7 ♥A'", seat=auction.declarer + 1)
    turn = auction.seat_to_call
    if seat is not None and seat != turn:
        raise fields["seat"].error("it is the turn of seat {turn}, not of seat {seat}",
                          turn=int(turn or 0) + 1, seat=seat + 1)
    return auction, int(turn or 0)


def auction_rules(convention: Convention, all_passes: int) -> AuctionRules:
    """The convention's auction, after so many all-pass deals in a row."""
    return AuctionRules(convention.ladder, convention.hold, convention.allow_jumps,
                        convention.min_level(all_passes))


def _won_at_lowest(rules: AuctionRules, seat: int) -> Auction:
    """The auction nobody disputed: passes around one lowest game."""
    auction = Auction(rules, (PASS,) * seat)
    lowest = next(call for call in auction.legal_calls() if call.kind is CallKind.GAME)
    return Auction(rules, (*auction.calls, lowest, *(PASS,) * (2 - seat)))


def _winner(auction: Auction, seat: int | None, place: Field) -> int:
    """The seat that has won the auction and holds the talon, `seat` where it is told."""
    if auction.is_all_pass:
        raise place.error("the talon is given, but nobody won the auction: all passed")
    if auction.declarer is None:
        raise place.error("the talon is given, but the auction is not won yet: it is the turn of "
                          "seat {turn}", turn=int(auction.seat_to_call or 0) + 1)
    if seat is not None and auction.declarer != seat:
        raise place.error("the talon is given, but seat {winner} won the auction, not seat {seat}",
                          winner=auction.declarer + 1, seat=seat + 1)
    if not _takes_talon(auction):
        raise place.error("the talon is given, but the auction was won without the talon, with "
                          "{call}", call=auction.last_call)
    return auction.declarer


def _takes_talon(auction: Auction) -> bool:
    return auction.last_call is None or auction.last_call.with_talon


def parse_seat(field: Field | None) -> int | None:
    """The seat 0, 1, 2 a field names, ``None`` where there is no field."""
    if field is None:
        return None
    words = field.value.lower().split()
    if not words or words[0] not in SEAT_WORDS or words[1:] not in ([], ["hand"], ["рука"]):
        raise field.error("'{found}' is not a seat; expected 1, 2 or 3", found=field.value)
    return SEAT_WORDS[words[0]]


def unseen_mask(record: HandRecord) -> int:
    """Mask of the cards the player cannot see: 22, or 20 once he has the talon."""
    return DECK & ~record.cards
