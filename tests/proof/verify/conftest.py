"""One played game, its states, and a parser that refuses what was not verified."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.formats import state_file


@pytest.fixture(scope="session")
def played(scored: games.Place, tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """A game after a scoring, which tests of this folder put files beside."""
    return games.copied(scored, tmp_path_factory.mktemp("tamper") / "one")


@pytest.fixture
def place(played: Any, tmp_path: Path) -> Iterator[Any]:
    """A copy to be changed."""
    found = games.copied(played, tmp_path / "place")
    yield found
    shutil.rmtree(found.path, ignore_errors=True)


@pytest.fixture(scope="session")
def states(played: Any) -> dict[int, bytes]:
    """Every state of the game, by number."""
    return {n: (played.game / f"states/{n:04d}.toml").read_bytes() for n in played.numbers()}


@pytest.fixture
def verified_only(states: dict[int, bytes], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whoever parses bytes of a state that no referee signed, fails the test."""
    good = {state_file.split(raw).body for raw in states.values()}
    parse, seen = state_file.parse, [0]

    def checked(body: bytes) -> dict[str, Any]:
        if b"\nphase = " in body[:400]:  # a state, and not a hand or the players' file
            assert body in good, "bytes were parsed that no signature vouches for"
            seen[0] += 1
        return parse(body)

    monkeypatch.setattr(state_file, "parse", checked)
    return seen
