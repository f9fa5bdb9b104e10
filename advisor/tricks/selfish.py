"""All-pass card by card: what each lead brings, and a line, when everybody looks after himself.

The solver values whole endings only, so a trick is spread out here: every distinct way to play it,
the endings after all of them solved in one go, and the choices made from the last card back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from advisor.cards import cards_of
from advisor.rules.play import DEALER, legal_cards, trick_winner
from advisor.tricks.all_pass import solve_all_pass
from advisor.tricks.line import Trick

CHUNK = 64  # endings solved between two reports of progress

Hands = tuple[int, int, int]
Shares = tuple[int, int, int, int]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Turned:
    """Talon cards still to be turned, in order; whether they play or only name the suit."""

    cards: tuple[int, ...] = ()
    plays: bool = False


@dataclass(frozen=True, slots=True)
class _Ending:
    """Hands by seat, the seat to play first, what is still to be turned."""

    hands: Hands
    leader: int
    turned: Turned


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to play a trick: cards in the order played, who wins, what is left."""

    cards: tuple[int, int, int]
    winner: int
    rest: _Ending


def selfish_play(
    hands: Hands, leader: int, turned: Turned, progress: Progress | None = None
) -> tuple[dict[int, Shares], tuple[Trick, ...]]:
    """What each lead brings, and a line in which each card is the best for who plays it.

    Parameters
    ----------
    hands : tuple of int
        Card masks by seat.
    leader : int
        Seat that plays first.
    turned : Turned
    progress : callable, optional
        Called with the number of endings solved and their total, for one trick after another.

    Returns
    -------
    leads : dict
        By card number of each card the leader may play: tricks by seat, the dealer's fourth.
    line : tuple of Trick
        Seats, 3 the dealer; of cards as good as each other the lowest is played.

    Notes
    -----
    ``"equilibrium"`` of `solve_all_pass`; the talon as in rules.md 1.6.
    """
    ending = _Ending(hands, leader, turned)
    answers = _best_answers(ending, progress)
    values = {way.cards[0]: shares for way, shares in answers}
    runs = _runs(_legal(hands[leader], turned, None), _live(hands, turned))
    leads = {card: values[first] for card, first in sorted(runs.items())}
    line = []
    while True:
        way, _ = min(answers, key=partial(_liking, ending.leader))
        line.append(Trick(ending.leader, way.cards, way.winner))
        ending = way.rest
        if not ending.hands[0]:
            return leads, tuple(line)
        answers = _best_answers(ending, progress)


def _best_answers(ending: _Ending, progress: Progress | None) -> list[tuple[_Way, Shares]]:
    """For each distinct lead, the trick as the other two play it, and the shares it leads to."""
    ways = _ways(ending)
    endings = _solved(list(dict.fromkeys(way.rest for way in ways)), progress)
    shares = {way.cards: _add(endings[way.rest], way.winner) for way in ways}
    answers: dict[int, dict[int, list[_Way]]] = {}
    for way in ways:
        answers.setdefault(way.cards[0], {}).setdefault(way.cards[1], []).append(way)
    second, third = (ending.leader + 1) % 3, (ending.leader + 2) % 3

    def wish(seat: int, way: _Way) -> Shares:
        return _wish(seat, shares[way.cards])

    best = [min((min(last, key=partial(wish, third)) for last in middle.values()),
                key=partial(wish, second)) for middle in answers.values()]
    return [(way, shares[way.cards]) for way in best]


def _solved(endings: list[_Ending], progress: Progress | None) -> dict[_Ending, Shares]:
    """Shares from endings that all have as many cards and turned cards left."""
    if not endings[0].hands[0]:
        return dict.fromkeys(endings, (0, 0, 0, 0))
    if not endings[0].turned.cards:
        return dict(zip(endings, _solve(endings, progress), strict=True))
    ways = {ending: _ways(ending) for ending in endings}
    after = _solved(list(dict.fromkeys(way.rest for found in ways.values() for way in found)),
                    progress)
    return {ending: _choice(ending, found, after) for ending, found in ways.items()}


def _choice(ending: _Ending, ways: list[_Way], after: dict[_Ending, Shares]) -> Shares:
    """Backward through one trick whose ways come in the order of their cards."""
    leader, second, third = ((ending.leader + i) % 3 for i in range(3))
    leads: dict[int, dict[int, Shares]] = {}
    for way in ways:
        x, y, _ = way.cards
        shares = _add(after[way.rest], way.winner)
        known = leads.setdefault(x, {}).get(y)
        if known is None or _wish(third, shares) < _wish(third, known):
            leads[x][y] = shares
    best = [min(middle.values(), key=partial(_wish, second)) for middle in leads.values()]
    return min(best, key=partial(_wish, leader))


def _solve(endings: list[_Ending], progress: Progress | None) -> Iterator[Shares]:
    for start in range(0, len(endings), CHUNK):
        part = endings[start:start + CHUNK]
        tricks = solve_all_pass(np.array([ending.hands for ending in part], np.uint32),
                                np.array([ending.leader for ending in part], np.int8),
                                method="equilibrium")
        if progress is not None:
            progress(start + len(part), len(endings))
        for x, y, z in tricks.tolist():
            yield x, y, z, 0


def _wish(seat: int, shares: Shares) -> Shares:
    """Small for what a player likes: few tricks, then many for the next player, the one after."""
    return shares[seat], -shares[(seat + 1) % 3], -shares[(seat + 2) % 3], 0


def _liking(seat: int, answer: tuple[_Way, Shares]) -> Shares:
    return _wish(seat, answer[1])


def _add(shares: Shares, winner: int) -> Shares:
    x, y, z, dealer = (tricks + (seat == winner) for seat, tricks in enumerate(shares))
    return x, y, z, dealer


def _ways(ending: _Ending) -> list[_Way]:
    """The tricks that differ; of cards that nothing in play separates only the lowest is tried."""
    hands, leader = ending.hands, ending.leader
    first, second, third = (hands[(leader + i) % 3] for i in range(3))
    live = _live(hands, ending.turned)
    found = []
    for x in _distinct(_legal(first, ending.turned, None), live):
        for y in _distinct(_legal(second, ending.turned, x), live):
            for z in _distinct(_legal(third, ending.turned, x), live):
                found.append(_way(ending, (x, y, z)))
    return found


def _way(ending: _Ending, cards: tuple[int, int, int]) -> _Way:
    """A trick played; the first hand leads to the one after a turned card (rules.md 1.6)."""
    left = list(ending.hands)
    for place, card in enumerate(cards):
        left[(ending.leader + place) % 3] ^= 1 << card
    turned = ending.turned
    rest = Turned(turned.cards[1:], turned.plays)
    x, y, z = left
    if not turned.cards:
        winner = (ending.leader + trick_winner(cards)) % 3
        return _Way(cards, winner, _Ending((x, y, z), winner, rest))
    card = turned.cards[0]
    winner = (ending.leader + trick_winner(cards, led_suit=card >> 3)) % 3
    if turned.plays and trick_winner((card, *cards)) == 0:
        winner = DEALER
    return _Way(cards, winner, _Ending((x, y, z), ending.leader, rest))


def _legal(hand: int, turned: Turned, led: int | None) -> int:
    card = turned.cards[0] if turned.cards else led
    return legal_cards(hand, None if card is None else card >> 3)


def _live(hands: Hands, turned: Turned) -> int:
    """Cards that keep their neighbours apart."""
    live = hands[0] | hands[1] | hands[2]
    return live | sum(1 << card for card in turned.cards) if turned.plays else live


def _distinct(cards: int, live: int) -> list[int]:
    return list(dict.fromkeys(_runs(cards, live).values()))


def _runs(cards: int, live: int) -> dict[int, int]:
    """Each card, and the lowest of the neighbours that are worth as much."""
    runs: dict[int, int] = {}
    first = before = -1
    for card in cards_of(cards):
        between = (1 << card) - (1 << before + 1)
        if before < 0 or before >> 3 != card >> 3 or between & live:
            first = card
        runs[card] = first
        before = card
    return runs
