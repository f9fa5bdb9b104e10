# mypy: disable-error-code="assignment, no-any-return, return-value"
"""The table of results, and the lookup tables.

Partition search (Ginsberg 1996): every answer comes with the cards whose rank it used. The known
end of each suit down to them, and the suit lengths, decide the answer; the table stores just
that. One block of int64 holds parameters, scratch, the heads of chains and a pool of entries of
four words: key, owners, mask, and next << 8 | most << 4 | least.
"""

import numpy as np

from advisor.tricks.kernels.cards import CARDS, count
from advisor.tricks.kernels.jit import Ints, Places, compiled, inlined
from advisor.tricks.kernels.trump_game import KINDS, STATES, trump_game

TRUMPS = 0  # mask of the trump suit, 0 without trumps
MISERE = 1  # 1 when the declarer avoids tricks
GENERATION = 2  # entries of older generations do not exist
USED = 3  # entries in use
NODES = 4  # positions visited, for benchmarks
CAPACITY = 5  # entries there is room for
SCRATCH = 16  # ordered moves, for each trick of the hand
SCRATCH_STEP = 32
KILLER = 31  # within a step: the lead that last did it
HEAD_BITS = 13
HEADS = SCRATCH + 11 * SCRATCH_STEP
POOL = HEADS + (1 << HEAD_BITS)
ENTRY = 4  # words

YES = 1 << 40
NO = 1 << 41
UNSAFE = 256
SAFETY = 65536  # where the second table of ``make_places`` begins
TRUMP_TRICKS = 131072  # and the third
PREFIXES = 196608  # and the fourth
TRUMP_GAME = PREFIXES + 4096  # and those of ``trump_game``


@compiled("int64(int64, int64)")
def covered_until(own: int, others: int) -> int:
    """Misère, one suit: the last card that must be compared, or UNSAFE.

    A holding is safe off lead if its first card is below the first of the others', the second
    below their second and so on: then there is always a card to play under.
    """
    card = 0
    while own and others:
        card = own & -own
        if card > (others & -others):
            return UNSAFE
        own ^= card
        others &= others - 1
    return card


@compiled("int64(int64, int64)")
def trumps_kept(own: int, others: int) -> int:
    """Trumps of a hand that cannot all be beaten: how many << 8 | the last that is counted.

    Each is played some time, and loses only to a higher one, which is then gone too; so at least
    those win that are left over when every beatable one is matched with a higher one.
    """
    above = 0
    number = 0
    last = 0
    for i in range(8):
        if others >> i & 1:
            above += 1
        elif own >> i & 1:
            if above:
                above -= 1
            else:
                number += 1
                last = 1 << i
    return number << 8 | last


@compiled("uint16[::1]()")
def make_places() -> Places:
    """Three tables over [union << 8 | part] and one over [union << 4 | number], one after another.

    Which places of the union the part fills, two bits a place; ``covered_until`` of the part;
    ``trumps_kept`` of the part; and so many first cards of the union. Then ``trump_game``.
    """
    places = np.zeros(TRUMP_GAME + KINDS * STATES, np.uint16)
    for union in range(256):
        for part in range(256):
            place = 0
            code = 0
            for i in range(8):
                if union >> i & 1:
                    code |= (part >> i & 1) << (2 * place)
                    place += 1
            places[union << 8 | part] = code
            places[65536 + (union << 8 | part)] = covered_until(part & union, union & ~part)
            places[2 * 65536 + (union << 8 | part)] = trumps_kept(part & union, union & ~part)
        number = 0
        for i in range(9):
            places[3 * 65536 + (union << 4 | number)] = union & ((1 << i) - 1)
            number += union >> i & 1
    trump_game(places[TRUMP_GAME:])
    return places


@inlined("int64(int64)")
def counts(x: int) -> int:
    """Number of cards in each suit, in the bytes of the result; two hands at a time in 64 bits."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F


@inlined("int64(int64, int64, int64, int64)")
def length_key(a: int, b: int, c: int, d: int) -> int:
    """Suit lengths of the three hands and the declarer's place: what a chain has in common."""
    two = counts(a | (b << 32))
    return two | (counts(c) << 4) | (d << 36)


@inlined("int64(int64)")
def mix(x: int) -> int:
    """Full mixer (splitmix64) down to an index of HEADS."""
    x = (x ^ (x >> 30)) * -0x40A7B892E31B1A47
    x = (x ^ (x >> 27)) * -0x6B2FB644ECCEEE15
    return (x ^ (x >> 31)) & ((1 << HEAD_BITS) - 1)


@inlined("int64(uint16[::1], int64, int64)")
def spread(places: Places, union: int, part: int) -> int:
    """The part's places in the union, suit by suit, in 16 bits each."""
    return (
        np.int64(places[(union & 255) << 8 | (part & 255)])
        | np.int64(places[(union & 0xFF00) | (part >> 8 & 255)]) << 16
        | np.int64(places[(union >> 8 & 0xFF00) | (part >> 16 & 255)]) << 32
        | np.int64(places[(union >> 16 & 0xFF00) | (part >> 24 & 255)]) << 48
    )


@inlined("int64(uint16[::1], int64, int64)")
def first_places(places: Places, mask: int, union: int) -> int:
    """Cards of the union in the places, the first of each suit, that a table mask covers."""
    result = 0
    for suit in range(4):
        number = count(mask >> (16 * suit) & 0xFFFF) >> 1
        cards = union >> (8 * suit) & 255
        result |= np.int64(places[PREFIXES + (cards << 4 | number)]) << (8 * suit)
    return result


@inlined("int64(int64[::1], int64, int64, int64)")
def probe(mem: Ints, key: int, owners: int, need: int) -> int:
    """Pool index of an entry that answers, or -1. The sign of the answer is its bound."""
    head = mem[HEADS + mix(key)]
    if (head >> 32) != mem[GENERATION]:
        return -1
    at = head & CARDS
    while at != 0:
        info = mem[at + 3]
        differs = (mem[at] ^ key) | (mem[at + 1] ^ owners) & mem[at + 2]
        if differs == 0 and ((info & 15) >= need or (info >> 4 & 15) < need):
            return at
        at = info >> 8
    return -1


@compiled("void(int64[::1], int64, int64, int64, int64, int64)")
def store(mem: Ints, key: int, owners: int, mask: int, low: int, high: int) -> None:
    """Add a result: the declarer takes ``low..high`` wherever ``owners`` agree under ``mask``."""
    if mem[USED] == mem[CAPACITY]:
        mem[USED] = 0
        mem[GENERATION] += 1
    slot = HEADS + mix(key)
    head = mem[slot]
    after = (head & CARDS) if (head >> 32) == mem[GENERATION] else 0
    at = POOL + ENTRY * mem[USED]
    mem[USED] += 1
    mem[at] = key
    mem[at + 1] = owners & mask
    mem[at + 2] = mask
    mem[at + 3] = after << 8 | high << 4 | low
    mem[slot] = mem[GENERATION] << 32 | at


@compiled("void(int64[::1], int64, int64)")
def begin(mem: Ints, strain: int, misere: int) -> None:
    """Start a new table: other defenders, other strain, or other rules."""
    mem[TRUMPS] = 0xFF << (8 * strain) if strain < 4 else 0
    mem[MISERE] = misere
    mem[GENERATION] += 1
    mem[USED] = 0
