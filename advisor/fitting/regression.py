"""Ridge regression on sums of table entries, with coarser tables as priors of finer ones.

Every table is a sum of *levels*: its own entries, and coarser tables that many of its entries
share. Each level has a penalty, in deals: an entry seen so often is drawn half-way to what the
coarser levels say. Rare layouts so fall back on their mirror image, and that on the declarer's
holding. Solved by conjugate gradients, preconditioned with the diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.layouts import LAYOUTS, OWN_LAYOUTS, mirrored, own_layouts
from advisor.tricks.terms import Term

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ITERATIONS = 80
TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a table.

    Parameters
    ----------
    penalty : float
        Deals.
    layouts : str
        ``full``, ``mirror`` (defenders exchanged alike) or ``own`` (defenders as one).
    axes : str
        ``all``; ``own``, the leader of the last axis only as the declarer or not; ``last``, only
        the last axis beside the layout.
    """

    penalty: float
    layouts: str = "full"
    axes: str = "all"

    def entries(self, term: Term) -> Ints:
        """The entry of this level that each entry of the table shares, int (term.size,)."""
        if term.shape[0] != LAYOUTS:
            return np.arange(term.size)
        rest = term.size // LAYOUTS
        layout, other = np.divmod(np.arange(term.size), rest)
        if self.axes == "own":
            other = np.minimum(other, 1)
        elif self.axes == "last":
            other = other % term.shape[-1]
        if self.layouts == "mirror":
            layout = mirrored()[layout].astype(np.int64)
        elif self.layouts == "own":
            layout = own_layouts()[layout].astype(np.int64)
        number: Ints = layout * rest + other
        return number

    def size(self, term: Term) -> int:
        """Entries of this level."""
        return term.size // LAYOUTS * OWN_LAYOUTS if self.layouts == "own" else term.size


RACE = (Level(3.0),)
TRUMP_LEVELS: dict[str, tuple[Level, ...]] = {
    "side": (Level(1.0, "own", "own"), Level(5.0, "mirror", "own"), Level(10.0)),
    "trump": (Level(1.0, "own", "own"), Level(5.0)),
    "side_by_trumps": (Level(5.0, "own", "last"), Level(15.0, "mirror")),
    "side_by_defenders": (Level(15.0),),
    "shape": (Level(5.0),),
}
NO_TRUMP_LEVELS: dict[str, tuple[Level, ...]] = {
    "side": (Level(1.0, "own", "own"), Level(5.0, "mirror", "own"), Level(10.0)),
    "by_cash": (Level(3.0, "own"), Level(15.0, "mirror")),
    "by_lost": (Level(3.0, "own"), Level(15.0, "mirror")),
    "by_both": (Level(5.0),),
    "race_kept_cash_lost": (Level(5.0),),
    "race_kept_held_lost": (Level(5.0),),
    "race_longest": (Level(5.0),),
}


def fit(
    indices: Mapping[str, Ints], terms: Mapping[str, Term], levels: Mapping[str, tuple[Level, ...]],
    tricks: Floats,
) -> tuple[float, dict[str, Floats]]:
    """The tables that explain the tricks best, and the constant they are added to.

    Parameters
    ----------
    indices : mapping of name to int (n, k)
        Entries of each deal, as `advisor.tricks.terms` gives them.
    terms, levels : mappings
        Tables; levels not named are `RACE`.
    tricks : float64 (n,)

    Returns
    -------
    constant : float
    tables : mapping of name to float64 of the term's shape
    """
    blocks, plans, start = [], [], 0
    penalty = []
    for name, index in indices.items():
        for level in levels.get(name, RACE):
            entries = level.entries(terms[name])
            size = level.size(terms[name])
            blocks.append((start, start + size, entries[index]))
            plans.append((name, entries, start))
            penalty.append(np.full(size, level.penalty))
            start += size
    constant = float(tricks.mean())
    found = _solve(blocks, np.concatenate(penalty), tricks - constant)
    tables = {name: np.zeros(terms[name].size) for name in indices}
    for name, entries, first in plans:
        tables[name] += found[first + entries]
    return constant, {name: table.reshape(terms[name].shape) for name, table in tables.items()}


_Block = tuple[int, int, Ints]


def _solve(blocks: list[_Block], penalty: Floats, target: Floats) -> Floats:
    """Conjugate gradients on the normal equations."""
    diagonal = penalty + _gather(blocks, np.ones_like(target), len(penalty))
    x = np.zeros_like(penalty)
    rest = _gather(blocks, target, len(penalty))
    stop = TOLERANCE * float(np.linalg.norm(rest))
    step = rest / diagonal
    norm = float(rest @ step)
    direction = step
    for _ in range(ITERATIONS):
        image = _gather(blocks, _predict(blocks, direction, len(target)), len(penalty))
        image += penalty * direction
        length = norm / float(direction @ image)
        x = x + length * direction
        rest = rest - length * image
        if float(np.linalg.norm(rest)) < stop:
            break
        step = rest / diagonal
        norm, before = float(rest @ step), norm
        direction = step + norm / before * direction
    return x


def _predict(blocks: list[_Block], x: Floats, n: int) -> Floats:
    out = np.zeros(n)
    for first, last, index in blocks:
        out += x[first:last][index].sum(axis=1)
    return out


def _gather(blocks: list[_Block], residual: Floats, size: int) -> Floats:
    out = np.zeros(size)
    for first, last, index in blocks:
        part = out[first:last]
        for column in range(index.shape[1]):
            part += np.bincount(index[:, column], weights=residual, minlength=last - first)
    return out


def ridge(index: Ints, size: int, penalty: float, target: Floats) -> Floats:
    """Values of `size` entries whose sums over `index` (n, k) come nearest to `target`."""
    return _solve([(0, size, index)], np.full(size, penalty), target)
