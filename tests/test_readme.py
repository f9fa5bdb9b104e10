"""The READMEs and the guides of docs cannot rot: commands run, outputs are what the program gives.

``python tests/test_readme.py`` writes the outputs of its ``console`` blocks anew.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from advisor.cli import app
from advisor.records.deal import read_deal
from advisor.records.hand import read_hand
from advisor.records.result import read_result
from advisor.records.session import read_session
from advisor.records.sheet import read_sheet
from advisor.rules.conventions import Convention, load_convention

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "README.ru.md", "docs/files.md", "docs/commands.md", "docs/python.md")
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
RUSSIAN = "README.ru.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\b\d+\.\d (?=[sс]$)", re.MULTILINE)
NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")


def blocks(kind: str, *documents: str) -> list[tuple[str, str]]:
    """Blocks of a kind, each with its document; of all documents if none is named."""
    return [(document, body) for document in documents or DOCUMENTS
            for name, body in FENCE.findall(TEXTS[document]) if name == kind]


def named_files() -> dict[str, str]:
    """Blocks that are files: their first line is a comment with their name."""
    found: dict[str, str] = {}
    for _, body in (*blocks("text"), *blocks("toml")):
        name = body.split("\n", 1)[0].removeprefix("# ")
        assert found.setdefault(name, body) == body, f"{name} differs between documents"
    return found


def shell_lines(document: str) -> list[str]:
    lines = "".join(body for _, body in blocks("sh", document)).splitlines()
    return [line.split(" #")[0].strip() for line in lines if line.strip()]


ADVISOR_LINES = [(document, line) for document in DOCUMENTS for line in shell_lines(document)
                 if re.search(r"\badvise\b|\badvisor\b", line) and not line.startswith("make")]
MAKE_LINES = [line for document in DOCUMENTS for line in shell_lines(document)
              if line.startswith("make")]


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
    """A folder as its reader has it: the data, and the files the documents tell to write."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    (tmp_path / "docs").mkdir()
    for name, body in named_files().items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    shutil.copy(answer, tmp_path / "advice.json")
    monkeypatch.chdir(tmp_path)
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the language as a document tells its reader to."""

    def chosen(document: str) -> None:
        if document == RUSSIAN:
            monkeypatch.setenv("ADVISOR_LANG", "ru")

    return chosen


def words_of(line: str) -> list[str]:
    """The arguments of ``advisor``, with the files that a pattern stands for."""
    name, *arguments = shlex.split(line)
    assert name in ("advise", "advisor"), line
    found = ["advise"] if name == "advise" else []
    for word in arguments:
        matching = sorted(path.as_posix() for path in Path().glob(word)) if "*" in word else []
        found += matching or [word]
    return found


def last_lines(output: str, number: str) -> str:
    """What ``tail -n`` leaves."""
    return "".join(output.splitlines(keepends=True)[-int(number):]) if number else output


def run(line: str, *more: str) -> tuple[int, str]:
    """Run one `advise` or `advisor` line in this process; exit code, and all it prints."""
    stdin = None
    line, _, kept = line.partition(" > ")
    line, _, tail = line.partition(" | tail -n ")
    if line.startswith("cat "):
        shown, line = line.split(" | ")
        stdin = Path(shown.removeprefix("cat ")).read_bytes()
    arguments = [*words_of(line), *more]
    found = CliRunner().invoke(app, arguments, input=stdin)
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    if kept:
        Path(kept).write_text(found.stdout, encoding="utf-8")
    return found.exit_code, last_lines(found.output, tail)


def test_the_documents_have_what_the_tests_look_for() -> None:
    assert set(named_files()) == {
        "hand.txt", "defence.txt", "result.txt", "sheet.txt", "deal.txt", "session.txt",
        "house.toml", "mine.txt", "рука.txt", "полная.txt", "вечер.txt", "расклад.txt",
        "итог.txt", "пуля.txt", "nasha.toml"}
    assert len(ADVISOR_LINES) >= 30
    assert len(blocks("console", "README.md")) >= 6
    assert len(blocks("console", RUSSIAN)) >= 8
    assert len(blocks("console", "docs/commands.md")) >= 4
    assert blocks("pycon", "README.md")
    assert len(blocks("pycon", "docs/python.md")) >= 3
    commands = {line.split()[line.split().index("advisor") + 1] for _, line in ADVISOR_LINES
                if "advisor" in line.split()}
    assert commands == {"advise", "score", "settle", "guide", "deals", "solve", "misere",
                        "plot", "show", "review", "arena", "calibrate"}


@pytest.mark.parametrize(("document", "line"), ADVISOR_LINES)
def test_commands_work_as_written(
    document: str, line: str, here: Path, speak: Callable[[str], None]
) -> None:
    speak(document)
    name = line.split("advisor ")[-1].split()[0] if "advisor " in line else "advise"
    code, output = run(line, *SMALL.get(name, ()))
    assert code == 0, output
    picture = re.search(r"(?:--plot|-o) (\S+)", line)
    assert output.strip() or picture
    if picture:
        assert (here / picture[1]).read_bytes().startswith((b"\x89PNG", b"<?xml"))


@pytest.mark.parametrize(("document", "block"), blocks("console"),
                         ids=lambda part: part.split("\n")[0])
def test_outputs_are_what_the_program_prints(
    document: str, block: str, here: Path, speak: Callable[[str], None]
) -> None:
    """Words exactly; numbers within what another numpy's random numbers may change."""
    speak(document)
    command, printed = block.split("\n", 1)
    code, output = run(command.removeprefix("$ "))
    assert code == (2 if printed.startswith("--hand: ") else 0)
    printed, output = SECONDS.sub("", printed), SECONDS.sub("", output)
    assert words(printed) == words(output)
    for said, got in zip(numbers(printed), numbers(output), strict=True):
        assert said == pytest.approx(got, rel=0.02, abs=1.5)


def words(output: str) -> list[str]:
    return NUMBER.sub("#", output).split()


def numbers(output: str) -> list[float]:
    return [float(n.replace(",", "").replace("−", "-")) for n in NUMBER.findall(output)]


@pytest.mark.parametrize(("document", "block"), [
    (document, block) for document in DOCUMENTS
    for block in range(len(blocks("pycon", document)))])
def test_python_examples_are_true(document: str, block: int) -> None:
    # Later blocks may use names of earlier ones, as a reader typing them would.
    source = "\n".join(body for _, body in blocks("pycon", document)[: block + 1])
    test = doctest.DocTestParser().get_doctest(source, {}, document, document, 0)
    assert test.examples
    failed, _ = doctest.DocTestRunner(verbose=False).run(test)
    assert failed == 0


def test_written_files_are_read_back(here: Path) -> None:
    record = read_hand("hand.txt")
    assert record.declares
    assert record.seat == 0
    assert read_hand("mine.txt").cards == read_hand("рука.txt").cards
    assert [read_hand(name).seat for name in ("mine.txt", "рука.txt")] == [1, 1]
    assert read_hand("defence.txt").decision == "whist"
    full, same = read_hand("полная.txt"), read_hand("hand.txt")
    assert replace(full, source=None) == replace(same, source=None)
    for name in ("session.txt", "вечер.txt"):
        assert [str(hand.said) for hand in read_session(name)] == ["6S", "7S C8 D7"]
    for name in ("deal.txt", "расклад.txt"):
        deal = read_deal(name)
        assert (deal.size, deal.declarer, deal.leader) == (10, 1, 0)
    for name in ("result.txt", "итог.txt"):
        result, _ = read_result(name)
        assert str(result.contract) == "7H"
    assert read_sheet("sheet.txt").players == ("Anna", "Boris", "Vera")
    assert read_sheet("пуля.txt").players == ("Анна", "Борис", "Вера")
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


@pytest.mark.parametrize("document", [*DOCUMENTS, "ARCHITECTURE.md"])
def test_files_spoken_of_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    paths = set(re.findall(r"\b(?:advisor|data|tests|notebooks|benchmarks|docs)/[\w/]+\.\w+", text))
    assert paths or document.startswith("docs/")
    assert [path for path in paths if not (ROOT / path).exists()] == []
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not ((ROOT / document).parent / link).exists()] == []


def test_links_to_headings_lead_somewhere() -> None:
    for document, text in TEXTS.items():
        for link, anchor in re.findall(r"\]\(([^)#]*)#([^)]*)\)", text):
            target = ((ROOT / document).parent / link) if link else ROOT / document
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-")
                              for heading in headings]


def test_pictures_of_the_readmes_are_drawn_by_a_command_they_give() -> None:
    for document in ("README.md", RUSSIAN):
        pictures = re.findall(r"^!\[.+\]\((.+)\)$", TEXTS[document], re.MULTILINE)
        assert pictures
        for picture in pictures:
            assert any(f"-o {picture}" in line for line in shell_lines(document))
            assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")


def test_the_readmes_lead_to_one_another() -> None:
    assert "(README.ru.md)" in TEXTS["README.md"].split("## ")[0]
    assert "(README.md)" in TEXTS[RUSSIAN].split("## ")[0]


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
    """Write the outputs of all console blocks anew, as they come in a folder with all files."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").symlink_to(ROOT / "data")
        for name, body in named_files().items():
            (Path(folder) / name).write_text(body, encoding="utf-8")
        os.chdir(folder)
        for document, text in TEXTS.items():
            lang = "ru" if document == RUSSIAN else "en"
            (ROOT / document).write_text(
                FENCE.sub(partial(rewritten, lang=lang), text), encoding="utf-8")
        os.chdir(ROOT)


def rewritten(match: re.Match[str], lang: str) -> str:
    """A block with what its command prints now, in a real process."""
    if match[1] != "console":
        return match[0]
    command = match[2].split("\n", 1)[0]
    line, _, tail = command.removeprefix("$ ").partition(" | tail -n ")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "advisor", *words_of(line)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
        env=os.environ | {"ADVISOR_LANG": lang, "PYTHONPATH": path})
    return f"```console\n{command}\n{last_lines(done.stdout, tail).rstrip()}\n```"


if __name__ == "__main__":
    refresh()


def test_the_russian_readme_explains_every_rule_of_a_convention() -> None:
    """And every value a rule may have by name."""
    text = TEXTS[RUSSIAN]
    for field in fields(Convention):
        if field.name in ("name", "title_en", "title_ru"):
            continue
        assert f"`{field.name}`" in text
        for value in re.findall(r'"([a-z0-9_-]+)"', str(field.type)):
            assert f"`{value}`" in text, (field.name, value)
