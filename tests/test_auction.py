"""Whose turn, what is legal, who wins and what he may name (rules.md 2, 4.7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import Strain
from advisor.errors import InputError
from advisor.rules.auction import HOLD_RULES, Auction, AuctionRules, contracts_after, replay
from advisor.rules.calls import (
    HOLD,
    MISERE_CALL,
    MISERE_WITHOUT,
    PASS,
    Call,
    parse_auction,
    parse_call,
)
from advisor.rules.contracts import LEVELS, MISERE
from advisor.rules.ladders import LADDERS

GAMES = [Call.game(level, strain) for level in LEVELS for strain in Strain]
WITHOUT = [Call.game(level, strain, with_talon=False) for level in LEVELS for strain in Strain]
EVERY_CALL = [PASS, HOLD, MISERE_CALL, MISERE_WITHOUT, *GAMES, *WITHOUT]


def auction(text: str, **rules: object) -> Auction:
    return replay(parse_auction(text), AuctionRules(**rules))


# --- the printed auctions (rules.md 2.5) ---------------------------------------------------------


@pytest.mark.parametrize(("ladder", "calls", "declarer", "least"), [
    pytest.param("simple", "6S pass 6C hold 6D hold pass", 0, "6D", id="A1"),
    pytest.param("simple", "6S 6C 6D 6H 6NT 7S 7C pass 7D 7H hold pass", 2, "7H", id="A2"),
    pytest.param("s3", "6S misere misere-without pass hold pass", 1, "misere", id="A3"),
    pytest.param("simple", "6S 6C pass мои 6D мои 6H мои pass", 0, "6H", id="A4"),
    pytest.param("simple", "6S pass pass", 0, "6S", id="A5"),
    pytest.param("simple", "6S 6C 6D 6H 6NT 7S 7C 7D 7H pass pass", 2, "7H", id="A6"),
    pytest.param("simple", "pass 6S pass", 1, "6S", id="A8"),
    pytest.param("simple", "misere 9S pass pass", 1, "9S", id="A9"),
    pytest.param("s3", "misere 9S pass pass", 1, "9S", id="A9-s3"),
    pytest.param("s2_ch7", "misere 9S pass pass", 1, "9S", id="A9-s2_ch7"),
    pytest.param("s2_ch4", "misere 9S pass pass", 1, "9S", id="A9-s2_ch4"),
    pytest.param("codex_cic", "misere 9S pass pass", 1, "9S", id="A9-codex_cic"),
    pytest.param("simple", "6D pass 6H hold pass", 0, "6H", id="A10"),
])
def test_printed_auctions(ladder: str, calls: str, declarer: int, least: str) -> None:
    done = auction(calls, ladder=ladder)
    assert done.finished
    assert done.declarer == declarer
    assert str(done.contracts()[0]) == least


def test_a3_needs_no_last_pass() -> None:
    held = auction("6S misere misere-without pass hold", ladder="s3")
    assert held.legal_calls() == (PASS,)
    assert held.with_forced_passes().declarer == 1
    assert held.last_call == MISERE_WITHOUT


def test_a6_contracts() -> None:
    contracts = auction("6S 6C 6D 6H 6NT 7S 7C 7D 7H pass pass").contracts()
    assert [str(c) for c in contracts[:4]] == ["7H", "7NT", "8S", "8C"]
    assert len(contracts) == 17


def test_a7_all_pass() -> None:
    done = auction("pass pass pass")
    assert done.finished
    assert done.is_all_pass
    assert done.declarer is None
    assert done.contracts() == ()


@pytest.mark.parametrize(("calls", "rules", "column", "message"), [
    pytest.param("pass 6S pass 7S", {}, 14, "already over, seat 2 has won", id="A8"),
    pytest.param("misere 9S", {"ladder": "s0"}, 8,
                 "pass, 10S .. 10NT, 9S-without .. 10NT-without, misere-without$", id="A9-s0"),
    pytest.param("misere 9S", {"ladder": "s2_house"}, 8, "pass, 9NT .. 10NT", id="A9-house"),
    pytest.param("6D pass 6H hold hold", {}, 17, "may not hold", id="A10"),
    pytest.param("6S 7C pass 8S misere", {}, 15, "first call.* pass, hold, 8C .. 10NT$", id="A11"),
    pytest.param("6S 6S", {}, 4, "does not beat the last call, 6S; legal calls: pass, 6C",
                 id="A12"),
    pytest.param("6S hold", {}, 4, "seat 2 may not hold", id="A12-hold"),
    pytest.param("6S", {"min_level": 7}, 1, r"pass, 7S \.\. 10NT, misere", id="A13"),
    pytest.param("pass pass pass pass", {}, 16, "all three passed", id="over"),
    pytest.param("misere pass pass 9S", {}, 18, "already over, seat 1 has won it with misere",
                 id="over-misere"),
    pytest.param("misere pass 9S 10S", {}, 16, "has called misère", id="game-after-misere"),
    pytest.param("6S 9S-without", {}, 4, "not a call of this convention", id="no-such-call"),
    pytest.param("6S 6D", {"allow_jumps": False}, 4, "a jump", id="jump"),
    pytest.param("misere 9S pass misere-without", {"ladder": "s3"}, 16, "first call",
                 id="misere-raised"),
])
def test_illegal_calls(
    calls: str, rules: dict[str, object], column: int, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        auction(calls, **rules)
    assert caught.value.column == column


def test_every_refusal_renders_from_its_template() -> None:
    with pytest.raises(InputError) as caught:
        auction("6S 6S")
    error = caught.value
    assert error.template.startswith("'{call}' does not beat")
    assert error.render("{call}: {last}; {legal}") == "column 4: 6S: 6S; pass, 6C .. 10NT, misere"


# --- hold (rules.md 2.4) ------------------------------------------------------------------------


@pytest.mark.parametrize(("calls", "can_hold"), [
    ("6S", ""),                                             # junior, three in
    ("6S 6C 6D", ""),                                       # senior, three in
    ("6S 6C pass", "senior senior_then_junior first_hand_only"),
    ("6S 6C 6D pass", "senior senior_then_junior"),         # second against third hand
    ("pass 6S 6C", "senior senior_then_junior"),
    ("6S 6C pass 6D", "senior_then_junior"),                # the senior raised instead
    ("6S pass 6C hold", ""),                                # raise or pass
    ("6S pass 6C hold 6D", "senior senior_then_junior first_hand_only"),
    ("6S 6C pass 6D hold", ""),
    ("6S 6C pass 6D hold 6H", ""),                          # he could not hold, so waived nothing
    ("6S 6C 6D 6H 6NT pass", "senior senior_then_junior first_hand_only"),
    ("6S pass misere", ""),                                 # a game bidder cannot hold misère
    ("misere 9S pass", ""),
])
def test_who_may_hold(calls: str, can_hold: str) -> None:
    for hold in HOLD_RULES:
        try:
            position = auction(calls, hold=hold)
        except InputError:
            assert "hold" in calls
            continue
        assert (HOLD in position.legal_calls()) == (hold in can_hold.split()), hold


def test_hold_takes_the_call_over() -> None:
    held = auction("6S pass 6C hold")
    assert (held.holder, held.last_call, held.seat_to_call) == (0, Call.game(6, Strain.C), 2)
    assert held.history[-1] == (0, HOLD)
    assert auction("6S pass 6C hold pass").contracts()[0].strain == Strain.C


def test_misere_holds_misere() -> None:
    assert HOLD in auction("misere misere-without pass", ladder="s3").legal_calls()
    assert HOLD not in auction("misere misere-without", ladder="s3").legal_calls()


# --- misère, levels, jumps, contracts -------------------------------------------------------------


def test_misere_stays_legal_at_every_minimum_level() -> None:
    for level in LEVELS:
        calls = auction("", min_level=level).legal_calls()
        assert MISERE_CALL in calls
        assert min(c.level for c in calls if c.is_game) == level
        assert str(auction("misere pass pass", min_level=level).contracts()[0]) == "misere"


def test_misere_is_a_first_word() -> None:
    assert MISERE_CALL in auction("6S pass").legal_calls()
    assert MISERE_CALL not in auction("6S pass 6C").legal_calls()
    assert auction("misere 9S pass").legal_calls() == (PASS,)
    assert MISERE_CALL in auction("9S", ladder="s0").legal_calls()


def test_without_jumps() -> None:
    assert auction("", allow_jumps=False).legal_calls() == (PASS, GAMES[0], MISERE_CALL)
    assert auction("6S", allow_jumps=False).legal_calls() == (PASS, GAMES[1], MISERE_CALL)
    assert auction("misere", allow_jumps=False).legal_calls() == (PASS, Call.game(9, Strain.S))
    assert auction("", allow_jumps=False, min_level=7).legal_calls()[1] == Call.game(7, Strain.S)


def test_contract_is_not_lower_than_the_call() -> None:
    bought_at_7c = {str(c) for c in contracts_after(parse_call("7C"), AuctionRules())}
    assert {"7C", "7D", "7H", "7NT", "8S", "10NT"} <= bought_at_7c
    assert not bought_at_7c & {"7S", "6S", "6C", "6NT", "misere"}
    without = contracts_after(parse_call("9D-without"), AuctionRules(ladder="s3"))
    assert [str(c) for c in without][:3] == ["9D", "9H", "9NT"]
    assert contracts_after(MISERE_WITHOUT, AuctionRules(ladder="s3")) == (MISERE,)
    with pytest.raises(ValueError, match="pass"):
        contracts_after(PASS, AuctionRules())


def test_running_auction_has_no_declarer() -> None:
    running = auction("6S 6C")
    assert running.declarer is None
    assert running.contracts() == ()
    assert running.passed == (False, False, False)
    assert auction("10NT").with_forced_passes().declarer == 0
    assert auction("6S").with_forced_passes() == auction("6S")


@pytest.mark.parametrize("rules", [{"ladder": "x"}, {"hold": "x"}, {"min_level": 5}])
def test_impossible_rules(rules: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        AuctionRules(**rules)


# --- any auction ----------------------------------------------------------------------------------

some_rules = st.builds(
    AuctionRules, ladder=st.sampled_from(LADDERS), hold=st.sampled_from(HOLD_RULES),
    allow_jumps=st.booleans(), min_level=st.integers(6, 10),
)


def _legal_by_the_book(position: Auction) -> set[Call]:
    """The rules once more, from the history alone."""
    rules, seat = position.rules, position.seat_to_call
    if seat is None:
        return set()
    ladder, own = rules.order, [c for s, c in position.history if s == seat]
    spoken = [(s, c) for s, c in position.history if c != PASS]
    last = next((c for _, c in reversed(spoken) if c != HOLD), None)
    legal = {PASS}
    games = [c for c in ladder.calls if c.is_game and ladder.beats(c, last)
             and c.level >= rules.min_level]
    if not own or own[0].is_game:
        legal.update(games if rules.allow_jumps else games[:1])
    if not own:
        legal.update(c for c in (MISERE_CALL, MISERE_WITHOUT) if ladder.beats(c, last))
    if _hold_by_the_book(position, seat, own, spoken, last):
        legal.add(HOLD)
    return legal


def _hold_by_the_book(
    position: Auction, seat: int, own: list[Call], spoken: list[tuple[int, Call]], last: Call | None
) -> bool:
    if last is None or position.passed.count(True) != 1 or spoken[-1][1] == HOLD:
        return False
    if own[:1] == [] or own[0].kind is not last.kind:
        return False
    rule, senior = position.rules.hold, seat < spoken[-1][0]
    before = Auction(position.rules, position.calls[:-1])
    waived = spoken[-1][0] < seat and before.is_legal(HOLD)
    return {"none": False, "senior": senior, "senior_then_junior": senior or waived,
            "first_hand_only": seat == 0}[rule]


@given(some_rules, st.data())
def test_any_legal_auction(rules: AuctionRules, data: st.DataObject) -> None:
    position = Auction(rules)
    while not position.finished:
        legal = position.legal_calls()
        assert set(legal) == _legal_by_the_book(position)
        for call in EVERY_CALL:
            if call in legal:
                assert position.after(call).calls[-1] == call
            else:
                with pytest.raises(InputError, match="legal calls: pass"):
                    position.after(call)
        before, position = position, position.after(data.draw(st.sampled_from(legal)))
        last = position.last_call
        assert last == before.last_call or rules.order.beats(last, before.last_call)
        assert len(position.calls) < 80
    assert position.legal_calls() == ()
    with pytest.raises(InputError, match="already over"):
        position.after(PASS)
    assert position.is_all_pass == (position.declarer is None)
    text = " ".join(str(call) for call in position.calls)
    assert replay(parse_auction(text), rules) == position


@given(some_rules, st.data())
def test_contracts_are_never_below_the_winning_call(
    rules: AuctionRules, data: st.DataObject
) -> None:
    position = Auction(rules)
    while not position.finished:
        position = position.after(data.draw(st.sampled_from(position.legal_calls())))
    won, contracts = position.last_call, position.contracts()
    if won is None:
        assert contracts == ()
    elif won.is_misere:
        assert contracts == (MISERE,)
    else:
        ranks = [Call.game(c.level, c.strain).rank for c in contracts]
        assert ranks == list(range(won.rank, 25))
