"""What the decisions of a session cost: against the advice itself, worst first."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt

import pytest
from typer.testing import CliRunner

import advisor.advice.review as module
from advisor.advice.decide import advise
from advisor.advice.review import (
    Reviewed,
    losses,
    review_frame,
    review_json,
    review_session,
    worst_first,
)
from advisor.cli import app
from advisor.errors import InputError
from advisor.records.hand import parse_hand
from advisor.records.session import parse_session
from advisor.show.review import print_review

TEN = "♠AKQ98 ♣A8 ♦K107\n"
TAKEN = TEN + "auction: 6S pass pass\ntalon: ♦A ♥J\n"
SESSION = f"{TEN}said: 6S\n---\n{TEN}said: pass\n---\n{TAKEN}said: 7S ♠A ♦7\n---\n{TEN}said: 8S\n"


def reviewed(text: str = SESSION, **options) -> list[Reviewed]:
    return list(
        review_session(
            parse_session(text, "s"), **({"deals": 400, "seed": 5, "evaluator": "guide"} | options)
        )
    )


def test_each_loss_is_the_distance_to_the_best() -> None:
    """The same as advising on each hand by itself, one seed after another."""
    found = reviewed()
    for number, one in enumerate(found):
        alone = advise(one.hand.record, deals=400, seed=5 + number, evaluator="guide")
        assert one.advice.options == alone.options
        (option,) = [o for o in alone.options if o.name == str(one.hand.said)]
        assert (one.lost, one.se) == (-option.behind, option.behind_se)
    assert found[0].is_best
    assert found[0].lost == found[0].se == 0
    assert min(one.lost for one in found[1:]) > 5


def test_worst_first_and_sums() -> None:
    found = reviewed()
    order = worst_first(found)
    assert [one.lost for one in order] == sorted((one.lost for one in found), reverse=True)
    sums = losses(found)
    assert (sums.count, sums.best) == (4, 1)
    assert sums.total == pytest.approx(sum(one.lost for one in found))
    assert sums.se == pytest.approx(sqrt(sum(one.se**2 for one in found)))
    assert (sums.mean, sums.mean_se) == (sums.total / 4, sums.se / 4)


def test_equal_losses_stay_in_the_order_of_the_file() -> None:
    found = reviewed(f"{TEN}said: 6S\n---\n{TEN}said: 6S\n")
    assert [one.hand.number for one in worst_first(found)] == [1, 2]


@pytest.mark.parametrize("evaluator", ["guide", "fitted", "exact", "auto"])
def test_a_bad_discard_is_valued_though_no_screen_lets_it_through(evaluator: str) -> None:
    """Throwing the ace and king of trumps: not among the plays that are looked at by themselves."""
    plain = advise(parse_hand(TAKEN), deals=60, evaluator=evaluator)
    assert "7S SA SK" not in [option.name for option in plain.options]
    (one,) = reviewed(f"{TAKEN}said: 7S ♠A ♠K", deals=60, evaluator=evaluator)
    assert one.option.name == "7S SA SK"
    assert one.lost > 20


def test_asking_about_a_play_changes_no_other() -> None:
    plain = advise(parse_hand(TAKEN), deals=400, seed=5, evaluator="guide")
    (one,) = reviewed(f"{TAKEN}said: 7S ♠A ♠K")
    assert [o for o in one.advice.options if o.name != "7S SA SK"] == list(plain.options)
    (one,) = reviewed(f"{TAKEN}said: 8S ♣8 ♥J")
    assert one.advice.options == plain.options


@pytest.mark.parametrize("evaluator", ["guide", "exact"])
def test_a_bad_discard_of_a_misere(evaluator: str) -> None:
    text = "hand: ♠710 ♣789 ♦7810 ♥78\nauction: misere pass pass\ntalon: ♠K ♥Q\n"
    (one,) = reviewed(f"{text}said: misere ♠7 ♣7", deals=60, evaluator=evaluator)
    assert one.option.name == "misere S7 C7"
    assert one.lost > 50


def test_a_contract_alone_counts_with_its_best_discard() -> None:
    (one,) = reviewed(f"{TAKEN}said: 7S")
    best = next(
        o
        for o in advise(parse_hand(TAKEN), deals=400, seed=5, evaluator="guide").options
        if str(o.contract) == "7S"
    )
    assert one.option == best


def test_a_loss_within_its_error_is_unsure() -> None:
    one = reviewed()[1]
    assert not one.is_unsure
    small = replace(one, option=replace(one.option, behind=-0.3, behind_se=0.2))
    assert small.is_unsure
    assert replace(one, option=replace(one.option, behind_se=float("nan"))).is_unsure
    assert not reviewed()[0].is_unsure


def test_what_was_said_must_be_an_option(monkeypatch) -> None:
    def without_passes(record, **options):
        advice = advise(record, deals=50, evaluator="guide")
        return replace(advice, options=tuple(o for o in advice.options if o.name != "pass"))

    monkeypatch.setattr(module, "advise", without_passes)
    with pytest.raises(InputError, match=r"s:4: 'pass' is not among the options; expected 6S"):
        reviewed()


def test_the_report(capsys) -> None:
    found = reviewed()
    print_review(found, 6, "en")
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0].split() == ["hand", "line", "cards", "said", "best", "EV", "lost,", "whists"]
    assert lines[1].split()[0] == str(worst_first(found)[0].hand.number)
    assert "the best choice in 1." in shown
    assert "Interrupted: 4 of 6 hands reviewed." in shown
    assert "not of the model" in shown
    print_review(found, 4, "ru")
    shown = capsys.readouterr().out
    assert "Потеряно в вистах" in shown
    assert "Прервано" not in shown


def test_notes_of_different_decisions_say_what_they_are_about(capsys) -> None:
    found = reviewed()
    assert {one.advice.decision for one in found} == {"bid", "declare"}
    print_review(found, 4, "en")
    shown = capsys.readouterr().out
    assert shown.count("\nCalls. ") == shown.count("\nContracts and discards. ") == 1
    print_review([one for one in found if one.advice.decision == "bid"], 1, "en")
    assert "Calls. " not in capsys.readouterr().out


def test_a_review_as_a_table() -> None:
    found = reviewed()
    table = review_frame(found[::-1])
    assert table.number.tolist() == [one.hand.number for one in found]
    assert table.lost.tolist() == pytest.approx([one.lost for one in found], abs=1e-4)
    assert (table.ev_best - table.ev).tolist() == pytest.approx(table.lost.tolist(), abs=1e-3)


def test_json() -> None:
    found = reviewed()
    told = json.loads(json.dumps(review_json(found, 4), allow_nan=False))
    assert (told["file"], told["unit"]) == ("s", "net whists")
    assert (told["hands"], told["reviewed"], told["best"]) == (4, 4, 1)
    assert [one["number"] for one in told["decisions"]] == [
        one.hand.number for one in worst_first(found)
    ]
    assert told["total"]["lost"] == pytest.approx(sum(one["lost"] for one in told["decisions"]))
    unknown = replace(found[1], option=replace(found[1].option, behind_se=float("nan")))
    assert review_json([unknown], 1)["total"]["se"] is None


# --- the command ----------------------------------------------------------------------------------


def run(*arguments: str, text: str = SESSION):
    return CliRunner().invoke(
        app, ["review", "-", "--deals", "100", "--evaluator", "guide", *arguments], input=text
    )


def test_the_command() -> None:
    found = run("--json", "--seed", "5")
    assert found.exit_code == 0
    told = json.loads(found.output)
    assert told["file"] == "<stdin>"
    assert sorted(one["seed"] for one in told["decisions"]) == [5, 6, 7, 8]
    assert found.output == run("--json", "--seed", "5").output
    assert "сказано" in run("--lang", "ru").output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--evaluator", "crystal"), "--evaluator: 'crystal' is not an evaluator"),
        (("--seconds", "3"), "--seconds: a time limit is only for the evaluator auto"),
        (("--evaluator", "auto", "--seconds", "x"), "--seconds: found 'x', expected a number"),
        (("--deals", "0"), "--deals: found '0', expected a whole number"),
        (("--seed", "x"), "--seed: found 'x'"),
        (("--convention", "moscow"), "--convention: 'moscow' is not a convention"),
    ],
)
def test_bad_options(arguments: tuple[str, ...], told: str) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert found.output.startswith(told)


def test_a_fault_in_the_file() -> None:
    found = run(text=f"{TEN}said: 6S\n---\n{TEN}said: 6Z")
    assert found.exit_code == 2
    assert found.output.startswith("<stdin>:5:7: no strain behind the level")


def test_ctrl_c_reports_what_was_done(monkeypatch) -> None:
    calls = []

    def interrupted(record, **options):
        calls.append(record)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return advise(record, deals=50, evaluator="guide")

    monkeypatch.setattr(module, "advise", interrupted)
    found = run()
    assert found.exit_code == 130
    assert "Interrupted: 2 of 4 hands reviewed." in found.output
    assert "stopped" in found.output
