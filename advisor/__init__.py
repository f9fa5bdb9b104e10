"""Preferans bidding advisor: what is a call worth?

>>> from advisor import advise, parse_hand
>>> advice = advise(parse_hand("♠AKQJ10987 ♣AK"), deals=500)
>>> round({o.name: o.ev for o in advice.options}["10S"], 2)
66.67
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # that of `typing`, which is dear to load before Ctrl-C is safe
if TYPE_CHECKING:
    from typing import Any

    from advisor.advice.decide import advise, sample_deals
    from advisor.advice.results import Advice, Option
    from advisor.cards import format_hand, parse_cards
    from advisor.errors import InputError
    from advisor.records.hand import HandRecord, parse_hand, read_hand
    from advisor.rules.conventions import Convention, convention_names, load_convention
    from advisor.show.plots import plot_ev

_HOMES = {
    "Advice": "advice.results", "Option": "advice.results",
    "advise": "advice.decide", "sample_deals": "advice.decide",
    "format_hand": "cards", "parse_cards": "cards",
    "InputError": "errors",
    "HandRecord": "records.hand", "parse_hand": "records.hand", "read_hand": "records.hand",
    "Convention": "rules.conventions", "convention_names": "rules.conventions",
    "load_convention": "rules.conventions",
    "plot_ev": "show.plots",
}

__all__ = [
    "Advice", "Convention", "HandRecord", "InputError", "Option", "advise", "convention_names",
    "format_hand", "load_convention", "parse_cards", "parse_hand", "plot_ev", "read_hand",
    "sample_deals",
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
