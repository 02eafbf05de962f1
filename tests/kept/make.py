"""Games of today, kept for every release to come: `PYTHONPATH=tests:. python tests/kept/make.py`.

What lives here: for each game one with deadlines, stopped in its middle, and the same closed, as
its archive; and games with every option, stopped in their middle. They go into a folder of this version of
pbem. What is there is never made again: what the pbem of then wrote is what is kept. Not allowed
here: a folder of another version.
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
OWN_BOARDS = (
    "sides=1a:3,4,4:5,3,3 2b:5,3,3:4,4,3 long:5,4,3:4,4,4 4a:4,3,4:5,3,3",
    "counters=000111222333449/222223333344441",
    "boards=drawn",
)
CLOCK = "turn=2d choice=1d at=20:00 zone=Europe/Rome bank=1d grace=2h remind=12h strikes=3"
KINDS = {
    "chang-cheng": (("red", "green", "blue"), f"{CLOCK} missed=default"),
    "great-wall": (("blue", "green", "red"), f"{CLOCK} missed=bot off=2026-06-10..2026-06-11"),
}
# With every option, and every word that an option allows: the game, its seats, its options, by a name.
GAMES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "french": ("chang-cheng", "red green blue", ("edition=fr", "events=A,C", "seats=drawn", "missed=wait")),
    "italian": (
        "chang-cheng",
        "violet red green blue",
        ("edition=it", "events=drawn-2", "slots=mon thu 19:00", "zone=Europe/Rome", "remind=1d", "missed=default"),
    ),
    "hungarian": (
        "chang-cheng",
        "red blue",
        ("edition=hu", "variant=plain", "turn=3d", "choice=36h", "days=mon-fri", "at=20:00", "zone=UTC", "regret=20m"),
    ),
    "neutral": ("chang-cheng", "green red", ("edition=en", "variant=neutral", "events=drawn-1", "seats=named")),
    "two colours": (
        "chang-cheng",
        "red blue",
        ("variant=two-colour", "pairs=blue+green,red+violet", "events=B,D", "boards=4b,3b,1a,2a"),
    ),
    "own boards": ("chang-cheng", "red blue", OWN_BOARDS),
    "five": (
        "great-wall",
        "blue green red yellow grey",
        ("open_scores=yes", "seats=drawn", "turn=2d", "bank=1d", "grace=2h", "strikes=2", "missed=bot"),
    ),
    "two": (
        "great-wall",
        "green blue",
        ("open_scores=no", "turn=1d", "off=2026-06-10..2026-06-11", "zone=Asia/Tokyo", "missed=default"),
    ),
}
ORDERS = 12  #: that were played before it was stopped
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


def open_with_options(place: Place, name: str) -> None:
    """A new game with the options of that name."""
    kind, seats, options = GAMES[name]
    players = [f"--player={seat}=Player {seat},{seat}@example.org" for seat in seats.split(" ")]
    referee = "--referee=Rita,rita@example.org"
    place.done("new", "GAME", "--game", kind, *players, *(f"--option={one}" for one in options), referee, "--deal")


def play_orders(place: Place, chance: Random, most: int) -> int:
    """Answers of whoever is asked, until none is or so many were played; how many those were."""
    for number in range(most):
        session = place.session()
        if not session.game.questions(session.game.view(session.position.state, None)):
            return number
        at(1)
        place.done("receive", "GAME", str(answered(place, chance)))
        at(1)
        place.done("resolve", "GAME")
    return most


def keep_games(to: Path) -> None:
    """Plays each to its middle, where an order is in hand, and puts them all into one file."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(to, "w:xz") as file:
        for name in GAMES:
            games.TIME, chance = str(BEGIN), Random(name)
            place = fresh(Path(folder) / name)
            open_with_options(place, name)
            assert play_orders(place, chance, ORDERS) == ORDERS
            at(1)
            place.done("receive", "GAME", str(answered(place, chance)))
            newest = place.session().record.n
            for part in ("home", "game"):
                file.add(place.path / part, f"{name}/{part}", filter=partial(small, newest))


if __name__ == "__main__":
    version = HERE / ".".join(__version__.split(".")[:2])
    missing = [kind for kind in KINDS if not (version / kind).exists()]
    for kind in missing:
        keep(kind, version / kind)
    if not (version / "games.tar.xz").exists():
        keep_games(version / "games.tar.xz")
    elif not missing:
        sys.exit(f"{version} is kept as it is; what is new goes into the folder of a new version")
