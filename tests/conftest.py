"""What every test needs: nothing but the settings of Hypothesis, and a word on what is tested."""

import os
from pathlib import Path

from hypothesis import settings

import pbem

# A deadline in milliseconds measures the other core's work, not ours. CI repeats itself exactly.
settings.register_profile(
    "pbem", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("pbem")


def pytest_report_header() -> str:
    """Say whether the checkout or the installed package is being tested."""
    return f"pbem under test: {Path(pbem.__file__).parent}"
