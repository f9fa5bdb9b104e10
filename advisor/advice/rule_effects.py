"""What single rules of a convention do to opening: one put in place of another's, the rest kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.advice.habits import nearest
from advisor.advice.openings import opening
from advisor.advice.statistics import Estimate
from advisor.rules.contracts import ALL_PASS, MISERE, Contract
from advisor.rules.conventions import Convention, bidding_parent
from advisor.rules.deal import DealResult, Reply
from advisor.rules.scoring import net_floats, score
from advisor.sampling.bidding_tables import unit_of

if TYPE_CHECKING:
    import pandas as pd

_SIX = Contract.game(6, 3)
_BOTH, _LONE = (Reply.WHIST, Reply.WHIST), (Reply.WHIST, Reply.PASS)
_TABLE: dict[str, DealResult] = {
    "6♥ made, both whist": DealResult(_SIX, 0, _BOTH, (6, 2, 2)),
    "6♥ made, one whists": DealResult(_SIX, 0, _LONE, (6, 4, 0)),
    "6♥ with seven, one whists": DealResult(_SIX, 0, _LONE, (7, 3, 0)),
    "6♥ passed out": DealResult(_SIX, 0, (Reply.PASS, Reply.PASS)),
    "6♥ for half a whist": DealResult(_SIX, 0, (Reply.PASS, Reply.HALF)),
    "6♥ down 1, one whists": DealResult(_SIX, 0, _LONE, (5, 5, 0)),
    "6♥ down 2, one whists": DealResult(_SIX, 0, _LONE, (4, 6, 0)),
    "all-pass, 0 of 0 5 5": DealResult(ALL_PASS, tricks=(0, 5, 5)),
    "all-pass, 1 of 1 4 5": DealResult(ALL_PASS, tricks=(1, 4, 5)),
    "all-pass, 5 of 5 2 3": DealResult(ALL_PASS, tricks=(5, 2, 3)),
    "misère made": DealResult(MISERE, 0, tricks=(0, 5, 5)),
    "misère, one trick": DealResult(MISERE, 0, tricks=(1, 5, 4)),
}


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """A convention with some rules of another.

    Parameters
    ----------
    rule : str
        What is changed, in words.
    effect : Estimate
        By how much six spades gains on pass, on average over the hands, net whists over the
        convention's unit; the error is that of the differences hand by hand.
    bids_as, whists_as : str
        The shipped conventions whose players the others then are.
    hands : int
    """

    rule: str
    effect: Estimate
    bids_as: str
    whists_as: str
    hands: int


def price_table(conventions: Sequence[Convention]) -> pd.DataFrame:
    """What typical results are worth to the first hand, at a table of three.

    Returns
    -------
    DataFrame
        A row a result, a column a convention (its title), net whists over the unit: halved where
        a pool point is worth twenty. Missing where the convention does not know the result.
    """
    import pandas as pd

    return pd.DataFrame(
        {convention.title_en: {
            name: _worth(name, result, convention) for name, result in _TABLE.items()}
         for convention in conventions}, index=list(_TABLE))


def _worth(name: str, result: DealResult, convention: Convention) -> float:
    if convention.half_whist == "off" and result.replies and Reply.HALF in result.replies:
        return float("nan")
    return net_floats(score(result, convention), convention, 3)[0] / unit_of(convention)


def changed(base: Convention, rules: Mapping[str, Any]) -> Convention:
    """A convention with some options of another; no longer a shipped one."""
    return replace(base, name=f"{base.name}, changed", **rules)


def rule_effects(
    base: Convention, rules: Mapping[str, Mapping[str, Any]], hands: Sequence[int], deals: int,
    seed: int = 1,
) -> tuple[RuleEffect, ...]:
    """How much more opening gains on passing where a rule is changed, first hand.

    Parameters
    ----------
    base : Convention
    rules : mapping of str to (mapping of option to value)
        What to change, each by itself.
    hands : sequence of int
        Masks of ten cards, two at least.
    deals, seed : int
        As in `advisor.advice.openings.opening`: all conventions are valued on the same deals.

    Notes
    -----
    The others are those of the shipped conventions nearest to the changed one, not
    players fitted anew; `RuleEffect` tells which. Effects need not add up.
    """

    def gains(convention: Convention) -> np.ndarray:
        return np.array([opening(hand, 0, convention, deals, seed, every_call=False).gain.mean
                         for hand in hands]) / unit_of(convention)

    before = gains(base)
    found = []
    for rule, options in rules.items():
        other = changed(base, options)
        found.append(RuleEffect(rule, mean_of(gains(other) - before), bidding_parent(other),
                                nearest(other), len(hands)))
    return tuple(found)


def mean_of(values: np.ndarray) -> Estimate:
    """Mean over hands and its standard error."""
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5)


def effects_frame(effects: Sequence[RuleEffect]) -> pd.DataFrame:
    """One row a rule: rule, effect, se (net whists over the unit), bids_as, whists_as, hands."""
    import pandas as pd

    return pd.DataFrame([
        {"rule": one.rule, "effect": one.effect.mean, "se": one.effect.se,
         "bids_as": one.bids_as, "whists_as": one.whists_as, "hands": one.hands}
        for one in effects])
