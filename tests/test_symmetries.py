"""What the rules treat alike is worth the same, whatever the hand, the convention and the deals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.advice.bidding import BidTable, drawn_limits
from advisor.advice.declaring import GAMES
from advisor.advice.discarding import declare_options
from advisor.advice.guide_games import own_games, own_misere
from advisor.advice.habits import habits
from advisor.advice.naming import choose
from advisor.advice.opponents import throw_holes
from advisor.advice.payoff import payoff
from advisor.advice.statistics import weighted_mean
from advisor.cards import format_hand
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.conventions import convention_names
from advisor.sampling.bidder import PASS_LIMIT, GuideBidder, game_places, misere_chance
from advisor.sampling.deals import Deals, draw_deals

NT = 4
EXAMPLES = settings(max_examples=25)
Order = tuple[int, int, int, int]


@dataclass(frozen=True)
class SuitBlind:
    """The guide's bidder, but no suit outranks another: each limit is the no trump of its level."""

    def likelihood(self, hands, seat, auction):
        return np.ones(hands.shape)

    def limits(self, hands, seat, auction, rng):
        limit = GuideBidder().limits(hands, seat, auction, rng)
        places = game_places(auction.rules.order)
        for level in places:
            limit = np.where(np.isin(limit, level[:NT]), level[NT], limit)
        return limit


@st.composite
def situations(draw: st.DrawFn, size: int) -> tuple[HandRecord, Deals, Order]:
    """A hand, some deals, and an order of the suits that its convention does not tell apart."""
    name = draw(st.sampled_from(convention_names()))
    cards = draw(st.permutations(range(32)))[:size]
    seat = 0 if size == 12 else draw(st.integers(0, 2))
    record = read(sum(1 << card for card in cards), seat, name, sum(1 << c for c in cards[10:]))
    deals = 4 * draw(st.integers(6, 40)) if size == 12 else 924  # four under each talon
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order = draw(st.permutations(range(4)))
    if record.convention.stalingrad:  # six spades are whisted by all
        order = [0, *(suit for suit in order if suit)]
    return record, draw_deals(record.cards, seat, deals, rng), tuple(order)


def read(cards: int, seat: int, name: str, talon: int) -> HandRecord:
    return parse_hand(overrides={
        "hand": format_hand(cards & ~talon), "convention": name,
        **({"talon": format_hand(talon)} if talon else {"auction": "pass " * seat})})


def moved(masks, order: Order):
    """Card masks with suit s renamed order[s]."""
    masks = np.asarray(masks, dtype=np.uint32)
    out = np.zeros_like(masks)
    for suit, name in enumerate(order):
        out |= (masks >> np.uint32(8 * suit) & np.uint32(0xFF)) << np.uint32(8 * name)
    return out


def image(situation: tuple[HandRecord, Deals, Order]) -> tuple[HandRecord, Deals]:
    record, deals, order = situation
    other = replace(deals, hands=moved(deals.hands, order), talon=moved(deals.talon, order))
    cards, talon = (int(moved(each, order)) for each in (record.cards, record.talon))
    return read(cards, record.seat, record.convention.name, talon), other


def turned(deals: Deals) -> Deals:
    """The same deals with the hidden hands exchanged."""
    hands = deals.hands.copy()
    one, two = deals.hidden
    hands[:, :, [one, two]] = deals.hands[:, :, [two, one]]
    return replace(deals, hands=hands)


def by_contract(record: HandRecord, deals: Deals) -> np.ndarray:
    """The best expected score of each game on tricks."""
    best = dict.fromkeys(GAMES, -np.inf)
    for option in declare_options(record, deals):
        best[option.contract] = max(best[option.contract], option.ev)
    return np.array(list(best.values()))


def game_values(record: HandRecord, deals: Deals) -> np.ndarray:
    """Best mean of every game under every talon, outside each fold of the layouts."""
    table = payoff(record.convention, 3, 1)
    return own_games(record.cards, deals, record.convention, table, record.talon).best[1]


def misere_net(record: HandRecord, deals: Deals) -> np.ndarray:
    return own_misere(record.cards, deals, payoff(record.convention, 3, 1)).net


def renamed(order: Order) -> list[int]:
    """Number of each game's image."""
    return [game if game % 5 == NT else game - game % 5 + order[game % 5] for game in range(25)]


def passing(record: HandRecord, deals: Deals) -> float:
    """Expected score of a pass, the others going on to limits without rank of suits."""
    limits = drawn_limits(record, deals, SuitBlind(), np.random.default_rng(5))
    passed = record.auction.legal_calls()[0]
    return weighted_mean(BidTable(record, deals, limits).play(passed, PASS_LIMIT).net, deals)


def decided(record: HandRecord, deals: Deals, order: Order) -> np.ndarray:
    """Whether the opponents' choices of trumps and of a misère's discard meet no tie.

    Of suits equally good, an opponent takes the one that comes first.
    """
    clear = np.ones(deals.weight.shape, dtype=bool)
    for seat in deals.hidden:
        hand = deals.hands[:, :, seat]
        cards = hand | deals.talon[:, None]
        image = moved(cards, order)
        named, turned = (choose(each, seat == 0, habits(record.convention))
                         for each in (cards, image))
        clear &= np.append(order, NT)[named.strain] == turned.strain
        clear &= moved(named.kept, order) == turned.kept
        same = moved(throw_holes(cards)[0], order) == throw_holes(image)[0]
        clear &= same | (misere_chance(hand) == 0)
    return clear


@EXAMPLES
@given(situations(12))
def test_declaring_is_worth_the_same_in_other_suits(situation) -> None:
    record, deals, order = situation
    values = by_contract(record, deals)
    assert np.isfinite(values).all()
    np.testing.assert_allclose(by_contract(*image(situation))[renamed(order)], values, atol=1e-6)


@EXAMPLES
@given(situations(10))
def test_own_games_are_worth_the_same_in_other_suits(situation) -> None:
    record, deals, order = situation
    np.testing.assert_allclose(game_values(*image(situation))[:, renamed(order)],
                               game_values(record, deals), atol=1e-6)


@EXAMPLES
@given(situations(10))
def test_misere_is_worth_the_same_in_other_suits(situation) -> None:
    record, deals, _ = situation
    np.testing.assert_allclose(misere_net(*image(situation)), misere_net(record, deals), atol=1e-9)


@EXAMPLES
@given(situations(10))
def test_passing_is_worth_the_same_in_other_suits(situation) -> None:
    record, deals, order = situation
    deals = replace(deals, weight=decided(record, deals, order).astype(float))
    assert (deals.weight > 0).mean() > 0.5
    other = image((record, deals, order))
    assert passing(*other) == pytest.approx(passing(record, deals), abs=1e-9)


@EXAMPLES
@given(situations(12), situations(10))
def test_hidden_hands_may_change_places(twelve, ten) -> None:
    """Deals come with their mirrors, so the seats of the hidden hands tell nothing."""
    record, deals, _ = twelve
    np.testing.assert_allclose(by_contract(record, turned(deals)), by_contract(record, deals),
                               atol=1e-9)
    record, deals, _ = ten
    np.testing.assert_allclose(game_values(record, turned(deals)), game_values(record, deals),
                               atol=1e-9)
    np.testing.assert_allclose(misere_net(record, turned(deals)), misere_net(record, deals),
                               atol=1e-9)
