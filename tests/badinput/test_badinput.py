"""Bad input of every kind: one clear line, the way out, nothing changed, no secret. Source: P11.

The cases are data: the ``*.toml`` beside this file. README.md says how one is written.
"""

import codecs
import io
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem import cli
from pbem.errors import PbemError
from pbem.play.pending_file import decode_pending

from . import world as worlds
from .givens import MAKE, do
from .world import World

HERE = Path(__file__).parent
TABLES = sorted(HERE.glob("*.toml"))
CASES: list[tuple[str, dict[str, Any]]] = [
    (f"{table.stem}-{case['name']}", case)
    for table in TABLES
    for case in tomllib.loads(table.read_text(encoding="utf-8"))["case"]
]
EVERY = pytest.mark.parametrize("case", [pytest.param(case, id=id_) for id_, case in CASES])
KEYS = {"name", "mail", "file", "bytes", "make", "do", "run", "exit", "out", "err"}
KEYS |= {"code", "kept", "taken", "hides", "stdin", "env"}


def changes(case: dict[str, Any]) -> bool:
    """Whether something of it is kept."""
    return bool(case.get("kept") or case.get("taken"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> World:
    with pytest.MonkeyPatch.context() as patch:
        return worlds.build(tmp_path_factory.mktemp("world"), patch)


@pytest.fixture
def world(built: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    found = worlds.copy(built, tmp_path / "w")
    worlds.settle_in(found.root, monkeypatch)
    return found


def given(case: dict[str, Any], names: dict[str, str]) -> bytes | None:
    """The bytes of the file ``given``, if the case has one."""
    if "mail" in case:
        who = "Ann" if re.search(r"\{(?:ann|stale|west|round)\}", case["mail"]) else "Bob"
        sender = f"From: {who} <{who.lower()}@example.org>\n"
        return f"{sender}{filled(case['mail'], names)}".encode()
    if "file" in case:
        return filled(case["file"], names).encode()
    if "bytes" in case:
        raw = codecs.decode(filled(case["bytes"], names), "unicode_escape")
        return raw.encode("latin-1")
    return MAKE[case["make"]](names) if "make" in case else None


def filled(text: str, names: dict[str, str]) -> str:
    """Names in braces put in; other braces stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), text)


def snapshot(root: Path) -> dict[str, object]:
    """Every file, folder, pipe and link below, with mode and content."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        mode = path.lstat().st_mode
        found[name] = (mode, path.read_bytes() if path.is_file() else None)
    return found


def without_mail(found: dict[str, Any]) -> dict[str, Any]:
    """The same without what may come of a mail that a known player sent, but with his orders."""
    kept: dict[str, Any] = {}
    for name, what in found.items():
        if re.search(r"/desk/(mails|receipts|outbox|answers|elsewhere|mailed|letters)(/|$)", name) or name.endswith(
            "/desk/lock"
        ):
            continue
        if re.search(r"/desk/reports/", name):  # a stale answer gets its report again
            continue
        if re.search(r"/desk/hand/", name) and what[1] is not None:
            hand = decode_pending(what[1], name)
            kept[name] = (hand.newest_email_number, hand.orders)
            continue
        kept[name] = what
    return kept


def told(world: World, case: dict[str, Any], *more: str) -> tuple[int, str, str]:
    """Run the case's command line in this process: exit code, stdout, stderr."""
    words = shlex.split(filled(case["run"], world.names))
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(case.get("stdin", "").encode()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "stdin", stdin)
        for name, value in case.get("env", {}).items():
            patch.setenv(name, value)
        code = cli.run([*words, *more])
    root = str(world.root)
    return code, out.getvalue().replace(root, "ROOT"), err.getvalue().replace(root, "ROOT")


def matches(wanted: str, found: str, names: dict[str, str]) -> bool:
    """Whether the text is as written; ``…`` stands for anything on a line, ``{…}`` for a name."""
    parts = filled(wanted.strip("\n"), names).split("…")
    return re.fullmatch(".*".join(map(re.escape, parts)), found.strip("\n")) is not None


def prepare(world: World, case: dict[str, Any]) -> None:
    data = given(case, world.names)
    if data is not None:
        (world.root / "given").write_bytes(data)
    for line in case.get("do", []):
        do(world, line)


@EVERY
def test_one_clear_line_and_nothing_changed(world: World, case: dict[str, Any]) -> None:
    assert not set(case) - KEYS
    prepare(world, case)
    before = snapshot(world.root)
    code, out, err = told(world, case)
    assert (matches(case.get("out", ""), out, world.names), code) == (True, case["exit"]), out + err
    assert matches(case.get("err", ""), err, world.names), err
    after = snapshot(world.root)
    if case.get("kept"):
        assert any("/desk/receipts/" in name for name in set(after) - set(before))
        before, after = without_mail(before), without_mail(after)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    changed -= {name for name in changed if name.startswith("home/heads")}  # what verify has seen
    if case.get("taken"):
        (hand,) = changed
        assert re.fullmatch(r"games/\w+/desk/hand/\d+/\w+\.toml", hand)
    else:
        assert not changed
    secrets = [*case.get("hides", []), world.names["secret"]]
    for word in secrets:
        assert word not in out + err
    for word in case.get("hides", []):
        for name, what in snapshot(world.games).items():
            assert word.encode() not in (what[1] or b""), name  # type: ignore[index]
    if not changes(case):
        the_same_as_a_document(world, case)


@pytest.mark.parametrize("case", [pytest.param(x, id=id_) for id_, x in CASES if changes(x)])
def test_what_changes_something_as_a_document(world: World, case: dict[str, Any]) -> None:
    """In a world in which it has not changed it yet."""
    prepare(world, case)
    the_same_as_a_document(world, case)


def the_same_as_a_document(world: World, case: dict[str, Any]) -> None:
    """``--json``: one document on stdout, nothing on stderr, the same exit code, the same words."""
    code, out, err = told(world, case, "--json")
    assert (code, err) == (case["exit"], "")
    document = json.loads(out)
    if case.get("err"):
        error = document["error"]
        assert list(error) == ["code", "message", "hint"]
        line = PbemError(error["code"], error["message"], error["hint"]).as_line()
        assert matches(case["err"], f"pbem: {line}\n", world.names)
        assert error["code"] == case["code"]
    elif "code" in case:
        (row,) = document.get("files") or document.get("paths") or document["games"]
        assert row.get("code", row.get("error", row.get("verdict"))) == case["code"]


def test_there_are_enough_cases_and_no_two_of_one_name() -> None:
    names = [id_ for id_, _ in CASES]
    assert len(names) >= 100
    assert len(set(names)) == len(names)
    assert not [id_ for id_, case in CASES if "err" in case and "code" not in case]


def test_an_error_is_one_line_and_a_way_out() -> None:
    """The table itself: no traceback is expected anywhere, every error has its way out."""
    for id_, case in CASES:
        lines = case.get("err", "").strip().splitlines()
        assert "Traceback" not in case.get("err", "") + case.get("out", "")
        assert "our fault" not in case.get("err", "")
        assert not lines or (len(lines) == 1 and lines[0].startswith("pbem: ")), id_
        assert not lines or re.search(r" \(try: .*\)$|[.?] [A-Z`/-].*[.?]$|…$", lines[0]), id_
