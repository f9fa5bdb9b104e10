"""The solver's speed as ratios to the bridge solver DDS on the same machine in the same minute.

The deals are 500 of each kind; every time is the shortest of several runs.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.tricks import engine
from advisor.tricks.all_pass import solve_all_pass
from advisor.tricks.checks import NO_TRUMP
from advisor.tricks.compiled import kernels, new_memory, places
from advisor.tricks.solver import solve_deals, solve_discards
from benchmarks import Row
from benchmarks.deals import dds_deal, declarer_hands, misere_hands, random_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

DEALS = 500
REPEATS = 5
DISCARD_DEALS, DISCARD_REPEATS = 300, 3
ALL_PASS_DEALS = 300
SEED = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of deals and the question asked about them."""

    name: str
    hands: NDArray[np.uint32]
    strains: NDArray[np.int8]
    leaders: NDArray[np.int8]
    misere: bool = False
    kernel: str = "solve_rows"


def best_time(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """Shortest of several runs, seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def deal_kinds(rng: np.random.Generator) -> list[Kind]:
    """Random deals without and with trumps, declarer's deals, misères."""
    leaders = rng.integers(0, 3, DEALS).astype(np.int8)
    plain = np.full(DEALS, NO_TRUMP, np.int8)
    random = random_hands(rng, DEALS)
    declared, trumps = declarer_hands(rng, DEALS)
    misere = misere_hands(rng, DEALS)
    return [
        Kind("random, no trump", random, plain, leaders),
        Kind("random, trumps", random, rng.integers(0, 4, DEALS).astype(np.int8), leaders),
        Kind("declarer's, trumps", declared, trumps, leaders),
        Kind("declarer's, no trump", declared, plain, leaders),
        Kind("misère, tricks", misere, plain, leaders, True),
        Kind("misère, caught?", misere, plain, leaders, True, "caught_rows"),
    ]


def dds_time(kind: Kind) -> float:
    """DDS on no-trump deals, seconds a deal; building its input is not counted."""
    from endplay import _dds

    deals = [
        dds_deal(row, int(leader)) for row, leader in zip(kind.hands, kind.leaders, strict=True)
    ]
    answer = _dds.futureTricks()

    def solve() -> None:
        for deal in deals:
            _dds.SolveBoard(deal, -1, 1, 1, answer, 0)

    return best_time(solve) / len(deals)


def row_times(kind: Kind) -> NDArray[np.float64]:
    """Shortest time of each single deal, seconds; a call's own cost is in it."""
    times = np.full(DEALS, np.inf)
    memory = new_memory(engine.ENTRIES)
    function = getattr(kernels("rows"), kind.kernel)
    out, nodes = np.zeros(1, np.int8), np.zeros(1, np.int64)
    for _ in range(REPEATS):
        for row in range(DEALS):
            part = slice(row, row + 1)
            given = kind.hands[part], kind.strains[part], kind.leaders[part], int(kind.misere)
            start = time.perf_counter()
            function(memory, places(), *given, out, nodes)
            times[row] = min(times[row], time.perf_counter() - start)
    return times


def kind_rows(deals: list[Kind], dds: float) -> Iterator[Row]:
    """Time of each kind of deals against DDS in no trump, and how far the slowest are behind."""
    seconds: dict[str, float] = {}
    for kind in deals:
        given = kind.hands, kind.strains, kind.leaders, kind.misere, 1

        def run(kernel: str = kind.kernel, given: tuple[object, ...] = given) -> object:
            return engine.run_rows(kernel, *given)  # type: ignore[arg-type]

        seconds[kind.name] = best_time(run) / DEALS
        _, nodes = engine.run_rows(kind.kernel, *given)
        times = row_times(kind)
        yield Row(f"{kind.name} / DDS in no trump", seconds[kind.name] / dds, "x",
                  "<= 0.5" if kind.name == "random, no trump" else "",
                  f"{seconds[kind.name] * 1e6:.0f} / {dds * 1e6:.0f} us, {nodes.mean():.0f} nodes")
        yield Row(f"{kind.name}: 99th percentile / mean",
                  float(np.percentile(times, 99) / times.mean()), "x", "<= 20")
    plain = seconds["random, no trump"]
    yield Row("random, trumps / random, no trump", seconds["random, trumps"] / plain, "x", "<= 1")
    yield Row("declarer's, trumps / random, no trump", seconds["declarer's, trumps"] / plain, "x",
              "<= 0.5")
    yield Row("misère, caught? / random, no trump", seconds["misère, caught?"] / plain, "x", "<= 3")


@dataclass(frozen=True, slots=True)
class Alike:
    """All discards of a deal in one strain: shortest times, seconds, and positions.

    Parameters
    ----------
    usual : bool
        The longest suit is trumps and a defender leads.
    together, alone : float
        Of all 66 with one table, of one of them on average.
    visited, visited_alone : float
        The same in positions visited.
    """

    usual: bool
    together: float
    alone: float
    visited: float
    visited_alone: float


def all_discards(
    deck: NDArray[np.int64], strain: int, leader: int, memory: NDArray[np.int64]
) -> Alike:
    """The first twelve cards of a deck against the rest, with and without one table."""
    twelve, second, third = (
        sum(1 << int(card) for card in part) for part in (deck[:12], deck[12:22], deck[22:]))
    discards, _ = solve_discards(twelve, (second, third), strain, leader, threads=1)
    hands = np.array([[twelve ^ int(away), second, third] for away in discards], np.uint32)
    size = len(hands)
    strains, leaders = np.full(size, strain, np.int8), np.full(size, leader, np.int8)
    nodes, table = np.zeros(size, np.int64), np.zeros((size, 1), np.int8)
    used = kernels("table").NODES

    def one_by_one() -> None:
        kernels("rows").solve_rows(memory, places(), hands, strains, leaders, 0,
                                   table[:, 0], nodes)

    def with_one_table() -> None:
        memory[used] = 0
        kernels("alike").solve_alike(memory, places(), hands, strain, leaders[:1], 0, table)

    alone, together = (best_time(solve, DISCARD_REPEATS) for solve in (one_by_one, with_one_table))
    longest = int(np.argmax(np.bincount(deck[:12] // 8, minlength=4)))
    return Alike(strain == longest and leader > 0, together, alone / size,
                 float(memory[used]), float(nodes.mean()))


def discards_rows(rng: np.random.Generator) -> Iterator[Row]:
    """All 66 discards of a deal in one strain against one of them; the error is that of deals."""
    memory = new_memory(engine.ENTRIES)
    found = [[all_discards(deck, strain, leader, memory)
              for strain in range(5) for leader in range(3)]
             for deck in (rng.permutation(32) for _ in range(DISCARD_DEALS))]
    for name, deals, target in (
        ("66 discards of a deal / one of them", found, "<= 15"),
        ("the same, longest suit, defender's lead",
         [[one for one in deal if one.usual] for deal in found], ""),
    ):
        together, alone, visited, visited_alone = (
            np.array([sum(getattr(one, key) for one in deal) for deal in deals])
            for key in ("together", "alone", "visited", "visited_alone"))
        ratio = float(together.sum() / alone.sum())
        error = float(np.sqrt(np.sum((together - ratio * alone) ** 2)) / alone.sum())
        yield Row(name, ratio, "x", target,
                  f"± {error:.2f}, {visited.sum() / visited_alone.sum():.1f} times the positions, "
                  f"{sum(map(len, deals)):,} questions")


def threads_row(kind: Kind) -> Row:
    """Throughput with two threads against one, on ten times the deals."""
    hands = np.tile(kind.hands, (10, 1))
    strains, leaders = np.tile(kind.strains, 10), np.tile(kind.leaders, 10)
    one, two = (
        best_time(lambda t=t: solve_deals(hands, strains, leaders, threads=t), 3)  # type: ignore[misc]
        for t in (1, 2)
    )
    return Row("throughput of two threads / one", one / two, "x", ">= 1.8")


def all_pass_rows(rng: np.random.Generator) -> Iterator[Row]:
    """Speed of both methods and the error of the fast one, by mode."""
    hands = random_hands(rng, ALL_PASS_DEALS)
    leaders = rng.integers(0, 3, ALL_PASS_DEALS)
    free = ~np.bitwise_or.reduce(hands, axis=1)
    talon = np.array(
        [rng.permutation([1 << c for c in range(32) if int(mask) >> c & 1]) for mask in free],
        np.uint32,
    )
    for mode in ("closed", "suit_only", "plays"):
        results, seconds = {}, {}
        for method in ("equilibrium", "cautious"):
            start = time.perf_counter()
            results[method] = solve_all_pass(
                hands, leaders, talon, mode=mode, method=method, threads=1
            )
            seconds[method] = (time.perf_counter() - start) / ALL_PASS_DEALS
        exact, fast = (
            np.array([np.roll(row[:3], -first) for row, first in zip(found, leaders, strict=True)])
            for found in results.values()
        )
        yield Row(
            f"all-pass, {mode}: deals a second", 1 / seconds["cautious"], "/s", ">= 200",
            f"{seconds['cautious'] * 1e3:.1f} ms, exact {seconds['equilibrium'] * 1e3:.0f} ms; "
            f"error {np.abs(fast - exact).mean():.2f} tricks a player, correlation "
            f"{np.corrcoef(fast.ravel(), exact.ravel())[0, 1]:.2f}")


def rows() -> Iterator[Row]:
    """Measure everything."""
    rng = np.random.default_rng(SEED)
    deals = deal_kinds(rng)
    engine.run_rows(
        "solve_rows", deals[0].hands[:1], deals[0].strains[:1], deals[0].leaders[:1], False, 1
    )
    yield from kind_rows(deals, dds_time(deals[0]))
    yield from discards_rows(rng)
    yield threads_row(deals[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Row("peak memory of this process, DDS included", peak, "MB", "<= 300")
    yield from all_pass_rows(rng)
