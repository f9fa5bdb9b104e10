"""What to declare and which two cards to throw, with the talon taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.advice.declaring import GAMES, OwnGames, Play, twelve_cards
from advisor.advice.games import player_games
from advisor.advice.guide_games import own_games
from advisor.advice.payoff import Payoff, record_payoff
from advisor.advice.results import Option
from advisor.advice.solved import solved_misere_play
from advisor.advice.solving import SCREEN_DECLARE, Solved
from advisor.advice.statistics import borrowing
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE, Contract
from advisor.sampling.deals import Deals
from advisor.tricks.holes import misere_distribution

RUNNERS_UP = 10
NEAR = 6.0  # the best play may turn out to be that of another contract


def declare_options(
    record: HandRecord, deals: Deals, solved: Solved | None = None, *, fitted: bool = False
) -> tuple[Option, ...]:
    """Contracts with discards, best first.

    Every contract the auction allows stands with its best discard, the best contract also with its
    next `RUNNERS_UP` discards, and one within `NEAR` whists of it with its next one; so does the
    play the record asks about. They are chosen and valued on the same layouts: two plays are told
    apart by paired differences, whose error, and so the bias of choosing, is well below that of the
    expected score itself.
    """
    if record.plays_misere:
        return _misere_options(record, deals, record_payoff(record), solved)
    games = record_games(record, deals, solved, fitted=fitted)
    return listed_options(games, listed_plays(record, games))


def record_games(
    record: HandRecord, deals: Deals, solved: Solved | None = None, *, fitted: bool = False
) -> OwnGames:
    """The games of a player who has taken the talon, by the evaluator in use."""
    guide = own_games(record.cards, deals, record.convention, record_payoff(record), record.talon)
    return player_games(record.cards, guide, solved, fitted, SCREEN_DECLARE, record.asked)


def listed_options(games: OwnGames, listed: Sequence[tuple[int, int]]) -> tuple[Option, ...]:
    """The listed plays valued, best first."""
    return rank_plays([(GAMES[game], games.single(game, discard)) for game, discard in listed],
                      games.deals)


def listed_plays(record: HandRecord, games: OwnGames) -> list[tuple[int, int]]:
    """The plays worth listing, best first: each an index into `GAMES` and one of discards."""
    allowed = [GAMES.index(contract) for contract in record.contracts]
    value = games.expected()[:, 0]
    plays = [(game, int(value[game].argmax())) for game in allowed]
    best = max(plays, key=lambda play: value[play])
    for game, discard in tuple(plays):
        if value[game, discard] > value[best] - NEAR:
            more = RUNNERS_UP if game == best[0] else 1
            plays += [(game, int(other)) for other in np.argsort(-value[game], kind="stable")
                      if int(other) != discard and np.isfinite(value[game, other])][:more]
    if record.asked is not None:
        game = GAMES.index(record.asked[0])
        asked = game, int(np.flatnonzero(games.tried(game % 5)[0] == record.asked[1])[0])
        plays += [asked] if asked not in plays else []
    return sorted(plays, key=lambda play: -value[play])


def rank_plays(plays: Sequence[tuple[Contract, Play]], deals: Deals) -> tuple[Option, ...]:
    """Options by falling expected score; of equal ones the first given stays in front.

    Plays that were not solved change like the solved one the tables like best.
    """
    scores = [play.score(deals) for _, play in plays]
    scores = borrowing(scores, [score for score in scores if score.change is not None])
    values = [score.estimate() for score in scores]
    means = [round(value.mean, 9) for value in values]
    best = scores[means.index(max(means))]
    options = []
    for (contract, play), score, ev in zip(plays, scores, values, strict=True):
        behind = (score - best).estimate()
        made = play.tricks[contract.level:] if contract.is_game else play.tricks[:1]
        options.append(Option(
            None, contract, play.away, ev.mean, ev.se, behind.mean, behind.se, float(made.sum()),
            1.0, {str(contract): 1.0}, tuple(float(p) for p in play.tricks),
            solved=play.solved is not None))
    return tuple(sorted(options, key=lambda option: -round(option.ev, 9)))


def _misere_options(
    record: HandRecord, deals: Deals, table: Payoff, solved: Solved | None
) -> tuple[Option, ...]:
    if solved is not None:
        plays = [solved_misere_play(int(away), tricks, deals, table)
                 for away, tricks in zip(solved.misere_away[0], solved.misere[0], strict=True)]
        return rank_plays([(MISERE, play) for play in plays], deals)
    kept, away = twelve_cards(record.cards, np.zeros(1, dtype=np.uint32))
    tricks = misere_distribution(kept, away, record.seat == 0)[0]
    value = tricks @ table.misere[:, 0]
    order = list(np.argsort(-value, kind="stable")[: RUNNERS_UP + 1])
    if record.asked is not None:
        place = int(np.flatnonzero(away[0] == record.asked[1])[0])
        order += [place] if place not in order else []
    return rank_plays(
        [(MISERE, Play(int(away[0, d]), np.full(deals.weight.shape, value[d]), tricks[d]))
         for d in order], deals)
