"""The fitted tables that come with the package, and the evaluator that reads them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from advisor.advice.bare import bare_outcome
from advisor.advice.decide import advise, default_deals
from advisor.advice.declaring import GAMES
from advisor.advice.fitted import coarse_plays, opponent_chances
from advisor.advice.guide_games import own_games
from advisor.advice.payoff import record_payoff
from advisor.advice.solving import SCREEN, Plan
from advisor.cli import app
from advisor.fitting.errors import certain_tricks, estimates
from advisor.fitting.sample import DECLARER, SolvedDeals, draw, solve_chunk
from advisor.paths import data_path
from advisor.records.hand import HandRecord, parse_hand
from advisor.rules.conventions import load_convention
from advisor.rules.deal import DealResult, Reply
from advisor.rules.scoring import net_floats, score
from advisor.sampling.deals import draw_deals
from advisor.tricks.fitted import MEANS, cut, distributions, tables
from advisor.tricks.guide import parse_holding
from advisor.tricks.holdings import NO_TRUMP, ROLES, SPREAD, audit, holding_means, holdings
from advisor.tricks.layouts import (
    LAYOUTS,
    OWN_LAYOUTS,
    lengths,
    mirrored,
    own_layouts,
    owners,
    suit_layouts,
)
from advisor.tricks.solver import solve_deals
from advisor.tricks.terms import NO_TRUMP_TERMS, TRUMP_TERMS, no_trump_terms, trump_terms

FRESH = 987_654


def record(hand: str, **more: str) -> HandRecord:
    return parse_hand("", None, {"hand": hand, **more})


@pytest.fixture(scope="module")
def solved() -> SolvedDeals:
    """Deals the tables were not fitted to."""
    return solve_chunk(FRESH, 0, 3_000)


def means(hands: Any, strain: int, leader: int) -> Any:
    hands = np.atleast_2d(np.asarray(hands, dtype=np.uint32))
    n = len(hands)
    return tables().means(hands, np.full(n, strain), np.full(n, leader))[0]


# Layouts


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_layout_is_the_row_of_owners(code: list[int]) -> None:
    hands = [np.array([sum(1 << rank for rank in range(8) if code[rank] == who)], dtype=np.uint32)
             for who in (1, 2, 3)]
    layout = suit_layouts(*hands)[0, 0]
    row = [who - 1 for who in code if who]
    assert owners()[layout].tolist() == row + [-1] * (8 - len(row))
    assert lengths()[:, layout].tolist() == [row.count(who) for who in range(3)]


def test_layouts_are_told_apart() -> None:
    assert len(np.unique(owners(), axis=0)) == LAYOUTS == 9_841
    assert len(np.unique(own_layouts())) == OWN_LAYOUTS == own_layouts().max() + 1
    assert np.array_equal(mirrored()[mirrored()], mirrored())
    assert len(np.unique(mirrored())) == (LAYOUTS + 9) // 2  # nine have no defender in them


def test_indices_stay_within_their_tables(rng: np.random.Generator) -> None:
    hands, strain, leader, _ = draw(rng, 3_000)
    layouts = suit_layouts(*hands.T)
    alone = tables().alone
    lead = leader.astype(np.int64)
    for terms, found in (
        (NO_TRUMP_TERMS, no_trump_terms(layouts, lead, alone)),
        (TRUMP_TERMS, trump_terms(layouts, np.minimum(strain, 3).astype(np.int64), lead, alone)),
    ):
        assert found.keys() == terms.keys()
        for name, index in found.items():
            assert 0 <= index.min() <= index.max() < terms[name].size, name


# Tables


def test_the_link_is_of_distributions() -> None:
    link = tables().link
    assert link.shape[2:] == (MEANS, 11)
    assert link.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    assert np.all(link >= 0)


def test_the_expected_tricks_grow_with_the_mean() -> None:
    expected = tables().link @ np.arange(11)
    assert np.diff(expected, axis=-1).min() > -0.05
    middle = slice(20, 181)
    assert expected[..., middle] == pytest.approx(
        np.broadcast_to(np.arange(MEANS)[middle] / 20, expected[..., middle].shape), abs=0.35)


def test_certain_tricks_are_certain() -> None:
    rows = distributions().reshape(11, -1, 11)
    assert rows.sum(axis=-1) == pytest.approx(1)
    for certain in range(11):
        assert np.all(rows[certain, :, :certain] == 0)
    assert np.array_equal(cut(np.eye(11)[:1])[4, 0], np.eye(11)[4])


def test_solved_tricks_are_never_called_impossible(solved: SolvedDeals) -> None:
    certain = certain_tricks(solved)
    assert np.all(certain <= solved.tricks)
    cells = tables().cells(solved.hands, solved.strain, solved.leader, certain)
    chance = distributions()[cells, solved.tricks]
    assert chance.min() > 0
    assert np.mean(chance < 0.01) < 0.02


def test_fitted_errors_are_at_most_half_the_guides(solved: SolvedDeals) -> None:
    found = estimates(solved)
    declarer = solved.kind == DECLARER
    for rows in (declarer & (solved.strain != NO_TRUMP), declarer & (solved.strain == NO_TRUMP)):
        rmse = {key: float(np.sqrt(np.mean((mean - solved.tricks)[rows] ** 2)))
                for key, (mean, _) in found.items()}
        assert rmse["fitted"] <= 0.5 * rmse["guide"]
        assert rmse["fitted"] < rmse["coarse"] < rmse["guide"]
        bias = np.mean((found["fitted"][0] - solved.tricks)[rows])
        assert abs(bias) < 0.08


def test_sure_hands_are_sure() -> None:
    spades = 0xFF
    hands = np.array([[spades | 3 << 14, 0x3F00 | 0xF0000, 0xF00000 | 0x3F000000]], dtype=np.uint32)
    assert np.bitwise_count(hands).tolist() == [[10, 10, 10]]
    zero, lead = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    cell = tables().cells(hands, zero, lead, certain=10)
    assert distributions()[cell[0]].tolist() == [0.0] * 10 + [1.0]
    assert means(hands, 0, 1)[0] > 8.5  # without being told


def test_a_better_card_is_seldom_worth_less(rng: np.random.Generator) -> None:
    """The declarer's lowest card of a suit against the next higher one of a defender."""
    hands, strain, leader, _ = draw(rng, 4_000)
    better = hands.copy()
    changed = np.zeros(len(hands), dtype=bool)
    for row, (own, one, other) in enumerate(hands.tolist()):
        for low in range(31):
            high = low + 1
            if low // 8 == high // 8 and own >> low & 1 and (one | other) >> high & 1:
                column = 1 if one >> high & 1 else 2
                swap = np.uint32(1 << low | 1 << high)
                better[row, 0] ^= swap
                better[row, column] ^= swap
                changed[row] = True
                break
    gain = (tables().means(better, strain, leader)[0]
            - tables().means(hands, strain, leader)[0])[changed]
    assert changed.sum() > 3_000
    assert gain.mean() > 0.05
    assert np.mean(gain < -0.25) < 0.03


def test_the_lead_belongs_to_somebody() -> None:
    with pytest.raises(IndexError):
        means([[0x3FF, 0xFFC00, 0x3FF00000]], 4, 400_000)


# Own holdings


def test_a_hand_is_the_sum_of_its_holdings(ten: int) -> None:
    values = holdings().tricks
    suits = [ten >> 8 * suit & 0xFF for suit in range(4)]
    found = holding_means(np.array([ten], dtype=np.uint32), True)[0]
    for trump in range(4):
        total = sum(values[0 if suit == trump else 1, 1, byte] for suit, byte in enumerate(suits))
        assert found[trump] == pytest.approx(np.clip(total, 0, 10))
    assert found[4] == pytest.approx(np.clip(sum(values[2, 1, b] for b in suits), 0, 10))


def test_the_audit_has_every_role_and_its_deals() -> None:
    found = audit(parse_holding("AKx"))
    assert [(one.role, one.own_lead) for one in found] == [
        (role, lead) for role in ROLES for lead in (False, True)]
    alike = [0b1100_0000 | 1 << rank for rank in range(4)]
    deals = holdings().deals
    assert found[2].deals == sum(deals[1, 0, byte] for byte in alike) > 1_000
    assert 1.5 < found[2].tricks < 2.6
    assert 0 < found[2].se < 0.05


def test_the_coarse_spread_is_the_measured_one() -> None:
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    errors = [told["rmse_tricks"][f"{half}, declarers, coarse table"]
              for half in ("trump", "no_trump")]
    assert pytest.approx(errors, abs=0.005) == SPREAD


def test_better_holdings_are_worth_more() -> None:
    for role in (2, 3, 4, 5):
        values = [audit(parse_holding(text))[role].tricks
                  for text in ("Jxx", "Qxx", "Kxx", "Axx", "AKx", "AKQ")]
        assert np.diff(values).min() > -0.2
        assert values[-1] > values[0] + 1.5


def test_guide_command_shows_the_audit() -> None:
    found = CliRunner().invoke(app, ["guide", "AQJxx"])
    assert found.exit_code == 0
    assert "no trump" in found.output
    assert "solved, tricks" in found.output
    told = json.loads(CliRunner().invoke(app, ["guide", "AQJxx", "--json"]).output)
    assert [one["role"] for one in told["solved"]] == [r for r in ROLES for _ in range(2)]
    assert all(one["deals"] > 0 and one["se"] > 0 for one in told["solved"])
    assert told["printed"] == {"low": 3.5, "high": 3.5}


def test_a_holding_never_seen_has_no_value() -> None:
    told = json.loads(CliRunner().invoke(app, ["guide", "A K Q J 10 9 8 7", "--json"]).output)
    for one in told["solved"]:
        assert (one["tricks"] is None) == (one["deals"] == 0)


def test_provenance_is_complete() -> None:
    told = json.loads(data_path("tables/provenance.json").read_text(encoding="utf-8"))
    assert told["deals"] >= 1_000_000
    assert told["command"] == f"advisor fit-tables --deals {told['deals']} --seed {told['seed']}"
    assert told["commit"]
    assert "dirty" not in told["commit"]
    assert told["rmse_tricks"]["trump, declarers"] < 0.45


# The evaluator


@pytest.mark.parametrize("name", ["example", "talon", "second_seat"])
def test_json_is_that_of_the_guide(name: str) -> None:
    path = str(data_path(f"hands/{name}.txt"))
    told = {}
    for evaluator in ("guide", "fitted"):
        found = CliRunner().invoke(app, ["advise", path, "--evaluator", evaluator, "--deals", "500",
                                         "--json"])
        assert found.exit_code == 0, found.output
        told[evaluator] = json.loads(found.output)
    assert told["fitted"]["evaluator"] == "fitted"
    assert told["fitted"].keys() == told["guide"].keys()
    assert told["fitted"]["options"][0].keys() == told["guide"]["options"][0].keys()
    assert told["fitted"]["deals"] == told["guide"]["deals"]


def test_it_agrees_with_the_solver_on_the_same_deals() -> None:
    hand = record("♠AKQ98 ♣A8 ♦AK107 ♥J", seat="1")
    by_solver = advise(hand, deals=200, evaluator="exact", seed=3)
    by_tables = advise(hand, deals=200, evaluator="fitted", seed=3)
    exact = {(o.contract, o.discard): o for o in by_solver.options}
    shared = [(o, exact[o.contract, o.discard]) for o in by_tables.options
              if (o.contract, o.discard) in exact]
    assert len(shared) >= 10
    assert np.mean([abs(one.ev - two.ev) for one, two in shared]) < 4
    best, other = by_tables.options[0], by_solver.options[0]
    assert other.ev - exact[best.contract, best.discard].ev < 2
    assert best.tricks is not None
    assert sum(best.tricks) == pytest.approx(1)


def test_same_seed_same_answer() -> None:
    hand = record("♠AKQ9 ♣A8 ♦K107 ♥8", seat="2", auction="pass")
    one, two = (advise(hand, deals=500, evaluator="fitted", seed=9).options for _ in range(2))
    assert one == two


def test_default_numbers_of_deals() -> None:
    bid, declare = record("♠AKQ9 ♣A8 ♦K107 ♥8"), record("♠AKQ98 ♣A8 ♦AK107 ♥J")
    guide, fitted, exact = (default_deals(name, bid) for name in ("guide", "fitted", "exact"))
    assert exact < fitted == guide
    assert default_deals("fitted", declare) > default_deals("exact", declare)


def test_opponents_chances_are_of_their_own_hands(ten: int, rng: np.random.Generator) -> None:
    deals = draw_deals(ten, 1, 600, rng)
    for seat in deals.hidden:
        chances = opponent_chances(deals, seat, load_convention("sochi"))
        assert chances.shape == (*deals.weight.shape, 11)
        assert chances.sum(axis=-1) == pytest.approx(1)
        expected = chances @ np.arange(11)
        honours = np.bitwise_count(deals.hands[..., seat] & 0xC0C0C0C0)
        assert np.corrcoef(expected.ravel(), honours.ravel())[0, 1] > 0.4


def test_the_solvers_screen_is_the_coarse_table(
    monkeypatch: pytest.MonkeyPatch, ten: int
) -> None:
    """What `exact` would solve is the best of the coarse table, not of the guide."""
    from advisor.advice import decide

    plans: list[Plan] = []

    def keep(record: HandRecord, deals: Any, plan: Plan, **_: object) -> Any:
        plans.append(plan)
        raise KeyboardInterrupt

    monkeypatch.setattr(decide, "solve_plan", keep)
    with pytest.raises(KeyboardInterrupt):
        advise(record("♠AKQ9 ♣A8 ♦K107 ♥8"), deals=462, evaluator="exact")
    (plan,) = plans
    talons = np.sort(np.unique(plan.away | 0))
    assert plan.away.shape[2] == max(SCREEN)
    assert len(talons) > 10
    # In spades the discard tried first is the coarse table's best, for nearly every talon.
    from advisor.sampling.unseen import Unseen

    every = Unseen(~ten & 0xFFFFFFFF).talons
    plays = coarse_plays(ten, every, True)
    best = plays.away[np.arange(231), (plays.tricks[:, :, 0] @ np.arange(11)).argmax(axis=1)]
    tried = plan.away[:, 0, 0]
    assert np.mean(tried[tried > 0] == best[tried > 0]) > 0.6


# A game on the ten cards dealt


def test_a_game_without_the_talon_is_valued_layout_by_layout() -> None:
    rec = record("♠AKQJ109 ♣KQ8 ♥Q", convention="classic")
    deals = draw_deals(rec.cards, 0, 462, np.random.default_rng(3))
    guide = own_games(rec.cards, deals, rec.convention, record_payoff(rec))
    got = bare_outcome(rec.cards, guide, 15)
    game = GAMES[int(got.game[0, 0])]
    assert (got.away == 0).all()
    assert (got.game == got.game[0, 0]).all()
    assert game.level == 9
    rows = np.stack([np.full(deals.weight.shape, rec.cards, dtype=np.uint32),
                     deals.hands[..., 1], deals.hands[..., 2]], axis=-1).reshape(-1, 3)
    tricks = solve_deals(rows, int(game.strain or 0), 0)
    assert got.tricks.mean() == pytest.approx(tricks.mean(), abs=0.15)
    assert got.made.mean() == pytest.approx((tricks >= 9).mean(), abs=0.1)
    assert np.ptp(got.tricks) > 0.5  # the guide would see no layout


def test_a_sure_ten_without_the_talon_scores_as_written() -> None:
    rec = record("♠AKQJ10987 ♣AK", convention="classic")
    deals = draw_deals(rec.cards, 0, 231, np.random.default_rng(3))
    guide = own_games(rec.cards, deals, rec.convention, record_payoff(rec))
    got = bare_outcome(rec.cards, guide, 20)
    written = score(DealResult(GAMES[20], 0, (Reply.WHIST, Reply.PASS), (10, 0, 0), 3),
                    rec.convention)
    assert (got.game == 20).all()
    assert got.made.min() == pytest.approx(1)
    assert got.net.min() == pytest.approx(net_floats(written, rec.convention, 3)[0])
