"""Misère against defenders who do not know the discard (снос).

The defenders have seen the declarer's twelve cards, lay their own open, and must guess which two
of the twelve are gone. Three models, in the order in which they favour the declarer:

``open``
    (a) The defenders see everything, the discard included: the pessimist's bound.
``hidden``
    (b) The real thing. The declarer mixes discards; for every layout the defenders mix plans. A
    plan catches a set of discards; the value is that of a linear program of plans against
    discards. Where the declarer may answer the plan in use it is too high, where his play is
    restricted too low: a bracket.
``obvious``
    (c) The defenders first of all catch the discard they take for obvious, and choose among the
    plans that do; where none does, they play as in (b).

Only *sensible* discards enter: from each suit the highest cards go first, and of those at most
``MOST`` with the best chances under (a), among equals those that leave the fewest tricks: of three
aces every two are caught when seen, and hidden one time in three. A lower card of the same suit in
place of a higher one never harms with open cards, since it loses wherever the higher one lost and
changes no other trick. Leaving out the rest restricts the declarer, so (b) and (c) are bounds at
his expense in this respect.
"""

from __future__ import annotations

import threading
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from advisor.cards import cards_of
from advisor.tricks import engine
from advisor.tricks.checks import NO_TRUMP
from advisor.tricks.compiled import kernels, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST = 6
ROOM = 256  # maximal sets kept of one layout; ten discards have no more than 252
WORLDS = 16  # discards, or discards with rules of play, that one search can tell apart
CHUNK = 2
RULES = 3  # rules of play of a `FIXED` declarer
MANY = 1 << 13  # deals handed to a thread at a time
ENTRIES = 1 << 19
FREE, FIXED, TOLD = 0, 1, 2


def sensible_discards(twelve: int) -> tuple[int, ...]:
    """Discards that take the highest cards of their suits, ascending by mask.

    Parameters
    ----------
    twelve : int
        Mask of the declarer's cards; two go.

    Returns
    -------
    tuple of int
        At most ten masks of two cards.
    """
    found = []
    for pair in combinations(cards_of(twelve), 2):
        mask = 1 << pair[0] | 1 << pair[1]
        if not any(_above(c) & twelve & ~mask for c in pair):
            found.append(mask)
    return tuple(sorted(found))


def _above(card: int) -> int:
    """Mask of the higher cards of the same suit."""
    return (0xFF << (card & 24)) & ~((2 << card) - 1)


def open_catches(
    twelve: int, discards: Sequence[int], defenders: NDArray[np.uint32], leader: int,
    threads: int | None = None,
) -> NDArray[np.bool_]:
    """Model (a): is the misère caught by defenders who see the discard?

    Parameters
    ----------
    twelve : int
    discards : sequence of int
        Masks of the cards put away.
    defenders : uint32 (n, 2)
        Hands of the next and of the third player.
    leader : int
        Column that leads to the first trick: 0 declarer, 1 next, 2 third.
    threads : int, optional

    Returns
    -------
    bool (n, discards)
    """
    kept = np.array([twelve & ~d for d in discards], np.uint32)
    hands = np.empty((len(defenders), len(kept), 3), np.uint32)
    hands[:, :, 0] = kept
    hands[:, :, 1:] = defenders[:, None, :]
    caught = caught_alike(hands.reshape(-1, 3), leader, len(kept), threads)
    return caught.reshape(len(defenders), len(kept))


def caught_alike(
    hands: NDArray[np.uint32], leader: int, fresh: int, threads: int | None = None
) -> NDArray[np.bool_]:
    """As `advisor.tricks.solver.caught_deals`, several times faster for deals that are alike.

    Deals that follow each other and differ little, such as the discards of one layout or the
    layouts of one hand in order, find much of their answer in a table they share.

    Parameters
    ----------
    hands : uint32 (n, 3)
        Not checked.
    leader : int
    fresh : int
        How many deals share a table.
    threads : int, optional

    Returns
    -------
    bool (n,)
    """
    search = kernels("unknown_discard")
    rows = np.ascontiguousarray(hands, dtype=np.uint32)
    caught = np.zeros(len(rows), np.bool_)
    number = engine.thread_count(threads, len(rows))
    chunk = max(1, min(MANY, -(-len(rows) // number)) // fresh) * fresh

    def work(memory: NDArray[np.int64], start: int) -> None:
        part = slice(start, start + chunk)
        search.caught_alike(memory, places(), rows[part], leader, fresh, caught[part])

    engine.share_out(work, range(0, len(rows), chunk), number, ENTRIES)
    return caught


def catch_families(
    twelve: int, discards: Sequence[int], defenders: NDArray[np.uint32], leader: int, *,
    mode: int = FREE, rules: Sequence[int] | None = None, lead: int = 0,
    caught: NDArray[np.bool_] | None = None, threads: int | None = None,
) -> list[tuple[int, ...]]:
    """For each layout the maximal sets of discards that one plan of the defenders catches.

    Parameters
    ----------
    twelve, discards, defenders, leader, threads
        As in `open_catches`; at most `WORLDS` discards, which may repeat with different `rules`.
    mode : int
        How the declarer plays: `FREE`, `FIXED` or `TOLD`, see
        `advisor.tricks.kernels.unknown_discard`.
    rules : sequence of int, optional
        His rule of play after each discard, 0 to `RULES` - 1.
    lead : int
        The card the declarer leads first whatever the discard, as a mask; 0 if it is free.
    caught : bool (n, discards), optional
        What `open_catches` found, if it is known.

    Returns
    -------
    list of tuple of int
        Sets as bit masks over `discards`, none inside another; empty where none is caught.
    """
    search, table = kernels("unknown_discard"), kernels("table")
    gone = np.array(discards, np.int64)
    hands = np.ascontiguousarray(defenders, dtype=np.int64)
    seen = open_catches(twelve, discards, defenders, leader, threads) if caught is None else caught
    bits = np.asarray(seen @ (1 << np.arange(len(gone))), np.int64)
    found = np.zeros((len(hands), ROOM), np.int64)
    numbers = np.zeros(len(hands), np.int64)
    own = threading.local()

    def work(memory: NDArray[np.int64], start: int) -> None:
        if not hasattr(own, "memo"):
            table.begin(memory, NO_TRUMP, 1)
            own.memo = np.zeros(search.MEMO + search.WORDS * search.SLOTS, np.int64)
            own.memo[search.RULES : search.RULES + len(gone)] = 0 if rules is None else rules
        part = slice(start, start + CHUNK)
        search.layouts(memory, places(), own.memo, gone, twelve & ~lead, hands[part], leader,
                       mode, lead, bits[part], found[part], numbers[part])

    engine.share_out(work, range(0, len(hands), CHUNK),
                     engine.thread_count(threads, 16 * len(hands)))
    full = mode != FREE  # sets left out would favour the restricted declarer
    return [(int(every),) if full and n == ROOM else tuple(int(s) for s in row[:n])
            for row, n, every in zip(found, numbers, bits, strict=True)]

