"""A tournament as text, as a table of every game, and as a chart; computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.language import Lang, tr
from advisor.rules.contracts import MISERE
from advisor.show.page import print_table
from advisor.show.words import grouped, percent, signed, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.trials.results import ArenaResult, Interval

_COLOURS = ("#0072b2", "#d55e00", "#00795a")
_INK = "#222222"
_ROLES = {"declarer": "declaring", "defender": "defending", "all-pass": "all-pass"}
_NOTES = (
    "± is half the width of the 95 % interval, from deals as independent units.",
    "Games are played open by the exact solver along one optimal line, misères against defenders "
    "who see the discard, the pessimist's bound; all-passes closed, by cautious players.",
    "A game nobody whists counts as made. The rule and the model whist by the printed guide.",
)


def print_arena(result: ArenaResult, lang: Lang) -> None:
    """Net whists of the policies, where they come from, their differences, their contracts."""
    head = [
        title_of(result.convention, lang),
        tr(
            lang,
            "{deals} deals, each in {n} lineups: {lineups}",
            deals=grouped(result.deals, lang),
            n=len(result.lineups),
            lineups=_lineups(result),
        ),
    ]
    if not result.complete:
        head.append(
            tr(
                lang,
                "stopped after {deals} of {asked} deals",
                deals=grouped(result.deals, lang),
                asked=grouped(result.asked, lang),
            )
        )
    rows = []
    for i, name in enumerate(result.policies):
        sat, times, made = result.declared(i)
        rows.append(
            [
                name,
                with_half(result.net(i)),
                *(signed(part.mean, 2) for part in result.roles(i).values()),
                _share(times, sat),
                _share(made, times),
            ]
        )
    print_table(
        rows,
        [
            tr(lang, word)
            for word in (
                "policy",
                "net whists a deal",
                "declaring",
                "defending",
                "all-pass",
                "declares",
                "makes",
            )
        ],
        lang,
        before=[*head, ""],
    )
    print_table(
        [
            [f"{result.policies[a]} − {result.policies[b]}", with_half(found)]
            for a, b, found in result.pairs()
        ],
        [tr(lang, "difference"), tr(lang, "net whists a deal")],
        lang,
        before=[""],
    )
    _print_contracts(result, lang)


def _lineups(result: ArenaResult) -> str:
    return ", ".join(" ".join(result.policies[who] for who in seats) for seats in result.lineups)


def _print_contracts(result: ArenaResult, lang: Lang) -> None:
    rows = []
    for i, name in enumerate(result.policies):
        sat = result.declared(i)[0]
        rows.append(
            [
                name,
                *(
                    f"{_share(n, sat)} ({_share(made, n)})" if n else "—"
                    for n, made in result.contracts(i).values()
                ),
            ]
        )
    titles = [MISERE.label(lang) if row == str(MISERE) else row for row in result.contracts(0)]
    print_table(
        rows,
        [tr(lang, "declares (and makes)"), *titles],
        lang,
        before=[""],
        after=[
            "",
            tr(lang, "all-pass: {share} of all games", share=percent(result.all_pass)),
            tr(lang, "seed {seed}, {seconds} s", seed=result.seed, seconds=f"{result.seconds:.1f}"),
            *(tr(lang, note) for note in _NOTES),
        ],
    )


def with_half(found: Interval, digits: int = 2) -> str:
    """A mean with half of its interval."""
    half = "?" if found.half != found.half else f"{found.half:.{digits}f}"
    return f"{signed(found.mean, digits)} ± {half}"


def _share(part: int, whole: int) -> str:
    return "—" if not whole else percent(part / whole)


def plot_arena(result: ArenaResult, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Net whists a deal of each policy with 95 % intervals, and what declaring, defending and
    all-passes bring.

    Parameters
    ----------
    result : ArenaResult
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.
    """
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(8, 4.5), layout="constrained").subplots()
    parts = ["net", *_ROLES]
    width = 0.8 / len(result.policies)
    for i, name in enumerate(result.policies):
        found = [result.net(i), *result.roles(i).values()]
        ax.bar(
            [k + (i - (len(result.policies) - 1) / 2) * width for k in range(len(parts))],
            [one.mean for one in found],
            width,
            label=name,
            color=_COLOURS[i],
            yerr=[0.0 if one.half != one.half else one.half for one in found],
            error_kw={"ecolor": _INK, "capsize": 3},
        )
    ax.axhline(0, color=_INK, linewidth=0.8)
    ax.set_xticks(
        range(len(parts)), [tr(lang, "all together"), *(tr(lang, word) for word in _ROLES.values())]
    )
    ax.set_ylabel(tr(lang, "net whists a deal (95 % interval)"))
    ax.set_title(
        tr(
            lang,
            "{deals} deals, {convention}",
            deals=grouped(result.deals, lang),
            convention=title_of(result.convention, lang),
        ),
        fontsize=11,
        parse_math=False,
    )
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
