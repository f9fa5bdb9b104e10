"""Help and usage errors: both languages, narrow enough, nothing heavy loaded."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import typer
from processes import ROOT, environment, on_terminal, run

from advisor.cli import app
from advisor.commands.helping import asked_lang

ROOT_COMMAND: Any = typer.main.get_command(app)
NAMES = ["", *ROOT_COMMAND.commands]


def helped(*args: str, **env: str) -> str:
    done = run(*args, **env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def refused(*args: str, **env: str) -> str:
    done = run(*args, **env)
    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode()


def options(text: str) -> list[str]:
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", text.rpartition("\n\n")[0], re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_help_in_both_languages_fits_eighty_columns(name: str) -> None:
    english = helped(*name.split(), "--help")
    russian = helped(*name.split(), "--help", "--lang", "ru")
    for text in (english, russian):
        assert max(map(len, text.splitlines())) <= 80
        assert "\xa0" not in text
    assert english.startswith("Usage: ")
    assert russian.startswith("Использование: ")
    assert options(english) == options(russian) != []
    assert "Options:" in english
    for word in ("Options", "Usage", "Arguments", "Commands", "Example", "default", "required",
                 "FILE", "HAND"):
        assert word not in russian.replace("[OPTIONS]", "")


@pytest.mark.parametrize("args", [
    ["--lang", "ru", "--help"], ["--help", "--lang", "ru"], ["--lang=ru", "advise", "--help"],
    ["advise", "--lang", "RU", "--help"], ["advise", "--help", "--lang=ru"]])
def test_the_language_may_stand_anywhere(args: list[str]) -> None:
    assert helped(*args).startswith("Использование: ")


def test_the_environment_chooses_the_language_unless_told() -> None:
    assert helped("--help", ADVISOR_LANG="ru").startswith("Использование: ")
    assert helped("advise", "--help", LANG="ru_RU.UTF-8").startswith("Использование: ")
    assert helped("advise", "--help", "--lang", "en", LANG="ru_RU.UTF-8").startswith("Usage: ")
    assert refused("bogus", ADVISOR_LANG="ru").startswith("Использование: ")


def test_a_language_before_the_command_is_that_of_its_report() -> None:
    hand = ("--hand", "♠AKQ98 ♣A8 ♦K107", "--evaluator", "guide", "--deals", "100")
    assert "Сочи" in helped("--lang", "ru", "advise", *hand)
    assert "Sochi" in helped("--lang", "ru", "advise", *hand, "--lang", "en")
    assert refused("--lang", "xx", "advise", *hand) == "--lang: found 'xx', expected en, ru\n"


@pytest.mark.parametrize(("args", "english", "russian"), [
    (["advise", "--sead", "3"], "No such option: --sead", "нет ключа --sead; может быть, --seat"),
    (["score"], "Missing argument 'RESULT.txt'.", "не хватает аргумента ИТОГ.txt"),
    (["plot"], "Missing option '--out' / '-o'.", "не хватает ключа --out, -o"),
    (["bogus"], "No such command 'bogus'.", "нет команды «bogus»"),
    (["--lang", "en"], "Missing command.", "не указана команда"),
    (["settle", "a", "b"], "Got unexpected extra argument", "лишние аргументы: b"),
    (["advise", "--seat"], "Option '--seat' requires an argument.",
     "после ключа --seat нужно значение"),
    (["advise", "--json=3"], "Option '--json' does not take a value.",
     "ключ --json пишется без значения")])
def test_a_usage_error_in_both_languages(args: list[str], english: str, russian: str) -> None:
    assert refused(*args).splitlines()[-1].startswith(f"Error: {english}")
    said = refused(*args[:1], "--lang", "ru", *args[1:]) if args[0][0] != "-" else refused(
        "--lang", "ru")
    assert said.splitlines()[-1].startswith(f"Ошибка: {russian}")
    assert "Usage" not in said
    assert max(map(len, said.splitlines())) <= 80


def test_no_command_at_all_shows_the_help() -> None:
    assert refused().startswith("Usage: ")
    assert "Команды:" in refused(ADVISOR_LANG="ru")


def test_what_looks_like_a_language_but_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_LANG", "en")
    assert asked_lang(["advise", "--", "--lang", "ru"]) == "en"
    assert asked_lang(["advise", "--language", "ru"]) == "en"
    assert asked_lang(["advise", "--lang"]) == "en"


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "cp866", "koi8-r"])
@pytest.mark.parametrize("args", [["--help"], ["advise", "--help"], ["bogus"]])
def test_russian_help_on_terminals_that_lack_characters(encoding: str, args: list[str]) -> None:
    done = run(*args, ADVISOR_LANG="ru", PYTHONIOENCODING=encoding)
    text = (done.stdout or done.stderr).decode(encoding)
    assert text.startswith("Ispolzovanie: " if encoding == "ascii" else "Использование: ")
    shown = text.replace("чего стоит заявка?", "").replace("chego stoit zajavka?", "")
    if args == ["bogus"]:
        assert "?" not in shown
    if "advise" in args:
        assert ("PTKD9" if encoding == "ascii" else "ПТКД9") in shown


def test_help_and_errors_have_no_colours_on_a_terminal() -> None:
    for args in (["--help"], ["advise", "--help"], ["bogus"]):
        _, text = on_terminal(*args, LANG="ru_RU.UTF-8")
        assert "\x1b" not in text
        assert text.startswith("Использование: ")


def test_a_narrow_terminal_gets_narrow_help() -> None:
    _, text = on_terminal("advise", "--help", columns=60)
    assert max(map(len, text.splitlines())) <= 60


def test_help_loads_nothing_heavy() -> None:
    code = ("import sys; from advisor.cli import main; sys.argv[:] = ['advisor', *sys.argv[1:]]\n"
            "try: main()\n"
            "finally: print(sorted({'numpy', 'pandas', 'numba', 'matplotlib', 'scipy'} "
            "& set(sys.modules)), file=sys.stderr)")
    for args in (["--help"], ["advise", "--help", "--lang", "ru"]):
        done = subprocess.run([sys.executable, "-c", code, *args], cwd=ROOT, timeout=60,
                              capture_output=True, env=environment(), check=True)
        assert done.stderr.decode().strip() == "[]"
