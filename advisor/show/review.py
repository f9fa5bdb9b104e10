"""The review of a session as a table, the worst decision first; it computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.advice.review import Reviewed, losses, worst_first
from advisor.cards import format_hand
from advisor.language import Lang, tr
from advisor.show.notes import model_note
from advisor.show.page import print_table
from advisor.show.words import full_label, with_error

_NOTED = {"bid": "Calls", "declare": "Contracts and discards", "whist": "Replies"}


def print_review(reviewed: Sequence[Reviewed], asked: int, lang: Lang) -> None:
    """Print what each decision cost, and all together.

    Parameters
    ----------
    reviewed : sequence of Reviewed
        At least one.
    asked : int
        Hands of the session; more than reviewed after an interruption.
    lang : "en" or "ru"
    """
    titles = [
        tr(lang, title) for title in ("hand", "line", "cards", "said", "best", "EV lost, whists")
    ]
    print_table(
        [_row(one, lang) for one in worst_first(reviewed)],
        titles,
        lang,
        after=["", *_footer(reviewed, asked, lang)],
    )


def _row(one: Reviewed, lang: Lang) -> list[str]:
    best = one.is_best
    return [
        str(one.hand.number),
        str(one.hand.line),
        format_hand(one.hand.record.cards, lang),
        full_label(one.option, lang),
        "—" if best else full_label(one.advice.best, lang),
        "0.0" if best else ("≈ " if one.is_unsure else "") + _lost(one.lost, one.se),
    ]


def _lost(value: float, error: float) -> str:
    """An amount that is never negative, with its error."""
    return with_error(value, error).removeprefix("+")


def _footer(reviewed: Sequence[Reviewed], asked: int, lang: Lang) -> Iterable[str]:
    sums = losses(reviewed)
    yield tr(
        lang,
        "{total} whists lost in {n} decisions, {mean} each; the best choice in {best}.",
        total=_lost(sums.total, sums.se),
        n=sums.count,
        best=sums.best,
        mean=_lost(sums.mean, sums.mean_se),
    )
    if sums.count < asked:
        yield tr(lang, "Interrupted: {done} of {all} hands reviewed.", done=sums.count, all=asked)
    if any(one.is_unsure for one in reviewed):
        yield tr(lang, "≈ may be no loss at all: it is less than twice its error.")
    yield tr(lang, "EV in net whists; ± is one standard error of sampling, not of the model.")
    yield from _notes(reviewed, lang)


def _notes(reviewed: Sequence[Reviewed], lang: Lang) -> Iterable[str]:
    """What the models do not know; several notes say which decisions each is about."""
    notes = {model_note(one.advice, lang): one.advice.decision for one in reviewed}
    for note, decision in notes.items():
        yield note if len(notes) == 1 else f"{tr(lang, _NOTED[decision])}. {note}"
