"""What every test needs: the settings of Hypothesis, the environment put back, what is tested."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from durability import games
from hypothesis import settings

import pbem

# A deadline in milliseconds measures the other core's work, not ours. CI repeats itself exactly.
settings.register_profile(
    "pbem", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("pbem")


@pytest.fixture(scope="session", autouse=True)
def _environ() -> Iterator[None]:
    """Commands run in this process change PBEM_HOME and the clock: put both back at the end."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def scoring(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """Before a resolve that plays several orders and scores: one seat answers, the next one too.

    To be copied, as ``scored`` is, and never changed: it serves every folder of tests.
    """
    return games.before_a_scoring(tmp_path_factory.mktemp("scoring"))


@pytest.fixture(scope="session")
def scored(scoring: games.Place, tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """After that resolve, in which counters and cards were turned up for all."""
    place = games.copied(scoring, tmp_path_factory.mktemp("scored") / "one")
    place.done("resolve", "GAME")
    return place


def pytest_report_header() -> str:
    """Say whether the checkout or the installed package is being tested."""
    return f"pbem under test: {Path(pbem.__file__).parent}"
