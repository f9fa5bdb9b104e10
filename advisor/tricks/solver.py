"""Exact open-card solver: how many tricks the declarer takes when all play perfectly.

Card masks are ``bit 8 * suit + (rank - 7)``, suits S C D H, ranks 7 8 9 10 J Q K A. Columns are
relative to the declarer: 0 declarer, 1 the next clockwise, 2 the third. Strain 4 is no trump.

The compiled search lives in :mod:`advisor.tricks.kernels`; it is loaded, and at the very first
use compiled, when the first question is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.tricks import engine
from advisor.tricks.all_pass import solve_all_pass
from advisor.tricks.checks import (
    CARD_COUNT,
    NO_TRUMP,
    checked_deal,
    checked_deals,
    checked_discards,
    checked_seats,
)
from advisor.tricks.line import Trick, best_line

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Trick",
    "best_line",
    "caught_deals",
    "optimal_leads",
    "solve_all_pass",
    "solve_deals",
    "solve_discards",
]


def solve_deals(
    hands: ArrayLike,
    strain: ArrayLike,
    leader: ArrayLike,
    *,
    misere: bool = False,
    threads: int | None = None,
) -> NDArray[np.int8]:
    """Tricks of the declarer with open cards and best play.

    Parameters
    ----------
    hands : array_like of uint32, shape (n, 3)
        Card masks; equal sizes 1..10 within a row.
    strain : array_like of int8, shape (n,) or scalar
        0..4 for S C D H NT; misère needs 4.
    leader : array_like of int8, shape (n,) or scalar
        Column of the player who leads to the first trick.
    misere : bool
        The declarer takes as few tricks as he can, the defenders make him take as many as they can.
    threads : int, optional
        Threads to use; by default one for each processor, but not for a handful of deals.

    Returns
    -------
    NDArray[int8], shape (n,)
        Tricks of the declarer.

    Raises
    ------
    ValueError
        For wrong shapes, overlapping or unequal hands, strains and leaders out of range; the
        message names the first offending row.

    Notes
    -----
    Rules of play: rules.md 1.5. The result does not depend on ``threads``.
    """
    checked, strains, leaders = checked_deals(hands, strain, leader, misere)
    return engine.run_rows("solve_rows", checked, strains, leaders, misere, threads)[0]


def caught_deals(
    hands: ArrayLike, leader: ArrayLike, *, threads: int | None = None
) -> NDArray[np.bool_]:
    """Misère: can the defenders force at least one trick on the declarer?

    Answers ``solve_deals(..., misere=True) > 0`` with a single yes-or-no search for each deal.

    Parameters
    ----------
    hands : array_like of uint32, shape (n, 3)
        Card masks; equal sizes 1..10 within a row.
    leader : array_like of int8, shape (n,) or scalar
        Column of the player who leads to the first trick.
    threads : int, optional
        As in :func:`solve_deals`.

    Returns
    -------
    NDArray[bool], shape (n,)
        True where the misère is caught.

    Raises
    ------
    ValueError
        As in :func:`solve_deals`.
    """
    checked, strains, leaders = checked_deals(hands, NO_TRUMP, leader, True)
    caught, _ = engine.run_rows("caught_rows", checked, strains, leaders, True, threads)
    return caught.astype(np.bool_)


def solve_discards(
    twelve: int,
    defenders: tuple[int, int],
    strains: ArrayLike,
    leaders: ArrayLike,
    *,
    misere: bool = False,
    threads: int | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Tricks of the declarer after each of the 66 discards from twelve cards.

    All discards, leaders and trick targets of a strain share one table, which makes the whole
    far cheaper than 66 separate deals.

    Parameters
    ----------
    twelve : int
        Card mask of the declarer's twelve cards.
    defenders : tuple of int
        Card masks of the next and the third player, ten cards each.
    strains, leaders : array_like of int8, shapes (s,) and (l,), or scalars
        Strains and leaders to solve for, in every combination.
    misere : bool
        As in :func:`solve_deals`; strains must then be 4.
    threads : int, optional
        Threads to use, one strain each.

    Returns
    -------
    discards : NDArray[uint32], shape (66,)
        Masks of the two cards put away, in ascending order of cards.
    tricks : NDArray[int8], shape (66, s, l)
        Tricks of the declarer.

    Raises
    ------
    ValueError
        If the hands do not have twelve, ten and ten different cards, or strains or leaders are
        out of range.
    """
    strain_list, leader_list = checked_seats(strains, leaders, misere)
    discards, hands = checked_discards(twelve, defenders)
    tricks = engine.run_discards(hands, strain_list, leader_list, misere, threads)
    return discards, tricks


def optimal_leads(
    hands: ArrayLike, strain: int, leader: int, misere: bool = False
) -> dict[int, int]:
    """Tricks of the declarer after each possible first lead.

    Parameters
    ----------
    hands : array_like of uint32, shape (3,)
        Card masks of one deal.
    strain, leader : int
        As in :func:`solve_deals`.
    misere : bool
        As in :func:`solve_deals`.

    Returns
    -------
    dict[int, int]
        For every card of the leader, by number ``8 * suit + (rank - 7)`` ascending, the
        declarer's tricks if it is led and all play perfectly from there.

    Raises
    ------
    ValueError
        As in :func:`solve_deals`.
    """
    checked, strain, seat = checked_deal(hands, strain, leader, misere)
    table = engine.Engine(strain, misere)
    return {
        card: table.tricks(checked, seat, (card,))
        for card in range(CARD_COUNT)
        if checked[seat] >> card & 1
    }
