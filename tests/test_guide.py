"""The printed trick guide: as printed, as used, as read and explained."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import parse_cards, ranks_text
from advisor.errors import InputError
from advisor.tricks import guide
from advisor.tricks.guide import (
    bidding_rule,
    entry,
    high_values,
    low_values,
    parse_holding,
    pattern_of,
    printed_rows,
    why,
)

HOLDINGS = range(256)
CARDS = np.array([b.bit_count() for b in HOLDINGS])

# What the rule changes, by row: printed low and high, low and high as used.
CHANGED = {
    13: (1, 1, 1.25, 1.5), 14: (2.5, 2.5, 2.75, 2.75), 15: (3.5, 3.5, 4, 4),
    16: (6.5, 6.5, 5.5, 5.5), 21: (4.5, 4.5, 4, 4), 24: (1.5, 1.5, 1.5, 1.75),
    28: (1.5, 2, 1.25, 1.5), 29: (3, 3, 2.75, 2.75), 30: (3, 3, 2.75, 2.75),
    31: (4, 4, 3.75, 3.75), 35: (0, 0, 0, 0.15), 37: (2.5, 2.5, 2.75, 2.75),
    40: (0, 0.3, 0, 0.15), 41: (0.5, 1.5, 0.5, 1.75), 42: (3, 3, 2.75, 2.75),
    45: (0, 1, 0, 1.5), 47: (0, 2, 0, 1.5),
}


def dominates(one: int, other: int) -> bool:
    """Plain restatement of the order: card for card from the top at least as high."""
    def heights(byte: int) -> list[int]:
        return [max(rank - 3, 0) for rank in range(7, -1, -1) if byte >> rank & 1]
    first, second = heights(one), heights(other)
    return len(first) >= len(second) and all(a >= b for a, b in zip(first, second, strict=False))


def test_printed_rows_are_the_47_of_the_book() -> None:
    rows = printed_rows()
    assert [r.row for r in rows] == list(range(1, 48))
    assert len({r.pattern for r in rows}) == 47
    assert all(pattern_of(parse_holding(r.pattern)) == r.pattern for r in rows)
    by_row = {r.row: (r.pattern, r.low, r.high) for r in rows}
    assert by_row[16] == ("A Q J x x x", 6.5, 6.5)
    assert by_row[27] == ("K Q", 0.7, 1)
    assert by_row[47] == ("x x x x", 0, 2)
    assert sum(r.low for r in rows) == pytest.approx(128.7)
    assert sum(r.high for r in rows) == pytest.approx(137.3)


def test_thirty_two_honour_patterns_are_not_printed() -> None:
    assert len({pattern_of(b) for b in HOLDINGS if entry(b).note == "extended"} - {"-"}) == 32


def test_a_better_holding_is_never_worth_less() -> None:
    better = np.array([[dominates(a, b) for b in HOLDINGS] for a in HOLDINGS])
    assert better.sum() > 10_000
    for values in (low_values(), high_values()):
        assert not (better & (values[:, None] < values[None, :])).any()


def test_values_are_between_nothing_and_the_number_of_cards() -> None:
    low, high = low_values(), high_values()
    assert low.shape == high.shape == (256,)
    assert (low >= 0).all()
    assert (low <= high).all()
    assert (high <= CARDS).all()
    assert low[0] == high[0] == 0
    assert high[255] == 8 == low[255]


def test_tables_are_computed_once_and_cannot_be_changed() -> None:
    assert low_values() is low_values()
    with pytest.raises(ValueError, match="read-only"):
        high_values()[0] = 1


def test_the_rule_changes_these_rows_and_no_others() -> None:
    found = {}
    for row in printed_rows():
        used = entry(parse_holding(row.pattern))
        assert used.row == row
        if (used.low, used.high) != (row.low, row.high):
            found[row.row] = (row.low, row.high, pytest.approx(used.low), pytest.approx(used.high))
    assert found == CHANGED


def test_a_row_is_kept_exactly_where_no_row_contradicts_it() -> None:
    rows = printed_rows()
    bytes_ = {r.row: parse_holding(r.pattern) for r in rows}
    for r in rows:
        contradicted = any(
            (dominates(bytes_[r.row], bytes_[s.row]) and (s.low > r.low or s.high > r.high))
            or (dominates(bytes_[s.row], bytes_[r.row]) and (s.low < r.low or s.high < r.high))
            for s in rows if 16 not in (r.row, s.row)
        )
        if r.row != 16:
            assert entry(bytes_[r.row]).note == ("repaired" if contradicted else "kept")
    assert entry(bytes_[16]).note == "misprint"


def test_extended_values_lie_halfway_between_the_rows_named() -> None:
    taken = {16: 5.5}
    for byte in range(1, 256):
        found = entry(byte)
        if found.note != "extended":
            continue
        assert found.row is None
        for end, below, above in (("low", found.below, found.above),
                                  ("high", found.below_high, found.above_high)):
            assert above is not None
            least = taken.get(below.row, getattr(below, end)) if below else 0
            most = taken.get(above.row, getattr(above, end))
            assert getattr(found, end) == pytest.approx((least + min(most, CARDS[byte])) / 2)


def test_explanations() -> None:
    def told(text: str) -> str:
        template, params = why(entry(parse_holding(text)))
        return template.format(**params)

    assert told("AJ") == "printed row 18"
    assert told("AQJ") == "row 13 repaired: a better holding must not be worth less (row 28)"
    assert told("AQJx") == ("row 14 repaired: a better holding must not be worth less "
                            "(rows 29, 30)")
    assert told("AKx") == "not printed; halfway between row 2 (A K) and row 3 (A K Q)"
    assert told("x") == "not printed; halfway between no tricks and row 26 (K)"
    assert told("AQJxxx") == "row 16 prints 6.5 tricks for 6 cards; taken as 5.5"
    assert told("Kxxx") == (
        "not printed; the low end halfway between row 47 (x x x x) and row 36 (K J x x), the high "
        "end between row 47 (x x x x) and row 24 (A x x x)")
    assert told("-") == "no cards, no tricks"


def test_every_holding_can_be_explained() -> None:
    for byte in HOLDINGS:
        template, params = why(entry(byte))
        assert "{" not in template.format(**params)
        assert set(re.findall(r"{(\w+)}", template)) <= set(params)


@given(st.integers(1, 255), st.sampled_from(["en", "ru"]), st.sampled_from(["", " "]))
def test_ranks_are_read_back(byte: int, lang: str, sep: str) -> None:
    text = ranks_text(byte, lang, sep)
    if lang == "ru" and byte & 0x80 and not byte & 0x30:
        return  # a Russian ace without a queen or jack beside it may be a ten
    assert parse_holding(text) == byte
    assert parse_holding(text.lower()) == byte


@pytest.mark.parametrize(("text", "same"), [
    ("AQJxx", "A Q J 8 7"), ("ТДВхх", "AQJ87"), ("xx9", "987"), ("x7", "87"), ("10 X", "107"),
    ("Кх", "K7"), ("KВ", "КВ"), ("KB", "KJ"), ("AТ", "A10"), ("a,k q", "AKQ"), ("xxxx", "10987"),
])
def test_spellings(text: str, same: str) -> None:
    assert parse_holding(text) == parse_holding(same)


def test_void() -> None:
    assert parse_holding("-") == parse_holding(" – ") == 0


@pytest.mark.parametrize(("text", "column", "part"), [
    ("AZ", 2, "'Z' is not a card"), ("A Kxx1", 6, "'1' is not a card"), ("AKA", 3, "twice"),
    ("Axxxxx", 6, "one x too many"), ("A 10 9 xxx", 10, "one x too many"), ("", 1, "no cards"),
    ("  ", 1, "no cards"), ("TK", 1, "may be a ten"), ("Т", 1, "may be a ten"),
    ("QД", 2, "one notation"), ("A-", 2, "'-' is not a card"), ("10 10", 4, "twice"),
])
def test_bad_holdings_are_told_with_their_column(text: str, column: int, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_holding(text)
    assert caught.value.column == column
    assert part in str(caught.value)


@given(st.text(max_size=12) | st.text("AKQJTТКДВ10987xх -", max_size=10))
def test_any_text_is_a_holding_or_a_placed_input_error(text: str) -> None:
    column: int | None = 1
    try:
        assert 0 <= parse_holding(text) <= 255
    except InputError as error:
        column = error.column
    assert column is not None
    assert 1 <= column <= max(len(text), 1)


def test_patterns_in_russian() -> None:
    assert pattern_of(parse_holding("KQ9"), "ru") == "К Д х"


@pytest.mark.parametrize(("hand", "one", "two", "bid"), [
    ("♠AKQ9 ♣A8 ♦K107 ♥8", 3.5, 4.5, True),
    ("♠AKQJ ♣987 ♦987", 4, 4, False),        # exactly four in two suits is not more than four
    ("♠AKQJ9 ♣987 ♦98", 5, 5, True),         # five in one suit is also more than four in two
    ("♠KQJ ♣KQJ ♦987 ♥7", 1.375, 2.75, False),
])
def test_bidding_on_tricks(hand: str, one: float, two: float, bid: bool) -> None:
    rule = bidding_rule(parse_cards(hand))
    assert (rule.one, rule.two, rule.bid) == (pytest.approx(one), pytest.approx(two), bid)
    assert rule.tricks[rule.best[0]] == rule.one
    assert list(rule.best) == sorted(range(4), key=lambda s: -rule.tricks[s])


@pytest.mark.parametrize(("hand", "lead", "percent", "holes", "sevenless", "misere"), [
    ("♠79J ♣79 ♦78J ♥79", False, 0, 0, (), True),
    ("♠710 ♣79J ♦78J ♥78", False, 50, 1, (), True),
    ("♠710 ♣710 ♦78J ♥789", False, 100, 2, (), False),
    ("♠8 ♣79JK ♦78J ♥79", False, 30, 1, (0,), False),
    ("♠8 ♣79JK ♦78J ♥79", True, 5, 1, (), True),
    ("♠89 ♣79JK ♦78J ♥7", True, 80, 1, (0,), False),
    ("♠8 ♣9 ♦78JK ♥79JK", True, 45, 2, (0,), False),
])
def test_bidding_a_misere(
    hand: str, lead: bool, percent: float, holes: int, sevenless: tuple[int, ...], misere: bool
) -> None:
    rule = bidding_rule(parse_cards(hand), lead)
    assert rule.percent == pytest.approx(percent)
    assert (rule.holes, rule.sevenless, rule.misere) == (holes, sevenless, misere)


def test_misprint_is_the_only_value_replaced() -> None:
    assert dict(guide.MISPRINTS) == {16: 5.5}
