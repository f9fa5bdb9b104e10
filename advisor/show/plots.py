"""Pictures of results; they draw and compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.errors import InputError
from advisor.language import Lang, tr
from advisor.show.report import shown_options
from advisor.show.words import option_label, signed, situation
from advisor.writing import check_file, whole_file

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from advisor.advice.results import Advice, Option

MIN_SPAN = 20.0
CUT = 5
ROOM = 0.17
FORMATS = (".png", ".svg", ".pdf")
_UNDATED: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
_LEFT = -1.6
_ROLES = {"trump": ("as trumps", "#0072b2", "o"), "side": ("as a side suit", "#d55e00", "s"),
          "no trump": ("in no trump", "#00795a", "D")}
_AXES = {"bid": "call", "declare": "contract (discard)", "whist": "reply"}
_BEST, _REST, _INK = "#0072b2", "#9fb8c8", "#222222"


def plot_ev(advice: Advice, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Bars of the expected score of each option with its standard error.

    Parameters
    ----------
    advice : Advice
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.

    Returns
    -------
    Axes
    """
    from advisor.cards import format_hand

    options, _ = shown_options(advice, False)
    if ax is None:
        ax = _new_axes(len(options))
    places = range(len(options))
    errors = [0.0 if o.se != o.se else o.se for o in options]
    ax.barh(places, [o.ev for o in options], height=0.65,
            color=[_BEST if o is advice.best else _REST for o in options],
            xerr=errors,
            error_kw={"ecolor": _INK, "elinewidth": 1.2, "capsize": 3})
    labels = [option_label(o, lang) + (f"  ({format_hand(o.discard, lang)})" if o.discard else "")
              for o in options]
    ax.set_yticks(list(places), labels)
    ax.invert_yaxis()
    ax.axvline(0, color=_INK, linewidth=0.8)
    ax.set_xlabel(tr(lang, "expected score, net whists (± one standard error)"))
    ax.set_ylabel(tr(lang, _AXES[advice.decision]))
    ax.set_title(f"{format_hand(advice.record.cards, lang)}\n{situation(advice.record, lang)}",
                 fontsize=11)
    low, high = _limits(options, ax.get_xlim()[0])
    for place, option, error in zip(places, options, errors, strict=True):
        ax.annotate(signed(option.ev), (max(option.ev, 0) + error, place), xytext=(6, 0),
                    textcoords="offset points", va="center", fontsize=9, color=_INK)
        if option.ev < low:
            ax.annotate("◀", (low, place), va="center", color=_INK)
    ax.set_xlim(low, high)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


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


def _limits(options: Sequence[Option], low: float) -> tuple[float, float]:
    """Where the axis ends; a hopeless call may run out of the picture, not squeeze the others.

    The right end leaves room for the numbers.
    """
    best = options[0].ev
    span = max(best - options[len(options) // 2].ev, MIN_SPAN)
    left, right = max(low, min(0.0, best - CUT * span)), max(0.0, best)
    return left, right + ROOM * (right - left)


def _new_axes(rows: int) -> Axes:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.6 + 0.42 * rows), layout="constrained")
    return figure.subplots()


def checked_path(path: Path) -> Path:
    """A path a picture can be written to.

    Raises
    ------
    InputError
        Another ending than png, svg or pdf, no such folder, no right to write, or something there
        that is no regular file.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError("'{found}' is not a picture; expected a name that ends in {expected}",
                         found=path.name, expected=" ".join(FORMATS), source=str(path))
    check_file(path)
    return path


def save(ax: Axes, path: Path) -> None:
    """Write a picture whole or not at all; no other file is touched.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    import matplotlib
    from matplotlib.figure import Figure

    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    kind = path.suffix.lower()[1:]
    with (whole_file(path) as part,
          matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "advisor"})):
        figure.savefig(part, format=kind, dpi=150, metadata=_UNDATED.get(kind))
