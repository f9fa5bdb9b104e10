"""Numbers of an answer to as many digits as are told, so that what is shown can be saved.

A sum may differ in its last bits from run to run; what is told does not, and stays as it is when it
is read back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from advisor.advice.results import Advice

# More than a report shows, fewer than differ by the order of sums.
DIGITS = 10


@overload
def told(value: float) -> float: ...
@overload
def told(value: None) -> None: ...
def told(value: float | None) -> float | None:
    """A number to `DIGITS` significant digits; nothing where only the last bits of a sum are left.

    >>> told(1 / 3), told(2.6e-16), told(None)
    (0.3333333333, 0.0, None)
    """
    if value is None:
        return None
    return 0.0 if abs(value) < 10.0**-DIGITS else float(f"{value:.{DIGITS}g}")


def as_told(advice: Advice) -> Advice:
    """The same answer with its numbers as they are told."""
    return replace(advice, **{name: _rounded(getattr(advice, name))
                              for name in ("options", "ess", "seconds", "why")})


def _rounded(value: Any) -> Any:
    """Every number in tuples, mappings and dataclasses."""
    if isinstance(value, float):
        return told(value)
    if isinstance(value, tuple):
        return tuple(map(_rounded, value))
    if isinstance(value, Mapping):
        return {key: _rounded(one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **{
            name: _rounded(one) for name, one in found.items()
            if isinstance(one, float | tuple | Mapping)})
    return value
