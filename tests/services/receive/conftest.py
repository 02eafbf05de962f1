"""The table, set once and copied for each test."""

from pathlib import Path

import pytest
from durability.games import copied

from . import table as tables
from .table import Table


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return tables.dealt(tmp_path_factory.mktemp("known") / "base")


@pytest.fixture
def table(dealt: Table, tmp_path: Path) -> Table:
    """The game just dealt: it waits for Ann (red), who has a key."""
    return Table(copied(dealt.place, tmp_path / "place"), dealt.password)


@pytest.fixture(scope="session")
def answered(dealt: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    table = Table(copied(dealt.place, tmp_path_factory.mktemp("known") / "later"), dealt.password)
    table.place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "first"))
    table.place.done("resolve", "GAME")
    return table


@pytest.fixture
def later(answered: Table, tmp_path: Path) -> Table:
    """Ann has played her first wall: it waits for Bob (blue), who has a password."""
    return Table(copied(answered.place, tmp_path / "place"), answered.password)
