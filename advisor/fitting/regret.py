"""What the choice of contract and discard costs: guide, coarse, fitted and exact side by side.

Twelve cards as in the sample's kind ``DECLARER``, in a random seat, in two groups (`GROUPS`):
``trumps``, those that the sample plays with trumps (its no-trump hands are one in five by lot, not
by strength); ``no trump``, those of either sort whose best play is in no trump by solved tricks, on
layouts that serve for nothing else, so that the choice favours none of the evaluators.

Layouts of the unseen cards are solved for every discard that the guide or the coarse table finds
worth it. What is valued by solved tricks on one fold of the layouts each evaluator chooses on all
others (`advisor.advice.folds`), knowing of them what it uses. Exact, that way, also chooses on
samples. Beside it stands the best play in hindsight, chosen and valued on the same layouts, more
than anybody can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import OwnGames
from advisor.advice.fitted import coarse_games, fitted_games
from advisor.advice.guide_games import GuideGames, own_games
from advisor.advice.payoff import payoff
from advisor.advice.solved import SolvedGames, solved_games
from advisor.advice.solving import SCREEN_DECLARE, UNSOLVED, Solved, screened
from advisor.fitting.sample import CHUNK, DECLARER, chunk_rng, draw
from advisor.rules.conventions import load_convention
from advisor.sampling.deals import draw_deals
from advisor.tricks.holdings import NO_TRUMP
from advisor.tricks.solver import solve_deals

Floats = NDArray[np.float64]
Masks = NDArray[np.uint32]

GROUPS = ("trumps", "no trump")


@dataclass(frozen=True, slots=True)
class Regret:
    """Net whists a deal lost by an evaluator's choices.

    Parameters
    ----------
    evaluator : str
    loss, se : float
        Against exact, both chosen and valued on different layouts, and its standard error over
        hands.
    hindsight : float
        Against the best play in hindsight.
    other : float
        Share of hands (and folds) where it chooses another contract than exact.
    """

    evaluator: str
    loss: float
    se: float
    hindsight: float
    other: float


@dataclass(frozen=True, slots=True)
class Hand:
    """Twelve cards in a seat.

    Parameters
    ----------
    twelve : int
    seat : int
    seen : int
        Hands drawn so far to find this one and those before it.
    """

    twelve: int
    seat: int
    seen: int


@dataclass(frozen=True, slots=True)
class Regrets:
    """One group of hands.

    Parameters
    ----------
    group : str
        One of `GROUPS`.
    hands, layouts : int
        Hands, and layouts of each.
    seen : int
        Hands drawn to find so many of the group.
    by_evaluator : tuple of Regret
    """

    group: str
    hands: int
    layouts: int
    seen: int
    by_evaluator: tuple[Regret, ...]


def measure(
    group: str, hands: int, layouts: int, seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Regrets:
    """Regrets over random hands of one of `GROUPS`, each with so many layouts."""
    rng = chunk_rng(seed, GROUPS.index(group))
    values, contracts, seen = [], [], 0
    drawn = _trumps(hands, rng) if group == "trumps" else _no_trumps(layouts // 2, rng)
    for number, hand in enumerate(islice(drawn, hands)):
        value, game = _one(hand, layouts, rng)
        values.append(value)
        contracts.append(game)
        seen = hand.seen
        if progress is not None:
            progress(number + 1, hands)
    return Regrets(group, hands, layouts, seen,
                   tuple(_regret(key, values, contracts) for key in contracts[0]))


def _regret(
    key: str, values: list[dict[str, float]], contracts: list[dict[str, NDArray[np.intp]]]
) -> Regret:
    table = {name: np.array([value[name] for value in values])
             for name in ("exact", "hindsight", key)}
    loss = table["exact"] - table[key]
    other = np.mean([np.mean(game[key] != game["exact"]) for game in contracts])
    return Regret(key, float(loss.mean()), float(loss.std(ddof=1) / np.sqrt(len(loss))),
                  float((table["hindsight"] - table[key]).mean()), float(other))


def _trumps(count: int, rng: np.random.Generator) -> Iterator[Hand]:
    """Declarers with trumps."""
    hands, strain, _, kind = draw(rng, max(CHUNK, 3 * count))
    rows = (kind == DECLARER) & (strain < NO_TRUMP)
    for number, twelve in enumerate(_twelves(hands[rows])):
        yield Hand(twelve, int(rng.integers(3)), number + 1)


def _no_trumps(layouts: int, rng: np.random.Generator) -> Iterator[Hand]:
    """Declarers whose best play is in no trump, by so many solved layouts."""
    seen = 0
    while True:
        hands, _, _, kind = draw(rng, CHUNK)
        for twelve in _twelves(hands[kind == DECLARER]):
            seen += 1
            hand = Hand(twelve, int(rng.integers(3)), seen)
            if best_strain(hand, layouts, rng) == NO_TRUMP:
                yield hand


def _twelves(hands: Masks) -> list[int]:
    """Twelve cards of declarers: ten kept, and the two that nobody else has."""
    return [int(mask) for mask in ~(hands[:, 1] | hands[:, 2])]


def best_strain(hand: Hand, layouts: int, rng: np.random.Generator) -> int:
    """The strain of the play that is best in hindsight on so many layouts."""
    guide = _guide(hand, layouts, rng)
    coarse = coarse_games(hand.twelve, guide)
    away = _union(screened(guide, SCREEN_DECLARE), screened(coarse, SCREEN_DECLARE))
    return int(np.argmax(_by_game(_exact(hand.twelve, guide, away), away))) % 5


def _guide(hand: Hand, layouts: int, rng: np.random.Generator) -> GuideGames:
    """The games by the guide, on layouts drawn anew."""
    deals = draw_deals(hand.twelve, hand.seat, layouts, rng)
    convention = load_convention("sochi")
    return own_games(hand.twelve, deals, convention, payoff(convention, 3, 1))


def _by_game(exact: SolvedGames, away: Masks) -> Floats:
    """Mean net whists of each game with its best discard, chosen on all layouts, (25,)."""
    return np.array([
        max((float(np.mean(exact.single(game, int(place)).net))
             for place in np.flatnonzero(away[0, game % 5])), default=-np.inf)
        for game in range(25)])


def _one(
    hand: Hand, layouts: int, rng: np.random.Generator
) -> tuple[dict[str, float], dict[str, NDArray[np.intp]]]:
    """Values of one hand's choices, and the contracts chosen for each fold, (F,)."""
    guide, twelve = _guide(hand, layouts, rng), hand.twelve
    coarse = coarse_games(twelve, guide)
    away = _union(screened(guide, SCREEN_DECLARE), screened(coarse, SCREEN_DECLARE),
                  _chosen(guide), _chosen(coarse))
    exact = _exact(twelve, guide, away)
    choosers: dict[str, OwnGames] = {
        "guide": guide, "coarse": coarse,
        "fitted": fitted_games(twelve, guide, screened(coarse, SCREEN_DECLARE)), "exact": exact}
    values, contracts = {}, {}
    for key, games in choosers.items():
        game, gone = _choice(games)
        contracts[key] = game[:, 0]
        values[key] = float(np.mean(exact.value(game, _places(away, game, gone)).net))
    values["hindsight"] = float(_by_game(exact, away).max())
    return values, contracts


def _choice(games: OwnGames) -> tuple[NDArray[np.intp], Masks]:
    """Game and discard chosen for each fold, (F, 1)."""
    game, place = games.chosen_apart(0)
    if isinstance(games, GuideGames):
        return game, games.plays.away[0][place]
    away: Masks = games.away[0, game % 5, place]  # type: ignore[attr-defined]
    return game, away


def _places(away: Masks, game: NDArray[np.intp], gone: Masks) -> NDArray[np.intp]:
    found: NDArray[np.intp] = np.argmax(away[0, game % 5] == gone[..., None], axis=-1)
    assert np.all(away[0, game % 5, found] == gone)
    return found


def _chosen(games: GuideGames) -> Masks:
    """The discards chosen for any fold, in the strains chosen, (1, 5, F)."""
    game, gone = _choice(games)
    count = len(game)
    away = np.zeros((1, 5, count), dtype=np.uint32)
    away[0, game[:, 0] % 5, np.arange(count)] = gone[:, 0]
    return away


def _union(*lots: Masks) -> Masks:
    """Discards (1, 5, d) of any lot, each once, 0 filling up."""
    rows = [np.unique(np.concatenate([lot[0, s] for lot in lots])) for s in range(5)]
    rows = [row[row > 0] for row in rows]
    out = np.zeros((1, 5, max(map(len, rows))), dtype=np.uint32)
    for strain, row in enumerate(rows):
        out[0, strain, : len(row)] = row
    return out


def _exact(twelve: int, guide: GuideGames, away: Masks) -> SolvedGames:
    deals = guide.deals
    m = deals.weight.shape[1]
    tricks = np.full((*away.shape, m), UNSOLVED, dtype=np.int8)
    _, strain, place = np.nonzero(away)
    rows = np.empty((len(place), m, 3), dtype=np.uint32)
    rows[..., 0] = (np.uint32(twelve) ^ away[0, strain, place])[:, None]
    rows[..., 1:] = deals.hands[0][:, list(deals.hidden)]
    tricks[0, strain, place] = solve_deals(
        rows.reshape(-1, 3), np.repeat(strain, m).astype(np.int8), -deals.seat % 3).reshape(-1, m)
    none = np.full((2, 1, m), UNSOLVED, dtype=np.int8)
    solved = Solved(away, tricks, none, np.full((1, m, 4), UNSOLVED, dtype=np.int8),
                    np.zeros((1, 0), dtype=np.uint32), np.zeros((1, 0, m), dtype=np.int8), none)
    return solved_games(twelve, guide, solved)
