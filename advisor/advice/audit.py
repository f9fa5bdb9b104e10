"""The guide against the truth: deals that somebody declares, solved with open cards.

Three hands and a talon are dealt, the bidding model says who buys and at what, the buyer chooses
his game and discard on his twelve cards by the guide, as `advisor.advice.declaring` does, and the
deal is solved. What the guide expected stands beside what open cards bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES
from advisor.advice.guide_games import own_games
from advisor.advice.payoff import Payoff, payoff
from advisor.advice.playout import NOBODY, buy
from advisor.cards import Strain
from advisor.records.decider import auction_rules
from advisor.rules.auction import Auction
from advisor.rules.conventions import Convention
from advisor.sampling.bidder import GuideBidder
from advisor.sampling.deals import draw_deals
from advisor.tricks.estimate import suit_bytes
from advisor.tricks.guide import entry, parse_holding, printed_rows
from advisor.tricks.holdings import audit as audit_holding
from advisor.tricks.solver import solve_deals

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

LAYOUTS = 200
_AT_ONCE = 1024
_TRICKS = np.arange(11)
CLOSE = 0.25
FEWEST = 30
_NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Audit:
    """Declared deals: what the guide expected, and what open cards bring.

    Parameters
    ----------
    hands : uint32 (n, 3)
        Declarer after his discard, next, third.
    away : uint32 (n,)
        The discards.
    leader : int8 (n,)
        Column that leads to the first trick.
    least : int8 (n,)
        Lowest game the auction left the declarer, 0..24.
    level, strain : int8 (n,)
        The contract the guide names.
    chances : float64 (n, 11)
        Its probability of each number of tricks.
    tricks : int8 (n,)
        The declarer's tricks with open cards.
    """

    hands: Masks
    away: Masks
    leader: NDArray[np.int8]
    least: NDArray[np.int8]
    level: NDArray[np.int8]
    strain: NDArray[np.int8]
    chances: Floats
    tricks: NDArray[np.int8]

    @property
    def mean(self) -> Floats:
        """Tricks the guide expects, float64 (n,)."""
        mean: Floats = self.chances @ _TRICKS
        return mean

    @property
    def error(self) -> Floats:
        """Tricks with open cards less those expected, float64 (n,)."""
        return self.tricks - self.mean

    def error_shares(self, edges: Floats, where: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Shares of errors between `edges`: those seen, and those the guide's spread expects.

        Only the deals of `where` (n,) count.
        """
        chances, mean = self.chances[where], self.mean[where]
        seen, _ = np.histogram(self.error[where], edges)
        expected, _ = np.histogram(_TRICKS - mean[:, None], edges, weights=chances)
        return seen / len(mean), expected / len(mean)

    def expected_error(self, where: NDArray[np.bool_]) -> float:
        """Root mean square error by the guide's own spread, tricks, of the deals `where` (n,)."""
        variance = self.chances[where] @ _TRICKS**2 - self.mean[where] ** 2
        return float(np.sqrt(variance.mean()))

    def to_frame(self) -> pd.DataFrame:
        """One row a deal.

        Columns: strain (suit or NT), lead (declarer or defender), trumps (cards the declarer kept
        of them, nan in no trump), level, mean, tricks, error (tricks), p_make, made.
        """
        import pandas as pd

        no_trump = self.strain == Strain.NT
        lengths = np.bitwise_count(suit_bytes(self.hands[:, 0])).astype(np.float64)
        lengths = np.column_stack([lengths, np.full(len(lengths), np.nan)])
        makes = np.where(self.level[:, None] <= _TRICKS, self.chances, 0.0).sum(axis=1)
        return pd.DataFrame({
            "strain": np.where(no_trump, "NT", "suit"),
            "lead": np.where(self.leader == 0, "declarer", "defender"),
            "trumps": lengths[np.arange(len(lengths)), self.strain],
            "level": self.level, "mean": self.mean, "tricks": self.tricks, "error": self.error,
            "p_make": makes, "made": self.tricks >= self.level,
        })

    def suits(self) -> pd.DataFrame:
        """One row a suit of each declarer, voids left out.

        Columns: deal (number), row (number in the printed guide, 0 if it prints no such holding),
        pattern, role (trumps, side, or NT), error (tricks, of the whole hand).
        """
        import pandas as pd

        held = suit_bytes(self.hands[:, 0])
        deal, suit = np.nonzero(held)
        found = [entry(int(byte)) for byte in held[deal, suit]]
        strain = self.strain[deal]
        role = np.where(suit == strain, "trumps", np.where(strain == Strain.NT, "NT", "side"))
        return pd.DataFrame({
            "deal": deal,
            "row": [one.row.row if one.row else 0 for one in found],
            "pattern": [one.pattern for one in found], "role": role, "error": self.error[deal],
        })


def printed_against_solved() -> pd.DataFrame:
    """Every printed row beside what its holding adds in solved deals, by role and lead.

    A row is right where the solved value lies within the printed range, or outside it by no more
    than `CLOSE` tricks or the 95 % interval of the value, whichever is wider.

    Returns
    -------
    DataFrame
        Columns: row, pattern, cards, role (one of `advisor.tricks.holdings.ROLES`), own_lead,
        low, high (printed, tricks), tricks, se (solved, tricks; nan if never seen), deals, off
        (tricks above the range, negative below it, 0 within), verdict (right, too low, too high,
        said of the guide; unknown with fewer than `FEWEST` deals).
    """
    import pandas as pd

    table = pd.DataFrame([
        (row.row, row.pattern, len(row.pattern.split()), one.role, one.own_lead, row.low, row.high,
         one.tricks, one.se, one.deals)
        for row in printed_rows() for one in audit_holding(parse_holding(row.pattern))
    ], columns=["row", "pattern", "cards", "role", "own_lead", "low", "high", "tricks", "se",
                "deals"])
    return _judged(table)


def kindest_to_guide(table: pd.DataFrame) -> pd.DataFrame:
    """The same rows, solved values shifted as far in the guide's favour as shifts can go.

    Four suits and ten cards fix the sum of a hand alone: ``b`` tricks may be added for each card
    if they are taken away again, ``10 b`` a hand, and trumps may gain what three side suits lose.
    Such shifts change no hand's tricks. Of them the one is taken that has the least square
    distance from the middle of the printed ranges, weighed by deals, for each lead; as trumps
    holdings of at least four cards count.

    Parameters
    ----------
    table : DataFrame
        As `printed_against_solved` returns it.
    """
    out = table.copy()
    for own_lead in (False, True):
        for roles in (("trump", "side"), ("no trump",)):
            rows = (out.own_lead == own_lead) & out.role.isin(roles)
            trump = (out.role[rows] == "trump").to_numpy()
            cards = out.cards[rows].to_numpy(np.float64)
            by_card = np.where(trump, cards, cards - (10 / 3 if len(roles) == 2 else 2.5))
            shifts = np.column_stack([by_card, np.where(trump, 3.0, -1.0)])[:, :len(roles)]
            weight = np.sqrt(np.where(trump & (cards < 4), 0, out.deals[rows]))
            away = ((out.low + out.high) / 2 - out.tricks)[rows].fillna(0).to_numpy()
            fitted, *_ = np.linalg.lstsq(shifts * weight[:, None], away * weight)
            out.loc[rows, "tricks"] += shifts @ fitted
    return _judged(out)


def _judged(table: pd.DataFrame) -> pd.DataFrame:
    off = table.tricks - table.tricks.clip(table.low, table.high)
    allowed = np.maximum(CLOSE, _NORMAL_95 * table.se)
    verdict = np.select([table.deals < FEWEST, off > allowed, off < -allowed],
                        ["unknown", "too low", "too high"], "right")
    return table.assign(off=off, verdict=verdict)


def audit_guide(
    n: int, convention: Convention, rng: np.random.Generator, threads: int | None = None
) -> Audit:
    """Deal, bid, declare and solve until `n` deals are played as games on tricks.

    The defenders' replies, on which the choice of the game depends, are averaged over `LAYOUTS`
    deals of the twenty unseen cards; the calls heard do not weigh them.

    Parameters
    ----------
    n : int
        Deals wanted, at least 1.
    convention : Convention
    rng : numpy.random.Generator
    threads : int, optional
        As in `advisor.tricks.solver.solve_deals`.
    """
    if n < 1:
        raise ValueError(f"{n} deals: expected at least 1")
    hands, talon, seat, least = bought_deals(n, convention, rng)
    table = payoff(convention, 3, 1)
    kept, away, game, chances = zip(*(
        _declared(int(hands[i, seat[i]]), int(talon[i]), int(seat[i]), int(least[i]),
                  convention, table, rng) for i in range(n)), strict=True)
    turned = np.take_along_axis(hands, (seat[:, None] + np.arange(3)) % 3, axis=1)
    turned[:, 0] = kept
    level, strain = np.divmod(np.array(game, dtype=np.int8), np.int8(5))
    leader = (-seat % 3).astype(np.int8)
    tricks = solve_deals(turned, strain, leader, threads=threads)
    return Audit(turned, np.array(away, dtype=np.uint32), leader, least.astype(np.int8),
                 level + np.int8(6), strain, np.stack(chances), tricks)


def bought_deals(
    n: int, convention: Convention, rng: np.random.Generator
) -> tuple[Masks, Masks, NDArray[np.intp], NDArray[np.intp]]:
    """Deals whose talon somebody buys to play a game on tricks.

    Returns
    -------
    hands : uint32 (n, 3)
        By seat, ten cards each.
    talon : uint32 (n,)
    seat : intp (n,)
        The buyer.
    least : intp (n,)
        Lowest game he may name, 0..24.
    """
    auction = Auction(auction_rules(convention, 0))
    calls, bidder = auction.rules.order.calls, GuideBidder()
    ranks = np.array([call.rank if call.is_game else NOBODY for call in calls])
    parts: list[tuple[NDArray[np.integer], ...]] = []
    while sum(len(part[1]) for part in parts) < n:
        dealt = rng.permuted(np.tile(np.arange(32, dtype=np.uint32), (_AT_ONCE, 1)), axis=1)
        cards = np.uint32(1) << dealt
        hands = np.bitwise_or.reduce(cards[:, :30].reshape(-1, 3, 10), axis=2)
        talon = cards[:, 30] | cards[:, 31]
        first, second, third = (bidder.limits(hands[:, s], s, auction, rng) for s in range(3))
        bought = buy(auction, (first, second, third))
        least = np.where(bought.winner == NOBODY, NOBODY, ranks[bought.place])
        plays = least != NOBODY
        parts.append((hands[plays], talon[plays], bought.winner[plays], least[plays]))
    hands, talon, seat, least = (np.concatenate(one)[:n] for one in zip(*parts, strict=True))
    return hands, talon, seat, least


def _declared(
    hand: int, talon: int, seat: int, least: int, convention: Convention, table: Payoff,
    rng: np.random.Generator,
) -> tuple[int, int, int, Floats]:
    """Cards kept, discard, game and its chances, by the mean over the hidden hands."""
    twelve = hand | talon
    deals = draw_deals(twelve, seat, LAYOUTS, rng)
    own = own_games(twelve, deals, convention, table, talon)
    value = own.expected()[least:, 0]
    row, place = np.unravel_index(value.argmax(), value.shape)
    game, discard = least + int(row), int(place)
    strain = int(GAMES[game].strain)
    return (int(own.plays.kept[0, discard]), int(own.plays.away[0, discard]), game,
            own.plays.tricks[0, discard, strain])
