"""Numbered pieces of work on several processes, their results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from advisor.fitting.pool import submit, worker_pool

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4  # pieces begun or waiting for each worker
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def in_order(task: Callable[[int], T], pieces: int, workers: int) -> Iterator[T]:
    """``task(0), task(1), ...`` computed by `workers` processes; 1 works in this one.

    Parameters
    ----------
    task : callable
        Of the piece's number; it and its results must be picklable.
    pieces : int
    workers : int

    Raises
    ------
    MemoryError
        A worker was killed, which the system does for want of memory.
    """
    if workers == 1 or pieces == 1:
        yield from map(task, range(pieces))
        return
    with _one_thread_each(), worker_pool(min(workers, pieces)) as pool:
        try:
            waiting: deque[Future[T]] = deque()
            for piece in range(pieces):
                waiting.append(submit(pool, task, piece))
                if len(waiting) >= AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise MemoryError("a worker died") from None


def gathered(
    parts: Iterable[Sequence[R]], total: int, progress: Callable[[int, int], None] | None
) -> list[R]:
    """All results of pieces that bring several each; after an interruption those until then.

    Parameters
    ----------
    parts : iterable of sequence
    total : int
        Results in all.
    progress : callable, optional
        Called with (results, total).

    Raises
    ------
    KeyboardInterrupt
        Interrupted before the first.
    """
    found: list[R] = []
    try:
        for part in parts:
            found += part
            if progress is not None:
                progress(len(found), total)
    except KeyboardInterrupt:
        if not found:
            raise
    return found


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Workers started here share the processors; none of them takes all for its sums."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
