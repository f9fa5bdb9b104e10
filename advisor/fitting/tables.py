"""Fit all tables to solved deals and write them, with where they come from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.fitting.alone import alone_table
from advisor.fitting.coarse import coarse_means, fit_holdings
from advisor.fitting.link import CLASSES, link_table, spread_classes
from advisor.fitting.regression import NO_TRUMP_LEVELS, TRUMP_LEVELS, Level, fit
from advisor.fitting.sample import DECLARER, SolvedDeals, part_of
from advisor.tricks.fitted import UNIT
from advisor.tricks.guide import pattern_of
from advisor.tricks.holdings import NO_TRUMP, ROLES, Holdings
from advisor.tricks.layouts import suit_layouts
from advisor.tricks.terms import (
    NO_TRUMP_SPREAD,
    NO_TRUMP_TERMS,
    TRUMP_SPREAD,
    TRUMP_TERMS,
    Term,
    no_trump_terms,
    trump_terms,
)
from advisor.writing import whole_file

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]

LINK_SHARE = 10  # every tenth deal is kept for the link and the errors told in the provenance
HALVES = ("trump", "no_trump")


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a fit gives.

    Parameters
    ----------
    arrays : dict
        Contents of ``layouts.npz``.
    holdings : Holdings
    error : dict
        Root mean square errors in tricks on deals the means were not fitted to.
    """

    arrays: Arrays
    holdings: Holdings
    error: dict[str, float]


def indices(deals: SolvedDeals, alone: NDArray[np.uint8], no_trump: bool) -> dict[str, Ints]:
    """Entries of deals, all with trumps or all without."""
    layouts = suit_layouts(*deals.hands.T)
    lead = deals.leader.astype(np.int64)
    if no_trump:
        return no_trump_terms(layouts, lead, alone)
    return trump_terms(layouts, deals.strain.astype(np.int64), lead, alone)


def mean_of(constant: float, tables: Mapping[str, Floats], index: Mapping[str, Ints]) -> Floats:
    """Means by tables of floats, cut to 0..10."""
    total: Floats = constant + sum(tables[name].ravel()[rows].sum(axis=1)
                                   for name, rows in index.items())
    return np.clip(total, 0.0, 10.0)


def fit_all(deals: SolvedDeals) -> Fitted:
    """Fit the tables of layouts, the link and the coarse table."""
    alone = alone_table()
    arrays: Arrays = {"alone": alone}
    error: dict[str, float] = {}
    links = []
    held = np.arange(len(deals)) % LINK_SHARE == LINK_SHARE - 1
    holdings = fit_holdings(part_of(deals, ~held))
    for name in HALVES:
        plain = name == "no_trump"
        rows = (deals.strain == NO_TRUMP) == plain
        terms, levels, which = _half(plain)
        constant, tables = fit(indices(part_of(deals, rows & ~held), alone, plain), terms, levels,
                               deals.tricks[rows & ~held].astype(np.float64))
        tables = {term: np.rint(table * UNIT) / UNIT for term, table in tables.items()}
        others = part_of(deals, rows & held)
        index = indices(others, alone, plain)
        mean = mean_of(constant, tables, index)
        spread = spread_classes(index[which][:, 0], terms[which].size, others.tricks - mean)
        links.append(link_table(mean, spread[index[which][:, 0]], others.tricks.astype(np.int64)))
        arrays[f"{name}_constant"] = np.array(constant)
        arrays[f"{name}_spread"] = spread.reshape(terms[which].shape)
        arrays |= {f"{name}_{term}": stored(table) for term, table in tables.items()}
        declarers = others.kind == DECLARER
        error |= {f"{name}, all": rmse(others.tricks - mean),
                  f"{name}, declarers": rmse((others.tricks - mean)[declarers]),
                  f"{name}, declarers, coarse table": rmse(
                      (others.tricks - coarse_means(holdings, others))[declarers])}
    arrays["link"] = np.stack(links).astype(np.float32)
    arrays["classes"] = np.array(CLASSES)
    return Fitted(arrays, holdings, error)


def _half(no_trump: bool) -> tuple[dict[str, Term], dict[str, tuple[Level, ...]], str]:
    if no_trump:
        return NO_TRUMP_TERMS, NO_TRUMP_LEVELS, NO_TRUMP_SPREAD
    return TRUMP_TERMS, TRUMP_LEVELS, TRUMP_SPREAD


def stored(table: Floats) -> NDArray[np.int16]:
    """Tricks in units of 1/256."""
    return np.rint(table * UNIT).astype(np.int16)


def rmse(error: Floats) -> float:
    """Root mean square; nan of nothing."""
    return float(np.sqrt(np.mean(error**2))) if error.size else float("nan")


def write(found: Fitted, out: Path, provenance: Mapping[str, object]) -> list[Path]:
    """Write ``layouts.npz``, ``holdings.csv`` and ``provenance.json`` into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / name for name in ("layouts.npz", "holdings.csv", "provenance.json")]
    told = {**provenance, "rmse_tricks": {k: round(v, 4) for k, v in found.error.items()}}
    with ExitStack() as all_or_none:
        layouts, holdings, origin = (all_or_none.enter_context(whole_file(p)) for p in paths)
        with open(layouts, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **found.arrays)
        holdings.write_text(_holdings_text(found.holdings), encoding="utf-8")
        origin.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return paths


def _holdings_text(found: Holdings) -> str:
    out = io.StringIO()
    out.write("# What each holding of the declarer contributes to his tricks; see README.md.\n")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["role", "own_lead", "byte", "holding", "tricks", "se", "alike_se", "deals"])
    for r, role in enumerate(ROLES):
        for lead in (0, 1):
            for byte in range(256):
                at = r, lead, byte
                errors = [f"{se[at]:.4f}" if np.isfinite(se[at]) else ""
                          for se in (found.se, found.alike_se)]
                rows.writerow([role, lead, byte, pattern_of(byte).replace(" ", ""),
                               f"{found.tricks[at]:.3f}", *errors, found.deals[at]])
    return out.getvalue()
