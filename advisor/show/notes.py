"""What stands under the table of an advice: what it rests on, and what the model does not know."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.advice.results import Advice, rivals
from advisor.cards import format_hand
from advisor.language import Lang, tr
from advisor.rules.conventions import Convention, bidding_parent, load_convention
from advisor.rules.pulka import closing_is_neutral
from advisor.show.words import full_label, grouped, percent, title_of

SHOWN_ENDS = 3
SMALL_ESS = 100
_TRICKS = {0: "guide tricks in spades", 1: "guide tricks in clubs", 2: "guide tricks in diamonds",
           3: "guide tricks in hearts"}


def footer(advice: Advice, lang: Lang, width: int) -> Iterable[str]:
    """The lines under the table, on a page so wide."""
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
    if advice.ess < min(SMALL_ESS, advice.deals / 2):
        yield tr(lang, "Warning: so odd an auction that few deals carry the weight; the errors "
                       "above are themselves unsure.")
    if not advice.complete:
        yield tr(lang, "Interrupted: what was known so far.")
    yield tr(lang, "EV in net whists; ± is one standard error of sampling, not of the model.")
    yield model_note(advice, lang)
    if advice.record.hides_talon:
        yield tr(lang, "The talon is not told: the defenders may have seen any two of the twelve "
                       "cards.")
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


_TRICKS_BY = {
    "guide": "The printed guide sees only the cards the declarer keeps, and your certain tricks.",
    "fitted": "Tricks are estimated for every layout by tables fitted to perfect play with open "
              "cards.",
    "exact": "Tricks are those of perfect play with open cards.",
    "auto": "Tricks are those of perfect play with open cards.",
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
        "behind. The others bid as self-play has it. Pass is approximate; in an all-pass everybody "
        "sees his own cards only."),
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
