"""A step of self-play: every seat answers the others' current model.

Limits are drawn for all seats from the current gains (the same random numbers in every
step), and each seat's possible limits are played out against them on every deal. What going to a
level gains over stopping below it is averaged over the deals where that choice changes the end,
by seat, holes and strength; the means are smoothed and made monotone, and the gains move towards
them by `DAMPING`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import Habits
from advisor.advice.playout import NOBODY, Purchase, buy
from advisor.fitting.smoothing import rising, smooth
from advisor.fitting.table_deals import MISERE_TRICKS, TableDeals
from advisor.fitting.table_values import Values, table_values
from advisor.rules.auction import Auction, AuctionRules
from advisor.rules.calls import MISERE_CALL
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.sampling.bid_shares import ENDS
from advisor.sampling.bidder import PASS_LIMIT, Reach, drawn_limit, game_places
from advisor.sampling.bidding_tables import (
    HOLES,
    MISERE_KNOTS,
    STRENGTHS,
    Features,
    Gains,
    Situation,
    features,
    unit_of,
)
from advisor.sampling.fitted_bidder import NORMAL, chances

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

DAMPING = 0.4
BEND, APART = 300.0, (100.0, 100.0)  # of smoothing the levels: by strength; by seat, by holes
MISERE_BEND, MISERE_APART = 30.0, (30.0,)
_DRAWS = 7


@dataclass(frozen=True, slots=True)
class Game:
    """All that stays the same while a situation's gains are fitted.

    Parameters
    ----------
    deals : TableDeals
    values : Values
    seen : tuple of Features
        By seat.
    draws : float64 (3, 2, n)
        Random numbers of each seat's limit and of its misère.
    rules : AuctionRules
    unit : float
        See `advisor.sampling.bidding_tables.unit_of`.
    """

    deals: TableDeals
    values: Values
    seen: tuple[Features, ...]
    draws: Floats
    rules: AuctionRules
    unit: float


def new_game(
    deals: TableDeals, convention: Convention, situation: Situation, seed: int, usual: Habits
) -> Game:
    """Value the deals of one situation; declarers and defenders have the habits `usual`."""
    rules = AuctionRules(convention.ladder, convention.hold, convention.allow_jumps,
                         situation.min_level)
    draws = np.random.default_rng([seed, _DRAWS]).random((3, 2, len(deals)))
    return Game(deals, table_values(deals, convention, situation.number, usual),
                tuple(features(deals.hands[:, seat], seat) for seat in range(3)), draws, rules,
                unit_of(convention))


def first_gains(min_level: int, unit: float) -> Gains:
    """Where self-play begins: a guess that knows no more than the direction."""
    levels = np.full((3, len(LEVELS), len(HOLES), len(STRENGTHS)), np.nan)
    for level in range(min_level, 11):
        levels[:, level - 6] = unit * 8.0 * (STRENGTHS - level + 1)
    return Gains(levels, np.tile(unit * 40.0 * (1 - MISERE_KNOTS), (3, 1)), unit)


def reach_of(game: Game, gains: Gains, styles: Sequence[str] = NORMAL) -> list[Reach]:
    """How far the hands of each seat go."""
    return [chances(gains, seat, styles[seat]).reach(game.seen[seat]) for seat in range(3)]


def draw_limits(game: Game, reaches: Sequence[Reach]) -> list[Floats]:
    """The limit of every hand, three float64 (n,)."""
    misere = game.rules.order.places[MISERE_CALL]
    limits = []
    for reach, (game_draw, misere_draw) in zip(reaches, game.draws, strict=True):
        limit = drawn_limit(reach, game_draw, game.rules)
        takes = (misere_draw < reach.misere) & (misere > limit)
        limits.append(np.where(takes, misere, limit))
    return limits


def bought_at(game: Game, limits: Sequence[Floats]) -> Purchase:
    """Who declares, and at what."""
    return buy(Auction(game.rules), (limits[0], limits[1], limits[2]))


def lowest_row(game: Game, bought: Purchase) -> tuple[Ints, NDArray[np.bool_]]:
    """Lowest level - 6 left to the winner's strain, intp (n,); and where misère was bought."""
    calls = game.rules.order.calls
    rank = np.array([call.rank if call.is_game else 0 for call in calls])[bought.place]
    is_misere = np.array([call.is_misere for call in calls])[bought.place]
    winner = np.maximum(bought.winner, 0)
    least, named = np.divmod(rank, 5)
    strain = game.values.strain[winner, np.arange(len(winner))]
    return np.minimum(least + (strain < named), len(LEVELS) - 1), is_misere


def net_of(game: Game, bought: Purchase, seat: int) -> Floats:
    """Net whists of one seat on every deal."""
    row, is_misere = lowest_row(game, bought)
    deal, winner = np.arange(len(row)), np.maximum(bought.winner, 0)
    net = np.where(is_misere, game.values.misere[winner, deal, seat],
                   game.values.games[winner, row, deal, seat])
    return np.where(bought.winner == NOBODY, game.values.all_pass[:, seat], net)


def frequencies(game: Game, limits: Sequence[Floats]) -> dict[str, float]:
    """Share of deals by how they end, in the order of `ENDS`."""
    bought = bought_at(game, limits)
    row, is_misere = lowest_row(game, bought)
    level = game.values.level[np.maximum(bought.winner, 0), row, np.arange(len(row))]
    end = np.where(is_misere, 1, np.minimum(level, 9) - 4)
    end = np.where(bought.winner == NOBODY, 0, end)
    return dict(zip(ENDS, np.bincount(end, minlength=len(ENDS)) / len(end), strict=True))


def step(game: Game, gains: Gains, limits: Sequence[Floats]) -> Gains:
    """What the others' drawn limits make every choice worth: the new means, smoothed."""
    levels, weights = np.zeros((2, 3, *gains.levels.shape[1:]))
    misere, misere_weights = np.zeros((2, 3, len(MISERE_KNOTS)))
    for seat in range(3):
        ends = _own_ends(game, limits, seat)
        for level in range(game.rules.min_level, 11):
            cells = _level_cells(game.seen[seat])
            found = _gain(ends[level], ends[level - 1], cells, levels[0, 0].size)
            levels[seat, level - 6], weights[seat, level - 6] = (
                x.reshape(levels.shape[2:]) for x in found)
        cells = _misere_cells(game, seat)
        misere[seat], misere_weights[seat] = _gain(
            ends[_MISERE], ends[_DRAWN], cells, len(MISERE_KNOTS))
    new = np.full_like(gains.levels, np.nan)
    for row in range(game.rules.min_level - 6, len(LEVELS)):
        new[:, row] = rising(smooth(levels[:, row], weights[:, row], BEND, APART))
    falling = -rising(-smooth(misere, misere_weights, MISERE_BEND, MISERE_APART))
    return Gains(new, falling, game.unit)


_End = tuple[Purchase, Floats]
_MISERE, _DRAWN = -1, -2


def _own_ends(game: Game, limits: Sequence[Floats], seat: int) -> dict[int, _End]:
    """How deals end by a seat's limit: a level, one below the lowest for a pass, or misère."""
    places = game_places(game.rules.order)
    strain = game.seen[seat].strain
    misere = float(game.rules.order.places[MISERE_CALL])
    lowest = game.rules.min_level
    tried: dict[int, Floats] = {lowest - 1: np.full(strain.shape, PASS_LIMIT)}
    tried |= {level: places[level - 6, strain] for level in range(lowest, 11)}
    tried |= {_MISERE: np.full(strain.shape, misere), _DRAWN: limits[seat]}
    ends = {}
    for name, limit in tried.items():
        mine = list(limits)
        mine[seat] = limit
        bought = bought_at(game, mine)
        ends[name] = bought, net_of(game, bought, seat)
    return ends


def _gain(one: _End, other: _End, cells: Ints, size: int) -> tuple[Floats, Floats]:
    """Mean difference and count by cell, of the deals that the choice ends otherwise.

    Cells below 0 are left out, and so are ends of unknown value.
    """
    (bought, net), (instead, before) = one, other
    gain = net - before
    differ = (bought.winner != instead.winner) | (bought.place != instead.place)
    rows = differ & (cells >= 0) & ~np.isnan(gain)
    count = np.bincount(cells[rows], minlength=size).astype(np.float64)
    total = np.bincount(cells[rows], gain[rows], minlength=size)
    return total / np.maximum(count, 1), count


def _level_cells(seen: Features) -> Ints:
    return _nearest(HOLES, seen.holes) * len(STRENGTHS) + _nearest(STRENGTHS, seen.strength)


def _nearest(knots: Floats, x: Floats) -> Ints:
    cells: Ints = np.searchsorted((knots[1:] + knots[:-1]) / 2, x)
    return cells


def _misere_cells(game: Game, seat: int) -> Ints:
    holes = game.seen[seat].holes
    return np.where(holes <= MISERE_TRICKS, _nearest(MISERE_KNOTS, holes), -1)


def towards(gains: Gains, target: Gains) -> Gains:
    """Gains moved towards a target by `DAMPING`."""
    return Gains(gains.levels + DAMPING * (target.levels - gains.levels),
                 gains.misere + DAMPING * (target.misere - gains.misere), gains.unit)
