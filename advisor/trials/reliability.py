"""Predicted chances against what happened: bins with their sampling intervals, Brier score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BINS = 10
TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about the same size.

    Parameters
    ----------
    count : int
    low, high : float
        Smallest and largest prediction.
    predicted : float
        Their mean.
    observed : float
        Share of events that happened.
    least, most : float
        Where that share lies with at least 95 % if every prediction is right: the exact
        distribution of a sum of independent events, each with its own chance.
    """

    count: int
    low: float
    high: float
    predicted: float
    observed: float
    least: float
    most: float

    @property
    def inside(self) -> bool:
        """Whether what happened agrees with the predictions."""
        return self.least - 1e-12 <= self.observed <= self.most + 1e-12

    def to_json(self) -> dict[str, Any]:
        """As in the JSON report."""
        return {
            "count": self.count,
            "predicted": round(self.predicted, 4),
            "observed": round(self.observed, 4),
            "from": round(self.low, 4),
            "to": round(self.high, 4),
            "interval": [round(self.least, 4), round(self.most, 4)],
            "inside": self.inside,
        }


@dataclass(frozen=True, slots=True)
class Reliability:
    """How a set of predictions did.

    Parameters
    ----------
    bins : tuple of Bin
        By rising prediction, as equally filled as can be.
    overall : Bin
        All predictions as one bin.
    brier : float
        Mean square of prediction less event (0 or 1); 0 is perfect.
    reliability, resolution, uncertainty : float
        Its parts by bins (Murphy 1973): squared bias of the bins, spread of what happened between
        the bins, and what is there without any prediction. ``reliability - resolution +
        uncertainty`` is `brier` but for the spread of predictions within the bins.
    """

    bins: tuple[Bin, ...]
    overall: Bin
    brier: float
    reliability: float
    resolution: float
    uncertainty: float

    @property
    def inside(self) -> int:
        """How many bins agree with the predictions."""
        return sum(one.inside for one in self.bins)

    def to_json(self) -> dict[str, Any]:
        """As in the JSON report."""
        return {
            "overall": self.overall.to_json(),
            "bins": [one.to_json() for one in self.bins],
            "inside": self.inside,
            "brier": round(self.brier, 5),
            "reliability": round(self.reliability, 5),
            "resolution": round(self.resolution, 5),
            "uncertainty": round(self.uncertainty, 5),
        }


def measure(predicted: Floats, happened: NDArray[np.bool_], bins: int = BINS) -> Reliability:
    """Compare predictions (n,) with events (n,).

    Bins are filled equally rather than cut at round chances: most games are all but certain, and
    bins of ten per cent would leave nearly everything in the last. Of fewer predictions than bins
    each has a bin of its own.

    Raises
    ------
    ValueError
        Without predictions.
    """
    if not len(predicted):
        raise ValueError("no predictions to measure")
    order = np.argsort(predicted, kind="stable")
    parts = np.array_split(order, min(bins, len(order)))
    found = tuple(_bin(predicted[part], happened[part]) for part in parts)
    count = np.array([one.count for one in found])
    mean, seen = (
        np.array([getattr(one, name) for one in found]) for name in ("predicted", "observed")
    )
    base = float(happened.mean())
    return Reliability(
        found,
        _bin(predicted, happened),
        float(np.mean((predicted - happened) ** 2)),
        float(np.average((mean - seen) ** 2, weights=count)),
        float(np.average((seen - base) ** 2, weights=count)),
        base * (1 - base),
    )


def _bin(predicted: Floats, happened: NDArray[np.bool_]) -> Bin:
    n = len(predicted)
    upto = np.cumsum(successes(predicted))
    least, most = (int(np.searchsorted(upto, share)) for share in (TAIL, 1 - TAIL))
    return Bin(
        n,
        float(predicted.min()),
        float(predicted.max()),
        float(predicted.mean()),
        float(happened.mean()),
        least / n,
        min(most, n) / n,
    )


def successes(chances: Floats) -> Floats:
    """Distribution of the number of independent events that happen, float64 (n + 1,).

    >>> successes(np.array([0.5, 0.5])).tolist()
    [0.25, 0.5, 0.25]
    """
    found = np.ones(1)
    for chance in np.clip(chances, 0.0, 1.0):
        found = np.append(found * (1 - chance), 0.0) + np.append(0.0, found * chance)
    return found
