"""What a tournament says: net whists of each policy with their errors, contracts, all-passes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from advisor.rules.contracts import LEVELS
from advisor.rules.conventions import Convention
from advisor.rules.deal import SEATS
from advisor.trials.table import Played

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
NORMAL_95 = 1.96
ROLES = ("declarer", "defender", "all-pass")
MISERE_ROW = "misere"
CONTRACTS = (*(str(level) for level in LEVELS), MISERE_ROW)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over independent deals.

    Parameters
    ----------
    mean : float
    half : float
        Half the width of its 95 % interval; nan for a single deal.
    """

    mean: float
    half: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of zero."""
        return abs(self.mean) > self.half

    def to_json(self) -> dict[str, float | None]:
        """As in the JSON report."""
        half = None if np.isnan(self.half) else round(self.half, 4)
        return {"mean": round(self.mean, 4), "ci95": half}


def interval(values: Floats) -> Interval:
    """Mean of independent values (n,) with the normal 95 % interval."""
    n = len(values)
    half = NORMAL_95 * float(values.std(ddof=1)) / n**0.5 if n > 1 else float("nan")
    return Interval(float(values.mean()), half)


@dataclass(frozen=True)
class ArenaResult:
    """A tournament.

    Parameters
    ----------
    policies : tuple of str
    lineups : tuple of tuple of int
        Who sat in the three seats, as indices into `policies`.
    convention : Convention
    seed : int
    asked : int
        Deals wanted.
    played : tuple of tuple of Played
        By deal, by lineup.
    seconds : float
        Wall time.
    """

    policies: tuple[str, ...]
    lineups: tuple[tuple[int, ...], ...]
    convention: Convention
    seed: int
    asked: int
    played: tuple[tuple[Played, ...], ...]
    seconds: float

    @property
    def deals(self) -> int:
        """Deals played, each in every lineup."""
        return len(self.played)

    @property
    def complete(self) -> bool:
        """Whether all deals wanted were played."""
        return self.deals == self.asked

    @cached_property
    def nets(self) -> Floats:
        """Net whists of each policy in each deal, the mean of its seats, float64 (deals, p)."""
        nets: Floats = self._by_role().sum(axis=2)
        return nets

    def net(self, policy: int) -> Interval:
        """Net whists a deal of one policy."""
        return interval(self.nets[:, policy])

    def difference(self, one: int, two: int) -> Interval:
        """By how many net whists a deal the first of two policies does better, paired by deal."""
        return interval(self.nets[:, one] - self.nets[:, two])

    def pairs(self) -> list[tuple[int, int, Interval]]:
        """Every two policies with their difference."""
        return [
            (a, b, self.difference(a, b)) for a, b in combinations(range(len(self.policies)), 2)
        ]

    def roles(self, policy: int) -> dict[str, Interval]:
        """The policy's net whists a deal, split by what it did; the parts sum to the whole."""
        split = self._by_role()[:, policy]
        return {role: interval(split[:, i]) for i, role in enumerate(ROLES)}

    def _by_role(self) -> Floats:
        """float64 (deals, policies, roles): net whists of a seat, meaned over seats."""
        out = np.zeros((self.deals, len(self.policies), len(ROLES)))
        for number, deal in enumerate(self.played):
            for seats, game in zip(self.lineups, deal, strict=True):
                for seat in SEATS:
                    out[number, seats[seat], _role(game, seat)] += game.net[seat]
        means: Floats = out / self._seats()[:, None]
        return means

    def _seats(self) -> NDArray[np.intp]:
        """Seats each policy holds in all lineups together, intp (policies,)."""
        return np.bincount(np.ravel(self.lineups), minlength=len(self.policies))

    def contracts(self, policy: int) -> dict[str, tuple[int, int]]:
        """How often the policy declared each level or misère, and how often it made it."""
        found = dict.fromkeys(CONTRACTS, (0, 0))
        for deal in self.played:
            for seats, game in zip(self.lineups, deal, strict=True):
                if game.declarer is not None and seats[game.declarer] == policy:
                    row = str(game.contract.level) if game.contract.is_game else MISERE_ROW
                    times, made = found[row]
                    found[row] = times + 1, made + game.made
        return found

    def declared(self, policy: int) -> tuple[int, int, int]:
        """How often the policy sat at the table, declared, and made what it declared."""
        times, made = np.sum(list(self.contracts(policy).values()), axis=0)
        return int(self._seats()[policy]) * self.deals, int(times), int(made)

    @property
    def all_pass(self) -> float:
        """Share of the games nobody declared."""
        return float(np.mean([game.declarer is None for deal in self.played for game in deal]))

    def to_frame(self) -> pd.DataFrame:
        """Every seat of every game.

        Columns: deal, lineup (policies of seats 1 2 3), seat (1..3), policy, auction, role,
        contract, discard, whist (replies, empty without), tricks (the seat's, nan if none were
        played), made (bool, of the contract; missing in an all-pass), net (whists).
        """
        import pandas as pd

        frame = pd.DataFrame(
            [
                row
                for number, deal in enumerate(self.played, 1)
                for seats, game in zip(self.lineups, deal, strict=True)
                for row in self._rows(number, seats, game)
            ]
        )
        return frame.astype({"tricks": float, "made": "boolean"})

    def _rows(self, number: int, seats: tuple[int, ...], game: Played) -> list[dict[str, Any]]:
        from advisor.cards import format_cards

        common = {
            "deal": number,
            "lineup": " ".join(self.policies[who] for who in seats),
            "auction": " ".join(map(str, game.auction.calls)),
            "contract": str(game.contract),
            "discard": format_cards(game.discard),
            "whist": " ".join(reply.value for reply in game.replies or ()),
            "made": None if game.declarer is None else game.made,
        }
        return [
            common
            | {
                "seat": seat + 1,
                "policy": self.policies[seats[seat]],
                "role": ROLES[_role(game, seat)],
                "tricks": None if game.tricks is None else game.tricks[seat],
                "net": round(game.net[seat], 4),
            }
            for seat in SEATS
        ]

    def summary(self) -> pd.DataFrame:
        """One row a policy.

        Columns: policy, net, ci95 (net whists a deal and half the width of the 95 % interval),
        declarer, defender, all-pass (its parts), declares, made (shares).
        """
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "policy": name,
                    "net": self.net(i).mean,
                    "ci95": self.net(i).half,
                    **{role: part.mean for role, part in self.roles(i).items()},
                    "declares": times / sat,
                    "made": made / times if times else float("nan"),
                }
                for i, name in enumerate(self.policies)
                for sat, times, made in [self.declared(i)]
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The summary as one JSON object."""
        return {
            "convention": self.convention.name,
            "seed": self.seed,
            "deals": self.deals,
            "complete": self.complete,
            "lineups": [[self.policies[who] for who in seats] for seats in self.lineups],
            "unit": "net whists a deal",
            "seconds": round(self.seconds, 1),
            "all_pass": round(self.all_pass, 4),
            "policies": [self._policy_json(i) for i in range(len(self.policies))],
            "pairs": [
                {"better": self.policies[a], "than": self.policies[b], **found.to_json()}
                for a, b, found in self.pairs()
            ],
        }

    def _policy_json(self, policy: int) -> dict[str, Any]:
        sat, times, made = self.declared(policy)
        return {
            "policy": self.policies[policy],
            "net": self.net(policy).to_json(),
            "roles": {role: part.to_json() for role, part in self.roles(policy).items()},
            "sat": sat,
            "declared": times,
            "made": made,
            "contracts": {
                row: {"declared": n, "made": kept}
                for row, (n, kept) in self.contracts(policy).items()
            },
        }


def _role(game: Played, seat: int) -> int:
    """Index into `ROLES`."""
    if game.declarer is None:
        return 2
    return int(game.declarer != seat)
