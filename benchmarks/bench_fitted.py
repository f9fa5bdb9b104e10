"""The fitted evaluator against the printed guide, and against the solver.

An evaluation is the distribution of tricks of one deal in one strain. The guide looks at the
declarer's cards only and gives all five strains at once, each of which counts; the fitted tables
look up the whole layout; the solver plays it out, on one thread.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.advice.decide import advise
from advisor.fitting.sample import chunk_rng, draw
from advisor.records.hand import parse_hand
from advisor.tricks.estimate import strain_means, trick_distribution
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.solver import solve_deals
from benchmarks import Row, best_of

DEALS = 50_000
SOLVED = 1_000
REPEATS = 5
SAMPLED = 4_620
HAND = "♠AKQ98 ♣A8 ♦K107"


def rows() -> Iterator[Row]:
    """Measure everything of this module."""
    hands, strain, leader, _ = draw(chunk_rng(1, 0), DEALS)
    few = slice(SOLVED)
    strains, leaders = strain.astype(np.int64), leader.astype(np.int64)
    certain = np.zeros((DEALS, 5), dtype=np.int64)
    distributions(), solve_deals(hands[:1], strain[:1], leader[:1], threads=1)
    times = best_of([
        lambda: trick_distribution(strain_means(hands[:, 0]), certain),
        lambda: distributions()[tables().cells(hands, strains, leaders)],
        lambda: solve_deals(hands[few], strain[few], leader[few], threads=1),
    ], REPEATS)
    guide, fitted, exact = 5 * DEALS / times[0], DEALS / times[1], SOLVED / times[2]
    yield Row("evaluations per second, fitted / guide", fitted / guide, "x", "",
              f"{fitted / 1e3:.0f} / {guide / 1e3:.0f} thousand a second")
    yield Row("evaluations per second, fitted / exact", fitted / exact, "x", ">= 5",
              f"{fitted / 1e3:.0f} / {exact / 1e3:.1f} thousand a second")
    record = parse_hand(f"hand: {HAND}", None, {})
    slow, fast = best_of([lambda: advise(record, deals=SAMPLED, evaluator="fitted"),
                          lambda: advise(record, deals=SAMPLED, evaluator="guide")], 3)
    yield Row(f"advise on {SAMPLED} deals, fitted / guide", slow / fast, "x", "",
              f"{slow:.2f} / {fast:.2f} s")
