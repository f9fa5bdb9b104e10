"""What the decisions of a session cost, by the advisor's own measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from advisor.advice.decide import advise
from advisor.advice.results import Advice, Option
from advisor.errors import InputError
from advisor.records.session import PlayedHand

if TYPE_CHECKING:
    import pandas as pd

UNSURE = 2.0


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One decision and what is advised instead.

    Parameters
    ----------
    hand : PlayedHand
    advice : Advice
    option : Option
        What was said, valued on the same deals as the best.
    """

    hand: PlayedHand
    advice: Advice
    option: Option

    @property
    def lost(self) -> float:
        """Expected score given away, net whists, 0 or more."""
        return abs(self.option.behind)

    @property
    def se(self) -> float:
        """Standard error of `lost`, net whists."""
        return self.option.behind_se

    @property
    def is_best(self) -> bool:
        """Whether nothing was given away, though another option may be as good."""
        return round(self.lost, 9) == 0

    @property
    def is_unsure(self) -> bool:
        """Whether sampling may have made all of the loss: less than `UNSURE` of its errors."""
        return not self.is_best and not self.lost >= UNSURE * self.se

    def to_json(self) -> dict[str, Any]:
        """The decision as a JSON object; amounts in net whists."""
        return {
            "number": self.hand.number,
            "line": self.hand.line,
            "decision": self.advice.decision,
            "said": str(self.hand.said),
            "best": self.advice.best.name,
            "lost": round(self.lost, 4),
            "se": None if self.se != self.se else round(self.se, 4),
            "unsure": self.is_unsure,
            "ev": round(self.option.ev, 4),
            "ev_best": round(self.advice.best.ev, 4),
            "evaluator": self.advice.evaluator,
            "deals": self.advice.deals,
            "seed": self.advice.seed,
            "complete": self.advice.complete,
        }


@dataclass(frozen=True, slots=True)
class Losses:
    """What several decisions cost together and each on average, net whists with errors."""

    count: int
    best: int
    total: float
    se: float

    @property
    def mean(self) -> float:
        """Lost a decision."""
        return self.total / self.count

    @property
    def mean_se(self) -> float:
        """Its standard error."""
        return self.se / self.count


def review_session(
    hands: Sequence[PlayedHand],
    *,
    seed: int = 1,
    progress: Callable[[float, int], None] | None = None,
    **options: Any,
) -> Iterator[Reviewed]:
    """Advise on one hand after another and look up what was said.

    Parameters
    ----------
    hands : sequence of PlayedHand
    seed : int
        Of the first hand; each further one has the next, so that their errors are independent.
    progress : callable, optional
        Called with (hands done, hands), also between whole ones.
    **options
        Of `advisor.advice.decide.advise`.

    Yields
    ------
    Reviewed
        In the order of the file; the last with fewer deals if the work was interrupted.

    Raises
    ------
    InputError
        A hand that cannot be advised on, or said what is not among its options.
    """
    for done, hand in enumerate(hands):

        def report(solved: int, total: int, before: int = done) -> None:
            if progress is not None:
                progress(before + solved / total, len(hands))

        advice = advise(hand.record, seed=seed + done, progress=report, why=False, **options)
        yield Reviewed(hand, advice, said_option(hand, advice))
        if progress is not None:
            progress(done + 1, len(hands))


def said_option(hand: PlayedHand, advice: Advice) -> Option:
    """What was said among the options; a contract without its discard counts with the best."""
    said = hand.said
    for option in advice.options:
        if option.name == str(said) or (
            said.contract is not None and not said.discard and option.contract == said.contract
        ):
            return option
    raise InputError(
        "'{found}' is not among the options; expected {expected}",
        found=str(said),
        expected=", ".join(option.name for option in advice.options),
        source=hand.record.source,
        line=hand.line,
    )


def worst_first(reviewed: Iterable[Reviewed]) -> list[Reviewed]:
    """By falling loss; equal ones in the order of the file."""
    return sorted(reviewed, key=lambda one: (-round(one.lost, 9), one.hand.number))


def losses(reviewed: Sequence[Reviewed]) -> Losses:
    """The sum of at least one decision, whose errors are independent."""
    return Losses(
        len(reviewed),
        sum(one.is_best for one in reviewed),
        sum(one.lost for one in reviewed),
        sqrt(sum(one.se**2 for one in reviewed)),
    )


def review_frame(reviewed: Sequence[Reviewed]) -> pd.DataFrame:
    """Decisions as a table, one row each, in the order of the file.

    Columns: number (of the hand in the file), line, decision (bid, declare, whist), said, best,
    lost, se (net whists), unsure (whether sampling may have made all of the loss), ev, ev_best (net
    whists), evaluator, deals, seed, complete.
    """
    import pandas as pd

    rows = [one.to_json() for one in sorted(reviewed, key=lambda one: one.hand.number)]
    return pd.DataFrame(rows).astype({"se": float})


def review_json(reviewed: Sequence[Reviewed], asked: int) -> dict[str, Any]:
    """A session's review as one JSON object, worst decision first."""
    sums = losses(reviewed)
    unknown = sums.se != sums.se
    return {
        "file": reviewed[0].hand.record.source,
        "unit": "net whists",
        "hands": asked,
        "reviewed": sums.count,
        "best": sums.best,
        "total": {"lost": round(sums.total, 4), "se": None if unknown else round(sums.se, 4)},
        "mean": {"lost": round(sums.mean, 4), "se": None if unknown else round(sums.mean_se, 4)},
        "decisions": [one.to_json() for one in worst_first(reviewed)],
    }
