"""All-pass (raspas) card by card, by players who see nothing but their own cards.

Whoever is to play deals the cards he cannot see a number of times, in keeping with who has shown
to be void where, and plays the card after which the other two, joined against him and seeing all,
could make him take the fewest tricks on average; of equals the highest. That is a cautious player
who counts cards and guesses well, and neither reads the calls nor trusts a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from advisor.cards import DECK, cards_of
from advisor.rules.play import DEALER, legal_cards, trick_winner
from advisor.tricks.checks import NO_TRUMP
from advisor.tricks.compiled import kernels, new_memory, places

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES = 8
ENTRIES = 1 << 16
HAND = 10
SEATS = 3

Hands = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class View:
    """What a player knows when it is his turn.

    Parameters
    ----------
    seat, leader : int
    own : int
        Mask of his cards.
    table : tuple of int
        Card numbers played to this trick, in order.
    gone : int
        Mask of all cards played, and of the talon cards turned.
    voids : tuple of int
        By seat, the suits (masks) in which he has shown to be void.
    turned : int
        The talon card that leads this trick, a mask; 0 without one.
    hidden : int
        Talon cards that are still to be turned.
    plays : bool
        Whether a turned card may win the trick.
    """

    seat: int
    leader: int
    own: int
    table: tuple[int, ...]
    gone: int
    voids: Hands
    turned: int
    hidden: int
    plays: bool

    def sizes(self) -> tuple[int, int]:
        """Cards in the hands of the next player and the one after."""
        size = self.own.bit_count()
        played = [(self.leader + i) % SEATS for i in range(len(self.table))]
        first, second = (size - ((self.seat + i) % SEATS in played) for i in (1, 2))
        return first, second


def play_all_pass(
    hands: Sequence[int], turned: Sequence[int], rng: np.random.Generator, *,
    plays: bool = False, samples: int = SAMPLES,
) -> tuple[int, int, int, int]:
    """Tricks by seat, the dealer's fourth, of one all-pass.

    Parameters
    ----------
    hands : sequence of int
        Masks of ten cards by seat; the first hand is seat 0.
    turned : sequence of int
        The talon cards (masks) that lead the first two tricks, in order; none where the talon
        stays closed.
    rng : numpy.random.Generator
    plays : bool
        Whether a turned card is the dealer's and may win, or only names the suit (rules.md 1.6).
    samples : int
        Deals of the hidden cards for each decision.
    """
    left, tricks = list(hands), [0, 0, 0, 0]
    gone, leader, voids = 0, 0, [0, 0, 0]
    memory = new_memory(ENTRIES)
    for number in range(HAND):
        card = turned[number] if number < len(turned) else 0
        gone |= card
        table: list[int] = []
        led = card.bit_length() - 1 >> 3 if card else None
        for place in range(SEATS):
            seat = (leader + place) % SEATS
            view = View(seat, leader, left[seat], tuple(table), gone,
                        (voids[0], voids[1], voids[2]), card,
                        len(turned[number + 1:]), plays)
            chosen = choose(view, rng, samples, memory)
            led = chosen >> 3 if led is None else led
            if chosen >> 3 != led:
                voids[seat] |= 0xFF << 8 * led
            left[seat] ^= 1 << chosen
            gone |= 1 << chosen
            table.append(chosen)
        winner = _winner(table, leader, card, plays)
        tricks[winner] += 1
        leader = leader if card else winner
    return tricks[0], tricks[1], tricks[2], tricks[3]


def _winner(table: Sequence[int], leader: int, card: int, plays: bool) -> int:
    if not card:
        return (leader + trick_winner(table)) % SEATS
    number = card.bit_length() - 1
    if plays and trick_winner([number, *table]) == 0:
        return DEALER
    return (leader + trick_winner(table, led_suit=number >> 3)) % SEATS


def choose(
    view: View, rng: np.random.Generator, samples: int, memory: NDArray[np.int64]
) -> int:
    """The card to play, a number."""
    candidates = _candidates(view)
    if len(candidates) == 1:
        return candidates[0]
    kernel = kernels("all_pass")
    suffered = dict.fromkeys(candidates, 0)
    unseen = DECK & ~(view.gone | view.own)
    for _ in range(samples):
        first, second, later = deal_hidden(
            unseen, view.sizes(), (view.voids[(view.seat + 1) % SEATS],
                                   view.voids[(view.seat + 2) % SEATS]), view.hidden, rng)
        hands = _from_leader(view, first, second)
        kernels("table").begin(memory, NO_TRUMP, 1)
        guess = view.own.bit_count() // SEATS
        for card in candidates:
            x, y, z = ([1 << one for one in (*view.table, card)] + [0, 0])[:SEATS]
            guess = int(kernel.at_most(
                memory, places(), *hands, (view.seat - view.leader) % SEATS, x, y, z,
                view.turned, later, int(view.plays), guess))
            suffered[card] += guess
    return min(candidates, key=lambda card: (suffered[card], -(card & 7)))


def _from_leader(view: View, first: int, second: int) -> Hands:
    """Hands from the leader of the trick on, the cards on the table still in them."""
    hands = {view.seat: view.own, (view.seat + 1) % SEATS: first, (view.seat + 2) % SEATS: second}
    for place, card in enumerate(view.table):
        hands[(view.leader + place) % SEATS] |= 1 << card
    x, y, z = (hands[(view.leader + place) % SEATS] for place in range(SEATS))
    return x, y, z


def _candidates(view: View) -> list[int]:
    """Legal cards, of neighbours with nothing between them the highest."""
    led: int | None = None
    if view.turned:
        led = view.turned.bit_length() - 1 >> 3
    elif view.table:
        led = view.table[0] >> 3
    legal = legal_cards(view.own, led)
    apart = DECK & ~view.gone & ~legal | sum(1 << card for card in view.table) | view.turned
    found: list[int] = []
    for card in cards_of(legal):
        if found and found[-1] >> 3 == card >> 3 \
                and not (1 << card) - (2 << found[-1]) & apart:
            found[-1] = card
        else:
            found.append(card)
    return found


def deal_hidden(
    unseen: int, sizes: tuple[int, int], voids: tuple[int, int], hidden: int,
    rng: np.random.Generator,
) -> tuple[int, int, int]:
    """Deal unseen cards to two hands and the talon, every possible way alike.

    Parameters
    ----------
    unseen : int
        Mask.
    sizes : (int, int)
        Cards of either hand.
    voids : (int, int)
        Masks of the suits that either cannot hold.
    hidden : int
        Cards that are still to be turned, at most one; what the hands and it leave of the unseen
        cards nobody will see.
    rng : numpy.random.Generator

    Returns
    -------
    (int, int, int)
        Masks of the hands and of the card to be turned.
    """
    kinds = [unseen & ~voids[0] & ~voids[1], unseen & voids[1] & ~voids[0],
             unseen & voids[0] & ~voids[1], unseen & voids[0] & voids[1]]
    free, only_first, only_second, nobody = (kind.bit_count() for kind in kinds)
    ways: dict[tuple[int, int, int, int], int] = {}
    rest = unseen.bit_count() - sum(sizes) - nobody
    for one, two in product(range(rest + 1), repeat=2):
        both, mine = rest - one - two, sizes[0] - (only_first - one)
        if min(both, mine, free - both - mine, only_first - one, only_second - two) >= 0:
            ways[both, one, two, mine] = (comb(only_first, one) * comb(only_second, two)
                                          * comb(free, both) * comb(free - both, mine))
    keys = list(ways)
    total = sum(ways.values())
    both, one, two, mine = keys[int(rng.choice(len(keys), p=[ways[k] / total for k in keys]))]
    order = [rng.permutation(list(cards_of(kind))).tolist() for kind in kinds]
    talon = order[0][:both] + order[1][:one] + order[2][:two] + order[3]
    first = order[0][both:both + mine] + order[1][one:]
    second = order[0][both + mine:] + order[2][two:]
    later = rng.permutation(talon).tolist()[:hidden] if hidden else []
    return _mask(first), _mask(second), _mask(later)


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << int(card) for card in cards)
