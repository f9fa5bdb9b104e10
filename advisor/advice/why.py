"""Why the best option is worth what it is: its score taken apart.

The parts are those of the evaluator that chose (for ``auto`` and ``exact`` of the deals it had), by
the same deals and weights as the scores; what solving changed under ``auto`` is told apart, so
that the parts and the change add up to the score shown. Tricks are those after solving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.bidding import BidTable, OwnLimit, Played
from advisor.advice.declaring import ALL, GAMES, Columns, OwnGames
from advisor.advice.defending import kept_cards, mean_tricks
from advisor.advice.opponents import GOES_HALF, PASSES, WHISTS
from advisor.advice.payoff import UNPLAYED, Pattern
from advisor.advice.playout import NOBODY, Purchase
from advisor.advice.results import (
    ALL_PASS_END,
    DOWN,
    HALF_END,
    IDLE_END,
    MADE,
    MISERE_CAUGHT,
    MISERE_MADE,
    MOST_DOWN,
    THEIR_MISERE_END,
    THEN,
    UNPLAYED_END,
    WHIST_END,
    Ending,
    Option,
    TalonCard,
    Why,
)
from advisor.advice.screened import ScreenedGames
from advisor.advice.statistics import Estimate, estimate_where, weighted_mean
from advisor.advice.whisting import Defence, end_of, pays, usual_reply
from advisor.cards import cards_of
from advisor.sampling.deals import Deals, around, first_layouts
from advisor.tricks.estimate import strain_means

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

HELPERS = 5
NOTED = 2.0  # standard errors by which a talon card must help
LEAD_LAYOUTS = 2_000  # or so, in whole rounds of all talons
ALL_TALONS = 231


@dataclass(frozen=True, slots=True)
class Picked:
    """One play a talon, where it is played.

    Parameters
    ----------
    columns : bool (m,) or slice
        The layouts it is chosen for.
    where : float64 (t, columns)
        For how much of each of these deals it is played.
    game, discard : intp (t,)
    """

    columns: Columns
    where: Floats
    game: NDArray[np.intp]
    discard: NDArray[np.intp]


def why_bid(
    table: BidTable, option: Option, played: Played, own_limit: OwnLimit
) -> Why:
    """Take the score of a call apart.

    Parameters
    ----------
    table : BidTable
    option : Option
    played : Played
        The call on the deals of `table`.
    own_limit : float or pair of float
        The place the player goes on to, or one for each half of the deals.
    """
    assert option.call is not None
    deals = table.deals
    bought = table.purchase(option.call, own_limit)
    picked = list(_picked(table, bought))
    parts = _Parts(deals)
    parts.add(ALL_PASS_END, bought.winner == NOBODY, table.nobody)
    for one in picked:
        _split(parts, table.own, one)
    _misere(parts, table, bought, played)
    for seat in deals.hidden:
        _theirs(parts, table, bought, seat, played)
    change = played.score(deals).estimate().mean - weighted_mean(played.net, deals)
    guide, tricks, lead = _tricks(table.own, picked)
    if option.solved and tricks is not None and option.call.is_game:
        tricks = option.mean_tricks
    return Why(parts.endings(), change, _helpers(played.net, deals), guide, tricks, lead)


def why_play(
    games: OwnGames, listed: Sequence[tuple[int, int]], options: Sequence[Option]
) -> Why:
    """Take the score of a contract with its discard apart, the first of `options`.

    Parameters
    ----------
    games : OwnGames
    listed : sequence of (int, int)
        The plays among which it is: indices into `GAMES` and of discards.
    options : sequence of Option
    """
    best, deals = options[0], games.deals
    game, discard = next(
        play for play in listed if GAMES[play[0]] == best.contract
        and int(games.tried(play[0] % 5)[0, play[1]]) == best.discard)
    one = Picked(ALL, np.ones(deals.weight.shape), np.array([game]), np.array([discard]))
    parts = _Parts(deals)
    _split(parts, games, one)
    endings = parts.endings()
    change = best.ev - sum(ending.share * ending.net for ending in endings)
    guide, tricks, lead = _tricks(games, [one])
    if best.solved and best.tricks is not None:
        tricks = mean_tricks(np.array(best.tricks))
    return Why(endings, change, (), guide, tricks, lead)


def why_reply(
    at: Defence, deals: Deals, share: Floats, chances: Floats, option: Option
) -> Why:
    """Take the score of a reply apart: how the replies end, and what becomes of the contract.

    Parameters
    ----------
    at : Defence
    deals : Deals
    share : float64 (t, m, 8)
        Chance of each pattern of replies on every deal.
    chances : float64 (t, m, 11)
        Of the declarer's tricks by the evaluator, before solving.
    option : Option
        The reply.
    """
    parts, pay = _Parts(deals), pays(at, deals)
    for pattern in Pattern:
        said, worth = share[..., pattern], pay[:, pattern]
        if pattern in UNPLAYED:
            parts.add(end_of(at, pattern), said, np.broadcast_to(worth[:, -1:], said.shape))
            continue
        for end, tricks in _outcomes(at.level - np.arange(11)):
            chance = chances * tricks
            net = _ratio(np.einsum("tmk,tk->tm", chance, worth), chance.sum(axis=-1))
            result = f"{MADE} {at.level}" if end == MADE else end
            parts.add(f"{end_of(at, pattern)}{THEN}{result}", said * chance.sum(axis=-1), net)
    endings = parts.endings()
    change = option.ev - sum(ending.share * ending.net for ending in endings)
    kept = kept_cards(deals, at.declarer, at.strain)
    guide = weighted_mean(strain_means(kept, at.declarer == 0)[..., at.strain], deals)
    return Why(endings, change, (), guide, option.mean_tricks, None, usual_reply(at).value)


def _ratio(total: Floats, share: Floats) -> Floats:
    return np.divide(total, share, out=np.zeros_like(total), where=share > 0)


class _Parts:
    """Weight, and weight times net whists, by ending."""

    def __init__(self, deals: Deals) -> None:
        self.weight = deals.weight / deals.weight.sum()
        self._sums: dict[str, tuple[float, float]] = {}

    def add(self, end: str, chance: Floats | Mask, net: Floats) -> None:
        """Deals end so with this chance (t, m), for so many net whists (t, m)."""
        weight = self.weight * chance
        self.put(end, float(weight.sum()), float(np.sum(weight * np.where(weight > 0, net, 0.0))))

    def put(self, end: str, share: float, worth: float) -> None:
        """A share of the deals ends so, for so many net whists times that share."""
        if share > 0:
            before = self._sums.get(end, (0.0, 0.0))
            self._sums[end] = before[0] + share, before[1] + worth

    def endings(self) -> tuple[Ending, ...]:
        """The likeliest first."""
        return tuple(sorted(
            (Ending(end, share, worth / share) for end, (share, worth) in self._sums.items()),
            key=lambda ending: -ending.share))


def _picked(table: BidTable, bought: Purchase) -> Iterator[Picked]:
    """The plays of the player wherever he buys a game and takes the talon."""
    mine = bought.winner == table.deals.seat
    for place in np.unique(bought.place[mine]):
        call = table.calls[int(place)]
        if call.is_misere or not call.with_talon:
            continue
        for use in table.own.played_from(call.rank):
            where = use.part * (mine & (bought.place == place))[:, use.columns]
            if where.any():
                yield Picked(use.columns, where, use.game, use.discard)


def _split(parts: _Parts, games: OwnGames, one: Picked) -> None:
    """A play by what becomes of the contract."""
    play = one.game, one.discard, one.columns
    chances, nets = games.chances(*play), games.nets(*play)
    weight = parts.weight[:, one.columns] * one.where
    unplayed = np.isin(games.replies(*play), UNPLAYED)
    left = np.where(unplayed, weight, 0.0)
    chances = chances * (weight - left)[..., None]
    share, worth = chances.sum(axis=1), np.einsum("tmk,tmk->tk", chances, nets)
    levels = one.game // 5 + 6
    for level in np.unique(levels):
        where = levels == level
        parts.put(f"{UNPLAYED_END} {level}", float(left[where].sum()),
                  float((left * nets[..., 10])[where].sum()))
        shares, worths = (x[where].sum(axis=0) for x in (share, worth))
        for end, tricks in _outcomes(level - np.arange(11)):
            parts.put(f"{MADE} {level}" if end == MADE else end,
                      float(shares[tricks].sum()), float(worths[tricks].sum()))


def _outcomes(short: NDArray[np.intp]) -> Iterator[tuple[str, Mask]]:
    """Which tricks (..., 11) end how."""
    yield MADE, short <= 0
    for down in range(1, MOST_DOWN):
        yield f"{DOWN} {down}", short == down
    yield f"{DOWN} {MOST_DOWN}", short >= MOST_DOWN


def _misere(parts: _Parts, table: BidTable, bought: Purchase, played: Played) -> None:
    mine = (bought.winner == table.deals.seat) & table.is_misere[bought.place]
    made = np.where(np.isnan(played.made), 0.0, played.made)
    won = float(table.table.misere[0, 0])
    lost = np.divide(played.net - made * won, 1 - made, out=np.zeros_like(made), where=made < 1)
    parts.add(MISERE_MADE, mine * made, np.full_like(made, won))
    parts.add(MISERE_CAUGHT, mine * (1 - made), lost)


def _theirs(
    parts: _Parts, table: BidTable, bought: Purchase, seat: int, played: Played
) -> None:
    won = bought.winner == seat
    if not won.any():
        return
    misere = won & table.is_misere[bought.place]
    parts.add(THEIR_MISERE_END, misere, played.net)
    _, reply = table.others[seat].at(table.ranks[bought.place])
    for end, said in ((WHIST_END, WHISTS), (HALF_END, GOES_HALF), (IDLE_END, PASSES)):
        parts.add(end, won & ~misere & (reply == said), played.net)


def _helpers(net: Floats, deals: Deals) -> tuple[TalonCard, ...]:
    """The talon cards with which the player does best, where every talon is in the sample."""
    if len(deals.talon) < ALL_TALONS:
        return ()
    weight = deals.weight.sum(axis=1)
    mean = np.sum(deals.weight * net, axis=1) / weight
    overall = float(np.average(mean, weights=weight))
    noise = net.var(axis=1) / net.shape[1]
    found = []
    for card in cards_of(int(np.bitwise_or.reduce(deals.talon))):
        with_it = (deals.talon >> np.uint32(card) & 1).astype(bool)
        share = weight[with_it] / weight[with_it].sum()
        gain = float(mean[with_it] @ share) - overall
        error = float(np.sqrt(share**2 @ noise[with_it]))
        if gain > NOTED * error:
            found.append(TalonCard(card, gain, error))
    return tuple(sorted(found, key=lambda one: -one.gain)[:HELPERS])


def _tricks(
    games: OwnGames, picked: Sequence[Picked]
) -> tuple[float | None, float | None, Estimate | None]:
    """Tricks of the plays by the guide and by the evaluator, and what having the lead adds."""
    if not picked:
        return None, None, None
    deals = games.deals
    guide, own = np.zeros((2, *deals.weight.shape))
    everywhere = np.zeros(deals.weight.shape, dtype=bool)
    for one in picked:
        t = np.arange(len(one.game))
        means = strain_means(games.kept(one.game, one.discard), deals.seat == 0)
        chances = games.chances(one.game, one.discard, one.columns)
        guide[:, one.columns] += one.where * means[t, one.game % 5][:, None]
        own[:, one.columns] += one.where * (chances @ np.arange(11))
        everywhere[:, one.columns] |= one.where > 0
    weight = deals.weight * everywhere
    weight /= weight.sum()
    return float(np.sum(weight * guide)), float(np.sum(weight * own)), _lead(games, picked)


def _lead(games: OwnGames, picked: Sequence[Picked]) -> Estimate | None:
    """Tricks that leading oneself brings, against the next player's lead; by the tables."""
    if not isinstance(games, ScreenedGames):
        return None
    from advisor.tricks.fitted import tables

    pairs = -(-LEAD_LAYOUTS // (2 * len(games.deals.talon)))
    part = first_layouts(games.deals, 2 * pairs)
    k = part.weight.shape[1]
    gain = np.zeros(part.weight.shape)
    declared = np.zeros(part.weight.shape, dtype=bool)
    for one in picked:
        layouts = np.arange(games.deals.weight.shape[1])[one.columns]
        talon, at = np.nonzero(one.where[:, layouts < k])
        if not len(talon):
            continue
        layout = layouts[at]
        rows = around(part.hands[talon, layout], part.seat,
                      games.kept(one.game, one.discard)[talon])
        mine, other = (tables().means(rows, one.game[talon] % 5, lead)[0] for lead in (0, 1))
        gain[talon, layout] += one.where[talon, at] * (mine - other)
        declared[talon, layout] = True
    return estimate_where(declared, gain, part) if declared.any() else None
