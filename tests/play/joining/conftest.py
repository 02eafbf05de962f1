"""The rounds that these tests copy and change."""

from pathlib import Path
from typing import Any

import pytest

from . import games, table


@pytest.fixture(scope="session")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A round just opened, one with its roster closed, one dealt."""
    folder = tmp_path_factory.mktemp("rounds")
    makers = {"invited": table.invited, "roster": table.roster_closed, "dealt": table.dealt}
    return {name: make(folder / name) for name, make in makers.items()}


@pytest.fixture
def invited(rounds: dict[str, Any], tmp_path: Path) -> Any:
    return games.copied(rounds["invited"], tmp_path / "invited")


@pytest.fixture
def roster(rounds: dict[str, Any], tmp_path: Path) -> Any:
    return games.copied(rounds["roster"], tmp_path / "roster")


@pytest.fixture
def dealt(rounds: dict[str, Any], tmp_path: Path) -> Any:
    return games.copied(rounds["dealt"], tmp_path / "dealt")
