"""Fitting how the tricks of an all-pass are shared: ``python -m advisor.fitting.shares``.

Maximum likelihood of the tricks of all-passes played out (`advisor.fitting.passed_deals`), with the
entries of holdings drawn towards nothing, so that rare ones say little beyond what the printed
misère holes force. A tenth of the deals is kept out, to say how well the table does.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.command import chunk_count
from advisor.fitting.passed_deals import CHUNK, PassedDeals, played_deals
from advisor.paths import data_path, source_commit
from advisor.tricks.estimate import hole_tables, suit_bytes
from advisor.tricks.shares import FILE, LEAST, MODES, ShareTable
from advisor.writing import whole_file

Floats = NDArray[np.float64]

PENALTY = 100.0
HELD_OUT = 10  # one in so many deals is kept out
GROUPS = 10
PRIOR = 4.0  # cards of each rank, half of them taking, that the dealer's chances start from
DEALS = 12_000
HEADER = """\
# How the tricks of an all-pass are shared when nobody sees the others' cards, see
# advisor/tricks/shares.py.
# Command: {command}. Commit: {commit}. Date: {date}.
# Deals: {deals:,}, a third for each mode.
# score = sum of "holding" over the suits + "turned" of the suits the talon leads + "place" of mode
# and seat + "forced log" x log(tricks forced by the printed misere holes + {least}); chances at a
# trick are as exp(score). "dealer": chance that a talon card of that rank (0 the seven, 7 the ace)
# takes the trick it leads. Keys of holdings: bit 0 the seven, bit 7 the ace.
# On the tenth of the deals kept out: {fit}.
"""


@dataclass(frozen=True, slots=True)
class Design:
    """Deals as the fit wants them.

    Parameters
    ----------
    suits : uint8 (n, 3, 4)
        Holdings by seat.
    led : uint8 (n, 4)
        Talon cards that lead a trick, by suit.
    mode : intp (n,)
    forced : float64 (n, 3)
        Logarithm of the forced tricks.
    tricks : float64 (n, 3)
    """

    suits: NDArray[np.uint8]
    led: NDArray[np.uint8]
    mode: NDArray[np.intp]
    forced: Floats
    tricks: Floats


def design(deals: PassedDeals) -> Design:
    """What the scores are made of."""
    suits = suit_bytes(deals.hands)
    led = np.bitwise_count(suit_bytes(deals.turned[:, 0] | deals.turned[:, 1]))
    mode = deals.mode.astype(np.intp)
    led[mode == MODES.index("closed")] = 0
    forced = np.log(hole_tables()[0][suits].sum(axis=-1) + LEAST)
    return Design(suits, led, mode, forced, deals.tricks[:, :3].astype(np.float64))


def fit_shares(deals: PassedDeals, penalty: float = PENALTY) -> ShareTable:
    """The table most likely to have given these tricks."""
    from scipy.optimize import minimize

    given = design(deals)

    def loss(entries: Floats) -> tuple[float, Floats]:
        scores = _scores(given, entries)
        logs = scores - scores.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        pull = given.tricks.sum(axis=1, keepdims=True) * np.exp(logs) - given.tricks
        shrunk = entries[: 2 * 256]
        gradient = _gradient(given, pull)
        gradient[: 2 * 256] += penalty * shrunk
        return float(-np.sum(given.tricks * logs) + penalty / 2 * shrunk @ shrunk), gradient

    start = np.zeros(2 * 256 + 9 + 1)
    start[-1] = 1.0
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    entries: Floats = found.x
    place = entries[512:521].reshape(3, 3)
    return ShareTable(entries[:256], entries[256:512], place - place.mean(axis=1, keepdims=True),
                      float(entries[-1]), dealer_chances(deals))


def _scores(given: Design, entries: Floats) -> Floats:
    scores: Floats = entries[given.suits].sum(axis=-1) + entries[512:521].reshape(3, 3)[given.mode]
    scores += (entries[256 + given.suits.astype(np.intp)] * given.led[:, None]).sum(axis=-1)
    scores += entries[-1] * given.forced
    return scores


def _gradient(given: Design, pull: Floats) -> Floats:
    gradient = np.zeros(522)
    by_suit = np.broadcast_to(pull[..., None], given.suits.shape)
    flat = given.suits.ravel()
    gradient[:256] = np.bincount(flat, by_suit.ravel(), minlength=256)
    gradient[256:512] = np.bincount(flat, (by_suit * given.led[:, None]).ravel(), minlength=256)
    for mode in range(len(MODES)):
        gradient[512 + 3 * mode:515 + 3 * mode] = pull[given.mode == mode].sum(axis=0)
    gradient[-1] = np.sum(pull * given.forced)
    return gradient


def dealer_chances(deals: PassedDeals) -> Floats:
    """How often a talon card of each rank took its trick, float64 (8,), rising with the rank.

    Where one of two cards took, which one is judged by the chances themselves (an EM estimate).
    """
    played = deals.mode == MODES.index("plays")
    ranks = (np.log2(deals.turned[played]).astype(np.intp)) & 7
    took, seen = np.full(8, PRIOR / 2), np.full(8, PRIOR)
    for _ in range(50):
        chance = took / seen
        a, b = chance[ranks[:, 0]], chance[ranks[:, 1]]
        count = deals.tricks[played, 3]
        first = np.where(count == 1, a * (1 - b) / (a * (1 - b) + b * (1 - a)), count / 2)
        took = np.full(8, PRIOR / 2) + np.bincount(ranks[:, 0], first, minlength=8) \
            + np.bincount(ranks[:, 1], count - first, minlength=8)
        seen = np.full(8, PRIOR) + np.bincount(ranks.ravel(), minlength=8)
    monotone: Floats = np.maximum.accumulate(took / seen)
    return monotone


def quality(table: ShareTable, deals: PassedDeals) -> str:
    """How well a table does on deals it was not fitted to, in words."""
    given = design(deals)
    count = given.tricks.sum(axis=1, keepdims=True)
    shares = np.concatenate([
        table.shares(deals.hands[[row]], (deals.turned[row, 0] | deals.turned[row, 1])[None],
                     MODES[how]) for row, how in enumerate(given.mode)])
    off = count * shares - given.tricks
    loss = -np.sum(given.tricks * np.log(shares)) / count.sum()
    groups = np.array_split(np.argsort((count * shares).ravel()), GROUPS)
    worst = max(abs(off.ravel()[group].mean()) for group in groups)
    return (f"RMSE {np.sqrt(np.mean(off**2)):.2f} tricks a hand (all alike "
            f"{np.sqrt(np.mean((given.tricks - count / 3)**2)):.2f}), log-loss {loss:.4f} nats a "
            f"trick (all alike {np.log(3):.4f}), in tenths by expected tricks the mean is off by "
            f"{worst:.2f} tricks at most (sampling error {_largest_error(off, groups):.2f})")


def _largest_error(off: Floats, groups: list[NDArray[np.intp]]) -> float:
    return max(float(off.ravel()[group].std() / np.sqrt(len(group))) for group in groups)


def split(deals: PassedDeals) -> tuple[PassedDeals, PassedDeals]:
    """Deals to fit to, and deals kept out: whole rounds of the modes in turn."""
    kept = np.arange(len(deals)) // len(MODES) % HELD_OUT == HELD_OUT - 1
    return deals.part(~kept), deals.part(kept)


def write_shares(deals: PassedDeals, path: Path, command: str) -> ShareTable:
    """Fit, tell how well, and write the file."""
    fitted_to, kept = split(deals)
    table = fit_shares(fitted_to)
    told = HEADER.format(command=command, commit=source_commit(), deals=len(deals), least=LEAST,
                         date=datetime.now(UTC).date().isoformat(), fit=quality(table, kept))
    rows = ["part,key,value"]
    for part in ("holding", "turned"):
        rows += [f"{part},{byte},{value:.4f}" for byte, value in enumerate(getattr(table, part))]
    rows += [f"place,{mode} {seat + 1},{value:.4f}" for mode, row in zip(MODES, table.place,
                                                                       strict=True)
             for seat, value in enumerate(row)]
    rows.append(f"forced,log,{table.forced:.4f}")
    rows += [f"dealer,{rank},{chance:.4f}" for rank, chance in enumerate(table.dealer)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part_file:
        Path(part_file).write_text(told + "\n".join(rows) + "\n", encoding="utf-8")
    return table


def main() -> None:
    """Play, fit and write from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("passed-deals"))
    parser.add_argument("--out", type=Path, default=data_path(FILE))
    told = parser.parse_args()
    chunks = chunk_count(told.deals, CHUNK)
    deals = played_deals(told.work, told.seed, chunks, told.workers)
    command = f"python -m advisor.fitting.shares --deals {chunks * CHUNK} --seed {told.seed}"
    write_shares(deals, told.out, command)


if __name__ == "__main__":
    main()
