"""English and Russian: a whole catalogue, errors that read right, terminals that lack characters.

What has to be translated is read off the code. A text is a *template* when it may become the first
argument of ``InputError(...)`` or of ``Field.error(...)``, or the second of ``tr(lang, ...)``. Such an
argument is followed through conditionals, containers and their items, and through names to
whatever is bound to them anywhere in the module (assignments, loops, what a function returns) or,
for imported names, in the module they come from. What is reached in no such way is in `ALSO`.
"""

from __future__ import annotations

import ast
import io
import re
import string
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import advisor
from advisor.advice.decide import EVALUATORS
from advisor.cards import parse_cards
from advisor.errors import InputError
from advisor.language import LANGUAGES, _catalogue, default_lang, explain, printable, tr
from advisor.paths import data_path
from advisor.records.hand import KEYS as HAND_KEYS
from advisor.records.hand import parse_hand
from advisor.records.result import _KEYS as RESULT_KEYS
from advisor.records.result import parse_result
from advisor.records.sheet import _KEYS as SHEET_KEYS
from advisor.records.sheet import parse_sheet
from advisor.rules.auction import AuctionRules, replay
from advisor.rules.calls import parse_auction
from advisor.rules.contracts import parse_contract
from advisor.tricks.guide import parse_holding

PACKAGE = Path(advisor.__file__).parent

# Parameters that `tr` translates; each must still be a text of the code.
WORDS = {"pass", "hold", "misere", "-without", "none"}
PHRASES = {"true or false", "a text", "3 or 4", "S C D H or ♠ ♣ ♦ ♥", "П Т Б Ч or ♠ ♣ ♦ ♥"}
KEY_LISTS = [HAND_KEYS, RESULT_KEYS, SHEET_KEYS]
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
