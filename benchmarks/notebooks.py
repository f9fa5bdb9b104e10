"""Execute the notebooks: ``python -m benchmarks.notebooks`` runs all in full and writes them back.

Outputs and metadata are normalised, so that another machine's run changes only what differs: no
times, no paths, no kernel of one's own.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
TIMEOUT = 600
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")


def execute(path: Path) -> Any:
    """Run a notebook in its own folder, with this interpreter; an error in a cell is raised."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class ThisPython(AsyncKernelManager):
        """The kernel of the running interpreter, whatever kernels are installed."""

        @property
        def kernel_spec(self) -> KernelSpec:
            return KernelSpec(
                argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                display_name=_KERNEL["display_name"], language="python")

    notebook = _v4().reads_json(path.read_text(encoding="utf-8"))
    client = NotebookClient(notebook, timeout=TIMEOUT, kernel_manager_class=ThisPython,
                            resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    return normalised(notebook)


def _v4() -> Any:
    """nbformat's reader and writer, which are not typed."""
    return import_module("nbformat.v4")


def normalised(notebook: Any) -> Any:
    """The notebook without what only this run or this machine knows."""
    notebook.metadata = {"kernelspec": dict(_KERNEL), "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {}
        cell["id"] = f"cell-{number:02d}"
        for output in cell.get("outputs", []):
            output.pop("metadata", None) if output.output_type == "stream" else None
            if "metadata" in output:
                output.metadata = {}
            for kind, data in output.get("data", {}).items():
                if isinstance(data, str) and kind.startswith("text/"):
                    output.data[kind] = _ADDRESS.sub("", data)
    return notebook


def main() -> None:
    """Execute every notebook in full and write it back."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        print(f"{path.relative_to(ROOT)} ...", flush=True)
        path.write_text(_v4().writes_json(execute(path)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
