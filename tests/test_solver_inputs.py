"""Bad input is refused with the row that is wrong; odd but valid input works."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.tricks.line import best_line
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
        (GOOD, 4, 0, r"shape \(n, 3\)"),
        ([[1.0, 2.0, 4.0]], 4, 0, "whole numbers"),
        ([GOOD, [1, 1, 2]], 4, 0, "row 1: a card is in two hands"),
        ([GOOD, [1, 2, 12]], 4, 0, r"row 1: .*equal size, sizes are \[1, 1, 2\]"),
        ([[0, 0, 0]], 4, 0, "row 0: 1 to 10 cards a hand, found 0"),
        ([[0x7FF, 0, 0]], 4, 0, "row 0: .*equal size"),
        ([[1 << 40, 1, 2]], 4, 0, "row 0: masks must fit 32 bits"),
        ([[-1, 1, 2]], 4, 0, "row 0: masks must fit 32 bits"),
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


def test_threads_must_be_positive() -> None:
    with pytest.raises(ValueError, match="threads must be at least 1"):
        solve_deals([GOOD], 4, 0, threads=0)


def test_discards_need_twelve_cards() -> None:
    with pytest.raises(ValueError, match="twelve cards expected, found 10"):
        solve_discards(GOOD[0], (GOOD[1], GOOD[2]), 4, 0)
    with pytest.raises(ValueError, match="a card is in two hands"):
        solve_discards(0xFFF, (GOOD[1], GOOD[2]), 4, 0)
    with pytest.raises(ValueError, match="a card is in two hands"):
        solve_discards(0xC00003FF, (0x600, 0x3FF00000 >> 8 & ~0x600), 4, 0)


def test_lines_and_leads_check_too() -> None:
    with pytest.raises(ValueError, match="row 0: a card is in two hands"):
        best_line([1, 1, 2], 4, 0)
    with pytest.raises(ValueError, match="row 0: leader"):
        optimal_leads(GOOD, 4, 7)


@given(st.permutations(range(32)), st.integers(1, 10), st.integers(0, 4), st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_any_deal_is_solved_within_its_tricks(
    deck: list[int], size: int, strain: int, leader: int
) -> None:
    row = [sum(1 << c for c in deck[i * size : (i + 1) * size]) for i in range(3)]
    assert 0 <= int(solve_deals([row], strain, leader)[0]) <= size
