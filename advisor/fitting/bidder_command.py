"""What ``advisor fit-bidder`` does: deal, play until settled, write; resumable at every step."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.advice.habits import FILE, Habits, habits
from advisor.fitting.chunks import Progress
from advisor.fitting.command import chunk_count, provenance
from advisor.fitting.replies import format_habits
from advisor.fitting.self_play import (
    Game,
    bought_at,
    draw_limits,
    frequencies,
    net_of,
    reach_of,
)
from advisor.fitting.settling import (
    EVERY,
    MOST,
    ROUNDS,
    State,
    Table,
    load_state,
    save_state,
)
from advisor.fitting.table_deals import CHUNK, stored_deals
from advisor.paths import data_path
from advisor.rules.conventions import Convention, convention_names, load_convention
from advisor.sampling.bid_shares import ENDS
from advisor.sampling.bidding_tables import (
    HOLES,
    LARGEST,
    MISERE_KNOTS,
    STRENGTHS,
    Gains,
    Situation,
    gains_from,
    situations,
    unit_of,
)
from advisor.sampling.fitted_bidder import MARGIN, TEMPERATURE

HEADER = """\
# {told}
# Replies of the defenders and the worth of naming a game, fitted together with the calls by
# self-play at a table of three (advisor/fitting/settling.py). Thresholds are tricks of both
# defenders together expected of one's own ten cards and the talon, with trumps and in no trump, for
# the levels 6 to 10; "moved" is how many tricks the last round still moved one. worth: declarer's
# net whists with trumps and in no trump, for each level, when he expects 3, 3.5, ... 10 tricks."""
FORMAT = 4  # to be raised when states or files of before mean something else


def fit_bidder(
    conventions: Sequence[Convention], deals: int, seed: int, out: Path, work: Path, *,
    threads: int | None = None, progress: Progress | None = None, size: int = CHUNK,
) -> dict[Path, dict[str, Any]]:
    """Fit the bidder of some conventions.

    Parameters
    ----------
    conventions : sequence of Convention
    deals : int
        Rounded up to whole chunks.
    seed : int
        The tables depend on it, not on the number of threads.
    out : Path
        Folder of the tables.
    work : Path
        Folder of evaluated deals and of the states after each step, kept for further runs.
    threads : int, optional
        Of the solver.
    progress : callable, optional
        Called with (chunks dealt and steps played, as many at most).
    size : int
        Deals in a chunk.

    Returns
    -------
    mapping of Path to dict
        The files written, with their contents.
    """
    chunks = chunk_count(deals, size)
    told = provenance("fit-bidder", chunks * size, seed)
    most = chunks + sum(_most(place) for one in conventions for place in situations(one))

    def shown(done: int) -> None:
        if progress is not None:
            progress(done, most)

    table = stored_deals(work, seed, chunks, size=size, threads=threads,
                         progress=lambda done, _: shown(done))
    tables = [[Table(table, one, place, seed, _rounds(place)) for place in situations(one)]
              for one in conventions]
    written, done = {}, chunks
    for places in tables:
        usual, found = None, []
        for each in places:
            state = _settle(each, usual, work, partial(_add, shown, done))
            usual = state.usual
            found.append(_situation(each.game(usual), each.situation, state))
            done += each.most
            shown(done)
        assert usual is not None
        contents = _contents(places[0].convention, told, found)
        name = places[0].convention.name
        written[write(contents, out / f"{name}.json")] = contents
        write_section(name, format_habits(name, usual, state.moved), out / Path(FILE).name,
                      told["command"])
    return written


def tell_anew(
    conventions: Sequence[Convention], deals: int, seed: int, out: Path, work: Path
) -> None:
    """Write what becomes of the calls anew, frequencies and nets, by the habits now shipped.

    The calls themselves stand. ``python -m advisor.fitting.bidder_command`` does it for all shipped
    conventions, once replies are fitted to their calls (`advisor.fitting.replies`).
    """
    table = stored_deals(work, seed, chunk_count(deals, CHUNK))
    for convention in conventions:
        path = out / f"{convention.name}.json"
        contents = json.loads(path.read_text(encoding="utf-8"))
        known, gains = gains_from(contents)
        for told, place, one in zip(contents["situations"], known, gains, strict=True):
            game = Table(table, convention, place, seed).game(habits(convention))
            told["frequencies"] = {style: _frequencies(game, one, style) for style in MARGIN}
            told["nets"] = mean_nets(game, one)
        write(contents, path)


def _contents(
    convention: Convention, told: Mapping[str, object], found: list[dict[str, Any]]
) -> dict[str, Any]:
    return {"convention": convention.name, **told, "temperature": TEMPERATURE, "margin": MARGIN,
            "unit": unit_of(convention), "strengths": STRENGTHS.tolist(), "holes": HOLES.tolist(),
            "misere_holes": MISERE_KNOTS.tolist(), "situations": found}


def _rounds(place: Situation) -> int:
    """The habits are fitted where the row begins."""
    return ROUNDS if place.number == 1 else 0


def _add(shown: Callable[[int], None], before: int, steps: int) -> None:
    shown(before + steps)


def _most(place: Situation) -> int:
    return EVERY * _rounds(place) + MOST


def _settle(
    table: Table, usual: Habits | None, work: Path, shown: Callable[[int], None]
) -> State:
    """Play from the state saved, if there is one, or from the beginning."""
    rules, number = _digest(table.convention), table.situation.number
    path = work / (f"bidder-v{FORMAT}-{table.convention.name}-{rules}-{number}"
                   f"-{len(table.deals)}-seed{table.seed}.npz")

    def saved(state: State) -> None:
        save_state(state, path)
        shown(state.steps)

    state = load_state(path) if path.exists() else table.first_state(usual)
    return table.play_on(state, saved)


def _digest(convention: Convention) -> str:
    """What tells a convention from another of the same name."""
    return sha256(repr(convention).encode()).hexdigest()[:12]


def _situation(game: Game, situation: Situation, state: State) -> dict[str, Any]:
    """What is stored of one situation; its frequencies are those of the rounded gains."""
    legal = state.gains.levels[:, situation.min_level - 6:]
    found: dict[str, Any] = {
        **asdict(situation), "steps": state.steps,
        "levels": _rounded(legal, game.unit),
        "misere": _rounded(state.gains.misere, game.unit)}
    (gains,) = gains_from({"unit": game.unit, "situations": [found]})[1]
    found["frequencies"] = {style: _frequencies(game, gains, style) for style in MARGIN}
    found["nets"] = mean_nets(game, gains)
    columns = zip(ENDS, np.round(state.history.T, 4).tolist(), strict=True)
    found["convergence"] = dict(columns)
    return found


def _rounded(gains: NDArray[np.float64], unit: float) -> list[Any]:
    most = LARGEST * unit
    rounded: list[Any] = np.round(np.clip(gains, -most, most), 1).tolist()
    return rounded


def _frequencies(game: Game, gains: Gains, style: str) -> dict[str, Any]:
    """How deals end where all three bid in one style, and how often each seat would bid."""
    limits = draw_limits(game, reach_of(game, gains, (style,) * 3))
    ends = {end: round(float(share), 4) for end, share in frequencies(game, limits).items()}
    return {**ends, "bids": [round(float(np.mean(limit >= 0)), 4) for limit in limits]}


def mean_nets(game: Game, gains: Gains) -> list[float]:
    """Mean net whists of first, second and third hand where all bid in the normal style."""
    bought = bought_at(game, draw_limits(game, reach_of(game, gains)))
    return [round(float(np.nanmean(net_of(game, bought, seat))), 2) for seat in range(3)]


def write_section(name: str, section: str, path: Path, told: object) -> None:
    """Put a convention's replies into their file, in the place of what is there."""
    found = {}
    if path.exists():
        parts = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n[")[1:]
        found = {part.split("]")[0]: f"[{part}" for part in parts}
    sections = {**found, name: section}
    ordered = sorted(sections, key=convention_names().index)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join([HEADER.format(told=told), *(sections[one] for one in ordered)])
                    + "\n", encoding="utf-8")


def write(contents: dict[str, Any], path: Path) -> Path:
    """Write a file of gains, a row of numbers on each line."""
    text = json.dumps(contents, indent=1, ensure_ascii=False)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda row: " ".join(row[0].split()), text)
    text = text.replace("[ ", "[").replace(" ]", "]")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def main() -> None:
    """Tell anew from the command line."""
    parser = argparse.ArgumentParser(description=(tell_anew.__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True)
    told = parser.parse_args()
    tell_anew([load_convention(name) for name in convention_names()], told.deals, told.seed,
              data_path("bidding"), told.work)


if __name__ == "__main__":
    main()
