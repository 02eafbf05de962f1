"""Games for rulings: with three walls, and after a scoring that opened something to all."""

import shutil
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from durability import games


@pytest.fixture(scope="session")
def walls(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three walls are built; each showed its player a counter at most."""
    place = games.opened(tmp_path_factory.mktemp("walls") / "one")
    for _ in range(3):
        games.answer(place)
    return place


@pytest.fixture(scope="session")
def over(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Played to its end by bots; the end turned up what was hidden. Its archive is emailed when it is closed."""

    def ends(_: Any, after: Any) -> bool:
        return after.game.outcome(after.game.view(after.position.state, None)) is not None

    with patch.dict(games.WANTED, options={"archive": "attach"}):
        place = games.opened(tmp_path_factory.mktemp("over") / "one")
    assert games.play(place, 10, ends, 250) is not None
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
