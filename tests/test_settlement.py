"""Settlement of a score sheet: the worked examples of rules.md 5, and zero sums."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.rules.contracts import ALL_PASS, MISERE, parse_contract
from advisor.rules.conventions import load_convention
from advisor.rules.scoring import DealResult, Reply, net, score
from advisor.rules.settlement import Sheet, rounded, settle, settlement_json, shares

SOCHI, LENINGRAD = load_convention("sochi"), load_convention("leningrad")


def sheet(pool, mountain, whists, convention=SOCHI, target=None):
    names = ("A", "B", "C", "D")[: len(pool)]
    return Sheet(names, tuple(pool), tuple(mountain),
                 {(names.index(k[0]), names.index(k[1])): v for k, v in whists.items()},
                 convention, target)


@pytest.mark.parametrize(("one", "expected"), [
    # E1: minigames.mail.ru, whists as they stood before the mountain step.
    (sheet([0, 0, 0], [42, 96, 132],
           {"AB": 350 - 180, "BA": 64, "AC": 360 - 300, "CA": 88, "BC": 478 - 300,
            "CB": 275 - 180}), [558, -83, -475]),
    # E2: Zhuk, the whists of a pair.
    (sheet([0, 0], [0, 0], {"AB": 42, "BA": 136}), [-94, 94]),
    # E3: review-pref.ru, table 8, whists only.
    (sheet([0, 0, 0], [0, 0, 0], {"AB": 70, "BA": 114, "BC": 96, "CB": 180, "AC": 100, "CA": 140}),
     [-84, -40, 124]),
    # E5: the printed +122, -117, -5 counts pool and mountain one and a half times.
    (sheet([3, 0, 0], [0, 14, 6], {"BA": 8}), ["236/3", "-226/3", "-10/3"]),
    # E6: the printed -10.6, +9.4, +1.4 has the sign of the whists turned.
    (sheet([0, 0, 4], [2, 0, 16], {"AC": 24, "BC": 24}, LENINGRAD),
     ["112/3", "172/3", "-284/3"]),
    # E8: an open pulka.
    (sheet([20, 12, 6], [8, 14, 26],
           {"AB": 40, "BA": 72, "AC": 56, "CA": 30, "BC": 22, "CB": 64}, target=20),
     ["442/3", "10/3", "-452/3"]),
], ids=["E1", "E2", "E3", "E5", "E6", "E8"])
def test_worked_example(one, expected):
    assert settle(one) == tuple(map(Fraction, expected))


def test_skuratov_prices_in_leningrad():
    """E4: Skuratov's values of single deals at a table of four."""
    whist = (Reply.WHIST, Reply.PASS)
    six = parse_contract("6S")
    for result, seat, value in (
        (DealResult(six, 0, whist, (6, 4, 0), 4), 0, 14),
        (DealResult(six, 0, whist, (7, 3, 0), 4), 0, 23),
        (DealResult(MISERE, 0, None, (0, 5, 5), 4), 0, 150),
        (DealResult(ALL_PASS, tricks=(4, 3, 2, 1), players=4), 0, -30),
    ):
        assert net(score(result, LENINGRAD), LENINGRAD, 4)[seat] == value


@pytest.mark.parametrize(("count", "convention", "pool", "mountain"), [
    (3, SOCHI, "20/3", "-20/3"), (4, SOCHI, "15/2", "-15/2"), (2, SOCHI, 5, -5),
    (3, LENINGRAD, "40/3", "-20/3"), (4, LENINGRAD, 15, "-15/2"), (2, LENINGRAD, 10, -5),
])
def test_one_written_unit(count, convention, pool, mountain):
    """Rules.md 5.3."""
    one, none = [1] + [0] * (count - 1), [0] * count
    assert settle(sheet(one, none, {}, convention))[0] == Fraction(pool)
    assert settle(sheet(none, one, {}, convention))[0] == Fraction(mountain)


def test_american_help_is_worth_the_points_themselves():
    """Rules.md 5.3: two points given to B's pool and 20 whists on him, or two pool points."""
    assert settle(sheet([0, 2, 0], [0, 0, 0], {"AB": 20})) == settle(sheet([2, 0, 0], [0] * 3, {}))


def test_json():
    told = settlement_json(sheet([3, 0, 0], [0, 14, 6], {"BA": 8}, target=3))
    assert told["net"] == {"A": 78.6667, "B": -75.3333, "C": -3.3333}
    assert told["net_exact"] == {"A": "236/3", "B": "-226/3", "C": "-10/3"}
    assert told["rounded"] == {"A": 79, "B": -75, "C": -4}
    assert told["open"] == {"B": 3, "C": 3}
    assert told["parts"]["A"] == {"pool": 20.0, "mountain": 66.6667, "whists": -8.0}


amounts = st.integers(0, 500) | st.fractions(0, 500, max_denominator=2)


@st.composite
def sheets(draw):
    count = draw(st.integers(2, 4))
    points = st.tuples(*[amounts] * count)
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    return Sheet(
        tuple("ABCD"[:count]), draw(points), tuple(-m for m in draw(points)),
        draw(st.dictionaries(st.sampled_from(pairs), amounts)),
        draw(st.sampled_from([SOCHI, LENINGRAD])),
    )


@given(sheets())
def test_every_settlement_sums_to_zero(one):
    nets = settle(one)
    assert sum(nets) == 0
    assert tuple(share.net for share in shares(one)) == nets


@given(sheets(), st.sampled_from([0, 2]))
def test_rounding_keeps_the_sum_and_stays_near(one, places):
    nets = settle(one)
    shown = rounded(nets, places)
    assert sum(shown) == 0
    assert all(abs(Fraction(s) - n) < Fraction(1, 10**places)
               for s, n in zip(shown, nets, strict=True))


@given(sheets(), st.integers(1, 50))
def test_the_same_for_everybody_changes_nothing(one, more):
    raised = Sheet(one.players, tuple(p + more for p in one.pool),
                   tuple(m + more for m in one.mountain), one.whists, one.convention)
    assert settle(raised) == settle(one)
