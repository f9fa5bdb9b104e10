"""The matrix game of a misère: the declarer's discards against the plans of the defenders.

What :mod:`advisor.tricks.misere` finds for each layout, the sets of discards that one plan
catches, makes one linear program over all layouts: the mixture of discards is chosen before the
cards are seen, the plan for each layout after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from advisor.cards import cards_of
from advisor.tricks.holes import misere_distribution
from advisor.tricks.misere import (
    FIXED,
    MOST,
    RULES,
    TOLD,
    catch_families,
    open_catches,
    sensible_discards,
)
from advisor.tricks.sure import sure_zero

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Family = tuple[int, ...]

Model = Literal["open", "hidden", "obvious"]
MODELS: tuple[Model, ...] = ("open", "hidden", "obvious")
PER_TRICK = 0.02  # chance under (a) that counts as much as a trick less by the printed holes
SUPPORT = 4  # discards whose play is mixed for the lower bound
PLAYED = 1e-3  # least weight of a discard that counts as part of the mixture


@dataclass(frozen=True, slots=True)
class Solution:
    """A linear program solved.

    Parameters
    ----------
    value : float
        Chance of making the misère, with `base` added.
    mixture : tuple of float
        The declarer's best mixture of discards.
    plans : tuple of tuple of (int, float)
        For each layout the sets that the defenders' plans catch, with the weight of each plan;
        they add up to 1 (an empty set where nothing is caught).
    """

    value: float
    mixture: tuple[float, ...]
    plans: tuple[tuple[tuple[int, float], ...], ...]


@dataclass(frozen=True, slots=True)
class MisereModels:
    """One hand of twelve cards under the three models.

    Parameters
    ----------
    twelve : int
    leader : int
        Column that leads to the first trick: 0 the declarer, 1 the next, 2 the third.
    discards : tuple of int
        Masks of the sensible discards, best under (a) first.
    open, hidden, obvious : tuple of float
        Chance of each discard: against defenders who see it; against the defenders' best plans
        of model (b); against the best of the plans that catch the obvious discard.
    open_error : tuple of float
        Standard errors of `open`.
    values : dict of str to float
        Chance of the best discard, or the best mixture, by model.
    errors : dict of str to float
        Their standard errors.
    low : float
        The other side of the bracket of model (b): the chance with restricted play.
    mixture : tuple of float
        The declarer's best mixture under (b).
    obvious_discard : int
        Place in `discards`: the best under (a).
    layouts, searched : int
        Layouts looked at with open cards, and searched for plans.
    exhaustive : bool
        `layouts` are all there are.
    """

    twelve: int
    leader: int
    discards: tuple[int, ...]
    open: tuple[float, ...]
    open_error: tuple[float, ...]
    hidden: tuple[float, ...]
    obvious: tuple[float, ...]
    values: dict[str, float]
    errors: dict[str, float]
    low: float
    mixture: tuple[float, ...]
    obvious_discard: int
    layouts: int
    searched: int
    exhaustive: bool

    @property
    def width(self) -> float:
        """Width of the bracket of model (b)."""
        return self.values["hidden"] - self.low


def solve_matrix(
    families: Sequence[Family], discards: int, base: Floats | None = None
) -> Solution:
    """The declarer's best mixture of discards against the best plan for each layout.

    Parameters
    ----------
    families : sequence of tuple of int
        For each layout the maximal sets of discards that a plan catches.
    discards : int
        Number of discards.
    base : float64 (discards,), optional
        Added to the chance of each discard: what a larger sample of layouts corrects.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    counts = _counted(families)
    weights = np.array([number for _, number in counts]) / max(1, len(families))
    rows = [(g, s) for g, (family, _) in enumerate(counts) for s in family or (0,)]
    groups, extra = len(counts), np.zeros(discards) if base is None else base
    inside = [(r, i) for r, (_, s) in enumerate(rows) for i in range(discards) if s >> i & 1]
    at = [*inside, *((r, discards + g) for r, (g, _) in enumerate(rows))]
    limits = coo_array((np.ones(len(at)), tuple(np.array(at).T.reshape(2, -1))),
                       shape=(len(rows), discards + groups)).tocsr()
    total = np.zeros((1, discards + groups))
    total[0, :discards] = 1
    solved: Any = linprog(
        -np.concatenate([extra, weights]), A_ub=limits, b_ub=np.ones(len(rows)), A_eq=total,
        b_eq=[1.0], bounds=(0, 1), method="highs")
    if solved.status != 0:
        raise RuntimeError(f"the linear program was not solved: {solved.message}")
    mixture = np.clip(solved.x[:discards], 0, 1)
    mixture /= mixture.sum()
    return Solution(float(-solved.fun), tuple(float(x) for x in mixture),
                    _plans(families, counts, rows, weights, solved.ineqlin.marginals, mixture))


def _counted(families: Sequence[Family]) -> list[tuple[Family, int]]:
    """Different families with their numbers; order of first appearance."""
    counts: dict[Family, int] = {}
    for family in families:
        counts[family] = counts.get(family, 0) + 1
    return list(counts.items())


def _plans(
    families: Sequence[Family], counts: list[tuple[Family, int]], rows: list[tuple[int, int]],
    weights: Floats, marginals: Floats, mixture: Floats,
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Weights of the defenders' plans, the dual solution; where it is silent, a best answer."""
    by_group: list[list[tuple[int, float]]] = [[] for _ in counts]
    for (group, caught), marginal in zip(rows, marginals, strict=True):
        if marginal < 0:
            by_group[group].append((caught, -marginal / weights[group]))
    found = {}
    for (family, _), plans in zip(counts, by_group, strict=True):
        share = sum(weight for _, weight in plans)
        if share < 1 - 1e-6:
            best = max(family or (0,), key=lambda s: _weight(mixture, s))
            plans.append((best, 1 - share))
        total = sum(weight for _, weight in plans)
        found[family] = tuple((s, w / total) for s, w in plans)
    return tuple(found[family] for family in families)


def _weight(mixture: Floats, caught: int) -> float:
    return float(sum(x for i, x in enumerate(mixture) if caught >> i & 1))


def against_plans(solution: Solution, discards: int) -> Floats:
    """Chance of each discard against the defenders' plans of a solution, layout by layout.

    Returns
    -------
    float64 (layouts, discards)
    """
    free = np.zeros((len(solution.plans), discards))
    for row, plans in zip(free, solution.plans, strict=True):
        for caught, weight in plans:
            row += [weight * (not caught >> i & 1) for i in range(discards)]
    return free


def obvious_families(families: Sequence[Family], obvious: int) -> list[Family]:
    """The plans of defenders who catch the obvious discard wherever they can."""
    return [tuple(s for s in family if s >> obvious & 1) or family for family in families]


def _printed_tricks(twelve: int, discards: NDArray[np.int64], leader: int) -> Floats:
    """Tricks that the printed holes give what each discard leaves."""
    away = discards.astype(np.uint32)
    chances = misere_distribution(np.uint32(twelve) & ~away, away, leader == 0)
    tricks: Floats = chances @ np.arange(chances.shape[1])
    return tricks


def solve_models(
    twelve: int, defenders: NDArray[np.uint32], leader: int, *, searched: int | None = None,
    discards: Sequence[int] | None = None, most: int = MOST, threads: int | None = None,
    exhaustive: bool = False,
) -> MisereModels:
    """A misère hand under the three models.

    Parameters
    ----------
    twelve : int
        Mask of the declarer's cards before the discard.
    defenders : uint32 (n, 2)
        Layouts: the hands of the next and of the third player, drawn evenly.
    leader : int
        Column that leads to the first trick.
    searched : int, optional
        Of these, how many first ones to search for plans; all if not given.
    discards : sequence of int, optional
        Instead of `sensible_discards`; all of them enter.
    most : int
        How many of the sensible discards enter: those with the best chances under (a), where these
        are alike those that leave the fewest tricks, which hidden are worth mixing.
    threads : int, optional
    exhaustive : bool
        `defenders` are all layouts there are.
    """
    chosen = np.array(sensible_discards(twelve) if discards is None else discards, np.int64)
    free = ~open_catches(twelve, [int(d) for d in chosen], defenders, leader, threads)
    promise = free.mean(0) - PER_TRICK * _printed_tricks(twelve, chosen, leader)
    enter = np.argsort(-promise, kind="stable")[: most if discards is None else None]
    order = enter[np.argsort(-free[:, enter].mean(0), kind="stable")]
    chosen, free = chosen[order], free[:, order]
    part = slice(0, len(defenders) if searched is None else min(searched, len(defenders)))
    masks = [int(d) for d in chosen]
    families = catch_families(twelve, masks, defenders[part], leader, caught=~free[part],
                              threads=threads)
    few = free[part]
    base = free.mean(0) - few.mean(0)
    game = solve_matrix(families, len(masks), base)
    narrowed = obvious_families(families, 0)
    easy = solve_matrix(narrowed, len(masks), base)
    low = _restricted(twelve, masks, defenders[part], leader, few, families, game, base,
                      threads)
    hidden = against_plans(game, len(masks))
    alone = np.array([_worst(narrowed, i) for i in range(len(masks))])
    opened = free.mean(0)
    gone = chosen.astype(np.uint32)
    sure = sure_zero(np.uint32(twelve) & ~gone, gone, leader == 0)
    open_error = _error(free, sure, exhaustive)
    return MisereModels(
        twelve, leader, tuple(masks),
        open=_floats(opened), open_error=_floats(open_error),
        hidden=_floats(hidden.mean(0) + base), obvious=_floats(alone.mean(1) + base),
        values={"open": float(opened[0]), "hidden": min(1.0, game.value),
                "obvious": min(1.0, easy.value)},
        errors={
            "open": float(open_error[0]),
            "hidden": _mixed_error(families, game, free, few, sure, exhaustive),
            "obvious": _mixed_error(narrowed, easy, free, few, sure, exhaustive),
        },
        low=min(1.0, game.value, max(low, float(opened[0]))), mixture=game.mixture,
        obvious_discard=0, layouts=len(free), searched=len(few), exhaustive=exhaustive)


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(min(1.0, max(0.0, float(v))) for v in values)


def _worst(families: Sequence[Family], i: int) -> Floats:
    """Where a discard taken for sure is safe: no plan catches it."""
    return np.array([not any(s >> i & 1 for s in family) for family in families], float)


def _guaranteed(families: Sequence[Family], mixture: Sequence[float]) -> Floats:
    """What a mixture is worth on each layout, against the best plan."""
    x = np.array(mixture)
    return np.array([1 - max((_weight(x, s) for s in family), default=0.0) for family in families])


def share_error(shares: ArrayLike, number: int) -> Floats:
    """Standard errors of shares among so many layouts drawn.

    That one never or always came says that it is rare or usual, not that it is certain: it is
    taken to be as uncertain as one case among two more layouts.
    """
    least = 1 / (number + 2)
    p = np.clip(shares, least, 1 - least)
    error: Floats = np.sqrt(p * (1 - p) / number)
    return error


def _error(free: Bools, sure: Bools, exhaustive: bool) -> Floats:
    if exhaustive:
        return np.zeros(free.shape[1])
    return np.where(sure, 0.0, share_error(free.mean(0), len(free)))


def _mixed_error(
    families: Sequence[Family], game: Solution, free: Bools, few: Bools, sure: Bools,
    exhaustive: bool,
) -> float:
    """Error of a value: of the mixture with open cards, and of what hiding the discard adds."""
    x = np.array(game.mixture)
    if x[sure].sum() == 1:
        return 0.0
    seen = free @ x
    added = _guaranteed(families, game.mixture) - few @ x
    first = 0.0 if exhaustive else max(seen.var() / len(seen), share_error(1, len(seen)) ** 2)
    second = 0.0 if exhaustive and len(few) == len(free) else added.var() / max(1, len(added))
    return float(np.sqrt(first + second))


def _restricted(
    twelve: int, masks: list[int], defenders: NDArray[np.uint32], leader: int, few: Bools,
    families: Sequence[Family], game: Solution, base: Floats, threads: int | None,
) -> float:
    """The chance of the mixture when the declarer's play is restricted: a lower bound.

    Where one plan catches all that is caught, it is caught anyhow. On any other layout the best
    of `_by_rules` and of the discard seen from the start. Rarely played discards count as seen.
    """
    x = np.array(game.mixture)
    lows = few @ x
    open_ = [row for row, family in enumerate(families) if len(family) > 1]
    played = [int(i) for i in np.argsort(-x)[:SUPPORT] if x[i] > PLAYED]
    if open_ and len(played) > 1:
        weights = x[played]
        free = _guaranteed([families[row] for row in open_], game.mixture)
        lows[open_] = _by_rules(
            twelve, [masks[i] for i in played], defenders[open_], leader,
            ~few[np.ix_(open_, played)], weights, free, lows[open_], threads)
    return float(lows.mean() + base @ x)


def _by_rules(
    twelve: int, masks: list[int], defenders: NDArray[np.uint32], leader: int, caught: Bools,
    weights: Floats, high: Floats, low: Floats, threads: int | None,
) -> Floats:
    """Layout by layout the best of some restricted ways to play a mixture of discards.

    The discard told to the defenders at the first real choice; the rules of play mixed; on his own
    lead the first again, after a first lead that does not depend on the discard. A layout is left
    alone once it is worth no less than with free play (`high`); `low` is what it is worth anyhow.
    """
    low = low.copy()

    def improve(mode: int, lead: int = 0) -> None:
        rows = np.flatnonzero(low < high - 1e-9)
        if not len(rows):
            return
        of = [i for i in range(len(masks)) for _ in range(RULES if mode == FIXED else 1)]
        families = catch_families(
            twelve, [masks[i] for i in of], defenders[rows], leader, mode=mode, lead=lead,
            rules=list(range(RULES)) * len(masks) if mode == FIXED else None,
            caught=caught[rows][:, of], threads=threads)
        found = [_mixed_rules(family, of, weights) for family in families]
        low[rows] = np.maximum(low[rows], np.minimum(found, high[rows]))

    improve(TOLD)
    if leader == 0:
        for card in cards_of(twelve & ~_union(masks)):
            improve(TOLD, 1 << card)
    improve(FIXED)
    return low


def _union(masks: Sequence[int]) -> int:
    """Union of card sets."""
    union = 0
    for mask in masks:
        union |= mask
    return union


def _mixed_rules(family: Family, of: list[int], weights: Floats) -> float:
    """One layout: the rules of play mixed as well as can be, for a given mixture of discards.

    ``of`` names the discard of each rule.
    """
    from scipy.optimize import linprog

    if len(family) < 2:
        lost = family[0] if family else 0
        return float(sum(
            weights[i] for i in range(len(weights))
            if any(not lost >> c & 1 for c, at in enumerate(of) if at == i)))
    size = len(of)
    inside = [[float(s >> c & 1) for c in range(size)] + [1.0] for s in family]
    equal = [[float(at == i) for at in of] + [0.0] for i in range(len(weights))]
    solved: Any = linprog([0.0] * size + [-1.0], A_ub=inside,
                          b_ub=[float(weights.sum())] * len(family), A_eq=equal, b_eq=weights,
                          bounds=(0, 1), method="highs")
    return float(-solved.fun) if solved.status == 0 else 0.0
