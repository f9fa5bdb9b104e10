"""The sampled deals solved with open cards, as far as they can matter.

What is solved is screened by the coarse fitted table (`advisor.tricks.holdings`). Of the player's
own games, for every talon: its best discards in each strain, as many as `SCREEN` says of the strain
it likes best, second best and so on (`SCREEN_DECLARE` with the talon taken). An opponent's game
only where he may buy the auction, an all-pass only where there may be one, the player's misère only
where it is seen within `MISERE_HOPE` whists of his best game.

Against solving all 66 discards in all five strains `SCREEN` loses 0.10 +- 0.10 net whists a hand
(one hand of a hundred) at a fifth of the time, `SCREEN_DECLARE` 0.00 +- 0.00 at a third; chosen and
valued on the same layouts, which is too dark, 0.08 and 0.00 (``python -m benchmarks.bench_screen
--hands 100 --seed 3``).

Work goes block by block, whole talons in random order (or, with the talon known, layouts as they
were drawn), so that an interruption leaves a smaller but honest sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from advisor.advice.blocks import Progress, in_blocks, in_order, row_blocks, take
from advisor.advice.declaring import twelve_cards
from advisor.advice.guide_games import GuideGames, own_misere
from advisor.advice.habits import Habits, habits
from advisor.advice.naming import choose
from advisor.advice.opponents import throw_holes
from advisor.advice.payoff import record_payoff
from advisor.advice.statistics import weighted_mean
from advisor.records.hand import HandRecord
from advisor.rules.calls import MISERE_CALL
from advisor.rules.contracts import Contract
from advisor.rules.conventions import Convention
from advisor.sampling.bidder import Floats, game_places
from advisor.sampling.deals import Deals, around
from advisor.tricks.estimate import hole_tables, suit_bytes
from advisor.tricks.holdings import NO_TRUMP

Masks = NDArray[np.uint32]
Tricks = NDArray[np.int8]

SCREEN = (10, 3, 1, 1, 1)
SCREEN_DECLARE = (12, 6, 3, 3, 3)
MISERE_DISCARDS = 3
MISERE_HOPE = 60.0
BLOCK_ROWS = 2_000
UNSOLVED = -1


@dataclass(frozen=True, slots=True)
class Solved:
    """Tricks of solved deals; `UNSOLVED` where a deal was not.

    Parameters
    ----------
    away : uint32 (t, 5, d)
        The player's discards tried in each strain; 0 fills up.
    own : int8 (t, 5, d, m)
        His tricks with each.
    theirs : int8 (2, t, m)
        Tricks of each opponent (clockwise) in his own best game.
    all_pass : int8 (t, m, 4) or None
        Tricks by seat in an all-pass with open cards, the dealer's last; None where these are not
        to count.
    misere_away : uint32 (t, k)
        The player's misère discards tried; no columns where it is hopeless.
    misere : int8 (t, k, m)
        His tricks on misère with each.
    their_misere : int8 (2, t, m)
        Tricks of each opponent on misère.
    """

    away: Masks
    own: Tricks
    theirs: Tricks
    all_pass: Tricks | None
    misere_away: Masks
    misere: Tricks
    their_misere: Tricks


# Axes of talons and layouts of each field of Solved.
_AXES = {"away": (0, None), "own": (0, 3), "theirs": (1, 2), "all_pass": (0, 1),
         "misere_away": (0, None), "misere": (0, 2), "their_misere": (1, 2)}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to solve.

    Parameters
    ----------
    away : uint32 (t, 5, d)
        Own discards by strain, 0 where there is none.
    misere_away : uint32 (t, k)
    may_declare : bool (2, t, m)
        Where each opponent may come to play a game.
    may_misere : bool (2, t, m)
        Where each opponent may come to play misère.
    may_pass : bool (t, m)
        Where all may pass.
    """

    away: Masks
    misere_away: Masks
    may_declare: NDArray[np.bool_]
    may_misere: NDArray[np.bool_]
    may_pass: NDArray[np.bool_]


def plan_bids(
    record: HandRecord, deals: Deals, games: GuideGames, limits: dict[int, Floats]
) -> Plan:
    """Screen what a bidding decision needs."""
    order = record.auction.rules.order
    opening = game_places(order)[record.auction.rules.min_level - 6].min()
    misere = order.places[MISERE_CALL]
    drawn = np.stack([limits[seat] for seat in deals.hidden])
    is_misere = drawn == misere
    open_auction = record.auction.last_call is None
    return Plan(
        screened(games, SCREEN), _hopeful_miseres(record, deals, games),
        may_declare=(drawn >= opening) & ~is_misere, may_misere=is_misere,
        may_pass=np.all(drawn < opening, axis=0) & ~is_misere.any(axis=0) & open_auction)


def plan_declaration(record: HandRecord, deals: Deals, games: GuideGames | None) -> Plan:
    """Screen what the choice of contract and discard needs; misère where `games` is None."""
    nobody = np.zeros((2, *deals.weight.shape), dtype=bool)
    if games is None:
        away = _misere_discards(record.cards, deals, 2 * MISERE_DISCARDS)
        if record.asked is not None and record.asked[1] not in away:
            away = np.append(away, [[np.uint32(record.asked[1])]], axis=1)
        return Plan(np.zeros((1, 5, 0), dtype=np.uint32), away, nobody, nobody, nobody[0])
    away = with_play(screened(games, SCREEN_DECLARE), record.asked)
    return Plan(away, np.zeros((1, 0), dtype=np.uint32), nobody, nobody, nobody[0])


def screened(games: GuideGames, widths: tuple[int, ...]) -> Masks:
    """The discards worth solving, uint32 (t, 5, max(widths)); 0 fills up.

    Strains are ranked by their best game, discards by their best level, both by the guide.
    """
    value = games.expected()
    t, d = value.shape[1:]
    by_strain = value.reshape(5, 5, t, d).max(axis=0)
    rank = np.argsort(np.argsort(-by_strain.max(axis=-1), axis=0), axis=0)
    best = np.argsort(-by_strain, axis=-1, kind="stable")[..., : max(widths)]
    away = np.take_along_axis(games.plays.away[None], best, axis=-1)
    keep = np.arange(best.shape[-1]) < np.array(widths)[rank][..., None]
    return np.ascontiguousarray(np.where(keep, away, 0).transpose(1, 0, 2))


def with_play(away: Masks, asked: tuple[Contract, int] | None) -> Masks:
    """A screen, uint32 (t, 5, d), that lets the play asked about through, in its strain."""
    if asked is None or not asked[0].is_game or asked[1] in away[:, asked[0].strain]:
        return away
    column = np.zeros((*away.shape[:2], 1), dtype=np.uint32)
    column[:, asked[0].strain] = asked[1]
    return np.concatenate([away, column], axis=2)


def _hopeful_miseres(record: HandRecord, deals: Deals, games: GuideGames) -> Masks:
    table = record_payoff(record)
    misere = weighted_mean(own_misere(record.cards, deals, table).net, deals)
    if misere < weighted_mean(games.outcome(0).net, deals) - MISERE_HOPE:
        return np.zeros((len(deals.talon), 0), dtype=np.uint32)
    return _misere_discards(record.cards, deals, MISERE_DISCARDS)


def _misere_discards(hand: int, deals: Deals, count: int) -> Masks:
    kept, away = twelve_cards(hand, deals.talon)
    tricks = hole_tables()[0][suit_bytes(kept)].sum(axis=-1)
    best = np.argsort(tricks, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(away, best, axis=1)


def solve_plan(
    record: HandRecord, deals: Deals, plan: Plan, rng: np.random.Generator,
    progress: Progress | None = None, threads: int | None = None,
) -> tuple[Deals, Solved, NDArray[np.intp], bool]:
    """Solve block by block, as far as there is time.

    Returns
    -------
    deals : Deals
        Those solved.
    solved : Solved
    kept : intp
        Rows (talons, or layouts where there is one talon) of the deals given that were solved.
    complete : bool
        False after an interruption.

    Raises
    ------
    KeyboardInterrupt
        Interrupted before the first block was done.
    """
    one_talon = len(deals.talon) == 1
    rows, parts, complete = in_blocks(
        deals, _blocks(deals, plan, rng),
        lambda part, block: _solve_block(record, part, _take_plan(plan, block, one_talon), threads),
        progress)
    joined = {}
    for field in fields(Solved):
        each = [getattr(solved, field.name) for solved in parts]
        along = _AXES[field.name][one_talon]
        joined[field.name] = each[0] if along is None else in_order(each, rows, along)
    kept = np.sort(rows)
    return take(deals, kept), Solved(**joined), kept, complete


def _blocks(deals: Deals, plan: Plan, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    tried = int(np.count_nonzero(plan.away)) // len(deals.talon) + plan.misere_away.shape[1] + 1
    return row_blocks(deals, max(2, BLOCK_ROWS // tried // 2 * 2), BLOCK_ROWS // tried, rng)


def _take_plan(plan: Plan, rows: NDArray[np.intp], one_talon: bool) -> Plan:
    """The part of a plan for some talons, or some layouts where there is one talon."""
    if one_talon:
        return Plan(plan.away, plan.misere_away, plan.may_declare[:, :, rows],
                    plan.may_misere[:, :, rows], plan.may_pass[:, rows])
    return Plan(plan.away[rows], plan.misere_away[rows], plan.may_declare[:, rows],
                plan.may_misere[:, rows], plan.may_pass[rows])


def _solve_block(record: HandRecord, deals: Deals, plan: Plan, threads: int | None) -> Solved:
    hidden = deals.hands[:, :, list(deals.hidden)]
    lead = -deals.seat % 3
    shape = deals.weight.shape
    cards = np.uint32(record.cards) | deals.talon
    tried = np.broadcast_to(plan.away[..., None] > 0, (*plan.away.shape, shape[1]))
    own = solve_own(cards, plan.away, hidden, lead, tried, threads)
    misere = solve_own_misere(cards, plan.misere_away, hidden, lead, threads)
    theirs = np.full((2, *shape), UNSOLVED, dtype=np.int8)
    their_misere = theirs.copy()
    usual = habits(record.convention)
    for i, seat in enumerate(deals.hidden):
        theirs[i] = solve_theirs(deals, seat, plan.may_declare[i], usual, threads)
        their_misere[i] = solve_theirs(deals, seat, plan.may_misere[i], None, threads)
    all_pass = solve_all_pass(deals, plan.may_pass, record.convention, record.players, threads)
    return Solved(plan.away, own, theirs, all_pass, plan.misere_away, misere, their_misere)


def solve_own(
    cards: Masks, away: Masks, hidden: Masks, lead: int, where: NDArray[np.bool_],
    threads: int | None,
) -> Tricks:
    """Tricks of the player's own plays on the layouts of `where`, int8 (t, 5, d, m).

    Parameters
    ----------
    cards : uint32 (t,)
        His twelve cards under each talon.
    away : uint32 (t, 5, d)
    hidden : uint32 (t, m, 2)
        The other two hands, clockwise.
    lead : int
        Who leads, 0 the player himself.
    where : bool (t, 5, d, m)
        What to solve; the rest is `UNSOLVED`.
    """
    from advisor.tricks.solver import solve_deals

    out = np.full(where.shape, UNSOLVED, dtype=np.int8)
    talon, strain, place, layout = np.nonzero(where)
    rows = np.empty((len(talon), 3), dtype=np.uint32)
    rows[:, 0] = cards[talon] ^ away[talon, strain, place]
    rows[:, 1:] = hidden[talon, layout]
    out[where] = solve_deals(rows, strain.astype(np.int8), lead, threads=threads)
    return out


def solve_own_misere(
    cards: Masks, away: Masks, hidden: Masks, lead: int, threads: int | None
) -> Tricks:
    """Tricks of the player's misère with each discard `away` (t, k), int8 (t, k, m)."""
    from advisor.tricks.solver import solve_deals

    t, m = hidden.shape[:2]
    k = away.shape[1]
    rows = np.empty((t, k, m, 3), dtype=np.uint32)
    rows[..., 0] = (cards[:, None] ^ away)[..., None]
    rows[..., 1:] = hidden[:, None]
    return solve_deals(rows.reshape(-1, 3), NO_TRUMP, lead, misere=True, threads=threads
                       ).reshape(t, k, m)


def solve_theirs(
    deals: Deals, seat: int, where: NDArray[np.bool_], usual: Habits | None, threads: int | None
) -> Tricks:
    """Tricks of an opponent where `where` (t, m) says: in his best game; without habits, misère."""
    from advisor.tricks.solver import solve_deals

    out = np.full(where.shape, UNSOLVED, dtype=np.int8)
    if not where.any():
        return out
    talon = np.broadcast_to(deals.talon[:, None], where.shape)[where]
    hands = deals.hands[where]
    cards = hands[:, seat] | talon
    if usual is None:
        kept, strain = throw_holes(cards)[0], np.full(len(cards), NO_TRUMP)
    else:
        named = choose(cards, seat == 0, usual)
        kept, strain = named.kept, named.strain
    out[where] = solve_deals(around(hands, seat, kept), strain.astype(np.int8), -seat % 3,
                             misere=usual is None, threads=threads)
    return out


def solve_all_pass(
    deals: Deals, where: NDArray[np.bool_], convention: Convention, players: int,
    threads: int | None,
) -> Tricks:
    """All-pass with the talon as the convention has it: at a table of three it never plays."""
    from advisor.tricks.all_pass import solve_all_pass

    out = np.full((*where.shape, 4), UNSOLVED, dtype=np.int8)
    if not where.any():
        return out
    talon = np.broadcast_to(deals.talon[:, None], where.shape)[where]
    low = talon & (~talon + np.uint32(1))
    tricks = solve_all_pass(deals.hands[where], 0, np.stack([low, talon ^ low], axis=1),
                            mode=convention.all_pass_mode(players), threads=threads)
    full = np.zeros((len(tricks), 4), dtype=np.int8)
    full[:, : tricks.shape[1]] = tricks
    out[where] = full
    return out
