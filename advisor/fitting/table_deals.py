"""Random deals for self-play, with what takes long to find out: misères, solved with open cards.

Only of hands that might call it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.advice.opponents import throw_holes
from advisor.fitting.chunks import Progress, load_arrays, save_arrays
from advisor.fitting.sample import chunk_rng
from advisor.sampling.bidding_tables import features
from advisor.sampling.deals import around
from advisor.tricks.holdings import NO_TRUMP

Masks = NDArray[np.uint32]

CHUNK = 1_000
GENERATOR = 2  # to be raised when the same seed gives other deals or evaluations
MISERE_TRICKS = 3.0  # by the printed holes of ten cards; beyond nobody calls misère


@dataclass(frozen=True, slots=True)
class TableDeals:
    """Deals of all 32 cards, with what self-play needs of them.

    Parameters
    ----------
    hands : uint32 (n, 3)
        By seat.
    talon : uint32 (n,)
    misere : int8 (n, 3)
        Tricks of each seat's misère with open cards; -1 where it was not solved.
    """

    hands: Masks
    talon: Masks
    misere: NDArray[np.int8]

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.talon)


def joined(parts: list[TableDeals]) -> TableDeals:
    """Several lots of deals as one."""
    return TableDeals(**{f.name: np.concatenate([getattr(p, f.name) for p in parts])
                         for f in fields(TableDeals)})


def deal_table(
    seed: int, chunk: int, n: int = CHUNK, threads: int | None = None, *, solve: bool = True
) -> TableDeals:
    """Deal and solve one chunk; depends on seed, number and size only.

    Without `solve` the misères stay unknown, for those who only count calls.
    """
    rng = chunk_rng(seed, chunk)
    cards = np.uint32(1) << np.argsort(rng.random((n, 32)), axis=1).astype(np.uint32)
    hands = np.stack([np.bitwise_or.reduce(cards[:, a : a + 10], axis=1) for a in (0, 10, 20)], 1)
    turned = cards[:, 30:]
    talon: Masks = turned[:, 0] | turned[:, 1]
    if not solve:
        return TableDeals(hands, talon, np.full((n, 3), -1, dtype=np.int8))
    misere = np.stack([_misere(hands, talon, seat, threads) for seat in range(3)], axis=1)
    return TableDeals(hands, talon, misere)


def _misere(
    hands: Masks, talon: Masks, seat: int, threads: int | None
) -> NDArray[np.int8]:
    from advisor.tricks.solver import solve_deals

    out = np.full(len(talon), -1, dtype=np.int8)
    hopeful = features(hands[:, seat], seat).holes <= MISERE_TRICKS
    kept, _ = throw_holes(hands[hopeful, seat] | talon[hopeful])
    out[hopeful] = solve_deals(around(hands[hopeful], seat, kept), NO_TRUMP, -seat % 3,
                               misere=True, threads=threads)
    return out


def stored_deals(
    work: Path, seed: int, chunks: int, *, size: int = CHUNK, threads: int | None = None,
    progress: Progress | None = None,
) -> TableDeals:
    """The first chunks of a seed, those that are not in the folder yet evaluated and saved there.

    Raises
    ------
    InputError
        A damaged file in the folder.
    """
    names = [f.name for f in fields(TableDeals)]
    parts = []
    for chunk in range(chunks):
        path = work / f"table-v{GENERATOR}-{size}-seed{seed}-{chunk:06d}.npz"
        if not path.exists():
            deals = deal_table(seed, chunk, size, threads)
            save_arrays(path, {name: getattr(deals, name) for name in names})
        parts.append(TableDeals(**load_arrays(path, names)))
        if progress is not None:
            progress(chunk + 1, chunks)
    return joined(parts)
