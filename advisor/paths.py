"""Where the data that come with the package are, and which commit it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def data_path(name: str) -> Path:
    """Path of a shipped data file: in the wheel beside the code, in a checkout beside the package.

    Parameters
    ----------
    name : str
        Relative to the data folder, such as ``guide/trick_guide.csv``.
    """
    inside = _HERE / "data"
    return (inside if inside.is_dir() else _HERE.parent / "data") / name


def source_commit() -> str | None:
    """The commit of the checkout this runs from; ``None`` where there is none."""
    try:
        done = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"],
                              cwd=_HERE, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
