"""Published figures of bidding theory, out of the scoring alone.

D. Lesnoy, 'Russian Preferans' (tables for four players, Sochi): the largest risk of one trick too
few at which the next game is worth naming, with the expected score there; what a seven costs by
undertricks; what a misère is worth by its chance. His defenders never err: they whist, pass or go
half as costs the declarer most. For seven against six he prints .997, a misprint of .097, as the
expected score beside it shows.
"""

from __future__ import annotations

import numpy as np
import pytest

from advisor.advice.payoff import payoff
from advisor.rules.conventions import load_convention

TABLE = payoff(load_convention("sochi"), 4, 1)
# Declarer's net by level - 6 and tricks, against defenders who never err.
WORST = TABLE.games[0, :, :, :, 0].min(axis=1)


def exactly(level: int, tricks: int) -> float:
    return float(WORST[level - 6, tricks])


@pytest.mark.parametrize(
    ("level", "risk", "ev"),
    [
        (7, 0.097, 10.6),
        (8, 0.100, 21.6),
        (9, 0.089, 38.5),
        (10, 0.082, 59.3),
    ],
)
def test_the_risk_at_which_to_name_the_next_game(level: int, risk: float, ev: float) -> None:
    gain = exactly(level, level) - exactly(level - 1, level)
    loss = exactly(level - 1, level - 1) - exactly(level, level - 1)
    even = gain / (gain + loss)
    assert round(even, 3) == risk
    named = (1 - even) * exactly(level, level) + even * exactly(level, level - 1)
    lower = (1 - even) * exactly(level - 1, level) + even * exactly(level - 1, level - 1)
    assert named == pytest.approx(lower)
    assert named == pytest.approx(ev, abs=0.06)


@pytest.mark.parametrize(
    ("level", "gain", "loss"),
    [
        (7, 7, 65),
        (8, 11, 99),
        (9, 13, 133),
        (10, 15, 167),
    ],
)
def test_what_stands_behind_these_risks(level: int, gain: float, loss: float) -> None:
    assert exactly(level, level) - exactly(level - 1, level) == pytest.approx(gain)
    assert exactly(level - 1, level - 1) - exactly(level, level - 1) == pytest.approx(loss)


def test_undertricks_of_a_seven() -> None:
    """30 for the mountain, 4 a trick for whists, 12 for consolations; 46 for each further one."""
    np.testing.assert_allclose(
        [exactly(7, tricks) for tricks in (6, 5, 4, 3, 2)], [-58, -104, -150, -196, -242]
    )


def test_a_misere_of_four_players() -> None:
    """+75, and -75 a trick, of which each of the others has a third."""
    np.testing.assert_allclose(TABLE.misere[:, 0], [75, *(-75 * tricks for tricks in range(1, 11))])
    np.testing.assert_allclose(TABLE.misere[1, 1:], 25)


@pytest.mark.parametrize(
    ("chance", "ev"), [(0.76, 39), (0.55, 7.5), (0.5, 0), (0.48, -3), (0.41, -13.5)]
)
def test_what_a_misere_is_worth_by_its_chance(chance: float, ev: float) -> None:
    """At most one trick: worth it from an even chance on."""
    assert chance * TABLE.misere[0, 0] + (1 - chance) * TABLE.misere[1, 0] == pytest.approx(ev)
