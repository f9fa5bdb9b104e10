"""Help and usage errors in English and Russian, at most 80 columns wide.

Typer gives the commands, their options and the exceptions; the wording and the layout are made
here. The language is that of ``--lang`` wherever it stands among the arguments, else that of the
environment.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup

from advisor.language import LANGUAGES, Lang, default_lang, printable, tr

OF_THE_HAND = "Options of the hand"
HEADINGS = ("Arguments", OF_THE_HAND, "Options", "Commands")
WIDEST = 80
NARROWEST = 50
_COLUMN = 26
_LANG = "advisor.lang"
_CAPITALS = re.compile(r"[A-Z]{3,}")

# What the command line's reader complains of, and how it is told in Russian.
_COMPLAINTS: dict[str, str] = {
    r"No such command '(?P<name>.*?)'\.?": "there is no command '{name}'",
    r"(?P<name>)Missing command\.": "a command is missing",
    r"No such option:? '?(?P<name>[^' ]+)'?\.?": "there is no option {name}",
    r"Missing argument '(?P<name>.*?)'\.": "the argument {name} is missing",
    r"Missing option (?P<name>.*?)\.": "the option {name} is missing",
    r"Got unexpected extra argument(?:s|\(s\))? \((?P<name>.*?)\)": "too many arguments: {name}",
    r"Option '(?P<name>.*?)' requires an argument\.": "the option {name} wants a value",
    r"Option '(?P<name>.*?)' does not take a value\.": "the option {name} takes no value",
}
_SUGGESTION = (r"\(?(?:Did you mean|Possible options:|Possible commands:)(?: one of:)? "
               r"(?P<names>.*?)[?)]*")


def asked_lang(args: Sequence[str]) -> Lang:
    """The language of ``--lang`` among the arguments, else that of the environment.

    >>> asked_lang(["advise", "--help", "--lang", "ru"]), asked_lang(["--lang=ru"])
    ('ru', 'ru')
    """
    for number, word in enumerate(args):
        if word == "--":
            break
        value = " ".join(args[number + 1:number + 2]) if word == "--lang" else \
            word.removeprefix("--lang=")
        if word.startswith("--lang") and value.lower() in LANGUAGES:
            return "ru" if value.lower() == "ru" else "en"
    return default_lang()


class _Speaking:
    """What makes a command of Typer speak the user's language."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note the language before anything can go wrong."""
        ctx.meta.setdefault(_LANG, asked_lang(args))
        read: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        return read

    def get_usage(self, ctx: Any) -> str:
        """The line that shows how the command is called."""
        return _for_terminal(_usage(ctx), _lang_of(ctx))

    def get_help(self, ctx: Any) -> str:
        """The whole help of the command."""
        lang = _lang_of(ctx)
        blocks = [_usage(ctx), *_help_blocks(self, ctx, lang)]
        return _for_terminal("\n\n".join(blocks), lang)


class SpeakingCommand(_Speaking, TyperCommand):
    """A command with help in both languages."""


class SpeakingGroup(_Speaking, TyperGroup):
    """A command of commands with help in both languages."""


def usage_error(error: Any, args: Sequence[str]) -> tuple[str, Lang]:
    """What to tell of a command line that cannot be read, and the language."""
    ctx = error.ctx
    lang = asked_lang(args)
    if type(error).__name__ == "NoArgsIsHelpError":
        return error.format_message(), lang
    said = tr(lang, "Error: {complaint}", complaint=_complaint(error.format_message(), lang))
    if ctx is None:
        return _filled(said), lang
    hint = tr(lang, "Try '{command}' for help.", command=f"{ctx.command_path} --help")
    return "\n".join((ctx.get_usage(), _filled(hint), "", _filled(said))), lang


def _complaint(text: str, lang: Lang) -> str:
    if lang == "en":
        return text
    for pattern in _COMPLAINTS:
        found = re.fullmatch(f"{pattern}(?: {_SUGGESTION})?", text)
        if found:
            name = found["name"].replace("' / '", ", ").strip("'")
            said = tr(lang, _COMPLAINTS[pattern], name=tr(lang, name))
            names = found["names"]
            return said + (tr(lang, "; perhaps {names}", names=names) if names else "")
    return text


def help_texts(command: Any, ctx: Any) -> Iterator[str]:
    """Every text of a command's help that is to be translated."""
    yield command.help
    for param in command.get_params(ctx):
        if param.help:
            yield param.help
        metavar = _metavar(param)
        if metavar and _CAPITALS.search(metavar):
            yield metavar


def _lang_of(ctx: Any) -> Lang:
    return default_lang() if ctx is None else ctx.meta.get(_LANG) or default_lang()


def _for_terminal(text: str, lang: Lang) -> str:
    return printable(text, sys.stdout.encoding, lang)


def _width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def _usage(ctx: Any) -> str:
    lang = _lang_of(ctx)
    command = ctx.command
    pieces = [tr(lang, "[OPTIONS]")]
    pieces += [_names(param, lang) for param in command.get_params(ctx) if _positional(param)]
    if _commands(command):
        pieces.append(tr(lang, "COMMAND [ARGS]..."))
    head = tr(lang, "Usage: {command}", command=ctx.command_path)
    return textwrap.fill(" ".join((head, *pieces)), _width(), subsequent_indent=" " * 7,
                         break_on_hyphens=False, break_long_words=False)


def _help_blocks(command: Any, ctx: Any, lang: Lang) -> Iterator[str]:
    yield _filled(tr(lang, command.help), "  ")
    params = [param for param in command.get_params(ctx) if not getattr(param, "hidden", False)]
    for heading in HEADINGS:
        rows = [(_names(param, lang), _explained(param, lang)) for param in params
                if _heading(param) == heading]
        if heading == "Commands":
            rows = [(name, tr(lang, one.help)) for name, one in _commands(command).items()]
        if rows:
            yield "\n".join((f"{tr(lang, heading)}:", *_table(rows)))
    if command.epilog:
        example = tr(lang, command.epilog)
        yield _filled(tr(lang, "Example: {command}", command=example), "  ")


def _commands(command: Any) -> dict[str, Any]:
    found: dict[str, Any] = getattr(command, "commands", {})
    return found


def _heading(param: Any) -> str:
    if _positional(param):
        return "Arguments"
    return getattr(param, "rich_help_panel", None) or "Options"


def _positional(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _metavar(param: Any) -> str | None:
    """What stands for the value: as the command says it, nothing for a switch."""
    return None if getattr(param, "is_flag", False) else param.metavar or param.name.upper()


def _names(param: Any, lang: Lang) -> str:
    metavar = _metavar(param)
    shown = [tr(lang, metavar)] if metavar else []
    if _positional(param):
        return shown[0]
    names = ", ".join(sorted(param.opts, key=len))
    return " ".join((" / ".join((names, *param.secondary_opts)), *shown))


def _explained(param: Any, lang: Lang) -> str:
    text = tr(lang, param.help) if param.help else ""
    if param.required:
        return f"{text}  {_whole(tr(lang, '[required]'))}"
    default = param.default
    if isinstance(default, str) and default and getattr(param, "show_default", False):
        return f"{text}  {_whole(tr(lang, '[default: {value}]', value=default))}"
    return text


def _whole(text: str) -> str:
    """A text that `_filled` does not break."""
    return text.replace(" ", "\u00a0")


def _table(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names in one column, explanations in the other; a long name gets a line of its own."""
    column = 4 + min(_COLUMN, max(len(names) for names, _ in rows))
    indent = " " * column
    for names, text in rows:
        head = f"  {names}"
        if len(head) + 2 > column:
            yield head
            head = ""
        if text:
            yield _filled(text, indent, first=head.ljust(column))
        elif head:
            yield head


def _filled(text: str, indent: str = "", first: str | None = None) -> str:
    filled = textwrap.fill(text, _width(), initial_indent=indent if first is None else first,
                           subsequent_indent=indent, break_on_hyphens=False,
                           break_long_words=False)
    return filled.replace("\u00a0", " ")
