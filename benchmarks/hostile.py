"""What hostile inputs cost: ``python benchmarks/hostile.py [-o FILE] [WORD...]``, by hand.

What lives here: the world they come into, the clock, the table. Not allowed here: an input
(hostile_inputs.py). Each runs in a process of its own; CPU seconds and memory are the system's.
A row is over where it costs more than a second a MiB (of a smaller one: a second) beside the same
command with an ordinary input, more than 300 MB, or says "our fault". Any WORD chooses by name.
"""

import io
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from hostile_inputs import MIB, WAYS, Input, World, inputs

from pbem.chain.signed_state import sign_state
from pbem.cli import run
from pbem.crypto.encoding import b64
from pbem.disk.home import Home
from pbem.proof.audit.archive import Archive, ArchiveTexts, pack
from pbem.services.session.keys import load_acting_key

BIN = Path(sys.executable).parent
TIME = "1795255200"  # 2026-11-21T10:00:00Z
PATIENCE = 8  #: seconds; what takes longer is stopped
MEMORY = 300  #: MB
ROOM = 4 << 30  #: bytes a process may ask for at most
_TWO = ("--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org")
_HOST = ("--game", "chang-cheng", "--referee", "Pat,pat@example.net")
_BOARDS = ("--option", "boards=1a,4b,2a,3a")


class Cost(NamedTuple):
    """Of one run."""

    seconds: float
    megabytes: float
    said: str
    code: int


def _line(path: Path, key: str) -> str:
    text = path.read_text("utf-8")
    return next(row.split('"')[1] for row in text.split("\n") if row.startswith(f"{key} = "))


def _pbem(*words: str) -> None:
    with redirect_stdout(io.StringIO()):
        failed = run(list(words))
    if failed:
        raise SystemExit(f"this could not be prepared: {words}")


def prepared(root: Path) -> World:
    """Keys, games, a view file, an archive: in ``root``, where commands are run."""
    os.environ |= {"PBEM_HOME": str(root / "home"), "SOURCE_DATE_EPOCH": TIME}
    os.chdir(root)
    _pbem("key", "new")
    for name, more in {"north": (), "south": (), "word": ("--auth", "blue=password")}.items():
        _pbem("new", "--deal", f"games/{name}", *_HOST, *_TWO, *_BOARDS, *more)
    _pbem("new", "games/round", *_HOST, *_TWO, *_BOARDS)
    for seat, orders in (("red", "wall A5"), ("blue", "wall A7")):
        view = max(Path("games/north/desk/reports").iterdir()) / f"{seat}.view.toml"
        Path("mail").write_text(f"{orders}\n[pbem {_line(view, 'code')}]\n", "utf-8")
        _pbem("receive", "games/north", "mail")
        _pbem("resolve", "games/north")
    shutil.copytree("games/north", "north")
    shutil.copytree("games/north", "small/north")
    shutil.copytree("games/north", "desk")
    shutil.copytree("games/north", "folder", ignore=shutil.ignore_patterns("desk"))
    key = load_acting_key(Home(root / "home"))
    states = [path.read_bytes() for path in sorted(Path("north/states").iterdir())]
    game = _line(Path("north/game.toml"), "game")
    Path("key").write_text(b64(key.public), "utf-8")
    newest = max(Path("games/north/desk/reports").iterdir())
    view = newest / "blue.view.toml"
    shutil.copy(view, "view")
    words = ArchiveTexts("pbem 0.1.0", {"transcript.txt": b"x"})

    def archive(found: dict[int, bytes]) -> bytes:
        return pack(Archive(found, b"", words), game, key.signing, key.public)

    Path("archive.tar").write_bytes(archive(dict(enumerate(states))))
    (invitation,) = Path("games/round/desk/outbox").glob("*blue*")
    word = max(Path("games/word/desk/reports").iterdir()) / "blue.view.toml"
    return World(
        _line(view, "code"),
        _line(word, "code"),
        invitation.read_text("utf-8").split("[pbem ")[1][:9],
        states,
        view.read_bytes(),
        lambda body: sign_state(body, key.signing, key.public),
        archive,
    )


def _laid(one: Input, data: bytes, last: int) -> None:
    """Put the input where its way looks for it."""
    Path("given").write_bytes(data)
    if one.way == "acting key":
        Path("home/keys/acting.key").write_bytes(data)
    if one.way == "players":
        for place in ("desk", "small/north"):
            (Path(place) / "desk/players.toml").write_bytes(data)
    if one.way in ("chain", "state"):
        Path("folder/game.toml").write_bytes(data)
        Path(f"folder/states/{last:04d}.toml").write_bytes(data)


#: in a small process of its own: what is forked from a large one counts that one's memory too
_RUN = """
import os, resource, sys
pid = os.fork()
if not pid:
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    os.execv(sys.argv[3], sys.argv[3:])
_, status, used = os.wait4(pid, 0)
seconds = used.ru_utime + used.ru_stime
print(os.waitstatus_to_exitcode(status), seconds, used.ru_maxrss, file=sys.stderr)
"""


def cost(words: list[str | bytes]) -> Cost:
    """Of one command line."""
    command = [sys.executable, "-S", "-c", _RUN, str(PATIENCE), str(ROOM), BIN / "pbem", *words]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    code, seconds, memory = ran.stderr.split()[-3:]
    said = (ran.stdout + ran.stderr).decode(errors="replace").rpartition("\n")[0]
    return Cost(float(seconds), int(memory) / 1000, said[-MIB:].rpartition("\n")[0], int(code))


def measured(one: Input, world: World, kept: Path, plain: dict[str, float]) -> list[str]:
    """A row for each way in."""
    rows = []
    for line in WAYS[one.way]:
        shutil.rmtree("now", ignore_errors=True)
        shutil.copytree(kept, "now", symlinks=True)
        os.chdir("now")
        data = one.make(world)
        _laid(one, data, len(world.states) - 1)
        words: list[str | bytes] = [Path("key").read_text("utf-8") if word == "key" else word for word in line.split()]
        found = cost(words or list(data.split(b"\n")))
        os.chdir("..")
        name = line.split()[0] if line else "arguments"
        more = max(0.0, found.seconds - plain.get(line, plain[""]))
        size = len(data) / MIB
        faults = [
            text
            for text, true in (
                ("SLOW", more > max(1, size)),
                ("MEMORY", found.megabytes > MEMORY),
                ("STOPPED", found.code < 0),
                ("OUR FAULT", "our fault" in found.said or "Traceback" in found.said),
                ("CODE", found.code not in (0, 1, 2) and found.code >= 0),
            )
            if true
        ]
        rows.append(
            f"| {one.name} | {name} | {size:.2f} | {found.seconds:.2f} | "
            f"{found.seconds / plain['bare']:.0f} | {found.megabytes:.0f} | {' '.join(faults)} |"
        )
        if faults:
            print(f"{rows[-1]} {found.said[-200:].strip()!r}", flush=True)
    return rows


def main() -> None:
    """Measure, and print what is over; all of it goes into the file of ``-o``."""
    wanted, file = sys.argv[1:], None
    if wanted[:1] == ["-o"]:
        file, wanted = Path(wanted[1]).resolve(), wanted[2:]
    with tempfile.TemporaryDirectory(prefix="pbem-hostile-") as name:
        root = Path(name)
        (root / "kept").mkdir()
        world = prepared(root / "kept")
        os.chdir(root)
        os.environ["PBEM_HOME"] = str(root / "now/home")
        shutil.copytree("kept", "now")
        os.chdir("now")
        bare = min(_bare() for _ in range(5))
        plain = {"bare": bare, "": cost(["status", "games"]).seconds}
        Path("given").write_bytes(f"wall B5\n[pbem {world.code}]\n".encode())
        for line in ("receive games given", "orders check view given", "verify north given"):
            plain[line] = cost(list(line.split())).seconds
        os.chdir(root)
        chosen = [one for one in inputs() if not wanted or any(w in one.name for w in wanted)]
        head = ["| input | command | MiB | CPU s | × bare | MB | over |", f"|{'---|' * 7}"]
        for one in chosen:
            head += measured(one, world, root / "kept", plain)
            if file:  # what was measured is kept if this is stopped
                file.write_text("\n".join([*head, ""]), "utf-8")
        print(f"{len(chosen)} inputs, {len(head) - 2} runs; bare {bare * 1000:.0f} ms CPU")


def _bare() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
