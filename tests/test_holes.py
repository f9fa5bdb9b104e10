"""Misère by the printed odds: rows as printed, extension, distribution."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import parse_cards
from advisor.tricks.guide import parse_holding
from advisor.tricks.holes import (
    Lead,
    PrintedHole,
    hole_chances,
    misere_distribution,
    printed_holes,
    rule_of_80,
    sevenless_suits,
    suit_report,
)
from advisor.tricks.sure import sure_zero

hands = st.permutations(range(32)).map(
    lambda p: (sum(1 << c for c in p[:10]), sum(1 << c for c in p[10:12])))


def tricks(text: str, lead: str = "other", gone: str = "-") -> float:
    return suit_report(parse_holding(text), parse_holding(gone),
                       "own" if lead == "own" else "other").tricks


def test_rows_as_printed() -> None:
    rows = printed_holes()
    assert [(r.row, r.lead) for r in rows] == [
        (1, "unspecified"), (2, "own"), (3, "unspecified"), (4, "unspecified"), (5, "own"),
        (5, "other"), (6, "unspecified"), (7, "own"), (7, "other"), (8, "unspecified"),
        (9, "unspecified"), (10, "unspecified"), (11, "unspecified")]
    assert [(r.low, r.high) for r in rows if r.row == 7] == [(15, 15), (80, 90)]
    assert rows[-1].holding == "7 8/9 10/J A"
    assert set(rows[-1].holdings()) == {parse_holding(t) for t in ("7810A", "78JA", "7910A",
                                                                   "79JA")}


@pytest.mark.parametrize("row", printed_holes(), ids=lambda r: f"{r.row}-{r.lead}")
def test_every_printed_row_is_reproduced(row: PrintedHole) -> None:
    leads: list[Lead] = ["own" if row.lead == "own" else "other"]
    if row.holding == "8 9":
        leads = ["own", "other"]
    for byte, lead in itertools.product(row.holdings(), leads):
        report = suit_report(byte, lead=lead)
        assert report.tricks == pytest.approx(row.chance)
        assert report.row == row


def test_a_printed_hole_does_not_become_cheaper_by_leading_it() -> None:
    assert tricks("7 10", "own") == tricks("7 10") == pytest.approx(0.5)


@pytest.mark.parametrize(("suit", "lead", "expected"), [
    ("-", "other", 0), ("7", "own", 0), ("79JKA", "other", 0), ("7 8 J", "own", 0.5),
    ("10", "other", 1), ("10", "own", 1), ("A", "own", 1),
    ("8 10", "other", 0.8 + 0.5), ("8 J", "other", 0.8 + 0.8), ("9 10", "other", 0.85 + 0.5),
    ("AK", "other", 2), ("AKQ", "other", 3), ("7 K", "other", 1), ("7 A", "other", 1),
    ("7 10 Q", "other", 0.5 + 0.2), ("7 8 9 A", "other", 0.1), ("7 9 J", "own", 0.5),
])
def test_extension(suit: str, lead: str, expected: float) -> None:
    assert tricks(suit, lead) == pytest.approx(expected)


@pytest.mark.parametrize(("suit", "gone", "expected"), [
    ("8", "7", 0), ("9", "7", 0.3), ("7 10", "8", 0), ("7 Q", "8 9", 0.5), ("8 9", "7", 0),
    ("A", "7 8 9 10 J Q K", 0),
])
def test_gone_cards_shrink_holes(suit: str, gone: str, expected: float) -> None:
    assert tricks(suit, "other", gone) == pytest.approx(expected)


def test_a_suit_nobody_else_holds_must_not_be_led() -> None:
    assert tricks("7", "own", "8 9 10 J Q K A") == 1
    assert tricks("A", "own", "8 9 J") == 1


def test_only_one_suit_is_led_and_it_is_the_best() -> None:
    hand = parse_cards("♠8 ♣9 ♦79JK ♥78JK")
    off, on = hole_chances(hand, 0, False), hole_chances(hand, 0, True)
    assert off.shape == (4, 8)
    assert off.sum(1) == pytest.approx([0.3, 0.85, 0, 0])
    assert on.sum(1) == pytest.approx([0.3, 0.15, 0, 0])
    assert on[1, 2] == pytest.approx(0.15)


def test_a_forced_lead_costs_what_the_book_says() -> None:
    hand, gone = parse_cards("♠79J ♣79JK ♦79 ♥9"), parse_cards("♥78")
    off, on = misere_distribution(hand, gone, False), misere_distribution(hand, gone, True)
    assert off[0] == 1
    assert on[0] == 1                    # the nine of hearts is the lowest left: a safe lead
    hand = parse_cards("♠79J ♣79JK ♦79 ♥79")
    assert misere_distribution(hand, 0, True) == pytest.approx([0.95, 0.05, *[0] * 9])


@given(hands, st.booleans())
def test_distribution_is_the_poisson_binomial_of_the_holes(
    cards: tuple[int, int], on_lead: bool
) -> None:
    found = misere_distribution(*cards, on_lead)
    chances = hole_chances(*cards, on_lead)
    expected = np.array([1.0])
    for chance in chances.ravel():
        expected = np.convolve(expected, [1 - chance, chance])
    assert found.shape == (11,)
    assert found == pytest.approx(expected[:11], abs=1e-12)
    assert found.sum() == pytest.approx(1)
    assert found @ np.arange(11) == pytest.approx(chances.sum())
    held = [[cards[0] >> (8 * s + r) & 1 for r in range(8)] for s in range(4)]
    assert ((chances == 0) | (np.array(held) == 1)).all()


def test_certain_exactly_where_sure_zero_holds() -> None:
    rng = np.random.default_rng(5)
    liking = rng.gumbel(size=(20_000, 32)) - 0.9 * (np.arange(32) % 8)
    order = np.argsort(-liking, axis=1).astype(np.uint32)
    kept = (np.uint32(1) << order[:, :10]).sum(1).astype(np.uint32)
    gone = (np.uint32(1) << order[:, 30:]).sum(1).astype(np.uint32)
    for on_lead in (True, False):
        certain = sure_zero(kept, gone, on_lead)
        assert 100 < certain.sum() < 19_900
        found = misere_distribution(kept, gone, on_lead)
        assert ((found[:, 0] == 1) == certain).all()
        assert (found[certain, 1:] == 0).all()


@given(hands, st.data())
def test_a_lower_card_never_adds_tricks(cards: tuple[int, int], data: st.DataObject) -> None:
    kept = cards[0]
    steps = [c for c in range(32) if c % 8 and kept >> c & 1 and not kept >> (c - 1) & 1]
    if not steps:
        return
    card = data.draw(st.sampled_from(steps))
    lower = kept ^ (1 << card) ^ (1 << (card - 1))
    higher_sum, lower_sum = (hole_chances(k, 0, False).sum() for k in (kept, lower))
    assert lower_sum <= higher_sum + 1e-9


def test_arrays_are_judged_hand_by_hand() -> None:
    rng = np.random.default_rng(2)
    order = rng.permuted(np.tile(np.arange(32, dtype=np.uint32), (40, 1)), axis=1)
    kept = (np.uint32(1) << order[:, :10]).sum(1).astype(np.uint32).reshape(8, 5)
    gone = (np.uint32(1) << order[:, 10:12]).sum(1).astype(np.uint32).reshape(8, 5)
    for on_lead in (True, False):
        found = misere_distribution(kept, gone, on_lead)
        assert found.shape == (8, 5, 11)
        assert hole_chances(kept, gone, on_lead).shape == (8, 5, 4, 8)
        for at in ((0, 0), (7, 4), (3, 2)):
            assert (found[at] == misere_distribution(kept[at], gone[at], on_lead)).all()


def test_all_aces_and_kings_take_every_trick() -> None:
    hand = parse_cards("♠AKQ ♣AKQ ♦AK ♥AK")
    assert misere_distribution(hand, 0, False) == pytest.approx([0] * 10 + [1])


def test_rule_of_80() -> None:
    assert rule_of_80(parse_cards("♠710 ♣79J ♦78J ♥78")) == (50, 1)
    assert rule_of_80(parse_cards("♠8 ♣710 ♦78J ♥7 9 J K")) == (80, 2)
    assert rule_of_80(parse_cards("♠8 ♣710 ♦78J ♥7 9 J K"), on_lead=True) == (55, 2)


def test_sevenless_suits() -> None:
    hand = parse_cards("♠8 ♣9 ♦8J ♥7 9 J K A 10")
    assert sevenless_suits(hand) == (0, 1, 2)
    assert sevenless_suits(hand, on_lead=True) == (0, 2)


def test_suit_report() -> None:
    report = suit_report(parse_holding("7 9 A"))
    assert (report.holding, report.clean, report.chances) == ("A97", False, (1.0,))
    assert report.row is not None
    assert report.row.row == 10
    clean = suit_report(parse_holding("7 9"))
    assert clean.clean
    assert clean.row is None
    assert clean.chances == ()
    assert suit_report(parse_holding("7 9"), lead="own").chances == (pytest.approx(0.05),)
