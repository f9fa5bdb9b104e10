"""Where the data that come with the package are."""

from __future__ import annotations

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
