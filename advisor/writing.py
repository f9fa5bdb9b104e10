"""Files appear whole or not at all; that they cannot is known before the work starts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.errors import InputError


def check_file(path: Path) -> None:
    """Whether a file can be written there.

    Raises
    ------
    InputError
        No such folder, no right to write, or something there that is no regular file.
    """
    with _told(path):
        _new_part(_target(path)[0]).unlink()


def check_folder(path: Path) -> None:
    """Make a folder, if it is not there, and look whether it takes files.

    Raises
    ------
    InputError
        It cannot be made, or takes none.
    """
    with _told(path):
        path.mkdir(parents=True, exist_ok=True)
        _new_part(path / "any").unlink()


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write, in the same folder; the file takes its name when all is done without error.

    Raises
    ------
    InputError
        It cannot be written.
    """
    with _told(path):
        target, mode = _target(path)
        part = _new_part(target)
    try:
        with _told(path, (OSError,)):
            yield part
            if mode is not None:
                part.chmod(stat.S_IMODE(mode))
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _told(
    path: Path, kinds: tuple[type[Exception], ...] = (OSError, ValueError)
) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except kinds as error:
        raise InputError("nothing can be written here: {reason}",
                         reason=getattr(error, "strerror", None) or str(error),
                         source=str(path)) from None


def _target(path: Path) -> tuple[Path, int | None]:
    """The file itself where the path is a link to it, and its mode if it is there already."""
    source = str(path)
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError("nothing can be written here: no such folder", source=source)
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(mode):
        raise InputError("this is a directory; expected a file", source=source)
    if not stat.S_ISREG(mode):
        raise InputError("nothing can be written here: this is not a regular file", source=source)
    if not os.access(target, os.W_OK):
        raise InputError("nothing can be written here: permission denied", source=source)
    return target, mode


def _new_part(target: Path) -> Path:
    """A new file in the same folder, where the contents stand until they are whole."""
    part = target.with_name(f".advisor-{os.urandom(8).hex()}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return part
