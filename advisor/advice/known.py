"""Sampled deals solved bit by bit, as far as somebody asks; nothing is solved twice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import Outcome
from advisor.advice.habits import habits
from advisor.advice.screened import ScreenedGames
from advisor.advice.solved import SolvedGames
from advisor.advice.solving import (
    UNSOLVED,
    Solved,
    solve_own,
    solve_own_misere,
    solve_theirs,
)
from advisor.records.hand import HandRecord
from advisor.sampling.deals import Deals, first_layouts

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class DecidedGames(SolvedGames):
    """Own games as the fitted tables choose them, with solved tricks.

    The choices keep the folds of the chooser's layouts, of which these may be the first.

    Parameters
    ----------
    chooser : ScreenedGames
        The games that choose contract, discard, and what is doubted.
    """

    chooser: ScreenedGames

    @cached_property
    def best(self) -> tuple[NDArray[np.intp], Floats]:
        """The chooser's, by its folds."""
        return self.chooser.best

    @cached_property
    def best_together(self) -> tuple[NDArray[np.intp], Floats]:
        """The chooser's."""
        return self.chooser.best_together

    def without_talon(self, hand: int, first: int) -> Outcome:
        """The chooser's, on these layouts: no such game is solved."""
        whole, k = self.chooser.without_talon(hand, first), self.tricks.shape[-1]
        return replace(whole, net=whole.net[:, :k], made=whole.made[:, :k],
                       tricks=whole.tricks[:, :k])

    def doubted(self, game: NDArray[np.intp], discard: NDArray[np.intp]) -> Mask:
        """What the chooser doubts."""
        return self.chooser.doubted(game, discard)


def decided_games(chooser: ScreenedGames, tricks: NDArray[np.int8]) -> DecidedGames:
    """The chooser's games on the first layouts, with their `tricks` (t, 5, d, k)."""
    k = tricks.shape[-1]
    deals, pattern = first_layouts(chooser.deals, k), chooser.pattern[:, :, :k]
    guide = replace(chooser.guide, deals=deals, pattern=pattern)
    return DecidedGames(deals, pattern, chooser.told, chooser.pay, chooser.away, chooser.prior,
                        guide, tricks, chooser)


@dataclass
class Known:
    """What has been solved so far of the sampled deals.

    Parameters
    ----------
    record : HandRecord
    deals : Deals
    away : uint32 (t, 5, d)
        The player's discards that may be asked for.
    threads : int, optional
    """

    record: HandRecord
    deals: Deals
    away: NDArray[np.uint32]
    threads: int | None = None
    own: NDArray[np.int8] = field(init=False)
    theirs: NDArray[np.int8] = field(init=False)
    misere: NDArray[np.int8] = field(init=False)
    their_misere: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        t, m = self.deals.weight.shape
        for name, shape in (("own", (*self.away.shape, m)), ("theirs", (2, t, m)),
                            ("misere", (t, 1, m)), ("their_misere", (2, t, m))):
            setattr(self, name, np.full(shape, UNSOLVED, dtype=np.int8))

    def solve_own(self, where: Mask) -> None:
        """The player's plays on the first layouts, bool (t, 5, d, k)."""
        part = self._part(where.shape[-1])
        known = self.own[..., : where.shape[-1]]
        missing = where & (known == UNSOLVED)
        known[missing] = solve_own(self._cards, self.away, part.hands[:, :, list(part.hidden)],
                                   self._lead, missing, self.threads)[missing]

    def solve_own_misere(self, away: NDArray[np.uint32], k: int) -> None:
        """His misère with one discard a talon (t, 1), on the first k layouts."""
        new = slice(int(np.count_nonzero(self.misere[0, 0] != UNSOLVED)), k)
        hidden = self.deals.hands[:, new][:, :, list(self.deals.hidden)]
        self.misere[..., new] = solve_own_misere(self._cards, away, hidden, self._lead,
                                                 self.threads)

    def solve_theirs(self, opponent: int, where: Mask, *, misere: bool) -> None:
        """An opponent's games, or misères, on the first layouts, bool (t, k)."""
        known = (self.their_misere if misere else self.theirs)[opponent, :, : where.shape[1]]
        missing = where & (known == UNSOLVED)
        part = self._part(where.shape[1])
        usual = None if misere else habits(self.record.convention)
        known[missing] = solve_theirs(part, part.hidden[opponent], missing, usual,
                                      self.threads)[missing]

    def solved(self, k: int, misere_away: NDArray[np.uint32] | None) -> Solved:
        """The first k layouts of every talon."""
        away = np.zeros((len(self.away), 0), dtype=np.uint32) if misere_away is None \
            else misere_away
        return Solved(self.away, self.own[..., :k], self.theirs[..., :k], None, away,
                      self.misere[:, : away.shape[1], :k], self.their_misere[..., :k])

    def _part(self, k: int) -> Deals:
        return first_layouts(self.deals, k)

    @property
    def _cards(self) -> NDArray[np.uint32]:
        cards: NDArray[np.uint32] = np.uint32(self.record.cards) | self.deals.talon
        return cards

    @property
    def _lead(self) -> int:
        return -self.deals.seat % 3
