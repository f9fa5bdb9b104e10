"""Conventions (соглашения о росписи) as data: Sochi, Leningrad, Rostov and others, or a user's own.

A convention is one flat TOML file whose keys are the fields of `Convention`. The types below are
the whole truth about allowed values: the loader reads them off the annotations.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from advisor.cards import Strain
from advisor.errors import InputError, shorten
from advisor.paths import data_path
from advisor.rules.contracts import Contract
from advisor.rules.flat_file import parse_flat, place_of, read_flat

Ladder = Literal["simple", "s3", "s2_ch7", "s2_ch4", "s2_house", "s0", "codex_cic"]
Hold = Literal["none", "senior", "senior_then_junior", "first_hand_only"]
ZeroBonus = Literal["off", "pool_price", "pool_point", "mountain_price", "mountain_two_prices"]

GAME_VALUE: Mapping[int, int] = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}
MISERE_VALUE = 10
_PAIR_DUTY = {6: 4, 7: 2, 8: 1, 9: 1}
_WHOLE_NUMBERS = {
    "exit_levels": (6, 10),
    "misere_consolation": (0, 100),
    "all_pass_price": (1, 100),
    "all_pass_progression": (1, 100),
}
_MAX_EXTENDS = 10
_MAX_TITLE = 100


@dataclass(frozen=True, slots=True)
class Convention:
    """Every rule on which companies differ and which bidding, whisting or scoring needs.

    Source: rules.md 10; the TOML files say whose rule each shipped value is. Amounts are in
    mountain points, pool points or whists, as named.
    """

    name: str
    title_en: str
    title_ru: str

    # Auction (торговля)
    ladder: Ladder
    hold: Hold
    allow_jumps: bool
    exit_levels: tuple[int, ...]  # lowest level after 0, 1, 2 ... all-passes in a row
    exit_cyclic: bool  # begin again after the last, instead of staying there
    # Which game ends a row of all-passes; recorded, not used yet.
    exit_by: Literal["any", "made", "made_and_whisted"]

    # Prices
    whist_price_factor: Literal[1, 2]  # whists a trick, times the game's value
    mountain_factor: Literal[1, 2]  # mountain points an undertrick, times the game's value
    misere_trick: Literal[10, 20]  # mountain points a trick taken on misère
    pool_point: Literal[10, 20]  # whists a pool point at the settlement

    # Whisting (вистование)
    whist_penalty: Literal["full", "half"]  # of what the declarer pays for an undertrick
    lone_whister: Literal["greedy", "gentleman"]
    duty6_lone: Literal[3, 4]  # tricks a lone whister owes on a six
    liability_8_10: Literal["both", "second"]  # who pays where both whist and take nothing
    shortfall_cap: Literal["quota", "pair_deficit"]
    ten: Literal["whisted", "checked", "unverified"]
    half_whist: Literal["off", "6-7"]
    # The first defender's whist against a half-whist, which there is on six and seven only.
    take_back: Literal["off", "6-7", "6-8"]
    first_may_half: bool  # the first defender may turn his lone whist into a half-whist
    both_pass: Literal["pool_only", "s0_right_defender"]
    stalingrad: bool  # both defenders must whist on 6S

    # Consolation (консоляция) for a declarer's failure
    consolation: Literal["value", "double_value", "ten_whists"]  # to each, an undertrick
    consolation_passer: bool
    consolation_dealer: bool
    misere_consolation: int  # whists to each, a trick taken on misère

    # All-pass (распасы)
    all_pass_record: Literal["mountain", "whists"]  # whists: the lowest write on the others
    all_pass_price: int  # mountain points or whists a trick, in the first all-pass of a row
    all_pass_progression: tuple[int, ...]  # the price times this, for the first, second ...
    all_pass_cyclic: bool
    zero_bonus: ZeroBonus
    zero_bonus_dealer: bool
    all_pass_talon: Literal["plays", "suit_only", "closed"]  # at a table of four

    # Pool points beyond the target (закрытая пуля), see `advisor.rules.pulka`
    pool_overflow: Literal["help10", "own_mountain", "mountain_first", "settle_double"]

    # Paid talon (платный прикуп)
    talon_bonus: Literal["off", "dealer", "opponents_half"]
    talon_bonus_unit: Literal["trick", "ten_whists"]

    def __post_init__(self) -> None:
        for field in fields(self):
            checked(field.name, getattr(self, field.name))

    def all_pass_mode(self, players: int) -> Literal["plays", "suit_only", "closed"]:
        """What the talon does in an all-pass: at a table of three it never plays."""
        never = players == 3 and self.all_pass_talon == "plays"
        return "suit_only" if never else self.all_pass_talon

    def min_level(self, all_passes: int) -> int:
        """Lowest game level after so many all-passes in a row (rules.md 4.7)."""
        return _step(self.exit_levels, all_passes, self.exit_cyclic)

    def all_pass_trick(self, number: int) -> int:
        """Price of a trick in the `number`-th all-pass of a row, from 1 (rules.md 4.1)."""
        progression = _step(self.all_pass_progression, number - 1, self.all_pass_cyclic)
        return self.all_pass_price * progression

    def whist_price(self, level: int) -> int:
        """Whists for one defence trick."""
        return GAME_VALUE[level] * self.whist_price_factor

    def undertrick(self, level: int) -> int:
        """Mountain points of the declarer for one undertrick (недобор)."""
        return GAME_VALUE[level] * self.mountain_factor

    def whist_fine(self, level: int) -> int:
        """Mountain points of a whister for one trick short of the duty (rules.md 3.5)."""
        return self.undertrick(level) // (2 if self.whist_penalty == "half" else 1)

    def consolation_price(self, level: int) -> int:
        """Whists to each opponent for one undertrick of the declarer (rules.md 4.1)."""
        if self.consolation == "ten_whists":
            return 10
        return GAME_VALUE[level] * (2 if self.consolation == "double_value" else 1)

    def duty(self, level: int, whisters: int = 2) -> int:
        """Tricks the defence owes together, with one or two whisters (rules.md 3.2)."""
        if level == 10:
            return 0 if self.ten == "checked" else 1
        return self.duty6_lone if level == 6 and whisters == 1 else _PAIR_DUTY[level]

    def both_must_whist(self, contract: Contract) -> bool:
        """Whether the contract leaves the defenders no choice (Сталинград, rules.md 3.5)."""
        return self.stalingrad and contract.level == 6 and contract.strain == Strain.S


def _step(sequence: tuple[int, ...], index: int, cyclic: bool) -> int:
    last = len(sequence) - 1
    return sequence[index % (last + 1) if cyclic else min(index, last)]


@cache
def _types() -> dict[str, Any]:
    return get_type_hints(Convention)


def checked(key: str, value: object) -> object:
    """A convention's value as `Convention` holds it, lists as tuples.

    Raises
    ------
    InputError
        Unknown key or impossible value; names the key and what is allowed.
    """
    expected_type = _types().get(key)
    if expected_type is None:
        raise InputError("'{key}' is not an option of a convention; expected one of: {expected}",
                         key=key, expected=", ".join(_options()))
    if get_origin(expected_type) is Literal:
        allowed = get_args(expected_type)
        if any(value == one and type(value) is type(one) for one in allowed):
            return value
        expected = ", ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in allowed)
        raise InputError("{key}: found {found}, expected one of: {expected}", key=key,
                         found=_quoted(value), expected=expected)
    if expected_type is bool and not isinstance(value, bool):
        raise InputError("{key}: found {found}, expected true or false", key=key,
                         found=_quoted(value))
    if expected_type is str and not (isinstance(value, str) and value.strip()):
        raise InputError("{key}: found {found}, expected a text", key=key, found=_quoted(value))
    if isinstance(value, str) and key.startswith("title") and len(value) > _MAX_TITLE:
        raise InputError("{key}: found {found} characters, expected at most {limit}", key=key,
                         found=len(value), limit=_MAX_TITLE)
    return _checked_numbers(key, value) if key in _WHOLE_NUMBERS else value


def _checked_numbers(key: str, value: object) -> object:
    low, high = _WHOLE_NUMBERS[key]
    many = _types()[key] is not int
    numbers: list[object] = list(value) if many and isinstance(value, (list, tuple)) else [value]
    right_shape = bool(numbers) and many == isinstance(value, (list, tuple))
    if not right_shape or not all(type(n) is int and low <= n <= high for n in numbers):
        raise InputError(
            "{key}: found {found}, expected a list of whole numbers from {low} to {high}" if many
            else "{key}: found {found}, expected a whole number from {low} to {high}",
            key=key, found=_quoted(value), low=low, high=high)
    return tuple(numbers) if many else value


def _quoted(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{shorten(value)}"' if isinstance(value, str) else str(value)


def _options() -> list[str]:
    return [key for key in _types() if key != "name"]


_ALIASES = {
    "sochi": "sochi", "сочи": "sochi", "сочинка": "sochi",
    "leningrad": "leningrad", "ленинград": "leningrad", "ленинградка": "leningrad",
    "питер": "leningrad", "петербург": "leningrad", "petersburg": "leningrad",
    "rostov": "rostov", "ростов": "rostov", "московская": "rostov",
    "classic": "classic", "классика": "classic", "классический": "classic",
    "zhuk": "zhuk", "жук": "zhuk",
    "seed004": "seed004", "игровые очки": "seed004",
}


def convention_names() -> tuple[str, ...]:
    """Names of the shipped conventions, the default first."""
    return tuple(dict.fromkeys(_ALIASES.values()))


def bidding_parent(convention: Convention) -> str:
    """The shipped convention a user's own is bid like: itself, or that of most equal options.

    A file that extends another and changes a few options is nearest to the one it extends; of
    equally near ones the first of `convention_names` counts.
    """
    options = [key for key in _options() if not key.startswith("title")]

    def differs(name: str) -> int:
        other = _shipped(name)
        return sum(getattr(other, key) != getattr(convention, key) for key in options)

    return convention.name if is_shipped(convention) else min(convention_names(), key=differs)


def is_shipped(convention: Convention) -> bool:
    """Whether it is a shipped convention, and no other of the same name."""
    return convention.name in convention_names() and convention == _shipped(convention.name)


def options_of(convention: Convention) -> dict[str, Any]:
    """All options of a convention but its name, as a file would have them."""
    return {key: getattr(convention, key) for key in _options()}


def convention_of(name: str, options: Mapping[str, object]) -> Convention:
    """The convention of `options_of`.

    Raises
    ------
    InputError
        An option that is missing, unknown or impossible.
    """
    return _whole(name, {key: _option(key, value) for key, value in options.items()})


def _option(key: str, value: object) -> Any:
    """The value of an option as a file or a saved answer gives it, checked."""
    if key == "name":
        raise InputError("'name' is the file's own name; expected one of: {expected}",
                         expected=", ".join(_options()))
    return checked(key, value)


def _whole(name: str, values: Mapping[str, Any], source: str | None = None) -> Convention:
    """The convention of these checked options, if none is missing."""
    if missing := [key for key in _options() if key not in values]:
        raise InputError('the convention lacks {missing}; add them, or write extends = "sochi"',
                         missing=", ".join(missing), source=source)
    return Convention(name=name, **values)


def load_convention(
    name_or_path: str | os.PathLike[str], base: str | os.PathLike[str] | None = None
) -> Convention:
    """Read a shipped convention by its name, or a user's own file.

    Parameters
    ----------
    name_or_path : str or path
        A name in English or Russian (``sochi``, ``сочинка``), or a path ending in ``.toml``.
        A user's file may begin from another convention: ``extends = "sochi"``.
    base : path, optional
        Folder in which a relative path is looked for first, before the current one.

    Raises
    ------
    InputError
        Unknown name; a file that cannot be read, or is no TOML (with line and column); a key or
        value that no convention has; a circle of ``extends``.

    Examples
    --------
    >>> load_convention("питер").pool_point
    20
    """
    text = os.fspath(name_or_path).strip()
    name = _ALIASES.get(" ".join(text.lower().split()))
    if name:
        return _shipped(name)
    if not text.lower().endswith(".toml"):
        raise InputError(
            "'{found}' is not a convention; expected one of: {expected}, or a path ending in .toml",
            found=text, expected=", ".join(convention_names()),
        )
    path = Path(text)
    return _build(Path(base) / path if base is not None and _is_there(Path(base) / path) else path)


def _is_there(path: Path) -> bool:
    """Whether a path is to be read: also where looking fails, for reading it will say why."""
    try:
        return path.is_file()
    except OSError:
        return True


@cache
def _shipped(name: str) -> Convention:
    return _build(data_path(f"conventions/{name}.toml"))


def _build(path: Path) -> Convention:
    return _whole(path.stem, _values(path, ()), str(path))


def _values(path: Path, behind: tuple[Path, ...]) -> dict[str, Any]:
    """Checked options of a file, laid over those of the convention it extends."""
    seen = (*behind, _real(path))
    if len(seen) > _MAX_EXTENDS:
        raise InputError("more than {limit} conventions extend one another", limit=_MAX_EXTENDS,
                         source=str(path))
    text = read_flat(path)
    own = parse_flat(text, str(path))
    values: dict[str, Any] = {}
    try:
        key = "extends"
        if (parent := own.pop(key, None)) is not None:
            values = _values(_parent(parent, path, seen), seen)
        for key, value in own.items():
            values[key] = _option(key, value)
    except InputError as error:
        raise (error if error.source else error.at(str(path), *place_of(text, key))) from None
    return values


def _parent(value: object, path: Path, seen: tuple[Path, ...]) -> Path:
    if not isinstance(value, str):
        raise InputError("{key}: found {found}, expected a convention's name or path",
                         key="extends", found=_quoted(value))
    name = _ALIASES.get(value.strip().lower())
    parent = data_path(f"conventions/{name}.toml") if name else path.parent / value
    if not name and not value.lower().endswith(".toml"):
        raise InputError(
            "'{found}' is not a convention; expected one of: {expected}, or a path ending in .toml",
            found=value, expected=", ".join(convention_names()),
        )
    if _real(parent) in seen:
        raise InputError("extends goes in a circle: {circle}",
                         circle=" -> ".join(p.name for p in (*seen, parent)))
    return parent


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path  # reading it will say what is wrong
