"""What the state of the pulka makes of one deal: settlement after it less settlement before."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.decide import advise
from advisor.advice.payoff import Pattern, payoff, pulka_matters, record_payoff
from advisor.records.hand import parse_hand
from advisor.rules.conventions import Convention, convention_names, load_convention
from advisor.rules.pulka import Pulka, closing_is_neutral, deal_value, write_deal
from advisor.rules.scoring import Entries, net
from advisor.rules.settlement import Sheet, settle
from advisor.show.report import print_advice

SOCHI = load_convention("sochi")
HAND = "♠AKQ98 ♣A8 ♦K107\n"
STATES = [
    Pulka(pool, mountain, 10)
    for pool, mountain in product(
        [(0, 0, 0), (10, 10, 10), (10, 4, 0), (8, 10, 9), (3, 10, 10)], [(0, 0, 0), (7, 0, 30)]
    )
]


def value(entries: Entries, state: Pulka, convention: Convention) -> list[str]:
    return [str(amount) for amount in deal_value(entries, state, convention)]


def sheet(state: Pulka, convention: Convention, whists: dict) -> Sheet:
    names = tuple("ABCD"[: len(state.pool)])
    return Sheet(names, state.pool, state.mountain, whists, convention, state.target)


# --- what becomes of points that overflow ---------------------------------------------------------


def test_help_goes_to_the_fullest_open_pool_then_on() -> None:
    """Twelve points, two fit: eight fill the next pool but one, the rest the other."""
    after, whists = write_deal(Entries(pool={0: 12}), Pulka((8, 0, 2), (5, 0, 0), 10), SOCHI)
    assert after.pool == (10, 2, 10)
    assert after.mountain == (5, 0, 0)
    assert whists == {(0, 2): 80, (0, 1): 20}


def test_equal_pools_are_helped_clockwise() -> None:
    after, whists = write_deal(Entries(pool={1: 4}), Pulka((3, 10, 3, 3), (0,) * 4, 10), SOCHI)
    assert after.pool == (3, 10, 7, 3)
    assert whists == {(1, 2): 40}


def test_help_adds_to_the_whists_of_the_deal() -> None:
    entries = Entries(pool={0: 2}, whists={(1, 0): 4, (0, 1): 1})
    _, whists = write_deal(entries, Pulka((10, 5, 0), (0, 0, 0), 10), SOCHI)
    assert whists == {(1, 0): 4, (0, 1): 21}
    assert entries.whists == {(1, 0): 4, (0, 1): 1}


def test_with_all_pools_full_the_mountain_goes_down() -> None:
    after, whists = write_deal(Entries(pool={2: 6}), Pulka((10, 10, 10), (0, 0, 4), 10), SOCHI)
    assert (after.pool, after.mountain, whists) == ((10, 10, 10), (0, 0, -2), {})


def test_no_help_where_the_own_mountain_comes_first() -> None:
    zhuk = load_convention("zhuk")
    after, whists = write_deal(Entries(pool={0: 6}), Pulka((8, 0, 0), (1, 0, 0), 10), zhuk)
    assert (after.pool, after.mountain, whists) == ((10, 0, 0), (-3, 0, 0), {})


def test_the_mountain_is_written_off_before_the_pool_fills() -> None:
    classic = load_convention("classic")
    after, whists = write_deal(Entries(pool={0: 8}), Pulka((9, 3, 0), (5, 0, 0), 10), classic)
    assert (after.pool, after.mountain, whists) == ((10, 5, 0), (0, 0, 0), {(0, 1): 20})


def test_leningrad_lets_points_stand_over() -> None:
    leningrad = load_convention("leningrad")
    after, whists = write_deal(Entries(pool={0: 6}), Pulka((9, 0, 0), (0, 0, 0), 10), leningrad)
    assert (after.pool, after.mountain, whists) == ((15, 0, 0), (0, 0, 0), {})


def test_without_a_target_no_pool_is_full() -> None:
    after, _ = write_deal(Entries(pool={0: 6}), Pulka((90, 0, 0), (0, 0, 0)), SOCHI)
    assert after.pool == (96, 0, 0)


@pytest.mark.parametrize(
    ("name", "pool", "over"),
    [
        ("sochi", (10, 10, 9), False),
        ("sochi", (10, 10, 10), True),
        ("leningrad", (20, 10, 0), True),
        ("leningrad", (20, 9, 0), False),
        ("zhuk", (20, 10, 0), False),
    ],
)
def test_when_the_pulka_is_over(name: str, pool: tuple[int, ...], over: bool) -> None:
    assert Pulka(pool, (0, 0, 0), 10).is_over(load_convention(name)) is over
    assert not Pulka(pool, (0, 0, 0)).is_over(load_convention(name))


# --- what a deal is worth -------------------------------------------------------------------------


points = st.integers(0, 12)
entries_of_three = st.builds(
    Entries,
    pool=st.dictionaries(st.integers(0, 2), points, max_size=3),
    mountain=st.dictionaries(st.integers(0, 2), st.integers(-4, 40), max_size=3),
    whists=st.dictionaries(
        st.sampled_from([(a, b) for a in range(3) for b in range(3) if a != b]),
        st.integers(0, 40),
        max_size=4,
    ),
)
states_of_three = st.builds(
    Pulka,
    pool=st.tuples(points, points, points),
    mountain=st.tuples(*[st.integers(-10, 60)] * 3),
    target=st.sampled_from([None, 5, 10]),
)


@given(entries_of_three, states_of_three, st.sampled_from(convention_names()))
def test_the_value_is_a_difference_of_settlements(
    entries: Entries, state: Pulka, name: str
) -> None:
    convention = load_convention(name)
    after, whists = write_deal(entries, state, convention)
    now = settle(sheet(after, convention, dict(whists)))
    then = settle(sheet(state, convention, {}))
    worth = deal_value(entries, state, convention)
    assert list(worth) == [a - b for a, b in zip(now, then, strict=True)]
    assert sum(worth) == 0


@given(entries_of_three, states_of_three, st.sampled_from(convention_names()))
def test_in_the_shipped_conventions_the_state_is_neutral(
    entries: Entries, state: Pulka, name: str
) -> None:
    """Rules.md 5.3: help, own mountain and points that stand over are all worth a pool point."""
    convention = load_convention(name)
    assert closing_is_neutral(convention)
    assert deal_value(entries, state, convention) == net(entries, convention, 3)


@pytest.mark.parametrize(
    ("rule", "worth"),
    [
        ("help10", ["20", "-40", "20"]),  # 60 whists on C, whose pool gains six points at 20
        ("own_mountain", ["40", "-20", "-20"]),  # six mountain points at 10
        ("mountain_first", ["40", "-20", "-20"]),
        ("settle_double", ["80", "-40", "-40"]),  # six pool points at 20
    ],
)
def test_where_a_pool_point_is_worth_twenty(rule: str, worth: list[str]) -> None:
    """By hand: A has a full pool and a mountain of nine, and makes an eight."""
    convention = replace(SOCHI, pool_point=20, pool_overflow=rule)
    state = Pulka((10, 10, 4), (9, 0, 0), 10)
    assert closing_is_neutral(convention) is (rule == "settle_double")
    assert value(Entries(pool={0: 6}), state, convention) == worth


# --- in the payoff tables and the EV --------------------------------------------------------------


@pytest.mark.parametrize("name", convention_names())
def test_the_payoff_of_shipped_conventions_knows_no_state(name: str) -> None:
    convention = load_convention(name)
    plain = payoff(convention, 3, 1)
    for state in STATES[1::4]:
        found = payoff(convention, 3, 1, state, 1)
        for field in ("games", "misere", "all_pass"):
            np.testing.assert_allclose(getattr(found, field), getattr(plain, field), atol=1e-9)


def test_the_payoff_is_by_role_the_all_pass_by_seat() -> None:
    house = replace(SOCHI, pool_point=20)
    state = Pulka((4, 10, 10), (0, 0, 0), 10)  # the first hand alone is open
    plain = payoff(house, 3, 1)
    by_first, by_second = (payoff(house, 3, 1, state, declarer) for declarer in (0, 1))
    made = (0, 2, Pattern.NOBODY, 8)
    np.testing.assert_allclose(by_first.games[made], plain.games[made])
    np.testing.assert_allclose(by_second.games[made], deal_roles(house, state, 1, 6))
    alone = (0, 0, 5)  # the first hand takes none: a point into his open pool
    np.testing.assert_allclose(by_second.all_pass[alone], plain.all_pass[alone])
    other = (0, 5, 0)
    assert abs(by_second.all_pass[other] - plain.all_pass[other]).max() > 1


def deal_roles(convention: Convention, state: Pulka, seat: int, made: int) -> list[float]:
    worth = deal_value(Entries(pool={seat: made}), state, convention)
    return [float(worth[(seat + turn) % 3]) for turn in range(3)]


def test_the_state_changes_the_ev_where_it_matters(tmp_path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'extends = "sochi"\ntitle_en = "House"\ntitle_ru = "Дом"\npool_point = 20\n', "utf-8"
    )
    text = f"{HAND}convention: {house}\n"
    full = parse_hand(text + "pool: 10 4 10\ntarget: 10\n")
    empty = parse_hand(text + "pool: 0 0 0\ntarget: 100\n")
    plain = advise(parse_hand(text), deals=500)
    assert pulka_matters(full)
    assert not pulka_matters(empty)
    assert record_payoff(empty) is record_payoff(parse_hand(text))
    assert [option.ev for option in advise(empty, deals=500).options] == [
        option.ev for option in plain.options
    ]
    assert advise(full, deals=500).best.ev < plain.best.ev - 5


def test_in_sochi_the_report_says_that_nothing_changes(capsys) -> None:
    told = parse_hand(HAND + "pool: 10 4 10\nmountain: 3 0 0\ntarget: 10\n")
    advice = advise(told, deals=300)
    assert [option.ev for option in advice.options] == [
        option.ev for option in advise(HAND, deals=300).options
    ]
    print_advice(advice)
    shown = " ".join(capsys.readouterr().out.split())
    assert "The state of the pulka changes no EV: in this convention" in shown
    assert "not modelled" in shown
    assert advice.to_json()["pulka"]["matters"] is False


def test_amounts_may_be_fractions() -> None:
    state = Pulka((Fraction(19, 2), 10, 10), (0, 0, 0), 10)
    after, _ = write_deal(Entries(pool={0: 2}), state, SOCHI)
    assert (after.pool, after.mountain) == ((10, 10, 10), (Fraction(-3, 2), 0, 0))
