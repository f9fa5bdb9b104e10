"""What the screen costs the evaluator ``exact``: ``python -m benchmarks.bench_screen``.

The advisor solves only the discards that `advisor.advice.solving.screened` lets through. Here, on
random hands as the advisor meets them (ten cards that open by the rule of thumb, a random talon, a
random seat), all 66 discards are solved in all five strains under random layouts, and the best play
of all is compared with the best of those screened:

loss
    Net whists lost by the screen, mean over the hands, with its standard error. The play is valued
    on layouts that had no part in choosing it; so a screen is not blamed for missing a play that
    was only lucky.
at most
    The same with the play chosen and valued on all layouts: too large, since the best of 330 noisy
    means is taken at its face against the best of a few.
out
    Share of the hands whose best play on all layouts is not let through.
cost
    CPU time of solving what is screened row by row, over that of solving everything with
    `solve_discards`, which shares one table among the 66 discards of a layout.

Arguments: ``--hands N --layouts M --seed K --widths 6,3,1,1,1`` (the last may be repeated; the two
screens in use are always measured).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from advisor.advice.fitted import coarse_games
from advisor.advice.guide_games import GuideGames, own_games
from advisor.advice.payoff import payoff
from advisor.advice.solved import SolvedGames, solved_games
from advisor.advice.solving import SCREEN, SCREEN_DECLARE, Solved, screened
from advisor.advice.statistics import weighted_mean
from advisor.rules.conventions import load_convention
from advisor.sampling.deals import Deals, draw_deals
from advisor.tricks.guide import bidding_rule
from advisor.tricks.solver import solve_deals, solve_discards

HANDS = 40
LAYOUTS = 60
CONVENTION = "sochi"
STRAINS = np.arange(5, dtype=np.int8)
TIE = 1e-6

Widths = tuple[int, ...]
Masks = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class SolvedHand:
    """Twelve cards with everything solved.

    Parameters
    ----------
    cards : int
    deals : Deals
        Layouts of the other twenty cards.
    guide : GuideGames
    tricks : int8 (1, 5, 66, m)
    seconds : float
        CPU time of solving it all.
    """

    cards: int
    deals: Deals
    guide: GuideGames
    tricks: NDArray[np.int8]
    seconds: float

    @property
    def away(self) -> Masks:
        """All discards in every strain, uint32 (1, 5, 66)."""
        return np.repeat(self.guide.plays.away[:, None], 5, axis=1)

    def games(self, away: Masks) -> SolvedGames:
        """The hand with some discards left out, 0 in `away`."""
        m = self.tricks.shape[-1]
        none = np.zeros((2, 1, m), dtype=np.int8)
        solved = Solved(away, self.tricks, none, np.zeros((1, m, 4), dtype=np.int8),
                        np.zeros((1, 0), dtype=np.uint32), np.zeros((1, 0, m), dtype=np.int8), none)
        return solved_games(self.cards, self.guide, solved)

    def let_through(self, widths: Widths) -> Masks:
        """`away` with 0 for what a screen keeps out."""
        kept = screened(coarse_games(self.cards, self.guide), widths)
        hit = (self.away[..., None] == kept[:, :, None, :]).any(axis=-1)
        return np.where(hit, self.away, 0).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Loss:
    """A screen against no screen, one number a hand; net whists, CPU seconds."""

    loss: NDArray[np.float64]
    at_most: NDArray[np.float64]
    seconds: float


def random_hands(
    number: int, layouts: int, rng: np.random.Generator, threads: int = 1
) -> Iterator[SolvedHand]:
    """Hands worth a bid, the talon taken, all solved."""
    while number:
        deck = rng.permutation(32)
        ten, talon = (sum(1 << int(card) for card in part) for part in (deck[:10], deck[10:12]))
        seat = int(rng.integers(3))
        if bidding_rule(ten, seat == 0).bid:
            number -= 1
            yield solve_all(ten | talon, talon, seat, layouts, rng, threads)


def solve_all(
    cards: int, talon: int, seat: int, layouts: int, rng: np.random.Generator, threads: int = 1
) -> SolvedHand:
    """Every discard in every strain of twelve cards with the talon."""
    convention = load_convention(CONVENTION)
    deals = draw_deals(cards, seat, layouts, rng)
    guide = own_games(cards, deals, convention, payoff(convention, 3, 1), talon)
    start = time.process_time()
    tricks = np.stack([
        _all_discards(guide, cards, hands, -seat % 3, threads)
        for hands in deals.hands[0][:, list(deals.hidden)]], axis=-1)
    return SolvedHand(cards, deals, guide, tricks[None], time.process_time() - start)


def _all_discards(
    guide: GuideGames, cards: int, hidden: Masks, leader: int, threads: int
) -> NDArray[np.int8]:
    away, tricks = solve_discards(cards, (int(hidden[0]), int(hidden[1])), STRAINS, leader,
                                  threads=threads)
    if not np.array_equal(away, guide.plays.away[0]):
        raise AssertionError("discards out of order")
    return tricks[:, :, 0].T


def measure(hands: Sequence[SolvedHand], widths: Widths, *, timed: bool = True) -> Loss:
    """What a screen loses on each hand, and its CPU time."""
    honest, seen, seconds = [], [], 0.0
    for hand in hands:
        every, few = hand.games(hand.away), hand.games(hand.let_through(widths))
        honest.append(weighted_mean(every.apart(0).net - few.apart(0).net, hand.deals))
        seen.append(_best(every) - _best(few))
        seconds += _row_by_row(hand, widths) if timed else 0.0
    return Loss(np.array(honest), np.array(seen), seconds)


def _best(games: SolvedGames) -> float:
    return float(games.expected().max())


def _row_by_row(hand: SolvedHand, widths: Widths) -> float:
    """CPU seconds of solving the screened discards as the advisor does."""
    away = screened(coarse_games(hand.cards, hand.guide), widths)[0]
    strain, place = np.nonzero(away)
    hidden = hand.deals.hands[0][:, list(hand.deals.hidden)]
    rows = np.empty((len(strain), len(hidden), 3), dtype=np.uint32)
    rows[..., 0] = (np.uint32(hand.cards) ^ away[strain, place])[:, None]
    rows[..., 1:] = hidden
    start = time.process_time()
    solve_deals(rows.reshape(-1, 3), np.repeat(strain, len(hidden)).astype(np.int8),
                -hand.deals.seat % 3, threads=1)
    return time.process_time() - start


def _widths(text: str) -> Widths:
    return tuple(int(part) for part in text.split(","))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--layouts", type=int, default=LAYOUTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--widths", type=_widths, action="append", default=[])
    asked = parser.parse_args(arguments)
    solve_deals(np.array([[1, 2, 4]], dtype=np.uint32), 4, 0)  # loads the compiled search
    hands = list(random_hands(asked.hands, asked.layouts, np.random.default_rng(asked.seed)))
    everything = sum(hand.seconds for hand in hands)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("screen", "loss", "error", "at most", "out", "cost"):
        table.add_column(title, justify="left" if title == "screen" else "right")
    names = {SCREEN: "SCREEN", SCREEN_DECLARE: "SCREEN_DECLARE"}
    for widths in (SCREEN, SCREEN_DECLARE, *asked.widths):
        got = measure(hands, widths)
        error = np.std(got.loss, ddof=1) / np.sqrt(len(hands))
        table.add_row(f"{names.get(widths, '')} {widths}".strip(), f"{got.loss.mean():.2f}",
                      f"{error:.2f}", f"{got.at_most.mean():.2f}",
                      f"{np.mean(got.at_most > TIE):.0%}", f"{got.seconds / everything:.2f}")
    console = Console(highlight=False, width=100)
    console.print(f"{len(hands)} hands, {asked.layouts} layouts each, seed {asked.seed}; net "
                  f"whists; everything: {1000 * everything / len(hands) / asked.layouts:.1f} ms "
                  "CPU a layout\n")
    console.print(table)


if __name__ == "__main__":
    main()
