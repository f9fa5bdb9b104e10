"""Score entries and settlements as text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from advisor.language import Lang, tr
from advisor.rules.conventions import Convention
from advisor.rules.deal import DealResult
from advisor.rules.scoring import Entries
from advisor.rules.settlement import Amount, Sheet, number, rounded, shares
from advisor.show.page import print_table
from advisor.show.words import signed, title_of


def print_entries(
    result: DealResult, convention: Convention, entries: Entries, nets: Sequence[Fraction],
    lang: Lang,
) -> None:
    """What one deal writes, seat by seat, and its net value."""
    names = [tr(lang, "seat {n}", n=seat + 1) for seat in range(3)] + [tr(lang, "dealer")]
    rows = []
    for seat, net in enumerate(nets):
        whists = ", ".join(tr(lang, "{amount} on {name}", amount=_amount(amount), name=names[on])
                           for (writer, on), amount in sorted(entries.whists.items())
                           if writer == seat)
        rows.append([names[seat], _written(entries.pool.get(seat, 0)),
                     _written(entries.mountain.get(seat, 0)), whists or "—",
                     signed(float(net), 2)])
    titles = [tr(lang, title) for title in
              ("player", "pool", "mountain", "whists", "net, whists")]
    contract = result.contract.label(lang)
    if result.declarer is not None:
        contract = tr(lang, "{name} plays {contract}", name=names[result.declarer],
                      contract=contract)
    print_table(rows, titles, lang, before=[f"{title_of(convention, lang)} · {contract}", ""])


def print_settlement(sheet: Sheet, lang: Lang) -> None:
    """Who wins and loses what, and from which part of the sheet."""
    parts = shares(sheet)
    whole = rounded([part.net for part in parts])
    rows = [[name, _amount(sheet.pool[i]), _amount(sheet.mountain[i]),
             signed(float(part.pool), 2), signed(float(part.mountain), 2),
             signed(float(part.whists), 2), signed(float(part.net), 2), signed(float(whole[i]), 0)]
            for i, (name, part) in enumerate(zip(sheet.players, parts, strict=True))]
    titles = [tr(lang, title) for title in
              ("player", "pool", "mountain", "from pool", "from mountain", "from whists",
               "net, whists", "rounded")]
    after = []
    if missing := [(a, b) for a in range(len(rows)) for b in range(len(rows))
                   if a != b and (a, b) not in sheet.whists]:
        pairs = ", ".join(tr(lang, "{writer} on {name}", writer=sheet.players[a],
                             name=sheet.players[b]) for a, b in missing)
        after += ["", tr(lang, "No line, counted as no whists: {pairs}.", pairs=pairs)]
    if sheet.target is not None and any(points < sheet.target for points in sheet.pool):
        after += ["", tr(lang, "The pool is still open (target {target} each); settled as it "
                              "stands.", target=sheet.target)]
    print_table(rows, titles, lang, before=[title_of(sheet.convention, lang), ""], after=after)


def _amount(amount: Amount) -> str:
    return f"{number(amount):g}"


def _written(amount: Amount) -> str:
    return f"{number(amount):+g}".replace("-", "−") if amount else "—"
