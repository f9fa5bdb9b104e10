"""Bad input, told so that its writer can mend it."""

from __future__ import annotations

QUOTE = 40
LIST = 1_000
NAME = 400
_LISTS = {"expected", "legal", "missing", "reason", "circle"}


class InputError(ValueError):
    """Something a user wrote that cannot be used.

    The message is an English template with named parameters, so that a report in another
    language can translate the template and keep the parameters.

    Parameters
    ----------
    template : str
        Message with ``{name}`` places: what was found and what was expected.
    line, column : int, optional
        Where it stands, counted from 1.
    source : str, optional
        The file's name, or another word for where the text came from.
    **params
        Values for the places of the template. What quotes the user is cut to `QUOTE` characters,
        lists and reasons, which the program words, to `LIST`.
    """

    def __init__(
        self,
        template: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
        **params: object,
    ) -> None:
        super().__init__(template)
        self.template = template
        self.params = {name: _bounded(name, value) for name, value in params.items()}
        self.line = line
        self.column = column
        self.source = None if source is None else shorten(source, NAME)

    def at(
        self, source: str | None = None, line: int | None = None, start: int = 1
    ) -> InputError:
        """The same error, placed: ``start`` is the column where the quoted text begins.

        An error that knows its source already has its place, perhaps in another file, and keeps it.
        """
        if self.source is not None:
            return self
        return InputError(
            self.template,
            line=line if self.line is None else self.line,
            column=start if self.column is None else self.column + start - 1,
            source=source,
            **self.params,
        )

    @property
    def where(self) -> str:
        """``file:line:column: ``, or as much of it as is known."""
        if self.line is None:
            column = None if self.column in (None, 1) and self.source else self.column
            parts = [self.source, None if column is None else f"column {column}"]
            return "".join(f"{part}: " for part in parts if part)
        place = [self.source or "<text>", str(self.line)]
        if self.column is not None:
            place.append(str(self.column))
        return ":".join(place) + ": "

    def render(self, template: str | None = None) -> str:
        """The whole message; ``template`` may be a translation of the error's own."""
        return self.where + (template or self.template).format(**self.params)

    def __str__(self) -> str:
        return self.render()


def shorten(text: str, limit: int = QUOTE) -> str:
    """Text for a message, cut where it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _bounded(name: str, value: object) -> object:
    return shorten(value, LIST if name in _LISTS else QUOTE) if isinstance(value, str) else value
