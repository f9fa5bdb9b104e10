"""What leading oneself is worth: tricks on either lead, strain by strain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.cards import Suit
from advisor.language import Lang, tr
from advisor.show.charts.canvas import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    bare,
    house_style,
    known,
    legend_below,
    new_axes,
    put_title,
)
from advisor.show.words import with_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.advice.lead_worth import LeadWorth, StrainLead

NO_TRUMP = 4
LINE = 58


def plot_lead(result: LeadWorth, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Tricks on one's own lead and on the next player's, joined, with what the lead brings.

    Parameters
    ----------
    result : LeadWorth
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.

    Returns
    -------
    Axes
    """
    with house_style():
        ax = new_axes(2.4 + 0.62 * len(result.strains)) if ax is None else ax
        _draw(result, lang, ax)
    return ax


def _draw(result: LeadWorth, lang: Lang, ax: Axes) -> None:
    strains = result.strains
    places = range(len(strains))
    ax.hlines(places, [one.other.mean for one in strains], [one.own.mean for one in strains],
              color=INK, linewidth=2.5, alpha=0.35, zorder=1)
    for name, colour, marker, face in (("own", BLUE, "o", BLUE), ("other", ORANGE, "s", "white")):
        ends = [getattr(one, name) for one in strains]
        ax.errorbar([end.mean for end in ends], places, xerr=[known(end.se) for end in ends],
                    fmt=marker, color=colour, markerfacecolor=face, markersize=8, capsize=3,
                    elinewidth=1.2, ecolor=INK, zorder=2,
                    label=tr(lang, "you lead" if name == "own" else "the next player leads"))
    for place, one in enumerate(strains):
        ax.annotate(_gain(one, lang), (1.02, place), xycoords=("axes fraction", "data"),
                    va="center", fontsize=9, color=INK)
    ax.set_yticks(list(places), [_name(one.strain, lang) for one in strains])
    ax.set_ylim(len(strains) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.set_xlabel(tr(lang, "expected tricks (bars: ± one standard error)"))
    ax.set_ylabel(tr(lang, "strain"))
    said = tr(lang, "What the lead is worth") if result.record.declares else \
        tr(lang, "What the lead is worth, bought at {contract}", contract=result.lowest.label(lang))
    put_title(ax, result.record, lang, (said,), LINE)
    ax.annotate(tr(lang, "own lead brings"), (1.02, 1.0), xycoords="axes fraction",
                xytext=(0, 2), textcoords="offset points", fontsize=9, weight="bold", color=INK)
    legend_below(ax, 42)
    bare(ax)


def _name(strain: int, lang: Lang) -> str:
    return ("БК" if lang == "ru" else "NT") if strain == NO_TRUMP else Suit(strain).symbol


def _gain(one: StrainLead, lang: Lang) -> str:
    tricks = tr(lang, "{n} tricks", n=with_error(*one.gain, 2))
    whists = tr(lang, "{n} whists", n=with_error(*one.net_gain))
    return f"{tricks}\n{whists}"
