"""Means and their errors against brute force: many draws of functions whose mean is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from advisor.advice.statistics import estimate, weighted_mean
from advisor.cards import Suit, card
from advisor.sampling.deals import Deals, draw_deals

JACK = np.uint32(1 << card(Suit.S, 4))
ACE = np.uint32(1 << card(Suit.H, 7))
KING = np.uint32(1 << card(Suit.C, 6))
SPADES = np.uint32(0xFF)
CLUBS = np.uint32(0xFF00)
SELDOM = 0.002


def has(hands, one) -> np.ndarray:
    return (hands & one) != 0


# The example hand lacks ♠J, ♥A and ♣K; its twelve cards hold ♥A and ♠7 too.


def both(deals: Deals) -> np.ndarray:
    """Second hand has ♠J and ♣K."""
    return (has(deals.hands[:, :, 1], JACK) & has(deals.hands[:, :, 1], KING)).astype(float)


def squared_spades(deals: Deals) -> np.ndarray:
    """Square of the second hand's number of spades."""
    return np.bitwise_count(deals.hands[:, :, 1] & SPADES).astype(float) ** 2


def talon_and_hand(deals: Deals) -> np.ndarray:
    """3 for ♠J in the talon, 1 for ♠J and ♣K in the second hand."""
    return 3.0 * has(deals.talon, JACK)[:, None] + both(deals)


def fewer_with_the_king(hands: np.ndarray, talon: np.ndarray) -> np.ndarray:
    """Weight 1/5 where the second hand has ♣K."""
    return np.where(has(hands[:, :, 1], KING), 0.2, 1.0)


def hardly_without_three(hands: np.ndarray, talon: np.ndarray) -> np.ndarray:
    """Weight 1 where the second hand has ♠J, ♣K and ♥A, a five-hundredth elsewhere."""
    second = hands[:, :, 1]
    return np.where(has(second, JACK) & has(second, KING) & has(second, ACE), 1.0, SELDOM)


def clubs(deals: Deals) -> np.ndarray:
    """The second hand's number of clubs."""
    return np.bitwise_count(deals.hands[:, :, 1] & CLUBS).astype(float)


def squares(own: int, hidden: int) -> float:
    """Mean square of a hypergeometric: ten of `hidden` cards, `own` of them counted."""
    p = own / hidden
    return (10 * p) ** 2 + 10 * p * (1 - p) * (hidden - 10) / (hidden - 1)


def pair(hidden: int) -> float:
    """Chance that two given cards are both in a hand of ten."""
    return 10 * 9 / (hidden * (hidden - 1))


def weigh_down(hidden: int, mean_with_king: float, mean_without: float) -> float:
    """Mean under `fewer_with_the_king`, from the parts with and without ♣K (already joint)."""
    return (0.2 * mean_with_king + mean_without) / (0.2 * 10 / hidden + 1 - 10 / hidden)


def clubs_with_three() -> float:
    """Mean of `clubs` under `hardly_without_three`; six of the 22 unseen cards are clubs."""
    three = 10 * 9 * 8 / (22 * 21 * 20)
    held = (1 - SELDOM) * three
    return (SELDOM * 6 * 10 / 22 + held * (1 + 7 * 5 / 19)) / (SELDOM + held)


class Case(NamedTuple):
    held: str
    n: int
    function: Callable[[Deals], np.ndarray]
    weigh: Callable | None
    truth: float
    top: float = 1.15            # how far the error may be told too large


TALON = 3 * 2 / 22
IN_TALON_WITH_KING = 3 * (2 / 22) * (10 / 21)      # ♠J in the talon, ♣K in the second hand
CASES = {
    "stratified": Case("ten", 924, both, None, pair(22)),
    "stratified-large": Case("ten", 8 * 462, talon_and_hand, None, TALON + pair(22)),
    "stratified-count": Case("ten", 924, squared_spades, None, squares(4, 22)),
    "one-pair-a-talon": Case("ten", 462, both, None, pair(22), 1.2),
    "one-pair-talon": Case("ten", 462, talon_and_hand, None, TALON + pair(22), 2.3),
    "few": Case("ten", 60, both, None, pair(22)),
    "few-count": Case("ten", 100, squared_spades, None, squares(4, 22)),
    "few-talon": Case("ten", 100, talon_and_hand, None, TALON + pair(22), 1.2),
    "many-talons": Case("ten", 400, both, None, pair(22), 1.3),
    "talon-known": Case("twelve", 200, both, None, pair(20)),
    "talon-known-count": Case("twelve", 200, squared_spades, None, squares(3, 20)),
    "weighted": Case("ten", 8 * 462, both, fewer_with_the_king, weigh_down(22, pair(22), 0)),
    "weighted-talon": Case(
        "ten", 8 * 462, talon_and_hand, fewer_with_the_king,
        weigh_down(22, pair(22) + IN_TALON_WITH_KING, TALON - IN_TALON_WITH_KING)),
    "weighted-few": Case("ten", 200, both, fewer_with_the_king, weigh_down(22, pair(22), 0)),
    "pool": Case("ten", 924, clubs, hardly_without_three, clubs_with_three()),
    "pool-few": Case("ten", 200, clubs, hardly_without_three, clubs_with_three(), 1.3),
    "weighted-known": Case("twelve", 400, both, fewer_with_the_king, weigh_down(20, pair(20), 0)),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_error_told_is_the_error_made(case, request, full):
    """Spread of the means over seeds, their bias, and how often 1.96 errors cover the truth."""
    cards = request.getfixturevalue(case.held)
    seeds = 2000 if full else 250
    means, errors = np.empty(seeds), np.empty(seeds)
    for seed in range(seeds):
        deals = draw_deals(cards, 0, case.n, np.random.default_rng(seed), case.weigh)
        means[seed], errors[seed] = estimate(case.function(deals), deals)
    made = np.std(means, ddof=1)
    assert abs(means.mean() - case.truth) < 4 * made / np.sqrt(seeds)
    told = np.sqrt(np.mean(errors**2))
    assert 0.88 < told / made < case.top
    covered = np.mean(np.abs(means - case.truth) < 1.96 * errors)
    assert covered > 0.91
    assert covered < 0.98 or case.top > 1.15


@pytest.mark.parametrize("case", [CASES["weighted"], CASES["weighted-talon"]])
def test_the_weighted_mean_itself(case, ten):
    deals = draw_deals(ten, 0, 100 * 462, np.random.default_rng(3), case.weigh)
    assert weighted_mean(case.function(deals), deals) == pytest.approx(case.truth, abs=0.004)


@pytest.mark.parametrize("n", [924, 9240])
def test_what_strata_and_mirrors_settle_has_no_error(ten, n):
    """Talons are all there, and of two mirrors one has the card."""
    deals = draw_deals(ten, 1, n, np.random.default_rng(0))
    in_talon = np.broadcast_to(has(deals.talon, JACK)[:, None], deals.weight.shape).astype(float)
    assert estimate(in_talon, deals) == pytest.approx((2 / 22, 0), abs=1e-12)
    on_the_left = has(deals.hands[:, :, 2], JACK).astype(float)
    assert estimate(on_the_left, deals) == pytest.approx((10 / 22, 0), abs=1e-12)


def test_exhaustive_deals_have_no_error(twelve):
    deals = draw_deals(twelve, 0, 184_756, np.random.default_rng(0), fewer_with_the_king)
    found = estimate(both(deals), deals)
    assert found.mean == pytest.approx(CASES["weighted-known"].truth, abs=1e-12)
    assert found.se == 0
    assert estimate(squared_spades(draw_deals(twelve, 0, 10**6, np.random.default_rng(0))), deals) \
        .se == 0


@pytest.mark.parametrize("held", ["ten", "twelve"])
@pytest.mark.filterwarnings("error")
def test_one_pair_says_nothing_of_its_error(held, request):
    deals = draw_deals(request.getfixturevalue(held), 0, 1, np.random.default_rng(0))
    assert np.isnan(estimate(both(deals), deals).se)


def test_units_and_constants(ten):
    deals = draw_deals(ten, 0, 2000, np.random.default_rng(0), fewer_with_the_king)
    x = squared_spades(deals)
    mean, se = estimate(x, deals)
    assert estimate(3 * x - 7, deals) == pytest.approx((3 * mean - 7, 3 * se))
    assert estimate(np.full_like(x, 5.0), deals) == pytest.approx((5, 0), abs=1e-12)
    heavier = draw_deals(ten, 0, 2000, np.random.default_rng(0),
                         lambda hands, talon: 40 * fewer_with_the_king(hands, talon))
    assert estimate(x, heavier) == pytest.approx((mean, se))


def test_paired_differences_are_sharper_than_levels(ten):
    """Two calls valued on the same deals: the common noise goes away."""
    deals = draw_deals(ten, 0, 2000, np.random.default_rng(0))
    one = squared_spades(deals)
    other = one + 0.1 * both(deals)
    assert estimate(other - one, deals).se < 0.1 * estimate(one, deals).se
