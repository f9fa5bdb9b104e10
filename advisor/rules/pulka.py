"""The state of the pulka (пуля): what every player has in pool and mountain before the deal."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.rules.settlement import Amount


@dataclass(frozen=True, slots=True)
class Pulka:
    """A score sheet in the middle of the game, as far as it may matter to one deal.

    Parameters
    ----------
    pool, mountain : tuple of points
        By seat of this deal: first, second, third hand, and the dealer of four.
    target : int or None
        Points each player has to reach in his pool; ``None`` where not told.
    """

    pool: tuple[Amount, ...]
    mountain: tuple[Amount, ...]
    target: int | None = None
