"""The trick guide as text: what is printed, what is used, and why."""

from __future__ import annotations

from typing import Any

from advisor.language import Lang, tr
from advisor.show.page import print_table
from advisor.show.words import grouped
from advisor.tricks.guide import GuideEntry, entry, parse_holding, pattern_of, printed_rows, why
from advisor.tricks.holdings import audit

_ROLES = {"trump": "trumps", "side": "side suit", "no trump": "in no trump"}
_LEADS = {True: "own lead", False: "other lead"}
_AUDIT = ("Solved: what it adds to the declarer's tricks in deals solved with open cards, all his "
          "suits together making his tricks; beside trumps low cards alone count as nothing. Below "
          "zero it costs the other suits tricks, as short trumps do. An average over all such "
          "hands: the other suits may make it worth much more or less.")


def value_range(low: float, high: float) -> str:
    """Tricks from low to high, once where they are the same.

    >>> value_range(1.5, 2), value_range(3, 3)
    ('1.5 – 2', '3')
    """
    return f"{low:g}" if low == high else f"{low:g} – {high:g}"


def print_guide(lang: Lang) -> None:
    """All printed rows beside the values used."""
    rows = []
    for row in printed_rows():
        byte = parse_holding(row.pattern)
        found = entry(byte)
        rows.append([str(row.row), pattern_of(byte, lang), value_range(row.low, row.high),
                     value_range(found.low, found.high), _reason(found, lang)])
    titles = ["row", "holding", "printed, tricks", "used, tricks", "why"]
    print_table(rows, [tr(lang, title) for title in titles], lang,
                after=["", tr(lang, "x: any card below the jack. The low end serves side suits and "
                                    "no trump, the high end the trump suit.")])


def print_holding(text: str, lang: Lang) -> None:
    """One holding."""
    byte = parse_holding(text)
    found = entry(byte)
    printed = value_range(found.row.low, found.row.high) if found.row else "—"
    print_table(
        [[pattern_of(byte, lang), printed, value_range(found.low, found.high),
          _reason(found, lang)]],
        [tr(lang, title) for title in ("holding", "printed, tricks", "used, tricks", "why")], lang,
        after=[""])
    rows = [[tr(lang, _ROLES[one.role]), tr(lang, _LEADS[one.own_lead]),
             f"{one.tricks:.2f} ± {one.se:.3f}".replace("-", "−") if one.deals else "—",
             grouped(one.deals, lang)] for one in audit(byte)]
    print_table(rows, [tr(lang, title) for title in ("as", "lead", "solved, tricks", "deals")],
                lang, after=["", tr(lang, _AUDIT)])


def guide_json() -> list[dict[str, Any]]:
    """All printed rows as JSON objects; see `holding_json`."""
    return [holding_json(row.pattern) for row in printed_rows()]


def holding_json(text: str) -> dict[str, Any]:
    """One holding as a JSON object, values in tricks; not printed: `row` and `printed` null."""
    byte = parse_holding(text)
    found = entry(byte)
    row = found.row
    return {
        "holding": pattern_of(byte, "en").replace(" ", ""), "row": row.row if row else None,
        "printed": {"low": row.low, "high": row.high} if row else None,
        "used": {"low": found.low, "high": found.high}, "why": _reason(found, "en"),
        "solved": [
            {"role": one.role, "own_lead": one.own_lead, "deals": one.deals,
             "tricks": round(one.tricks, 3) if one.deals else None,
             "se": round(one.se, 3) if one.deals else None} for one in audit(byte)],
    }


def _reason(found: GuideEntry, lang: Lang) -> str:
    template, params = why(found)
    return tr(lang, template, **params)
