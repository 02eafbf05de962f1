"""Real games in real folders for the tests of durability and tampering.

What lives here: a referee's home with fixed secrets, a game played to a chosen point by mails, a
way to run a command line in this process, in a struck child, or in a process of its own.
"""

import io
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

from disk import killer
from sizes import every

import pbem
from pbem.cli import run
from pbem.clock import now
from pbem.disk.home import Home
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.session.keys import write_new_keys
from pbem.services.session.session import Session, open_session

TIME = "1700000000"
ACTING, RECOVERY = bytes(range(32)), bytes(range(32, 64))
SECRET, CODES, WRAPS = b"s" * 32, b"c" * 32, b"e" * 32
WANTED = {
    "game": "chang-cheng",
    "players": {"red": "Ann,ann@example.org", "blue": "Bob,bob@example.org"},
    "options": {},
    "referee": "Ref,ref@example.org",
}
KILLED = killer.KILLED


class Said(NamedTuple):
    """A finished command: exit code, and both its outputs together."""

    code: int
    text: str


class Place(NamedTuple):
    """A folder with a referee's ``home`` and one ``game``."""

    path: Path

    @property
    def game(self) -> Path:
        return self.path / "game"

    @property
    def home(self) -> Path:
        return self.path / "home"

    def env(self) -> dict[str, str]:
        return {"PBEM_HOME": str(self.home), "SOURCE_DATE_EPOCH": TIME}

    def run(self, *words: str) -> Said:
        """A command line in this process; ``GAME`` stands for the folder of the game."""
        out = io.StringIO()
        os.environ.update(self.env())
        with redirect_stdout(out), redirect_stderr(out):
            code = run(self._words(words))
        return Said(code, out.getvalue())

    def done(self, *words: str) -> str:
        """The same, where anything but success is a failure of the test."""
        said = self.run(*words)
        assert said.code == 0, said.text
        return said.text

    def struck(self, k: int, how: str, *words: str) -> Said:
        """The same in a child struck at its ``k``-th operation on files; code -9 if killed."""
        found = killer.fork_killed(self._call(words), k, how)
        return Said(found.code, found.output)

    def steps(self, *words: str) -> list[str]:
        """The operations on files of a command, which is carried out for it, in a child."""
        outcome = killer.fork_killed(self._call(words), 0, "before")
        assert outcome.code in (0, 1), outcome.output
        return list(outcome.steps)

    def process(self, *words: str) -> "subprocess.Popen[str]":
        """The same in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "pbem", *self._words(words)],
            env=self.process_env(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def process_env(self) -> dict[str, str]:
        """What a process of its own needs to run the same pbem as this one."""
        source = str(Path(pbem.__file__).parent.parent)
        return {**os.environ, **self.env(), "PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1"}

    def _words(self, words: tuple[str, ...]) -> list[str]:
        return [str(self.game) if word == "GAME" else word for word in words]

    def _call(self, words: tuple[str, ...]) -> Callable[[], None]:
        def call() -> None:
            os.environ.update(self.env())
            raise SystemExit(run(self._words(words)))

        return call

    def adopted(self) -> None:
        """Played here from now on, and nothing was lost: after its desk was."""
        self.done("adopt", "GAME")
        self.done("restore", "--nothing-lost", "GAME")

    def session(self) -> Session:
        os.environ.update(self.env())
        return open_session(self.game, now(), Home(self.home))

    def numbers(self) -> list[int]:
        return sorted(int(one.stem) for one in (self.game / "states").glob("*.toml"))

    def newest(self) -> bytes:
        return (self.game / "states" / f"{self.numbers()[-1]:04d}.toml").read_bytes()

    def file(self, name: str, data: str | bytes) -> str:
        """A file beside the game; its path."""
        path = self.path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    def mail(self, seat: str, text: str, name: str = "mail.eml") -> str:
        """An answer of a seat to the question now open to it, with an id of its own; its path."""
        code = self.session().code(seat)
        mark = sha256(f"{code} {text}".encode()).hexdigest()[:16]
        head = f"Subject: Re: [pbem {code}]\n"
        return self.file(name, f"{head}Message-ID: <{mark}.{name}@example.org>\n\n{text}\n")

    def hands(self) -> dict[str, list[str]]:
        """The lines in hand by seat, as the next command would see them."""
        found = self.session().pending_by_seat
        return {seat: [one.order for one in hand.orders] for seat, hand in found.items()}


def copied(base: Place, to: Path) -> Place:
    """The place once more, with modes; the copy may be destroyed."""
    shutil.copytree(base.path, to)
    return Place(to)


def fresh(path: Path) -> Place:
    """A home with the referee's keys, and no game yet."""
    place = Place(path)
    path.mkdir(parents=True, exist_ok=True)
    write_new_keys(Home(place.home), {"acting": ACTING, "recovery": RECOVERY})
    return place


def fixed_secrets() -> Secrets:
    """Secrets for one game, wraps and all: two openings with them give the same bytes."""
    return Secrets(SECRET, CODES, WRAPS)


def opened(path: Path, secrets: Secrets | None = None) -> Place:
    """A new game of two."""
    place = fresh(path)
    open_in(place, secrets)
    return place


def open_in(place: Place, secrets: Secrets | None = None) -> None:
    """A new game of two in a place that has its keys."""
    os.environ.update(place.env())
    create_game(place.game, WANTED, Home(place.home), secrets or fixed_secrets(), now())


def points(number: int, first: int = 1) -> list[int]:
    """Which of so many operations on files to strike at; all of them in the long run."""
    return every("operations struck", first, number)


def asked(place: Place) -> str:
    """The seat that is asked first."""
    session = place.session()
    return session.game.questions(session.game.view(session.position.state, None))[0].seat


def answer(place: Place, line: str = "wall", name: str = "answer.eml") -> str:
    """The seat that is asked gives its first legal order that begins so, and it is played."""
    session, seat = place.session(), asked(place)
    legal = session.game.legal(session.game.view(session.position.state, seat))
    order = next(one for one in legal if one.startswith(line))
    place.done("receive", "GAME", place.mail(seat, order, name))
    place.done("resolve", "GAME")
    return order


def unseen(place: Place) -> None:
    """Walls are built until one shows nobody anything: its undo asks nobody."""
    answer(place)
    while any(event.opens for event in place.session().record.events):
        answer(place)


def play(place: Place, seed: int, wanted: Callable[[Session, Session], bool], most: int = 120) -> Place | None:
    """Play random orders by mail until ``wanted(before, after)`` holds for a resolve.

    Gives the place as it was before that resolve, with the orders in hand; none if it never held.
    """
    random = Random(seed)
    for turn in range(most):
        session = place.session()
        view = session.game.view(session.position.state, None)
        questions = session.game.questions(view)
        if not questions:
            return None
        for question in questions:
            own = session.game.view(session.position.state, question.seat)
            line = random.choice(session.game.legal(own))
            place.done("receive", "GAME", place.mail(question.seat, line, "bot.eml"))
        shutil.rmtree(place.game / "desk" / "outbox")  # sent
        held = copied(place, place.path.with_name(f"{place.path.name}-{turn}"))
        place.done("resolve", "GAME")
        if wanted(session, place.session()):
            return held
        shutil.rmtree(held.path)
    return None


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes, but for the lock and the home's temporary ones."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        temp = name.startswith("home/") and path.name.startswith(".pbem-tmp-")
        if path.is_file() and path.name != "lock" and not temp:
            found[name] = path.read_bytes()
    return found


def fingerprint(folder: Path) -> str:
    """One hash of everything below a folder: names, kinds, modes, bytes."""
    mark = sha256()
    for path in sorted([folder, *folder.rglob("*")]):
        found = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(found.st_mode) else b""
        mark.update(f"{path.relative_to(folder)}\0{found.st_mode}\0{len(data)}\0".encode() + data)
    return mark.hexdigest()


def difference(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """The names by which two trees differ."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def one_line(said: Said) -> None:
    """A refusal is one line and at most a second with the way out, and never a traceback."""
    lines = said.text.strip().splitlines()
    assert lines, said
    assert "Traceback" not in said.text, said.text
    assert "our fault" not in said.text, said.text
    assert len(lines) <= 2, said.text


def _scored_and_another_is_asked(_: Session, after: Session) -> bool:
    view = after.game.view(after.position.state, None)
    asked = [question.seat for question in after.game.questions(view)]
    scored = any(event.kind == "scored" for event in after.record.events)
    seats = [entry.seat for entry in after.record.entries]
    return scored and bool(after.record.openings) and bool(asked) and asked[0] not in seats


def _first_that_comes_there(folder: Path, wanted: Callable[[Session, Session], bool]) -> tuple[Place, Place]:
    """The game after and before such a resolve, by the first bots that come to one.

    Which bots do hangs on every detail of the rules and of the lists of legal orders, so the ones
    that came there last time are tried first.
    """
    for seed in (15, *range(10, 30)):
        place = opened(folder / f"played-by-{seed}")
        held = play(place, seed, wanted)
        if held:
            return place, held
        shutil.rmtree(place.path)
    raise AssertionError("no bots came there")


def before_a_scoring(folder: Path) -> Place:
    """A game before a resolve that plays several orders and scores; the outbox is sent."""
    place, held = _first_that_comes_there(folder, _scored_and_another_is_asked)
    after = place.session()
    view = after.game.view(after.position.state, None)
    seat = after.game.questions(view)[0].seat
    line = after.game.legal(after.game.view(after.position.state, seat))[0]
    held.done("receive", "GAME", held.mail(seat, f"later:\n{line}", "standing.eml"))
    shutil.rmtree(held.game / "desk" / "outbox")
    for old in sorted((held.game / "desk" / "reports").iterdir())[:-1]:
        shutil.rmtree(old)
    shutil.rmtree(place.path)
    return held
