"""A world: one game in a real folder, and what its tokens hold. A twin: the same, other values.

What lives here: World, opening one, going on to a position, making its twin, feeding mails, playing
out, all by the functions behind the real commands. Not allowed here: a comparison.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem import catalog
from pbem.chain.clock import format_instant
from pbem.chain.next_record import ExecutedOrder
from pbem.commands import receive, report, resolve
from pbem.commands.amend import clock, player, ruling, undo
from pbem.commands.orders import check
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.engine.decision import Event
from pbem.errors import PbemError
from pbem.play import resolution
from pbem.play.resolution import Resolution
from pbem.services.amend.consent import consent_code, find_open_consent
from pbem.services.lock import open_for_writing
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import read_message
from pbem.services.receive.receive import receive_email
from pbem.services.reports import write_reports
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.resolve.resolve import resolve_now
from pbem.services.session.keys import load_acting_key, write_new_keys
from pbem.services.session.session import Session
from pbem.services.session.timing import next_clock

from .fake_seals import Book, open_book

Below = Callable[[int], int]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
START = 1_793_606_400
KIND = "chang-cheng"
HONEST = {kind: catalog.load(kind) for kind in catalog.BUILT_IN}  # before any leak is planted
TIME = "2026-11-02T08:00:00Z"


def chance(*seed: object) -> Below:
    """Draws from a seed."""
    count = 0

    def below(bound: int) -> int:
        nonlocal count
        count += 1
        return int.from_bytes(sha256(repr((seed, count)).encode()).digest()[:8], "big") % bound

    return below


#: what the referee does besides, in this order
RULINGS = ("undo", "note", "player", "report", *("extend", "away", "pause", "resume", "clock"))
#: of games with deadlines
TIMED = {"turn": "2d", "choice": "1d", "bank": "1d", "remind": "1d", "missed": "default"}


class World:
    """A game as its referee has it. Worlds live side by side, each with its own home."""

    def __init__(self, root: Path, book: Book) -> None:
        self.root, self.book = root, book
        self.clock = START
        self._session: Session | None = None

    @property
    def folder(self) -> Path:
        return self.root / "game"

    @contextmanager
    def here(self) -> Iterator[None]:
        """Run commands in this world."""
        open_book(self.book)
        given = {"SOURCE_DATE_EPOCH": str(self.clock), "PBEM_HOME": str(self.root / "home")}
        with patch.dict(os.environ, given):
            yield

    def besides(self, seat: str | None) -> dict[str, Any]:
        """What else a kind of world has to show to a seat."""
        return {}

    def keep_private(self, seat: str | None, mark: str) -> None:
        """Make the desk unlike the twin's in what is not the seat's; ``mark``: which it is."""

    @property
    def session(self) -> Session:
        open_book(self.book)  # tokens are opened when they are first asked for
        if self._session is None:
            home = Home(self.root / "home")
            self._session = Session(GameFolder(self.folder), home, load_acting_key(home), self.time())
        return self._session

    def time(self) -> str:
        """What this world's clock says."""
        return format_instant(self.clock)

    def now(self) -> Session:
        """Its game, as a command finds it now."""
        return self.session.replace(time=self.time())

    @property
    def state(self) -> Any:
        return self.session.position.state

    def view(self, seat: str | None) -> Any:
        return self.session.game.view(self.state, seat)

    def asked(self) -> tuple[str, ...]:
        """Whom the game waits for."""
        return tuple(one.seat for one in self.session.game.questions(self.view(None)))

    def receive(self, data: bytes) -> Any:
        """One mail or file, and everything that is answered to it."""
        games = Games([self.now()])
        with self.here():
            try:
                verdict = receive_email(games, "it", read_message(data))
            except PbemError as error:
                return error.code, error.message, error.hint
        self._session = games.sessions[0].reread()
        found = verdict.document()
        receipt = self.session.folder.read_receipt(found["receipt"]) if "receipt" in found else None
        found.pop("dir", None)
        return found, receive.result_text(verdict), verdict.exit_code, receipt

    def resolve(self, missed: frozenset[str] = frozenset()) -> Any:
        """Play out what is in hand."""
        with self.here(), open_for_writing(self.now()) as session:
            resolved = resolve_now(session, missed)
            self._session, (found, text) = resolved.session, resolve.resolved_row(resolved)
        found.pop("dir", None)
        return found, text.replace(str(self.root), "")

    def rule(self, what: str, who: str) -> None:
        """What the referee does besides, to the seat ``who``; where there are commands for it."""

    def pass_time(self, hours: int) -> Any:
        """What a run of the timer does so many hours later; when there is something to do again.
        What it says is the referee's.
        """
        self.clock += hours * 3600
        with self.here():
            came, following = act_on_deadlines(self.now(), 10, MailKnowledge(), dry_run=False)
        self._session = came.session
        return following

    def report_again(self) -> None:
        """Every report of the newest link, written from what this world is now."""
        n = self.session.record.n
        shutil.rmtree(self.folder / "desk" / "reports" / f"{n:04d}", ignore_errors=True)
        with self.here(), open_for_writing(self.now()) as session:
            write_reports(session)


class ByCommands(World):
    """The same by the commands themselves, each of which opens the folder anew."""

    def receive(self, data: bytes) -> Any:
        path = self.root / "it.eml"
        path.write_bytes(data)
        with self.here():
            answer = receive.run(self.folder, [str(path)])
        self._session = None
        found = answer.data["files"][0]
        receipt = self.session.folder.read_receipt(found["receipt"]) if "receipt" in found else None
        return self._anywhere(answer), receipt

    def resolve(self, missed: frozenset[str] = frozenset()) -> Any:
        with self.here():
            foreseen = resolve.run([self.folder], dry_run=True)
            answer = resolve.run([self.folder], missed=list(missed))
        self._session = None
        return self._anywhere(foreseen), self._anywhere(answer)

    def rule(self, what: str, who: str) -> None:
        rulings: dict[str, Callable[[], Any]] = {
            "note": lambda: ruling.run_note(self.folder, "Until Monday"),
            "player": lambda: player.run(self.folder, who, name="Zoe", address="zoe@example.org", reason="left"),
            "undo": self._undo,
            "report": lambda: report.run(self.folder, player=who),
            "extend": lambda: clock.run_extend(self.folder, extra_time="30h", reason="holidays"),
            "away": lambda: clock.run_extend(
                self.folder, player=who, absence="2026-11-03..2026-11-06", reason="by phone"
            ),
            "pause": lambda: clock.run_pause(self.folder, duration="2d", reason="holidays"),
            "resume": lambda: clock.run_resume(self.folder, reason="back early"),
            "clock": lambda: clock.run_clock(self.folder, ["turn=4d"], reason="slower"),
        }
        timed = self.session.record.clock.has_deadlines
        may = what == "undo" or (what in RULINGS[4:] and not timed) or what == "extend"
        nothing = suppress(PbemError) if may else nullcontext()
        with self.here(), nothing:
            rulings[what]()
        self._session = None

    def _undo(self) -> None:
        """All who are asked agree: they are the same in both worlds."""
        undo.run(self.folder, reason="a slip of the pen")
        self._session = None
        asked = find_open_consent(self.session)
        if asked is not None:
            for seat, _ in asked.answers:
                code = consent_code(self.session, asked, seat)
                self.receive(f"yes\n\n[pbem {code}] Write above this line.\n".encode())
            undo.run(self.folder)

    def besides(self, seat: str | None) -> dict[str, Any]:
        with self.here():
            again = report.run(self.folder, player=seat or "spectators")
            found = {"report written again": self._anywhere(again)}
            if seat is not None:
                n = self.session.record.n
                view = self.folder / "desk" / "reports" / f"{n:04d}" / f"{seat}.view.toml"
                mail = self.root / "orders.txt"
                mail.write_bytes(b"wall A3\ncard flood AP2 then -2\nlater:\ntower B2\n")
                found["orders list"] = self._anywhere(check.run_list(view))
                found["orders check"] = self._anywhere(check.run_check(view, str(mail)))
        self._session = None
        return found

    def _anywhere(self, answer: Any) -> str:
        """A command's answer without the place it ran at."""
        return repr((answer.data, answer.text, answer.exit_code)).replace(str(self.root), "")


def opened_world(
    root: Path,
    seats: int,
    seed: object,
    options: dict[str, str] | None = None,
    world_of: type[World] = World,
    kind: str = KIND,
) -> World:
    """A new game of a deal that the seed chose."""
    root.mkdir(parents=True)
    world = world_of(root, Book())
    game = catalog.load(kind)
    roots = [sha256(repr((seed, what)).encode()).digest() for what in ("secret", "codes", "wraps")]
    secrets = Secrets(*roots)
    home = Home(root / "home")
    write_new_keys(home, {"acting": bytes(range(32)), "recovery": bytes(range(1, 33))})
    people = {seat: f"{name},{name.lower()}@example.org" for seat, name in zip(game.seats[:seats], NAMES, strict=False)}
    referee = "Robin,r@example.org"
    wanted = {"game": kind, "players": people, "options": options or {}, "referee": referee}
    with world.here():
        world._session = create_game(world.folder, wanted, home, secrets, world.time())
    return world


def go_on(world: World, below: Below, least: int, stop: Callable[[Any], bool]) -> int:
    """Random legal orders, all in one link, until ``stop`` says so of a position. How many."""
    session = world.session
    game, state, link = session.game, world.state, session.record.n + 1
    played: list[ExecutedOrder] = []
    events: list[Event] = []
    values: dict[str, str] = {}
    while questions := game.questions(game.view(state, None)):
        position = game.encode(state)
        values |= {slot: one.for_sealing() for slot, one in position.hidden.items()}
        if len(played) >= least and stop(position.public):
            break
        seat = questions[below(len(questions))].seat
        lines = game.legal(game.view(state, seat))
        line = lines[below(len(lines))]
        step = game.apply(state, seat, line, link)
        state = step.state
        events += step.events
        played.append(ExecutedOrder(seat, "reply", line, game.public_words(line), 1, 1, ""))
    values |= {slot: one.for_sealing() for slot, one in game.encode(state).hidden.items()}
    if played:
        course = Resolution(state, tuple(played), tuple(events), dict(session.pending_by_seat), values)
        with world.here(), open_for_writing(session) as held:
            made = resolution.make_next_state(held.position, course, held.secret, held.key, TIME, next_clock(held))
            world._session = held.save(made, course.pending_by_seat)
            write_reports(world._session)
    return len(played)


def twin_of(world: World, root: Path, seat: str | None, below: Below) -> World:
    """The same files; the newest tokens hold what the seat cannot tell from the truth.

    By the honest game: a View that shows too much would give no twin that differs in it.
    """
    shutil.copytree(world.root, root)
    other = type(world)(root, world.book.copy())
    other.clock = world.clock
    session = world.session
    honest = HONEST.get(session.game.kind, session.game)
    state = honest.guess(honest.view(world.state, seat), below)
    for slot, hidden in session.game.encode(state).hidden.items():
        other.book.values[session.record.n, slot] = hidden.for_sealing()
        other.book.of[slot] = hidden.for_sealing()
    open_book(other.book)
    return other
