# mypy: disable-error-code="assignment, return-value, arg-type"
"""Is a question answered without search? In games on tricks."""

from advisor.tricks.kernels.cards import CARDS, count, firsts, whole_suits
from advisor.tricks.kernels.certain import (
    better,
    cash,
    ruffed_in,
    stopped,
    stopped_by_team,
    team_cash,
    trump_floor,
    trump_tricks,
)
from advisor.tricks.kernels.jit import Places, inlined
from advisor.tricks.kernels.losers import losers, one_loser
from advisor.tricks.kernels.table import NO, YES
from advisor.tricks.kernels.trump_game import ALWAYS, OFF_LEAD, ON_LEAD

MOST_LOST = 2
MOST_CASHED = 3


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def cashed(places: Places, a: int, b: int, c: int, d: int, need: int, n: int, trumps: int) -> int:
    """Does the side on lead take what it needs at once? Relevant cards, plus YES or NO, or 0.

    With trumps the defenders seldom cash more than a few tricks, and are not asked for more.
    """
    if d == 0:
        floor = 0
        if a & trumps:
            got = trump_tricks(places, a, b, c, trumps, ON_LEAD)
            if (got >> 32) >= need:
                return got & CARDS | YES
            floor = trump_tricks(places, a, b, c, trumps, ALWAYS)
        got = cash(a, b, c, trumps, floor, need)
        return got & CARDS | YES if (got >> 32) >= need else 0
    hers = b if d == 1 else c
    mate = c if d == 1 else b
    target = n - need + 1
    if trumps and target > MOST_CASHED:
        return 0
    got = team_cash(a, hers, mate, trumps, target, n)
    if (got >> 32) >= target:
        return got & CARDS | NO
    if trumps:
        floor = better(
            trump_floor(places, a, hers, trumps), trump_floor(places, mate, hers, trumps)
        )
        if (got >> 32) + (floor >> 32) >= target:
            got = cash(a, hers, mate, trumps, floor, target)
            if (got >> 32) >= target:
                return got & CARDS | NO
    return 0


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64, int64)")
def lost(places: Places, own: int, x: int, y: int, a: int, target: int, trumps: int) -> int:
    """With trumps: does the declarer lose ``target`` tricks? Relevant cards plus NO, or 0.

    ``a``: cards of the defender on lead, 0 if it is the declarer. Only a few tricks are looked
    for: more are rarely found, and looking costs as much as moving on.
    """
    if target > MOST_LOST:
        return 0
    got = losers(places, own, x, y, trumps, target)
    if (got >> 32) >= target:
        return got & CARDS | NO
    if target == 1:
        got = one_loser(own, x, y, a, trumps)
        if got:
            return got | NO
    return 0


@inlined("boolean(int64, int64, int64)")
def short_of_tops(own: int, union: int, target: int) -> bool:
    """Is the first card another's in ``target`` of his suits? ``ruffed_in`` loses in each."""
    return count(firsts(union) & whole_suits(own) & ~own) >= target


@inlined("int64(uint16[::1], int64, int64, int64, int64, int64, int64, int64)")
def sure(places: Places, a: int, b: int, c: int, d: int, need: int, n: int, trumps: int) -> int:
    """Is the question answered by tricks that cannot be lost? Relevant cards, plus YES or NO.

    ``cashed`` has been asked before.
    """
    target = n - need + 1
    if d == 0:
        if not trumps:
            return stopped_by_team(a, b, c, target, n)
        if a & trumps and not short_of_tops(a, a | b | c, target):
            got = ruffed_in(places, a, b, c, trumps, 0)
            if (got >> 32) >= need:
                return got & CARDS | YES
        return lost(places, a, b, c, 0, target, trumps)
    hers = b if d == 1 else c
    mate = c if d == 1 else b
    after = c if d == 1 else a
    before = a if d == 1 else b
    if hers & trumps:
        got = trump_tricks(places, hers, after, before, trumps, OFF_LEAD)
        if (got >> 32) >= need:
            return got & CARDS | YES
    got = stopped(places, hers, a, mate, before, trumps, n, need)
    if (got >> 32) >= need:
        return got & CARDS | YES
    if not trumps:
        return 0
    if hers & trumps and not short_of_tops(hers, a | b | c, target):
        got = ruffed_in(places, hers, a, mate, trumps, 1)
        if (got >> 32) >= need:
            return got & CARDS | YES
    return lost(places, hers, a, mate, a, target, trumps)
