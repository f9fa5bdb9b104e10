"""The options of several answers as one tidy table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.advice.results import Advice

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("file", "decision", "option", "contract", "discard", "ev", "se", "behind", "behind_se",
           "p_make", "declares", "mean_tricks", "solved", "evaluator", "deals", "seed", "complete")


def advice_frame(advices: Sequence[Advice]) -> pd.DataFrame:
    """All options of some answers, one row each, each answer's best first.

    Parameters
    ----------
    advices : sequence of Advice
        At least one.

    Returns
    -------
    DataFrame
        The columns of `Advice.to_frame`; before them file (missing where there was none) and
        decision (bid, declare or whist), behind them evaluator, deals (evaluated), seed and
        complete (False for an answer that was interrupted). What a decision does not have is
        missing.
    """
    import pandas as pd

    frames = [
        advice.to_frame().assign(
            file=advice.record.source, decision=advice.decision, evaluator=advice.evaluator,
            deals=advice.deals, seed=advice.seed, complete=advice.complete)
        for advice in advices]
    rows = [row for frame in frames for row in frame.to_dict("records")]
    return pd.DataFrame(rows, columns=list(COLUMNS))
