"""R-2: what was played for a missed turn is told to all; the one who missed it reads it as his."""

from pathlib import Path

import pytest

from pbem import cli

NEW = [
    "new",
    "g",
    "--game",
    "chang-cheng",
    "--player",
    "red=Ann",
    "--player",
    "blue=Bob",
    "--option",
    "missed=default",
    "--deal",
]


def test_a_turn_played_by_default_is_told_to_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in review: the others read of it as if its player had ordered it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    for words in (["key", "new"], NEW, ["resolve", "g", "--missed", "red"]):
        assert cli.run(words) == 0
    reports = tmp_path / "g" / "desk" / "reports" / "0003"
    told = "Ann (red) missed a turn, so pbem played `wall "
    for name in ("blue", "spectators"):
        assert told in (reports / f"{name}.txt").read_text("utf-8")
    own = (reports / "red.txt").read_text("utf-8")
    assert "You missed your turn, so pbem played `" in own
    assert told not in own
