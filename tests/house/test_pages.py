"""README and docs/: every command block is run, in its order, as a reader would, and every command named is there.

The pages are one story in one folder: README opens the games that the others go on with. docs/NEW-GAME.md has a test
of its own (tests/plugin/test_page.py).
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pbem
from pbem.cli import COMMANDS, GROUP_HELP, run

ROOT = Path(__file__).parents[2]
PAGES = ("PLAYING", "REFEREE", "EMAIL", "FAIRNESS", "DESIGN", "SPECIFICATION", "SECURITY", "NEW-GAME")
TEXTS = {"README.md": (ROOT / "README.md").read_text("utf-8")}
TEXTS |= {f"{page}.md": (ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in PAGES}
RULINGS = [name.partition(" ")[2] for name in COMMANDS if name.startswith("amend ")]

#: the pages with commands, in the order of the story, and what happened before a reader came to each
STORY = {
    "README.md": (),
    "FAIRNESS.md": (),
    "PLAYING.md": (
        "cp games/autumn/desk/reports/0003/green.view.toml winter/desk/reports/0002/red.view.toml .",
        "pbem new summer --game great-wall --player red=Ann,ann@example.org --player blue=Bob --referee Rita",
        "cp summer/desk/outbox/0000-red.eml invitation.eml",
        "cp -r ann/. home",  # the keys that Ann joined with, on her own machine
    ),
    "EMAIL.md": ("mkdir -p inbox/new inbox/cur inbox/tmp",),
    "REFEREE.md": (),
}
#: what happens just before a command
BEFORE = {"pbem outbox games/autumn": "mv games/autumn/desk/sent/*-red.eml games/autumn/desk/outbox"}
#: what a page has of the world, and what this machine has in its place
HERE = {
    "imaps://rita@imap.example.org/INBOX": "maildir:inbox",
    "smtps://rita@smtp.example.org": "sendmail:bin/sendmail",
}
SENDMAIL = '#!/bin/sh\ncat > "$PWD/inbox/new/$$.$(date +%N)"\n'  # what is sent to Rita arrives; the others see nothing


def commands(text: str) -> list[str]:
    """Every line of a block that is typed: with a prompt, or with pbem at its beginning."""
    blocks = re.findall(r"```console\n(.*?)```|((?:^    [^\n]*\n)+)", text, re.DOTALL | re.MULTILINE)
    lines = [line.strip() for fenced, indented in blocks for line in (fenced or indented).splitlines()]
    return [line.removeprefix("$ ") for line in lines if re.match(r"\$ |pbem [a-z]", line)]


def test_there_are_eight_pages() -> None:
    assert sorted(path.stem for path in (ROOT / "docs").glob("*.md")) == sorted(PAGES)
    assert TEXTS["README.md"].count("\n") <= 130


def test_every_page_with_commands_is_in_the_story() -> None:
    assert {page for page, text in TEXTS.items() if commands(text)} == {*STORY, "NEW-GAME.md"}


@pytest.fixture(params=["as it is", "on Windows' files"])
def programs(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of programs; in the second run its `pbem` lives by the file rules of Windows."""
    texts = {"sendmail": SENDMAIL, "pass": "#!/bin/sh\necho secret\n"}
    if request.param != "as it is":
        if not sys.platform.startswith("linux"):
            pytest.skip("looks into /proc: run it on Linux")
        stand_in, source = ROOT / "tests" / "disk" / "windows.py", Path(pbem.__file__).parents[1]
        texts["pbem"] = f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -P "{stand_in}" "$@"\n'
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash: install it")
def test_the_commands_of_the_pages_work_in_their_order(programs: Path, tmp_path: Path) -> None:
    place = {"PATH": os.pathsep.join((str(programs), str(Path(sys.executable).parent), os.environ["PATH"]))}
    place |= {"PBEM_HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    place |= {"PYTHONPATH": os.environ["PYTHONPATH"]} if os.environ.get("PYTHONPATH") else {}
    pages = STORY if not (programs / "pbem").exists() else {"README.md": ()}
    for page, before in pages.items():
        for typed in [*before, *commands(TEXTS[page])]:
            line = typed
            for of_the_page, of_here in HERE.items():
                line = line.replace(of_the_page, of_here)
            for step in filter(None, (BEFORE.get(line), line)):
                words = ["bash", "-c", step]
                done = subprocess.run(words, cwd=tmp_path, env=place, capture_output=True, text=True, check=False)
                assert (done.returncode, done.stderr) == (0, ""), f"{page}: $ {step}\n{done.stdout}{done.stderr}"


def typed(text: str) -> list[str]:
    """Every command line of pbem in a text, in a block or within a sentence."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [
        *re.findall(r"`(pbem [a-z][^`\n]*)`", prose),
        *(line for line in commands(text) if line.startswith("pbem ")),
    ]


def command_of(words: list[str]) -> str:
    """The command that a line begins with; "" if there is none."""
    if words[0] == "amend" and len(words) > 2 and words[2] in RULINGS:
        return f"amend {words[2]}"
    names = (" ".join(words[:2]), words[0])
    return next((name for name in names if name in COMMANDS or name in GROUP_HELP), "")


@pytest.mark.parametrize("page", TEXTS)
def test_every_command_that_a_page_names_exists(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    faults = []
    for line in typed(TEXTS[page]):
        words = re.sub(r'"[^"]*"', "X", line).split()[1:]
        options = {word.partition("=")[0] for word in words if word.startswith("--")} - {"--json", "--help"}
        if words[0] == "help" or words[0].startswith("-"):
            continue
        name = command_of(words)
        run([*name.split(), "--help"])
        known = capsys.readouterr().out
        faults += [f"`{line}`: {option or 'no such command'}" for option in options if option not in known]
        faults += [] if name else [f"`{line}`: no such command"]
    assert faults == []
