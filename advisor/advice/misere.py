"""A misère looked at from all sides: holes, saving cards, chances by model and lead, worth.

The layouts are drawn evenly; the calls heard do not weigh here. Holding ten cards, each talon has
layouts of its own, and the discard is chosen on one half of them and valued on the other; hiding
the discard is valued on some of the talons and added to all.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.advice.decide import advise
from advisor.advice.payoff import record_payoff
from advisor.advice.results import Option
from advisor.advice.saving import Saving, saving_cards
from advisor.cards import DECK, Suit, card_code, cards_of, format_cards, format_hand, holding
from advisor.errors import InputError
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE
from advisor.sampling.unseen import Unseen
from advisor.tricks.holes import SuitReport, misere_distribution, rule_of_80, suit_report
from advisor.tricks.misere import open_catches, sensible_discards
from advisor.tricks.misere_game import MODELS, MisereModels, solve_models
from advisor.tricks.solver import caught_deals, solve_deals

Masks = NDArray[np.uint32]
Floats = NDArray[np.float64]
DEALS = 1_000  # layouts, holding twelve cards
SEARCHED = 100  # of them searched for plans
TALON_DEALS = 2_310  # layouts, holding ten cards: ten under each talon
TALONS = 16  # talons on which hiding the discard is valued
TALON_LAYOUTS = 24
TALON_MOST = 4
PRIOR = 5.0  # layouts that the printed odds count for when a discard is chosen
COMPARED = 5_000  # deals of the guide, for passing and the best game
OTHER = 1


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
            "leader": ("declarer", "next", "third")[self.leader],
            "chance": {m: round(self.values[m], 4) for m in MODELS},
            "error": {m: round(self.errors[m], 4) for m in MODELS},
            "hidden_low": round(self.low, 4),
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
    seed: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        record = self.record
        out: dict[str, Any] = {
            "file": record.source, "hand": format_hand(record.cards, symbols=False),
            "seat": record.seat + 1, "convention": record.convention.name,
            "players": record.players,
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
            "deals": self.deals, "searched": self.searched, "seed": self.seed,
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


def study_misere(
    record: HandRecord, *, deals: int | None = None, seed: int = 1, threads: int | None = None
) -> MisereReport:
    """Look at a misère from all sides.

    Parameters
    ----------
    record : HandRecord
        Ten cards, or twelve with the talon taken.
    deals : int, optional
        Layouts for each lead.
    seed : int
        Same seed, same answer, whatever the number of threads.
    threads : int, optional
    """
    if record.decision == "whist":
        raise InputError("the hand is a defender's; leave the contract out to ask about a misère",
                         source=record.source)
    start = time.perf_counter()
    at_table = -record.seat % 3
    leaders = (at_table, OTHER if at_table == 0 else 0)
    look = _twelve if record.declares else _ten
    wanted = deals or (DEALS if record.declares else TALON_DEALS)
    reports = tuple(look(record, leader, wanted, seed, threads) for leader in leaders)
    suits = {
        "own": tuple(suit_report(holding(record.cards, s), 0, "own") for s in range(4)),
        "other": tuple(suit_report(holding(record.cards, s), 0, "other") for s in range(4)),
    }
    sums = {"own": rule_of_80(record.cards, True), "other": rule_of_80(record.cards, False)}
    passing, game = _rivals(record, seed)
    return MisereReport(
        record, suits, {lead: percent for lead, (percent, _) in sums.items()}, sums["other"][1],
        None if record.declares else saving_cards(record.cards), reports, passing, game,
        wanted, min(wanted, SEARCHED) if record.declares else TALONS * TALON_LAYOUTS, seed,
        time.perf_counter() - start)


def _rivals(record: HandRecord, seed: int) -> tuple[Option | None, Option | None]:
    """Passing and the best game, by the guide."""
    advice = advise(record, deals=COMPARED, seed=seed)
    if record.declares:
        games = [o for o in advice.options if o.contract is not None and o.contract != MISERE]
        return None, games[0] if games else None
    passing = [o for o in advice.options if o.call is not None and str(o.call) == "pass"]
    games = [o for o in advice.options if o.call is not None and o.call.is_game]
    return passing[0] if passing else None, games[0] if games else None


def _worth(record: HandRecord, values: dict[str, float], errors: dict[str, float],
           tricks: NDArray[np.int8]) -> tuple[dict[str, float], dict[str, float]]:
    """Expected scores: made, or failed by as many tricks as open cards would cost."""
    scores = record_payoff(record).misere[:, 0]
    made, lost = float(scores[0]), scores[tricks[tricks > 0]]
    failed = float(lost.mean()) if len(lost) else float(scores[1])
    spread = float(lost.std(ddof=1) / np.sqrt(len(lost))) if len(lost) > 1 else 0.0
    ev = {m: p * made + (1 - p) * failed for m, p in values.items()}
    return ev, {m: float(np.hypot(errors[m] * (made - failed), (1 - values[m]) * spread))
                for m in values}


def _twelve(
    record: HandRecord, leader: int, deals: int, seed: int, threads: int | None
) -> LeadReport:
    rng = np.random.default_rng(seed)
    unseen = Unseen(DECK & ~record.cards)
    exhaustive = deals >= unseen.count
    if exhaustive:
        hands = unseen.unrank(np.arange(unseen.count))[rng.permutation(unseen.count), :2]
    else:
        hands = unseen.sample(deals, rng)[:2].T
    hands = np.ascontiguousarray(hands)
    models = solve_models(record.cards, hands, leader, searched=SEARCHED, threads=threads,
                          exhaustive=exhaustive)
    kept = np.full(len(hands), record.cards & ~models.discards[0], np.uint32)
    some = np.column_stack([kept, hands])[:DEALS]
    tricks = solve_deals(some, 4, leader, misere=True, threads=threads)
    ev, ev_error = _worth(record, models.values, models.errors, tricks)
    return LeadReport(leader, None, 0.0, models.values, models.errors, models.low, ev, ev_error,
                      models)


def _ten(
    record: HandRecord, leader: int, deals: int, seed: int, threads: int | None
) -> LeadReport:
    rng = np.random.default_rng(seed)
    unseen = Unseen(DECK & ~record.cards)
    stands, stands_error = _as_it_stands(record.cards, unseen, leader, deals, rng, threads)
    talons = unseen.talons
    number = max(2, round(deals / len(talons)))
    index = rng.integers(unseen.layouts, size=(len(talons), number))
    first = unseen.layout(talons, index)
    second = np.uint32(unseen.mask) & ~talons[:, None] & ~first
    hands = np.stack([first, second], -1)
    free, chosen = _by_talon(record.cards, talons, hands, leader, threads)
    opened = float(free.mean())
    error = float(free.std(ddof=1) / np.sqrt(free.size))
    gains = _gains(record.cards, talons, unseen, leader, rng, threads)
    added = gains.mean(0)
    spread = gains.std(0, ddof=1) / np.sqrt(len(gains))
    values = {"open": opened, "hidden": min(1.0, opened + added[0]),
              "obvious": min(1.0, opened + added[1])}
    errors = {"open": error, "hidden": float(np.hypot(error, spread[0])),
              "obvious": float(np.hypot(error, spread[1]))}
    kept = (np.uint32(record.cards) | talons) & ~chosen
    rows = np.column_stack([kept, hands[:, 0]])
    tricks = solve_deals(rows, 4, leader, misere=True, threads=threads)
    ev, ev_error = _worth(record, values, errors, tricks)
    return LeadReport(leader, stands, stands_error, values, errors,
                      min(1.0, opened + added[2]), ev, ev_error, None)


def _as_it_stands(
    ten: int, unseen: Unseen, leader: int, deals: int, rng: np.random.Generator,
    threads: int | None,
) -> tuple[float, float]:
    hands = np.column_stack([np.full(deals, ten, np.uint32), *unseen.sample(deals, rng)[:2]])
    caught = caught_deals(hands, leader, threads=threads)
    return float(1 - caught.mean()), float(caught.std() / np.sqrt(len(caught)))


def _by_talon(
    ten: int, talons: Masks, hands: Masks, leader: int, threads: int | None
) -> tuple[Floats, Masks]:
    """Made or not on each layout, with the discard chosen on the other half; and the choices."""
    number = hands.shape[1]
    half = np.arange(number) % 2 == 0
    free = np.zeros(hands.shape[:2])
    chosen = np.zeros(len(talons), np.uint32)
    for row, talon in enumerate(talons):
        twelve = ten | int(talon)
        discards = np.array(sensible_discards(twelve), np.uint32)
        prior = misere_distribution(np.uint32(twelve) & ~discards, discards, leader == 0)[:, 0]
        if prior.max() == 1:  # certainly clean
            free[row], chosen[row] = 1, discards[prior.argmax()]
            continue
        made = ~open_catches(twelve, [int(d) for d in discards], hands[row], leader, threads)
        for part in (half, ~half):
            score = made[part].sum(0) + PRIOR * prior
            free[row, ~part] = made[~part][:, score.argmax()]
        chosen[row] = discards[(made.sum(0) + PRIOR * prior).argmax()]
    return free, chosen


def _gains(
    ten: int, talons: Masks, unseen: Unseen, leader: int, rng: np.random.Generator,
    threads: int | None,
) -> Floats:
    """What (b), (c) and the restricted (b) add to (a), on some talons; shape (talons, 3)."""
    picked = rng.choice(len(talons), min(TALONS, len(talons)), replace=False)
    gains = np.zeros((len(picked), 3))
    for row, at in enumerate(picked):
        index = rng.integers(unseen.layouts, size=(1, TALON_LAYOUTS))
        first = unseen.layout(talons[at : at + 1], index)[0]
        second = np.uint32(unseen.mask) & ~talons[at] & ~first
        hands = np.column_stack([first, second])
        models = solve_models(ten | int(talons[at]), hands, leader, most=TALON_MOST,
                              threads=threads)
        gains[row] = (models.values["hidden"], models.values["obvious"], models.low)
        gains[row] -= models.values["open"]
    return gains
