"""Thresholds of the defenders and the worth of naming a game, fitted by expected score.

Deals are dealt at random and bid by the model that self-play has fitted, the defenders' table is
fitted to the games bought then, and habits settle on them: declarers name by their habits,
defenders reply by theirs, and tricks come from the fitted tables. Then everybody answers the
others: for each level and role the threshold is set where whisting begins to beat passing (the sum
of the differences over all hands above it is greatest), the last to speak first; and the worth of
naming each level is averaged anew over the replies. This is repeated on the same deals until little
moves. Games in no trump have thresholds of their own and more deals, since one game in forty is.

``python -m advisor.fitting.replies --deals 400000 --seed 1`` writes ``data/bidding``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.advice import replies
from advisor.advice.habits import FILE, THRESHOLDS, WORTH_MEANS, Habits, steps_of_worth
from advisor.advice.naming import named_levels, plain_is_better
from advisor.advice.payoff import DOUBTED, Pattern, payoff
from advisor.advice.replies import (
    Outlook,
    both_pattern,
    chance_to_say,
    half_allowed,
    may_retreat,
    may_take_back,
    outlooks_in,
    reply_pattern,
)
from advisor.fitting.bought import Bought, bought_deals, may_be_plain
from advisor.fitting.defence import FittedDefence, fit_defence, write_defence
from advisor.paths import data_path
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention, convention_names, load_convention
from advisor.sampling.bidder import Bidder
from advisor.sampling.fitted_bidder import FittedBidder
from advisor.tricks.estimate import STEPS_PER_TRICK, mean_step
from advisor.tricks.fitted import distributions
from advisor.tricks.holdings import NO_TRUMP

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Views = list[tuple[Outlook, Outlook]]

ROUNDS = 24
GRID = 20  # steps a trick of the thresholds
NEVER = 10.0
FEWEST = 300  # hands a threshold is fitted to
WIDTH = 0.3  # tricks over which the worth of naming is smoothed
PLAYERS = 3
PLAIN_TIMES = 5  # as many deals for games in no trump
BY_THE_FIRST = ("first", "take_back", "stand")
HEADER = """\
# {told}
# Replies of the defenders and the worth of naming a game, fitted by expected score at a table of
# three (advisor/fitting/replies.py). Thresholds are tricks of both defenders together expected of
# one's own ten cards and the talon, with trumps and in no trump, for the levels 6 to 10; "moved" is
# the share of hands whose reply the last round still changed, at the level and role where it was
# greatest.
# worth: declarer's net whists with trumps and in no trump, for each level, when he expects 3, 3.5,
# ... 10 tricks."""


def settle(
    deals: Bought, convention: Convention, plain: Bought | None = None
) -> tuple[Habits, float]:
    """Let declarers and defenders answer each other for `ROUNDS` rounds.

    Best answers alone would go in circles: where defenders whist much declarers name less, and then
    there is less to whist; and either defender would rather leave an unpromising whist to the
    other. So each answer moves the habits only part of the way, less every round (fictitious play),
    thresholds by the share of hands between them. What is left is near to what nobody gains by
    leaving.

    Parameters
    ----------
    deals : Bought
    convention : Convention
    plain : Bought, optional
        More deals bought alike that no trump may suit; the games in it are fitted to them, since
        one game in forty is.

    Returns
    -------
    Habits
    moved : float
        Share of hands that change their reply in the last round, the most of all thresholds.
    """
    usual, moved = start(convention), 0.0
    sides = side_of(0, deals), side_of(1, deals if plain is None else plain)
    for turn in range(ROUNDS):
        usual, moved = _turn(sides, convention, usual, 2 / (turn + 4))
    return usual, moved


@dataclass(frozen=True, slots=True)
class Side:
    """Games of one kind, and the deals they are fitted to.

    Parameters
    ----------
    kind : int
        0 with trumps, 1 in no trump.
    deals : Bought
    strain : intp (n,)
        What is played, if it is this kind.
    views : list of (Outlook, Outlook)
        What both defenders expect then, by level.
    """

    kind: int
    deals: Bought
    strain: Ints
    views: Views


def side_of(kind: int, deals: Bought) -> Side:
    """The deals that a kind of game may suit, as their defenders see them."""
    deals = deals[may_be_plain(deals.means)] if kind else deals
    strain = np.full(len(deals), NO_TRUMP) if kind else deals.trump
    one, two = deals.defenders.T
    looks = (outlooks_in(hands, deals.talon, strain) for hands in (one, two))
    return Side(kind, deals, strain, list(zip(*looks, strict=True)))


def start(convention: Convention) -> Habits:
    """To begin with everybody whists who expects the duty, less a little for luck."""
    duty = np.array([float(convention.duty(level)) for level in LEVELS]) - 0.25
    duty[-1] = 1.0  # too rare to fit: who has a trump trick whists a ten
    levels = np.array(LEVELS)[:, None]
    means = np.arange(10 * STEPS_PER_TRICK + 1) / STEPS_PER_TRICK
    hope = 10.0 * (levels - 5) * np.clip(means - levels + 0.5, -1.0, 1.0)
    duty = np.stack([duty, duty])
    return Habits(first=duty, second=duty, after_whist=duty, half=duty - 0.5,
                  take_back=np.full(duty.shape, NEVER), stand=duty, worth=np.stack([hope, hope]))


def played(deals: Bought, usual: Habits) -> tuple[Ints, Ints]:
    """What each declarer plays: strain and level, (n,) each."""
    plain = plain_is_better(deals.means[0], deals.means[1], usual)
    strain = np.where(plain, NO_TRUMP, deals.trump)
    mean = deals.means[plain.astype(np.intp), np.arange(len(deals))]
    levels = named_levels(strain, mean, usual)
    return strain, levels[deals.lowest(strain) - min(LEVELS), np.arange(len(deals))]


def _turn(
    sides: Sequence[Side], convention: Convention, usual: Habits, part: float
) -> tuple[Habits, float]:
    """One round: the worth of naming answers the replies, and the replies the declarers."""
    worth = usual.worth.copy()
    for side in sides:
        worth[side.kind] = _worth(side, convention, usual)
    worth[1] = np.minimum(worth[0], worth[1])
    usual = replace(usual, worth=usual.worth + part * (worth - usual.worth))
    most = 0.0
    for side in sides:
        usual, moved = _answer(side, convention, usual, part)
        most = max(most, moved)
    return usual, most


def _answer(
    side: Side, convention: Convention, usual: Habits, part: float
) -> tuple[Habits, float]:
    """The thresholds of a kind moved part of the way to those that answer everybody else."""
    deals, kind = side.deals, side.kind
    strain, level = played(deals, usual)
    table = payoff(convention, PLAYERS, 1)
    mine = (strain == NO_TRUMP) == bool(kind)
    found = {name: getattr(usual, name).copy() for name in THRESHOLDS}
    moved = 0.0
    forced = (strain == 0) & (level == min(LEVELS)) & convention.stalingrad
    for row, at in enumerate(LEVELS[:-1]):
        where = mine & (level == at) & ~forced
        if np.count_nonzero(where) < FEWEST:
            continue
        first, second = (look[where] for look in side.views[row])
        net = _nets(deals.cells[kind, where], table.games[0, row])
        ranked = [np.sort(look.together) for look in (first, second)]
        now = {name: float(found[name][kind, row]) for name in THRESHOLDS}
        for name, best in best_thresholds((first, second), net, convention, at, now).items():
            values = ranked[name not in BY_THE_FIRST]
            found[name][kind, row], share = toward(values, now[name], best, part)
            moved = max(moved, share)
    return replace(usual, **found), moved


def toward(values: Floats, now: float, best: float, part: float) -> tuple[float, float]:
    """The threshold so far between two as `part` of the hands between them, and their share.

    `values` are what the hands expect, ascending.
    """
    n = len(values)
    start, end = np.searchsorted(values, [now, best])
    if start == end:
        return best, 0.0
    place = round(start + part * (end - start))
    between = float(values[place]) if place < n else float(values[-1]) + 1 / GRID
    return between, abs(place - int(start)) / n


def _nets(cells: Ints, pay: Floats) -> tuple[Floats, Floats]:
    """Net whists of the first and of the second defender by pattern, float64 (n, 8) each."""
    chances = distributions()[cells]
    return chances @ pay[:, :, 1].T, chances @ pay[:, :, 2].T


def best_thresholds(
    looks: tuple[Outlook, Outlook], net: tuple[Floats, Floats], convention: Convention,
    level: int, usual: Mapping[str, float],
) -> dict[str, float]:
    """Thresholds at one level, each the best against those already found and the rest as before.

    What the others say is soft (`advisor.advice.replies.chance_to_say`), so that every situation
    comes about at least by an odd player, and thresholds do not jump when another moves a little.
    """
    first, second = looks
    mine, theirs = net
    both = both_pattern(first.own, second.own)
    joint = [np.take_along_axis(each, both[:, None], axis=1)[:, 0] for each in net]
    now = dict(usual)

    def says(look: Outlook, name: str) -> Floats:
        return chance_to_say(look, now[name])

    def best(look: Outlook, gain: Floats, weight: Floats, name: str) -> None:
        if weight.sum() >= FEWEST:
            now[name] = threshold(look.together, gain * weight)

    def mixed(chance: Floats, yes: Pattern, no: Pattern) -> list[Floats]:
        return [chance * each[:, yes] + (1 - chance) * each[:, no] for each in net]

    alone = [each[:, Pattern.FIRST] for each in net]
    if may_retreat(convention, level):
        best(first, mine[:, Pattern.FIRST] - mine[:, Pattern.FIRST_HALF],
             says(first, "first") * (1 - says(second, "after_whist")), "stand")
        alone = mixed(says(first, "stand"), Pattern.FIRST, Pattern.FIRST_HALF)
    best(second, joint[1] - alone[1], says(first, "first"), "after_whist")
    passed = 1 - says(first, "first")
    halved = [each[:, Pattern.HALF] for each in net]
    if half_allowed(convention, level):
        if may_take_back(convention):
            asked = np.maximum(says(second, "half") - says(second, "second"), 0.0)
            best(first, mine[:, Pattern.FIRST] - mine[:, Pattern.HALF], passed * asked,
                 "take_back")
            halved = mixed(says(first, "take_back"), Pattern.FIRST, Pattern.HALF)
        best(second, theirs[:, Pattern.SECOND] - halved[1], passed, "second")
        best(second, halved[1] - theirs[:, Pattern.NOBODY], passed, "half")
    if not half_allowed(convention, level) or now["half"] >= now["second"]:
        best(second, theirs[:, Pattern.SECOND] - theirs[:, Pattern.NOBODY], passed, "second")
        now["half"] = now["second"]
    joins, whists = says(second, "after_whist"), says(second, "second")
    halves = np.maximum(says(second, "half") - whists, 0.0)
    after = (whists * mine[:, Pattern.SECOND] + halves * halved[0]
             + (1 - whists - halves) * mine[:, Pattern.NOBODY])
    best(first, joins * joint[0] + (1 - joins) * alone[0] - after, np.ones(len(after)), "first")
    return now


def threshold(values: Floats, gain: Floats) -> float:
    """Where to begin: the sum of `gain` over all hands with at least as much is greatest.

    Just above all `values` where it is best never to begin, the lowest of them where always.

    >>> threshold(np.array([1.0, 2.0, 3.0]), np.array([-1.0, -1.0, 3.0]))
    2.05
    """
    place = np.clip(np.floor(values * GRID + 1e-9), 0, NEVER * GRID - 1).astype(np.intp)
    by_place = np.bincount(place, gain, minlength=int(NEVER * GRID) + 1)
    best = int(np.argmax(np.cumsum(by_place[::-1])[::-1]))
    return max(best, int(place.min())) / GRID


def _worth(side: Side, convention: Convention, usual: Habits) -> Floats:
    """Worth of naming each level of this kind by expected tricks, float64 (5, 201)."""
    table, deals, kind = payoff(convention, PLAYERS, 1), side.deals, side.kind
    chances = distributions()[deals.cells[kind]]
    weight = _kernel(deals.means[kind])
    points = np.empty((len(LEVELS), len(WORTH_MEANS)))
    for row, level in enumerate(LEVELS):
        pattern = reply_pattern(*side.views[row], level, convention, side.strain, usual)
        net = chances @ table.games[0, row, :, :, 0].T
        points[row] = _mean_worth(net, pattern, weight, row)
    return steps_of_worth(points)


def _kernel(means: Floats) -> tuple[Ints, Floats]:
    """Step of each mean, and the weight each step has at each of `WORTH_MEANS`, (15, 201)."""
    steps = np.arange(10 * STEPS_PER_TRICK + 1) / STEPS_PER_TRICK
    return mean_step(means), np.exp(-((WORTH_MEANS[:, None] - steps) ** 2) / (2 * WIDTH**2))


def _mean_worth(
    net: Floats, pattern: NDArray[np.uint8], kernel: tuple[Ints, Floats], row: int
) -> Floats:
    """Mean worth around each of `WORTH_MEANS`; a doubted game passed out counts as the lower."""
    step, weight = kernel

    def smooth(values: Floats) -> Floats:
        total = weight @ np.bincount(step, values, minlength=weight.shape[1])
        count = weight @ np.bincount(step, minlength=weight.shape[1])
        mean = total / np.maximum(count, 1e-9)
        known = np.flatnonzero(count >= FEWEST / 10)
        filled: Floats = np.interp(np.arange(len(mean)), known, mean[known])
        return filled

    said = net[np.arange(len(net)), pattern]
    if row < DOUBTED:
        return smooth(said)
    nobody = pattern == Pattern.NOBODY
    passed = net[:, Pattern.NOBODY].mean()
    counted: Floats = np.minimum(passed, smooth(net[:, Pattern.FIRST]))
    return smooth(np.where(nobody, 0.0, said)) + smooth(nobody.astype(float)) * counted


def named_as_expected(deals: Bought) -> tuple[Ints, Ints]:
    """What declarers play where no habits are known: who expects a level names it."""
    plain = deals.means[1] > deals.means[0]
    strain = np.where(plain, NO_TRUMP, deals.trump)
    level = np.maximum(np.floor(deals.means.max(axis=0) + 0.1), deals.lowest(strain))
    return strain, np.clip(level, min(LEVELS), max(LEVELS)).astype(np.intp)


def defence_of(deals: Bought, plain: Bought, usual: Habits | None = None) -> FittedDefence:
    """The defenders' table against declarers of these habits.

    With trumps it is fitted to `deals`, in no trump to `plain`; if no habits are known, to what is
    `named_as_expected`.
    """
    parts = []
    for kind, part in enumerate((deals, plain)):
        strain, level = named_as_expected(part) if usual is None else played(part, usual)
        mine = (strain == NO_TRUMP) == bool(kind)
        parts.append(fit_defence(part[mine], strain[mine], level[mine]))
    with_trumps, in_plain = parts
    return with_trumps.with_plain_of(in_plain)


def format_habits(name: str, usual: Habits, moved: float) -> str:
    """One convention's section of the file."""
    lines = [f"[{name}]", f"moved = {moved:.3f}"]
    for key in THRESHOLDS:
        kinds = [", ".join(f"{v:.2f}" for v in row) for row in getattr(usual, key)]
        lines.append(f"{key} = [[{'], ['.join(kinds)}]]")
    steps = mean_step(WORTH_MEANS)
    kinds = [",\n  ".join(f"[{', '.join(f'{v:.1f}' for v in row[steps])}]" for row in kind)
             for kind in usual.worth]
    lines.append("worth = [\n" + ",\n".join(f" [{kind}]" for kind in kinds) + ",\n]")
    return "\n".join(lines)


def both_kinds(
    name: str, deals: int, rng: np.random.Generator, bidder: Bidder | None = None,
    plain_times: int = PLAIN_TIMES,
) -> tuple[Convention, Bought, Bought]:
    """A convention, and games bought under it: all, and those that no trump may suit.

    Of the latter there are `plain_times` as many deals.
    """
    convention = load_convention(name)
    model = bidder or FittedBidder(convention)
    return (convention, bought_deals(convention, deals, rng, model),
            bought_deals(convention, plain_times * deals, rng, model, near_plain=True))


def fitted_section(name: str, deals: int, seed: int, bidder: Bidder | None = None) -> str:
    """Fit one shipped convention; its section of the file."""
    rng = np.random.default_rng([seed, convention_names().index(name)])
    convention, bought, plain = both_kinds(name, deals, rng, bidder)
    return format_habits(name, *settle(bought, convention, plain))


def write_habits(
    deals: int, seed: int, out: Path, bidder: Bidder | None = None, *, defence: bool = True,
    names: tuple[str, ...] = convention_names(),
) -> None:
    """Fit the habits of shipped conventions, and first the defenders' table; write the files.

    Parameters
    ----------
    deals, seed : int
        The same files for the same numbers and the same bidder.
    out : Path
        Folder of the files.
    bidder : Bidder, optional
        Model of the calls; `FittedBidder` of each convention if not given.
    defence : bool
        Fit the defenders' table anew, twice: against declarers who name what they expect, and
        against those who follow the habits fitted with it, under the default convention.
    names : tuple of str
        The conventions in the file.
    """
    out.mkdir(parents=True, exist_ok=True)
    told = f"python -m advisor.fitting.replies --deals {deals} --seed {seed}"
    if defence:
        rng = np.random.default_rng([seed, len(convention_names())])
        default, bought, plain = both_kinds(convention_names()[0], deals, rng, bidder)
        write_defence(defence_of(bought, plain), out / Path(replies.FILE).name, told)
        replies.defence_table.cache_clear()
        found = defence_of(bought, plain, settle(bought, default, plain)[0])
        write_defence(found, out / Path(replies.FILE).name, told)
        replies.defence_table.cache_clear()
    sections = [HEADER.format(told=told)]
    sections += [fitted_section(name, deals, seed, bidder) for name in names]
    (out / Path(FILE).name).write_text("\n\n".join(sections) + "\n", encoding="utf-8")


def main() -> None:
    """Write the files from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=data_path("bidding"))
    told = parser.parse_args()
    write_habits(told.deals, told.seed, told.out)


if __name__ == "__main__":
    main()
