"""Running the commands as real processes, piped or on a terminal, for the tests of the edges."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_NOT_OURS = ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "COLUMNS",
             "LINES", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONPATH")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def environment(path: Path = ROOT, **changes: str) -> dict[str, str]:
    """The environment of a user with an English UTF-8 terminal."""
    own = {key: value for key, value in os.environ.items() if key not in _NOT_OURS}
    return own | {"PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8",
                  "TERM": "xterm"} | changes


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "advisor", *map(str, args)]


def run(
    *args: str | Path, cwd: Path = ROOT, data: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run ``advisor ARGS`` with pipes."""
    return subprocess.run(command(*args), cwd=cwd, input=data, capture_output=True,
                          env=environment(**env), timeout=120)


def on_terminal(
    *args: str | Path, columns: int = 80, stdout: int | None = None, **env: str
) -> tuple[int, str]:
    """Run ``advisor ARGS`` on a terminal of a width; ``stdout`` may be sent elsewhere.

    Returns
    -------
    exit code, what the terminal got
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(command(*args), cwd=ROOT, stdin=theirs, stderr=theirs,
                               stdout=theirs if stdout is None else stdout, env=environment(**env))
    os.close(theirs)
    got = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that nobody holds the other end any more
            break
        if not part:
            break
        got += part
    os.close(ours)
    return process.wait(timeout=60), got.decode().replace("\r\n", "\n")


def plain(text: str) -> str:
    """Text without the terminal's escape codes."""
    return ESCAPE.sub("", text)
