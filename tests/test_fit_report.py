"""The error report of the fitted tables, at a small size."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from advisor.cards import parse_cards
from advisor.cli import app
from advisor.errors import InputError
from advisor.fitting import ablation, errors, regression, regret
from advisor.fitting import report as writing
from advisor.fitting.command import REPORT_SEED
from advisor.fitting.sample import SolvedDeals, solve_chunk
from advisor.paths import data_path


@pytest.fixture(scope="module")
def deals() -> SolvedDeals:
    return solve_chunk(31, 0, 1_500)


def test_errors_are_those_of_the_estimates(deals: SolvedDeals) -> None:
    groups = errors.measure(deals)
    assert sum(group.deals for group in groups) == len(deals)
    found = errors.estimates(deals)
    for name in errors.EVALUATORS:
        square = sum(group.rmse[name] ** 2 * group.deals for group in groups) / len(deals)
        assert square == pytest.approx(np.mean((found[name][0] - deals.tricks) ** 2))
        bias = sum(group.bias[name] * group.deals for group in groups) / len(deals)
        assert bias == pytest.approx(np.mean(found[name][0] - deals.tricks))
    for group in groups:
        loss = group.log_loss
        assert 0 < loss["fitted"] < loss["guide"] < 2
        assert loss["fitted"] < loss["always the same"] < np.log(2) + 1e-9


def test_features_are_valued_on_deals_kept_out(
    deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With tricks drawn by lot nothing can be learnt, and more features only look like it."""
    monkeypatch.setattr(regression, "ITERATIONS", 5)
    rng = np.random.default_rng(1)
    lot = rng.integers(0, 11, len(deals)).astype(np.int8)
    noise = SolvedDeals(deals.hands, deals.strain, deals.leader, deals.kind, lot)
    steps = ablation.measure(noise)
    assert [step.game for step in steps] == ["trumps"] * 7 + ["no trump"] * 8
    assert min(step.others for step in steps) > 0.85 * lot.std()


@pytest.mark.parametrize("group", regret.GROUPS)
def test_regret_is_measured_against_exact(group: str) -> None:
    measured = regret.measure(group, 3, 20, 5)
    found = {one.evaluator: one for one in measured.by_evaluator}
    assert set(found) == {"guide", "coarse", "fitted", "exact"}
    assert (found["exact"].loss, found["exact"].se, found["exact"].other) == (0, 0, 0)
    for one in found.values():
        assert one.hindsight >= 0
        assert one.hindsight == pytest.approx(found["exact"].hindsight + one.loss)
    assert measured == regret.measure(group, 3, 20, 5)
    assert (measured.seen == 3) == (group == "trumps")


def hand(text: str) -> regret.Hand:
    return regret.Hand(parse_cards(text), 1, 1)


@pytest.mark.parametrize(("text", "strain"), [
    ("♠AKQ ♣AKQ ♦AK7 ♥AK7", 4), ("♠AKQJ1098 ♣A7 ♦A7 ♥8", 0), ("♠7 ♣AKQJ10 ♦A98 ♥A98", 1),
])
def test_the_best_strain_of_clear_hands(text: str, strain: int) -> None:
    assert regret.best_strain(hand(text), 20, np.random.default_rng(1)) == strain


def test_hands_in_no_trump_are_found_by_solved_tricks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hand that solved tricks want in no trump is taken, none else, whatever the guide."""
    drawn: list[tuple[regret.Hand, bool]] = []

    def every_third(hand: regret.Hand, layouts: int, rng: np.random.Generator) -> int:
        assert layouts == 5
        drawn.append((hand, len(drawn) % 3 == 2))
        return 4 if drawn[-1][1] else len(drawn) % 4

    measured: list[regret.Hand] = []
    one = regret._one

    def noted(hand: regret.Hand, layouts: int, rng: np.random.Generator) -> Any:
        measured.append(hand)
        return one(hand, layouts, rng)

    monkeypatch.setattr(regret, "best_strain", every_third)
    monkeypatch.setattr(regret, "_one", noted)
    found = regret.measure("no trump", 2, 10, 5)
    assert found.seen == len(drawn) == 6
    assert measured == [hand for hand, taken in drawn if taken]


def test_the_report_says_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression, "ITERATIONS", 3)
    text = writing.report(300, 9, 1, tmp_path, hands=2, layouts=10, tried=300, size=150)
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    assert f"({told['deals']:,} deals, seed {told['seed']}" in text
    assert "--deals 300 --seed 9" in text
    assert len(list(tmp_path.glob(f"*seed{9 + REPORT_SEED}*"))) == 2
    fresh = writing.Store(tmp_path, 9 + REPORT_SEED, 150).load_all(2)
    for part in errors.measure(fresh):
        assert f"| {part.group} | {part.deals} | {part.bias['guide']:+.3f} |" in text
    for group in regret.GROUPS:
        measured = regret.measure(group, 2, 10, 9 + REPORT_SEED)
        assert f"of {measured.seen:,} hands" in text or group == "trumps"
        for one in measured.by_evaluator:
            assert f"| {group} | {one.evaluator} | {one.loss:.2f} ± {one.se:.2f} |" in text
    assert text.endswith("|\n")
    assert len(re.findall(r"^\| (?:trumps|no trump) \|", text, re.MULTILINE)) == 15 + 8


def test_the_shipped_report_is_of_the_shipped_tables() -> None:
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    text = (Path(__file__).parents[1] / "docs/fitted_tables.md").read_text(encoding="utf-8")
    assert (f"({told['deals']:,} deals, seed {told['seed']}, {told['date']}, commit "
            f"{told['commit']})") in text


def test_the_tables_cost_less_than_a_whist() -> None:
    """In the shipped report, in both groups of hands, and less than the guide."""
    text = (Path(__file__).parents[1] / "docs/fitted_tables.md").read_text(encoding="utf-8")
    for group in regret.GROUPS:
        loss = {name: float(number) for name, number in re.findall(
            rf"^\| {group} \| (\w+) \| (-?[0-9.]+) ± ", text, re.MULTILINE)}
        assert loss["fitted"] < 1 < loss["guide"]


def test_tables_are_not_measured_on_their_own_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(writing, "REPORT_SEED", 0)
    with pytest.raises(InputError, match="fitted to the deals of seed"):
        writing.report(10, told["seed"], 1, tmp_path, size=10)


def test_a_report_without_a_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["fit-tables", "--work", str(tmp_path / "work"), "--report",
                                     str(tmp_path / "none" / "report.md")])
    assert found.exit_code == 2
    assert "nothing can be written here: no such folder" in found.output
    assert not (tmp_path / "work").exists()
