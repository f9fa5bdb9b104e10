"""A deal solved with open cards: the table of all games, one contract, a line of play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from advisor.cards import Suit, card_code, format_hand, holding, ranks_text
from advisor.language import Lang, tr
from advisor.records.deal import MAX_CARDS, DealRecord
from advisor.rules.contracts import ALL_PASS, MISERE, game_label
from advisor.show.page import print_table
from advisor.show.terminal import bar
from advisor.tricks.deal_table import (
    MISERE_STRAIN,
    STRAINS,
    Cell,
    Progress,
    Solution,
    turned_cards,
)

DEALER = 3


@contextmanager
def progress_bar(record: DealRecord, lang: Lang) -> Iterator[Progress | None]:
    """A bar on the terminal for what takes seconds, an all-pass; else nothing."""
    if record.contract != ALL_PASS:
        yield None
        return
    with bar(tr(lang, "endings"), transient=True) as progress:
        yield progress


def cells_json(record: DealRecord, cells: Sequence[Cell]) -> dict[str, Any]:
    """The table as a JSON object: one row by declarer, leader and strain."""
    return {
        "file": record.source,
        "table": [{"declarer": cell.declarer + 1, "leader": cell.leader + 1,
                   "strain": STRAINS[cell.strain], "tricks": cell.tricks,
                   "leads": _codes(cell.leads)} for cell in cells],
    }


def solution_json(solution: Solution) -> dict[str, Any]:
    """One contract as a JSON object; seats from 1, in a talon trick the dealer is 4."""
    return {
        "contract": str(solution.contract),
        "declarer": None if solution.declarer is None else solution.declarer + 1,
        "leader": solution.leader + 1,
        "tricks": list(solution.tricks),
        "line": [{"leader": trick.leader + 1, "cards": [card_code(card) for card in trick.cards],
                  "winner": trick.winner + 1} for trick in solution.line],
        "leads": {card_code(card): solution.leads[card] for card in _order(solution.leads)},
    }


def print_cells(record: DealRecord, cells: Sequence[Cell], lang: Lang) -> None:
    """The diagram, the games, misère, and what to lead."""
    declarers = sorted({cell.declarer for cell in cells})
    leaders = sorted({cell.leader for cell in cells})
    found = {(cell.declarer, cell.leader, cell.strain): cell for cell in cells}
    _print_hands(record, lang)
    games = range(MISERE_STRAIN)
    print_table(
        [[_seat(d, lang) if lead == leaders[0] else "", _seat(lead, lang),
          *(str(found[d, lead, strain].tricks) for strain in games)]
         for d in declarers for lead in leaders],
        [tr(lang, "declarer"), tr(lang, "leader"), *(_strain(strain, lang) for strain in games)],
        lang, before=[tr(lang, "Tricks of the declarer"), ""], after=[""])
    print_table(
        [[_seat(d, lang), *(str(found[d, lead, MISERE_STRAIN].tricks) for lead in leaders)]
         for d in declarers],
        [_strain(MISERE_STRAIN, lang),
         *(tr(lang, "{name} leads", name=_seat(lead, lang)) for lead in leaders)],
        lang, after=[""])
    leader = record.leader if record.leader in leaders else leaders[0]
    print_table(
        [[_strain(strain, lang), *(_leads(found[d, leader, strain].leads, record.hands[leader],
                                          lang) for d in declarers)]
         for strain in range(MISERE_STRAIN + 1)],
        ["", *(tr(lang, "{name} plays", name=_seat(d, lang)) for d in declarers)], lang,
        before=[tr(lang, "Best leads of {name}", name=_seat(leader, lang)), ""],
        after=_talon_note(record, lang))


def print_solution(record: DealRecord, solution: Solution, lang: Lang, *, line: bool) -> None:
    """The diagram, the outcome, each lead, and the line of play if it is wanted."""
    _print_hands(record, lang)
    title = "tricks of the declarer" if solution.declarer is not None else "tricks of the leader"
    marks = {card: "▶" if solution.best >> card & 1 else "" for card in solution.leads}
    groups: dict[tuple[str, int], int] = {}
    for card in _order(solution.leads):
        key = marks[card], solution.leads[card]
        groups[key] = groups.get(key, 0) | 1 << card
    rows = [[mark, format_hand(cards, lang), str(tricks)]
            for (mark, tricks), cards in sorted(groups.items(), key=_best_first)]
    after = _solution_notes(record, solution, lang)
    print_table(rows, ["", tr(lang, "lead"), tr(lang, title)], lang,
                before=[_outcome(record, solution, lang), ""], after=[] if line else after)
    if line:
        _print_line(solution, lang, after)


def _best_first(group: tuple[tuple[str, int], int]) -> tuple[bool, int]:
    (mark, tricks), _ = group
    return not mark, tricks


def _print_hands(record: DealRecord, lang: Lang) -> None:
    rows = [[_seat(seat, lang), *(ranks_text(holding(hand, suit), lang, " ").replace("-", "—")
                                  for suit in Suit)] for seat, hand in enumerate(record.hands)]
    after = [""]
    if record.talon:
        cards = " ".join(format_hand(1 << card, lang) for card in record.talon)
        after = ["", tr(lang, "talon {cards}", cards=cards), ""]
    elif record.discard:
        after = ["", tr(lang, "discard {cards}", cards=format_hand(record.discard, lang)), ""]
    print_table(rows, ["", *(suit.symbol for suit in Suit)], lang, after=after)


def _outcome(record: DealRecord, solution: Solution, lang: Lang) -> str:
    """``seat 2 plays 6♠, seat 1 leads: seat 1 3, seat 2 7, seat 3 0; made``."""
    contract = solution.contract.label(lang)
    if solution.declarer is not None:
        contract = tr(lang, "{name} plays {contract}", name=_seat(solution.declarer, lang),
                      contract=contract)
    tricks = ", ".join(tr(lang, "{name}: {tricks}", name=_seat(seat, lang), tricks=number)
                       for seat, number in enumerate(solution.tricks))
    leads = tr(lang, "{name} leads", name=_seat(solution.leader, lang))
    text = tr(lang, "{contract}, {leads}. Tricks: {tricks}", contract=contract, leads=leads,
              tricks=tricks)
    verdict = _verdict(record, solution, lang)
    return f"{text}; {verdict}." if verdict else f"{text}."


def _verdict(record: DealRecord, solution: Solution, lang: Lang) -> str:
    """Whether it is made; of an ending nothing is known but its tricks."""
    if solution.declarer is None:
        return ""
    tricks = solution.tricks[solution.declarer]
    if solution.contract == MISERE:
        return tr(lang, "caught" if tricks else "not caught")
    short = solution.contract.level - tricks
    if record.size < MAX_CARDS:
        return ""
    return tr(lang, "made") if short <= 0 else tr(lang, "short by {n}", n=short)


def _print_line(solution: Solution, lang: Lang, after: Sequence[str]) -> None:
    rows = [[str(number), _seat(trick.leader, lang),
             " ".join(format_hand(1 << card, lang) for card in trick.cards),
             _seat(trick.winner, lang)] for number, trick in enumerate(solution.line, 1)]
    titles = [tr(lang, title) for title in ("trick", "plays first", "cards in the order played",
                                            "takes it")]
    print_table(rows, titles, lang, before=[""], after=after)


def _solution_notes(record: DealRecord, solution: Solution, lang: Lang) -> list[str]:
    if solution.contract != ALL_PASS:
        return _talon_note(record, lang)
    turned, plays = turned_cards(record)
    talon = "The talon cards lead to the first two tricks as the dealer's." if plays else \
        "The talon cards name the suit of the first two tricks." if turned else \
        "The talon stays closed." if record.size == MAX_CARDS else \
        "In an ending the talon plays no part."
    return ["", tr(lang, talon),
            tr(lang, "Everybody looks after himself: few tricks of his own, then many for the next "
                     "player. That is one answer, not a promise; who errs changes all tricks.")]


def _talon_note(record: DealRecord, lang: Lang) -> list[str]:
    if not record.talon:
        return []
    return ["", tr(lang, "The hands are played as they stand, without the talon; to play with it, "
                         "write the declarer's hand after his discard.")]


def _seat(seat: int, lang: Lang) -> str:
    return tr(lang, "dealer") if seat == DEALER else tr(lang, "seat {n}", n=seat + 1)


def _strain(strain: int, lang: Lang) -> str:
    return MISERE.label(lang) if strain == MISERE_STRAIN else game_label(6, strain, lang)[1:]


def _leads(leads: int, hand: int, lang: Lang) -> str:
    return tr(lang, "any") if leads == hand else format_hand(leads, lang)


def _codes(cards: int) -> list[str]:
    return [card_code(card) for card in _order({c: 0 for c in range(32) if cards >> c & 1})]


def _order(cards: dict[int, int]) -> list[int]:
    """By suit, highest first, as everywhere in files and JSON."""
    return sorted(cards, key=lambda card: (card >> 3, -card))
