"""Every story of transcripts/ goes as it is written down; every command has its place in one."""

import re
from pathlib import Path

import pytest

from pbem import cli

from . import transcript

STORIES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
TIME = "1795255200"  # 2026-11-21T10:00:00Z


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TIME)


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story(story: Path, tmp_path: Path) -> None:
    for step in transcript.read(story.read_text(encoding="utf-8")):
        transcript.check(step)
    left = [p.name for p in tmp_path.rglob(".pbem-*")]
    assert not left, "temporary files are left behind"


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_in_a_story_and_can_be_loaded(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.replace("amend ", r"amend \S+ ")  # its folder stands before the act
    typed = rf"(?m)^(?:!\d? )?\$ pbem {words}(?: |$)"
    assert any(re.search(typed, story.read_text(encoding="utf-8")) for story in STORIES)
    assert cli.run([*command.split(), "--help"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$ pbem games\nchess\n", "line 1: $ pbem games"),
        ("! $ pbem games\n…\n", "line 1: $ pbem games"),
        ("!1 $ pbem show x\npbem: x is not a folder. …\n", "ended with 2"),
        ("< x\n| one\n$ cat x\ntwo\n", "line 3: $ cat x"),
    ],
)
def test_the_runner_can_fail(text: str, why: str) -> None:
    *before, last = transcript.read(text)
    for step in before:
        transcript.check(step)
    with pytest.raises(AssertionError, match=re.escape(why)):
        transcript.check(last)
