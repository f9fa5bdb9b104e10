"""Bad input is refused with the row that is wrong; odd but valid input works."""

import os
import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.tricks import engine
from advisor.tricks.line import best_line, line_frame
from advisor.tricks.solver import caught_deals, optimal_leads, solve_deals, solve_discards

GOOD = [0x3FF, 0xFFC00, 0x3FF00000]


def test_empty_batch() -> None:
    for empty in ([], np.empty((0, 3), np.uint32)):
        assert solve_deals(empty, 4, 0).shape == (0,)
        assert solve_deals(empty, [], []).dtype == np.int8
        assert caught_deals(empty, 0).shape == (0,)


@pytest.mark.parametrize(
    ("hands", "strain", "leader", "message"),
    [
        ([[1, 2]], 4, 0, r"shape \(n, 3\), found \(1, 2\)"),
        ([[], []], 4, 0, r"shape \(n, 3\), found \(2, 0\)"),
        (np.empty((0, 5), int), 4, 0, r"shape \(n, 3\), found \(0, 5\)"),
        (GOOD, 4, 0, r"shape \(n, 3\)"),
        ([[1.0, 2.0, 4.0]], 4, 0, "whole numbers"),
        ([GOOD, [1, 1, 2]], 4, 0, "row 1: a card is in two hands"),
        ([GOOD, [1, 2, 12]], 4, 0, r"row 1: .*equal size, sizes are \[1, 1, 2\]"),
        ([[0, 0, 0]], 4, 0, "row 0: 1 to 10 cards a hand, found 0"),
        ([[0x7FF, 0, 0]], 4, 0, "row 0: .*equal size"),
        ([[1 << 40, 1, 2]], 4, 0, "row 0: masks must fit 32 bits"),
        ([[-1, 1, 2]], 4, 0, "row 0: masks must fit 32 bits"),
        (np.array([GOOD, [1 << 63, 1, 2]], np.uint64), 4, 0, r"row 1: .*bits, hands \[92233720"),
        ([GOOD, GOOD], [4, 5], 0, r"row 1: strain must be 0..4, found 5"),
        ([GOOD, GOOD], 4, [0, 3], r"row 1: leader must be 0..2, found 3"),
        ([GOOD], -1, 0, "row 0: strain"),
        ([GOOD], [4, 4], 0, r"strain must be a scalar or have shape \(1,\), found \(2,\)"),
        ([GOOD], 4, 0.5, "leader must be whole numbers"),
    ],
)
def test_refusals(hands: object, strain: object, leader: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve_deals(hands, strain, leader)  # type: ignore[arg-type]


def test_misere_has_no_trumps() -> None:
    with pytest.raises(ValueError, match="row 0: a misère is played without trumps"):
        solve_deals([GOOD], 2, 0, misere=True)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_threads_are_a_whole_number(threads: object) -> None:
    with pytest.raises(ValueError, match="threads must be a whole number from 1, found"):
        solve_deals([GOOD], 4, 0, threads=threads)  # type: ignore[arg-type]


def test_no_more_threads_than_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    pool = engine.ThreadPool

    def counted(number: int) -> object:
        asked.append(number)
        return pool(number)

    monkeypatch.setattr(engine, "ThreadPool", counted)
    rows = [GOOD] * (engine.CHUNK + 1)
    assert solve_deals(rows, 4, 0, threads=10**6).tolist() == [8] * len(rows)
    assert asked == [2]


def test_threads_stop_after_ctrl_c() -> None:
    jobs, done = range(1_000), []

    def work(_: object, job: int) -> None:
        time.sleep(0.005)
        done.append(job)
        if job == 10:
            os.kill(os.getpid(), signal.SIGINT)

    before = threading.enumerate()
    with pytest.raises(KeyboardInterrupt):
        engine.share_out(work, jobs, 2)
    for thread in set(threading.enumerate()) - set(before):
        thread.join(60)
    assert 10 in done
    assert len(done) < len(jobs)


def test_discards_need_twelve_cards() -> None:
    with pytest.raises(ValueError, match="twelve cards expected, found 10"):
        solve_discards(GOOD[0], (GOOD[1], GOOD[2]), 4, 0)
    with pytest.raises(ValueError, match="a card is in two hands"):
        solve_discards(0xFFF, (GOOD[1], GOOD[2]), 4, 0)
    with pytest.raises(ValueError, match="a card is in two hands"):
        solve_discards(0xC00003FF, (0x600, 0x3FF00000 >> 8 & ~0x600), 4, 0)


@pytest.mark.parametrize(
    ("twelve", "defenders", "message"),
    [
        (0x7FF | 1 << 40, (GOOD[1], GOOD[2]), "masks must fit 32 bits, twelve 10995"),
        (-1, (GOOD[1], GOOD[2]), "masks must fit 32 bits, twelve -1"),
        (4095.0, (GOOD[1], GOOD[2]), "twelve must be whole numbers, found float64"),
        (None, (GOOD[1], GOOD[2]), "twelve must be whole numbers, found object"),
        ([0xFFF], (GOOD[1], GOOD[2]), r"twelve must be one mask, found shape \(1,\)"),
        (0xFFF, GOOD, r"defenders must have shape \(2,\), found \(3,\)"),
        (0xFFF, None, r"defenders must have shape \(2,\), found \(\)"),
        (0xFFF, (GOOD[2], -1), "masks must fit 32 bits"),
    ],
)
def test_discards_of_what_is_no_hand(twelve: object, defenders: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve_discards(twelve, defenders, 4, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("ask", [best_line, optimal_leads])
def test_single_deals_are_checked_too(ask: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="row 0: a card is in two hands"):
        ask([1, 1, 2], 4, 0)
    with pytest.raises(ValueError, match="row 0: leader"):
        ask(GOOD, 4, 7)
    with pytest.raises(ValueError, match=r"shape \(3,\), found \(0,\)"):
        ask([], 4, 0)
    with pytest.raises(ValueError, match=r"shape \(3,\), found \(1, 3\)"):
        ask([GOOD], 4, 0)


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "b"), ("a", "b", "c", "d")])
def test_a_line_is_shown_for_three_names(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="three different names expected"):
        line_frame(best_line([1, 2, 4], 4, 0), names)


@given(st.permutations(range(32)), st.integers(1, 10), st.integers(0, 4), st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_any_deal_is_solved_within_its_tricks(
    deck: list[int], size: int, strain: int, leader: int
) -> None:
    row = [sum(1 << c for c in deck[i * size : (i + 1) * size]) for i in range(3)]
    assert 0 <= int(solve_deals([row], strain, leader)[0]) <= size
