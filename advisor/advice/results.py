"""What the advisor answers: options with expected scores and errors, best first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from advisor.cards import format_cards, format_hand
from advisor.records.hand import Decision, HandRecord
from advisor.rules.calls import Call
from advisor.rules.contracts import Contract
from advisor.rules.deal import Reply
from advisor.rules.settlement import number
from advisor.tricks.guide import RuleOfThumb

if TYPE_CHECKING:
    import pandas as pd

# How a deal may end for the player, besides his own contracts.
ALL_PASS_END = "all-pass"
WHIST_END = "you whist"
HALF_END = "you go half"
IDLE_END = "you pass"
THEIR_MISERE_END = "their misere"
# How the defenders' replies may end, where the player defends.
BOTH_WHIST_END = "both whist"
OTHER_WHISTS_END = "the other whists"
OTHER_HALF_END = "the other goes half"
NOBODY_WHISTS_END = "nobody whists"
PRINTED = 8


@dataclass(frozen=True, slots=True)
class Option:
    """One call, one contract with its discard, or one reply of a defender.

    Parameters
    ----------
    call : Call or None
        What to say, while bidding.
    contract : Contract or None
        What to declare, with the talon taken.
    discard : int
        Mask of the two cards thrown; 0 while bidding.
    ev, se : float
        Expected score and its standard error, net whists.
    behind, behind_se : float
        Distance to the best option (0 or less) and the error of this paired difference, net
        whists.
    p_make : float or None
        Chance of making the contract, where the player declares; None if he never does. Of a reply:
        the declarer's chance.
    declares : float
        Share of deals in which the player declares.
    becomes : mapping
        Share of deals by how they end: a contract of the player, or one of the ``*_END`` words.
    tricks : tuple of float or None
        Probability of 0..10 tricks of the declarer, for a contract or a reply.
    mean_tricks : float or None
        The declarer's expected tricks, for a call (where the player declares) or a reply.
    discards : mapping of card mask to float
        What he then throws most often, as shares of the deals he declares, for a call.
    reply : Reply or None
        What to say to another's contract.
    """

    call: Call | None
    contract: Contract | None
    discard: int
    ev: float
    se: float
    behind: float
    behind_se: float
    p_make: float | None
    declares: float
    becomes: Mapping[str, float]
    tricks: tuple[float, ...] | None = None
    mean_tricks: float | None = None
    discards: Mapping[int, float] = field(default_factory=dict)
    reply: Reply | None = None

    @property
    def name(self) -> str:
        """``6S``, ``pass``, ``7S C8 D7`` for a contract with its discard, ``whist`` for a reply."""
        if self.reply is not None:
            return self.reply.value
        if self.call is not None:
            return str(self.call)
        return f"{self.contract} {format_cards(self.discard)}".strip()

    def to_json(self) -> dict[str, Any]:
        """The option as in the JSON report; probabilities rounded to 4 places."""
        out: dict[str, Any] = {"option": self.name}
        if self.contract is not None:
            out |= {"contract": str(self.contract), "discard": format_cards(self.discard)}
        out |= {
            "ev": round(self.ev, 4), "se": _rounded(self.se),
            "behind": round(self.behind, 4), "behind_se": _rounded(self.behind_se),
            "p_make": None if self.p_make is None else round(self.p_make, 4),
        }
        if self.call is not None:
            out |= {"declares": round(self.declares, 4),
                    "mean_tricks": None if self.mean_tricks is None else round(self.mean_tricks, 3),
                    "discards": {format_cards(away): round(share, 4)
                                 for away, share in self.discards.items()},
                    "becomes": {end: round(share, 4) for end, share in self.becomes.items()}}
        if self.reply is not None:
            assert self.mean_tricks is not None
            out |= {"mean_tricks": round(self.mean_tricks, 3),
                    "becomes": {end: round(share, 4) for end, share in self.becomes.items()}}
        if self.tricks is not None:
            out["tricks"] = {str(k): round(p, 4) for k, p in enumerate(self.tricks) if p >= 5e-5}
        return out


def _situation_json(record: HandRecord) -> dict[str, Any]:
    """What else is known of the table; absent things are null, players stand in seat order."""
    pulka = record.pulka
    return {
        "talon": format_cards(record.talon) if record.talon else None,
        "contract": None if record.contract is None else str(record.contract),
        "declarer": None if record.declarer is None else record.declarer + 1,
        "whist": None if record.whist is None else record.whist.value,
        "styles": list(record.styles),
        "pulka": None if pulka is None else {
            "pool": [number(points) for points in pulka.pool],
            "mountain": [number(points) for points in pulka.mountain], "target": pulka.target},
    }


def _share(chance: float | None) -> str:
    return "-" if chance is None else f"{chance:.1%}"


def _rounded(value: float) -> float | None:
    return None if value != value else round(value, 4)


@dataclass(frozen=True, slots=True)
class Advice:
    """The whole answer for one hand.

    Parameters
    ----------
    record : HandRecord
    decision : "bid", "declare" or "whist"
    options : tuple of Option
        Best first.
    evaluator : str
    deals : int
        Deals evaluated.
    ess : float
        Effective sample size, deals.
    exhaustive : bool
        Whether the deals are all there are: then there is no sampling error.
    seed : int
    seconds : float
        Wall time of the evaluation.
    rule : RuleOfThumb or None
        The seed text's rule on the ten cards, while bidding.
    complete : bool
        False where the work was interrupted and fewer deals count than were wanted.
    """

    record: HandRecord
    decision: Decision
    options: tuple[Option, ...]
    evaluator: str
    deals: int
    ess: float
    exhaustive: bool
    seed: int
    seconds: float
    rule: RuleOfThumb | None
    complete: bool = True

    @property
    def best(self) -> Option:
        """The first option."""
        return self.options[0]

    def __str__(self) -> str:
        """The best `PRINTED` options as a small table, in plain letters; EVs in net whists."""
        shown = self.options[:PRINTED]
        width = max(len("option"), *(len(option.name) for option in shown))
        hand = format_hand(self.record.cards, symbols=False)
        lines = [f"{hand}, {self.deals:,} deals, {self.evaluator}",
                 f"{'option':<{width}}       EV     se   behind   makes"]
        lines += [f"{option.name:<{width}}  {option.ev:+7.2f} {option.se:6.2f} {option.behind:8.2f}"
                  f"  {_share(option.p_make):>6}" for option in shown]
        if left := len(self.options) - len(shown):
            lines.append(f"... {left} more")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        record = self.record
        return {
            "file": record.source, "decision": self.decision,
            "convention": record.convention.name, "players": record.players,
            "seat": record.seat + 1, "hand": format_hand(record.cards, symbols=False),
            "auction": [str(call) for call in record.auction.calls],
            "all_passes": record.all_passes,
            **_situation_json(record),
            "evaluator": self.evaluator, "deals": self.deals, "ess": round(self.ess, 1),
            "exhaustive": self.exhaustive, "complete": self.complete, "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "unit": "net whists", "best": self.best.name,
            "options": [option.to_json() for option in self.options],
        }

    def to_frame(self) -> pd.DataFrame:
        """Options as a table, one row each, best first.

        Columns: option, ev, se, behind, behind_se (net whists), p_make, declares
        (probabilities), and for a contract also contract, discard.
        """
        import pandas as pd

        rows = [option.to_json() for option in self.options]
        keep = ("option", "contract", "discard", "ev", "se", "behind", "behind_se", "p_make",
                "declares")
        frame = pd.DataFrame([{key: row[key] for key in keep if key in row} for row in rows])
        return frame.astype({"p_make": float})
