"""Misère against defenders who do not know the discard."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from reference_misere import endings, exact_value, maximal, plan_sets

from advisor.cards import cards_of, parse_cards
from advisor.sampling.unseen import Unseen
from advisor.tricks.misere import (
    FIXED,
    FREE,
    MOST,
    TOLD,
    catch_families,
    open_catches,
    sensible_discards,
)
from advisor.tricks.misere_game import (
    against_plans,
    obvious_families,
    solve_matrix,
    solve_models,
)

# Deals whose labels in JPref's collection say that the misère is caught only once the discard is
# deduced (kind, hands after the discard, discard; the second hand leads).
DEDUCED = {
    "Lesnoy 34": ("♠987 ♣1098 ♦107 ♥87", "♠J10 ♣J7 ♦Q9 ♥QJ109", "♠KQ ♣AKQ ♦KJ8 ♥AK", "♠A ♦A"),
    "Kovalevskaya mod": ("♠10987 ♣98 ♦987 ♥8", "♠AQ ♣AKQ10 ♦A ♥QJ10", "♠KJ ♣J7 ♦KQJ10 ♥97",
                         "♥AK"),
    "Lasker modified": ("♠8 ♣98 ♦987 ♥10987", "♠A109 ♣AKQJ ♦K ♥KQ", "♠J7 ♣107 ♦AQJ10 ♥AJ", "♠KQ"),
}
TWO_HOLES = "♠710K ♣789 ♦7810 ♥78Q"


def layouts(twelve: int, number: int, seed: int = 1) -> np.ndarray:
    deals = Unseen(~twelve & 0xFFFFFFFF).sample(number, np.random.default_rng(seed))
    return np.ascontiguousarray(deals[:2].T)


def sets_of(family: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(cards_of(mask)) for mask in family}


def all_discards(own: int) -> list[int]:
    return [1 << a | 1 << b for a, b in combinations(cards_of(own), 2)]


# Discards


def test_sensible_discards_take_the_highest_cards() -> None:
    found = sensible_discards(parse_cards("♠79J ♣78JK ♦78 ♥79Q"))
    assert len(found) == 10
    assert parse_cards("♥Q9") in found
    assert parse_cards("♠J ♥Q") in found
    assert parse_cards("♥97") not in found


@pytest.mark.parametrize("size", [2, 3])
def test_with_open_cards_the_rest_never_do_better(size: int, rng: np.random.Generator) -> None:
    for own, one, two, leader in endings(rng, size, 60):
        hands = np.array([[one, two]], np.uint32)
        assert open_catches(own, all_discards(own), hands, leader).all() == \
            open_catches(own, sensible_discards(own), hands, leader).all()


# Families against every plan


@pytest.mark.parametrize(("size", "number"), [(2, 60), (3, 60)])
def test_families_are_those_of_all_plans(
    size: int, number: int, rng: np.random.Generator
) -> None:
    several = 0
    for own, one, two, leader in endings(rng, size, number):
        gone = list(sensible_discards(own))
        family, = catch_families(own, gone, np.array([[one, two]], np.uint32), leader)
        every = plan_sets((own, one, two, leader, ()), gone, frozenset(range(len(gone))))
        assert sets_of(family) == maximal(every)
        several += len(family) > 1
    assert several


@pytest.mark.parametrize(("size", "number"), [(2, 40), (3, 40)])
def test_the_bracket_holds_the_exact_value(
    size: int, number: int, rng: np.random.Generator
) -> None:
    between = 0
    for own, one, two, leader in endings(rng, size, number):
        gone = list(sensible_discards(own))
        exact = exact_value((own, one, two, leader, ()), gone)
        models = solve_models(own, np.array([[one, two]], np.uint32), leader, discards=gone,
                              exhaustive=True)
        assert models.values["open"] <= models.low + 1e-9
        assert models.low - 1e-7 <= exact <= models.values["hidden"] + 1e-7
        assert models.values["hidden"] <= models.values["obvious"] + 1e-9
        between += 0.01 < exact < 0.99
    assert between


def test_restricted_play_catches_more(rng: np.random.Generator) -> None:
    for own, one, two, leader in endings(rng, 3, 40):
        gone = list(sensible_discards(own))
        hands = np.array([[one, two]], np.uint32)
        free, told, fixed = (
            catch_families(own, gone, hands, leader, mode=mode)[0] for mode in (FREE, TOLD, FIXED))
        for narrower in (told, fixed):
            assert all(any(one <= other for other in sets_of(narrower)) for one in sets_of(free))


# The linear program


def test_two_discards_that_no_plan_joins_are_mixed_evenly() -> None:
    game = solve_matrix([(0b01, 0b10)], 2)
    assert game.value == pytest.approx(0.5)
    assert game.mixture == pytest.approx((0.5, 0.5))
    assert dict(game.plans[0]) == pytest.approx({1: 0.5, 2: 0.5})


def test_layouts_share_one_mixture() -> None:
    game = solve_matrix([(0b01,), (0b10,), (0b10,), ()], 2)
    assert game.mixture == pytest.approx((1, 0))
    assert game.value == pytest.approx(0.75)
    assert against_plans(game, 2).mean(0) == pytest.approx([0.75, 0.5])


def test_the_obvious_discard_narrows_the_plans() -> None:
    assert obvious_families([(0b011, 0b110), (0b100,)], 0) == [(0b011,), (0b100,)]


def test_the_defenders_plans_hold_the_declarer_to_the_value() -> None:
    twelve = parse_cards(TWO_HOLES)
    hands = layouts(twelve, 40)
    gone = sensible_discards(twelve)[:5]
    families = catch_families(twelve, gone, hands, 1)
    game = solve_matrix(families, len(gone))
    assert against_plans(game, len(gone)).mean(0).max() == pytest.approx(game.value, abs=1e-6)


# Whole hands


@pytest.mark.parametrize("leader", [0, 1, 2])
def test_the_models_are_in_order(leader: int) -> None:
    twelve = parse_cards(TWO_HOLES)
    models = solve_models(twelve, layouts(twelve, 60), leader, searched=30, most=4)
    values = models.values
    assert values["open"] <= values["hidden"] + 1e-9
    assert values["hidden"] <= values["obvious"] + 1e-9
    assert values["open"] - 1e-9 <= models.low <= values["hidden"]
    assert models.width < 0.05
    assert all(a <= b + 1e-9 for a, b in zip(models.open, models.hidden, strict=True))
    assert sum(models.mixture) == pytest.approx(1)
    assert max(models.hidden) == pytest.approx(values["hidden"], abs=1e-6)


def test_hiding_the_discard_is_worth_something() -> None:
    twelve = parse_cards(TWO_HOLES)
    models = solve_models(twelve, layouts(twelve, 60), 1, most=4)
    assert models.values["hidden"] > models.values["open"] + 0.01
    assert sum(x > 0.1 for x in models.mixture) >= 2


def test_the_same_layouts_give_the_same_answer_on_any_number_of_threads() -> None:
    twelve = parse_cards(TWO_HOLES)
    hands = layouts(twelve, 24)
    one, two = (solve_models(twelve, hands, 2, most=4, threads=n) for n in (1, 2))
    assert one == two


@pytest.mark.parametrize("name", DEDUCED)
def test_classics_are_caught_only_once_the_discard_is_deduced(name: str) -> None:
    own, one, two, gone = map(parse_cards, DEDUCED[name])
    twelve = own | gone
    hands = np.array([[one, two]], np.uint32)
    sensible = sensible_discards(twelve)
    assert open_catches(twelve, [gone], hands, 1).all()
    models = solve_models(twelve, hands, 1, discards=(gone, *(d for d in sensible if d != gone)),
                          exhaustive=True)
    at = models.discards.index(gone)
    assert models.open[at] == 0
    together, = catch_families(twelve, models.discards, hands, 1)
    assert len(together) > 1
    if name == "Lesnoy 34":  # another discard was safe whatever they know: "incorrect drop"
        assert models.values["open"] == 1
    else:
        assert models.values["open"] == 0
        assert models.values["hidden"] == pytest.approx(0.5)


def test_of_three_aces_every_two_enter() -> None:
    """Seen, each pair thrown is caught; hidden, one time in three, not one in two."""
    twelve = parse_cards("♠78A ♣789 ♦78A ♥78A")
    some, ten = (solve_models(twelve, layouts(twelve, 120), 1, searched=40, most=most, threads=1)
                 for most in (MOST, 10))
    assert some.values["open"] < 0.05
    assert some.values["hidden"] == pytest.approx(ten.values["hidden"], abs=1e-9)
    assert 0.6 < some.values["hidden"] < 0.75
