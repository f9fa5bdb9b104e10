"""Dealing, and the whole ``advise`` process with the printed guide.

* Deals per second against ``numpy.random.Generator.permuted`` on the same 22 cards, the obvious
  way to deal them at random, as many rows on both sides. Cutting the rows into hands is not even
  counted.
* CPU time of a whole process, user and system, against that of ``import numpy`` alone, so that the
  machine's speed and file cache count on both sides.
* Peak resident memory of the same ``advise`` process, in the kernel's own count.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from advisor.cards import cards_of, parse_cards
from advisor.sampling.deals import draw_deals
from advisor.sampling.unseen import Unseen
from benchmarks import Row, best_of

ROOT = Path(__file__).resolve().parents[1]
HAND = ROOT / "data" / "hands" / "example.txt"
CARDS = parse_cards("♠AKQ98 ♣A8 ♦K107")
DEALS = 1_000_000
REPEATS = 9
SOLVE = ("-c", "from advisor import solve_deals; "
               "solve_deals([[0x3FF, 0xFFC00, 0x3FF00000]], 4, 1)")
ADVISE = ("-m", "advisor", "advise", "--evaluator", "guide", str(HAND))
NUMPY = ("-c", "import numpy")


def rows() -> Iterator[Row]:
    """Measure everything of this module."""
    yield from _dealing()
    yield from _process()


def _dealing() -> Iterator[Row]:
    unseen = Unseen(~CARDS & 0xFFFFFFFF)
    cards = np.array(list(cards_of(unseen.mask)), dtype=np.uint8)
    rng = np.random.default_rng(1)
    table = np.tile(cards, (DEALS, 1))
    names = ("Unseen.sample", "draw_deals, both mirrors, no weights")
    times = best_of([
        lambda: rng.permuted(table, axis=1),
        lambda: unseen.sample(DEALS, rng),
        lambda: draw_deals(CARDS, 0, DEALS, rng),
    ], REPEATS)
    shuffle = DEALS / times[0]
    for name, seconds in zip(names, times[1:], strict=True):
        speed = DEALS / seconds
        yield Row(f"deals per second, {name} / Generator.permuted", speed / shuffle, "x", ">= 20",
                  f"{speed / 1e6:.1f} / {shuffle / 1e6:.2f} million a second")


def _process() -> Iterator[Row]:
    with TemporaryDirectory() as compiled:
        _child(NUMPY, compiled), _child(ADVISE, compiled)
        runs = [(_child(NUMPY, compiled), _child(ADVISE, compiled)) for _ in range(REPEATS)]
        _child(SOLVE, compiled)
        solve = min(_child(SOLVE, compiled)[0] for _ in range(REPEATS))
    numpy = min(cpu for (cpu, _), _ in runs)
    advise = min(cpu for _, (cpu, _) in runs)
    yield Row("CPU time, advise --evaluator guide / import numpy", advise / numpy, "x", "<= 6",
              f"{advise:.2f} / {numpy:.2f} s")
    yield Row("CPU time to a first deal solved, cached, beyond import numpy", solve - numpy, "s",
              "<= 1", f"{solve:.2f} / {numpy:.2f} s")
    yield Row("peak memory, advise --evaluator guide", max(peak for _, (_, peak) in runs), "MB",
              detail=f"import numpy alone: {max(peak for (_, peak), _ in runs):.0f} MB")


def _child(arguments: Sequence[str], compiled: str) -> tuple[float, float]:
    """Run Python with these arguments; CPU seconds, user and system, and peak memory in MB.

    ``wait4`` gives the rusage of this very child, where ``RUSAGE_CHILDREN`` sums over all. Compiled
    modules are kept in the folder `compiled`, as an installed program has them.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment,
                         file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"python {' '.join(arguments)} failed with status {status}")
    return usage.ru_utime + usage.ru_stime, _megabytes(usage)


def _megabytes(usage: resource.struct_rusage) -> float:
    """Peak memory; macOS counts it in bytes, Linux in kilobytes."""
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
