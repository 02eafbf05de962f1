"""How far a mail travels: the files and functions of pbem that ``pbem receive`` passes for it.

What lives here: the count, and with ``--list`` what was counted. Not allowed here: a clock.
How: a profile function sees every call; a function counts once, whatever file it is called from.
What runs when a module is loaded counts neither as a function nor as a visit.
Run: ``python benchmarks/path.py [--list]``.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pbem
from pbem.clock import now
from pbem.commands import receive
from pbem.disk.home import Home
from pbem.services.session.session import open_session

PACKAGE = Path(pbem.__file__).parent
SKIPPED = ("<module>", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")


class Travelled(Counter[CodeType]):
    """The functions that were called, and how often a call led into another file."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0
        self._last = ""

    def see(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(PACKAGE)):
            return
        if code.co_name in SKIPPED or frame.f_back is None or _defines(code):
            return
        self[code] += 1
        self.changes += code.co_filename != self._last
        self._last = code.co_filename


def _defines(code: CodeType) -> bool:
    """The body of a class: it runs when its module is loaded."""
    return "__module__" in code.co_names and "__qualname__" in code.co_names


def followed(command: Callable[[], Any]) -> Travelled:
    """The path of what is called."""
    path = Travelled()
    sys.setprofile(path.see)
    try:
        command()
    finally:
        sys.setprofile(None)
    return path


def two_lines(folder: Path) -> Path:
    """A game of four in its middle, and a reply of two lines from whoever is asked."""
    script = Path(__file__).with_name("midgame.py")
    subprocess.run([sys.executable, script, folder, "6"], check=True, capture_output=True)
    session = open_session(folder / "game", now(), Home(folder / "home"))
    game, state = session.game, session.position.state
    view = game.view(state, game.questions(game.view(state, None))[0].seat)
    seat = game.questions(view)[0].seat
    first = next(line for line in game.legal(view) if line.startswith("wall "))
    second = next(line for line in game.legal(game.foresee(view, first)) if line.startswith("wall "))
    report = (session.folder.read_report(session.record.n, f"{seat}.txt") or b"").decode()
    quoted = "".join(f"> {line}\n" for line in report.splitlines())
    head = f"From: {seat}@example.org\nSubject: Re: [pbem {session.code(seat)}]\nMessage-ID: <1@x>\n"
    mail = folder / "two-lines.eml"
    mail.write_text(f"{head}\nHi Rita,\n\n{first}\n{second}\n\nRita wrote:\n{quoted}", "utf-8")
    return mail


def main() -> None:
    """Print the three numbers, and the list if asked."""
    with tempfile.TemporaryDirectory(prefix="pbem-path-") as name:
        os.environ["PBEM_HOME"] = str(Path(name) / "home")
        mail = two_lines(Path(name))
        path = followed(lambda: receive.run(Path(name) / "game", [str(mail)]))
    files = Counter(Path(code.co_filename).relative_to(PACKAGE) for code in path)
    print(f"{len(files)} files, {len(path)} functions, {path.changes} changes of file")
    if "--list" in sys.argv:
        for file, number in sorted(files.items()):
            names = ", ".join(sorted({c.co_name for c in path if c.co_filename.endswith(str(file))}))
            print(f"{number:4} {file}: {names}")


if __name__ == "__main__":
    main()
