"""Files appear whole or not at all, and what cannot be written is told in one line."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from advisor.advice import hole_table
from advisor.cli import app
from advisor.errors import InputError
from advisor.fitting import bidder_command, chunks, command, report
from advisor.fitting.chunks import Store
from advisor.fitting.coarse import Holdings
from advisor.fitting.sample import solve_chunk
from advisor.fitting.tables import Fitted, write
from advisor.writing import check_file, check_folder, whole_file


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)
    assert names(tmp_path) == {"out.txt"}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError(), ValueError("mine")])
def test_an_error_leaves_the_old_file_alone(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write_half() -> None:
        with whole_file(path) as part:
            part.write_text("half")
            raise error

    with pytest.raises(type(error)) as raised:
        write_half()
    assert raised.value is error
    assert path.read_text() == "old"
    assert names(tmp_path) == {"out.txt"}


def test_a_full_disk_is_told_with_the_files_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"out.txt: nothing can be written here: No space left"), \
            whole_file(tmp_path / "out.txt"):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == set()


@pytest.mark.parametrize(("name", "says"), [
    ("", "this is a directory"), ("no/x", "no such folder"), ("file/x", "no such folder"),
    ("pipe", "not a regular file"), ("loop", "Too many levels"), ("a" * 300, "File name too long"),
    ("x\0y", "null byte")])
def test_where_no_file_can_be(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    before = names(tmp_path)
    with pytest.raises(InputError, match=says):
        check_file(tmp_path / name)
    with pytest.raises(InputError, match=says), whole_file(tmp_path / name):
        pass
    assert names(tmp_path) == before


@pytest.mark.parametrize("name", ["file", "file/x", "x\0y"])
def test_where_no_folder_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="nothing can be written here"):
        check_folder(tmp_path / name)


def test_a_folder_is_made(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert names(tmp_path / "a" / "b") == set()


def test_a_chunk_that_finds_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    deals = solve_chunk(1, 0, 4)
    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(InputError, match="No space left on device"):
        Store(tmp_path, 1, 4).save(0, deals)
    assert names(tmp_path) == set()


def test_tables_are_replaced_all_or_none(tmp_path: Path) -> None:
    for name in ("layouts.npz", "holdings.csv", "provenance.json"):
        (tmp_path / name).write_text("old")
    zero = np.zeros((3, 2, 256))
    found = Fitted({"link": np.zeros(1)}, Holdings(**{f.name: zero for f in fields(Holdings)}), {})
    with pytest.raises(TypeError):
        write(found, tmp_path, {"date": object()})
    assert {path.read_text() for path in tmp_path.iterdir()} == {"old"}
    assert len(names(tmp_path)) == 3
    write(found, tmp_path, {"date": "today"})
    assert (tmp_path / "layouts.npz").read_bytes().startswith(b"PK")


# The commands: told before the work


@pytest.fixture
def _no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work began")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for module, name in ((chunks, "solve_chunk"), (hole_table, "hole_odds"),
                         (bidder_command, "fit_bidder"),
                         (command, "fit_all"), (report, "solve_missing")):
        monkeypatch.setattr(module, name, never)


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("args", "says"), [
    (["fit-tables", "--work", "file"], "file: nothing can be written here: "),
    (["fit-tables", "--work", "file/x"], "file/x: nothing can be written here: "),
    (["fit-tables", "--work", ""], "--work: the file name is empty"),
    (["fit-tables", "--out", "file"], "file: nothing can be written here: "),
    (["fit-tables", "--out", ""], "--out: the file name is empty"),
    (["fit-tables", "--report", "no/x.md"], "no/x.md: nothing can be written here: no such"),
    (["fit-tables", "--report", "."], ".: this is a directory"),
    (["fit-tables", "--report", ""], "--report: the file name is empty"),
    (["fit-tables", "--report", "x.md", "--out", "y"], "give --report or --out, not both"),
    (["fit-tables", "--report", "x.md", "--json"], "give --report or --json, not both"),
    (["fit-tables", "--workers", "2", "--scheduler", "x"], "give --workers or --scheduler, not"),
    (["fit-bidder", "--work", "file"], "file: nothing can be written here: "),
    (["fit-bidder", "--out", "file/x"], "file/x: nothing can be written here: "),
    (["fit-bidder", "--out", ""], "--out: the file name is empty"),
    (["misere-holes", "--out", "."], ".: this is a directory"),
    (["misere-holes", "--out", ""], "--out: the file name is empty"),
    (["misere-holes", "--out", "no/x.csv"], "no/x.csv: nothing can be written here: no such"),
    (["misere-holes", "--out", "/dev/full"], "/dev/full: nothing can be written here: this is no"),
])
def test_what_cannot_be_written_is_told_before_the_work(
    args: list[str], says: str, lang: str
) -> None:
    found = CliRunner().invoke(app, [*args, "--lang", lang])
    assert found.exit_code == 2, found.exception
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert found.stderr.startswith(says) == (lang == "en")
