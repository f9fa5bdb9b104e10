"""What it is worth to lead oneself, strain by strain, against the next player's lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES
from advisor.advice.folds import each_fold
from advisor.advice.payoff import DOUBTED, Pattern, doubted
from advisor.advice.statistics import Estimate, estimate
from advisor.advice.tabled import Tabled, tabled
from advisor.cards import Strain
from advisor.records.hand import HandRecord
from advisor.rules.contracts import Contract
from advisor.sampling.deals import beside
from advisor.tricks.fitted import distributions, tables
from advisor.tricks.sure import sure_tricks

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

OWN, NEXT = 0, 1
TRICKS = np.arange(11)


@dataclass(frozen=True, slots=True)
class StrainLead:
    """One strain.

    Parameters
    ----------
    strain : int
        0..4.
    own, other : Estimate
        Tricks where the player leads, and where the next player does.
    gain : Estimate
        Their difference, paired deal by deal, tricks.
    net_gain : Estimate
        What it brings in net whists, at the level that is then best in this strain.
    """

    strain: int
    own: Estimate
    other: Estimate
    gain: Estimate
    net_gain: Estimate


@dataclass(frozen=True, slots=True)
class LeadWorth:
    """The lead's worth in each strain a hand may play.

    Parameters
    ----------
    record : HandRecord
    lowest : Contract
        The lowest game that may be declared.
    strains : tuple of StrainLead
        In the order of the strains.
    deals, seed : int
    exhaustive : bool
        Whether the deals are all there are; then errors are 0.
    """

    record: HandRecord
    lowest: Contract
    strains: tuple[StrainLead, ...]
    deals: int
    seed: int
    exhaustive: bool

    def to_frame(self) -> pd.DataFrame:
        """One row a strain.

        Columns: strain, own, own_se, other, other_se, gain, gain_se (tricks: the player leading,
        the next player leading, the paired difference), net_gain, net_gain_se (net whists).
        """
        import pandas as pd

        return pd.DataFrame([
            {"strain": Strain(one.strain).name, "own": one.own.mean, "own_se": one.own.se,
             "other": one.other.mean, "other_se": one.other.se, "gain": one.gain.mean,
             "gain_se": one.gain.se, "net_gain": one.net_gain.mean,
             "net_gain_se": one.net_gain.se} for one in self.strains])


def lead_worth(record: HandRecord, deals: int | None = None, seed: int = 1) -> LeadWorth:
    """Tricks and net whists that leading oneself brings, by the fitted tables.

    Under every talon the discard is the best one of the strain with the lead as it is at the table.
    The level is chosen knowing who leads.

    Parameters
    ----------
    record : HandRecord
        While bidding the player is taken to buy the auction at the cheapest game he may call.
    deals : int, optional
    seed : int

    Raises
    ------
    InputError
        A defender's question, a misère won, or no game that can be called.
    """
    at = tabled(record, deals, seed)
    found = [_strain(at, strain) for strain in range(5)
             if len(_allowed(at, strain))]
    return LeadWorth(record, at.lowest, tuple(found), at.deals.count, seed, at.deals.exhaustive)


def _strain(at: Tabled, strain: int) -> StrainLead:
    """Both leads with the discard that is best for the lead there is.

    The discard is chosen on the deals it is valued on, so both numbers of tricks stand a little
    high; of their difference that takes away next to nothing. Levels are chosen on other folds than
    they are valued on, where there is more than one pair of layouts under a talon.
    """
    games, deals = at.games, at.deals
    game, discard = at.best_of(_allowed(at, strain))
    kept = games.kept(game, discard)
    away = games.away[np.arange(len(game)), strain, discard]
    rows = beside(kept, deals.hands[:, :, list(deals.hidden)])
    tricks, net = [], []
    for lead in (OWN, NEXT):
        certain = np.asarray(sure_tricks(kept, away, strain, lead == OWN), dtype=np.int64)
        chances: Floats = distributions()[tables().cells(rows, strain, lead, certain[:, None])]
        tricks.append(chances @ TRICKS)
        net.append(_best_net(at, strain, chances))
    return StrainLead(strain, estimate(tricks[OWN], deals), estimate(tricks[NEXT], deals),
                      estimate(tricks[OWN] - tricks[NEXT], deals),
                      estimate(net[OWN] - net[NEXT], deals))


def _allowed(at: Tabled, strain: int) -> NDArray[np.intp]:
    """The games of a strain that may be declared."""
    return np.array([game for game in range(at.first, len(GAMES)) if game % 5 == strain],
                    dtype=np.intp)


def _best_net(at: Tabled, strain: int, chances: Floats) -> Floats:
    """Net whists (t, m) of the level that is best talon by talon, outside each fold.

    Of a single pair, by the pair: of the difference of two leads that takes next to nothing.
    """
    weight = at.deals.weight
    nets = np.stack([_net(at, int(game), chances) for game in _allowed(at, strain)])
    out = np.empty(weight.shape)
    for _, columns in each_fold(weight.shape[1]):
        others = weight if columns.all() else np.where(columns, 0.0, weight)
        best = np.einsum("gtm,tm->gt", nets, others).argmax(axis=0)
        out[:, columns] = nets[best, np.arange(len(weight))][:, columns]
    return out


def _net(at: Tabled, game: int, chances: Floats) -> Floats:
    """Net whists (t, m) of one game with such chances of tricks."""
    level, deals = game // 5, at.deals
    pattern, pay = at.games.pattern[game], at.games.pay[:, level]
    if level >= DOUBTED:
        share = deals.weight / deals.weight.sum(axis=1, keepdims=True)
        whisted = np.einsum("tm,tmk,tk->t", share, chances, pay[:, Pattern.FIRST], optimize=True)
        pattern = doubted(pattern, pay[:, Pattern.NOBODY, :1], whisted[:, None])
    net: Floats = np.einsum("tmk,tmk->tm", chances, pay[np.arange(len(pay))[:, None], pattern])
    return net
