"""A whole question by the default evaluator: how fast, and how the error falls with time.

* Wall time of a whole process, compiled code cached, on the example.
* Deals a second through sampling, weighing, replies, tables and play-out (the first answer), and
  deals a second solved on top of it.
* Standard errors after one round of solving, two, four, ... of the best call's score and of its
  distance to passing, net whists, with the time from the start of the solving.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from advisor.advice.bidding import drawn_limits
from advisor.advice.decide import DEFAULT_DEALS, sample_deals
from advisor.advice.refining import ROUND, Bids
from advisor.records.hand import read_hand
from advisor.sampling.fitted_bidder import default_bidder
from benchmarks import Row

ROOT = Path(__file__).resolve().parents[1]
HAND = ROOT / "data" / "hands" / "example.txt"
REPEATS = 3
ROUNDS = (1, 2, 4, 8)


def rows() -> Iterator[Row]:
    """Measure everything of this module."""
    yield _process()
    yield from _pipeline()


def _process() -> Row:
    command = [sys.executable, "-m", "advisor", "advise", str(HAND)]
    times = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return Row("wall time, advise by auto, compiled code cached", min(times[1:]), "s", "<= 5",
               f"{REPEATS} runs, the longest {max(times[1:]):.1f} s")


def _pipeline() -> Iterator[Row]:
    start = time.perf_counter()
    record = read_hand(HAND)
    rng = np.random.default_rng(1)
    bidder = default_bidder(record)
    deals = sample_deals(record, DEFAULT_DEALS, rng, bidder)
    question = Bids(record, deals, drawn_limits(record, deals, bidder, rng))
    question.options(0)
    tables = time.perf_counter() - start
    yield Row("deals per second through the whole pipeline, tables", deals.count / tables, "1/s",
              detail=f"{deals.count:,} deals, {tables:.2f} s")
    start = time.perf_counter()
    for rounds in ROUNDS:
        options = question.options(ROUND * rounds)
        seconds = time.perf_counter() - start
        solved = ROUND * rounds * len(deals.talon)
        passing = next(option for option in options if option.name == "pass")
        yield Row(f"deals solved per second, {rounds} rounds", solved / seconds, "1/s",
                  detail=f"{solved:,} in {seconds:.1f} s: {options[0].name} "
                         f"{options[0].ev:+.2f} ± {options[0].se:.2f}, pass behind "
                         f"{passing.behind:+.2f} ± {passing.behind_se:.2f}")
