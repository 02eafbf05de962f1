"""A whole market through the real commands and files, as story.txt tells it."""

import re
from pathlib import Path
from typing import Any

import pytest
from commands import transcript

STORY = Path(__file__).parent / "story.txt"
TIME = "1795255200"  # 2026-11-21T10:00:00Z
#: these know nothing of any game, or are tested elsewhere in this folder
UNUSED = {"key show", "key passphrase", "backup", "restore", "adopt", "games"}
UNUSED |= {"demo", "script run"}
UNUSED |= {
    "account add",
    "account list",
    "account remove",
    "account try",
    "fetch",
    "send",
    "outbox",
    "sent",
    "tick",
    "doctor",
}
UNUSED |= {"people list", "people add", "people remove", "messages"}
UNUSED |= {"amend clock", "amend extend", "amend pause", "amend resume", "history"}
UNUSED |= {"amend correct", "amend player", "amend keys", "orders sign", "orders join", "orders show"}


def test_the_story(game: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TIME)
    for step in transcript.read(STORY.read_text(encoding="utf-8")):
        transcript.check(step)
    _an_archive_is_told_to_all(tmp_path / "fair.tar")


def _an_archive_is_told_to_all(path: Path) -> None:
    """Found when its archive was read: "You bid 3", below an order of Ann's."""
    from pbem.proof.audit.archive import unpack

    words = unpack(path.read_bytes()).texts
    text = words.files["transcript.txt"].decode()
    assert words.writer.endswith(", pbem-night-market 1.0")
    assert text.startswith("Night Market, an example game of pbem\n")
    assert re.search(r"^  (Amber|Jade|Rose) bid \d for L1\. \(NM-4\)$", text, re.MULTILINE)
    assert not re.search(r"^  You\b", text, re.MULTILINE)


def test_the_story_has_every_command_that_knows_a_game() -> None:
    from pbem.cli import COMMANDS

    text = STORY.read_text(encoding="utf-8")
    text = re.sub(r"\$ pbem amend (\S+) (\w+)", r"$ pbem amend \2 \1", text)  # DIR stands first
    typed = {name for name in COMMANDS if re.search(rf"(?m)^(?:!\d? )?\$ pbem {name}(?: |$)", text)}
    assert set(COMMANDS) - UNUSED == typed
