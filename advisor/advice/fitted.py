"""Scores from fitted tables: the tricks of each sampled layout as a distribution.

The coarse table of holdings screens the player's plays; those worth it are looked up layout by
layout. While choosing under one talon, the coarse table's distribution counts as `COARSE_LAYOUTS`
further layouts; what is chosen is then valued half on other layouts, half on the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import ALL, Columns, twelve_cards
from advisor.advice.guide_games import GuideGames, Plays
from advisor.advice.habits import habits
from advisor.advice.naming import choose
from advisor.advice.screened import ScreenedGames, Tried
from advisor.rules.conventions import Convention
from advisor.sampling.deals import Deals, around, beside
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.holdings import coarse_distribution, holding_means
from advisor.tricks.sure import sure_tricks

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

COARSE_LAYOUTS = 3.0


def coarse_plays(hand: int, talons: Masks, on_lead: bool) -> Plays:
    """Trick distributions by the coarse table; they do not depend on the hidden hands."""
    kept, away = twelve_cards(hand, talons)
    certain = np.stack([sure_tricks(kept, away, s, on_lead) for s in range(5)], axis=-1)
    return Plays(kept, away, coarse_distribution(holding_means(kept, on_lead), certain))


def coarse_games(hand: int, guide: GuideGames) -> GuideGames:
    """The same games with tricks by the coarse table instead of the printed guide."""
    return replace(guide, plays=coarse_plays(hand, guide.deals.talon, guide.deals.seat == 0))


@dataclass(frozen=True)
class FittedGames(ScreenedGames):
    """Own games with a distribution of tricks for each layout; the prior is the coarse table's.

    Parameters
    ----------
    cells : intp (t, 5, d, m)
        Row of `advisor.tricks.fitted.distributions` for each layout with each discard.
    """

    cells: NDArray[np.intp]
    prior_layouts: ClassVar[float] = COARSE_LAYOUTS

    def rows(self, plays: Tried, columns: Columns = ALL) -> Floats:
        """Chances of 0..10 tricks of plays, float64 (n, m, 11)."""
        chances: Floats = distributions()[self.cells[self._cells(plays, columns)]]
        return chances


def fitted_games(hand: int, guide: GuideGames, away: Masks) -> FittedGames:
    """The player's games by the fitted tables, for the discards `away` (t, 5, d) worth it."""
    deals = guide.deals
    on_lead = deals.seat == 0
    hidden = deals.hands[:, :, list(deals.hidden)]
    cards = np.uint32(hand) | deals.talon
    cells = np.zeros((*away.shape, deals.weight.shape[1]), dtype=np.intp)
    prior = np.zeros((*away.shape, 11))
    for strain in range(5):
        talon, place = np.nonzero(away[:, strain])
        gone = away[talon, strain, place]
        kept = cards[talon] ^ gone
        certain = np.asarray(sure_tricks(kept, gone, strain, on_lead), dtype=np.int64)
        rows = beside(kept, hidden[talon])
        cells[talon, strain, place] = tables().cells(rows, strain, -deals.seat % 3,
                                                     certain[:, None])
        means = holding_means(kept, on_lead)
        sure = np.broadcast_to(certain[:, None], means.shape)
        prior[talon, strain, place] = coarse_distribution(means, sure)[:, strain]
    return FittedGames(deals, guide.pattern, guide.told, guide.pay, away, prior, guide, cells)


def opponent_chances(deals: Deals, declarer: int, convention: Convention) -> Floats:
    """Chances of 0..10 tricks when an opponent plays his best strain, float64 (t, m, 11)."""
    hands = deals.hands
    named = choose(hands[..., declarer] | deals.talon[:, None], declarer == 0, habits(convention))
    chances: Floats = distributions()[tables().cells(
        around(hands, declarer, named.kept), named.strain, -declarer % 3)]
    return chances
