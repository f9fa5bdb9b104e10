"""The player's games by the evaluator in use."""

from __future__ import annotations

from advisor.advice.declaring import GuideGames, OwnGames
from advisor.advice.fitted import coarse_games, fitted_games
from advisor.advice.solved import solved_games
from advisor.advice.solving import Solved, screened


def player_games(
    hand: int, guide: GuideGames, solved: Solved | None, fitted: bool, widths: tuple[int, ...]
) -> OwnGames:
    """The games of a hand with the best tricks there are.

    Parameters
    ----------
    hand : int
        Ten cards, or twelve with the talon taken.
    guide : GuideGames
        The games by the printed guide.
    solved : Solved or None
        Tricks of the deals where they are solved.
    fitted : bool
        Look the tricks up in the fitted tables.
    widths : tuple of int
        Discards the fitted tables are asked about, by rank of the strain.
    """
    if solved is not None:
        return solved_games(hand, guide, solved)
    if fitted:
        return fitted_games(hand, guide, screened(coarse_games(hand, guide), widths))
    return guide
