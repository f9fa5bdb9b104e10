"""The expert cases as hands, and the table committed with what they cost."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from advisor.cards import DECK, cards_of, format_hand
from advisor.records.session import parse_session
from advisor.rules.auction import Auction
from advisor.rules.calls import Call
from benchmarks.expert_cases import CLOSE, DOCUMENT, Compared, compare, document, groups, row
from benchmarks.experts import COMPETITION, Decision, read_decisions, read_sources, read_verdicts

DECISIONS = read_decisions()
DEALS = 200
EVERY = "## Every decision"


def decision(case: str, seat: int, competition: str = "either") -> Decision:
    found = [
        one
        for one in DECISIONS
        if (one.case, one.seat, one.competition) == (case, seat, competition)
    ]
    assert len(found) == 1
    return found[0]


def calls_by_seat(one: Decision) -> Iterator[tuple[int | None, Call]]:
    auction = one.choices[0].record.auction
    state = Auction(auction.rules)
    for call in auction.calls:
        yield state.seat_to_call, call
        state = state.after(call)


def lines_after(title: str) -> list[list[str]]:
    """Rows of the table under a heading of the committed document, cut into cells."""
    text = DOCUMENT.read_text(encoding="utf-8").partition(title + "\n")[2].partition("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.strip().splitlines()[2:]
    ]


def cost(cell: str) -> float:
    return 0.0 if cell == "-" else float(cell.split()[0])


class TestCases:
    def test_no_decision_stands_twice(self) -> None:
        assert len({one.key for one in DECISIONS}) == len(DECISIONS) > 150

    def test_sources_are_told(self) -> None:
        assert {one.source for one in DECISIONS} == set(read_sources())

    def test_choices_are_on_the_same_hand(self) -> None:
        for one in DECISIONS:
            assert len({replace(hand.record, asked=None) for hand in one.choices}) == 1
            assert one.choices[0].record.seat + 1 == one.seat

    def test_every_alternative_is_a_choice(self) -> None:
        one = decision("U1-25", 2, "no")
        assert one.expert == "7S D8 D7 or 7C D8 D7 or 8S D8 D7 or 8C D8 D7"

    @pytest.mark.parametrize(
        "one",
        [d for d in DECISIONS if d.competition == "yes"],
        ids=lambda one: f"{one.case}-{one.seat}",
    )
    def test_competition_is_heard_in_a_suit_held_least(self, one: Decision) -> None:
        record = one.choices[0].record
        heard = [
            call.strain for seat, call in calls_by_seat(one) if seat != record.seat and call.is_game
        ]
        assert heard in ([0], [1])
        lengths = [(record.cards >> 8 * suit & 0xFF).bit_count() for suit in range(4)]
        assert lengths[heard[0]] == min(lengths)

    def test_renamed_suits_are_the_same_hand(self) -> None:
        plain = decision("U1-25", 2, "no").choices[0].record.cards
        renamed = decision("U1-25", 2, "yes").choices[0].record.cards
        assert renamed == sum(1 << (8 * (3 - card // 8) + card % 8) for card in cards_of(plain))

    def test_the_whole_deck_is_used_by_no_hand_twice(self) -> None:
        for one in DECISIONS:
            record = one.choices[0].record
            assert record.cards & ~DECK == 0
            assert record.cards.bit_count() == (12 if record.declares else 10)


class TestCommittedTable:
    def test_it_has_the_cases_as_they_are(self) -> None:
        cells = [(row[0], row[1], int(row[2]), row[4], row[5]) for row in lines_after(EVERY)]
        assert cells == [
            (
                one.case,
                one.source,
                one.seat,
                format_hand(one.choices[0].record.cards, symbols=False),
                one.expert,
            )
            for one in DECISIONS
        ]

    def test_its_summary_counts_its_rows(self) -> None:
        rows = lines_after(EVERY)
        printed = [
            cost(row[-1])
            for row, one in zip(rows, DECISIONS, strict=True)
            if one.declares and one.is_printed
        ]
        told = next(row for row in lines_after("## Summary") if row[0].startswith("twelve"))
        close = sum(value < CLOSE for value in printed)
        assert told[1] == str(len(printed))
        assert int(told[2]) + int(told[3]) == close
        assert told[4] == f"{close / len(printed):.0%}"

    def test_every_difference_was_looked_at(self) -> None:
        differ = {row[0] for row in lines_after(EVERY) if cost(row[-1]) >= CLOSE}
        assert differ == {
            row[0]
            for row in lines_after(f"## Where an expert's choice costs {CLOSE:g} whist or more")
        }
        assert differ <= set(read_verdicts())
        assert {right for right, _ in read_verdicts().values()} <= {
            "expert",
            "ours",
            "open",
            "not printed so",
        }

    def test_errors_are_small(self) -> None:
        errors = [float(row[-1].split("±")[1]) for row in lines_after(EVERY) if "±" in row[-1]]
        assert max(errors) < 1.0
        assert sum(errors) / len(errors) < 0.5


class TestReducedRun:
    def test_an_unbeatable_hand_is_named_ten(self) -> None:
        one = compare(decision("lesnoy-preferans", 2, ""), deals=DEALS)
        assert one.cost == 0
        assert one.expert.p_make == 1

    def test_the_cheapest_of_several_choices_counts(self) -> None:
        both = decision("U1-43", 3)
        each = [compare(replace(both, choices=(hand,)), deals=DEALS) for hand in both.choices]
        assert len(each) == 2
        assert compare(both, deals=DEALS).cost == min(one.cost for one in each)

    def test_a_bad_choice_is_dear(self) -> None:
        hand = parse_session("hand: SAK87 CAK87 DA7 HA7\nsaid: 8C SA CA")
        bad = compare(replace(decision("U1-57", 1), choices=hand), deals=DEALS)
        assert bad.cost > 10
        assert not bad.agrees
        assert "8C SA CA" in row(bad)

    def test_the_same_seed_gives_the_same_table(self) -> None:
        found = [
            [
                compare(one, deals=DEALS, seed=5)
                for one in DECISIONS
                if one.case in ("U1-4", "jpref-discard-7")
            ]
            for _ in range(2)
        ]
        text = [document(part, "here") for part in found]
        assert text[0] == text[1]
        assert re.search(r"twelve cards, as printed \| 3 \|", text[0])

    def test_groups_hold_every_decision_once(self) -> None:
        option = compare(decision("lesnoy-preferans", 1, ""), deals=DEALS).ours
        every = [Compared(one, option, option) for one in DECISIONS]
        parts = {title: part for title, part in groups(every) if "of these" not in title}
        assert sum(len(part) for part in parts.values()) == len(DECISIONS)
        assert set(COMPETITION) == {"yes", "no", "either", ""}
