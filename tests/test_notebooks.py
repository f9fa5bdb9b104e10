"""Every notebook runs, and stands in the repository with sound outputs."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SMALL = "1000"
MACHINE = re.compile(r"/(?:home|root|tmp|Users|work)/|[A-Z]:\\\\|\.venv|site-packages")


def cells(path: Path) -> list[dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert isinstance(found, list)
    return found


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "01_quickstart", "02_open_cards", "03_trick_guide", "04_misere_holes", "05_bidding",
        "06_convention"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_say_what_they_answer_and_for_whom(path: Path) -> None:
    texts = ["".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown"]
    first = texts[0].split("\n\n")
    assert first[0].startswith("# ")
    assert first[1].startswith("**For** a ")
    assert first[2].startswith("**It answers:** ")
    assert "## What this does not show" in texts[-1]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbclient")
    from benchmarks.notebooks import execute

    monkeypatch.setenv("ADVISOR_NOTEBOOK_DEALS", SMALL)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(
        part for part in (str(ROOT), os.environ.get("PYTHONPATH")) if part))
    executed = execute(path)
    ran = [cell for cell in executed.cells if cell.cell_type == "code"]
    assert ran
    assert all(cell.execution_count for cell in ran)
    kinds = {output.output_type for cell in ran for output in cell.outputs}
    assert "error" not in kinds


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_committed_outputs_are_there_and_sound(path: Path) -> None:
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert outputs
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_committed_notebooks_know_no_machine(path: Path) -> None:
    for cell in cells(path):
        texts = ["".join(cell["source"])]
        for output in cell.get("outputs", []):
            shown = {kind: data for kind, data in output.get("data", {}).items()
                     if kind.startswith("text/")} | {"stream": output.get("text", "")}
            texts += ["".join(data) for data in shown.values()]
        assert not [text for text in texts if MACHINE.search(text)]
        assert cell["metadata"] == {}
