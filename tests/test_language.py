"""English and Russian: a whole catalogue, errors that read right, terminals that lack characters.

What has to be translated is read off the code. A text is a *template* when it may become the
first argument of ``InputError(...)`` or of ``Field.error(...)``, or the second of
``tr(lang, ...)``. Such an argument is followed through conditionals, containers and their items,
and through names to whatever is bound to them anywhere in the module (assignments, loops, what a
function returns), or in other modules where it is not bound there. What is reached in no such way
is in `ALSO`.
"""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import string
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

import advisor
from advisor.advice.decide import EVALUATORS
from advisor.cards import parse_cards
from advisor.cli import ADVISE_EXAMPLE, app
from advisor.commands.helping import help_texts
from advisor.errors import InputError
from advisor.language import LANGUAGES, Lang, default_lang, explain, printable, tr, visible
from advisor.paths import data_path
from advisor.records.deal import KEYS as DEAL_KEYS
from advisor.records.deal import parse_deal
from advisor.records.hand import KEYS as HAND_KEYS
from advisor.records.hand import parse_hand
from advisor.records.json_file import parse_json
from advisor.records.result import _KEYS as RESULT_KEYS
from advisor.records.result import parse_result
from advisor.records.session import SESSION_KEYS
from advisor.records.sheet import _KEYS as SHEET_KEYS
from advisor.records.sheet import parse_sheet
from advisor.rules.auction import AuctionRules, replay
from advisor.rules.calls import parse_auction
from advisor.rules.contracts import parse_contract
from advisor.tricks.guide import parse_holding

PACKAGE = Path(advisor.__file__).parent

# Parameters that `tr` translates; each must still be a text of the code.
PHRASES = {
    "3 or 4", "S C D H or ♠ ♣ ♦ ♥", "П Т Б Ч or ♠ ♣ ♦ ♥", "a few lines of text", "an object",
    "a list", "a list of three", "a text", "a number", "a number and its error",
    "a number for each player", "a share from 0 to 1", "true or false", "tricks from 0 to 10",
    "ten cards, or twelve with the talon", "cards such as C8 D7", "a game with its declarer",
    "how a deal ends", "nested too deep",
}
WORDS = {"pass", "hold", "misere", "-without", "none"}
KEY_LISTS = [HAND_KEYS, RESULT_KEYS, SHEET_KEYS, DEAL_KEYS, SESSION_KEYS]
ALSO = set(EVALUATORS) | {"column {n}"}


def key_list(keys: dict[str, str]) -> str:
    return ", ".join(dict.fromkeys(keys.values()))


class Module:
    """One source file and what its names are bound to."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.bound: dict[str, list[ast.expr]] = defaultdict(list)
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._bind(target, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind(target, value)
                case ast.For(target=target, iter=value) | ast.comprehension(
                        target=target, iter=value):
                    self._bind(target, value)
                case ast.FunctionDef(name=name):
                    self.bound[name] += [inner.value for inner in ast.walk(node)
                                         if isinstance(inner, ast.Return) and inner.value]

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.bound[node.id].append(value)

    def roots(self) -> Iterator[ast.expr]:
        for node in ast.walk(self.tree):
            match node:
                case ast.Call(func=ast.Name(id="InputError"), args=[first, *_]):
                    yield first
                case ast.Call(func=ast.Attribute(attr="error"), args=[first, *_]):
                    yield first
                case ast.Call(func=ast.Name(id="tr"), args=[_, second, *_]):
                    yield second


def reached(node: ast.expr, module: Module, modules: list[Module], seen: set[str]) -> set[str]:
    """The texts an expression may be."""
    def of(*nodes: ast.expr) -> set[str]:
        return set().union(*(reached(one, module, modules, seen) for one in nodes))

    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return of(body, orelse)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return of(*parts)
        case ast.Subscript(value=value) | ast.Call(func=ast.Name() as value):
            return of(value)
        case ast.Name(id=name) if name not in seen:
            at_home = name in module.bound
            return set().union(*(
                reached(value, home, modules, seen | {name})
                for home in ([module] if at_home else modules) for value in home.bound.get(name, [])
            ))
    return set()


def templates() -> set[str]:
    modules = [Module(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]
    return set().union(*(reached(root, module, modules, set())
                         for module in modules for root in module.roots()))


def literals() -> set[str]:
    return {node.value for path in PACKAGE.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def help_of_all() -> set[str]:
    """The help texts of every command, as they are shown."""
    root: Any = typer.main.get_command(app)
    top = typer.Context(root)
    found = set(help_texts(root, top))
    for command in root.commands.values():
        found |= set(help_texts(command, typer.Context(command, parent=top)))
    return found


CATALOGUE: dict[str, str] = tomllib.loads(data_path("lang/ru.toml").read_text(encoding="utf-8"))
SYSTEM = {os.strerror(number) for number in
          (errno.EACCES, errno.ENOSPC, errno.EROFS, errno.ENAMETOOLONG, errno.EIO)}
NO_JSON = ("", "[1 2]", '{"a" 1}', "{1: 2}", "1 2", '["a', '["a\tb"]')
CYRILLIC = re.compile("[а-яёА-ЯЁ]")


def in_russian(text: str, parser: Callable[[str], object]) -> str:
    with pytest.raises(InputError) as caught:
        parser(text)
    return explain(caught.value, "ru")


def hint(part: str) -> str:
    """The line between «» that a Russian message tells the user to write."""
    (text,) = [russian for english, russian in CATALOGUE.items() if part in english]
    lines: list[str] = re.findall("«(.*?)»", text)
    return lines[-1]


def json_reason(text: str) -> str:
    """What Python's own parser says of a text that is no JSON."""
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    return caught.value.msg


# The catalogue


def test_the_collection_reaches_every_kind_of_template() -> None:
    found = templates()
    assert {
        "'{found}' is not a suit; expected {expected}",  # InputError
        "the key '{key}' has no value",  # Field.error
        "'{call}' is a jump, and jumps are not allowed; legal calls: {legal}",  # constant
        "third hand",  # item of a constant
        "trick {trick}: hand {hand} does not hold {card}; legal cards: {legal}",  # conditional
        "no cards, no tricks",  # returned by a function of another module
        "net, whists",  # item of a loop
    } <= found
    assert {"Ten cards (twelve with the talon); overrides the file.", "HAND.txt",
            "Settle a score sheet (расчёт пули): what everyone wins or loses, in whists."
            } <= help_of_all()
    assert "bid" not in found


def test_every_template_has_its_russian() -> None:
    wanted = templates() | WORDS | PHRASES | ALSO | set(map(key_list, KEY_LISTS)) | help_of_all()
    assert sorted(wanted - CATALOGUE.keys()) == []


def test_no_entry_is_stale() -> None:
    known = templates() | WORDS | PHRASES | ALSO | set(map(key_list, KEY_LISTS)) | SYSTEM \
        | set(map(json_reason, NO_JSON)) | help_of_all() | {ADVISE_EXAMPLE}
    assert sorted(CATALOGUE.keys() - known) == []


def test_translated_parameters_are_still_in_the_code() -> None:
    assert sorted(PHRASES - literals()) == []
    said = [str(call) for call, _ in parse_auction("pass hold misere 9S-without")]
    assert all(any(word in text for text in said) for word in WORDS - {"none"})


def test_russian_has_the_same_places() -> None:
    assert [english for english, russian in CATALOGUE.items()
            if places(english) != places(russian)] == []


def test_russian_is_russian() -> None:
    bare = {re.sub(r"\{\w+\}", "", text) for text in CATALOGUE.values()}
    assert {text for text in bare if not CYRILLIC.search(text)} <= {": "}
    assert not [text for text in CATALOGUE.values() if "'" in text or text != text.rstrip()]


# What the Russian messages tell the user to write can be read


def test_lines_suggested_in_russian_are_valid() -> None:
    hand = hint("no hand found")
    talon = hint("with the talon taken give it")
    assert parse_hand(f"{hand}\n{talon}").declares
    contract = hint("the contract is missing")
    result, _ = parse_result(f"{contract}\nиграющий: 1\nвист: пас пас")
    assert str(result.contract) == "7H"
    talon = hint("a fourth line of cards")
    assert parse_deal(f"♠Т\n♠К\n♠Д\n{talon}").talon == (0, 31)
    assert parse_sheet(hint("the players are missing")).players == ("Анна", "Борис", "Вера")


def test_notation_suggested_in_russian_is_valid() -> None:
    calls = parse_auction("пас, здесь, 6П, 10БК, мизер, 9П без прикупа")
    assert [str(call) for call, _ in calls] == \
        ["pass", "hold", "6S", "10NT", "misere", "9S-without"]
    assert [str(parse_contract(word)) for word in ("6П", "10БК", "мизер", "распасы")] == \
        ["6S", "10NT", "misere", "all-pass"]
    assert parse_cards("♠ТКД9") == parse_cards("♠AKQ9")
    assert parse_cards("Тп") == parse_cards("As")
    assert parse_holding("ТДВхх") == parse_holding("AQJxx")


@pytest.mark.parametrize("keys", KEY_LISTS, ids=["hand", "result", "sheet", "deal", "session"])
def test_russian_key_lists_name_the_keys_in_order(keys: dict[str, str]) -> None:
    english = key_list(keys)
    assert [keys[word] for word in CATALOGUE[english].split(", ")] == english.split(", ")


# Errors in Russian


def test_a_wrong_rank_in_a_hand_file() -> None:
    said = in_russian("# моя рука\nрука: ♠ТКД9 ♣Т8 ♦К107 ♥Z",
                      lambda text: parse_hand(text, "рука.txt"))
    assert said == \
        "рука.txt:2:24: «Z» — не карта; нужно 7 8 9 10 В Д К Т или 7 8 9 10 J Q K A"


@pytest.mark.parametrize("text", NO_JSON)
def test_what_is_no_json_is_told_in_russian(text: str) -> None:
    said = in_russian(text, parse_json)
    assert said.startswith("<text>:1:")
    assert CYRILLIC.search(said.split("JSON: ")[1])


def test_a_place_on_the_command_line() -> None:
    error = InputError("the card {card} stands twice", card="H10", column=7, source="--hand")
    assert explain(error, "ru") == "--hand: столбец 7: карта ♥10 указана дважды"
    assert explain(error, "en") == str(error) == "--hand: column 7: the card H10 stands twice"


def test_calls_are_shown_in_russian() -> None:
    said = in_russian("7♠ 6♦", lambda text: replay(parse_auction(text), AuctionRules()))
    assert said == ("столбец 4: «6♦» не перебивает последнюю заявку, 7♠; можно: пас, "
                    "7♣ .. 10БК, мизер")
    assert "9♠ без прикупа" in in_russian(
        "мизер 6♠", lambda text: replay(parse_auction(text), AuctionRules(ladder="s3")))


def test_only_the_programs_own_words_are_translated() -> None:
    said = in_russian("pass: 1", parse_hand)
    assert said.startswith("<text>:1:1: «pass» — не ключ; можно: рука, место, торговля, ")
    key = "'{key}' is not an option of a convention; expected one of: {expected}"
    assert tr("ru", key, key="hold", expected="hold") == \
        "«hold» — не свойство конвенции; можно: hold"
    suit = "'{found}' is not a suit; expected {expected}"
    assert tr("ru", suit, found="stopped", expected="П Т Б Ч or ♠ ♣ ♦ ♥") == \
        "«stopped» — не масть; нужно П Т Б Ч или ♠ ♣ ♦ ♥"


def test_contracts_and_holdings_are_shown_in_russian() -> None:
    said = in_russian("контракт: мизер\nиграющий: 1\nвист: пас вист\nвзятки: 0 5 5", parse_result)
    assert said == "<text>:3:7: на «мизер» не вистуют; уберите вист"
    assert tr("ru", "not printed; halfway between no tricks and row {above} ({above_holding})",
              above=7, above_holding="A Q x").endswith("строкой 7 (Т Д х)")


def test_a_text_that_is_not_there_stays_english() -> None:
    assert tr("ru", "no such text, {n}", n=3) == "no such text, 3"
    assert explain(InputError("no such text", line=2), "ru") == "<text>:2: no such text"
    assert tr("en", "talon") == "talon"
    assert tr("ru", "talon") == "прикуп"


def test_a_parameter_may_have_any_name() -> None:
    assert tr("en", "{lang} {template}", lang=1, template=2) == "1 2"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_can_be_filled(lang: Lang) -> None:
    for english in CATALOGUE:
        said = tr(lang, english, **{name: f"<{name}>" for name in places(english)})
        assert all(f"<{name}>" in said for name in places(english)), english


# The language of the environment


@pytest.mark.parametrize(("environment", "lang"), [
    ({}, "en"),
    ({"LANG": "ru_RU.UTF-8"}, "ru"),
    ({"LANG": "ru_RU.KOI8-R", "LC_ALL": "C"}, "en"),
    ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"}, "ru"),
    ({"LANG": "ru_RU.UTF-8", "ADVISOR_LANG": "en"}, "en"),
    ({"LANG": "de_DE.UTF-8", "ADVISOR_LANG": "RU"}, "ru"),
    ({"LANG": "ru_RU.UTF-8", "ADVISOR_LANG": ""}, "ru"),
    ({"LANG": "uk_UA.UTF-8"}, "en"),
])
def test_default_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], lang: str
) -> None:
    for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_lang() == lang


# Terminals

SAMPLE = "▶ 6♠ −1.5 ± 0.2 · «пас», мизер è …"


@pytest.mark.parametrize(("encoding", "lang", "shown"), [
    ("utf-8", "en", SAMPLE),
    ("utf-8", "ru", SAMPLE),
    ("cp1251", "en", "> 6S -1.5 ± 0.2 · «пас», мизер e …"),
    ("cp1251", "ru", "> 6П -1.5 ± 0.2 · «пас», мизер e …"),
    ("koi8-r", "en", '> 6S -1.5 +- 0.2 · "пас", мизер e ...'),
    ("koi8-r", "ru", '> 6П -1.5 +- 0.2 · "пас", мизер e ...'),
    ("ascii", "en", '> 6S -1.5 +- 0.2 | "pas", mizer e ...'),
    ("ascii", "ru", '> 6P -1.5 +- 0.2 | "pas", mizer e ...'),
    ("no-such-encoding", "en", '> 6S -1.5 +- 0.2 | "pas", mizer e ...'),
    ("no-such-encoding", "ru", '> 6P -1.5 +- 0.2 | "pas", mizer e ...'),
    (None, "ru", '> 6P -1.5 +- 0.2 | "pas", mizer e ...'),
])
def test_printable(encoding: str | None, lang: Lang, shown: str) -> None:
    assert printable(SAMPLE, encoding, lang) == shown


def test_transliteration() -> None:
    assert printable("Щука, объём; ЖЁСТЬ, цифры: ♥♦♣♠", "ascii", "ru") == \
        "Shchuka, objom; ZhJoST, cifry: ChBTP"


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "koi8-r", "cp866", "latin-1"])
def test_no_text_of_the_program_becomes_question_marks(encoding: str) -> None:
    for lang in LANGUAGES:
        for text in CATALOGUE if lang == "en" else CATALOGUE.values():
            shown = printable(text, encoding, lang)
            shown.encode(encoding)
            assert shown.count("?") == text.count("?"), text


@given(st.text(), st.sampled_from(["ascii", "cp1251", "koi8-r", "utf-8"]),
       st.sampled_from(LANGUAGES))
def test_anything_becomes_printable(text: str, encoding: str, lang: Lang) -> None:
    shown = printable(text, encoding, lang)
    shown.encode(encoding)
    assert printable(shown, encoding, lang) == shown


@given(st.text())
def test_what_comes_from_outside_cannot_steer_a_terminal(text: str) -> None:
    shown = visible(text)
    assert not [char for char in shown
                if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert visible(shown) == shown


def test_letters_and_symbols_stay_what_they_are() -> None:
    text = "пас ♠A\u202f10 é – «семь» 漢字"
    assert visible(text) == text
    assert visible("\x1b[31m\n\x9b\u202e\U000e0041") == r"\x1b[31m\n\x9b\u202e\U000e0041"


def test_an_error_quotes_the_user_briefly() -> None:
    error = InputError("found '{found}', expected {expected}", found="x" * 5000,
                       expected=", ".join(["word"] * 20), source="y" * 5000)
    assert "…" in str(error)
    assert len(str(error)) < 1000
    assert error.params["expected"] == ", ".join(["word"] * 20)
