"""A defender's decision: whist, pass or half-whist.

He sees his ten cards, the talon shown, the calls, the contract, and what the first defender said.
The twenty cards he does not see are dealt many times; a deal counts by how likely these calls are
(`advisor.sampling.bidder`), how likely a declarer of these twelve cards names this contract
(`advisor.advice.naming`), and how likely the other defender says what was heard. Every option is
one choice for all deals: the other then replies on his own ten cards and the talon, the declarer's
discard is the model's, and the deal is scored. What the player may say later (stand by a lone
whist or go for half, take the whist back from a half-whister) he chooses on one half of the deals
in which he is asked; it is valued on the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from advisor.advice.defending import mean_tricks
from advisor.advice.folds import halves
from advisor.advice.habits import Habits, habits
from advisor.advice.naming import naming_chance
from advisor.advice.payoff import PATTERNS, Pattern, paid_units, record_payoff
from advisor.advice.replies import (
    ODD,
    Outlook,
    both_pattern,
    chance_to_say,
    half_allowed,
    may_retreat,
    may_take_back,
    outlook_in,
)
from advisor.advice.results import (
    BOTH_WHIST_END,
    HALF_END,
    NOBODY_WHISTS_END,
    OTHER_HALF_END,
    OTHER_WHISTS_END,
    WHIST_END,
    Option,
)
from advisor.advice.statistics import Score, weighted_mean
from advisor.records.hand import HandRecord
from advisor.rules.deal import Reply
from advisor.sampling.bidder import Bidder, weigh
from advisor.sampling.deals import Deals, draw_deals
from advisor.sampling.fitted_bidder import default_bidder

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Defence:
    """What the question is, in the words of this module.

    Parameters
    ----------
    record : HandRecord
    strain, level, row : int
        Of the contract; the row is the level less six.
    first : bool
        The player speaks first.
    other : int
        The other defender's seat.
    usual : Habits
    """

    record: HandRecord
    strain: int
    level: int
    row: int
    first: bool
    other: int
    usual: Habits

    @property
    def declarer(self) -> int:
        """The declarer's seat."""
        assert self.record.declarer is not None
        return self.record.declarer

    def needs(self, said: str) -> float:
        """The usual threshold of that name against this contract."""
        return float(self.usual.needs(said, self.level, self.strain))


def defence_of(record: HandRecord) -> Defence:
    """Read the question off a hand record whose decision is "whist"."""
    contract, declarer = record.contract, record.declarer
    assert contract is not None
    assert contract.strain is not None
    assert declarer is not None
    return Defence(record, int(contract.strain), contract.level, contract.level - 6,
                   (declarer + 1) % 3 == record.seat, 3 - declarer - record.seat,
                   habits(record.convention))


def whist_deals(
    record: HandRecord, n: int, rng: np.random.Generator, bidder: Bidder | None = None
) -> Deals:
    """Deals of the cards a defender cannot see, weighted by all he heard.

    The talon he was shown is known; where the declarer has left it, it stays hidden.
    """
    at = defence_of(record)
    model = partial(weigh, bidder or default_bidder(record), record.auction, record.seat)
    shown = np.uint32(record.talon)

    def likelihood(hands: Masks, talon: Masks) -> Floats:
        weight = model(hands, talon)
        weight = weight * _naming(at, hands[:, :, at.declarer] | shown)
        if record.whist is not None:
            look = outlook_in(hands[:, :, at.other], at.record.talon,
                              np.full(hands.shape[:2], at.strain), at.level)
            weight = weight * _heard(at, look)
        return weight

    deals = draw_deals(record.cards | record.talon, record.seat, n, rng, likelihood)
    hands = deals.hands.copy()
    hands[:, :, record.seat] = record.cards
    return replace(deals, hands=hands, talon=deals.talon | shown)


def _heard(at: Defence, look: Outlook) -> Floats:
    """Chance that the other defender said what was heard of him.

    Of the first that he whisted or passed; of the second, that he went for half.
    """
    if at.first:
        halves_it = chance_to_say(look, at.needs("half"))
        return np.maximum(halves_it - chance_to_say(look, at.needs("second")), ODD / 2)
    whists = chance_to_say(look, at.needs("first"))
    return whists if at.record.whist is Reply.WHIST else 1 - whists


def _naming(at: Defence, cards: Masks) -> Floats:
    """P(this contract is named | the declarer's cards), for twelve cards or the ten dealt."""
    first = at.record.auction.contracts()[0]
    assert first.strain is not None
    return naming_chance(cards, 5 * at.row + at.strain, 5 * (first.level - 6) + int(first.strain),
                         at.declarer == 0, at.usual)


def whist_options(
    at: Defence, deals: Deals, shares: Mapping[Reply, Floats], chances: Floats,
    solved: Floats | None = None,
) -> tuple[Option, ...]:
    """Every reply the convention allows, best first.

    Parameters
    ----------
    at : Defence
    deals : Deals
    shares : mapping of reply to float64 (t, m, 8)
        As `reply_shares` gives them.
    chances : float64 (t, m, 11)
        Of the declarer's tricks on every deal.
    solved : float64 (t, k, 11), optional
        The same where they are known, on the first k layouts of every talon.
    """
    scores = {reply: _score(at, deals, share, chances, solved) for reply, share in shares.items()}
    values = {reply: score.estimate() for reply, score in scores.items()}
    best = max(values, key=lambda reply: round(values[reply].mean, 9))
    tricks = _corrected_tricks(deals, chances, solved)
    options = []
    for reply, score in scores.items():
        ev, behind = values[reply], (score - scores[best]).estimate()
        options.append(Option(
            None, None, 0, ev.mean, ev.se, behind.mean, behind.se,
            float(tricks[at.level:].sum()), 0.0, _ends(at, deals, shares[reply]),
            tuple(float(p) for p in tricks), mean_tricks(tricks), reply=reply,
            solved=solved is not None,
            tables_ev=None if solved is None else weighted_mean(score.net, deals)))
    return tuple(sorted(options, key=lambda option: -round(option.ev, 9)))


def _score(
    at: Defence, deals: Deals, share: Floats, chances: Floats, solved: Floats | None
) -> Score:
    """What a reply is worth on every deal, corrected by the solved ones."""
    net = np.einsum("tmp,tmp->tm", share, _nets(at, deals, chances))
    if solved is None:
        return Score(net, deals)
    k = solved.shape[1]
    known = np.einsum("tmp,tmp->tm", share[:, :k], _nets(at, deals, solved))
    return Score(net, deals, known - net[:, :k])


def _corrected_tricks(deals: Deals, chances: Floats, solved: Floats | None) -> Floats:
    """The declarer's tricks over all deals, changed as on those that were solved, (11,)."""
    tricks: Floats = np.einsum("tm,tmk->k", deals.weight, chances) / deals.weight.sum()
    if solved is None:
        return tricks
    weight = deals.weight[:, : solved.shape[1]]
    change = np.einsum("tm,tmk->k", weight, solved - chances[:, : solved.shape[1]])
    tricks = np.clip(tricks + change / weight.sum(), 0.0, None)
    tricks /= tricks.sum()
    return tricks


def pays(at: Defence, deals: Deals) -> Floats:
    """The player's net whists by talon, pattern and the declarer's tricks, float64 (t, 8, 11)."""
    role = 1 if at.first else 2
    taken = deals.talon if at.record.talon else np.zeros_like(deals.talon)
    pay: Floats = record_payoff(at.record).games[paid_units(taken), at.row, :, :, role]
    return pay


def _nets(at: Defence, deals: Deals, chances: Floats) -> Floats:
    """The player's net whists by pattern, float64 (t, m, 8)."""
    nets: Floats = np.einsum("tmk,tpk->tmp", chances, pays(at, deals))
    return nets


def reply_shares(at: Defence, deals: Deals, chances: Floats) -> dict[Reply, Floats]:
    """Chance of each pattern after each reply on every deal, float64 (t, m, 8) each."""
    strain = np.full(deals.weight.shape, at.strain)
    own = outlook_in(np.full(deals.weight.shape, at.record.cards, dtype=np.uint32),
                     at.record.talon, strain, at.level)
    other = outlook_in(deals.hands[:, :, at.other], at.record.talon, strain, at.level)
    first, second = (own, other) if at.first else (other, own)
    both = np.eye(PATTERNS)[both_pattern(first.own, second.own)]
    if _no_choice(at):
        return {Reply.WHIST: both}
    if at.first and at.record.whist is Reply.HALF:
        return {Reply.WHIST: np.broadcast_to(_only(Pattern.FIRST), both.shape),
                Reply.PASS: np.broadcast_to(_only(Pattern.HALF), both.shape)}
    if at.first:
        return _first_shares(at, deals, other, both, _nets(at, deals, chances))
    return _second_shares(at, other, both)


def _no_choice(at: Defence) -> bool:
    """Whether both must whist: on a checked ten, and on six spades in some conventions."""
    convention, contract = at.record.convention, at.record.contract
    assert contract is not None
    return convention.both_must_whist(contract) or (at.level == 10 and convention.ten == "checked")


def _only(pattern: Pattern) -> Floats:
    row: Floats = np.eye(PATTERNS)[pattern]
    return row


def _mix(chance: Floats, yes: Floats, no: Floats) -> Floats:
    """Patterns (..., 8) where something is said with a chance (...), and where not."""
    mixed: Floats = chance[..., None] * yes + (1 - chance[..., None]) * no
    return mixed


def _first_shares(
    at: Defence, deals: Deals, other: Outlook, both: Floats, nets: Floats
) -> dict[Reply, Floats]:
    """The player speaks first; the other answers, and the player may have a last word."""
    convention = at.record.convention
    joins = chance_to_say(other, at.needs("after_whist"))
    last = [Pattern.FIRST, *([Pattern.FIRST_HALF] if may_retreat(convention, at.level) else [])]
    alone = _last_word(deals, 1 - joins, nets, last)
    whists = chance_to_say(other, at.needs("second"))
    left = np.broadcast_to(_only(Pattern.NOBODY), both.shape)
    if half_allowed(convention, at.level):
        halves_it = np.maximum(chance_to_say(other, at.needs("half")), whists)
        last = [Pattern.HALF, *([Pattern.FIRST] if may_take_back(convention) else [])]
        left = _mix((halves_it - whists) / np.maximum(1 - whists, 1e-12),
                    _last_word(deals, halves_it - whists, nets, last), left)
    return {Reply.WHIST: _mix(joins, both, alone),
            Reply.PASS: _mix(whists, np.broadcast_to(_only(Pattern.SECOND), both.shape), left)}


def _last_word(
    deals: Deals, asked: Floats, nets: Floats, patterns: list[Pattern]
) -> Floats:
    """The pattern the player chooses where he is asked, by the half of the deals it is used on.

    What is best on one half of the deals in which he is asked is said on the other.
    """
    weight = deals.weight * asked
    half = halves(deals.weight.shape)
    said = np.empty((*deals.weight.shape, PATTERNS))
    for side in (0, 1):
        where = half != side
        value = [float(np.sum((weight * nets[..., pattern])[where])) for pattern in patterns]
        said[half == side] = _only(patterns[int(np.argmax(value))])
    return said


def _second_shares(at: Defence, other: Outlook, both: Floats) -> dict[Reply, Floats]:
    """The player speaks second, after what the first said."""
    convention = at.record.convention
    if at.record.whist is Reply.WHIST:
        alone = np.broadcast_to(_only(Pattern.FIRST), both.shape)
        if may_retreat(convention, at.level):
            alone = _mix(chance_to_say(other, at.needs("stand")), alone, _only(Pattern.FIRST_HALF))
        return {Reply.WHIST: both, Reply.PASS: alone}
    shares = {Reply.WHIST: np.broadcast_to(_only(Pattern.SECOND), both.shape),
              Reply.PASS: np.broadcast_to(_only(Pattern.NOBODY), both.shape)}
    if half_allowed(convention, at.level):
        back = chance_to_say(other, at.needs("take_back")) * may_take_back(convention)
        shares[Reply.HALF] = _mix(back, _only(Pattern.FIRST), _only(Pattern.HALF))
    return shares


def end_of(at: Defence, pattern: Pattern) -> str:
    """How the replies end, as the player sees it."""
    mine, theirs = (Pattern.FIRST, Pattern.SECOND) if at.first else (Pattern.SECOND, Pattern.FIRST)
    half, their_half = (Pattern.FIRST_HALF, Pattern.HALF) if at.first \
        else (Pattern.HALF, Pattern.FIRST_HALF)
    return {Pattern.NOBODY: NOBODY_WHISTS_END, mine: WHIST_END, theirs: OTHER_WHISTS_END,
            half: HALF_END, their_half: OTHER_HALF_END}.get(pattern, BOTH_WHIST_END)


def _ends(at: Defence, deals: Deals, share: Floats) -> Mapping[str, float]:
    """How often each outcome of the replies follows, the likeliest first."""
    mean = np.einsum("tm,tmp->p", deals.weight, share) / deals.weight.sum()
    ends: defaultdict[str, float] = defaultdict(float)
    for pattern in Pattern:
        ends[end_of(at, pattern)] += float(mean[pattern])
    return {end: part for end, part in sorted(ends.items(), key=lambda item: -item[1]) if part > 0}


def usual_reply(at: Defence) -> Reply:
    """What a usual player of these ten cards says: whether he expects as much as pays."""
    convention = at.record.convention
    own = float(outlook_in(np.array([at.record.cards], dtype=np.uint32), at.record.talon,
                           np.array([at.strain]), at.level).together[0])
    if _no_choice(at):
        return Reply.WHIST
    if at.first:
        said = "take_back" if at.record.whist is Reply.HALF else "first"
    else:
        said = "after_whist" if at.record.whist is Reply.WHIST else "second"
    if own >= at.needs(said):
        return Reply.WHIST
    goes_half = not at.first and at.record.whist is Reply.PASS \
        and half_allowed(convention, at.level) and own >= at.needs("half")
    return Reply.HALF if goes_half else Reply.PASS
