"""The first bidding model: what a hand would have said, and what it would still say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.statistics import estimate
from advisor.cards import DECK, parse_cards
from advisor.rules.auction import Auction, AuctionRules, replay
from advisor.rules.calls import MISERE_CALL, PASS, CallKind, parse_auction, parse_call
from advisor.rules.ladders import LADDERS
from advisor.sampling.bidder import (
    ODD,
    PASS_LIMIT,
    GuideBidder,
    Heard,
    game_places,
    heard_from,
    misere_chance,
    strength,
    triangle,
    weigh,
)
from advisor.sampling.deals import draw_deals, effective_size
from advisor.sampling.unseen import Unseen
from advisor.tricks.estimate import strain_means

BIDDER = GuideBidder()
AUCTIONS = ["pass", "6S", "6S 6C", "6S 6C pass", "6S 6C pass hold", "misere", "6S misere",
            "misere 9S", "pass pass", "6S 6C 6D pass 7S", "10NT", "6S 6C pass hold 6D hold pass",
            "pass 6S 7H hold", "9S 9C", "8S misere pass", "6C 6D 6H", "6S 10NT pass pass"]


def auction(text: str, **rules: object) -> Auction:
    return replay(parse_auction(text), AuctionRules(**rules))


def place(text: str, rules: AuctionRules | None = None) -> int:
    return (rules or AuctionRules()).order.places[parse_call(text)]


def hand(text: str) -> np.ndarray:
    return np.array([parse_cards(text)], dtype=np.uint32)


def model(hands, seat, heard):
    """The likelihood without the share of players whose calls say nothing."""
    return GuideBidder(odd=0.0).likelihood(hands, seat, heard)


def turned(hands: np.ndarray, order: list[int]) -> np.ndarray:
    """The same hands with suit ``order[i]`` in the place of suit i."""
    out = np.zeros_like(hands)
    for suit, source in enumerate(order):
        out |= (hands >> np.uint32(8 * source) & np.uint32(0xFF)) << np.uint32(8 * suit)
    return out


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    """Some thousand hands of ten, and the extremes."""
    drawn = Unseen(DECK >> 10).sample(2000, np.random.default_rng(7))[0]
    dealt = Unseen(DECK & ~(DECK >> 22)).sample(2000, np.random.default_rng(8))[0]
    ends = [parse_cards(text) for text in (
        "♠AKQJ10987 ♣AK", "♠AKQ ♣AKQ ♦AK ♥AK", "♠7 ♣789 ♦789 ♥789", "♥AKQJ10987 ♠78")]
    return np.concatenate([drawn, dealt, np.array(ends, dtype=np.uint32)])


# --- likelihood ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", AUCTIONS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_likelihoods_are_chances_above_zero(hands, text, seat):
    chance = BIDDER.likelihood(hands, seat, auction(text))
    assert chance.shape == hands.shape
    assert chance.min() > 0
    assert chance.max() <= 1 + 1e-12


@pytest.mark.parametrize("ladder", LADDERS)
@given(data=st.data())
def test_no_auction_gives_an_impossible_likelihood(hands, ladder, data):
    """Any legal auction of any ladder and hold rule."""
    heard = Auction(AuctionRules(ladder, data.draw(st.sampled_from(
        ["none", "senior", "senior_then_junior", "first_hand_only"])),
        min_level=data.draw(st.sampled_from([6, 7, 10]))))
    for _ in range(data.draw(st.integers(0, 12))):
        if heard.finished:
            break
        heard = heard.after(data.draw(st.sampled_from(heard.legal_calls())))
    for seat in range(3):
        chance = BIDDER.likelihood(hands[:50], seat, heard)
        assert chance.min() > 0
        assert chance.max() <= 1 + 1e-12
        limits = BIDDER.limits(hands[:50], seat, heard, np.random.default_rng(1))
        assert np.all((limits == PASS_LIMIT) | (limits >= 0))


def test_who_has_not_spoken_says_nothing(hands):
    assert np.all(BIDDER.likelihood(hands, 0, auction("")) == 1)
    assert np.all(BIDDER.likelihood(hands, 1, auction("6S")) == 1)
    assert np.all(BIDDER.likelihood(hands, 2, auction("pass misere")) == 1)


@pytest.mark.parametrize(("text", "seat"), [("pass", 0), ("6S pass", 1), ("6S 6C pass", 2)])
def test_passes_tell_of_weakness(hands, text, seat):
    """Among hands with one best suit and no misère: the stronger, the less likely a pass."""
    value, strain = strength(hands)
    plain = hands[(strain == 0) & (misere_chance(hands) == 0)]
    order = np.argsort(strength(plain)[0])
    chance = BIDDER.likelihood(plain, seat, auction(text))[order]
    assert len(plain) > 500
    assert np.all(np.diff(chance) <= 1e-12)
    assert chance[0] > 0.9
    assert chance[-1] < 2 * ODD
    assert np.ptp(value) > 3


def test_higher_calls_tell_of_more(hands):
    """Whoever would say seven would have said six."""
    six, seven, eight = (BIDDER.likelihood(hands, 0, auction(t)) for t in ("6S", "7S", "8S"))
    assert np.all(seven <= six)
    assert np.all(eight <= seven)
    assert eight.mean() < seven.mean() < six.mean()


def test_strong_hands_bid_and_weak_ones_pass():
    strong, weak = hand("♠AKQJ10 ♣AKQ ♦AK"), hand("♠J98 ♣J98 ♦1098 ♥9")
    assert 0 < BIDDER.likelihood(strong, 0, auction("pass"))[0] < ODD
    assert 1 - ODD < BIDDER.likelihood(strong, 0, auction("6S"))[0] < 1
    assert 0 < BIDDER.likelihood(weak, 0, auction("6S"))[0] < ODD


def test_misere_is_called_without_holes():
    clean, holed = hand("♠789 ♣7 ♦79J ♥789"), hand("♠AK ♣AKQ ♦AK ♥AKQ")
    assert misere_chance(clean)[0] == pytest.approx(1)
    assert misere_chance(holed)[0] == 0
    assert 1 - ODD < BIDDER.likelihood(clean, 0, auction("misere"))[0] < 1
    assert 0 < BIDDER.likelihood(clean, 0, auction("pass"))[0] < ODD
    assert 0 < BIDDER.likelihood(holed, 0, auction("misere"))[0] < ODD


@pytest.mark.parametrize(("before", "seat", "calls"), [
    ("", 0, ["pass", "6S", "misere"]),
    ("pass", 1, ["pass", "6S", "misere"]),
    ("6S", 1, ["pass", "6C", "misere"]),
    ("6S 7D", 2, ["pass", "7H", "misere"]),
    ("9S", 1, ["pass", "9C"]),
    ("misere", 1, ["pass", "9S"]),
])
def test_exclusive_first_calls_fill_the_whole(hands, before, seat, calls):
    """Pass, the cheapest game (for all games) and misère, where it may be called, sum to one."""
    heard = [auction(f"{before} {call}") for call in calls]
    assert np.allclose(sum(model(hands, seat, calls) for calls in heard), 1)
    whole = sum(BIDDER.likelihood(hands, seat, calls) for calls in heard)
    assert np.all(np.abs(whole - 1) <= 2 * ODD + 1e-12)


@pytest.mark.parametrize(("before", "seat", "calls"), [
    ("6S 6C pass", 0, ["pass", "hold"]),
    ("6S 6C 6D pass 6H", 2, ["pass", "hold"]),
    ("6S 6C pass 6D", 1, ["pass", "hold"]),
])
def test_later_calls_share_out_the_first(hands, before, seat, calls):
    """Going on and giving up together are as likely as what was said before."""
    whole = model(hands, seat, auction(before))
    parts = [model(hands, seat, auction(f"{before} {call}")) for call in calls]
    assert np.allclose(sum(parts), whole)
    assert min(part.max() for part in parts) > 0


@pytest.mark.parametrize("order", [[1, 0, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1]])
def test_an_opening_pass_sees_no_difference_between_suits(hands, order):
    one, other = (BIDDER.likelihood(h, 0, auction("pass")) for h in (hands, turned(hands, order)))
    assert np.allclose(one, other, atol=1e-9)
    assert np.ptp(one) > 0.5


@pytest.mark.parametrize("text", ["pass", "6D pass", "6S 6H pass", "8D pass", "6C"])
def test_side_suits_may_change_places(hands, text):
    means = np.sort(strain_means(hands)[:, :4], axis=1)
    spades = hands[(strength(hands)[1] == 0) & (means[:, 3] - means[:, 2] > 0.01)]
    heard = auction(text)
    seat = len(heard.calls) - 1
    base = BIDDER.likelihood(spades, seat, heard)
    assert np.ptp(base) > 0.1
    for order in ([0, 2, 1, 3], [0, 3, 1, 2], [0, 3, 2, 1]):
        assert np.allclose(BIDDER.likelihood(turned(spades, order), seat, heard), base, atol=1e-9)


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", AUCTIONS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_limits_respect_what_was_heard(hands, text, seat, rng):
    heard = auction(text)
    limits = BIDDER.limits(hands, seat, heard, rng)
    assert limits.shape == hands.shape
    own = [call for who, call in heard.history if who == seat]
    if PASS in own:
        assert np.all(limits == PASS_LIMIT)
        return
    named = [heard.rules.order.places[c] for c in own if c.kind is not CallKind.HOLD]
    assert np.all(limits >= max(named, default=PASS_LIMIT))
    assert np.all(np.isin(limits, [PASS_LIMIT, *range(len(heard.rules.order.places))]))


def test_a_holder_reaches_the_call_he_held(hands, rng):
    limits = BIDDER.limits(hands, 0, auction("6S 7C pass hold"), rng)
    assert limits.min() == place("7C")
    assert limits.max() > place("7C")


def test_who_called_misere_stays_there(hands, rng):
    assert np.all(BIDDER.limits(hands, 0, auction("misere pass"), rng) == place("misere"))


def test_who_bid_a_game_goes_to_no_misere(hands, rng):
    weak = hands[misere_chance(hands) > 0.5]
    assert np.any(BIDDER.limits(weak, 0, auction(""), rng) == place("misere"))
    assert not np.any(BIDDER.limits(weak, 0, auction("6S 6C"), rng) == place("misere"))


BETWEEN = "♠AK98 ♣A98 ♦AJ10"         # hopes for between six and seven tricks


@pytest.mark.parametrize("text", ["♠AKQ9 ♣A8 ♦K107 ♥8", BETWEEN, "♠AKJ98 ♣A8 ♦J107",
                                  "♠7 ♣K8 ♦AKJ987 ♥7"])
@pytest.mark.parametrize("reaches", ["6S", "7C", "7NT", "8H"])
def test_limits_come_as_often_as_the_likelihood_says(text, reaches, rng):
    """Share of drawn limits that reach a call against the chance of making that call."""
    cards = hand(text)
    draws = BIDDER.limits(np.repeat(cards, 20_000), 0, auction(""), rng)
    wanted = model(cards, 0, auction(reaches))[0]
    share = np.mean((draws >= place(reaches)) & (draws != place("misere")))
    error = np.sqrt(max(wanted * (1 - wanted), 1e-4) / 20_000)
    assert abs(share - wanted) < 4 * error


def test_limits_after_a_call_are_conditional(rng):
    """Having bid six, a hand goes to seven as often as seven hands in those of six."""
    cards = hand(BETWEEN)
    six, seven = (model(cards, 0, auction(t))[0] for t in ("6S", "7S"))
    assert 0 < seven < six < 0.9
    draws = BIDDER.limits(np.repeat(cards, 20_000), 0, auction("6S 6C"), rng)
    assert abs(np.mean(draws >= place("7S")) - seven / six) < 4 * np.sqrt(0.25 / 20_000)


# --- what was heard ------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "seat", "heard"), [
    ("", 0, Heard()),
    ("6S", 1, Heard()),
    ("6S", 0, Heard(place("6S"), np.inf, False)),
    ("pass", 0, Heard(PASS_LIMIT, place("6S"), False, True)),
    ("6S pass", 1, Heard(PASS_LIMIT, place("6C"), False, True)),
    ("6S 6C pass hold pass", 1, Heard(place("6C"), place("6D"), False, True)),
    ("6S 6C pass hold", 0, Heard(place("6C"), np.inf, False)),
    ("6S 6C pass pass", 0, Heard(place("6S"), place("6C"), False, True)),
    ("misere pass", 0, Heard(place("misere"), np.inf, True)),
    ("misere pass", 1, Heard(PASS_LIMIT, place("9S"), None, True)),
    ("10NT pass", 1, Heard(PASS_LIMIT, np.inf, None, True)),
])
def test_heard(text, seat, heard):
    assert heard_from(auction(text), seat) == heard


@pytest.mark.parametrize("ladder", LADDERS)
def test_places_of_games_ascend(ladder):
    places = game_places(AuctionRules(ladder).order)
    assert places.shape == (5, 5)
    assert np.all(np.diff(places.ravel()) > 0)
    assert AuctionRules(ladder).order.places[MISERE_CALL] not in places


def test_the_triangle_is_a_distribution():
    z = np.linspace(-2, 2, 401)
    values = triangle(z)
    assert (values[0], values[-1]) == (0, 1)
    assert np.all(np.diff(values) >= 0)
    assert np.allclose(values + triangle(-z), 1)
    assert triangle(np.array([0.5]))[0] == pytest.approx(0.875)


# --- weights of deals ----------------------------------------------------------------------------


def test_weights_are_the_others_likelihoods(ten):
    heard = auction("pass 6S")
    deals = draw_deals(ten, 2, 20_000, np.random.default_rng(0))
    weight = weigh(BIDDER, heard, 2, deals.hands, deals.talon)
    expected = BIDDER.likelihood(deals.hands[:, :, 0], 0, heard) \
        * BIDDER.likelihood(deals.hands[:, :, 1], 1, heard)
    assert np.allclose(weight, expected)
    assert weight.min() > 0
    assert 10 < effective_size(weight) < weight.size


def test_ones_own_calls_weigh_nothing(ten):
    deals = draw_deals(ten, 0, 1000, np.random.default_rng(0),
                       lambda hands, talon: weigh(BIDDER, auction(""), 0, hands, talon))
    assert np.all(deals.weight == 1)
    hands = deals.hands
    assert np.all(weigh(BIDDER, auction("6S"), 0, hands, deals.talon) == 1)


def test_a_telling_auction_is_drawn_from_a_pool(ten):
    """Few hands call misère: the sample comes from many more deals, and says how many count."""
    heard = auction("misere")
    seen = []

    def heard_by(hands, talon):
        seen.append(hands.shape[:2])
        return weigh(BIDDER, heard, 1, hands, talon)

    deals = draw_deals(ten, 1, 2000, np.random.default_rng(0), heard_by)
    (t, m), (pool_t, pool_m) = seen
    assert (pool_t, deals.weight.shape) == (t, (t, m))
    assert pool_m == 16 * m
    assert effective_size(deals.weight) > 0.3 * deals.count
    assert deals.ess < deals.pool_ess < deals.count
    hands = deals.hands[:, :, 0]
    assert misere_chance(hands).mean() > 30 * misere_chance(hands_of_nobody()).mean()
    together = deals.hands[..., 0] | deals.hands[..., 1] | deals.hands[..., 2]
    assert np.all(together | deals.talon[:, None] == 0xFFFFFFFF)


def hands_of_nobody() -> np.ndarray:
    """Random hands of ten."""
    rng = np.random.default_rng(1)
    deck = rng.permuted(np.tile(np.arange(32), (20_000, 1)), axis=1)[:, :10]
    return np.bitwise_or.reduce(np.uint32(1) << deck.astype(np.uint32), axis=1)


def spades_of_the_caller(deals):
    return np.bitwise_count(deals.hands[:, :, 0] & np.uint32(0xFF)).astype(float)


def spades_of_the_talon(deals):
    held = np.bitwise_count(deals.talon & np.uint32(0xFF)).astype(float)
    return np.broadcast_to(held[:, None], deals.weight.shape)


@pytest.mark.parametrize("count", [spades_of_the_caller, spades_of_the_talon])
def test_a_pool_gives_the_same_answer(count):
    """Means over deals drawn from a pool agree with one over many weighed deals, errors too."""
    ten, heard = int(hand("♠A97 ♣KQ98 ♦Q107")[0]), auction("8S")

    def heard_by(hands, talon):
        return weigh(BIDDER, heard, 1, hands, talon)

    drawn = [draw_deals(ten, 1, 3000, np.random.default_rng(seed), heard_by) for seed in range(12)]
    assert all(np.isfinite(deals.pool_ess) for deals in drawn)
    few = [estimate(count(deals), deals) for deals in drawn]
    whole = draw_deals(ten, 1, 1_000_000, np.random.default_rng(99), heard_by)
    wanted = estimate(count(whole), whole)
    z = [(e.mean - wanted.mean) / np.hypot(e.se, wanted.se) for e in few]
    assert 0.4 < np.sqrt(np.mean(np.square(z))) < 1.6
