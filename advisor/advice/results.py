"""What the advisor answers: options with expected scores and errors, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from advisor.advice.payoff import pulka_matters
from advisor.advice.rounding import told
from advisor.cards import card_code, format_cards, format_hand
from advisor.records.hand import Decision, HandRecord
from advisor.rules.calls import Call, CallKind
from advisor.rules.contracts import Contract
from advisor.rules.conventions import bidding_parent, is_shipped, options_of
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
# How his contract ends: ``made 7``, ``unplayed 7`` where nobody whists or one for half, ``down 1``;
# the last of `DOWN` is that many or more.
MADE, UNPLAYED_END, DOWN, MISERE_MADE, MISERE_CAUGHT = \
    "made", "unplayed", "down", "misere made", "misere caught"
MOST_DOWN = 3
THEN = ", "  # between how the replies end and what becomes of the contract
# Of the JSON report; it changes when an older reader would no longer understand.
FORMAT = 1
PRINTED = 8
UNSEEN = 22
# Standard errors by which a rival is behind, or whists within which he is as good.
CLEAR = 2.5
INDIFFERENT = 0.1


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
    solved : bool
        Whether solved deals correct what the tables say of it, with the evaluator "auto".
    tables_ev : float or None
        Expected score by the tables alone where solved deals correct it, net whists.
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
    solved: bool = False
    tables_ev: float | None = None
    reply: Reply | None = None

    @property
    def name(self) -> str:
        """``6S``, ``pass``, ``7S C8 D7`` for a contract with its discard, ``whist`` for a reply."""
        if self.reply is not None:
            return self.reply.value
        if self.call is not None:
            return str(self.call)
        return f"{self.contract} {format_cards(self.discard)}".strip()

    @property
    def expected_tricks(self) -> float | None:
        """The declarer's expected tricks, where he declares; None if he never does."""
        if self.tricks is None or self.mean_tricks is not None:
            return self.mean_tricks
        return sum(k * chance for k, chance in enumerate(self.tricks))

    def to_json(self) -> dict[str, Any]:
        """The option as in the JSON report: numbers as told, unknown errors ``None``."""
        out: dict[str, Any] = {"option": self.name}
        if self.contract is not None:
            out |= {"contract": str(self.contract), "discard": format_cards(self.discard)}
        out |= {
            "ev": told(self.ev), "se": _known(self.se), "behind": told(self.behind),
            "behind_se": _known(self.behind_se), "p_make": told(self.p_make),
            "declares": told(self.declares), "mean_tricks": told(self.mean_tricks),
        }
        if self.call is not None:
            out["discards"] = {format_cards(away): told(part)
                               for away, part in self.discards.items()}
        out |= {"becomes": {end: told(part) for end, part in self.becomes.items()},
                "solved": self.solved, "tables_ev": told(self.tables_ev)}
        if self.tricks is not None:
            out["tricks"] = {str(k): told(p) for k, p in enumerate(self.tricks) if told(p)}
        return out


def is_pass(option: Option) -> bool:
    """Whether the option is to pass, whose worth is the roughest of all estimates."""
    return option.call is not None and option.call.kind is CallKind.PASS


def rivals(options: Sequence[Option]) -> tuple[Option, ...]:
    """The solved options, after the best, that are neither told apart from it nor as good."""
    return tuple(
        option for option in options[1:]
        if option.solved and not (-option.behind > CLEAR * option.behind_se
                                  or CLEAR * option.behind_se - option.behind < INDIFFERENT))


def _situation_json(record: HandRecord) -> dict[str, Any]:
    """What else is known of the table; absent things are null, players stand in seat order."""
    pulka = record.pulka
    return {
        "talon": format_cards(record.talon) if record.talon else None,
        "contract": None if record.contract is None else str(record.contract),
        "declarer": None if record.declarer is None else record.declarer + 1,
        "whist": None if record.whist is None else record.whist.value,
        "styles": list(record.styles), "bids_as": bidding_parent(record.convention),
        "pulka": None if pulka is None else {
            "pool": [number(points) for points in pulka.pool],
            "mountain": [number(points) for points in pulka.mountain], "target": pulka.target,
            "over": pulka.is_over(record.convention), "matters": pulka_matters(record)},
    }


def _share(chance: float | None) -> str:
    return "-" if chance is None else f"{chance:.1%}"


@dataclass(frozen=True, slots=True)
class Ending:
    """One way a deal ends.

    Parameters
    ----------
    end : str
        One of the ``*_END`` words, ``made 7``, ``unplayed 7``, ``down 1``, `MISERE_MADE` or
        `MISERE_CAUGHT`; for a defender ``you whist, down 1`` where the replies have it played.
    share : float
        Of the deals.
    net : float
        Mean score where it ends so, net whists.
    """

    end: str
    share: float
    net: float


@dataclass(frozen=True, slots=True)
class TalonCard:
    """A talon card that helps.

    Parameters
    ----------
    card : int
        0..31.
    gain, se : float
        Mean score with it in the talon less the mean of all talons, and its error, net whists.
    """

    card: int
    gain: float
    se: float


@dataclass(frozen=True, slots=True)
class Why:
    """The best option's score taken apart.

    Parameters
    ----------
    endings : tuple of Ending
        The likeliest first; shares sum to 1.
    change : float
        What solving changes of their mean, net whists.
    talon : tuple of TalonCard
        The best talon cards, best first; none once the talon is known.
    guide_tricks, tricks : float or None
        The declarer's tricks by the printed guide and by the evaluator, solved deals included; of
        the plays he declares where the player is the declarer.
    lead : (float, float) or None
        Tricks that leading oneself brings against the next player's lead, and the error.
    usual : str or None
        What a usual defender of the player's cards replies, see
        `advisor.advice.whisting.usual_reply`.
    """

    endings: tuple[Ending, ...]
    change: float
    talon: tuple[TalonCard, ...]
    guide_tricks: float | None
    tricks: float | None
    lead: tuple[float, float] | None
    usual: str | None = None

    @property
    def talon_chance(self) -> float:
        """Chance that at least one of the cards of `talon` comes."""
        rest = UNSEEN - len(self.talon)
        return 1 - rest * (rest - 1) / (UNSEEN * (UNSEEN - 1))

    def to_json(self) -> dict[str, Any]:
        """The parts as in the JSON report."""
        return {
            "endings": [{"end": one.end, "share": told(one.share), "net": told(one.net)}
                        for one in self.endings],
            "solving_changes": told(self.change),
            "talon": [{"card": card_code(one.card), "gain": told(one.gain), "se": _known(one.se)}
                      for one in self.talon],
            "talon_chance": told(self.talon_chance) if self.talon else None,
            "guide_tricks": told(self.guide_tricks), "tricks": told(self.tricks),
            "lead": None if self.lead is None else [told(self.lead[0]), _known(self.lead[1])],
            "usual": self.usual,
        }


def _known(error: float) -> float | None:
    """A standard error as told; ``None`` where it is not known."""
    return told(error) if error == error else None


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
    solved : int
        Deals solved to correct the tables, with the evaluator "auto".
    stopped : str or None
        Why it stopped solving, see `advisor.advice.refining.Refined`.
    why : Why or None
        The best option taken apart, where it was asked for.
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
    solved: int = 0
    stopped: str | None = None
    why: Why | None = None

    @property
    def best(self) -> Option:
        """The first option."""
        return self.options[0]

    @property
    def pulka_matters(self) -> bool:
        """Whether the state of the pulka changes what this deal is worth."""
        return pulka_matters(self.record)

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
        """The report as one JSON object, which `advisor.advice.saved.read_advice` reads back."""
        record = self.record
        return {
            "format": FORMAT, "file": record.source, "decision": self.decision,
            "convention": record.convention.name,
            "convention_options": None if is_shipped(record.convention)
            else options_of(record.convention),
            "players": record.players,
            "seat": record.seat + 1, "hand": format_hand(record.cards, symbols=False),
            "auction": [str(call) for call in record.auction.calls], "assumed": record.assumed,
            "all_passes": record.all_passes,
            **_situation_json(record),
            "evaluator": self.evaluator, "deals": self.deals, "ess": told(self.ess),
            "exhaustive": self.exhaustive, "complete": self.complete, "seed": self.seed,
            "solved": self.solved, "stopped": self.stopped,
            "seconds": told(self.seconds),
            "unit": "net whists", "best": self.best.name,
            "why": None if self.why is None else self.why.to_json(),
            "options": [option.to_json() for option in self.options],
        }

    def to_frame(self) -> pd.DataFrame:
        """Options as a table, one row each, best first.

        Columns: option, ev, se, behind, behind_se (net whists), p_make, declares (probabilities),
        mean_tricks (the declarer's expected tricks), solved (whether solved deals correct it);
        after the option, where the talon is taken, contract and discard. What does not apply, or
        is not known, is missing.
        """
        import pandas as pd

        rows = [
            {"option": one.name,
             **({} if one.contract is None else {"contract": str(one.contract),
                                                 "discard": format_cards(one.discard)}),
             "ev": one.ev, "se": one.se, "behind": one.behind, "behind_se": one.behind_se,
             "p_make": one.p_make, "declares": one.declares, "mean_tricks": one.expected_tricks,
             "solved": one.solved} for one in self.options]
        return pd.DataFrame(rows).astype({"p_make": float, "mean_tricks": float})
