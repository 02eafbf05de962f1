"""``--json``: the keys of every answer are written down, do not change, and are explained.

json_keys.toml has, for each command, a command line and every key of its document with its type:
`games[].seat text`. docs/JSON.md has a section for each command that names each key.
"""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from pbem import cli

from . import transcript

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "json_keys.toml").read_text(encoding="utf-8"))
PREPARE = TABLE.pop("prepare")
PAGE = (HERE.parents[1] / "docs" / "JSON.md").read_text(encoding="utf-8")
TYPES = {str: "text", bool: "flag", int: "number", type(None): "null"}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where every command line of the table has something to answer."""
    found = tmp_path_factory.mktemp("json")
    with pytest.MonkeyPatch.context() as patch:
        settle_in(found, patch)
        for step in transcript.read(PREPARE):
            code, out = transcript.carry_out(step)
            assert code in step.exit_codes, (step, out)
    return found


@pytest.fixture
def place(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    settle_in(tmp_path, monkeypatch)


def settle_in(root: Path, patch: pytest.MonkeyPatch) -> None:
    patch.chdir(root)
    patch.setenv("PBEM_HOME", str(root / "home"))
    patch.setenv("SOURCE_DATE_EPOCH", "1795255200")


#: plain data of the game's own: no page but its own has their names
OWN = ("board", "games[].events[].facts")
OWN += tuple(f"standings.{rows}[].facts" for rows in ("seats[].holdings", "places", "outlook"))


def keys(value: object, path: str = "", free: tuple[str, ...] = ()) -> set[str]:
    """Every key below, with the type of what it has; `[]` for rows, `{}` where keys are names."""
    if path in OWN:
        return {f"{path} object"}
    if isinstance(value, dict):
        if path in free:
            rows = [keys(inner, f"{path}{{}}", free) for inner in value.values()]
            return set().union(*rows) or {f"{path}{{}}"}
        inner = (keys(v, f"{path}.{k}" if path else k, free) for k, v in value.items())
        return set().union(*inner)
    if isinstance(value, list):
        return set().union(*(keys(one, f"{path}[]", free) for one in value)) or {f"{path}[]"}
    return {f"{path} {TYPES[type(value)]}"}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.usefixtures("place")
def test_the_keys_of_an_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = TABLE[name]
    monkeypatch.setenv("PBEM_HOME", str(Path.cwd() / row.get("home", "home")))
    code, out = transcript.run([*transcript.filled(row["run"]).split(), "--json"])
    assert code == row.get("exit", 0), out
    found = keys(json.loads(out), free=tuple(row.get("free", ())))
    assert sorted(found) == sorted(row["keys"])


@pytest.mark.parametrize("name", TABLE)
def test_the_page_explains_every_key(name: str) -> None:
    section = re.search(rf"(?ms)^## {TABLE[name].get('section', name)}$(.*?)(?=^## |\Z)", PAGE)
    assert section, name
    for key in TABLE[name]["keys"]:
        words = re.findall(r"\w+", key.split(" ")[0])
        assert words, key
        missing = [word for word in words if f"`{word}`" not in section[1]]
        assert not missing, (name, missing)


def test_every_command_has_its_row() -> None:
    assert {row.get("section", name) for name, row in TABLE.items()} == {*cli.COMMANDS, "errors"}
