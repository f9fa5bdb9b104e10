"""Predictions against events: right ones agree, wrong ones do not, and the parts add up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from test_arena import SOCHI, command

from advisor.errors import InputError
from advisor.trials.calibrated import Coverage
from advisor.trials.calibration import run_calibration
from advisor.trials.reliability import measure, successes

# The sum of independent events


def test_equal_chances_give_the_binomial() -> None:
    found = successes(np.full(4, 0.25))
    assert found == pytest.approx(np.array([81, 108, 54, 12, 1]) / 256)


def test_unequal_chances_are_multiplied_out() -> None:
    assert successes(np.array([0.0, 1.0, 0.3])) == pytest.approx([0, 0.7, 0.3, 0])
    assert successes(np.array([0.2, 0.6])) == pytest.approx([0.32, 0.56, 0.12])


# Measuring


def simulated(bias: float, n: int, rng: np.random.Generator) -> tuple[int, int]:
    """Bins that agree, of the bins there are, when events are likelier by `bias` than told."""
    told = rng.uniform(0.1, 0.8, n)
    found = measure(told, rng.random(n) < told + bias)
    return found.inside, len(found.bins)


def test_right_predictions_agree_and_wrong_ones_do_not(rng: np.random.Generator) -> None:
    right = sum(simulated(0.0, 500, rng)[0] for _ in range(40))
    assert 0.93 * 400 <= right <= 400
    assert simulated(0.15, 2000, rng)[0] <= 3


def test_bins_are_filled_equally_by_rising_prediction(rng: np.random.Generator) -> None:
    told = rng.uniform(size=105)
    found = measure(told, rng.random(105) < told)
    assert sorted(one.count for one in found.bins) == [10] * 5 + [11] * 5
    assert all(one.high <= two.low for one, two in zip(found.bins, found.bins[1:], strict=False))
    assert found.overall.count == 105


def test_the_brier_score_splits_into_its_parts() -> None:
    told = np.repeat([0.25, 0.75], 4)
    happened = np.array([0, 0, 1, 1, 1, 1, 1, 1], dtype=bool)
    found = measure(told, happened, bins=2)
    assert found.reliability == pytest.approx(0.0625)
    assert found.resolution == pytest.approx(0.0625)
    assert found.uncertainty == pytest.approx(0.1875)
    assert found.brier == pytest.approx(found.reliability - found.resolution + found.uncertainty)


def test_certain_predictions_leave_no_room() -> None:
    sure = np.ones(20)
    assert measure(sure, np.ones(20, dtype=bool)).inside == 10
    one_failed = np.arange(20) != 7
    assert measure(sure, one_failed).inside == 9
    assert measure(sure, one_failed).overall.inside is False


def test_without_predictions_there_is_nothing_to_measure() -> None:
    with pytest.raises(ValueError, match="no predictions"):
        measure(np.empty(0), np.empty(0, dtype=bool))


def test_an_interval_contains_what_lies_within_both_errors() -> None:
    assert Coverage((10.0, 1.0, 11.9, 0.0), (-1.0, 0.3, -1.5, 0.4)).contains == (True, True)
    assert Coverage((10.0, 1.0, 12.1, 0.0), (-1.0, 0.3, -2.0, 0.4)).contains == (False, False)


# Hands


def test_trials_are_hands_that_bid() -> None:
    result, again = (
        run_calibration(4, SOCHI, evaluator="guide", deals=20, seed=3, coverage=2, long=3)
        for _ in range(2)
    )
    assert len(result.trials) == 4
    assert len(result.covered) == 2
    frame = result.to_frame()
    assert frame.equals(again.to_frame())
    assert not set(frame.call) & {"pass", "hold"}
    assert frame.p_bid.dropna().between(0, 1).all()
    assert frame.p_bid.count() >= 2  # nobody can tell of a call that is always outbid
    for trial in result.trials:
        if trial.contract is None or trial.tricks is None:
            assert trial.told is None
        elif trial.contract.is_game:
            assert trial.made == (trial.tricks >= trial.contract.level)
            assert trial.told is not None
            assert trial.told.contract == trial.contract
    declared = sum(trial.is_game for trial in result.trials)
    assert (result.declared.overall.count if result.declared else 0) == declared
    assert result.declares[1] == pytest.approx(frame.contract.notna().mean())


def test_an_interruption_keeps_the_hands_tried() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    result = run_calibration(3, SOCHI, evaluator="guide", deals=20, progress=stop)
    assert (len(result.trials), result.complete) == (1, False)


def test_the_others_have_to_be_known() -> None:
    with pytest.raises(InputError):
        run_calibration(1, SOCHI, others="nobody")


def test_the_command_prints_draws_and_writes(tmp_path: Path) -> None:
    csv, picture = tmp_path / "hands.csv", tmp_path / "curve.png"
    few = ("calibrate", "--hands", "2", "--evaluator", "guide", "--deals", "20", "--workers", "1")
    code, text = command(
        *few, "--csv", str(csv), "--plot", str(picture), "--coverage", "1", "--long", "2"
    )
    assert code == 0
    assert "2 hands that bid by guide" in text
    assert "Of 1 printed 95 % intervals" in text
    ends = re.findall(r"(\d+\.\d %) \.\. (\d+\.\d %)", text)
    assert all(low != high for low, high in ends)
    assert len(csv.read_text(encoding="utf-8").splitlines()) == 3
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, text = command(*few, "--json")
    assert (code, json.loads(text)["hands"]) == (0, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--hands", "0"),
        ("--evaluator", "rule"),
        ("--others", "nobody"),
        ("--long", "many"),
        ("--coverage", "-1"),
        ("--plot", "x.txt"),
    ],
)
def test_bad_requests_end_in_one_line(arguments: tuple[str, ...]) -> None:
    code, text = command("calibrate", *arguments)
    assert code == 2
    assert len(text.splitlines()) == 1


def test_an_error_that_is_not_told_is_not_tested():
    """Two layouts of one talon tell no error: no interval is printed, so none can miss."""
    found = run_calibration(2, SOCHI, evaluator="guide", deals=1, seed=3, coverage=2, long=2)
    assert found.covered == ()
    assert found.to_json()["coverage"] is None
