"""The table around a hand: how the neighbours play, and the state of the pulka."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.records.fields import Field
from advisor.records.sheet import parse_amounts
from advisor.rules.pulka import Pulka

MAX_TARGET = 1000
STYLES = ("careful", "normal", "bold")
_STYLE_WORDS = {
    "careful": "careful",
    "осторожный": "careful",
    "осторожная": "careful",
    "осторожно": "careful",
    "normal": "normal",
    "обычный": "normal",
    "обычная": "normal",
    "обычно": "normal",
    "bold": "bold",
    "смелый": "bold",
    "смелая": "bold",
    "смело": "bold",
}


def read_styles(fields: Mapping[str, Field], seat: int) -> tuple[str, str, str]:
    """The players' styles by seat: the left neighbour is the next clockwise."""
    styles = ["normal"] * 3
    for key, turns in (("left", 1), ("right", 2)):
        if key in fields:
            styles[(seat + turns) % 3] = _style(fields[key])
    return styles[0], styles[1], styles[2]


def _style(field: Field) -> str:
    style = _STYLE_WORDS.get(field.value.lower())
    if style is None:
        raise field.error(
            "'{found}' is not a style; expected careful, normal or bold", found=field.value
        )
    return style


def read_pulka(fields: Mapping[str, Field], players: int) -> Pulka | None:
    """Pools, mountains and the target by seat; what is left out is 0, or not known."""
    if not fields.keys() & {"pool", "mountain", "target"}:
        return None
    nothing = (0,) * players
    return Pulka(
        pool=parse_amounts(fields["pool"], players) if "pool" in fields else nothing,
        mountain=(
            parse_amounts(fields["mountain"], players, negative=True)
            if "mountain" in fields
            else nothing
        ),
        target=fields["target"].integer(1, MAX_TARGET) if "target" in fields else None,
    )
