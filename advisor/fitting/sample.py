"""Random deals as the advisor meets them, solved with open cards.

Three kinds, drawn deal by deal with the shares `SHARES`:

* ``DECLARER``: the hand of the three that the guide likes best takes the talon, and throws and
  plays about what the guide likes best; one in five plays no trump.
* ``MIXED``: any hand takes the talon and plays any strain; the discard about the guide's best in
  it. So weak hands and odd strains are covered, which the advisor values too.
* ``RANDOM``: any hand, any discard, any strain.

"About" means that noise is added to the guide's means before choosing, `NOISE` tricks, so that
plays near the guide's best, which the advisor compares it with, are met as well. The leader is any
of the three.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.tricks.estimate import strain_means

Masks = NDArray[np.uint32]
Ints = NDArray[np.int8]

CHUNK = 2_000
GENERATOR = 1  # to be raised when the same seed gives other deals
SHARES = (0.6, 0.25, 0.15)
NOISE = 0.3
NO_TRUMP_SHARE = 0.2
DECLARER, MIXED, RANDOM = range(3)


@dataclass(frozen=True, slots=True)
class SolvedDeals:
    """Deals with the declarer's tricks.

    Parameters
    ----------
    hands : uint32 (n, 3)
        Ten cards each, the declarer's first, then clockwise.
    strain, leader, kind, tricks : int8 (n,)
        Strain 0..4; column of the leader; `DECLARER`, `MIXED` or `RANDOM`; tricks of the declarer.
    """

    hands: Masks
    strain: Ints
    leader: Ints
    kind: Ints
    tricks: Ints

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.tricks)


def part_of(deals: SolvedDeals, rows: NDArray[Any]) -> SolvedDeals:
    """Some of the deals."""
    return SolvedDeals(**{f.name: getattr(deals, f.name)[rows] for f in fields(SolvedDeals)})


def chunk_rng(seed: int, chunk: int) -> np.random.Generator:
    """The generator of a chunk: the same whoever works it out."""
    return np.random.default_rng([seed, chunk])


def random_deals(rng: np.random.Generator, n: int) -> tuple[Masks, Masks]:
    """Deal at random: hands uint32 (n, 3) by seat, talons (n,)."""
    cards = np.uint32(1) << np.argsort(rng.random((n, 32)), axis=1).astype(np.uint32)
    hands = np.stack([np.bitwise_or.reduce(cards[:, a : a + 10], axis=1) for a in (0, 10, 20)], 1)
    return hands, cards[:, 30] | cards[:, 31]


def draw(rng: np.random.Generator, n: int) -> tuple[Masks, Ints, Ints, Ints]:
    """Draw `n` deals not solved yet: hands, strain, leader, kind as in `SolvedDeals`."""
    hands, talon = random_deals(rng, n)
    kind = rng.choice(3, size=n, p=SHARES).astype(np.int8)
    no_trump = (kind == DECLARER) & (rng.random(n) < NO_TRUMP_SHARE)
    means = strain_means(hands)
    liked = np.where(no_trump[:, None], means[..., 4], means[..., :4].max(axis=-1))
    seat = np.where(kind == DECLARER, liked.argmax(axis=1), 0)
    hands = np.take_along_axis(hands, (seat[:, None] + np.arange(3)) % 3, axis=1)
    twelve = hands[:, 0] | talon
    kept, strain = _choose(rng, twelve, kind, no_trump)
    hands[:, 0] = kept
    return hands, strain, rng.integers(0, 3, size=n, dtype=np.int8), kind


def _choose(
    rng: np.random.Generator, twelve: Masks, kind: Ints, no_trump: NDArray[np.bool_]
) -> tuple[Masks, Ints]:
    """What each declarer keeps and plays."""
    kept = all_kept(twelve)
    n, ways = kept.shape
    value = strain_means(kept) + NOISE * rng.standard_normal((n, ways, 5))
    value += 0.5 * NOISE * rng.standard_normal((n, 1, 5))
    any_strain = rng.integers(0, 5, size=n)
    liked = value[..., :4].max(axis=1).argmax(axis=1)
    strain = np.where(kind == DECLARER, np.where(no_trump, 4, liked), any_strain)
    place = np.take_along_axis(value, strain[:, None, None], axis=2)[..., 0].argmax(axis=1)
    place = np.where(kind == RANDOM, rng.integers(0, ways, size=n), place)
    return kept[np.arange(n), place], strain.astype(np.int8)


def all_kept(twelve: Masks) -> Masks:
    """What is left of twelve cards after each of the 66 discards, uint32 (n, 66)."""
    bits = _single_cards(twelve, 12)
    one, two = np.triu_indices(12, 1)
    kept: Masks = twelve[:, None] ^ bits[:, one] ^ bits[:, two]
    return kept


def _single_cards(hands: Masks, count: int) -> Masks:
    """Each card of every hand as a mask, ascending, uint32 (n, count)."""
    rest = np.array(hands, dtype=np.uint32)
    out = np.empty((len(rest), count), dtype=np.uint32)
    for place in range(count):
        out[:, place] = rest & (~rest + np.uint32(1))
        rest ^= out[:, place]
    return out


def solve_chunk(seed: int, chunk: int, n: int = CHUNK) -> SolvedDeals:
    """Draw and solve one chunk; depends on its arguments only."""
    from advisor.tricks.solver import solve_deals

    hands, strain, leader, kind = draw(chunk_rng(seed, chunk), n)
    return SolvedDeals(hands, strain, leader, kind,
                       solve_deals(hands, strain, leader, threads=1))
