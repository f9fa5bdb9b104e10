"""Whether the defenders' habits are best replies: ``python -m benchmarks.whisters``.

Games are bought and named as the fit of the habits has them, by the bidder and the habits of a
convention, and then solved: what whisting gains is told by the declarer's tricks with open cards,
where the fit had those of the fitted tables. For each level, with trumps and in no trump, and each
question that a defender is asked:

* how often he is asked and how often he whists;
* what whisting gains over what he says otherwise, just above and just below his threshold;
* the best threshold, and its *regret*: what it would gain a question over the habit, chosen on one
  half of the deals and valued on the other.

Then how much of the defence's tricks a defender's cards tell, with the talon he was shown and
without; how whisted games end; what declarers expect who name a six or a seven; and what would
become of the whists on a six, and of its worth, if more of those who name seven named six.

Arguments: ``--deals N`` dealt (`MORE_PLAIN` as many for games in no trump, which are rare),
``--seed K``, ``--convention NAME``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import THRESHOLDS, Habits, habits
from advisor.advice.payoff import UNPLAYED, Pattern, payoff
from advisor.advice.replies import Outlook, half_allowed, outlook_in, reply_pattern, told_by
from advisor.fitting.bought import Bought
from advisor.fitting.replies import (
    BY_THE_FIRST,
    NEVER,
    PLAYERS,
    ROUNDS,
    best_thresholds,
    both_kinds,
    played,
    threshold,
    toward,
)
from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.solver import solve_deals

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

DEALS = 100_000
MORE_PLAIN = 10
TOLD_LEVELS = (6, 7, 8)
NEAR = 0.15  # tricks about a threshold
FEWEST = 100  # games, or questions, that are told of
# Threshold asked for, and the defender whose it is.
QUESTIONS = {"first": 1, "after_whist": 2, "second": 2, "half": 2}
EXPECTED = (5.0, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5)
UNDERBIDS = (0.0, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Games:
    """Games named at one level, with trumps or in no trump, and solved.

    Parameters
    ----------
    level : int
    strain : intp (n,)
    looks : (Outlook, Outlook)
        What the first and the second defender expect.
    tricks : intp (n,)
        The declarer's, with open cards.
    mean : float64 (n,)
        What he expected.
    told : float64 (n,)
        What the talon adds to what both defenders expect.
    """

    level: int
    strain: Ints
    looks: tuple[Outlook, Outlook]
    tricks: Ints
    mean: Floats
    told: Floats

    def __len__(self) -> int:
        """Number of games."""
        return len(self.tricks)


Found = dict[tuple[int, int], Games]  # by kind, 1 in no trump, and level


@dataclass(frozen=True, slots=True)
class Judged:
    """One question, by the tricks as they are; pairs are a mean and its standard error.

    Parameters
    ----------
    asked, says : float
        Share of the games in which it comes up; share of these in which the defender says it.
    now, best : float
        The threshold of the habit, and the best.
    above, below : (float, float)
        What saying it gains within `NEAR` of the threshold.
    regret : (float, float)
        What the best would gain a question.
    """

    asked: float
    says: float
    now: float
    above: tuple[float, float]
    below: tuple[float, float]
    best: float
    regret: tuple[float, float]


def named_games(
    deals: Bought, level: int, usual: Habits, *, plain: bool, named_at: int | None = None
) -> Games:
    """Those of the deals that are named at `named_at`, the level if not told, and solved."""
    strain, levels = played(deals, usual)
    where = ((strain == NO_TRUMP) == plain) & (levels == (named_at or level))
    deals, strain = deals[where], strain[where]
    hands = np.column_stack([deals.kept(strain), deals.defenders])
    tricks = np.zeros(0, dtype=np.intp)
    if len(hands):
        tricks = solve_deals(hands, strain, -deals.seat % 3, threads=1).astype(np.intp)
    one, two = (outlook_in(deals.defenders[:, i], deals.talon, strain, level) for i in (0, 1))
    told = np.take_along_axis(told_by(deals.talon)[level - min(LEVELS)], strain[:, None], axis=1)
    return Games(level, strain, (one, two), tricks, deals.means[int(plain)], told[:, 0])


def said(games: Games, convention: Convention, usual: Habits) -> NDArray[np.uint8]:
    """How the defenders reply, `Pattern` values (n,)."""
    return reply_pattern(*games.looks, games.level, convention, games.strain, usual)


def nets(games: Games, pattern: NDArray[np.uint8], convention: Convention) -> Floats:
    """Net whists of the declarer and both defenders, float64 (n, 3)."""
    table = payoff(convention, PLAYERS, 1).games[0, games.level - min(LEVELS)]
    net: Floats = table[pattern, games.tricks]
    return net


def asked(games: Games, question: str, usual: Habits) -> Bools:
    """In which games the question comes up, if the others reply by their habits."""
    def says(defender: int, name: str) -> Bools:
        told: Bools = games.looks[defender - 1].together >= usual.needs(
            name, games.level, games.strain)
        return told

    if question == "first":
        return np.ones(len(games), dtype=bool)
    whists = says(1, "first")
    if question == "half":
        return ~whists & ~says(2, "second")
    return whists if question == "after_whist" else ~whists


def gain(games: Games, question: str, convention: Convention, usual: Habits) -> Floats:
    """What saying it gains the defender over not saying it, the rest by habit, (n,)."""
    does, does_not = (
        nets(games, said(games, convention, replace(
            usual, **{question: np.full_like(usual.first, needs)})), convention)
        for needs in (-np.inf, np.inf))
    difference: Floats = (does - does_not)[:, QUESTIONS[question]]
    return difference


def judge(games: Games, question: str, convention: Convention, usual: Habits) -> Judged | None:
    """One question at one level, or None where it hardly comes up."""
    where = asked(games, question, usual)
    if np.count_nonzero(where) < FEWEST:
        return None
    values = games.looks[QUESTIONS[question] - 1].together[where]
    gains = gain(games, question, convention, usual)[where]
    now = float(usual.needs(question, games.level, games.strain[0]))
    says = values >= now
    near = np.abs(values - now) < NEAR
    return Judged(float(where.mean()), float(says.mean()), now, mean_error(gains[near & says]),
                  mean_error(gains[near & ~says]), threshold(values, gains),
                  regret(values, gains, now))


def regret(values: Floats, gains: Floats, now: float) -> tuple[float, float]:
    """What another threshold gains over `now`, and the error: chosen on halves, valued on others.

    >>> values = np.repeat([1.0, 2.0], 4)
    >>> regret(values, np.where(values > 1.5, 1.0, -1.0), 0.5)
    (0.5, 0.1889822365046136)
    """
    second = np.arange(len(values)) % 2 == 1
    change = np.empty(len(values))
    for half in (second, ~second):
        best = threshold(values[half], gains[half])
        other = ~half
        change[other] = gains[other] * ((values[other] >= best) * 1.0 - (values[other] >= now))
    return mean_error(change)


def mean_error(values: Floats) -> tuple[float, float]:
    """Mean and its standard error; nan where there are too few."""
    if len(values) < 2:
        return float("nan"), float("nan")
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def explained(games: Games) -> Iterator[float]:
    """Share of the variance of the defence's tricks that the outlooks explain.

    Of the first and the second defender, then of the same had the talon not been shown.
    """
    seen = [look.together for look in games.looks]
    for expected in (*seen, *(each - games.told for each in seen)):
        yield float(np.corrcoef(expected, games.tricks)[0, 1] ** 2)


def endings(games: Games, convention: Convention, usual: Habits) -> tuple[float, float, Floats]:
    """How whisted games end.

    Returns
    -------
    whisted, short : float
        Share of games that are whisted; of these, share in which the whisters owe more tricks
        than they take.
    over : float64 (21,)
        Share of whisted games by the declarer's tricks less the level, from ten fewer.
    """
    pattern = said(games, convention, usual)
    whisted = ~np.isin(pattern, UNPLAYED)
    alone = np.isin(pattern, [Pattern.FIRST, Pattern.SECOND])
    duty = np.where(alone, convention.duty(games.level, 1), convention.duty(games.level, 2))
    number = max(int(whisted.sum()), 1)
    short = ((10 - games.tricks < duty) & whisted).sum() / number
    over = np.bincount((games.tricks - games.level)[whisted] + 10, minlength=21) / number
    return float(whisted.mean()), float(short), over


def by_expected(
    games: Games, higher: Games, convention: Convention, usual: Habits
) -> Iterator[tuple[float, ...]]:
    """Of declarers by what they expect: share, tricks, net whists, and a level higher.

    Parts are split at `EXPECTED`; empty ones are nan.
    """
    part = np.digitize(games.mean, EXPECTED)
    net, other = (nets(each, said(each, convention, usual), convention)[:, 0]
                  for each in (games, higher))
    for at in range(len(EXPECTED) + 1):
        where = part == at
        yield (float(where.mean()), *(float(each[where].mean()) if where.any() else float("nan")
                                      for each in (games.tricks, net, other)))


def joined(games: Games, others: Games, which: Bools) -> Games:
    """Games and some of the others, all named at the level of the first."""
    looks = tuple(Outlook(np.append(one.together, other.together[which]),
                          np.append(one.own, other.own[which]))
                  for one, other in zip(games.looks, others.looks, strict=True))
    return Games(games.level, np.append(games.strain, others.strain[which]), (looks[0], looks[1]),
                 np.append(games.tricks, others.tricks[which]),
                 np.append(games.mean, others.mean[which]),
                 np.append(games.told, others.told[which]))


def answered(games: Games, convention: Convention, usual: Habits) -> Habits:
    """The habits with thresholds of this level, with trumps, settled on these games."""
    table = payoff(convention, PLAYERS, 1).games[0, games.level - min(LEVELS)]
    net = table[:, games.tricks, 1].T, table[:, games.tricks, 2].T
    ranked = [np.sort(look.together) for look in games.looks]
    at = 0, games.level - min(LEVELS)
    now = {name: float(getattr(usual, name)[at]) for name in THRESHOLDS}
    for turn in range(ROUNDS):
        found = best_thresholds(games.looks, net, convention, games.level, now)
        for name, best in found.items():
            now[name], _ = toward(ranked[name not in BY_THE_FIRST], now[name], best, 2 / (turn + 4))
    changed = {name: getattr(usual, name).copy() for name in THRESHOLDS}
    for name, needs in now.items():
        changed[name][at] = needs
    return replace(usual, **changed)


def underbids(
    deals: Bought, convention: Convention, usual: Habits
) -> Iterator[tuple[float, float, float, float, float]]:
    """If so many of those who expect seven tricks and name seven named six, whisters settled anew.

    Yields the share; the share of sixes whisted; declarer's net whists of a six to those who name
    it by habit, and to those who name seven; and of the seven.
    """
    six, sevens, asked_seven = (
        named_games(deals, level, usual, plain=False, named_at=at)
        for level, at in ((6, 6), (6, 7), (7, 7)))
    expect = sevens.mean >= 7
    order = np.argsort(np.random.default_rng(1).random(len(sevens)))
    by_seven = nets(asked_seven, said(asked_seven, convention, usual), convention)[expect, 0]
    for share in UNDERBIDS:
        named = joined(six, sevens, expect & (order < share * len(sevens)))
        then = answered(named, convention, usual)
        pattern = said(named, convention, then)
        net, other = (nets(each, said(each, convention, then), convention)[:, 0]
                      for each in (six, sevens))
        yield (share, float((~np.isin(pattern, UNPLAYED)).mean()), float(net.mean()),
               float(other[expect].mean()), float(by_seven.mean()))


def report(
    trumps: Bought, plain: Bought, convention: Convention, usual: Habits
) -> Iterator[str]:
    """All tables, line by line."""
    found = {(kind, level): games for kind, deals in enumerate((trumps, plain))
             for level in TOLD_LEVELS
             if len(games := named_games(deals, level, usual, plain=bool(kind))) >= FEWEST}
    yield from _judged(found, convention, usual)
    yield ""
    yield from _explained(found)
    yield ""
    yield from _ended(found, convention, usual)
    for level in (6, 7):
        if (0, level) in found:
            yield ""
            yield from _expected(found[0, level], trumps, convention, usual)
    yield ""
    yield from _underbid(trumps, convention, usual)


def _judged(found: Found, convention: Convention, usual: Habits) -> Iterator[str]:
    """Every threshold beside the best."""
    yield "| games | number | question | asked | says | threshold | above | below | best | regret |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|"
    for (kind, level), games in found.items():
        for question in QUESTIONS:
            if question == "half" and not half_allowed(convention, level):
                continue
            told = judge(games, question, convention, usual)
            if told is not None:
                yield _row(f"{level}{' NT' * kind}", len(games), question, told)


def _explained(found: Found) -> Iterator[str]:
    """How much a defender's cards tell of the tricks."""
    yield "| games | first | second | first, talon not shown | second, talon not shown |"
    yield "|---|--:|--:|--:|--:|"
    for (kind, level), games in found.items():
        told = " | ".join(f"{share:.0%}" for share in explained(games))
        yield f"| {level}{' NT' * kind} | {told} |"


def _ended(found: Found, convention: Convention, usual: Habits) -> Iterator[str]:
    """How whisted games end."""
    yield "| games | whisted | short | " + " | ".join(f"{over:+d}" for over in range(-3, 4)) + " |"
    yield "|---|--:|--:|" + "--:|" * 7
    for (kind, level), games in found.items():
        whisted, short, over = endings(games, convention, usual)
        shares = [over[:8].sum(), *over[8:13], over[13:].sum()]
        yield (f"| {level}{' NT' * kind} | {whisted:.0%} | {short:.0%} | "
               + " | ".join(f"{share:.1%}" for share in shares) + " |")


def _underbid(trumps: Bought, convention: Convention, usual: Habits) -> Iterator[str]:
    """What a six is worth to those who name seven, by how many do it."""
    yield "| sevens named six | whisted | net of other sixes | net of these | net of seven |"
    yield "|--:|--:|--:|--:|--:|"
    for share, whisted, *net in underbids(trumps, convention, usual):
        yield f"| {share:.0%} | {whisted:.0%} | " + " | ".join(f"{x:.2f}" for x in net) + " |"


def _expected(
    games: Games, deals: Bought, convention: Convention, usual: Habits
) -> Iterator[str]:
    level = games.level
    higher = named_games(deals, level + 1, usual, plain=False, named_at=level)
    yield f"| expected, named {level} | share | tricks | net whists | net of {level + 1} |"
    yield "|---|--:|--:|--:|--:|"
    bounds = ["", *(f"{each:g}" for each in EXPECTED), ""]
    parts = by_expected(games, higher, convention, usual)
    for low, high, (share, *told) in zip(bounds, bounds[1:], parts, strict=False):
        if share:
            yield f"| {low} - {high} | {share:.1%} | " + " | ".join(f"{x:.2f}" for x in told) + " |"


def _row(games: str, number: int, question: str, told: Judged) -> str:
    cells = [games, str(number), question.replace("_", " "), f"{told.asked:.0%}",
             f"{told.says:.0%}", f"{told.now:.2f}", _pair(told.above), _pair(told.below),
             f"{told.best:.2f}" if told.best < NEVER else "never", _pair(told.regret)]
    return f"| {' | '.join(cells)} |"


def _pair(told: tuple[float, float]) -> str:
    return "" if np.isnan(told[0]) else f"{told[0]:+.2f} ± {told[1]:.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Deal, solve and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--convention", default="sochi")
    told = parser.parse_args(arguments)
    convention, trumps, plain = both_kinds(
        told.convention, told.deals, np.random.default_rng([told.seed, 99]),
        plain_times=MORE_PLAIN)
    for line in report(trumps, plain, convention, habits(convention)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
