"""Tricks that are certain whatever the layout and the defence.

The declarer (играющий) knows his own cards and his discard; every other card is with the defenders.
`sure_tricks` never says more than the declarer can enforce against the best defence with all cards
open; it may say less. A suit is one of 6,561 states: each rank is kept, outstanding, or gone.

Words used in the proofs below, per suit: `run` is the number of kept cards above every outstanding
one; `losses` is the greatest number of kept cards that distinct outstanding cards can beat, rank by
rank, so ``kept - losses`` trumps win in any play whatever.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.cards import DECK

Ints = NDArray[np.int8]
States = NDArray[np.uint16]
STATES = 3**8
NT = 4


@cache
def ternary() -> States:
    """For each byte the sum of ``3**bit``: kept and outstanding bytes to a suit's state."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    return np.asarray(bits @ 3 ** np.arange(8), dtype=np.uint16)


@cache
def digits() -> Ints:
    """Every suit state by rank: 0 gone, 1 kept, 2 outstanding; shape (6561, 8), seven first."""
    return (np.arange(STATES)[:, None] // 3 ** np.arange(8) % 3).astype(np.int8)


def suit_states(kept: ArrayLike, gone: ArrayLike) -> list[States]:
    """States of the four suits.

    Parameters
    ----------
    kept, gone : array_like of uint32
        Masks of the declarer's cards and of those out of play; they broadcast.

    Returns
    -------
    list of ndarray of uint16
        Four arrays of the broadcast shape, indices of `digits`.
    """
    mine = np.asarray(kept, dtype=np.uint32)
    outside = np.uint32(DECK) & ~mine & ~np.asarray(gone, dtype=np.uint32)
    table = ternary()
    doubled = table * np.uint16(2)
    shape = outside.shape
    own = np.atleast_1d(np.ascontiguousarray(mine)).view(np.uint8).reshape(*mine.shape, 4)
    out = np.atleast_1d(np.ascontiguousarray(outside)).view(np.uint8).reshape(*shape, 4)
    order = range(4) if sys.byteorder == "little" else range(3, -1, -1)
    return [table[own[..., s]] + doubled[out[..., s]] for s in order]


class _Suit(NamedTuple):
    """Facts of suit states, each int8."""

    cards: Ints
    outside: Ints
    run: Ints
    top: Ints  # cards that win when led in turn with no trumps about: the run, or the whole suit
    losses: Ints


@cache
def _facts() -> _Suit:
    state = digits()
    kept, out = state == 1, state == 2
    cards, outside = kept.sum(1, dtype=np.int8), out.sum(1, dtype=np.int8)
    above = out[:, ::-1].cumsum(1, dtype=np.int8)[:, ::-1]
    run = (kept & (above == 0)).sum(1, dtype=np.int8)
    winners = (kept[:, ::-1].cumsum(1, dtype=np.int8)[:, ::-1] - above).max(1).clip(0)
    top = np.where(run >= outside, cards, run)
    return _Suit(cards, outside, run, top, cards - winners)


@cache
def _trump_winners() -> tuple[Ints, Ints]:
    """Trumps that must win, off lead and on lead, by state.

    Every lead of a top trump draws at least one outstanding trump, at worst the lowest. On lead he
    leads the whole run. Off lead one top trump may go on a forced ruff, which gives him the lead.
    """
    facts, place = _facts(), 3 ** np.arange(8)
    out = digits() == 2
    lowest_first = out.cumsum(1, dtype=np.int8)
    winners = facts.cards - facts.losses
    found = []
    for draws in (np.maximum(facts.run - 1, 0), facts.run):
        dropped = out & (lowest_first <= draws[:, None])
        found.append(winners[np.arange(STATES) - (dropped * place * 2).sum(1)])
    return found[0], found[1]


def sure_tricks(kept: ArrayLike, gone: ArrayLike, strain: int, on_lead: bool) -> Ints:
    """Tricks the declarer can enforce against any layout and any defence.

    Parameters
    ----------
    kept : array_like of uint32
        Masks of the declarer's cards, ten or fewer, any shape.
    gone : array_like of uint32
        Masks of cards out of play that he knows (his discard, tricks played); broadcasts with
        `kept`. All other cards are with the defenders, as many with each as he has himself.
    strain : int
        0..3 trumps, 4 no trump.
    on_lead : bool
        The declarer leads.

    Returns
    -------
    ndarray of int8
        A lower bound, of the broadcast shape.
    """
    states = suit_states(kept, gone)
    if strain == NT:
        return _no_trump(states, on_lead)
    trumps = states[strain]
    sides = [state for suit, state in enumerate(states) if suit != strain]
    facts = _facts()
    top = _total(facts.top, sides)
    losses = _total(facts.losses, sides)
    own, outside, run = facts.cards[trumps], facts.outside[trumps], facts.run[trumps]
    draws = run if on_lead else np.maximum(run - 1, 0)
    bound = np.maximum(
        _trump_winners()[on_lead][trumps],
        _drawn(own, outside, draws, top, on_lead),
    )
    bound = np.maximum(bound, _controlled(own, outside, run, losses,
                                          own + _total(facts.cards, sides), on_lead))
    bare = (own == 0) & (outside == 0)
    return np.where(bare, _no_trump(states, on_lead), bound) if bare.any() else bound


def sure_zero(kept: ArrayLike, gone: ArrayLike, on_lead: bool) -> NDArray[np.bool_]:
    """Whether a misère certainly takes no trick.

    Every suit must be clean: its k-th lowest card has at most k - 1 outstanding cards below it
    (rules.md 7.4). On lead there must also be a suit to lead safely: a card with an outstanding one
    above it and none below, the rest of the suit staying clean.

    Parameters
    ----------
    kept, gone : array_like of uint32
        As in `sure_tricks`.
    on_lead : bool

    Returns
    -------
    ndarray of bool
    """
    states = suit_states(kept, gone)
    clean, leadable, held = _clean()
    safe = clean[states[0]] & clean[states[1]] & clean[states[2]] & clean[states[3]]
    if not on_lead:
        return safe
    lead = leadable[states[0]] | leadable[states[1]] | leadable[states[2]] | leadable[states[3]]
    none = ~(held[states[0]] | held[states[1]] | held[states[2]] | held[states[3]])
    return safe & (lead | none)


def excess() -> Ints:
    """Outstanding cards below each kept card beyond those it can spare, by state and rank.

    For the k-th lowest kept card it is ``outstanding below - (k - 1)``, at least 0; 0 where the
    card is not kept. Shape (6561, 8).
    """
    kept, out = digits() == 1, digits() == 2
    spare = kept.cumsum(1, dtype=np.int8) - np.int8(1)
    return np.where(kept, np.maximum(out.cumsum(1, dtype=np.int8) - spare, 0), 0).astype(np.int8)


@cache
def _clean() -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """By state: the suit is clean; it can be led safely; it has cards."""
    kept, out = digits() == 1, digits() == 2
    clean = (excess() == 0).all(1)
    held = kept.any(1)
    lowest = kept.argmax(1)
    rest = clean[np.where(held, np.arange(STATES) - 3**lowest, 0)]
    return clean, held & clean & out.any(1) & rest, held


def _total(table: Ints, states: list[States]) -> Ints:
    total = table[states[0]]
    for state in states[1:]:
        total = total + table[state]
    return total


def _drawn(own: Ints, outside: Ints, draws: Ints, top: Ints, on_lead: bool) -> Ints:
    """All trumps and the side suits' top cards, where he can draw every outstanding trump.

    Off lead he never has to discard while he has a trump, so his top cards stay, but before he
    gets in each outstanding trump may ruff one of them.
    """
    safe = top if on_lead else np.maximum(top - outside, 0)
    can = (draws >= outside) & (own > 0)
    return np.where(can, own + safe, 0).astype(np.int8)


def _controlled(
    own: Ints, outside: Ints, run: Ints, losses: Ints, cards: Ints, on_lead: bool
) -> Ints:
    """All tricks but those that can be taken from him while he never runs out of trumps.

    A trick he loses is taken by an outstanding trump he has not drawn, or by a higher card of the
    side suit he plays; a discard cannot happen as long as he has a trump. Each loss gives the
    defenders one lead, and each of their leads costs him at most one trump. So if he draws what his
    top trumps draw (nothing when the defenders begin: they may ruff first) and leads side suits
    from then on, his trumps last when they are no fewer than outstanding trumps and side losses
    together, and one more for a lead the defenders have from the beginning.
    """
    lasts = own >= outside + losses + (0 if on_lead else 1)
    left = np.maximum(outside - run, 0) if on_lead else outside
    return np.where(lasts, cards - left - losses, 0).astype(np.int8)


def _no_trump(states: list[States], on_lead: bool) -> Ints:
    """Top cards of every suit, less those he may have to discard while the defenders run suits.

    They can run only suits he does not head. In such a suit they lead at most as often as it has
    outstanding cards (and they have tricks); beyond his own cards of the suit he discards, losers
    first. As long as he can keep the top card of every suit he heads, nothing more is run.
    """
    facts = _facts()
    top = _total(facts.top, states)
    if on_lead:
        return top
    cards = _total(facts.cards, states)
    discards = np.zeros_like(top)
    heads = np.zeros_like(top)
    losers = cards - top
    for state in states:
        own, outside = facts.cards[state], facts.outside[state]
        open_suit = (facts.run[state] == 0) & (outside > 0)
        discards = discards + np.where(
            open_suit, np.maximum(np.minimum(outside, cards) - own, 0), 0).astype(np.int8)
        losers = losers - np.where(open_suit, own, 0).astype(np.int8)
        heads = heads + ((facts.run[state] > 0) & (outside > 0)).astype(np.int8)
    given = np.maximum(discards - losers, 0)
    return np.where(given <= top - heads, top - given, 0).astype(np.int8)
