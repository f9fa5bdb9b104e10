"""Policies at one table: the rules are kept, nobody gains by his chair, counts add up."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from advisor.cards import parse_cards
from advisor.cli import app
from advisor.errors import InputError
from advisor.records.decider import auction_rules
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.auction import Auction
from advisor.rules.calls import HOLD, PASS, Call, parse_auction
from advisor.rules.contracts import MISERE, Contract, parse_contract
from advisor.rules.conventions import Convention, load_convention
from advisor.rules.deal import Reply
from advisor.sampling.fitted_bidder import default_bidder
from advisor.trials.arena import CHUNK, rotations, run_arena
from advisor.trials.guided import declare_by_guide, reply_by_guide
from advisor.trials.policies import ModelPolicy, RulePolicy, check_policy
from advisor.trials.results import interval
from advisor.trials.table import (
    Dealt,
    Declaration,
    Played,
    Policy,
    deal_cards,
    play_deal,
    possible_replies,
)

SOCHI = load_convention("sochi")
STRONG = "♠AKQJ10987 ♣AK"
TALON = "♣QJ"


@dataclass
class Scripted:
    """Says what it is told to; the questions are kept."""

    calls: str = ""
    contract: str = "6S"
    discard: str = "♣QJ"
    replies: tuple[Reply, ...] = ()
    name: str = "scripted"
    asked: list[HandRecord] = field(default_factory=list)

    def call(self, record: HandRecord) -> Call:
        first, _, self.calls = self.calls.partition(" ")
        return PASS if not first else next(call for call, _ in parse_auction(first))

    def declare(self, record: HandRecord) -> Declaration:
        return parse_contract(self.contract), parse_cards(self.discard)

    def reply(self, record: HandRecord) -> Reply:
        self.asked.append(record)
        return self.replies[len(self.asked) - 1]


def stacked() -> Dealt:
    """The first hand takes everything in spades."""
    own, talon = parse_cards(STRONG), parse_cards(TALON)
    second = parse_cards("♣10987 ♦AKQJ109")
    third = ~(own | talon | second) & 0xFFFFFFFF
    low = talon & -talon
    return Dealt((own, second, third), talon, (low, talon ^ low))


def played(*seats: Scripted, convention: Convention = SOCHI) -> Played:
    return play_deal(stacked(), seats, convention)


# One deal


def test_a_deal_has_all_cards_once() -> None:
    dealt = deal_cards(np.random.default_rng(3))
    assert sorted(hand.bit_count() for hand in (*dealt.hands, *dealt.turned)) == [1, 1, 10, 10, 10]
    assert sum(dealt.hands) + dealt.talon == 0xFFFFFFFF
    assert dealt.turned[0] | dealt.turned[1] == dealt.talon


def test_a_ten_nobody_whists() -> None:
    game = played(
        Scripted("6S", "10S"), Scripted(replies=(Reply.PASS,)), Scripted(replies=(Reply.PASS,))
    )
    assert (str(game.contract), game.declarer, game.tricks, game.made) == ("10S", 0, None, True)
    assert game.net == pytest.approx((200 / 3, -100 / 3, -100 / 3))


def test_a_whisted_game_is_played_by_the_solver() -> None:
    game = played(
        Scripted("6S", "6S"), Scripted(replies=(Reply.WHIST,)), Scripted(replies=(Reply.PASS,))
    )
    assert game.tricks == (10, 0, 0)
    # Pool 2, and four tricks short on a six at two points each: 20 and 80 among three.
    assert game.net == pytest.approx((40 / 3 + 80 / 3, -20 / 3 - 160 / 3, -20 / 3 + 80 / 3))


def test_the_defenders_know_what_they_may_and_speak_in_turn() -> None:
    second, third = Scripted(replies=(Reply.PASS,)), Scripted(replies=(Reply.PASS,))
    played(Scripted("6S", "8S"), second, third)
    (one,), (two,) = second.asked, third.asked
    assert (one.seat, one.whist, one.declarer) == (1, None, 0)
    assert (two.seat, two.whist) == (2, Reply.PASS)
    assert one.talon == two.talon == parse_cards(TALON)
    assert one.cards == stacked().hands[1]
    assert [str(call) for call in one.auction.calls] == ["6S", "pass", "pass"]


@pytest.mark.parametrize(
    ("back", "replies", "tricks"),
    [
        (Reply.PASS, (Reply.PASS, Reply.HALF), None),
        (Reply.WHIST, (Reply.WHIST, Reply.PASS), (10, 0, 0)),
    ],
)
def test_a_half_whist_may_be_taken_back(
    back: Reply, replies: tuple[Reply, Reply], tricks: tuple[int, ...] | None
) -> None:
    second = Scripted(replies=(Reply.PASS, back))
    game = played(Scripted("6S", "7S"), second, Scripted(replies=(Reply.HALF,)))
    assert (game.replies, game.tricks) == (replies, tricks)
    assert [one.whist for one in second.asked] == [None, Reply.HALF]
    assert possible_replies(second.asked[1]) == (Reply.PASS, Reply.WHIST)


def test_half_is_offered_only_where_it_is_allowed() -> None:
    def offered(level: int, whist: Reply | None, name: str = "sochi") -> bool:
        convention = load_convention(name)
        return Reply.HALF in possible_replies(
            HandRecord(
                0,
                2,
                Auction(auction_rules(convention, 0)),
                convention,
                contract=Contract.game(level, 0),
                declarer=0,
                whist=whist,
            )
        )

    assert offered(6, Reply.PASS)
    assert offered(7, Reply.PASS)
    assert not offered(8, Reply.PASS)
    assert not offered(6, Reply.WHIST)
    assert not offered(6, None)
    assert [
        name
        for name in ("leningrad", "rostov", "classic", "zhuk")
        if offered(6, Reply.PASS, name) != (load_convention(name).half_whist != "off")
    ] == []


def test_nobody_is_asked_about_a_checked_ten() -> None:
    convention = load_convention("leningrad")
    assert convention.ten == "checked"
    game = played(Scripted("6S", "10S"), Scripted(), Scripted(), convention=convention)
    assert (game.replies, game.tricks) == (None, (10, 0, 0))


def test_misere_is_played_against_seen_discards() -> None:
    game = played(Scripted("misere", "misere", "♠AK"), Scripted(), Scripted())
    assert (game.contract, game.replies, game.made) == (MISERE, None, False)
    assert game.tricks is not None
    assert game.tricks[0] > 0


def test_all_pass_is_shared_out() -> None:
    game = played(Scripted(), Scripted(), Scripted())
    assert game.declarer is None
    assert game.tricks is not None
    assert sum(game.tricks) == 10
    assert game.net[0] == min(game.net)


def test_calls_go_round_with_hold() -> None:
    game = played(
        Scripted("6S hold hold", "6D"),
        Scripted("6C 6D", replies=(Reply.PASS,)),
        Scripted(replies=(Reply.PASS,)),
    )
    assert [str(call) for call in game.auction.calls] == [
        "6S",
        "6C",
        "pass",
        "hold",
        "6D",
        "hold",
        "pass",
    ]
    assert game.declarer == 0


def test_a_policy_that_breaks_a_rule_is_found_out() -> None:
    with pytest.raises(InputError):
        played(Scripted("hold"), Scripted(), Scripted())


@pytest.mark.parametrize("seed", range(4))
def test_scores_sum_to_zero(seed: int) -> None:
    seats: list[Policy] = [RulePolicy(), ModelPolicy(seed), RulePolicy()]
    game = play_deal(deal_cards(np.random.default_rng(seed)), seats, SOCHI)
    assert sum(game.net) == pytest.approx(0)


# What the policies do


def ask(hand: str, auction: str = "", seat: int | None = None) -> HandRecord:
    seat_line = "" if seat is None else f"\nseat: {seat}"
    return parse_hand(f"hand: {hand}{seat_line}" + (f"\nauction: {auction}" if auction else ""))


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("♠AK ♣A87 ♦A87 ♥97", "pass"),  # 2 and 1 in two suits
        ("♠AKQ ♣A8 ♦987 ♥98", "pass"),  # just 4 in two suits
        ("♠AKQ ♣A987 ♦98 ♥9", "6S"),  # 4.5 in two suits
        ("♠AKQJ9 ♣8 ♦987 ♥8", "6S"),  # 5 in one are more than 4 in two
        ("♠789 ♣79 ♦79J ♥79", "misere"),
    ],
)
def test_the_rule_of_thumb_bids(hand: str, call: str) -> None:
    assert str(RulePolicy().call(ask(hand))) == call


def test_the_rule_goes_on_a_trick_a_level() -> None:
    six = "♠AKQ ♣A987 ♦98 ♥9"
    assert RulePolicy().call(ask(six, "6H", 2)) == PASS
    seven = "♠AKQJ9 ♣A7 ♦98 ♥9"  # 6 in two suits: seven spades
    assert str(RulePolicy().call(ask(seven, "6NT", 2))) == "7S"
    assert RulePolicy().call(ask(seven, "7S", 2)) == PASS
    assert RulePolicy().call(ask(seven, "6S pass 6C", 1)) == HOLD


def test_the_model_keeps_its_limit_all_deal() -> None:
    hand = "♠AKQ9 ♣87 ♦K107 ♥8"
    said = {str(ModelPolicy(seed).call(ask(hand))) for seed in range(30)}
    assert said == {"pass", "6S"}
    for seed in range(10):
        model = ModelPolicy(seed)
        if model.call(ask(hand, "6NT", 2)) != PASS:
            assert model.call(ask(hand, "6S", 2)) != PASS


def test_the_model_is_that_which_weighs_the_deals() -> None:
    record = ask("♠AKQ9 ♣87 ♦K107 ♥8")
    reach = default_bidder(record).reach(
        np.array([record.cards], dtype=np.uint32), 0, record.auction.rules
    )
    chance = 1 - (1 - reach.levels[0, 0]) * (1 - reach.misere[0])
    calls = [ModelPolicy(seed).call(record) for seed in range(400)]
    bids = np.mean([call != PASS for call in calls])
    assert 0.1 < chance < 0.9
    assert bids == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 400) ** 0.5)


def test_the_guide_declares_what_was_bought_or_higher() -> None:
    record = parse_hand("hand: ♠AKQ98 ♣A8 ♦K107\nauction: 7H pass pass\ntalon: ♦8 ♥J")
    contract, away = declare_by_guide(record)
    assert contract in record.contracts
    assert away.bit_count() == 2
    assert away & record.cards == away
    free = parse_hand("hand: ♠AKQJ98 ♣A8 ♦87\nauction: 6S pass pass\ntalon: ♥78")
    contract, away = declare_by_guide(free)
    assert contract == parse_contract("6S")
    assert not away & parse_cards("♠AKQJ98 ♣A")
    caught = parse_hand("hand: ♠789 ♣79 ♦79J ♥79\nauction: misere pass pass\ntalon: ♦A ♣A")
    assert declare_by_guide(caught) == (MISERE, parse_cards("♦A ♣A"))


@pytest.mark.parametrize(
    ("cards", "whist", "reply"),
    [
        ("♠AK7 ♣A87 ♦87 ♥98", None, Reply.WHIST),
        ("♠987 ♣987 ♦987 ♥8", None, Reply.PASS),
        ("♠987 ♣A87 ♦987 ♥8", None, Reply.PASS),
        ("♠987 ♣A87 ♦987 ♥8", Reply.PASS, Reply.HALF),
        ("♠987 ♣A87 ♦987 ♥8", Reply.WHIST, Reply.PASS),
        ("♠987 ♣A87 ♦987 ♥8", Reply.HALF, Reply.WHIST),
        ("♠987 ♣987 ♦987 ♥8", Reply.HALF, Reply.PASS),
    ],
)
def test_the_guide_whists(cards: str, whist: Reply | None, reply: Reply) -> None:
    seat = 2 if whist in (Reply.PASS, Reply.WHIST) else 1
    game = HandRecord(
        parse_cards(cards),
        seat,
        Auction(auction_rules(SOCHI, 0)),
        SOCHI,
        contract=parse_contract("6H"),
        declarer=0,
        whist=whist,
    )
    assert reply_by_guide(game) is reply


@pytest.mark.parametrize(
    ("name", "known"), [("rule", "rule"), (" Fitted ", "fitted"), ("guide:0300", "guide:300")]
)
def test_policies_have_names(name: str, known: str) -> None:
    assert check_policy(name) == known


@pytest.mark.parametrize("name", ["", "nobody", "rule:10", "fitted:", "fitted:0", "fitted:many"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        check_policy(name)


# Tournaments


def test_every_chair_is_taken_equally_often() -> None:
    assert np.array_equal(np.sort(np.transpose(rotations(2)), axis=1), [[0, 1, 1]] * 3)
    assert len({*rotations(2, both_ways=True)}) == 6
    assert len({*rotations(3)}) == 6


def test_equal_policies_are_exactly_equal() -> None:
    result = run_arena(("guide", "guide:200"), 2, SOCHI)
    assert result.nets == pytest.approx(np.zeros((2, 2)))


def test_the_seed_decides_not_the_workers() -> None:
    names, deals = ("rule", "model", "guide:20"), CHUNK + 1
    one = run_arena(names, deals, SOCHI, seed=7)
    two = run_arena(names, deals, SOCHI, seed=7, workers=2)
    assert one.played == two.played
    assert one.deals == deals
    assert run_arena(names, 1, SOCHI, seed=8).played != one.played[:1]


def test_counts_add_up() -> None:
    result = run_arena(("rule", "model"), 6, SOCHI, both_ways=True)
    frame = result.to_frame()
    assert len(frame) == 6 * 6 * 3
    for i, name in enumerate(result.policies):
        own = frame[frame.policy == name]
        sat, times, made = result.declared(i)
        assert sat == len(own) == 6 * 9
        assert times == (own.role == "declarer").sum()
        assert made == own.made[own.role == "declarer"].sum()
        assert result.net(i).mean == pytest.approx(own.net.mean(), abs=1e-3)
        parts = sum(part.mean for part in result.roles(i).values())
        assert result.net(i).mean == pytest.approx(parts)
    assert result.all_pass == pytest.approx((frame.role == "all-pass").mean())
    assert result.difference(0, 1).mean == pytest.approx(result.net(0).mean - result.net(1).mean)
    assert list(result.summary().policy) == ["rule", "model"]


def test_an_interval_is_that_of_independent_deals() -> None:
    found = interval(np.array([1.0, 2.0, 3.0, 6.0]))
    assert (found.mean, found.half) == (3, pytest.approx(1.96 * np.sqrt(14 / 3) / 2))
    assert found.excludes_zero
    assert np.isnan(interval(np.array([1.0])).half)


def test_an_interruption_keeps_what_was_played() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    result = run_arena(("rule", "model"), 5 * CHUNK, SOCHI, progress=stop)
    assert (result.deals, result.complete) == (CHUNK, False)


@pytest.mark.parametrize(
    "names", [("rule",), ("rule", "rule"), ("rule", "model", "guide", "fitted")]
)
def test_two_or_three_different_policies_play(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        run_arena(names, 1, SOCHI)


# The command


def command(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, [*arguments])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.output


def test_the_command_prints_draws_and_writes(tmp_path: Path) -> None:
    csv, picture = tmp_path / "games.csv", tmp_path / "arena.png"
    code, text = command(
        "arena",
        "rule",
        "model",
        "--deals",
        "3",
        "--workers",
        "1",
        "--csv",
        str(csv),
        "--plot",
        str(picture),
    )
    assert code == 0
    assert "rule − model" in text
    assert len(csv.read_text(encoding="utf-8").splitlines()) == 1 + 3 * 3 * 3
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, text = command("arena", "rule", "model", "--deals", "3", "--workers", "1", "--json")
    found = json.loads(text)
    assert (code, found["deals"], len(found["lineups"])) == (0, 3, 3)
    assert sum(
        one["net"]["mean"] * n for one, n in zip(found["policies"], (1, 2), strict=True)
    ) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(
    "arguments",
    [
        ("rule",),
        ("rule", "rule"),
        ("rule", "nobody"),
        ("rule", "model", "--deals", "0"),
        ("rule", "model", "--workers", "none"),
        ("rule", "model", "--plot", "x.txt"),
        ("rule", "model", "--csv", "no/such/folder.csv"),
        ("rule", "model", "--convention", "moon"),
    ],
)
def test_bad_requests_end_in_one_line(arguments: tuple[str, ...]) -> None:
    code, text = command("arena", *arguments)
    assert code == 2
    assert len(text.splitlines()) == 1


def test_the_command_speaks_russian() -> None:
    code, text = command("arena", "rule", "model", "--deals", "2", "--workers", "1", "--lang", "ru")
    assert code == 0
    assert "чистых вистов за раздачу" in text
