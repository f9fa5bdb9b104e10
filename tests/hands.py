"""Hands with known answers, and what asks about them; shared by the tests of decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.results import Advice, Option
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.conventions import convention_names, load_convention
from advisor.sampling.bidder import PASS_LIMIT

TEN_SPADES = "♠AKQJ10987 ♣AK"
CLEAN = "♠78910 ♣789 ♦78 ♥7"
ALL = [(name, players) for name in convention_names() for players in (3, 4)]


@dataclass(frozen=True)
class Silent:
    """Opponents who pass whatever they hold."""

    def likelihood(self, hands, seat, auction):
        return np.ones(hands.shape)

    def limits(self, hands, seat, auction, rng):
        return np.full(hands.shape, PASS_LIMIT)


def record(hand: str, **fields: str) -> HandRecord:
    return parse_hand(overrides={"hand": hand}
                      | {key.replace("_", "-"): value for key, value in fields.items()})


def unpaid(hand: str, name: str, players: int, **fields: str) -> HandRecord:
    """A record under a convention whose talon costs nothing, so that its value is exact."""
    convention = replace(load_convention(name), talon_bonus="off")
    return replace(record(hand, **fields), convention=convention, players=players)


def full(name: str, players: int) -> float:
    """A ten or a misère made: 100 whists on each of the others, or twice that (rules.md 5.4)."""
    return (200 / 3 if players == 3 else 75) * (2 if name == "leningrad" else 1)


def option(advice: Advice, name: str) -> Option:
    return next(one for one in advice.options if one.name == name)
