"""What every test needs: settings, chance from a seed, the environment put back, games to copy.

`PBEM_SEED=… make test ARGS="path::of_the_test"` draws again what a test that failed has drawn.
"""

import gc
import os
import tempfile
from collections.abc import Iterator
from hashlib import shake_256
from pathlib import Path
from unittest.mock import patch

import pytest
from durability import games
from hypothesis import settings

import pbem

# A deadline in milliseconds measures the other core's work, not ours. CI repeats itself exactly.
settings.register_profile("pbem", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI")))
settings.load_profile("pbem")


#: the workers of one run inherit it
SEED = os.environ.setdefault("PBEM_SEED", os.urandom(4).hex())


def in_memory() -> str:
    """A folder in memory, if there is one with room where programs may be started; "" if not.

    Most of what tests take of the system is files made and removed. TMPDIR chooses another folder.
    """
    folder = "/dev/shm"
    if not os.path.isdir(folder):
        return ""
    found = os.statvfs(folder)
    room = found.f_bavail * found.f_frsize > 2 << 30
    return folder if room and not found.f_flag & os.ST_NOEXEC else ""


if "TMPDIR" not in os.environ and (memory := in_memory()):
    os.environ["TMPDIR"] = tempfile.tempdir = memory  # which pytest has asked for already


#: nothing of what is collected is garbage, and looking for it took a quarter of that time
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


class Chance:
    """``os.urandom`` of this process, from the seed and the name of the test or fixture.

    A child that was forked draws others than its parent, as it must.
    """

    def __init__(self) -> None:
        self.name, self.drawn = "", 0

    def begin(self, name: str) -> None:
        self.name, self.drawn = name, 0

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        child = 0 if os.getpid() == PID else os.getpid()
        return shake_256(f"{SEED} {self.name} {self.drawn} {child}".encode()).digest(size)


PID, chance = os.getpid(), Chance()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[None]:
    """The same game comes of a fixture, whichever test asks for it first."""
    chance.begin(f"{fixturedef.argname} {fixturedef.baseid} {getattr(request, 'param', '')}")
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    chance.begin(item.nodeid)


@pytest.fixture(scope="session", autouse=True)
def _drawn_from_the_seed() -> Iterator[None]:
    with patch.object(os, "urandom", chance):
        yield


@pytest.fixture(scope="session", autouse=True)
def _unsynced() -> Iterator[None]:
    """This process waits for no drive: ``disk/strikes.py`` plays one that loses what it can.

    Who is killed in earnest is a process of its own, and syncs.
    """
    with patch.object(os, "fsync", lambda fd: None):
        yield


@pytest.fixture(scope="session", autouse=True)
def _environ(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands run in this process change PBEM_HOME and the clock: put both back at the end.

    No test may touch the home of whoever runs it.
    """
    before = dict(os.environ)
    os.environ["PBEM_HOME"] = str(tmp_path_factory.mktemp("home"))
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
    """Say whether the checkout or the installed package is being tested, and the seed."""
    return f"pbem under test: {Path(pbem.__file__).parent}; PBEM_SEED={SEED}"
