"""What `advisor.advice.misere` finds, as objects and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.advice.results import Option
from advisor.advice.saving import Saving
from advisor.cards import Suit, card_code, cards_of, format_cards, format_hand
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE
from advisor.tricks.holes import SuitReport
from advisor.tricks.misere_game import MODELS, MisereModels

if TYPE_CHECKING:
    import pandas as pd

LEADERS = ("declarer", "next", "third")

@dataclass(frozen=True, slots=True)
class LeadReport:
    """A misère with one leader.

    Parameters
    ----------
    leader : int
        Column that leads: 0 the declarer, 1 the next clockwise, 2 the third.
    stands : float or None
        Chance of the ten cards as they are, open cards, if the talon were thrown whole; with
        twelve cards None.
    stands_error : float
    values, errors : dict of str to float
        Chance under the three models, and standard errors.
    low : float
        Model (b) with the declarer's play restricted.
    ev, ev_error : dict of str to float
        Expected score under the three models, net whists.
    models : MisereModels or None
        Discard by discard, with twelve cards.
    """

    leader: int
    stands: float | None
    stands_error: float
    values: dict[str, float]
    errors: dict[str, float]
    low: float
    ev: dict[str, float]
    ev_error: dict[str, float]
    models: MisereModels | None

    def to_json(self) -> dict[str, Any]:
        """The report as in the JSON output; probabilities rounded to 4 places."""
        out: dict[str, Any] = {
            "leader": LEADERS[self.leader],
            "chance": {m: max(0.0, round(self.values[m], 4)) for m in MODELS},
            "error": {m: round(self.errors[m], 4) for m in MODELS},
            "hidden_low": max(0.0, round(self.low, 4)),
            "hidden_width": round(self.values["hidden"] - self.low, 4),
            "ev": {m: round(self.ev[m], 2) for m in MODELS},
            "ev_error": {m: round(self.ev_error[m], 2) for m in MODELS},
        }
        if self.stands is not None:
            out |= {"as_it_stands": round(self.stands, 4),
                    "as_it_stands_error": round(self.stands_error, 4)}
        if self.models is not None:
            out["obvious_discard"] = format_cards(
                self.models.discards[self.models.obvious_discard])
            out["discards"] = [
                {"discard": format_cards(mask), "open": round(self.models.open[i], 4),
                 "open_error": round(self.models.open_error[i], 4),
                 "hidden": round(self.models.hidden[i], 4),
                 "obvious": round(self.models.obvious[i], 4),
                 "mixture": round(self.models.mixture[i], 4)}
                for i, mask in enumerate(self.models.discards)]
        return out


@dataclass(frozen=True, slots=True)
class MisereReport:
    """Everything about one misère hand.

    Parameters
    ----------
    record : HandRecord
    suits : dict of str to tuple of SuitReport
        By lead, ``own`` and ``other``: the four suits by the printed odds.
    percent : dict of str to float
        Sum of the printed chances, per cent, by lead.
    holes : int
    saving : Saving or None
        Holding ten cards.
    leads : tuple of LeadReport
        At the table first, then own lead or another's.
    passing, game : Option or None
        What it competes with, by the guide.
    deals, searched : int
        Layouts with open cards for each lead, and searched for plans.
    effective : float
        Effective number of layouts after the calls heard.
    seed : int
    seconds : float
    """

    record: HandRecord
    suits: dict[str, tuple[SuitReport, ...]]
    percent: dict[str, float]
    holes: int
    saving: Saving | None
    leads: tuple[LeadReport, ...]
    passing: Option | None
    game: Option | None
    deals: int
    searched: int
    effective: float
    seed: int
    seconds: float

    @property
    def allowed(self) -> bool:
        """Whether the auction that was told lets the player call or play a misère."""
        if self.record.assumed:
            return True
        if self.record.declares:
            return MISERE in self.record.contracts
        return any(call.is_misere for call in self.record.auction.legal_calls())

    def to_frame(self) -> pd.DataFrame:
        """One row a lead, discard and model of what the defenders know.

        Columns: leader (declarer, next, third), discard (empty for the hand as a whole, which mixes
        discards), model (open, hidden, obvious), chance, se (of making it and its standard error,
        missing where not known), ev, ev_se (net whists, of the hand as a whole).
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for lead in self.leads:
            leader = LEADERS[lead.leader]
            rows += [
                {"leader": leader, "discard": "", "model": model, "chance": lead.values[model],
                 "se": lead.errors[model], "ev": lead.ev[model], "ev_se": lead.ev_error[model]}
                for model in MODELS]
            if lead.models is None:
                continue
            chances = {"open": lead.models.open, "hidden": lead.models.hidden,
                       "obvious": lead.models.obvious}
            rows += [
                {"leader": leader, "discard": format_cards(mask), "model": model,
                 "chance": chances[model][i],
                 "se": lead.models.open_error[i] if model == "open" else None}
                for i, mask in enumerate(lead.models.discards) for model in MODELS]
        return pd.DataFrame(rows).astype({"chance": float, "se": float, "ev": float,
                                          "ev_se": float})

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        record = self.record
        out: dict[str, Any] = {
            "file": record.source, "hand": format_hand(record.cards, symbols=False),
            "seat": record.seat + 1, "convention": record.convention.name,
            "players": record.players, "allowed": self.allowed,
            "models": {"open": "defenders see the discard",
                       "hidden": "defenders must guess the discard",
                       "obvious": "defenders catch the obvious discard first"},
            "suits": [
                {"suit": Suit(s).name, "holding": other.holding, "clean": other.clean,
                 "printed_other_lead": [round(c, 4) for c in other.chances],
                 "printed_own_lead": [round(c, 4) for c in own.chances]}
                for s, (own, other) in enumerate(
                    zip(self.suits["own"], self.suits["other"], strict=True))],
            "printed_sum_percent": {k: round(v, 1) for k, v in self.percent.items()},
            "holes": self.holes,
            "leads": [lead.to_json() for lead in self.leads],
            "passing": None if self.passing is None else self.passing.to_json(),
            "game": None if self.game is None else self.game.to_json(),
            "deals": self.deals, "searched": self.searched,
            "effective": round(self.effective), "seed": self.seed,
            "seconds": round(self.seconds, 3), "unit": "net whists",
        }
        if self.saving is not None:
            s = self.saving
            out["saving"] = {
                "cards": [card_code(c) for c in cards_of(s.cards)], "number": s.cards.bit_count(),
                "chance": round(s.chance, 4), "clean_chance": round(s.clean, 4),
                "rule_of_seven": s.rule_of_seven,
                "with_lone_eights": {
                    "cards": [card_code(c) for c in cards_of(s.eights)],
                    "number": s.eights.bit_count(), "chance": round(s.eights_chance, 4),
                    "clean_chance": round(s.eights_clean, 4)}}
        return out
