"""``--json``: docs/json.schema.json describes every document, and no document has more or less than it says.

json_runs.toml has command lines for each command. Documents only grow: what the schema says stays.
"""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem import cli

from . import transcript

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "json_runs.toml").read_text(encoding="utf-8"))
PREPARE = TABLE.pop("prepare")
SCHEMA = json.loads((HERE.parents[1] / "docs" / "json.schema.json").read_text(encoding="utf-8"))
TYPES = {"string": str, "boolean": bool, "integer": int, "null": type(None), "array": list, "object": dict}


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


def faults(value: Any, schema: dict[str, Any], path: str = "") -> list[str]:
    """Where a document has other keys or types than its schema."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        found = [faults(value, one, path) for one in schema["anyOf"]]
        return min(found, key=len)
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if type(value) not in [TYPES[name] for name in types]:
        return [f"{path}: {type(value).__name__}, not {types}"]
    if isinstance(value, list):
        return [fault for one in value for fault in faults(one, schema["items"], f"{path}[]")]
    if not isinstance(value, dict) or not schema.keys() & {"properties", "additionalProperties"}:
        return []
    named, other = schema.get("properties", {}), schema.get("additionalProperties")
    found = [[f"{path}.{key}: missing"] for key in schema.get("required", ()) if key not in value]
    for key, inner in value.items():
        part = named.get(key, other)
        found.append(faults(inner, part, f"{path}.{key}") if part else [f"{path}.{key}: not in the schema"])
    return [fault for row in found for fault in row]


def definition(name: str) -> str:
    """The name in the schema of a command's document."""
    return "error" if name == "errors" else f"pbem-{name.replace(' ', '-')}"


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.usefixtures("place")
def test_a_document_is_as_the_schema_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = TABLE[name]
    monkeypatch.setenv("PBEM_HOME", str(Path.cwd() / row.get("home", "home")))
    code, out = transcript.run([*transcript.filled(row["run"]).split(), "--json"])
    assert code == row.get("exit", 0), out
    assert faults(json.loads(out), SCHEMA["$defs"][definition(row.get("section", name))]) == []


def test_every_command_has_its_document_and_a_run() -> None:
    assert {row.get("section", name) for name, row in TABLE.items()} == {*cli.COMMANDS, "errors"}
    names = {name for name in SCHEMA["$defs"] if name.startswith("pbem-")}
    assert names == {definition(name) for name in cli.COMMANDS}


def test_a_fault_is_found() -> None:
    schema = SCHEMA["$defs"]["pbem-orders-list"]
    assert faults({"seat": "red", "legal": []}, schema) == []
    assert faults({"seat": 1, "legal": ["x", None], "new": 2}, schema) == [
        ".seat: int, not ['string']",
        ".legal[]: NoneType, not ['string']",
        ".new: not in the schema",
    ]
    assert faults({"seat": "red"}, schema) == [".legal: missing"]
