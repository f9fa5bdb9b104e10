"""Misère with a hidden discard, twice and slowly: every plan of the defenders, and the exact game.

It shares nothing with the package but the dumb rules of `reference_solver`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from reference_solver import cards_of, legal_cards, trick_winner
from scipy.optimize import linprog

Position = tuple[int, int, int, int, tuple[int, ...]]  # own, next, third, leader, on the table


def moves(position: Position, gone: int) -> list[int]:
    """Cards the player to move may play; of the declarer, with this discard gone."""
    own, one, two, leader, table = position
    seat = (leader + len(table)) % 3
    hand = (own & ~gone, one, two)[seat]
    return legal_cards(cards_of(hand), table[0] if table else None, 4)


def after(position: Position, card: int) -> tuple[Position, bool]:
    """The position after a card, and whether the declarer has just taken a trick."""
    *hands, leader, table = position
    seat = (leader + len(table)) % 3
    hands[seat] ^= 1 << card
    table = (*table, card)
    if len(table) < 3:
        return (hands[0], hands[1], hands[2], leader, table), False
    winner = trick_winner(leader, list(table), 4)
    return (hands[0], hands[1], hands[2], winner, ()), winner == 0


def plan_sets(
    position: Position, gone: Sequence[int], alive: frozenset[int]
) -> set[frozenset[int]]:
    """What each plan of the defenders catches, if the declarer answers it: one set a plan."""
    if not alive or (position[1] == 0 and not position[4]):
        return {frozenset()}
    if (position[3] + len(position[4])) % 3:
        found: set[frozenset[int]] = set()
        for card in moves(position, 0):
            follow, caught = after(position, card)
            found |= {alive} if caught else plan_sets(follow, gone, alive)
        return found
    options = {world: moves(position, gone[world]) for world in alive}
    branches = []
    for card in sorted({card for cards in options.values() for card in cards}):
        part = frozenset(world for world in alive if card in options[world])
        follow, caught = after(position, card)
        sets = {part} if caught else plan_sets(follow, gone, part)
        branches.append([(part, one) for one in sets])
    return {frozenset(world for world in alive
                      if all(world in one for part, one in chosen if world in part))
            for chosen in product(*branches)}


def maximal(sets: set[frozenset[int]]) -> set[frozenset[int]]:
    """Those inside no other, the empty set apart."""
    return {one for one in sets if one and not any(one < other for other in sets)}


def exact_value(position: Position, gone: Sequence[int]) -> float:
    """Chance of the misère when neither side knows more than it may: the sequence form as an LP.

    The declarer's weights of each discard flow through the public positions; where the defenders
    move, the branch that is worst for him counts.
    """
    size = 1
    above: list[dict[int, float]] = []  # sum of coefficients <= 0
    equal: list[dict[int, float]] = []  # sum of coefficients == 0

    def new() -> int:
        nonlocal size
        size += 1
        return size - 1

    def visit(position: Position, weight: dict[int, int]) -> int:
        value = new()
        if position[1] == 0 and not position[4]:
            above.append({value: 1.0, **dict.fromkeys(weight.values(), -1.0)})
        elif (position[3] + len(position[4])) % 3:
            for card in moves(position, 0):
                follow, caught = after(position, card)
                above.append({value: 1.0} if caught else {value: 1.0, visit(follow, weight): -1.0})
        else:
            row, split = {value: 1.0}, {world: {w: -1.0} for world, w in weight.items()}
            options = {world: moves(position, gone[world]) for world in weight}
            for card in sorted({card for cards in options.values() for card in cards}):
                part = {world: new() for world in weight if card in options[world]}
                for world, w in part.items():
                    split[world][w] = 1.0
                follow, caught = after(position, card)
                if not caught:
                    row[visit(follow, part)] = -1.0
            above.append(row)
            equal.extend(split.values())
        return value

    start = {world: new() for world in range(len(gone))}
    root = visit(position, start)
    total = np.zeros((len(equal) + 1, size))
    for i, row in enumerate(equal):
        total[i, list(row)] = list(row.values())
    total[-1, list(start.values())] = 1
    limits = np.zeros((len(above), size))
    for i, row in enumerate(above):
        limits[i, list(row)] = list(row.values())
    goal = np.zeros(size)
    goal[root] = -1
    solved = linprog(goal, A_ub=limits, b_ub=np.zeros(len(above)), A_eq=total,
                     b_eq=[0.0] * len(equal) + [1.0], bounds=(0, 1), method="highs")
    assert solved.status == 0, solved.message
    return float(-solved.fun)


def endings(
    rng: np.random.Generator, size: int, number: int
) -> Iterator[tuple[int, int, int, int]]:
    """Random endings with few low suits: own cards with two too many, both hands, the leader."""
    for _ in range(number):
        deck = [c for c in range(32) if c % 8 < 5 and c < 24]
        cards = rng.permutation(deck)[: 3 * size + 2]
        cut = (size + 2, 2 * size + 2)
        own, one, two = (int(sum(1 << int(c) for c in part)) for part in np.split(cards, cut))
        yield own, one, two, int(rng.integers(3))
