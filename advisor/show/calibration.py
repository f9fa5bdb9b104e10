"""Predicted chances beside what happened, as text and as reliability curves; computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.language import Lang, tr
from advisor.show.page import print_table
from advisor.show.words import grouped, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.trials.calibrated import CalibrationResult
    from advisor.trials.reliability import Bin, Reliability

_KINDS = ("bids", "declared")
_NAMES = {"bids": "the first call", "declared": "with twelve cards"}
_COLOURS = {"bids": "#d55e00", "declared": "#0072b2"}
_MARKERS = {"bids": "s", "declared": "o"}
_TITLES = {
    "bids": "chance of making, as told at the first call",
    "declared": "chance of making, as told with twelve cards",
}
_NOTES = (
    "Bins are filled equally. Expected is where the share lies with at least 95 % if every "
    "prediction is right.",
    "What happened is what open cards bring on the deal as it lay, whisted or not; a misère is "
    "caught there by defenders who see the discard.",
)


def print_calibration(result: CalibrationResult, lang: Lang) -> None:
    """Bins of both predictions, Brier scores, coverage of the printed errors."""
    before = [
        title_of(result.convention, lang),
        tr(
            lang,
            "{hands} hands that bid by {evaluator}, the other two by {others}",
            hands=grouped(len(result.trials), lang),
            evaluator=tr(lang, result.evaluator),
            others=result.others,
        ),
    ]
    if not result.complete:
        before.append(
            tr(
                lang,
                "stopped after {done} of {asked} hands",
                done=grouped(len(result.trials), lang),
                asked=grouped(result.asked, lang),
            )
        )
    predicted, observed = result.declares
    before.append(
        tr(
            lang,
            "came to declare: {observed}, predicted {predicted}",
            observed=_percent(observed),
            predicted=_percent(predicted),
        )
    )
    foot = [
        "",
        *_miseres(result, lang),
        *_coverage(result, lang),
        tr(lang, "seed {seed}, {seconds} s", seed=result.seed, seconds=f"{result.seconds:.1f}"),
        *(tr(lang, note) for note in _NOTES),
    ]
    found = {kind: part for kind in _KINDS if (part := getattr(result, kind)) is not None}
    for kind, part in found.items():
        _print_bins(part, kind, lang, before, foot if kind == list(found)[-1] else [""])
        before = []
    if not found:
        print_table([], [], lang, before=before, after=foot)


def _print_bins(
    found: Reliability, kind: str, lang: Lang, before: list[str], after: list[str]
) -> None:
    rows = [_row(_range(one.low, one.high), one, lang) for one in found.bins]
    rows.append(_row(tr(lang, "all"), found.overall, lang))
    agree = tr(
        lang,
        "{inside} of {bins} bins agree. Brier score {brier}: reliability "
        "{reliability} − resolution {resolution} + uncertainty {uncertainty}, and the rest within "
        "bins.",
        inside=found.inside,
        bins=len(found.bins),
        brier=f"{found.brier:.4f}",
        reliability=f"{found.reliability:.4f}",
        resolution=f"{found.resolution:.4f}",
        uncertainty=f"{found.uncertainty:.4f}",
    )
    print_table(
        rows,
        [
            tr(lang, _TITLES[kind]),
            *(tr(lang, word) for word in ("hands", "predicted", "made", "expected", "agrees")),
        ],
        lang,
        before=[*before, ""] if before else [],
        after=["", agree, *after],
    )


def _row(name: str, one: Bin, lang: Lang) -> list[str]:
    return [
        name,
        str(one.count),
        _percent(one.predicted),
        _percent(one.observed),
        _range(one.least, one.most),
        tr(lang, "yes") if one.inside else tr(lang, "no"),
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _range(low: float, high: float) -> str:
    """Both ends; one number where they look the same, as in a bin of one hand."""
    ends = _percent(low), _percent(high)
    return " .. ".join(dict.fromkeys(ends))


def _miseres(result: CalibrationResult, lang: Lang) -> list[str]:
    if result.miseres is None:
        return []
    one = result.miseres.overall
    return [
        tr(
            lang,
            "Misère: {n} hands, predicted {predicted}, made {made} (expected {expected}).",
            n=one.count,
            predicted=_percent(one.predicted),
            made=_percent(one.observed),
            expected=_range(one.least, one.most),
        )
    ]


def _coverage(result: CalibrationResult, lang: Lang) -> list[str]:
    if not result.covered:
        return []
    best, second = result.contained
    return [
        tr(
            lang,
            "Of {hands} printed 95 % intervals {best} hold the score from {long} times "
            "the deals, {second} of those of the distance to the next best call.",
            hands=len(result.covered),
            best=best,
            second=second,
            long=result.long,
        )
    ]


def plot_calibration(result: CalibrationResult, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Share made against the chance predicted, by bins, with the intervals expected.

    Parameters
    ----------
    result : CalibrationResult
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.
    """
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(6.5, 6), layout="constrained").subplots()
    ax.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=0)
    for kind in _KINDS:
        found: Reliability | None = getattr(result, kind)
        if found is None:
            continue
        shift = -0.004 if kind == "bids" else 0.004
        for one in found.bins:
            ax.plot(
                [one.predicted + shift] * 2,
                [one.least, one.most],
                color=_COLOURS[kind],
                alpha=0.35,
                linewidth=4,
                solid_capstyle="butt",
            )
        ax.plot(
            [one.predicted + shift for one in found.bins],
            [one.observed for one in found.bins],
            _MARKERS[kind],
            color=_COLOURS[kind],
            ms=6,
            label=tr(
                lang,
                "{title}: {n} hands, {bins} bins",
                title=tr(lang, _NAMES[kind]),
                n=found.overall.count,
                bins=len(found.bins),
            ),
        )
    ax.set(
        xlim=(0, 1.02),
        ylim=(0, 1.02),
        xlabel=tr(lang, "chance of making predicted"),
        ylabel=tr(lang, "share made with open cards"),
    )
    ax.set_title(
        tr(
            lang,
            "{evaluator}, {hands} hands that bid",
            evaluator=tr(lang, result.evaluator),
            hands=grouped(len(result.trials), lang),
        ),
        fontsize=11,
    )
    ax.legend(
        frameon=False,
        loc="lower right",
        title=tr(lang, "bars: where 95 % of right predictions lie"),
    )
    ax.spines[["top", "right"]].set_visible(False)
    return ax
