"""Tricks that the kernels call certain against a plain minimax, whatever the other cards are."""

import numpy as np
import pytest
from reference_solver import reference_tricks

from advisor.tricks.compiled import kernels, places
from benchmarks.deals import random_hands

CARDS = 0xFFFFFFFF


def by_place(row: np.ndarray, leader: int) -> tuple[list[int], int]:
    """Hands as the search has them, in order of play, and the place of the declarer."""
    inner = kernels("cards").inner
    hands = [int(inner(int(mask), 0)) for mask in np.roll(row, -leader)]
    return hands, (3 - leader) % 3


def reshuffled(row: np.ndarray, relevant: int, rng: np.random.Generator) -> np.ndarray:
    """The same suit lengths, and the same owners down to the relevant cards; others at random."""
    cards = kernels("cards")
    inside = [int(cards.inner(int(mask), 0)) for mask in row]
    known = int(cards.known_end(relevant, inside[0] | inside[1] | inside[2]))
    hands = [mask & known for mask in inside]
    for suit in range(4):
        rest = [
            (1 << bit, owner)
            for owner, mask in enumerate(inside)
            for bit in range(8 * suit, 8 * suit + 8)
            if mask & ~known & CARDS & 1 << bit
        ]
        owners = rng.permutation([owner for _, owner in rest])
        for (card, _), owner in zip(rest, owners, strict=True):
            hands[int(owner)] |= card
    return np.array([cards.inner(mask, 0) for mask in hands], np.uint32)


def trump_bound(own: int, hands: list[int], d: int, trumps: int) -> tuple[int, int, int]:
    """What the game of the trumps alone says: least and most tricks, relevant cards."""
    game, certain = kernels("trump_game"), kernels("certain")
    kind = game.OFF_LEAD if d else game.ON_LEAD
    after, before = hands[(d + 1) % 3], hands[(d + 2) % 3]
    won = int(certain.trump_tricks(places(), own, after, before, trumps, kind))
    return won >> 32, own.bit_count(), won & CARDS


@pytest.mark.parametrize("strain", [0, 2, 4])
@pytest.mark.parametrize("size", [2, 4])
def test_certain_tricks_are_certain(size: int, strain: int) -> None:
    """Losers and stoppers, on the deal and on one that differs only where it must not matter."""
    rng = np.random.default_rng(10 * size + strain)
    certain, losers = kernels("certain"), kernels("losers")
    trumps = 0xFF << (8 * strain) if strain < 4 else 0
    found = 0
    for row in random_hands(rng, 150, size):
        leader = int(rng.integers(3))
        (a, b, c), d = by_place(row, leader)
        own, x, y = ((a, b, c), (b, a, c), (c, a, b))[d]
        lost = int(losers.losers(places(), own, x, y, trumps, size))
        bounds = [(0, size - (lost >> 32), lost & CARDS)]
        if trumps or d == 0:
            guard = int(losers.one_loser(own, x, y, a if d else 0, trumps))
            bounds += [(0, size - 1, guard)] if guard else []
        if d:
            before = a if d == 1 else y
            won = int(certain.stopped(places(), own, a, y, before, trumps, size, 1))
            bounds.append((won >> 32, size, won & CARDS))
        if trumps:
            bounds.append(trump_bound(own, [a, b, c], d, trumps))
        for low, high, relevant in bounds:
            found += (low, high) != (0, size)
            for hands in (row, reshuffled(row, relevant, rng)):
                value = reference_tricks(tuple(map(int, hands)), strain, leader)
                assert low <= value <= high
    assert found > 50


@pytest.mark.parametrize(
    ("own", "after", "before", "expected"),
    [
        ("KJ", "", "AQ", (1, 0, 0)),  # the tenace is a trick only while he need not lead it
        ("KJ", "AQ", "", (0, 0, 0)),
        ("QT9", "A8", "KJ", (1, 0, 0)),
        ("KQ", "A", "", (1, 1, 1)),
        ("A", "", "", (1, 1, 1)),
    ],
)
def test_the_game_of_the_trumps_alone(
    own: str, after: str, before: str, expected: tuple[int, ...]
) -> None:
    """Off lead, on lead, whoever leads."""
    hands = [sum(1 << "AKQJT987".index(card) for card in held) for held in (own, after, before)]
    game, certain = kernels("trump_game"), kernels("certain")
    kinds = game.OFF_LEAD, game.ON_LEAD, game.ALWAYS
    found = [int(certain.trump_tricks(places(), *hands, 0xFF, kind)) >> 32 for kind in kinds]
    assert tuple(found) == expected
