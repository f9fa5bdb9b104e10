"""One deal played by three policies: auction, talon, declaration, replies, tricks, score.

Nobody is shown more than a player at his seat sees. The cards themselves are played with open
hands by the exact solver: in a game along one optimal line, which also says how two whisters share
the tricks of the defence; in a misère by defenders who see the discard, the pessimist's bound. Only
an all-pass is played closed, by cautious players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from advisor.advice.replies import half_allowed, may_take_back
from advisor.records.decider import auction_rules
from advisor.records.hand import HandRecord
from advisor.rules.auction import Auction
from advisor.rules.calls import PASS, Call
from advisor.rules.contracts import ALL_PASS, Contract
from advisor.rules.conventions import Convention
from advisor.rules.deal import SEATS, DealResult, Reply
from advisor.rules.scoring import net_floats, score
from advisor.tricks.cautious import play_all_pass
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.line import best_line

Hands = tuple[int, int, int]
Declaration = tuple[Contract, int]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of one deal.

    Parameters
    ----------
    hands : tuple of int
        Card masks by seat, ten cards each.
    talon : int
        Mask of the two cards left.
    turned : tuple of int
        The talon's cards, one mask each, in the order an all-pass turns them.
    """

    hands: Hands
    talon: int
    turned: tuple[int, int]


def deal_cards(rng: np.random.Generator) -> Dealt:
    """Shuffle and deal."""
    bits = [1 << card for card in rng.permutation(32).tolist()]
    first, second, third = (sum(bits[10 * seat : 10 * seat + 10]) for seat in SEATS)
    return Dealt((first, second, third), bits[30] | bits[31], (bits[30], bits[31]))


def possible_replies(record: HandRecord) -> tuple[Reply, ...]:
    """What a defender may say to a contract (rules.md 3.1, 3.4)."""
    half = (
        record.contract is not None
        and half_allowed(record.convention, record.contract.level)
        and record.whist is Reply.PASS
    )
    return (Reply.PASS, Reply.WHIST, *((Reply.HALF,) if half else ()))


class Policy(Protocol):
    """Somebody who can sit down at the table."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        ...

    def call(self, record: HandRecord) -> Call:
        """What to say with ten cards, a legal call."""
        ...

    def declare(self, record: HandRecord) -> Declaration:
        """What to play with twelve cards: an allowed contract, and the mask of the discard."""
        ...

    def reply(self, record: HandRecord) -> Reply:
        """What to say to the record's contract, one of `possible_replies`.

        To a first defender who has passed, ``record.whist`` is the second's half-whist: he is asked
        whether he takes the whist back.
        """
        ...


@dataclass(frozen=True, slots=True)
class Played:
    """How a deal went.

    Parameters
    ----------
    auction : Auction
    contract : Contract
    declarer : int or None
        Seat; none in an all-pass.
    discard : int
        Mask of the cards thrown, 0 without any.
    replies : pair of Reply or None
        As in `DealResult`.
    tricks : tuple of int or None
        By seat; none where nothing was played.
    net : tuple of float
        Net whists by seat.
    """

    auction: Auction
    contract: Contract
    declarer: int | None
    discard: int
    replies: tuple[Reply, Reply] | None
    tricks: tuple[int, ...] | None
    net: tuple[float, ...]

    @property
    def made(self) -> bool:
        """Whether a declarer fulfilled his contract; what nobody whisted counts as made."""
        if self.declarer is None or self.tricks is None:
            return self.declarer is not None
        taken = self.tricks[self.declarer]
        return taken >= self.contract.level if self.contract.is_game else taken == 0


def play_deal(dealt: Dealt, seats: Sequence[Policy], convention: Convention) -> Played:
    """Play one deal.

    Parameters
    ----------
    dealt : Dealt
    seats : sequence of Policy
        Who sits in the first, second and third seat.
    convention : Convention
        A table of three, no all-pass before this deal.

    Raises
    ------
    InputError
        A policy broke a rule.
    """
    auction = bid(dealt, seats, convention)
    declarer = auction.declarer
    if declarer is None:
        return _scored(
            auction, ALL_PASS, None, 0, None, all_pass_tricks(dealt, convention), dealt, convention
        )
    contract, discard = declaration(dealt, auction, seats[declarer], convention)
    played = replace_hand(dealt.hands, declarer, dealt.talon, discard)
    if not contract.is_game:
        tricks = open_tricks(played, declarer, contract)
        return _scored(auction, contract, declarer, discard, None, tricks, dealt, convention)
    shown = dealt.talon if discard else 0
    asked = HandRecord(
        0, declarer, auction, convention, talon=shown, contract=contract, declarer=declarer
    )
    said = hear_replies(dealt.hands, asked, seats)
    whisted = said is None or Reply.WHIST in said
    return _scored(
        auction,
        contract,
        declarer,
        discard,
        said,
        open_tricks(played, declarer, contract) if whisted else None,
        dealt,
        convention,
    )


def bid(dealt: Dealt, seats: Sequence[Policy], convention: Convention) -> Auction:
    """Call by call until the auction is over; who can only pass is not asked."""
    auction = Auction(auction_rules(convention, 0))
    while (seat := auction.seat_to_call) is not None:
        only_pass = auction.legal_calls() == (PASS,)
        auction = auction.after(
            PASS
            if only_pass
            else seats[seat].call(HandRecord(dealt.hands[seat], seat, auction, convention))
        )
    return auction


def declaration(
    dealt: Dealt, auction: Auction, policy: Policy, convention: Convention
) -> Declaration:
    """What the winner of an auction plays; bought without the talon, just what he called."""
    declarer, winning = auction.declarer, auction.last_call
    assert declarer is not None
    assert winning is not None
    if not winning.with_talon:
        return auction.contracts()[0], 0
    return policy.declare(
        HandRecord(
            dealt.hands[declarer] | dealt.talon, declarer, auction, convention, talon=dealt.talon
        )
    )


def replace_hand(hands: Hands, declarer: int, talon: int, discard: int) -> Hands:
    """The three hands as they are played, the declarer's after talon and discard."""
    own = hands[declarer] if not discard else (hands[declarer] | talon) & ~discard
    first, second, third = (own if seat == declarer else hands[seat] for seat in SEATS)
    return first, second, third


def hear_replies(
    hands: Hands, game: HandRecord, seats: Sequence[Policy]
) -> tuple[Reply, Reply] | None:
    """The defenders' replies as they stand at the end; none where a ten is simply checked.

    `game` is the question without the defender's own seat and cards. Nobody turns his lone whist
    into a half-whist.
    """
    contract, convention = game.contract, game.convention
    assert contract is not None
    assert game.declarer is not None
    if contract.level == 10 and convention.ten == "checked":
        return None
    if convention.both_must_whist(contract):
        return Reply.WHIST, Reply.WHIST
    one, two = (game.declarer + 1) % 3, (game.declarer + 2) % 3
    asked = replace(game, cards=hands[one], seat=one)
    first = seats[one].reply(asked)
    second = seats[two].reply(replace(game, cards=hands[two], seat=two, whist=first))
    if second is Reply.HALF and may_take_back(convention):
        first = seats[one].reply(replace(asked, whist=Reply.HALF))
        second = Reply.PASS if first is Reply.WHIST else second
    return first, second


@lru_cache(maxsize=64)
def open_tricks(hands: Hands, declarer: int, contract: Contract) -> tuple[int, int, int]:
    """Tricks by seat along one optimal line with open cards, the first hand leading."""
    turned = [hands[(declarer + turn) % 3] for turn in SEATS]
    line = best_line(
        turned,
        contract.strain if contract.is_game else NO_TRUMP,
        -declarer % 3,
        misere=not contract.is_game,
    )
    won = [sum(trick.winner == (seat - declarer) % 3 for trick in line) for seat in SEATS]
    return won[0], won[1], won[2]


@lru_cache(maxsize=64)
def all_pass_tricks(dealt: Dealt, convention: Convention) -> tuple[int, ...]:
    """Tricks by seat of an all-pass at a table of three, where the talon never plays itself.

    Played by players who see only their own cards (`advisor.tricks.cautious`); what they sample
    depends on the deal alone.
    """
    turned = () if convention.all_pass_mode(len(SEATS)) == "closed" else dealt.turned
    rng = np.random.default_rng([*dealt.hands, *dealt.turned])
    return play_all_pass(dealt.hands, turned, rng)[: len(SEATS)]


def _scored(
    auction: Auction,
    contract: Contract,
    declarer: int | None,
    discard: int,
    replies: tuple[Reply, Reply] | None,
    tricks: tuple[int, ...] | None,
    dealt: Dealt,
    convention: Convention,
) -> Played:
    result = DealResult(contract, declarer, replies, tricks, talon=dealt.talon if discard else 0)
    return Played(
        auction,
        contract,
        declarer,
        discard,
        replies,
        tricks,
        net_floats(score(result, convention), convention, 3),
    )
