"""Ctrl-C at any moment ends in one word and exit code 130, never in a traceback.

While the program starts there is nothing to tidy up, and an exception raised inside an import may
be turned into another or be swallowed; so the process ends at once. Where an evaluation has
something to tell or to clear away, `Interruptible` lets Python raise `KeyboardInterrupt`.
"""

from __future__ import annotations

import os
import signal
import sys

EXIT_INTERRUPTED = 130
_word = b"stopped\n"


def stop_at_once() -> None:
    """From here on Ctrl-C ends the process, unless whoever started it had it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def say(word: str) -> None:
    """What to write on standard error then."""
    global _word
    _word = word.encode(getattr(sys.stderr, "encoding", None) or "ascii", "replace") + b"\n"


def ignore_from_now() -> None:
    """All is done and its exit code known; nothing may spoil it while Python shuts down."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def forget() -> None:
    """Let an interrupt that was dealt with be one for Python too.

    Where it struck code run from a string, as of a dataclass, Python holds it for unhandled and in
    the end makes a signal's death of it, whatever the exit code; running another string clears
    that.
    """
    exec("")


class Interruptible:
    """A stretch of work in which Ctrl-C raises `KeyboardInterrupt`, as Python does by itself."""

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is _stop:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        if self._before is _stop:
            signal.signal(signal.SIGINT, _stop)


class HeldBack:
    """A stretch that Ctrl-C must not tear: its handler is called at the end.

    Where native code calls back into Python, as the compiler does, an exception is lost or ends
    the process. Other threads than the main one never see an interrupt.
    """

    def __enter__(self) -> None:
        self._came = False
        self._before = signal.getsignal(signal.SIGINT)
        self._holds = callable(self._before) and self._before is not _stop
        try:
            if self._holds:
                signal.signal(signal.SIGINT, self._note)
        except ValueError:  # not the main thread
            self._holds = False

    def __exit__(self, *_: object) -> None:
        if self._holds:
            signal.signal(signal.SIGINT, self._before)
        if self._came and callable(self._before):
            self._before(signal.SIGINT, None)

    def _note(self, number: int, frame: object) -> None:
        self._came = True


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C, or was made of it by an import it struck.

    >>> is_interrupt(KeyboardInterrupt()), is_interrupt(ValueError())
    (True, False)
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return error is not None


def _stop(number: int, frame: object) -> None:
    try:
        if sys.__stderr__ is not None:
            os.write(sys.__stderr__.fileno(), _word)
    except (OSError, ValueError):
        pass
    finally:
        os._exit(EXIT_INTERRUPTED)
