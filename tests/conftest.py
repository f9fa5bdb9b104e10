"""Shared by all tests: the ``--full`` option, steady hypothesis settings, the example hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

from advisor.cards import parse_cards


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true",
                     help="run checks marked slow at full length instead of reduced")


def pytest_configure(config: pytest.Config) -> None:
    full = config.getoption("--full")
    settings.register_profile("steady", deadline=None, derandomize=True, database=None,
                              max_examples=1000 if full else 100)
    settings.load_profile("steady")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether slow checks are to run at full length."""
    return bool(request.config.getoption("--full"))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20_240_229)


@pytest.fixture(scope="session")
def ten() -> int:
    """The example hand's ten cards."""
    return parse_cards("♠AKQ9 ♣A8 ♦K107 ♥8")


@pytest.fixture(scope="session")
def twelve(ten: int) -> int:
    """The example hand with a talon taken."""
    return ten | parse_cards("♠7 ♥A")
