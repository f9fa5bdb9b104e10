"""Batches over threads, and one table for many questions about one deal."""

from __future__ import annotations

import threading
from multiprocessing.pool import ThreadPool
from os import cpu_count
from typing import TYPE_CHECKING

import numpy as np

from advisor.tricks.compiled import kernels, new_memory, places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

CHUNK = 16  # deals handed to a thread at a time
FEW_DEALS = 32  # not worth a second thread
ENTRIES = 1 << 17  # results remembered by one thread, 4 MB


def run_rows(
    kernel: str,
    hands: NDArray[np.uint32],
    strains: NDArray[np.int8],
    leaders: NDArray[np.int8],
    misere: bool,
    threads: int | None,
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Apply a row-by-row kernel to all deals; its answers and the positions visited."""
    out = np.zeros(len(hands), np.int8)
    nodes = np.zeros(len(hands), np.int64)
    if len(hands) == 0:
        return out, nodes
    function = getattr(kernels("rows"), kernel)

    def work(memory: NDArray[np.int64], start: int) -> None:
        part = slice(start, start + CHUNK)
        given = hands[part], strains[part], leaders[part], int(misere)
        function(memory, places(), *given, out[part], nodes[part])

    share_out(work, range(0, len(hands), CHUNK), thread_count(threads, len(hands)))
    return out, nodes


def run_discards(
    hands: NDArray[np.uint32],
    strains: NDArray[np.int8],
    leaders: NDArray[np.int8],
    misere: bool,
    threads: int | None,
) -> NDArray[np.int8]:
    """Tricks (discards, strains, leaders); one table for each strain."""
    out = np.zeros((len(strains), len(hands), len(leaders)), np.int8)
    function = kernels("alike").solve_alike

    def work(memory: NDArray[np.int64], at: int) -> None:
        function(memory, places(), hands, int(strains[at]), leaders, int(misere), out[at])

    share_out(work, range(len(strains)), thread_count(threads, FEW_DEALS * len(strains)))
    return np.ascontiguousarray(out.transpose(1, 0, 2))


def thread_count(threads: int | None, deals: int) -> int:
    """Threads to use for so many deals.

    Raises
    ------
    ValueError
        If the threads asked for are no whole number from 1.
    """
    if threads is None:
        return max(1, min(cpu_count() or 1, deals // FEW_DEALS))
    if not isinstance(threads, int | np.integer) or threads < 1:
        raise ValueError(f"threads must be a whole number from 1, found {threads!r}")
    return int(threads)


def share_out(
    work: Callable[[NDArray[np.int64], int], None],
    jobs: range,
    threads: int,
    entries: int = ENTRIES,
) -> None:
    """Do all jobs; each thread has a memory of its own and takes the next job when free.

    After Ctrl-C the threads finish the job they are at and take no other.
    """
    queue: Iterator[int] = iter(jobs)
    lock, stopped = threading.Lock(), threading.Event()

    def worker(_: int) -> None:
        memory = new_memory(entries)
        while not stopped.is_set():
            with lock:
                job = next(queue, None)
            if job is None:
                return
            work(memory, job)

    places()  # compiled before the threads start
    number = min(threads, len(jobs))
    if number <= 1:
        worker(0)
        return
    with ThreadPool(number) as pool:
        try:
            pool.map(worker, range(number), chunksize=1)
        finally:
            stopped.set()


class Engine:
    """One table for many questions about positions of one deal.

    Parameters
    ----------
    strain : int
        0..4.
    misere : bool
        The declarer avoids tricks.
    """

    def __init__(self, strain: int, misere: bool) -> None:
        self._memory = new_memory(ENTRIES)
        kernels("table").begin(self._memory, strain, int(misere))

    def tricks(self, hands: tuple[int, int, int], leader: int, played: tuple[int, ...] = ()) -> int:
        """Declarer's tricks from here, the current one included.

        Parameters
        ----------
        hands : tuple of int
            Card masks, the cards on the table still in the hands of those who played them.
        leader : int
            Column that leads, or led, to this trick.
        played : tuple of int
            Card numbers on the table, in order; at most three.

        Returns
        -------
        int
            Tricks of the declarer.
        """
        x, y, z = ([1 << card for card in played] + [0, 0, 0])[:3]
        search = kernels("search")
        return int(search.tricks_after(self._memory, places(), *hands, leader, x, y, z))
