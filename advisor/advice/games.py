"""The player's games by the evaluator in use."""

from __future__ import annotations

from advisor.advice.declaring import OwnGames
from advisor.advice.fitted import coarse_games, fitted_games
from advisor.advice.guide_games import GuideGames
from advisor.advice.solved import solved_games
from advisor.advice.solving import Solved, screened, with_play
from advisor.rules.contracts import Contract


def player_games(
    hand: int, guide: GuideGames, solved: Solved | None, fitted: bool, widths: tuple[int, ...],
    asked: tuple[Contract, int] | None = None,
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
    asked : (Contract, mask of the discard), optional
        A play they are asked about in any case.
    """
    if solved is not None:
        return solved_games(hand, guide, solved)
    if fitted:
        away = with_play(screened(coarse_games(hand, guide), widths), asked)
        return fitted_games(hand, guide, away)
    return guide
