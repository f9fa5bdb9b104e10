"""The fitted tables screen, the solver decides: ``auto``.

The fitted tables value every call (or play) on all sampled deals and choose, talon by talon, what
the player declares and throws. What is within `CONTEND` whists of the best is a *contender*. Then
the deals are solved in rounds, a few layouts of every talon at a time, and only as far as a
contender needs them: the play he would make, the opponent's game he would meet. The
expected score is the tables' mean over all deals plus the mean change by solving
(`advisor.advice.statistics.Score`). Since the choice never sees a solved trick, solving does not
flatter it.

Rounds go on until the best has no rivals left (`advisor.advice.results.rivals`) and the cost of a
play asked about is known to within `ASKED_ERROR` whists, the time is over, or every deal is solved.
Other calls and plays are shown by the tables, changed by as much as the contender the tables like
best, a game among calls.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bidding import BidTable, Played, play_all, rank
from advisor.advice.blocks import Progress
from advisor.advice.declaring import GAMES, Play
from advisor.advice.discarding import listed_plays, rank_plays, record_games
from advisor.advice.guide_games import own_misere
from advisor.advice.known import Known, decided_games
from advisor.advice.playout import Purchase
from advisor.advice.results import Option, Why, is_pass, rivals
from advisor.advice.screened import ScreenedGames
from advisor.advice.solving import MISERE_HOPE
from advisor.advice.statistics import weighted_mean
from advisor.advice.why import why_bid, why_play
from advisor.records.hand import HandRecord
from advisor.rules.calls import Call, CallKind
from advisor.sampling.deals import Deals, first_layouts

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CONTEND = 6.0
ASKED_ERROR = 0.5
MOST_PLAYS = 12
ROUND = 4
ONE_TALON_ROUND = 200

Stopped = Literal["separated", "time", "all", "interrupted"]


class Question(Protocol):
    """A decision valued by estimated tricks, to be corrected by solving."""

    deals: Deals

    def options(self, k: int) -> tuple[Option, ...]:
        """Best first, corrected on the first k layouts of every talon."""

    def is_answered(self, options: Sequence[Option]) -> bool:
        """Whether all that was asked beside the best option is known."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to go on.

    Parameters
    ----------
    deadline : float or None
        On the clock of `time.perf_counter`; None for no limit.
    """

    deadline: float | None = None

    def allows(self, last: float) -> bool:
        """Whether another round like the last, of so many seconds, would end in time."""
        return self.deadline is None or time.perf_counter() + last <= self.deadline


@dataclass(frozen=True, slots=True)
class Refined:
    """An answer, with how far it was solved.

    Parameters
    ----------
    options : tuple of Option
    solved : int
        Deals solved.
    stopped : str
        "separated": the best is told apart (and what was asked is answered); "time" is over;
        "all" deals are solved; "interrupted" by the user.
    """

    options: tuple[Option, ...]
    solved: int
    stopped: Stopped


@dataclass
class Bids:
    """A bidding decision by the fitted tables, to be corrected by solving.

    Parameters
    ----------
    record : HandRecord
    deals : Deals
    limits : mapping of seat to float64 (t, m)
        The others' drawn limits.
    threads : int, optional
    """

    record: HandRecord
    deals: Deals
    limits: dict[int, Floats]
    threads: int | None = None
    table: BidTable = field(init=False)
    games: ScreenedGames = field(init=False)
    played: dict[Call, Played] = field(init=False)
    limit: tuple[float, float] = field(init=False)
    known: Known = field(init=False)
    contenders: dict[Call, Purchase] = field(init=False)
    misere_away: NDArray[np.uint32] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.table = BidTable(self.record, self.deals, self.limits, fitted=True)
        assert isinstance(self.table.own, ScreenedGames)
        self.games = self.table.own
        self.played, self.limit = play_all(self.table)
        self.known = Known(self.record, self.deals, self.games.away, self.threads)
        self.contenders = self.table.purchase_each(self._contenders(), self.limit)
        if any(call.is_misere for call in self.contenders):
            self.misere_away = own_misere(
                self.record.cards, self.deals, self.table.table).away[0][:, None]

    def _contenders(self) -> list[Call]:
        options = rank(self.played, self.deals)
        best = max((option.ev for option in options if not is_pass(option)), default=0.0)
        return [call for option in options if (call := option.call) is not None and (
            call.kind in (CallKind.PASS, CallKind.HOLD)
            or (call.with_talon and option.ev > best - (
                MISERE_HOPE if call.is_misere else CONTEND)))]

    def is_answered(self, options: Sequence[Option]) -> bool:
        """Whether nothing beside the best call is still asked for."""
        return True

    def options(self, k: int) -> tuple[Option, ...]:
        """All calls, best first; contenders corrected on the first k layouts of every talon."""
        if k == 0:
            return rank(self.played, self.deals)
        self._solve(k)
        table = BidTable(
            self.record, first_layouts(self.deals, k),
            {seat: limit[:, :k] for seat, limit in self.limits.items()},
            self.known.solved(k, self.misere_away), fitted=True,
            games=decided_games(self.games, self.known.own[..., :k]))
        self.played |= {call: replace(self.played[call], solved=solved)
                        for call, solved in table.play_each(self.contenders, self.limit).items()}
        return rank(self.played, self.deals)

    def why(self, options: Sequence[Option]) -> Why:
        """The first of the options taken apart."""
        call = options[0].call
        assert call is not None
        return why_bid(self.table, options[0], self.played[call], self.limit)

    def _solve(self, k: int) -> None:
        """Solve what the contenders come to on the first k layouts."""
        shape = (len(self.deals.talon), k)
        own = np.zeros((*self.games.away.shape, k), dtype=bool)
        theirs, miseres = np.zeros((2, 2, *shape), dtype=bool)
        for bought in self.contenders.values():
            winner, place = bought.winner[:, :k], bought.place[:, :k]
            misere = self.table.is_misere[place]
            for i, seat in enumerate(self.deals.hidden):
                theirs[i] |= (winner == seat) & ~misere
                miseres[i] |= (winner == seat) & misere
            mine = np.where((winner == self.deals.seat) & ~misere, place, -1)
            for at in np.unique(mine[mine >= 0]):
                call = self.table.calls[int(at)]
                if call.with_talon:
                    self._mark(own, call.rank, mine == at)
        self.known.solve_own(own)
        for i in (0, 1):
            self.known.solve_theirs(i, theirs[i], misere=False)
            self.known.solve_theirs(i, miseres[i], misere=True)
        if self.misere_away is not None:
            self.known.solve_own_misere(self.misere_away, k)

    def _mark(self, own: Mask, first: int, where: Mask) -> None:
        """Mark the plays (t, 5, d, k) chosen where (t, k) a game is bought at `first`."""
        talon, k = np.arange(len(where)), where.shape[1]
        for use in self.games.played_from(first):
            own[talon, use.game % 5, use.discard] |= where & use.columns[:k]


@dataclass
class Declarations:
    """Contracts with discards by the fitted tables, to be corrected by solving.

    Parameters
    ----------
    record : HandRecord
    deals : Deals
    threads : int, optional
    """

    record: HandRecord
    deals: Deals
    threads: int | None = None
    games: ScreenedGames = field(init=False)
    listed: list[tuple[int, int]] = field(init=False)
    plays: list[Play] = field(init=False)
    contenders: list[int] = field(init=False)
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        record = self.record
        games = record_games(record, self.deals, fitted=True)
        assert isinstance(games, ScreenedGames)
        self.games, self.listed = games, listed_plays(record, games)
        self.plays = [games.single(game, discard) for game, discard in self.listed]
        self.known = Known(record, self.deals, games.away, self.threads)
        value = [weighted_mean(play.net, self.deals) for play in self.plays]
        order = sorted(range(len(value)), key=lambda i: -value[i])
        self.contenders = [i for rank, i in enumerate(order) if self._is_asked(i)
                           or (rank < MOST_PLAYS and value[i] > max(value) - CONTEND)]

    def options(self, k: int) -> tuple[Option, ...]:
        """The listed plays, best first; contenders corrected on the first k layouts."""
        plays = list(self.plays)
        if k:
            where = np.zeros((*self.games.away.shape, k), dtype=bool)
            for i in self.contenders:
                game, discard = self.listed[i]
                where[0, game % 5, discard] = True
            self.known.solve_own(where)
            solved = decided_games(self.games, self.known.own[..., :k])
            for i in self.contenders:
                plays[i] = self._corrected(i, solved.single(*self.listed[i]))
        return rank_plays([(GAMES[game], play) for (game, _), play in
                           zip(self.listed, plays, strict=True)], self.deals)

    def is_answered(self, options: Sequence[Option]) -> bool:
        """Whether the cost of the play asked about is known to within `ASKED_ERROR`."""
        asked = self.record.asked
        return asked is None or any(
            (option.contract, option.discard) == asked and option.behind_se < ASKED_ERROR
            for option in options)

    def _is_asked(self, i: int) -> bool:
        game, discard = self.listed[i]
        return self.record.asked == (GAMES[game], int(self.games.tried(game % 5)[0, discard]))

    def why(self, options: Sequence[Option]) -> Why:
        """The first of the options taken apart."""
        return why_play(self.games, self.listed, options)

    def _corrected(self, i: int, solved: Play) -> Play:
        """A play with its solved part, the chances of tricks changed alike."""
        game, discard = self.listed[i]
        k = solved.net.shape[1]
        before = self.games.chances(np.array([game]), np.array([discard]))[0, :k]
        weight = self.deals.weight[0, :k]
        tricks = self.plays[i].tricks + solved.tricks - weight @ before / weight.sum()
        tricks = np.clip(tricks, 0.0, None)
        return replace(self.plays[i], tricks=tricks / tricks.sum(), solved=solved)


def refine(
    question: Question, budget: Budget, progress: Progress | None = None
) -> Refined:
    """Solve in rounds until the best is told apart, the time is over, or all is solved.

    Parameters
    ----------
    question : Question
    budget : Budget
        The first round is always made.
    progress : callable, optional
        Called with (layouts solved, layouts there are) after each round.
    """
    talons, total = question.deals.weight.shape
    size = ONE_TALON_ROUND if talons == 1 else ROUND
    options, known = question.options(0), 0
    stopped: Stopped = "all"
    try:
        while known < total:
            start = time.perf_counter()
            upto = min(known + size, total)
            options, known = question.options(upto), upto
            if progress is not None:
                progress(known, total)
            if not rivals(options) and question.is_answered(options):
                stopped = "separated"
                break
            if known < total and not budget.allows(time.perf_counter() - start):
                stopped = "time"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
    return Refined(options, known * talons, stopped)
