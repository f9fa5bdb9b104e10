"""Reports as text: lay-out on terminals of several widths, numbers, and what is left out."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import ROOT, on_terminal, plain, run

from advisor.advice.decide import advise
from advisor.advice.results import Advice
from advisor.language import Lang
from advisor.records.hand import parse_hand
from advisor.show import page
from advisor.show.page import print_table
from advisor.show.report import SHOWN, print_advice, print_summary, shown_options
from advisor.show.words import option_label, percent, signed, with_error

HANDS = ROOT / "data/hands"
NAMES = sorted(path.stem for path in HANDS.glob("*.txt"))
FEW = ("--deals", "500", "--evaluator", "guide")


@pytest.fixture(scope="module")
def bid() -> Advice:
    return advise(parse_hand("♠AKQ98 ♣A8 ♦K107", source="mine.txt"), deals=500, evaluator="guide")


@pytest.fixture(scope="module")
def declaration() -> Advice:
    return advise(parse_hand("♠AKQ98 ♣A8 ♦AK107 ♥J"), deals=500, evaluator="guide")


def printed(advice: Advice, lang: Lang = "en", *, everything: bool = False) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_advice(advice, lang, everything=everything, file=out)
    out.seek(0)
    return out.read()


def table(text: str) -> list[str]:
    """Rows of the table without its titles: from the first blank line to the next line of prose."""
    rows = plain(text).split("\n\n")[1].splitlines()[1:]
    return [row for row in rows if "--all" not in row and "%" in row]


# --- lay-out ----------------------------------------------------------------------------------

@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", NAMES)
def test_a_report_fits_a_terminal_of_80_columns(name: str, lang: str) -> None:
    """No row wraps or loses a character: the same rows come out as where there is room."""
    args = ("advise", HANDS / f"{name}.txt", *FEW, "--lang", lang)
    code, text = on_terminal(*args)
    wide = on_terminal(*args, columns=200)[1]
    assert code == 0
    lines = plain(text).splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in text
    assert lines[:2] == plain(wide).splitlines()[:2]
    rows, wide_rows = table(text), table(wide)
    assert [row.split()[:4] for row in rows] == [row.split()[:4] for row in wide_rows]
    assert rows[0].startswith("▶")
    for row, wide_row in zip(rows, wide_rows, strict=True):
        assert " ".join(wide_row.split()).startswith(" ".join(row.split()))


@pytest.mark.parametrize("columns", range(24, 80))
def test_no_line_parts_a_number_from_its_unit_or_breaks_a_short_item(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "page_width", lambda file: columns)
    items = ["third hand", "2 all-pass deals before", "pool 4 8 6", "mountain 0 0 0"]
    numbers = "Best talon cards: ♦A +31.0 ± 0.7, ♥A +4.0 ± 0.2; one of them comes in 41 %."
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_table([], [], "en", before=[" · ".join(items)], after=[numbers], file=file)
    file.seek(0)
    lines = file.read().splitlines()
    assert max(map(len, lines)) <= columns
    for whole in (*items, "+31.0 ± 0.7,", "+4.0 ± 0.2;", "41 %."):
        assert any(whole in line for line in lines)
    assert " ".join(" ".join(lines).split()) == f"{' · '.join(items)} {numbers}"


def test_a_narrow_terminal_keeps_the_numbers() -> None:
    args = ("advise", HANDS / "talon.txt", *FEW)
    rows = table(on_terminal(*args, columns=60)[1])
    for row, wide in zip(rows, table(on_terminal(*args)[1]), strict=True):
        assert len(row) <= 60
        assert wide.startswith(row.rstrip())
        assert row.rstrip().endswith("%")


@pytest.mark.parametrize("args", [
    ("guide",), ("score", ROOT / "data/results/example.txt"),
    ("settle", ROOT / "data/sheets/example.txt"), ("deals", HANDS / "example.txt")])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_other_reports_fit_a_terminal_of_80_columns(
    args: tuple[str | Path, ...], lang: str
) -> None:
    code, text = on_terminal(*args, "--lang", lang)
    assert code == 0
    assert max(map(len, plain(text).splitlines())) <= 80
    assert "…" not in text


def test_what_is_piped_does_not_depend_on_the_terminal() -> None:
    first = run("deals", HANDS / "example.txt", COLUMNS="40").stdout
    assert first == run("deals", HANDS / "example.txt", COLUMNS="200").stdout
    assert b"\x1b" not in first


def test_no_line_ends_in_blanks(bid: Advice, declaration: Advice) -> None:
    for advice in (bid, declaration):
        for line in printed(advice).splitlines():
            assert line == line.rstrip()


# --- what a report says -----------------------------------------------------------------------

def test_the_hand_is_shown_back_by_suit(bid: Advice) -> None:
    assert printed(bid).startswith(
        "♠ A K Q 9 8   ♣ A 8   ♦ K 10 7   ♥ —\nfirst hand · Sochi · three players · no calls yet\n")
    assert printed(bid, "ru").startswith("♠ Т К Д 9 8   ♣ Т 8   ♦ К 10 7   ♥ —\n")


def test_the_best_call_stands_first_and_alone_has_the_mark(bid: Advice) -> None:
    text = printed(bid)
    assert text.count("▶") == 1
    assert table(text)[0].split()[:3] == ["▶", option_label(bid.best, "en"), signed(bid.best.ev)]


def test_a_report_tells_how_it_was_found(bid: Advice) -> None:
    text = printed(bid)
    for what in ("seed 1", "guide", "deals (effective", "EV in net whists", "approximate"):
        assert what in text


def test_the_rule_of_thumb_stands_beside_a_bid_only(bid: Advice, declaration: Advice) -> None:
    text = printed(bid)
    assert "4.75 guide tricks in spades, 5.75 in two suits" in text
    assert "rule of thumb: bid." in text
    assert "rule of thumb" not in printed(declaration)


def test_options_left_out_are_counted_and_their_distance_told(bid: Advice) -> None:
    shown, left = shown_options(bid, False)
    assert len(shown) + len(left) == 27
    assert {option.name for option in left}.isdisjoint({"pass", "misere"})
    assert len(shown) >= SHOWN
    line = next(line for line in printed(bid).splitlines() if "--all" in line)
    assert line.startswith(f"{len(left)} more calls, at least {-left[0].behind:.1f} whists behind")
    assert len(table(printed(bid, everything=True))) == 27


def test_tricks_of_a_declaration_are_in_per_cent(declaration: Advice) -> None:
    text = printed(declaration)
    assert "tricks, %" in text
    best = declaration.best.tricks
    assert best is not None
    likely = ", ".join(f"{k}: {100 * p:.0f}" for k, p in enumerate(best) if p >= 0.1)
    assert table(text)[0].endswith(likely)


def test_a_warning_where_few_deals_carry_the_weight(bid: Advice) -> None:
    assert "Warning" in printed(replace(bid, ess=30.0))
    assert "Warning" not in printed(bid)
    assert "Warning" not in printed(replace(bid, deals=20, ess=20.0)), "few were asked for"


def test_all_deals_are_called_all(declaration: Advice) -> None:
    text = printed(replace(declaration, deals=184_756, exhaustive=True))
    assert "all 184,756 deals" in text


def test_the_summary_has_a_row_for_each_file_and_shows_its_name_whole(
    bid: Advice, declaration: Advice
) -> None:
    names = ["[bold]a[/bold].txt", "b/" * 60 + "c.txt"]
    advices = [replace(one, record=replace(one.record, source=name))
               for one, name in zip((bid, declaration), names, strict=True)]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_summary(advices, "en", out)
    out.seek(0)
    text = out.read()
    assert names[0] in text
    assert "…" not in text
    column = text.index("best") - text.rindex("\n", 0, text.index("best")) - 1
    assert names[1] in "".join(line[:column].strip() for line in text.splitlines())
    for one in advices:
        assert f" {option_label(one.best, 'en')} " in text


# --- numbers ----------------------------------------------------------------------------------

def test_numbers_have_a_real_minus_and_no_negative_zero() -> None:
    assert [signed(x) for x in (9.84, -11.06, -0.04, 0.0)] == ["+9.8", "−11.1", "0.0", "0.0"]


@given(st.floats(-1000, 1000), st.floats(0, 50))
def test_an_error_is_never_shown_smaller_than_its_last_digit(value: float, error: float) -> None:
    text = with_error(value, error)
    if error < 1e-9:
        assert "±" not in text
    else:
        shown = float(text.rpartition(" ")[2])
        assert shown > 0
        assert abs(shown - error) <= 0.05 + 1e-9 or shown == 0.01


def test_an_unknown_error_is_a_question_mark() -> None:
    assert with_error(1.0, float("nan")) == "+1.0 ± ?"


@given(st.floats(0, 1))
def test_only_certainties_are_0_or_100_per_cent(share: float) -> None:
    text = percent(share)
    assert text.endswith(" %")
    if text == "0 %":
        assert share < 1e-8
    if text == "100 %":
        assert share > 1 - 1e-8


# --- what comes from outside ------------------------------------------------------------------

def test_a_title_cannot_steer_the_terminal(bid: Advice) -> None:
    convention = replace(bid.record.convention, title_en="red \x1b[31m\u202e\ntwo lines")
    text = printed(replace(bid, record=replace(bid.record, convention=convention)))
    assert r"first hand · red \x1b[31m\u202e\ntwo lines · three players" in text
    assert "\x1b" not in text
    sheet = "players: A\x9b, B\u202e, C\npool: 3 0 0\n".encode()
    done = run("settle", "-", data=sheet)
    assert rb"A\x9b" in done.stdout
    assert rb"B\u202e" in done.stdout


def test_json_shows_controls_as_json_does(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b\x9b\u202eb\U000e0041.txt"
    path.write_text("♠AKQ98 ♣A8 ♦K107", encoding="utf-8")
    out = run("advise", path, *FEW, "--json").stdout.decode()
    assert json.loads(out)["file"] == str(path)
    assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_columns_are_honoured_by_every_terminal(term: str) -> None:
    code, text = on_terminal("advise", HANDS / "example.txt", *FEW, TERM=term, COLUMNS="40")
    assert code == 0
    assert max(map(len, plain(text).splitlines())) <= 40
