"""The player's own games by the fitted tables, as the pictures of a hand look at them.

He has bought the auction at the cheapest game he may still call, or declares with the talon taken;
what the others would have bid plays no part beside the calls heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.advice.decide import DEFAULT_DEALS, sample_deals
from advisor.advice.declaring import GAMES
from advisor.advice.discarding import record_games
from advisor.advice.games import player_games
from advisor.advice.guide_games import own_games
from advisor.advice.payoff import record_payoff
from advisor.advice.screened import ScreenedGames
from advisor.advice.solving import SCREEN
from advisor.errors import InputError
from advisor.records.hand import HandRecord
from advisor.rules.calls import CallKind
from advisor.rules.contracts import Contract
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Tabled:
    """A hand's games by the tables.

    Parameters
    ----------
    record : HandRecord
    games : ScreenedGames
    first : int
        The lowest game he may declare, an index into `advisor.advice.declaring.GAMES`.
    seed : int
    """

    record: HandRecord
    games: ScreenedGames
    first: int
    seed: int

    @property
    def deals(self) -> Deals:
        """The sampled deals."""
        return self.games.deals

    @property
    def lowest(self) -> Contract:
        """The game of `first`."""
        return GAMES[self.first]

    @cached_property
    def values(self) -> Floats:
        """Mean net whists of every game and discard under each talon, float64 (25, t, d).

        Of what is not tried or not allowed -inf.
        """
        mean = self.games.expected()
        mean[: self.first] = -np.inf
        return mean

    def best_of(self, games: Ints) -> tuple[Ints, Ints]:
        """The best of some games with its discard under each talon, intp (t,) each."""
        by_discard = self.values[games]
        game = by_discard.max(axis=2).argmax(axis=0)
        row = np.arange(len(game))
        return games[game], by_discard[game, row].argmax(axis=1)


def tabled(record: HandRecord, deals: int | None = None, seed: int = 1) -> Tabled:
    """The games of a player who bids, or declares a game.

    Parameters
    ----------
    record : HandRecord
    deals : int, optional
        Deals wanted; `DEFAULT_DEALS` if not given.
    seed : int
        Same seed, same answer.

    Raises
    ------
    InputError
        A defender's question, a misère that has to be played, or no game that could be called.
    """
    first = _first(record)
    drawn = sample_deals(record, deals or DEFAULT_DEALS, np.random.default_rng(seed))
    if record.declares:
        games = record_games(record, drawn, fitted=True)
    else:
        games = player_games(
            record.cards, own_games(record.cards, drawn, record.convention,
                                    record_payoff(record)), None, True, SCREEN)
    assert isinstance(games, ScreenedGames)
    return Tabled(record, games, first, seed)


def _first(record: HandRecord) -> int:
    if record.decision == "whist":
        raise InputError("this picture shows the player's own games, and the hand is a defender's",
                         source=record.source)
    if record.plays_misere:
        raise InputError("this picture shows games on tricks, and the auction was won with a "
                         "misère", source=record.source)
    if record.declares:
        return GAMES.index(record.contracts[0])
    for call in record.auction.legal_calls():
        said = record.auction.last_call if call.kind is CallKind.HOLD else call
        if said is not None and said.is_game and said.with_talon:
            return said.rank
    raise InputError("this picture shows the player's own games, and after these calls he may "
                     "call none", source=record.source)
