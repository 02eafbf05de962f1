"""What every test needs: the settings of Hypothesis, the environment put back, what is tested."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
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


def pytest_report_header() -> str:
    """Say whether the checkout or the installed package is being tested."""
    return f"pbem under test: {Path(pbem.__file__).parent}"
