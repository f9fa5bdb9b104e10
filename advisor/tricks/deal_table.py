"""One deal with open cards, seat by seat: who takes how many tricks in what, and by which lead.

Here seats are those of the table, 0 1 2 the first, second and third hand; the solver's columns,
which count from the declarer, stay inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.records.deal import MAX_CARDS, DealRecord
from advisor.rules.contracts import ALL_PASS, MISERE, Contract
from advisor.rules.play import FIRST_HAND
from advisor.tricks.line import Trick, best_line
from advisor.tricks.selfish import Turned, selfish_play
from advisor.tricks.solver import optimal_leads

SEATS = range(3)
NO_TRUMP = 4
MISERE_STRAIN = 5
STRAINS = ("S", "C", "D", "H", "NT", "misere")

Hands = tuple[int, int, int]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Cell:
    """The declarer's tricks, and the leads that lose his or the defenders' side nothing.

    Parameters
    ----------
    declarer, leader : int
        Seats 0, 1, 2.
    strain : int
        Index into `STRAINS`: 0..4, or 5 for misère.
    tricks : int
        Tricks of the declarer.
    leads : int
        Mask of the leader's cards that keep this number.
    """

    declarer: int
    leader: int
    strain: int
    tricks: int
    leads: int


@dataclass(frozen=True, slots=True)
class Solution:
    """One contract solved.

    Parameters
    ----------
    contract : Contract
    declarer : int or None
        Seat; ``None`` in all-pass.
    leader : int
        Seat.
    tricks : tuple of int
        By seat along the line; in all-pass with a talon that plays, the dealer's come fourth.
    leads : dict of int
        By card number of each card the leader may play: the declarer's tricks after it; in all-pass
        the leader's own.
    best : int
        Mask of the optimal leads.
    line : tuple of Trick
        An optimal line; ``leader`` and ``winner`` of its tricks are seats, 3 the dealer.
    """

    contract: Contract
    declarer: int | None
    leader: int
    tricks: tuple[int, ...]
    leads: dict[int, int]
    best: int
    line: tuple[Trick, ...]


def solve_table(
    hands: Hands, declarers: Sequence[int] = SEATS, leaders: Sequence[int] = SEATS
) -> tuple[Cell, ...]:
    """Everything a double-dummy table has: by declarer, leader and strain, misère included.

    Parameters
    ----------
    hands : tuple of int
        Card masks of seats 0, 1, 2, equally many cards in each.
    declarers, leaders : sequence of int
        Seats to solve for.

    Raises
    ------
    ValueError
        As in `solve_deals`.
    """
    return tuple(_cell(hands, declarer, leader, strain) for declarer in declarers
                 for leader in leaders for strain in range(MISERE_STRAIN + 1))


def _cell(hands: Hands, declarer: int, leader: int, strain: int) -> Cell:
    misere = strain == MISERE_STRAIN
    leads = optimal_leads(_from(hands, declarer), min(strain, NO_TRUMP), (leader - declarer) % 3,
                          misere)
    tricks, best = _best(leads, more=(leader == declarer) != misere)
    return Cell(declarer, leader, strain, tricks, best)


def solve_record(record: DealRecord, progress: Progress | None = None) -> Solution:
    """What a deal file asks for; see `solve_contract`. The first hand leads if no other is named.

    Raises
    ------
    ValueError
        If the record names no contract.
    """
    if record.contract is None:
        raise ValueError("the record names no contract")
    talon, plays = turned_cards(record)
    leader = FIRST_HAND if record.leader is None else record.leader
    return solve_contract(record.hands, record.contract, record.declarer, leader, talon=talon,
                          talon_plays=plays, progress=progress)


def turned_cards(record: DealRecord) -> tuple[tuple[int, ...], bool]:
    """The talon cards that open the first tricks of an all-pass, and whether they play.

    In an ending they have been turned already; at a table of three they name the suit at most.

    Notes
    -----
    Source: rules.md 1.6.
    """
    way = record.convention.all_pass_talon
    if way == "closed" or record.size < MAX_CARDS:
        return (), False
    return record.talon, way == "plays" and record.players == 4


def solve_contract(
    hands: Hands, contract: Contract, declarer: int | None, leader: int, *,
    talon: Sequence[int] = (), talon_plays: bool = False, progress: Progress | None = None,
) -> Solution:
    """Tricks of all, the value of each lead, and an optimal line.

    Parameters
    ----------
    hands : tuple of int
        Card masks of seats 0, 1, 2, equally many cards in each.
    contract : Contract
        Of a game only the strain matters.
    declarer : int or None
        Seat; ``None`` for all-pass.
    leader : int
        Seat.
    talon : sequence of int
        For all-pass: the card numbers turned before the first tricks, none where it stays closed.
    talon_plays : bool
        For all-pass: the turned cards are the dealer's leads instead of naming the suit only.
    progress : callable, optional
        Called with the number of endings solved and their total where it takes long.

    Raises
    ------
    ValueError
        As in `solve_deals`; for a declarer that is missing.

    Notes
    -----
    All-pass is solved as `solve_all_pass` defines its ``"equilibrium"``.
    """
    if contract == ALL_PASS:
        return _all_pass(hands, leader, Turned(tuple(talon), talon_plays), progress)
    if declarer is None:
        raise ValueError(f"a declarer is needed for {contract}")
    misere = contract == MISERE
    strain = NO_TRUMP if misere else int(contract.strain)
    deal, column = _from(hands, declarer), (leader - declarer) % 3
    line = tuple(Trick((trick.leader + declarer) % 3, trick.cards, (trick.winner + declarer) % 3)
                 for trick in best_line(deal, strain, column, misere=misere))
    leads = optimal_leads(deal, strain, column, misere)
    _, best = _best(leads, more=(column == 0) != misere)
    return Solution(contract, declarer, leader, _tricks(line, 3), leads, best, line)


def _all_pass(hands: Hands, leader: int, turned: Turned, progress: Progress | None) -> Solution:
    shares, line = selfish_play(hands, leader, turned, progress)
    tricks = _tricks(line, 4 if turned.plays else 3)
    best = sum(1 << card for card, share in shares.items() if share[:len(tricks)] == tricks)
    return Solution(ALL_PASS, None, leader, tricks,
                    {card: share[leader] for card, share in shares.items()}, best, line)


def _from(hands: Hands, declarer: int) -> np.ndarray:
    return np.array([hands[(declarer + i) % 3] for i in SEATS], np.uint32)


def _best(leads: dict[int, int], *, more: bool) -> tuple[int, int]:
    tricks = (max if more else min)(leads.values())
    return tricks, sum(1 << card for card, after in leads.items() if after == tricks)


def _tricks(line: Sequence[Trick], seats: int) -> tuple[int, ...]:
    return tuple(sum(trick.winner == seat for trick in line) for seat in range(seats))
