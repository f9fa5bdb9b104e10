"""A saved answer read back: the output of ``advise --json`` to `Advice`, nothing computed again.

Of what the file says everything is checked that a report or a picture relies on.
"""

from __future__ import annotations

import os
import re
from fractions import Fraction
from typing import NamedTuple

from advisor.advice.decide import EVALUATORS
from advisor.advice.results import (
    ALL_PASS_END,
    BOTH_WHIST_END,
    DOWN,
    FORMAT,
    HALF_END,
    IDLE_END,
    MADE,
    MISERE_CAUGHT,
    MISERE_MADE,
    MOST_DOWN,
    NOBODY_WHISTS_END,
    OTHER_HALF_END,
    OTHER_WHISTS_END,
    THEIR_MISERE_END,
    THEN,
    UNPLAYED_END,
    WHIST_END,
    Advice,
    Ending,
    Option,
    TalonCard,
    Why,
)
from advisor.cards import card_code, parse_cards
from advisor.errors import InputError
from advisor.records.decider import auction_rules
from advisor.records.hand import MAX_ALL_PASSES, Decision, HandRecord
from advisor.records.json_file import Node, read_json
from advisor.records.table import MAX_TARGET, STYLES
from advisor.rules.auction import Auction
from advisor.rules.calls import Call, parse_call
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import (
    Convention,
    convention_names,
    convention_of,
    load_convention,
)
from advisor.rules.deal import Reply
from advisor.rules.pulka import Pulka
from advisor.rules.settlement import Amount
from advisor.tricks.guide import bidding_rule

MOST = 10**15
LARGEST = 1e6  # net whists, tricks or seconds; beyond nobody has computed it
UNKNOWN = float("nan")
_CARDS = {card_code(number): number for number in range(32)}
_DECISIONS: dict[str, Decision] = {"bid": "bid", "declare": "declare", "whist": "whist"}
_REPLIES = {reply.value: reply for reply in Reply}
_STOPPED = {word: word for word in ("separated", "time", "all", "interrupted")}
_ENDS = {ALL_PASS_END, WHIST_END, HALF_END, IDLE_END, THEIR_MISERE_END, BOTH_WHIST_END,
         OTHER_WHISTS_END, OTHER_HALF_END, NOBODY_WHISTS_END}
_OWN_ENDING = re.compile(rf"({MADE}|{UNPLAYED_END}) ([6-9]|10)|{DOWN} [1-{MOST_DOWN}]"
                         rf"|{MISERE_MADE}|{MISERE_CAUGHT}")


class Saved(NamedTuple):
    """The answers of one file, and whether several hands were asked about."""

    advices: tuple[Advice, ...]
    several: bool


def read_advice(path: str | os.PathLike[str]) -> tuple[Advice, ...]:
    """Read what ``advise --json`` has printed, or standard input for ``-``.

    Parameters
    ----------
    path : path

    Returns
    -------
    tuple of Advice
        One for each hand, in the order of the file, with the numbers to as many digits as printed.

    Raises
    ------
    InputError
        No JSON (with line and column), no saved answer, one of another version, or a value that
        cannot be, with the path to it: ``a.json: options[3].ev: found "x", expected a number``.
    """
    return read_saved(path).advices


def read_saved(path: str | os.PathLike[str]) -> Saved:
    """The same, and whether it is a list; see `read_advice`."""
    whole = read_json(path)
    several = isinstance(whole.value, list)
    answers = tuple(_advice(node) for node in (whole.items() if several else (whole,)))
    if not answers:
        raise InputError(_NO_ANSWER, source=whole.source)
    return Saved(answers, several)


_NO_ANSWER = "this is not a saved answer; expected what advise --json prints"
_EARLIER = ("this answer was saved by an earlier version, which left out what a report needs; ask "
            "again with advise --json")
_LATER = ("this answer was saved by a later version, in format {found}, and this one reads format "
          "{limit}; install the later version, or ask again with advise --json")


def _advice(node: Node) -> Advice:
    _check_format(node)
    record = _record(node)
    decision = node.at("decision").one_of(_DECISIONS)
    if record.decision != decision:
        node.at("decision").refuse(f'"{record.decision}"')
    evaluator = node.at("evaluator").one_of({name: name for name in EVALUATORS})
    options = tuple(_option(one, record) for one in node.at("options").items())
    if not options:
        node.at("options").refuse("a list")
    deals = node.at("deals").whole(1, MOST)
    return Advice(
        record, decision, options, evaluator, deals,
        node.at("ess").within(0.0, deals * (1 + 1e-9)), node.at("exhaustive").flag(),
        node.at("seed").whole(0, 2**64), node.at("seconds").within(0.0, LARGEST),
        bidding_rule(record.cards, record.seat == 0) if decision == "bid" else None,
        node.at("complete").flag(), node.at("solved").whole(0, MOST),
        node.maybe("stopped", lambda one: one.one_of(_STOPPED)), node.maybe("why", _why))


def _check_format(node: Node) -> None:
    if not (node.has("decision") and node.has("options")):
        raise InputError(_NO_ANSWER, source=node.source)
    if not node.has("format"):
        raise InputError(_EARLIER, source=node.source)
    found = node.at("format").whole(1, MOST)
    if found > FORMAT:
        raise InputError(_LATER, found=found, limit=FORMAT, source=node.source)


def _record(node: Node) -> HandRecord:
    convention = _convention(node)
    all_passes = node.at("all_passes").whole(0, MAX_ALL_PASSES)
    players = node.at("players").whole(3, 4)
    hand, calls = node.at("hand"), [_call(one) for one in node.at("auction").items()]
    cards = hand.parse(parse_cards)
    if cards.bit_count() not in (10, 12):
        hand.refuse("ten cards, or twelve with the talon")
    with node.at("auction").placed():
        auction = Auction(auction_rules(convention, all_passes), tuple(calls))
    styles = [one.one_of({style: style for style in STYLES}) for one in node.at("styles").items()]
    if len(styles) != 3:
        node.at("styles").refuse("a list of three")
    declarer = node.maybe("declarer", lambda one: one.whole(1, 3) - 1)
    contract = node.maybe("contract", lambda one: one.parse(parse_contract))
    if contract is not None and (not contract.is_game or declarer is None):
        node.at("contract").refuse("a game with its declarer")
    return HandRecord(
        cards, node.at("seat").whole(1, 3) - 1, auction, convention, players, all_passes,
        node.maybe("talon", lambda one: _mask(one, 2)) or 0,
        node.maybe("file", Node.text), node.at("assumed").flag(), contract, declarer,
        node.maybe("whist", lambda one: one.one_of(_REPLIES)),
        (styles[0], styles[1], styles[2]),
        node.maybe("pulka", lambda one: _pulka(one, players)))


def _convention(node: Node) -> Convention:
    name, options = node.at("convention"), node.at("convention_options")
    if options.value is None:
        return load_convention(name.one_of({one: one for one in convention_names()}))
    values = {key: one.value for key, one in options.pairs()}
    with options.placed():
        return convention_of(name.text(), values)


def _call(node: Node) -> Call:
    return node.parse(parse_call)


def _mask(node: Node, count: int) -> int:
    """So many cards, in the form of `advisor.cards.format_cards`."""
    return _cards(node, node.text(), count)


def _cards(node: Node, text: str, count: int) -> int:
    codes = text.split()
    if not all(code in _CARDS for code in codes) or len({*codes}) != count:
        node.refuse("cards such as C8 D7")
    return sum(1 << _CARDS[code] for code in codes)


def _pulka(node: Node, players: int) -> Pulka:
    def points(key: str) -> tuple[Amount, ...]:
        found = tuple(_amount(one) for one in node.at(key).items())
        if len(found) != players:
            node.at(key).refuse("a number for each player")
        return found

    return Pulka(points("pool"), points("mountain"),
                 node.maybe("target", lambda one: one.whole(1, MAX_TARGET)))


def _amount(node: Node) -> Amount:
    amount = Fraction(node.number())
    return amount.numerator if amount.denominator == 1 else amount


def _option(node: Node, record: HandRecord) -> Option:
    name, decision = node.at("option"), record.decision
    contract, discard = None, 0
    if decision == "declare":
        contract = node.at("contract").parse(parse_contract)
        discard = _mask(node.at("discard"), 2)
    tricks = _tricks(node.at("tricks")) if decision != "bid" else None
    p_make = node.maybe("p_make", Node.share)
    mean_tricks = node.maybe("mean_tricks", _trick_number)
    if decision != "bid" and p_make is None:
        node.at("p_make").refuse("a number")
    if decision == "whist" and mean_tricks is None:
        node.at("mean_tricks").refuse("a number")
    return Option(
        name.parse(parse_call) if decision == "bid" else None, contract, discard,
        _worth(node.at("ev")), _error(node.at("se")), _worth(node.at("behind")),
        _error(node.at("behind_se")), p_make, node.at("declares").share(),
        {_end(one, key): one.share() for key, one in node.at("becomes").pairs()}, tricks,
        mean_tricks, _discards(node.at("discards")) if decision == "bid" else {},
        node.at("solved").flag(), node.maybe("tables_ev", _worth),
        name.one_of(_REPLIES) if decision == "whist" else None)


def _worth(node: Node) -> float:
    """Net whists."""
    return node.within(-LARGEST, LARGEST)


def _trick_number(node: Node) -> float:
    """A mean number of tricks."""
    return node.within(0.0, 10.0)


def _error(node: Node) -> float:
    """A standard error; null where it is not known."""
    if node.value is None:
        return UNKNOWN
    return node.within(0.0, LARGEST)


def _end(node: Node, end: str) -> str:
    if end not in _ENDS:
        with node.placed():
            parse_contract(end)
    return end


def _discards(node: Node) -> dict[int, float]:
    return {_cards(one, key, 2): one.share() for key, one in node.pairs()}


def _tricks(node: Node) -> tuple[float, ...]:
    chances = [0.0] * 11
    for key, one in node.pairs():
        if key not in {str(k) for k in range(11)}:
            node.refuse("tricks from 0 to 10")
        chances[int(key)] = one.share()
    return tuple(chances)


def _why(node: Node) -> Why:
    lead = node.maybe("lead", lambda one: list(one.items()))
    if lead is not None and len(lead) != 2:
        node.at("lead").refuse("a number and its error")
    return Why(
        tuple(_ending(one) for one in node.at("endings").items()),
        _worth(node.at("solving_changes")),
        tuple(TalonCard(_mask(one.at("card"), 1).bit_length() - 1, _worth(one.at("gain")),
                        _error(one.at("se"))) for one in node.at("talon").items()),
        node.maybe("guide_tricks", _trick_number), node.maybe("tricks", _trick_number),
        None if lead is None else (lead[0].number(), _error(lead[1])),
        node.maybe("usual", lambda one: one.one_of(_REPLIES).value))


def _ending(node: Node) -> Ending:
    end = node.at("end")
    if not all(part in _ENDS or _OWN_ENDING.fullmatch(part) for part in end.text().split(THEN)):
        end.refuse("how a deal ends")
    return Ending(end.text(), node.at("share").share(), _worth(node.at("net")))
