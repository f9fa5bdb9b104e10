"""What each of the 231 talons is worth to a hand that has bought it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.advice.declaring import GAMES
from advisor.advice.statistics import Estimate, estimate
from advisor.advice.tabled import tabled
from advisor.advice.why import ALL_TALONS
from advisor.cards import card_code, cards_of, format_cards
from advisor.errors import InputError
from advisor.records.hand import HandRecord, unseen_mask
from advisor.rules.contracts import Contract
from advisor.sampling.deals import Deals

if TYPE_CHECKING:
    import pandas as pd

LEAST_DEALS = 4 * ALL_TALONS  # two mirrored pairs under each talon, for an error


@dataclass(frozen=True, slots=True)
class TalonWorth:
    """One talon.

    Parameters
    ----------
    cards : (int, int)
        Its cards, 0..31, the first as they stand in `TalonMap.cards`.
    share : float
        Chance of this talon after the calls heard.
    ev, se : float
        Expected score of declaring with it, and its standard error, net whists.
    p_make : float
        Chance of making what is declared.
    contract : Contract
        The best one.
    discard : int
        Mask of the two cards then thrown.
    """

    cards: tuple[int, int]
    share: float
    ev: float
    se: float
    p_make: float
    contract: Contract
    discard: int


@dataclass(frozen=True, slots=True)
class TalonMap:
    """All talons of a hand.

    Parameters
    ----------
    record : HandRecord
    lowest : Contract
        The game at which the player has bought the auction.
    cards : tuple of int
        The 22 unseen cards by suit, highest first.
    talons : tuple of TalonWorth
        All 231, the first card before the second in the order of `cards`.
    mean, mean_se : float
        Expected score over all talons, net whists.
    deals, seed : int
    """

    record: HandRecord
    lowest: Contract
    cards: tuple[int, ...]
    talons: tuple[TalonWorth, ...]
    mean: float
    mean_se: float
    deals: int
    seed: int

    def to_frame(self) -> pd.DataFrame:
        """One row a talon.

        Columns: first, second (cards), share (of the deals), ev, se (net whists), p_make
        (probability), contract, discard.
        """
        import pandas as pd

        return pd.DataFrame([
            {"first": card_code(one.cards[0]), "second": card_code(one.cards[1]),
             "share": one.share, "ev": one.ev, "se": one.se, "p_make": one.p_make,
             "contract": str(one.contract), "discard": format_cards(one.discard)}
            for one in self.talons])


def talon_map(record: HandRecord, deals: int | None = None, seed: int = 1) -> TalonMap:
    """Value declaring under every talon, by the fitted tables.

    Parameters
    ----------
    record : HandRecord
        Ten cards and a bidding question. The player is taken to buy the auction at the cheapest
        game he may call, with the weights of the calls heard so far.
    deals : int, optional
        At least `LEAST_DEALS`; by default 20,000, some 88 under each talon.
    seed : int

    Raises
    ------
    InputError
        The talon is known already, too few deals, or no game can be called.

    Notes
    -----
    Contract and discard are valued half on other layouts than they are chosen on, half on the same
    (`advisor.advice.folds`); shown is what is best on all.
    """
    if record.decision == "declare":
        raise InputError("a map of talons is drawn for ten cards; here the talon is known",
                         source=record.source)
    if deals is not None and deals < LEAST_DEALS:
        raise InputError("found {found}, expected at least {least}: a map needs every talon "
                         "several times", found=deals, least=LEAST_DEALS, source="--deals")
    at = tabled(record, deals, seed)
    outcome = at.games.outcome(at.first)
    game, discard = at.best_of(np.arange(at.first, len(GAMES)))
    sample = at.deals
    weight = sample.weight.sum(axis=1)
    made = np.einsum("tm,tm->t", sample.weight, outcome.made) / weight
    away = at.games.away[np.arange(len(game)), game % 5, discard]
    order = tuple(card for suit in range(4) for card in range(8 * suit + 7, 8 * suit - 1, -1)
                  if unseen_mask(record) >> card & 1)
    found = {}
    for row, talon in enumerate(sample.talon):
        one, two = sorted(cards_of(int(talon)), key=order.index)
        ev = _under(outcome.net[row], sample, row)
        found[one, two] = TalonWorth(
            (one, two), float(weight[row] / weight.sum()), ev.mean, ev.se, float(made[row]),
            GAMES[game[row]], int(away[row]))
    talons = tuple(found[one, two] for i, one in enumerate(order) for two in order[i + 1:])
    overall = estimate(outcome.net, sample)
    return TalonMap(record, at.lowest, order, talons, overall.mean, overall.se, sample.count, seed)


def _under(net: np.ndarray, deals: Deals, row: int) -> Estimate:
    """Mean and error under one talon."""
    block = replace(deals, hands=deals.hands[row : row + 1], talon=deals.talon[row : row + 1],
                    weight=deals.weight[row : row + 1], all_talons=1, talon_variance=None)
    return estimate(net[None], block)
