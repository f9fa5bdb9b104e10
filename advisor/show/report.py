"""Advice as a page of text for a terminal; it shows numbers and computes none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING

from advisor.advice.results import (
    ALL_PASS_END,
    BOTH_WHIST_END,
    HALF_END,
    IDLE_END,
    NOBODY_WHISTS_END,
    OTHER_HALF_END,
    OTHER_WHISTS_END,
    THEIR_MISERE_END,
    WHIST_END,
    Advice,
    Option,
    is_pass,
    rivals,
)
from advisor.cards import Suit, format_hand, holding, ranks_text
from advisor.language import Lang, printable, tr, visible
from advisor.records.hand import HandRecord
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import Convention, bidding_parent, load_convention
from advisor.rules.deal import Reply
from advisor.rules.pulka import closing_is_neutral
from advisor.rules.settlement import Amount, number

if TYPE_CHECKING:
    from rich.table import Table

SHOWN = 8
EQUAL = 1e-6
SHOWN_ENDS = 3
SHOWN_CHANCE = 0.1
ENDS_WIDTH = 31
MIN_ENDS_WIDTH = 8
GAP = 2
NUMBERS = 3
SMALL_ESS = 100
TOLD_APART = 2.0
PLAIN_WIDTH = 100
WHOLE_ITEM = 30
_ITEMS = " · "
_GLUE = "\ue000"
_HELD_SPACE = re.compile(r"(?<=\d) (?=[%±])|(?<=±) ")
_SEATS = ("first hand", "second hand", "third hand")
_ENDS = {ALL_PASS_END: "all-pass", WHIST_END: "you whist", HALF_END: "you go half",
         IDLE_END: "they play, you pass", THEIR_MISERE_END: "misère against you",
         BOTH_WHIST_END: "both whist", OTHER_WHISTS_END: "the other whists",
         OTHER_HALF_END: "the other goes half", NOBODY_WHISTS_END: "nobody whists"}
_REPLIES = {Reply.WHIST: "whist", Reply.PASS: "pass", Reply.HALF: "half-whist"}
_STYLES = {"careful": "careful", "bold": "bold"}
_TRICKS = {0: "guide tricks in spades", 1: "guide tricks in clubs", 2: "guide tricks in diamonds",
           3: "guide tricks in hearts"}


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign, a real minus, and no negative zero: ``+9.8``, ``−11.1``, ``0.0``."""
    text = f"{value:+.{digits}f}"
    if float(text) == 0:
        return text[1:]
    return text.replace("-", "−")


def with_error(value: float, error: float, digits: int = 1) -> str:
    """``+9.8 ± 0.2``; enough digits to show the error, ``?`` for an unknown one."""
    if error != error:
        return f"{signed(value, digits)} ± ?"
    if error == 0:
        return signed(value, digits)
    if error < 0.05:
        digits = max(digits, 2)
    return f"{signed(value, digits)} ± {max(error, 10**-digits):.{digits}f}"


def percent(share: float) -> str:
    """``93 %``; never 0 or 100 for what is not certain.

    >>> percent(0.93), percent(0.9999), percent(1.0), percent(0.0001)
    ('93 %', '>99 %', '100 %', '<1 %')
    """
    text = f"{100 * share:.0f} %"
    if text == "0 %" and share > 0:
        return "<1 %"
    if text == "100 %" and share < 1 - 1e-9:
        return ">99 %"
    return text


def grouped(number: float, lang: Lang = "en") -> str:
    """A whole number in groups of three: ``20,328``, in Russian with narrow spaces."""
    return f"{number:,.0f}".replace(",", "\u202f" if lang == "ru" else ",")


def hand_line(record: HandRecord, lang: Lang) -> str:
    """The hand suit by suit, with what else is known of the situation."""
    suits = "   ".join(
        f"{Suit(s).symbol} {ranks_text(holding(record.cards, s), lang, ' ')}".replace(" -", " —")
        for s in range(4))
    return f"{suits}\n{situation(record, lang)}"


def situation(record: HandRecord, lang: Lang) -> str:
    """Seat, convention, table and auction in one line, what a defender has to answer in another."""
    parts = [
        tr(lang, _SEATS[record.seat]), title_of(record.convention, lang),
        tr(lang, "four players" if record.players == 4 else "three players"),
    ]
    if record.all_passes:
        parts.append(tr(lang, "{n} all-pass deals before", n=record.all_passes))
    calls = record.auction.calls
    said = " ".join(call.label(lang) for call in calls) if calls else tr(lang, "no calls yet")
    parts.append(tr(lang, "{calls} (assumed)", calls=said) if record.assumed else said)
    if record.talon:
        parts.append(tr(lang, "talon {cards}", cards=format_hand(record.talon, lang)))
    lines = _ITEMS.join((*parts, *_table_state(record, lang))), _ITEMS.join(_declared(record, lang))
    return "\n".join(filter(None, lines))


def _declared(record: HandRecord, lang: Lang) -> Iterable[str]:
    """What a defender has to answer."""
    if record.contract is None or record.declarer is None:
        return
    yield tr(lang, "{name} plays {contract}", name=tr(lang, _SEATS[record.declarer]),
             contract=record.contract.label(lang))
    if record.whist is not None:
        yield tr(lang, "{name} said {reply}", name=tr(lang, _SEATS[(record.declarer + 1) % 3]),
                 reply=tr(lang, _REPLIES[record.whist]))


def _table_state(record: HandRecord, lang: Lang) -> Iterable[str]:
    """The neighbours' styles, where they are not normal, and the pulka."""
    for turns, template in ((1, "left {style}"), (2, "right {style}")):
        style = record.styles[(record.seat + turns) % 3]
        if style != "normal":
            yield tr(lang, template, style=tr(lang, _STYLES[style]))
    if (pulka := record.pulka) is not None:
        yield tr(lang, "pool {points}", points=_points(pulka.pool))
        yield tr(lang, "mountain {points}", points=_points(pulka.mountain))
        if pulka.target is not None:
            yield tr(lang, "pool to close {target}", target=pulka.target)


def _points(amounts: Sequence[Amount]) -> str:
    return " ".join(f"{number(amount):g}".replace("-", "−") for amount in amounts)


def title_of(convention: Convention, lang: Lang) -> str:
    """What a convention is called; it may be a user's own."""
    return visible(convention.title_ru if lang == "ru" else convention.title_en)


def option_label(option: Option, lang: Lang) -> str:
    """The call, the contract, or the reply to another's contract."""
    if option.reply is not None:
        return tr(lang, _REPLIES[option.reply])
    if option.call is not None:
        return option.call.label(lang)
    assert option.contract is not None
    return option.contract.label(lang)


def end_label(end: str, lang: Lang) -> str:
    """How a deal ends, in words: one of the player's contracts, or what the others do."""
    return tr(lang, _ENDS[end]) if end in _ENDS else parse_contract(end).label(lang)


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
    width = _width(file)
    shown, left = shown_options(advice, everything)
    lines = [hand_line(advice.record, lang), ""]
    tail = list(_left_lines(advice, left, lang)) if left else []
    tail += list(_footer(advice, lang, width))
    _print(lines, _table(advice, shown, lang, width), tail, lang, file)


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
    """One row an option; the last column takes what the others leave of `width`, if anything."""
    from rich.table import Table

    titles = _titles(advice, lang)
    rows = [_row(option, advice, lang) for option in options]
    used = sum(GAP + max(len(row[i]) for row in (titles, *rows)) for i in range(len(titles)))
    room = min(ENDS_WIDTH, width - used)
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    for i, title in enumerate(titles):
        table.add_column(title, justify="right" if len(titles) - i <= NUMBERS else "left",
                         no_wrap=True, min_width=1)
    if room >= MIN_ENDS_WIDTH:
        declaring = advice.decision == "declare"
        table.add_column(f"{tr(lang, 'tricks')}, %" if declaring else tr(lang, "usually becomes"),
                         no_wrap=True)
        for option, row in zip(options, rows, strict=True):
            row.append(_tricks(option.tricks, room) if declaring and option.tricks
                       else _becomes(option, lang, room))
    for option, row in zip(options, rows, strict=True):
        table.add_row(*row, style="bold" if option is advice.best else None)
    return table


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


def _footer(advice: Advice, lang: Lang, width: int) -> Iterable[str]:
    yield ""
    if advice.best.discards:
        yield tr(lang, "Then usually thrown: {discards}.", discards=", ".join(
            f"{format_hand(away, lang)} {percent(share)}"
            for away, share in list(advice.best.discards.items())[:SHOWN_ENDS]))
    if advice.rule is not None:
        yield _rule_line(advice, lang, width)
    if advice.decision == "whist":
        yield _defence_line(advice, lang)
    if advice.exhaustive:
        sample = tr(lang, "all {n} deals", n=grouped(advice.deals, lang))
    else:
        sample = tr(lang, "{n} deals (effective {ess})", n=grouped(advice.deals, lang),
                    ess=grouped(advice.ess, lang))
    yield tr(lang, "{sample}, {evaluator}, seed {seed}, {seconds} s", sample=sample,
             evaluator=tr(lang, advice.evaluator), seed=advice.seed,
             seconds=f"{advice.seconds:.1f}")
    if advice.solved:
        yield _solved_line(advice, lang)
    yield from _all_pass_note(advice, lang)
    if advice.ess < min(SMALL_ESS, advice.deals / 2):
        yield tr(lang, "Warning: so odd an auction that few deals carry the weight; the errors "
                       "above are themselves unsure.")
    if not advice.complete:
        yield tr(lang, "Interrupted: what was known so far.")
    yield tr(lang, "EV in net whists; ± is one standard error of sampling, not of the model.")
    yield model_note(advice, lang)
    yield from _bidding_note(advice.record.convention, lang)
    yield from _pulka_notes(advice, lang)


def _defence_line(advice: Advice, lang: Lang) -> str:
    """What the defence may expect of the contract."""
    best = advice.best
    assert best.mean_tricks is not None
    assert best.p_make is not None
    return tr(lang, "The defence expects {tricks} tricks together; the contract goes down in "
                    "{down} of the deals.", tricks=f"{10 - best.mean_tricks:.1f}",
              down=percent(1 - best.p_make))


def _all_pass_note(advice: Advice, lang: Lang) -> Iterable[str]:
    """What a pass would be worth if nobody saw the others' cards in an all-pass."""
    for option in advice.options:
        if is_pass(option) and option.tables_ev is not None \
                and abs(option.ev - option.tables_ev) > TOLD_APART:
            yield tr(lang, "All-passes are solved with open cards. Played closed by simple rules, "
                           "pass would be worth {ev}.", ev=signed(option.tables_ev))


def _solved_line(advice: Advice, lang: Lang) -> str:
    """How many deals were solved, and why no more."""
    n = grouped(advice.solved, lang)
    close = rivals(advice.options)
    if not close:
        return tr(lang, "Solved {n} of them, until the best was clear.", n=n)
    names = ", ".join(full_label(option, lang) for option in close[:SHOWN_ENDS])
    names += ", …" if len(close) > SHOWN_ENDS else ""
    if advice.stopped == "all":
        return tr(lang, "Solved them all; the best is not told apart from {rivals}.", rivals=names)
    return tr(lang, "Solved {n} of them in the time given; the best is not told apart from "
                    "{rivals}.", n=n, rivals=names)


def _bidding_note(convention: Convention, lang: Lang) -> Iterable[str]:
    """Whose bidding a convention of the user's own borrows."""
    parent = load_convention(bidding_parent(convention))
    if parent != convention:
        yield tr(lang, "The others bid as under {convention}, the shipped convention nearest to "
                       "yours.", convention=title_of(parent, lang))


def _pulka_notes(advice: Advice, lang: Lang) -> Iterable[str]:
    """Whether the sheet counts, and what of it does not."""
    pulka, convention = advice.record.pulka, advice.record.convention
    if pulka is None:
        return
    if pulka.is_over(convention):
        yield tr(lang, "All pools are full: by this convention the pulka is over.")
    if closing_is_neutral(convention):
        yield tr(lang, "The state of the pulka changes no EV: in this convention a pool point is "
                       "worth as much once a pool is full as before.")
    elif advice.pulka_matters:
        yield tr(lang, "The state of the pulka counts: pool points that overflow are valued as "
                       "what they become.")
    else:
        yield tr(lang, "The state of the pulka changes no EV: no pool can overflow in this deal.")
    yield tr(lang, "What the deal does to the rest of the pulka, such as its length, is not "
                   "modelled.")


def model_note(advice: Advice, lang: Lang) -> str:
    """What the model behind the numbers does not know."""
    if advice.decision == "whist":
        return f"{tr(lang, _TRICKS_BY[advice.evaluator])} {tr(lang, _DEFENCE_UNKNOWN)}"
    return tr(lang, _UNKNOWN[advice.evaluator][advice.decision == "bid"])


_TRICKS_BY = {
    "guide": "The printed guide sees only the cards the declarer keeps, and your certain tricks.",
    "fitted": "Tricks are estimated for every layout by tables fitted to perfect play with open "
              "cards.",
    "exact": "Tricks are those of perfect play with open cards.",
}
_DEFENCE_UNKNOWN = (
    "The declarer's discard and contract and the other's reply are those of usual players, who "
    "answer one another by expected score; two who whist play closed, which is not modelled.")
# By evaluator: declaring, bidding.
_UNKNOWN = {
    "auto": (
        "Tricks are those of perfect play with open cards, estimated by tables for plays far "
        "behind; the defenders whist as usual players do.",
        "Tricks are those of perfect play with open cards, estimated by tables for calls far "
        "behind. The others bid as self-play has it. Pass is approximate, an all-pass with open "
        "cards most of all."),
    "guide": (
        "The printed guide sees only the declarer's cards; the others whist as usual players do.",
        "The printed guide sees only the declarer's cards. The others bid as self-play has it. "
        "Pass is approximate: their contracts, your whist and all-pass are rough estimates."),
    "fitted": (
        "Tricks are estimated for every layout by tables fitted to perfect play with open cards; "
        "the defenders whist as usual players do.",
        "Tricks are estimated for every layout by tables fitted to perfect play with open cards. "
        "The others bid as self-play has it. Pass is approximate: misère and all-pass are rough "
        "estimates."),
    "exact": (
        "Tricks are those of perfect play with open cards; the defenders whist as usual players "
        "do.",
        "Tricks are those of perfect play with open cards, which helps whoever has to find a line "
        "or a discard. The others bid as self-play has it. Pass is approximate, an all-pass with "
        "open cards most of all."),
}


def _rule_line(advice: Advice, lang: Lang, width: int) -> str:
    """The rule of thumb; its verdict on a line of its own where that saves breaking a line."""
    rule = advice.rule
    assert rule is not None
    best = rule.best[0]
    words = [
        f"{rule.tricks[best]:g} {tr(lang, _TRICKS[best])}",
        tr(lang, "{tricks} in two suits", tricks=f"{rule.two:g}"),
        tr(lang, "misère holes {n}, risk {percent} %", n=rule.holes,
           percent=f"{rule.percent:.0f}" if rule.percent <= 100 else ">100"),
    ]
    says = "rule of thumb: misère" if rule.misere else \
        "rule of thumb: bid" if rule.bid else "rule of thumb: pass"
    facts, verdict = f"{', '.join(words)};", f"{tr(lang, says)}."
    needed = len(facts) + 1 + len(verdict)
    return f"{facts}\n{verdict}" if len(facts) <= width < needed else f"{facts} {verdict}"


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
    _print([tr(lang, "Summary"), ""], table, [], lang, file or sys.stdout)


def full_label(option: Option, lang: Lang) -> str:
    """The call, or the contract with its discard."""
    label = option_label(option, lang)
    return f"{label} {format_hand(option.discard, lang)}" if option.discard else label


def print_table(
    rows: Sequence[Sequence[str]], titles: Sequence[str], lang: Lang, *,
    before: Sequence[str] = (), after: Sequence[str] = (), file: IO[str] | None = None,
) -> None:
    """A plain table of texts with lines around it; columns of numbers stand to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for i, title in enumerate(titles):
        numeric = all(_is_number(row[i]) for row in rows if row[i] not in ("", "—"))
        table.add_column(title, justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*map(visible, row))
    _print([visible(line) for line in before], table, [visible(line) for line in after], lang,
           file or sys.stdout)


def _is_number(text: str) -> bool:
    bare = text.lstrip("+−-<>").removesuffix(" %")
    return bare.replace(".", "").replace(",", "").isdigit()


def _width(file: IO[str]) -> int:
    """Columns to fill: the terminal's, or `PLAIN_WIDTH` where there is none.

    Of a dumb terminal Rich believes nothing, not even ``COLUMNS``.
    """
    from rich.console import Console

    terminal = Console(file=file)
    if terminal.is_dumb_terminal and terminal.is_terminal:
        return get_terminal_size().columns
    return terminal.width if terminal.is_terminal else PLAIN_WIDTH


def _glued(line: str) -> str:
    """A line in which no number loses its sign of error or per cent, nor a short item its end.

    Items are what stands between middle dots. Rich breaks lines at any white space, a no-break
    space too, so another character has to stand for a space that must hold.
    """
    if _ITEMS in line:
        line = _ITEMS.join(item.replace(" ", _GLUE) if len(item) <= WHOLE_ITEM else item
                           for item in line.split(_ITEMS))
    return _HELD_SPACE.sub(_GLUE, line)


def _print(
    before: Iterable[str], table: Table, after: Iterable[str], lang: Lang, file: IO[str]
) -> None:
    """Render everything to text first, so that the terminal's encoding can be met."""
    from rich.console import Console

    terminal = Console(file=file, highlight=False)
    colour = terminal.is_terminal and not terminal.no_color
    # Without a height Rich would not believe the width of a dumb terminal.
    console = Console(file=file, width=_width(file), height=25, highlight=False,
                      force_terminal=colour, no_color=terminal.no_color, legacy_windows=False,
                      markup=False, emoji=False)
    with console.capture() as capture:
        for part in (*map(_glued, before), table, *map(_glued, after)):
            console.print(part)
    text = "\n".join(line.rstrip() for line in capture.get().replace(_GLUE, " ").split("\n"))
    file.write(printable(text, getattr(file, "encoding", None), lang))
    file.flush()
