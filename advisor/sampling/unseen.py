"""The cards a player cannot see: count, enumerate, unrank, sample.

All ways to deal the unseen cards to two hidden hands and a talon are numbered: the talon first,
then the ten cards of the first hidden hand among the twenty left. A deal is drawn by drawing its
number, so a sample is a table look-up, and the whole space can be walked through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from advisor.cards import cards_of

Masks = NDArray[np.uint32]
_HALF = 10
_CHUNK = 1 << 15


@cache
def hand_masks(size: int = 10) -> Masks:
    """Every `size`-subset of ``2 * size`` places as a bit mask, ascending; shape (C(2s, s),)."""
    every = np.arange(1 << 2 * size, dtype=np.uint32)
    masks: Masks = every[np.bitwise_count(every) == size]
    masks.flags.writeable = False
    return masks


@dataclass(frozen=True, slots=True)
class Unseen:
    """The unseen cards of one player.

    Parameters
    ----------
    mask : int
        The unseen cards: 22 while the talon is hidden, 20 once it is known.
    size : int
        Cards in each hidden hand.

    >>> Unseen((1 << 22) - 1).count, Unseen((1 << 20) - 1).count
    (42678636, 184756)
    """

    mask: int
    size: int = 10

    def __post_init__(self) -> None:
        if self.mask.bit_count() - 2 * self.size not in (0, 2) or not 1 <= self.size <= _HALF:
            raise ValueError(
                f"{self.mask.bit_count()} unseen cards do not make two hands of {self.size} "
                "with a talon of two or none"
            )

    @property
    def layouts(self) -> int:
        """Ways to deal the two hidden hands once the talon is fixed."""
        return comb(2 * self.size, self.size)

    @property
    def talons(self) -> Masks:
        """Every possible talon, shape (231,); one empty talon where it is known."""
        cards = list(cards_of(self.mask))
        if len(cards) == 2 * self.size:
            return np.zeros(1, dtype=np.uint32)
        bits = [1 << c for c in cards]
        return np.array([a | b for i, a in enumerate(bits) for b in bits[i + 1 :]], dtype=np.uint32)

    @property
    def count(self) -> int:
        """Number of deals."""
        return len(self.talons) * self.layouts

    def layout(self, talon: Masks, index: NDArray[np.integer]) -> Masks:
        """The first hidden hand of layouts numbered under their talons.

        Parameters
        ----------
        talon : uint32 (t,)
        index : integers (t, m), 0 <= index < `layouts`

        Returns
        -------
        uint32 (t, m)
        """
        places = hand_masks(self.size)[index]
        low, high = self._spread_tables(talon)
        bits = 1 << self.size
        row = np.arange(len(talon), dtype=np.int32)[:, None] * bits
        hands: Masks = low.ravel()[(places & (bits - 1)) + row]
        hands |= high.ravel()[(places >> self.size) + row]
        return hands

    def _spread_tables(self, talon: Masks) -> tuple[Masks, Masks]:
        """Place masks of the lower and upper half to card masks, each (t, 2 ** size)."""
        rest = np.uint32(self.mask) & ~talon
        tables = []
        for _ in range(2):
            table = np.zeros((len(talon), 1), dtype=np.uint32)
            for _ in range(self.size):
                lowest = rest & (~rest + np.uint32(1))
                rest = rest ^ lowest
                table = np.concatenate([table, table | lowest[:, None]], axis=1)
            tables.append(table)
        return tables[0], tables[1]

    def unrank(self, index: NDArray[np.integer]) -> Masks:
        """Deals by number.

        Parameters
        ----------
        index : integers (n,), 0 <= index < `count`

        Returns
        -------
        uint32 (n, 3)
            First hidden hand, second hidden hand, talon.
        """
        index = np.asarray(index, dtype=np.int64)
        if index.size and not (index.min() >= 0 and index.max() < self.count):
            raise ValueError(f"deal numbers run from 0 to {self.count - 1}")
        which, layout = np.divmod(index, self.layouts)
        used, row = np.unique(which, return_inverse=True)
        low, high = self._spread_tables(self.talons[used])
        talon = self.talons[which]
        places = hand_masks(self.size)[layout]
        first = low[row, places & ((1 << self.size) - 1)] | high[row, places >> self.size]
        return np.stack([first, np.uint32(self.mask) & ~talon & ~first, talon], axis=1)

    def rank(self, deals: Masks) -> NDArray[np.int64]:
        """The numbers of deals; inverse of `unrank`."""
        deals = np.asarray(deals, dtype=np.uint32)
        which = np.searchsorted(np.sort(self.talons), deals[:, 2])
        which = np.argsort(self.talons)[which]
        rest = np.uint32(self.mask) & ~deals[:, 2]
        places = np.zeros(len(deals), dtype=np.uint32)
        for place in range(2 * self.size):
            lowest = rest & (~rest + np.uint32(1))
            places |= ((deals[:, 0] & lowest) != 0).astype(np.uint32) << np.uint32(place)
            rest = rest ^ lowest
        layout = np.searchsorted(hand_masks(self.size), places)
        return which.astype(np.int64) * self.layouts + layout

    def sample(self, n: int, rng: np.random.Generator) -> Masks:
        """`n` deals drawn uniformly with replacement, grouped by talon.

        Returns
        -------
        uint32 (3, n)
            Rows: first hidden hand, second hidden hand, talon.
        """
        talons = self.talons
        counts = rng.multinomial(n, np.full(len(talons), 1 / len(talons)))
        low, high = (table.ravel() for table in self._spread_tables(talons))
        row = np.repeat(np.arange(len(talons), dtype=np.uint32) << np.uint32(self.size), counts)
        masks, lower = hand_masks(self.size), np.uint32((1 << self.size) - 1)
        deals = np.empty((3, n), dtype=np.uint32)
        deals[2] = np.repeat(talons, counts)
        for start in range(0, n, _CHUNK):
            part = slice(start, min(start + _CHUNK, n))
            index = rng.integers(self.layouts, size=part.stop - start, dtype=np.uint32)
            places = masks[index]
            deals[0, part] = low[(places & lower) + row[part]]
            deals[0, part] |= high[(places >> np.uint32(self.size)) + row[part]]
        deals[1] = np.uint32(self.mask) ^ deals[2] ^ deals[0]
        return deals

    def enumerate(self, chunk: int = 1 << 16) -> Iterator[Masks]:
        """Every deal once, in order of number, in arrays of at most `chunk` rows."""
        for start in range(0, self.count, chunk):
            yield self.unrank(np.arange(start, min(start + chunk, self.count)))
