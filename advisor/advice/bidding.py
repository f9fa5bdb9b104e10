"""What to call: every legal call played out on the same deals.

After his call the player goes on as far as declaring beats passing by the same estimate; the others
go to their drawn limits. Then somebody declares, or nobody does, and the deal is scored. What this
shortcut does not know is said in `advisor.show.report`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES, GuideGames, Outcome, own_games, own_misere
from advisor.advice.fitted import FittedGames, coarse_games, fitted_games, opponent_chances
from advisor.advice.opponents import OpponentGame, all_pass_net, opponent_game, opponent_misere
from advisor.advice.payoff import Payoff, payoff
from advisor.advice.playout import NOBODY, Purchase, buy, call_place
from advisor.advice.results import (
    ALL_PASS_END,
    IDLE_END,
    THEIR_MISERE_END,
    WHIST_END,
    Option,
)
from advisor.advice.solved import Solved, SolvedGames, solved_games, solved_misere
from advisor.advice.solving import SCREEN, screened
from advisor.advice.statistics import estimate, weighted_mean
from advisor.records.hand import HandRecord
from advisor.rules.calls import MISERE_CALL, Call, CallKind
from advisor.rules.contracts import MISERE
from advisor.sampling.bidder import PASS_LIMIT, Bidder, game_places
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Played:
    """One call, played out on every deal.

    Parameters
    ----------
    net : float64 (t, m)
        The player's net whists.
    made : float64 (t, m)
        Chance that he makes his contract; nan where he does not declare.
    ends : mapping
        Share of the deals by how they end.
    """

    net: Floats
    made: Floats
    ends: Mapping[str, float]


@dataclass
class BidTable:
    """Everything the calls of one hand are valued from, computed once.

    Parameters
    ----------
    record : HandRecord
    deals : Deals
    limits : mapping of seat to float64 (t, m)
        The others' drawn limits.
    solved : Solved, optional
        Tricks of the deals where they are known; the guide estimates the rest.
    fitted : bool
        Games by the fitted tables.
    """

    record: HandRecord
    deals: Deals
    limits: dict[int, Floats]
    solved: Solved | None = None
    fitted: bool = False
    table: Payoff = field(init=False)
    own: GuideGames | SolvedGames | FittedGames = field(init=False)
    others: dict[int, OpponentGame] = field(init=False)
    nobody: Floats = field(init=False)
    game_of_place: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        record, deals = self.record, self.deals
        convention = record.convention
        self.table = payoff(convention, record.players, record.all_passes + 1)
        guide, solved = own_games(record.cards, deals, convention, self.table), self.solved
        self.own = guide
        if solved:
            self.own = solved_games(record.cards, guide, solved)
        elif self.fitted:
            away = screened(coarse_games(record.cards, guide), SCREEN)
            self.own = fitted_games(record.cards, guide, away)
        self.others = {
            seat: opponent_game(deals, seat, convention, self.table,
                                solved.theirs[i] if solved else None,
                                opponent_chances(deals, seat) if self.fitted else None)
            for i, seat in enumerate(deals.hidden)}
        self.nobody = all_pass_net(deals, self.table, solved.all_pass if solved else None)
        self.game_of_place = {place: call.rank for call, place
                              in record.auction.rules.order.places.items() if call.is_game}
        self._outcomes: dict[int, Outcome] = {}

    def outcome(self, game: int) -> Outcome:
        """Declaring when the auction was bought at a game (0..24)."""
        if game not in self._outcomes:
            self._outcomes[game] = self.own.outcome(game)
        return self._outcomes[game]

    def play(self, call: Call, own_limit: float) -> Played:
        """Say `call`, then go on to `own_limit`."""
        seat = self.record.seat
        if not call.with_talon:
            return self._without_talon(call)
        auction = self.record.auction.after(call)
        mine = PASS_LIMIT if call.kind is CallKind.PASS else \
            max(own_limit, call_place(call, self.record.auction))
        if call.is_misere:
            mine = call_place(call, self.record.auction)
        limits = [self.limits.get(s, np.full(self.nobody.shape, mine)) for s in range(3)]
        bought = buy(auction, (limits[0], limits[1], limits[2]))
        return self._score(bought, seat)

    def _score(self, bought: Purchase, seat: int) -> Played:
        weight = self.deals.weight / self.deals.weight.sum()
        net = np.where(bought.winner == NOBODY, self.nobody, np.nan)
        made = np.full(net.shape, np.nan)
        ends = {ALL_PASS_END: float(weight[bought.winner == NOBODY].sum())}
        for place in np.unique(bought.place[bought.winner == seat]):
            where = (bought.winner == seat) & (bought.place == place)
            outcome, names = self._mine(int(place))
            net[where], made[where] = outcome.net[where], outcome.made[where]
            _add_games(ends, names, where, weight)
        for other in self.others:
            self._theirs(other, bought, net, ends, weight)
        return Played(net, made, ends)

    def _mine(self, place: int) -> tuple[Outcome, NDArray[np.intp] | None]:
        """The player's outcome when he buys at a place, and his games (t, m); none for misère."""
        if place == self.record.auction.rules.order.places[MISERE_CALL]:
            return self._own_misere(), None
        outcome = self.outcome(self.game_of_place[place])
        return outcome, outcome.by_layout(self.deals)

    def _own_misere(self) -> Outcome:
        if self.solved is not None and self.solved.misere_away.size:
            return solved_misere(self.record.cards, self.deals, self.table, self.solved)
        return own_misere(self.record.cards, self.deals, self.table)

    def _theirs(
        self, other: int, bought: Purchase, net: Floats, ends: dict[str, float], weight: Floats
    ) -> None:
        order = self.record.auction.rules.order
        plays = bought.winner == other
        misere = plays & np.isin(bought.place, [p for c, p in order.places.items() if c.is_misere])
        games = plays & ~misere
        if misere.any():
            known = self.solved.their_misere[self.deals.hidden.index(other)] \
                if self.solved else None
            net[misere] = opponent_misere(self.deals, other, self.table, misere, known)[misere]
            ends[THEIR_MISERE_END] = ends.get(THEIR_MISERE_END, 0.0) + float(weight[misere].sum())
        if games.any():
            lookup = np.zeros(int(bought.place.max()) + 2, dtype=np.intp)
            for place, game in self.game_of_place.items():
                if place < len(lookup):
                    lookup[place] = game
            value, whists = self.others[other].at(lookup[np.maximum(bought.place, 0)])
            net[games] = value[games]
            for end, chosen in ((WHIST_END, games & whists), (IDLE_END, games & ~whists)):
                ends[end] = ends.get(end, 0.0) + float(weight[chosen].sum())

    def _without_talon(self, call: Call) -> Played:
        """A call that leaves the talon: the ten cards dealt are played, nobody goes over it."""
        hand = self.record.cards
        if call.is_misere:
            outcome = own_misere(hand, self.deals, self.table, talon=False)
            return Played(outcome.net, outcome.made, {str(MISERE): 1.0})
        outcome = self.own.without_talon(hand, call.rank)
        ends: dict[str, float] = {}
        weight = self.deals.weight / self.deals.weight.sum()
        _add_games(ends, outcome.by_layout(self.deals), np.ones(weight.shape, bool), weight)
        return Played(outcome.net, outcome.made, ends)


def _add_games(
    ends: dict[str, float], names: NDArray[np.intp] | None, where: NDArray[np.bool_], weight: Floats
) -> None:
    if names is None:
        ends[str(MISERE)] = ends.get(str(MISERE), 0.0) + float(weight[where].sum())
        return
    shares = np.bincount(names[where], weights=weight[where], minlength=len(GAMES))
    for game in np.flatnonzero(shares):
        name = str(GAMES[game])
        ends[name] = ends.get(name, 0.0) + float(shares[game])


def drawn_limits(
    record: HandRecord, deals: Deals, bidder: Bidder, rng: np.random.Generator
) -> dict[int, Floats]:
    """A limit for each of the others on every deal, the same for all calls compared."""
    return {seat: bidder.limits(deals.hands[:, :, seat], seat, record.auction, rng)
            for seat in deals.hidden}


def bid_options(
    record: HandRecord, deals: Deals, limits: dict[int, Floats], solved: Solved | None = None,
    *, fitted: bool = False,
) -> tuple[Option, ...]:
    """Value every legal call on the same deals, best first; see `BidTable`."""
    table = BidTable(record, deals, limits, solved, fitted)
    calls = record.auction.legal_calls()
    passed = table.play(calls[0], PASS_LIMIT)
    limit = _own_limit(table, weighted_mean(passed.net, deals))
    played = {call: passed if call.kind is CallKind.PASS else table.play(call, limit)
              for call in calls}
    return rank(played, deals)


def _own_limit(table: BidTable, passing: float) -> float:
    """The highest place at which the player still would rather declare than pass."""
    deals = table.deals
    rules = table.record.auction.rules
    for game, place in reversed(list(enumerate(game_places(rules.order).ravel()))):
        if game // 5 + 6 < rules.min_level:
            break
        if weighted_mean(table.outcome(game).net, deals) > passing:
            return float(place)
    return PASS_LIMIT


def rank(played: Mapping[Call, Played], deals: Deals) -> tuple[Option, ...]:
    """Options by falling expected score; equal ones keep the cheaper call in front."""
    means = {call: weighted_mean(one.net, deals) for call, one in played.items()}
    best = max(means, key=lambda call: round(means[call], 9))
    options = []
    for call, one in played.items():
        ev = estimate(one.net, deals)
        behind = estimate(one.net - played[best].net, deals)
        declared = ~np.isnan(one.made)
        share = float(deals.weight[declared].sum() / deals.weight.sum())
        p_make = float(np.sum((deals.weight * one.made)[declared])
                       / deals.weight[declared].sum()) if share > 0 else None
        ends = dict(sorted(((e, s) for e, s in one.ends.items() if s > 0),
                           key=lambda item: -item[1]))
        options.append(Option(call, None, 0, ev.mean, ev.se, behind.mean, behind.se,
                              p_make, share, ends))
    return tuple(sorted(options, key=lambda option: -round(option.ev, 9)))
