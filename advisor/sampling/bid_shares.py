"""What the fitted bidding comes to: how deals end, and who opens with what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from advisor.paths import data_path
from advisor.records.table import STYLES
from advisor.rules.conventions import Convention, load_convention
from advisor.sampling.bidding_tables import FOLDER, Masks, features, gains_for
from advisor.sampling.fitted_bidder import MARGIN, chances

if TYPE_CHECKING:
    import pandas as pd

ENDS = ("all-pass", "misère", "6", "7", "8", "9+")


def bid_shares(names: Sequence[str]) -> pd.DataFrame:
    """How deals end where all three players bid as fitted, as the files of the fit tell it.

    Parameters
    ----------
    names : sequence of str
        Shipped conventions.

    Returns
    -------
    DataFrame
        One row a convention, place in a row of all-passes and style: convention (title), number
        (from 1), min_level, style, the shares of deals by `ENDS`, and first, second, third: how
        often each seat would go to any call. All are shares, from 0 to 1.
    """
    import pandas as pd

    rows = []
    for name in names:
        data = json.loads(data_path(f"{FOLDER}/{name}.json").read_text(encoding="utf-8"))
        for one in data["situations"]:
            for style in STYLES:
                shares = one["frequencies"][style]
                rows.append({
                    "convention": load_convention(name).title_en, "number": one["number"],
                    "min_level": one["min_level"], "style": style,
                    **{end: shares[end] for end in ENDS},
                    **dict(zip(("first", "second", "third"), shares["bids"], strict=True))})
    return pd.DataFrame(rows)


def open_chances(
    convention: Convention, hands: Masks, edges: Sequence[float], styles: Sequence[str] = STYLES
) -> pd.DataFrame:
    """How often hands of a strength would open a game, the others having passed.

    Parameters
    ----------
    convention : Convention
        No all-pass before this deal.
    hands : uint32 (n,)
        Hands of ten cards.
    edges : sequence of float
        Of bins of strength, tricks in the best suit.
    styles : sequence of str

    Returns
    -------
    DataFrame
        One row a seat, style and bin: seat (1..3), style, strength (mean, tricks), chance (mean,
        from 0 to 1), se (of the mean over hands), hands. Bins with fewer than two hands are left
        out; a misère is no game.
    """
    import pandas as pd

    unknown = set(styles) - set(MARGIN)
    if unknown:
        raise ValueError(f"styles {sorted(unknown)}: expected some of {', '.join(MARGIN)}")
    gains, rows = gains_for(convention, 0), []
    level = convention.min_level(0) - 6
    for seat in range(3):
        seen = features(hands, seat)
        place = np.digitize(seen.strength, edges)
        for style in styles:
            goes = chances(gains, seat, style).reach(seen).levels[:, level]
            for number in range(1, len(edges)):
                part = goes[place == number]
                if len(part) > 1:
                    rows.append({
                        "seat": seat + 1, "style": style,
                        "strength": float(seen.strength[place == number].mean()),
                        "chance": float(part.mean()),
                        "se": float(part.std(ddof=1)) / len(part) ** 0.5, "hands": len(part)})
    return pd.DataFrame(rows)
