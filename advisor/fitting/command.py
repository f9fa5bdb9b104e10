"""What ``advisor fit-tables`` does: solve, fit, write; and the error report."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from advisor.fitting.chunks import Progress, Store, solve_missing
from advisor.fitting.sample import CHUNK, GENERATOR
from advisor.fitting.tables import Fitted, fit_all, write
from advisor.paths import source_commit
from advisor.writing import check_folder

REPORT_SEED = 1_000_000  # added to the seed: the report's deals are none the tables were fitted to


def chunk_count(deals: int, size: int = CHUNK) -> int:
    """Chunks that hold so many deals."""
    return -(-deals // size)


def fit_tables(
    deals: int, seed: int, workers: int, out: Path, work: Path, *, scheduler: str | None = None,
    progress: Progress | None = None, size: int = CHUNK,
) -> tuple[Fitted, list[Path]]:
    """Solve what is missing, fit, write.

    Parameters
    ----------
    deals : int
        Rounded up to whole chunks.
    seed, workers : int
        The tables depend on the seed, not on the number of workers.
    out : Path
        Folder of the tables.
    work : Path
        Folder of the solved chunks, kept for further runs.
    scheduler : str, optional
        Address of a dask scheduler.
    progress : callable, optional
        Called with (chunks solved, chunks).
    size : int
        Deals in a chunk.

    Returns
    -------
    Fitted
    paths : list of Path
        Files written.

    Raises
    ------
    InputError
        A folder takes no files, or see `advisor.fitting.chunks.solve_missing`.
    """
    check_folder(out)
    store, chunks = Store(work, seed, size), chunk_count(deals, size)
    told = {**provenance("fit-tables", chunks * size, seed), "generator": GENERATOR}
    solve_missing(store, chunks, workers, scheduler, progress)
    found = fit_all(store.load_all(chunks))
    return found, write(found, out, told)


def provenance(name: str, deals: int, seed: int) -> dict[str, object]:
    """Where tables come from: the command `name`, and what it ran with."""
    return {
        "command": f"advisor {name} --deals {deals} --seed {seed}", "commit": source_commit(),
        "numpy": np.__version__, "deals": deals, "seed": seed,
        "date": datetime.now(UTC).date().isoformat(),
    }
