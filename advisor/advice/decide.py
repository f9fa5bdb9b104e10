"""The one entry: a hand record in, advice out."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from advisor.advice.bidding import bid_options
from advisor.advice.discarding import declare_options
from advisor.advice.results import Advice
from advisor.cards import DECK
from advisor.records.hand import HandRecord
from advisor.sampling.bidder import Bidder, GuideBidder, weigh
from advisor.sampling.deals import Deals, draw_deals
from advisor.sampling.unseen import Unseen
from advisor.tricks.guide import bidding_rule

DEFAULT_DEALS = 20_000
EVALUATORS = ("guide",)


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
        Model of the others' calls; `GuideBidder` if not given.
    """
    model = partial(weigh, bidder or GuideBidder(), record.auction, record.seat)
    return draw_deals(record.cards, record.seat, n, rng, model)


def list_deals(
    record: HandRecord, n: int, rng: np.random.Generator, bidder: Bidder | None = None
) -> list[tuple[tuple[int, int, int, int], float]]:
    """A few deals drawn uniformly, with the likelihood of the calls heard.

    Returns
    -------
    list of ((hand, hand, hand, talon), weight)
        Card masks by seat; a weight is a probability, 0 to 1. The talon is 0 once it is taken.
    """
    first, second, talon = Unseen(~record.cards & DECK).sample(n, rng)
    hands = np.empty((n, 1, 3), dtype=np.uint32)
    hands[:, 0, record.seat] = record.cards
    hands[:, 0, (record.seat + 1) % 3] = first
    hands[:, 0, (record.seat + 2) % 3] = second
    weight = weigh(bidder or GuideBidder(), record.auction, record.seat, hands, talon)[:, 0]
    order = rng.permutation(n)
    return [((int(hands[i, 0, 0]), int(hands[i, 0, 1]), int(hands[i, 0, 2]), int(talon[i])),
             float(weight[i])) for i in order]


def advise(
    record: HandRecord,
    *,
    deals: int = DEFAULT_DEALS,
    seed: int = 1,
    evaluator: str = "guide",
    bidder: Bidder | None = None,
) -> Advice:
    """Value every call, or every contract with its discard once the talon is taken.

    Parameters
    ----------
    record : HandRecord
    deals : int
        Deals wanted.
    seed : int
        Same seed, same answer.
    evaluator : str
        One of `EVALUATORS`.
    bidder : Bidder, optional
        Model of the others' calls.

    Raises
    ------
    ValueError
        Unknown evaluator, or fewer than one deal.
    """
    if evaluator not in EVALUATORS:
        raise ValueError(f"evaluator {evaluator!r}: expected one of {', '.join(EVALUATORS)}")
    start = time.perf_counter()
    rng = np.random.default_rng(seed)
    model = bidder or GuideBidder()
    drawn = sample_deals(record, deals, rng, model)
    options = declare_options(record, drawn) if record.declares \
        else bid_options(record, drawn, model, rng)
    return Advice(
        record, "declare" if record.declares else "bid", options, evaluator, drawn.count,
        drawn.ess, drawn.exhaustive, seed, time.perf_counter() - start,
        None if record.declares else bidding_rule(record.cards, record.seat == 0),
    )
