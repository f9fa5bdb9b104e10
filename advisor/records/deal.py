"""The deal file: three hands with open cards, and perhaps what is to be played.

``key: value`` lines in English or Russian; three bare lines of cards, the first hand's first, are a
whole file. Keys:

============  =======================  ====================================================
1, 2, 3       1-я рука, место 1 ...    a hand by its seat: 1 to 10 cards, as many in each
talon         прикуп                   the two cards of the talon, in the order turned
discard       снос                     the two cards put away, where no talon is given
contract      контракт                 6S .. 10NT, misere, all-pass
declarer      играющий                 1 2 3, first, second, third (первая ...)
leader        ход                      the seat that leads; the first hand if left out
players       игроков                  3 or 4 at the table; it matters to the talon of all-pass
convention    конвенция                likewise; a shipped name or a ``.toml`` path
============  =======================  ====================================================

The hands are played as they stand: the declarer's is the one after his discard.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from advisor.cards import card_code, cards_of, parse_cards
from advisor.errors import InputError
from advisor.records.decider import parse_seat
from advisor.records.fields import Field, put, read_text, split_field, split_lines
from advisor.records.hand import looks_like_cards
from advisor.records.result import parse_convention
from advisor.rules.contracts import ALL_PASS, Contract, parse_contract
from advisor.rules.conventions import Convention

HANDS = ("1", "2", "3")
MAX_CARDS = 10
_ORDINALS = (("first", "первая", "1-я"), ("second", "вторая", "2-я"), ("third", "третья", "3-я"))
_OTHERS = {
    "talon": "talon widow прикуп",
    "discard": "discard снос",
    "contract": "contract контракт игра",
    "declarer": "declarer играющий разыгрывающий",
    "leader": "leader lead leads ход ходит",
    "players": "players игроков игроки",
    "convention": "convention конвенция соглашение",
}


def _hand_keys() -> dict[str, str]:
    keys: dict[str, str] = {}
    for number, ordinals in zip(HANDS, _ORDINALS, strict=True):
        words = [number, *(f"{word} {number}" for word in ("hand", "seat", "player", "рука",
                                                            "место", "игрок"))]
        words += [*ordinals, *(f"{word} {noun}" for word in ordinals for noun in ("hand", "рука"))]
        keys |= dict.fromkeys(words, number)
    return keys


KEYS = _hand_keys() | {spelling: key for key, spellings in _OTHERS.items()
                       for spelling in spellings.split()}


@dataclass(frozen=True, slots=True)
class DealRecord:
    """Three open hands and what to play.

    Parameters
    ----------
    hands : tuple of int
        Card masks of seats 0, 1, 2: equally many cards, 1 to 10, no card twice.
    talon : tuple of int
        Card numbers in the order turned; empty where not told.
    discard : int
        Mask of the two cards put away, 0 where not told.
    contract : Contract or None
        ``None``: everything is asked for.
    declarer : int or None
        Seat 0, 1, 2; ``None`` in all-pass and where not told.
    leader : int or None
        Seat that leads to the first trick; ``None`` where not told.
    players : int
        3 or 4 at the table.
    convention : Convention
    source : str or None
        File name, for reports.
    """

    hands: tuple[int, int, int]
    convention: Convention
    talon: tuple[int, ...] = ()
    discard: int = 0
    contract: Contract | None = None
    declarer: int | None = None
    leader: int | None = None
    players: int = 3
    source: str | None = None

    @property
    def size(self) -> int:
        """Cards in each hand."""
        return self.hands[0].bit_count()


def read_deal(
    path: str | os.PathLike[str], overrides: Mapping[str, str] | None = None
) -> DealRecord:
    """Read a deal file, or standard input for ``-``.

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
    return parse_deal(text, source, overrides)


def parse_deal(
    text: str, source: str | None = None, overrides: Mapping[str, str] | None = None
) -> DealRecord:
    """Read the text of a deal file.

    >>> record = parse_deal("♠A ♥7\\n♠K ♥8\\n♠Q ♥9\\ncontract: 6S\\ndeclarer: 2")
    >>> record.size, str(record.contract), record.declarer, record.leader
    (2, '6S', 1, None)
    """
    fields = _fields(text, source)
    for key, value in (overrides or {}).items():
        fields[key] = Field(key, value.strip(), source=f"--{key}")
    return _record(fields, source, chosen=set(overrides or {}))


def _fields(text: str, source: str | None) -> dict[str, Field]:
    """Keyed lines; bare lines of cards are the three hands in order."""
    fields: dict[str, Field] = {}
    bare: list[Field] = []
    for number, line in split_lines(text):
        field = split_field(line, number, source)
        if field is not None and (field.key in KEYS or field.key.isdecimal()
                                  or not looks_like_cards(line, KEYS)):
            put(fields, field, KEYS)
            continue
        column = len(line) - len(line.lstrip()) + 1
        if not looks_like_cards(line, KEYS):
            raise InputError("found '{found}', expected 'key: value' or the cards of a hand",
                             found=line.strip(), source=source, line=number, column=column)
        bare.append(Field("", line.strip(), source, number, column, column))
    if bare and (keyed := next((fields[key] for key in HANDS if key in fields), None)):
        raise bare[0].error("found cards without a seat, but the key '{key}' in line {line_of_key};"
                            " give all three hands a seat, or none", key=keyed.key,
                            line_of_key=keyed.line)
    if len(bare) > len(HANDS):
        raise bare[len(HANDS)].error("found a fourth line of cards, expected the three hands; a "
                                     "talon is written 'talon: ♠7 ♥A'")
    return fields | dict(zip(HANDS, bare, strict=False))


def _record(fields: Mapping[str, Field], source: str | None, chosen: set[str]) -> DealRecord:
    hands = _hands(fields, source)
    talon, discard = _put_away(fields, hands)
    contract = fields["contract"].parse(parse_contract) if "contract" in fields else None
    return DealRecord(
        hands=hands,
        convention=parse_convention(fields.get("convention")),
        talon=talon,
        discard=discard,
        contract=contract,
        declarer=_declarer(fields, contract, chosen),
        leader=parse_seat(fields.get("leader")),
        players=fields["players"].integer(3, 4) if "players" in fields else 3,
        source=source,
    )


def _declarer(
    fields: Mapping[str, Field], contract: Contract | None, chosen: set[str]
) -> int | None:
    """The declarer's seat; one the file names is overruled by an all-pass asked for beside it."""
    field = fields.get("declarer")
    if field is None:
        if contract is not None and contract != ALL_PASS:
            raise fields["contract"].error("the declarer is missing; expected seat 1, 2 or 3")
        return None
    if contract != ALL_PASS:
        return parse_seat(field)
    if "contract" in chosen and "declarer" not in chosen:
        return None
    raise field.error("an all-pass has no declarer")


def _hands(fields: Mapping[str, Field], source: str | None) -> tuple[int, int, int]:
    missing = next((key for key in HANDS if key not in fields), None)
    if missing is not None:
        raise InputError("the hand of seat {seat} is missing; expected a line '{seat}: ♠AKQ9 ♥8', "
                         "or three lines of cards", seat=int(missing), source=source)
    masks: list[int] = []
    for seat, key in enumerate(HANDS):
        mask = _cards(fields, key)
        for before, other in enumerate(masks):
            if both := mask & other:
                column, code = _first_of(fields, key, both)
                raise fields[key].error(
                    "the card {card} stands in the hands of seats {before} and {seat}", column,
                    card=code, before=before + 1, seat=seat + 1)
        masks.append(mask)
    _check_sizes([mask.bit_count() for mask in masks], fields)
    return masks[0], masks[1], masks[2]


def _check_sizes(sizes: list[int], fields: Mapping[str, Field]) -> None:
    for key, size in zip(HANDS, sizes, strict=True):
        if size > MAX_CARDS:
            raise fields[key].error("found {count} cards, expected at most ten in a hand",
                                    count=size)
    if len(set(sizes)) == 1:
        return
    usual = next((size for size in sizes if sizes.count(size) == 2), sizes[0])
    odd = next(seat for seat, size in enumerate(sizes) if size != usual)
    raise fields[HANDS[odd]].error(
        "found {count} cards in the hand of seat {seat}, expected {expected} as in the hand of "
        "seat {other}",
        count=sizes[odd], seat=odd + 1, expected=usual, other=sizes.index(usual) + 1)


def _put_away(
    fields: Mapping[str, Field], hands: tuple[int, int, int]
) -> tuple[tuple[int, ...], int]:
    """The talon in the order turned, and the discard; at most one of them is told."""
    if "talon" in fields and "discard" in fields:
        raise fields["discard"].error(
            "the talon is given in line {line_of_talon} already; give the talon or the discard, "
            "not both", line_of_talon=fields["talon"].line)
    for key, counted, shared in (
        ("talon", "found {count} cards in the talon, expected two",
         "the card {card} stands in the talon and in the hand of seat {seat}"),
        ("discard", "found {count} cards in the discard, expected two",
         "the card {card} stands in the discard and in the hand of seat {seat}"),
    ):
        if key not in fields:
            continue
        mask = _cards(fields, key)
        if mask.bit_count() != 2:
            raise fields[key].error(counted, count=mask.bit_count())
        for seat, hand in enumerate(hands):
            if both := mask & hand:
                column, code = _first_of(fields, key, both)
                raise fields[key].error(shared, column, card=code, seat=seat + 1)
        return (_in_order(fields, key, mask), 0) if key == "talon" else ((), mask)
    return (), 0


def _cards(fields: Mapping[str, Field], key: str) -> int:
    return fields[key].parse(lambda value: parse_cards(value, _others(fields, key)))


def _others(fields: Mapping[str, Field], key: str) -> str:
    """The other entries of cards, to tell the writer's language by."""
    return " ".join(fields[other].value for other in (*HANDS, "talon", "discard")
                    if other in fields and other != key)


def _first_of(fields: Mapping[str, Field], key: str, cards: int) -> tuple[int, str]:
    """Where in the value of `key` the first of `cards` stands, from 1; its name."""
    end, card = min((_end_of(fields, key, card), card) for card in cards_of(cards))
    is_ten = end > 1 and fields[key].value[end - 1] in "0OОoо"
    return end - is_ten, card_code(card)


def _in_order(fields: Mapping[str, Field], key: str, mask: int) -> tuple[int, ...]:
    return tuple(sorted(cards_of(mask), key=lambda card: _end_of(fields, key, card)))


def _end_of(fields: Mapping[str, Field], key: str, card: int) -> int:
    """Length of the shortest beginning of a value that has the card in it."""
    value = fields[key].value
    like = f"{value} {_others(fields, key)}"
    for end in range(1, len(value)):
        try:
            if parse_cards(value[:end], like) >> card & 1:
                return end
        except InputError:
            continue
    return len(value)
