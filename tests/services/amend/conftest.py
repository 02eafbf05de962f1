"""Games for rulings: with three walls, and after a scoring that opened something to all."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from durability import games


@pytest.fixture(scope="session")
def walls(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three walls are built; each showed its player a counter at most."""
    place = games.opened(tmp_path_factory.mktemp("walls") / "one")
    for _ in range(3):
        games.answer(place)
    return place


@pytest.fixture
def place(walls: Any, tmp_path: Any) -> Iterator[Any]:
    """A copy to rule in."""
    found = games.copied(walls, tmp_path / "place")
    yield found
    shutil.rmtree(found.path, ignore_errors=True)


@pytest.fixture
def late(scored: Any, tmp_path: Any) -> Iterator[Any]:
    """A copy of the game after its scoring."""
    found = games.copied(scored, tmp_path / "late")
    yield found
    shutil.rmtree(found.path, ignore_errors=True)
