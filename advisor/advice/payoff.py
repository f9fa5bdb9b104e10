"""The scoring of a convention as arrays: net whists of every way a deal can end.

Roles are relative to the declarer: 0 he himself, 1 the next clockwise (the first defender), 2 the
other defender, 3 the dealer of a table of four.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from advisor.cards import Strain, cards_of
from advisor.records.hand import HandRecord
from advisor.rules.contracts import ALL_PASS, LEVELS, MISERE, Contract
from advisor.rules.conventions import Convention
from advisor.rules.deal import SEATS, DealResult, Reply
from advisor.rules.pulka import Pulka, closing_is_neutral, deal_value
from advisor.rules.scoring import net_floats, score, talon_units

Floats = NDArray[np.float64]


class Pattern(IntEnum):
    """What the two defenders said, and how two whisters share the tricks of the defence.

    `HALF` is the second's half-whist after a pass, `FIRST_HALF` the first's, left alone with his
    whist.
    """

    NOBODY = 0
    SECOND = 1
    FIRST = 2
    BOTH = 3
    BOTH_FIRST_MORE = 4
    BOTH_SECOND_MORE = 5
    HALF = 6
    FIRST_HALF = 7


PATTERNS = len(Pattern)
UNPLAYED = (Pattern.NOBODY, Pattern.HALF, Pattern.FIRST_HALF)
DEALER_MOST = 2
HALF_LEVELS = (6, 7)
DOUBTED = 3
_REPLIES = {
    Pattern.NOBODY: (Reply.PASS, Reply.PASS),
    Pattern.SECOND: (Reply.PASS, Reply.WHIST),
    Pattern.FIRST: (Reply.WHIST, Reply.PASS),
    Pattern.HALF: (Reply.PASS, Reply.HALF),
    Pattern.FIRST_HALF: (Reply.HALF, Reply.PASS),
}
_FIRST_SHARE = {Pattern.BOTH_FIRST_MORE: 2 / 3, Pattern.BOTH_SECOND_MORE: 1 / 3}
# One pair of talon cards for each number of paid units, as (suit, rank) bits.
_PAID_TALONS = {0: 0b11, 1: 1 << 7 | 1, 2: 1 << 7 | 1 << 6, 3: 1 << 7 | 1 << 15}


@dataclass(frozen=True, slots=True)
class Payoff:
    """Net whists under one convention.

    Parameters
    ----------
    games : float64 (4, 5, 8, 11, players)
        By paid talon units, level - 6, `Pattern`, declarer's tricks, role.
    misere : float64 (11, players)
        By declarer's tricks, role.
    all_pass : float64 (3, 11, 11, players)
        By tricks of the dealer, of seats 0 and 1 (the rest are seat 2's), and seat; nan where
        they exceed ten or the dealer cannot take so many.
    """

    games: Floats
    misere: Floats
    all_pass: Floats


@lru_cache(maxsize=32)
def payoff(
    convention: Convention, players: int, all_pass_number: int, pulka: Pulka | None = None,
    declarer: int = 0,
) -> Payoff:
    """Tabulate a convention's scoring.

    Parameters
    ----------
    convention : Convention
    players : int
        3 or 4.
    all_pass_number : int
        The place an all-pass of this deal would have in its row, from 1.
    pulka : Pulka, optional
        The sheet before the deal, by seat; without it no pool is ever full.
    declarer : int
        The seat of role 0, where there is a sheet.
    """
    by_role = None if pulka is None else pulka.seen_from(declarer)
    return Payoff(
        games=_games(convention, players, by_role),
        misere=np.array([_net(DealResult(MISERE, 0, None, (t, 10 - t, 0), players), convention,
                              by_role) for t in range(11)]),
        all_pass=_all_pass(convention, players, all_pass_number, pulka),
    )


def record_payoff(record: HandRecord, declarer: int | None = None) -> Payoff:
    """The scoring at a player's table, an all-pass of this deal at its place in the row.

    Parameters
    ----------
    record : HandRecord
    declarer : int, optional
        Whose games are scored; if not given, those of the declarer a defender faces, or else the
        player's own. It matters to the state of the pulka alone.
    """
    number = record.all_passes + 1
    if not pulka_matters(record):
        return payoff(record.convention, record.players, number)
    told = record.seat if record.declarer is None else record.declarer
    return payoff(record.convention, record.players, number, record.pulka,
                  told if declarer is None else declarer)


def pulka_matters(record: HandRecord) -> bool:
    """Whether the state of the pulka changes the value of anything this deal can write."""
    if record.pulka is None or closing_is_neutral(record.convention):
        return False
    number = record.all_passes + 1
    plain = payoff(record.convention, record.players, number)
    return not all(
        np.allclose(here, there, equal_nan=True)
        for declarer in SEATS
        for here, there in zip(astuple(plain), astuple(payoff(
            record.convention, record.players, number, record.pulka, declarer)), strict=True))


def _net(
    result: DealResult, convention: Convention, pulka: Pulka | None = None
) -> tuple[float, ...]:
    entries = score(result, convention)
    if pulka is None:
        return net_floats(entries, convention, result.players)
    return tuple(map(float, deal_value(entries, pulka, convention)))


def _games(convention: Convention, players: int, pulka: Pulka | None) -> Floats:
    plain = np.array([
        [[_game(convention, players, level, pattern, tricks, pulka) for tricks in range(11)]
         for pattern in Pattern]
        for level in LEVELS
    ])
    units = [_talon_value(convention, players, talon) for talon in _PAID_TALONS.values()]
    return np.stack([plain + unit[:, None, None, :] for unit in units])


def _game(
    convention: Convention, players: int, level: int, pattern: Pattern, tricks: int,
    pulka: Pulka | None,
) -> tuple[float, ...]:
    contract = Contract.game(level, Strain.C)  # 6S may bind the defenders (rules.md 3.5)
    halves = convention.half_whist != "off" and level in HALF_LEVELS
    if pattern is Pattern.HALF and not halves:
        pattern = Pattern.NOBODY
    if pattern is Pattern.FIRST_HALF and not (halves and convention.first_may_half):
        pattern = Pattern.FIRST
    replies = _REPLIES.get(pattern, (Reply.WHIST, Reply.WHIST))
    if pattern in UNPLAYED:
        if not (level == 10 and convention.ten == "checked"):
            return _net(DealResult(contract, 0, replies, None, players), convention, pulka)
        replies = (Reply.WHIST, Reply.WHIST)
    defence = 10 - tricks
    if pattern in _FIRST_SHARE:
        splits = [round(defence * _FIRST_SHARE[pattern])]
    else:
        splits = [defence // 2, (defence + 1) // 2]
    nets = [_net(DealResult(contract, 0, replies, (tricks, first, defence - first), players),
                 convention, pulka) for first in splits]
    return tuple(sum(each) / len(nets) for each in zip(*nets, strict=True))


def _talon_value(convention: Convention, players: int, talon: int) -> Floats:
    """What the paid talon adds for each level and role, whoever whists; (5, players)."""
    passed = (Reply.PASS, Reply.PASS)
    rows = []
    for level in LEVELS:
        contract = Contract.game(level, Strain.C)
        if level == 10 and convention.ten == "checked":
            played = (Reply.WHIST, Reply.WHIST)
            pair = [DealResult(contract, 0, played, (10, 0, 0), players, t) for t in (talon, 0)]
        else:
            pair = [DealResult(contract, 0, passed, None, players, t) for t in (talon, 0)]
        paid, plain = (np.array(_net(result, convention)) for result in pair)
        rows.append(paid - plain)
    return np.array(rows)


def _all_pass(
    convention: Convention, players: int, number: int, pulka: Pulka | None
) -> Floats:
    table = np.full((DEALER_MOST + 1, 11, 11, players), np.nan)
    most = DEALER_MOST if players == 4 and convention.all_pass_talon == "plays" else 0
    for dealer in range(most + 1):
        for first in range(11 - dealer):
            for second in range(11 - dealer - first):
                tricks = (first, second, 10 - dealer - first - second, dealer)[:players]
                table[dealer, first, second] = _net(
                    DealResult(ALL_PASS, None, None, tricks, players, all_pass_number=number),
                    convention, pulka)
    return table


def doubted(pattern: NDArray[np.uint8], passed: Floats, whisted: Floats) -> NDArray[np.uint8]:
    """Patterns as they count from `DOUBTED` up, where nobody may live on not being whisted.

    Who is passed out counts as whisted by the first defender, where he would like that less:
    `passed` and `whisted` are his expected net whists.
    """
    return np.where((pattern == Pattern.NOBODY) & (whisted < passed),
                    np.uint8(Pattern.FIRST), pattern)


def talon_chances(cards: int) -> Floats:
    """Chance of each number of paid units, float64 (4,), when the talon is any two of these."""
    bits = [1 << card for card in cards_of(cards)]
    units = [talon_units(a | b) for i, a in enumerate(bits) for b in bits[i + 1:]]
    return np.bincount(units, minlength=4) / len(units)


def paid_units(talon: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Paid units of each talon, an index into `Payoff.games`; 0 for an unknown talon."""
    masks, index = np.unique(talon, return_inverse=True)
    return np.array([talon_units(int(mask)) for mask in masks], dtype=np.intp)[index]
