"""The expected score of each option as a bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.cards import format_hand
from advisor.language import Lang, tr
from advisor.show.charts.canvas import (
    BLUE,
    INK,
    PALE,
    bare,
    house_style,
    known,
    new_axes,
    put_title,
)
from advisor.show.report import is_rough, shown_options
from advisor.show.words import option_label, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.advice.results import Advice, Option

MIN_SPAN = 20.0
CUT = 2.5
ROOM = 0.17
_AXES = {"bid": "call", "declare": "contract (discard)", "whist": "reply"}


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
    with house_style():
        options, _ = shown_options(advice, False)
        ax = new_axes(1.6 + 0.42 * len(options)) if ax is None else ax
        _draw(advice, options, lang, ax)
    return ax


def _draw(advice: Advice, options: Sequence[Option], lang: Lang, ax: Axes) -> None:
    places = range(len(options))
    errors = [known(one.se) for one in options]
    ax.barh(places, [one.ev for one in options], height=0.65,
            color=[BLUE if one is advice.best else PALE for one in options],
            xerr=errors, error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3})
    labels = [option_label(one, lang)
              + (f"  ({format_hand(one.discard, lang)})" if one.discard else "")
              for one in options]
    ax.set_yticks(list(places), labels)
    ax.invert_yaxis()
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_xlabel(tr(lang, "expected score, net whists (± one standard error)"))
    ax.set_ylabel(tr(lang, _AXES[advice.decision]))
    put_title(ax, advice.record, lang)
    low, high = _limits(options, ax.get_xlim()[0])
    for place, option, error in zip(places, options, errors, strict=True):
        rough = "≈ " if is_rough(option, advice) else ""
        ax.annotate(rough + signed(option.ev), (max(option.ev + error, 0.0), place), xytext=(6, 0),
                    textcoords="offset points", va="center", fontsize=9, color=INK)
        if option.ev < low:
            ax.annotate("◀", (low, place), va="center", color=INK)
    ax.set_xlim(low, high)
    bare(ax)


def _limits(options: Sequence[Option], low: float) -> tuple[float, float]:
    """Where the axis ends; a hopeless call may run out of the picture, not squeeze the others.

    The right end leaves room for the numbers.
    """
    best = options[0].ev
    span = max(best - options[len(options) // 2].ev, MIN_SPAN)
    left, right = max(low, min(0.0, best - CUT * span)), max(0.0, best)
    return left, right + ROOM * (right - left)
