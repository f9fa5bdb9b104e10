"""Saved answers: read back they are the answers given, and what is no answer is told in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hands import record
from processes import ROOT, run
from typer.testing import CliRunner, Result

from advisor.advice.decide import advise
from advisor.advice.frames import COLUMNS, advice_frame
from advisor.advice.results import FORMAT, Advice, Ending
from advisor.advice.rounding import as_told
from advisor.advice.saved import read_advice, read_saved
from advisor.cli import app
from advisor.errors import InputError
from advisor.records.hand import HandRecord, parse_hand, read_hand
from advisor.show.why import why_rows

HANDS = ROOT / "data/hands"
EXAMPLE, TALON, WHIST = (HANDS / f"{name}.txt" for name in ("example", "talon", "whist"))
FEW = ("--deals", "200", "--evaluator", "fitted")
HAND = "♠AKQ98 ♣A8 ♦K107"
OWN = 'extends = "sochi"\ntitle_en = "Ours [x] $y$"\nexit_levels = [6, 7, 7]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def call(*args: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def saved(advice: Advice) -> Path:
    path = Path("advice.json")
    path.write_text(json.dumps(advice.to_json(), allow_nan=False), encoding="utf-8")
    return path


RECORDS: dict[str, Callable[[], HandRecord]] = {
    "bid": lambda: read_hand(EXAMPLE),
    "four players, a call heard": lambda: read_hand(HANDS / "russian.txt"),
    "all-passes before": lambda: record(HAND, all_passes="2"),
    "declare": lambda: read_hand(TALON),
    "declare, the auction assumed": lambda: record(HAND, talon="♦A ♥J"),
    "a misere won": lambda: read_hand(HANDS / "misere_talon.txt"),
    "whist": lambda: read_hand(WHIST),
    "pulka": lambda: record(HAND, pool="4 8.5 6", mountain="2 -1.5 12", target="10"),
    "styles": lambda: record(HAND, seat="2", auction="pass", left="bold", right="careful"),
    "without talon": lambda: record("♠AKQJ98 ♣A8 ♦K10", convention="rostov"),
}


@pytest.mark.parametrize("name", RECORDS)
def test_an_answer_read_back_is_the_answer(name: str) -> None:
    advice = advise(RECORDS[name](), deals=300, evaluator="fitted")
    check(advice, read_advice(saved(advice)))


def check(advice: Advice, read: tuple[Advice, ...]) -> None:
    """What is read is what was found, to as many digits as are told."""
    assert read == (as_told(advice),)
    assert [option.ev for option in read[0].options] == pytest.approx(
        [option.ev for option in advice.options], rel=1e-9)


def test_solved_answers_too() -> None:
    for hand in (EXAMPLE, TALON):
        advice = advise(read_hand(hand), seconds=0, deals=500)
        assert advice.solved
        check(advice, read_advice(saved(advice)))


def test_an_ending_of_hardly_any_share_is_no_row() -> None:
    advice = advise(HAND, deals=300, evaluator="fitted")
    assert advice.why is not None
    ends = (*advice.why.endings[:3], Ending("down 3", 1e-17, -200.0))
    rare = replace(advice, why=replace(advice.why, endings=ends))
    (again,) = read_advice(saved(rare))
    assert again.why is not None
    assert why_rows(again.why, "en") == why_rows(rare.why, "en")
    assert len(why_rows(again.why, "en")) == 3


def test_a_reply_by_the_default_evaluator_is_read_back() -> None:
    advice = advise(read_hand(WHIST), deals=400)
    assert advice.evaluator == "auto"
    check(as_told(advice), read_advice(saved(as_told(advice))))


def test_a_negative_error_is_refused() -> None:
    path = saved(advise(HAND, deals=300, evaluator="guide"))
    told = json.loads(Path(path).read_text(encoding="utf-8"))
    told["options"][1]["se"] = -1.0
    Path(path).write_text(json.dumps(told), encoding="utf-8")
    result = call("show", path)
    assert result.exit_code == 2
    assert "options[1].se: found -1.0, expected a number from 0 to 1e+06" in result.stderr


@pytest.mark.parametrize(("old", "new", "said"), [
    ('"seed": 1', '"seed": 1, "seed": 2', "'seed' stands twice"),
    ('"seed": 1', '"seed": NaN', "'NaN' is not a number"),
    ('"seed": 1', f'"seed": {"1" * 5001}', "a number of 5001 digits"),
    ('"seconds": ', '"seconds": -', "seconds: found -"),
])
def test_what_no_answer_says_is_refused(old: str, new: str, said: str) -> None:
    path = saved(advise(HAND, deals=300, evaluator="guide"))
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    result = call("show", path)
    assert result.exit_code == 2
    assert said in result.stderr


def test_no_file_is_read_and_written() -> None:
    """Nor two results written into one file."""
    path = saved(advise(HAND, deals=300, evaluator="guide"))
    before = path.read_bytes()
    for args in (("show", path, "--csv", path), ("advise", EXAMPLE, *FEW, "--csv", EXAMPLE),
                 ("plot", EXAMPLE, *FEW, "-o", "a.png", "--csv", "./a.png"),
                 ("arena", "rule", "model", "--deals", "1", "--csv", "b.png", "--plot", "b.png")):
        result = call(*args)
        assert result.exit_code == 2
        assert "another name" in result.stderr
    assert path.read_bytes() == before
    assert EXAMPLE.read_text(encoding="utf-8").startswith("#")
    assert not Path("a.png").exists()


def test_unknown_errors_stay_unknown() -> None:
    (advice,) = read_advice(saved(advise(HAND, deals=1, evaluator="guide")))
    assert advice.best.se != advice.best.se


def test_a_convention_of_ones_own_comes_along() -> None:
    Path("sochi.toml").write_text(OWN, encoding="utf-8")
    advice = advise(record(HAND, convention="sochi.toml"), deals=300, evaluator="guide")
    path = saved(advice)
    Path("sochi.toml").unlink()
    check(advice, read_advice(path))
    assert "Ours [x] $y$" in call("show", path).stdout



@pytest.mark.parametrize(("hands", "lang", "more"), [
    ([EXAMPLE], "en", []), ([EXAMPLE], "ru", ["--all"]), ([TALON], "en", []), ([TALON], "ru", []),
    ([WHIST], "en", []), ([WHIST], "ru", []), ([EXAMPLE, TALON, WHIST], "en", []),
    ([EXAMPLE, TALON, WHIST], "ru", ["--brief"]),
])
def test_the_report_is_the_same_to_the_byte(
    hands: list[Path], lang: str, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both runs take the same time by a clock that stands still."""
    monkeypatch.setattr("time.perf_counter", lambda: 1.0)
    first = call("advise", *hands, *FEW, "--lang", lang, *more)
    Path("advice.json").write_bytes(call("advise", *hands, *FEW, "--json").stdout_bytes)
    again = call("show", "advice.json", "--lang", lang, *more)
    assert again.exit_code == 0
    assert again.stdout_bytes == first.stdout_bytes
    assert ("ends as" in again.stdout or "чем кончится" in again.stdout) == (
        "--brief" not in more)


def test_a_process_shows_what_another_has_saved() -> None:
    told = run("advise", EXAMPLE, *FEW, "--json").stdout
    shown = run("show", "-", data=told)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.decode().startswith("♠ A K Q 9 8")
    assert f"{json.loads(told)['seconds']:.1f} s".encode() in shown.stdout


def test_nothing_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(advise(HAND, deals=300, evaluator="guide"))

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("advisor.advice.decide.sample_deals", fail)
    assert call("show", path, "--plot", "ev.png", "--csv", "ev.csv").exit_code == 0
    assert Path("ev.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("ev.csv").read_text().splitlines()) == 28


def test_a_picture_shows_one_hand() -> None:
    Path("advice.json").write_bytes(call("advise", EXAMPLE, TALON, *FEW, "--json").stdout_bytes)
    result = call("show", "advice.json", "--plot", "ev.png")
    assert (result.exit_code, list(Path().glob("*.png"))) == (2, [])
    assert "one hand" in result.stderr


# --- what is no answer ----------------------------------------------------------------------------

@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(json.dumps(
        advise(parse_hand(HAND, "mine.txt"), deals=300, evaluator="guide").to_json()))
    return answer


def complaint(text: str, lang: str = "en") -> str:
    Path("a.json").write_text(text, encoding="utf-8")
    result = call("show", "a.json", "--lang", lang)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.strip()


@pytest.mark.parametrize(("text", "says"), [
    ("", "a.json: the file is empty"),
    ("{\n  \"a\": 1,\n}", "a.json:3:1: this is not JSON: "),
    ("[1, 2", "a.json:1:6: this is not JSON: Expecting ',' delimiter"),
    ("♠AKQ98 ♣A8 ♦K107", "a.json:1:1: this is not JSON: Expecting value"),
    ("[" * 100_000, "a.json: this is not JSON: "),
    ("[NaN]", "a.json: this is not JSON: 'NaN' is not a number"),
    ("9" * 5000, "a.json: found a number of 5000 digits, expected at most 400"),
    ("[]", "a.json: this is not a saved answer; expected what advise --json prints"),
    ("null", "a.json: this is not a saved answer"),
    ("[1]", "a.json: this is not a saved answer"),
    ('{"net": 1}', "a.json: this is not a saved answer"),
])
def test_files_that_are_no_answer(text: str, says: str) -> None:
    assert complaint(text).startswith(says)
    assert any("а" <= char <= "я" for char in complaint(text, "ru").removeprefix("a.json"))


def test_other_formats_are_told_in_words(good: dict[str, Any]) -> None:
    assert "by a later version, in format 99" in complaint(json.dumps(good | {"format": 99}))
    del (old := dict(good))["format"]
    assert "saved by an earlier version" in complaint(json.dumps(old))
    assert good["format"] == FORMAT


def put(answer: dict[str, Any], path: str, value: object) -> str:
    """The text of an answer with one value changed."""
    answer = json.loads(json.dumps(answer))
    at: Any = answer
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in steps:
        at = at[step]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return json.dumps(answer)


@pytest.mark.parametrize(("path", "value", "says"), [
    ("options/3/ev", "x", 'a.json: options[3].ev: found "x", expected a number'),
    ("options/3/ev", 10**399, "a.json: options[3].ev: found ..., expected a number"),
    ("options/0/se", ..., "a.json: 'options[0].se' is missing"),
    ("options/0/option", "7Z", "a.json: options[0].option: "),
    ("options/0/p_make", 2, "options[0].p_make: found 2, expected a share from 0 to 1"),
    ("options/0/becomes", {"9Z": 1}, "options[0].becomes.9Z: '9Z' is not a contract"),
    ("options/0/discards", {"C8": 1}, "expected cards such as C8 D7"),
    ("options", [], "options: found [...], expected a list"),
    ("options", 7, "options: found 7, expected a list"),
    ("options/1", None, "options[1]: found null, expected an object"),
    ("hand", "S:AKQ98", "hand: found "),
    ("hand", "S:AKQZ98 C:A8 D:K107", "hand: column 6: 'Z' is not a rank"),
    ("decision", "whist", 'decision: found "whist", expected "bid"'),
    ("seat", 4, "seat: found 4, expected a whole number from 1 to 3"),
    ("seat", True, "seat: found true"),
    ("auction", ["6S", "6S"], "auction: '6S' does not beat the last call"),
    ("convention", "../../x.toml", 'convention: found "../../x.toml", expected one of: sochi'),
    ("convention_options", {"pool_point": 10}, "convention_options: the convention lacks"),
    ("convention_options", {"name": "x"}, "convention_options: 'name' is the file's own name"),
    ("styles", ["bold"], "styles: found [...], expected a list of three"),
    ("pulka", {"pool": [1], "mountain": [], "target": None}, "a number for each player"),
    ("evaluator", "oracle", 'evaluator: found "oracle", expected one of: auto, guide'),
    ("why/endings/0/end", "made 11", "expected how a deal ends"),
    ("why/endings/0/share", -1, "expected a share from 0 to 1"),
    ("why/lead", [1], "expected a number and its error"),
    ("file", "x" * 6000, "file: found 6000 characters"),
    ("exhaustive", 1, "exhaustive: found 1, expected true or false"),
    ("deals", 10**30, "deals: found ..., expected a whole number from 1"),
])
def test_values_that_cannot_be(good: dict[str, Any], path: str, value: object, says: str) -> None:
    good = good | {"why": {"endings": [{"end": "made 6", "share": 1.0, "net": 1.0}],
                           "solving_changes": 0.0, "talon": [], "talon_chance": None,
                           "guide_tricks": None, "tricks": None, "lead": None}}
    assert says in complaint(put(good, path, value))


def test_every_key_an_answer_needs_is_asked_for(good: dict[str, Any]) -> None:
    told_twice = {"bids_as", "best", "unit"}
    for key in good.keys() - told_twice - {"format", "decision", "options"}:
        assert complaint(put(good, key, ...)) == f"a.json: '{key}' is missing"
    for key in told_twice:
        Path("a.json").write_text(put(good, key, ...))
        assert call("show", "a.json").exit_code == 0


# --- tables -----------------------------------------------------------------------------------

def test_a_table_of_all_hands() -> None:
    result = call("advise", EXAMPLE, TALON, WHIST, *FEW, "--csv", "out.csv")
    assert result.exit_code == 0
    assert "Summary" in result.stdout
    table = pd.read_csv("out.csv")
    assert table.columns.tolist() == list(COLUMNS)
    assert table.file.unique().tolist() == [str(EXAMPLE), str(TALON), str(WHIST)]
    assert table.groupby("decision").file.nunique().to_dict() == dict.fromkeys(
        ("bid", "declare", "whist"), 1)
    bids = table[table.decision == "bid"]
    assert len(bids) == 27
    assert bids.contract.isna().all()
    declared = table[table.decision == "declare"]
    assert (declared.option == declared.contract + " " + declared.discard).all()
    assert declared.mean_tricks.between(0, 10).all()
    for _, one in table.groupby("file"):
        assert one.behind.iloc[0] == 0
        assert one.ev.is_monotonic_decreasing
    assert not list(Path().glob(".advisor*"))


def test_a_table_instead_of_the_report() -> None:
    shown = call("advise", EXAMPLE, *FEW, "--csv", "-")
    call("advise", EXAMPLE, *FEW, "--csv", "out.csv")
    assert shown.stdout == Path("out.csv").read_text(encoding="utf-8")
    assert "only" not in shown.stderr
    both = call("advise", EXAMPLE, *FEW, "--csv", "-", "--json")
    assert (both.exit_code, both.stdout) == (2, "")
    assert "not both" in both.stderr


def test_a_table_that_cannot_be_written_is_told_before_the_work() -> None:
    result = call("advise", EXAMPLE, *FEW, "--csv", "no/out.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no/out.csv: nothing can be written here: no such folder" in result.stderr
    assert call("advise", EXAMPLE, *FEW, "--csv", "").exit_code == 2


def test_a_table_that_fails_leaves_the_older_one_and_the_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: pd.DataFrame, path: Path, **_: object) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    Path("out.csv").write_text("old")
    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    result = call("advise", EXAMPLE, *FEW, "--csv", "out.csv")
    assert result.exit_code == 2
    assert "No space left" in result.stderr
    assert "♠ A K Q 9 8" in result.stdout
    assert [path.name for path in Path().iterdir()] == ["out.csv"]
    assert Path("out.csv").read_text() == "old"


def test_frames_have_numbers_and_units_as_documented() -> None:
    advice = advise(read_hand(TALON), deals=300, evaluator="fitted")
    frame = advice.to_frame()
    assert [col for col in frame if frame[col].dtype == float] == [
        "ev", "se", "behind", "behind_se", "p_make", "declares", "mean_tricks"]
    best = advice.best
    assert best.tricks is not None
    assert frame.mean_tricks[0] == pytest.approx(sum(k * p for k, p in enumerate(best.tricks)))
    unfinished = replace(advice, complete=False)
    both = advice_frame([advice, unfinished])
    assert len(both) == 2 * len(advice.options)
    assert both.complete.value_counts().to_dict() == {True: len(frame), False: len(frame)}
    assert set(COLUMNS) >= set(frame.columns)


def test_read_saved_tells_a_list_from_one() -> None:
    advice = advise(HAND, deals=300, evaluator="guide")
    assert not read_saved(saved(advice)).several
    Path("list.json").write_text(json.dumps([advice.to_json()]), encoding="utf-8")
    assert read_saved("list.json").several
    with pytest.raises(InputError, match="there is no such file"):
        read_advice("missing.json")
