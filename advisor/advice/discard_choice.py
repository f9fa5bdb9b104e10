"""What each discard costs against the best one, in the contract that is worth most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.advice.declaring import GAMES
from advisor.advice.discarding import listed_options, listed_plays, rank_plays
from advisor.advice.fitted import fitted_games
from advisor.advice.results import Option
from advisor.advice.tabled import tabled
from advisor.cards import format_cards
from advisor.errors import InputError
from advisor.records.hand import HandRecord
from advisor.rules.contracts import Contract

if TYPE_CHECKING:
    import pandas as pd

LISTED = 12


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """Discards of one contract.

    Parameters
    ----------
    record : HandRecord
    contract : Contract
        The one worth most with its best discard.
    plays : tuple of Option
        That contract with the best `LISTED` of its 66 discards, best first.
    deals, seed : int
    exhaustive : bool
        Whether the deals are all there are; then errors are 0.
    """

    record: HandRecord
    contract: Contract
    plays: tuple[Option, ...]
    deals: int
    seed: int
    exhaustive: bool

    def to_frame(self) -> pd.DataFrame:
        """One row a discard, best first.

        Columns: contract, discard, ev, se (net whists), behind, behind_se (net whists, the
        paired distance to the best and its standard error), p_make (probability).
        """
        import pandas as pd

        return pd.DataFrame([
            {"contract": str(self.contract), "discard": format_cards(one.discard), "ev": one.ev,
             "se": one.se, "behind": one.behind, "behind_se": one.behind_se, "p_make": one.p_make}
            for one in self.plays])


def discard_choice(record: HandRecord, deals: int | None = None, seed: int = 1) -> DiscardChoice:
    """Value all 66 discards of the best contract, by the fitted tables.

    Parameters
    ----------
    record : HandRecord
        Twelve cards.
    deals : int, optional
        By default 20,000; 184,756 are all there are.
    seed : int

    Raises
    ------
    InputError
        Ten cards, a defender's question, or a misère won.
    """
    if record.decision == "bid":
        raise InputError("discards are compared with the talon taken; give twelve cards, or the "
                         "talon beside ten", source=record.source)
    at = tabled(record, deals, seed)
    listed = listed_options(at.games, listed_plays(record, at.games))
    contract = listed[0].contract
    assert contract is not None
    game = GAMES.index(contract)
    guide = at.games.guide
    away = np.zeros((1, 5, guide.plays.away.shape[1]), dtype=np.uint32)
    away[0, game % 5] = guide.plays.away[0]
    games = fitted_games(record.cards, guide, away)
    plays = rank_plays([(contract, games.single(game, discard))
                        for discard in range(away.shape[2])], at.deals)
    return DiscardChoice(record, contract, plays[:LISTED], at.deals.count, seed,
                         at.deals.exhaustive)
