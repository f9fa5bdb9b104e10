"""Bad input: one line that tells the place and what was expected, exit code 2, nothing written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from processes import command, environment, run
from typer.testing import CliRunner

from advisor.cli import app

HAND = "♠AKQ98 ♣A8 ♦K107"
CYRILLIC = re.compile("[а-яё]")


def complaint(*args: str | Path, data: bytes = b"") -> str:
    """What a bad command line says, checked for what all of them share."""
    before = sorted(Path().iterdir())
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=data)
    assert result.exit_code == 2, (result.stdout, result.stderr, result.exception)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert result.stderr[:-1].isprintable()
    assert len(result.stderr) < 1500
    assert "Traceback" not in result.stderr
    assert sorted(Path().iterdir()) == before
    return result.stderr


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADVISOR_LANG", "en")


HANDS = {
    "wrong card": ("hand: ♠AKQZ8 ♣A8 ♦K107", "1:11", "'Z' is not a rank; expected 7 8 9 10 J"),
    "eleven cards": ("hand: ♠AKQ98 ♣A8 ♦K1097", "1:7", "found 11 cards, expected ten"),
    "nine cards": ("\n# nine\nhand: ♠AKQ98 ♣A8 ♦K7", "3:7", "found 9 cards, expected ten"),
    "card twice": ("hand: ♠AKQ98 ♣A8 ♦KK7", "1:20", "DK stands twice"),
    "card in hand and talon": (f"hand: {HAND}\nauction: 6S pass pass\ntalon: ♥7 ♠A", "3:8",
                               "SA stands in the hand and in the talon"),
    "talon of three": (f"hand: {HAND}\ntalon: ♠7 ♥78", "2:8", "found 3 cards in the talon"),
    "two languages": ("hand: S:AKQ98 C:Д8 D:K107", "1:17", "one notation"),
    "unknown key": (f"hand: {HAND}\nset: 1", "2:1", "'set' is not a key; expected hand, seat"),
    "key twice": (f"hand: {HAND}\nseat: 1\nместо: 1", "3:1", "stands twice, first in line 2"),
    "no value": (f"hand: {HAND}\nseat:", "2:6", "no value"),
    "no colon": (f"hand: {HAND}\n  hello there", "2:3", "expected 'key: value' or ten cards"),
    "no hand": ("seat: 1", "", "no hand found"),
    "illegal call": (f"hand: {HAND}\nauction: 7S 6H", "2:13",
                     "'6H' does not beat the last call, 7S; legal calls: pass, 7C .. 10NT, misere"),
    "not a call": (f"hand: {HAND}\nauction: 7S double", "2:13", "'double' is not a call"),
    "auction over, all passed": (f"hand: {HAND}\nauction: pass pass pass", "2:10", "already over"),
    "auction over, won": (f"hand: {HAND}\nauction: 6S pass pass", "2:10", "already over"),
    "a call too many": (f"hand: {HAND}\nauction: 6S pass pass 7S", "2:23", "already over"),
    "another's turn": (f"hand: {HAND}\nauction: 6S\nseat: 3", "3:7", "the turn of seat 2"),
    "talon, nobody won": (f"hand: {HAND}\nauction: 6S pass\ntalon: ♠7 ♥7", "2:10", "not won yet"),
    "talon, another won": (f"hand: {HAND}\nauction: 6S pass pass\nseat: 2\ntalon: ♠7 ♥7", "2:10",
                           "seat 1 won the auction, not seat 2"),
    "seat": (f"hand: {HAND}\nseat: 4", "2:7", "'4' is not a seat; expected 1, 2 or 3"),
    "players": (f"hand: {HAND}\nplayers: 5", "2:10", "from 3 to 4"),
    "all-passes": (f"hand: {HAND}\nall-passes: -1", "2:13", "from 0 to 99"),
    "convention": (f"hand: {HAND}\nconvention: odessa", "2:13",
                   "'odessa' is not a convention; expected one of: sochi"),
    "a long value": ("hand: " + "A" * 900_000, "1:7", "found 900000 characters, expected at most"),
    "long bare cards": ("♠A" + " " * 1200 + "K", "1:1", "found 1203 characters, expected at most"),
    "a long key": ("k" * 900_000 + ": 1", "1:1", "'kkkkkkkkkk"),
    "other digits": (f"hand: {HAND}\nplayers: ٣", "2:10", "from 3 to 4"),
    "a level in other digits": (f"hand: {HAND}\nauction: ٦S", "2:10", "is not a call"),
    "direction mark": (f"hand: {HAND}\nseat: 1\u202e\x9b", "2:7", r"1\u202e\x9b' is not a seat"),
}
RESULTS = {
    "tricks": ("contract: 7H\ndeclarer: 1\nwhist: whist pass\ntricks: 7 2 2", "4:9",
               "the tricks sum to 11, expected 10"),
    "tricks of two": ("contract: 7H\ndeclarer: 1\nwhist: whist pass\ntricks: 7 3", "4:9",
                      "found 2 numbers of tricks"),
    "eleven tricks": ("contract: 7H\ndeclarer: 1\nwhist: whist pass\ntricks: 7 2 11", "4:13",
                      "from 0 to 10"),
    "no tricks": ("contract: 7H\ndeclarer: 1\nwhist: whist pass", "1:11", "tricks are missing"),
    "a word like misere": ("contract: mistake", "1:11", "'mistake' is not a contract"),
    "a game and more": ("contract: 7 hearts doubled", "1:11", "is not a contract"),
    "other digits": ("contract: 7H\ndeclarer: 1\nwhist: whist pass\ntricks: ٩ 0 ١", "4:9",
                     "from 0 to 10"),
    "Stalingrad": ("convention: classic\ncontract: 6S\ndeclarer: 1\nwhist: pass pass", "4:8",
                   "both defenders must whist on 6S"),
    "contract": ("contract: 5S", "1:11", "'5S' is not a contract; expected 6S .. 10NT"),
    "no contract": ("declarer: 1", "", "the contract is missing"),
    "reply": ("contract: 7H\ndeclarer: 1\nwhist: whist maybe\ntricks: 7 2 1", "3:14",
              "expected whist, pass or half"),
    "declarer": ("contract: 7H\ndeclarer: 4\nwhist: pass pass", "2:11", "seat 1, 2 or 3"),
    "no declarer": ("contract: 7H\nwhist: pass pass", "1:11", "the declarer is missing"),
    "unknown key": ("contract: 7H\ntrick: 7 2 1", "2:1", "'trick' is not a key"),
    "convention": ("contract: 7H\nconvention: odessa", "2:13", "'odessa' is not a convention"),
    "talon": ("contract: 7H\ndeclarer: 1\nwhist: pass pass\ntalon: SA SA", "4:12", "twice"),
}
SHEETS = {
    "no players": ("pool: 1 2 3", "", "the players are missing"),
    "one player": ("players: Ann", "1:10", "found 1 players"),
    "stranger": ("players: Ann, Bob, Cy\nDan on Ann: 4", "2:1", "'dan' is not a player"),
    "on oneself": ("players: Ann, Bob, Cy\nAnn on Ann: 4", "2:1", "whists on himself"),
    "amount": ("players: Ann, Bob, Cy\npool: 1 x 3", "2:9", "'x' is not an amount"),
    "two numbers": ("players: Ann, Bob, Cy\npool: 1 3", "2:7", "found 2 numbers, expected 3"),
    "other digits": ("players: A, B, C\nA on B: ٣", "2:9", "'٣' is not an amount"),
    "negative pool": ("players: Ann, Bob, Cy\npool: 1 -3 2", "2:9", "expected 0 or more"),
    "unknown key": ("players: Ann, Bob, Cy\npools: 1 3 2", "2:1", "'pools' is not a key"),
    "convention": ("players: A, B, C\nconvention: odessa", "2:13", "'odessa' is not a convention"),
}
FILES = [
    pytest.param(name, *case, id=f"{name}: {what}")
    for name, cases in (("advise", HANDS), ("score", RESULTS), ("settle", SHEETS))
    for what, case in cases.items()
]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("name", "text", "place", "says"), FILES)
def test_a_file_with_a_mistake(name: str, text: str, place: str, says: str, lang: str) -> None:
    Path("in.txt").write_text(text + "\n", encoding="utf-8")
    said = complaint(name, "in.txt", "--lang", lang)
    assert said.startswith(f"in.txt:{place}: " if place else "in.txt: ")
    assert says in said if lang == "en" else CYRILLIC.search(said)


@pytest.mark.parametrize("name", ["advise", "score", "settle", "deals"])
def test_files_that_are_none(name: str) -> None:
    Path("folder").mkdir()
    Path("empty.txt").touch()
    Path("blank.txt").write_text(" \n\n")
    Path("binary.txt").write_bytes(bytes(range(256)))
    Path("huge.txt").write_bytes(b"# nothing\n" * 200_000)
    for path, says in [
        ("missing.txt", "there is no such file"), ("folder", "this is a directory"),
        ("empty.txt", "the file is empty"), ("blank.txt", "the file is empty"),
        ("binary.txt", "the file is binary; expected text"),
        ("huge.txt", "the file is larger than 1000000 bytes"),
        ("a" * 300, "cannot be read"), ("empty.txt/in.txt", "cannot be read"),
    ]:
        said = complaint(name, path)
        assert said.startswith(f"{path}: ")
        assert says in said
    assert complaint(name, "-") == "<stdin>: the file is empty\n"
    assert complaint(name, "").startswith("the file name is empty; expected a file")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that opens but cannot be "
                                                                "read is known on Linux only")
def test_a_file_that_cannot_be_read() -> None:
    assert complaint("advise", "/proc/self/mem").startswith("/proc/self/mem: the file cannot be ")


def test_one_bad_file_of_several_stops_all() -> None:
    for name, text in (("good.txt", HAND), ("bad.txt", "hand: ♠A")):
        Path(name).write_text(text, encoding="utf-8")
    assert complaint("advise", "good.txt", "bad.txt").startswith("bad.txt:1:7: found 1 cards")


@pytest.mark.parametrize(("args", "says"), [
    (["--seat", "5"], "--seat: '5' is not a seat"),
    (["--auction", "6S 6S"], "--auction: column 4: '6S' does not beat the last call"),
    (["--players", "x"], "--players: found 'x', expected"),
    (["--talon", "♠7"], "--talon: found 1 cards in the talon"),
    (["--hand", "♠AKQ98 ♣A8 ♦K10Z"], "--hand: column 16: 'Z' is not a rank"),
    (["--hand", ""], "--hand: no cards found"),
    (["--convention", "odessa"], "--convention: 'odessa' is not a convention"),
    (["--convention", "no.toml"], "no.toml: there is no such file"),
    (["--evaluator", "oracle"], "--evaluator: 'oracle' is not an evaluator; expected auto, guide"),
    (["--deals", "0"], "--deals: found '0', expected a whole number from 1 to 2000000"),
    (["--deals", "-5"], "--deals: found '-5'"),
    (["--deals", "x"], "--deals: found 'x'"),
    (["--deals", "2000001"], "--deals: found '2000001'"),
    (["--deals", "9" * 6000], "--deals: found '9999"),
    (["--seconds", "x"], "--seconds: found 'x', expected a number of seconds from 0 to 3600"),
    (["--seconds", "-1"], "--seconds: found '-1'"),
    (["--seconds", "nan"], "--seconds: found 'nan'"),
    (["--seconds", "5", "--evaluator", "guide"], "--seconds: a time limit is only for"),
    (["--seed", "-1"], "--seed: found '-1', expected a whole number from 0 to"),
    (["--players", "2"], "--players: found '2', expected a whole number from 3 to 4"),
    (["--players", "٣"], "--players: found '٣', expected"),
    (["--deals", "٣"], "--deals: found '٣', expected"),
    (["--all-passes", "x" * 900], "--all-passes: found 'xxxxx"),
    (["--hand", "A" * 100_000], "--hand: found 100000 characters, expected at most 1000"),
    (["--seat", "1\x1b[31m\n\u202e"], r"--seat: '1\x1b[31m\n\u202e' is not a seat"),
    (["--convention", "a" * 300 + ".toml"], ".toml: the file cannot be read: File name too long"),
    (["--lang="], "--lang: found '', expected en, ru"),
    (["--lang", "de"], "--lang: found 'de', expected en, ru"),
    (["--plot", "no/x.png"], "no/x.png: nothing can be written here: no such folder"),
    (["--plot", "file/x.png"], "file/x.png: nothing can be written here: no such folder"),
    (["--plot", "folder.png"], "folder.png: this is a directory"),
    (["--plot", "x.gif"], "x.gif: 'x.gif' is not a picture; expected a name that ends in .png"),
    (["--plot", "x"], "x: 'x' is not a picture"),
    (["--plot", "a" * 300 + ".png"], "a.png: nothing can be written here"),
])
def test_options_with_a_mistake(args: list[str], says: str) -> None:
    Path("file").touch()
    Path("folder.png").mkdir()
    assert says in complaint("advise", "--hand", HAND, *args)
    if not args[0].startswith("--lang"):
        assert CYRILLIC.search(complaint("advise", "--hand", HAND, "--lang", "ru", *args))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a folder that takes no files from anyone, "
                                                       "root included, is known on Linux only")
def test_a_picture_in_a_folder_that_takes_none() -> None:
    said = complaint("advise", "--hand", HAND, "--plot", "/proc/x.png")
    assert said.startswith("/proc/x.png: nothing can be written here")


def test_a_picture_that_may_not_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("old.png").write_bytes(b"precious")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert "permission denied" in complaint("advise", "--hand", HAND, "--plot", "old.png")
    assert Path("old.png").read_bytes() == b"precious"


def test_requests_that_make_no_sense() -> None:
    Path("in.txt").write_text(HAND, encoding="utf-8")
    assert "nothing to advise on" in complaint("advise")
    assert "only once" in complaint("advise", "-", "-")
    assert "one hand" in complaint("advise", "in.txt", "in.txt", "--plot", "x.png")


@pytest.mark.parametrize(("text", "says"), [
    ('extends = "sochi"\nhold = "perhaps"', 'ours.toml:2:1: hold: found "perhaps", expected one'),
    ('extends = "sochi"\nholdd = 1', "ours.toml:2:1: 'holdd' is not an option of a convention"),
    ('extends = "odessa"', "ours.toml:1:1: 'odessa' is not a convention"),
    ('extends = "ours.toml"', "circle"),
    ("extends = ", "ours.toml:1:11: this is not TOML"),
    ("pool_point = 10", "ours.toml: the convention lacks"),
])
def test_a_convention_with_a_mistake(text: str, says: str) -> None:
    Path("ours.toml").write_text(text + "\n", encoding="utf-8")
    Path("in.txt").write_text(f"hand: {HAND}\nconvention: ours.toml\n", encoding="utf-8")
    for args in (["--hand", HAND, "--convention", "ours.toml"], ["in.txt"]):
        assert says in complaint("advise", *args)


@pytest.mark.parametrize(("holding", "says"), [
    ("AZ", "column 2: 'Z' is not a card of a suit"), ("AA", "column 2: the card A stands twice"),
    ("Т", "may be a ten or the Russian ace"), ("xxxxx", "column 5: one x too many"),
    ("", "no cards found")])
def test_a_holding_with_a_mistake(holding: str, says: str) -> None:
    assert says in complaint("guide", holding)


def test_a_number_of_deals_to_list() -> None:
    Path("in.txt").write_text(HAND, encoding="utf-8")
    for n in ("0", "x", "10001"):
        assert complaint("deals", "in.txt", "-n", n).startswith(f"-n: found '{n}', expected")


@pytest.mark.parametrize(("args", "says"), [
    (["advise", "--foo"], "No such option"), (["score"], "Missing argument"),
    (["settle", "a", "b"], "unexpected extra argument"), (["nothing"], "No such command")])
def test_a_command_line_that_cannot_be_read(args: list[str], says: str) -> None:
    """These come with the usage in front, as every command-line program has it."""
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: ")
    assert says in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("args", [
    ["advise", "in.txt"], ["advise", "in.txt", "--json"], ["score", "in.txt", "--json"],
    ["advise", "--hand", HAND, "--deals", "0"],
    ["advise", "--hand", HAND, "--plot", "no/x.png"], ["settle", "nothing.txt"]])
def test_bad_input_of_a_real_process(args: list[str], tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("hand: ♠AZ\n", encoding="utf-8")
    done = run(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


# --- streams that take nothing, and Ctrl-C while starting --------------------------------------

FULL = pytest.mark.skipif(not Path("/dev/full").exists(),
                          reason="the device of a full disk is missing")


@FULL
@pytest.mark.parametrize("args", [
    ["--help"], ["--version"], ["advise", "--help"], ["advise", "--version"]])
def test_help_and_version_on_a_full_disk(args: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command(*args), stdout=full, stderr=subprocess.PIPE,
                              env=environment(), timeout=60)
    assert (done.returncode, done.stderr) == (1, b"<stdout>: No space left on device\n")


def test_help_nobody_reads() -> None:
    process = subprocess.Popen(command("--help"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment())
    assert process.stdout is not None
    process.stdout.close()
    assert process.communicate(timeout=60)[1] == b""
    assert process.returncode == 0


BAD = [["advise", "--hand", "♠AK"], ["nothing"], ["advise", "--nothing"], []]


@FULL
@pytest.mark.parametrize("args", BAD)
def test_an_error_that_cannot_be_written_keeps_its_exit_code(args: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command(*args), stdout=subprocess.PIPE, stderr=full,
                              env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("args", BAD)
def test_an_error_nobody_reads_keeps_its_exit_code(args: list[str]) -> None:
    process = subprocess.Popen(command(*args), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=environment())
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 2


def test_a_command_line_cannot_steer_the_terminal() -> None:
    for args in (["--no\x1b[31m"], ["no\u202e"], ["advise", "--seat\x9b"]):
        done = run(*args)
        assert done.returncode == 2
        assert done.stderr.decode().replace("\n", "").isprintable()


# A program that meets Ctrl-C at a chosen moment of its start: `advisor.cli` is an import that
# sends it, or that Python 3.11 turns into a RuntimeError.
STRUCK = """
import os, signal, sys
import advisor.__main__ as start

class Striking:
    def find_spec(self, name, *_):
        if name == {name!r}:
            sys.meta_path.remove(self)
            {strike}

sys.meta_path.insert(0, Striking())
sys.argv = ["advise", "--hand", {hand!r}, "--evaluator", "guide", "--deals", "300"]
signal.signal(signal.SIGINT, signal.default_int_handler)
start.advise_main()
"""
KILL = "os.kill(os.getpid(), signal.SIGINT)"
RAISE = "raise RuntimeError('Error calling __set_name__') from KeyboardInterrupt()"


@pytest.mark.parametrize(("name", "strike"), [
    ("advisor.cli", KILL), ("typer", KILL), ("numpy", KILL), ("advisor.show.report", KILL),
    ("numpy", RAISE), ("advisor.show.report", RAISE)])
@pytest.mark.parametrize(("lang", "said"), [("C.UTF-8", "stopped"), ("ru_RU.UTF-8", "остановлено")])
def test_ctrl_c_inside_an_import(name: str, strike: str, lang: str, said: str) -> None:
    code = STRUCK.format(name=name, strike=strike, hand=HAND)
    done = subprocess.run([*command()[:1], "-c", code], capture_output=True, timeout=60,
                          env=environment(LANG=lang))
    early = name in ("advisor.cli", "typer")
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr.decode() == ("stopped\n" if early else f"{said}\n")


def test_ctrl_c_inside_code_run_from_a_string(tmp_path: Path) -> None:
    """Of a module that runs Python remembers such an interrupt as unhandled, though caught."""
    strike = "exec('raise KeyboardInterrupt')"
    (tmp_path / "struck.py").write_text(STRUCK.format(name="numpy", strike=strike, hand=HAND),
                                        encoding="utf-8")
    done = subprocess.run([*command()[:1], "-m", "struck"], capture_output=True, timeout=60,
                          cwd=tmp_path, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"stopped\n")


def test_ctrl_c_at_the_end_changes_nothing() -> None:
    code = ("import atexit, os, signal, sys\nimport advisor.__main__ as start\n"
            f"atexit.register(lambda: {KILL})\nsys.argv = ['advise', '--version']\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "start.advise_main()\n")
    done = subprocess.run([*command()[:1], "-c", code], capture_output=True, timeout=60,
                          env=environment())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"preferans-advisor ")
