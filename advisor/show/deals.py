"""Sampled deals as text or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.cards import format_cards, format_hand
from advisor.language import Lang, tr
from advisor.records.hand import HandRecord
from advisor.show.page import print_table
from advisor.show.words import situation

Listed = Sequence[tuple[tuple[int, int, int, int], float]]


def deals_json(record: HandRecord, listed: Listed, seed: int) -> dict[str, Any]:
    """Deals as a JSON object: hands by seat, talon, weight (likelihood of the calls heard)."""
    return {
        "file": record.source, "seat": record.seat + 1, "seed": seed,
        "deals": [{"hands": [format_cards(hand) for hand in deal[:3]],
                   "talon": format_cards(deal[3]), "weight": round(weight, 6)}
                  for deal, weight in listed],
    }


def print_deals(record: HandRecord, listed: Listed, seed: int, lang: Lang) -> None:
    """Deals as a table, one a row."""
    others = [(record.seat + 1) % 3, (record.seat + 2) % 3]
    rows = [[format_hand(deal[seat], lang) for seat in others]
            + [format_hand(deal[3], lang) if deal[3] else "—", f"{weight:.3f}"]
            for deal, weight in listed]
    titles = [tr(lang, "seat {n}", n=seat + 1) for seat in others] + [
        tr(lang, "talon"), tr(lang, "weight")]
    print_table(
        rows, titles, lang,
        before=[format_hand(record.cards, lang), situation(record, lang), ""],
        after=["", tr(lang, "drawn by weight, the likelihood of the calls heard by the "
                            "bidding model; seed {seed}", seed=seed)])
