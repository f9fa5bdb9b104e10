"""A map of the 231 talons: above the diagonal what each is worth, below it the best contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.cards import format_hand
from advisor.language import Lang, tr
from advisor.rules.contracts import LEVELS
from advisor.show.charts.canvas import INK, house_style, known, legend_below, new_axes, put_title
from advisor.show.words import signed, with_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from advisor.advice.talon_map import TalonMap, TalonWorth

SIZE = (10.5, 9.9)
LINE = 100
CELL_TYPE = 7.5
DARK = 0.55  # share of a scale from which on its cells take white type
TAIL = 0.03  # share of the talons at either end that takes the colour of the end
# Light to dark in one hue each, so that both are read in grey.
WORTH, LEVEL_SHADES = "Blues", ("#fff5eb", "#fdd0a2", "#fda55f", "#e0681a", "#8c3104")


def plot_talons(result: TalonMap, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """A square of the unseen cards by themselves, one cell a talon on each side of the diagonal.

    Parameters
    ----------
    result : TalonMap
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given; it should be about nine inches wide and high.

    Returns
    -------
    Axes
    """
    with house_style():
        ax = new_axes(SIZE[1], SIZE[0]) if ax is None else ax
        worth = _squares(result, ax)
        _write_cells(result, lang, ax)
        _frame(result, lang, ax)
        bar = ax.figure.colorbar(worth, ax=ax, shrink=0.6, pad=0.02, extend="both")
        bar.set_label(tr(lang, "expected score when you declare, net whists"))
        bar.outline.set_visible(False)
    return ax


def _places(result: TalonMap) -> Iterator[tuple[int, int, TalonWorth]]:
    """Every talon with the places of its cards, the smaller first."""
    at = {card: place for place, card in enumerate(result.cards)}
    for one in result.talons:
        yield at[one.cards[0]], at[one.cards[1]], one


def _ends(result: TalonMap) -> tuple[float, float]:
    """Where the scale of scores ends; the few talons beyond take the colour of the end."""
    scores = sorted(one.ev for one in result.talons)
    tail = int(TAIL * len(scores))
    low, high = scores[tail], scores[-1 - tail]
    return low, max(high, low + 1.0)


def _squares(result: TalonMap, ax: Axes) -> AxesImage:
    """Both triangles as coloured squares; gives the one of scores."""
    from matplotlib.colors import ListedColormap

    size = len(result.cards)
    score = [[float("nan")] * size for _ in range(size)]
    level = [[float("nan")] * size for _ in range(size)]
    for one, two, talon in _places(result):
        score[one][two] = talon.ev
        level[two][one] = talon.contract.level
    low, high = _ends(result)
    ax.imshow(level, cmap=ListedColormap(LEVEL_SHADES), vmin=LEVELS[0] - 0.5,
              vmax=LEVELS[-1] + 0.5)
    return ax.imshow(score, cmap=WORTH, vmin=low, vmax=high)


def _write_cells(result: TalonMap, lang: Lang, ax: Axes) -> None:
    low, high = _ends(result)
    for one, two, talon in _places(result):
        dark = (talon.ev - low) / (high - low) > DARK
        ax.text(two, one, signed(talon.ev, 0), size=CELL_TYPE, ha="center", va="center",
                color="white" if dark else INK)
        ax.text(one, two, talon.contract.label(lang), size=CELL_TYPE, ha="center", va="center",
                color="white" if talon.contract.level >= 9 else INK)
    for place, card in enumerate(result.cards):
        ax.text(place, place, format_hand(1 << card, lang), size=CELL_TYPE, ha="center",
                va="center", weight="bold", color=INK)


def _frame(result: TalonMap, lang: Lang, ax: Axes) -> None:
    """Cards along all sides, lines between suits, the legend of levels and the words."""
    from matplotlib.patches import Patch

    names = [format_hand(1 << card, lang) for card in result.cards]
    places = range(len(names))
    ax.set_xticks(places, names, size=8)
    ax.set_yticks(places, names, size=8)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=True, labelbottom=True)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    for before, (one, two) in enumerate(zip(result.cards, result.cards[1:], strict=False)):
        if one // 8 != two // 8:
            ax.axhline(before + 0.5, color=INK, linewidth=0.9)
            ax.axvline(before + 0.5, color=INK, linewidth=0.9)
    errors = sorted(known(one.se) for one in result.talons)
    put_title(ax, result.record, lang, (
        tr(lang, "Talons, bought at {contract}: {mean} net whists on average",
           contract=result.lowest.label(lang),
           mean=with_error(result.mean, result.mean_se)),), LINE)
    ax.set_ylabel(tr(lang, "one card of the talon"))
    ax.set_xlabel(tr(
        lang, "the other card of the talon\nAbove the diagonal: expected score, net whists (± one "
        "standard error: mostly {usual}, at most {most}). Below: the best contract.",
        usual=f"{errors[len(errors) // 2]:.1f}", most=f"{errors[-1]:.1f}"))
    found = {one.contract.level for one in result.talons}
    legend_below(
        ax, 56, [Patch(facecolor=shade, edgecolor=INK, linewidth=0.5, label=str(level))
                 for level, shade in zip(LEVELS, LEVEL_SHADES, strict=True) if level in found],
        tr(lang, "level of the contract"))
