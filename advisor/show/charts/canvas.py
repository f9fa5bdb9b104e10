"""What pictures share: figures, type, titles, and files written whole or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from advisor.cards import format_hand
from advisor.errors import InputError
from advisor.language import Lang
from advisor.records.hand import HandRecord
from advisor.show.words import ITEMS, situation
from advisor.writing import check_file, whole_file

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

FORMATS = (".png", ".svg", ".pdf")
# Told apart by those who see no red, no green, no blue, and by lightness in grey.
BLUE, PALE, ORANGE, INK, FAINT = "#0072b2", "#9fb8c8", "#d55e00", "#222222", "#dddddd"
WIDTH = 8.0
TITLE_SIZE = 11
LINE = 66
_UNDATED: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
# The font that comes with matplotlib, for it has the suits and Cyrillic.
_TYPE = {"font.family": ["DejaVu Sans"], "axes.unicode_minus": True, "svg.fonttype": "path",
         "svg.hashsalt": "advisor"}


@contextmanager
def house_style() -> Iterator[None]:
    """Text drawn within it has the suits, whatever fonts the user has set."""
    import matplotlib

    with matplotlib.rc_context(_TYPE):  # type: ignore[arg-type]
        yield


def new_axes(height: float, width: float = WIDTH) -> Axes:
    """Axes alone in a new figure, inches; nothing is cut off however long the labels."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").subplots()


def put_title(
    ax: Axes, record: HandRecord, lang: Lang, more: Iterable[str] = (), line: int = LINE
) -> None:
    """The cards, the situation and what else is to be said, in lines of so many characters."""
    said = [format_hand(record.cards, lang), *situation(record, lang).split("\n"), *more]
    ax.set_title("\n".join(part for one in said for part in broken(one, line)),
                 fontsize=TITLE_SIZE, parse_math=False)


def broken(text: str, line: int) -> Iterator[str]:
    """Lines of a text, broken between items where that is possible."""
    shown = ""
    for item in text.split(ITEMS):
        longer = f"{shown}{ITEMS}{item}" if shown else item
        if shown and len(longer) > line:
            yield from wrap(shown, line)
            longer = item
        shown = longer
    yield from wrap(shown, line)


def bare(ax: Axes, *sides: str) -> None:
    """Leave out the lines of these sides; top and right if none are given."""
    ax.spines[list(sides or ("top", "right"))].set_visible(False)


def legend_below(
    ax: Axes, points: float, handles: Sequence[Artist] | None = None, title: str | None = None,
    columns: int = 5,
) -> None:
    """The legend so many points below the axes, whatever their height; their own if not given."""
    from matplotlib.transforms import ScaledTranslation

    below = ScaledTranslation(0, -points / 72, ax.figure.dpi_scale_trans)
    ax.legend(handles=ax.get_legend_handles_labels()[0] if handles is None else handles,
              title=title, ncols=columns, frameon=False, fontsize=9, title_fontsize=9,
              loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=ax.transAxes + below,
              borderaxespad=0)


def known(error: float) -> float:
    """The length of an error bar: none where the error is not known."""
    return 0.0 if error != error else error


def checked_path(path: Path) -> Path:
    """A path a picture can be written to.

    Raises
    ------
    InputError
        Another ending than png, svg or pdf, no such folder, no right to write, or something there
        that is no regular file.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError("'{found}' is not a picture; expected a name that ends in {expected}",
                         found=path.name, expected=" ".join(FORMATS), source=str(path))
    check_file(path)
    return path


def save(ax: Axes, path: Path) -> None:
    """Write a picture whole or not at all; no other file is touched.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    from matplotlib.figure import Figure

    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    kind = path.suffix.lower()[1:]
    with whole_file(path) as part, house_style(), warnings.catch_warnings():
        # A convention's title may be in any script.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(part, format=kind, dpi=150, metadata=_UNDATED.get(kind))
