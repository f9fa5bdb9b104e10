"""What each feature buys: the fit repeated with more and more terms, valued on deals kept out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.fitting.alone import alone_table
from advisor.fitting.regression import NO_TRUMP_LEVELS, TRUMP_LEVELS, Level, fit
from advisor.fitting.sample import DECLARER, SolvedDeals, part_of
from advisor.fitting.tables import LINK_SHARE, indices, mean_of, rmse
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.terms import NO_TRUMP_TERMS, TRUMP_TERMS, Term

OWN = (Level(1.0, "own", "own"),)
TRUMP_STEPS = (
    ("own holdings and lead", ("side", "trump"), True),
    ("whole layouts", ("side", "trump"), False),
    ("side suits by trump counts", ("side_by_trumps",), False),
    ("shape by trump length", ("shape",), False),
    ("races: cash, held, kept, losers", ("race_cash", "race_held", "race_kept", "race_losers"),
     False),
    ("trump layout by losers and held", ("trump_losers", "trump_held"), False),
    ("side suits by each defender's trumps", ("side_by_defenders",), False),
)
NO_TRUMP_STEPS = (
    ("own holdings and lead", ("side",), True),
    ("whole layouts", ("side",), False),
    ("race: cash against lost", ("race",), False),
    ("suits by cash elsewhere", ("by_cash",), False),
    ("suits by losses elsewhere", ("by_lost",), False),
    ("own holdings by both", ("by_both",), False),
    ("races by kept and held", ("race_kept_held", "race_kept_lost", "race_cash_kept",
                                "race_held_lost"), False),
    ("races of three numbers", ("race_kept_cash_lost", "race_kept_held_lost", "race_longest"),
     False),
)


@dataclass(frozen=True, slots=True)
class Step:
    """Root mean square errors, tricks, with a feature and all before it.

    Parameters
    ----------
    game, feature : str
    declarers, others : float
        On declarers' and on the other deals, none of them fitted to.
    """

    game: str
    feature: str
    declarers: float
    others: float


def measure(deals: SolvedDeals) -> list[Step]:
    """All steps, with trumps and in no trump."""
    alone = alone_table()
    out = []
    for plain, steps in ((False, TRUMP_STEPS), (True, NO_TRUMP_STEPS)):
        rows = (deals.strain == NO_TRUMP) == plain
        held = np.arange(len(deals)) % LINK_SHARE == LINK_SHARE - 1
        one, other = part_of(deals, rows & ~held), part_of(deals, rows & held)
        here, there = indices(one, alone, plain), indices(other, alone, plain)
        terms: dict[str, Term] = NO_TRUMP_TERMS if plain else TRUMP_TERMS
        used: dict[str, None] = {}
        for feature, names, own_only in steps:
            used |= dict.fromkeys(names)
            levels = dict.fromkeys(names, OWN) if own_only else \
                NO_TRUMP_LEVELS if plain else TRUMP_LEVELS
            constant, tables = fit({name: here[name] for name in used}, terms, levels,
                                   one.tricks.astype(np.float64))
            error = other.tricks - mean_of(constant, tables, {n: there[n] for n in used})
            declarers = other.kind == DECLARER
            out.append(Step("no trump" if plain else "trumps", feature,
                            rmse(error[declarers]), rmse(error[~declarers])))
    return out
