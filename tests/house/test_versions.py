"""What stands in two places is the same in both."""

import re
import tomllib
from importlib.metadata import entry_points, version

import pbem
from pbem import catalog

from .tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_installed_version_is_the_one_in_the_package() -> None:
    assert version("pbem") == pbem.__version__


def test_the_changelog_knows_this_version_or_is_about_to() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[(Unreleased|{re.escape(pbem.__version__)})\]", text, re.MULTILINE)


def test_the_built_in_games_are_the_entry_points() -> None:
    assert PROJECT["project"]["entry-points"][catalog.ENTRY_POINT_GROUP] == catalog.BUILT_IN
    installed = {
        entry.name: entry.value
        for entry in entry_points(group=catalog.ENTRY_POINT_GROUP)
        if entry.dist and entry.dist.name == "pbem"
    }
    assert installed == catalog.BUILT_IN


def test_typer_is_bound_below_the_version_that_needs_pydantic() -> None:
    assert "typer>=0.28,<0.29" in PROJECT["project"]["dependencies"]


def test_every_dependency_is_pinned_for_ci_and_explained() -> None:
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    needed = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"]
    for requirement in needed:
        name = re.split(r"[<>=]", requirement)[0]
        assert f"\n{name}==" in pinned
        assert f"**{name}**" in told, f"CONTRIBUTING.md has no line on {name}"
