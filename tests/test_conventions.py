"""Conventions as data: what is shipped, what a user may write, and how he is told his mistakes."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from advisor.errors import InputError
from advisor.paths import data_path
from advisor.rules.contracts import parse_contract
from advisor.rules.conventions import Convention, convention_names, load_convention

NAMES = ("sochi", "leningrad", "rostov", "classic", "zhuk", "seed004")


def test_the_shipped_ones_are_all_there():
    assert convention_names() == NAMES
    assert {path.stem for path in data_path("conventions").glob("*.toml")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_whole_and_every_option_has_its_source(name):
    convention = load_convention(name)
    assert convention.name == name
    lines = data_path(f"conventions/{name}.toml").read_text("utf-8").splitlines()
    for field in fields(Convention):
        if field.name not in ("name", "title_en", "title_ru"):
            (line,) = [line for line in lines if line.startswith(f"{field.name} = ")]
            assert "  # " in line


@pytest.mark.parametrize(("spelling", "name"), [
    ("Сочи", "sochi"), ("сочинка", "sochi"), ("SOCHI", "sochi"), (" ленинград ", "leningrad"),
    ("питер", "leningrad"), ("Ростов", "rostov"), ("классика", "classic"), ("Жук", "zhuk"),
])
def test_spellings(spelling, name):
    assert load_convention(spelling).name == name


def test_prices():
    """Rules.md 4.1, by level."""
    def table(name):
        c = load_convention(name)
        return [(c.whist_price(n), c.undertrick(n), c.whist_fine(n), c.consolation_price(n))
                for n in range(6, 11)]

    assert table("sochi") == [(v, v, v, v) for v in (2, 4, 6, 8, 10)]
    assert table("leningrad") == [(2 * v, 2 * v, v, 2 * v) for v in (2, 4, 6, 8, 10)]
    assert table("rostov") == [(v, v, v // 2, 10) for v in (2, 4, 6, 8, 10)]
    assert table("seed004") == [(v, v, v // 2, v) for v in (2, 4, 6, 8, 10)]


def test_duty():
    """Rules.md 3.2."""
    sochi, zhuk = load_convention("sochi"), load_convention("zhuk")
    assert [sochi.duty(level) for level in range(6, 11)] == [4, 2, 1, 1, 1]
    assert (zhuk.duty(6, 1), zhuk.duty(6, 2), zhuk.duty(10)) == (3, 4, 0)


def test_stalingrad_is_six_spades_only():
    classic = load_convention("classic")
    assert classic.both_must_whist(parse_contract("6S"))
    assert not classic.both_must_whist(parse_contract("6C"))
    assert not classic.both_must_whist(parse_contract("misere"))
    assert not load_convention("sochi").both_must_whist(parse_contract("6S"))


@pytest.mark.parametrize(("name", "levels"), [
    ("sochi", [6, 6, 6, 6, 6]), ("leningrad", [6, 7, 7, 7, 7]), ("zhuk", [6, 7, 8, 6, 7]),
])
def test_min_level(name, levels):
    assert [load_convention(name).min_level(n) for n in range(5)] == levels


def test_exit_stays_at_its_last_step():
    convention = replace(load_convention("sochi"), exit_levels=(6, 7, 8))
    assert [convention.min_level(n) for n in range(5)] == [6, 7, 8, 8, 8]


def test_impossible_values_are_refused_in_python_too():
    with pytest.raises(InputError, match='ladder: found "high", expected one of: "simple"'):
        replace(load_convention("sochi"), ladder="high")


def write(folder, text, name="my.toml"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_users_file_changes_what_it_says(tmp_path):
    path = write(tmp_path, 'extends = "питер"\nten = "whisted"\nexit_levels = [6, 7, 8]\n')
    assert load_convention(path) == replace(
        load_convention("leningrad"), name="my", ten="whisted", exit_levels=(6, 7, 8))


def test_extends_a_path_relative_to_the_file(tmp_path):
    (tmp_path / "club").mkdir()
    write(tmp_path / "club", 'extends = "rostov"\nstalingrad = true\n', "base.toml")
    convention = load_convention(str(write(tmp_path, 'extends = "club/base.toml"\n')))
    assert convention.stalingrad
    assert convention.consolation == "ten_whists"


def test_a_relative_path_is_first_looked_for_in_the_given_folder(tmp_path):
    write(tmp_path, 'extends = "sochi"\n')
    assert load_convention("my.toml", tmp_path).name == "my"


@pytest.mark.parametrize(("text", "told"), [
    ('extends = "sochi"\n\nladdr = "simple"\n', "my.toml:3:1: 'laddr' is not an option"),
    ('extends = "sochi"\nladder = "high"\n',
     'my.toml:2:1: ladder: found "high", expected one of: "simple", "s3"'),
    ('extends = "sochi"\npool_point = 15\n', "my.toml:2:1: pool_point: found 15, expected one of: "
     "10, 20"),
    ('extends = "sochi"\npool_point = true\n', "pool_point: found true"),
    ('extends = "sochi"\nwhist_price_factor = true\n', "whist_price_factor: found true"),
    ('extends = "sochi"\nstalingrad = "no"\n', 'stalingrad: found "no", expected true or false'),
    ('extends = "sochi"\nexit_levels = []\n', "exit_levels: found [], expected a list of whole"),
    ('extends = "sochi"\nexit_levels = [5]\n', "from 6 to 10"),
    ('extends = "sochi"\nexit_levels = 6\n', "exit_levels: found 6"),
    ('extends = "sochi"\nall_pass_price = [1]\n', "all_pass_price: found [1], expected a whole"),
    ('extends = "sochi"\nall_pass_price = 0\n', "from 1 to 100"),
    ('extends = "sochi"\ntitle_en = 3\n', "title_en: found 3, expected a text"),
    ('extends = "sochi"\nname = "x"\n', "my.toml:2:1: 'name' is the file's own name"),
    ('extends = "sochi"\n[auction]\nladder = "s3"\n', "my.toml:2:2: 'auction' is not an option"),
    ('extends = 3\n', "my.toml:1:1: extends: found 3"),
    ('extends = "nowhere"\n', "my.toml:1:1: 'nowhere' is not a convention; expected one of: sochi"),
    ('extends = "nowhere.toml"\n', "nowhere.toml: there is no such file"),
    ('extends = "my.toml"\n', "my.toml:1:1: extends goes in a circle: my.toml -> my.toml"),
    ('ladder = "simple"\n', "the convention lacks title_en, title_ru, hold"),
    ('extends = "sochi"\nten = checked\n', "my.toml:2:7: this is not TOML"),
    ('extends = "sochi"\nten = "che', "my.toml:2: this is not TOML"),
    ('extends = "sochi"\npool_point = ' + "9" * 5000, "my.toml:2:14: found a number of more than"),
    ('extends = "sochi"\npool_point = -0x' + "f" * 15000, "my.toml:2:15: found a number of more"),
    ("exit_levels = " + "[" * 9000, "my.toml:1:19: found brackets more than 4 deep"),
    ("a = " + "{b = " * 3000, "found brackets more than 4 deep"),
    (".".join("a" * 9000) + " = 1", "my.toml:1:2: found a key of more than 5 parts"),
    ("[" + " . ".join(['"a"'] * 3000) + "]", "found a key of more than 5 parts"),
    ('"' * 19_000, "this is not TOML"),
    ('"\\' * 9_000, "this is not TOML"),
    ('extends = "sochi"\nexit_levels = [[6]]', "found [[6]], expected a list"),
    ('extends = "sochi"\ntitle_en = "' + "x" * 101 + '"', "found 101 characters, expected at most"),
])
def test_bad_files(tmp_path, text, told):
    with pytest.raises(InputError) as caught:
        load_convention(write(tmp_path, text))
    assert told in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("text", [
    f"{'k' * 15000} = 1", f'hold = "{"x" * 15000}"', f'extends = "{"x" * 15000}"',
    f"exit_levels = [{'5,' * 9000}]", f"name = {'[5,' * 3}{'5,' * 9000}]]]"])
def test_what_a_message_quotes_is_short(tmp_path, text):
    with pytest.raises(InputError) as caught:
        load_convention(write(tmp_path, text))
    assert len(str(caught.value)) < 1000


def test_strings_and_comments_are_no_brackets_keys_or_numbers(tmp_path):
    path = write(tmp_path, 'extends = "sochi"  # [[[[[ a.b.c.d.e.f.g ' + "1" * 40
                 + '\ntitle_en = "[[[[[ a.b.c.d.e.f.g"\ntitle_ru = \'' + "1" * 40 + "'\n")
    assert load_convention(path).title_en == "[[[[[ a.b.c.d.e.f.g"


def test_a_long_chain_of_extends_is_refused(tmp_path):
    write(tmp_path, 'extends = "sochi"\n', "c9.toml")
    for i in range(9):
        write(tmp_path, f'extends = "c{i + 1}.toml"\n', f"c{i}.toml")
    assert load_convention(tmp_path / "c1.toml").pool_point == 10
    with pytest.raises(InputError, match="more than 10 conventions extend one another"):
        load_convention(tmp_path / "c0.toml")


@pytest.mark.parametrize("name", ["a" * 300 + ".toml", "a/" * 3000 + ".toml", "\0.toml"])
def test_impossible_paths(tmp_path, name):
    for base in (None, tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            load_convention(name, base)
    with pytest.raises(InputError, match=r"cannot be read|not TOML"):
        load_convention(write(tmp_path, f'extends = "{name}"\n'))


def test_a_folder_that_may_not_be_read(tmp_path, monkeypatch):
    """As for anyone but root, who may do all."""
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_file", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    for base in (None, tmp_path):
        with pytest.raises(InputError, match="cannot be read: Permission denied"):
            load_convention("closed/my.toml", base)


def test_a_longer_circle_is_refused(tmp_path):
    write(tmp_path, 'extends = "b.toml"\n', "a.toml")
    write(tmp_path, 'extends = "a.toml"\n', "b.toml")
    with pytest.raises(InputError, match=r"circle: a.toml -> b.toml -> a.toml"):
        load_convention(tmp_path / "a.toml")


def test_an_unknown_name_lists_the_known():
    with pytest.raises(InputError) as caught:
        load_convention("tver")
    assert all(name in str(caught.value) for name in NAMES)
    assert "'tver'" in str(caught.value)


def test_unreadable_files(tmp_path):
    (tmp_path / "dir.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "huge.toml").write_bytes(b"#" * 200_000)
    for name, told in (("dir", "directory"), ("bytes", "not UTF-8"), ("huge", "larger than"),
                       ("none", "no such file"), ("nul\0", "cannot be read")):
        with pytest.raises(InputError, match=told):
            load_convention(tmp_path / f"{name}.toml")
