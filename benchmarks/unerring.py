"""A choice among whisters who never err: no model of bidding or whisting has a say.

They whist, pass or go half as costs the declarer most, knowing his tricks; D. Lesnoy's thresholds
for the next game assume it, and `tests/test_scoring_theory.py` gets them out of the same table.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from advisor.advice.payoff import record_payoff
from advisor.records.hand import HandRecord
from advisor.rules.contracts import LEVELS, Contract
from advisor.sampling.bidder import Floats
from advisor.sampling.deals import Deals
from advisor.tricks.solver import solve_deals

Play = tuple[Contract, int]


def unerring_cost(
    record: HandRecord, deals: Deals, choices: Iterable[Play], others: Iterable[Play]
) -> float:
    """What the best of the choices costs against them and the others at any level allowed.

    Parameters
    ----------
    record : HandRecord
        Twelve cards.
    deals : Deals
        Layouts of the other cards.
    choices, others : iterable of (Contract, mask of the discard)

    Returns
    -------
    float
        Net whists, 0 or more, against exact play with open cards.
    """
    said = list(choices)
    lowest = min(contract.level for contract in record.contracts if contract.is_game)
    values = {
        (contract.strain, away): _by_level(record, deals, contract.strain, away)
        for contract, away in {*said, *others}
    }
    best = max(float(value[lowest - min(LEVELS) :].max()) for value in values.values())
    named = (values[contract.strain, away][contract.level - min(LEVELS)] for contract, away in said)
    return best - float(max(named))


def _by_level(record: HandRecord, deals: Deals, strain: int, away: int) -> Floats:
    """Declarer's net whists of naming 6 to 10, float64 (5,)."""
    hidden = deals.hands[0][:, list(deals.hidden)]
    mine = np.full((len(hidden), 1), record.cards ^ away, dtype=np.uint32)
    tricks = solve_deals(np.concatenate([mine, hidden], axis=1), strain, -record.seat % 3)
    worst = record_payoff(record).games[0, :, :, :, 0].min(axis=1)
    out: Floats = worst[:, tricks] @ deals.weight[0] / deals.weight[0].sum()
    return out
