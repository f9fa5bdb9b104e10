"""What opening is worth, hand by hand; what single rules do to it; what the bidding model does."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from advisor import advise, load_convention, parse_cards
from advisor.advice.openings import (
    Opening,
    binned,
    even_strength,
    first_bid,
    opening,
    openings_frame,
    random_hands,
)
from advisor.advice.rule_effects import (
    changed,
    effects_frame,
    mean_of,
    price_table,
    rule_effects,
)
from advisor.paths import data_path
from advisor.rules.calls import PASS, parse_call
from advisor.sampling.bid_shares import ENDS, bid_shares, open_chances
from advisor.sampling.fitted_bidder import default_bidder
from advisor.show.charts.bid_shares import plot_ends, plot_open_chances
from advisor.show.charts.openings import LOOKS, plot_curves, plot_effects, plot_hands

SOCHI = load_convention("sochi")
FOUR = [load_convention(name) for name in ("sochi", "leningrad", "rostov", "classic")]
STRONG, WEAK = parse_cards("♠AKQ98 ♣A8 ♦K107"), parse_cards("♠987 ♣987 ♦987 ♥7")


@pytest.fixture(scope="module")
def strong() -> Opening:
    return opening(STRONG, 0, SOCHI, 462)


# --- hands --------------------------------------------------------------------------------------


def test_an_opening_is_valued_as_advise_values_it(strong: Opening) -> None:
    options = {one.name: one for one in advise(first_bid(STRONG, 0, SOCHI), deals=462,
                                               evaluator="fitted").options}
    assert strong.six.mean == pytest.approx(options["6S"].ev)
    assert strong.six.se == pytest.approx(options["6S"].se)
    assert strong.passed.mean == pytest.approx(options["pass"].ev)
    assert strong.gain.mean == pytest.approx(-options["pass"].behind)
    assert strong.gain.se == pytest.approx(options["pass"].behind_se)
    assert str(strong.best) == next(iter(options))


def test_without_every_call_the_same_gain_and_no_best(strong: Opening) -> None:
    alone = opening(STRONG, 0, SOCHI, 462, every_call=False)
    assert alone.gain == strong.gain
    assert alone.best is None


def test_a_hand_without_a_trick_gains_most_by_the_last_pass() -> None:
    last = opening(WEAK, 2, SOCHI, 462)
    assert last.strength < 1
    assert last.all_pass == pytest.approx(1)
    assert last.gain.mean < -50
    assert opening(WEAK, 0, SOCHI, 462).all_pass < 0.2


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_whoever_sits_before_has_passed(seat: int) -> None:
    assert first_bid(STRONG, seat, SOCHI).auction.calls == (PASS,) * seat
    assert first_bid(STRONG, seat, SOCHI).seat == seat


def test_hands_are_ten_cards_and_follow_the_seed() -> None:
    hands = random_hands(20, np.random.default_rng(3))
    assert {hand.bit_count() for hand in hands} == {10}
    assert len(set(hands)) == 20
    assert hands == random_hands(20, np.random.default_rng(3))


def test_a_row_a_hand(strong: Opening) -> None:
    frame = openings_frame([strong, opening(STRONG, 0, FOUR[1], 462, every_call=False)])
    assert list(frame.convention) == ["Sochi", "Leningrad"]
    assert list(frame.unit) == [1, 2]
    assert frame.opens.iloc[0]
    assert frame.opens.iloc[1] is None
    assert frame.gain.iloc[0] == pytest.approx(frame.six.iloc[0] - frame.passed.iloc[0])


# --- curves -------------------------------------------------------------------------------------


def logistic_hands(n: int, even: float) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    strength = rng.uniform(1, 8, n)
    gains = rng.random(n) < 1 / (1 + np.exp(-2 * (strength - even)))
    return pd.DataFrame({"strength": strength, "gain": np.where(gains, 1.0, -1.0), "unit": 1.0})


def test_the_even_strength_is_found_within_its_error() -> None:
    found = even_strength(logistic_hands(2_000, 4.3))
    assert abs(found.mean - 4.3) < 3 * found.se
    assert 0.01 < found.se < 0.1
    assert even_strength(logistic_hands(2_000, 4.3)) == found


def test_few_hands_that_part_neatly_are_even_between_them() -> None:
    frame = pd.DataFrame({"strength": [2.0, 3.0, 5.0, 6.0], "gain": [-4, -2, 3, 5.0], "unit": 1.0})
    assert 3 < even_strength(frame).mean < 5


def test_where_all_hands_gain_there_is_no_even_strength() -> None:
    frame = pd.DataFrame({"strength": [2.0, 3.0], "gain": [1.0, 2.0], "unit": 1.0})
    assert np.isnan(even_strength(frame).mean)


def test_bins_hold_means_over_the_unit() -> None:
    frame = pd.DataFrame({"strength": [1.1, 1.3, 2.5, 3.2, 3.4], "gain": [-2.0, 2, 9, 4, 8],
                          "unit": 2.0})
    bins = binned(frame, (1, 2, 3, 4))
    assert list(bins["mean"]) == [0.0, 3.0]
    assert list(bins.se) == [1.0, 1.0]
    assert list(bins.hands) == [2, 2]
    assert list(bins.opens) == [0.5, 1.0]


# --- rules --------------------------------------------------------------------------------------


def test_prices_are_those_of_the_rules() -> None:
    prices = price_table(FOUR)
    sochi = prices["Sochi"]
    # Rules.md 4.2: a six made writes two in the pool, 40/3 net; one undertrick writes two in the
    # mountain, a trick's whists five times and a consolation of two to each.
    assert sochi["6♥ passed out"] == pytest.approx(40 / 3)
    assert sochi["6♥ down 1, one whists"] == pytest.approx(-40 / 3 - 5 * 2 - 2 * 2)
    assert prices["Rostov"]["6♥ down 1, one whists"] == pytest.approx(-40 / 3 - 5 * 2 - 2 * 10)
    assert prices.loc["6♥ down 1, one whists", "Leningrad"] == pytest.approx(-82 / 3)
    assert np.isnan(prices.loc["6♥ for half a whist", "Classic"])
    assert prices.loc["6♥ for half a whist", ["Sochi", "Leningrad", "Rostov"]].nunique() == 1


def test_a_dearer_undertrick_makes_opening_worse_and_nothing_changed_nothing() -> None:
    hands = [parse_cards("♠AK97 ♣AK7 ♦7 ♥97"), parse_cards("♠K10 ♣KQJ ♦QJ8 ♥KQ")]
    dearer, same = rule_effects(
        SOCHI, {"dear": {"consolation": "ten_whists"}, "same": {"title_en": "Other"}}, hands, 462)
    assert dearer.effect.mean < -1
    assert same.effect == (0.0, 0.0)
    assert (dearer.bids_as, dearer.whists_as, dearer.hands) == ("sochi", "sochi", 2)
    frame = effects_frame([dearer, same])
    assert list(frame.rule) == ["dear", "same"]
    assert frame.effect.iloc[0] == dearer.effect.mean


def test_a_changed_convention_is_not_taken_for_the_shipped_one() -> None:
    assert changed(SOCHI, {"ten": "checked"}).name != "sochi"
    assert mean_of(np.array([1.0, 3.0])) == (2.0, 1.0)


# --- the model ----------------------------------------------------------------------------------


def test_shares_are_those_of_the_files() -> None:
    shares = bid_shares(("sochi", "rostov"))
    assert len(shares) == 3 * 3 + 3
    assert shares[list(ENDS)].sum(axis=1).between(0.999, 1.001).all()
    stored = json.loads(data_path("bidding/rostov.json").read_text(encoding="utf-8"))
    row = shares[(shares.convention == "Rostov") & (shares["style"] == "bold")].iloc[0]
    assert row["all-pass"] == stored["situations"][0]["frequencies"]["bold"]["all-pass"]
    assert row.third == stored["situations"][0]["frequencies"]["bold"]["bids"][2]


def test_chances_to_open_are_the_bidders() -> None:
    hands = np.array(random_hands(300, np.random.default_rng(2)), dtype=np.uint32)
    chances = open_chances(SOCHI, hands, [0.0, 11.0])
    assert list(chances.hands.unique()) == [300]
    record = first_bid(STRONG, 1, SOCHI)
    reach = default_bidder(record).reach(hands, 1, record.auction.rules)
    here = chances[(chances.seat == 2) & (chances["style"] == "normal")].iloc[0]
    assert here.chance == pytest.approx(reach.levels[:, 0].mean())
    by_style = chances[chances.seat == 1].set_index("style").chance
    assert by_style["careful"] < by_style["normal"] < by_style["bold"]


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="expected some of careful, normal, bold"):
        open_chances(SOCHI, np.array([STRONG], dtype=np.uint32), [0.0, 11.0], ["timid"])


# --- pictures -----------------------------------------------------------------------------------


def axes(width: float = 8, height: float = 5) -> Axes:
    return Figure(figsize=(width, height), layout="constrained").subplots()


def legend(ax: Axes) -> list[str]:
    drawn = ax.get_legend()
    assert drawn is not None
    return [text.get_text() for text in drawn.get_texts()]


def test_looks_differ_without_colour() -> None:
    assert len({marker for _, marker, _, _ in LOOKS}) == len(LOOKS)
    assert len({line for *_, line in LOOKS}) == len(LOOKS)


def test_a_curve_for_every_label() -> None:
    curve = pd.DataFrame({"strength": [3.0, 4.0], "mean": [-2.0, 1.0], "se": [0.5, 0.5]})
    ax = axes()
    plot_curves({"first hand": curve, "third hand": curve}, "net whists", ax)
    assert legend(ax) == ["first hand", "third hand"]
    assert "tricks" in ax.get_xlabel()
    assert "standard error" in ax.get_ylabel()


def test_hands_show_the_best_call_under_each_convention(strong: Opening) -> None:
    frame = openings_frame([strong, opening(STRONG, 0, FOUR[1], 462),
                            opening(WEAK, 0, SOCHI, 462), opening(WEAK, 0, FOUR[1], 462)])
    ax = axes()
    plot_hands(frame, ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(frame.hand.unique())
    assert sorted(text.get_text() for text in ax.texts) == sorted(
        [*(parse_call(best).label() for best in frame.best), "best call"])
    assert "6♠" in [text.get_text() for text in ax.texts]


def test_effects_have_a_bar_each() -> None:
    frame = pd.DataFrame({"rule": ["one", "two"], "effect": [-1.5, 0.5], "se": [0.1, 0.1]})
    ax = axes()
    plot_effects({"Leningrad": frame, "Rostov": frame}, ax)
    assert len(ax.patches) == 4
    assert [text.get_text() for text in ax.texts] == ["−1.5", "+0.5"] * 2


def test_ends_fill_the_bar() -> None:
    shares = bid_shares(("sochi",))
    ax = axes()
    plot_ends(shares.assign(label=shares["style"]), ax)
    widths = np.array([bar.get_width() for bar in ax.patches]).reshape(len(ENDS), len(shares))
    assert widths.sum(axis=0) == pytest.approx(100, abs=0.1)
    assert len(legend(ax)) == len(ENDS)


def test_chances_are_drawn_by_seat_or_by_style() -> None:
    hands = np.array(random_hands(200, np.random.default_rng(2)), dtype=np.uint32)
    chances = open_chances(SOCHI, hands, np.arange(0, 9))
    by_seat, by_style = axes(), axes()
    plot_open_chances(chances[chances["style"] == "normal"], by_seat)
    plot_open_chances(chances[chances.seat == 1], by_style)
    assert legend(by_seat) == ["first hand", "second hand", "third hand"]
    assert legend(by_style) == ["careful", "normal", "bold"]
