"""First use on a machine, later processes, and places where nothing can be written."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from advisor.tricks import compiled
from advisor.tricks.solver import solve_deals

DEAL = [[0x3FF, 0xFFC00, 0x3FF00000]]
ROOT = Path(__file__).resolve().parent.parent
SOLVE = """
import sys
from advisor.tricks import solver
assert "numba" not in sys.modules and "advisor.tricks.kernels.search" not in sys.modules
print(solver.solve_deals([[0x3FF, 0xFFC00, 0x3FF00000]], [4], [1])[0])
search = sys.modules["advisor.tricks.kernels.search"].search
print("hits", sum(search.stats.cache_hits.values()))
"""


def run(code: str, cache: Path) -> list[str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "no notice where nobody watches"
    return done.stdout.splitlines()


def test_second_process_loads_what_the_first_compiled(tmp_path: Path) -> None:
    first, second = run(SOLVE, tmp_path), run(SOLVE, tmp_path)
    assert first[0] == second[0]
    assert first[1] == "hits 0"
    assert second[1] == "hits 1"


def test_an_unwritable_cache_directory_still_solves(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder is wanted")
    assert run(SOLVE, blocked / "cache")[0] == str(solve_deals(DEAL, 4, 1)[0])


@pytest.mark.parametrize(("lang", "word"), [("en", "compiling"), ("ru", "компилируется")])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_is_told_of_a_slow_start(
    terminal: bool, lang: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(compiled.sys, "stderr", shown)
    monkeypatch.setenv("ADVISOR_LANG", lang)
    monkeypatch.setattr(compiled, "NOTICE_AFTER", 0)
    monkeypatch.setattr(compiled, "_compiled_before", lambda _: False)
    told = threading.Event()
    monkeypatch.setattr(compiled, "_tell", lambda tell=compiled._tell: (tell(), told.set()))
    monkeypatch.setattr(compiled, "_import_with_cache", lambda _: told.wait(20))
    assert compiled.kernels.__wrapped__("search")
    assert (word in shown.getvalue()) == terminal


def test_with_no_folder_at_all_it_compiles_for_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(compiled, "_cache_parents", lambda: iter([blocked / "cache"]))
    folder = compiled._cache_folder.__wrapped__()
    assert folder.is_dir()
    assert tmp_path not in folder.parents
    folder.rmdir()


def test_only_what_is_not_in_the_cache_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_cache_folder", lambda: tmp_path)
    assert not compiled._compiled_before("search")
    (tmp_path / "kernels_1").mkdir()
    (tmp_path / "kernels_1" / "search.solve-1.py311.1.nbc").write_bytes(b"")
    assert compiled._compiled_before("search")
    assert not compiled._compiled_before("misere")
