"""Solving in chunks, on processes and on a cluster, and fitting: nothing lost, nothing differs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import command, environment
from typer.testing import CliRunner

from advisor.cli import app
from advisor.errors import InputError
from advisor.fitting import chunks as running
from advisor.fitting.alone import alone_table
from advisor.fitting.chunks import Store, solve_missing
from advisor.fitting.coarse import _pin, coarse_means, fit_holdings, standard_errors
from advisor.fitting.command import fit_tables
from advisor.fitting.link import CLASSES, discrete, link_table, spread_classes
from advisor.fitting.regression import Level, fit, ridge
from advisor.fitting.sample import DECLARER, RANDOM, SolvedDeals, all_kept, draw, solve_chunk
from advisor.tricks.estimate import strain_means
from advisor.tricks.holdings import alike
from advisor.tricks.layouts import LAYOUTS, owners
from advisor.tricks.solver import solve_deals
from advisor.tricks.terms import Term

SIZE = 40
CHUNKS = 6


def same(one: SolvedDeals, two: SolvedDeals) -> bool:
    return all(np.array_equal(getattr(one, f.name), getattr(two, f.name))
               for f in fields(SolvedDeals))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> SolvedDeals:
    store = Store(tmp_path_factory.mktemp("expected"), 5, SIZE)
    solve_missing(store, CHUNKS, workers=1)
    return store.load_all(CHUNKS)


# The sample


def test_drawn_deals_are_deals(rng: np.random.Generator) -> None:
    hands, strain, leader, kind = draw(rng, 500)
    assert np.all(np.bitwise_count(hands) == 10)
    assert np.all(np.bitwise_count(np.bitwise_or.reduce(hands, axis=1)) == 30)
    assert set(strain) == set(range(5))
    assert set(leader) == {0, 1, 2}
    assert np.bincount(kind) / 500 == pytest.approx([0.6, 0.25, 0.15], abs=0.08)


def test_declarers_are_the_strong_hands(rng: np.random.Generator) -> None:
    hands, strain, _, kind = draw(rng, 2_000)
    means = strain_means(hands)[np.arange(2_000), :, strain]
    declarers, any_hands = means[kind == DECLARER], means[kind == RANDOM]
    assert np.mean(declarers[:, 0] > declarers[:, 1:].max(axis=1)) > 0.9
    assert declarers[:, 0].mean() > any_hands[:, 0].mean() + 2


def test_all_kept_are_the_66_ways(rng: np.random.Generator) -> None:
    twelve = np.uint32(sum(1 << int(c) for c in rng.choice(32, 12, replace=False)))
    kept = all_kept(np.array([twelve]))[0]
    assert len(set(kept.tolist())) == 66
    assert np.all(kept & ~twelve == 0)
    assert np.all(np.bitwise_count(kept) == 10)


def test_a_chunk_depends_on_seed_and_number_alone() -> None:
    one = solve_chunk(3, 2, 30)
    assert same(one, solve_chunk(3, 2, 30))
    assert not np.array_equal(one.hands, solve_chunk(3, 1, 30).hands)
    assert not np.array_equal(one.hands, solve_chunk(4, 2, 30).hands)
    assert np.array_equal(one.tricks, solve_deals(one.hands, one.strain, one.leader))


# Chunks on disk


def test_a_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    store = Store(tmp_path / "new", 1, SIZE)
    deals = solve_chunk(1, 0, SIZE)
    assert store.missing(2) == [0, 1]
    store.save(0, deals)
    assert store.missing(2) == [1]
    assert same(store.load(0), deals)
    assert [path.name for path in (tmp_path / "new").iterdir()] == [store.path(0).name]
    assert Store(tmp_path / "new", 2, SIZE).missing(1) == [0]
    assert Store(tmp_path / "new", 1, SIZE + 1).missing(1) == [0]


def test_a_write_cut_short_leaves_no_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(file: Any, **arrays: object) -> None:
        file.write(b"PK")
        raise KeyboardInterrupt

    store = Store(tmp_path, 1, SIZE)
    monkeypatch.setattr(np, "savez", half)
    with pytest.raises(KeyboardInterrupt):
        store.save(0, solve_chunk(1, 0, SIZE))
    assert store.missing(1) == [0]


def test_a_damaged_chunk_is_told(tmp_path: Path) -> None:
    store = Store(tmp_path, 1, SIZE)
    store.path(0).write_bytes(b"PK\x03\x04 not much of a file")
    with pytest.raises(InputError, match="damaged") as caught:
        store.load_all(1)
    assert caught.value.source == str(store.path(0))


def stop_after(count: int) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done == count:
            raise KeyboardInterrupt
    return progress


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_loses_nothing(
    workers: int, tmp_path: Path, expected: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path, 5, SIZE)
    with pytest.raises(KeyboardInterrupt):
        solve_missing(store, CHUNKS, workers, progress=stop_after(3))
    assert len(store.missing(CHUNKS)) == CHUNKS - 3
    written = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    seen: list[int] = []
    solve_missing(store, CHUNKS, 1, progress=lambda done, total: seen.append(done))
    assert seen == [3, 4, 5, 6]
    assert {path: path.stat().st_mtime_ns for path in written} == written
    assert same(store.load_all(CHUNKS), expected)


def test_ctrl_c_on_the_command(tmp_path: Path) -> None:
    """A real process with real workers: one line, exit code 130, whole chunks."""
    line = command("fit-tables", "--deals", "1000000", "--workers", "2", "--work", tmp_path,
                   "--out", tmp_path / "tables")
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment(), start_new_session=True)
    deadline = time.monotonic() + 300
    while not list(tmp_path.glob("*.npz")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=180)
    assert (process.returncode, out, err.decode()) == (130, b"", "stopped\n")
    store = Store(tmp_path, 1)
    done = [chunk for chunk in range(500) if store.path(chunk).exists()]
    assert done
    assert all(len(store.load(chunk)) == store.size for chunk in done)


# Processes


def test_processes_give_the_same(tmp_path: Path, expected: SolvedDeals) -> None:
    store = Store(tmp_path, 5, SIZE)
    solve_missing(store, CHUNKS, workers=2)
    assert same(store.load_all(CHUNKS), expected)


def test_a_killed_process_loses_nothing(tmp_path: Path, expected: SolvedDeals) -> None:
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if done and not killed:
            victim = multiprocessing.active_children()[0]
            assert victim.pid is not None
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    store = Store(tmp_path, 5, SIZE)
    solve_missing(store, CHUNKS, workers=2, progress=kill_one)
    assert killed
    assert same(store.load_all(CHUNKS), expected)


def sleep_instead(*_: int) -> None:
    time.sleep(600)


def test_workers_end_when_nobody_wants_their_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers: list[Any] = []
    others = multiprocessing.active_children()  # idle ones of pools used before

    def interrupt() -> None:
        while len(workers) < 2:
            time.sleep(0.05)
            workers[:] = [child for child in multiprocessing.active_children()
                          if child not in others]
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(running, "solve_chunk", sleep_instead)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        next(running._one_pool(Store(tmp_path, 5, SIZE), [0, 1], 2))
    for worker in workers:  # the pool's thread may have reaped it: then is_alive cannot tell
        assert wait([worker.sentinel], 60)


def test_workers_that_always_die_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Iterator[tuple[int, SolvedDeals]]:
        raise running.BrokenProcessPool
        yield

    monkeypatch.setattr(running, "_one_pool", broken)
    with pytest.raises(running.BrokenProcessPool):
        solve_missing(Store(tmp_path, 5, SIZE), 1, workers=2)


# A cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real scheduler and two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as running_cluster:
        yield running_cluster


def pids(cluster: Any) -> set[int]:
    return {nanny.process.pid for nanny in cluster.workers.values()}


def test_a_cluster_gives_the_same(cluster: Any, tmp_path: Path, expected: SolvedDeals) -> None:
    assert len(pids(cluster) | {os.getpid()}) == 3
    store = Store(tmp_path, 5, SIZE)
    solve_missing(store, CHUNKS, 1, cluster.scheduler_address)
    assert same(store.load_all(CHUNKS), expected)


def test_a_killed_cluster_worker_loses_nothing(
    cluster: Any, tmp_path: Path, expected: SolvedDeals
) -> None:
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if done and not killed:
            killed.append(min(pids(cluster)))
            os.kill(killed[0], signal.SIGKILL)

    store = Store(tmp_path, 5, SIZE)
    solve_missing(store, CHUNKS, 1, cluster.scheduler_address, kill_one)
    assert killed
    assert same(store.load_all(CHUNKS), expected)


def test_no_scheduler_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        solve_missing(Store(tmp_path, 5, SIZE), 1, 1, "tcp://127.0.0.1:9")


def test_without_dask_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"preferans-advisor\[cluster\]"):
        solve_missing(Store(tmp_path, 5, SIZE), 1, 1, "tcp://127.0.0.1:9")


# Fitting


def test_the_same_tables_whatever_the_workers(tmp_path: Path) -> None:
    results = []
    for workers in (1, 2):
        out = tmp_path / f"tables{workers}"
        fit_tables(2_000, 7, workers, out, tmp_path / f"work{workers}", size=500)
        with np.load(out / "layouts.npz") as file:
            results.append(({name: file[name] for name in file.files},
                            (out / "holdings.csv").read_text()))
    (one, text), (two, other) = results
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert text == other


def test_the_command_fits_and_tells(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["fit-tables", "--deals", "1", "--workers", "1", "--out",
                                     str(tmp_path / "out"), "--work", str(tmp_path / "work")])
    assert found.exit_code == 0, found.output
    assert "RMSE, tricks" in found.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "layouts.npz", "holdings.csv", "provenance.json"}
    assert '"deals": 2000' in (tmp_path / "out" / "provenance.json").read_text()


@pytest.mark.parametrize("option", [["--deals", "0"], ["--workers", "0"], ["--seed", "-1"]])
def test_wrong_numbers_are_told(option: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["fit-tables", "--work", str(tmp_path), *option])
    assert found.exit_code == 2
    assert f"{option[0]}: found '{option[1]}'" in found.output


def test_a_ridge_finds_what_was_planted(rng: np.random.Generator) -> None:
    truth = rng.normal(size=20)
    index = rng.integers(20, size=(4_000, 3))
    noise = rng.normal(scale=0.1, size=4_000)
    found = ridge(index, 20, 0.1, truth[index].sum(axis=1) + noise)
    assert found == pytest.approx(truth, abs=0.03)


def test_rare_layouts_fall_back_on_coarser_ones(rng: np.random.Generator) -> None:
    """Own holdings are worth 1 or 0; a layout never seen takes its holding's value."""
    term = Term((LAYOUTS, 3))
    held = owners()
    ace = (np.where(held >= 0, held, -1)[np.arange(LAYOUTS), (held >= 0).sum(axis=1) - 1] == 0)
    seen = np.flatnonzero((held >= 0).all(axis=1) & (np.arange(LAYOUTS) % 2 == 0))
    layout = rng.choice(seen, size=(6_000, 1))
    index = layout * 3 + rng.integers(3, size=(6_000, 1))
    levels = (Level(1.0, "own", "own"), Level(5.0, "mirror", "own"), Level(10.0))
    constant, tables = fit({"side": index}, {"side": term}, {"side": levels},
                           ace[layout[:, 0]].astype(float))
    unseen = np.flatnonzero((held >= 0).all(axis=1) & (np.arange(LAYOUTS) % 2 == 1))
    error = constant + tables["side"][unseen] - ace[unseen, None]
    assert np.sqrt(np.mean(error**2)) < 0.12


@pytest.mark.parametrize("sd", CLASSES)
def test_discrete_distributions_have_their_mean(sd: float) -> None:
    mean = np.linspace(2.5, 7.5, 101)
    table = discrete(mean, sd)
    assert table.sum(axis=1) == pytest.approx(1)
    assert np.all(table >= 0)
    assert table @ np.arange(11) == pytest.approx(mean)
    variance = table @ np.arange(11) ** 2 - mean**2
    least = (mean % 1) * (1 - mean % 1)
    assert variance == pytest.approx(np.maximum(least, sd**2), abs=0.02)


def test_the_link_follows_what_it_counts(rng: np.random.Generator) -> None:
    mean = np.full(5_000, 6.0)
    tricks = np.where(rng.random(5_000) < 0.7, 6, 8)
    table = link_table(mean, np.zeros(5_000, dtype=np.uint8), tricks)
    assert table.sum(axis=-1) == pytest.approx(1)
    assert table[0, 120, [6, 8]] == pytest.approx([0.7, 0.3], abs=0.03)
    assert table[0, 40] @ np.arange(11) == pytest.approx(2.0, abs=0.05)


def test_spread_classes_follow_the_errors(rng: np.random.Generator) -> None:
    index = np.repeat([0, 1], 3_000)
    error = rng.normal(scale=np.where(index == 0, CLASSES[1], CLASSES[6]))
    assert spread_classes(index, 2, error).tolist() == [1, 6]


def test_pinning_changes_no_hand(rng: np.random.Generator) -> None:
    values = rng.normal(size=(2, 256))
    hands, strain, _, _ = draw(rng, 50)
    suits = hands[:, :1].view(np.uint8).reshape(50, 4).astype(int)
    trump = np.arange(4) == np.minimum(strain, 3)[:, None]
    seen = rng.integers(1, 100, size=(2, 256))
    pinned = _pin(values, seen, (0, 1))
    before, after = (np.where(trump, table[0][suits], table[1][suits]).sum(axis=1)
                     for table in (values, pinned))
    assert after == pytest.approx(before)
    low = np.array([byte for byte in range(16) if byte.bit_count() <= 3])
    assert np.average(pinned[1, low], weights=seen[1, low] + 1) == pytest.approx(0, abs=1e-9)
    plain = _pin(values[:1], seen[:1], (2,))
    assert plain[0][suits].sum(axis=1) == pytest.approx(values[0][suits].sum(axis=1))
    again = _pin(plain, seen[:1], (2,))
    assert again == pytest.approx(plain)


def test_standard_errors_are_those_of_repetition(rng: np.random.Generator) -> None:
    """The same suits again and again with new noise, larger beside a long suit."""
    group = alike(0b1010_0011)  # A Q and two small ones
    few = np.concatenate([group, [0, 1, 2, 3, 7, 0x80, 0xC0, 0xC1, 0xF0, 0xF8, 0xFC, 0x7F, 0x3E]])
    index = rng.choice(few, size=(2_000, 4))
    seen = np.bincount(index.ravel(), minlength=256).reshape(1, 256)
    long = np.bitwise_count(few.astype(np.uint8)) >= 5
    spread = np.where(np.isin(index, few[long]).any(axis=1), 2.0, 0.5)
    values, single, groups = [], [], []
    for _ in range(120):
        noise = spread * rng.standard_normal(len(index))
        found = ridge(index, 256, 1e-3, noise)
        values.append(_pin(found.reshape(1, 256), seen, (2,))[0])
        if len(single) < 6:
            one, all_alike = standard_errors(index, noise - found[index].sum(axis=1), seen, (2,))
            single.append(one[0])
            groups.append(all_alike[0, group[0]])
    told, true = np.sqrt(np.mean(np.square(single), axis=0)), np.std(values, axis=0)
    for rows in (few[long], few[~long]):
        assert np.mean(told[rows] / true[rows]) == pytest.approx(1, abs=0.08)
    share = seen[0, group] / seen[0, group].sum()
    assert np.mean(groups) == pytest.approx(np.std(np.array(values)[:, group] @ share), rel=0.2)


def test_a_holding_never_seen_has_no_error() -> None:
    index = np.array([[0b1, 0b10, 0b100, 0b1000]] * 5)
    seen = np.bincount(index.ravel(), minlength=256).reshape(1, 256)
    single, groups = standard_errors(index, np.array([1.0, -1.0, 0.5, -0.5, 0.0]), seen, (2,))
    assert np.isfinite(single[0, [1, 2, 4, 8]]).all()
    assert np.isnan(np.delete(single[0], [1, 2, 4, 8])).all()
    assert np.array_equal(np.isnan(single), np.isnan(groups))


def test_the_coarse_table_beats_the_guide() -> None:
    deals = solve_chunk(11, 0, 3_000)
    fresh = solve_chunk(11, 1, 1_000)
    found = fit_holdings(deals)
    coarse = coarse_means(found, fresh) - fresh.tricks
    guide = strain_means(fresh.hands[:, 0])[np.arange(1_000), fresh.strain] - fresh.tricks
    assert np.sqrt(np.mean(coarse**2)) < 0.75 * np.sqrt(np.mean(guide**2))
    assert found.deals[2].sum() == 4 * np.sum((deals.kind == DECLARER) & (deals.strain == 4))


def test_suits_played_alone() -> None:
    """Cards from the lowest up: o the declarer's, l and r the defenders'."""
    def number(row: str) -> int:
        wanted = [{"o": 0, "l": 1, "r": 2}[who] for who in row]
        held = owners()
        return int(np.flatnonzero((held[:, : len(row)] == wanted).all(axis=1)
                                  & ((held >= 0).sum(axis=1) == len(row)))[0])

    cash, lost, kept, took = alone_table()
    at = number("lroo")
    assert (cash[at], lost[at], kept[at], took[at]) == (2, 0, 2, 2)
    at = number("oolr")
    # The two higher cards fall together, under the same trick; the other low one then wins.
    assert (cash[at], lost[at], kept[at], took[at]) == (0, 1, 1, 1)
    assert lost[number("lllr")] == 3
    assert (cash[number("loro")], took[number("loro")]) == (2, 2)  # the king falls under the ace
