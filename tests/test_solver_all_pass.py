"""All-pass: the equilibrium against plain recursion, the guarantees against misère."""

import numpy as np
import pytest
from reference_solver import cards_of, reference_all_pass

from advisor.tricks.all_pass import solve_all_pass
from advisor.tricks.solver import solve_deals
from benchmarks.deals import random_hands

MODES = ["closed", "suit_only", "plays"]


def talons(hands: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Two cards outside the hands for each row, in random order."""
    free = [
        rng.permutation(cards_of(~int(np.bitwise_or.reduce(row)) & 0xFFFFFFFF)) for row in hands
    ]
    return np.array([[1 << int(c) for c in cards[:2]] for cards in free], np.uint32)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_equilibrium_equals_plain_recursion(mode: str, size: int) -> None:
    rng = np.random.default_rng(size)
    hands = random_hands(rng, 40, size)
    talon = talons(hands, rng)
    leaders = rng.integers(0, 3, 40)
    found = solve_all_pass(hands, leaders, talon, mode=mode, method="equilibrium")
    for row, leader, cards, tricks in zip(hands, leaders, talon, found, strict=True):
        turned = () if mode == "closed" else tuple(int(c).bit_length() - 1 for c in cards)
        expected = reference_all_pass(
            tuple(map(int, row)), int(leader), turned, plays=mode == "plays"
        )
        assert tuple(tricks) == expected[: len(tricks)]


@pytest.mark.parametrize("method", ["cautious", "equilibrium"])
@pytest.mark.parametrize("mode", MODES)
def test_rows_add_up(mode: str, method: str) -> None:
    rng = np.random.default_rng(7)
    hands = random_hands(rng, 20, 6)
    tricks = solve_all_pass(hands, 1, talons(hands, rng), mode=mode, method=method)
    assert tricks.shape == (20, 4 if mode == "plays" else 3)
    assert (tricks >= 0).all()
    assert (tricks.sum(axis=1) == 6).all()


def test_nobody_takes_more_than_he_can_be_made_to_take() -> None:
    hands = random_hands(np.random.default_rng(8), 60, 6)
    tricks = solve_all_pass(hands, 0, method="equilibrium")
    for column in range(3):
        turned = np.ascontiguousarray(np.roll(hands, -column, axis=1))
        assert (tricks[:, column] <= solve_deals(turned, 4, -column % 3, misere=True)).all()


def test_threads_do_not_change_results() -> None:
    hands = random_hands(np.random.default_rng(9), 40, 6)
    for method in ("cautious", "equilibrium"):
        one = solve_all_pass(hands, 2, method=method, threads=1)
        assert one.tolist() == solve_all_pass(hands, 2, method=method, threads=3).tolist()


def test_names_of_seats_do_not_matter() -> None:
    hands = random_hands(np.random.default_rng(10), 20, 6)
    shifted = np.ascontiguousarray(np.roll(hands, 1, axis=1))
    plain = solve_all_pass(hands, 0, method="equilibrium")
    assert (
        np.roll(plain, 1, axis=1).tolist()
        == solve_all_pass(shifted, 1, method="equilibrium").tolist()
    )


def test_refusals() -> None:
    good = [[0x3FF, 0xFFC00, 0x3FF00000]]
    with pytest.raises(ValueError, match="mode must be"):
        solve_all_pass(good, 0, mode="open")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method must be"):
        solve_all_pass(good, 0, method="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs the talon"):
        solve_all_pass(good, 0, mode="plays")
    with pytest.raises(ValueError, match=r"shape \(1, 2\), found \(2,\)"):
        solve_all_pass(good, 0, [1 << 30, 1 << 31], mode="plays")
    with pytest.raises(ValueError, match="row 0: a talon card is in use"):
        solve_all_pass(good, 0, [[1 << 30, 1]], mode="plays")
    with pytest.raises(ValueError, match="row 0: talon must be two single cards"):
        solve_all_pass(good, 0, [[3 << 30, 1 << 30]], mode="plays")
    with pytest.raises(ValueError, match="row 0: two cards a hand at least"):
        solve_all_pass([[1, 2, 4]], 0, [[1 << 30, 1 << 31]], mode="suit_only")
    assert solve_all_pass([], 0).shape == (0, 3)
    assert solve_all_pass([], 0, [], mode="plays").shape == (0, 4)
