# mypy: disable-error-code="assignment"
"""Misères that are safe for good or caught at once, found without search."""

import numpy as np

from advisor.tricks.kernels.cards import firsts, from_first, last_card, suit_of, whole_suits
from advisor.tricks.kernels.jit import Places, inlined
from advisor.tricks.kernels.table import NO, SAFETY, UNSAFE, YES


@inlined("int64(uint16[::1], int64, int64)")
def all_safe(places: Places, own: int, union: int) -> int:
    """Cards that make every suit of a misère safe off lead, or -1."""
    relevant = 0
    for suit in range(4):
        at = 8 * suit
        part = own >> at & 255
        if part:
            card = np.int64(places[SAFETY + ((union >> at & 255) << 8 | part)])
            if card == UNSAFE:
                return -1
            relevant |= card << at
    return relevant


@inlined("int64(uint16[::1], int64, int64, int64)")
def safe_exit(places: Places, own: int, b: int, c: int) -> int:
    """Cards that let the declarer lead low and be safe ever after, or -1."""
    union = own | b | c
    for suit in range(4):
        mask = 0xFF << (8 * suit)
        part = own & mask
        if part == 0 or (b | c) & mask == 0:
            continue
        low = part & -part
        in_b = b & mask
        in_c = c & mask
        if not ((in_b and low < (in_b & -in_b)) or (in_c and low < (in_c & -in_c))):
            continue
        others = in_b | in_c
        if in_b:
            others ^= last_card(others)
        if in_c:
            others ^= last_card(others)
        rest = own ^ low
        relevant = all_safe(places, rest, (union & ~mask) | (rest & mask) | others)
        if relevant >= 0:
            return relevant | low
    return -1


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def sure_misere(places: Places, a: int, b: int, c: int, d: int, need: int) -> int:
    """Is a misère safe for good, or caught at once? Relevant cards, plus YES or NO."""
    union = a | b | c
    if d == 0:
        relevant = safe_exit(places, a, b, c)
        if relevant >= 0:
            return relevant | NO
        if need == 1:
            low = firsts(a)
            under_b = firsts(b) & whole_suits(a)
            under_c = firsts(c) & whole_suits(a)
            below = from_first(low)
            if (under_b | under_c) & below == 0:
                return under_b | under_c | YES
        return 0
    own = b if d == 1 else c
    relevant = all_safe(places, own, union)
    if relevant >= 0:
        return relevant | NO
    if need == 1:
        mate = c if d == 1 else b
        below = whole_suits(own) & ~from_first(own)
        leads = firsts(a) & below
        if leads:
            mates = firsts(mate)
            leads &= ~whole_suits(mates & ~below)
            if leads:
                lead = leads & -leads
                return lead | (mates & suit_of(lead)) | YES
    return 0
