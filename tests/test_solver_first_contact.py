"""First use on a machine, later processes, and places where nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOLVE = """
import sys
from advisor.tricks import solver
assert "numba" not in sys.modules and "advisor.tricks.kernels" not in sys.modules
print(solver.solve_deals([[0x3FF, 0xFFC00, 0x3FF00000]], [4], [1])[0])
kernels = sys.modules["advisor.tricks.kernels"]
print("hits", sum(kernels.search.stats.cache_hits.values()))
"""


def run(code: str, cache: Path | None, **settings: str) -> list[str]:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | settings
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
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


def test_a_missing_or_unwritable_cache_directory_still_solves(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder is wanted")
    expected = run(SOLVE, tmp_path / "made")[0]
    assert run(SOLVE, blocked / "cache")[0] == expected
    nowhere = {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    assert run(SOLVE, None, **nowhere)[0] == expected
