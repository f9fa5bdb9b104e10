"""What a deal writes, and the settlement of a sheet."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.commands.console import (
    Json,
    LangOption,
    reporting,
)
from advisor.show.terminal import print_json


def score(
    file: Annotated[str, typer.Argument(
        metavar="RESULT.txt", help="Result file; - reads standard input.")],
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """What one played deal writes: pool, mountain, whists, and its net value."""
    with reporting(lang) as language:
        from advisor.records.result import read_result
        from advisor.rules.scoring import entries_json, net
        from advisor.rules.scoring import score as score_deal

        result, convention = read_result(file)
        entries = score_deal(result, convention)
        nets = net(entries, convention, result.players)
        if json_:
            print_json(entries_json(entries, nets))
            return
        from advisor.show.sheets import print_entries

        print_entries(result, convention, entries, nets, language)


def settle(
    file: Annotated[str, typer.Argument(
        metavar="SHEET.txt", help="Sheet file; - reads standard input.")],
    json_: Json = False,
    lang: LangOption = None,
) -> None:
    """Settle a score sheet (расчёт пули): what everyone wins or loses, in whists."""
    with reporting(lang) as language:
        from advisor.records.sheet import read_sheet
        from advisor.rules.settlement import settlement_json

        sheet = read_sheet(file)
        if json_:
            print_json(settlement_json(sheet))
            return
        from advisor.show.sheets import print_settlement

        print_settlement(sheet, language)
