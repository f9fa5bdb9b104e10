"""Opening against passing: curves over strength, hands one by one, what single rules do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from advisor.rules.calls import parse_call
from advisor.show.charts.canvas import BLUE, FAINT, INK, ORANGE, bare, house_style, legend_below
from advisor.show.words import signed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

GREEN, PINK = "#00795a", "#b0609a"
# Colour, marker, face and line, so that each does in grey.
LOOKS = ((BLUE, "o", BLUE, "-"), (ORANGE, "s", "white", "--"), (GREEN, "^", GREEN, "-."),
         (PINK, "D", "white", ":"))
STRENGTH = "strength: expected tricks of the ten cards in their best suit"


def plot_curves(curves: Mapping[str, pd.DataFrame], what: str, ax: Axes) -> None:
    """Means by strength, each curve with error bars.

    Parameters
    ----------
    curves : mapping of label to DataFrame
        At most four; columns strength (tricks), mean, se, as
        `advisor.advice.openings.binned` gives them.
    what : str
        What the means are, with their unit.
    ax : matplotlib Axes
    """
    with house_style():
        ax.axhline(0, color=INK, linewidth=0.8)
        for (label, curve), (colour, marker, face, line) in zip(curves.items(), LOOKS,
                                                                strict=False):
            ax.errorbar(curve.strength, curve["mean"], yerr=curve.se, color=colour, marker=marker,
                        markerfacecolor=face, markersize=6, linestyle=line, linewidth=1.6,
                        elinewidth=1.1, capsize=3, label=label)
        ax.set_xlabel(STRENGTH)
        ax.set_ylabel(f"{what}\n(bars: ± one standard error)")
        ax.grid(color=FAINT, linewidth=0.8)
        ax.set_axisbelow(True)
        bare(ax)
        legend_below(ax, 42)


def plot_hands(frame: pd.DataFrame, ax: Axes) -> None:
    """What opening gains on passing with each hand under each convention.

    Parameters
    ----------
    frame : DataFrame
        As `advisor.advice.openings.openings_frame` gives it, a row a hand and convention.
    ax : matplotlib Axes
        The best call stands at its right edge.
    """
    hands, conventions = list(frame.hand.unique()), list(frame.convention.unique())
    with house_style():
        ax.axvline(0, color=INK, linewidth=0.8)
        for turn, (convention, look) in enumerate(zip(conventions, LOOKS, strict=False)):
            colour, marker, face, _ = look
            part = frame[frame.convention == convention]
            places = [hands.index(hand) + 0.2 * (turn - (len(conventions) - 1) / 2)
                      for hand in part.hand]
            ax.errorbar(part.gain / part.unit, places, xerr=part.gain_se / part.unit, fmt=marker,
                        color=colour, markerfacecolor=face, markersize=6, elinewidth=1.1,
                        capsize=3, label=convention)
            for place, best in zip(places, part.best, strict=True):
                ax.annotate(parse_call(best).label(), (1.01, place),
                            xycoords=("axes fraction", "data"), va="center", fontsize=8,
                            color=colour)
        for place in range(1, len(hands)):
            ax.axhline(place - 0.5, color=FAINT, linewidth=0.8)
        ax.annotate("best call", (1.01, 1.0), xycoords="axes fraction", xytext=(0, 3),
                    textcoords="offset points", fontsize=9, weight="bold", color=INK)
        ax.set_yticks(range(len(hands)), hands)
        ax.set_ylim(len(hands) - 0.5, -0.5)
        ax.set_ylabel("hand")
        ax.set_xlabel("six spades less pass, net whists (Leningrad halved;"
                      " bars: ± one standard error)")
        bare(ax)
        legend_below(ax, 42)


def plot_effects(effects: Mapping[str, pd.DataFrame], ax: Axes) -> None:
    """By how much single rules move opening against passing.

    Parameters
    ----------
    effects : mapping of title to DataFrame
        As `advisor.advice.rule_effects.effects_frame` gives them, one group of bars each.
    ax : matplotlib Axes
    """
    with house_style():
        place, ticks, names = 0.0, [], []
        for (title, frame), (colour, *_), hatch in zip(effects.items(), LOOKS, ("", "//", "..", ""),
                                                      strict=False):
            places = [place + row for row in range(len(frame))]
            ax.barh(places, frame.effect, xerr=frame.se, height=0.7, color=colour, hatch=hatch,
                    edgecolor="white", error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3},
                    label=title)
            for at, effect, error in zip(places, frame.effect, frame.se, strict=True):
                ax.annotate(signed(effect), (max(effect + error, 0.0), at), xytext=(5, 0),
                            textcoords="offset points", va="center", fontsize=9, color=INK)
            ticks += places
            names += list(frame.rule)
            place += len(frame) + 0.6
        ax.axvline(0, color=INK, linewidth=0.8)
        ax.set_yticks(ticks, names)
        ax.set_ylim(place - 0.6 - 0.4, -0.6)
        ax.set_ylabel("rule put into Sochi")
        ax.set_xlabel("change of six spades less pass, net whists (bars: ± one standard error)")
        ax.margins(x=0.12)
        bare(ax)
        legend_below(ax, 42)
