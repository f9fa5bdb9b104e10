"""The bidder fitted by self-play: what its tables say, and whether that happens."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.bidding import BidTable, drawn_limits
from advisor.advice.decide import advise, sample_deals
from advisor.advice.habits import habits
from advisor.advice.opponents import all_pass_net
from advisor.cards import parse_cards
from advisor.fitting.self_play import (
    bought_at,
    draw_limits,
    frequencies,
    net_of,
    new_game,
    reach_of,
)
from advisor.fitting.table_deals import deal_table
from advisor.paths import data_path
from advisor.records.hand import parse_hand
from advisor.rules.auction import AuctionRules, replay
from advisor.rules.calls import parse_auction, parse_call
from advisor.rules.conventions import bidding_parent, convention_names, load_convention
from advisor.sampling.bid_shares import ENDS
from advisor.sampling.bidder import ODD, PASS_LIMIT, GuideBidder
from advisor.sampling.bidding_tables import (
    features,
    gains_for,
    nearest,
    next_deal_worth,
    read_gains,
    situations,
)
from advisor.sampling.fitted_bidder import (
    MARGIN,
    NORMAL,
    FittedBidder,
    chances,
    default_bidder,
)

SOCHI = load_convention("sochi")
BIDDER = FittedBidder(SOCHI)
AUCTIONS = ["pass", "6S", "6S 6C pass hold", "misere", "6S misere", "misere 9S", "pass pass",
            "6S 6C 6D pass 7S", "10NT", "8S misere pass", "6S 10NT pass pass"]
PLACES = [(name, index) for name in convention_names()
          for index in range(len(situations(load_convention(name))))]


def auction(text: str, **rules: object):
    return replay(parse_auction(text), AuctionRules(**rules))


def hand(text: str) -> np.ndarray:
    return np.array([parse_cards(text)], dtype=np.uint32)


def turned(hands: np.ndarray, order: list[int]) -> np.ndarray:
    """The same hands with suit ``order[i]`` in the place of suit i."""
    out = np.zeros_like(hands)
    for suit, source in enumerate(order):
        out |= (hands >> np.uint32(8 * source) & np.uint32(0xFF)) << np.uint32(8 * suit)
    return out


def stored(name: str):
    return json.loads(data_path(f"bidding/{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    drawn = deal_table(5, 0, 700, solve=False).hands.ravel()
    ends = [parse_cards(text) for text in (
        "♠AKQJ10987 ♣AK", "♠AKQ ♣AKQ ♦AK ♥AK", "♠7 ♣789 ♦789 ♥789", "♥AKQJ10987 ♠78")]
    return np.concatenate([drawn, np.array(ends, dtype=np.uint32)])


# --- chances -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", AUCTIONS)
@pytest.mark.parametrize("style", MARGIN)
def test_likelihoods_are_chances_above_zero(hands, text, style):
    bidder = FittedBidder(SOCHI, styles=(style,) * 3)
    for seat in range(3):
        chance = bidder.likelihood(hands, seat, auction(text))
        assert chance.shape == hands.shape
        assert chance.min() > 0
        assert chance.max() <= 1 + 1e-12


@pytest.mark.parametrize(("name", "index"), PLACES)
def test_chances_lie_inside_and_move_one_way(name, index):
    """More strength goes further, a higher level is reached by fewer, more holes call less."""
    gains = read_gains(data_path(f"bidding/{name}.json"))[1][index]
    for seat in range(3):
        for style in MARGIN:
            found = chances(gains, seat, style)
            assert 0 < found.levels.min() <= found.levels.max() < 1
            assert 0 < found.misere.min() <= found.misere.max() < 1
            assert np.diff(found.levels, axis=1).min() >= -1e-12
            assert np.diff(found.levels, axis=2).max() <= 1e-12
            assert np.diff(found.misere).max() <= 1e-12


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_stronger_hand_bids_at_least_as_high(seat):
    ladder = ["♠J98 ♣J98 ♦1098 ♥9", "♠KQ98 ♣K98 ♦109 ♥9", "♠AKJ98 ♣A8 ♦J107", "♠AKQ98 ♣AK ♦J107",
              "♠AKQJ10 ♣AK ♦AK7", "♠AKQJ10987 ♣AK"]
    levels = np.array([BIDDER.reach(hand(text), seat, AuctionRules()).levels[0] for text in ladder])
    assert np.diff(levels, axis=0).min() >= 0
    assert levels[0, 0] < 0.05
    assert levels[-1, 2] > 0.95


def test_strong_hands_bid_weak_ones_pass_and_clean_ones_call_misere():
    strong, weak, clean = hand("♠AKQJ10 ♣AKQ ♦AK"), hand("♠J98 ♣J98 ♦1098 ♥9"), \
        hand("♠789 ♣7 ♦79J ♥789")
    assert 0 < BIDDER.likelihood(strong, 0, auction("pass"))[0] < ODD
    assert 1 - ODD < BIDDER.likelihood(strong, 0, auction("6S"))[0] < 1
    assert 0 < BIDDER.likelihood(weak, 0, auction("6S"))[0] < 0.05
    assert BIDDER.likelihood(clean, 1, auction("pass misere"))[0] > 0.9
    assert BIDDER.likelihood(strong, 1, auction("pass misere"))[0] < ODD


@pytest.mark.parametrize("order", [[1, 0, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1]])
def test_suits_make_no_difference_but_by_their_rank(hands, order):
    one, other = (BIDDER.reach(each, 1, AuctionRules()) for each in (hands, turned(hands, order)))
    # sums in another order may round to the next step
    assert np.allclose(one.levels, other.levels, atol=0.06)
    assert np.mean(np.abs(one.levels - other.levels).max(axis=1) > 1e-12) < 0.05
    assert np.allclose(one.misere, other.misere, atol=0.03)
    seen, image = features(hands, 1), features(turned(hands, order), 1)
    same = np.array(order)[image.strain] == seen.strain
    assert same.mean() > 0.9  # else two suits are alike


@pytest.mark.parametrize(("before", "seat", "calls"), [
    ("", 0, ["pass", "6S", "misere"]),
    ("6S", 1, ["pass", "6C", "misere"]),
    ("6S 7D", 2, ["pass", "7H", "misere"]),
    ("misere", 1, ["pass", "9S"]),
])
def test_exclusive_first_calls_fill_the_whole(hands, before, seat, calls):
    model = FittedBidder(SOCHI, odd=0.0)
    heard = [auction(f"{before} {call}") for call in calls]
    assert np.allclose(sum(model.likelihood(hands, seat, calls) for calls in heard), 1)


@pytest.mark.parametrize("reaches", ["6S", "7C", "8H"])
def test_limits_come_as_often_as_the_likelihood_says(reaches, rng):
    cards = hand("♠AKJ98 ♣A8 ♦J107")
    draws = BIDDER.limits(np.repeat(cards, 20_000), 0, auction(""), rng)
    reach = BIDDER.reach(cards, 0, AuctionRules())
    wanted = FittedBidder(SOCHI, odd=0.0).likelihood(cards, 0, auction(reaches))[0] / (
        1 - reach.misere[0])
    share = np.mean(draws >= AuctionRules().order.places[parse_call(reaches)])
    assert abs(share - wanted) < 4 * np.sqrt(max(wanted * (1 - wanted), 1e-4) / 20_000)


def test_limits_respect_what_was_heard(hands, rng):
    assert np.all(BIDDER.limits(hands, 1, auction("6S pass"), rng) == PASS_LIMIT)
    six = AuctionRules().order.places[parse_call("6S")]
    assert BIDDER.limits(hands, 0, auction("6S 6C"), rng).min() == six


# --- styles and situations -----------------------------------------------------------------------


def test_bold_players_bid_more_than_careful_ones(hands):
    careful, normal, bold = (FittedBidder(SOCHI, styles=(s,) * 3).reach(hands, 1, AuctionRules())
                             for s in ("careful", "normal", "bold"))
    assert np.all(careful.levels <= normal.levels)
    assert np.all(normal.levels <= bold.levels)
    assert careful.levels[:, 0].mean() < normal.levels[:, 0].mean() - 0.05
    assert bold.misere.mean() > careful.misere.mean()


def test_a_style_goes_with_its_seat(hands):
    """Two opponents who exchange seats and styles: each seat follows the style that sits there."""
    heard = auction("6S 6C pass")
    one = FittedBidder(SOCHI, styles=("normal", "careful", "bold"))
    other = FittedBidder(SOCHI, styles=("normal", "bold", "careful"))
    for seat in (1, 2):
        for bidder in (one, other):
            alone = FittedBidder(SOCHI, styles=(bidder.styles[seat],) * 3)
            assert np.array_equal(bidder.likelihood(hands, seat, heard),
                                  alone.likelihood(hands, seat, heard))
        assert not np.array_equal(one.likelihood(hands, seat, heard),
                                  other.likelihood(hands, seat, heard))


def test_dear_all_passes_make_later_hands_bid(hands):
    first, third = (FittedBidder(SOCHI, n).reach(hands, 2, AuctionRules()) for n in (0, 2))
    assert third.levels[:, 0].mean() > first.levels[:, 0].mean() + 0.03


def test_the_situation_is_the_nearest():
    zhuk = load_convention("zhuk")
    known = situations(zhuk)
    assert [one.min_level for one in known] == [6, 7, 8]
    assert [nearest(known, zhuk, n) for n in range(5)] == [0, 1, 2, 0, 1]
    assert len(situations(load_convention("rostov"))) == 1
    assert len(situations(SOCHI)) == 3
    assert gains_for(SOCHI, 7) is gains_for(SOCHI, 2)


def test_below_the_lowest_level_nobody_stops(hands):
    reach = FittedBidder(load_convention("leningrad"), 1).reach(
        hands, 0, AuctionRules(min_level=7))
    assert np.array_equal(reach.levels[:, 0], reach.levels[:, 1])


@pytest.mark.parametrize("name", convention_names())
def test_a_shipped_convention_bids_like_itself(name):
    assert bidding_parent(load_convention(name)) == name


@pytest.mark.parametrize("name", convention_names())
def test_a_house_rule_bids_like_the_convention_it_extends(name, tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(f'extends = "{name}"\ntitle_en = "House"\nduty6_lone = 3\n'
                    'misere_consolation = 3\n', encoding="utf-8")
    house = load_convention(path)
    assert bidding_parent(house) == name
    assert gains_for(house, 0) is gains_for(load_convention(name), 0)


# --- the default ---------------------------------------------------------------------------------


def test_it_is_the_default_with_the_styles_told():
    record = parse_hand("hand: ♠AKQ98 ♣A8 ♦K107\nseat: 2\nauction: pass\nall-passes: 1\n")
    assert default_bidder(record) == FittedBidder(record.convention, 1, NORMAL)
    bold = replace(record, styles=("bold", "normal", "careful"))
    assert default_bidder(bold).styles == ("bold", "normal", "careful")
    plain, same, guide = (
        [option.ev for option in advise(record, deals=500, evaluator="guide", **more).options]
        for more in ({}, {"bidder": default_bidder(record)}, {"bidder": GuideBidder()}))
    assert plain == same != guide


# --- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", convention_names())
def test_files_say_where_they_come_from(name):
    contents = stored(name)
    assert contents["convention"] == name
    assert contents["command"].startswith("advisor fit-bidder --deals ")
    assert contents["commit"]
    assert contents["date"]
    assert [(one["min_level"], one["price"]) for one in contents["situations"]] == [
        (one.min_level, one.price) for one in situations(load_convention(name))]
    for one in contents["situations"]:
        for style in MARGIN:
            assert sum(one["frequencies"][style][end] for end in ENDS) == pytest.approx(1, abs=1e-3)
        history = np.array([one["convergence"][end] for end in ENDS])
        assert history.shape == (len(ENDS), one["steps"] + 1)
        assert np.abs(history[:, -1] - history[:, -2]).max() < 0.002


@pytest.mark.parametrize("name", convention_names())
def test_frequencies_hold_on_fresh_deals(name):
    """What the file says of calls happens on deals it was not fitted to, within sampling error."""
    convention, contents = load_convention(name), stored(name)
    deals = deal_table(77, 0, 4000, solve=False)
    known, gains = read_gains(data_path(f"bidding/{name}.json"))
    for index in {0, len(known) - 1}:
        game = new_game(deals, convention, known[index], 3, habits(convention))
        for style in ("normal", "bold"):
            limits = draw_limits(game, reach_of(game, gains[index], (style,) * 3))
            told = contents["situations"][index]["frequencies"][style]
            for end, share in frequencies(game, limits).items():
                error = np.sqrt(max(told[end] * (1 - told[end]), 1e-3)
                                * (1 / 4000 + 1 / contents["deals"]))
                assert abs(share - told[end]) < 4 * error, (end, style)


@pytest.fixture(scope="module")
def fresh():
    return deal_table(78, 0, 1000)


@pytest.mark.parametrize("name", convention_names())
def test_nets_are_zero_sum_and_hold_on_fresh_deals(name, fresh):
    convention, contents = load_convention(name), stored(name)
    known, gains = read_gains(data_path(f"bidding/{name}.json"))
    for place, gain, one in zip(known, gains, contents["situations"], strict=True):
        assert sum(one["nets"]) == pytest.approx(0, abs=0.03)
        if place.number > 1:
            continue
        game = new_game(fresh, convention, place, 3, habits(convention))
        bought = bought_at(game, draw_limits(game, reach_of(game, gain)))
        for seat in range(3):
            net = net_of(game, bought, seat)
            assert abs(np.nanmean(net) - one["nets"][seat]) < 4 * np.nanstd(net) / 1000**0.5


@pytest.mark.parametrize("name", convention_names())
@pytest.mark.parametrize("all_passes", [0, 1, 5])
def test_the_next_deal_is_zero_sum_and_turns_with_the_dealer(name, all_passes):
    convention = load_convention(name)
    worth = [next_deal_worth(convention, all_passes, seat) for seat in range(3)]
    assert sum(worth) == pytest.approx(0, abs=0.1)
    places = stored(name)["situations"]
    if len(places) == 1:
        assert worth == [0, 0, 0]
    else:
        after = places[nearest(situations(convention), convention, all_passes + 1)]["nets"]
        for seat in range(3):
            change = after[seat - 1] - places[0]["nets"][seat - 1]
            assert worth[seat] == pytest.approx(change)


def test_an_all_pass_counts_what_it_does_to_the_next_deal():
    record = parse_hand("hand: ♠A98 ♣K87 ♦J98 ♥7\nseat: 2\nconvention: leningrad\nauction: pass")
    rng = np.random.default_rng(1)
    deals = sample_deals(record, 462, rng)
    limits = drawn_limits(record, deals, default_bidder(record), rng)
    three = BidTable(record, deals, limits)
    plain = all_pass_net(deals, three.table, "suit_only")
    assert np.allclose(three.nobody - plain, next_deal_worth(record.convention, 0, 1))
    four = replace(record, players=4)
    table = BidTable(four, deals, limits)
    assert np.allclose(table.nobody, all_pass_net(deals, table.table, "plays"))
