"""Certain tricks and certain misères against a dumb search with all cards open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.cards import DECK, parse_cards
from advisor.tricks.sure import sure_tricks, sure_zero

NT = 4
SUITS = [0xFF << 8 * s for s in range(4)]


def legal(hand: int, led: int | None, trump: int) -> int:
    """Cards that may be played: follow, else trump, else anything (rules.md 1.5)."""
    if led is None:
        return hand
    trumps = SUITS[trump] if trump < NT else 0
    return hand & SUITS[led] or hand & trumps or hand


def beats(new: int, old: int, trump: int) -> bool:
    return new > old if new >> 3 == old >> 3 else new >> 3 == trump


def reaches(hands: list[int], leader: int, trump: int, goal: int, trick: tuple[int, ...]) -> bool:
    """Whether the declarer (hand 0) takes at least `goal` more tricks against the best defence."""
    if goal <= 0:
        return True
    if not trick and hands[0].bit_count() < goal:
        return False
    player = (leader + len(trick)) % 3
    options = legal(hands[player], trick[0] >> 3 if trick else None, trump)
    for number in range(32):
        if not options >> number & 1:
            continue
        hands[player] ^= 1 << number
        played = (*trick, number)
        if len(played) < 3:
            result = reaches(hands, leader, trump, goal, played)
        else:
            best = 0
            for i in (1, 2):
                best = i if beats(played[i], played[best], trump) else best
            winner = (leader + best) % 3
            result = reaches(hands, winner, trump, goal - (winner == 0), ())
        hands[player] ^= 1 << number
        if result == (player == 0):
            return result
    return player != 0


def caught(hands: list[int], leader: int, trick: tuple[int, ...] = ()) -> bool:
    """Whether the defenders can give the misère player (hand 0) a trick."""
    if not trick and not hands[0]:
        return False
    player = (leader + len(trick)) % 3
    options = legal(hands[player], trick[0] >> 3 if trick else None, NT)
    for number in range(32):
        if not options >> number & 1:
            continue
        hands[player] ^= 1 << number
        played = (*trick, number)
        if len(played) < 3:
            result = caught(hands, leader, played)
        else:
            best = 0
            for i in (1, 2):
                best = i if beats(played[i], played[best], NT) else best
            winner = (leader + best) % 3
            result = winner == 0 or caught(hands, winner)
        hands[player] ^= 1 << number
        if result == (player != 0):
            return result
    return player == 0


def masks(cards: np.ndarray) -> np.ndarray:
    return (np.uint32(1) << cards.astype(np.uint32)).sum(-1).astype(np.uint32)


def endings(seed: int, count: int, size: int, tilt: float) -> tuple[np.ndarray, ...]:
    """Random endings, the declarer's cards high (`tilt` above 0) or low and often in long suits."""
    rng = np.random.default_rng(seed)
    liking = rng.gumbel(size=(count, 32)) + tilt * (np.arange(32) % 8)
    liking += np.repeat(2 * rng.gumbel(size=(count, 4)), 8, axis=1)
    own = np.argsort(-liking, axis=1)[:, :size]
    others = rng.random((count, 32)) + np.repeat(rng.random((count, 4)), 8, axis=1)
    np.put_along_axis(others, own, -1.0, axis=1)
    rest = rng.permuted(np.argsort(-others, axis=1)[:, : 2 * size], axis=1)
    return masks(own), masks(rest[:, :size]), masks(rest[:, size:])


@pytest.mark.parametrize(("size", "count", "tilt"),
                         [(2, 400, 0.3), (3, 400, 0), (3, 400, 0.5), (3, 400, 1.2), (4, 80, 0.6),
                          (4, 80, 1.2), (5, 6, 1.0)])
def test_sure_tricks_can_be_enforced(size: int, count: int, tilt: float) -> None:
    own, left, right = endings(size * 100 + int(10 * tilt), count, size, tilt)
    gone = DECK & ~(own | left | right)
    claims = 0
    for strain in range(5):
        for on_lead in (True, False):
            bound = sure_tricks(own, gone, strain, on_lead)
            for i in np.flatnonzero(bound > 0):
                hands = [int(own[i]), int(left[i]), int(right[i])]
                leader = 0 if on_lead else 1 + int(i) % 2
                assert reaches(hands, leader, strain, int(bound[i]), ()), (hands, strain, leader)
                claims += 1
    assert claims > count


@pytest.mark.parametrize(("size", "count"), [(2, 300), (3, 500), (4, 150), (5, 12)])
def test_sure_zero_cannot_be_caught(size: int, count: int) -> None:
    own, left, right = endings(size, count, size, -1.0)
    gone = DECK & ~(own | left | right)
    for on_lead in (True, False):
        certain = np.flatnonzero(sure_zero(own, gone, on_lead))
        assert len(certain) > count / 10
        for i in certain:
            leader = 0 if on_lead else 1 + int(i) % 2
            hands = [int(own[i]), int(left[i]), int(right[i])]
            assert not caught(hands, leader), (hands, leader)


def test_the_search_itself() -> None:
    ace_first = [parse_cards(t) for t in ("♠AQ", "♠K7", "♠J8")]
    assert not reaches(ace_first, 0, NT, 2, ())
    assert reaches(ace_first, 1, NT, 2, ())
    assert not caught([parse_cards(t) for t in ("♠79", "♠810", "♠JQ")], 1)
    assert caught([parse_cards(t) for t in ("♠710", "♠89", "♥JQ")], 1)


@pytest.mark.parametrize(("hand", "gone", "strain", "on_lead", "tricks"), [
    ("♠AKQJ10987 ♣AK", "♦78", 0, True, 10),
    ("♠AKQJ10987 ♣AK", "♦78", 0, False, 10),
    ("♠AKQJ1098 ♣AKQ", "♦78", 0, True, 10),
    ("♠AKQJ1098 ♣AKQ", "♦78", 0, False, 9),     # the seven may ruff a club first
    ("♠AKQJ1098 ♣AKQ", "♠7 ♦8", 0, False, 10),
    ("♠AK ♣AK ♦AKQ ♥AKQ", "♠78", NT, True, 10),
    ("♠AK ♣AK ♦AKQ ♥AKQ", "♠78", NT, False, 10),
    ("♠AKQJ10987 ♣AK", "♦78", NT, True, 10),
    ("♠AKQJ10987 ♣AK", "♦78", NT, False, 0),     # eight hearts and two diamonds may be run
    ("♠AKQJ109 ♣AK ♦AK", "♥78", NT, False, 4),  # six hearts may be run
    ("♠AKQJ98 ♣AK ♦AK", "♥78", NT, True, 10),   # the ten and seven fall
    ("♠AKQJ98 ♣AK ♦AK", "♥78", 0, True, 10),
    ("♠AKQJ98 ♣AK ♦A7", "♥78", 0, True, 9),
    ("♠KQJ10987 ♣AKQ", "♦78", 0, True, 9),
    ("♠87 ♣87 ♦987 ♥987", "♠9 ♣9", 0, False, 0),
])
def test_known_hands(hand: str, gone: str, strain: int, on_lead: bool, tricks: int) -> None:
    assert sure_tricks(parse_cards(hand), parse_cards(gone), strain, on_lead) == tricks


@pytest.mark.parametrize(("hand", "gone", "on_lead", "certain"), [
    ("♠79J ♣79J ♦78 ♥79", "♠A ♣A", False, True),
    ("♠79J ♣79J ♦78 ♥79", "♠A ♣A", True, True),       # the seven or eight of diamonds
    ("♠79J ♣79JK ♦79Q", "♥78", False, False),
    ("♠79J ♣79J ♦79 ♥79", "♠A ♣A", True, False),      # no suit can be led safely
    ("♠79J ♣79J ♦79 ♥8", "♥7 ♣A", False, True),
    ("♠78910JQKA ♣79", "♥78", True, False),           # only clubs could be led
    ("♠78910JQKA ♣78", "♥78", True, True),
])
def test_known_miseres(hand: str, gone: str, on_lead: bool, certain: bool) -> None:
    assert sure_zero(parse_cards(hand), parse_cards(gone), on_lead) == certain


hands = st.permutations(range(32)).map(
    lambda p: (sum(1 << c for c in p[:10]), sum(1 << c for c in p[10:12])))


@given(hands, st.permutations(range(4)), st.integers(0, 4), st.booleans())
def test_suits_are_alike(
    cards: tuple[int, int], order: list[int], strain: int, on_lead: bool
) -> None:
    def moved(mask: int) -> int:
        return sum((mask >> 8 * s & 0xFF) << 8 * order[s] for s in range(4))
    kept, gone = cards
    there = order[strain] if strain < NT else NT
    assert (sure_tricks(kept, gone, strain, on_lead)
            == sure_tricks(moved(kept), moved(gone), there, on_lead))
    assert sure_zero(kept, gone, on_lead) == sure_zero(moved(kept), moved(gone), on_lead)


@given(hands, st.integers(0, 4))
def test_the_lead_never_costs_a_sure_trick(cards: tuple[int, int], strain: int) -> None:
    off, on = (int(sure_tricks(*cards, strain, lead)) for lead in (False, True))
    assert 0 <= off <= on <= 10


@given(hands)
def test_the_misere_lead_never_helps_certainty(cards: tuple[int, int]) -> None:
    assert sure_zero(*cards, True) <= sure_zero(*cards, False)


def test_shapes_broadcast() -> None:
    own, left, right = endings(3, 12, 10, 0.5)
    gone = DECK & ~(own | left | right)
    kept = own.reshape(3, 4)
    table = sure_tricks(kept[:, :, None], gone[None, None, :5], 1, True)
    assert table.shape == (3, 4, 5)
    assert table.dtype == np.int8
    for i, j, k in ((0, 0, 0), (2, 3, 4), (1, 2, 3)):
        assert table[i, j, k] == sure_tricks(kept[i, j], gone[k], 1, True)
    strided = np.ascontiguousarray(np.stack([own, own], 1))[:, 0]
    assert (sure_zero(strided, gone, False) == sure_zero(own, gone, False)).all()
    assert sure_tricks(np.empty((0, 3), np.uint32), 0, 4, False).shape == (0, 3)
