"""All-pass (raspas): three players, no sides, each wants few tricks for himself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from advisor.tricks import engine
from advisor.tricks.checks import SEATS, checked_column, checked_hands, checked_talon
from advisor.tricks.compiled import kernels, places

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["solve_all_pass"]

Mode = Literal["closed", "suit_only", "plays"]
Method = Literal["cautious", "equilibrium"]

SUIT_BITS = (0, 8, 16, 24)
CHUNK = 4  # deals handed to a thread at a time
EQUILIBRIUM_ENTRIES = 1 << 20  # a full deal stores some hundred thousand results, 32 bytes each


def solve_all_pass(
    hands: ArrayLike,
    leader: ArrayLike,
    talon: ArrayLike | None = None,
    *,
    mode: Mode = "closed",
    method: Method = "cautious",
    threads: int | None = None,
) -> NDArray[np.int8]:
    """Tricks of all three players in all-pass with open cards.

    Two solutions are offered.

    ``"equilibrium"``: every player plays the card that is best for himself, knowing that the
    others will do the same. He wants few tricks; among equals, many for the next player
    clockwise; among equals still, many for the one after. This is backward induction with that
    rule for ties, computed exactly. It is *not* a guarantee: a neighbour who errs, or who
    breaks ties otherwise, can change everybody's tricks.

    ``"cautious"``: for each player the most tricks he can be made to take if the other two join
    against him, which is exact and never less than his equilibrium tricks; what the three numbers
    have too much in sum is then taken off one by one, the first hand's first. An estimate for
    sampling: on 300 random deals it is off by 0.8 tricks a player on average, without bias to
    speak of, correlation 0.83; ``benchmarks/bench_solver.py`` prints the current figures.

    Parameters
    ----------
    hands : array_like of uint32, shape (n, 3)
        Card masks in clockwise order; equal sizes 1..10 within a row (from 2 with a talon).
    leader : array_like of int8, shape (n,) or scalar
        Column of the first hand.
    talon : array_like of uint32, shape (n, 2), optional
        Masks of the two talon cards, one card each, in the order they are turned. Needed by the
        modes "suit_only" and "plays", ignored by "closed".
    mode : {"closed", "suit_only", "plays"}
        What the talon does (rules.md 1.6). "closed": nothing, the first hand leads freely.
        "suit_only": a turned card fixes the suit of each of the first two tricks and cannot
        win; if nobody follows, the first hand takes the trick. "plays": it is the dealer's
        card, and he takes the trick if it is not beaten. In the last two the first hand plays
        first to the first two tricks and leads to the third.
    method : {"cautious", "equilibrium"}
        See above.
    threads : int, optional
        As in :func:`advisor.tricks.solver.solve_deals`.

    Returns
    -------
    NDArray[int8], shape (n, 3), or (n, 4) for mode "plays"
        Tricks by column, the dealer's in the fourth; a row adds up to the cards in a hand.
        With "cautious" the dealer is given the turned cards under which everybody can stay.

    Raises
    ------
    ValueError
        For wrong shapes, overlapping or unequal hands, a talon that is missing or not two
        further cards, an unknown mode or method; the message names the first offending row.
    """
    checked = checked_hands(hands)
    leaders = checked_column(leader, len(checked), SEATS - 1, "leader")
    if mode not in ("closed", "suit_only", "plays"):
        raise ValueError(f"mode must be closed, suit_only or plays, found {mode!r}")
    if method not in ("cautious", "equilibrium"):
        raise ValueError(f"method must be cautious or equilibrium, found {method!r}")
    turned = np.zeros((len(checked), 2), np.uint32)
    if mode != "closed":
        turned = checked_talon(talon, checked)
    plays = mode == "plays"
    width = SEATS + plays
    if method == "equilibrium":
        return _run("share_rows", checked, leaders, turned, plays, threads)[:, :width]
    most = _run("at_most_rows", checked, leaders, turned, plays, threads)
    dealer = _dealer_tricks(checked, turned) if plays else np.zeros(len(checked), np.int8)
    return _take_off(most[:, :SEATS], leaders, np.bitwise_count(checked[:, 0]), dealer)[:, :width]


def _run(
    kernel: str,
    hands: NDArray[np.uint32],
    leaders: NDArray[np.int8],
    talon: NDArray[np.uint32],
    plays: bool,
    threads: int | None,
) -> NDArray[np.int8]:
    out = np.zeros((len(hands), SEATS + 1), np.int8)
    if len(hands) == 0:
        return out
    function = getattr(kernels("all_pass"), kernel)

    def work(memory: NDArray[np.int64], start: int) -> None:
        part = slice(start, start + CHUNK)
        function(memory, places(), hands[part], leaders[part], talon[part], int(plays), out[part])

    jobs = range(0, len(hands), CHUNK)
    count = engine.thread_count(threads, len(hands))
    engine.share_out(work, jobs, count, EQUILIBRIUM_ENTRIES)
    return out


def _dealer_tricks(hands: NDArray[np.uint32], talon: NDArray[np.uint32]) -> NDArray[np.int8]:
    """Turned cards that everybody can stay under: he has a lower card of the suit, or none."""
    cards = talon[:, :, np.newaxis]
    suits = sum((np.uint32(0xFF << at) * (cards >> np.uint32(at) & 0xFF != 0)) for at in SUIT_BITS)
    held = hands[:, np.newaxis, :] & suits
    under = (held == 0) | (held & (cards - np.uint32(1)) != 0)
    tricks: NDArray[np.int8] = under.all(axis=2).sum(axis=1).astype(np.int8)
    return tricks


def _take_off(
    most: NDArray[np.int8],
    leaders: NDArray[np.int8],
    sizes: NDArray[np.uint8],
    dealer: NDArray[np.int8],
) -> NDArray[np.int8]:
    """Bring the guarantees of each row down to the tricks there are, one trick a player in turn.

    The first hand is the first to be relieved, the third the next: their equilibrium tricks lie
    furthest below. What then is missing is the dealer's.
    """
    tricks = np.column_stack([most, np.zeros_like(dealer)])
    shared = sizes.astype(np.int8) - dealer
    for row, leader, left in zip(tricks, leaders.tolist(), shared.tolist(), strict=True):
        seat = leader
        while row[:SEATS].sum() > left:
            row[seat] -= row[seat] > 0
            seat = (seat + 2) % SEATS
    tricks[:, SEATS] = sizes - tricks[:, :SEATS].sum(axis=1)
    return tricks
