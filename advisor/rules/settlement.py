"""Final settlement of a score sheet (расчёт пули): pool, mountain and whists to net whists.

Source: rules.md 5. The net is zero-sum; a sheet may be settled at any time, because an open pool
changes nothing but the differences that are settled anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from advisor.rules.conventions import Convention

Amount = int | Fraction
MOUNTAIN_POINT = 10


def balance(
    pool: Sequence[Amount],
    mountain: Sequence[Amount],
    whists: Mapping[tuple[int, int], Amount],
    pool_point: int,
) -> tuple[Fraction, ...]:
    """Net whists of each player; their sum is zero.

    Parameters
    ----------
    pool, mountain : sequence of points
        By player.
    whists : mapping of (writer, on whom) to whists
    pool_point : int
        Whists a pool point is worth: 10, or 20 in Leningrad. A mountain point is worth 10.

    Notes
    -----
    Source: rules.md 5.1.

    >>> [str(net) for net in balance([1, 0, 0], [0, 0, 0], {}, 10)]
    ['20/3', '-10/3', '-10/3']
    """
    count = len(pool)
    value = [pool_point * p - MOUNTAIN_POINT * m for p, m in zip(pool, mountain, strict=True)]
    total = sum(value)
    scaled = [count * v - total for v in value]
    for (writer, on), amount in whists.items():
        scaled[writer] += count * amount
        scaled[on] -= count * amount
    return tuple(Fraction(numerator, count) for numerator in scaled)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet (пуля) as it stands.

    Parameters
    ----------
    players : tuple of str
    pool, mountain : tuple of points
        In the order of the players.
    whists : mapping of (writer, on whom), as places in `players`, to whists
    convention : Convention
    target : int or None
        Size of one player's pool, where agreed; it does not change the net.
    """

    players: tuple[str, ...]
    pool: tuple[Amount, ...]
    mountain: tuple[Amount, ...]
    whists: Mapping[tuple[int, int], Amount]
    convention: Convention
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """Where a player's net comes from, in net whists; each column sums to zero."""

    pool: Fraction
    mountain: Fraction
    whists: Fraction

    @property
    def net(self) -> Fraction:
        """What the player wins or loses."""
        return self.pool + self.mountain + self.whists


def shares(sheet: Sheet) -> tuple[Share, ...]:
    """Each player's net, split by where it comes from."""
    nothing, point = (0,) * len(sheet.players), sheet.convention.pool_point
    columns = (
        balance(sheet.pool, nothing, {}, point),
        balance(nothing, sheet.mountain, {}, point),
        balance(nothing, nothing, sheet.whists, point),
    )
    return tuple(Share(*parts) for parts in zip(*columns, strict=True))


def settle(sheet: Sheet) -> tuple[Fraction, ...]:
    """Net whists of each player, exact; their sum is zero."""
    return balance(sheet.pool, sheet.mountain, sheet.whists, sheet.convention.pool_point)


def rounded(nets: Sequence[Fraction], places: int = 0) -> tuple[Decimal, ...]:
    """Net whists for display, by largest remainder, so that the sum stays zero.

    >>> [str(value) for value in rounded([Fraction(200, 3), Fraction(-100, 3), Fraction(-100, 3)])]
    ['67', '-33', '-34']
    """
    scale = 10**places
    whole = [floor(net * scale) for net in nets]
    by_remainder = sorted(range(len(nets)), key=lambda i: whole[i] - nets[i] * scale)
    for i in by_remainder[: round(sum(nets) * scale) - sum(whole)]:
        whole[i] += 1
    return tuple(Decimal(value).scaleb(-places) for value in whole)


def settlement_json(sheet: Sheet) -> dict[str, Any]:
    """A settlement as a JSON object, amounts by player's name; `open` lists unfilled pools."""
    nets, parts = settle(sheet), shares(sheet)

    def by_name(values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(sheet.players, values, strict=True))

    missing = {name: number(sheet.target - points)
               for name, points in by_name(sheet.pool).items()
               if points < sheet.target} if sheet.target is not None else {}
    return {
        "convention": sheet.convention.name,
        "players": list(sheet.players),
        "target": sheet.target,
        "open": missing,
        "net": by_name([round(float(net), 4) for net in nets]),
        "net_exact": by_name([str(net) for net in nets]),
        "rounded": by_name([int(value) for value in rounded(nets)]),
        "parts": by_name([{"pool": round(float(part.pool), 4),
                           "mountain": round(float(part.mountain), 4),
                           "whists": round(float(part.whists), 4)} for part in parts]),
    }


def number(amount: Amount) -> int | float:
    """An amount as JSON has it: whole where it is whole."""
    return int(amount) if amount == int(amount) else float(amount)
