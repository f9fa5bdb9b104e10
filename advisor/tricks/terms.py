"""What the fitted tables are asked: the indices a deal has in each of them.

The mean number of tricks is a sum of entries, one or more from each table (a *term*). A suit term
is indexed by the layout of a suit and a few small numbers of the deal; the others, *races*, by
small numbers alone. The same function serves fitting and use, so that they cannot disagree.

Small numbers: `own`, the declarer does not lead (0 he does); `lead`, the column that leads; with
trumps, `trumps`, the declarer's trumps with the most a defender has; and of `advisor.fitting.alone`
the sums over suits of cash, lost, kept and held.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.layouts import LAYOUTS, OWN_LAYOUTS, Layouts, lengths, own_layouts

Ints = NDArray[np.int64]
_SIDES = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


@dataclass(frozen=True, slots=True)
class Term:
    """A table of contributions to the mean.

    Parameters
    ----------
    shape : tuple of int
        Its axes; `LAYOUTS` first for a term of layouts.
    """

    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)


TRUMP_TERMS = {
    "side": Term((LAYOUTS, 3)),
    "trump": Term((LAYOUTS, 3)),
    "side_by_trumps": Term((LAYOUTS, 2, 32)),
    "side_by_defenders": Term((LAYOUTS, 16)),
    "shape": Term((9 * 9 * 9, 8, 2)),
    "race_cash": Term((32, 9, 3)),
    "race_held": Term((32, 9, 3)),
    "race_kept": Term((32, 10, 3)),
    "race_losers": Term((32, 10, 3)),
    "trump_losers": Term((81, 10, 3)),
    "trump_held": Term((81, 9, 3)),
}
NO_TRUMP_TERMS = {
    "side": Term((LAYOUTS, 3)),
    "by_cash": Term((LAYOUTS, 2, 5)),
    "by_lost": Term((LAYOUTS, 2, 7)),
    "by_both": Term((OWN_LAYOUTS, 2, 5, 7)),
    "race": Term((11, 16, 3)),
    "race_kept_held": Term((11, 11, 3)),
    "race_kept_lost": Term((11, 16, 3)),
    "race_cash_kept": Term((11, 11, 3)),
    "race_held_lost": Term((11, 16, 3)),
    "race_kept_cash_lost": Term((11, 11, 16, 3)),
    "race_kept_held_lost": Term((11, 11, 16, 3)),
    "race_longest": Term((8, 16, 11, 3)),
}
TRUMP_SPREAD, NO_TRUMP_SPREAD = "race_losers", "race"


def trump_terms(
    layouts: Layouts, strain: Ints, lead: Ints, alone: NDArray[np.uint8]
) -> dict[str, Ints]:
    """Indices in each table of `TRUMP_TERMS`, int (n, 1 or 3).

    Parameters
    ----------
    layouts : uint16 (n, 4)
    strain : int (n,), 0..3
    lead : int (n,), 0..2
    alone : uint8 (4, 9841)
        As `advisor.fitting.alone.alone_table` gives them.
    """
    side = np.take_along_axis(layouts, _SIDES[strain], axis=1).astype(np.int64)
    trump = np.take_along_axis(layouts, strain[:, None], axis=1).astype(np.int64)
    own_len, two, three = lengths()
    lead = lead[:, None]
    own = np.minimum(lead, 1)
    count = np.minimum(own_len[trump], 7).astype(np.int64)
    trumps = 4 * count + np.clip(np.maximum(two[trump], three[trump]), 1, 4) - 1
    defenders = 4 * np.minimum(two[trump], 3).astype(np.int64) + np.minimum(three[trump], 3)
    length = np.sort(own_len[side], axis=1).astype(np.int64)
    shape = (length[:, :1] * 9 + length[:, 1:2]) * 9 + length[:, 2:]
    cash, held, kept = (_total(alone[row], side, most) for row, most in ((0, 8), (3, 8), (2, 9)))
    losers = _total(own_len - alone[3], side, 9)
    alone_trump = alone[3][trump].astype(np.int64) * 9 + alone[2][trump]
    return {
        "side": side * 3 + lead,
        "trump": trump * 3 + lead,
        "side_by_trumps": (side * 2 + own) * 32 + trumps,
        "side_by_defenders": side * 16 + defenders,
        "shape": (shape * 8 + count) * 2 + own,
        "race_cash": (trumps * 9 + cash) * 3 + lead,
        "race_held": (trumps * 9 + held) * 3 + lead,
        "race_kept": (trumps * 10 + kept) * 3 + lead,
        "race_losers": (trumps * 10 + losers) * 3 + lead,
        "trump_losers": (alone_trump * 10 + losers) * 3 + lead,
        "trump_held": (alone_trump * 9 + held) * 3 + lead,
    }


def no_trump_terms(layouts: Layouts, lead: Ints, alone: NDArray[np.uint8]) -> dict[str, Ints]:
    """Indices in each table of `NO_TRUMP_TERMS`, int (n, 1 or 4); see `trump_terms`."""
    side = layouts.astype(np.int64)
    lead = lead[:, None]
    own = np.minimum(lead, 1)
    cash, lost, kept, held = (_total(row, side, most)
                              for row, most in zip(alone, (10, 15, 10, 10), strict=True))
    more_cash = np.minimum(_others(alone[0], side), 4)
    more_lost = np.minimum(_others(alone[1], side), 6)
    longest = np.minimum(alone[1][side].max(axis=1, keepdims=True), 7).astype(np.int64)
    return {
        "side": side * 3 + lead,
        "by_cash": (side * 2 + own) * 5 + more_cash,
        "by_lost": (side * 2 + own) * 7 + more_lost,
        "by_both": ((own_layouts()[side].astype(np.int64) * 2 + own) * 5 + more_cash) * 7
        + more_lost,
        "race": (cash * 16 + lost) * 3 + lead,
        "race_kept_held": (kept * 11 + held) * 3 + lead,
        "race_kept_lost": (kept * 16 + lost) * 3 + lead,
        "race_cash_kept": (cash * 11 + kept) * 3 + lead,
        "race_held_lost": (held * 16 + lost) * 3 + lead,
        "race_kept_cash_lost": ((kept * 11 + cash) * 16 + lost) * 3 + lead,
        "race_kept_held_lost": ((kept * 11 + held) * 16 + lost) * 3 + lead,
        "race_longest": ((longest * 16 + lost) * 11 + cash) * 3 + lead,
    }


def _total(row: NDArray[np.integer], side: Ints, most: int) -> Ints:
    """Sum over the suits, at most `most`, int (n, 1)."""
    total: Ints = np.minimum(row[side].sum(axis=1, keepdims=True, dtype=np.int64), most)
    return total


def _others(row: NDArray[np.integer], side: Ints) -> Ints:
    """Sum over the other suits, int (n, k)."""
    each = row[side].astype(np.int64)
    others: Ints = each.sum(axis=1, keepdims=True) - each
    return others
