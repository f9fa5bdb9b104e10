"""Kinds of pictures with their results, and the texts that stand in them; shared by tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hands import record
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from processes import ROOT

from advisor.advice.decide import advise
from advisor.advice.discard_choice import discard_choice
from advisor.advice.lead_worth import lead_worth
from advisor.advice.talon_map import talon_map
from advisor.advice.trick_chances import trick_chances
from advisor.records.hand import HandRecord, read_hand
from advisor.show.charts.discards import plot_discards
from advisor.show.charts.ev import plot_ev
from advisor.show.charts.lead import plot_lead
from advisor.show.charts.talons import plot_talons
from advisor.show.charts.tricks import plot_tricks

HAND = "♠AKQ98 ♣A8 ♦K107"
DEALS = 2_000
EXAMPLE, TALON, WHIST = (ROOT / f"data/hands/{name}.txt"
                         for name in ("example", "talon", "whist"))


def crowded(**fields: str) -> HandRecord:
    """A hand of which there is much to say, under a title with signs of other languages."""
    asked = record(HAND, seat="2", auction="7S", players="4", left="bold", right="careful",
                   pool="14.5 18.5 16.5 13.5", mountain="12 10 12 20", target="40",
                   all_passes="2", convention="classic") if not fields else record(
                       HAND, **fields, left="bold", right="careful",
                       pool="14.5 18.5 16.5", mountain="12 10 12", target="40")
    ours = replace(asked.convention, name="ours", title_en="Our $house_{ of a long name 漢",
                   title_ru="Наш $дом_{ с долгим именем 漢")
    return replace(asked, convention=ours)


@dataclass(frozen=True)
class Kind:
    """One kind of picture: how its result is found and drawn."""

    find: Callable[[HandRecord], Any]
    draw: Callable[..., Axes]
    asked: Callable[[], HandRecord]
    crowd: Callable[[], HandRecord]


def bidding() -> HandRecord:
    return read_hand(EXAMPLE)


def twelve() -> HandRecord:
    return read_hand(TALON)


def crowded_twelve() -> HandRecord:
    return crowded(auction="6S 6C pass 6D pass", talon="♦A ♥J")


KINDS = {
    "ev": Kind(lambda hand: advise(hand, deals=500, evaluator="fitted"), plot_ev, bidding, crowded),
    "talon": Kind(lambda hand: talon_map(hand, DEALS), plot_talons, bidding, crowded),
    "tricks": Kind(lambda hand: trick_chances(hand, DEALS), plot_tricks, bidding, crowded),
    "tricks of twelve": Kind(lambda hand: trick_chances(hand, DEALS), plot_tricks, twelve,
                             crowded_twelve),
    "discards": Kind(lambda hand: discard_choice(hand, DEALS), plot_discards, twelve,
                     crowded_twelve),
    "lead": Kind(lambda hand: lead_worth(hand, DEALS), plot_lead, bidding, crowded),
}
found: dict[tuple[str, bool], Any] = {}


def result(name: str, *, crowd: bool = False) -> Any:
    """The result of a kind, found once."""
    if (name, crowd) not in found:
        kind = KINDS[name]
        found[name, crowd] = kind.find(kind.crowd() if crowd else kind.asked())
    return found[name, crowd]


def texts(ax: Axes) -> list[Text]:
    """Every text of a figure that is shown; labels of ticks beyond the axes are not."""
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    beyond = set()
    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())),
                                  (axes.yaxis, sorted(axes.get_ylim()))):
            beyond |= {id(label) for tick in axis.get_major_ticks()
                       for label in (tick.label1, tick.label2)
                       if not low <= tick.get_loc() <= high}
    return [text for text in figure.findobj(Text) if isinstance(text, Text)
            and text.get_visible() and text.get_text().strip() and id(text) not in beyond]


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in texts(ax)]


def labels(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]
