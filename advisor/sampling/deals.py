"""Deals of the unseen cards consistent with the auction: blocks of layouts under each talon.

Every talon is used, with the same number of layouts (proportional stratification); each drawn
layout comes with its mirror, the two hidden hands exchanged. With too few deals for that, a random
set of talons is used. The auction is a weight on each deal, never zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from advisor.sampling.unseen import Masks, Unseen

ENOUGH = 0.25  # share of the deals that is effective without a pool
POOL_BOOST = 16
POOL_LIMIT = 1_000_000
Weigh = Callable[[Masks, Masks], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Deals:
    """Sampled (or all) deals as one player sees them.

    Parameters
    ----------
    hands : uint32 (t, m, 3)
        Hands by seat; the player's own column repeats his ten cards (his twelve while he has
        to discard).
    talon : uint32 (t,)
        The talon of each block; 0 where the player has taken it.
    weight : float64 (t, m)
        Likelihood of the calls heard.
    seat : int
        The player's seat.
    all_talons : int
        Number of talons there are: 231, or 1.
    exhaustive : bool
        Whether this is every deal, so that there is no sampling error.
    pool_ess : float
        Effective size of the pool the deals were drawn from, infinite without a pool.
    talon_variance : float64 (t,), optional
        Variance of each talon's total weight, as the pool estimates it.

    Notes
    -----
    Layouts ``2 j`` and ``2 j + 1`` of a block are mirrors of each other, unless drawn from a pool.
    """

    hands: Masks
    talon: Masks
    weight: NDArray[np.float64]
    seat: int
    all_talons: int
    exhaustive: bool = False
    pool_ess: float = np.inf
    talon_variance: NDArray[np.float64] | None = None

    @property
    def count(self) -> int:
        """Number of deals."""
        return int(self.weight.size)

    @property
    def hidden(self) -> tuple[int, int]:
        """Seats of the two hidden hands, clockwise from the player."""
        return (self.seat + 1) % 3, (self.seat + 2) % 3

    @property
    def ess(self) -> float:
        """Effective sample size, (sum w)^2 / sum w^2, deals; a pool counts harmonically."""
        return 1 / (1 / max(effective_size(self.weight), 1e-300) + 1 / self.pool_ess)


def effective_size(weight: NDArray[np.float64]) -> float:
    """(sum w)^2 / sum w^2; 0 for no weight at all."""
    square = float(np.sum(weight**2))
    return float(np.sum(weight)) ** 2 / square if square else 0.0


def draw_deals(
    cards: int, seat: int, n: int, rng: np.random.Generator, weigh: Weigh | None = None
) -> Deals:
    """Deal the cards a player cannot see, at least `n` times.

    Parameters
    ----------
    cards : int
        The player's ten or twelve cards.
    seat : int
    n : int
        Deals wanted, at least 1; rounded up to whole blocks of mirrored pairs. Once the talon is
        known, 184,756 or more means every layout exactly once.
    rng : numpy.random.Generator
    weigh : callable, optional
        ``weigh(hands (t, m, 3), talon (t,)) -> (t, m)`` likelihood of what was heard.

    Returns
    -------
    Deals
    """
    if n < 1:
        raise ValueError(f"{n} deals: expected at least 1")
    unseen = Unseen(~cards & 0xFFFFFFFF)
    talons = unseen.talons
    all_talons = len(talons)
    exhaustive = all_talons == 1 and n >= unseen.layouts
    if exhaustive:  # one of each mirrored pair: the mirror of layout i is the i-th from the end
        index = rng.permutation(unseen.layouts // 2).astype(np.uint32)[None, :]
    else:
        if n < 2 * all_talons:
            keep = rng.choice(all_talons, size=(n + 1) // 2, replace=False)
            talons = talons[np.sort(keep)]
        pairs = -(-n // (2 * len(talons)))
        index = rng.integers(unseen.layouts, size=(len(talons), pairs), dtype=np.uint32)
    hands = _hands(unseen, talons, index, cards, seat)
    weight = np.ones(hands.shape[:2]) if weigh is None else weigh(hands, talons)
    deals = Deals(hands, talons, weight, seat, all_talons, exhaustive)
    boost = min(POOL_BOOST, POOL_LIMIT // weight.size)
    if weigh is None or exhaustive or boost < 2 or deals.ess >= ENOUGH * weight.size:
        return deals
    return _from_pool(deals, unseen, boost, cards, rng, weigh)


def around(hands: Masks, seat: int, kept: Masks) -> Masks:
    """Hands as a declarer's side sees them: what he kept (...), the next player's, the third's.

    Parameters
    ----------
    hands : uint32 (..., 3)
        By seat.
    seat : int
        The declarer's.
    kept : uint32 (...)

    Returns
    -------
    uint32 (..., 3)
    """
    return np.stack([kept, hands[..., (seat + 1) % 3], hands[..., (seat + 2) % 3]], axis=-1)


def beside(kept: Masks, hidden: Masks) -> Masks:
    """Cards kept (k,) against each layout of the other two hands (k, m, 2), uint32 (k, m, 3)."""
    own = np.broadcast_to(kept[:, None, None], (*hidden.shape[:2], 1))
    return np.concatenate([own, hidden], axis=-1)


def first_layouts(deals: Deals, k: int) -> Deals:
    """The deals with the first `k` layouts under every talon."""
    m = deals.weight.shape[1]
    if k >= m:
        return deals
    spread = deals.talon_variance
    return replace(deals, hands=deals.hands[:, :k], weight=deals.weight[:, :k], exhaustive=False,
                   talon_variance=None if spread is None else spread * (k / m) ** 2)


def _from_pool(
    deals: Deals, unseen: Unseen, boost: int, cards: int, rng: np.random.Generator, weigh: Weigh
) -> Deals:
    """Draw `boost` times as many deals, and from those as many as before, by weight."""
    t, m = deals.weight.shape
    index = rng.integers(unseen.layouts, size=(t, boost * m // 2), dtype=np.uint32)
    pool = _hands(unseen, deals.talon, index, cards, deals.seat)
    weight = weigh(pool, deals.talon)
    upto = np.cumsum(weight, axis=1)
    total = upto[:, -1]
    row = np.arange(t)
    drawn = rng.random((t, m)) + row[:, None]
    picked = np.searchsorted((upto / total[:, None] + row[:, None]).ravel(), drawn, side="right")
    picked = np.clip(picked - row[:, None] * weight.shape[1], 0, weight.shape[1] - 1)
    each = np.broadcast_to((total / weight.shape[1])[:, None], (t, m)).copy()
    pairs = weight.reshape(t, -1, 2).mean(axis=2)
    spread = m**2 * np.var(pairs, axis=1, ddof=1) / pairs.shape[1]
    return Deals(pool[row[:, None], picked], deals.talon, each, deals.seat, deals.all_talons,
                 pool_ess=effective_size(weight), talon_variance=spread)


def _hands(
    unseen: Unseen, talons: Masks, index: NDArray[np.uint32], cards: int, seat: int
) -> Masks:
    first = unseen.layout(talons, index)
    second = (np.uint32(unseen.mask) & ~talons)[:, None] ^ first
    t, pairs = first.shape
    hands = np.empty((t, 2 * pairs, 3), dtype=np.uint32)
    hands[:, :, seat] = cards
    hands[:, 0::2, (seat + 1) % 3] = first
    hands[:, 1::2, (seat + 1) % 3] = second
    hands[:, 0::2, (seat + 2) % 3] = second
    hands[:, 1::2, (seat + 2) % 3] = first
    return hands
