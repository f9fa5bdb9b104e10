"""What the choices of experts cost: ``python -m benchmarks.expert_cases``.

Every decision of ``data/experts/cases.csv`` is valued with the evaluator ``auto``, the expert's
play among the options; where he leaves several open the cheapest counts. The table is written to
``docs/expert_cases.md``; who is right where the two differ, found by hand, is taken from
``data/experts/verdicts.csv``. With ``--deals`` (the default) the same seed gives the same table.

Where a row says nothing of competition the layouts are not weighed by calls, since it holds for all
auctions (`Unheard`); *passes heard* has the cost when two passes are heard instead. *No errors* has
the cost against our play at any level, the whisters knowing how many tricks there are
(`benchmarks.unerring`): there the experts are judged by exact play and scoring alone.

Arguments: ``--deals N`` or ``--seconds S`` (a decision), ``--seed K``, ``--cases PREFIX`` (only
these; the table is then printed, not written), ``--convention NAME``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from time import perf_counter

import numpy as np

from advisor.advice.decide import advise, sample_deals
from advisor.advice.results import Option
from advisor.advice.review import said_option
from advisor.cards import format_hand
from advisor.rules.auction import Auction
from advisor.rules.conventions import load_convention
from advisor.sampling.bidder import PASS_LIMIT, Bidder, Floats, Masks
from benchmarks.experts import (
    COMPETITION,
    Decision,
    read_decisions,
    read_sources,
    read_verdicts,
)
from benchmarks.unerring import unerring_cost

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "expert_cases.md"
DEALS = 2_000
UNERRING_DEALS = 1_500
CLOSE = 1.0
WANTED = 0.85


@dataclass(frozen=True, slots=True)
class Unheard:
    """Other players of whose calls nothing is known."""

    def likelihood(self, hands: Masks, seat: int, auction: Auction) -> Floats:
        """One for every hand."""
        return np.ones(hands.shape)

    def limits(self, hands: Masks, seat: int, auction: Auction, rng: np.random.Generator) -> Floats:
        """They leave the auction to the player."""
        return np.full(hands.shape, PASS_LIMIT)


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision, ours against the expert's.

    Parameters
    ----------
    decision : Decision
    ours : Option
    expert : Option
        The cheapest of his choices.
    heard : float or None
        Its cost when two passes are heard, net whists; None where the row tells what is heard.
    unerring : float or None
        Its cost among whisters who never err, net whists; None without a game on tricks.
    """

    decision: Decision
    ours: Option
    expert: Option
    heard: float | None = None
    unerring: float | None = None

    @property
    def cost(self) -> float:
        """What his choice costs, net whists; 0 where it is ours."""
        return abs(self.expert.behind)

    @property
    def agrees(self) -> bool:
        """Whether it is ours or costs less than `CLOSE`."""
        return self.cost < CLOSE


def compare(
    decision: Decision,
    *,
    deals: int | None,
    seconds: float | None = None,
    seed: int = 1,
    convention: str = "sochi",
) -> Compared:
    """Value a decision once for each choice the expert leaves open, on the same deals."""

    def value(bidder: Bidder | None) -> tuple[Option, Option]:
        rules = load_convention(convention)
        found: list[tuple[Option, Option]] = []
        for hand in decision.choices:
            advice = advise(
                replace(hand.record, convention=rules),
                deals=deals,
                seconds=seconds,
                seed=seed,
                bidder=bidder,
                why=False,
            )
            found.append((advice.best, said_option(hand, advice)))
        return min(found, key=lambda pair: abs(pair[1].behind))

    either = decision.competition == "either"
    bidder = Unheard() if either else None
    ours, expert = value(bidder)
    return Compared(
        decision,
        ours,
        expert,
        abs(value(None)[1].behind) if either else None,
        _unerring(decision, ours, expert, bidder, seed) if decision.declares else None,
    )


def _unerring(
    decision: Decision, ours: Option, expert: Option, bidder: Bidder | None, seed: int
) -> float:
    """What the expert's choice costs against ours among whisters who never err."""
    record = decision.choices[0].record
    deals = sample_deals(record, UNERRING_DEALS, np.random.default_rng(seed), bidder)
    said = [(hand.said.contract, hand.said.discard) for hand in decision.choices]
    choices = [(contract, away) for contract, away in said if contract is not None and away]
    told, mine = ((option.contract, option.discard) for option in (expert, ours))
    assert told[0] is not None
    assert mine[0] is not None
    return unerring_cost(record, deals, [*choices, (told[0], told[1])], [(mine[0], mine[1])])


def document(compared: Sequence[Compared], how: str) -> str:
    """The table with its summary, as Markdown."""
    return "\n".join(
        [
            *_head(how),
            "",
            *_summary(compared),
            "",
            *_differences(compared),
            "",
            *_table(compared),
            "",
        ]
    )


def _head(how: str) -> Iterator[str]:
    yield "# Expert cases: what other people's choices cost"
    yield ""
    yield f"Written by `{how}`."
    yield ""
    yield (
        "The hands and choices are those of `data/experts/cases.csv`, with seat and competition "
        "as printed; how printed patterns became cards is said at its head. *Cost* is what the "
        "expert's choice gives away by the evaluator `auto`, in net whists a deal with the "
        "standard error of the paired difference, a dash where it is ours. Percentages are "
        "chances of making the contract, or a contract that follows the call. The talon is not "
        "printed: the defenders have seen any two of the twelve cards. Where nothing is printed of "
        "competition no calls weigh the layouts; *passes heard* is the cost when both others have "
        "passed. *No errors* is the cost against our play at any level where the "
        "whisters know the tricks, as D. Lesnoy's thresholds assume: no model of bidding or "
        "whisting has a say in it. Neither the convention nor the number of players is printed "
        "in the sources; here it is Sochi at a table of three."
    )
    yield ""
    yield (
        "*Whisters who fall short* are no fault of the model's thresholds: a defender whists a six "
        "by what his own ten cards and the talon tell him, a third of the sixes whisted end short, "
        "and judged by solved tricks no other threshold would gain him a tenth of a whist against "
        "a six or a seven. Naming six lives on being rare, though: the more of those who expect "
        "seven did it, the fewer sixes would be whisted (`python -m benchmarks.whisters`; "
        "ARCHITECTURE.md, *Replies of the defenders*)."
    )
    yield ""
    yield from (f"* {key}: {text}" for key, text in read_sources().items())


def _summary(compared: Sequence[Compared]) -> Iterator[str]:
    yield "## Summary"
    yield ""
    yield f"| decisions | number | ours | less than {CLOSE:g} whist | share | mean cost, whists |"
    yield "|---|---|---|---|---|---|"
    for title, part in groups(compared):
        if part:
            yield _counts(title, [one.cost for one in part])
    printed = [one for one in compared if one.decision.declares and one.decision.is_printed]
    if printed:
        yield _counts(
            "twelve cards, as printed, two passes heard where either is printed",
            [one.cost if one.heard is None else one.heard for one in printed],
        )
        yield _counts(
            "twelve cards, as printed, whisters who never err",
            [round(one.unerring or 0.0, 9) for one in printed],
        )


def _counts(title: str, costs: Sequence[float]) -> str:
    """A line of the summary."""
    number, ours = len(costs), sum(cost == 0 for cost in costs)
    close = sum(cost < CLOSE for cost in costs)
    return (
        f"| {title} | {number} | {ours} | {close - ours} | {close / number:.0%} "
        f"| {sum(costs) / number:.2f} |"
    )


def groups(compared: Sequence[Compared]) -> Iterator[tuple[str, list[Compared]]]:
    """The kinds of decisions under their titles."""
    twelve = [one for one in compared if one.decision.declares]
    printed = [one for one in twelve if one.decision.is_printed]
    yield "twelve cards, as printed", printed
    for competition, title in COMPETITION.items():
        if competition:
            yield (
                f"of these, competition: {title}",
                [one for one in printed if one.decision.competition == competition],
            )
    yield "twelve cards, the transcriber's", [one for one in twelve if not one.decision.is_printed]
    yield (
        "misère: the discard",
        [
            one
            for one in compared
            if not one.decision.declares and one.decision.choices[0].record.declares
        ],
    )
    yield (
        "ten cards: the call",
        [one for one in compared if not one.decision.choices[0].record.declares],
    )


def _differences(compared: Sequence[Compared]) -> Iterator[str]:
    verdicts = read_verdicts()
    yield f"## Where an expert's choice costs {CLOSE:g} whist or more"
    yield ""
    yield "| case | seats | cost, whists | right | why |"
    yield "|---|---|---|---|---|"
    differ: dict[str, list[Compared]] = {}
    for one in compared:
        if not one.agrees:
            differ.setdefault(one.decision.case, []).append(one)
    for case, part in differ.items():
        seats = ", ".join(dict.fromkeys(str(one.decision.seat) for one in part))
        costs = sorted(one.cost for one in part)
        cost = f"{costs[0]:.1f}" + (f" to {costs[-1]:.1f}" if len(costs) > 1 else "")
        right, why = verdicts.get(case, ("?", "not looked at"))
        yield f"| {case} | {seats} | {cost} | {right} | {why} |"


def _table(compared: Iterable[Compared]) -> Iterator[str]:
    yield "## Every decision"
    yield ""
    titles = (
        "case",
        "source",
        "seat",
        "competition",
        "hand",
        "expert",
        "",
        "ours",
        "",
        "passes heard",
        "no errors",
        "cost",
    )
    yield f"| {' | '.join(titles)} |"
    yield "|---" * len(titles) + "|"
    for one in compared:
        yield row(one)


def row(one: Compared) -> str:
    """A decision's line of the table."""
    decision = one.decision
    hand = format_hand(decision.choices[0].record.cards, symbols=False)
    competition = COMPETITION[decision.competition]
    if not decision.competition and (calls := decision.key[-1]):
        competition = calls
    cost = "-" if one.cost == 0 else f"{one.cost:.2f} ± {_error(one.expert.behind_se)}"
    return (
        f"| {decision.case} | {decision.source} | {decision.seat} | {competition} | {hand} "
        f"| {decision.expert} | {_made(one.expert)} | {one.ours.name} | {_made(one.ours)} "
        f"| {_plain(one.heard)} | {_plain(one.unerring)} | {cost} |"
    )


def _plain(cost: float | None) -> str:
    return "" if cost is None else f"{abs(cost):.2f}"


def _made(option: Option) -> str:
    return "-" if option.p_make is None else f"{option.p_make:.1%}"


def _error(value: float) -> str:
    return "?" if isnan(value) else f"{value:.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Value the cases and write or print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", default="")
    parser.add_argument("--convention", default="sochi")
    asked = parser.parse_args(arguments)
    deals = DEALS if asked.seconds is None and asked.deals is None else asked.deals
    compared = []
    for decision in read_decisions():
        if decision.case.startswith(asked.cases):
            start = perf_counter()
            one = compare(
                decision,
                deals=deals,
                seconds=asked.seconds,
                seed=asked.seed,
                convention=asked.convention,
            )
            compared.append(one)
            print(f"{row(one)} {perf_counter() - start:.1f} s", flush=True)
    limit = f"--deals {deals}" if deals is not None else f"--seconds {asked.seconds:g}"
    text = document(compared, f"python -m benchmarks.expert_cases {limit} --seed {asked.seed}")
    if asked.cases or asked.convention != "sochi":
        print(text)
    else:
        DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
