"""The audit of the guide: deals as they are declared, beside their solutions."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.advice.audit import (
    CLOSE,
    FEWEST,
    Audit,
    audit_guide,
    bought_deals,
    kindest_to_guide,
    printed_against_solved,
)
from advisor.cards import DECK, holding
from advisor.rules.conventions import load_convention
from advisor.tricks.guide import entry
from advisor.tricks.solver import solve_deals
from advisor.tricks.sure import sure_tricks

SOCHI = load_convention("sochi")
DEALS = 60


@pytest.fixture(scope="module")
def audit() -> Audit:
    return audit_guide(DEALS, SOCHI, np.random.default_rng(4))


def test_every_card_is_somewhere_once(audit: Audit) -> None:
    assert (np.bitwise_count(audit.hands) == 10).all()
    assert (np.bitwise_count(audit.away) == 2).all()
    assert (np.bitwise_or.reduce(audit.hands, axis=1) | audit.away == DECK).all()


def test_tricks_are_those_of_the_solver(audit: Audit) -> None:
    again = solve_deals(audit.hands, audit.strain, audit.leader, threads=1)
    np.testing.assert_array_equal(audit.tricks, again)
    assert set(audit.leader) == {0, 1, 2}


def test_certain_tricks_are_taken_and_expected(audit: Audit) -> None:
    for i in range(DEALS):
        certain = sure_tricks(audit.hands[i, 0], audit.away[i], int(audit.strain[i]),
                              bool(audit.leader[i] == 0))
        assert audit.tricks[i] >= certain
        assert audit.chances[i, :int(certain)].sum() == 0


def test_the_same_seed_gives_the_same_audit(audit: Audit) -> None:
    again = audit_guide(DEALS, SOCHI, np.random.default_rng(4))
    np.testing.assert_array_equal(audit.hands, again.hands)
    np.testing.assert_array_equal(audit.chances, again.chances)


def test_the_buyer_holds_to_his_purchase() -> None:
    hands, talon, seat, least = bought_deals(500, SOCHI, np.random.default_rng(4))
    assert len(hands) == len(talon) == len(seat) == 500
    assert (np.bitwise_or.reduce(hands, axis=1) | talon == DECK).all()
    assert set(seat) == {0, 1, 2}
    assert least.min() == 0
    assert 0 < np.count_nonzero(least) < 500
    got = audit_guide(40, SOCHI, np.random.default_rng(7))
    _, _, first, paid = bought_deals(40, SOCHI, np.random.default_rng(7))
    np.testing.assert_array_equal(got.least, paid)
    np.testing.assert_array_equal(got.leader, -first % 3)
    assert (5 * (got.level - 6) + got.strain >= paid).all()


def test_shares_of_errors_are_shares(audit: Audit) -> None:
    everywhere = np.ones(DEALS, dtype=bool)
    seen, expected = audit.error_shares(np.arange(-10.5, 11), everywhere)
    assert seen.sum() == pytest.approx(1)
    assert expected.sum() == pytest.approx(1)
    assert 0 < audit.expected_error(everywhere) < 1.5


def test_tables(audit: Audit) -> None:
    deals, suits = audit.to_frame(), audit.suits()
    assert (deals.error == deals.tricks - deals["mean"]).all()
    assert (deals.made == (audit.tricks >= audit.level)).all()
    assert (deals.trumps.isna() == (deals.strain == "NT")).all()
    for i in range(DEALS):
        byte = [holding(int(audit.hands[i, 0]), suit) for suit in range(4)]
        assert suits.pattern[suits.deal == i].tolist() == [entry(b).pattern for b in byte if b]
        if audit.strain[i] < 4:
            assert deals.trumps[i] == byte[audit.strain[i]].bit_count()
    assert set(suits.role) <= {"trumps", "side", "NT"}


def test_none_is_too_few() -> None:
    with pytest.raises(ValueError, match="0 deals"):
        audit_guide(0, SOCHI, np.random.default_rng(1))


def test_printed_rows_are_judged_by_their_distance() -> None:
    table = printed_against_solved()
    assert len(table) == 47 * 6
    inside = table.tricks.between(table.low, table.high)
    assert (table.off[inside] == 0).all()
    judged = table[table.deals >= FEWEST]
    assert set(judged.verdict[judged.off.abs() <= CLOSE]) == {"right"}
    assert set(judged.verdict[judged.off > 1]) == {"too low"}
    assert set(table.verdict[table.deals < FEWEST]) == {"unknown"}


def test_the_kindest_shift_changes_no_hand() -> None:
    table, kind = printed_against_solved(), kindest_to_guide(printed_against_solved())
    moved = (kind.tricks - table.tricks).to_numpy()
    for own_lead in (False, True):
        part = (table.own_lead == own_lead).to_numpy()
        keys = zip(table.role[part], table.pattern[part], strict=True)
        by = dict(zip(keys, moved[part], strict=True))
        trumps = by["trump", "A K x x"] + by["side", "A K"] * 2 + by["side", "A J"]
        no_trump = by["no trump", "A K x x"] + by["no trump", "A K"] * 3
        assert trumps == pytest.approx(0)
        assert no_trump == pytest.approx(0)
        assert abs(by["no trump", "A"]) > 0.1
