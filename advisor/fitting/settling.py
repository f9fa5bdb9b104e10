"""Self-play until call frequencies settle, and with them what is whisted and named.

Whoever bids more is whisted more, and bids less: calls, declarations and replies are fitted
together. Every `EVERY` steps of the calls declarers and defenders settle anew
(`advisor.fitting.replies`) on deals bought by the calls as they are then, and the habits move part
of the way, less each time (fictitious play). After `ROUNDS` of these the habits stand, and the
calls go on until they settle too. Further places of a row of all-passes take the habits over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import THRESHOLDS, Habits
from advisor.fitting.bought import bought_deals
from advisor.fitting.chunks import load_arrays, save_arrays
from advisor.fitting.replies import settle, start
from advisor.fitting.self_play import (
    Game,
    draw_limits,
    first_gains,
    frequencies,
    new_game,
    reach_of,
    step,
    towards,
)
from advisor.fitting.table_deals import TableDeals
from advisor.rules.conventions import Convention
from advisor.sampling.bidding_tables import Gains, Situation, unit_of
from advisor.sampling.fitted_bidder import ChancesBidder, chances

Floats = NDArray[np.float64]

EVERY, ROUNDS = 4, 6
MOST = 40  # steps once the habits stand
SETTLED = 0.0005  # greatest change of any frequency in a step
HABIT_DEALS = 20_000
PLAIN_DEALS = 400_000  # dealt for games in no trump, which are rare


@dataclass(frozen=True, slots=True)
class State:
    """Self-play after some steps.

    Parameters
    ----------
    gains : Gains
    usual : Habits
    history : float64 (steps + 1, 6)
        Frequencies of `advisor.sampling.bid_shares.ENDS`, the first before any step.
    moved : float
        Tricks the thresholds of whisting moved in the last round, the most of all.
    """

    gains: Gains
    usual: Habits
    history: Floats
    moved: float = 0.0

    @property
    def steps(self) -> int:
        """Steps done."""
        return len(self.history) - 1


@dataclass(frozen=True, slots=True)
class Table:
    """What is played.

    Parameters
    ----------
    deals : TableDeals
    convention : Convention
    situation : Situation
    seed : int
    rounds : int
        How often the habits settle anew.
    """

    deals: TableDeals
    convention: Convention
    situation: Situation
    seed: int
    rounds: int = ROUNDS

    @property
    def most(self) -> int:
        """Steps at most."""
        return EVERY * self.rounds + MOST

    def game(self, usual: Habits) -> Game:
        """The deals valued, all playing by these habits."""
        return new_game(self.deals, self.convention, self.situation, self.seed, usual)

    def first_state(self, usual: Habits | None = None) -> State:
        """Before any step."""
        gains = first_gains(self.situation.min_level, unit_of(self.convention))
        usual = usual or start(self.convention)
        game = self.game(usual)
        return State(gains, usual, _frequencies(game, gains)[None])

    def settled(self, state: State) -> bool:
        """Whether the habits stand and the last step moved no frequency by more than `SETTLED`."""
        after = state.steps - EVERY * self.rounds
        if after < 1 or after >= MOST:
            return after >= MOST
        return bool(np.abs(state.history[-1] - state.history[-2]).max() <= SETTLED)

    def play_on(self, state: State, saved: Callable[[State], None] | None = None) -> State:
        """Step until settled; `saved` is called with the state after each step."""
        game = self.game(state.usual)
        while not self.settled(state):
            limits = draw_limits(game, reach_of(game, state.gains))
            gains = towards(state.gains, step(game, state.gains, limits))
            history = np.vstack([state.history, _frequencies(game, gains)])
            state = replace(state, gains=gains, history=history)
            turn, left = divmod(state.steps, EVERY)
            if not left and turn <= self.rounds:
                usual = self._habits(state, turn)
                state = replace(state, usual=usual, moved=_distance(usual, state.usual))
                game = self.game(state.usual)
            if saved is not None:
                saved(state)
        return state

    def _habits(self, state: State, turn: int) -> Habits:
        """The habits moved towards those that answer the calls, in the `turn`-th round from 1."""
        players = ChancesBidder(tuple(chances(state.gains, seat) for seat in range(3)))
        rng = np.random.default_rng([self.seed, turn])
        deals = bought_deals(self.convention, HABIT_DEALS, rng, players)
        plain = bought_deals(self.convention, PLAIN_DEALS, rng, players, near_plain=True)
        answer, _ = settle(deals, self.convention, plain)
        part = 2 / (turn + 1)
        return Habits(**{name: now + part * (getattr(answer, name) - now)
                         for name, now in _arrays(state.usual).items()})


def _frequencies(game: Game, gains: Gains) -> Floats:
    ends = frequencies(game, draw_limits(game, reach_of(game, gains)))
    return np.array(list(ends.values()))


def _distance(one: Habits, other: Habits) -> float:
    return max(float(np.abs(getattr(one, name) - getattr(other, name)).max())
               for name in THRESHOLDS)


def _arrays(usual: Habits) -> dict[str, NDArray[Any]]:
    return {field.name: getattr(usual, field.name) for field in fields(Habits)}


def save_state(state: State, path: Path) -> None:
    """Write a state; it appears whole or not at all."""
    save_arrays(path, {"levels": state.gains.levels, "misere": state.gains.misere,
                       "unit": np.array(state.gains.unit), "history": state.history,
                       "moved": np.array(state.moved),
                       **_arrays(state.usual)})


def load_state(path: Path) -> State:
    """Read a state.

    Raises
    ------
    InputError
        The file is damaged.
    """
    own = ("levels", "misere", "unit", "history", "moved")
    habit = [field.name for field in fields(Habits)]
    found = load_arrays(path, [*own, *habit])
    gains = Gains(found["levels"], found["misere"], float(found["unit"]))
    return State(gains, Habits(**{name: found[name] for name in habit}), found["history"],
                 float(found["moved"]))
