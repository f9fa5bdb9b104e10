"""What every end of a deal is worth to all three seats, under one convention."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declared import declared_net
from advisor.advice.habits import Habits
from advisor.advice.naming import choose, named_levels
from advisor.advice.payoff import payoff
from advisor.fitting.table_deals import TableDeals
from advisor.rules.conventions import Convention
from advisor.tricks.shares import expected, share_table

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PLAYERS = 3


@dataclass(frozen=True, slots=True)
class Values:
    """Net whists of every seat, deal by deal.

    Parameters
    ----------
    strain : intp (3, n)
        By declarer, deal.
    level : intp (3, 5, n)
        By declarer, lowest level left to him, deal.
    games : float64 (3, 5, n, 3)
        Likewise, by seat.
    misere : float64 (3, n, 3)
        By declarer, deal, seat; nan where he would not think of it.
    all_pass : float64 (n, 3)
    """

    strain: Ints
    level: Ints
    games: Floats
    misere: Floats
    all_pass: Floats


def table_values(
    deals: TableDeals, convention: Convention, number: int, usual: Habits
) -> Values:
    """Value all ends; an all-pass would be the `number`-th of its row."""
    table = payoff(convention, PLAYERS, number)
    games = np.stack([declared_net(deals.hands, deals.talon, seat, convention, PLAYERS, usual)
                      for seat in range(3)])
    named = [choose(deals.hands[:, seat] | deals.talon, seat == 0, usual) for seat in range(3)]
    strain = np.stack([one.strain for one in named])
    level = np.stack([named_levels(one.strain, one.mean, usual) for one in named])
    solved = deals.misere.T
    misere = np.stack([table.misere[np.maximum(solved[seat], 0)][:, (np.arange(3) - seat) % 3]
                       for seat in range(3)])
    misere[solved < 0] = np.nan
    shares = share_table().shares(deals.hands, deals.talon, convention.all_pass_mode(PLAYERS))
    return Values(strain, level, games, misere, expected(shares, table.all_pass[0]))
