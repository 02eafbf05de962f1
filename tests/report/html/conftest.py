"""Whole games of bots, each played once for all tests of this folder."""

from collections.abc import Callable
from functools import cache

import pytest

from report.html.played import GAMES, Face, faces


@pytest.fixture(scope="session")
def faces_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Face]]:
    """The emails of one of these games, up to its end."""

    @cache
    def found(name: str) -> list[Face]:
        return list(faces(tmp_path_factory.mktemp("faces") / "one", *GAMES[name]))

    return found
