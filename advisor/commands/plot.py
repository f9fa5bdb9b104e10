"""One picture of a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.commands.asking import (
    AllPasses,
    AuctionCalls,
    ContractName,
    ConventionName,
    Deals,
    Declarer,
    Hand,
    Left,
    Manner,
    Mountain,
    Players,
    Pool,
    Right,
    Seat,
    Seconds,
    Talon,
    Target,
    Whist,
    answers,
    check_files,
    hand_records,
    manner,
    told,
)
from advisor.commands.console import (
    LangOption,
    Seed,
    check_table,
    delivering,
    keep_apart,
    path_option,
    reporting,
    write_table,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.records.hand import HandRecord

EV = "ev"
KINDS = (EV, "talon", "tricks", "discards", "lead")
TABLES = "fitted"
Draw = Callable[[Any, Lang], "Axes"]


def plot(
    out: Annotated[str, typer.Option(
        "--out", "-o", metavar="FILE.png|.svg|.pdf", help="Where to write the picture.")],
    file: Annotated[str | None, typer.Argument(
        metavar="[HAND.txt]", help="Hand file; - reads standard input.",
        show_default=False)] = None,
    kind: Annotated[str, typer.Option(
        metavar="|".join(KINDS),
        help="ev: expected scores of all calls, contracts or replies; talon: what each of the "
             "231 talons is worth; tricks: chances of tricks by contract; discards: what other "
             "discards cost; lead: what leading oneself is worth.")] = EV,
    hand: Hand = None,
    seat: Seat = None,
    auction: AuctionCalls = None,
    talon: Talon = None,
    convention: ConventionName = None,
    players: Players = None,
    all_passes: AllPasses = None,
    contract: ContractName = None,
    declarer: Declarer = None,
    whist: Whist = None,
    left: Left = None,
    right: Right = None,
    pool: Pool = None,
    mountain: Mountain = None,
    target: Target = None,
    evaluator: Annotated[str | None, typer.Option(
        show_default=False, metavar="NAME",
        help="For ev as in advise, by default auto; the fitted tables draw all else.")] = None,
    seconds: Seconds = None,
    deals: Deals = None,
    seed: Seed = "1",
    csv: Annotated[str | None, typer.Option(
        "--csv", metavar="FILE|-",
        help="Write what is drawn as a table, too; - prints it.")] = None,
    lang: LangOption = None,
) -> None:
    """Draw one picture of a hand: scores, talons, tricks, discards or the lead."""
    overrides = told(
        hand=hand, seat=seat, auction=auction, talon=talon, convention=convention, players=players,
        all_passes=all_passes, contract=contract, declarer=declarer, whist=whist, left=left,
        right=right, pool=pool, mountain=mountain, target=target)
    with reporting(lang) as language:
        how = _manner(kind, evaluator, deals, seconds, seed)
        named = [] if file is None else [file]
        check_files(named, hand)
        from advisor.show.charts.canvas import checked_path, save

        picture = checked_path(path_option("--out", out))
        check_table(csv)
        keep_apart(named, picture, csv)
        (record,) = hand_records(named, overrides)
        with Interruptible():
            result, draw = _result(kind, record, how, language)
            axes = draw(result, language)
        with delivering() as deliver:
            deliver(lambda: save(axes, picture))
            if csv is not None:
                deliver(lambda: write_table(result.to_frame(), csv))


def _manner(
    kind: str, evaluator: str | None, deals: str | None, seconds: str | None, seed: str
) -> Manner:
    """How to answer; all kinds but ev look at the fitted tables alone."""
    if kind not in KINDS:
        raise InputError("found '{found}', expected {expected}", found=kind,
                         expected=", ".join(KINDS), source="--kind")
    if kind == EV:
        return manner(evaluator or "auto", deals, seconds, seed)
    how = manner(evaluator or TABLES, deals, seconds, seed)
    if how.evaluator != TABLES:
        raise InputError("the fitted tables draw the picture {kind}; leave the evaluator out",
                         kind=kind, source="--evaluator")
    return how


def _result(kind: str, record: HandRecord, how: Manner, lang: Lang) -> tuple[Any, Draw]:
    """What is to be drawn, and what draws it."""
    if kind == EV:
        from advisor.show.charts.ev import plot_ev

        (advice,) = answers([record], how, lang, why=False)
        if not advice.complete:
            raise KeyboardInterrupt
        return advice, plot_ev
    if kind == "talon":
        from advisor.advice.talon_map import talon_map
        from advisor.show.charts.talons import plot_talons

        return talon_map(record, how.deals, how.seed), plot_talons
    if kind == "tricks":
        from advisor.advice.trick_chances import trick_chances
        from advisor.show.charts.tricks import plot_tricks

        return trick_chances(record, how.deals, how.seed), plot_tricks
    if kind == "discards":
        from advisor.advice.discard_choice import discard_choice
        from advisor.show.charts.discards import plot_discards

        return discard_choice(record, how.deals, how.seed), plot_discards
    from advisor.advice.lead_worth import lead_worth
    from advisor.show.charts.lead import plot_lead

    return lead_worth(record, how.deals, how.seed), plot_lead
