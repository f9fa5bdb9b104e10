"""A misère report as text and as a picture; it shows numbers and computes none."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

from advisor.advice.misere_report import LeadReport, MisereReport
from advisor.advice.results import Option
from advisor.advice.saving import RULE_OF_SEVEN
from advisor.cards import Suit, format_hand
from advisor.language import Lang, tr
from advisor.show.charts.canvas import put_title
from advisor.show.page import print_table
from advisor.show.words import grouped, hand_line, option_label, percent, with_error
from advisor.tricks.holes import SuitReport
from advisor.tricks.misere_game import MODELS, PLAYED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 6
_AT_TABLE = ("your lead", "first hand leads")
_OTHERWISE = ("if it were your lead", "if second hand led")
_NAMES = {"open": "(a) discard seen", "hidden": "(b) discard hidden",
          "obvious": "(c) obvious discard assumed"}
_COLOURS = {"open": "#9fb8c8", "hidden": "#0072b2", "obvious": "#e69f00"}
_INK = "#222222"


def print_misere(report: MisereReport, lang: Lang = "en", file: IO[str] | None = None) -> None:
    """Print the report of one misère hand.

    Parameters
    ----------
    report : MisereReport
    lang : "en" or "ru"
    file : text stream, optional
        Standard output if not given.
    """
    file = file or sys.stdout
    _suits(report, lang, file)
    _chances(report, lang, file)
    for lead in report.leads:
        if lead.models is not None:
            _discards(report, lead, lang, file)
    _worth(report, lang, file)


def _suits(report: MisereReport, lang: Lang, file: IO[str]) -> None:
    rows = [[Suit(s).symbol, _ranks(other, lang),
             tr(lang, "clean") if other.clean else tr(lang, "holes: {n}", n=len(other.chances)),
             _odds(other), _odds(own)]
            for s, (other, own) in enumerate(
                zip(report.suits["other"], report.suits["own"], strict=True))]
    titles = ["", *(tr(lang, word) for word in
                    ("holding", "holes", "printed risk, other lead",
                     "printed risk, this suit led"))]
    after = [tr(lang, "Risk: the printed chance that the hole is caught. The risks add up to "
                      "{other}\u00a0% on another's lead, {own}\u00a0% on your own from the best "
                      "suit; the printed rule bids up to 80\u00a0% and two holes.",
                other=f"{report.percent['other']:.0f}", own=f"{report.percent['own']:.0f}"), ""]
    after += _saving(report, lang)
    print_table(rows, titles, lang, after=after, file=file,
                before=[*hand_line(report.record, lang).splitlines(), ""])


def _ranks(suit: SuitReport, lang: Lang) -> str:
    return suit.holding.translate(str.maketrans("AKQJ", "ТКДВ")) if lang == "ru" else suit.holding


def _odds(suit: SuitReport) -> str:
    return " + ".join(percent(chance) for chance in suit.chances) or "—"


def _saving(report: MisereReport, lang: Lang) -> list[str]:
    saving = report.saving
    if saving is None:
        return []
    if not report.holes:
        return [tr(lang, "Clean as it stands: nothing needs saving."), ""]
    number = saving.cards.bit_count()
    lines = [
        tr(lang, "Talon cards that save it: {cards} ({n}).", n=number,
           cards=format_hand(saving.cards, lang) or "—"),
        tr(lang, "One of them comes: {chance}; the hand becomes clean, also by two cards "
                 "together: {clean}.", chance=percent(saving.chance), clean=percent(saving.clean)),
        tr(lang, "Rule of seven (bid with {least} saving cards or more): bid.", least=RULE_OF_SEVEN)
        if saving.rule_of_seven else
        tr(lang, "Rule of seven (bid with {least} saving cards or more): pass.",
           least=RULE_OF_SEVEN),
    ]
    if saving.eights != saving.cards:
        lines.append(tr(lang, "With a lone eight counted as clean: {n} cards, {chance}.",
                        n=saving.eights.bit_count(), chance=percent(saving.eights_chance)))
    return [*lines, ""]


def _chances(report: MisereReport, lang: Lang, file: IO[str]) -> None:
    rows = []
    for lead in report.leads:
        row = [_lead(report, lead, lang)]
        if report.saving is not None:
            row.append(_chance(lead.stands or 0.0, lead.stands_error))
        row += [_chance(lead.values[m], lead.errors[m]) for m in MODELS]
        rows.append(row)
    titles = [tr(lang, "made, %"),
              *([tr(lang, "as it stands")] if report.saving is not None else []),
              *(tr(lang, _NAMES[m]) for m in MODELS)]
    width = max(lead.values["hidden"] - lead.low for lead in report.leads)
    after = [
        tr(lang, "(b) is an upper bound: the declarer answers the plan in use. The lower bound, "
                 "with his play restricted, is {width} points below it.",
           width=f"{100 * width:.1f}"), ""]
    print_table(rows, titles, lang, after=after, file=file)


def _chance(value: float, error: float) -> str:
    """A chance in per cent with its error: ``64 ± 2``."""
    if error < 5e-4:
        return f"{100 * value:.1f}"
    return f"{100 * max(0.0, value):.0f} ± {max(1.0, 100 * error):.0f}"


def _lead(report: MisereReport, lead: LeadReport, lang: Lang) -> str:
    """Who leads: first hand at the table, or, to compare, somebody else."""
    other = int(lead.leader != 0)
    at_table = lead.leader == -report.record.seat % 3
    return tr(lang, (_AT_TABLE if at_table else _OTHERWISE)[other])


def _discards(report: MisereReport, lead: LeadReport, lang: Lang, file: IO[str]) -> None:
    models = lead.models
    assert models is not None
    rows = [
        ["▶" if models.mixture[i] > max(models.mixture) - PLAYED else " ", format_hand(mask, lang),
         _chance(models.open[i], models.open_error[i]), percent(models.hidden[i]),
         percent(models.obvious[i]), percent(max(0.0, round(models.mixture[i], 4)))]
        for i, mask in enumerate(models.discards[:SHOWN])]
    titles = ["", tr(lang, "discard"), *(tr(lang, _NAMES[m]) for m in MODELS),
              tr(lang, "played in (b)")]
    print_table(rows, titles, lang, before=[_lead(report, lead, lang)], after=[""], file=file)


def _worth(report: MisereReport, lang: Lang, file: IO[str]) -> None:
    rows = [[tr(lang, "misère, {lead}", lead=_lead(report, lead, lang)),
             *(with_error(lead.ev[m], lead.ev_error[m]) for m in MODELS)]
            for lead in report.leads]
    rows += [[_rival(option, lang), with_error(option.ev, option.se), "", ""]
             for option in (report.passing, report.game) if option is not None]
    titles = [tr(lang, "EV, whists"), *(tr(lang, _NAMES[m]) for m in MODELS)]
    after = [
        "",
        tr(lang, "{n} layouts (effective {ess}) for each lead, {searched} searched for plans; seed "
                 "{seed}, {seconds} s", n=grouped(report.deals, lang),
           ess=grouped(round(report.effective), lang), searched=grouped(report.searched, lang),
           seed=report.seed, seconds=f"{report.seconds:.1f}"),
        tr(lang, "The calls heard weigh the layouts, by a simple model of bidding. Passing and the "
                 "game are the guide's."),
    ]
    if not report.allowed:
        after.append(tr(lang, "After these calls misère is not allowed: this is what it would be "
                              "worth."))
    print_table(rows, titles, lang, after=after, file=file)


def _rival(option: Option, lang: Lang) -> str:
    label = option_label(option, lang)
    if not option.discard:
        return label
    discard = tr(lang, "discard {cards}", cards=format_hand(option.discard, lang))
    return f"{label}, {discard}"


def plot_misere(report: MisereReport, lang: Lang = "en", ax: Axes | None = None) -> Axes:
    """Bars of the chance under the three models: by discard with twelve cards, else by lead.

    Parameters
    ----------
    report : MisereReport
    lang : "en" or "ru"
    ax : matplotlib Axes, optional
        A new figure's if not given.
    """
    groups = _groups(report, lang)
    made = ax is None
    if ax is None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 2.2 + 0.6 * len(groups)), layout="constrained")
        ax = figure.subplots()
    for k, model in enumerate(MODELS):
        places = [i + 0.27 * (k - 1) for i in range(len(groups))]
        values = [100 * chances[model] for _, chances, _ in groups]
        # Where no error is known there is no bar either: one of no length would claim certainty.
        errors = [100 * error.get(model, float("nan")) for _, _, error in groups]
        ax.barh(places, values, height=0.25, color=_COLOURS[model], label=tr(lang, _NAMES[model]),
                xerr=errors, error_kw={"ecolor": _INK, "elinewidth": 1.0, "capsize": 2})
        for place, value, error in zip(places, values, errors, strict=True):
            end = value if error != error else value + error
            ax.annotate(f"{value:.0f}", (end, place), xytext=(4, 0), fontsize=8,
                        textcoords="offset points", va="center", color=_INK)
    ax.set_yticks(range(len(groups)), [label for label, _, _ in groups])
    ax.invert_yaxis()
    ax.set_xlim(0, 108)
    ax.set_xlabel(tr(lang, "chance of making the misère, % (± one standard error)"))
    lead = report.leads[0]
    put_title(ax, report.record, lang,
              () if lead.models is None else (_lead(report, lead, lang),))
    if made:
        figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=3)
    else:
        ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _groups(
    report: MisereReport, lang: Lang
) -> list[tuple[str, dict[str, float], dict[str, float]]]:
    """Labels with chances and errors by model."""
    lead = report.leads[0]
    models = lead.models
    if models is None:
        return [(_lead(report, one, lang), dict(one.values), dict(one.errors))
                for one in report.leads]
    found = [
        (format_hand(mask, lang),
         {"open": models.open[i], "hidden": models.hidden[i], "obvious": models.obvious[i]},
         {"open": models.open_error[i]}) for i, mask in enumerate(models.discards[:SHOWN])]
    return [*found, (tr(lang, "best"), dict(lead.values), dict(lead.errors))]

