"""The walls of the house: imports run one way, and the rules stay plain Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "advisor"
ORDER = ("cards", "rules", "records", "tricks", "sampling", "advice", "fitting", "trials", "show",
         "commands", "cli")
FREE = ("errors", "paths", "language", "interrupt", "writing")
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Full names of everything a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def group(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    own = group(path)
    if own in ("__init__", "__main__"):
        return
    assert own in ORDER + FREE, f"{own} has no place in the order of imports"
    allowed = set(FREE) | {own} | set(ORDER[: ORDER.index(own)] if own in ORDER else ())
    used = {name.split(".")[1] for name in imports(path) if name.startswith("advisor.")}
    version = {"__version__"} & used
    assert used - version <= allowed, f"{own} may not import {sorted(used - allowed)}"


def test_the_rules_know_no_numpy() -> None:
    heavy = {"numpy", "pandas", "matplotlib", "scipy", "rich", "typer"}
    for path in (*sorted((PACKAGE / "rules").glob("*.py")), PACKAGE / "cards.py"):
        assert not heavy & {name.split(".")[0] for name in imports(path)}, path
