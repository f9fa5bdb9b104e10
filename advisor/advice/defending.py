"""The tricks of a declarer against whom one defends, by the evaluator in use.

The declarer's discard is the model's (`advisor.advice.naming`). The guide sees only the cards he
keeps; the fitted tables and the solver see all hands. What neither guide nor tables know for sure
is added: the defender's own certain tricks are none of the declarer's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.advice.blocks import Progress, in_blocks, in_order, row_blocks, take
from advisor.advice.naming import keep_ten
from advisor.sampling.deals import Deals, around
from advisor.tricks.estimate import mean_step, spread_table, strain_means
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

BLOCK_DEALS = 4_000


def mean_tricks(chances: Floats) -> float:
    """Mean of a distribution of tricks (11,)."""
    return float(chances @ np.arange(11))


def defended_tricks(
    hand: int, deals: Deals, declarer: int, strain: int, evaluator: str,
    rng: np.random.Generator, progress: Progress | None = None, threads: int | None = None,
) -> tuple[Floats, Deals, bool]:
    """Chances of 0..10 tricks of the declarer on every deal.

    Parameters
    ----------
    hand : int
        The defender's ten cards.
    deals : Deals
        Their talon is the declarer's, 0 nowhere; where it is one of many, he left it.
    declarer, strain : int
        His seat, and what he plays.
    evaluator : str
        "guide" or "fitted"; anything else solves the deals.

    Returns
    -------
    chances : float64 (t, m, 11)
    deals : Deals
        Fewer after an interruption (Ctrl-C) of the solver.
    complete : bool
    """
    own = int(sure_tricks(np.array([hand], dtype=np.uint32), 0, strain, False)[0])
    if evaluator == "guide":
        return _guide(kept_cards(deals, declarer, strain), declarer, strain, own), deals, True
    if evaluator == "fitted":
        return _fitted(deals, declarer, strain, own), deals, True
    return _solved(deals, declarer, strain, rng, progress, threads)


def kept_cards(deals: Deals, declarer: int, strain: int) -> Masks:
    """The ten cards the declarer plays with, uint32 (t, m)."""
    hands = deals.hands[:, :, declarer]
    if deals.all_talons > 1:
        return hands
    return keep_ten(hands | deals.talon[:, None], strain, declarer == 0)


def _guide(kept: Masks, declarer: int, strain: int, own: int) -> Floats:
    step = mean_step(strain_means(kept, declarer == 0)[..., strain])
    chances: Floats = _cut(spread_table(strain == NO_TRUMP)[0], own)[step]
    return chances


def _cut(chances: Floats, own: int) -> Floats:
    """Distributions (..., 11) that leave the defender his certain tricks."""
    most = 10 - own
    left = chances.copy()
    left[..., most] = chances[..., most:].sum(axis=-1)
    left[..., most + 1 :] = 0.0
    return left


def defended_rows(deals: Deals, declarer: int, strain: int) -> Masks:
    """Hands as the tables and the solver want them, uint32 (t, m, 3)."""
    return around(deals.hands, declarer, kept_cards(deals, declarer, strain))


def _fitted(deals: Deals, declarer: int, strain: int, own: int) -> Floats:
    from advisor.tricks.fitted import distributions, tables

    cells = tables().cells(defended_rows(deals, declarer, strain), strain, -declarer % 3)
    chances: Floats = _cut(distributions(), own)[cells]
    return chances


def _solved(
    deals: Deals, declarer: int, strain: int, rng: np.random.Generator,
    progress: Progress | None, threads: int | None,
) -> tuple[Floats, Deals, bool]:
    """Solve block by block: layouts as drawn where the talon is known, else talons at random."""
    from advisor.tricks.solver import solve_deals

    def solve(part: Deals, _: NDArray[np.intp]) -> NDArray[np.int8]:
        rows = defended_rows(part, declarer, strain)
        return solve_deals(rows.reshape(-1, 3), strain, -declarer % 3, threads=threads).reshape(
            rows.shape[:-1])

    rows, parts, complete = in_blocks(
        deals, row_blocks(deals, BLOCK_DEALS, BLOCK_DEALS, rng), solve, progress)
    tricks = in_order(parts, rows, int(len(deals.talon) == 1))
    return np.eye(11)[tricks], take(deals, np.sort(rows)), complete
