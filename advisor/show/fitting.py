"""What a fit has written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.language import Lang, tr
from advisor.show.page import print_table

if TYPE_CHECKING:
    from advisor.fitting.tables import Fitted


_ERRORS = {
    "trump, all": "with trumps, all deals",
    "trump, declarers": "with trumps, declarers",
    "trump, declarers, coarse table": "with trumps, declarers, own holdings alone",
    "no_trump, all": "no trump, all deals",
    "no_trump, declarers": "no trump, declarers",
    "no_trump, declarers, coarse table": "no trump, declarers, own holdings alone",
}


_SHARES = ("all-pass", "misère", "6", "7", "8", "9+")


def print_bidder(found: Mapping[Path, Mapping[str, Any]], lang: Lang) -> None:
    """How deals end by the fitted calls, for each convention and place of all-passes."""
    rows = [[contents["convention"], str(place["number"]), str(place["steps"]),
             *(f"{100 * place['frequencies']['normal'][end]:.1f}" for end in _SHARES)]
            for contents in found.values() for place in contents["situations"]]
    titles = [tr(lang, "convention"), tr(lang, "place in a row of all-passes"), tr(lang, "steps")]
    titles += [tr(lang, word) for word in ("all-pass", "misère")]
    print_table(rows, [*titles, *_SHARES[2:]], lang,
                after=["", tr(lang, "Shares of all deals, per cent."), "", *map(str, found)])


def bidder_json(found: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """The same as a JSON object."""
    return {"files": [str(path) for path in found], "conventions": {
        contents["convention"]: [
            {key: place[key] for key in ("number", "min_level", "price", "steps", "frequencies")}
            for place in contents["situations"]] for contents in found.values()}}


def print_fit(found: Fitted, paths: list[Path], lang: Lang) -> None:
    """Errors of the fit, and the files written."""
    rows = [[tr(lang, _ERRORS[name]), f"{error:.3f}"] for name, error in found.error.items()]
    print_table(rows, [tr(lang, "deals not fitted to"), tr(lang, "RMSE, tricks")], lang,
                after=["", *(str(path) for path in paths)])


def fit_json(found: Fitted, paths: list[Path]) -> dict[str, Any]:
    """The same as a JSON object."""
    return {"rmse_tricks": {name: round(error, 4) for name, error in found.error.items()},
            "files": [str(path) for path in paths]}
