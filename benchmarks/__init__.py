"""Measurements of speed and memory: ``python -m benchmarks`` (``make bench``).

Each module ``bench_*.py`` has a function ``rows()`` that measures and yields `Row`; add one to
``benchmarks.__main__.MODULES`` and it is part of the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure.

    Parameters
    ----------
    what : str
        What was measured, and against what.
    value : float
    unit : str
        ``x`` for a ratio; absolute figures depend on the machine, ratios hardly do.
    target : str
        What it should be, such as ``>= 20``; empty where nothing is promised.
    detail : str
        The two figures behind a ratio.
    """

    what: str
    value: float
    unit: str
    target: str = ""
    detail: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if not self.target:
            return None
        sign, bound = self.target.split()
        return self.value >= float(bound) if sign == ">=" else self.value <= float(bound)


def measured(name: str) -> list[Row]:
    """All rows of a module."""
    return list(import_module(name).rows())


def best_of(runs: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Shortest wall time of each run, seconds; they take turns, so that all meet the same load."""
    times = [float("inf")] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = time.perf_counter()
            run()
            times[i] = min(times[i], time.perf_counter() - start)
    return times
