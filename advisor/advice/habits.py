"""What players usually do: when they whist, and what naming a game is worth to them.

Fitted by expected score on simulated deals, defenders and declarers answering each other until they
settle (`advisor.fitting.replies`), for every shipped convention: ``data/bidding/replies.toml``. A
convention of the user's own takes the habits of the shipped one that agrees with it in most rules
of whisting and scoring.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.paths import data_path
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention, convention_names, load_convention
from advisor.tricks.estimate import STEPS_PER_TRICK
from advisor.tricks.holdings import NO_TRUMP

Floats = NDArray[np.float64]

FILE = "bidding/replies.toml"
WORTH_MEANS = np.arange(3.0, 10.01, 0.5)
TIE = 1e-6  # a hand just at a threshold is above it, in whatever order its suits are summed
# The rules that count, and how much: without half-whists everybody replies otherwise.
_RULES = {
    "half_whist": 4, "first_may_half": 3, "take_back": 3, "lone_whister": 2, "whist_penalty": 2,
    "ten": 1, "duty6_lone": 1, "liability_8_10": 1, "stalingrad": 1, "both_pass": 1,
    "shortfall_cap": 1, "consolation": 1, "consolation_passer": 1, "whist_price_factor": 1,
    "mountain_factor": 1, "pool_point": 1,
}


@dataclass(frozen=True, slots=True)
class Habits:
    """Thresholds of the defenders, and the worth of games to declarers, under one convention.

    The thresholds are tricks of both defenders together, as `advisor.advice.replies.outlooks`
    expects them of one defender's ten cards and the talon shown; each float64 (2, 5), with trumps
    and in no trump, by level. Ten or more is never.

    Parameters
    ----------
    first : float64 (2, 5)
        The first defender whists with as many.
    second : float64 (2, 5)
        The second whists after the first has passed.
    after_whist : float64 (2, 5)
        The second whists after the first has whisted.
    half : float64 (2, 5)
        The second, after a pass, goes for half, where the convention has it.
    take_back : float64 (2, 5)
        The first, having passed, takes the whist back from a half-whister.
    stand : float64 (2, 5)
        The first, alone with his whist, stands by it and does not go for half.
    worth : float64 (2, 5, 201)
        Declarer's net whists of naming each level, with trumps and in no trump, by his expected
        tricks in steps of 1/20 trick.
    """

    first: Floats
    second: Floats
    after_whist: Floats
    half: Floats
    take_back: Floats
    stand: Floats
    worth: Floats

    def needs(self, said: str, level: int, strain: ArrayLike) -> Floats:
        """The threshold of that name against a contract of `level`, in the shape of `strain`."""
        kind = (np.asarray(strain) == NO_TRUMP).astype(np.intp)
        told: Floats = getattr(self, said)[kind, level - min(LEVELS)]
        return told


THRESHOLDS = tuple(field.name for field in fields(Habits) if field.name != "worth")


@cache
def habits(convention: Convention) -> Habits:
    """The usual replies and declarations under a convention."""
    told = _file()[nearest(convention)]
    return Habits(worth=worth_table(np.array(told["worth"])),
                  **{name: np.array(told[name]) - TIE for name in THRESHOLDS})


def nearest(convention: Convention) -> str:
    """Name of the shipped convention that agrees in most rules of whisting and scoring.

    >>> nearest(load_convention("rostov"))
    'rostov'
    """
    def agreement(name: str) -> int:
        shipped = load_convention(name)
        return sum(weight for rule, weight in _RULES.items()
                   if _in_force(shipped, rule) == _in_force(convention, rule))

    names = [name for name in convention_names() if name in _file()]
    return max(names, key=lambda name: (agreement(name), name == convention.name))


def _in_force(convention: Convention, rule: str) -> object:
    """A rule's value; those of half-whists are idle where there are none."""
    idle = rule in ("take_back", "first_may_half") and convention.half_whist == "off"
    return None if idle else getattr(convention, rule)


def worth_table(points: Floats) -> Floats:
    """Worth at every step of the mean, float64 (2, 5, 201), from that at `WORTH_MEANS`.

    No trump is so rare that defenders would let anything pass; nobody may live on that, so it is
    worth no more than a game with trumps of as many tricks.
    """
    table = np.stack([steps_of_worth(kind) for kind in points])
    table[1] = np.minimum(table[0], table[1])
    return table


def steps_of_worth(points: Floats) -> Floats:
    """Worth of one kind at every step of the mean, float64 (5, 201)."""
    steps = np.arange(10 * STEPS_PER_TRICK + 1) / STEPS_PER_TRICK
    return np.array([np.interp(steps, WORTH_MEANS, row) for row in points])


@cache
def _file() -> dict[str, dict[str, Any]]:
    return tomllib.loads(data_path(FILE).read_text(encoding="utf-8"))
