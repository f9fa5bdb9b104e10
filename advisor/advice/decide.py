"""The one entry: a hand record in, advice out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bidding import BidTable, drawn_limits, play_all, rank
from advisor.advice.blocks import Progress, take_rows
from advisor.advice.discarding import (
    declare_options,
    listed_options,
    listed_plays,
    record_games,
)
from advisor.advice.fitted import coarse_games
from advisor.advice.guide_games import own_games
from advisor.advice.payoff import record_payoff
from advisor.advice.refining import Bids, Budget, Declarations, refine
from advisor.advice.replying import advise_whist
from advisor.advice.results import Advice, Option, Why
from advisor.advice.solving import Plan, Solved, plan_bids, plan_declaration, solve_plan
from advisor.advice.why import why_bid, why_play
from advisor.records.hand import HandRecord, parse_hand, unseen_mask
from advisor.sampling.bidder import Bidder, weigh
from advisor.sampling.deals import Deals, draw_deals
from advisor.sampling.fitted_bidder import default_bidder
from advisor.sampling.unseen import Unseen
from advisor.tricks.guide import bidding_rule

DEFAULT_DEALS = 20_000
LISTED_FROM = 20_000
LISTED_FROM_EACH = 20
EXACT_DEALS = 924
EXACT_DECLARE_DEALS = 400
EVALUATORS = ("auto", "guide", "fitted", "exact")
DEFAULT_SECONDS = 5.0


def sample_deals(
    record: HandRecord, n: int, rng: np.random.Generator, bidder: Bidder | None = None
) -> Deals:
    """Deals of the cards the player cannot see, weighted by the calls he heard.

    Parameters
    ----------
    record : HandRecord
    n : int
        Deals wanted, at least 1; see `advisor.sampling.deals.draw_deals`.
    rng : numpy.random.Generator
    bidder : Bidder, optional
        Model of the others' calls; `default_bidder` if not given.

    Notes
    -----
    All layouts are not all there is where the talon that the defenders have seen is not told. They
    are for what takes no replies; there an error is told that is none.
    """
    model = partial(weigh, bidder or default_bidder(record), record.auction, record.seat)
    deals = draw_deals(record.cards, record.seat, n, rng, model)
    return replace(deals, exhaustive=deals.exhaustive and not record.hides_talon)


def list_deals(
    record: HandRecord, n: int, rng: np.random.Generator, bidder: Bidder | None = None
) -> list[tuple[tuple[int, int, int, int], float]]:
    """A few deals as they are likely after the calls heard.

    They are drawn by weight, without repetition, from a pool of uniform deals.

    Returns
    -------
    list of ((hand, hand, hand, talon), weight)
        Card masks by seat; the weight is the likelihood of the calls heard, 0 to 1. The talon is 0
        once it is taken.
    """
    pool = max(LISTED_FROM, LISTED_FROM_EACH * n)
    first, second, talon = Unseen(unseen_mask(record)).sample(pool, rng)
    hands = np.empty((pool, 1, 3), dtype=np.uint32)
    hands[:, 0, record.seat] = record.cards
    hands[:, 0, (record.seat + 1) % 3] = first
    hands[:, 0, (record.seat + 2) % 3] = second
    model = bidder or default_bidder(record)
    weight = weigh(model, record.auction, record.seat, hands, talon)[:, 0]
    order = rng.choice(pool, size=n, replace=False, p=weight / weight.sum())
    return [((int(hands[i, 0, 0]), int(hands[i, 0, 1]), int(hands[i, 0, 2]), int(talon[i])),
             float(weight[i])) for i in order]


def advise(
    record: HandRecord | str,
    *,
    deals: int | None = None,
    seed: int = 1,
    evaluator: str = "auto",
    seconds: float | None = None,
    bidder: Bidder | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
    why: bool = True,
) -> Advice:
    """Value every call, every contract with its discard once the talon is taken, or every reply.

    Parameters
    ----------
    record : HandRecord or str
        A text is read as a hand file is: ``advise("♠AKQ98 ♣A8 ♦K107")``.
    deals : int, optional
        Deals wanted; by default `DEFAULT_DEALS` of the evaluator.
    seed : int
        Same seed, same answer, whatever the number of threads.
    evaluator : str
        "auto" screens by the fitted tables and solves deals until the best is told apart
        (`advisor.advice.refining`); "guide" estimates tricks by the printed guide; "fitted" by
        tables fitted to solved deals, layout by layout; "exact" solves the sampled deals with open
        cards, as far as the screen by the coarse fitted table finds them worth it.
    seconds : float, optional
        Wall time that "auto" may take, at least one round of solving; by default
        `DEFAULT_SECONDS`, or any time where `deals` says how many there are to solve. Only without
        a limit is the answer the same whatever the machine.
    bidder : Bidder, optional
        Model of the others' calls; `default_bidder` if not given.
    progress : callable, optional
        Called with (done, total) while deals are solved.
    threads : int, optional
        Threads of the solver; by default one a processor.
    why : bool
        Whether to take the best option's score apart.

    Returns
    -------
    Advice
        From fewer solved deals, and marked so, after an interruption (Ctrl-C) of the solver.

    Raises
    ------
    InputError
        A text that is no hand.
    ValueError
        Unknown evaluator, or fewer than one deal.
    KeyboardInterrupt
        Interrupted before anything was known.
    """
    if evaluator not in EVALUATORS:
        raise ValueError(f"evaluator {evaluator!r}: expected one of {', '.join(EVALUATORS)}")
    if isinstance(record, str):
        record = parse_hand(record)
    if evaluator == "auto" and seconds is None and deals is None:
        seconds = DEFAULT_SECONDS
    if record.decision == "whist":
        return advise_whist(record, deals, seed, evaluator, seconds, bidder, progress, threads,
                            why)
    start = time.perf_counter()
    rng = np.random.default_rng(seed)
    model = bidder or default_bidder(record)
    wanted = deals if deals is not None else default_deals(evaluator, record)
    drawn = sample_deals(record, wanted, rng, model)
    if evaluator == "auto" and not record.plays_misere:
        budget = Budget(None if seconds is None else start + seconds)
        answer = _refined(record, drawn, model, rng, budget, progress, threads)
    else:
        solve = None if evaluator in ("guide", "fitted") else partial(
            solve_plan, record, rng=rng, progress=progress, threads=threads)
        decide = _declare if record.declares else _bid
        answer = decide(record, drawn, model, rng, solve, evaluator == "fitted")
    return Advice(
        record, record.decision, answer.options, evaluator,
        answer.deals.count, answer.deals.ess, answer.deals.exhaustive, seed,
        time.perf_counter() - start,
        None if record.declares else bidding_rule(record.cards, record.seat == 0),
        answer.complete, answer.solved, answer.stopped,
        answer.why() if why and answer.why is not None else None)


def default_deals(evaluator: str, record: HandRecord) -> int:
    """How many deals an evaluator takes if nobody says."""
    if evaluator in ("guide", "fitted") or (
            evaluator == "auto" and not record.plays_misere):
        return DEFAULT_DEALS
    return EXACT_DECLARE_DEALS if record.declares else EXACT_DEALS


@dataclass(frozen=True, slots=True)
class _Answer:
    options: tuple[Option, ...]
    deals: Deals
    complete: bool = True
    why: Callable[[], Why] | None = None
    solved: int = 0
    stopped: str | None = None


_Solve = Callable[[Deals, Plan], tuple[Deals, Solved, NDArray[np.intp], bool]]


def _refined(
    record: HandRecord, deals: Deals, model: Bidder, rng: np.random.Generator, budget: Budget,
    progress: Progress | None, threads: int | None,
) -> _Answer:
    question: Bids | Declarations = Declarations(record, deals, threads) if record.declares \
        else Bids(record, deals, drawn_limits(record, deals, model, rng), threads)
    found = refine(question, budget, progress)
    return _Answer(found.options, deals, found.stopped != "interrupted",
                   partial(question.why, found.options), found.solved, found.stopped)


def _bid(
    record: HandRecord, deals: Deals, model: Bidder, rng: np.random.Generator,
    solve: _Solve | None, fitted: bool,
) -> _Answer:
    limits = drawn_limits(record, deals, model, rng)
    if solve is None:
        return _played_out(BidTable(record, deals, limits, fitted=fitted))
    games = own_games(record.cards, deals, record.convention, record_payoff(record))
    games = coarse_games(record.cards, games)
    deals, solved, rows, complete = solve(deals, plan_bids(record, deals, games, limits))
    limits = {seat: take_rows(limit, rows) for seat, limit in limits.items()}
    return _played_out(BidTable(record, deals, limits, solved), complete)


def _played_out(table: BidTable, complete: bool = True) -> _Answer:
    played, limit = play_all(table)
    options = rank(played, table.deals)
    best = options[0]
    assert best.call is not None
    return _Answer(options, table.deals, complete,
                   partial(why_bid, table, best, played[best.call], limit))


def _declare(
    record: HandRecord, deals: Deals, model: Bidder, rng: np.random.Generator,
    solve: _Solve | None, fitted: bool,
) -> _Answer:
    if solve is None:
        return _declared(record, deals, None, fitted)
    games = None if record.plays_misere else coarse_games(record.cards, own_games(
        record.cards, deals, record.convention, record_payoff(record), record.talon))
    deals, solved, _, complete = solve(deals, plan_declaration(record, deals, games))
    return _declared(record, deals, solved, False, complete)


def _declared(
    record: HandRecord, deals: Deals, solved: Solved | None, fitted: bool, complete: bool = True
) -> _Answer:
    if record.plays_misere:
        return _Answer(declare_options(record, deals, solved), deals, complete)
    games = record_games(record, deals, solved, fitted=fitted)
    listed = listed_plays(record, games)
    options = listed_options(games, listed)
    return _Answer(options, deals, complete, partial(why_play, games, listed, options))
