"""Whist, pass or half-whist."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from advisor.advice import replies, whisting
from advisor.advice.decide import advise
from advisor.advice.defending import defended_tricks, kept_cards
from advisor.advice.habits import habits
from advisor.advice.payoff import Pattern
from advisor.advice.refining import ONE_TALON_ROUND
from advisor.advice.replies import outlook_in
from advisor.advice.replying import Replies
from advisor.advice.results import BOTH_WHIST_END, WHIST_END, Advice
from advisor.advice.whisting import whist_deals
from advisor.cards import parse_cards
from advisor.cli import app
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import load_convention
from advisor.rules.deal import DealResult, Reply
from advisor.rules.scoring import net_floats, score

EVALUATORS = ("guide", "fitted", "exact", "auto")


class Deaf:
    """A bidding model to whom all hands call alike."""

    def likelihood(self, hands, seat, auction):
        return np.ones(hands.shape)

    def limits(self, hands, seat, auction, rng):
        raise AssertionError


def record(hand: str, **keys: str) -> HandRecord:
    told = {"hand": hand, "seat": "2", "declarer": "1", "contract": "7H", "talon": "♠A ♣7", **keys}
    return parse_hand("\n".join(f"{key}: {value}" for key, value in told.items()))


FIRST = record("♠K97 ♣J98 ♦J98 ♥A")
SECOND = record("♠K97 ♣J98 ♦J98 ♥A", seat="3", whist="pass")
HEARD = record("♠K97 ♣J98 ♦J98 ♥A", seat="3", whist="whist")
FIVE = "♠AKQJ10 ♣987 ♦98"


def says(advice: Advice) -> dict[Reply, float]:
    return {option.reply: option.ev for option in advice.options}


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_five_certain_tricks_whist_a_six(evaluator):
    rec = record(FIVE, contract="6S", talon="♥A ♥K")
    advice = advise(rec, evaluator=evaluator, deals=400)
    assert advice.decision == "whist"
    assert advice.best.reply is Reply.WHIST
    assert advice.best.p_make == 0
    assert advice.best.mean_tricks <= 5
    assert advice.best.behind == 0
    assert advice.best.ev > 15


@pytest.mark.parametrize("evaluator", ["fitted", "exact"])
@pytest.mark.parametrize("keys", [
    {}, {"seat": "3", "whist": "whist"}, {"seat": "3", "whist": "pass"}])
def test_nothing_at_all_passes_an_eight(evaluator, keys):
    """Not asked of the guide, which does not see what the defender lacks."""
    rec = record("♠987 ♣987 ♦97 ♥97", contract="8S", talon="♠A ♣A", **keys)
    advice = advise(rec, evaluator=evaluator, deals=400)
    assert advice.best.reply is Reply.PASS


def test_what_may_be_said():
    said = {rec.seat: {option.reply for option in advise(rec, deals=300).options}
            for rec in (FIRST, SECOND)}
    assert said == {1: {Reply.WHIST, Reply.PASS}, 2: {Reply.WHIST, Reply.PASS, Reply.HALF}}
    assert len(advise(HEARD, deals=300).options) == 2
    high = record("♠K97 ♣J98 ♦J98 ♥A", seat="3", whist="pass", contract="8H")
    assert len(advise(high, deals=300).options) == 2


def test_the_first_is_asked_once_more_after_a_half_whist():
    asked = replace(FIRST, whist=Reply.HALF)
    options = {option.reply: option for option in advise(asked, deals=2000).options}
    assert set(options) == {Reply.WHIST, Reply.PASS}
    assert options[Reply.WHIST].becomes == {WHIST_END: pytest.approx(1)}
    assert options[Reply.PASS].se == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("contract", "name"), [("6S", "classic"), ("10H", "leningrad")])
def test_who_must_whist_has_one_option(contract, name):
    rec = replace(FIRST, convention=load_convention(name), contract=parse_contract(contract))
    options = advise(rec, deals=300).options
    assert [option.reply for option in options] == [Reply.WHIST]
    assert options[0].becomes == {BOTH_WHIST_END: pytest.approx(1)}


def test_both_defenders_of_an_obligatory_whist_expect_the_same():
    """The same cards left and right of the declarer, by the guide, which sees no order of play."""
    bound = replace(FIRST, convention=load_convention("classic"), contract=parse_contract("6S"))
    left, right = (advise(replace(bound, seat=seat), deals=184_756, evaluator="guide",
                          bidder=Deaf())
                   for seat in (1, 2))
    assert left.exhaustive
    assert right.best.ev == pytest.approx(left.best.ev, abs=1e-9)


@pytest.mark.parametrize("rec", [FIRST, SECOND, HEARD], ids=["first", "second", "heard"])
@pytest.mark.parametrize("evaluator", ["guide", "fitted"])
def test_other_suits_are_worth_the_same(rec, evaluator):
    order = [2, 0, 1, 3]  # hearts, the contract, stay
    deals = whist_deals(rec, 2000, np.random.default_rng(1), Deaf())
    turned = replace(deals, hands=moved(deals.hands, order), talon=moved(deals.talon, order))
    same = moved(kept_cards(deals, 0, 3), order) == kept_cards(turned, 0, 3)
    assert same.mean() > 0.9
    other = replace(rec, cards=int(moved(np.array([rec.cards]), order)[0]),
                    talon=int(moved(np.array([rec.talon]), order)[0]))
    values = []
    for asked, seen in ((rec, deals), (other, turned)):
        seen = replace(seen, weight=np.where(same, seen.weight, 0.0))
        chances, seen, _ = defended_tricks(asked.cards, seen, 0, 3, evaluator,
                                           np.random.default_rng(1))
        values.append({option.reply: option.ev
                       for option in Replies(asked, seen, chances).options(0)})
    assert values[0] == pytest.approx(values[1])


def moved(cards: np.ndarray, order: list[int]) -> np.ndarray:
    out = np.zeros(cards.shape, dtype=np.uint32)
    for suit, image in enumerate(order):
        out |= (cards.astype(np.uint32) >> np.uint32(8 * suit) & np.uint32(255)) << np.uint32(
            8 * image)
    return out


def test_weights_go_by_what_was_heard():
    """A first defender who whisted holds more, a declarer of seven hearts long hearts."""
    rng = np.random.default_rng
    passed, whisted = (whist_deals(rec, 4000, rng(1), Deaf()) for rec in (SECOND, HEARD))
    strain = np.full(passed.weight.shape, 3)
    expects = [np.average(outlook_in(deals.hands[:, :, 1], SECOND.talon, strain, 7).together,
                          weights=deals.weight) for deals in (passed, whisted)]
    assert expects[1] > expects[0] + 0.3
    hearts = np.bitwise_count(passed.hands[:, :, 0] & np.uint32(0xFF000000))
    assert np.average(hearts, weights=passed.weight) > 4
    assert (passed.weight > 0).all()
    assert (passed.hands[:, :, 2] == SECOND.cards).all()
    assert (passed.talon == SECOND.talon).all()


@pytest.mark.parametrize("rec", [
    SECOND, HEARD, FIRST,
    replace(SECOND, convention=load_convention("leningrad")),
    replace(HEARD, convention=load_convention("leningrad")),
    replace(SECOND, players=4), replace(HEARD, convention=load_convention("zhuk"), players=4)])
def test_every_deal_is_scored_as_the_rules_have_it(rec, monkeypatch):
    """Replies made hard, each deal settled by itself and averaged; the last word is left out."""
    monkeypatch.setattr(replies, "ODD", 0.0)
    monkeypatch.setattr(replies, "SOFTNESS", 1e-9)
    monkeypatch.setattr(whisting, "may_take_back", lambda convention: False)
    deals = whist_deals(rec, 60, np.random.default_rng(4), Deaf())
    chances, deals, _ = defended_tricks(rec.cards, deals, 0, 3, "exact", np.random.default_rng(1))
    tricks = chances.argmax(axis=-1)
    got = {option.reply: option.ev for option in Replies(rec, deals, chances).options(0)}
    for reply, ev in got.items():
        nets = [settled(rec, reply, deals.hands[0, j], int(tricks[0, j]))
                for j in range(deals.weight.shape[1])]
        assert ev == pytest.approx(np.average(nets, weights=deals.weight[0])), reply


def settled(rec: HandRecord, reply: Reply, hands: np.ndarray, tricks: int) -> float:
    usual = habits(rec.convention)
    mine, theirs = (outlook_in(np.array([hands[seat]]), rec.talon, np.array([3]), 7)
                    for seat in (rec.seat, 3 - rec.seat))
    x = float(theirs.together[0])
    if rec.seat == 1:
        heard = reply
        needs = usual.after_whist[0, 1] if reply is Reply.WHIST else usual.second[0, 1]
        answer = Reply.WHIST if x >= needs else Reply.PASS
        if reply is Reply.PASS and answer is Reply.PASS and x >= usual.half[0, 1]:
            answer = Reply.HALF
        said = (heard, answer)
    else:
        said = (rec.whist, reply)
        if said == (Reply.WHIST, Reply.PASS) and rec.convention.first_may_half \
                and x < usual.stand[0, 1]:
            said = (Reply.HALF, Reply.PASS)
    if Reply.WHIST not in said:
        splits = [None]
    else:
        left = 10 - tricks
        one, two = (mine, theirs) if rec.seat == 1 else (theirs, mine)
        first, second = float(one.own[0]), float(two.own[0])
        if first > 1.5 * second:
            shares = [round(left * 2 / 3)]
        elif second > 1.5 * first:
            shares = [round(left / 3)]
        else:
            shares = [left // 2, (left + 1) // 2]
        splits = [(tricks, share, left - share) for share in shares]
    nets = [net_floats(score(DealResult(rec.contract, 0, said, split, rec.players, rec.talon),
                             rec.convention), rec.convention, rec.players)[rec.seat]
            for split in splits]
    return float(np.mean(nets))


def test_taking_the_whist_back_can_only_help():
    """With a strong hand the first passes for nothing if he may come back, one choice for all."""
    strong = record("♠KQJ ♣AK8 ♦A98 ♥A", contract="6H", talon="♠8 ♣7")
    off = replace(strong, convention=replace(strong.convention, take_back="off"))
    with_it, without = (advise(rec, deals=3000, evaluator="fitted") for rec in (strong, off))
    assert says(with_it)[Reply.PASS] > says(without)[Reply.PASS] + 1
    assert says(with_it)[Reply.WHIST] == pytest.approx(says(without)[Reply.WHIST])
    passed = next(option for option in with_it.options if option.reply is Reply.PASS)
    assert passed.becomes[WHIST_END] > 0.2


@pytest.mark.parametrize("evaluator", ["guide", "fitted"])
def test_printed_errors_cover_the_long_run(evaluator):
    truth = advise(FIRST, deals=60_000, seed=1000, evaluator=evaluator)
    long_run = {option.reply: option for option in truth.options}
    z = []
    for seed in range(40):
        for option in advise(FIRST, deals=1500, seed=seed, evaluator=evaluator).options:
            if option.reply is Reply.WHIST:
                other = long_run[option.reply]
                z.append((option.ev - other.ev) / np.hypot(option.se, other.se))
    assert 0.7 < np.std(z) < 1.4
    assert abs(np.mean(z)) < 0.5


def test_all_deals_have_no_sampling_error():
    advice = advise(SECOND, deals=184_756, evaluator="fitted")
    assert advice.exhaustive
    assert [option.se for option in advice.options] == [0.0] * 3


def test_a_talon_left_alone_stays_hidden():
    rec = replace(FIRST, talon=0, contract=parse_contract("9H"))
    deals = whist_deals(rec, 2000, np.random.default_rng(1))
    assert deals.all_talons == 231
    assert (kept_cards(deals, 0, 3) == deals.hands[:, :, 0]).all()
    assert advise(rec, deals=2000, evaluator="fitted").best.reply in (Reply.PASS, Reply.WHIST)


def test_same_seed_same_answer_and_threads_do_not_matter():
    one, two = (advise(SECOND, deals=300, seed=5, evaluator="exact", threads=n) for n in (1, 2))
    assert [(o.name, o.ev, o.se) for o in one.options] == [(o.name, o.ev, o.se)
                                                           for o in two.options]


def test_the_report_says_what_the_defence_may_expect(tmp_path):
    path = tmp_path / "whist.txt"
    path.write_text("hand: ♠K97 ♣J98 ♦J98 ♥A\nseat: 3\ncontract: 7H\ndeclarer: 1\n"
                    "talon: ♠A ♣7\nwhist: pass\n", encoding="utf-8")
    for lang, words in (("en", ("half-whist", "The defence expects", "he makes")),
                        ("ru", ("полвиста", "Взяток у вистующих вместе", "сыграет"))):
        found = CliRunner().invoke(app, ["advise", str(path), "--deals", "300", "--lang", lang])
        assert found.exit_code == 0, found.output
        assert all(word in found.output for word in words), found.output
    found = CliRunner().invoke(app, ["advise", str(path), "--deals", "300", "--json"])
    told = json.loads(found.output)
    assert told["decision"] == "whist"
    assert {option["option"] for option in told["options"]} == {"whist", "pass", "half"}
    for option in told["options"]:
        assert {"ev", "se", "behind", "behind_se", "p_make", "becomes", "tricks"} <= set(option)
        assert sum(option["becomes"].values()) == pytest.approx(1, abs=0.01)
    assert parse_cards("♠A") & int(SECOND.talon)


@pytest.mark.parametrize("rec", [FIRST, SECOND, HEARD], ids=["first", "second", "heard"])
def test_auto_agrees_with_solving_all(rec):
    """Tables corrected by some solved deals against other deals, all solved."""
    solved = {o.reply: o for o in advise(rec, evaluator="exact", deals=3000, seed=2).options}
    for option in advise(rec, evaluator="auto", deals=4000).options:
        other = solved[option.reply]
        assert abs(option.ev - other.ev) < 4 * np.hypot(option.se, other.se) + 0.05


def test_some_of_all_deals_stand_for_all():
    """Every deal is in the sample, and the first ones solved are no corner of them."""
    solved = {o.reply: o for o in advise(SECOND, evaluator="exact", deals=4000, seed=3).options}
    advice = advise(SECOND, evaluator="auto", deals=184_756)
    assert advice.exhaustive
    assert advice.solved < 20_000
    for option in advice.options:
        other = solved[option.reply]
        assert abs(option.ev - other.ev) < 4 * np.hypot(option.se, other.se) + 0.05


def test_auto_stops_when_the_reply_is_clear_and_says_what_was_solved():
    advice = advise(SECOND, seconds=100)
    assert (advice.evaluator, advice.stopped, advice.deals) == ("auto", "separated", 20_000)
    assert advice.solved < 2_000
    assert all(option.solved and option.tables_ev is not None for option in advice.options)


def test_without_time_one_round_is_solved():
    advice = advise(FIRST, seconds=0)
    assert advice.solved == ONE_TALON_ROUND


def test_what_is_said_later_is_chosen_by_the_tables_alone():
    """Solved tricks must not have a part in the choice they value."""
    deals = whist_deals(FIRST, 2000, np.random.default_rng(1))
    chances, deals, _ = defended_tricks(
        FIRST.cards, deals, 0, 3, "fitted", np.random.default_rng(1))
    question = Replies(FIRST, deals, chances)
    before = {reply: share.copy() for reply, share in question.shares.items()}
    ends = {option.reply: option.becomes for option in question.options(0)}
    assert {option.reply: option.becomes for option in question.options(400)} == ends
    assert all(np.array_equal(question.shares[reply], before[reply]) for reply in before)


@pytest.mark.parametrize("evaluator", ["guide", "fitted", "auto", "exact"])
@pytest.mark.parametrize("rec", [FIRST, SECOND, HEARD], ids=["first", "second", "heard"])
def test_why_adds_up_to_the_score(rec, evaluator):
    advice = advise(rec, evaluator=evaluator, deals=600)
    why = advice.why
    assert sum(one.share for one in why.endings) == pytest.approx(1.0)
    mean = sum(one.share * one.net for one in why.endings)
    assert mean + why.change == pytest.approx(advice.best.ev, abs=1e-6)
    if evaluator != "auto":
        assert why.change == pytest.approx(0, abs=1e-6)
    by_reply = {}
    for one in why.endings:
        end = one.end.split(", ")[0]
        by_reply[end] = by_reply.get(end, 0.0) + one.share
    assert by_reply == {end: pytest.approx(part) for end, part in advice.best.becomes.items()}


def test_why_of_a_reply_is_that_of_the_solved_tricks():
    """By hand: each deal's share of every end, its tricks solved, its score by the rules."""
    advice = advise(HEARD, evaluator="exact", deals=300)
    made = sum(one.share for one in advice.why.endings if "made 7" in one.end)
    assert made == pytest.approx(advice.best.p_make)
    assert advice.why.tricks == pytest.approx(advice.best.mean_tricks)


def test_a_usual_player_says_what_the_replies_of_the_model_are():
    """The same threshold, once as a word and once as the pattern of both defenders."""
    deck = np.random.default_rng(3)
    for level, name in ((6, "sochi"), (7, "sochi"), (8, "sochi"), (6, "rostov"), (6, "leningrad")):
        convention = load_convention(name)
        usual = habits(convention)
        for _ in range(40):
            cards = deck.permutation(32)
            talon = int(deck.integers(2)) * (1 << int(cards[20]) | 1 << int(cards[21]))
            hands = [sum(1 << int(card) for card in cards[at:at + 10]) for at in (0, 10)]
            first, second = (
                outlook_in(np.array([hand], dtype=np.uint32), talon, np.array([3]), level)
                for hand in hands)
            pattern = Pattern(int(replies.reply_pattern(
                first, second, level, convention, 3, usual)[0]))
            asked = replace(FIRST, convention=convention, cards=hands[0], talon=talon,
                            contract=parse_contract(f"{level}H"))
            said = whisting.usual_reply(whisting.defence_of(asked))
            answer = replace(asked, seat=2, cards=hands[1], whist=said)
            then = whisting.usual_reply(whisting.defence_of(answer))
            assert (said, then) in SAID[pattern]


SAID = {
    Pattern.NOBODY: {(Reply.PASS, Reply.PASS)},
    Pattern.HALF: {(Reply.PASS, Reply.HALF)},
    Pattern.FIRST: {(Reply.WHIST, Reply.PASS), (Reply.PASS, Reply.HALF)},
    Pattern.FIRST_HALF: {(Reply.WHIST, Reply.PASS)},
    Pattern.SECOND: {(Reply.PASS, Reply.WHIST)},
    **{pattern: {(Reply.WHIST, Reply.WHIST)} for pattern in
       (Pattern.BOTH, Pattern.BOTH_FIRST_MORE, Pattern.BOTH_SECOND_MORE)},
}
