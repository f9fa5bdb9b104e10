"""Print the table of measurements: ``python -m benchmarks``."""

from __future__ import annotations

import platform
from importlib import import_module

import numpy as np
from rich.console import Console
from rich.table import Table

MODULES = ("benchmarks.bench_guide", "benchmarks.bench_misere")


def main() -> int:
    """Measure and print; 1 where a target is missed."""
    console = Console(highlight=False, width=110)
    console.print(f"Python {platform.python_version()}, numpy {np.__version__}, "
                  f"{platform.machine()}; best of several runs each\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("what", "measured", "target", "", "from"):
        table.add_column(title, justify="right" if title == "measured" else "left")
    missed = 0
    for name in MODULES:
        for row in import_module(name).rows():
            verdict = {None: "", True: "met", False: "MISSED"}[row.met]
            missed += row.met is False
            table.add_row(row.what, f"{row.value:.1f} {row.unit}", row.target, verdict, row.detail)
    console.print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
