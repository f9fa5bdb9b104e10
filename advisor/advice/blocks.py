"""Long work on sampled deals block by block, so that an interruption leaves an honest sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
T = TypeVar("T")
N = TypeVar("N", bound=np.generic)


def take(deals: Deals, rows: NDArray[np.intp]) -> Deals:
    """Part of the deals: some talons, or some layouts where there is one talon."""
    if len(deals.talon) == 1:
        whole = len(rows) == deals.weight.shape[1]
        return replace(deals, hands=deals.hands[:, rows], weight=deals.weight[:, rows],
                       exhaustive=deals.exhaustive and whole)
    spread = deals.talon_variance
    return replace(deals, hands=deals.hands[rows], talon=deals.talon[rows],
                   weight=deals.weight[rows],
                   talon_variance=None if spread is None else spread[rows])


def take_rows(values: Floats, rows: NDArray[np.intp]) -> Floats:
    """Part of an array (t, m), cut as `take` cuts the deals."""
    return values[:, rows] if len(values) == 1 else values[rows]


def row_blocks(
    deals: Deals, layouts: int, several: int, rng: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Rows of deals block by block: `several` layouts or so of whole talons, these at random.

    Where there is one talon, `layouts` of its layouts, as they were drawn.
    """
    t, m = deals.weight.shape
    order = np.arange(m) if t == 1 else rng.permutation(t)
    size = layouts if t == 1 else max(1, several // m)
    for start in range(0, len(order), size):
        yield order[start : start + size]


def in_blocks(
    deals: Deals, blocks: Iterable[NDArray[np.intp]],
    solve: Callable[[Deals, NDArray[np.intp]], T], progress: Progress | None = None,
) -> tuple[NDArray[np.intp], list[T], bool]:
    """Work on deals block by block, as far as there is time.

    Parameters
    ----------
    deals : Deals
    blocks : iterable of intp
        All rows, as `row_blocks` gives them.
    solve : callable
        Of a block of deals and its rows.
    progress : callable, optional
        Called with (rows known, rows).

    Returns
    -------
    rows : intp
        Talons, or layouts where there is one talon, in the order they were taken.
    results : list
        Of each block.
    complete : bool
        False after an interruption.

    Raises
    ------
    KeyboardInterrupt
        Interrupted before the first block was done.
    """
    total = deals.weight.shape[int(len(deals.talon) == 1)]
    rows: list[NDArray[np.intp]] = []
    done: list[T] = []
    known = 0
    try:
        for block in blocks:
            done.append(solve(take(deals, block), block))
            rows.append(block)
            known += len(block)
            if progress is not None:
                progress(known, total)
    except KeyboardInterrupt:
        if not rows:
            raise
    return np.concatenate(rows), done[: len(rows)], known == total


def in_order(parts: Sequence[NDArray[N]], rows: NDArray[np.intp], axis: int) -> NDArray[N]:
    """Blocks in the order of the deals: the errors compare talons that lie side by side."""
    return np.take(np.concatenate(parts, axis=axis), np.argsort(rows), axis=axis)
