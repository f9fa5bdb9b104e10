"""The commands: ``advise`` for the one job, ``advisor`` for all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

import typer

from advisor.commands.advice import advise_command, show
from advisor.commands.console import LangOption, Version, reporting
from advisor.commands.helping import SpeakingCommand, SpeakingGroup, usage_error
from advisor.commands.misere import misere, misere_holes
from advisor.commands.plot import plot
from advisor.commands.review import review
from advisor.commands.sheets import score, settle
from advisor.commands.solve import solve
from advisor.commands.tables import (
    deals_command,
    fit_bidder_command,
    fit_tables_command,
    guide,
)
from advisor.commands.trials import arena, calibrate
from advisor.interrupt import forget, ignore_from_now
from advisor.show.terminal import complain, drop_output, prepare_streams

ADVISE_EXAMPLE = 'advise --hand "♠AKQ9 ♣A8 ♦K107 ♥8" --seat 2 --auction pass'

app = typer.Typer(name="advisor", cls=SpeakingGroup, no_args_is_help=True, rich_markup_mode=None,
                  pretty_exceptions_enable=False,
                  help="Preferans bidding advisor: what is a call worth?",
                  epilog="advisor advise hand.txt")


@app.callback()
def _root(ctx: typer.Context, lang: LangOption = None, version: Version = False) -> None:
    """Preferans bidding advisor: what is a call worth?"""
    ctx.default_map = {name: {"lang": lang} for name in getattr(ctx.command, "commands", {})}


for _name, _command, _example in (
    ("advise", advise_command, ADVISE_EXAMPLE),
    ("plot", plot, "advisor plot hand.txt --kind talon -o talons.png"),
    ("show", show, "advisor show advice.json --lang ru"),
    ("review", review, "advisor review session.txt --evaluator fitted"),
    ("score", score, "advisor score result.txt --json"),
    ("settle", settle, "advisor settle sheet.txt --lang ru"),
    ("guide", guide, "advisor guide AQJxx"),
    ("deals", deals_command, "advisor deals hand.txt -n 10"),
    ("fit-tables", fit_tables_command, "advisor fit-tables --deals 1000000"),
    ("fit-bidder", fit_bidder_command, "advisor fit-bidder --convention sochi"),
    ("misere", misere, "advisor misere hand.txt --plot misere.png"),
    ("misere-holes", misere_holes, "advisor misere-holes --out holes.csv"),
    ("solve", solve,
     "advisor solve data/deals/example.txt --contract 6S --declarer 1 --line"),
    ("arena", arena, "advisor arena fitted rule --deals 300 --plot arena.png"),
    ("calibrate", calibrate, "advisor calibrate --hands 200 --evaluator fitted"),
):
    app.command(name=_name, cls=SpeakingCommand, epilog=_example)(_command)


def main() -> NoReturn:
    """Run ``advisor`` and exit."""
    sys.exit(_guarded(app))


def advise_main() -> NoReturn:
    """Run ``advise``, the one job under its own name, and exit."""
    one = typer.Typer(name="advise", rich_markup_mode=None, pretty_exceptions_enable=False)
    one.command(cls=SpeakingCommand, epilog=ADVISE_EXAMPLE)(advise_command)
    sys.exit(_guarded(one))


def _guarded(command: Callable[..., object]) -> int:
    """Run a command line, help and version included, to its exit code."""
    prepare_streams()
    code: object = None
    try:
        with reporting(None):
            code = command(standalone_mode=False)
    except typer.Exit as end:
        code = end.exit_code
    except _USAGE_ERROR as error:
        code = _complain_of_usage(error)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        drop_output()
    ignore_from_now()
    forget()
    return code if isinstance(code, int) else 0


# Typer gives no name to the base of what it raises for a command line that cannot be read.
_USAGE_ERROR: type[Exception] = next(
    one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException")


def _complain_of_usage(error: Any) -> int:
    text, lang = usage_error(error, sys.argv[1:])
    for line in text.split("\n"):
        complain(line, lang)
    return int(error.exit_code)
