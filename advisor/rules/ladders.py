"""Where misère and the calls without the talon stand among the 25 games (rules.md 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from advisor.cards import Strain
from advisor.rules.calls import MISERE_CALL, MISERE_WITHOUT, Call

# Low to high. A number is its five games, M misère; w means without the talon.
# * s2_ch7: nine against Mw is not stated; the text lets only ten beat Mw, and s3 prints 9 < Mw.
# * s0, s2_house: the sources print conditions, not an order: what alone beats misère. That misère
#   in turn beats what does not beat it is their natural reading; then no other order fits.
_ORDERS = {
    "simple": "6 7 8 M 9 10",
    "s3": "6 7 8 M 9 Mw 9w 10",
    "s2_ch7": "6 7 8 M 9 Mw 10",
    "s2_ch4": "6 7 8 M 9 10",
    "s2_house": "6 7 8 9S 9C 9D 9H M 9NT 10",
    "s0": "6 7 8 9 M 9w 10 Mw 10w",
    "codex_cic": "6 7 8 M 9 10 Mw 10w",
}
LADDERS = tuple(_ORDERS)


@dataclass(frozen=True, slots=True)
class Ladder:
    """One order of calls: `groups` from low to high, `places` the place of every call in it."""

    name: str
    groups: tuple[tuple[Call, ...], ...]
    places: Mapping[Call, int]

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call of the ladder, lowest first."""
        return tuple(self.places)

    def __contains__(self, call: Call) -> bool:
        return call in self.places

    def beats(self, call: Call, last: Call | None) -> bool:
        """Whether `call` may be made over `last`, ``None`` where nobody has called yet.

        False where the ladder does not know `call`.

        >>> nine = Call.game(9, Strain.S)
        >>> [get_ladder(name).beats(nine, MISERE_CALL) for name in ("simple", "s3", "s0")]
        [True, True, False]
        """
        return call in self.places and (last is None or self.places[call] > self.places[last])

    def above(self, last: Call | None) -> tuple[Call, ...]:
        """The calls that beat `last`, lowest first."""
        return self.calls[0 if last is None else self.places[last] + 1:]


@cache
def get_ladder(name: str) -> Ladder:
    """The ladder of one of the names in `LADDERS`.

    Raises
    ------
    ValueError
        For another name.

    Notes
    -----
    Source: rules.md 2.3.
    """
    if name not in _ORDERS:
        raise ValueError(f"ladder {name!r}: expected one of {', '.join(LADDERS)}")
    groups = tuple(_group(token) for token in _ORDERS[name].split())
    places = {call: i for i, call in enumerate(call for group in groups for call in group)}
    return Ladder(name, groups, places)


def _group(token: str) -> tuple[Call, ...]:
    if token.startswith("M"):
        return (MISERE_CALL if token == "M" else MISERE_WITHOUT,)
    level = token.rstrip("SCDHNTw")
    strain = token[len(level):].rstrip("w")
    strains = (Strain[strain],) if strain else tuple(Strain)
    return tuple(Call.game(int(level), s, with_talon="w" not in token) for s in strains)
