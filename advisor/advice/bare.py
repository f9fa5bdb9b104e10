"""A game on the ten cards dealt, the talon left where it is: by the fitted tables.

The game is chosen by the coarse table, which sees these cards alone, and the replies to be
expected; then it is valued layout by layout.
"""

from __future__ import annotations

import numpy as np

from advisor.advice.declaring import Outcome
from advisor.advice.guide_games import GuideGames
from advisor.advice.payoff import DOUBTED, Pattern, doubted
from advisor.sampling.deals import beside
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.holdings import coarse_distribution, holding_means
from advisor.tricks.sure import sure_tricks


def bare_outcome(hand: int, guide: GuideGames, first: int) -> Outcome:
    """The best game not below `first`, nothing thrown.

    Parameters
    ----------
    hand : int
        Ten cards.
    guide : GuideGames
        The same hand's games, whose deals, replies and payments count.
    first : int
        Place 0..24 of the lowest game allowed.
    """
    deals, on_lead = guide.deals, guide.deals.seat == 0
    kept = np.array([hand], dtype=np.uint32)
    certain = np.array([[sure_tricks(kept, 0, strain, on_lead)[0] for strain in range(5)]])
    coarse = coarse_distribution(holding_means(kept, on_lead), certain)[0]
    game = guide.bare_game(coarse, first)
    row, strain = divmod(game, 5)
    hidden = deals.hands[:, :, list(deals.hidden)]
    chances = distributions()[tables().cells(
        beside(np.full(len(hidden), hand, dtype=np.uint32), hidden), strain, -deals.seat % 3,
        int(certain[0, strain]))]
    pattern, pay = guide.unshown[game], guide.unpaid[row]
    if row >= DOUBTED:
        weight = deals.weight * (pattern == Pattern.NOBODY)
        whisted = np.sum(weight * (chances @ pay[Pattern.FIRST])) / max(weight.sum(), 1e-300)
        pattern = doubted(pattern, pay[Pattern.NOBODY, :1], np.atleast_1d(whisted))
    t = len(deals.talon)
    return Outcome(np.einsum("tmk,tmk->tm", chances, pay[pattern]),
                   chances[..., row + 6:].sum(axis=-1), chances @ np.arange(11),
                   np.full((1, t), game), np.zeros((1, t), dtype=np.uint32))
