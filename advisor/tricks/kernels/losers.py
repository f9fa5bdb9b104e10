# mypy: disable-error-code="return-value"
"""Cards of the declarer that must lose, in games on tricks: he has nobody to discard on.

He parts with a card only by leading it, by following suit, or on a trick of the defenders; so as
long as the defenders keep as many winners in each suit as he has cards there, every winner is a
trick: what he wins he wins with other cards, and then a defender has another card to let go too.
"""

from advisor.tricks.kernels.cards import CARDS, count
from advisor.tricks.kernels.certain import trump_floor
from advisor.tricks.kernels.jit import Places, inlined


@inlined("int64(int64, int64)")
def first_cards(cards: int, number: int) -> int:
    """So many cards of one suit, those known first."""
    rest = cards
    while number:
        rest &= rest - 1
        number -= 1
    return cards ^ rest


@inlined("boolean(int64, int64)")
def guards(held: int, own: int) -> bool:
    """Does a defender's card of a suit win a trick in the end if the declarer leads every card?

    He can follow to the higher ones and keep it, and the declarer has one left for it.
    """
    if held == 0:
        return False
    above = count(own & ((held & -held) - 1))
    return count(held) > above and count(own) > above


@inlined("int64(int64, int64, int64, int64, int64)")
def one_loser(own: int, x: int, y: int, a: int, trumps: int) -> int:
    """A guard that costs a declarer who needs every trick one of them: relevant card, or 0.

    To be led is all that can happen to his cards. A defender on lead (``a`` his cards, 0 else)
    has to have another suit to lead, and an overruff could take his trumps.
    """
    for suit in range(4):
        mask = 0xFF << (8 * suit)
        if a and (not a & ~mask or mask == trumps):
            continue
        mine = own & mask
        if mine == 0:
            continue
        for held in (x & mask, y & mask):
            if guards(held, mine):
                return held & -held
    return 0


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def losers(places: Places, own: int, x: int, y: int, trumps: int, target: int) -> int:
    """Tricks of the defenders x and y, whoever leads: how many << 32 | relevant cards.

    In each side suit the cards of one of them above all of the declarer's, but not more than he
    has; and the trump tricks of one. The other must not have to ruff a winner with such a trump:
    he follows suit, since with trumps he discards nothing.
    """
    floor_x = trump_floor(places, x, own, trumps)
    floor_y = trump_floor(places, y, own, trumps)
    most_x = 8
    most_y = 8
    if floor_x >> 32 >= floor_y >> 32:
        floor = floor_x
        most_y = 0 if floor else 8
    else:
        floor = floor_y
        most_x = 0
    total = floor >> 32
    relevant = floor & CARDS
    for suit in range(4):
        if total >= target:
            break
        mask = 0xFF << (8 * suit)
        mine = own & mask
        if mine == 0 or mask == trumps:
            continue
        above = (mine & -mine) - 1
        in_x = x & mask
        in_y = y & mask
        top_x = in_x & above
        top_y = in_y & above
        number_x = min(count(top_x), max(most_x, count(in_y)))
        number_y = min(count(top_y), max(most_y, count(in_x)))
        number = min(max(number_x, number_y), min(count(mine), target - total))
        total += number
        relevant |= first_cards(top_x if number_x >= number_y else top_y, number)
    return total << 32 | relevant
