"""Loading of the compiled kernels: compiled once on a machine, then read from a cache."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.errors import InputError
from advisor.language import spoken, tr
from advisor.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

KERNELS = "advisor.tricks.kernels"
FOLDER = Path(__file__).parent / "kernels"
PLACES = "places.bin"  # after the digest of what follows
DIGEST = 32  # bytes
NOTICE = "compiling the open-card solver (once, half a minute)…"
NOTICE_AFTER = 1.5  # seconds; the small modules are compiled by then


@cache
def kernels(name: str) -> Any:
    """A module of compiled functions; compiles at its very first use on a machine."""
    notice = threading.Timer(NOTICE_AFTER, _tell)
    notice.daemon = True
    if not _compiled_before(name):
        notice.start()
    try:
        return _import_with_cache(f"{KERNELS}.{name}")
    finally:
        notice.cancel()


@cache
def places() -> NDArray[np.uint16]:
    """The read-only lookup tables of the search; made once on a machine, as the kernels are."""
    kept = _cache_folder() / PLACES
    with suppress(OSError):
        data = kept.read_bytes()
        if data[:DIGEST] == sha256(data[DIGEST:]).digest():
            return np.frombuffer(data[DIGEST:], np.uint16).copy()
    table: NDArray[np.uint16] = kernels("table").make_places()
    with suppress(InputError), whole_file(kept) as part:
        part.write_bytes(sha256(table.tobytes()).digest() + table.tobytes())
    return table


def new_memory(entries: int) -> NDArray[np.int64]:
    """Working memory of one thread; pages that are never touched cost nothing."""
    layout = kernels("table")
    memory = np.zeros(layout.POOL + layout.ENTRY * entries, np.int64)
    memory[layout.CAPACITY] = entries
    return memory


def _compiled_before(name: str) -> bool:
    """Whether the cache has a module's functions; a busy machine takes long to load them too."""
    return any(_cache_folder().rglob(f"{name}.*.nbc"))


def _tell() -> None:
    if sys.stderr.isatty():
        print(tr(spoken(), NOTICE), file=sys.stderr)


def _import_with_cache(module: str) -> Any:
    from numba import config

    before = config.CACHE_DIR  # type: ignore[attr-defined, unused-ignore]
    config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined, unused-ignore]
    try:
        return import_module(module)
    except Exception:  # whatever numba makes of a broken cache: compile anew, in an empty folder
        shutil.rmtree(_cache_folder(), ignore_errors=True)
        _cache_folder().mkdir(parents=True, exist_ok=True)
        for name in [name for name in sys.modules if name.startswith(f"{KERNELS}.")]:
            del sys.modules[name]
        return import_module(module)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined, unused-ignore]


@cache
def _cache_folder() -> Path:
    """A writable folder named after the kernels' text.

    numba looks for changes only in the file of a function, not in the files of those it calls.
    """
    texts = [path.read_bytes() for path in sorted(FOLDER.glob("*.py"))]
    name = f"advisor-{sha256(b''.join(texts)).hexdigest()[:16]}"
    for parent in _cache_parents():
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    passing = Path(tempfile.mkdtemp(prefix="advisor-"))
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    return passing


def _cache_parents() -> Iterator[Path]:
    from numba import config

    wanted = config.CACHE_DIR  # type: ignore[attr-defined, unused-ignore]
    if wanted:
        yield Path(wanted)
    yield FOLDER / "__pycache__"
    yield Path("~/.cache").expanduser()
