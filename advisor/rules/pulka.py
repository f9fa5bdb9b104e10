"""The state of the pulka (пуля), and what it makes of the entries of one deal.

What a deal is worth is the settlement of the sheet after it less the settlement before. As long as
no pool is full, that is what the entries alone are worth. What becomes of pool points beyond the
target is the convention's `pool_overflow` (rules.md 4.6):

* ``help10``: they go to the open pool of another, the fullest first, next clockwise among equals,
  and the helper writes ten whists a point on him (американская помощь); where all pools are full
  they come off the helper's mountain.
* ``own_mountain``: they come off the player's own mountain, even below nothing.
* ``mountain_first``: points reduce a player's mountain before they fill his pool; beyond that as
  in ``help10``.
* ``settle_double``: they stay in the pool and are settled at its price.

A helped point brings the helper ten whists and the other `p` (whists a pool point is worth) in his
pool; a point off the mountain is worth ten. So where `p` is ten, a point has the same value
whatever becomes of it, and the state of the pulka changes nothing (`closing_is_neutral`). Taking
points off the own mountain stands for adding them to those of all others, which is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from advisor.rules.conventions import Convention
from advisor.rules.scoring import Entries
from advisor.rules.settlement import MOUNTAIN_POINT, Amount, balance

HELP = 10
Whists = dict[tuple[int, int], Amount]


@dataclass(frozen=True, slots=True)
class Pulka:
    """A score sheet in the middle of the game, as far as it may matter to one deal.

    Parameters
    ----------
    pool, mountain : tuple of points
        By seat of this deal: first, second, third hand, and the dealer of four.
    target : int or None
        Points each player has to reach in his pool; ``None`` where not told.
    """

    pool: tuple[Amount, ...]
    mountain: tuple[Amount, ...]
    target: int | None = None

    def seen_from(self, declarer: int) -> Pulka:
        """The same by roles: the declarer, the next clockwise, the other, the dealer of four."""
        order = [*((declarer + turn) % 3 for turn in range(3)), *range(3, len(self.pool))]
        return Pulka(
            tuple(self.pool[seat] for seat in order),
            tuple(self.mountain[seat] for seat in order),
            self.target,
        )

    def is_over(self, convention: Convention) -> bool:
        """Whether the pools are full: each of them, or, where points may stand over, together."""
        if self.target is None:
            return False
        if convention.pool_overflow == "settle_double":
            return sum(self.pool) >= self.target * len(self.pool)
        return min(self.pool) >= self.target


def closing_is_neutral(convention: Convention) -> bool:
    """Whether a pool point has one value, before a pool is full and after."""
    return convention.pool_overflow == "settle_double" or convention.pool_point == MOUNTAIN_POINT


def deal_value(entries: Entries, before: Pulka, convention: Convention) -> tuple[Fraction, ...]:
    """What a deal is worth on this sheet, net whists by seat: settlement after less before.

    Examples
    --------
    >>> from advisor.rules.conventions import load_convention
    >>> pulka = Pulka((10, 10, 4), (0, 0, 0), 10)
    >>> [str(net) for net in deal_value(Entries(pool={0: 6}), pulka, load_convention("sochi"))]
    ['40', '-20', '-20']
    """
    after, whists = write_deal(entries, before, convention)
    point = convention.pool_point
    return tuple(
        now - then
        for now, then in zip(
            balance(after.pool, after.mountain, whists, point),
            balance(before.pool, before.mountain, {}, point),
            strict=True,
        )
    )


def write_deal(
    entries: Entries, before: Pulka, convention: Convention
) -> tuple[Pulka, Mapping[tuple[int, int], Amount]]:
    """Write a deal on the sheet.

    Returns
    -------
    after : Pulka
    whists : mapping of (writer, on whom) to whists
        Those of the deal and those for help.
    """
    pool, mountain, whists = list(before.pool), list(before.mountain), dict(entries.whists)
    for seat, points in entries.mountain.items():
        mountain[seat] += points
    for seat, points in sorted(entries.pool.items()):
        _fill(seat, points, pool, mountain, whists, before.target, convention)
    return Pulka(tuple(pool), tuple(mountain), before.target), whists


def _fill(
    seat: int,
    points: Amount,
    pool: list[Amount],
    mountain: list[Amount],
    whists: Whists,
    target: int | None,
    convention: Convention,
) -> None:
    """Put a player's points where the convention wants them."""
    rule = convention.pool_overflow
    if rule == "mountain_first":
        less = min(points, max(0, mountain[seat]))
        mountain[seat] -= less
        points -= less
    if target is None or rule == "settle_double":
        pool[seat] += points
        return
    points -= _fill_one(seat, points, pool, target)
    if rule != "own_mountain":
        points = _help(seat, points, pool, whists, target)
    mountain[seat] -= points


def _fill_one(seat: int, points: Amount, pool: list[Amount], target: int) -> Amount:
    """Fill one pool up to the target; how many points went in."""
    taken = min(points, max(0, target - pool[seat]))
    pool[seat] += taken
    return taken


def _help(helper: int, points: Amount, pool: list[Amount], whists: Whists, target: int) -> Amount:
    """Fill the pools of others against whists; the points nobody needs."""
    turns = range(1, len(pool))
    others = sorted(((helper + turn) % len(pool) for turn in turns), key=lambda seat: -pool[seat])
    for other in others:
        if taken := _fill_one(other, points, pool, target):
            whists[helper, other] = whists.get((helper, other), 0) + HELP * taken
            points -= taken
    return points
