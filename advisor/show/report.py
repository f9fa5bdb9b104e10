"""Advice as a page of text for a terminal; it shows numbers and computes none."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from advisor.advice.results import Advice, Option, is_pass
from advisor.cards import format_hand
from advisor.language import Lang, tr, visible
from advisor.show.notes import SHOWN_ENDS, footer
from advisor.show.page import page_width, print_page
from advisor.show.words import (
    end_label,
    full_label,
    hand_line,
    option_label,
    percent,
    with_error,
)

if TYPE_CHECKING:
    from rich.table import Table

SHOWN = 8
EQUAL = 1e-6
SHOWN_CHANCE = 0.1
ENDS_WIDTH = 31
MIN_ENDS_WIDTH = 8
GAP = 2
NUMBERS = 3


def print_advice(
    advice: Advice, lang: Lang = "en", *, everything: bool = False, file: IO[str] | None = None
) -> None:
    """Print the report of one hand.

    Parameters
    ----------
    advice : Advice
    lang : "en" or "ru"
    everything : bool
        All options instead of the best `SHOWN`, pass and misère.
    file : text stream, optional
        Standard output if not given.
    """
    file = file or sys.stdout
    width = page_width(file)
    shown, left = shown_options(advice, everything)
    lines = [hand_line(advice.record, lang), ""]
    tail = list(_left_lines(advice, left, lang)) if left else []
    tail += list(footer(advice, lang, width))
    print_page(lines, _table(advice, shown, lang, width), tail, lang, file)


def shown_options(advice: Advice, everything: bool) -> tuple[list[Option], list[Option]]:
    """The options worth a row, and the others; pass, hold and misère always have one."""
    if everything:
        return list(advice.options), []
    ranked = [option for option in advice.options if not _is_twin(option, advice)]
    shown = [option for rank, option in enumerate(ranked)
             if rank < SHOWN or (option.call is not None and not option.call.is_game)]
    return shown, [option for option in advice.options if option not in shown]


def _is_twin(option: Option, advice: Advice) -> bool:
    """Whether an equal play of the same contract stands before: another discard, no difference."""
    if option.contract is None:
        return False
    before = advice.options[:advice.options.index(option)]
    return any(other.contract == option.contract and abs(other.ev - option.ev) < EQUAL
               for other in before)


def _table(advice: Advice, options: Sequence[Option], lang: Lang, width: int) -> Table:
    """One row an option; the last column takes what the others leave of `width`, if anything.

    Where even these are too wide, the distance goes, then the chance; numbers are not cut.
    """
    from rich.table import Table

    titles = _titles(advice, lang)
    rows = [_row(option, advice, lang) for option in options]
    numbers, used = NUMBERS, _used(titles, rows)
    for place in (-2, -1):
        if used > width:
            for row in (titles, *rows):
                del row[place]
            numbers, used = numbers - 1, _used(titles, rows)
    room = min(ENDS_WIDTH, width - used)
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False,
                  width=used if used > width else None)
    for i, title in enumerate(titles):
        table.add_column(title, justify="right" if len(titles) - i <= numbers else "left",
                         no_wrap=True, min_width=1)
    declaring = advice.decision == "declare"
    ends = f"{tr(lang, 'tricks')}, %" if declaring else tr(lang, "usually becomes")
    if room >= max(MIN_ENDS_WIDTH, len(ends)):
        table.add_column(ends, no_wrap=True)
        for option, row in zip(options, rows, strict=True):
            row.append(_tricks(option.tricks, room) if declaring and option.tricks
                       else _becomes(option, lang, room))
    for option, row in zip(options, rows, strict=True):
        table.add_row(*row, style="bold" if option is advice.best else None)
    return table


def _used(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Width of columns of texts, with the gap after each."""
    return sum(GAP + max(len(row[i]) for row in (titles, *rows)) for i in range(len(titles)))


def _titles(advice: Advice, lang: Lang) -> list[str]:
    """Titles of the columns but the last; `NUMBERS` numeric ones stand last."""
    if advice.decision == "bid":
        words = ["call", "EV, whists", "behind the best", "makes"]
    elif advice.decision == "whist":
        words = ["reply", "EV, whists", "behind the best", "he makes"]
    else:
        words = ["contract", "discard", "EV, whists", "behind", "makes"]
    return ["", *(tr(lang, word) for word in words)]


def _row(option: Option, advice: Advice, lang: Lang) -> list[str]:
    best = option is advice.best
    return [
        "▶" if best else " ",
        option_label(option, lang),
        *([format_hand(option.discard, lang)] if advice.decision == "declare" else []),
        ("≈ " if is_rough(option, advice) else "") + with_error(option.ev, option.se),
        "—" if best else with_error(option.behind, option.behind_se),
        "—" if option.p_make is None else percent(option.p_make),
    ]


def is_rough(option: Option, advice: Advice) -> bool:
    """Whether a score is a rough estimate: of a pass, or by tables beside solved deals."""
    return is_pass(option) or (advice.solved > 0 and not option.solved)


def _becomes(option: Option, lang: Lang, room: int) -> str:
    ends = [f"{end_label(end, lang)} {percent(share)}"
            for end, share in list(option.becomes.items())[:SHOWN_ENDS]]
    if option.call is not None and option.call.is_misere and option.mean_tricks is not None:
        tricks = tr(lang, "{n} tricks", n=f"{option.mean_tricks:.1f}")
        ends = [f"{ends[0]} ({tricks})", *ends[1:]]
    return _joined(ends, room)


def _tricks(tricks: Sequence[float], room: int) -> str:
    """Chances of the likely numbers of tricks, in per cent: ``7: 62, 8: 30``."""
    return _joined([f"{k}: {percent(p)[:-2]}" for k, p in enumerate(tricks) if p >= SHOWN_CHANCE],
                   room)


def _joined(parts: Sequence[str], room: int) -> str:
    """As many parts as there is room for, at least one."""
    text = parts[0] if parts else ""
    for part in parts[1:]:
        longer = f"{text}, {part}"
        if len(longer) > room:
            break
        text = longer
    return text


def _left_lines(advice: Advice, left: Sequence[Option], lang: Lang) -> Iterable[str]:
    """How many options are not shown, and how far behind they are."""
    twins = sum(_is_twin(option, advice) for option in left)
    behind = [-option.behind for option in left if not _is_twin(option, advice)]
    if behind and advice.decision == "bid":
        yield tr(lang, "{n} more calls, at least {behind} whists behind (--all shows them)",
                 n=len(behind), behind=f"{max(0.0, min(behind)):.1f}")
    elif behind:
        yield tr(lang, "{n} more plays, at least {behind} whists behind (--all shows them)",
                 n=len(behind), behind=f"{max(0.0, min(behind)):.1f}")
    if twins:
        yield tr(lang, "{n} other discards are worth the same here as one shown", n=twins)


def print_summary(advices: Sequence[Advice], lang: Lang, file: IO[str] | None = None) -> None:
    """One row a hand, for several files."""
    from rich.table import Table

    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    table.add_column(tr(lang, "file"), overflow="fold")
    for title in ("best", "EV, whists", "next best", "behind"):
        table.add_column(tr(lang, title), justify="right" if "EV" in title else "left",
                         no_wrap=True)
    for advice in advices:
        second = advice.options[1] if len(advice.options) > 1 else None
        table.add_row(
            visible(str(advice.record.source)), full_label(advice.best, lang),
            with_error(advice.best.ev, advice.best.se),
            full_label(second, lang) if second else "—",
            with_error(second.behind, second.behind_se) if second else "—")
    print_page([tr(lang, "Summary"), ""], table, [], lang, file or sys.stdout)
