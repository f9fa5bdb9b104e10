"""Legal cards, trick winners, lines of play (rules.md 1.4 to 1.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import DECK, cards_of, parse_cards
from advisor.errors import InputError
from advisor.rules.contracts import ALL_PASS, MISERE, Contract
from advisor.rules.play import (
    leader_of_first_trick,
    legal_cards,
    replay_all_pass,
    replay_line,
    trick_winner,
)

S, C, D, H, NT = range(5)


def cards(text: str) -> list[int]:
    """Card numbers in the order written."""
    return [parse_cards(word).bit_length() - 1 for word in text.split()]


@pytest.mark.parametrize(("led", "strain", "legal"), [
    (None, H, "♠AK9 ♦7 ♥8J"),
    (S, H, "♠AK9"),
    (D, NT, "♦7"),
    (C, H, "♥8J"),
    (C, D, "♦7"),
    (C, C, "♠AK9 ♦7 ♥8J"),
    (C, NT, "♠AK9 ♦7 ♥8J"),
])
def test_legal_cards(led: int | None, strain: int, legal: str) -> None:
    assert legal_cards(parse_cards("♠AK9 ♦7 ♥8J"), led, strain) == parse_cards(legal)


@pytest.mark.parametrize(("trick", "strain", "winner"), [
    ("S7 S8 S9", NT, 2),
    ("S8 S7 HA", NT, 0),
    ("S8 HA SK", D, 2),
    ("SA H7 SK", H, 1),
    ("SA H7 H10", H, 2),
    ("H7 SA CA", H, 0),
    ("S7 CA DA", NT, 0),
])
def test_trick_winner(trick: str, strain: int, winner: int) -> None:
    assert trick_winner(cards(trick), strain) == winner


@pytest.mark.parametrize("contract", [Contract.game(6, S), Contract.game(10, NT), MISERE, ALL_PASS])
def test_first_hand_leads(contract: Contract) -> None:
    assert leader_of_first_trick(contract) == 0


HANDS = [parse_cards(text) for text in ("♠A7 ♥8", "♠K ♣A ♥7", "♣7 ♦AK")]


def test_line_with_ruffs() -> None:
    # Hearts are trumps: the second hand ruffs nothing, the third has no trump and throws away.
    line = cards("SA SK DA S7 H7 DK CA C7 H8")
    assert replay_line(HANDS, H, 0, line) == (2, 1, 0)


def test_leader_and_unfinished_trick() -> None:
    assert replay_line(HANDS, NT, 2, cards("DA S7 SK DK SA")) == (0, 0, 1)
    assert replay_line(HANDS, NT, 2, []) == (0, 0, 0)


@pytest.mark.parametrize(("line", "message"), [
    ("SA CA", "trick 1: hand 2 may not play CA; legal cards: SK"),
    ("SA SK CK", "trick 1: hand 3 does not hold CK; legal cards: C7 DA DK"),
    ("SA SK DA S7 CA", "trick 2: hand 2 may not play CA; legal cards: H7"),
    ("SA SK DA SA", "trick 2: hand 1 does not hold SA; legal cards: S7 H8"),
])
def test_line_is_checked_card_by_card(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        replay_line(HANDS, H, 0, cards(line))
    assert str(caught.value) == message


# The turned ♠8 of the talon, then the ♦7, which only the third hand can follow.
TALON = cards("S8 D7")
ALL_PASS_LINE = "S7 SK C7 H8 CA DK SA H7 DA"


def test_talon_of_three_players_only_fixes_the_suit() -> None:
    assert replay_all_pass(HANDS, cards(ALL_PASS_LINE), TALON) == (1, 1, 1, 0)


def test_suit_nobody_holds_gives_the_trick_to_the_first_hand() -> None:
    hands = [parse_cards(text) for text in ("♠7", "♠A", "♥A")]
    assert replay_all_pass(hands, cards("S7 SA HA"), cards("C7")) == (1, 0, 0, 0)


def test_talon_of_four_players_is_led_by_the_dealer() -> None:
    hands = [parse_cards(text) for text in ("♠79", "♠AQ", "♥7A")]
    line = cards("S7 SQ H7 S9 SA HA")
    assert replay_all_pass(hands, line, cards("SK C7"), talon_plays=True) == (0, 0, 0, 2)
    assert replay_all_pass(hands, line, cards("S8 D7"), talon_plays=True) == (0, 1, 0, 1)


def test_first_hand_leads_to_the_third_trick() -> None:
    # The second hand wins the second trick; still the first hand leads to the third.
    hands = [parse_cards(text) for text in ("♠789", "♠JQK", "♥789")]
    line = cards("S7 SJ H7 S8 SQ H8 S9 SK H9")
    assert replay_all_pass(hands, line, cards("S10 SA")) == (0, 3, 0, 0)
    with pytest.raises(InputError, match="trick 2: hand 1 does not hold SQ"):
        replay_all_pass(hands, cards("S7 SJ H7 SQ"), cards("S10 SA"))


def test_closed_talon_plays_like_no_trump() -> None:
    line = cards("SA SK DA S7 CA DK H8 H7 C7")
    assert replay_all_pass(HANDS, line) == (*replay_line(HANDS, NT, 0, line), 0)
    with pytest.raises(InputError, match="trick 1: hand 2 may not play"):
        replay_all_pass(HANDS, cards("SA CA"))


def _winner_by_the_book(trick: list[int], strain: int) -> int:
    trumps = [c for c in trick if c // 8 == strain]
    return trick.index(max(trumps or [c for c in trick if c // 8 == trick[0] // 8]))


@given(st.permutations(range(32)), st.integers(0, 4), st.integers(0, 2), st.randoms())
def test_any_full_line(deck: list[int], strain: int, leader: int, random: object) -> None:
    hands = [sum(1 << c for c in deck[10 * seat:10 * seat + 10]) for seat in range(3)]
    left, line, expected, first = list(hands), [], [0, 0, 0], leader
    for _ in range(10):
        trick: list[int] = []
        for i in range(3):
            seat = (leader + i) % 3
            legal = legal_cards(left[seat], trick[0] // 8 if trick else None, strain)
            assert legal
            assert legal & ~left[seat] == 0
            trick.append(random.choice(list(cards_of(legal))))
            left[seat] ^= 1 << trick[-1]
        leader = (leader + _winner_by_the_book(trick, strain)) % 3
        expected[leader] += 1
        line += trick
    assert replay_line(hands, strain, first, line) == tuple(expected)
    assert sum(expected) == 10


@given(st.integers(0, DECK), st.integers(0, 3), st.integers(0, 4))
def test_legal_cards_card_by_card(hand: int, led: int, strain: int) -> None:
    held = list(cards_of(hand))
    follow = [c for c in held if c // 8 == led]
    trumps = [c for c in held if c // 8 == strain]
    assert list(cards_of(legal_cards(hand, led, strain))) == (follow or trumps or held)
