"""How many tricks the player's contracts bring: distributions with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES
from advisor.advice.discarding import listed_plays
from advisor.advice.folds import each_fold
from advisor.advice.statistics import Estimate, estimate_where, weighted_mean
from advisor.advice.tabled import Tabled, tabled
from advisor.cards import format_cards
from advisor.records.hand import HandRecord
from advisor.rules.contracts import Contract
from advisor.sampling.deals import Deals

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

SHOWN = 6
SEEN = 0.02  # contracts declared less often are left out
TRICKS = np.arange(11)


@dataclass(frozen=True, slots=True)
class ContractTricks:
    """One contract.

    Parameters
    ----------
    contract : Contract
    discard : int
        Mask of the cards thrown, with the talon taken; 0 while bidding.
    share : float
        Share of the talons, by chance, with which it is declared; 1 once the talon is taken.
    chances, errors : tuple of float
        Probability of 0..10 tricks where it is declared, and standard errors.
    mean, p_make : Estimate
        Expected tricks, and the chance of making it.
    ev : Estimate
        Expected score where it is declared, net whists.
    """

    contract: Contract
    discard: int
    share: float
    chances: tuple[float, ...]
    errors: tuple[float, ...]
    mean: Estimate
    p_make: Estimate
    ev: Estimate


@dataclass(frozen=True, slots=True)
class TrickChances:
    """The contracts of a hand.

    Parameters
    ----------
    record : HandRecord
    lowest : Contract
        The lowest game that may be declared.
    contracts : tuple of ContractTricks
        While bidding those declared with `SEEN` of the talons or more, the most frequent first;
        with the talon taken the best of each strain, by expected score.
    deals, seed : int
    exhaustive : bool
        Whether the deals are all there are; then errors are 0.
    """

    record: HandRecord
    lowest: Contract
    contracts: tuple[ContractTricks, ...]
    deals: int
    seed: int
    exhaustive: bool

    def to_frame(self) -> pd.DataFrame:
        """One row a contract and number of tricks.

        Columns: contract, discard (empty while bidding), share (of the deals), tricks, chance, se
        (probability and its standard error), made (whether that many make it).
        """
        import pandas as pd

        return pd.DataFrame([
            {"contract": str(one.contract), "discard": format_cards(one.discard),
             "share": one.share, "tricks": k, "chance": one.chances[k], "se": one.errors[k],
             "made": k >= one.contract.level}
            for one in self.contracts for k in range(11)])


def trick_chances(record: HandRecord, deals: int | None = None, seed: int = 1) -> TrickChances:
    """Distributions of tricks of what the player would declare, by the fitted tables.

    Parameters
    ----------
    record : HandRecord
        While bidding he is taken to buy the auction at the cheapest game he may call.
    deals : int, optional
    seed : int

    Raises
    ------
    InputError
        A defender's question, a misère won, or no game that can be called.
    """
    at = tabled(record, deals, seed)
    found = _taken(at) if record.declares else _bought(at)
    return TrickChances(record, at.lowest, tuple(found[:SHOWN]), at.deals.count, seed,
                        at.deals.exhaustive)


def _taken(at: Tabled) -> list[ContractTricks]:
    """The best contract of each strain with its discard, best first."""
    games, everywhere = at.games, np.ones(at.deals.weight.shape, dtype=bool)
    best: dict[int, ContractTricks] = {}
    for game, discard in listed_plays(at.record, games):
        row, thrown = np.array([game]), np.array([discard])
        chances = games.chances(row, thrown)
        net = np.einsum("tmk,tmk->tm", chances, games.nets(row, thrown))
        strain = game % 5
        if strain in best and best[strain].ev.mean >= weighted_mean(net, at.deals):
            continue
        best[strain] = _contract(at.deals, GAMES[game], int(games.away[0, strain, discard]),
                                 everywhere, chances, net)
    return sorted(best.values(), key=lambda one: -one.ev.mean)


def _bought(at: Tabled) -> list[ContractTricks]:
    """What is declared talon by talon, chosen apart, the most frequent first."""
    shape = at.deals.weight.shape
    declared = np.zeros(shape, dtype=np.intp)
    chances, net = np.zeros((*shape, 11)), np.zeros(shape)
    games, discards = at.games.chosen_apart(at.first)
    for fold, columns in each_fold(shape[1]):
        game, discard = games[fold], discards[fold]
        declared[:, columns] = game[:, None]
        chances[:, columns] = taken = at.games.chances(game, discard, columns)
        net[:, columns] = np.einsum("tmk,tmk->tm", taken, at.games.nets(game, discard, columns))
    found = [_contract(at.deals, GAMES[game], 0, declared == game, chances, net)
             for game in np.unique(declared)]
    found.sort(key=lambda one: -one.share)
    return [one for rank, one in enumerate(found) if not rank or one.share >= SEEN]


def _contract(
    deals: Deals, contract: Contract, discard: int, where: NDArray[np.bool_], chances: Floats,
    net: Floats,
) -> ContractTricks:
    by_tricks = [estimate_where(where, chances[..., k], deals) for k in TRICKS]
    return ContractTricks(
        contract, discard, weighted_mean(where.astype(np.float64), deals),
        tuple(one.mean for one in by_tricks), tuple(one.se for one in by_tricks),
        estimate_where(where, chances @ TRICKS, deals),
        estimate_where(where, chances[..., contract.level:].sum(axis=-1), deals),
        estimate_where(where, net, deals))
