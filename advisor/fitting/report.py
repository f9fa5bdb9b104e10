"""The error report as Markdown: ``docs/fitted_tables.md``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.errors import InputError
from advisor.fitting import ablation, errors, regret
from advisor.fitting.chunks import Progress, Store, solve_missing
from advisor.fitting.command import REPORT_SEED, chunk_count
from advisor.fitting.errors import EVALUATORS, Errors
from advisor.fitting.sample import CHUNK
from advisor.paths import data_path

TEXT = """# Fitted tables: how large their errors are

Written by `{command}`; the tables measured
are those in `data/tables` ({deals:,} deals, seed {seed}, {date}, commit {commit}).

*Guide* is the printed guide with the corrections of `advisor/tricks/estimate.py`, *coarse* the
table of the declarer's own holdings, *fitted* the tables of layouts. Truth is perfect play with
open cards, so *exact* has no error here. None of the deals below was fitted to.
"""


def report(
    deals: int, seed: int, workers: int, work: Path, *, hands: int = 150, layouts: int = 100,
    tried: int = 200_000, scheduler: str | None = None, progress: Progress | None = None,
    size: int = CHUNK,
) -> str:
    """Measure the package's tables and write it up.

    Parameters
    ----------
    deals : int
        Deals to measure on, of another seed than the tables'.
    seed, workers, work, scheduler, progress, size
        As in `advisor.fitting.command.fit_tables`.
    hands, layouts : int
        For the regret, by group.
    tried : int
        Deals for each fit of the list of features.

    Raises
    ------
    InputError
        The tables were fitted to the very deals to measure on.
    """
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    if told["seed"] == seed + REPORT_SEED:
        raise InputError("the tables are fitted to the deals of seed {seed}", source="--seed",
                         seed=seed + REPORT_SEED)
    fresh = Store(work, seed + REPORT_SEED, size)
    chunks = chunk_count(deals, size)
    solve_missing(fresh, chunks, workers, scheduler, progress)
    first = Store(work, seed, size)
    solve_missing(first, chunk_count(tried, size), workers, scheduler, progress)
    command = f"advisor fit-tables --report FILE.md --deals {chunks * size} --seed {seed}"
    lines = [TEXT.format(command=command, **{k: told[k] for k in (
        "deals", "seed", "date", "commit")})]
    lines += _errors(errors.measure(fresh.load_all(chunks)))
    lines += _regret([regret.measure(group, hands, layouts, seed + REPORT_SEED, progress)
                      for group in regret.GROUPS])
    lines += _features(ablation.measure(first.load_all(chunk_count(tried, size))), tried)
    return "\n".join(lines) + "\n"


def _errors(groups: Sequence[Errors]) -> Iterator[str]:
    yield "## Tricks\n"
    yield "Mean error (estimate less truth) and root mean square error, in tricks.\n"
    rows = [[group.group, f"{group.deals:,}"]
            + [f"{group.bias[e]:+.3f}" for e in EVALUATORS]
            + [f"{group.rmse[e]:.3f}" for e in EVALUATORS]
            + [f"{group.rmse['fitted'] / group.rmse['guide']:.2f}"] for group in groups]
    yield from _table(["deals", "number", *(f"{e}, mean" for e in EVALUATORS),
                       *(f"{e}, RMSE" for e in EVALUATORS), "fitted / guide"], rows)
    yield "\n## Making the contract\n"
    yield ("Log-loss in nats a deal of the chance to make the level the guide would name; *always "
           "the same* says the share of all for every deal.\n")
    names = ("always the same", *EVALUATORS)
    yield from _table(["deals", *names, "exact"],
                      [[group.group, *(f"{group.log_loss[e]:.3f}" for e in names), "0"]
                       for group in groups])


def _regret(groups: Sequence[regret.Regrets]) -> Iterator[str]:
    trumps, no_trump = groups
    yield "\n## Choosing contract and discard\n"
    yield (f"Net whists lost a deal, ± one standard error over hands, on two groups of "
           f"{trumps.hands} hands of twelve cards, {trumps.layouts} layouts of the unseen cards "
           "each, Sochi, three players. *Trumps*: hands that the guide likes to play with trumps. "
           f"*No trump*: of {no_trump.seen:,} hands that it likes to play, those whose best play "
           "is in no trump by solved tricks, judged on "
           f"{no_trump.layouts // 2} other layouts. Each "
           "evaluator is valued by solved tricks on layouts that had no part in its choice; "
           "*exact* likewise, so it is no oracle. *Hindsight* is the distance to the best "
           "play chosen on the very layouts it is valued on, more than anybody can reach.\n")
    yield from _table(
        ["hands", "evaluator", "behind exact, whists", "behind hindsight",
         "another contract than exact"],
        [[group.group, r.evaluator, f"{r.loss:.2f} ± {r.se:.2f}", f"{r.hindsight:.2f}",
          f"{r.other:.0%}"] for group in groups for r in group.by_evaluator])


def _features(steps: Sequence[ablation.Step], tried: int) -> Iterator[str]:
    yield "\n## What each feature buys\n"
    yield (f"Root mean square errors in tricks of fits to {tried:,} deals (nine tenths of them; "
           "valued on the rest), each with its feature and all above it. More deals help the fine "
           "features most. Own holdings alone come out worse here than in the coarse table, which "
           "is fitted to declarers' deals.\n")
    yield from _table(["game", "with", "declarers", "other deals"],
                      [[s.game, s.feature, f"{s.declarers:.3f}", f"{s.others:.3f}"] for s in steps])


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "|" + "---|" * len(titles)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
