"""The README cannot rot: its commands run, its outputs and examples are what the program gives.

``python tests/test_readme.py`` writes the outputs of its ``console`` blocks anew.
"""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from advisor.cli import app
from advisor.records.deal import read_deal
from advisor.records.hand import read_hand
from advisor.records.result import read_result
from advisor.records.session import read_session
from advisor.records.sheet import read_sheet
from advisor.rules.conventions import load_convention

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\b\d+\.\d (?=s$)", re.MULTILINE)
NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")


def blocks(kind: str) -> list[str]:
    return [body for name, body in FENCE.findall(TEXT) if name == kind]


def named_files() -> dict[str, str]:
    """Blocks that are files: their first line is a comment with their name."""
    bodies = blocks("text") + blocks("toml")
    return {body.split("\n", 1)[0].removeprefix("# "): body for body in bodies}


def shell_lines() -> list[str]:
    lines = "".join(blocks("sh")).splitlines()
    return [line.split(" #")[0].strip() for line in lines if line.strip()]


ADVISOR_LINES = [line for line in shell_lines() if re.search(r"\badvise\b|\badvisor\b", line)
                 and not line.startswith("make")]
MAKE_LINES = [line for line in shell_lines() if line.startswith("make")]


# Options that make a command's example quick.
SMALL = {
    "advise": ("--deals", "300"),
    "plot": ("--deals", "1000"),
    "arena": ("--deals", "1", "--workers", "1"),
    "calibrate": ("--hands", "1", "--deals", "20", "--workers", "1"),
}


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved answer, as an earlier command of the README leaves it."""
    path = tmp_path_factory.mktemp("answer") / "advice.json"
    _, said = run("advise data/hands/example.txt --json --evaluator guide", "--deals", "300")
    path.write_text(said, encoding="utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path, answer: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as its reader has it: the data, and the files the README tells to write."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    for name, body in named_files().items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    shutil.copy(answer, tmp_path / "advice.json")
    monkeypatch.chdir(tmp_path)
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def run(line: str, *more: str) -> tuple[int, str]:
    """Run one `advise` or `advisor` line in this process; exit code, and all it prints."""
    stdin = None
    line, _, kept = line.partition(" > ")
    if line.startswith("cat "):
        shown, line = line.split(" | ")
        stdin = Path(shown.removeprefix("cat ")).read_bytes()
    name, *arguments = shlex.split(line)
    assert name in ("advise", "advisor"), line
    arguments = [*(["advise"] if name == "advise" else []), *arguments, *more]
    found = CliRunner().invoke(app, arguments, input=stdin)
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    if kept:
        Path(kept).write_text(found.stdout, encoding="utf-8")
    return found.exit_code, found.output


def test_the_readme_has_what_the_tests_look_for() -> None:
    assert set(named_files()) == {"hand.txt", "defence.txt", "result.txt", "sheet.txt",
                                  "deal.txt", "session.txt", "house.toml"}
    assert len(ADVISOR_LINES) >= 15
    assert len(blocks("console")) >= 4
    assert len(blocks("pycon")) >= 3
    commands = {line.split()[line.split().index("advisor") + 1] for line in ADVISOR_LINES
                if "advisor" in line.split()}
    assert commands == {"advise", "score", "settle", "guide", "deals", "solve", "misere",
                        "plot", "show", "review", "arena", "calibrate"}


@pytest.mark.parametrize("line", ADVISOR_LINES)
def test_commands_work_as_written(line: str, here: Path) -> None:
    name = line.split("advisor ")[-1].split()[0] if "advisor " in line else "advise"
    code, output = run(line, *SMALL.get(name, ()))
    assert code == 0, output
    picture = re.search(r"(?:--plot|-o) (\S+)", line)
    assert output.strip() or picture
    if picture:
        assert (here / picture[1]).read_bytes().startswith((b"\x89PNG", b"<?xml"))


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0])
def test_outputs_are_what_the_program_prints(block: str, here: Path) -> None:
    """Words exactly; numbers within what another numpy's random numbers may change."""
    command, printed = block.split("\n", 1)
    code, output = run(command.removeprefix("$ "))
    assert code == (2 if "may be" in printed else 0)
    printed, output = SECONDS.sub("", printed), SECONDS.sub("", output)
    assert words(printed) == words(output)
    for said, got in zip(numbers(printed), numbers(output), strict=True):
        assert said == pytest.approx(got, rel=0.02, abs=1.5)


def words(output: str) -> list[str]:
    return NUMBER.sub("#", output).split()


def numbers(output: str) -> list[float]:
    return [float(n.replace(",", "").replace("−", "-")) for n in NUMBER.findall(output)]


@pytest.mark.parametrize("block", range(len(blocks("pycon"))))
def test_python_examples_are_true(block: int) -> None:
    # Later blocks may use names of earlier ones, as a reader typing them would.
    source = "\n".join(blocks("pycon")[: block + 1])
    test = doctest.DocTestParser().get_doctest(source, {}, "README", str(README), 0)
    assert test.examples
    failed, _ = doctest.DocTestRunner(verbose=False).run(test)
    assert failed == 0


def test_written_files_are_read_back(here: Path) -> None:
    record = read_hand("hand.txt")
    assert record.declares
    assert record.seat == 0
    assert read_hand("defence.txt").decision == "whist"
    assert [str(hand.said) for hand in read_session("session.txt")] == ["6S", "7S C8 D7"]
    deal = read_deal("deal.txt")
    assert (deal.size, deal.declarer, deal.leader) == (10, 1, 0)
    result, _ = read_result("result.txt")
    assert str(result.contract) == "7H"
    assert read_sheet("sheet.txt").players == ("Anna", "Boris", "Vera")
    house = load_convention("house.toml")
    assert (house.title_en, house.lone_whister, house.min_level(1)) == ("Our house", "gentleman", 7)


@pytest.mark.parametrize("path", sorted((ROOT / "data" / "hands").glob("*.txt")),
                         ids=lambda path: path.name)
def test_example_hands_are_advised(path: Path) -> None:
    code, output = run(f"advise {shlex.quote(str(path))}", "--deals", "300")
    assert code == 0, output


@pytest.mark.parametrize("path", sorted((ROOT / "data" / "deals").glob("*.txt")),
                         ids=lambda path: path.name)
def test_example_deals_are_solved(path: Path) -> None:
    code, output = run(f"advisor solve {shlex.quote(str(path))}")
    assert code == 0, output


def test_russian_keys_stand_beside_the_english_ones() -> None:
    """Each `or X` of the format blocks is a key that is read."""
    from advisor.records import deal, result, session, sheet

    known = session.SESSION_KEYS.keys() | result._KEYS.keys() | sheet._KEYS.keys() \
        | deal.KEYS.keys()
    told = [word.strip() for body in named_files().values()
            for words in re.findall(r"# or ([^;\n:(]+)", body) for word in words.split(",")]
    assert len(told) >= 19
    assert [word for word in told if word not in known] == []


@pytest.mark.parametrize("line", MAKE_LINES)
def test_make_targets_exist(line: str) -> None:
    _, *arguments = line.split()
    for argument in arguments:
        if argument.startswith("HAND="):
            assert (ROOT / argument.removeprefix("HAND=")).is_file()
        else:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            assert re.search(rf"^{argument}:", makefile, re.MULTILINE), argument


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md"])
def test_files_spoken_of_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    paths = set(re.findall(r"\b(?:advisor|data|tests|notebooks|benchmarks)/[\w/]+\.\w+", text))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def constants() -> list[tuple[str, str, str]]:
    """Rows ``| `NAME` | `module` | `value` |`` of ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([A-Z_0-9]+)` \| `([\w.]+)` \| `([^`]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize(("name", "module", "value"), constants())
def test_constants_of_the_architecture_are_those_of_the_code(
    name: str, module: str, value: str
) -> None:
    assert str(getattr(importlib.import_module(module), name)) == value


def test_every_module_stands_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "advisor").rglob("*.py")):
        if not path.name.startswith("__"):
            assert re.search(rf"\b{path.stem}(?:\.py)?\b", text), path
    assert len(constants()) >= 15


def refresh() -> None:
    """Write the outputs of all console blocks anew."""

    def rewritten(match: re.Match[str]) -> str:
        if match[1] != "console":
            return match[0]
        command = match[2].split("\n", 1)[0]
        arguments = shlex.split(command.removeprefix("$ "))
        start = arguments[1:] if arguments[0] == "advisor" else arguments
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-m", "advisor", *start], cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        return f"```console\n{command}\n{done.stdout.rstrip()}\n```"

    README.write_text(FENCE.sub(rewritten, TEXT), encoding="utf-8")


if __name__ == "__main__":
    refresh()
