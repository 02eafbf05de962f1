"""The twin test finds leaks: each of these is planted, and must be found."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sizes import drawn, size

from pbem import catalog

from .leaks import PLANTED, Plant
from .real_seals import look
from .told import Leak
from .trial import trial
from .worlds import KIND

Say = Callable[[str, str], None]


def _attempt(plant: Plant, root: Path, seed: int) -> None:
    seats = 2 + seed % 3
    if plant.found_by == "twins":
        trial(root / "t", seats, seed, plant.world)
    else:
        look(catalog.load(KIND), seats, seed)


@pytest.mark.attack(
    "profit from a leak that a change to pbem introduces",
    by="found by the tests, which fail if a leak is added on purpose",
    who="player",
)
@pytest.mark.parametrize("plant", drawn("leaks planted", PLANTED), ids=lambda plant: plant.name)
def test_a_planted_leak_is_found(plant: Plant, say: Say) -> None:
    with tempfile.TemporaryDirectory() as root, plant.planted:
        for seed in (plant.seed, *range(size("tries to find a planted leak"))):
            try:
                _attempt(plant, Path(root), seed)
            except Leak as leak:
                by = "twins" if plant.found_by == "twins" else "real seals"
                say("planted", f"{plant.name:<55} {by}, trial {seed}: {leak.what}")
                return
    pytest.fail(f"nothing tells of it: {plant.name}")


@pytest.mark.attack(
    "learn hidden values from the lengths of tokens, or from tokens that stay the same",
    by="not possible: all tokens of a kind have the same length, and every state makes new ones",
    who="finder",
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_real_seals_hide_lengths_and_links(seats: int) -> None:
    for seed in range(6):
        assert look(catalog.load(KIND), seats, seed) > 60
