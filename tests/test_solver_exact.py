"""The solver against outside judges: a plain minimax, the bridge solver DDS, the literature."""

import numpy as np
import pytest
from reference_solver import reference_tricks

from advisor.tricks.solver import caught_deals, solve_deals
from benchmarks.deals import dds_tricks, random_hands

RANKS = "789TJQKA"
SUITS = "SCDH"

# (source, declarer, next, third, column that leads, tricks of the misère player)
MISERES = [
    (
        "Lasker, a defender leads",
        "S:987 C:J987 D:98 H:8",
        "S:Q C:KQ D:KQJT H:JT9",
        "S:AKJT C:AT D:A7 H:A7",
        2,
        2,
    ),
    (
        "Lasker, the declarer leads",
        "S:987 C:J987 D:98 H:8",
        "S:Q C:KQ D:KQJT H:JT9",
        "S:AKJT C:AT D:A7 H:A7",
        0,
        0,
    ),
    (
        "Kovalevskaya",
        "S:T987 C:8 D:987 H:98",
        "S:AK C:QJT D:A H:AKQT",
        "S:QJ C:97 D:KQJT H:J7",
        2,
        1,
    ),
    (
        "De Gaulle",
        "S:98 C:98 D:JT7 H:987",
        "S:J7 C:QJT7 D:Q8 H:JT",
        "S:AKQ C:AK D:AK9 H:KQ",
        2,
        1,
    ),
    ("JPref 1", "S: C:KT D:QT987 H:Q87", "S:J7 C:J97 D:K H:AKJ9", "S:AQT9 C:AQ8 D:AJ H:T", 0, 5),
    ("JPref 3", "S:JT987 C:9 D:T87 H:7", "S:AQ C:87 D:KQJ9 H:J9", "S:K C:AKQJT D: H:KQT8", 1, 0),
    ("JPref 5", "S:QT87 C:8 D:8 H:AQT7", "S:KJ9 C:AJ7 D:K9 H:KJ", "S:A C:KQT9 D:JT7 H:98", 2, 0),
    ("JPref 7", "S:JT987 C:9 D:T87 H:7", "S:AQ C:87 D:KQJ9 H:J9", "S:K C:AKQJT D: H:KQT8", 0, 0),
    ("JPref 9", "S:T7 C:7 D:J97 H:J987", "S:8 C:QJT9 D:AT H:AKT", "S:AKQJ9 C:8 D:KQ8 H:Q", 1, 0),
    ("JPref 11", "S:T987 C:8 D:987 H:98", "S:KJ C:97 D:KQJT H:J7", "S:AQ C:QJT D:A H:AKQT", 1, 0),
    ("JPref 15", "S:987 C:T98 D:T7 H:87", "S:JT C:J7 D:Q9 H:QJT9", "S:KQ C:AKQ D:KJ8 H:AK", 1, 1),
    ("JPref 17", "S:T987 C:98 D:987 H:8", "S:AQ C:AKQT D:A H:QJT", "S:KJ C:J7 D:KQJT H:97", 1, 1),
    ("JPref 19", "S:8 C:98 D:987 H:T987", "S:AT9 C:AKQJ D:K H:KQ", "S:J7 C:T7 D:AQJT H:AJ", 1, 2),
    ("JPref 21", "S:JT7 C:98 D:98 H:J97", "S:Q98 C:KT7 D:QT H:T8", "S:AK C:QJ D:KJ7 H:AKQ", 1, 2),
    ("JPref 23", "S:KQ97 C:K8 D:QT H:KT", "S:T C:QJ97 D:J H:QJ87", "S:A C:AT D:AK987 H:A9", 1, 5),
    ("JPref 25", "S:98 C:K987 D: H:T987", "S:J7 C:T D:Q987 H:KQJ", "S:AK C:AQJ D:AKJT H:A", 1, 1),
    ("JPref 27", "S:JT987 C:9 D:T87 H:7", "S:AKQ C:87 D:KQJ9 H:J", "S: C:AKQJT D: H:KQT98", 1, 3),
    ("JPref 29", "S:T7 C:7 D:J97 H:J987", "S:AJ8 C:JT D:AT H:AKT", "S:KQ9 C:Q98 D:KQ8 H:Q", 1, 1),
    ("JPref 31", "S:JT7 C:7 D:J97 H:J97", "S:A98 C:Q8 D:AQ8 H:AQ", "S:KQ C:JT9 D:KT H:KT8", 1, 1),
    ("JPref 33", "S:K97 C:Q97 D:987 H:7", "S:QT C:AK8 D:KT H:A98", "S:AJ8 C:JT D:AQJ H:JT", 1, 1),
]


def parse(hand: str) -> int:
    """Mask of a hand written like ``S:AK C:7 D: H:T9``."""
    return sum(
        1 << (8 * SUITS.index(suit) + RANKS.index(rank))
        for suit, _, ranks in (part.partition(":") for part in hand.split())
        for rank in ranks
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("strain", range(5))
def test_endings_equal_plain_minimax(size: int, strain: int) -> None:
    hands = random_hands(np.random.default_rng(100 * size + strain), 24, size)
    for leader in range(3):
        expected = [reference_tricks(tuple(map(int, row)), strain, leader) for row in hands]
        assert solve_deals(hands, strain, leader).tolist() == expected


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_misere_endings_equal_plain_minimax(size: int) -> None:
    hands = random_hands(np.random.default_rng(700 + size), 60, size)
    for leader in range(3):
        expected = [reference_tricks(tuple(map(int, row)), 4, leader, True) for row in hands]
        assert solve_deals(hands, 4, leader, misere=True).tolist() == expected
        assert caught_deals(hands, leader).tolist() == [tricks > 0 for tricks in expected]


@pytest.mark.slow
@pytest.mark.parametrize("misere", [False, True])
def test_five_card_endings_equal_plain_minimax(misere: bool) -> None:
    rng = np.random.default_rng(55 + misere)
    hands = random_hands(rng, 60, 5)
    strains = np.full(60, 4) if misere else rng.integers(0, 5, 60)
    leaders = rng.integers(0, 3, 60)
    expected = [
        reference_tricks(tuple(map(int, row)), int(strain), int(leader), misere)
        for row, strain, leader in zip(hands, strains, leaders, strict=True)
    ]
    assert solve_deals(hands, strains, leaders, misere=misere).tolist() == expected


def few_suit_endings(rng: np.random.Generator, deals: int, size: int, suits: int) -> np.ndarray:
    """Endings crowded into a few suits, where ranks and entries matter most."""
    rows = [rng.permutation(8 * suits)[: 3 * size].reshape(3, size) for _ in range(deals)]
    return np.array([[sum(1 << int(c) for c in h) for h in row] for row in rows], np.uint32)


@pytest.mark.parametrize("misere", [False, True])
def test_crowded_endings_equal_plain_minimax(misere: bool) -> None:
    rng = np.random.default_rng(9)
    for suits, size in ((1, 2), (2, 4), (2, 5)):
        hands = few_suit_endings(rng, 30, size, suits)
        leaders = rng.integers(0, 3, 30)
        for strain in (4,) if misere else (0, 1, 4):
            expected = [
                reference_tricks(tuple(map(int, row)), strain, int(leader), misere)
                for row, leader in zip(hands, leaders, strict=True)
            ]
            assert solve_deals(hands, strain, leaders, misere=misere).tolist() == expected


def test_no_trump_equals_bridge_with_a_dead_hand() -> None:
    rng = np.random.default_rng(2026)
    hands = random_hands(rng, 2000)
    leaders = rng.integers(0, 3, 2000)
    expected = [dds_tricks(row, int(leader)) for row, leader in zip(hands, leaders, strict=True)]
    assert solve_deals(hands, 4, leaders).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("size", range(5, 10))
def test_no_trump_endings_equal_bridge_with_a_dead_hand(size: int) -> None:
    rng = np.random.default_rng(size)
    hands = random_hands(rng, 1000, size)
    leaders = rng.integers(0, 3, 1000)
    expected = [dds_tricks(row, int(leader)) for row, leader in zip(hands, leaders, strict=True)]
    assert solve_deals(hands, 4, leaders).tolist() == expected


@pytest.mark.parametrize(("source", "declarer", "second", "third", "leader", "tricks"), MISERES)
def test_published_miseres(
    source: str, declarer: str, second: str, third: str, leader: int, tricks: int
) -> None:
    hands = [[parse(declarer), parse(second), parse(third)]]
    assert solve_deals(hands, 4, leader, misere=True).tolist() == [tricks], source
    assert caught_deals(hands, leader).tolist() == [tricks > 0], source
