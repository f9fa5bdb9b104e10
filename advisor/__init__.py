"""Preferans bidding advisor: what is a call worth?

>>> from advisor import advise
>>> advice = advise("♠AKQJ10987 ♣AK", deals=500)
>>> round({o.name: o.ev for o in advice.options}["10S"], 2)
66.67
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # that of `typing`, which is dear to load before Ctrl-C is safe
if TYPE_CHECKING:
    from typing import Any

    from advisor.advice.decide import advise, sample_deals
    from advisor.advice.discard_choice import discard_choice
    from advisor.advice.frames import advice_frame
    from advisor.advice.lead_worth import lead_worth
    from advisor.advice.results import Advice, Option
    from advisor.advice.review import review_frame, review_session
    from advisor.advice.saved import read_advice
    from advisor.advice.talon_map import talon_map
    from advisor.advice.trick_chances import trick_chances
    from advisor.cards import format_hand, parse_cards
    from advisor.errors import InputError
    from advisor.records.deal import parse_deal, read_deal
    from advisor.records.hand import HandRecord, parse_hand, read_hand
    from advisor.records.session import parse_session, read_session
    from advisor.rules.conventions import Convention, convention_names, load_convention
    from advisor.rules.scoring import score
    from advisor.rules.settlement import settle
    from advisor.sampling.bidder import GuideBidder
    from advisor.sampling.deals import Deals
    from advisor.show.charts.discards import plot_discards
    from advisor.show.charts.ev import plot_ev
    from advisor.show.charts.lead import plot_lead
    from advisor.show.charts.talons import plot_talons
    from advisor.show.charts.tricks import plot_tricks
    from advisor.trials.arena import run_arena
    from advisor.trials.calibration import run_calibration
    from advisor.tricks.all_pass import solve_all_pass
    from advisor.tricks.line import best_line, line_frame
    from advisor.tricks.solver import caught_deals, optimal_leads, solve_deals, solve_discards

_HOMES = {
    "Advice": "advice.results", "Option": "advice.results",
    "advise": "advice.decide", "sample_deals": "advice.decide",
    "format_hand": "cards", "parse_cards": "cards",
    "InputError": "errors",
    "parse_deal": "records.deal", "read_deal": "records.deal",
    "HandRecord": "records.hand", "parse_hand": "records.hand", "read_hand": "records.hand",
    "parse_session": "records.session", "read_session": "records.session",
    "advice_frame": "advice.frames", "review_frame": "advice.review",
    "review_session": "advice.review", "read_advice": "advice.saved",
    "Convention": "rules.conventions", "convention_names": "rules.conventions",
    "load_convention": "rules.conventions",
    "score": "rules.scoring", "settle": "rules.settlement",
    "GuideBidder": "sampling.bidder", "Deals": "sampling.deals",
    "discard_choice": "advice.discard_choice", "lead_worth": "advice.lead_worth",
    "talon_map": "advice.talon_map", "trick_chances": "advice.trick_chances",
    "plot_discards": "show.charts.discards", "plot_ev": "show.charts.ev",
    "plot_lead": "show.charts.lead", "plot_talons": "show.charts.talons",
    "plot_tricks": "show.charts.tricks",
    "run_arena": "trials.arena", "run_calibration": "trials.calibration",
    "solve_all_pass": "tricks.all_pass", "best_line": "tricks.line",
    "line_frame": "tricks.line",
    "caught_deals": "tricks.solver", "optimal_leads": "tricks.solver",
    "solve_deals": "tricks.solver", "solve_discards": "tricks.solver",
}

__all__ = [
    "Advice", "Convention", "Deals", "GuideBidder", "HandRecord", "InputError", "Option",
    "advice_frame", "advise", "best_line", "caught_deals", "convention_names", "discard_choice",
    "format_hand", "lead_worth", "line_frame", "load_convention", "optimal_leads", "parse_cards",
    "parse_deal", "parse_hand", "parse_session", "plot_discards", "plot_ev", "plot_lead",
    "plot_talons", "plot_tricks", "read_advice", "read_deal", "read_hand", "read_session",
    "review_frame", "review_session", "run_arena", "run_calibration", "sample_deals", "score",
    "settle", "solve_all_pass", "solve_deals", "solve_discards", "talon_map", "trick_chances",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use, so that importing stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'advisor' has no attribute {name!r}")
    value = getattr(import_module(f"advisor.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
