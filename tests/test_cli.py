"""The commands: what goes in, what comes out."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT, command, environment, run
from typer.testing import CliRunner

from advisor.cli import app

HAND = "♠AKQ98 ♣A8 ♦K107"
EXAMPLE = ROOT / "data/hands/example.txt"
TALON = ROOT / "data/hands/talon.txt"
SHEET = ROOT / "data/sheets/example.txt"
FEW = ("--deals", "500", "--evaluator", "guide")
TWELVE = {"SA", "SK", "SQ", "S9", "S8", "CA", "C8", "DA", "DK", "D10", "D7", "HJ"}
Call = Callable[..., Any]  # what `CliRunner.invoke` returns


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a command line in this process; it has to succeed."""
    monkeypatch.setenv("ADVISOR_LANG", "en")

    def invoke(*args: str | Path, data: str | bytes | None = None, code: int = 0) -> Any:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=data)
        assert result.exit_code == code, result.stderr or result.exception
        return result

    return invoke


def answer(call: Call, *args: str | Path, **more: Any) -> Any:
    return json.loads(call(*args, "--json", **more).stdout)


# --- advise: what goes in ---------------------------------------------------------------------

def test_a_file_standard_input_and_options_are_the_same_question(call: Call) -> None:
    by_file = answer(call, "advise", EXAMPLE, *FEW)
    by_input = answer(call, "advise", "-", *FEW, data=EXAMPLE.read_bytes())
    by_options = answer(call, "advise", "--hand", HAND, "--seat", "1", "--players", "3", *FEW)
    assert by_file["options"] == by_input["options"] == by_options["options"]
    assert [by_file["file"], by_input["file"], by_options["file"]] == [
        str(EXAMPLE), "<stdin>", None]


def test_options_stand_instead_of_the_files_lines(call: Call) -> None:
    said = answer(call, "advise", EXAMPLE, *FEW, "--seat", "second", "--auction", "пас",
                  "--convention", "питер", "--players", "4", "--all-passes", "1",
                  "--hand", "П:ТКД9 Т:Т8 Б:К107 Ч:8")
    assert said["hand"] == "S:AKQ9 C:A8 D:K107 H:8"
    assert said["auction"] == ["pass"]
    assert (said["seat"], said["players"], said["all_passes"]) == (2, 4, 1)
    assert said["convention"] == "leningrad"


def test_a_fourth_player_changes_the_scores(call: Call) -> None:
    three, four = (answer(call, "advise", EXAMPLE, *FEW, "--players", n)["options"][0]["ev"]
                   for n in "34")
    assert three != four


def test_a_convention_of_ones_own(call: Call, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(
        'extends = "sochi"\ntitle_en = "Our table"\npool_point = 20\n', encoding="utf-8")
    args = ("advise", "--hand", "♠AKQJ10987 ♣AK", *FEW, "--convention", tmp_path / "ours.toml")
    said = answer(call, *args)
    assert said["convention"] == "ours"
    by_name = {option["option"]: option["ev"] for option in said["options"]}
    assert by_name["10S"] == pytest.approx(133.33, abs=0.01)  # twice the 66.67 of ten to the point
    assert "first hand · Our table · three players" in call(*args).stdout


def test_the_talon_turns_bidding_into_declaring(call: Call) -> None:
    by_file = answer(call, "advise", TALON, *FEW)
    by_options = answer(call, "advise", "--hand", HAND, "--talon", "DA HJ", *FEW)
    assert by_file["decision"] == "declare"
    assert by_file["options"] == by_options["options"]


def test_a_talon_not_told_may_be_any_two_of_the_twelve(call: Call) -> None:
    """The defenders have seen it: with less to see they whist a seven more, which falls short."""
    twelve, most = "♠AKQ98 ♣A8 ♦AK107 ♥J", ("--all", *FEW)
    told = [answer(call, "advise", "--hand", twelve, "--talon", talon, *most)["options"]
            for talon in ("S8 C8", "SA DA")]
    hidden = answer(call, "advise", "--hand", twelve, *most)["options"]
    low, any_two, high = (next(one["ev"] for one in options if one["option"].startswith("7S C8 HJ"))
                          for options in (told[0], hidden, told[1]))
    assert low > any_two > high
    said = call("advise", "--hand", twelve, *FEW).stdout
    assert "The talon is not told" in said
    assert "The talon is not told" not in call("advise", TALON, *FEW).stdout


# --- advise: what comes out -------------------------------------------------------------------

def test_json_of_a_bid(call: Call) -> None:
    said = answer(call, "advise", EXAMPLE, *FEW, "--seed", "7")
    assert {"file", "decision", "convention", "players", "seat", "hand", "auction", "evaluator",
            "deals", "ess", "seed", "seconds", "best", "options"} <= said.keys()
    assert (said["decision"], said["seed"], said["evaluator"]) == ("bid", 7, "guide")
    assert said["hand"] == "S:AKQ98 C:A8 D:K107"
    assert said["auction"] == []
    assert 500 <= said["deals"] <= 1000
    assert 0 < said["ess"] <= said["deals"]
    options = said["options"]
    assert len(options) == 27  # pass, misère and 25 games
    for option in options:
        assert {"option", "ev", "se", "behind", "behind_se", "p_make"} <= option.keys()
        assert option["behind"] == pytest.approx(option["ev"] - options[0]["ev"], abs=2e-4)
        assert option["p_make"] is None or 0 <= option["p_make"] <= 1
    assert [o["ev"] for o in options] == sorted((o["ev"] for o in options), reverse=True)
    assert said["best"] == options[0]["option"]
    assert (options[0]["behind"], options[0]["behind_se"]) == (0, 0)


def test_json_of_a_declaration(call: Call) -> None:
    said = answer(call, "advise", TALON, *FEW)
    assert said["decision"] == "declare"
    assert said["auction"] == ["6S", "pass", "pass"]
    names = set()
    for option in said["options"]:
        contract, discard = option["contract"], option["discard"]
        assert option["option"] == f"{contract} {discard}"
        assert re.fullmatch("([6-9]|10)(S|C|D|H|NT)", contract)
        assert re.fullmatch("([SCDH](7|8|9|10|[JQKA]) ?){2}", discard)
        assert set(discard.split()) <= TWELVE
        assert set(option["tricks"]) <= {str(n) for n in range(11)}
        assert sum(option["tricks"].values()) == pytest.approx(1, abs=1e-3)
        names.add(option["option"])
    assert len(names) == len(said["options"])
    assert said["best"] == said["options"][0]["option"]


def test_a_hand_with_a_known_answer(call: Call) -> None:
    """Ten certain spade tricks: nobody whists, ten spades is worth 10 pool points for a third
    of the table, 200/3 net whists (rules.md 5.4)."""
    said = answer(call, "advise", "--hand", "♠AKQJ10987 ♣AK", *FEW)
    by_name = {option["option"]: option for option in said["options"]}
    assert by_name["10S"]["ev"] == pytest.approx(200 / 3, abs=1e-3)
    assert by_name["10S"]["p_make"] == 1


def test_the_same_seed_gives_the_same_answer_in_another_process(call: Call) -> None:
    here = answer(call, "advise", EXAMPLE, *FEW, "--seed", "5")
    there = json.loads(run("advise", EXAMPLE, *FEW, "--seed", "5", "--json").stdout)
    other = answer(call, "advise", EXAMPLE, *FEW, "--seed", "6")
    assert here["options"] == there["options"]
    assert here["options"] != other["options"]


def test_more_deals_make_smaller_errors(call: Call) -> None:
    guide = ("--evaluator", "guide")
    few, many = (answer(call, "advise", EXAMPLE, *guide, "--deals", n)["options"][0]["se"]
                 for n in ("500", "20000"))
    assert many < few / 3


def test_all_shows_every_call(call: Call) -> None:
    short = call("advise", EXAMPLE, *FEW).stdout
    full = call("advise", EXAMPLE, *FEW, "--all").stdout
    assert "--all" in short
    calls = [len(re.findall(r"(?m)^.  (?:(?:[6-9]|10)(?:[♠♣♦♥]|NT)|pass|misère) ", text))
             for text in (short, full)]
    assert calls[0] < calls[1] == 27
    assert "--all" not in full


def test_the_report_in_russian(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = call("advise", EXAMPLE, *FEW, "--lang", "ru").stdout
    monkeypatch.setenv("ADVISOR_LANG", "ru")
    by_environment = call("advise", EXAMPLE, *FEW).stdout
    for text in (asked, by_environment):
        assert "♠ Т К Д 9 8" in text
        assert "Сочи" in text
        assert "пас " in text
        assert "мизер " in text
        assert "whists" not in text


def test_several_hands_get_a_report_each_and_a_summary(call: Call) -> None:
    text = call("advise", EXAMPLE, TALON, *FEW).stdout
    first, second, summary = text.index("no calls yet"), text.index("6♠ pass pass"), \
        text.index("Summary")
    assert first < second < summary
    rows = text[summary:].splitlines()
    assert [sum(path.name in row for row in rows) for path in (EXAMPLE, TALON)] == [1, 1]
    assert "Summary" not in call("advise", EXAMPLE, *FEW).stdout


def test_several_hands_in_json_are_a_list(call: Call) -> None:
    said = answer(call, "advise", TALON, EXAMPLE, *FEW)
    assert [one["file"] for one in said] == [str(TALON), str(EXAMPLE)]
    assert said[1]["options"] == answer(call, "advise", EXAMPLE, *FEW)["options"]


# --- the other commands -----------------------------------------------------------------------

SCORED = [  # rules.md 5.2: a six down one with one whister, a misère made, an all-pass
    ("contract: 6C\ndeclarer: 1\nwhist: whist pass\ntricks: 5 3 2\n", {
        "pool": {}, "mountain": {"1": 2},
        "whists": [{"from": "2", "on": "1", "amount": 12}, {"from": "3", "on": "1", "amount": 2}],
        "net_exact": {"1": "-82/3", "2": "56/3", "3": "26/3"}}),
    ("contract: misere\ndeclarer: 2\ntricks: 5 0 5\n", {
        "pool": {"2": 10}, "mountain": {}, "whists": [],
        "net_exact": {"1": "-100/3", "2": "200/3", "3": "-100/3"}}),
    ("contract: all-pass\nplayers: 3\ntricks: 0 4 6\n", {
        "pool": {"1": 1}, "mountain": {"2": 4, "3": 6}, "whists": [],
        "net_exact": {"1": "40", "2": "-10", "3": "-30"}}),
]


@pytest.mark.parametrize(("text", "expected"), SCORED)
def test_score_json(call: Call, text: str, expected: dict[str, Any]) -> None:
    said = answer(call, "score", "-", data=text)
    assert list(said) == ["pool", "mountain", "whists", "net", "net_exact"]
    for key in expected:
        assert said[key] == expected[key]
    for seat, net in said["net_exact"].items():
        top, _, bottom = net.partition("/")
        assert said["net"][seat] == pytest.approx(int(top) / int(bottom or 1), abs=1e-4)
    assert sum(said["net"].values()) == pytest.approx(0, abs=1e-3)


def test_score_json_names_the_dealer(call: Call) -> None:
    said = answer(call, "score", "-", data="contract: 7S\nplayers: 4\ndeclarer: 1\n"
                                             "whist: pass pass")
    assert list(said["net"]) == ["1", "2", "3", "dealer"]


def test_score_in_words(call: Call) -> None:
    english = call("score", "-", data=SCORED[0][0]).stdout
    assert "seat 1 plays 6♣" in english
    assert "12 on seat 1" in english
    assert "−27.33" in english
    russian = call("score", "-", "--lang", "ru", data=SCORED[0][0]).stdout
    assert "Сочи" in russian
    assert "гора" in russian
    assert "−27.33" in russian


def test_settle_json(call: Call) -> None:
    """Three of a pool of ten each; mountains and whists make the difference (rules.md 5)."""
    said = answer(call, "settle", SHEET)
    assert said["net_exact"] == {"Anna": "248/3", "Boris": "62/3", "Vera": "-310/3"}
    assert sum(said["net"].values()) == pytest.approx(0, abs=1e-3)
    assert sum(said["rounded"].values()) == 0


def test_settle_in_words(call: Call) -> None:
    english = call("settle", SHEET).stdout
    assert "Sochi" in english
    assert "+82.67" in english
    russian = call("settle", SHEET, "--lang", "ru").stdout
    assert "Сочи" in russian
    assert "+82.67" in russian


def test_an_open_pulka_settles_too(call: Call) -> None:
    sheet = "players: Ann, Bob, Cy\ntarget: 20\npool: 20 12 6\nAnn on Bob: 24\n"
    assert answer(call, "settle", "-", data=sheet)["open"] == {"Bob": 8, "Cy": 14}
    assert "open" in call("settle", "-", data=sheet).stdout


def test_settle_shows_names_as_written(call: Call) -> None:
    sheet = "players: [red]Ann[/red], [/Bob], :smile:Cy\npool: 3 0 0\n".replace(":smile:", "<b>")
    text = call("settle", "-", data=sheet).stdout
    for name in ("[red]Ann[/red]", "[/Bob]", "<b>Cy"):
        assert name in text


def test_the_guide_of_one_holding(call: Call) -> None:
    english = call("guide", "AQJxx").stdout
    assert "A Q J x x" in english
    assert "row 15" in english
    russian = call("guide", "ТДВхх", "--lang", "ru").stdout
    assert "Т Д В х х" in russian
    assert "15" in russian
    said = answer(call, "guide", "ТДВхх")
    assert (said["holding"], said["row"]) == ("AQJxx", 15)
    assert said["printed"] == {"low": 3.5, "high": 3.5}


def test_a_holding_the_guide_does_not_print(call: Call) -> None:
    said = answer(call, "guide", "KQJxx")
    assert said["row"] is None
    assert said["printed"] is None
    assert said["why"].startswith("not printed")


def test_the_whole_guide(call: Call) -> None:
    assert len(answer(call, "guide")) == 47
    lines = call("guide").stdout.splitlines()
    assert sum(line.lstrip()[:2].strip().isdigit() for line in lines) == 47
    assert call("guide", "--lang", "ru").stdout.count("Т К") == 10  # rows 2 to 11


def test_deals_are_whole_and_repeatable(call: Call) -> None:
    said = answer(call, "deals", EXAMPLE, "-n", "5")
    assert len(said["deals"]) == 5
    for deal in said["deals"]:
        cards = " ".join([*deal["hands"], deal["talon"]]).split()
        assert len(cards) == len(set(cards)) == 32
        assert deal["hands"][0] == "SA SK SQ S9 S8 CA C8 DK D10 D7"
        assert 0 < deal["weight"] <= 1
    assert said == answer(call, "deals", EXAMPLE, "-n", "5")
    assert said["deals"] != answer(call, "deals", EXAMPLE, "-n", "5", "--seed", "2")["deals"]


def test_deals_in_words(call: Call) -> None:
    english = call("deals", EXAMPLE, "-n", "3").stdout
    assert "seat 2" in english
    assert english.count("1.000") == 3
    russian = call("deals", TALON, "-n", "3", "--lang", "ru").stdout
    assert "прикуп" in russian
    assert "♠ТКД98" in russian


# --- help and version -------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["", "advise", "score", "settle", "guide", "deals"])
def test_every_help_has_an_example(call: Call, name: str) -> None:
    text = call(*name.split(), "--help").stdout
    assert f"Example: {'advise' if name == 'advise' else f'advisor {name}'.strip()}" in text


def test_an_example_of_the_help_works(call: Call) -> None:
    said = answer(call, "advise", "--hand", "♠AKQ9 ♣A8 ♦K107 ♥8", "--seat", "2", "--auction",
                  "pass", *FEW)
    assert said["seat"] == 2


def test_shell_completion_is_offered(call: Call) -> None:
    text = call("--help").stdout
    assert "--install-completion" in text
    assert "--show-completion" in text


def test_version(call: Call) -> None:
    for args in (["--version"], ["advise", "--version"]):
        assert call(*args).stdout.startswith("preferans-advisor ")


def test_the_one_job_command_has_its_own_name() -> None:
    code = "import sys; from advisor.cli import advise_main; sys.argv[0] = 'advise'; advise_main()"
    done = subprocess.run([*command()[:1], "-c", code, "--help"], cwd=ROOT, capture_output=True,
                          env=environment(), timeout=60, check=True)
    text = done.stdout.decode()
    assert text.startswith("Usage: advise [OPTIONS]")
    assert "--install-completion" in text
    assert "Example: advise --hand" in text
