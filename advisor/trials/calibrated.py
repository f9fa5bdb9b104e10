"""What a calibration found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.advice.results import Option
from advisor.records.hand import HandRecord
from advisor.rules.contracts import Contract
from advisor.rules.conventions import Convention
from advisor.trials.reliability import Reliability, measure
from advisor.trials.results import NORMAL_95

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Trial:
    """One hand whose first call was a bid.

    Parameters
    ----------
    record : HandRecord
        The ten cards at the first turn.
    first : Option
        The best call then.
    told : Option or None
        The best contract and discard with twelve cards, where the player came to declare.
    contract : Contract or None
        What he declared.
    tricks : int or None
        What he takes with open cards.
    """

    record: HandRecord
    first: Option
    told: Option | None
    contract: Contract | None
    tricks: int | None

    @property
    def is_game(self) -> bool:
        """Whether the player came to declare a game on tricks, having bid for one."""
        return self.contract is not None and self.contract.is_game

    @property
    def made(self) -> bool:
        """Whether the contract declared is made with open cards."""
        if self.contract is None or self.tricks is None:
            return False
        return self.tricks >= self.contract.level if self.contract.is_game else self.tricks == 0


@dataclass(frozen=True, slots=True)
class Coverage:
    """Scores from few deals beside those from many, net whists.

    Parameters
    ----------
    best, second : tuple of float
        Mean and standard error from few deals, then from many: of the best call's score, and of the
        distance of the next one.
    """

    best: tuple[float, float, float, float]
    second: tuple[float, float, float, float]

    @property
    def contains(self) -> tuple[bool, bool]:
        """Whether the 95 % intervals hold the long run, its own error allowed for."""
        one, two = (
            bool(abs(few - many) <= NORMAL_95 * np.hypot(se, far))
            for few, se, many, far in (self.best, self.second)
        )
        return one, two


@dataclass(frozen=True)
class CalibrationResult:
    """Predictions and what became of them.

    Parameters
    ----------
    evaluator : str
    deals : int or None
        Sampled deals a decision; None for the evaluator's own number.
    others : str
        Policy of the other two.
    convention : Convention
    seed : int
    asked : int
        Hands wanted.
    long : int
        How many times the deals the long runs had.
    trials : tuple of Trial
    covered : tuple of Coverage
    seconds : float
        Wall time.
    """

    evaluator: str
    deals: int | None
    others: str
    convention: Convention
    seed: int
    asked: int
    long: int
    trials: tuple[Trial, ...]
    covered: tuple[Coverage, ...]
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all hands wanted were tried."""
        return len(self.trials) == self.asked

    @cached_property
    def bids(self) -> Reliability | None:
        """First calls that became a game of the player's on tricks; none without any."""
        return _measured([(trial.first, trial.made) for trial in self.trials if trial.is_game])

    @cached_property
    def declared(self) -> Reliability | None:
        """Games on tricks declared with twelve cards; none without any."""
        return _measured([(trial.told, trial.made) for trial in self.trials if trial.is_game])

    @cached_property
    def miseres(self) -> Reliability | None:
        """Misères with twelve cards; they are apart, since their chances are those of holes."""
        return _measured(
            [
                (trial.told, trial.made)
                for trial in self.trials
                if trial.contract is not None and not trial.is_game
            ]
        )

    @property
    def declares(self) -> tuple[float, float]:
        """Share of hands that came to declare: as predicted at the first call, and in fact."""
        return (
            float(np.mean([trial.first.declares for trial in self.trials])),
            float(np.mean([trial.contract is not None for trial in self.trials])),
        )

    @property
    def contained(self) -> tuple[int, int]:
        """Intervals that hold the long run: of the best score, of the next one's distance."""
        one, two = (
            zip(*(cover.contains for cover in self.covered), strict=True)
            if self.covered
            else ((), ())
        )
        return sum(one), sum(two)

    def to_frame(self) -> pd.DataFrame:
        """One row a hand.

        Columns: hand, seat (1..3), auction (heard before the first call), call, p_bid, declares
        (predicted at the first call), contract, discard, p_declared (predicted with twelve cards),
        mean_tricks (predicted then), tricks, made; the last six missing where another declared.
        """
        import pandas as pd

        from advisor.cards import format_cards, format_hand

        frame = pd.DataFrame(
            [
                {
                    "hand": format_hand(trial.record.cards, symbols=False),
                    "seat": trial.record.seat + 1,
                    "auction": " ".join(map(str, trial.record.auction.calls)),
                    "call": str(trial.first.call),
                    "p_bid": trial.first.p_make,
                    "declares": trial.first.declares,
                    "contract": None if trial.contract is None else str(trial.contract),
                    "discard": format_cards(trial.told.discard) if trial.told else None,
                    "p_declared": trial.told.p_make if trial.told else None,
                    "mean_tricks": _mean(trial.told),
                    "tricks": trial.tricks,
                    "made": None if trial.contract is None else trial.made,
                }
                for trial in self.trials
            ]
        )
        return frame.astype(
            {
                "p_bid": float,
                "p_declared": float,
                "mean_tricks": float,
                "tricks": float,
                "made": "boolean",
            }
        )

    def to_json(self) -> dict[str, Any]:
        """Bins, Brier scores and coverage as one JSON object."""
        expected, declared = self.declares
        best, second = self.contained
        return {
            "evaluator": self.evaluator,
            "deals": self.deals,
            "others": self.others,
            "convention": self.convention.name,
            "seed": self.seed,
            "hands": len(self.trials),
            "complete": self.complete,
            "seconds": round(self.seconds, 1),
            "declares": {"predicted": round(expected, 4), "observed": round(declared, 4)},
            "bids": self.bids.to_json() if self.bids else None,
            "declared": self.declared.to_json() if self.declared else None,
            "miseres": self.miseres.overall.to_json() if self.miseres else None,
            "coverage": {
                "hands": len(self.covered),
                "long": self.long,
                "score": best,
                "distance": second,
            }
            if self.covered
            else None,
        }


def _measured(pairs: list[tuple[Option | None, bool]]) -> Reliability | None:
    known = [
        (option.p_make, made)
        for option, made in pairs
        if option is not None and option.p_make is not None
    ]
    if not known:
        return None
    predicted, happened = zip(*known, strict=True)
    return measure(np.array(predicted), np.array(happened, dtype=np.bool_))


def _mean(option: Option | None) -> float | None:
    if option is None or option.tricks is None:
        return None
    return float(np.dot(option.tricks, np.arange(len(option.tricks))))
