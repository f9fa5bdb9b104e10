"""First use on a machine, later processes, and places where nothing can be written."""

import io
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
import pytest
from processes import ROOT, command, environment, on_terminal

from advisor.tricks import compiled
from advisor.tricks.kernels import jit
from advisor.tricks.solver import optimal_leads, solve_deals

DEAL = [[0x3FF, 0xFFC00, 0x3FF00000]]
SOLVE = """
import sys
from advisor.tricks import solver
assert "numba" not in sys.modules and "advisor.tricks.kernels.search" not in sys.modules
print(solver.solve_deals([[0x3FF, 0xFFC00, 0x3FF00000]], [4], [1])[0])
search = sys.modules["advisor.tricks.kernels.search"].search
print("hits", sum(search.stats.cache_hits.values()))
"""


STRUCK = """
import os, signal
from numba.core.codegen import CPUCodeLibrary
from advisor.tricks import compiled

signal.signal(signal.SIGINT, signal.default_int_handler)
load = CPUCodeLibrary._object_getbuffer_hook

def strike(library, module):
    os.kill(os.getpid(), signal.SIGINT)
    return load(module)

CPUCodeLibrary._object_getbuffer_hook = classmethod(strike)
try:
    print(compiled.kernels("cards"))
except KeyboardInterrupt:
    print("stopped")
"""
NOWHERE = """
from advisor.tricks import compiled

compiled._cache_parents = lambda: iter(())
compiled.kernels("cards")
print(compiled._cache_folder())
"""
FULL = """
import numba.core.caching
from advisor.tricks import compiled

def full(*_):
    raise OSError(28, "No space left on device")

numba.core.caching.IndexDataCacheFile.save = full
print(compiled.kernels("cards").suit_of(1 << 9))
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


@pytest.mark.parametrize("broken", [
    lambda whole: b"", lambda whole: b"no table", lambda whole: whole[:-2],
    lambda whole: whole[:32] + bytes(len(whole) - 32), lambda whole: bytes(len(whole))])
def test_tables_are_made_anew_where_the_kept_ones_cannot_be_used(
    broken: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, kept = compiled.places(), tmp_path / compiled.PLACES
    monkeypatch.setattr(compiled, "_cache_folder", lambda: tmp_path)
    compiled.places.__wrapped__()
    whole = kept.read_bytes()
    kept.write_bytes(broken(whole))
    np.testing.assert_array_equal(compiled.places.__wrapped__(), made)
    assert kept.read_bytes() == whole
    assert [one.name for one in tmp_path.iterdir()] == [compiled.PLACES]


@pytest.mark.parametrize(("files", "left"), [("nbi", 0), ("nbi", 60), ("nbc", 0)])
def test_a_broken_cache_is_compiled_anew(files: str, left: int, tmp_path: Path) -> None:
    code = "from advisor.tricks import compiled; print(compiled.kernels('cards').suit_of(1 << 9))"
    assert run(code, tmp_path) == ["65280"]
    found = sorted(tmp_path.rglob(f"cards*.{files}"))
    assert found
    for path in found:
        path.write_bytes(path.read_bytes()[:left])
    assert run(code, tmp_path) == ["65280"]
    assert any(path.stat().st_size > 60 for path in tmp_path.rglob(f"cards*.{files}"))
    assert run(code, tmp_path) == ["65280"]


def test_kept_tables_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_cache_folder", lambda: tmp_path)
    compiled.places.__wrapped__()
    monkeypatch.setattr(compiled.kernels("table"), "make_places", None)
    np.testing.assert_array_equal(compiled.places.__wrapped__(), compiled.places())


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


def test_a_passing_cache_is_gone_with_its_process(tmp_path: Path) -> None:
    folder, = run(NOWHERE, tmp_path)
    assert Path(folder).name.startswith("advisor-")
    assert not Path(folder).exists()


def test_a_disk_too_full_for_the_cache_still_compiles(tmp_path: Path) -> None:
    assert run(FULL, tmp_path) == [str(0xFF00)]


def test_ctrl_c_inside_the_compiler_is_neither_lost_nor_fatal(tmp_path: Path) -> None:
    assert run(STRUCK, tmp_path) == ["stopped"]


def test_ctrl_c_waits_for_the_end_of_a_function() -> None:
    done = []

    def compiler(function: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        done.append(function)
        return function

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        jit.whole(compiler)("kernel")
    assert done == ["kernel"]
    assert signal.getsignal(signal.SIGINT) is before
    with ThreadPool(1) as pool:
        assert pool.apply(jit.whole(str.upper), ["kernel"]) == "KERNEL"


@pytest.mark.parametrize(("lang", "says"), [
    ("en", "compiling the open-card solver"), ("ru", "компилируется решатель")])
def test_a_terminal_shows_that_it_compiles(lang: str, says: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    ask = command("solve", "data/deals/ending.txt", "--lang", lang)
    process = subprocess.Popen(ask, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs,
                               env=environment(NUMBA_CACHE_DIR=str(tmp_path)))
    os.close(theirs)
    got = b""
    while b"\n" not in got:
        got += os.read(ours, 1024)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    os.close(ours)
    assert got.decode().startswith(says)


def test_it_does_not_tell_so_when_it_only_loads() -> None:
    optimal_leads(DEAL[0], 4, 1)
    code, text = on_terminal("solve", "data/deals/ending.txt", "--table")
    assert code == 0
    assert "compiling" not in text
