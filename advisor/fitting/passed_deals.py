"""Random all-passes played out by cautious players (`advisor.tricks.cautious`), chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.chunks import Progress, load_arrays, save_arrays
from advisor.fitting.pool import submit, worker_pool
from advisor.fitting.sample import chunk_rng
from advisor.tricks.shares import MODES

Masks = NDArray[np.uint32]

CHUNK = 100
GENERATOR = 1  # to be raised when the same seed gives other deals or another play


@dataclass(frozen=True, slots=True)
class PassedDeals:
    """All-passes with how they went.

    Parameters
    ----------
    hands : uint32 (n, 3)
        By seat.
    turned : uint32 (n, 2)
        The talon cards in the order they are turned.
    mode : int8 (n,)
        What the talon does, a place in `MODES`.
    tricks : int8 (n, 4)
        By seat, the dealer's last.
    """

    hands: Masks
    turned: Masks
    mode: NDArray[np.int8]
    tricks: NDArray[np.int8]

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.mode)

    def part(self, rows: NDArray[np.bool_]) -> PassedDeals:
        """Some of the deals."""
        return PassedDeals(self.hands[rows], self.turned[rows], self.mode[rows],
                           self.tricks[rows])


def play_chunk(seed: int, chunk: int, size: int = CHUNK) -> PassedDeals:
    """Deal and play one chunk, the modes in turn; depends on seed, number and size only."""
    from advisor.tricks.cautious import play_all_pass

    rng = chunk_rng(seed, chunk)
    cards = np.uint32(1) << np.argsort(rng.random((size, 32)), axis=1).astype(np.uint32)
    hands = np.stack([np.bitwise_or.reduce(cards[:, a:a + 10], axis=1) for a in (0, 10, 20)], 1)
    turned, mode = cards[:, 30:], np.arange(size) % len(MODES)
    tricks = [play_all_pass(ten, two if MODES[how] != "closed" else (), rng,
                            plays=MODES[how] == "plays")
              for ten, two, how in zip(hands.tolist(), turned.tolist(), mode.tolist(),
                                       strict=True)]
    return PassedDeals(hands, turned, mode.astype(np.int8), np.array(tricks, dtype=np.int8))


def played_deals(
    work: Path, seed: int, chunks: int, workers: int, progress: Progress | None = None, *,
    size: int = CHUNK,
) -> PassedDeals:
    """The first chunks of a seed; those that are not in the folder yet are played and saved there.

    Raises
    ------
    InputError
        A damaged file in the folder.
    """
    names = [f.name for f in fields(PassedDeals)]
    paths = [work / f"passed-v{GENERATOR}-{size}-seed{seed}-{chunk:06d}.npz"
             for chunk in range(chunks)]
    missing = [chunk for chunk, path in enumerate(paths) if not path.exists()]
    done = chunks - len(missing)
    for chunk, deals in _played(seed, missing, workers, size):
        save_arrays(paths[chunk], {name: getattr(deals, name) for name in names})
        done += 1
        if progress is not None:
            progress(done, chunks)
    parts = [load_arrays(path, names) for path in paths]
    return PassedDeals(**{name: np.concatenate([part[name] for part in parts]) for name in names})


def _played(
    seed: int, chunks: list[int], workers: int, size: int
) -> Iterator[tuple[int, PassedDeals]]:
    if workers == 1 or not chunks:
        yield from ((chunk, play_chunk(seed, chunk, size)) for chunk in chunks)
        return
    play_chunk(seed, chunks[0], 1)  # compiles once, not in every worker
    with worker_pool(workers) as pool:
        waiting = {submit(pool, play_chunk, seed, chunk, size): chunk for chunk in chunks}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
