"""The wrong file for the right question: an archive to `verify`, a report to `audit`, `-` anywhere.

Found by a review: `verify x.tar` said "this holds NUL bytes", `audit` of a report "no archive" and
nothing of what to type, `backup -o -` made a file of that name.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem import cli
from pbem.formats import tar

WHY = ("--reason", "the box is sold")
SCRIPTS = sorted((Path(__file__).parents[2] / "engine" / "scripts").glob("*.json"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A game closed after two walls, with its archive."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", "")
        patch.setenv("SOURCE_DATE_EPOCH", "1")
        found = games.opened(tmp_path_factory.mktemp("other") / "one")
        for _ in range(2):
            games.answer(found)
        found.done("amend", "GAME", "close", *WHY)
        said = found.done("archive", "GAME", "-o", str(found.path / "x.tar"))
        assert said.endswith(f"    pbem audit {found.path / 'x.tar'}\n")
        yield found


def report(place: Any) -> str:
    return str(place.game / "desk" / "reports" / "0003" / "red.txt")


def test_an_archive_is_verified(place: Any) -> None:
    said = place.done("verify", str(place.path / "x.tar"))
    assert "genuine: an archive of game" in said
    assert f"not checked here: pbem audit {place.path / 'x.tar'} does that" in said
    found = json.loads(place.done("verify", str(place.path / "x.tar"), "--json"))["paths"][0]
    folder = json.loads(place.done("verify", "GAME", "--json"))["paths"][0]
    assert {**found, "path": "", "says": ""} == {**folder, "path": "", "says": ""}


def test_a_report_is_held_against_an_archive(place: Any) -> None:
    """Whichever of the two is named first."""
    said = place.done("verify", report(place), str(place.path / "x.tar"))
    assert "the report of state 3 for red belongs to this log" in said


@pytest.mark.parametrize("part", ["states/0003.toml", "manifest", "transcript.txt", "secret"])
def test_an_archive_that_was_changed(place: Any, part: str) -> None:
    files = tar.unpack((place.path / "x.tar").read_bytes())
    other = bytearray(files[part])
    at = len(other) // 2
    other[at] = ord("A") if other[at] != ord("A") else ord("B")
    bad = place.file("bad.tar", tar.pack(sorted({**files, part: bytes(other)}.items())))
    said = place.run("verify", bad)
    assert said.code in (1, 2), said.text
    assert "genuine: an archive" not in said.text
    games.one_line(said)


def test_an_archive_without_its_first_state(place: Any) -> None:
    files = tar.unpack((place.path / "x.tar").read_bytes())
    del files["states/0000.toml"]
    said = place.run("verify", place.file("bad.tar", tar.pack(sorted(files.items()))))
    assert said.code == 2
    assert "its first state is missing" in said.text


def test_a_report_to_audit(place: Any) -> None:
    said = place.run("audit", report(place))
    assert said.code == 2
    assert (
        "this is an email or a report, not an archive. "
        f"Name the game's archive or folder too: `pbem audit GAME {report(place)}`" in said.text
    )
    mail = place.game / "desk" / "outbox" / "0002-red.eml"
    assert "this is an email or a report, not an archive" in place.run("audit", str(mail)).text


@pytest.mark.parametrize("words", [("archive", "GAME", "-o", "-"), ("backup", "GAME", "-o", "-"), ("restore", "-")])
def test_a_dash_is_no_name(place: Any, words: tuple[str, ...]) -> None:
    before = games.tree(place.path)
    said = place.run(*words)
    assert said.code == 2
    assert "is a file with a name, and - is not (try: " in said.text
    games.one_line(said)
    assert games.tree(place.path) == before
    assert not Path("-").exists()


def test_status_of_a_closed_game(place: Any) -> None:
    said = place.done("status", "GAME")
    assert "closed by the referee on Tue 14 Nov 2023, 22:13 UTC: " in said


def test_a_bad_script_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    document = json.loads(SCRIPTS[0].read_text(encoding="utf-8"))
    good.write_text(json.dumps(document.get("script", document)), encoding="utf-8")
    bad.write_text("{", encoding="utf-8")
    assert cli.run(["script", "run", str(good)]) == 0
    alone = capsys.readouterr().out
    assert cli.run(["script", "run", str(bad), str(good)]) == 2
    out = capsys.readouterr()
    assert out.out.startswith(f"{bad} is not JSON (line 1)")
    assert out.out.endswith(alone)
    assert not out.err
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert cli.run(["script", "run", str(good), str(bad), "--json"]) == 2
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [sorted(row) for row in rows] == [["final", "game", "over", "steps"], ["error"]]
    assert rows[1]["error"]["code"] == "script/json"
