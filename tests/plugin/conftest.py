"""Night Market, installed as a stranger would: from its own wheel, into a folder of its own.

What lives here: the installation, and the game found in it. Nothing is fetched: pip builds without
isolation, with the hatchling that the other tests need too.
"""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import catalog

SOURCE = Path(__file__).parents[2] / "examples" / "plugin"
PIP = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is installed in. It is on nobody's path yet."""
    folder = tmp_path_factory.mktemp("plugin") / "site"
    line = ["install", "--no-deps", "--no-build-isolation", "--no-index", "--target"]
    subprocess.run([*PIP, *line, str(folder), str(SOURCE)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def game(site: Path) -> Iterator[Any]:
    """The game as pbem finds it, by its entry point; gone again after the module's tests."""
    sys.path.append(str(site))
    importlib.invalidate_caches()
    yield catalog.load("night-market")
    sys.path.remove(str(site))
    for name in [name for name in sys.modules if name.partition(".")[0] == "night_market"]:
        del sys.modules[name]
