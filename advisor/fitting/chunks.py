"""Solving in numbered chunks, each saved when it is done: on processes or on a dask cluster.

A chunk depends on the seed and its number alone, so it does not matter who solves it, in what
order, or how often. It is written under a temporary name and then renamed: a file that is there is
whole. After an interruption only the missing chunks are solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from advisor.errors import InputError
from advisor.fitting.pool import submit, worker_pool
from advisor.fitting.sample import CHUNK, GENERATOR, SolvedDeals, solve_chunk
from advisor.writing import check_folder, whole_file

Progress = Callable[[int, int], None]
BREAKS = 3  # broken pools in a row, without a chunk solved, before giving up
AHEAD = 2  # chunks waiting for each worker


@dataclass(frozen=True, slots=True)
class Store:
    """Chunks of one seed in a folder.

    Parameters
    ----------
    folder : Path
    seed : int
    size : int
        Deals in a chunk.
    """

    folder: Path
    seed: int
    size: int = CHUNK

    def path(self, chunk: int) -> Path:
        """Where a chunk is saved."""
        name = f"deals-v{GENERATOR}-{self.size}-seed{self.seed}-{chunk:06d}.npz"
        return self.folder / name

    def missing(self, chunks: int) -> list[int]:
        """Numbers below `chunks` that are not there yet."""
        return [chunk for chunk in range(chunks) if not self.path(chunk).exists()]

    def save(self, chunk: int, deals: SolvedDeals) -> None:
        """Write a chunk; it appears whole or not at all."""
        save_arrays(self.path(chunk),
                    {f.name: getattr(deals, f.name) for f in fields(SolvedDeals)})

    def load(self, chunk: int) -> SolvedDeals:
        """Read a chunk.

        Raises
        ------
        InputError
            The file is damaged.
        """
        return SolvedDeals(**load_arrays(self.path(chunk), [f.name for f in fields(SolvedDeals)]))

    def load_all(self, chunks: int) -> SolvedDeals:
        """The first `chunks` chunks as one."""
        return joined([self.load(chunk) for chunk in range(chunks)])


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an npz file; it appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part, open(part, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def load_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Read some arrays of an npz file.

    Raises
    ------
    InputError
        The file is damaged.
    """
    try:
        with np.load(path) as file:
            return {name: file[name] for name in names}
    except (BadZipFile, KeyError, ValueError, EOFError):
        raise InputError("damaged; delete it and it will be solved again",
                         source=str(path)) from None


def joined(parts: Sequence[SolvedDeals]) -> SolvedDeals:
    """Several lots of deals as one."""
    return SolvedDeals(**{f.name: np.concatenate([getattr(part, f.name) for part in parts])
                          for f in fields(SolvedDeals)})


def solve_missing(
    store: Store, chunks: int, workers: int, scheduler: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Solve and save what is missing of the first `chunks` chunks.

    Parameters
    ----------
    store : Store
    chunks : int
    workers : int
        Processes on this machine; 1 works in this one.
    scheduler : str, optional
        Address of a dask scheduler whose workers solve instead.
    progress : callable, optional
        Called with (chunks there, chunks) after each.

    Raises
    ------
    InputError
        The folder takes no files, `distributed` is not installed, or no scheduler answers.
    BrokenProcessPool
        Workers die again and again.
    """
    check_folder(store.folder)
    missing = store.missing(chunks)
    there = chunks - len(missing)
    if progress is not None:
        progress(there, chunks)
    if scheduler is not None:
        solved = _on_cluster(store, missing, scheduler)
    elif workers > 1:
        solved = _on_processes(store, missing, workers)
    else:
        solved = ((chunk, solve_chunk(store.seed, chunk, store.size)) for chunk in missing)
    for chunk, deals in solved:
        store.save(chunk, deals)
        there += 1
        if progress is not None:
            progress(there, chunks)


def _on_processes(
    store: Store, missing: list[int], workers: int
) -> Iterator[tuple[int, SolvedDeals]]:
    """Chunks as they are done; a worker that dies takes the pool along, and a new one goes on."""
    left = dict.fromkeys(missing)
    solve_chunk(store.seed, 0, 1)  # compiles the solver once, not in every worker
    breaks = 0
    while left:
        try:
            for chunk, deals in _one_pool(store, list(left), workers):
                breaks = 0
                del left[chunk]
                yield chunk, deals
        except BrokenProcessPool:
            breaks += 1
            if breaks == BREAKS:
                raise


def _one_pool(
    store: Store, missing: list[int], workers: int
) -> Iterator[tuple[int, SolvedDeals]]:
    waiting: dict[Future[SolvedDeals], int] = {}
    queue = iter(missing)
    with worker_pool(workers) as pool:
        while True:
            for chunk in queue:
                waiting[submit(pool, solve_chunk, store.seed, chunk, store.size)] = chunk
                if len(waiting) >= AHEAD * workers:
                    break
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()


def _on_cluster(
    store: Store, missing: list[int], scheduler: str
) -> Iterator[tuple[int, SolvedDeals]]:
    """Chunks as the cluster delivers them; the scheduler gives a dead worker's chunks to others."""
    client, as_completed = _connect(scheduler)
    with client:
        jobs: dict[Any, int] = {
            client.submit(solve_chunk, store.seed, chunk, store.size, pure=False): chunk
            for chunk in missing}
        for future in as_completed(list(jobs)):
            yield jobs.pop(future), future.result()
            future.release()


def _connect(scheduler: str) -> tuple[Any, Any]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise InputError("a cluster needs dask; install preferans-advisor[cluster]",
                         source="--scheduler") from None
    try:
        return distributed.Client(scheduler, timeout=10), distributed.as_completed
    except (OSError, ValueError):
        raise InputError("no scheduler answers at {address}", address=scheduler,
                         source="--scheduler") from None
