"""Who buys the auction: by hand-made limits, and against calling it out one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advisor.advice.playout import NOBODY, buy, buy_each, call_place
from advisor.rules.auction import HOLD_RULES, Auction, AuctionRules, replay
from advisor.rules.calls import HOLD, MISERE_CALL, PASS, Call, CallKind, parse_auction, parse_call
from advisor.rules.ladders import LADDERS
from advisor.sampling.bidder import PASS_LIMIT

SENIOR = AuctionRules(hold="senior")


def place(word: str, rules: AuctionRules = SENIOR) -> float:
    return PASS_LIMIT if word == "-" else float(rules.order.places[parse_call(word)])


def sold(limits: str, calls: str = "", rules: AuctionRules = SENIOR) -> str:
    """``2 6D``: second hand at six diamonds."""
    auction = replay(parse_auction(calls), rules)
    one, two, three = (np.array([place(word, rules)]) for word in limits.split())
    bought = buy(auction, (one, two, three))
    if bought.winner[0] == NOBODY:
        assert bought.place[0] == -1
        return "all-pass"
    call = next(c for c, at in rules.order.places.items() if at == bought.place[0])
    return f"{bought.winner[0] + 1} {call}"


@pytest.mark.parametrize(("limits", "result"), [
    ("- - -", "all-pass"),
    ("8H - -", "1 6S"),
    ("- - 7C", "3 6S"),
    ("6H 8S -", "2 6NT"),       # the later hand must go one higher
    ("8S 6H -", "1 6H"),        # the earlier one holds the call
    ("- 7S 7S", "2 7S"),
    ("7S 6D 8C", "3 7C"),
    ("misere - -", "1 misere"),
    ("misere 8NT 7S", "1 misere"),
    ("9C misere -", "1 9S"),
    ("- misere 9C", "3 9S"),
    ("misere 9C 9D", "3 9D"),
    ("10NT 10H -", "1 10H"),
])
def test_fresh_auction(limits, result):
    assert sold(limits) == result


@pytest.mark.parametrize(("calls", "limits", "result"), [
    ("6S pass", "6S - 6S", "1 6S"),
    ("6S pass", "7C - 6D", "1 6D"),
    ("6S pass 6C", "6C - 6C", "1 6C"),     # the first holds
    ("6S pass 6C", "8S - 6C", "1 6C"),     # and need not raise though he might
    ("6S pass 6C", "6C - 7S", "3 6D"),     # held, so the third must raise
    ("6S pass 6C", "6S - 6C", "3 6C"),
    ("6S pass 6C hold", "6C - 6C", "1 6C"),
    ("6S pass 6C hold", "6C - 6D", "3 6D"),
    ("6S 6C 6D", "6C 6D 6D", "2 6D"),      # the first drops out, then the second may hold
    ("6S 6C 6D", "6D 6C 6D", "3 6D"),      # with three still in nobody may
    ("pass 8S", "- 8S 7NT", "2 8S"),       # a jump shuts out what lies below
    ("7H", "7H 7D 8S", "3 7NT"),
    ("misere", "misere 8S 9S", "3 9S"),
    ("pass misere", "- misere 8NT", "2 misere"),
])
def test_going_on(calls, limits, result):
    assert sold(limits, calls) == result


def test_without_hold_the_earlier_hand_has_no_right():
    none = AuctionRules(hold="none")
    assert sold("6S - 6C", "6S pass 6C", none) == "3 6C"
    assert sold("6C - 6C", "6S pass 6C", none) == "3 6C"
    assert sold("6D - 6C", "6S pass 6C", none) == "1 6D"


@pytest.mark.parametrize(("limits", "result"), [
    ("7C 7C -", "1 7C"),      # whoever comes to say it wins at it
    ("7S 7S -", "2 7S"),
    ("7D 7S -", "1 7C"),
    ("7D 7C -", "1 7C"),
])
def test_without_hold_it_counts_who_comes_to_say_it(limits, result):
    assert sold(limits, "", AuctionRules(hold="none")) == result


@pytest.mark.parametrize(("limits", "result"), [
    ("8S 6D 6C", "1 6D"),     # the third is gone when the second says 6D: the first holds it
    ("8S 6C 6D", "1 6H"),     # the second is still in when the third says it
    ("6D 6C 8S", "3 6D"),     # nor may the first hold it then
    ("6D 6S 8S", "3 6H"),
    ("6S 8S 6C", "2 6C"),
])
def test_the_price_depends_on_who_drops_out_first(limits, result):
    assert sold(limits) == result


def test_the_first_hand_alone_may_hold():
    rules = AuctionRules(hold="first_hand_only")
    assert sold("8S 7C -", "", rules) == "1 7C"
    assert sold("- 8S 7C", "", rules) == "2 7C"      # the second comes to say 7C himself
    assert sold("- 8S 7S", "", rules) == "2 7C"


def test_who_raised_instead_of_holding_may_be_held():
    """Rules.md 2.4, A2."""
    rules = AuctionRules(hold="senior_then_junior")
    calls = "6S pass 6C 6D"
    assert sold("6D - 6D", calls, rules) == "3 6D"
    assert sold("6D - 6D", calls, SENIOR) == "1 6D"


def test_minimum_level_after_all_passes():
    rules = AuctionRules(hold="senior", min_level=7)
    assert sold("6NT - -", "", rules) == "all-pass"
    assert sold("7C 6NT -", "", rules) == "1 7S"
    assert sold("7C 7S -", "", rules) == "1 7S"
    assert sold("misere - -", "", rules) == "1 misere"


def test_arrays_of_limits_are_independent_auctions():
    one = np.array([[place("8S"), PASS_LIMIT], [place("6D"), place("misere")]])
    two = np.full((2, 2), place("7C"))
    bought = buy(Auction(SENIOR), (one, two, np.full((2, 2), PASS_LIMIT)))
    assert bought.winner.shape == bought.place.shape == (2, 2)
    np.testing.assert_array_equal(bought.winner, [[0, 1], [1, 0]])
    assert bought.place[0, 0] == place("7C")
    assert bought.place[1, 1] == place("misere")


def test_place_of_a_call():
    auction = replay(parse_auction("6S pass 6C"), SENIOR)
    assert call_place(PASS, auction) == PASS_LIMIT
    assert call_place(HOLD, auction) == place("6C")
    assert call_place(Call.game(6, 2), auction) == place("6D")
    assert call_place(MISERE_CALL, auction) == place("misere")


def next_call(auction: Auction, limit: float) -> Call:
    """The cheapest call not above the limit; misère is said at once."""
    places, legal = auction.rules.order.places, auction.legal_calls()
    if limit == places[MISERE_CALL]:
        return MISERE_CALL if MISERE_CALL in legal else PASS
    if HOLD in legal and auction.last_call is not None and places[auction.last_call] <= limit:
        return HOLD
    return next((call for call in legal if call.kind is CallKind.GAME and call.with_talon
                 and places[call] <= limit), PASS)


def called_out(auction: Auction, limits: list[float]) -> tuple[int, int]:
    while not auction.finished:
        assert auction.seat_to_call is not None
        auction = auction.after(next_call(auction, limits[auction.seat_to_call]))
    if auction.declarer is None or auction.last_call is None:
        return NOBODY, -1
    return auction.declarer, auction.rules.order.places[auction.last_call]


def drawn_limits(auction: Auction, rng: np.random.Generator) -> list[float]:
    """Random limits that fit what each seat has said."""
    places = auction.rules.order.places
    misere = places[MISERE_CALL]
    games = [p for c, p in places.items() if c.is_game and c.with_talon]
    pool = [PASS_LIMIT] * 8 + [float(p) for p in games] + [float(misere)]
    limits = [float(rng.choice(pool)) for _ in range(3)]
    for seat, call in auction.history:
        if call.is_misere:
            limits[seat] = float(misere)
        elif call.is_game:
            limits[seat] = max(limits[seat], float(places[call]))
            if limits[seat] == misere:
                limits[seat] = float(max(p for p in games if p < misere))
    return [PASS_LIMIT if gone else limit
            for limit, gone in zip(limits, auction.passed, strict=True)]


def agrees(auction: Auction, drawn: list[list[float]]) -> None:
    bought = buy(auction, tuple(np.array(drawn).T))
    found = list(zip(bought.winner.tolist(), bought.place.tolist(), strict=True))
    want = [called_out(auction, limits) for limits in drawn]
    assert found == want, next(
        (str(auction.calls), limits, one, two)
        for limits, one, two in zip(drawn, found, want, strict=True) if one != two)


@pytest.mark.parametrize("hold", HOLD_RULES)
@pytest.mark.parametrize("calls", [
    "", "pass", "6S", "6S pass", "6S pass 6C", "6S 6C pass", "6S 6C 6D", "7S pass", "8NT",
    "misere", "pass misere", "6S misere", "6S pass 6C 6D", "6S pass 7NT", "6S 7S pass 7C",
])
def test_agrees_with_calling_it_out(calls, hold):
    rng = np.random.default_rng(7)
    auction = replay(parse_auction(calls), AuctionRules(hold=hold))
    agrees(auction, [drawn_limits(auction, rng) for _ in range(60)])


@pytest.mark.parametrize("calls", ["6S pass 6C hold", "6S pass 6C hold 6D", "6S pass 6C hold 7D"])
@pytest.mark.parametrize("hold", HOLD_RULES[1:])
def test_agrees_once_a_call_is_held(calls, hold):
    rng = np.random.default_rng(7)
    auction = replay(parse_auction(calls), AuctionRules(hold=hold))
    agrees(auction, [drawn_limits(auction, rng) for _ in range(60)])


@pytest.mark.parametrize("min_level", [6, 7])
@pytest.mark.parametrize("hold", HOLD_RULES)
def test_agrees_for_all_limits_close_together(hold, min_level):
    rules = AuctionRules(hold=hold, min_level=min_level)
    words = [f"{min_level}{strain}" for strain in "SCDH"]
    close = [place(word, rules) for word in ("-", *words, "misere", "9S")]
    agrees(Auction(rules), [list(limits) for limits in product(close, repeat=3)])


@pytest.mark.parametrize("hold", HOLD_RULES)
@pytest.mark.parametrize("ladder", LADDERS)
def test_agrees_from_any_auction(ladder, hold):
    """With jumps and calls without the talon before, with and without jumps, from any level."""
    rng = np.random.default_rng(7)
    for _ in range(30):
        rules = AuctionRules(ladder, hold, bool(rng.random() < 0.8), int(rng.choice([6, 6, 7, 8])))
        auction = begun(rules, rng)
        agrees(auction, [drawn_limits(auction, rng) for _ in range(5)])


def begun(rules: AuctionRules, rng: np.random.Generator) -> Auction:
    """Up to eight random calls, low ones more often."""
    auction = Auction(rules)
    for _ in range(rng.integers(9)):
        legal = auction.legal_calls()
        if not legal:
            break
        auction = auction.after(legal[min(rng.geometric(0.3), len(legal)) - 1])
    return auction


def test_any_number_may_be_a_limit():
    rng = np.random.default_rng(7)
    auction = Auction(AuctionRules())
    drawn = rng.uniform(-3, 35, (100, 3))
    drawn[::3, 0], drawn[1::4, 1], drawn[2::5, 2] = np.inf, -np.inf, place("misere") + 0.5
    agrees(auction, drawn.tolist())


def test_limits_of_who_has_passed_do_not_matter():
    auction = replay(parse_auction("6S pass 6C"), SENIOR)
    one, two, three = np.array([[place("7S"), place(word), place("6H")]
                                for word in ("-", "9S", "misere")]).T
    bought = buy(auction, (one, two, three))
    np.testing.assert_array_equal(bought.winner, 0)
    np.testing.assert_array_equal(bought.place, place("6H"))


def test_several_auctions_are_called_out_like_each():
    rng = np.random.default_rng(7)
    auctions = [begun(AuctionRules(), rng) for _ in range(20)]
    limits = np.array([[drawn_limits(auction, rng) for _ in range(6)] for auction in auctions])
    one, two, three = np.moveaxis(limits, -1, 0)
    bought = buy_each(auctions, (one, two, three))
    shared = buy_each(auctions, (one, two[0], three[0]))
    for i, auction in enumerate(auctions):
        for found, alone in ((bought, buy(auction, (one[i], two[i], three[i]))),
                             (shared, buy(auction, (one[i], two[0], three[0])))):
            np.testing.assert_array_equal(found.winner[i], alone.winner)
            np.testing.assert_array_equal(found.place[i], alone.place)


def test_who_has_called_a_game_does_not_hold_a_misere():
    """Rules.md 2.4: he must go over it, and then plays a game."""
    assert sold("9C misere -", "6S misere") == "1 9S"
    assert sold("misere misere -", "") == "1 misere"
