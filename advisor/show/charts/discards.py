"""The best discards with their distance from the best."""

from __future__ import annotations

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
from advisor.show.words import with_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.advice.discard_choice import DiscardChoice

ROOM = 0.22
LEAST = 1.0


def plot_discards(result: DiscardChoice, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Bars of what each discard costs against the best one, with the error of this difference.

    Parameters
    ----------
    result : DiscardChoice
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.

    Returns
    -------
    Axes
    """
    with house_style():
        ax = new_axes(1.9 + 0.42 * len(result.plays)) if ax is None else ax
        _draw(result, lang, ax)
    return ax


def _draw(result: DiscardChoice, lang: Lang, ax: Axes) -> None:
    plays, best = result.plays, result.plays[0]
    places = range(len(plays))
    lost = [best.ev - one.ev for one in plays]
    errors = [known(one.behind_se) for one in plays]
    ax.barh(places, lost, height=0.65, color=[BLUE if one is best else PALE for one in plays],
            xerr=errors, error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3})
    ax.plot([0], [0], "D", color=BLUE, markersize=8, clip_on=False, zorder=3)
    for place, (one, gone, error) in enumerate(zip(plays, lost, errors, strict=True)):
        words = tr(lang, "best: {ev}", ev=with_error(one.ev, one.se)) if one is best \
            else f"{gone:.{2 if gone < LEAST else 1}f}"
        ax.annotate(words, (gone + error, place), xytext=(10 if one is best else 6, 0),
                    textcoords="offset points", va="center", fontsize=9, color=INK)
    ax.set_yticks(list(places), [format_hand(one.discard, lang) for one in plays])
    ax.tick_params(axis="y", pad=9)
    ax.invert_yaxis()
    right = max(LEAST, *(gone + error for gone, error in zip(lost, errors, strict=True)))
    ax.set_xlim(0, right * (1 + ROOM))
    ax.set_xlabel(tr(lang, "expected score lost against the best discard, net whists\n(± one "
                           "standard error of the difference)"))
    ax.set_ylabel(tr(lang, "discard"))
    put_title(ax, result.record, lang, (
        tr(lang, "Discards for {contract}", contract=result.contract.label(lang)),))
    bare(ax)
