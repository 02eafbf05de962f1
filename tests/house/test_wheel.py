"""What is in the wheel and the source archive, and that building either twice gives the same bytes."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import pbem
from pbem.cli import COMMANDS
from pbem.report.render import COMPILED

from .tree import PACKAGE, ROOT

PIP = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]


SHELLS = {"bash": "-n", "zsh": "-n", "fish": "--no-execute"}


def _build(folder: Path, hash_seed: str, root: Path = ROOT) -> Path:
    subprocess.run(
        [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(root)],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        umask=0o077,
    )
    return next(folder.glob("pbem-*.whl"))


def _build_sdist(folder: Path, root: Path = ROOT) -> Path:
    hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(hatchling, cwd=root, check=True, capture_output=True)
    return next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(tmp_path_factory.mktemp("wheel"), "1")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build_sdist(tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_all_of_the_package_is_in(names: set[str]) -> None:
    lying_here = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".md", ".toml", ".typed"}
    }
    assert lying_here <= names


def test_nothing_else_is_in(names: set[str]) -> None:
    distribution = f"pbem-{pbem.__version__}"
    assert {name.split("/")[0] for name in names} == {"pbem", f"{distribution}.dist-info", f"{distribution}.data"}
    assert not [name for name in names if "test" in name or name.endswith(".pyc")]


def test_each_template_is_in_as_source_and_compiled(names: set[str]) -> None:
    from jinja2 import ModuleLoader

    root = ROOT / "templates"
    for path in root.rglob("*"):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            assert f"pbem/templates/{name}" in names
            compiled = ModuleLoader.get_module_filename(name)
            assert f"pbem/_compiled_templates/{compiled}" in names


@pytest.mark.parametrize("hash_seed", ["2", "random"])
def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path, hash_seed: str) -> None:
    """Found in 2026-11: seeds 1 and 2 gave the same wheel by chance, others did not."""
    assert _build(tmp_path, hash_seed).read_bytes() == wheel.read_bytes()


def test_what_is_built_from_the_sdist_is_the_same_bytes(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    """Both archives, wherever the source lies and whatever the times of its files."""
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.iterdir())
    os.utime(unpacked / "README.md", (1, 1))
    assert _build_sdist(tmp_path / "again", unpacked).read_bytes() == sdist.read_bytes()
    assert _build(tmp_path / "wheel", "3", unpacked).read_bytes() == wheel.read_bytes()


@pytest.fixture
def data(wheel: Path, tmp_path: Path) -> Path:
    """The data of the wheel, which an installation puts below its prefix."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)  # noqa: S202 - our own
    return tmp_path / f"pbem-{pbem.__version__}.data" / "data" / "share"


def test_the_man_page_has_every_command_with_its_options(data: Path) -> None:
    page = (data / "man" / "man1" / "pbem.1").read_text(encoding="utf-8")
    for command in COMMANDS:
        name = command.replace("amend ", "amend DIR ")
        assert f".SS \\&pbem {name} " in page
    assert ".B \\&\\-\\-dry\\-run" in page
    assert "\\fBpbem help COMMAND\\fR" in page
    for line in page.splitlines():  # a request that man(7) has, or text
        assert re.match(r"\.(TH|SH|SS|PP|TP|B) ?|\\&|pbem \\- ", line), line


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shells_can_read_their_completions(shell: str, data: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}: install it")
    (script,) = (path for path in data.rglob("*pbem*") if shell in path.as_posix() and path.is_file())
    subprocess.run([shell, SHELLS[shell], str(script)], check=True)


def test_the_hook_puts_what_was_compiled_where_it_is_looked_for() -> None:
    assert f'COMPILED = "{COMPILED}"' in (ROOT / "hatch_build.py").read_text(encoding="utf-8")


def test_the_sdist_has_what_its_own_checks_need(sdist: Path) -> None:
    """All that a checkout has: who packages pbem runs `make test`, `make bench` and .ci/run."""
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    folders = (".ci", "benchmarks", "docs", "examples", "pbem", "templates", "tests")
    assert {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    } <= names
    assert {"Makefile", "constraints.txt", "CONTRIBUTING.md", "hatch_build.py"} <= names


@pytest.mark.skipif(os.environ.get("PBEM_TESTED") != "installed", reason="not run by make test")
def test_the_tests_test_the_installed_package() -> None:
    assert not Path(pbem.__file__).is_relative_to(PACKAGE)
