"""The session file: many hands, each with what was actually said.

A line of three dashes or more parts the hands. Between two such lines stands a hand file as
`advisor.records.hand` reads it, with one key more:

============  =================================  ==========================================
said          сказано, played, сыграно           the call made; a contract with its discard,
                                                 ``7S C8 D7``; or whist, pass, half
============  =================================  ==========================================

Without the two cards a contract counts with its best discard. Parts that hold nothing but comments
are passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from advisor.cards import card_code, cards_of, format_cards, parse_cards
from advisor.errors import InputError
from advisor.records.fields import Field, read_text, split_lines, text_lines
from advisor.records.hand import KEYS, HandRecord, hand_fields, hand_record
from advisor.records.result import parse_reply
from advisor.rules.calls import Call, parse_call
from advisor.rules.contracts import Contract, parse_contract
from advisor.rules.deal import DealResult, Reply, problems

SESSION_KEYS = KEYS | dict.fromkeys(("said", "played", "сказано", "сыграно"), "said")
CONTRACT_WORDS = 3
_DASHES = re.compile(r"\s*[-–—]{3,}\s*")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Said:
    """What a player did: a call, a contract and perhaps its discard, or a defender's reply."""

    call: Call | None = None
    contract: Contract | None = None
    discard: int = 0
    reply: Reply | None = None

    def __str__(self) -> str:
        if self.reply is not None:
            return self.reply.value
        if self.call is not None:
            return str(self.call)
        return f"{self.contract} {format_cards(self.discard)}".strip()


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One decision of a session.

    Parameters
    ----------
    record : HandRecord
        What the player knew.
    said : Said
        What he did.
    number : int
        Place in the file, from 1.
    line : int
        Line in which the hand's first key or card stands.
    """

    record: HandRecord
    said: Said
    number: int
    line: int


def read_session(
    path: str | os.PathLike[str], overrides: Mapping[str, str] | None = None
) -> tuple[PlayedHand, ...]:
    """Read a session file, or standard input for ``-``.

    Parameters
    ----------
    path : path
    overrides : mapping, optional
        Values by English key that stand instead of every hand's lines.

    Raises
    ------
    InputError
        With file, line and column, counted through the whole file.
    """
    text, source = read_text(path)
    return parse_session(text, source, overrides)


def parse_session(
    text: str, source: str | None = None, overrides: Mapping[str, str] | None = None
) -> tuple[PlayedHand, ...]:
    """Read the text of a session file.

    >>> hands = parse_session("♠AKQ98 ♣A8 ♦K107\\nsaid: 6S\\n---\\n♠A7 ♣KQ8 ♦J97 ♥K8\\nsaid: pass")
    >>> [(hand.number, hand.line, str(hand.said)) for hand in hands]
    [(1, 1, '6S'), (2, 4, 'pass')]
    """
    hands = tuple(
        _played(number, first, block, source, overrides or {})
        for number, (first, block) in enumerate(_blocks(text), 1)
    )
    if not hands:
        raise InputError("no hand found; expected a line 'hand: ♠AKQ9 ♣A8 ♦K107 ♥8'", source=source)
    return hands


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Texts between lines of dashes, with the numbers of their first lines."""
    lines = text_lines(text)
    cuts = [i for i, line in enumerate(lines) if _DASHES.fullmatch(line)]
    for before, after in zip([-1, *cuts], [*cuts, len(lines)], strict=True):
        block = "\n".join(lines[before + 1 : after])
        if any(True for _ in split_lines(block)):
            yield before + 2, block


def _played(
    number: int, first: int, block: str, source: str | None, overrides: Mapping[str, str]
) -> PlayedHand:
    fields = hand_fields(block, source, overrides, SESSION_KEYS, first)
    line = next(split_lines(block, first))[0]
    for key, missing in (
        ("hand", "no hand found; expected a line 'hand: ♠AKQ9 ♣A8 ♦K107 ♥8'"),
        ("said", "what was said is missing; expected a line 'said: pass'"),
    ):
        if key not in fields:
            raise InputError(missing, source=source, line=line, column=1)
    field = fields.pop("said")
    record = hand_record(fields, source)
    said = _READERS[record.decision](field, record, fields["hand"].value)
    if said.contract is not None and said.discard:
        record = replace(record, asked=(said.contract, said.discard))
    return PlayedHand(record, said, number, line)


def _call(field: Field, record: HandRecord, _: str) -> Said:
    """A call that was legal."""
    call = field.parse(parse_call)
    field.parse(lambda _: record.auction.after(call))
    return Said(call=call)


def _declared(field: Field, record: HandRecord, hand: str) -> Said:
    """A contract the auction allowed, with two of the twelve cards or none told."""
    end, contract = field.parse(_contract_words)
    if contract not in record.contracts:
        raise field.error(
            "{contract} cannot be declared: the auction was won with {call}",
            contract=contract,
            call=record.auction.last_call,
        )
    cards = field.value[end:].lstrip()
    if not cards:
        return Said(contract=contract)
    start = len(field.value) - len(cards) + 1
    away = field.parse(lambda _: _cards(cards, start, hand))
    if away.bit_count() != 2:
        raise field.error(
            "found {count} cards in the discard, expected two", start, count=away.bit_count()
        )
    if strange := away & ~record.cards:
        raise field.error(
            "the card {card} is not among the twelve",
            start,
            card=card_code(next(cards_of(strange))),
        )
    return Said(contract=contract, discard=away)


def _contract_words(value: str) -> tuple[int, Contract]:
    """Where the contract ends that a value begins with; as many words as make one."""
    ends = [word.end() for word in _WORD.finditer(value)][:CONTRACT_WORDS]
    for end in reversed(ends[1:]):
        try:
            return end, parse_contract(value[:end])
        except InputError:
            continue
    return ends[0], parse_contract(value[: ends[0]])


def _cards(text: str, start: int, hand: str) -> int:
    """Cards that begin in column `start`, in the notation of the hand."""
    try:
        return parse_cards(text, hand)
    except InputError as error:
        raise error.at(start=start) from None


def _replied(field: Field, record: HandRecord, _: str) -> Said:
    """A reply that the convention knows there."""
    reply = parse_reply(field)
    replies = (reply, Reply.PASS) if record.whist is None else (record.whist, reply)
    assert record.contract is not None
    for name, error in problems(
        DealResult(record.contract, record.declarer, replies), record.convention
    ):
        if name == "replies":
            raise error.at(field.source, field.line, field.column)
    return Said(reply=reply)


_READERS = {"bid": _call, "declare": _declared, "whist": _replied}
