"""What a player does who has nothing but the printed guide: declare, discard, whist by it."""

from __future__ import annotations

import numpy as np

from advisor.advice.declaring import twelve_cards
from advisor.advice.opponents import MARGIN, throw_holes
from advisor.advice.replies import (
    FIRST_NEEDS,
    HALF_NEEDS,
    SECOND_NEEDS,
    defence_value,
    defence_values,
)
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE, Contract
from advisor.rules.deal import Reply
from advisor.trials.table import Declaration, Defence
from advisor.tricks.estimate import strain_means

_NO_TALON = np.zeros(1, dtype=np.uint32)


def declare_by_guide(record: HandRecord) -> Declaration:
    """The game with most guide tricks to spare, on as many tricks as they carry.

    Of the 66 discards the one that leaves most guide tricks in the strain; of the strains that with
    most above the lowest level allowed there; then the level as exactly as possible (rules.md 3.6),
    `MARGIN` tricks to spare, as the model's declarers do. A misère throws the highest cards of the
    worst suits.
    """
    if record.contracts == (MISERE,):
        _, thrown = throw_holes(np.array([record.cards], dtype=np.uint32))
        return MISERE, int(thrown[0])
    kept, away = twelve_cards(record.cards, _NO_TALON)
    means = strain_means(kept, record.seat == 0)[0]
    lowest = {contract.strain: contract.level for contract in reversed(record.contracts)}
    strain = max(lowest, key=lambda s: float(means[:, s].max()) - lowest[s])
    best = int(means[:, strain].argmax())
    level = max(lowest[strain], min(10, int(means[best, strain] - MARGIN)))
    return Contract.game(level, strain), int(away[0, best])


def reply_by_guide(defence: Defence) -> Reply:
    """Whist by the guide's tricks of the ten cards, as `advisor.advice.replies` has it.

    Whether a half-whist is taken back is not said there: here it is where his own tricks and those
    the half-whist promises make up what a first whister asks for.
    """
    level = defence.contract.level
    values = defence_values(np.array([defence.cards], dtype=np.uint32))
    tricks = float(defence_value(values, level)[0, defence.contract.strain])
    if defence.whist is Reply.HALF:
        tricks += HALF_NEEDS[level]
    needs = SECOND_NEEDS if defence.whist is Reply.WHIST else FIRST_NEEDS
    if tricks >= needs[level]:
        return Reply.WHIST
    if Reply.HALF in defence.replies and tricks >= HALF_NEEDS[level]:
        return Reply.HALF
    return Reply.PASS
