"""All-passes with open cards against all-passes played closed: ``python -m benchmarks.all_pass``.

Deals in which the second and third hand would pass by the bidding model (Sochi), the first hand too
or not; the talon stays closed. Tricks of each hand, solved two ways and played by cautious players.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from advisor.records.hand import parse_hand
from advisor.sampling.bidder import PASS_LIMIT
from advisor.sampling.fitted_bidder import default_bidder
from advisor.tricks.all_pass import solve_all_pass
from advisor.tricks.cautious import play_all_pass
from benchmarks.deals import random_hands

DRAWN = 4_000
ANY_HAND = "♠AKQ98 ♣A8 ♦K107"  # no calls yet: the model does not look at it


def passed_out(rng: np.random.Generator, count: int, *, first_bids: bool) -> NDArray[np.uint32]:
    """Hands (count, 3) of which the last two would pass, the first as told."""
    record = parse_hand(ANY_HAND)
    bidder, found = default_bidder(record), np.zeros((0, 3), dtype=np.uint32)
    while len(found) < count:
        hands = random_hands(rng, DRAWN)
        passes = np.column_stack([
            bidder.limits(hands[:, [seat]], seat, record.auction, rng) == PASS_LIMIT
            for seat in range(3)])
        wanted = passes[:, 1] & passes[:, 2] & (passes[:, 0] != first_bids)
        found = np.concatenate([found, hands[wanted]])
    return found[:count]


def measure(hands: NDArray[np.uint32], rng: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    """Tricks (n, 3) by each way."""
    ways: dict[str, Callable[[], object]] = {
        "open, cautious estimate": lambda: solve_all_pass(hands, 0),
        "open, equilibrium": lambda: solve_all_pass(hands, 0, method="equilibrium"),
        "closed, cautious players": lambda: [play_all_pass(ten, (), rng)[:3]
                                             for ten in hands.tolist()],
    }
    return {name: np.array(way(), dtype=np.int64) for name, way in ways.items()}


def main() -> None:
    """Print the tricks of the three hands, means with standard errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    rng = np.random.default_rng(told.seed)
    for first_bids in (True, False):
        print(f"{told.deals} deals, the first hand {'would bid' if first_bids else 'passes too'}")
        for name, tricks in measure(passed_out(rng, told.deals, first_bids=first_bids),
                                    rng).items():
            errors = tricks.std(axis=0) / np.sqrt(len(tricks))
            means = "   ".join(f"{mean:.2f} ± {error:.2f}"
                               for mean, error in zip(tricks.mean(axis=0), errors, strict=True))
            print(f"  {name:<25} {means}")


if __name__ == "__main__":
    main()
