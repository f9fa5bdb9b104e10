"""What a game is worth to everybody at the table, all cards known to the reckoner only.

The declarer throws and names as usual players do on their twelve cards (`advisor.advice.naming`),
the defenders reply each on his ten and the talon (`advisor.advice.replies`), and the tricks of the
layout come from the fitted tables. Made for valuing many dealt deals at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import Habits, habits
from advisor.advice.naming import choose, named_levels
from advisor.advice.payoff import DOUBTED, PATTERNS, Pattern, doubted, paid_units, payoff
from advisor.advice.replies import outlooks_in, reply_pattern
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.sampling.deals import around
from advisor.tricks.fitted import distributions, tables

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

BLOCK = 1 << 15


def declared_net(
    hands: Masks, talon: Masks, declarer: int, convention: Convention, players: int = 3,
    usual: Habits | None = None,
) -> Floats:
    """Net whists of all seats when one of them has bought the auction at each level.

    Parameters
    ----------
    hands : uint32 (n, 3)
        Ten cards each, by seat.
    talon : uint32 (n,)
        Taken and paid for by the declarer.
    declarer : int
        His seat.
    convention : Convention
    players : int
        3 or 4.
    usual : Habits, optional
        Replies and declarations; the convention's if not given.

    Returns
    -------
    float64 (5, n, players)
        By the lowest level, 6 to 10, he may name in the strain he likes best; columns are seats,
        the dealer of four last. Means over the tricks the layout may bring. From nine up a game
        that nobody whists counts as whisted by one where the declarer would like that less, so
        that nobody learns to name ten with any hand.
    """
    blocks = [_net(hands[start : start + BLOCK], talon[start : start + BLOCK], declarer, convention,
                   players, usual or habits(convention))
              for start in range(0, len(hands), BLOCK)]
    return np.concatenate(blocks, axis=1) if blocks else np.empty((5, 0, players))


def _net(
    hands: Masks, talon: Masks, declarer: int, convention: Convention, players: int, usual: Habits
) -> Floats:
    named = choose(hands[:, declarer] | talon, declarer == 0, usual)
    rows = around(hands, declarer, named.kept)
    chances = distributions()[tables().cells(rows, named.strain, -declarer % 3)]
    level = named_levels(named.strain, named.mean, usual)
    units = paid_units(talon)
    pay = payoff(convention, players, 1).games
    at_level = np.empty((len(LEVELS), len(hands), players))
    looks = (outlooks_in(rows[:, i], talon, named.strain) for i in (1, 2))
    for row, (game_level, first, second) in enumerate(zip(LEVELS, *looks, strict=True)):
        pattern = reply_pattern(first, second, game_level, convention, named.strain, usual)
        if row >= DOUBTED:
            his = pay[units, row, :, :, 0]
            pattern = doubted(pattern, his[:, Pattern.NOBODY, 0],
                              np.einsum("nk,nk->n", chances, his[:, Pattern.FIRST]))
        cell = units * PATTERNS + pattern
        worth = pay[:, row].reshape(-1, 11, players)
        at_level[row] = np.einsum("nk,nkr->nr", chances, worth[cell])
    net = np.take_along_axis(at_level, (level - min(LEVELS))[..., None], axis=0)
    by_seat: Floats = net[..., [(seat - declarer) % 3 for seat in range(3)] + [3] * (players == 4)]
    return by_seat
