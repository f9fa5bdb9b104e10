"""The printed misère rules against open cards: the sum of holes up to 80 %, and the rule of seven.

Hands are dealt at random and kept when a player could think of a misère. Each is then solved on
sampled layouts of the cards he does not see, by defenders who see everything (model (a)).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from advisor.advice.hole_file import measured_holes
from advisor.advice.hole_table import HoleOdds
from advisor.advice.saving import Saving, saving_cards
from advisor.cards import DECK, cards_of, format_hand
from advisor.sampling.unseen import Unseen
from advisor.tricks.holes import (
    hole_chances,
    misere_distribution,
    rule_of_80,
    sevenless_suits,
)
from advisor.tricks.misere import sensible_discards
from advisor.tricks.solver import caught_deals

if TYPE_CHECKING:
    import pandas as pd

Masks = NDArray[np.uint32]
LAYOUTS = 100  # of each hand; a standard error of five points at most
MOST = 200.0  # printed sum, per cent, up to which a player could think of a misère
TEN_MOST = 250.0  # the same before the talon is seen
NEXT = 1


def holes_frame() -> pd.DataFrame:
    """The measured holes as a table.

    Returns
    -------
    DataFrame
        The fields of `HoleOdds`; and ``half``, the half width of a 95 % interval of
        ``caught_pct`` in points, zero where every layout was solved.
    """
    import pandas as pd

    frame = pd.DataFrame(list(measured_holes()), columns=list(HoleOdds._fields))
    frame["half"] = 1.96 * frame.error_pct
    return frame


def side_by_side(shape: str = "even") -> pd.DataFrame:
    """Printed and true odds of every printed hole, a row for each holding, per cent.

    Parameters
    ----------
    shape : str
        A key of `advisor.advice.hole_table.SHAPES`.

    Returns
    -------
    DataFrame
        By printed row and holding; ``printed``, ``true`` and ``half`` under ``own``, ``next`` and
        ``third``. ``printed`` is not a number where nothing is printed for the lead.
    """
    import pandas as pd

    frame = holes_frame()
    part = frame[frame["shape"] == shape].set_index(["row", "holding"])
    names = {"printed_pct": "printed", "caught_pct": "true", "half": "half"}
    return pd.concat({lead: part[part.lead == lead][list(names)].rename(columns=names)
                      for lead in ("own", "next", "third")}, axis=1).sort_index()


def best_by_print(twelve: int) -> int:
    """The discard with the best chance of no trick by the printed odds, a defender leading."""
    discards = np.array(sensible_discards(twelve), np.uint32)
    free = misere_distribution(np.uint32(twelve) & ~discards, discards, False)[:, 0]
    return int(discards[free.argmax()])


def sum_rule_sample(number: int, rng: np.random.Generator, layouts: int = LAYOUTS) -> pd.DataFrame:
    """Hands after a discard: the sum of printed holes, and how often they are caught.

    Twelve cards are dealt, the discard is that of `best_by_print`; hands with a hole and a sum of
    at most `MOST` are kept.

    Parameters
    ----------
    number : int
        Hands.
    rng : numpy.random.Generator
    layouts : int
        Solved for each hand and lead.

    Returns
    -------
    DataFrame
        ``hand``, ``away``; ``holes``; ``sevenless``, suits with cards but no seven; ``sum``, the
        printed sum, and ``printed``, the printed chance that some hole is caught, with a defender
        leading; ``next`` and ``own``, caught by who leads; per cent but for the counts.
    """
    import pandas as pd

    kept: list[int] = []
    away: list[int] = []
    while len(kept) < number:
        twelve = _random_hand(12, rng)
        if _printed_sum(twelve) > 4 * MOST:
            continue
        gone = best_by_print(twelve)
        percent, holes = rule_of_80(twelve & ~gone)
        if holes and percent <= MOST:
            kept.append(twelve & ~gone)
            away.append(gone)
    deals = np.array([
        np.column_stack([np.full(layouts, hand, np.uint32),
                         *Unseen(DECK & ~(hand | gone)).sample(layouts, rng)[:2]])
        for hand, gone in zip(kept, away, strict=True)])
    free = misere_distribution(np.array(kept, np.uint32), 0, False)[:, 0]
    sums = [rule_of_80(hand) for hand in kept]
    return pd.DataFrame({
        "hand": [format_hand(hand) for hand in kept], "away": [format_hand(gone) for gone in away],
        "holes": [holes for _, holes in sums],
        "sevenless": [len(sevenless_suits(hand)) for hand in kept],
        "sum": [percent for percent, _ in sums], "printed": 100 * (1 - free),
        "next": _caught(deals, NEXT), "own": _caught(deals, 0)})


def seven_rule_sample(
    number: int, rng: np.random.Generator, layouts: int = LAYOUTS
) -> pd.DataFrame:
    """Hands before the talon: the saving cards, and how often the misère is made.

    Ten cards are dealt; hands with a hole, a sum of printed holes of at most `TEN_MOST` and a card
    that saves them are kept. On each layout the talon is taken and the discard is that of
    `best_by_print`; the next player leads.

    Parameters
    ----------
    number : int
        Hands.
    rng : numpy.random.Generator
    layouts : int
        Talons and layouts together, solved for each hand.

    Returns
    -------
    DataFrame
        ``hand``; ``cards``, the saving cards; ``holes`` and ``sum`` as dealt; ``promised``, the
        chance that a saving card comes; ``clean``, that the talon leaves a clean hand; ``made``;
        per cent but for the counts.
    """
    import pandas as pd

    hands: list[int] = []
    savings: list[Saving] = []
    while len(hands) < number:
        hand = _random_hand(10, rng)
        if not 0 < _printed_sum(hand) <= TEN_MOST:
            continue
        saving = saving_cards(hand)
        if saving.cards:
            hands.append(hand)
            savings.append(saving)
    deals = np.array([_with_talon(hand, layouts, rng) for hand in hands])
    sums = [rule_of_80(hand) for hand in hands]
    return pd.DataFrame({
        "hand": [format_hand(hand) for hand in hands],
        "cards": [saving.cards.bit_count() for saving in savings],
        "holes": [holes for _, holes in sums], "sum": [percent for percent, _ in sums],
        "promised": [100 * saving.chance for saving in savings],
        "clean": [100 * saving.clean for saving in savings],
        "made": 100 - _caught(deals, NEXT)})


def _random_hand(size: int, rng: np.random.Generator) -> int:
    return sum(1 << int(card) for card in rng.choice(list(cards_of(DECK)), size, replace=False))


def _printed_sum(hand: int) -> float:
    return 100 * float(hole_chances(hand, 0, False).sum())


def _with_talon(ten: int, layouts: int, rng: np.random.Generator) -> Masks:
    """Layouts of all the unseen cards, the talon taken and two cards thrown; shape (n, 3)."""
    one, two, talon = Unseen(DECK & ~ten).sample(layouts, rng)
    kept = [twelve & ~best_by_print(twelve) for twelve in (ten | int(t) for t in talon)]
    return np.column_stack([np.array(kept, np.uint32), one, two])


def _caught(deals: Masks, leader: int) -> NDArray[np.float64]:
    """Per cent of each hand's deals that are caught."""
    caught = caught_deals(deals.reshape(-1, 3), leader).reshape(deals.shape[:2])
    share: NDArray[np.float64] = 100 * caught.mean(1)
    return share
