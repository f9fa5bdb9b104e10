"""How many tricks the contracts bring, a row of columns each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.cards import format_hand
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
from advisor.show.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.advice.trick_chances import ContractTricks, TrickChances

HEIGHT = 0.68  # of a row's tallest column, in rows
LEAST = 0.005  # chances below this have no number
LINE = 54
EDGE = 0.6  # tricks left free beyond the columns


def plot_tricks(result: TrickChances, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Columns of the chance of each number of tricks, one row a contract, with standard errors.

    Tricks that make the contract are dark, those short of it are hatched. All rows have one scale.

    Parameters
    ----------
    result : TrickChances
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.

    Returns
    -------
    Axes
    """
    with house_style():
        rows = len(result.contracts)
        ax = new_axes(2.0 + 1.05 * rows) if ax is None else ax
        _draw(result, lang, ax)
    return ax


def _draw(result: TrickChances, lang: Lang, ax: Axes) -> None:
    rows = result.contracts
    tallest = max(max(one.chances) for one in rows)
    lines = [len(rows) - 1 - row for row in range(len(rows))]
    for line, one in zip(lines, rows, strict=True):
        ax.axhline(line, color=FAINT, linewidth=0.8, zorder=0)
        _columns(one, line, HEIGHT / tallest, ax)
    ax.set_ylim(-0.12, len(rows) - 0.05)
    ax.set_yticks([line + HEIGHT / 2 for line in lines],
                  [_label(one, result, lang) for one in rows])
    ax.tick_params(axis="y", length=0)
    seen = [k for one in rows for k, chance in enumerate(one.chances) if chance >= LEAST]
    low, high = min(*seen, *(one.contract.level for one in rows)), max(seen)
    ax.set_xlim(low - EDGE, high + EDGE)
    ax.set_xticks(range(low, high + 1))
    ax.set_xlabel(tr(lang, "tricks of the declarer (± one standard error of the chance)"))
    ax.set_ylabel(tr(lang, "contract"))
    bought = tr(lang, "Contracts declared, bought at {contract}",
                contract=result.lowest.label(lang))
    put_title(ax, result.record, lang, (
        *([] if result.record.declares else [bought]),
        tr(lang, "Chance of each number of tricks")), LINE)
    _legend(lang, ax)
    bare(ax, "top", "right", "left")


def _columns(one: ContractTricks, line: int, scale: float, ax: Axes) -> None:
    """One contract's columns, standing on their line."""
    for k, (chance, error) in enumerate(zip(one.chances, one.errors, strict=True)):
        if chance < LEAST:
            continue
        made = k >= one.contract.level
        ax.bar(k, chance * scale, bottom=line, width=0.72, color=BLUE if made else "white",
               edgecolor=BLUE if made else ORANGE, hatch=None if made else "////",
               linewidth=1.0, yerr=known(error) * scale or None,
               error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3})
        ax.annotate(percent(chance), (k, line + (chance + known(error)) * scale), xytext=(0, 2),
                    textcoords="offset points", ha="center", va="bottom", fontsize=8, color=INK)


def _label(one: ContractTricks, result: TrickChances, lang: Lang) -> str:
    """The contract, what is thrown or how often it is declared, and the chance of making it."""
    beside = format_hand(one.discard, lang) if one.discard else \
        tr(lang, "declared {share}", share=percent(one.share))
    mean = tr(lang, "{n} tricks", n=f"{one.mean.mean:.2f}")
    makes = tr(lang, "makes {share}", share=percent(one.p_make.mean))
    return f"{one.contract.label(lang)}   {beside}\n{mean}, {makes}"


def _legend(lang: Lang, ax: Axes) -> None:
    from matplotlib.patches import Patch

    legend_below(ax, 42, [
        Patch(facecolor=BLUE, edgecolor=BLUE, label=tr(lang, "made")),
        Patch(facecolor="white", edgecolor=ORANGE, hatch="////", label=tr(lang, "short"))])
