"""All-pass played by players who see only their own cards."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from reference_solver import all_pass_winner, cards_of, legal_cards

from advisor.cards import DECK, parse_cards
from advisor.tricks import cautious
from advisor.tricks.cautious import View, choose, deal_hidden, play_all_pass
from advisor.tricks.compiled import kernels, new_memory, places
from benchmarks.deals import random_hands


def most_forced(hands, seat, leader, table, turned, plays):
    """Tricks that the others can force on a player, this one included, by looking at every line."""

    @cache
    def value(hands, to_lead, turned, played):
        if len(played) == 3:
            winner = all_pass_winner(to_lead, played, turned, plays)
            following = to_lead if turned else winner
            return (winner == seat) + value(hands, following, turned[1:], ())
        player = (to_lead + len(played)) % 3
        led = turned[0] if turned else played[0] if played else None
        results = []
        for card in legal_cards(cards_of(hands[player]), led, 4):
            left = list(hands)
            left[player] ^= 1 << card
            results.append(value(tuple(left), to_lead, turned, (*played, card)))
        if not results:
            return 0
        return min(results) if player == seat else max(results)

    left = list(hands)
    for place, card in enumerate(table):
        left[(leader + place) % 3] ^= 1 << card
    return value(tuple(left), leader, tuple(turned), tuple(table))


@pytest.mark.parametrize("mode", ["closed", "suit_only", "plays"])
@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("guess", [0, 2, 9])
def test_the_kernel_in_the_middle_of_a_trick(mode: str, size: int, guess: int) -> None:
    rng = np.random.default_rng([size, guess])
    memory = new_memory(1 << 12)
    for row in random_hands(rng, 12, size):
        a, b, c = map(int, row)
        free = rng.permutation(cards_of(~(a | b | c) & DECK))[:2].tolist()
        turned = free[: 0 if mode == "closed" else int(rng.integers(1, 3))]
        table: list[int] = []
        for player in range(int(rng.integers(1, 4))):
            led = turned[0] if turned else table[0] if table else None
            legal = legal_cards(cards_of((a, b, c)[player]), led, 4)
            table.append(int(rng.choice(legal)))
        masks = [1 << card for card in table] + [0] * (3 - len(table))
        card, later = ([1 << one for one in turned] + [0, 0])[:2]
        for seat in range(3):
            kernels("table").begin(memory, 4, 1)
            found = kernels("all_pass").at_most(
                memory, places(), a, b, c, seat, *masks, card, later, int(mode == "plays"), guess)
            assert found == most_forced((a, b, c), seat, 0, table, turned, mode == "plays")


def test_hidden_cards_are_dealt_every_way_alike() -> None:
    """Two hands of two and one, a void each, a card to be turned and one that nobody sees."""
    unseen = parse_cards("♠7 ♠8 ♣7 ♦7 ♦8")
    spades, diamonds = 0xFF, 0xFF << 16
    rng = np.random.default_rng(1)
    found = Counter(deal_hidden(unseen, (2, 1), (spades, diamonds), 1, rng)
                    for _ in range(12_000))
    possible = {
        (first, second, later)
        for first in range(1 << 24) if first & ~unseen == 0 and first.bit_count() == 2
        and not first & spades
        for second in (1 << card for card in cards_of(unseen & ~first & ~diamonds))
        for later in (1 << card for card in cards_of(unseen & ~first & ~second))}
    assert set(found) == possible
    mean = 12_000 / len(possible)
    assert all(abs(count - mean) < 5 * mean**0.5 for count in found.values())


def view(own: str, table: str = "", gone: str = "", **others: object) -> View:
    played = [card for word in table.split() for card in cards_of(parse_cards(word))]
    told = {"seat": len(played), "leader": 0, "voids": (0, 0, 0), "turned": 0, "hidden": 0,
            "plays": False, **others}
    seen = sum(1 << card for card in played) | (parse_cards(gone) if gone else 0)
    return View(own=parse_cards(own), table=tuple(played), gone=seen, **told)  # type: ignore[arg-type]


def chosen(seen: View) -> int:
    return 1 << choose(seen, np.random.default_rng(1), 30, new_memory(1 << 14))


def test_the_highest_card_goes_under_a_higher_one() -> None:
    low = "♣789 ♦789"
    assert chosen(view(f"♠79Q {low}", "♠K", "♥7")) == parse_cards("♠Q")


def test_a_void_throws_what_would_take_a_trick() -> None:
    assert chosen(view("♣7 ♦7 ♥A", "♠K ♠A", "♠789 ♣89 ♦89 ♥K")) == parse_cards("♥A")


def test_a_safe_suit_is_led_from_below() -> None:
    assert chosen(view("♠7 ♥AKQ", gone="♣AKQJ1098 ♦AKQJ ♥J10987")) == parse_cards("♠7")


def test_neighbours_are_one_candidate_and_the_talon_card_that_plays_keeps_them_apart() -> None:
    plain = view("♠78J", "", "♣7", turned=0)
    assert cautious._candidates(plain) == [1, 4]
    turned = view("♠79J", gone="♠8", turned=1 << 1, plays=True)
    assert cautious._candidates(turned) == [0, 2, 4]


def test_a_deal_is_played_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every card is legal for what was led, and the tricks are those of a plain replay."""
    from advisor.rules.play import replay_all_pass

    rng = np.random.default_rng(4)
    real = cautious.choose
    for mode in ("closed", "suit_only", "plays"):
        for _ in range(3):
            deck = rng.permutation(32)
            hands = [sum(1 << int(card) for card in deck[at:at + 10]) for at in (0, 10, 20)]
            turned = [] if mode == "closed" else [1 << int(card) for card in deck[30:]]
            cards: list[int] = []

            def noted(*given: object, into: list[int] = cards) -> int:
                into.append(real(*given))  # type: ignore[arg-type]
                return into[-1]

            monkeypatch.setattr(cautious, "choose", noted)
            tricks = play_all_pass(hands, turned, rng, plays=mode == "plays", samples=2)
            assert tricks == replay_all_pass(
                hands, cards, [card.bit_length() - 1 for card in turned],
                talon_plays=mode == "plays")
            assert sum(tricks) == 10


def test_nobody_sees_the_others_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a player is shown: his cards, what has been played, and who is void where."""
    rng, views = np.random.default_rng(2), []
    real = cautious.choose

    def noted(seen: View, *given: object) -> int:
        card = real(seen, *given)  # type: ignore[arg-type]
        views.append((seen, card))
        return card

    monkeypatch.setattr(cautious, "choose", noted)
    deck = rng.permutation(32)
    hands = [sum(1 << int(card) for card in deck[at:at + 10]) for at in (0, 10, 20)]
    play_all_pass(hands, (), rng, samples=2)
    played, voids = 0, [0, 0, 0]
    for seen, card in views:
        assert seen.own == hands[seen.seat] & ~played
        assert seen.gone == played
        assert seen.voids == tuple(voids)
        led = seen.table[0] >> 3 if seen.table else card >> 3
        if card >> 3 != led:
            voids[seen.seat] |= 0xFF << 8 * led
        played |= 1 << card
