"""Stories told on the command line, and checked: a small runner for transcripts/*.txt.

    # a remark
    < letter                     write a file: its lines follow, each behind `| `
    | wall A5
    | [pbem {code games/north red}]
    $ pbem receive games letter  must end with 0; what it prints follows
    letter: north, Ann (red): kept
    ! $ pbem show nowhere        must not end with 0 (`!1 $`, `!2 $`: with this number)
    $ ls DIR, cat FILE, cp A B, rm FILE       for looking at what is there
    $ later HOURS                the clock of the machine goes on
    $ keep FILE                  what the last command printed, in a file

`…` stands for anything on one line. `{code DIR SEAT}` is the code in a player's newest report.
"""

import io
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem import cli

PRINTED: list[str] = []  #: what each command printed, newest last
PROMPT = re.compile(r"(?:!(\d?) )?\$ (.*)")


class Step(NamedTuple):
    """One thing that is typed, and what it must answer."""

    line: int
    typed: str  #: "" for a file that is written
    exit_codes: tuple[int, ...]
    lines: tuple[str, ...]


def read(text: str) -> list[Step]:
    """The steps of a transcript, in order."""
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        prompt = PROMPT.fullmatch(line)
        if prompt:
            failing = line.startswith("!")
            codes = (int(prompt[1]),) if prompt[1] else (1, 2, 3) if failing else (0,)
            steps.append(Step(number, prompt[2], codes, ()))
        elif line.startswith("< "):
            steps.append(Step(number, f"write {line[2:]}", (0,), ()))
        elif not line.startswith("#") and steps:
            steps[-1] = steps[-1]._replace(lines=(*steps[-1].lines, line))
    return steps


def code(match: "re.Match[str]") -> str:
    """What `{code DIR SEAT}` stands for."""
    newest = max((Path(match[1]) / "desk" / "reports").iterdir())
    path = newest / f"{match[2]}.view.toml"
    if not path.exists():  # before the deal
        text = (newest / f"{match[2]}.txt").read_text(encoding="utf-8")
        return re.search(r"\[pbem (\S+)\]", text)[1]  # type: ignore[index]
    view = path.read_text(encoding="utf-8")
    return re.search(r'^code = "(.*)"$', view, re.MULTILINE)[1]  # type: ignore[index]


def filled(text: str) -> str:
    text = re.sub(r"\{code (\S+) (\S+)\}", code, text)
    return re.sub(r"\{password (\S+) (\S+)\}", _password, text)


def _password(match: re.Match[str]) -> str:
    """The line that came in an email of its own."""
    mail = Path(match[1]) / "desk" / "outbox" / f"password-{match[2]}.eml"
    return str(re.findall(r"^ *(password .+)$", mail.read_text(encoding="utf-8"), re.MULTILINE)[-1])


def carry_out(step: Step) -> tuple[int, str]:
    """Do what is typed, in this process and the present folder: exit code and all output."""
    verb, *words = shlex.split(filled(step.typed))
    if verb == "pbem":
        return run(words)
    if verb == "write":
        lines = [filled(line[2:]) for line in step.lines if line.startswith("|")]
        Path(words[0]).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0, filled("\n".join(step.lines))
    if verb == "ls":
        return 0, "\n".join(sorted(path.name for path in Path(words[0]).iterdir()))
    if verb == "cat":
        return 0, Path(words[0]).read_text(encoding="utf-8")
    if verb == "later":
        now = int(os.environ["SOURCE_DATE_EPOCH"])
        os.environ["SOURCE_DATE_EPOCH"] = str(now + 3600 * int(words[0]))
        return 0, ""
    if verb == "keep":  # what was printed last, as a player copies it
        Path(words[0]).write_text(PRINTED[-1], encoding="utf-8")
        return 0, ""
    if verb == "cp":
        shutil.copyfile(words[0], words[1])
        return 0, ""
    if verb == "rm":
        path = Path(words[0])
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return 0, ""
    raise AssertionError(f"line {step.line}: {verb}?")


def run(words: list[str]) -> tuple[int, str]:
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", out)
        code = cli.run(words)
    PRINTED.append(out.getvalue().replace(str(Path.cwd()), "HERE"))
    return code, PRINTED[-1]


def check(step: Step) -> None:
    """AssertionError with the line of the transcript where the story goes another way."""
    exit_code, out = carry_out(step)
    wanted = "\n".join(step.lines).strip("\n")
    pattern = ".*".join(re.escape(part) for part in filled(wanted).split("…"))
    same = re.fullmatch(pattern, out.strip("\n")) is not None
    where = f"line {step.line}: $ {step.typed}"
    assert same, f"{where}\n--- printed\n{out}\n--- expected\n{wanted}"
    assert exit_code in step.exit_codes, f"{where}\nended with {exit_code}\n{out}"
