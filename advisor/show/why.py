"""The best option taken apart, in words and numbers under the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from advisor.advice.results import (
    DOWN,
    MADE,
    MISERE_CAUGHT,
    MISERE_MADE,
    MOST_DOWN,
    THEN,
    UNPLAYED_END,
    Advice,
    Option,
    Why,
)
from advisor.cards import format_hand
from advisor.language import Lang, tr
from advisor.rules.deal import Reply
from advisor.show.page import print_table
from advisor.show.words import (
    NOISE,
    REPLIES,
    end_label,
    full_label,
    percent,
    signed,
    with_error,
)

SMALL = 0.005  # endings below this share are gathered in one row
SLIGHT = 0.05
_TRICKS_OF = ("Tricks when you declare: {tricks}; by the printed guide {guide}.",
              "Tricks of the declarer: {tricks}; by the printed guide {guide}.")
_MISERE = {MISERE_MADE: "misère made", MISERE_CAUGHT: "misère caught"}


def print_why(advice: Advice, lang: Lang = "en", *, file: IO[str] | None = None) -> None:
    """Print why the best option is worth its score, where that is known."""
    if advice.why is None:
        return
    print_table(
        why_rows(advice.why, lang),
        [tr(lang, "{option} ends as", option=full_label(advice.best, lang)), tr(lang, "share"),
         tr(lang, "mean, whists")],
        lang, before=[""], after=list(why_lines(advice, lang)), file=file)


def why_rows(why: Why, lang: Lang) -> list[list[str]]:
    """One row an ending: what happens, how often, and the mean score then."""
    shown = [one for one in why.endings if one.share >= SMALL]
    rest = [one for one in why.endings if one.share < SMALL]
    rows = [[_ending(one.end, lang), percent(one.share), signed(one.net)] for one in shown]
    if (share := sum(one.share for one in rest)) > NOISE:
        net = sum(one.share * one.net for one in rest) / share
        rows.append([tr(lang, "all else"), percent(share), signed(net)])
    return rows


def _ending(end: str, lang: Lang) -> str:
    replies, then, result = end.partition(THEN)
    if then:
        return f"{end_label(replies, lang)}, {_ending(result, lang)}"
    word, _, number = end.rpartition(" ")
    if word == MADE:
        return tr(lang, "{level} made", level=number)
    if word == UNPLAYED_END:
        return tr(lang, "{level} not played out", level=number)
    if word == DOWN:
        return tr(lang, "down {n} or more" if int(number) == MOST_DOWN else "down {n}", n=number)
    if end in _MISERE:
        return tr(lang, _MISERE[end])
    return end_label(end, lang)


def why_lines(advice: Advice, lang: Lang) -> Iterator[str]:
    """What else explains the best option, one sentence a line."""
    why = advice.why
    assert why is not None
    if abs(why.change) >= SLIGHT:
        yield tr(lang, "Solving deals changes the mean of these by {change}.",
                 change=signed(why.change, 2))
    if why.talon:
        cards = ", ".join(f"{format_hand(1 << one.card, lang)} {with_error(one.gain, one.se)}"
                          for one in why.talon)
        yield tr(lang, "Best talon cards: {cards}; one of them comes in {chance}.", cards=cards,
                 chance=percent(why.talon_chance))
    if (other := _next_discard(advice)) is not None:
        yield tr(lang, "Next best discard: {discard}, {behind}.",
                 discard=format_hand(other.discard, lang),
                 behind=with_error(other.behind, other.behind_se))
    if why.tricks is not None and why.guide_tricks is not None:
        yield tr(lang, _TRICKS_OF[why.usual is not None],
                 tricks=f"{why.tricks:.2f}", guide=f"{why.guide_tricks:.2f}")
    if why.usual is not None:
        yield tr(lang, "Usual players with your cards say: {reply}.",
                 reply=tr(lang, REPLIES[Reply(why.usual)]))
    if why.lead is not None:
        yield tr(lang, "Leading yourself brings {tricks} tricks against the next player's lead.",
                 tricks=with_error(why.lead[0], why.lead[1], 2))


def _next_discard(advice: Advice) -> Option | None:
    """The best other discard of the best contract."""
    best = advice.best
    if best.contract is None:
        return None
    return next((option for option in advice.options[1:]
                 if option.contract == best.contract and option.discard != best.discard), None)
