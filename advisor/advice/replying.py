"""What to reply to another's contract, by the evaluator in use.

``auto`` values the replies on all sampled deals by the fitted tables, which also say what the
player does later; then deals are solved in rounds as `advisor.advice.refining` has it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from advisor.advice.blocks import Progress
from advisor.advice.defending import defended_rows, defended_tricks
from advisor.advice.refining import Budget, refine
from advisor.advice.results import Advice, Option, Why
from advisor.advice.solving import UNSOLVED
from advisor.advice.whisting import (
    Defence,
    defence_of,
    reply_shares,
    whist_deals,
    whist_options,
)
from advisor.advice.why import why_reply
from advisor.records.hand import HandRecord
from advisor.rules.deal import Reply
from advisor.sampling.bidder import Bidder
from advisor.sampling.deals import Deals

Floats = NDArray[np.float64]

DEALS = 20_000
EXACT_DEALS = 3_000


@dataclass
class Replies:
    """A defender's decision by estimated tricks, to be corrected by solving.

    Parameters
    ----------
    record : HandRecord
    deals : Deals
    chances : float64 (t, m, 11)
        Of the declarer's tricks on every deal.
    threads : int, optional
    """

    record: HandRecord
    deals: Deals
    chances: Floats
    threads: int | None = None
    at: Defence = field(init=False)
    shares: dict[Reply, Floats] = field(init=False)
    tricks: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        self.at = defence_of(self.record)
        self.shares = reply_shares(self.at, self.deals, self.chances)
        self.tricks = np.full(self.deals.weight.shape, UNSOLVED, dtype=np.int8)

    def options(self, k: int) -> tuple[Option, ...]:
        """All replies, best first; corrected on the first k layouts of every talon."""
        if k == 0:
            return whist_options(self.at, self.deals, self.shares, self.chances)
        self._solve(k)
        return whist_options(self.at, self.deals, self.shares, self.chances,
                             np.eye(11)[self.tricks[:, :k]])

    def is_answered(self, options: Sequence[Option]) -> bool:
        """Whether nothing beside the best reply is still asked for."""
        return True

    def why(self, options: Sequence[Option]) -> Why:
        """The first of the options taken apart."""
        reply = options[0].reply
        assert reply is not None
        return why_reply(self.at, self.deals, self.shares[reply], self.chances, options[0])

    def _solve(self, k: int) -> None:
        from advisor.tricks.solver import solve_deals

        where = np.zeros(self.tricks.shape, dtype=bool)
        where[:, :k] = self.tricks[:, :k] == UNSOLVED
        rows = defended_rows(self.deals, self.at.declarer, self.at.strain)[where]
        self.tricks[where] = solve_deals(
            rows, self.at.strain, -self.at.declarer % 3, threads=self.threads)


def advise_whist(
    record: HandRecord, deals: int | None = None, seed: int = 1, evaluator: str = "guide",
    seconds: float | None = None, bidder: Bidder | None = None, progress: Progress | None = None,
    threads: int | None = None, why: bool = True,
) -> Advice:
    """Value whist, pass and half-whist; see `advisor.advice.decide.advise` for the parameters."""
    start = time.perf_counter()
    rng = np.random.default_rng(seed)
    wanted = deals if deals is not None else EXACT_DEALS if evaluator == "exact" else DEALS
    drawn = whist_deals(record, wanted, rng, bidder)
    at = defence_of(record)
    chances, drawn, complete = defended_tricks(
        record.cards, drawn, at.declarer, at.strain, "fitted" if evaluator == "auto" else evaluator,
        rng, progress, threads)
    question = Replies(record, drawn, chances, threads)
    answer = partial(Advice, record, "whist", evaluator=evaluator, deals=drawn.count,
                     ess=drawn.ess, exhaustive=drawn.exhaustive, seed=seed, rule=None)
    if evaluator == "auto":
        found = refine(question, Budget(None if seconds is None else start + seconds), progress)
        return answer(options=found.options, seconds=time.perf_counter() - start,
                      complete=found.stopped != "interrupted", solved=found.solved,
                      stopped=found.stopped, why=question.why(found.options) if why else None)
    options = question.options(0)
    return answer(options=options, seconds=time.perf_counter() - start, complete=complete,
                  why=question.why(options) if why else None)
