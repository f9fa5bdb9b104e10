# mypy: disable-error-code="no-any-return"
"""Sets of cards inside the search.

A suit is a byte whose bit 0 is the end of the suit that is *known first*: the ace in a game, the
seven in a misère. ``x < y`` then means "x is known before y", and one code serves both.
"""

import numpy as np

from advisor.tricks.kernels.jit import inlined

CARDS = 0xFFFFFFFF
NOT_FIRST = 0xFEFEFEFE
NOT_LAST = 0x7F7F7F7F

REVERSED = np.array([int(f"{i:08b}"[::-1], 2) for i in range(256)], np.int64)


@inlined("int64(int64)")
def count(x: int) -> int:
    """Number of cards; the loop is an idiom that compiles to one instruction."""
    number = 0
    while x:
        x &= x - 1
        number += 1
    return number


@inlined("int64(int64)")
def suit_of(card: int) -> int:
    """Mask of the suit of one card."""
    return 0xFF << (count(card - 1) & 24)


@inlined("int64(int64)")
def rank_of(card: int) -> int:
    """Place of a card in its suit, 0..7: high where it is cheap to let go."""
    return count(card - 1) & 7


@inlined("int64(int64)")
def last_card(x: int) -> int:
    """The card of a non-empty set that is known last: the weakest of a suit in a game."""
    x |= x >> 1
    x |= x >> 2
    x |= x >> 4
    x |= x >> 8
    x |= x >> 16
    return x ^ (x >> 1)


@inlined("int64(int64)")
def from_first(cards: int) -> int:
    """In each suit that has cards, everything from the first card on."""
    cards |= (cards << 1) & 0xFEFEFEFE
    cards |= (cards << 2) & 0xFCFCFCFC
    return cards | (cards << 4) & 0xF0F0F0F0


@inlined("int64(int64)")
def firsts(cards: int) -> int:
    """The first card of each suit."""
    return cards & ~((from_first(cards) << 1) & NOT_FIRST)


@inlined("int64(int64)")
def whole_suits(cards: int) -> int:
    """All places of the suits in which there are cards."""
    cards |= (cards >> 1) & 0x7F7F7F7F
    cards |= (cards >> 2) & 0x3F3F3F3F
    cards |= (cards >> 4) & 0x0F0F0F0F
    return (cards & 0x01010101) * 255


@inlined("int64(int64, int64)")
def known_end(relevant: int, union: int) -> int:
    """Cards of the union from the known end of each suit down to the last relevant one."""
    x = relevant
    x |= (x >> 1) & 0x7F7F7F7F
    x |= (x >> 2) & 0x3F3F3F3F
    x |= (x >> 4) & 0x0F0F0F0F
    return x & union


@inlined("int64(int64, int64)")
def first_of_runs(hand: int, union: int) -> int:
    """One card for each run of cards of a hand with nobody else's card between them."""
    empty = ~union & NOT_LAST
    return hand & ~((empty + ((hand << 1) & NOT_FIRST)) & union)


@inlined("int64(int64, int64, int64)")
def run_of(card: int, hand: int, union: int) -> int:
    """All cards of the run that ``card`` stands for."""
    passable = hand | (~union & CARDS)
    return ((passable + card) ^ passable) & hand & suit_of(card)


@inlined("int64(int64, int64)")
def inner(cards: int, misere: int) -> int:
    """Cards as the search wants them: the known end of each suit at bit 0."""
    if misere:
        return cards
    return (
        REVERSED[cards & 255]
        | REVERSED[cards >> 8 & 255] << 8
        | REVERSED[cards >> 16 & 255] << 16
        | REVERSED[cards >> 24 & 255] << 24
    )


@inlined("int64(int64, int64, int64)")
def legal(hand: int, led: int, trumps: int) -> int:
    """Cards that may be played to a suit led (rules.md 1.5)."""
    follow = hand & led
    if follow:
        return follow
    follow = hand & trumps
    if follow:
        return follow
    return hand


@inlined("boolean(int64, int64, int64, int64)")
def beats(new: int, old: int, trumps: int, misere: int) -> bool:
    """Does a card played later win over the best so far?"""
    suit = suit_of(old)
    if new & suit:
        return (new > old) if misere else (new < old)
    return (new & trumps) != 0


@inlined("int64(int64, int64, int64)")
def interchangeable(card: int, relevant: int, union: int) -> int:
    """Cards that fail as ``card`` did: its suit beyond the known end, if it lies there itself."""
    known = known_end(relevant, union)
    if card & known:
        return 0
    return suit_of(card) & ~known


@inlined("int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def rank_used(
    x: int,
    y: int,
    z: int,
    a: int,
    b: int,
    c: int,
    winner: int,
    yes_place: int,
    union: int,
    misere: int,
) -> int:
    """Cards whose rank decided a trick; empty if only one card of the winning suit was played.

    In a game that is the winner, in a misère the best loser. It stands for its whole run, unless
    its owner is the one side (bits of ``yes_place``) that was free to choose this very card.
    """
    won = x if winner == 0 else (y if winner == 1 else z)
    suit = suit_of(won)
    same = (x | y | z) & suit
    if same == won:
        return 0
    if misere:
        losers = same ^ won
        card = losers & -losers
        if losers != card:
            card = losers ^ card
    else:
        card = won
    if card == x:
        place, hand = 0, a
    elif card == y:
        place, hand = 1, b
    else:
        place, hand = 2, c
    if yes_place >> place & 1:
        return card
    return run_of(card, hand, union)
