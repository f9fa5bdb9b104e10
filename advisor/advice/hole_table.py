"""What the printed misère holes are worth: the lines of ``data/misere/holes.csv``.

Every printed holding is completed to ten cards by low, clean suits in several shapes, two high
cards of other suits are thrown, and all 184,756 layouts of the other twenty cards are solved with
open cards (model (a)). Model (b) is that of the twelve cards, where other discards are possible
too; its columns compare the best discard with open cards and the best mixture. All sensible
discards enter: hidden, one that is always caught with open cards can be as good as any.

A layout is of one of three kinds (`VOIDS`) by where a defender is void, that is, has no card of a
suit of which the other defender has some: ``hole`` in the hole's suit, ``other`` in some other suit
only, ``none`` nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.cards import DECK, format_cards, ranks_text
from advisor.sampling.unseen import Unseen
from advisor.tricks.holes import PrintedHole, printed_holes
from advisor.tricks.misere import caught_alike, sensible_discards
from advisor.tricks.misere_game import share_error, solve_models

LEADS = ("own", "next", "third")
# Lengths of the other three suits, by name and by the number of cards in the hole's suit.
SHAPES: dict[str, dict[int, tuple[int, int, int]]] = {
    "even": {1: (3, 3, 3), 2: (3, 3, 2), 3: (3, 2, 2), 4: (2, 2, 2)},
    "one long": {1: (5, 2, 2), 2: (5, 2, 1), 3: (5, 1, 1), 4: (4, 1, 1)},
    "one void": {1: (5, 4, 0), 2: (4, 4, 0), 3: (4, 3, 0), 4: (3, 3, 0)},
    "two voids": {1: (8, 1, 0), 2: (8, 0, 0), 3: (7, 0, 0), 4: (6, 0, 0)},
}
VOIDS = ("none", "other", "hole")
FRESH = 1 << 13  # layouts, in order of number, that share a table of the solver
HIDDEN_SHAPES = ("even",)
HIDDEN_DEALS = 1000
HIDDEN_SEARCHED = 120


@dataclass(frozen=True, slots=True)
class HoleCase:
    """One printed holding (in spades) completed to a hand.

    Parameters
    ----------
    byte : int
        The holding.
    shape : str
        A key of `SHAPES`.
    kept : int
        Mask of the ten cards.
    discard : int
        Mask of the two cards thrown: the aces of the shortest other suits.
    """

    byte: int
    shape: str
    kept: int
    discard: int


@dataclass(frozen=True, slots=True)
class VoidSplit:
    """The chance of being caught by the kind of layout.

    Parameters
    ----------
    share : dict of str to float
        Share of the layouts that are of each of `VOIDS`.
    caught : dict of str to float or None
        Share of these that are caught; ``None`` where there are none.
    """

    share: dict[str, float]
    caught: dict[str, float | None]


class HoleOdds(NamedTuple):
    """One line of ``holes.csv``; chances in per cent, ``None`` where not computed.

    ``void_*`` are the shares of two of `VOIDS` among the layouts, ``caught_*`` the chances of each
    of the three; ``*_error`` are one standard error of the column before the word.
    """

    row: int
    holding: str
    lead: str
    shape: str
    discard: str
    printed_pct: float | None
    caught_pct: float
    error_pct: float
    layouts: int
    void_hole_pct: float
    void_other_pct: float
    caught_void_hole_pct: float | None
    caught_void_other_pct: float | None
    caught_no_void_pct: float | None
    best_open_pct: float | None
    best_open_error_pct: float | None
    hidden_pct: float | None
    hidden_low_pct: float | None
    hidden_error_pct: float | None


def hole_cases(shapes: Sequence[str] = tuple(SHAPES)) -> list[HoleCase]:
    """Every printed holding in every shape."""
    holdings = dict.fromkeys(byte for row in printed_holes() for byte in row.holdings())
    return [_case(byte, shape) for byte in holdings for shape in shapes]


def _case(byte: int, shape: str) -> HoleCase:
    lengths = SHAPES[shape][byte.bit_count()]
    kept = byte | sum(((1 << n) - 1) << 8 * (s + 1) for s, n in enumerate(lengths))
    shortest = sorted(range(3), key=lambda s: (lengths[s], -s))[:2]
    return HoleCase(byte, shape, kept, sum(0x80 << 8 * (s + 1) for s in shortest))


def printed_row(byte: int, lead: str) -> tuple[int, PrintedHole | None]:
    """The printed row of a holding, and its entry for this lead if there is one."""
    rows = [row for row in printed_holes() if byte in row.holdings()]
    wanted = "own" if lead == "own" else "other"
    match = [row for row in rows if row.lead in (wanted, "unspecified")]
    return rows[0].row, match[0] if match else None


def void_kinds(defenders: NDArray[np.uint32], suit: int = 0) -> NDArray[np.intp]:
    """Which of `VOIDS` each layout is.

    Parameters
    ----------
    defenders : uint32 (n, 2)
        Hands of the next and of the third player.
    suit : int
        The hole's.

    Returns
    -------
    intp (n,)
    """
    holds = np.stack([defenders & np.uint32(0xFF << 8 * s) for s in range(4)], axis=-1) > 0
    void = holds[:, 0] != holds[:, 1]
    return np.where(void[:, suit], VOIDS.index("hole"), void.any(axis=1)).astype(np.intp)


def split_by_voids(kinds: NDArray[np.intp], caught: NDArray[np.bool_]) -> VoidSplit:
    """The chance of being caught by the kinds (n,) that `void_kinds` found."""
    number = np.bincount(kinds, minlength=len(VOIDS))
    hits = np.bincount(kinds, weights=caught, minlength=len(VOIDS))
    return VoidSplit(
        {name: float(n / len(kinds)) for name, n in zip(VOIDS, number, strict=True)},
        {name: float(k / n) if n else None
         for name, k, n in zip(VOIDS, hits, number, strict=True)})


def hole_odds(
    case: HoleCase, leader: int, *, deals: int | None = None, seed: int = 1, hidden: bool = True,
    threads: int | None = None,
) -> HoleOdds:
    """One line of the table.

    Parameters
    ----------
    case : HoleCase
    leader : int
        Column that leads: 0 the declarer, 1 the next, 2 the third.
    deals : int, optional
        Layouts to draw; all of them if not given.
    seed : int
    hidden : bool
        Whether to look at model (b) too.
    threads : int, optional
    """
    rng = np.random.default_rng(seed)
    unseen = Unseen(DECK & ~(case.kept | case.discard))
    if deals is None or deals >= unseen.count:
        hands = unseen.unrank(np.arange(unseen.count))[:, :2]
    else:
        hands = unseen.sample(deals, rng)[:2].T
    rows = np.column_stack([np.full(len(hands), case.kept, np.uint32), hands])
    caught = caught_alike(rows, leader, FRESH, threads)
    share = float(caught.mean())
    error = 0.0 if len(hands) == unseen.count else share_error(share, len(hands))
    split = split_by_voids(void_kinds(hands), caught)
    number, printed = printed_row(case.byte, LEADS[leader])
    extra = hidden_odds(case, leader, rng, threads) if hidden else (None,) * 5
    chances = (split.caught["hole"], split.caught["other"], split.caught["none"], *extra)
    return HoleOdds(
        number, _ranks(case.byte), LEADS[leader],
        case.shape, format_cards(case.discard),
        None if printed is None else 100 * printed.chance, _pct(share), _pct(float(error)),
        len(hands), _pct(split.share["hole"]), _pct(split.share["other"]),
        *(None if value is None else _pct(value) for value in chances))


def hidden_odds(
    case: HoleCase, leader: int, rng: np.random.Generator, threads: int | None = None
) -> tuple[float, float, float, float, float]:
    """Chances of the twelve cards before the discard, on `HIDDEN_DEALS` layouts.

    Returns
    -------
    best_open, best_open_error, hidden, hidden_low, hidden_error : float
        Of being caught, as the columns of `HoleOdds`, but fractions.
    """
    twelve = case.kept | case.discard
    layouts = Unseen(DECK & ~twelve).sample(HIDDEN_DEALS, rng)[:2]
    models = solve_models(twelve, np.ascontiguousarray(layouts.T), leader,
                          searched=HIDDEN_SEARCHED, discards=sensible_discards(twelve),
                          threads=threads)
    return (1 - models.values["open"], models.errors["open"], 1 - models.values["hidden"],
            1 - models.low, models.errors["hidden"])


def _ranks(byte: int) -> str:
    """Ranks of a holding, lowest first."""
    return " ".join(ranks_text(byte, sep=" ").split()[::-1])


def _pct(share: float) -> float:
    return round(100 * share + 0.0, 2)


def hole_table(
    *, shapes: Sequence[str] = tuple(SHAPES), deals: int | None = None, seed: int = 1,
    hidden: bool = True, threads: int | None = None, known: Sequence[HoleOdds] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[HoleOdds]:
    """All lines, case by case and lead by lead.

    Parameters
    ----------
    shapes : sequence of str
        Keys of `SHAPES`.
    deals, seed, hidden, threads
        As for `hole_odds`.
    known : sequence of HoleOdds
        Lines worked out before, with the same `deals`, `seed` and `hidden`.
    progress : callable, optional
        Called with (lines there, lines) after each.
    """
    cases = hole_cases(shapes)
    there = {(line.holding, line.lead, line.shape): line for line in known}
    for number, case in enumerate(cases):
        for leader, lead in enumerate(LEADS):
            line = there.get((_ranks(case.byte), lead, case.shape))
            yield line or hole_odds(case, leader, deals=deals, seed=seed, threads=threads,
                                    hidden=hidden and case.shape in HIDDEN_SHAPES)
            if progress is not None:
                progress(3 * number + leader + 1, 3 * len(cases))
