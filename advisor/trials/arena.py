"""A tournament: policies play the same deals in every rotation of the seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations

import numpy as np

from advisor.errors import InputError
from advisor.rules.conventions import Convention
from advisor.trials.policies import Remembering, check_policy, seated
from advisor.trials.results import ArenaResult
from advisor.trials.table import Played, deal_cards, play_deal
from advisor.trials.workers import gathered, in_order

CHUNK = 2
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """What every deal of a tournament has in common.

    Parameters
    ----------
    policies : tuple of str
        Two or three names.
    lineups : tuple of tuple of int
        Who sits in the three seats, as indices into `policies`.
    convention : Convention
    seed : int
    """

    policies: tuple[str, ...]
    lineups: tuple[tuple[int, ...], ...]
    convention: Convention
    seed: int


def rotations(policies: int, both_ways: bool = False) -> tuple[tuple[int, ...], ...]:
    """Who sits where: one against two, in its three rotations, or three in every order.

    >>> rotations(2)
    ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    """
    if policies == 3:
        return tuple(permutations(range(3)))
    alone = tuple(tuple(int(seat != one) for seat in range(3)) for one in range(3))
    if not both_ways:
        return alone
    return alone + tuple(tuple(1 - who for who in seats) for seats in alone)


def play_numbered(setup: Setup, number: int) -> tuple[Played, ...]:
    """One deal in every lineup; its cards and samples depend on the seed and its number alone."""
    rng = np.random.default_rng(np.random.SeedSequence(setup.seed, spawn_key=(number,)))
    dealt, seed = deal_cards(rng), int(rng.integers(2**31))
    players = [Remembering(seated(name, seed)) for name in setup.policies]
    return tuple(
        play_deal(dealt, [players[who] for who in seats], setup.convention)
        for seats in setup.lineups
    )


def play_chunk(setup: Setup, deals: int, chunk: int) -> list[tuple[Played, ...]]:
    """The deals of one chunk, of `deals` in all."""
    return [
        play_numbered(setup, number)
        for number in range(chunk * CHUNK, min((chunk + 1) * CHUNK, deals))
    ]


def run_arena(
    policies: Sequence[str],
    deals: int,
    convention: Convention,
    *,
    seed: int = 1,
    workers: int = 1,
    both_ways: bool = False,
    progress: Progress | None = None,
) -> ArenaResult:
    """Let two or three policies play.

    Parameters
    ----------
    policies : sequence of str
        Different names, see `advisor.trials.policies`. Of two, the first sits alone against two of
        the second.
    deals : int
        Deals, each played in every lineup.
    convention : Convention
    seed : int
        Same seed, same tournament, whatever the number of workers.
    workers : int
        Processes.
    both_ways : bool
        Of two policies, let also the second sit alone against two of the first.
    progress : callable, optional
        Called with (deals played, deals).

    Returns
    -------
    ArenaResult
        After an interruption (Ctrl-C) of the deals played until then.

    Raises
    ------
    InputError
        Unknown, equal, too few or too many policies.
    KeyboardInterrupt
        Interrupted before a deal was over.
    """
    names = tuple(check_policy(name) for name in policies)
    if len(set(names)) != len(names):
        raise InputError(
            "the policy {policy} is named twice",
            policy=next(name for name in names if names.count(name) > 1),
        )
    if len(names) not in (2, 3):
        raise InputError("found {found} policies, expected two or three", found=len(names))
    start = time.perf_counter()
    setup = Setup(names, rotations(len(names), both_ways), convention, seed)
    chunks = in_order(partial(play_chunk, setup, deals), -(-deals // CHUNK), workers)
    played = gathered(chunks, deals, progress)
    return ArenaResult(
        names, setup.lineups, convention, seed, deals, tuple(played), time.perf_counter() - start
    )
