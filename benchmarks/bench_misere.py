"""Misère against a hidden discard: seconds for a typical hand with two holes, one lead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor.advice.misere import DEALS, SEARCHED
from advisor.cards import DECK, parse_cards
from advisor.sampling.unseen import Unseen
from advisor.tricks.misere import open_catches, sensible_discards
from advisor.tricks.misere_game import solve_models
from benchmarks import Row, best_of

HAND = "♠710K ♣789 ♦7810 ♥78Q"
REPEATS = 2


def rows() -> Iterator[Row]:
    """Measure everything of this module."""
    twelve = parse_cards(HAND)
    unseen = Unseen(DECK & ~twelve)
    hands = np.ascontiguousarray(unseen.sample(DEALS, np.random.default_rng(1))[:2].T)
    discards = sensible_discards(twelve)
    solve_models(twelve, hands[:2], 1)  # compiles at the first use on a machine
    for leader, name in ((0, "own lead"), (1, "other lead")):
        seen, hidden = best_of([
            partial(open_catches, twelve, discards, hands, leader),
            partial(solve_models, twelve, hands, leader, searched=SEARCHED),
        ], REPEATS)
        yield Row(f"misère with two holes, three models, {name}", hidden, "s", "<= 10",
                  f"{DEALS} layouts, {SEARCHED} searched for plans; model (a) alone {seen:.1f} s")
