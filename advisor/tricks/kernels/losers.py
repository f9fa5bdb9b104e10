# mypy: disable-error-code="return-value"
"""Cards of the declarer that must lose, in games on tricks: he has nobody to discard on.

He parts with a card only by leading it, by following suit, or on a trick of the defenders; so as
long as the defenders keep as many winners in each suit as he has cards there, every winner is a
trick: what he wins he wins with other cards, and then a defender has another card to let go too.
"""

import numpy as np

from advisor.tricks.kernels.cards import CARDS, count
from advisor.tricks.kernels.certain import trump_floor
from advisor.tricks.kernels.jit import Places, inlined
from advisor.tricks.kernels.table import PREFIXES, TRUMP_TRICKS


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


@inlined("int64(uint16[::1], int64, int64, int64)")
def unbeaten(places: Places, held: int, mine: int, most: int) -> int:
    """Tricks of a defender in one suit, if the declarer follows: how many << 8 | relevant card.

    Of his first ``most`` cards, not more than the declarer has, those left over when every
    beatable one is matched with a higher card of the declarer's.
    """
    kept = np.int64(places[PREFIXES + (held << 4 | min(most, count(mine)))])
    return np.int64(places[TRUMP_TRICKS + ((kept | mine) << 8 | kept)])


@inlined("int64(int64, int64)")
def above(held: int, mine: int) -> int:
    """As ``unbeaten``, but only cards higher than all of the declarer's."""
    top = held & ((mine & -mine) - 1)
    number = min(count(top), count(mine))
    return number << 8 | top


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def losers(places: Places, own: int, x: int, y: int, trumps: int, target: int) -> int:
    """Tricks of the defenders x and y, whoever leads: how many << 32 | relevant cards.

    The trump tricks of one of them; and in each side suit tricks of one, who keeps there as many
    cards as he counts on, never more than the declarer has, and plays one whenever it is played.
    Either such a card wins or it takes a higher one of the declarer's along. If the declarer wins
    otherwise, he plays a card from elsewhere, so both have others to let go too; if he discards,
    the trick is the defenders', and one card less is kept at most. He with the trumps may have to
    ruff his partner's lead while the declarer lets a loser go: of his side cards only those above
    all of the declarer's count, which he then cashes, and of his partner's only as many as he can
    follow to: with trumps he does not discard.
    """
    floor_x = trump_floor(places, x, own, trumps)
    floor_y = trump_floor(places, y, own, trumps)
    if floor_x >> 32 < floor_y >> 32:
        x, y = y, x
        floor_x = floor_y
    total = floor_x >> 32
    relevant = floor_x & CARDS
    for suit in range(4):
        if total >= target:
            break
        at = 8 * suit
        mine = own >> at & 255
        if mine == 0 or 0xFF << at == trumps:
            continue
        in_x = x >> at & 255
        in_y = y >> at & 255
        if floor_x:
            got = unbeaten(places, in_y, mine, count(in_x))
            other = above(in_x, mine)
        else:
            got = unbeaten(places, in_y, mine, 8)
            other = unbeaten(places, in_x, mine, 8)
        if other >> 8 > got >> 8:
            got = other
        total += got >> 8
        if got >> 8:
            relevant |= (got & 255) << at
    return total << 32 | relevant
