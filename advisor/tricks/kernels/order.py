"""Which card to try first. Order changes the time, never the result."""

from advisor.tricks.kernels.cards import count, last_card, rank_of, suit_of
from advisor.tricks.kernels.jit import Ints, inlined
from advisor.tricks.kernels.table import KILLER, MISERE, TRUMPS


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
    mem: Ints, base: int, moves: int, hand: int, union: int, trumps: int, misere: int, size: int
) -> int:
    """Write discards to scratch: small cards of long suits without the top card first."""
    while moves:
        y = moves & -moves
        moves ^= y
        suit = suit_of(y)
        own = hand & suit
        top = union & suit
        score = rank_of(y) + (0 if (own & (top & -top)) else 8) + count(own)
        insert(mem, base, size, score << 32 | y)
        size += 1
    return base + size


@inlined("int64(int64, int64, int64, int64, int64, int64, int64, int64)")
def lead_score(x: int, suit: int, a: int, b: int, c: int, d: int, trumps: int, misere: int) -> int:
    """Promise of a lead, about 0..100."""
    own = a & suit
    union = (a | b | c) & suit
    if misere:
        lowest = union & -union
        if d == 0:
            others = (b | c) & suit
            if others == 0:
                return 0
            return 60 if x == lowest else 30 - count(own) + (8 if x == last_card(own) else 0)
        hers = (b if d == 1 else c) & suit
        mate = (c if d == 1 else b) & suit
        if hers == 0:
            return 20 + (10 if x == last_card(own) else 0)
        first = hers & -hers
        if x < first and (mate == 0 or (mate & -mate) < first):
            return 90
        return 40 if x == (own & -own) else 30
    top = union & -union
    if d == 0:
        if x == top:
            return 50 + count(own)
        if (own & -own) == top:
            return 20 + (10 if x == last_card(own) else 0)
        return 30 + count(own) + (5 if x == last_card(own) else 0)
    hers = (b if d == 1 else c) & suit
    mate = (c if d == 1 else b) & suit
    if hers == 0 and trumps and suit != trumps:
        hand = b if d == 1 else c
        if hand & trumps:
            return 10
    if x == top:
        return 50 + count(own)
    if mate & top:
        return 55 + (5 if x == last_card(own) else 0)
    if hers & top:
        return 35 + (5 if d == 1 else 0) + (5 if x == last_card(own) else 0)
    return 30 + (5 if x == last_card(own) else 0)


@inlined("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def order_leads(mem: Ints, base: int, moves: int, a: int, b: int, c: int, d: int) -> int:
    """Write the leads worth trying to scratch, most promising first."""
    trumps = mem[TRUMPS]
    misere = mem[MISERE]
    killer = mem[base + KILLER]
    size = 0
    left = moves
    while left:
        x = left & -left
        left ^= x
        suit = suit_of(x)
        score = lead_score(x, suit, a, b, c, d, trumps, misere)
        if x & killer:
            score += 40
        insert(mem, base, size, score << 32 | x)
        size += 1
    return size


@inlined("int64(int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def order_replies(
    mem: Ints,
    base: int,
    moves: int,
    hand: int,
    union: int,
    best: int,
    led: int,
    want: int,
    trumps: int,
    misere: int,
) -> int:
    """Write the replies worth trying to scratch, most promising first; returns how many.

    ``want``: is the player's side better off if he takes the lead of the trick from ``best``?
    """
    if moves & led:
        suit = led
    elif moves & trumps:
        suit = trumps
    else:
        return put_discards(mem, base, moves, hand, union, trumps, misere, 0) - base
    if best & suit:
        winners = moves & (-(best << 1) if misere else best - 1)
    else:
        winners = moves if suit == trumps else 0
    losers = moves ^ winners
    if want:
        return put(mem, put(mem, base, winners), losers) - base
    return put(mem, put(mem, base, losers), winners) - base
