"""The players of an arena, by name: the advisor by its evaluators, the rule of thumb, the model.

``rule`` bids as the Encyclopaedia of Games says (rules.md 7.3): misère with at most two holes of at
most 80 per cent together; else a six with more than four guide tricks in two suits or more than
five in one. For each further level it asks for one trick more, which is our reading. ``model``
bids to the limit that the advisor's model of the others draws for its hand. Both declare and whist
by the guide. ``guide``, ``fitted``, ``exact`` and further evaluators take the advisor's best
option; a number behind a colon says from how many sampled deals: ``fitted:1000``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import ceil
from typing import Any, TypeVar

import numpy as np

from advisor.advice.decide import EVALUATORS, advise
from advisor.advice.results import Option
from advisor.errors import InputError
from advisor.records.hand import HandRecord
from advisor.rules.auction import Auction
from advisor.rules.calls import HOLD, MISERE_CALL, PASS, Call
from advisor.rules.deal import Reply
from advisor.sampling.bidder import PASS_LIMIT
from advisor.sampling.fitted_bidder import default_bidder
from advisor.trials.guided import declare_by_guide, reply_by_guide
from advisor.trials.table import Declaration, Policy
from advisor.tricks.guide import bidding_rule

DEALS = {"guide": 200, "fitted": 200, "auto": 462}
MAX_POLICY_DEALS = 1_000_000
RULE, MODEL = "rule", "model"
T = TypeVar("T")


def cheapest_call(auction: Auction, limit: float) -> Call:
    """Stay in as cheaply as possible up to a ladder place, else pass; never a misère."""
    places = auction.rules.order.places
    if auction.is_legal(HOLD) and auction.last_call and places[auction.last_call] <= limit:
        return HOLD
    return next(
        (
            call
            for call in auction.legal_calls()
            if call.is_game and call.with_talon and places[call] <= limit
        ),
        PASS,
    )


class ByGuide:
    """Declaring and whisting of those who have nothing but the guide."""

    def declare(self, record: HandRecord) -> Declaration:
        """By the guide."""
        return declare_by_guide(record)

    def reply(self, record: HandRecord) -> Reply:
        """By the guide."""
        return reply_by_guide(record)


@dataclass(frozen=True)
class RulePolicy(ByGuide):
    """The rule of thumb."""

    name: str = RULE

    def call(self, record: HandRecord) -> Call:
        """Misère if the rule says so, else the cheapest game the rule goes to."""
        auction, rule = record.auction, bidding_rule(record.cards, record.seat == 0)
        if rule.misere and auction.is_legal(MISERE_CALL):
            return MISERE_CALL
        level = min(10, max(ceil(rule.one), ceil(rule.two) + 1))
        if level < auction.rules.min_level:
            return PASS
        return cheapest_call(auction, auction.rules.order.places[Call.game(level, rule.best[0])])


@dataclass(frozen=True)
class ModelPolicy(ByGuide):
    """The advisor's picture of an opponent: a limit drawn once a deal for each seat.

    Parameters
    ----------
    seed : int
        Of the deal: the same limit at every call of it.
    """

    seed: int
    name: str = MODEL

    def call(self, record: HandRecord) -> Call:
        """The cheapest call up to the limit, or misère where that is the limit."""
        auction = record.auction
        rng = np.random.default_rng((self.seed, record.seat))
        hand = np.array([record.cards], dtype=np.uint32)
        bidder = default_bidder(record)
        limit = float(bidder.limits(hand, record.seat, Auction(auction.rules), rng)[0])
        if limit == auction.rules.order.places[MISERE_CALL]:
            return next((call for call in (MISERE_CALL, HOLD) if auction.is_legal(call)), PASS)
        return PASS if limit == PASS_LIMIT else cheapest_call(auction, limit)


@dataclass(frozen=True, slots=True)
class AdvisedPolicy:
    """Whatever the advisor thinks best.

    Parameters
    ----------
    name : str
    evaluator : str
        One of `advisor.advice.decide.EVALUATORS`.
    deals : int or None
        Sampled deals a decision; None for the evaluator's own number.
    seed : int
        Of the deals sampled.
    """

    name: str
    evaluator: str
    deals: int | None
    seed: int

    def call(self, record: HandRecord) -> Call:
        """The call of best expected score."""
        call = self.best(record).call
        assert call is not None
        return call

    def declare(self, record: HandRecord) -> Declaration:
        """The contract and discard of best expected score."""
        best = self.best(record)
        assert best.contract is not None
        return best.contract, best.discard

    def reply(self, record: HandRecord) -> Reply:
        """The reply of best expected score."""
        reply = self.best(record).reply
        assert reply is not None
        return reply

    def best(self, record: HandRecord) -> Option:
        """The option of best expected score, with its chances."""
        return advise(
            record,
            deals=self.deals,
            seed=self.seed,
            evaluator=self.evaluator,
            threads=1,
            why=False,
        ).best


@dataclass(frozen=True, slots=True)
class Remembering:
    """A policy that thinks about the same question of one deal only once."""

    policy: Policy
    answers: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """That of the policy."""
        return self.policy.name

    def call(self, record: HandRecord) -> Call:
        """The policy's call."""
        return self._once(self.policy.call, record)

    def declare(self, record: HandRecord) -> Declaration:
        """The policy's contract and discard."""
        return self._once(self.policy.declare, record)

    def reply(self, record: HandRecord) -> Reply:
        """The policy's reply."""
        return self._once(self.policy.reply, record)

    def _once(self, decide: Callable[[Any], T], question: Hashable) -> T:
        if question not in self.answers:
            self.answers[question] = decide(question)
        answer: T = self.answers[question]
        return answer


def check_policy(name: str) -> str:
    """A name as it is known, in plain spelling.

    Raises
    ------
    InputError
        No such policy, or an impossible number of deals.
    """
    kind, colon, deals = name.strip().lower().partition(":")
    if kind not in (RULE, MODEL, *EVALUATORS):
        raise InputError(
            "'{found}' is not a policy; expected {expected}, with a number of deals "
            "as in {example}",
            found=name,
            example="fitted:1000",
            expected=", ".join((RULE, MODEL, *EVALUATORS)),
        )
    if not colon:
        return kind
    if kind in (RULE, MODEL):
        raise InputError("the policy {policy} samples no deals; leave the number out", policy=kind)
    if not (deals.isascii() and deals.isdigit() and 1 <= int(deals) <= MAX_POLICY_DEALS):
        raise InputError(
            "found '{found}', expected a whole number from {low} to {high}",
            found=deals,
            low=1,
            high=MAX_POLICY_DEALS,
        )
    return f"{kind}:{int(deals)}"


def seated(name: str, seed: int) -> Policy:
    """The policy of a checked name for one deal.

    Parameters
    ----------
    name : str
        As `check_policy` gives it.
    seed : int
        Of everything it samples in this deal.
    """
    if name == RULE:
        return RulePolicy()
    if name == MODEL:
        return ModelPolicy(seed)
    kind, _, deals = name.partition(":")
    return AdvisedPolicy(name, kind, int(deals) if deals else DEALS.get(kind), seed)
