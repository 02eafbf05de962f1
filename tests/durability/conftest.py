"""The games that the tests of this folder destroy, made once and copied."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import games
from .games import Place


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A game just dealt."""
    return games.opened(tmp_path_factory.mktemp("dealt") / "one")


@pytest.fixture
def place(dealt: Place, tmp_path: Path) -> Iterator[Place]:
    """A copy of the game just dealt, to be destroyed."""
    found = games.copied(dealt, tmp_path / "place")
    yield found
    shutil.rmtree(found.path, ignore_errors=True)
