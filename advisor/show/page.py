"""Tables and lines on a page as wide as the terminal, or as `PLAIN_WIDTH` where there is none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING

from advisor.language import Lang, printable, visible
from advisor.show.words import ITEMS

if TYPE_CHECKING:
    from rich.table import Table

PLAIN_WIDTH = 100
WHOLE_ITEM = 30
_GLUE = "\ue000"
_HELD_SPACE = re.compile(r"(?<=\d) (?=[%±])|(?<=±) ")


def print_table(
    rows: Sequence[Sequence[str]], titles: Sequence[str], lang: Lang, *,
    before: Sequence[str] = (), after: Sequence[str] = (), file: IO[str] | None = None,
) -> None:
    """A plain table of texts with lines around it; columns of numbers stand to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for i, title in enumerate(titles):
        numeric = all(_is_number(row[i]) for row in rows if row[i] not in ("", "—"))
        table.add_column(title, justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*map(visible, row))
    print_page([visible(line) for line in before], table, [visible(line) for line in after], lang,
               file or sys.stdout)


def _is_number(text: str) -> bool:
    bare = text.lstrip("+−-<>").removesuffix(" %")
    return bare.replace(".", "").replace(",", "").isdigit()


def page_width(file: IO[str]) -> int:
    """Columns to fill: the terminal's, or `PLAIN_WIDTH` where there is none.

    Of a dumb terminal Rich believes nothing, not even ``COLUMNS``.
    """
    from rich.console import Console

    terminal = Console(file=file)
    if terminal.is_dumb_terminal and terminal.is_terminal:
        return get_terminal_size().columns
    return terminal.width if terminal.is_terminal else PLAIN_WIDTH


def _glued(line: str) -> str:
    """A line in which no number loses its sign of error or per cent, nor a short item its end.

    Items are what stands between middle dots. Rich breaks lines at any white space, a no-break
    space too, so another character has to stand for a space that must hold.
    """
    if ITEMS in line:
        line = ITEMS.join(item.replace(" ", _GLUE) if len(item) <= WHOLE_ITEM else item
                           for item in line.split(ITEMS))
    return _HELD_SPACE.sub(_GLUE, line)


def print_page(
    before: Iterable[str], table: Table, after: Iterable[str], lang: Lang, file: IO[str]
) -> None:
    """Render everything to text first, so that the terminal's encoding can be met."""
    from rich.console import Console

    terminal = Console(file=file, highlight=False)
    colour = terminal.is_terminal and not terminal.no_color
    # Without a height Rich would not believe the width of a dumb terminal.
    console = Console(file=file, width=page_width(file), height=25, highlight=False,
                      force_terminal=colour, no_color=terminal.no_color, legacy_windows=False,
                      markup=False, emoji=False)
    with console.capture() as capture:
        for part in (*map(_glued, before), table, *map(_glued, after)):
            console.print(part, crop=False)
    text = "\n".join(line.rstrip() for line in capture.get().replace(_GLUE, " ").split("\n"))
    file.write(printable(text, getattr(file, "encoding", None), lang))
    file.flush()
