"""A game's folder with one link in it, and a way to be somebody who is not root."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder

from .killer import Outcome, fork_killed

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder others can get to (pytest's own are closed to all but their owner)."""
    place = Path(tempfile.mkdtemp(prefix="pbem-test-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.fixture
def game(tmp_path: Path) -> GameFolder:
    root = tmp_path / "game"
    root.mkdir()
    found = GameFolder(root)
    with found.lock():
        found.commit(0, b"state 0", {"red": b"red 0"}, lambda: None)
    return found


def as_nobody(call: Callable[[], object]) -> Outcome:
    """Runs ``call`` in a child that is not root, to whom modes mean something."""

    def dropped() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        call()

    return fork_killed(dropped, 0)
