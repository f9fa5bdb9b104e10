"""The printed trick guide beside solved deals, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_LEFT = -1.6
_ROLES = {"trump": ("as trumps", "#0072b2", "o"), "side": ("as a side suit", "#d55e00", "s"),
          "no trump": ("in no trump", "#00795a", "D")}


def plot_printed_rows(table: pd.DataFrame, figure: Figure) -> None:
    """Printed ranges as bars and solved values as points, one panel a role, one line a row.

    Parameters
    ----------
    table : DataFrame
        As `advisor.advice.audit.printed_against_solved` returns it; values with fewer than thirty
        deals (``unknown``) are left out, those left of the picture end in an arrow.
    figure : matplotlib Figure
        Gets the panels; about 11 by 11 inches.
    """
    from advisor.advice.audit import CLOSE

    rows = table.drop_duplicates("row")
    panels = figure.subplots(1, len(_ROLES), sharey=True)
    for ax, (role, (title, colour, marker)) in zip(panels, _ROLES.items(), strict=True):
        ax.barh(rows.row, rows.high - rows.low + 2 * CLOSE, left=rows.low - CLOSE, height=0.8,
                color="#dbe4ea", label=f"printed, ± {CLOSE:g} trick")
        ax.barh(rows.row, rows.high - rows.low + 0.08, left=rows.low - 0.04, height=0.8,
                color="#7d93a1", label="printed")
        for own, face in ((False, "white"), (True, colour)):
            part = table[(table.role == role) & (table.own_lead == own)]
            part = part[part.verdict != "unknown"]
            seen, hidden = part[part.tricks >= _LEFT], part[part.tricks < _LEFT]
            up = 0.17 if own else -0.17
            ax.errorbar(seen.tricks, seen.row - up, xerr=2 * seen.se, fmt=marker, ms=4.5,
                        mfc=face, mec=colour, ecolor=colour, elinewidth=1,
                        label="own lead" if own else "other lead")
            ax.plot([_LEFT + 0.1] * len(hidden), hidden.row, "<", ms=4.5, mfc="white", mec=colour)
        ax.set(title=title, xlabel="tricks", xlim=(_LEFT, 8.6), xticks=range(-1, 9))
        ax.grid(axis="x", color="#eeeeee", linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="lower right", fontsize=8)
    panels[0].set_yticks(rows.row, [f"{p}   ({r})" for p, r in zip(rows.pattern, rows.row,
                                                                  strict=True)], fontsize=8)
    panels[0].set_ylim(rows.row.max() + 0.7, rows.row.min() - 0.7)
    panels[0].set_ylabel("holding (printed row)")
