"""What a player does who has nothing but the printed guide: declare, discard, whist by it.

This is a yardstick, so it has thresholds of its own and stays as it is when the advisor's picture
of the others changes. With `MARGIN` tricks to spare it declares best: over 775 deals that the rule
of thumb bought, none to spare costs a declarer 0.7 whists, 0.3 too few cost 2.0.
"""

from __future__ import annotations

import numpy as np

from advisor.advice.declaring import twelve_cards
from advisor.advice.opponents import throw_holes
from advisor.advice.replies import three_highest
from advisor.cards import holding
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE, Contract
from advisor.rules.deal import Reply
from advisor.trials.table import Declaration, possible_replies
from advisor.tricks.estimate import strain_means
from advisor.tricks.guide import low_values

MARGIN = 0.3
# Tricks of his own a defender whists with, by level: first, or second behind a whist; going half.
FIRST_NEEDS = {6: 1.75, 7: 1.0, 8: 1.0, 9: 1.0, 10: 1.0}
SECOND_NEEDS = {6: 2.0, 7: 1.0, 8: 1.0, 9: 1.0, 10: 1.0}
HALF_NEEDS = {6: 1.0, 7: 0.5}
# The more tricks are bid, the shorter is the declarer in the side suits.
SIDE_FAITH = {6: 1.0, 7: 1.0, 8: 1.0, 9: 0.6, 10: 0.0}
SIDE_CAP, TRUMP_CAP = 2.0, 4.0
_NO_TALON = np.zeros(1, dtype=np.uint32)


def declare_by_guide(record: HandRecord) -> Declaration:
    """The game with most guide tricks to spare, on as many tricks as they carry.

    Of the 66 discards the one that leaves most guide tricks in the strain; of the strains that with
    most above the lowest level allowed there; then the level as exactly as possible (rules.md 3.6),
    with `MARGIN` tricks to spare. A misère throws the highest cards of the worst suits.
    """
    if record.plays_misere:
        _, thrown = throw_holes(np.array([record.cards], dtype=np.uint32))
        return MISERE, int(thrown[0])
    kept, away = twelve_cards(record.cards, _NO_TALON)
    means = strain_means(kept, record.seat == 0)[0]
    lowest = {contract.strain: contract.level for contract in reversed(record.contracts)}
    strain = max(lowest, key=lambda s: float(means[:, s].max()) - lowest[s])
    best = int(means[:, strain].argmax())
    level = max(lowest[strain], min(10, int(means[best, strain] - MARGIN)))
    return Contract.game(level, strain), int(away[0, best])


def reply_by_guide(record: HandRecord) -> Reply:
    """Whist with enough guide tricks of the own ten cards.

    Whether a half-whist is taken back no source says: here it is where his own tricks and those
    the half-whist promises make up what a first whister asks for.
    """
    contract = record.contract
    assert contract is not None
    level, tricks = contract.level, defence_tricks(record.cards, contract)
    if record.whist is Reply.HALF:
        tricks += HALF_NEEDS[level]
    needs = SECOND_NEEDS if record.whist is Reply.WHIST else FIRST_NEEDS
    if tricks >= needs[level]:
        return Reply.WHIST
    if Reply.HALF in possible_replies(record) and tricks >= HALF_NEEDS[level]:
        return Reply.HALF
    return Reply.PASS


def defence_tricks(cards: int, contract: Contract) -> float:
    """Guide tricks of ten cards in defence, at the low end.

    Trumps count up to `TRUMP_CAP`; of a side suit the three highest cards, up to `SIDE_CAP`, since
    length is ruffed.
    """
    low = low_values()
    tricks = 0.0
    for suit in range(4):
        byte = holding(cards, suit)
        if suit == contract.strain:
            tricks += min(TRUMP_CAP, low[byte])
        else:
            tricks += SIDE_FAITH[contract.level] * min(SIDE_CAP, low[three_highest()[byte]])
    return float(tricks)
