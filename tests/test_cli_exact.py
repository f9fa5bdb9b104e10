"""``advise --evaluator exact`` as a command: JSON, the bar, Ctrl-C while deals are solved."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest
from processes import ROOT, environment, on_terminal, plain, run

EXAMPLE = ROOT / "data/hands/example.txt"
TALON = ROOT / "data/hands/talon.txt"
EXACT = ("--evaluator", "exact")
# Presses Ctrl-C in the midst of the block given.
INTERRUPTED = """
import os, signal, sys
from advisor.advice import solving
from advisor.cli import main

real, blocks, stop = solving._solve_block, [], int(sys.argv.pop(1))
solving.BLOCK_ROWS = 300

def solve(*args):
    blocks.append(None)
    if len(blocks) == stop:
        os.kill(os.getpid(), signal.SIGINT)
    return real(*args)

solving._solve_block = solve
main()
"""


def interrupted(block: int, *args: object) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, str(block), *map(str, args)],
                          cwd=ROOT, env=environment(), capture_output=True, timeout=120,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_json_names_the_evaluator() -> None:
    done = run("advise", EXAMPLE, *EXACT, "--deals", "300", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    report = json.loads(done.stdout)
    assert report["evaluator"] == "exact"
    assert report["complete"] is True
    assert report["deals"] == 300
    guide = json.loads(run("advise", EXAMPLE, "--evaluator", "guide", "--deals", "500",
                           "--json").stdout)
    assert (guide["evaluator"], guide["complete"]) == ("guide", True)
    assert report.keys() == guide.keys()
    assert {one["option"] for one in report["options"]} == {
        one["option"] for one in guide["options"]}
    assert report["options"][0].keys() == guide["options"][0].keys()


def test_twelve_cards() -> None:
    report = json.loads(run("advise", TALON, *EXACT, "--deals", "60", "--json").stdout)
    assert (report["decision"], report["evaluator"], report["deals"]) == ("declare", "exact", 60)
    for one in report["options"]:
        assert sum(one["tricks"].values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("file", [EXAMPLE, TALON])
def test_ctrl_c_shows_what_is_known(file: object) -> None:
    code, out, errors = interrupted(4, "advise", file, *EXACT, "--deals", "462", "--json")
    assert (code, errors) == (130, "stopped\n")
    report = json.loads(out)
    assert report["complete"] is False
    assert 0 < report["deals"] < 462
    assert all(abs(one["ev"]) < 1000 and one["se"] >= 0 for one in report["options"])


def test_ctrl_c_shows_a_report_that_tells_of_it() -> None:
    code, out, errors = interrupted(3, "advise", EXAMPLE, TALON, *EXACT, "--deals", "462")
    assert code == 130
    assert errors == "stopped\n"
    assert "Traceback" not in out + errors
    assert out.count("♠ A K Q 9 8") == 1
    assert "Interrupted: what was known so far." in out


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_ctrl_c_before_anything_is_known(more: list[str]) -> None:
    assert interrupted(1, "advise", EXAMPLE, *EXACT, "--deals", "100", *more) == (
        130, "", "stopped\n")


def test_the_bar_is_for_terminals_only() -> None:
    args = ("advise", EXAMPLE, *EXACT, "--deals", "60")
    assert run(*args).stderr == b""
    code, text = on_terminal(*args)
    assert code == 0
    assert "hands" in plain(text)
    assert "━" in text
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as reader:
        assert reader.stdin is not None
        code, text = on_terminal(*args, stdout=reader.stdin.fileno())
        reader.stdin.close()
    assert code == 0
    assert "━" in text
    assert "♠" not in text


def test_an_unknown_evaluator_is_told_in_one_line() -> None:
    done = run("advise", EXAMPLE, "--evaluator", "oracle")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().count("\n") == 1
    assert "guide, fitted, exact" in done.stderr.decode()
