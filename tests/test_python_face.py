"""What stands in ``advisor`` itself, and how answers print."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pytest
from processes import environment

import advisor
from advisor import Advice, InputError, advise, line_frame, parse_cards, parse_hand
from advisor.advice.results import PRINTED

HAND = "♠AKQ98 ♣A8 ♦K107"


@pytest.fixture(scope="module")
def advice() -> Advice:
    return advise(HAND, deals=500, evaluator="guide")


def test_every_public_name_is_there_and_at_home() -> None:
    assert advisor.__all__ == sorted(advisor.__all__)
    assert set(advisor.__all__) == set(advisor._HOMES) <= set(dir(advisor))
    for name, home in advisor._HOMES.items():
        assert getattr(advisor, name) is getattr(import_module(f"advisor.{home}"), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="solve_all"):
        advisor.solve_all  # noqa: B018


def test_importing_loads_nothing_heavy() -> None:
    code = ("import sys, advisor; "
            "print({'numpy', 'pandas', 'numba', 'matplotlib'} & {*sys.modules})")
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True,
                          text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_text_is_read_as_a_hand(advice: Advice) -> None:
    assert advice.record == parse_hand(HAND)
    assert advice.options == advise(parse_hand(HAND), deals=500, evaluator="guide").options
    taken = advise(f"hand: {HAND}\nauction: 6S pass pass\ntalon: ♦A ♥J", deals=100,
                   evaluator="guide")
    assert taken.decision == "declare"
    with pytest.raises(InputError, match=":1:16: 'Z'"):
        advise("♠AKQ98 ♣A8 ♦K10Z", evaluator="guide")


def test_an_advice_prints_as_a_table(advice: Advice) -> None:
    head, titles, *rows = str(advice).splitlines()
    assert head == f"S:AKQ98 C:A8 D:K107, {advice.deals} deals, guide"
    assert titles.split() == ["option", "EV", "se", "behind", "makes"]
    assert [row.split()[0] for row in rows[:-1]] == [o.name for o in advice.options[:PRINTED]]
    assert rows[0].split()[1] == f"{advice.best.ev:+.2f}"
    assert rows[-1] == f"... {len(advice.options) - PRINTED} more"
    assert len({len(line) for line in (titles, *rows[:-1])}) == 1
    assert str(advice).isascii()


def test_short_and_unsure_advice_prints_too(advice: Advice) -> None:
    unsure = replace(advice.best, se=float("nan"), p_make=None)
    text = str(replace(advice, options=(unsure,)))
    assert text.splitlines()[-1].split()[2:] == ["nan", "0.00", "-"]
    assert "more" not in text


def test_a_line_as_a_table() -> None:
    hands = [parse_cards(cards) for cards in ("♠A7", "♠K ♥7", "♠8 ♥A")]
    table = line_frame(advisor.best_line(hands, 0, 1), ("anna", "boris", "vera"))
    assert table.columns.tolist() == ["leads", "anna", "boris", "vera", "wins"]
    assert table.leads.tolist() == ["boris", "anna"]
    assert (table.wins == "anna").sum() == advisor.solve_deals([hands], 0, 1)[0] == 2
    cards = parse_cards(" ".join(table[["anna", "boris", "vera"]].to_numpy().ravel()))
    assert cards == hands[0] | hands[1] | hands[2]
