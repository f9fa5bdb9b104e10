# mypy: disable-error-code="return-value, arg-type"
"""Which card to try first. Order changes the time, never the result."""

import numpy as np

from advisor.tricks.kernels.cards import count, last_card, rank_of, suit_of
from advisor.tricks.kernels.jit import Ints, inlined
from advisor.tricks.kernels.table import KILLER, MISERE, TRUMPS
from advisor.tricks.kernels.weights import (
    DISCARD_LEFT,
    DISCARD_LENGTH,
    DISCARD_NO_TOP,
    DISCARD_RANK,
    FIRST,
    HOLDER,
    KILLER_SCORE,
    LAST,
    LAST_VOID,
    LENGTH,
    NEXT_VOID,
    POSITIVE,
)


@inlined("void(int64[::1], int64, int64, int64)")
def insert(mem: Ints, base: int, size: int, item: int) -> None:
    """Insertion sort, greatest item first; an item is score << 32 | card."""
    at = base + size
    while at > base and mem[at - 1] < item:
        mem[at] = mem[at - 1]
        at -= 1
    mem[at] = item


@inlined("int64(int64[::1], int64, int64)")
def put(mem: Ints, at: int, cards: int) -> int:
    """Write cards of one suit to scratch, last known first; returns the place after them."""
    end = at + count(cards)
    place = end
    while cards:
        card = cards & -cards
        cards ^= card
        place -= 1
        mem[place] = card
    return end


@inlined("int64(int64[::1], int64, int64, int64, int64, int64, int64, int64)")
def put_discards(
    mem: Ints,
    base: int,
    moves: int,
    hand: int,
    union: int,
    declarer: int,
    trumps: int,
    misere: int,
) -> int:
    """Write discards to scratch, most promising first."""
    kind = 3 * declarer + (2 if misere else (1 if trumps else 0))
    size = 0
    while moves:
        y = moves & -moves
        moves ^= y
        suit = suit_of(y)
        own = hand & suit
        every = union & suit
        score = rank_of(y) * DISCARD_RANK[kind] + count(own) * DISCARD_LENGTH[kind]
        score += count(every) * DISCARD_LEFT[kind]
        if own & (every & -every) == 0:
            score += DISCARD_NO_TOP[kind]
        insert(mem, base, size, (np.int64(score) + POSITIVE) << 32 | y)
        size += 1
    return base + size


@inlined("int64(int64, int64, int64, int64, int64, int64)")
def suit_score(suit: int, a: int, b: int, c: int, kind: int, trumps: int) -> int:
    """Promise of leading a suit, by its length and by who can ruff it or discard on it."""
    score = count(a & suit) * LENGTH[kind]
    ruffed = trumps and suit != trumps
    if b & suit == 0 and (not ruffed or b & trumps):
        score += NEXT_VOID[kind]
    if c & suit == 0 and (not ruffed or c & trumps):
        score += LAST_VOID[kind]
    return np.int64(score)


@inlined("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def order_leads(mem: Ints, base: int, moves: int, a: int, b: int, c: int, d: int) -> int:
    """Write the leads worth trying to scratch, most promising first."""
    trumps = mem[TRUMPS]
    misere = mem[MISERE]
    killer = mem[base + KILLER]
    size = 0
    while moves:
        suit = suit_of(moves & -moves)
        leads = moves & suit
        moves ^= leads
        kind = 9 + d if misere else 3 * d + (0 if not trumps else (2 if suit == trumps else 1))
        promise = suit_score(suit, a, b, c, kind, trumps) + POSITIVE
        own = a & suit
        top = (a | b | c) & suit
        top &= -top
        first = own & -own
        last = last_card(own)
        kept = HOLDER[kind, 1 if own & top else (2 if b & top else 3)]
        while leads:
            x = leads & -leads
            leads ^= x
            score = promise + (HOLDER[kind, 0] if x == top else kept)
            if x == last:
                score += LAST[kind]
            if x == first:
                score += FIRST[kind]
            if x & killer:
                score += KILLER_SCORE[kind]
            insert(mem, base, size, score << 32 | x)
            size += 1
    return size


@inlined("int64(int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def order_replies(
    mem: Ints,
    base: int,
    moves: int,
    hand: int,
    union: int,
    best: int,
    led: int,
    want: int,
    declarer: int,
    trumps: int,
    misere: int,
) -> int:
    """Write the replies worth trying to scratch, most promising first; returns how many.

    ``want``: is ``best`` the other side's? Then a card that beats it is welcome in a game, and
    one that stays under it in a misère.
    ``declarer``: 1 if he is the declarer.
    """
    if moves & led:
        suit = led
    elif moves & trumps:
        suit = trumps
    else:
        return put_discards(mem, base, moves, hand, union, declarer, trumps, misere) - base
    if best & suit:
        winners = moves & (-(best << 1) if misere else best - 1)
    else:
        winners = moves if suit == trumps else 0
    losers = moves ^ winners
    if (want != 0) != (misere != 0):
        return put(mem, put(mem, base, winners), losers) - base
    return put(mem, put(mem, base, losers), winners) - base
