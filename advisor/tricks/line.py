"""An optimal line of play, trick by trick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.cards import cards_of, format_hand
from advisor.rules.play import legal_cards, trick_winner
from advisor.tricks import engine
from advisor.tricks.checks import SEATS, checked_deal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import ArrayLike

__all__ = ["Trick", "best_line", "line_frame"]

COLUMNS = ("declarer", "next", "third")

Hands = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: who led, the three cards in the order played, who won.

    Attributes
    ----------
    leader, winner : int
        Columns of the deal, 0 the declarer.
    cards : tuple of int
        Card numbers ``8 * suit + (rank - 7)``.
    """

    leader: int
    cards: tuple[int, int, int]
    winner: int


def best_line(
    hands: ArrayLike, strain: int, leader: int, *, misere: bool = False
) -> tuple[Trick, ...]:
    """A line in which nobody ever plays a card that costs his side a trick.

    Among cards that keep the value the player takes the one with the lowest number: the lowest
    card of the first such suit.

    Parameters
    ----------
    hands : array_like of uint32, shape (3,)
        Card masks of one deal.
    strain, leader : int
        As in :func:`advisor.tricks.solver.solve_deals`.
    misere : bool
        As in :func:`advisor.tricks.solver.solve_deals`.

    Returns
    -------
    tuple of Trick
        As many tricks as there are cards in a hand; the declarer wins exactly as many of them as
        ``solve_deals`` says.

    Raises
    ------
    ValueError
        As in :func:`advisor.tricks.solver.solve_deals`.
    """
    left, strain, to_lead = checked_deal(hands, strain, leader, misere)
    table = engine.Engine(strain, misere)
    line: list[Trick] = []
    value = table.tricks(left, to_lead)
    while left[0]:
        trick = _best_trick(table, left, strain, to_lead, value)
        line.append(trick)
        left = _without(left, trick)
        to_lead = trick.winner
        value -= trick.winner == 0
    return tuple(line)


def line_frame(line: Sequence[Trick], names: Sequence[str] = COLUMNS) -> pd.DataFrame:
    """A line of play as a table, one row a trick, in columns: leads, a column a player, wins.

    Parameters
    ----------
    line : sequence of Trick
    names : sequence of str
        What to call the declarer, the next and the third.

    Raises
    ------
    ValueError
        If the names are not three different ones.
    """
    import pandas as pd

    if len(names) != SEATS or len(set(names)) != SEATS:
        raise ValueError(f"three different names expected, found {list(names)}")
    rows = []
    for trick in line:
        played = {names[(trick.leader + place) % SEATS]: format_hand(1 << card)
                  for place, card in enumerate(trick.cards)}
        rows.append({"leads": names[trick.leader], **{name: played[name] for name in names},
                     "wins": names[trick.winner]})
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="trick"))


def _best_trick(table: engine.Engine, hands: Hands, strain: int, leader: int, value: int) -> Trick:
    cards: tuple[int, ...] = ()
    for place in range(SEATS):
        seat = (leader + place) % SEATS
        led = cards[0] >> 3 if cards else None
        for card in cards_of(legal_cards(hands[seat], led, strain)):
            if table.tricks(hands, leader, (*cards, card)) == value:
                cards = (*cards, card)
                break
    x, y, z = cards
    return Trick(leader, (x, y, z), (leader + trick_winner(cards, strain)) % SEATS)


def _without(hands: Hands, trick: Trick) -> Hands:
    left = list(hands)
    for place, card in enumerate(trick.cards):
        left[(trick.leader + place) % SEATS] ^= 1 << card
    return left[0], left[1], left[2]
