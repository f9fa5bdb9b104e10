"""Terminals of all kinds, pipes, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from processes import ROOT, command, environment, on_terminal, plain, run

HAND = "♠AKQ98 ♣A8 ♦K107"
EXAMPLE = ROOT / "data/hands/example.txt"
TALON = ROOT / "data/hands/talon.txt"
SHEET = ROOT / "data/sheets/example.txt"
FEW = ("--deals", "500", "--evaluator", "guide")


@pytest.mark.parametrize(("encoding", "lang", "hand"), [
    ("ascii", "en", "S A K Q 9 8 "), ("cp1251", "en", "S A K Q 9 8 "),
    ("ascii", "ru", "P T K D 9 8 "), ("cp1251", "ru", "П Т К Д 9 8 "),
    ("koi8-r", "ru", "П Т К Д 9 8 "), ("cp866", "ru", "П Т К Д 9 8 ")])
def test_terminals_without_suit_symbols_get_letters(encoding: str, lang: str, hand: str) -> None:
    done = run("advise", EXAMPLE, *FEW, "--lang", lang, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert text.startswith(hand)
    assert "?" not in text


@pytest.mark.parametrize("args", [["guide", "AQJxx"], ["settle", SHEET], ["deals", TALON]])
def test_other_commands_on_terminals_without_suit_symbols(args: list[str | Path]) -> None:
    done = run(*args, "--lang", "ru", PYTHONIOENCODING="cp1251")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "?" not in done.stdout.decode("cp1251")


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "koi8-r"])
def test_help_and_errors_on_terminals_without_suit_symbols(encoding: str) -> None:
    for name in ("advise", "settle"):
        done = run(name, "--help", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"Example: " in done.stdout
    done = run("advise", "--hand", "♠Ж", "--lang", "ru", PYTHONIOENCODING=encoding)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode(encoding).startswith("--hand: ")


def test_json_loses_nothing_on_any_terminal(tmp_path: Path) -> None:
    path = tmp_path / "рука♠.txt"
    path.write_text(HAND, encoding="utf-8")
    done = run("advise", path, *FEW, "--json", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.decode("ascii"))["file"] == str(path)


def test_the_c_locale() -> None:
    done = run("advise", EXAMPLE, *FEW, LANG="C", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "A K Q 9 8" in done.stdout.decode()


def test_the_locale_chooses_the_language() -> None:
    assert "Сочи" in run("advise", EXAMPLE, *FEW, LANG="ru_RU.UTF-8").stdout.decode()
    assert "Sochi" in run("advise", EXAMPLE, *FEW, LANG="de_DE.UTF-8").stdout.decode()


def test_a_pipe_gets_no_escape_codes() -> None:
    done = run("advise", EXAMPLE, TALON, *FEW)
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""


def test_a_terminal_gets_bold_type_unless_it_declines() -> None:
    assert "\x1b[1m" in on_terminal("advise", EXAMPLE, *FEW)[1]
    for variable, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        code, text = on_terminal("advise", EXAMPLE, *FEW, **{variable: value})
        assert code == 0
        assert "\x1b[3" not in text
        assert "\n▶  " in plain(text)


def test_the_progress_bar_leaves_the_reports_where_they_belong(tmp_path: Path) -> None:
    """Standard error on a terminal, standard output into a file."""
    with (tmp_path / "reports.txt").open("wb") as file:
        code, terminal = on_terminal("advise", EXAMPLE, TALON, *FEW, stdout=file.fileno())
    reports = (tmp_path / "reports.txt").read_text(encoding="utf-8")
    assert code == 0
    assert "hands" in terminal
    assert "♠" not in terminal
    assert reports.count("♠ A K Q 9 8") == 2
    assert "Summary" in reports
    assert "\x1b" not in reports


def test_reports_beside_the_progress_bar_keep_their_symbols() -> None:
    code, text = on_terminal("advise", EXAMPLE, TALON, *FEW)
    assert code == 0
    assert plain(text).count("♠ A K Q 9 8") == 2
    assert "Summary" in text


def test_one_hand_needs_no_progress_bar() -> None:
    assert "hands" not in on_terminal("advise", EXAMPLE, *FEW)[1]


@pytest.mark.parametrize("args", [
    ["advise", *[str(EXAMPLE)] * 12, *FEW], ["advise", str(EXAMPLE), *FEW, "--json"], ["guide"],
    ["deals", str(EXAMPLE), "-n", "500"]])
def test_a_reader_that_goes_away_is_no_error(args: list[str]) -> None:
    process = subprocess.Popen(command(*args), cwd=ROOT, env=environment(), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()  # before the first word, so that every write fails
    _, errors = process.communicate(timeout=60)
    assert errors == b""
    assert process.returncode == 0


def test_head_takes_one_line() -> None:
    line = " ".join(f"'{word}'" for word in command("advise", *[EXAMPLE] * 3, *FEW))
    done = subprocess.run(["bash", "-o", "pipefail", "-c", f"{line} | head -n 1"], cwd=ROOT,
                          env=environment(), capture_output=True, timeout=60)
    assert done.stdout.decode().startswith("♠ A K Q 9 8")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device of a full disk is missing")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_full_disk_is_told_in_one_line(more: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command("advise", EXAMPLE, *FEW, *more), cwd=ROOT, stdout=full,
                              stderr=subprocess.PIPE, env=environment(), timeout=60)
    assert done.returncode == 1
    assert done.stderr.decode() == "<stdout>: No space left on device\n"


def test_streams_that_are_closed() -> None:
    line = " ".join(f"'{word}'" for word in command("advise", "-"))
    done = subprocess.run(["bash", "-c", f"{line} <&-"], cwd=ROOT, env=environment(),
                          capture_output=True, timeout=60)
    assert (done.returncode, done.stderr.decode()) == (2, "<stdin>: the file is empty\n")
    line = " ".join(f"'{word}'" for word in command("advise", EXAMPLE, *FEW))
    done = subprocess.run(["bash", "-c", f"{line} >&-"], cwd=ROOT, env=environment(),
                          capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


# --- Ctrl-C -----------------------------------------------------------------------------------

def interruptible(*args: str) -> subprocess.Popen[bytes]:
    """A process that takes Ctrl-C even where the tests themselves run in the background."""
    return subprocess.Popen(command(*args), cwd=ROOT, env=environment(), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def test_ctrl_c_tells_what_was_found_so_far(tmp_path: Path) -> None:
    files = []
    for n in range(300):
        files.append(str(tmp_path / f"hand{n:03}.txt"))
        Path(files[-1]).write_text(HAND, encoding="utf-8")
    process = interruptible("advise", *files, "--evaluator", "guide", "--deals", "200000")
    assert process.stdout is not None
    before = b""
    while b"EV in net whists" not in before:
        part = os.read(process.stdout.fileno(), 65536)
        assert part, "ended before its first report"
        before += part
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    text = (before + rest).decode()
    assert process.returncode == 130
    assert errors == b"stopped\n"
    assert "Summary" in text
    summary = text[text.index("Summary"):]
    assert "hand000.txt" in summary
    assert "hand299.txt" not in summary


def test_ctrl_c_before_anything_was_found(tmp_path: Path) -> None:
    fifo = tmp_path / "hand.txt"
    os.mkfifo(fifo)
    process = interruptible("advise", str(fifo), "--json")
    with fifo.open("w"):  # opens once the other side reads, so the program is at work
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, out, errors) == (130, b"", b"stopped\n")
