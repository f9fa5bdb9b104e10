"""Processes that work for this one: they leave Ctrl-C to it, and end with it or when told to."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from advisor.interrupt import HeldBack

T = TypeVar("T")


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many processes; what they still work on at the end is given up."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_serve)
    try:
        yield pool
    finally:
        left = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in left:
            worker.terminate()


def submit(pool: ProcessPoolExecutor, task: Callable[..., T], *arguments: object) -> Future[T]:
    """Have a task done; no interrupt falls between a worker's start and its entry in the pool."""
    with HeldBack():
        future = pool.submit(task, *arguments)
    return future


def _serve() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
