"""What happens when another seat plays, or nobody does, deal by deal.

An opponent who wins the auction takes the deal's talon, throws and names what is worth most on his
twelve cards against the usual replies (`advisor.advice.naming`), not below what he bought.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import habits
from advisor.advice.naming import choose, named_levels
from advisor.advice.payoff import (
    DEALER_MOST,
    DOUBTED,
    PATTERNS,
    Pattern,
    Payoff,
    doubted,
    paid_units,
)
from advisor.advice.replies import outlooks_in, reply_pattern
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.sampling.deals import Deals
from advisor.tricks.estimate import (
    hole_tables,
    mean_step,
    spread_table,
    strain_means,
    suit_bytes,
)
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.holes import misere_distribution
from advisor.tricks.shares import TRICKS, Mode, expected, share_table

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

PASSES, WHISTS, GOES_HALF = range(3)


@dataclass(frozen=True, slots=True)
class OpponentGame:
    """One opponent as declarer, by the lowest level he may name: 6, 7, ... 10.

    Parameters
    ----------
    strain : intp (t, m)
        What he plays, 4 no trump.
    net : float64 (5, t, m)
        The player's net whists.
    reply : uint8 (5, t, m)
        What the player says: `PASSES`, `WHISTS` or `GOES_HALF`.
    """

    strain: NDArray[np.intp]
    net: Floats
    reply: NDArray[np.uint8]

    def at(self, first: NDArray[np.intp]) -> tuple[Floats, NDArray[np.uint8]]:
        """The player's net whists, and what he says, when it was won at game `first` (0..24)."""
        least, strain = np.divmod(first, 5)
        row = np.minimum(least + (self.strain < strain), 4)[None]
        return (np.take_along_axis(self.net, row, axis=0)[0],
                np.take_along_axis(self.reply, row, axis=0)[0])


def opponent_game(
    deals: Deals, declarer: int, convention: Convention, table: Payoff,
    solved: NDArray[np.int8] | None = None, chances: Floats | None = None,
) -> OpponentGame:
    """Evaluate an opponent's games on every deal.

    His tricks are the guide's for the cards he keeps. `solved` (t, m) are his tricks where they
    are known, negative elsewhere; `chances` (t, m, 11) those of each number of tricks, where they
    are to replace the guide's.
    """
    usual = habits(convention)
    named = choose(deals.hands[:, :, declarer] | deals.talon[:, None], declarer == 0, usual)
    strain = named.strain
    defenders = [deals.hands[:, :, (declarer + i) % 3] for i in (1, 2)]
    role = (deals.seat - declarer) % 3
    plain = (strain == NO_TRUMP).astype(np.intp)
    step = mean_step(np.take_along_axis(strain_means(named.kept), strain[..., None], -1)[..., 0])
    spread = np.stack([spread_table(kind)[0] for kind in (False, True)])
    units = paid_units(deals.talon)

    def expected(pay: Floats, pattern: NDArray[np.uint8] | Pattern) -> Floats:
        """Net whists by units, pattern and tricks (4, 8, 11), averaged over his tricks."""
        if chances is None:
            worth = np.einsum("ksj,upj->uksp", spread, pay)
            by_guide: Floats = worth[units[:, None], plain, step, pattern]
            return by_guide
        by_chance: Floats = np.einsum("tmk,tmk->tm", chances, np.broadcast_to(
            pay[units[:, None], pattern], chances.shape))
        return by_chance

    net = np.empty((5, *strain.shape))
    replies = np.empty(net.shape, dtype=np.uint8)
    looks = (outlooks_in(hands, deals.talon[:, None], strain) for hands in defenders)
    for row, (level, first, second) in enumerate(zip(LEVELS, *looks, strict=True)):
        said = pattern = reply_pattern(first, second, level, convention, strain, usual)
        if row >= DOUBTED:
            his = table.games[:, row, :, :, 0]
            pattern = doubted(pattern, expected(his, Pattern.NOBODY), expected(his, Pattern.FIRST))
        pay = table.games[:, row, :, :, role]
        net[row] = expected(pay, pattern)
        if solved is not None:
            known = pay[units[:, None], pattern, np.maximum(solved, 0)]
            net[row] = np.where(solved >= 0, known, net[row])
        replies[row] = _reply(said, role)
    final = named_levels(strain, named.mean, usual) - min(LEVELS)
    return OpponentGame(strain, np.take_along_axis(net, final, axis=0),
                        np.take_along_axis(replies, final, axis=0))


def _reply(pattern: NDArray[np.uint8], role: int) -> NDArray[np.uint8]:
    alone = Pattern.FIRST if role == 1 else Pattern.SECOND
    said = np.full(PATTERNS, PASSES, dtype=np.uint8)
    said[[alone, Pattern.BOTH, Pattern.BOTH_FIRST_MORE, Pattern.BOTH_SECOND_MORE]] = WHISTS
    said[Pattern.FIRST_HALF if role == 1 else Pattern.HALF] = GOES_HALF
    answer: NDArray[np.uint8] = said[pattern]
    return answer


def opponent_misere(
    deals: Deals, declarer: int, table: Payoff, where: NDArray[np.bool_],
    solved: NDArray[np.int8] | None = None,
) -> Floats:
    """The player's net whists where an opponent plays misère; nan elsewhere.

    Only the deals of `where` (t, m) are evaluated. `solved` (t, m) are his tricks where they are
    known, negative elsewhere.
    """
    role = (deals.seat - declarer) % 3
    net = np.full(where.shape, np.nan)
    talon = np.broadcast_to(deals.talon[:, None], where.shape)[where]
    cards = deals.hands[:, :, declarer][where] | talon
    kept, away = throw_holes(cards)
    net[where] = misere_distribution(kept, away, declarer == 0) @ table.misere[:, role]
    if solved is not None:
        net = np.where(where & (solved >= 0), table.misere[np.maximum(solved, 0), role], net)
    return net


def throw_holes(cards: Masks) -> tuple[Masks, Masks]:
    """A simple misère discard: twice the highest card of the suit that gains most by losing it."""
    kept = np.array(cards, dtype=np.uint32)
    for _ in range(2):
        suits = suit_bytes(kept)
        top = _highest(suits)
        shorter = suits & ~top
        tricks, _ = hole_tables()
        gain = tricks[suits] - tricks[shorter] - 9.0 * (suits == 0)
        best = gain.argmax(axis=-1)[..., None]
        bit = np.take_along_axis(top, best, axis=-1)[..., 0].astype(np.uint32)
        kept ^= bit << (8 * best[..., 0]).astype(np.uint32)
    return kept, cards ^ kept


def _highest(suits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    filled = suits | suits >> np.uint8(1)
    filled |= filled >> np.uint8(2)
    filled |= filled >> np.uint8(4)
    highest: NDArray[np.uint8] = filled ^ (filled >> np.uint8(1))
    return highest


def all_pass_net(
    deals: Deals, table: Payoff, mode: Mode, solved: NDArray[np.int8] | None = None
) -> Floats:
    """The player's net whists in an all-pass, on average over how its tricks may fall, (t, m).

    The tricks are shared as `advisor.tricks.shares` has it: as among players who see only their
    own cards. `mode` is what the talon does. `solved` (t, m, 4) are the tricks by seat with open
    cards, the dealer's last, where they are to count, negative elsewhere.
    """
    shares = share_table().shares(deals.hands, deals.talon[:, None], mode)
    if mode == "plays":
        chances = share_table().dealer_chances(deals.talon)
    else:
        chances = np.broadcast_to(np.eye(DEALER_MOST + 1)[0], (len(deals.talon), DEALER_MOST + 1))
    net: Floats = np.zeros(deals.weight.shape)
    for dealer in np.flatnonzero(chances.any(axis=0)):
        worth = table.all_pass[dealer, :, :, deals.seat]
        net += chances[:, dealer, None] * expected(shares, worth, TRICKS - int(dealer))
    if solved is None:
        return net
    first, second, _, last = np.moveaxis(np.maximum(solved, 0), -1, 0)
    known = table.all_pass[last, first, second, deals.seat]
    return np.where(solved[..., 0] >= 0, known, net)
