"""Pictures of a hand beside that of its calls: what stands in them, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from charts import (
    DEALS,
    HAND,
    KINDS,
    labels,
    result,
    texts,
    twelve,
    words,
)
from hands import TEN_SPADES, record
from matplotlib import rc_context
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from advisor.advice.decide import advise
from advisor.advice.discard_choice import LISTED, DiscardChoice
from advisor.advice.lead_worth import LeadWorth, lead_worth
from advisor.advice.talon_map import LEAST_DEALS, TalonMap, talon_map
from advisor.advice.trick_chances import TrickChances
from advisor.advice.why import ALL_TALONS
from advisor.cards import cards_of, format_hand
from advisor.language import LANGUAGES, Lang
from advisor.rules.conventions import load_convention
from advisor.show.charts.canvas import BLUE, INK, LINE, ORANGE, PALE, broken, save
from advisor.show.charts.discards import plot_discards
from advisor.show.charts.lead import plot_lead
from advisor.show.charts.talons import LEVEL_SHADES, plot_talons
from advisor.show.charts.tricks import plot_tricks

# --- all kinds ------------------------------------------------------------------------------------

@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_text_is_cut_off_however_much_there_is_to_say(name: str, lang: Lang) -> None:
    ax = KINDS[name].draw(result(name, crowd=True), lang)
    shown = texts(ax)
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    for text in shown:
        box = text.get_window_extent()
        assert figure.bbox.x0 <= box.x0, text
        assert box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0, text
        assert box.y1 <= figure.bbox.y1, text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", KINDS)
def test_the_words_are_in_the_language_with_units(name: str, lang: Lang) -> None:
    ax = KINDS[name].draw(result(name), lang)
    hand = result(name).record
    assert ax.get_title().startswith(format_hand(hand.cards, lang) + "\n")
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    said = " ".join(words(ax))
    assert bool(re.search("[А-Яа-я]{4}", said)) is (lang == "ru")
    if lang == "ru":
        assert not re.search("[A-Za-z]{2}", said)
        assert "стандартная ошибка" in said
    else:
        assert "one standard error" in said
    assert ("net whists" if lang == "en" else "вистов") in said or name.startswith(
        ("tricks", "lead"))


@pytest.mark.parametrize("name", KINDS)
def test_it_draws_into_axes_given(name: str) -> None:
    ax = Figure(figsize=(10, 9), layout="constrained").subplots()
    assert KINDS[name].draw(result(name), ax=ax) is ax
    assert ax.get_title()


def test_suits_are_drawn_whatever_the_users_font(tmp_path: Path) -> None:
    with rc_context({"font.family": ["serif"], "font.serif": ["STIXGeneral"]}):
        for name in ("ev", "tricks", "discards", "lead"):
            ax = KINDS[name].draw(result(name))
            assert {tuple(text.get_fontfamily()) for text in texts(ax)} == {("DejaVu Sans",)}, name


@pytest.mark.parametrize(("name", "ending"), [
    ("tricks", ".png"), ("discards", ".svg"), ("lead", ".pdf")])
def test_the_same_result_is_the_same_file(name: str, ending: str, tmp_path: Path) -> None:
    one, two = tmp_path / f"one{ending}", tmp_path / f"two{ending}"
    for path in (one, two):
        save(KINDS[name].draw(result(name)), path)
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 10_000


def lightness(colour: str) -> float:
    return float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))


def test_colours_are_told_apart_in_grey() -> None:
    shades = [lightness(shade) for shade in LEVEL_SHADES]
    assert all(one - two > 0.1 for one, two in pairwise(shades))
    assert lightness(PALE) - lightness(BLUE) > 0.25
    assert min(lightness(BLUE), lightness(ORANGE)) - lightness(INK) > 0.2


def test_lines_are_broken_between_items() -> None:
    line = " · ".join(["third hand", "Sochi", "a word " * 20, "no calls yet"])
    parts = list(broken(line, LINE))
    assert parts[0] == "third hand · Sochi"
    assert parts[-1] == "no calls yet"
    assert all(len(part) <= LINE for part in parts)


# --- talons ---------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def talons() -> TalonMap:
    known: TalonMap = result("talon")
    return known


def test_every_talon_has_two_cells(talons: TalonMap) -> None:
    ax = plot_talons(talons)
    scores, contracts = {}, {}
    for text in ax.texts:
        x, y = (round(place) for place in text.get_position())
        (scores if y < x else contracts if y > x else {})[x, y] = text.get_text()
    assert len(scores) == len(contracts) == ALL_TALONS
    at = {card: place for place, card in enumerate(talons.cards)}
    for one in talons.talons:
        x, y = at[one.cards[1]], at[one.cards[0]]
        assert scores[x, y] == f"{one.ev:+.0f}".replace("-", "−").replace(
            "+0", "0").replace("−0", "0")
        assert contracts[y, x] == one.contract.label()
    assert labels(ax) == [format_hand(1 << card) for card in talons.cards]
    low, high = (image.get_array() for image in ax.images)
    assert low is not None
    assert high is not None
    assert np.isfinite(np.asarray(low, dtype=float)).sum() == ALL_TALONS
    assert np.isfinite(np.asarray(high, dtype=float)).sum() == ALL_TALONS


def test_a_map_adds_up_to_its_mean(talons: TalonMap) -> None:
    table = talons.to_frame()
    assert len(table) == ALL_TALONS
    assert table.share.sum() == pytest.approx(1)
    assert (table.share * table.ev).sum() == pytest.approx(talons.mean)
    # by talons as strata, the error of the mean is that of the cells
    assert np.sqrt((table.share**2 * table.se**2).sum()) == pytest.approx(talons.mean_se, rel=0.02)
    assert table.p_make.between(0, 1).all()


def test_a_map_knows_what_is_thrown(talons: TalonMap) -> None:
    for one in talons.talons:
        held = talons.record.cards | 1 << one.cards[0] | 1 << one.cards[1]
        assert one.discard & held == one.discard
        assert one.discard.bit_count() == 2
    assert sorted(talons.cards) == list(cards_of(0xFFFFFFFF & ~talons.record.cards))


def test_a_certain_ten_is_worth_the_same_with_every_talon() -> None:
    """A hundred whists on each of two others, whatever comes (rules.md 5.4)."""
    bare = replace(record(TEN_SPADES, seat="2", auction="9NT"), convention=replace(
        load_convention("sochi"), talon_bonus="off"))
    found = talon_map(bare, LEAST_DEALS)
    assert {one.contract.level for one in found.talons} == {10}
    assert [one.ev for one in found.talons] == pytest.approx([200 / 3] * ALL_TALONS)
    assert [one.p_make for one in found.talons] == pytest.approx([1.0] * ALL_TALONS)


def test_the_ace_of_diamonds_is_worth_more_than_the_eight(talons: TalonMap) -> None:
    table = talons.to_frame()
    mean = {card: table[(table["first"] == card) | (table.second == card)].ev.mean()
            for card in ("DA", "D8", "H7")}
    assert mean["DA"] > mean["D8"] + 10 > mean["H7"] + 10


def test_a_map_starts_at_the_lowest_game_that_may_be_called() -> None:
    found = talon_map(record(HAND, seat="2", auction="7H"), LEAST_DEALS)
    assert str(found.lowest) == "7NT"
    assert min(one.contract.level for one in found.talons) >= 7


# --- tricks ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["tricks", "tricks of twelve"])
def test_a_column_for_every_chance_worth_showing(name: str) -> None:
    chances: TrickChances = result(name)
    ax = plot_tricks(chances)
    columns = [bar for one in ax.containers if isinstance(one, BarContainer) for bar in one]
    shown = [(one, k) for one in chances.contracts for k in range(11) if one.chances[k] >= 0.005]
    assert len(columns) == len(shown)
    for column, (one, k) in zip(columns, shown, strict=True):
        assert column.get_x() + column.get_width() / 2 == pytest.approx(k)
        assert (column.get_hatch() is None) == (k >= one.contract.level)
    tallest = max(max(one.chances) for one in chances.contracts)
    heights = [column.get_height() * tallest / 0.68 for column in columns]
    assert heights == pytest.approx([one.chances[k] for one, k in shown])
    for label, one in zip(labels(ax), chances.contracts, strict=True):
        assert label.startswith(one.contract.label())


@pytest.mark.parametrize("name", ["tricks", "tricks of twelve"])
def test_chances_add_up(name: str) -> None:
    chances: TrickChances = result(name)
    for one in chances.contracts:
        assert sum(one.chances) == pytest.approx(1)
        assert one.mean.mean == pytest.approx(sum(k * p for k, p in enumerate(one.chances)))
        assert one.p_make.mean == pytest.approx(sum(one.chances[one.contract.level:]))
        assert all(error >= 0 for error in one.errors)
    table = chances.to_frame()
    assert len(table) == 11 * len(chances.contracts)
    assert table.share.max() <= 1 + 1e-9


def test_twelve_cards_show_the_plays_of_the_answer() -> None:
    chances: TrickChances = result("tricks of twelve")
    advice = advise(twelve(), deals=DEALS, evaluator="fitted")
    by_name = {option.name: option for option in advice.options}
    strains = set()
    for one in chances.contracts:
        option = next(option for option in by_name.values()
                      if (option.contract, option.discard) == (one.contract, one.discard))
        assert option.tricks == pytest.approx(one.chances)
        assert option.ev == pytest.approx(one.ev.mean)
        assert option.se == pytest.approx(one.ev.se)
        strains.add(one.contract.strain)
    assert len(strains) == len(chances.contracts) == 5
    best = chances.contracts[0]
    assert (best.contract, best.discard) == (advice.best.contract, advice.best.discard)


def test_contracts_declared_are_those_of_the_map() -> None:
    """Both buy at six spades and choose talon by talon on the same deals."""
    chances: TrickChances = result("tricks")
    table: pd.DataFrame = result("talon").to_frame()
    shares = table.groupby("contract").share.sum()
    assert shares[str(chances.contracts[0].contract)] > shares.max() - 0.08
    for one in chances.contracts:
        assert one.share == pytest.approx(shares.get(str(one.contract), 0.0), abs=0.08)


# --- discards -------------------------------------------------------------------------------------

def test_a_bar_for_every_discard() -> None:
    choice: DiscardChoice = result("discards")
    ax = plot_discards(choice)
    (bars,) = (one for one in ax.containers if isinstance(one, BarContainer))
    assert len(bars) == len(choice.plays) == LISTED
    assert [bar.get_width() for bar in bars] == pytest.approx(
        [-one.behind for one in choice.plays])
    assert labels(ax) == [format_hand(one.discard) for one in choice.plays]
    assert ax.yaxis_inverted()


def test_discards_are_the_best_of_all_and_the_answers() -> None:
    choice: DiscardChoice = result("discards")
    advice = advise(twelve(), deals=DEALS, evaluator="fitted")
    assert choice.contract == advice.best.contract
    assert choice.plays[0].discard == advice.best.discard
    known = {one.discard: one.ev for one in advice.options if one.contract == choice.contract}
    for one in choice.plays:
        assert one.ev == pytest.approx(known.get(one.discard, one.ev))
    losses = choice.to_frame().behind
    assert losses[0] == 0
    assert losses.is_monotonic_decreasing


# --- the lead -------------------------------------------------------------------------------------

def test_a_row_for_every_strain() -> None:
    worth: LeadWorth = result("lead")
    ax = plot_lead(worth)
    assert labels(ax) == ["♠", "♣", "♦", "♥", "NT"]
    own, other = (one.lines[0].get_xdata() for one in ax.containers)
    assert list(own) == pytest.approx([one.own.mean for one in worth.strains])
    assert list(other) == pytest.approx([one.other.mean for one in worth.strains])
    assert len([text for text in words(ax) if "whists" in text and "tricks" in text]) == 5


def test_the_lead_adds_up_and_helps() -> None:
    worth: LeadWorth = result("lead")
    for one in worth.strains:
        assert one.gain.mean == pytest.approx(one.own.mean - one.other.mean)
        assert one.gain.mean > -3 * one.gain.se - 0.02
        assert one.gain.se < one.own.se + one.other.se
    no_trump = worth.strains[-1]
    assert no_trump.gain.mean > 1
    assert no_trump.net_gain.mean > 5


def test_the_seat_does_not_change_what_each_lead_brings() -> None:
    """Clubs and hearts alike, the talon known: third hand meets the next player's lead."""
    asked = {"talon": "♦A ♥J", "hand": HAND}
    first = lead_worth(record(**asked), DEALS)
    third = lead_worth(record(**asked, seat="3", auction="pass pass 6S"), DEALS)
    for one, two in zip(first.strains[:1], third.strains[:1], strict=True):
        assert one.own.mean == pytest.approx(two.own.mean, abs=0.1)
        assert one.other.mean == pytest.approx(two.other.mean, abs=0.1)
