"""A club's year with a clock that is handed in: players who are late, away or gone, machines that
are off, email that cannot be fetched, rulings. Nobody misses a turn before its time, or for a
failure of ours; no order is lost; every archive audits clean.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from durability import games
from durability.games import Place, fresh
from sizes import size

from pbem.disk.folder import Mark
from pbem.disk.home import Home
from pbem.moderator.chain.clock import HOUR, seconds, written
from pbem.moderator.chain.link import CLOSED, Link
from pbem.moderator.chain.people import BY_BOT, DEFAULT, source_of
from pbem.moderator.deadlines.due import NEVER
from pbem.moderator.deadlines.silence import noted, silence_since
from pbem.moderator.ruling.undo import FIRST
from pbem.services.intake.games import Games
from pbem.services.intake.taking import take_file
from pbem.services.mailed import file_name, rows
from pbem.services.opening.new_game import Secrets, open_game_in
from pbem.services.resolve.deadlines import Listened, keep_time
from pbem.services.session.history import older
from pbem.services.session.session import Session, open_session

BEGIN = seconds("2026-02-02T08:00:00Z")
REGRET = 10  #: minutes
CLOCKS = (
    "turn=2d choice=1d at=20:00 zone=Europe/Rome bank=2d grace=6h remind=1d,2h missed=default",
    "slots=mon thu 19:00;zone=America/New_York;grace=12h;remind=1d;missed=default;strikes=3",
    "turn=36h bank=1d missed=bot strikes=2 remind=6h",
    "turn=3d days=mon-fri zone=Australia/Sydney off=2026-04-03..2026-04-06 missed=wait grace=1d",
    "turn=1d choice=12h missed=default regret=30m",
)
KINDS = {"chang-cheng": ("red", "green", "blue"), "great-wall": ("blue", "green", "red")}
RULINGS = (
    ("extend", "--by", "30h"),
    ("extend", "--by", "2d", "--player", "SEAT"),
    ("extend", "--player", "SEAT", "--absent", "DAYS"),
    ("pause", "--for", "3d"),
    ("resume",),
    ("clock", "turn=4d", "slots=", "bank=3d"),
    ("clock", "missed=default", "grace=1d"),
    ("clock", "bank=", "grace="),
    ("clock", "missed=wait", "strikes="),
    ("clock", "turn=2d", "slots=", "missed=default"),
    ("note", "hello to all"),
    ("undo",),
    ("player", "SEAT", "--name", "Zoe {}", "--address", "zoe@example.org"),
)


class Mail(NamedTuple):
    """What a player wrote, and when it came."""

    at: int
    game: int
    seat: str
    question: int
    text: str
    data: bytes

    @property
    def orders(self) -> bool:
        return not self.text.startswith("absent")


class Club:
    """Some games, their players' emails on the way, and a timer."""

    def __init__(self, place: Place, seed: str, number: int) -> None:
        self.place, self.chance, self.now = place, Random(seed), BEGIN  # noqa: S311
        self.mailbox, self.taken = list[Mail](), list[Mail]()
        self.heard, self.gaps = "", ""
        self.asked, self.sent = set[tuple[int, str, int]](), dict[tuple[int, str], int]()
        self.due = dict.fromkeys(range(number), 0)
        self.checked = dict.fromkeys(range(number), FIRST)
        for game in range(number):
            self._open(game)

    def root(self, game: int) -> Path:
        return self.place.path / f"game{game}"

    def session(self, game: int) -> Session:
        return open_session(self.root(game), written(self.now), Home(self.place.home))

    def _open(self, game: int) -> None:
        kind = [*KINDS][game % 2]
        text = CLOCKS[game % len(CLOCKS)]
        pairs = text.split(";" if ";" in text else " ")
        wanted = {
            "game": kind,
            "players": {seat: f"P{seat},{seat}@example.org" for seat in KINDS[kind]},
            "options": dict(one.split("=") for one in pairs),
            "referee": "Ref,ref@example.org",
        }
        secrets = Secrets(self.chance.randbytes(32), self.chance.randbytes(32))
        home, time = Home(self.place.home), written(self.now)
        open_game_in(self.root(game), wanted, home, secrets, time)

    def live(self, days: int) -> None:
        end = BEGIN + days * 24 * HOUR
        while self.now < end:
            gap = self.chance.choice((300, 900, 3600, 3600, 2 * HOUR))
            if self.chance.random() < 0.01:
                gap = self.chance.randint(8, 90) * HOUR  # the machine was off
            self.now += gap + self.chance.randint(0, 60)
            self.tick(fetched=self.chance.random() > 0.05)
            if self.chance.random() < 0.02:
                self.rule(self.chance.choice([*self.due]))

    def tick(self, fetched: bool) -> None:
        silence = silence_since(self.heard, self.gaps, written(self.now)) if fetched else None
        if fetched:
            self.fetch()
            self.heard, self.gaps = noted(self.heard, self.gaps, written(self.now))
        listened = Listened(silence, fetched, self.sent_at)
        for game in self.due:
            if self.due[game] > self.now and silence is None:
                continue
            minutes = self.session(game).link.clock.regret or REGRET
            came, following = keep_time(self.session(game), minutes, listened, dry_run=False)
            waits = any(hand.lines for hand in came.session.hands.values())
            self.due[game] = 0 if waits else following
            self.after(game)

    def fetch(self) -> None:
        ready = sorted(mail for mail in self.mailbox if mail.at <= self.now)
        self.mailbox = [mail for mail in self.mailbox if mail.at > self.now]
        for mail in ready:
            games = Games([self.session(mail.game)])
            found = take_file(games, "mail", arrival=written(mail.at), given=mail.data)
            assert found.kind not in ("unreadable", "unfinished"), found
            self.taken.append(mail)
            self.due[mail.game] = 0

    def sent_at(self, session: Session, seat: str, _: str) -> str:
        game = int(session.folder.root.name.removeprefix("game"))
        row = rows(session).get(seat)
        at = self.sent.get((game, file_name(row.n, seat))) if row else None
        return written(at) if at else ""

    def after(self, game: int) -> None:
        """Its emails go out; players begin to think; what was played is looked at."""
        session = self.session(game)
        if self.chance.random() > 0.03:  # else the server did not take them
            with session.folder.lock():
                for name in session.folder.messages(Mark.WAITING):
                    session.folder.move(name, Mark.WAITING, Mark.SENT)
                    self.sent[game, name] = self.now
        link = session.link
        if link.phase == CLOSED:
            self.due[game] = NEVER
            return
        view = session.game.view(session.position.state, None)
        for question in session.game.questions(view):
            mark = game, question.seat, session.position.answered(question.seat)
            if mark not in self.asked:
                self.asked.add(mark)
                self.think(session, *mark)
        self.check(session, game)

    def think(self, session: Session, game: int, seat: str, question: int) -> None:
        due, way = session.link.clock.of(seat).due, self.chance.random()
        rest = max(HOUR, (seconds(due) if due else self.now + 48 * HOUR) - self.now)
        own = session.game.view(session.position.state, seat)
        text = self.chance.choice(session.game.legal(own))
        if way < 0.08:
            return  # gone
        if way < 0.13:
            away = datetime.fromtimestamp(self.now, UTC).date() + timedelta(days=1)
            days = f"absent {away} to {away + timedelta(days=self.chance.randint(0, 9))}"
            self.write(session, game, seat, question, days, self.chance.randint(0, HOUR))
        late = self.chance.randint(1, 60 * HOUR) if way > 0.85 else 0
        self.write(session, game, seat, question, text, self.chance.randint(0, rest) + late)

    def write(
        self, session: Session, game: int, seat: str, question: int, text: str, delay: int
    ) -> None:
        number = len(self.mailbox) + len(self.taken)
        head = f"Subject: Re: [pbem {session.code(seat)}]\nMessage-ID: <{number}@example.org>\n"
        data = f"From: {seat}@example.org\n{head}\n{text}\n".encode()
        self.mailbox.append(Mail(self.now + delay, game, seat, question, text, data))

    def rule(self, game: int) -> None:
        link = self.session(game).link
        day = datetime.fromtimestamp(self.now, UTC).date()
        said = {"SEAT": self.chance.choice(link.setup.seats)}
        said["DAYS"] = f"{day}..{day + timedelta(days=3)}"
        act, *words = self.chance.choice(RULINGS)
        words = [said.get(word, word).format(self.now) for word in words]
        reason = [] if act == "note" else ["--reason", f"a ruling of {self.now}"]
        found = run(self.place, self.now, "amend", str(self.root(game)), act, *words, *reason)
        assert found.code in (0, 1, 2), found.text
        self.due[game] = 0

    def check(self, session: Session, game: int) -> None:
        """Of each new state: nobody missed a turn before its time, nor with an answer there."""
        for n in range(self.checked[game] + 1, session.link.n + 1):
            before, link = older(session, n - 1), older(session, n)
            for entry in link.entries:
                source = source_of(entry.source)
                if source in (DEFAULT, BY_BOT):
                    self.missed_rightly(game, before, link, entry.seat)
        self.checked[game] = session.link.n

    def missed_rightly(self, game: int, before: Link, link: Link, seat: str) -> None:
        clock = before.clock
        if not clock.of(seat).due:  # its turn went on in this very state
            return
        end = clock.missed_at(seat)
        assert seconds(link.time) >= end
        question = dict(before.answered)[seat]
        for mail in (*self.taken, *self.mailbox):
            mine = (mail.game, mail.seat, mail.question) == (game, seat, question)
            assert not (mine and mail.orders and mail.at < end), (mail, before.n)


def run(place: Place, now: int, *words: str) -> games.Said:
    """A command line at that moment."""
    before = games.TIME
    try:
        games.TIME = str(now)
        return place.run(*words)
    finally:
        games.TIME = before


@pytest.fixture(params=range(size("years of a club")))
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Club:
    seed = f"{os.environ['PBEM_SEED']} {request.param}"
    print(f"seed {seed}")
    return Club(fresh(tmp_path / "club"), seed, size("games of a club"))


def test_a_year(club: Club) -> None:
    club.live(size("days of a club"))
    played = 0
    for game in club.due:
        link = club.session(game).link
        played += sum(len(older(club.session(game), n).entries) for n in range(3, link.n + 1))
        root = str(club.root(game))
        if link.phase != CLOSED:
            said = run(club.place, club.now, "amend", root, "close", "--reason", "the year is over")
            assert said.code == 0, said.text
        said = run(club.place, club.now, "audit", root)
        assert said.code == 0, said.text
        assert "contradicted" not in said.text, said.text
    assert played > len(club.due) * size("days of a club") // 10
