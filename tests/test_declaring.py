"""The player's own games: what he may know when he chooses, and what the choice is worth."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from advisor.advice.declaring import GAMES, discards, twelve_cards
from advisor.advice.fitted import FittedGames, coarse_games, fitted_games
from advisor.advice.folds import each_fold, fold_count
from advisor.advice.guide_games import GuideGames, Plays, own_games, own_misere, shown_talons
from advisor.advice.payoff import PATTERNS, Pattern, payoff
from advisor.advice.solving import SCREEN, screened
from advisor.advice.statistics import estimate, weighted_mean
from advisor.cards import cards_of, parse_cards
from advisor.rules.contracts import Contract
from advisor.rules.conventions import load_convention
from advisor.rules.scoring import talon_units
from advisor.sampling.deals import Deals, draw_deals, first_layouts

SOCHI = load_convention("sochi")
HAND = parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8")
OUT_OF_ORDER = (2, 0, 3, 1)


def dealt(hand: int, n: int = 4000, seed: int = 3, seat: int = 0) -> Deals:
    return draw_deals(hand, seat, n, np.random.default_rng(seed))


def games_of(hand: int, deals: Deals, convention=SOCHI) -> GuideGames:
    return own_games(hand, deals, convention, payoff(convention, 3, 1))


def moved(masks, order=OUT_OF_ORDER):
    """Card masks with their suits exchanged."""
    masks = np.asarray(masks, dtype=np.uint32)
    out = np.zeros_like(masks)
    for suit in range(4):
        out |= (masks >> np.uint32(8 * suit) & np.uint32(0xFF)) << np.uint32(8 * order[suit])
    return out


def test_sixty_six_discards():
    away = discards(parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8 ♠7 ♥A"))
    assert len(np.unique(away)) == 66
    kept, thrown = twelve_cards(HAND, np.array([parse_cards("♠7 ♥A")], dtype=np.uint32))
    assert set(thrown[0]) == set(away)
    assert (kept & thrown == 0).all()
    assert (np.bitwise_count(kept) == 10).all()


def test_the_choice_is_made_by_talon_and_fold_never_by_layout():
    """Design rule: discard and contract are chosen knowing twelve cards."""
    deals = dealt(HAND)
    outcome = games_of(HAND, deals).apart(0)
    m = deals.weight.shape[1]
    assert outcome.game.shape == outcome.away.shape == (fold_count(m), len(deals.talon))
    for _, columns in each_fold(m):
        assert (np.ptp(outcome.made[:, columns], axis=1) < 1e-12).all()


def test_what_a_fold_holds_does_not_sway_the_choice_valued_on_it():
    deals = dealt(HAND)
    own = games_of(HAND, deals)
    one = own.apart(0)
    for fold, columns in each_fold(deals.weight.shape[1]):
        pattern = own.pattern.copy()
        pattern[:, :, columns] = Pattern.BOTH
        two = replace(own, pattern=pattern).apart(0)
        np.testing.assert_array_equal(one.game[fold], two.game[fold])
        np.testing.assert_array_equal(one.away[fold], two.away[fold])
        np.testing.assert_array_equal(one.made[:, columns], two.made[:, columns])
        assert (one.game != two.game).any()


def test_a_single_pair_is_chosen_for_by_the_replies_under_all_talons():
    """One fold has no others: the replies to its own layouts count no more than anybody's."""
    own, deals = noise(1, layouts=2)
    everywhere = np.stack([(own.pattern == p).mean(axis=(1, 2)) for p in range(PATTERNS)], axis=-1)
    np.testing.assert_allclose(own.pattern_share(0), np.broadcast_to(
        everywhere[:, None], (25, len(deals.talon), PATTERNS)), atol=1e-12)
    outcome = own.apart(0)
    assert outcome.game.shape == outcome.away.shape == (1, len(deals.talon))
    assert len(np.unique(outcome.game)) == 1


@pytest.mark.parametrize("layouts", [2, 4, 20, 40])
def test_shares_by_fold_make_up_all_the_weight(layouts):
    own, deals = noise(1, talons=9, layouts=layouts)
    weight = np.random.default_rng(2).random(deals.weight.shape)
    k = max(2, layouts // 2)
    for outcome, part in ((own.apart(0), 1.0), (own.together(0), 1.0), (own.outcome(0), 0.5)):
        share = outcome.share(weight)
        assert share.shape == outcome.game.shape == outcome.away.shape
        np.testing.assert_allclose(share.sum(axis=0), weight.sum(axis=1))
        first = outcome.share(weight[:, :k])
        if len(share) < fold_count(layouts):
            continue
        for fold, columns in each_fold(layouts):
            np.testing.assert_allclose(
                first[fold], part * weight[:, :k][:, columns[:k]].sum(axis=1))
    np.testing.assert_allclose(own.outcome(0).share(weight)[-1], weight.sum(axis=1) / 2)


def test_choosing_the_best_by_the_layout_would_overstate():
    """The peeking value is what the design forbids; it must lie above what is reported."""
    hand = parse_cards("♠AKQJ9 ♣AK8 ♦K7")
    deals = dealt(hand)
    own = games_of(hand, deals)
    honest = weighted_mean(own.outcome(0).net, deals)
    t = np.arange(len(deals.talon))
    nets = []
    for game in range(25):
        tricks = own.plays.tricks[t, own.best[0][0, game], game % 5]
        table = own.by_pattern(tricks, np.full(len(t), game // 5), own.pay)
        nets.append(np.take_along_axis(table, own.pattern[game], axis=1))
    assert weighted_mean(np.max(nets, axis=0), deals) > honest + 0.3


def noise(seed: int, talons: int = 231, layouts: int = 20) -> tuple[GuideGames, Deals]:
    """Games that are all worth nothing on average: whisted or not by the toss of a coin."""
    rng = np.random.default_rng(seed)
    hands = np.zeros((talons, layouts, 3), dtype=np.uint32)
    deals = Deals(hands, np.zeros(talons, np.uint32), np.ones((talons, layouts)), 0, 231)
    pattern = rng.choice([Pattern.NOBODY, Pattern.FIRST], size=(25, talons, layouts))
    pay = np.zeros((talons, 5, PATTERNS, 11))
    pay[:, :, Pattern.NOBODY], pay[:, :, Pattern.FIRST] = 10.0, -10.0
    pay[:, 3:] = -100.0
    tricks = np.zeros((talons, 66, 5, 11))
    tricks[..., 6] = 1
    kept = np.zeros((talons, 66), dtype=np.uint32)
    return GuideGames(deals, pattern.astype(np.uint8), np.zeros((25, talons)), pay,
                      Plays(kept, kept, tricks), pay[0], load_convention("sochi")), deals


def test_chosen_apart_the_best_of_fifteen_equal_games_is_not_overstated():
    """Pure noise: the expected score of the choice is 0, and so must be what is found apart.

    Choices for different folds rest on much the same layouts and err together, which the error
    told does not know; where there is nothing but noise to choose by, scores spread 1.6 times as
    far.
    """
    scores, naive = [], []
    for seed in range(40):
        own, deals = noise(seed)
        scores.append(estimate(own.apart(0).net, deals))
        naive.append(float(own.best[1].max(axis=1).mean()))
    together = np.mean([score.mean for score in scores])
    error = np.sqrt(np.sum([score.se**2 for score in scores])) / len(scores)
    assert abs(together) < 3.5 * error
    assert np.sqrt(np.mean([(score.mean / score.se) ** 2 for score in scores])) < 1.8
    assert min(naive) > 20 * error, "the noise must be worth peeking at, or this tests nothing"


def graded(seed: int, layouts: int) -> tuple[GuideGames, Deals, np.ndarray]:
    """Fifteen games whose worths under each talon are known, and the best of them, float64 (t,)."""
    own, deals = noise(seed, layouts=layouts)
    rng = np.random.default_rng(seed + 1000)
    talons = len(deals.talon)
    by_level, by_tricks = rng.uniform(-1, 1, (talons, 3, 1)), rng.uniform(-9, 9, (talons, 1, 11))
    taken = rng.permuted(np.tile(np.arange(11), (talons, 1)), axis=1)[:, :5]
    pay = own.pay.copy()
    pay[:, :3] += (by_level + by_tricks)[:, :, None]
    tricks = np.zeros_like(own.plays.tricks)
    tricks[np.arange(talons)[:, None], :, np.arange(5), taken] = 1
    worth = by_level + np.take_along_axis(by_tricks, taken[:, None], axis=2)
    return (replace(own, pay=pay, plays=replace(own.plays, tricks=tricks)), deals,
            worth.reshape(talons, -1).max(axis=1))


@pytest.mark.parametrize("layouts", [88, 400])
def test_the_best_of_fifteen_known_games_lies_between_apart_and_together(layouts):
    """And half-way is nearer to it than either, though many games lie close together here."""
    off, error = {"apart": 0.0, "together": 0.0, "outcome": 0.0}, 0.0
    for seed in range(12):
        own, deals, best = graded(seed, layouts)
        for way in off:
            off[way] += (weighted_mean(getattr(own, way)(0).net, deals) - best.mean()) / 12
        error += estimate(own.outcome(0).net, deals).se / 12**1.5
    assert off["apart"] < -3 * error
    assert off["together"] > 3 * error
    assert abs(off["outcome"]) < min(-off["apart"], off["together"])


@pytest.mark.parametrize("cards", ["♠AKQ9 ♣A8 ♦K107 ♥8", "♠AJ98 ♣KJ10 ♦AQ ♥7"])
def test_the_score_of_a_hand_is_neither_optimistic_nor_pessimistic(cards):
    """Ten samples of 20 layouts a talon against one of 440, with the bidding of nobody."""
    hand = parse_cards(cards)

    def games(layouts: int, seed: int) -> FittedGames:
        guide = games_of(hand, dealt(hand, 231 * layouts, seed))
        coarse = coarse_games(hand, guide)
        return fitted_games(hand, guide, screened(coarse, SCREEN))

    known = games(440, 0)
    truth = estimate(known.outcome(0).net, known.deals)
    scores, apart, together = [], [], []
    for seed in range(1, 11):
        own = games(20, seed)
        scores.append(estimate(own.outcome(0).net, own.deals))
        apart.append(weighted_mean(own.apart(0).net, own.deals))
        together.append(weighted_mean(own.together(0).net, own.deals))
    off = np.array([score.mean - truth.mean for score in scores])
    error = np.hypot(truth.se, np.sqrt(np.mean([score.se**2 for score in scores]) / len(scores)))
    assert abs(off.mean()) < 2.5 * error
    assert np.sqrt(np.mean(off**2)) < 1.6 * np.mean([score.se for score in scores])
    assert np.mean(apart) < truth.mean - 2 * error
    assert np.mean(together) > truth.mean + error


def test_the_reported_error_is_that_of_repetition():
    scores = [estimate(own.outcome(0).net, deals) for own, deals in map(noise, range(30))]
    spread = np.std([score.mean for score in scores], ddof=1)
    # 231 of 231 talons: only the layouts under them vary
    assert 0.6 < spread / np.mean([score.se for score in scores]) < 1.6


@pytest.mark.parametrize("order", [(2, 0, 3, 1), (1, 0, 2, 3), (3, 2, 1, 0)])
def test_suits_are_alike(order):
    """The same deals with suits exchanged: every game of the exchanged strain is worth the same."""
    deals = dealt(HAND, 2000)
    other = replace(deals, hands=moved(deals.hands, order), talon=moved(deals.talon, order))
    one = games_of(HAND, deals).best[1]
    two = games_of(int(moved(HAND, order)), other).best[1]
    for game, contract in enumerate(GAMES):
        strain = int(contract.strain)
        image = game if strain == 4 else game - strain + order[strain]
        np.testing.assert_allclose(two[:, image], one[:, game], atol=1e-9)
    table = payoff(SOCHI, 3, 1)
    np.testing.assert_allclose(own_misere(int(moved(HAND, order)), other, table).net,
                               own_misere(HAND, deals, table).net, atol=1e-9)


def test_hidden_hands_may_change_places():
    """Every layout comes with its mirror, so exchanging the hidden hands exchanges nothing."""
    deals = dealt(HAND)
    swapped = replace(deals, hands=np.ascontiguousarray(deals.hands[:, :, [0, 2, 1]]))
    one, two = games_of(HAND, deals), games_of(HAND, swapped)
    np.testing.assert_allclose(one.best[1], two.best[1], atol=1e-9)
    assert weighted_mean(one.outcome(0).net, deals) == pytest.approx(
        weighted_mean(two.outcome(0).net, swapped), abs=1e-9)


def test_a_higher_price_is_never_better():
    deals = dealt(HAND)
    own = games_of(HAND, deals)
    values = [weighted_mean(own.outcome(first).net, deals) for first in (0, 5, 10, 15, 20)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("m", [2, 130, 400])
def test_a_talon_not_told_is_each_pair_of_the_twelve_in_turn(m):
    hand = parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8 ♥A ♦A")
    deals = dealt(hand, m)
    shown = shown_talons(hand, deals)
    assert shown.shape == (1, m)
    assert set(shown[0].tolist()) <= set(discards(hand).tolist())
    np.testing.assert_array_equal(shown[:, ::2], shown[:, 1::2])
    _, often = np.unique(shown, return_counts=True)
    assert len(often) == min(m // 2, 66)
    assert np.ptp(often) <= 2
    np.testing.assert_array_equal(shown_talons(hand, first_layouts(deals, 2)), shown[:, :2])
    for fold, columns in each_fold(m):
        if m == 400:
            assert len(set(shown[0, columns].tolist())) > 20, fold
    assert shown_talons(hand, deals, parse_cards("♥8 ♥A")).tolist() == [[parse_cards("♥8 ♥A")]]


def with_replies_of(others: GuideGames, games: GuideGames) -> GuideGames:
    """The games as they would be replied to, had the others' talon been shown."""
    return replace(games, pattern=others.pattern, told=others.told)


def test_where_nobody_whists_one_throws_as_if_somebody_did():
    """All discards are worth the same then, and what is left must still take its tricks."""
    hand, talon = parse_cards("♠AQ10 ♣K8 ♦K10 ♥AKQJ7"), parse_cards("♥A ♥Q")
    games = own_games(hand, dealt(hand, 400), SOCHI, payoff(SOCHI, 3, 1), talon)
    games = replace(games, pattern=np.zeros_like(games.pattern) + Pattern.NOBODY)
    six = GAMES.index(Contract.game(6, 3))
    worth = [games.single(six, discard).net.mean() for discard in range(66)]
    assert np.ptp(worth) < 1e-9
    best = int(games.expected()[six, 0].argmax())
    makes = [games.single(six, discard).tricks[6:].sum() for discard in range(66)]
    assert makes[best] > max(makes) - 1e-3
    assert min(makes) < 0.9


def test_a_paid_talon_costs_its_units():
    """Leningrad, three players: each opponent writes half of a trick's price a unit."""
    convention = load_convention("leningrad")
    hand, talon = parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8 ♥A ♦A"), parse_cards("♥A ♦A")
    deals = dealt(hand, 400)
    table = payoff(convention, 3, 1)
    unpaid = parse_cards("♦7 ♥8")
    games = own_games(hand, deals, convention, table, unpaid)
    free = games.expected()
    paid = with_replies_of(games, own_games(hand, deals, convention, table, talon)).expected()
    for level in range(6, 11):
        price = 3 * convention.whist_price(level)
        rows = slice(5 * (level - 6), 5 * (level - 6) + 5)
        np.testing.assert_allclose(free[rows] - paid[rows], price, atol=1e-9)


def test_a_talon_not_told_costs_what_it_costs_on_average():
    """Twelve cards of which any two may have been the talon."""
    convention = load_convention("leningrad")
    hand = parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8 ♥A ♦A")
    deals, table = dealt(hand, 400), payoff(convention, 3, 1)
    pairs = [a | b for a, b in combinations([1 << c for c in cards_of(hand)], 2)]
    units = np.mean([talon_units(pair) for pair in pairs])
    games = own_games(hand, deals, convention, table, parse_cards("♦7 ♥8"))
    free = games.expected()
    paid = with_replies_of(games, own_games(hand, deals, convention, table)).expected()
    np.testing.assert_allclose(free[:5] - paid[:5], units * convention.whist_price(6),
                               atol=1e-9)


def test_nobody_lives_on_an_unwhisted_ten():
    """Ten is not whisted on side aces, yet a declarer who loses them must not count on it."""
    deals = dealt(HAND)
    own = games_of(HAND, deals)
    assert (own.pattern[20] == Pattern.NOBODY).mean() > 0.3
    assert weighted_mean(own.outcome(20).net, deals) < -100


def test_misere_does_not_depend_on_layouts():
    deals = dealt(HAND, 1000)
    outcome = own_misere(HAND, deals, payoff(SOCHI, 3, 1))
    assert (np.ptp(outcome.net, axis=1) == 0).all()
    assert (outcome.made >= 0).all()
    assert (outcome.made <= 1).all()
