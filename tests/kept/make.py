"""Games of today, kept for every release to come: `PYTHONPATH=tests:. python tests/kept/make.py`.

What lives here: for each game one with deadlines, stopped in its middle, and the same closed, as
its archive. They go into a folder of this version of pbem, which is never made again: what the
pbem of then wrote is what is kept. Not allowed here: a folder of another version.
"""

import json
import lzma
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from durability import games
from durability.games import Place, fresh

from pbem import __version__
from pbem.chain.state_record import StateRecord
from pbem.disk.folder import MessageStatus

HERE = Path(__file__).parent
BEGIN, HOUR = 1_780_000_000, 3600
CLOCK = "turn=2d choice=1d at=20:00 zone=Europe/Rome bank=1d grace=2h remind=12h strikes=3"
KINDS = {
    "chang-cheng": (("red", "green", "blue"), f"{CLOCK} missed=default"),
    "great-wall": (("blue", "green", "red"), f"{CLOCK} missed=bot off=2026-06-10..2026-06-11"),
}
AFTER = 6  #: emails that came after it was stopped


class Kept(NamedTuple):
    """A folder of what is kept of one game."""

    path: Path

    @property
    def facts(self) -> dict[str, Any]:
        """What the pbem of then said of it."""
        found: dict[str, Any] = json.loads((self.path / "said.json").read_text("utf-8"))
        return found

    def archive(self, place: Path) -> Path:
        """The archive of the closed game, as it was written."""
        found = place / "closed.tar"
        found.write_bytes(lzma.decompress((self.path / "closed.tar.xz").read_bytes()))
        return found

    def laid_out(self, place: Path) -> Place:
        """The referee's folders as they were when it was stopped, and its time."""
        with tarfile.open(self.path / "stopped.tar.xz") as file:
            file.extractall(place, filter="data")
        (place / "home").chmod(0o700)
        games.TIME = str(self.facts["stopped"])
        return Place(place)

    def played_on(self, place: Place) -> Iterator[StateRecord]:
        """The emails that came later, each at its time."""
        for path in sorted((self.path / "received").iterdir()):
            games.TIME = path.stem
            place.done("receive", "GAME", str(path))
            games.TIME = str(int(path.stem) + HOUR)
            tick(place)
            yield place.session().record


def facts_of(record: StateRecord) -> dict[str, Any]:
    """What a newer pbem has to make of it as well, whatever it calls and writes otherwise."""
    entries = [[entry.seat, entry.source.split(":")[0]] for entry in record.entries]
    rows = [list(row) for row in record.clock.seats]
    return {"n": record.n, "entries": entries, "position": record.position, "clock": rows}


def answered(place: Place, chance: Random, more: str = "") -> Path:
    """An answer of whoever is asked, as a file called by its time."""
    session = place.session()
    game, state = session.game, session.position.state
    seat = game.questions(game.view(state, None))[0].seat
    line = chance.choice(game.legal(game.view(state, seat)))
    return Path(place.mail(seat, f"{more}{line}", f"{games.TIME}.eml"))


def at(hours: int) -> None:
    games.TIME = str(int(games.TIME) + hours * HOUR)


def tick(place: Place) -> None:
    """A run of the timer; what it wrote goes out."""
    place.done("tick", "GAME")
    folder = place.session().folder
    with folder.lock():
        for name in folder.list_messages(MessageStatus.WAITING):
            folder.move_message(name, MessageStatus.WAITING, MessageStatus.SENT)


def play(place: Place, chance: Random, kind: str) -> None:
    """To its middle: an absence, a reminder, a missed turn, a pause; orders wait at the end."""
    seats, options = KINDS[kind]
    players = [f"--player={seat}=Player {seat[0].upper()},{seat}@example.org" for seat in seats]
    chosen = [f"--option={one}" for one in options.split(" ")]
    referee = "--referee=Rita,rita@example.org"
    place.done("new", "GAME", "--game", kind, *players, *chosen, referee, "--deal")
    for number in range(8):
        at(5)
        away = "absent 1 Jun to 3 Jun\n" if number == 1 else ""
        place.done("receive", "GAME", str(answered(place, chance, away)))
        at(1)
        tick(place)
        if number == 3:
            place.done("amend", "GAME", "pause", "--for", "1d", "--reason", "a holiday of all")
        for _ in range(50 if number == 5 else 0):
            at(4)
            tick(place)
    at(1)
    place.done("receive", "GAME", str(answered(place, chance)))


def keep(kind: str, to: Path) -> None:
    """Plays it, and puts it there."""
    with tempfile.TemporaryDirectory() as folder:
        games.TIME, chance = str(BEGIN), Random(kind)
        place = fresh(Path(folder) / "place")
        play(place, chance, kind)
        to.mkdir(parents=True)
        (to / "received").mkdir()
        newest = place.session().record.n
        with tarfile.open(to / "stopped.tar.xz", "w:xz") as file:
            for part in ("home", "game"):
                file.add(place.path / part, part, filter=partial(small, newest))
        said: dict[str, Any] = {"stopped": int(games.TIME), "at": facts_of(place.session().record)}
        said["report"] = block(place)
        at(1)
        tick(place)
        for _ in range(AFTER):
            at(9)
            came = answered(place, chance)
            shutil.copy(came, to / "received")
            place.done("receive", "GAME", str(came))
            at(1)
            tick(place)
        said["later"] = facts_of(place.session().record)
        place.done("amend", "GAME", "close", "--reason", "kept as it is")
        archive = place.path / "closed.tar"
        place.done("archive", "GAME", "-o", str(archive))
        (to / "closed.tar.xz").write_bytes(lzma.compress(archive.read_bytes()))
        said["audit"] = audited(place, archive)
        (to / "said.json").write_text(json.dumps(said, indent=1) + "\n", "utf-8")


def small(n: int, part: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Without backups, emails that went out, and the reports of states older than ``n``."""
    if found := re.search(r"/desk/reports/(\d{4})/", part.name):
        return part if int(found[1]) >= n else None
    return None if re.search("/desk/(outbox|sent)/|^home/backups", part.name) else part


def block(place: Place) -> list[str]:
    """The lines of the newest report by which it is bound to its state."""
    n = place.session().record.n
    text = (place.game / "desk" / "reports" / f"{n:04d}" / "spectators.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line.startswith(("head ", "commit ", "open "))]


def audited(place: Place, archive: Path) -> dict[str, str]:
    """What an audit says of each item."""
    found = json.loads(place.run("audit", str(archive), "--json").text)["games"][0]
    return {row["item"]: row["verdict"] for row in found["items"]}


if __name__ == "__main__":
    version = HERE / ".".join(__version__.split(".")[:2])
    if version.exists():
        sys.exit(f"{version} is kept as it is; what is new goes into the folder of a new version")
    for kind in KINDS:
        keep(kind, version / kind)
