# mypy: disable-error-code="return-value, operator, assignment, arg-type"
"""Tricks that cannot be lost, found without search, in games on tricks."""

import numpy as np

from advisor.tricks.kernels.cards import CARDS, count, firsts, from_first, suit_of, whole_suits
from advisor.tricks.kernels.jit import Places, inlined
from advisor.tricks.kernels.table import NO, PREFIXES, TRUMP_GAME, TRUMP_TRICKS
from advisor.tricks.kernels.trump_game import ALWAYS, KINDS


@inlined("int64(int64, int64)")
def better(one: int, other: int) -> int:
    """Of two results how many << 32 | relevant, the one with more."""
    return one if (one >> 32) >= (other >> 32) else other


@inlined("int64(int64, int64, int64)")
def top_trumps(own: int, others: int, trumps: int) -> int:
    """Winning trumps of a hand whoever leads: the run at the top of the suit."""
    return own & trumps & ~from_first(others)


@inlined("int64(uint16[::1], int64, int64, int64)")
def trump_floor(places: Places, own: int, rivals: int, trumps: int) -> int:
    """Trump tricks a hand gets whatever is played: how many << 32 | relevant card."""
    mine = own & trumps
    if mine == 0:
        return 0
    at = count((trumps & -trumps) - 1)
    part = mine >> at
    kept = np.int64(places[TRUMP_TRICKS + ((part | (rivals & trumps) >> at) << 8 | part)])
    return (kept >> 8) << 32 | (kept & 255) << at


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def trump_tricks(places: Places, own: int, after: int, before: int, trumps: int, kind: int) -> int:
    """What ``trump_game`` says of the declarer and the hands next to him: as ``trump_floor``."""
    at = count((trumps & -trumps) - 1)
    union = ((own | after | before) & trumps) >> at
    rivals = union & ~(own >> at)
    ends = union & ~(after >> at)
    state = np.int64(places[union << 8 | ends]) | np.int64(places[union << 8 | rivals]) << 1
    got = np.int64(places[TRUMP_GAME + KINDS * state + kind])
    return (got & 15) << 32 | np.int64(places[PREFIXES + (union << 4 | (got >> 4 & 15))]) << at


@inlined("int64(int64, int64, int64)")
def tops(own: int, union: int, lead: int) -> int:
    """Top cards of ``own`` in suits that ``lead`` holds; in the high half, whether in all."""
    wanted = firsts(union) & whole_suits(lead)
    mine = own & wanted
    return (1 << 32 if mine == wanted else 0) | mine


@inlined("int64(int64, int64, int64, int64, int64, int64)")
def cash(own: int, x: int, y: int, trumps: int, floor: int, target: int) -> int:
    """Tricks a hand on lead can cash, stopping at ``target``: how many << 32 | relevant cards.

    In each suit the run at its top; when the others run dry the small cards count too. A player
    who could ruff limits a suit to the rounds he must follow, unless the top trumps draw his.
    ``floor``: trump tricks that are certain anyway, as ``trump_floor`` gives them.
    """
    top = own & ~from_first(x | y)
    if top == 0:
        return floor
    total = 0
    relevant = 0
    x_ruffs = x & trumps
    y_ruffs = y & trumps
    mine = top & trumps
    if mine:
        total = count(mine)
        rounds = max(count(x_ruffs), count(y_ruffs))
        relevant = mine
        if total >= rounds:
            total = count(own & trumps)
            x_ruffs = 0
            y_ruffs = 0
        top ^= mine
    if (floor >> 32) > total:
        total = floor >> 32
        relevant |= floor & CARDS
    while top and total < target:
        suit = suit_of(top & -top)
        run = top & suit
        top ^= run
        tricks_here = count(run)
        in_x = count(x & suit)
        in_y = count(y & suit)
        rounds = max(in_x, in_y)
        if tricks_here >= rounds:
            tricks_here = count(own & suit)
        if x_ruffs:
            tricks_here = min(tricks_here, in_x)
        if y_ruffs:
            tricks_here = min(tricks_here, in_y)
        total += tricks_here
        needed = min(tricks_here, rounds)
        rest = run
        while needed:
            rest &= rest - 1
            needed -= 1
        relevant |= run ^ rest
    return total << 32 | relevant


@inlined("int64(int64, int64, int64, int64, int64, int64)")
def team_cash(own: int, foe: int, mate: int, trumps: int, target: int, n: int) -> int:
    """Tricks a defender on lead can cash, his partner's too if he can reach him."""
    got = cash(own, foe, mate, trumps, 0, target)
    total = got >> 32
    if total >= target:
        return got
    union = own | foe | mate
    bridge = tops(mate, union, own) & CARDS
    if bridge and trumps and foe & trumps:
        for suit in range(4):
            mask = 0xFF << (8 * suit)
            if not (mask & trumps) and not (foe & mask):
                bridge &= ~mask
    if bridge == 0:
        mine = top_trumps(mate, own | foe, trumps)
        if mine and min(n, total + count(mine)) >= target:
            return (total + count(mine)) << 32 | (got & CARDS) | mine
        return got
    his = cash(mate, foe, own, trumps, 0, target - total)
    both = min(n, total + (his >> 32))
    return both << 32 | ((got | his | bridge & -bridge) & CARDS)


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def stopped(
    places: Places, own: int, a: int, mate: int, before: int, trumps: int, n: int, need: int
) -> int:
    """Tricks of the declarer while a defender leads: how many << 32 | relevant.

    The defenders can run the suits he does not control, one round for each card of the longer
    hand; then they must let him in, and he has kept his winners, the top cards of the others.
    His certain trump tricks come on top: with trumps he discards nothing, without he keeps winners.
    A defender with trumps does not discard either, so he cannot ruff a suit before as many rounds
    of it as he has cards. Not looked for where there cannot be ``need``.
    """
    top = own & ~from_first(a | mate)
    theirs = a | mate
    floor = 0
    if own & trumps:
        floor = trump_tricks(places, own, theirs ^ before, before, trumps, ALWAYS)
    if (floor >> 32) + max(count(own & whole_suits(top) & ~trumps), 1) < need:
        return floor
    free = 0
    winners = 0
    relevant = floor & CARDS
    needed = 0
    guards = 0
    for suit in range(4):
        mask = 0xFF << (8 * suit)
        in_a = count(a & mask)
        in_mate = count(mate & mask)
        rounds = max(in_a, in_mate)
        if mask == trumps:
            free += rounds
            continue
        unruffed = 8
        if a & trumps:
            unruffed = in_a
        if mate & trumps:
            unruffed = min(unruffed, in_mate)
        run = top & mask
        if run and (unruffed or rounds == 0):
            here = count(run)
            if rounds:
                needed += 1
            if here >= rounds:
                rest = run
                for _ in range(rounds):
                    rest &= rest - 1
                relevant |= run ^ rest
                here = count(own & mask)
            else:
                relevant |= run
            winners += min(here, unruffed)
        elif own & mask:
            held = own & mask
            first = held & -held
            above = theirs & mask & (first - 1)
            lost = count(above)
            stop = first
            if above & ~before:
                stop = held & (~from_first(theirs & ~above & mask) | ~mask)
                if count(stop) <= lost:
                    stop = 0
            if stop and lost < min(count(held), rounds) and lost < unruffed:
                free += lost + 1
                guards += 1
                relevant |= stop
            else:
                free += rounds
        elif theirs & trumps or not own & trumps:
            free += rounds
    left = n - free
    if left < needed or left < 0:
        return floor
    winners = min(winners, left)
    if guards and needed == 0 and floor == 0:
        winners += 1
    return ((floor >> 32) + winners) << 32 | relevant


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def developed(places: Places, own: int, x: int, y: int, trumps: int, spare: int) -> int:
    """Tricks of a declarer who can ruff ``spare`` times: how many << 32 | relevant cards.

    Nobody else has trumps. Whenever he loses the lead he ruffs himself in again or follows suit;
    so he may lead a suit as often as he loses it, and never has to part with a winner. A card
    loses only to a higher one in the same trick, and only while another hand has the suit.
    """
    total = count(own & trumps)
    relevant = 0
    others = x | y
    for suit in range(4):
        at = 8 * suit
        part = own >> at & 255
        mask = 0xFF << at
        if part == 0 or mask == trumps:
            continue
        held = count(part)
        rounds = max(count(x & mask), count(y & mask))
        rival = others >> at & 255
        run = part & ((rival & -rival) - 1)
        kept = np.int64(places[TRUMP_TRICKS + ((part | rival) << 8 | part)])
        number = max(kept >> 8, held - rounds)
        top = count(run)
        if top >= rounds:
            total += held
            rest = run
            for _ in range(rounds):
                rest &= rest - 1
            relevant |= (run ^ rest) << at
        elif number > top and held - number <= spare:
            spare -= held - number
            total += number
            if number > held - rounds:
                relevant |= (kept & 255) << at
        else:
            total += top
            relevant |= run << at
    return total << 32 | relevant


@inlined("int64(int64, int64, int64)")
def ruffs(own: int, foe: int, trumps: int) -> int:
    """Cards of other suits that a hand with trumps may ruff: it must, so it discards none."""
    number = 0
    for suit in range(4):
        mask = 0xFF << (8 * suit) & ~trumps
        number += max(count(own & mask) - count(foe & mask), 0)
    return min(number, count(foe & trumps))


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64)")
def ruffed_in(places: Places, own: int, x: int, y: int, trumps: int, off: int) -> int:
    """Tricks of a declarer with trumps, ``off`` 1 if not on lead: how many << 32 | relevant cards.

    On lead he draws what his top trumps can. Each trump left out beats one card of his at most;
    it beats a side card only by ruffing, a trump only if it is higher. He can develop suits as
    long as a trump is left for every time he loses the lead.
    """
    spare = count(own & trumps) - off
    in_x = count(x & trumps)
    in_y = count(y & trumps)
    relevant = 0
    lost = 0
    if in_x | in_y:
        drawn = 0
        if not off:
            relevant = top_trumps(own, x | y, trumps)
            drawn = min(count(relevant), max(in_x, in_y))
            in_x = max(in_x - drawn, 0)
            in_y = max(in_y - drawn, 0)
            spare -= drawn
        lost = in_x + in_y
        if lost:
            floor = trump_floor(places, own, x | y, trumps)
            higher = count(own & trumps) - (floor >> 32)
            fewer = higher + min(in_x, ruffs(own, x, trumps)) + min(in_y, ruffs(own, y, trumps))
            if fewer < lost:
                lost = fewer
                relevant |= floor & CARDS
    spare -= lost
    if spare < 0:
        return 0
    if in_x and in_y and not off and lost == in_x + in_y:
        lost -= 1
    got = developed(places, own, x, y, trumps, spare)
    return max((got >> 32) - lost, 0) << 32 | (got & CARDS) | relevant


@inlined("int64(int64, int64, int64, int64, int64)")
def stopped_by_team(a: int, b: int, c: int, target: int, n: int) -> int:
    """No trump, declarer to lead: NO if every suit he can lead gives the defenders enough."""
    union = a | b | c
    every = tops(b | c, union, a)
    if not every >> 32:
        return 0
    mine = tops(b, union, a) & CARDS
    his = tops(c, union, a) & CARDS
    relevant = mine | his
    if mine:
        got = team_cash(b, a, c, 0, target, n)
        if (got >> 32) < target:
            return 0
        relevant |= got & CARDS
    if his:
        got = team_cash(c, a, b, 0, target, n)
        if (got >> 32) < target:
            return 0
        relevant |= got & CARDS
    return relevant | NO
