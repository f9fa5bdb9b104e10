"""What must hold whatever the numbers are: symmetries, sharing, threads, lines of play."""

import numpy as np
import pytest
from reference_solver import cards_of, legal_cards, trick_winner

from advisor.tricks.line import best_line
from advisor.tricks.solver import caught_deals, optimal_leads, solve_deals, solve_discards
from benchmarks.deals import misere_hands, random_hands

KINDS = [(0, False), (2, False), (4, False), (4, True)]


def permuted(hands: np.ndarray, order: list[int]) -> np.ndarray:
    """Hands with suit s renamed order[s]."""
    moved = np.zeros_like(hands)
    for suit, name in enumerate(order):
        moved |= (hands >> np.uint32(8 * suit) & np.uint32(255)) << np.uint32(8 * name)
    return moved


def pushed_down(row: np.ndarray) -> np.ndarray:
    """The same order of owners in each suit, gaps between ranks closed from below."""
    packed = [0, 0, 0]
    for suit in range(4):
        rank = 0
        for card in range(8 * suit, 8 * suit + 8):
            owners = [c for c in range(3) if int(row[c]) >> card & 1]
            if owners:
                packed[owners[0]] |= 1 << (8 * suit + rank)
                rank += 1
    return np.array(packed, np.uint32)


@pytest.mark.parametrize(("strain", "misere"), KINDS)
def test_names_of_suits_do_not_matter(strain: int, misere: bool) -> None:
    hands = random_hands(np.random.default_rng(3), 60)
    order = [2, 0, 3, 1]
    plain = solve_deals(hands, strain, 1, misere=misere)
    renamed = solve_deals(permuted(hands, order), [*order, 4][strain], 1, misere=misere)
    assert plain.tolist() == renamed.tolist()


@pytest.mark.parametrize(("strain", "misere"), KINDS)
def test_gaps_between_ranks_do_not_matter(strain: int, misere: bool) -> None:
    hands = random_hands(np.random.default_rng(4), 60, 8)
    packed = np.array([pushed_down(row) for row in hands])
    plain = solve_deals(hands, strain, 2, misere=misere)
    assert plain.tolist() == solve_deals(packed, strain, 2, misere=misere).tolist()


def test_seats_may_be_mirrored_where_nobody_has_a_choice() -> None:
    """Clockwise order is part of the game; only the single last trick does not know it."""
    hands = random_hands(np.random.default_rng(5), 300, 1)
    mirrored = np.ascontiguousarray(hands[:, [0, 2, 1]])
    for leader, image in ((0, 0), (1, 2), (2, 1)):
        for strain in range(5):
            plain = solve_deals(hands, strain, leader)
            assert plain.tolist() == solve_deals(mirrored, strain, image).tolist()


def test_threads_do_not_change_results() -> None:
    rng = np.random.default_rng(7)
    hands = random_hands(rng, 300)
    strains = rng.integers(0, 5, 300)
    leaders = rng.integers(0, 3, 300)
    alone = solve_deals(hands, strains, leaders, threads=1)
    assert alone.tolist() == solve_deals(hands, strains, leaders, threads=3).tolist()
    assert alone.tolist() == solve_deals(hands, strains, leaders).tolist()


def test_caught_is_the_same_question_as_a_trick_or_more() -> None:
    hands = misere_hands(np.random.default_rng(8), 300)
    for leader in range(3):
        tricks = solve_deals(hands, 4, leader, misere=True)
        assert caught_deals(hands, leader).tolist() == (tricks > 0).tolist()


@pytest.mark.parametrize(("strain", "misere"), KINDS)
@pytest.mark.parametrize("cards", [
    np.random.default_rng(11).permutation(32),
    np.arange(32),  # long suits, many discards alike
    np.r_[0:32:3, 1:32:3, 2:32:3],  # no two neighbours in one hand
], ids=["random", "long", "scattered"])
def test_discards_equal_separate_deals(
    strain: int, misere: bool, cards: np.ndarray
) -> None:
    twelve, second, third = (
        sum(1 << int(c) for c in part) for part in (cards[:12], cards[12:22], cards[22:])
    )
    discards, tricks = solve_discards(twelve, (second, third), strain, [0, 1, 2], misere=misere)
    assert tricks.shape == (66, 1, 3)
    assert len(set(discards.tolist())) == 66
    hands = np.array([[twelve ^ int(away), second, third] for away in discards], np.uint32)
    for leader in range(3):
        separate = solve_deals(hands, strain, leader, misere=misere)
        assert tricks[:, 0, leader].tolist() == separate.tolist()


@pytest.mark.parametrize(("strain", "misere"), KINDS)
@pytest.mark.parametrize("leader", range(3))
def test_a_line_replays_to_its_tricks_and_no_deviation_gains(
    strain: int, misere: bool, leader: int
) -> None:
    """Replayed by the reference rules; every legal card at every turn is tried and solved again."""
    row = random_hands(np.random.default_rng(12 + leader), 1)[0]
    claimed = int(solve_deals(row[np.newaxis], strain, leader, misere=misere)[0])
    hands = [int(mask) for mask in row]
    to_lead, taken = leader, 0
    for trick in best_line(row, strain, leader, misere=misere):
        assert trick.leader == to_lead
        for place, card in enumerate(trick.cards):
            seat = (to_lead + place) % 3
            table = list(trick.cards[:place])
            legal = legal_cards(cards_of(hands[seat]), table[0] if table else None, strain)
            assert card in legal
            wants_more = (seat == 0) != misere
            for other in legal:
                value = taken + value_after(hands, to_lead, [*table, other], strain, misere)
                assert value == claimed or (value < claimed) == wants_more
        for place, card in enumerate(trick.cards):
            hands[(to_lead + place) % 3] ^= 1 << card
        to_lead = trick_winner(to_lead, list(trick.cards), strain)
        assert to_lead == trick.winner
        taken += to_lead == 0
    assert hands == [0, 0, 0]
    assert taken == claimed


def value_after(hands: list[int], leader: int, table: list[int], strain: int, misere: bool) -> int:
    """Declarer's tricks with cards on the table, from ``solve_deals`` at trick ends only."""
    if len(table) == 3:
        left = list(hands)
        for place, card in enumerate(table):
            left[(leader + place) % 3] ^= 1 << card
        winner = trick_winner(leader, table, strain)
        rest = 0
        if left[0]:
            rest = int(solve_deals([left], strain, winner, misere=misere)[0])
        return (winner == 0) + rest
    seat = (leader + len(table)) % 3
    legal = legal_cards(cards_of(hands[seat]), table[0], strain)
    values = [value_after(hands, leader, [*table, card], strain, misere) for card in legal]
    return max(values) if (seat == 0) != misere else min(values)


@pytest.mark.parametrize(("strain", "misere"), KINDS)
def test_leads_agree_with_the_value(strain: int, misere: bool) -> None:
    hands = random_hands(np.random.default_rng(13), 12)
    for row in hands:
        for leader in range(3):
            leads = optimal_leads(row, strain, leader, misere)
            assert list(leads) == cards_of(int(row[leader]))
            best = max if (leader == 0) != misere else min
            value = int(solve_deals(row[np.newaxis], strain, leader, misere=misere)[0])
            assert best(leads.values()) == value
