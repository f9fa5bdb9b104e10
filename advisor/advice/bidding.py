"""What to call: every legal call played out on the same deals.

After his call the player goes on as far as it pays against the others' drawn limits, which he does
not know: how far is found on one half of the deals and valued on the other. The auction is called
out by the rules (`advisor.advice.playout`); then somebody declares, or nobody does, and the deal is
scored. What these limits do not know is said in `advisor.show.notes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES, Outcome, OwnGames
from advisor.advice.fitted import opponent_chances
from advisor.advice.folds import halves
from advisor.advice.games import player_games
from advisor.advice.guide_games import own_games, own_misere
from advisor.advice.opponents import (
    GOES_HALF,
    PASSES,
    WHISTS,
    OpponentGame,
    all_pass_net,
    opponent_game,
    opponent_misere,
)
from advisor.advice.payoff import Payoff, record_payoff
from advisor.advice.playout import NOBODY, Limits, Purchase, buy, buy_each, call_place
from advisor.advice.results import (
    ALL_PASS_END,
    HALF_END,
    IDLE_END,
    THEIR_MISERE_END,
    WHIST_END,
    Option,
)
from advisor.advice.solved import solved_misere
from advisor.advice.solving import SCREEN, Solved
from advisor.advice.statistics import Estimate, Score, borrowing, weighted_mean
from advisor.records.hand import HandRecord
from advisor.rules.calls import MISERE_CALL, Call, CallKind
from advisor.rules.contracts import MISERE
from advisor.sampling.bidder import PASS_LIMIT, Bidder, game_places
from advisor.sampling.bidding_tables import next_deal_worth
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]
OwnLimit = float | tuple[float, float]
DISCARDS_KEPT = 5


@dataclass(frozen=True, slots=True)
class Played:
    """One call, played out on every deal.

    Parameters
    ----------
    net : float64 (t, m)
        The player's net whists.
    made : float64 (t, m)
        Chance that he makes his contract; nan where he does not declare.
    tricks : float64 (t, m)
        His expected tricks; nan where he does not declare.
    ends : mapping
        Share of the deals by how they end.
    thrown : mapping
        Share of the deals he declares by discard (card mask), the likeliest first.
    solved : Played, optional
        The same call on the first layouts of every talon with solved tricks.
    """

    net: Floats
    made: Floats
    tricks: Floats
    ends: Mapping[str, float]
    thrown: Mapping[int, float]
    solved: Played | None = None

    def score(self, deals: Deals) -> Score:
        """The player's score on his deals, corrected by the solved ones."""
        return Score(self.net, deals, self._change("net"))

    def where_declared(self, name: str, deals: Deals) -> float | None:
        """Mean of `made` or `tricks` over the deals he declares, corrected; None without any."""
        mean = _declared_mean(getattr(self, name), deals.weight)
        change = self._change(name)
        if mean is None or change is None:
            return mean
        return mean + (_declared_mean(change, deals.weight[:, : change.shape[1]]) or 0.0)

    def _change(self, name: str) -> Floats | None:
        if self.solved is None:
            return None
        solved: Floats = getattr(self.solved, name)
        before: Floats = getattr(self, name)
        return solved - before[:, : solved.shape[1]]


def _declared_mean(values: Floats, weight: Floats) -> float | None:
    weight = np.where(np.isnan(values), 0.0, weight)
    total = float(weight.sum())
    return float(np.nansum(weight * values)) / total if total else None


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
    games : OwnGames, optional
        The player's games, where they are known already.
    """

    record: HandRecord
    deals: Deals
    limits: dict[int, Floats]
    solved: Solved | None = None
    fitted: bool = False
    games: InitVar[OwnGames | None] = None
    table: Payoff = field(init=False)
    own: OwnGames = field(init=False)
    others: dict[int, OpponentGame] = field(init=False)
    nobody: Floats = field(init=False)
    calls: tuple[Call, ...] = field(init=False)
    is_misere: NDArray[np.bool_] = field(init=False)
    ranks: NDArray[np.intp] = field(init=False)
    pairs: tuple[Floats, NDArray[np.intp]] = field(init=False)
    outcomes: dict[Call, Outcome] = field(init=False, default_factory=dict)
    sums: dict[tuple[int, int], Floats] = field(init=False, default_factory=dict)

    def __post_init__(self, games: OwnGames | None) -> None:
        record, deals = self.record, self.deals
        convention = record.convention
        self.table, solved = record_payoff(record), self.solved
        self.own = games or player_games(
            record.cards, own_games(record.cards, deals, convention, self.table), solved,
            self.fitted, SCREEN)
        self.others = {
            seat: opponent_game(deals, seat, convention, record_payoff(record, seat),
                                solved.theirs[i] if solved else None,
                                opponent_chances(deals, seat, convention) if self.fitted else None)
            for i, seat in enumerate(deals.hidden)}
        self.nobody = all_pass_net(deals, self.table, convention.all_pass_mode(record.players),
                                   solved.all_pass if solved else None)
        if record.players == 3:
            self.nobody = self.nobody + next_deal_worth(
                convention, record.all_passes, record.seat)
        self.calls = record.auction.rules.order.calls
        self.is_misere = np.array([call.is_misere for call in self.calls])
        self.ranks = np.array([call.rank if call.is_game else 0 for call in self.calls])
        half = halves(deals.weight.shape)
        self.pairs = _distinct(np.stack([*(self.limits[seat].ravel() for seat in deals.hidden),
                                         half.ravel()]))

    def outcome(self, call: Call) -> Outcome:
        """The player declares, having bought at this call; misère, or a game not below it."""
        if call not in self.outcomes:
            self.outcomes[call] = self._declare(call)
        return self.outcomes[call]

    def _declare(self, call: Call) -> Outcome:
        hand = self.record.cards
        if call.is_misere:
            if call.with_talon and self.solved is not None and self.solved.misere_away.size:
                return solved_misere(hand, self.deals, self.table, self.solved)
            return own_misere(hand, self.deals, self.table, talon=call.with_talon)
        if call.with_talon:
            return self.own.outcome(call.rank)
        return self.own.without_talon(hand, call.rank)

    def play(self, call: Call, own_limit: OwnLimit) -> Played:
        """Say `call`, then go on to `own_limit`, or to one on each half of the deals."""
        return self.play_each([call], own_limit)[call]

    def play_each(self, calls: Iterable[Call], own_limit: OwnLimit) -> dict[Call, Played]:
        """The same for several calls."""
        return {call: self._score(cells) for call, cells in self._cells(calls, own_limit)}

    def expected(self, call: Call, tried: Sequence[float]) -> Floats:
        """Sums of weight times the player's net whists of `play` to each limit, by half (k, 2)."""
        bought = buy(self.record.auction.after(call),
                     self._limits(self._goes_to(call, np.array(tried)[:, None])))
        return np.array([self._expected(bought[i]) for i in range(len(tried))])

    def _expected(self, bought: Purchase) -> Floats:
        half, total = self.pairs[0][2].astype(np.intp), np.zeros(2)
        for winner, place in sorted(set(zip(bought.winner.tolist(), bought.place.tolist(),
                                            strict=True))):
            sums = self._sums(winner, place)
            where = (bought.winner == winner) & (bought.place == place)
            total = total + np.bincount(half[where], sums[where], minlength=2)
        return total

    def _sums(self, winner: int, place: int) -> Floats:
        """Weight times net whists, summed by pair of limits, where all end with this purchase."""
        if (winner, place) not in self.sums:
            pairs, which = self.pairs
            net = self._net(winner, place)
            sums: Floats = np.bincount(which.ravel(), (self.deals.weight * net).ravel(),
                                       minlength=pairs.shape[1]).astype(np.float64)
            self.sums[winner, place] = sums
        return self.sums[winner, place]

    def _net(self, winner: int, place: int) -> Floats:
        """The player's net whists where `winner` buys at a place, (t, m)."""
        if winner == NOBODY:
            return self.nobody
        call = self.calls[place]
        if winner == self.deals.seat:
            return self.outcome(call).net
        net = np.zeros(self.nobody.shape)
        plays_misere = self.limits[winner] == self.record.auction.rules.order.places[MISERE_CALL]
        where = plays_misere if call.is_misere else np.ones(net.shape, dtype=bool)
        self._theirs(winner, np.full(net.shape, place), where, net, defaultdict(float),
                     self.deals.weight)
        return net

    def purchase(self, call: Call, own_limit: OwnLimit) -> Purchase:
        """Who declares, and at what, after `call` and the player's going on to `own_limit`."""
        return self.purchase_each([call], own_limit)[call]

    def purchase_each(self, calls: Iterable[Call], own_limit: OwnLimit) -> dict[Call, Purchase]:
        """The same for several calls."""
        return {call: self._everywhere(cells) for call, cells in self._cells(calls, own_limit)}

    def _everywhere(self, cells: Purchase) -> Purchase:
        return cells[self.pairs[1].reshape(self.nobody.shape)]

    def _cells(
        self, calls: Iterable[Call], own_limit: OwnLimit
    ) -> Iterator[tuple[Call, Purchase]]:
        """With each call who buys, once for each pair of the others' limits on each half."""
        calls = list(calls)
        mine = np.concatenate([self._goes_to(call, own_limit) for call in calls])
        bought = buy_each([self.record.auction.after(call) for call in calls], self._limits(mine))
        return ((call, bought[i]) for i, call in enumerate(calls))

    def _goes_to(self, call: Call, own_limit: OwnLimit | Floats) -> Floats:
        """How far the player goes after a call, on each half, (k, 2)."""
        place = call_place(call, self.record.auction)
        bound = call.kind is CallKind.PASS or self.calls[int(place)].is_misere
        limit = np.float64(place) if bound else np.maximum(own_limit, place)
        return np.broadcast_to(limit, np.broadcast_shapes(np.shape(limit), (1, 2)))

    def _limits(self, mine: Floats) -> Limits:
        """By seat, for the player's limits (k, 2): each pair of the others' on its half."""
        one, two, half = self.pairs[0]
        limits = dict(zip(self.deals.hidden, (one, two), strict=True))
        limits[self.deals.seat] = mine[:, half.astype(np.intp)]
        return limits[0], limits[1], limits[2]

    def _score(self, cells: Purchase) -> Played:
        bought = self._everywhere(cells)
        weight = self.deals.weight / self.deals.weight.sum()
        all_pass = bought.winner == NOBODY
        played = Played(np.where(all_pass, self.nobody, np.nan), np.full(weight.shape, np.nan),
                        np.full(weight.shape, np.nan), {}, {})
        ends: defaultdict[str, float] = defaultdict(float)
        thrown: defaultdict[int, float] = defaultdict(float)
        ends[ALL_PASS_END] = float(weight[all_pass].sum())
        mine = bought.winner == self.deals.seat
        for place in np.unique(cells.place[cells.winner == self.deals.seat]):
            where = mine & (bought.place == place)
            self._mine(self.calls[int(place)], where, played, ends, thrown, weight)
        for other in self.others:
            theirs = bought.winner == other
            if theirs.any():
                self._theirs(other, bought.place, theirs, played.net, ends, weight)
        return replace(played, ends=ends, thrown=thrown)

    def _mine(
        self, call: Call, where: NDArray[np.bool_], played: Played, ends: dict[str, float],
        thrown: dict[int, float], weight: Floats,
    ) -> None:
        """The player declares: his scores, and the shares of his contracts and discards."""
        outcome = self.outcome(call)
        for into, values in ((played.net, outcome.net), (played.made, outcome.made),
                             (played.tricks, outcome.tricks)):
            np.copyto(into, values, where=where)
        share = outcome.share(np.where(where, weight, 0.0))
        if call.is_misere:
            ends[str(MISERE)] += float(share.sum())
        else:
            games = np.bincount(outcome.game.ravel(), share.ravel(), minlength=len(GAMES))
            for game in np.flatnonzero(games):
                ends[str(GAMES[game])] += float(games[game])
        away, index = np.unique(outcome.away, return_inverse=True)
        for mask, part in zip(away, np.bincount(index.ravel(), share.ravel()), strict=True):
            thrown[int(mask)] += float(part)

    def _theirs(
        self, other: int, place: NDArray[np.intp], where: NDArray[np.bool_], net: Floats,
        ends: dict[str, float], weight: Floats,
    ) -> None:
        """An opponent plays; one who left the talon is valued as if he had taken it."""
        misere = where & self.is_misere[place]
        if misere.any():
            known = self.solved.their_misere[self.deals.hidden.index(other)] \
                if self.solved else None
            np.copyto(net, opponent_misere(self.deals, other, record_payoff(self.record, other),
                                            misere, known),
                      where=misere)
            ends[THEIR_MISERE_END] += float(weight[misere].sum())
        games = where & ~misere
        value, reply = self.others[other].at(self.ranks[place])
        np.copyto(net, value, where=games)
        shares = np.bincount(reply[games], weight[games], minlength=3)
        for end, said in ((WHIST_END, WHISTS), (HALF_END, GOES_HALF), (IDLE_END, PASSES)):
            ends[end] += float(shares[said])


def _distinct(columns: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The different columns of a matrix of few values, and which of them each (n,) is."""
    code = np.zeros(columns.shape[1], dtype=np.intp)
    for row in columns:
        values = np.unique(row)
        code = code * len(values) + np.searchsorted(values, row)
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    return columns[:, first], which


def drawn_limits(
    record: HandRecord, deals: Deals, bidder: Bidder, rng: np.random.Generator
) -> dict[int, Floats]:
    """A limit for each of the others on every deal, the same for all calls compared."""
    return {seat: bidder.limits(deals.hands[:, :, seat], seat, record.auction, rng)
            for seat in deals.hidden}


def play_all(table: BidTable) -> tuple[dict[Call, Played], tuple[float, float]]:
    """Every legal call played out, and the places the player himself goes on to."""
    limit = own_limits(table)
    return table.play_each(table.record.auction.legal_calls(), limit), limit


def own_limits(table: BidTable) -> tuple[float, float]:
    """How far it pays to go on: on each half of the deals what is best on the other.

    `PASS_LIMIT` where the player may but pass or call misère.
    """
    auction = table.record.auction
    going = next((call for call in auction.legal_calls() if call.kind is CallKind.HOLD
                  or (call.is_game and call.with_talon)), None)
    if going is None:
        return PASS_LIMIT, PASS_LIMIT
    tried = _tried(table, call_place(going, auction))
    first, second = table.expected(going, tried).argmax(axis=0)
    return tried[second], tried[first]


def _tried(table: BidTable, least: float) -> list[float]:
    """Places of games from `least` on, of those that come to the same the lowest.

    Only a limit of another between two places, or at one of them, tells them apart.
    """
    heard = {float(limit) for limit in np.unique(table.pairs[0][:2])}
    places = [least, *(float(place) for place in game_places(
        table.record.auction.rules.order).ravel() if place > least)]
    return [least, *(place for before, place in pairwise(places)
                     if any(before <= limit <= place for limit in heard))]


def rank(played: Mapping[Call, Played], deals: Deals) -> tuple[Option, ...]:
    """Options by falling expected score; equal ones keep the cheaper call in front."""
    scores = dict(zip(played, _levelled({call: one.score(deals) for call, one in played.items()}),
                      strict=True))
    values = {call: score.estimate() for call, score in scores.items()}
    best = max(values, key=lambda call: round(values[call].mean, 9))
    options = [_option(call, one, values[call], (scores[call] - scores[best]).estimate(), deals)
               for call, one in played.items()]
    return tuple(sorted(options, key=lambda option: -round(option.ev, 9)))


def _levelled(scores: Mapping[Call, Score]) -> list[Score]:
    """Games that were not solved changed like the solved one the tables like best, if there is one.

    A hold is a game, too; misère and pass have changes of their own kind, and lend or borrow none.
    """
    games = {call: score for call, score in scores.items()
             if not call.is_misere and call.kind is not CallKind.PASS}
    changed = dict(zip(games, borrowing(
        list(games.values()), [one for one in games.values() if one.change is not None]),
        strict=True))
    return [changed.get(call, score) for call, score in scores.items()]


def _option(call: Call, one: Played, ev: Estimate, behind: Estimate, deals: Deals) -> Option:
    weight = np.where(np.isnan(one.made), 0.0, deals.weight)
    share = float(weight.sum()) / float(deals.weight.sum())
    p_make = one.where_declared("made", deals)
    ends = sorted(((end, part) for end, part in one.ends.items() if part > 0),
                  key=lambda item: -item[1])
    thrown = sorted(((away, part / share) for away, part in one.thrown.items()
                     if away and part > 0),
                    key=lambda item: -item[1])[:DISCARDS_KEPT]
    return Option(call, None, 0, ev.mean, ev.se, behind.mean, behind.se,
                  None if p_make is None else min(max(p_make, 0.0), 1.0), share, dict(ends),
                  mean_tricks=one.where_declared("tricks", deals), discards=dict(thrown),
                  solved=one.solved is not None,
                  tables_ev=None if one.solved is None else weighted_mean(one.net, deals))
