"""Pictures: bars are the options, words are in the language asked for, files are what they say."""

from __future__ import annotations

import math
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from processes import ROOT, command, environment
from typer.testing import CliRunner, Result

from advisor.advice.decide import advise
from advisor.advice.results import Advice
from advisor.cards import format_hand
from advisor.cli import app
from advisor.language import Lang
from advisor.records.hand import parse_hand
from advisor.show.charts import canvas
from advisor.show.charts.ev import plot_ev
from advisor.show.report import is_rough, shown_options

FEW = ("--evaluator", "guide", "--deals", "300")
HAND = "♠AKQ98 ♣A8 ♦K107"
MAGIC = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.fixture(scope="module")
def bid() -> Advice:
    return advise(parse_hand(HAND), deals=500, evaluator="guide")


@pytest.fixture(scope="module")
def declaration() -> Advice:
    return advise(parse_hand(f"hand: {HAND}\nauction: 6S pass pass\ntalon: ♦A ♥J"), deals=500,
                  evaluator="guide")


def bars(ax: Axes) -> BarContainer:
    return next(one for one in ax.containers if isinstance(one, BarContainer))


def labels(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_a_bar_for_each_option_shown_in_its_order(bid: Advice) -> None:
    options, _ = shown_options(bid, False)
    ax = plot_ev(bid)
    assert [bar.get_width() for bar in bars(ax)] == [option.ev for option in options]
    assert bid.best.call is not None
    assert labels(ax)[0] == bid.best.call.label("en")
    assert len(labels(ax)) == len(options)
    assert {"pass", "misère"} <= set(labels(ax))
    assert ax.yaxis_inverted(), "the best stands on top"


def test_error_bars_are_one_standard_error(bid: Advice) -> None:
    options, _ = shown_options(bid, False)
    errors = next(one for one in plot_ev(bid).containers
                  if isinstance(one, ErrorbarContainer))
    for segment, option in zip(errors.lines[2][0].get_segments(), options, strict=True):
        assert segment[1][0] - segment[0][0] == pytest.approx(2 * option.se)


def test_the_best_bar_has_a_colour_of_its_own(bid: Advice) -> None:
    colours = [bar.get_facecolor() for bar in bars(plot_ev(bid))]
    assert colours[0] not in colours[1:]
    assert len(set(colours[1:])) == 1


def test_every_value_is_written_beside_its_bar(bid: Advice) -> None:
    options, _ = shown_options(bid, False)
    written = [text.get_text() for text in plot_ev(bid).texts]
    for option in options:
        rough = "≈ " if is_rough(option, bid) else ""
        assert rough + f"{option.ev:+.1f}".replace("-", "−") in written


@pytest.mark.parametrize(("lang", "hand", "best", "misere", "unit"), [
    ("en", "♠AKQ98 ♣A8 ♦K107", "pass", "misère", "net whists"),
    ("ru", "♠ТКД98 ♣Т8 ♦К107", "пас", "мизер", "вистов")])
def test_words_are_in_the_language(
    bid: Advice, lang: Lang, hand: str, best: str, misere: str, unit: str
) -> None:
    ax = plot_ev(bid, lang)
    assert ax.get_title().startswith(hand)
    assert {best, misere} <= set(labels(ax))
    assert unit in ax.get_xlabel()
    assert ax.get_ylabel()


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_declaration_shows_what_is_thrown(declaration: Advice, lang: Lang) -> None:
    best = declaration.best
    assert best.contract is not None
    thrown = format_hand(best.discard, lang)
    assert labels(plot_ev(declaration, lang))[0] == f"{best.contract.label(lang)}  ({thrown})"


def test_it_draws_into_axes_given(bid: Advice) -> None:
    ax = Figure().subplots()
    assert plot_ev(bid, ax=ax) is ax
    assert bars(ax)


def test_a_hopeless_call_does_not_squeeze_the_others(bid: Advice) -> None:
    worst = shown_options(bid, False)[0][-1]
    hopeless = replace(bid, options=tuple(
        replace(option, ev=-2000.0) if option is worst else option for option in bid.options))
    ax = plot_ev(hopeless)
    assert ax.get_xlim()[0] > -500
    assert min(bar.get_width() for bar in bars(ax)) == -2000
    assert [text.get_text() for text in ax.texts].count("◀") == 1
    assert not any(text.get_text() == "◀" for text in plot_ev(bid).texts[:1])


def test_every_bar_and_number_is_inside_the_picture(bid: Advice) -> None:
    ax = plot_ev(bid)
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    whole = figure.bbox
    for text in [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_yticklabels()]:
        box = text.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1


def test_unknown_errors_draw_no_bar_but_a_picture() -> None:
    one = advise(parse_hand(HAND), deals=1, evaluator="guide")
    assert any(math.isnan(option.se) for option in one.options)
    ax = plot_ev(one)
    assert all(math.isfinite(x) for text in ax.texts for x in text.xy)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".PNG"])
def test_the_command_writes_the_kind_of_file_it_is_asked_for(
    tmp_path: Path, ending: str, lang: str
) -> None:
    path = tmp_path / f"chart{ending}"
    result = CliRunner().invoke(app, ["advise", "--hand", HAND, *FEW, "--lang", lang,
                                      "--plot", str(path)])
    assert (result.exit_code, result.stderr) == (0, "")
    data = path.read_bytes()
    assert data.startswith(MAGIC[ending.lower()])
    assert len(data) > 5000
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_the_same_advice_draws_the_same_file(bid: Advice, tmp_path: Path, ending: str) -> None:
    written = []
    for name in ("one", "two"):
        canvas.save(plot_ev(bid), tmp_path / (name + ending))
        written.append((tmp_path / (name + ending)).read_bytes())
    assert written[0] == written[1]


def test_a_picture_replaces_an_older_one(bid: Advice, tmp_path: Path) -> None:
    path = tmp_path / "chart.png"
    path.write_bytes(b"old")
    assert canvas.checked_path(path).read_bytes() == b"old"
    canvas.save(plot_ev(bid), path)
    assert path.read_bytes().startswith(MAGIC[".png"])


def test_files_of_the_user_beside_the_picture_are_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / ".chart.png.part"
    mine.write_bytes(b"mine")
    assert drawn(tmp_path / "chart.png").exit_code == 0
    assert mine.read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


def drawn(path: Path) -> Result:
    return CliRunner().invoke(app, ["advise", "--hand", HAND, *FEW, "--lang", "en",
                                    "--plot", str(path)])


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 251 + ".png")
    assert drawn(path).exit_code == 0
    assert path.read_bytes().startswith(MAGIC[".png"])


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link_and_its_file_is_drawn(tmp_path: Path, there: bool) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far/real.png", tmp_path / "link.png"
    if there:
        real.write_bytes(b"old")
        real.chmod(0o640)
    link.symlink_to("far/real.png")
    assert drawn(link).exit_code == 0
    assert link.is_symlink()
    assert real.read_bytes().startswith(MAGIC[".png"])
    assert not there or real.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["real.png"]


def test_what_is_no_file_is_not_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "link.png").symlink_to("pipe.png")
    (tmp_path / "loop.png").symlink_to("loop.png")
    for name, told in (("pipe", "not a regular file"), ("link", "not a regular file"),
                       ("loop", "nothing can be written here")):
        result = drawn(tmp_path / f"{name}.png")
        assert result.exit_code == 2
        assert told in result.stderr
    assert (tmp_path / "pipe.png").is_fifo()


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_picture_is_drawn_though_the_reader_has_gone(tmp_path: Path, more: list[str]) -> None:
    path = tmp_path / "chart.png"
    process = subprocess.Popen(
        command("advise", "--hand", HAND, *FEW, "--plot", path, *more), cwd=ROOT,
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.communicate(timeout=60)[1] == b""
    assert process.returncode == 0
    assert path.read_bytes().startswith(MAGIC[".png"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device of a full disk is missing")
def test_a_picture_is_drawn_though_the_report_finds_no_room(tmp_path: Path) -> None:
    path = tmp_path / "chart.png"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("advise", "--hand", HAND, *FEW, "--plot", path), cwd=ROOT,
            env=environment(), stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert path.read_bytes().startswith(MAGIC[".png"])


def test_a_report_is_printed_though_its_picture_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", fail)
    result = drawn(tmp_path / "chart.png")
    assert result.exit_code == 2
    assert result.stderr.endswith("chart.png: nothing can be written here: "
                                  "No space left on device\n")
    assert "♠ A K Q 9 8" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_fails_half_way_leaves_the_older_one(
    bid: Advice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Figure, path: Path, **_: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    path = tmp_path / "chart.png"
    path.write_bytes(b"old")
    ax = plot_ev(bid)
    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(ValueError, match="No space left on device"):
        canvas.save(ax, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
