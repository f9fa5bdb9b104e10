"""The best option's score taken apart."""

import io
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.decide import advise, sample_deals
from advisor.advice.discarding import listed_options, listed_plays, record_games
from advisor.advice.payoff import DOUBTED, UNPLAYED, Pattern
from advisor.advice.results import Advice, Ending, TalonCard, Why
from advisor.advice.why import why_play
from advisor.cards import parse_cards
from advisor.language import Lang
from advisor.records.hand import parse_hand
from advisor.show.why import print_why, why_rows
from advisor.tricks.solver import solve_deals

HAND = "♠AKQ98 ♣A8 ♦K107"
TWELVE = "hand: ♠AKQ98 ♣A8 ♦AK107 ♥J"
SECOND = "hand: ♠98 ♣AK ♦AQJ1097\nseat: 2\nauction: 6S"
QUESTIONS = {"opening": HAND, "second": SECOND, "twelve": TWELVE,
             "misère": "♠J97 ♣J87 ♦87 ♥97", "pass": "♠K87 ♣KQ8 ♦J97 ♥8"}
FEW = {"guide": 2000, "fitted": 2000, "auto": 462, "exact": 100}


def why(advice: Advice) -> Why:
    assert advice.why is not None
    return advice.why


@pytest.fixture(scope="module", params=[(question, evaluator) for question in QUESTIONS
                                        for evaluator in ("guide", "fitted")]
                + [("opening", "auto"), ("twelve", "auto"), ("second", "exact")],
                ids="-".join)
def advice(request: pytest.FixtureRequest) -> Advice:
    question, evaluator = request.param
    return advise(QUESTIONS[question], deals=FEW[evaluator], evaluator=evaluator)


def test_the_parts_add_up_to_the_score(advice: Advice) -> None:
    endings = why(advice).endings
    assert sum(one.share for one in endings) == pytest.approx(1.0)
    mean = sum(one.share * one.net for one in endings)
    assert mean + why(advice).change == pytest.approx(advice.best.ev, abs=1e-6)


def test_only_auto_is_changed_by_solving(advice: Advice) -> None:
    assert (abs(why(advice).change) > 1e-6) == (advice.evaluator == "auto")


def test_endings_agree_with_what_becomes_of_the_call(advice: Advice) -> None:
    endings = {one.end: one.share for one in why(advice).endings}
    for end in ("all-pass", "you whist", "you pass"):
        assert endings.get(end, 0.0) == pytest.approx(advice.best.becomes.get(end, 0.0))


def test_tricks_are_those_of_the_plays_declared(advice: Advice) -> None:
    best = advice.best
    if best.call is not None and not best.call.is_game:
        return
    assert best.solved == (advice.evaluator == "auto")
    mean = best.mean_tricks if best.tricks is None else np.dot(best.tricks, np.arange(11))
    assert why(advice).tricks == pytest.approx(mean)


def test_a_missing_ace_is_the_best_talon_card() -> None:
    found = why(advise("♠KQJ10987 ♣AK ♦7", deals=462 * 4, evaluator="fitted"))
    assert found.talon[0].card in (7, 23)  # the ace of spades or of diamonds
    assert 7 in [one.card for one in found.talon]
    assert found.talon[0].gain > 3 * found.talon[0].se


def test_no_talon_cards_once_the_talon_is_known() -> None:
    assert why(advise(TWELVE, deals=200, evaluator="fitted")).talon == ()


@pytest.mark.parametrize(("cards", "chance"), [(1, 21 / 231), (5, 95 / 231), (2, 41 / 231)])
def test_the_chance_that_one_of_some_cards_comes(cards: int, chance: float) -> None:
    helpers = tuple(TalonCard(card, 1.0, 0.1) for card in range(cards))
    assert Why((), 0.0, helpers, None, None, None).talon_chance == pytest.approx(chance)


def test_a_hand_that_leads_itself_to_every_trick_gains_nothing_by_the_lead() -> None:
    sure = why(advise("hand: ♠AKQJ10987 ♣AK ♦AK\nauction: 6S pass pass", deals=200,
                      evaluator="fitted")).lead
    assert sure is not None
    assert abs(sure[0]) < 0.25


def test_the_worth_of_the_lead_is_near_what_solving_both_leads_gives() -> None:
    record = parse_hand("hand: ♠AKQ98 ♣AQ ♦AQ ♥AQ7\nauction: 6S pass pass")
    advice = advise(record, deals=400, evaluator="fitted", seed=2)
    best, (gain, error) = advice.best, why(advice).lead or (0.0, 0.0)
    hands = sample_deals(record, 400, np.random.default_rng(2)).hands[0].copy()
    hands[:, 0] = record.cards ^ best.discard
    assert best.contract is not None
    mine, other = (solve_deals(hands, best.contract.strain, leader) for leader in (0, 1))
    assert abs(gain - np.mean(mine.astype(int) - other)) < 0.2 + 2 * error


@pytest.mark.parametrize(("lang", "made", "down"), [("en", "7 made", "down 3 or more"),
                                                    ("ru", "7 сыграно", "без 3 и хуже")])
def test_rows_in_words(lang: Lang, made: str, down: str) -> None:
    parts = Why((Ending("made 7", 0.9, 12.0), Ending("down 3", 0.0996, -90.0),
                 Ending("misere caught", 0.0004, -50.0)), 0.0, (), None, None, None)
    rows = why_rows(parts, lang)
    assert rows[0] == [made, "90 %", "+12.0"]
    assert rows[1] == [down, "10 %", "−90.0"]
    assert rows[2][1:] == ["<1 %", "−50.0"]


@pytest.mark.parametrize("hand", ["hand: ♠AKQ98 ♣A87 ♦K107 ♥J", TWELVE])
def test_the_next_best_discard_is_named_with_its_cost(hand: str) -> None:
    advice = advise(hand, deals=400, evaluator="fitted")
    out = io.StringIO()
    print_why(advice, file=out)
    other = next(o for o in advice.options[1:] if o.contract == advice.best.contract)
    assert parse_cards(out.getvalue().split("Next best discard: ")[1].split(",")[0]) \
        == other.discard


@pytest.mark.parametrize("pattern", UNPLAYED)
def test_a_game_that_nobody_plays_out_is_told_apart(pattern: Pattern) -> None:
    record = parse_hand("hand: ♠AKQ98 ♣A87 ♦K107 ♥J\nconvention: leningrad")
    deals = sample_deals(record, 200, np.random.default_rng(1))
    games = record_games(record, deals, fitted=True)
    games = replace(games, pattern=np.full_like(games.pattern, pattern))
    listed = [play for play in listed_plays(record, games) if play[0] // 5 < DOUBTED]
    parts = why_play(games, listed, listed_options(games, listed))
    level = listed[0][0] // 5 + 6
    assert [one.end for one in parts.endings] == [f"unplayed {level}"]
    assert parts.endings[0].share == pytest.approx(1)


def test_brief_leaves_it_out() -> None:
    advice = advise(HAND, deals=200, evaluator="guide", why=False)
    out = io.StringIO()
    print_why(advice, file=out)
    assert (advice.why, out.getvalue()) == (None, "")
    assert advice.to_json()["why"] is None
