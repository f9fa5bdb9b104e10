"""What the decisions of a played session cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from advisor.commands.console import (
    MAX_DEALS,
    MAX_SEED,
    Json,
    LangOption,
    Seed,
    check_evaluator,
    reporting,
    seconds_option,
    whole_option,
)
from advisor.errors import InputError
from advisor.interrupt import Interruptible
from advisor.language import Lang, tr
from advisor.show.terminal import bar, print_json

if TYPE_CHECKING:
    from advisor.advice.review import Reviewed


def review(
    file: Annotated[
        str,
        typer.Argument(
            metavar="SESSION.txt",
            help="Hands parted by lines of dashes, each with what was said; "
            "- reads standard input.",
        ),
    ],
    convention: Annotated[
        str | None, typer.Option(
            metavar="NAME|FILE.toml", help="A convention for all hands, instead of their own.")
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="3|4", help="3 or 4 at the table, likewise.")
    ] = None,
    evaluator: Annotated[
        str, typer.Option(metavar="NAME", help="auto, guide, fitted or exact.")
    ] = "auto",
    seconds: Annotated[
        str | None,
        typer.Option(
            metavar="S",
            help="Time for auto to solve deals in, for each hand; by default 5.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help=f"Deals for each hand, 1 to {MAX_DEALS}; by default as advise.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = "1",
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """What did each decision of a session cost? Expected score lost, worst first."""
    overrides = {
        key: value
        for key, value in {"convention": convention, "players": players}.items()
        if value is not None
    }
    with reporting(lang) as language:
        options: dict[str, object] = {"evaluator": check_evaluator(evaluator)}
        if deals is not None:
            options["deals"] = whole_option("--deals", deals, 1, MAX_DEALS)
        if seconds is not None:
            options["seconds"] = seconds_option("--seconds", seconds)
            if evaluator != "auto":
                raise InputError("a time limit is only for the evaluator auto", source="--seconds")
        start = whole_option("--seed", seed, 0, MAX_SEED // 2)
        from advisor.advice.review import review_session
        from advisor.records.session import read_session

        hands = read_session(file, overrides)
        done: list[Reviewed] = []
        with Interruptible():
            try:
                with bar(tr(language, "hands"), transient=True) as progress:
                    for one in review_session(hands, seed=start, progress=progress, **options):
                        done.append(one)
                        if not one.advice.complete:
                            raise KeyboardInterrupt
            finally:
                if done:
                    _show(done, len(hands), language, json_)


def _show(done: list[Reviewed], asked: int, lang: Lang, json_: bool) -> None:
    if json_:
        from advisor.advice.review import review_json

        print_json(review_json(done, asked))
        return
    from advisor.show.review import print_review

    print_review(done, asked, lang)
