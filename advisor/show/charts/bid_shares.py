"""What the bidding model does: how deals end, and how often hands open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.sampling.bid_shares import ENDS
from advisor.show.charts.canvas import FAINT, INK, bare, house_style, legend_below
from advisor.show.charts.openings import LOOKS, STRENGTH

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SHADES = ("#3b3b3b", "#d55e00", "#cfe3ef", "#8fbfdc", "#4292c6", "#084c8d")
_LIGHT = (False, False, True, True, False, False)
_HATCHES = ("", "///", "", "", "", "")
WRITTEN = 0.045  # shares smaller than this have no number inside


def plot_ends(frame: pd.DataFrame, ax: Axes) -> None:
    """A bar a row, parted by how deals end.

    Parameters
    ----------
    frame : DataFrame
        Rows of `advisor.sampling.bid_shares.bid_shares`, with a column ``label``.
    ax : matplotlib Axes
    """
    with house_style():
        places = range(len(frame))
        left = [0.0] * len(frame)
        for end, shade, light, hatch in zip(ENDS, _SHADES, _LIGHT, _HATCHES, strict=True):
            shares = list(frame[end])
            ax.barh(places, [100 * share for share in shares], left=[100 * at for at in left],
                    height=0.72, color=shade, edgecolor="white", hatch=hatch,
                    label=end if end in ENDS[:2] else f"game on {end.replace('9+', '9 or 10')}")
            for place, at, share in zip(places, left, shares, strict=True):
                if share >= WRITTEN:
                    ax.text(100 * (at + share / 2), place, f"{100 * share:.0f}", ha="center",
                            va="center", fontsize=9, color=INK if light else "white")
            left = [at + share for at, share in zip(left, shares, strict=True)]
        ax.set_yticks(list(places), list(frame.label))
        ax.invert_yaxis()
        ax.set_xlim(0, 100)
        ax.set_xlabel("share of the deals, per cent")
        ax.set_ylabel("convention and style")
        bare(ax)
        legend_below(ax, 42, columns=3)


def plot_open_chances(frame: pd.DataFrame, ax: Axes) -> None:
    """How often a hand opens by strength: one curve a seat, or a style where there is one seat.

    Parameters
    ----------
    frame : DataFrame
        As `advisor.sampling.bid_shares.open_chances` gives it, one style or one seat of it.
    ax : matplotlib Axes
    """
    by = "seat" if frame["style"].nunique() == 1 else "style"
    names = {1: "first hand", 2: "second hand", 3: "third hand"}
    with house_style():
        for key, look in zip(frame[by].unique(), LOOKS, strict=False):
            colour, marker, face, line = look
            part = frame[frame[by] == key]
            ax.errorbar(part.strength, 100 * part.chance, yerr=100 * part.se, color=colour,
                        marker=marker, markerfacecolor=face, markersize=5.5, linestyle=line,
                        linewidth=1.6, elinewidth=1.1, capsize=3, label=names.get(key, key))
        ax.set_ylim(-3, 103)
        ax.set_xlabel(STRENGTH)
        ax.set_ylabel("hands that open, per cent\n(bars: ± one standard error)")
        ax.grid(color=FAINT, linewidth=0.8)
        ax.set_axisbelow(True)
        bare(ax)
        legend_below(ax, 42)
