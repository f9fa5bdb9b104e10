"""``advisor misere``: saving cards, chances, worth, and the report in all its forms."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.container import BarContainer
from typer.testing import CliRunner

from advisor.advice import misere
from advisor.advice.decide import advise, sample_deals
from advisor.advice.folds import each_fold
from advisor.advice.misere import study_misere
from advisor.advice.misere_report import MisereReport
from advisor.advice.saving import chance_of_one, saving_cards
from advisor.cards import format_hand, parse_cards
from advisor.cli import app
from advisor.records.hand import parse_hand
from advisor.show.misere import plot_misere, print_misere
from advisor.tricks.misere_game import MODELS, share_error
from advisor.tricks.solver import caught_deals
from advisor.tricks.sure import sure_zero

HANDS = Path(__file__).parents[1] / "data" / "hands"
TALON = "hand: ♠710 ♣789 ♦7810 ♥78\nseat: 2\nauction: pass misere pass\ntalon: ♠K ♥Q"

# Published counts. review-pref.ru/school/145/4 counts clean hands, Lesnoy (appendix 2, table 1)
# also a lone eight; both print the chance that one of the cards comes.
SEVEN = [
    ("♠10987 ♣10987 ♦7 ♥Q", "♠AKQJ ♣AKQJ ♦98 ♥7", 0.76),
    ("♠KQJ10987 ♣7 ♦7 ♥Q", "♠A ♣98 ♦98 ♥7", 0.48),
]
LESNOY = [("♠KJ987 ♣J987 ♦A", 11, 0.76), ("♠KQJ10987 ♣7 ♦K7", 7, 0.55),
          ("♠AKQJ10987 ♣K7", 6, 0.48)]


@pytest.fixture(scope="module")
def twelve() -> MisereReport:
    return study_misere(parse_hand(TALON), deals=80)


@pytest.fixture(scope="module")
def ten() -> MisereReport:
    return study_misere(parse_hand("♠7Q ♣789 ♦78 ♥7810"), deals=462)


# Saving cards


@pytest.mark.parametrize(("hand", "cards", "chance"), SEVEN)
def test_saving_cards_as_published(hand: str, cards: str, chance: float) -> None:
    saving = saving_cards(parse_cards(hand))
    assert format_hand(saving.cards) == cards
    assert saving.chance == pytest.approx(chance, abs=0.005)
    assert saving.clean >= saving.chance - 1e-12
    assert saving.rule_of_seven == (saving.cards.bit_count() >= 7)


@pytest.mark.parametrize(("hand", "number", "chance"), LESNOY)
def test_lesnoy_counts_lone_eights(hand: str, number: int, chance: float) -> None:
    saving = saving_cards(parse_cards(hand))
    assert saving.eights.bit_count() == number
    assert saving.eights_chance == pytest.approx(chance, abs=0.005)
    assert saving.cards & ~saving.eights == 0


def test_two_cards_may_save_together() -> None:
    saving = saving_cards(parse_cards("♠987 ♣987 ♦87 ♥QJ"))
    assert saving.cards == 0
    assert saving.chance == 0
    assert saving.clean > 0.3


@pytest.mark.parametrize(("number", "chance"), [
    (0, 0), (1, 0.0909), (5, 0.4113), (6, 0.4805), (7, 0.5455), (11, 0.7619), (22, 1)])
def test_chance_of_one(number: int, chance: float) -> None:
    assert chance_of_one(number) == pytest.approx(chance, abs=5e-5)


# The report


def test_twelve_cards(twelve: MisereReport) -> None:
    third, own = twelve.leads
    assert (third.leader, own.leader) == (2, 0)
    assert twelve.saving is None
    for lead in twelve.leads:
        assert lead.models is not None
        assert lead.values["open"] <= lead.values["hidden"] + 1e-9 <= lead.values["obvious"] + 2e-9
        assert lead.low <= lead.values["hidden"] + 1e-9
    assert twelve.game is None  # a misère that is won must be played


def test_ten_cards(ten: MisereReport) -> None:
    own, other = ten.leads
    assert (own.leader, other.leader) == (0, 1)
    for lead in ten.leads:
        assert lead.models is None
        assert lead.stands is not None
        assert lead.stands < 0.4 < 0.8 < lead.values["open"]
    by_guide = advise(parse_hand("♠7Q ♣789 ♦78 ♥7810"), deals=5_000, evaluator="guide").options
    assert ten.passing in by_guide
    assert ten.game in by_guide


def test_expected_score_lies_between_failed_and_made(ten: MisereReport) -> None:
    made = 200 / 3  # Sochi, three players: ten in the pool (rules.md 5.4)
    for lead in ten.leads:
        for model in MODELS:
            chance = lead.values[model]
            assert chance * made - (1 - chance) * 10 * made <= lead.ev[model] <= made + 1e-9


def test_a_clean_hand_is_certain() -> None:
    report = study_misere(parse_hand("♠79J ♣78J ♦78 ♥79"), deals=231)
    assert all(lead.values["open"] == 1 and lead.stands == 1 for lead in report.leads)
    assert report.holes == 0


def test_same_seed_same_answer(twelve: MisereReport) -> None:
    again = study_misere(parse_hand(TALON), deals=80, threads=1)
    assert again.leads == twelve.leads
    other = study_misere(parse_hand(TALON), deals=80, seed=2)
    assert other.leads != twelve.leads


def test_the_calls_heard_weigh(twelve: MisereReport, ten: MisereReport) -> None:
    assert twelve.effective < twelve.deals == 80
    assert ten.effective == ten.deals == 462
    record = parse_hand("hand: ♠7Q ♣789 ♦78 ♥7810\nseat: 2\nauction: 6S")
    report = study_misere(record, deals=462)
    deals = sample_deals(record, 462, np.random.default_rng(1))
    for lead in report.leads:
        hands = deals.hands[:, :, [1, 2, 0]].reshape(-1, 3)
        made = ~caught_deals(hands, lead.leader).reshape(deals.weight.shape)
        assert lead.stands == pytest.approx(np.average(made, weights=deals.weight))
        assert lead.stands != pytest.approx(made.mean(), abs=1e-5)
    assert report.effective == pytest.approx(deals.ess)


def test_a_report_as_a_table(twelve: MisereReport, ten: MisereReport) -> None:
    table = twelve.to_frame()
    lead = twelve.leads[0]
    assert lead.models is not None
    whole = table[(table.leader == "third") & (table.discard == "")].set_index("model")
    assert whole.chance.to_dict() == lead.values
    assert whole.ev.to_dict() == lead.ev
    single = table[(table.leader == "third") & (table.discard != "")]
    assert len(single) == len(MODELS) * len(lead.models.discards)
    assert single[single.model == "hidden"].chance.tolist() == list(lead.models.hidden)
    assert single.ev.isna().all()
    assert len(ten.to_frame()) == len(MODELS) * len(ten.leads)


def test_json(twelve: MisereReport, ten: MisereReport) -> None:
    found = json.loads(json.dumps(twelve.to_json()))
    assert set(found["models"]) == set(MODELS)
    assert found["leads"][0]["leader"] == "third"
    assert sum(d["mixture"] for d in found["leads"][0]["discards"]) == pytest.approx(1, abs=1e-3)
    found = json.loads(json.dumps(ten.to_json()))
    assert found["saving"]["number"] == len(found["saving"]["cards"]) == 13
    assert found["suits"][0] == {"suit": "S", "holding": "Q7", "clean": False,
                                 "printed_other_lead": [0.95], "printed_own_lead": [1.0]}


def test_text(twelve: MisereReport, ten: MisereReport) -> None:
    text = shown(twelve)
    for word in ("(a) discard seen", "(b) discard hidden", "(c) obvious discard assumed",
                 "first hand leads", "if it were your lead", "played in (b)"):
        assert word in text
    assert "80 layouts (effective " in text
    text = shown(ten)
    assert "Talon cards that save it: ♠98" in text
    assert "Rule of seven" in text
    assert "as it stands" in text
    assert "your lead" in text
    assert "if second hand led" in text


def test_a_clean_hand_needs_no_saving() -> None:
    text = shown(study_misere(parse_hand("♠79J ♣78J ♦78 ♥79"), deals=462))
    assert "Clean as it stands" in text
    assert "save it" not in text
    assert "Rule of seven" not in text


def test_every_discard_of_an_even_mixture_is_marked(twelve: MisereReport) -> None:
    lead = twelve.leads[0]
    models = lead.models
    assert models is not None
    mixture = (1 / 3, 1 / 3 + 1e-9, 1 / 3 - 1e-9, *(0.0,) * (len(models.mixture) - 3))
    even = replace(lead, models=replace(models, mixture=mixture))
    assert shown(replace(twelve, leads=(even,))).count("▶") == 3


def test_a_game_to_compare_with_names_its_discard() -> None:
    record = parse_hand("hand: ♠7J ♣789 ♦789 ♥79\nauction: 6S pass pass\ntalon: ♠K ♦A")
    report = study_misere(record, deals=20)
    assert re.search(r"^\d\S+, discard ♠7 ♣7 ", shown(report), re.MULTILINE)


def test_russian_text(twelve: MisereReport, ten: MisereReport) -> None:
    for report in (twelve, ten):
        text = shown(report, "ru")
        assert "(б) снос скрыт" in text
        assert not re.search("[a-z]{3}", text)


def shown(report: MisereReport, lang: str = "en") -> str:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    print_misere(report, "ru" if lang == "ru" else "en", out)
    out.flush()
    return raw.getvalue().decode()


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_hand_and_its_situation_stand_on_two_lines(twelve: MisereReport, lang: str) -> None:
    lines = shown(twelve, lang).splitlines()
    assert "\\n" not in "".join(lines)
    assert lines[0].startswith("♠ ")
    assert "♥" in lines[0]
    assert " · " in lines[1]


def test_picture(twelve: MisereReport, ten: MisereReport) -> None:
    for report, groups in ((twelve, 7), (ten, 2)):
        ax = plot_misere(report)
        assert len(ax.get_yticks()) == groups
        assert len(ax.patches) == 3 * groups


def test_no_error_bar_where_no_error_is_known(twelve: MisereReport) -> None:
    bars = [one for one in plot_misere(twelve).containers if isinstance(one, BarContainer)]
    assert [drawn_errors(one) for one in bars] == [7, 1, 1]


def drawn_errors(bars: BarContainer) -> int:
    return sum(len(line) == 2 and bool(np.isfinite(line).all())
               for line in bars.errorbar.lines[2][0].get_segments())


# What it does not know


def test_what_never_failed_in_a_few_layouts_is_not_certain() -> None:
    report = study_misere(parse_hand("hand: ♠K1087 ♣789 ♦7810 ♥Q8\nseat: 1"), deals=8)
    for lead in report.leads:
        models = lead.models
        assert models is not None
        gone = np.array(models.discards, np.uint32)
        sure = sure_zero(np.uint32(models.twelve) & ~gone, gone, lead.leader == 0)
        assert 0 < sure.sum() < len(sure)
        assert {0.0, 1.0} & set(np.array(models.open)[~sure])
        assert ((np.array(models.open_error) > 0.04) == ~sure).all()


@pytest.mark.parametrize(("made", "number"), [(0.0, 1), (0.0, 20), (1.0, 20), (1.0, 1000)])
def test_a_share_of_none_or_all_has_an_error(made: float, number: int) -> None:
    assert 0.5 / (number + 2) < share_error(made, number) < 2 / (number + 1)


def test_the_error_of_a_share_is_the_binomial_one() -> None:
    assert share_error(np.array([0.5, 0.2]), 100) == pytest.approx([0.05, 0.04])


@pytest.mark.parametrize(("more", "allowed"), [
    ("seat: 1", True), ("seat: 2\nauction: 8H", True), ("seat: 2\nauction: 9S", False),
    ("seat: 3\nauction: pass misere", False), ("talon: ♥AK", True),
    ("auction: misere pass pass\ntalon: ♥AK", True), ("auction: 6S pass pass\ntalon: ♥AK", False)])
def test_a_misere_that_is_not_allowed_is_told(more: str, allowed: bool) -> None:
    report = study_misere(parse_hand(f"hand: ♠7 ♣789 ♦78910 ♥78\n{more}"), deals=1)
    assert report.allowed is allowed
    assert report.to_json()["allowed"] is allowed
    assert ("misère is not allowed" in shown(report)) is not allowed
    assert ("мизер сыграть нельзя" in shown(report, "ru")) is not allowed


# The command


def test_command(tmp_path: Path) -> None:
    picture = tmp_path / "misere.png"
    hand = str(HANDS / "misere_talon.txt")
    run = CliRunner().invoke(app, ["misere", hand, "--json", "--deals", "40", "--seed", "3",
                                   "--plot", str(picture)])
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["seed"] == 3
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize("arguments", [
    ["misere", "no-such-file.txt"], ["misere", str(HANDS / "misere.txt"), "--deals", "0"],
    ["misere", str(HANDS / "misere.txt"), "--plot", "picture.bmp"],
    ["misere-holes", "--out", "no/such/folder.csv"],
    ["misere-holes", "--out", "holes.csv", "--shape", "round"],
])
def test_bad_input(arguments: list[str]) -> None:
    run = CliRunner().invoke(app, arguments)
    assert run.exit_code == 2
    assert "Traceback" not in run.output


def test_before_the_talon_a_discard_is_chosen_half_on_other_layouts(monkeypatch):
    """Whether a misère is clean is the toss of a coin: apart half are, together more."""
    ten = parse_cards("♠8JK ♣9Q ♦79K ♥8A")
    record = parse_hand(f"hand: {format_hand(ten)}")
    deals = sample_deals(record, 231 * 8, np.random.default_rng(2))
    rng = np.random.default_rng(3)
    tossed = {}

    def toss(twelve, discards, hands, leader, threads):
        tossed[twelve] = rng.random((len(hands), len(discards))) < 0.5
        return ~tossed[twelve]

    monkeypatch.setattr(misere, "open_catches", toss)
    monkeypatch.setattr(misere, "PRIOR", 0.0)
    free, _ = misere._by_talon(ten, deals, deals.hands[:, :, [1, 2]], 0, None)
    apart, together = [], []
    for row, talon in enumerate(deals.talon):
        if (made := tossed.get(ten | int(talon))) is None:
            continue
        told = np.empty(len(made))
        for _, part in each_fold(len(made)):
            told[part] = made[part][:, made[~part].sum(axis=0).argmax()]
        best = made.sum(axis=0).argmax()
        np.testing.assert_allclose(free[row], (told + made[:, best]) / 2)
        apart.append(told.mean())
        together.append(made[:, best].mean())
    assert len(apart) > 100
    assert abs(np.mean(apart) - 0.5) < 3 * np.std(apart) / len(apart) ** 0.5
    assert np.mean(together) > 0.7
