"""A misère looked at from all sides: holes, saving cards, chances by model and lead, worth.

The calls heard weigh as in `advisor.advice.decide`: deals by their weight while the talon is
hidden, afterwards layouts drawn by it (`advisor.sampling.heard`).

Holding twelve cards, the best discard and the best mixture are chosen on the layouts they are
valued on. That flatters them, by less than the error told: of a hand with two holes (♠710K ♣789
♦7810 ♥78Q, own lead) twelve samples of 1,000 layouts, 100 of them searched, gave (b) 67.6 ± 0.3 per
cent on average, 3,000 layouts all searched 67.3 ± 0.6; the error told of one sample is 1.8.

Holding ten cards, each talon has layouts of its own, and the discard is chosen half on others than
it is valued on, half on the same (`advisor.advice.folds`); hiding the discard is valued on some of
the talons and added to all. This gain is told a little too small, being searched on few layouts.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from advisor.advice.decide import advise, sample_deals
from advisor.advice.folds import each_fold
from advisor.advice.misere_report import LeadReport, MisereReport
from advisor.advice.payoff import record_payoff
from advisor.advice.results import Option
from advisor.advice.saving import saving_cards
from advisor.advice.statistics import Estimate, estimate
from advisor.cards import DECK, holding
from advisor.errors import InputError
from advisor.records.hand import HandRecord, unseen_mask
from advisor.rules.contracts import MISERE
from advisor.sampling.deals import Deals
from advisor.sampling.heard import Layouts, heard_layouts
from advisor.sampling.unseen import Unseen
from advisor.tricks.holes import misere_distribution, rule_of_80, suit_report
from advisor.tricks.misere import open_catches, sensible_discards
from advisor.tricks.misere_game import share_error, solve_models
from advisor.tricks.solver import caught_deals, solve_deals
from advisor.tricks.sure import sure_zero

Masks = NDArray[np.uint32]
Floats = NDArray[np.float64]
DEALS = 1_000  # layouts, holding twelve cards
SEARCHED = 100  # of them searched for plans
TALON_DEALS = 2_310  # layouts, holding ten cards: ten under each talon
LEAST_DEALS = 462  # layouts, holding ten cards: a pair under each talon
TALONS = 16  # talons on which hiding the discard is valued
TALON_LAYOUTS = 120  # layouts of each
TALON_SEARCHED = 24  # of them searched for plans
TALON_MOST = 4
PRIOR = 5.0  # layouts that the printed odds count for when a discard is chosen
COMPARED = 5_000  # deals of the guide, for passing and the best game
OTHER = 1


def study_misere(
    record: HandRecord, *, deals: int | None = None, seed: int = 1, threads: int | None = None
) -> MisereReport:
    """Look at a misère from all sides.

    Parameters
    ----------
    record : HandRecord
        Ten cards, or twelve with the talon taken.
    deals : int, optional
        Layouts for each lead.
    seed : int
        Same seed, same answer, whatever the number of threads.
    threads : int, optional
    """
    if record.decision == "whist":
        raise InputError("the hand is a defender's; leave the contract out to ask about a misère",
                         source=record.source)
    start = time.perf_counter()
    at_table = -record.seat % 3
    leaders = (at_table, OTHER if at_table == 0 else 0)
    rng = np.random.default_rng(seed)
    if record.declares:
        heard = heard_layouts(record, Unseen(unseen_mask(record)), deals or DEALS, rng)
        reports = tuple(_twelve(record, leader, heard, threads) for leader in leaders)
        number, searched = len(heard.hands), min(len(heard.hands), SEARCHED)
        effective = number / heard.widening**2
    else:
        drawn = sample_deals(record, max(deals or TALON_DEALS, LEAST_DEALS), rng)
        reports = tuple(_ten(record, leader, drawn, seed, threads) for leader in leaders)
        number, searched = drawn.count, TALONS * TALON_SEARCHED
        effective = drawn.ess
    suits = {
        "own": tuple(suit_report(holding(record.cards, s), 0, "own") for s in range(4)),
        "other": tuple(suit_report(holding(record.cards, s), 0, "other") for s in range(4)),
    }
    sums = {"own": rule_of_80(record.cards, True), "other": rule_of_80(record.cards, False)}
    passing, game = _rivals(record, seed)
    return MisereReport(
        record, suits, {lead: percent for lead, (percent, _) in sums.items()}, sums["other"][1],
        None if record.declares else saving_cards(record.cards), reports, passing, game,
        number, searched, effective, seed, time.perf_counter() - start)


def _rivals(record: HandRecord, seed: int) -> tuple[Option | None, Option | None]:
    """Passing and the best game, by the guide."""
    advice = advise(record, deals=COMPARED, seed=seed, evaluator="guide")
    if record.declares:
        games = [o for o in advice.options if o.contract is not None and o.contract != MISERE]
        return None, games[0] if games else None
    passing = [o for o in advice.options if o.call is not None and str(o.call) == "pass"]
    games = [o for o in advice.options if o.call is not None and o.call.is_game]
    return passing[0] if passing else None, games[0] if games else None


def _worth(record: HandRecord, values: dict[str, float], errors: dict[str, float],
           tricks: NDArray[np.int8]) -> tuple[dict[str, float], dict[str, float]]:
    """Expected scores: made, or failed by as many tricks as open cards would cost."""
    scores = record_payoff(record).misere[:, 0]
    made, lost = float(scores[0]), scores[tricks[tricks > 0]]
    failed = float(lost.mean()) if len(lost) else float(scores[1])
    spread = float(lost.std(ddof=1) / np.sqrt(len(lost))) if len(lost) > 1 else 0.0
    ev = {m: p * made + (1 - p) * failed for m, p in values.items()}
    return ev, {m: float(np.hypot(errors[m] * (made - failed), (1 - values[m]) * spread))
                for m in values}


def _twelve(
    record: HandRecord, leader: int, heard: Layouts, threads: int | None
) -> LeadReport:
    models = solve_models(record.cards, heard.hands, leader, searched=SEARCHED, threads=threads,
                          exhaustive=heard.exhaustive)
    errors = {model: heard.widening * error for model, error in models.errors.items()}
    some = heard.hands[:DEALS]
    kept = np.full(len(some), record.cards & ~models.discards[0], np.uint32)
    tricks = solve_deals(np.column_stack([kept, some]), 4, leader, misere=True, threads=threads)
    ev, ev_error = _worth(record, models.values, errors, tricks)
    return LeadReport(leader, None, 0.0, models.values, errors, models.low, ev, ev_error, models)


def _ten(
    record: HandRecord, leader: int, deals: Deals, seed: int, threads: int | None
) -> LeadReport:
    hands = np.ascontiguousarray(deals.hands[:, :, list(deals.hidden)])
    ten = np.full((*deals.weight.shape, 1), record.cards, np.uint32)
    caught = caught_deals(np.concatenate([ten, hands], axis=2).reshape(-1, 3), leader,
                          threads=threads)
    stands = estimate((~caught).reshape(deals.weight.shape).astype(np.float64), deals)
    free, chosen = _by_talon(record.cards, deals, hands, leader, threads)
    opened = estimate(free, deals)
    gains = _gains(record, deals, leader, np.random.default_rng(seed), threads)
    added, spread = gains.mean(0), gains.std(0, ddof=1) / np.sqrt(len(gains))
    values: dict[str, float] = {"open": opened.mean}
    errors: dict[str, float] = {"open": opened.se}
    for at, model in enumerate(("hidden", "obvious")):
        values[model] = min(1.0, opened.mean + float(added[at]))
        errors[model] = float(np.hypot(opened.se, spread[at]))
    kept = (np.uint32(record.cards) | deals.talon) & ~chosen
    rows = np.column_stack([kept, hands[:, 0]])
    tricks = solve_deals(rows, 4, leader, misere=True, threads=threads)
    ev, ev_error = _worth(record, values, errors, tricks)
    low = min(1.0, opened.mean + float(added[2]))
    return LeadReport(leader, stands.mean, _error_as_it_stands(record, leader, deals, stands),
                      values, errors, low, ev, ev_error, None)


def _error_as_it_stands(
    record: HandRecord, leader: int, deals: Deals, stands: Estimate
) -> float:
    """Its standard error; none or all of the sampled layouts say no more than `share_error`."""
    if stands.se or deals.exhaustive or sure_zero(np.uint32(record.cards), 0, leader == 0):
        return stands.se
    return float(share_error(stands.mean, max(1, round(deals.ess))))


def _by_talon(
    ten: int, deals: Deals, hands: Masks, leader: int, threads: int | None
) -> tuple[Floats, Masks]:
    """Made or not on each layout, half by a discard chosen apart, half by one chosen together.

    And the discards, chosen together.

    `hands` (t, m, 2) are the defenders'.
    """
    free = np.zeros(deals.weight.shape)
    chosen = np.zeros(len(deals.talon), np.uint32)
    for row, talon in enumerate(deals.talon):
        twelve = ten | int(talon)
        discards = np.array(sensible_discards(twelve), np.uint32)
        prior = misere_distribution(np.uint32(twelve) & ~discards, discards, leader == 0)[:, 0]
        if prior.max() == 1:  # certainly clean
            free[row], chosen[row] = 1, discards[prior.argmax()]
            continue
        made = ~open_catches(twelve, [int(d) for d in discards], hands[row], leader, threads)
        weight = deals.weight[row] / max(float(deals.weight[row].mean()), 1e-300)
        for _, part in each_fold(len(weight)):
            score = weight[~part] @ made[~part] + PRIOR * prior
            free[row, part] = made[part][:, score.argmax()]
        best = (weight @ made + PRIOR * prior).argmax()
        free[row] = (free[row] + made[:, best]) / 2
        chosen[row] = discards[best]
    return free, chosen


def _gains(
    record: HandRecord, deals: Deals, leader: int, rng: np.random.Generator, threads: int | None
) -> Floats:
    """What (b), (c) and the restricted (b) add to (a), on some talons; shape (talons, 3).

    Talons are drawn by their weight. Open cards are looked at on more layouts than are searched,
    since the best discard of a few would stand too high, and the gain be told too small.
    """
    share = deals.weight.sum(axis=1) / deals.weight.sum()
    gains = np.zeros((TALONS, 3))
    for row, at in enumerate(rng.choice(len(share), TALONS, p=share)):
        twelve = record.cards | int(deals.talon[at])
        heard = heard_layouts(record, Unseen(DECK & ~twelve), TALON_LAYOUTS, rng)
        models = solve_models(twelve, heard.hands, leader, searched=TALON_SEARCHED,
                              most=TALON_MOST, threads=threads)
        gains[row] = (models.values["hidden"], models.values["obvious"], models.low)
        gains[row] -= models.values["open"]
    return gains
