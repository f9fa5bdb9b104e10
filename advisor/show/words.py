"""Numbers, hands, options and ends of deals in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    Option,
)
from advisor.cards import Suit, format_hand, holding, ranks_text
from advisor.language import Lang, tr, visible
from advisor.records.hand import HandRecord
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import Convention
from advisor.rules.deal import Reply
from advisor.rules.settlement import Amount, number

ITEMS = " · "
NOISE = 1e-9  # what the order of a sum may leave of nothing
_SEATS = ("first hand", "second hand", "third hand")
_ENDS = {ALL_PASS_END: "all-pass", WHIST_END: "you whist", HALF_END: "you go half",
         IDLE_END: "they play, you pass", THEIR_MISERE_END: "misère against you",
         BOTH_WHIST_END: "both whist", OTHER_WHISTS_END: "the other whists",
         OTHER_HALF_END: "the other goes half", NOBODY_WHISTS_END: "nobody whists"}
REPLIES = {Reply.WHIST: "whist", Reply.PASS: "pass", Reply.HALF: "half-whist"}
_STYLES = {"careful": "careful", "bold": "bold"}


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
    if error < NOISE:
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
    if text == "0 %" and share > NOISE:
        return "<1 %"
    if text == "100 %" and share < 1 - NOISE:
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
    lines = ITEMS.join((*parts, *_table_state(record, lang))), ITEMS.join(_declared(record, lang))
    return "\n".join(filter(None, lines))


def _declared(record: HandRecord, lang: Lang) -> Iterable[str]:
    """What a defender has to answer."""
    if record.contract is None or record.declarer is None:
        return
    yield tr(lang, "{name} plays {contract}", name=tr(lang, _SEATS[record.declarer]),
             contract=record.contract.label(lang))
    if record.whist is not None:
        yield tr(lang, "{name} said {reply}", name=tr(lang, _SEATS[(record.declarer + 1) % 3]),
                 reply=tr(lang, REPLIES[record.whist]))


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
        return tr(lang, REPLIES[option.reply])
    if option.call is not None:
        return option.call.label(lang)
    assert option.contract is not None
    return option.contract.label(lang)


def end_label(end: str, lang: Lang) -> str:
    """How a deal ends, in words: one of the player's contracts, or what the others do."""
    return tr(lang, _ENDS[end]) if end in _ENDS else parse_contract(end).label(lang)


def full_label(option: Option, lang: Lang) -> str:
    """The call, or the contract with its discard."""
    label = option_label(option, lang)
    return f"{label} {format_hand(option.discard, lang)}" if option.discard else label
