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
contract      контракт                           what another has declared: whist, or pass?
declarer      играющий                           his seat; `talon` is then the one he has shown
whist         вист                               what the first defender said, to the second
left, right   слева, справа                      the neighbours: careful, normal, bold
pool          пуля                               points of first, second, third hand (dealer)
mountain      гора                               likewise
target        размер пули, до                    points each player has to reach in his pool
============  =================================  ==========================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from advisor.cards import DECK, card_code, cards_of, parse_cards
from advisor.errors import InputError
from advisor.records.decider import auction_rules, read_decider
from advisor.records.defence import DEFENCE_KEYS, read_defence
from advisor.records.fields import Field, put, read_text, split_field, split_lines
from advisor.records.result import parse_convention
from advisor.records.table import read_pulka, read_styles
from advisor.rules.auction import Auction
from advisor.rules.contracts import MISERE, Contract
from advisor.rules.conventions import Convention
from advisor.rules.deal import Reply
from advisor.rules.pulka import Pulka

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
        "contract": "contract контракт игра",
        "declarer": "declarer играющий разыгрывающий",
        "whist": "whist вист",
        "left": "left слева",
        "right": "right справа",
        "pool": "pool пуля пулька",
        "mountain": "mountain гора",
        "target": "target до размер цель",
    }.items()
    for spelling in spellings.split()
} | {"размер пули": "target"}
MAX_ALL_PASSES = 99
Decision = Literal["bid", "declare", "whist"]
_SYMBOLS = "♠♣♦♥♤♧♢♡"
_CARD_LETTERS = "10XХTТJQKAВДКАSCDHПТБЧСНB"


@dataclass(frozen=True, slots=True)
class HandRecord:
    """What one player knows when he has to decide.

    Parameters
    ----------
    cards : int
        Card mask: ten cards while bidding and defending, twelve once the talon is taken.
    seat : int
        0, 1, 2: first, second, third hand.
    auction : Auction
        Every call so far; won by `seat` where `cards` are twelve, by `declarer` where he is told.
    convention : Convention
    players : int
        3 or 4 at the table.
    all_passes : int
        All-pass deals already played in a row.
    talon : int
        Mask of the two talon cards: among the twelve, or shown to a defender beside his ten; 0
        where not told.
    source : str or None
        File name, for reports.
    assumed : bool
        Whether the auction was not told: won at the lowest game, the others passing.
    contract : Contract or None
        The game another seat has declared, where the question is whether to whist.
    declarer : int or None
        That seat, 0..2.
    whist : Reply or None
        What the first defender said, where the player speaks second.
    styles : tuple of str
        "careful", "normal" or "bold" by seat; "normal" for the player himself.
    pulka : Pulka or None
        Pools and mountains before this deal, where told.
    asked : (Contract, mask of the discard) or None
        A play to value however little it may be worth, once the talon is taken.
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
    contract: Contract | None = None
    declarer: int | None = None
    whist: Reply | None = None
    styles: tuple[str, str, str] = ("normal", "normal", "normal")
    pulka: Pulka | None = None
    asked: tuple[Contract, int] | None = None

    @property
    def decision(self) -> Decision:
        """What is asked: a call, a contract with its discard, or a defender's reply."""
        if self.contract is not None:
            return "whist"
        return "declare" if self.declares else "bid"

    @property
    def declares(self) -> bool:
        """Whether the question is which contract and discard, not which call."""
        return self.cards.bit_count() == 12

    @property
    def plays_misere(self) -> bool:
        """Whether the auction was won with a misère, which must be played."""
        return self.contracts == (MISERE,)

    @property
    def hides_talon(self) -> bool:
        """Whether a game is to be named and the talon that all have seen is not told."""
        return self.declares and not self.talon and not self.plays_misere

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
    return hand_record(hand_fields(text, source, overrides or {}), source)


def hand_fields(
    text: str, source: str | None, overrides: Mapping[str, str],
    keys: Mapping[str, str] = KEYS, first: int = 1,
) -> dict[str, Field]:
    """The values of a hand file by English key, whose lines count from `first` on.

    Raises
    ------
    InputError
        A line that is neither a key's nor cards.
    """
    fields = _fields(text, source, keys, first)
    for key, value in overrides.items():
        fields[key] = Field(key, value.strip(), source=f"--{key}")
    return fields


def _fields(
    text: str, source: str | None, keys: Mapping[str, str], first: int
) -> dict[str, Field]:
    """Keyed lines, and lines of bare cards gathered under ``hand``."""
    fields: dict[str, Field] = {}
    bare: list[Field] = []
    for number, line in split_lines(text, first):
        field = split_field(line, number, source)
        if field is not None and (field.key in keys or not looks_like_cards(line, keys)):
            put(fields, field, keys)
            continue
        column = len(line) - len(line.lstrip()) + 1
        if not looks_like_cards(line, keys):
            raise InputError("found '{found}', expected 'key: value' or ten cards",
                             found=line.strip(), source=source, line=number, column=column)
        bare.append(Field("hand", line, source, number, column))
    if bare and "hand" in fields:
        keyed = fields["hand"]
        one, other = sorted((bare[0], keyed), key=lambda field: field.line or 0)
        raise InputError("the hand stands twice, first in line {first}", first=one.line,
                         source=source, line=other.line, column=other.column)
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


def hand_record(fields: Mapping[str, Field], source: str | None) -> HandRecord:
    """What the fields of a hand file say; see `parse_hand`."""
    if "hand" not in fields:
        raise InputError("no hand found; expected a line 'hand: ♠AKQ9 ♣A8 ♦K107 ♥8'", source=source)
    convention = parse_convention(fields.get("convention"))
    players = fields["players"].integer(3, 4) if "players" in fields else 3
    all_passes = fields["all-passes"].integer(0, MAX_ALL_PASSES) if "all-passes" in fields else 0
    rules = auction_rules(convention, all_passes)
    told = "auction" in fields
    if any(key in fields for key in DEFENCE_KEYS):
        at = read_defence(fields, convention, rules)
        record = HandRecord(
            at.cards, at.seat, at.auction, convention, players, all_passes, at.talon, source,
            not told, at.contract, at.declarer, at.whist)
    else:
        cards, talon = _cards(fields)
        won = cards.bit_count() == 12
        auction, seat = read_decider(fields, rules, won=won)
        record = HandRecord(cards, seat, auction, convention, players, all_passes, talon, source,
                            won and not told)
    return replace(record, styles=read_styles(fields, record.seat),
                   pulka=read_pulka(fields, players))


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


def unseen_mask(record: HandRecord) -> int:
    """Mask of the cards the player cannot see: 22, or 20 once the talon is shown."""
    return DECK & ~(record.cards | record.talon)
