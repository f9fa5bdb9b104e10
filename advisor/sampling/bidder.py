"""What the other players would say: a first, simple bidding model built on the printed guide.

Each hand has a *limit*, the highest call it would make. It follows from the guide's tricks in
the hand's best strain, `TALON_GAIN` tricks hoped for from the talon, and a personal boldness
drawn from a triangle of half-width `SOFTNESS` tricks, so that thresholds are soft. A hand whose
misère holes add up to less than the seed text's 80 % or so calls misère, softly likewise. What was
heard bounds the limit; the probability of those bounds is the likelihood of the calls, kept above
zero by a share `ODD` of players who call anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from advisor.rules.auction import Auction, AuctionRules
from advisor.rules.calls import MISERE_CALL, Call, CallKind
from advisor.rules.contracts import LEVELS
from advisor.rules.ladders import Ladder
from advisor.tricks.estimate import hole_tables, strain_means, suit_bytes

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

TALON_GAIN = 1.5
SOFTNESS = 1.0
MISERE_CENTRE = 80.0
MISERE_SOFTNESS = 50.0
MISERE_HOLES = 2
ODD = 0.01
REFERENCE_HANDS = 4096
LONGER = 1e-3
PASS_LIMIT = -1.0


@dataclass(frozen=True, slots=True)
class Heard:
    """What the calls of one seat say of its limit.

    Parameters
    ----------
    at_least : float
        Position of the highest call made, `PASS_LIMIT` if none.
    below : float
        Position of the cheapest call refused by passing, infinite while the seat is in.
    misere : bool or None
        Whether the seat called misère, or might have and did not; None without such a choice.
    passed : bool
    shown : float or None
        Position that the strength shown reaches, where it is not `at_least`: a game called without
        the talon stands higher in some ladders than the same game with it.
    """

    at_least: float = PASS_LIMIT
    below: float = np.inf
    misere: bool | None = None
    passed: bool = False
    shown: float | None = None

    @property
    def strength(self) -> float:
        """Position that the hand is strong enough for, by its calls."""
        return self.at_least if self.shown is None else self.shown


class Bidder(Protocol):
    """A model of P(call | hand, seat, auction)."""

    def likelihood(self, hands: Masks, seat: int, auction: Auction) -> Floats:
        """P(calls of `seat` so far | each hand), shape of `hands`, above zero."""
        ...

    def limits(
        self, hands: Masks, seat: int, auction: Auction, rng: np.random.Generator
    ) -> Floats:
        """A drawn limit for each hand: a ladder position, given what the seat has said."""
        ...


@dataclass(frozen=True, slots=True)
class Reach:
    """How far hands go.

    Parameters
    ----------
    levels : float64 (..., 5)
        Chance to go to 6, 7, 8, 9, 10 in the best suit, falling.
    strain : intp (...)
        That suit.
    misere : float64 (...)
        Chance to call misère where it may be called.
    """

    levels: Floats
    strain: NDArray[np.intp]
    misere: Floats


@dataclass(frozen=True)
class LimitBidder(ABC):
    """Calls that follow from a limit drawn once a hand; models differ in how far hands go.

    Parameters
    ----------
    odd : float
        Share of players whose calls say nothing of their hands.
    """

    odd: float = field(default=ODD, kw_only=True)

    @abstractmethod
    def reach(self, hands: Masks, seat: int, rules: AuctionRules) -> Reach:
        """How far each hand goes, all shapes those of `hands`."""

    def likelihood(self, hands: Masks, seat: int, auction: Auction) -> Floats:
        """P(calls of `seat` so far | each hand), in (0, 1]; 1 while it has not spoken."""
        heard = heard_from(auction, seat)
        if heard == Heard():
            return np.ones(hands.shape)
        chance = _chance(self.reach(hands, seat, auction.rules), heard, auction.rules)
        return (1 - self.odd) * chance + self.odd * _usual(self, heard, seat, auction.rules)

    def limits(
        self, hands: Masks, seat: int, auction: Auction, rng: np.random.Generator
    ) -> Floats:
        """A drawn limit for each hand: its ladder place, `PASS_LIMIT` once `seat` has passed."""
        heard = heard_from(auction, seat)
        if heard.passed:
            return np.full(hands.shape, PASS_LIMIT)
        place = auction.rules.order.places[MISERE_CALL]
        if heard.misere:
            return np.full(hands.shape, float(place))
        reach = self.reach(hands, seat, auction.rules)
        draw = rng.random(hands.shape) * _above(reach, heard.strength, auction.rules)
        limit = np.maximum(drawn_limit(reach, draw, auction.rules), heard.at_least)
        if heard.misere is None:
            takes = rng.random(hands.shape) < reach.misere
            limit = np.where(takes & (place > limit), place, limit)
        return limit


@dataclass(frozen=True)
class GuideBidder(LimitBidder):
    """The first model: limits from the printed guide (this module's docstring)."""

    def reach(self, hands: Masks, seat: int, rules: AuctionRules) -> Reach:
        """How far each hand goes; the seat does not matter."""
        value, strain = strength(hands)
        levels = triangle((value[..., None] - np.array(LEVELS)) / SOFTNESS)
        return Reach(levels, strain, misere_chance(hands))


def drawn_limit(reach: Reach, draw: Floats, rules: AuctionRules) -> Floats:
    """Ladder place of the highest game that a draw from 0..1 reaches, `PASS_LIMIT` if none."""
    games = game_places(rules.order)
    count = (draw[..., None] < reach.levels).sum(axis=-1)
    count = np.where(count < rules.min_level - 5, 0, count)
    places: Floats = np.vstack([np.full(5, PASS_LIMIT), games])[count, reach.strain]
    return places


def _chance(reach: Reach, heard: Heard, rules: AuctionRules) -> Floats:
    """P(calls heard | each hand) of a player who follows the model."""
    if heard.misere:
        return reach.misere
    chance = _above(reach, heard.strength, rules) - _above(reach, heard.below, rules)
    return chance * (1 - reach.misere) if heard.misere is False else chance


@lru_cache(maxsize=256)
def _usual(bidder: LimitBidder, heard: Heard, seat: int, rules: AuctionRules) -> float:
    """How often these calls are heard of any hand: what an odd player's calls tell of his own."""
    chance = _chance(bidder.reach(_reference(), seat, rules), heard, rules)
    return max(float(chance.mean()), 1 / REFERENCE_HANDS)


@cache
def _reference() -> Masks:
    """Any hands, the same always."""
    rng = np.random.default_rng(REFERENCE_HANDS)
    deck = rng.permuted(np.tile(np.arange(32), (REFERENCE_HANDS, 1)), axis=1)[:, :10]
    hands: Masks = np.bitwise_or.reduce(np.uint32(1) << deck.astype(np.uint32), axis=1)
    return hands


def strength(hands: Masks) -> tuple[Floats, NDArray[np.intp]]:
    """Guide tricks a hand hopes for with the talon, and its best trump suit."""
    means = strain_means(hands)[..., :4]
    length = np.bitwise_count(suit_bytes(hands))
    strain = np.argmax(means + LONGER * length, axis=-1)
    best: Floats = np.max(means, axis=-1) + TALON_GAIN
    return best, strain


def misere_chance(hands: Masks) -> Floats:
    """Chance that a hand calls misère, by its holes before the talon."""
    tricks, holes = hole_tables()
    suits = suit_bytes(hands)
    percent = 100 * tricks[suits].sum(axis=-1)
    soft = triangle((MISERE_CENTRE - percent) / MISERE_SOFTNESS)
    return np.where(holes[suits].sum(axis=-1) <= MISERE_HOLES, soft, 0.0)


def triangle(z: Floats) -> Floats:
    """Distribution function of the symmetric triangle on -1..1."""
    z = np.clip(z, -1.0, 1.0)
    return np.where(z < 0, 0.5 * (1 + z) ** 2, 1 - 0.5 * (1 - z) ** 2)


def _above(reach: Reach, place: float, rules: AuctionRules) -> Floats:
    """P(limit >= a place in the ladder); none goes to eleven."""
    if place == PASS_LIMIT:
        return np.ones(reach.strain.shape)
    least = (game_places(rules.order) < place).sum(axis=0)[reach.strain]
    chance = np.take_along_axis(reach.levels, np.minimum(least, 4)[..., None], axis=-1)[..., 0]
    return np.where(least > 4, 0.0, chance)


def game_places(ladder: Ladder) -> Floats:
    """Ladder places of the 25 games that take the talon, float64 (5 levels, 5 strains)."""
    return np.array([[ladder.places[Call.game(level, strain)] for strain in range(5)]
                     for level in LEVELS], dtype=np.float64)


def heard_from(auction: Auction, seat: int) -> Heard:
    """Bounds on one seat's limit from its calls."""
    state = Auction(auction.rules)
    heard = Heard()
    for call in auction.calls:
        if state.seat_to_call == seat:
            heard = _hear(heard, call, state)
        state = state.after(call)
    return heard


def _hear(heard: Heard, call: Call, state: Auction) -> Heard:
    places = state.rules.order.places
    legal = [c for c in state.legal_calls() if c.kind is not CallKind.PASS]
    refused = any(c.kind is CallKind.MISERE for c in legal)
    misere = False if heard.misere is None and refused else heard.misere
    if call.kind is CallKind.PASS:
        games = [places[c] for c in legal if c.kind is CallKind.GAME]
        below = min(games, default=np.inf)
        if any(c.kind is CallKind.HOLD for c in legal) and state.last_call is not None:
            below = min(below, places[state.last_call])
        return Heard(heard.at_least, max(below, heard.at_least), misere, True, heard.shown)
    meant = state.last_call if call.kind is CallKind.HOLD else call
    assert meant is not None
    if meant.kind is CallKind.MISERE:
        return Heard(places[meant], np.inf, True)
    shown = None if meant.with_talon else float(places[Call.game(meant.level, meant.strain)])
    return Heard(max(heard.at_least, places[meant]), np.inf, misere, shown=shown)


def weigh(
    bidder: Bidder, auction: Auction, seat: int, hands: Masks, talon: Masks
) -> Floats:
    """Likelihood of all calls heard from the other two seats, for hands (t, m, 3)."""
    weight = np.ones(hands.shape[:2])
    for other in ((seat + 1) % 3, (seat + 2) % 3):
        weight *= bidder.likelihood(hands[:, :, other], other, auction)
    return weight
