"""Do the advisor's chances come true? Predictions against open cards on fresh deals.

Three hands and a talon are dealt and somebody asks the advisor at every turn; the other two bid as
another policy, by default the advisor's own model of them. Where his first call is a bid, its
predicted chance of making stands beside what became of it, if he came to declare; with twelve
cards, that of the contract and discard he then chose. What happened is what the exact solver takes
with open cards on the deal as it lay, whether anybody whisted or not, as in the prediction.

If the model of the others is the one the deals are weighed with, everything about a hand is drawn
as the advisor believes it; what remains to be tested is whether his tricks are right, whether
choosing the best play flatters it, and whether he knows who will come to declare.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import isnan

import numpy as np

from advisor.advice.decide import advise, default_deals
from advisor.advice.results import Option
from advisor.records.hand import HandRecord
from advisor.rules.calls import PASS, Call
from advisor.rules.conventions import Convention
from advisor.rules.deal import Reply
from advisor.trials.calibrated import CalibrationResult, Coverage, Trial
from advisor.trials.policies import AdvisedPolicy, check_policy, seated
from advisor.trials.table import (
    Declaration,
    Policy,
    bid,
    deal_cards,
    declaration,
    open_tricks,
    replace_hand,
)
from advisor.trials.workers import gathered, in_order

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """What all hands of a calibration have in common.

    Parameters
    ----------
    evaluator : str
    deals : int or None
        Sampled deals a decision.
    others : str
        The policy of the other two.
    convention : Convention
    seed : int
    coverage : int
        Hands whose printed error is tested.
    long : int
        How many times the deals the long run has.
    """

    evaluator: str
    deals: int | None
    others: str
    convention: Convention
    seed: int
    coverage: int
    long: int


@dataclass(frozen=True, slots=True)
class Witness:
    """An advised player who remembers what he was told.

    Parameters
    ----------
    policy : AdvisedPolicy
    told : list of (HandRecord, Option)
        Each question with the best option.
    """

    policy: AdvisedPolicy
    told: list[tuple[HandRecord, Option]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """That of the policy."""
        return self.policy.name

    def call(self, record: HandRecord) -> Call:
        """The best call."""
        call = self._best(record).call
        assert call is not None
        return call

    def declare(self, record: HandRecord) -> Declaration:
        """The best contract and discard."""
        best = self._best(record)
        assert best.contract is not None
        return best.contract, best.discard

    def reply(self, record: HandRecord) -> Reply:
        """That of the policy."""
        return self.policy.reply(record)

    def _best(self, record: HandRecord) -> Option:
        best = self.policy.best(record)
        self.told.append((record, best))
        return best

    @property
    def bids(self) -> bool:
        """Whether his first call was one."""
        return bool(self.told) and self.told[0][1].call not in (None, PASS)


def try_hand(setup: Setup, number: int) -> tuple[Trial, Coverage | None]:
    """Deal until the player's first call is a bid; see what becomes of it."""
    rng = np.random.default_rng(np.random.SeedSequence(setup.seed, spawn_key=(number,)))
    while True:
        dealt, seed, seat = deal_cards(rng), int(rng.integers(2**31)), int(rng.integers(3))
        player = Witness(AdvisedPolicy(setup.evaluator, setup.evaluator, setup.deals, seed))
        seats: list[Policy] = [seated(setup.others, seed)] * 3
        seats[seat] = player
        auction = bid(dealt, seats, setup.convention)
        if player.bids:
            break
    covered = _cover(setup, player.told[0][0], seed) if number < setup.coverage else None
    record, first = player.told[0]
    if auction.declarer != seat:
        return Trial(record, first, None, None, None), covered
    contract, discard = declaration(dealt, auction, player, setup.convention)
    told = player.told[-1][1] if discard else None
    hands = replace_hand(dealt.hands, seat, dealt.talon, discard)
    return Trial(record, first, told, contract, open_tricks(hands, seat, contract)[seat]), covered


def _cover(setup: Setup, record: HandRecord, seed: int) -> Coverage | None:
    """The best call's score and the next one's distance, from few deals and from many.

    None where so few deals tell no error.
    """
    deals = setup.deals or default_deals(setup.evaluator, record)
    runs = [
        advise(record, deals=many, seed=start, evaluator=setup.evaluator, threads=1, why=False)
        for many, start in ((deals, seed), (deals * setup.long, seed + 1))
    ]
    best, second = runs[0].options[:2]
    if isnan(best.se) or isnan(second.behind_se):
        return None
    far = {option.call: option for option in runs[1].options}
    lead = far[second.call].ev - far[best.call].ev
    paired = max(far[second.call].behind_se, far[best.call].behind_se)
    return Coverage(
        (best.ev, best.se, far[best.call].ev, far[best.call].se),
        (second.behind, second.behind_se, lead, paired),
    )


def run_calibration(
    hands: int,
    convention: Convention,
    *,
    evaluator: str = "fitted",
    deals: int | None = None,
    others: str = "model",
    seed: int = 1,
    workers: int = 1,
    coverage: int = 0,
    long: int = 50,
    progress: Progress | None = None,
) -> CalibrationResult:
    """Try `hands` hands whose first call is a bid.

    Parameters
    ----------
    hands : int
    convention : Convention
    evaluator : str
        See `advisor.advice.decide.advise`.
    deals : int, optional
        Sampled deals a decision; by default the evaluator's own number.
    others : str
        Policy of the other two.
    seed : int
        Same seed, same result, whatever the number of workers.
    workers : int
        Processes.
    coverage : int
        Hands, the first, for which the score is compared with one from `long` times the deals.
    long : int
    progress : callable, optional
        Called with (hands tried, hands).

    Returns
    -------
    CalibrationResult
        After an interruption (Ctrl-C) of the hands tried until then.

    Raises
    ------
    InputError
        Unknown policy.
    KeyboardInterrupt
        Interrupted before a hand was tried.
    """
    start = time.perf_counter()
    setup = Setup(evaluator, deals, check_policy(others), convention, seed, coverage, long)
    tried = gathered(([one] for one in in_order(partial(try_hand, setup), hands, workers)), hands,
                     progress)
    return CalibrationResult(
        evaluator,
        deals,
        setup.others,
        convention,
        seed,
        hands,
        long,
        tuple(trial for trial, _ in tried),
        tuple(cover for _, cover in tried if cover is not None),
        time.perf_counter() - start,
    )
