"""Print the table of measurements: ``python -m benchmarks [--keep] [MODULE ...]``.

Each module is measured in a process of its own, so that none pays for another's memory. With
``--keep`` the table is also written to ``benchmarks/latest.txt``, with the commit.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import measured

MODULES = ("benchmarks.bench_guide", "benchmarks.bench_advise", "benchmarks.bench_solver",
           "benchmarks.bench_fitted", "benchmarks.bench_misere")


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 1 where a target is missed."""
    keep = "--keep" in arguments
    names = [f"benchmarks.{name}" for name in arguments if name != "--keep"] or MODULES
    console = Console(highlight=False, width=130, record=keep)
    console.print(f"commit {_commit()}, {date.today()}, Python {platform.python_version()}, numpy "
                  f"{np.__version__}, {platform.machine()}; best of several runs each\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("what", "measured", "target", "", "from"):
        table.add_column(title, justify="right" if title == "measured" else "left")
    missed = 0
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as alone:
        for row in (row for rows in alone.map(measured, names) for row in rows):
            verdict = {None: "", True: "met", False: "MISSED"}[row.met]
            missed += row.met is False
            table.add_row(row.what, f"{row.value:.2f} {row.unit}", row.target, verdict, row.detail)
    console.print(table)
    if keep:
        text = "\n".join(line.rstrip() for line in console.export_text().splitlines())
        Path(__file__).with_name("latest.txt").write_text(text + "\n", encoding="utf-8")
    return 1 if missed else 0


def _commit() -> str:
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
