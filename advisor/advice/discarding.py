"""What to declare and which two cards to throw, with the talon taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.advice.declaring import GAMES, GuideGames, own_games, twelve_cards
from advisor.advice.payoff import Payoff, payoff
from advisor.advice.results import Option
from advisor.advice.statistics import estimate
from advisor.records.hand import HandRecord
from advisor.rules.contracts import MISERE
from advisor.sampling.deals import Deals
from advisor.tricks.holes import misere_distribution

Floats = NDArray[np.float64]
RUNNERS_UP = 10


def declare_options(record: HandRecord, deals: Deals) -> tuple[Option, ...]:
    """Contracts with discards, best first.

    Every contract the auction allows stands with its best discard, and the best contract also with
    its next `RUNNERS_UP` discards. They are chosen and valued on the same layouts: what tells two
    discards apart does not depend on the hidden hands, and among so few contracts the bias stays
    below the reported error.
    """
    table = payoff(record.convention, record.players, record.all_passes + 1)
    if record.contracts == (MISERE,):
        return _misere_options(record, deals, table)
    own = own_games(record.cards, deals, record.convention, table, record.talon)
    allowed = [GAMES.index(contract) for contract in record.contracts]
    value = np.einsum("hctd->ctd", own.expected_by_half())[:, 0] / 2
    plays = [(game, int(value[game].argmax())) for game in allowed]
    best = max(plays, key=lambda play: value[play])
    for discard in np.argsort(-value[best[0]], kind="stable")[: RUNNERS_UP + 1]:
        if (best[0], int(discard)) not in plays:
            plays.append((best[0], int(discard)))
    return _ranked(own, plays, value, deals)


def _ranked(
    own: GuideGames, plays: list[tuple[int, int]], value: Floats, deals: Deals
) -> tuple[Option, ...]:
    plays = sorted(plays, key=lambda play: -value[play])
    nets = {play: _net(own, play) for play in plays}
    best = max(plays, key=lambda play: round(estimate(nets[play], deals).mean, 9))
    options = []
    for game, discard in plays:
        ev = estimate(nets[game, discard], deals)
        behind = estimate(nets[game, discard] - nets[best], deals)
        tricks = own.plays.tricks[0, discard, game % 5]
        options.append(Option(
            None, GAMES[game], int(own.plays.away[0, discard]), ev.mean, ev.se,
            behind.mean, behind.se, float(tricks[game // 5 + 6:].sum()), 1.0,
            {str(GAMES[game]): 1.0}, tuple(float(p) for p in tricks)))
    return tuple(sorted(options, key=lambda option: -round(option.ev, 9)))


def _net(own: GuideGames, play: tuple[int, int]) -> Floats:
    """The declarer's net whists on every deal, float64 (1, m)."""
    game, discard = play
    table = own.by_pattern(own.plays.tricks[:, discard, game % 5], np.array([game // 5]))
    net: Floats = table[0][own.pattern[game]]
    return net


def _misere_options(record: HandRecord, deals: Deals, table: Payoff) -> tuple[Option, ...]:
    kept, away = twelve_cards(record.cards, np.zeros(1, dtype=np.uint32))
    tricks = misere_distribution(kept, away, record.seat == 0)[0]
    value = tricks @ table.misere[:, 0]
    order = np.argsort(-value, kind="stable")
    best = float(value[order[0]])
    return tuple(
        Option(None, MISERE, int(away[0, d]), float(value[d]), 0.0, float(value[d]) - best, 0.0,
               float(tricks[d, 0]), 1.0, {str(MISERE): 1.0},
               tuple(float(p) for p in tricks[d]))
        for d in order[: RUNNERS_UP + 1]
    )
