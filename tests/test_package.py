"""The package as built: its files, and that it works where only it is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from processes import ROOT, environment

pytestmark = pytest.mark.slow
HAND = "♠AKQ9 ♣A8 ♦K107 ♥8"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir",
                    str(folder), str(ROOT)], check=True, capture_output=True, timeout=120)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                    "--disable-pip-version-check", "--target", str(folder), str(wheel)],
                   check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def outside(installed: Path, *line: str | Path, **env: str) -> str:
    """What a command says that is run from the root folder, with the installed package alone."""
    done = subprocess.run([str(word) for word in line], cwd="/", capture_output=True, timeout=60,
                          env=environment(installed, **env))
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def sources(folder: str) -> Iterator[str]:
    for path in (ROOT / folder).rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
            yield path.relative_to(ROOT).as_posix()


def test_the_wheel_has_all_code_and_data(names: set[str]) -> None:
    data = {f"advisor/{name}" for name in sources("data")}
    for ending in ("conventions/sochi.toml", "lang/ru.toml", "guide/trick_guide.csv",
                   "guide/misere_holes.csv", "hands/example.txt"):
        assert f"advisor/data/{ending}" in data
    assert data <= names
    assert set(sources("advisor")) <= names
    assert "advisor/py.typed" in names


def test_the_wheel_has_nothing_else(names: set[str]) -> None:
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"advisor"}
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_wheel_has_its_licence_and_both_commands(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        info = {name.split(".dist-info/")[1]: archive.read(name).decode()
                for name in archive.namelist() if ".dist-info/" in name}
    assert "License-Expression: MIT" in info["METADATA"] or "License: MIT" in info["METADATA"]
    assert any(name.endswith("LICENSE") for name in info)
    commands = [line.split(" = ")[0] for line in info["entry_points.txt"].splitlines()]
    assert {"advise", "advisor"} <= set(commands)


def test_the_installed_package_is_the_one_that_runs(installed: Path) -> None:
    home = outside(installed, sys.executable, "-c", "import advisor; print(advisor.__file__)")
    assert Path(home.strip()).is_relative_to(installed)


@pytest.mark.parametrize(("lang", "words"), [
    ("en", ["second hand · Sochi · three players · pass", "A K Q 9", "rule of thumb: bid"]),
    ("ru", ["Сочи", "Т К Д 9", "мизер "])])
def test_advise_works_anywhere(installed: Path, lang: str, words: list[str]) -> None:
    text = outside(installed, installed / "bin/advise", "--hand", HAND, "--seat", "2", "--auction",
                   "пас", "--deals", "500", "--lang", lang)
    for word in words:
        assert word in text


@pytest.mark.parametrize("convention", ["leningrad", "rostov", "classic", "zhuk", "seed004"])
def test_every_convention_comes_along(installed: Path, convention: str) -> None:
    text = outside(installed, installed / "bin/advise", "--hand", HAND, "--deals", "100", "--json",
                   "--convention", convention)
    assert json.loads(text)["convention"] == convention


@pytest.mark.parametrize(("lang", "words"), [
    ("en", ["A Q J x x", "row 15"]), ("ru", ["Т Д В х х", "15"])])
def test_the_guide_works_anywhere(installed: Path, lang: str, words: list[str]) -> None:
    for start in ([installed / "bin/advisor"], [sys.executable, "-m", "advisor"]):
        text = outside(installed, *start, "guide", "AQJxx", LANG=f"{lang}_XX.UTF-8")
        for word in words:
            assert word in text


def test_version_is_the_packages(installed: Path, wheel: Path) -> None:
    version = wheel.name.split("-")[1]
    for name in ("advise", "advisor"):
        said = outside(installed, installed / "bin" / name, "--version")
        assert said == f"preferans-advisor {version}\n"


def test_a_picture_works_anywhere(installed: Path, tmp_path: Path) -> None:
    outside(installed, installed / "bin/advise", "--hand", HAND, "--deals", "100", "--plot",
            tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_bytes().startswith(b"<?xml")
