"""A club's year with a clock that is handed in: players who are late, away or gone, machines that
are off, email that cannot be fetched, rulings, substitutes. Nobody misses a turn before its time,
or for a failure of ours; no order is lost; what is due is mailed, once; every archive audits clean.
"""

import os
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from durability import games
from durability.games import Place, fresh
from sizes import size

from pbem.chain.clock import HOUR, epoch_seconds, format_instant
from pbem.chain.sources import BY_BOT, DEFAULT, source_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord
from pbem.disk.folder import MessageStatus
from pbem.disk.home import Home
from pbem.play.consent import Consent
from pbem.play.deadlines.due import NEVER
from pbem.play.deadlines.outages import find_outage, record_run
from pbem.services.amend.consent import consent_code, find_open_consent
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.receive.find_game import Games
from pbem.services.receive.receive import receive_file
from pbem.services.recipients import email_file_name, read_mailed_reports
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.resolve.resolve import TOO_EARLY
from pbem.services.session.history import read_older_record
from pbem.services.session.session import Session, open_session

BEGIN = epoch_seconds("2026-02-02T08:00:00Z")
WEEK = 7 * 24 * HOUR
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
        return not self.text.startswith(("absent", "yes", "no"))


class Kept(NamedTuple):
    """Orders that were accepted, and the newest state then."""

    mail: Mail
    n: int


class Club:
    """Some games, their players' emails on the way, and a timer."""

    def __init__(self, place: Place, seed: str, number: int) -> None:
        self.place, self.chance, self.now = place, Random(seed), BEGIN
        self.mailbox, self.taken = list[Mail](), list[Mail]()
        self.kept = list[Kept]()
        self.heard, self.gaps = "", ""
        self.asked, self.sent = set[tuple[int, str, int]](), dict[tuple[int, str], int]()
        self.ran, self.held = defaultdict[int, list[int]](list), set[int]()
        self.missed = defaultdict[int, list[tuple[int, str]]](list)
        self.due = dict.fromkeys(range(number), 0)
        self.checked = dict.fromkeys(range(number), DEAL)
        for game in range(number):
            self._open(game)

    def root(self, game: int) -> Path:
        return self.place.path / f"game{game}"

    def session(self, game: int) -> Session:
        return open_session(self.root(game), format_instant(self.now), Home(self.place.home))

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
        home, time = Home(self.place.home), format_instant(self.now)
        create_game(self.root(game), wanted, home, secrets, time)

    def live(self, days: int) -> None:
        end = BEGIN + days * 24 * HOUR
        while self.now < end:
            gap = self.chance.choice((300, 900, 3600, 3600, 2 * HOUR))
            if self.chance.random() < 0.01:
                gap = self.chance.randint(8, 90) * HOUR  # the machine was off
            self.now += gap + self.chance.randint(0, 60)
            self.tick(fetched=self.chance.random() > 0.05)
            if self.chance.random() < 0.007 * len(self.due):
                self.rule(self.chance.choice([*self.due]), self.chance.choice(RULINGS))
            if self.now // WEEK != (self.now - gap) // WEEK:
                self.seat_others()

    def seat_others(self) -> None:
        """What a referee does in a week: whoever is late for two gets a substitute."""
        for game in self.due:
            record = self.session(game).record
            late = [row.seat for row in record.clock.seats if row.deadline]
            late = [s for s in late if self.now > epoch_seconds(record.clock.for_seat(s).deadline) + 2 * WEEK]
            for seat in late if record.phase != CLOSED else ():
                self.rule(game, ("player", seat, "--name", "Zoe {}", "--address", "z@example.org"))
                newest = self.session(game)
                self.asked.discard((game, seat, newest.position.answered_count(seat)))

    def tick(self, fetched: bool) -> None:
        silence = find_outage(self.heard, self.gaps, format_instant(self.now)) if fetched else None
        if fetched:
            self.fetch()
            self.heard, self.gaps = record_run(self.heard, self.gaps, format_instant(self.now))
        listened = MailKnowledge(silence, fetched, self.sent_at)
        for game in self.due:
            if game not in self.held:
                self.ran[game].append(self.now)
            if self.due[game] > self.now and silence is None:
                continue
            session = self.session(game)
            minutes = session.record.clock.replace_minutes
            came, following = act_on_deadlines(session, minutes, listened, dry_run=False)
            self.due[game] = 0 if came.summary == TOO_EARLY else following
            self.after(game)

    def fetch(self) -> None:
        ready = sorted(mail for mail in self.mailbox if mail.at <= self.now)
        self.mailbox = [mail for mail in self.mailbox if mail.at > self.now]
        for mail in ready:
            games = Games([self.session(mail.game)])
            found = receive_file(games, "mail", arrival=format_instant(mail.at), contents=mail.data)
            assert found.kind not in ("unreadable", "unfinished"), found
            self.taken.append(mail)
            if found.kind == "kept":
                self.kept.append(Kept(mail, self.session(mail.game).record.n))
            self.due[mail.game] = 0

    def sent_at(self, session: Session, seat: str, _: str) -> str:
        game = int(session.folder.root.name.removeprefix("game"))
        row = read_mailed_reports(session).get(seat)
        at = self.sent.get((game, email_file_name(row.last_state, seat))) if row else None
        return format_instant(at) if at else ""

    def after(self, game: int) -> None:
        """Its emails go out; players begin to think; what was played is looked at."""
        session = self.session(game)
        if self.chance.random() > 0.03:  # else the server did not take them
            with session.folder.lock():
                for name in session.folder.list_messages(MessageStatus.WAITING):
                    session.folder.move_message(name, MessageStatus.WAITING, MessageStatus.SENT)
                    self.sent[game, name] = self.now
        asked = self.hold(session, game)
        for seat, code in self.askings(session, asked) if asked else ():
            if (mark := (game, code, 0)) not in self.asked:
                self.asked.add(mark)
                answer = self.chance.choice(("yes", "yes", "no"))
                self.write(session, game, seat, 0, answer, self.chance.randint(0, WEEK), code)
        record = session.record
        if record.phase == CLOSED:
            self.due[game] = NEVER
            return
        view = session.game.view(session.position.state, None)
        for question in session.game.questions(view):
            mark = game, question.seat, session.position.answered_count(question.seat)
            if mark not in self.asked:
                self.asked.add(mark)
                self.mailed(session, question.seat)
                self.think(session, *mark)
        self.check(session, game)

    def askings(self, session: Session, asked: Consent) -> list[tuple[str, str]]:
        """The seats that have not answered, each with the code of the email that asks."""
        seats = [seat for seat, answer in asked.answers if not answer]
        return [(seat, consent_code(session, asked, seat)) for seat in seats]

    def mailed(self, session: Session, seat: str) -> None:
        """The email that asks was written."""
        name = email_file_name(read_mailed_reports(session)[seat].last_state, seat)
        found = [session.folder.read_message(mark, name) for mark in (MessageStatus.WAITING, MessageStatus.SENT)]
        assert any(session.code(seat).encode() in data for data in found if data), (name, seat)

    def think(self, session: Session, game: int, seat: str, question: int) -> None:
        due, way = session.record.clock.for_seat(seat).deadline, self.chance.random()
        rest = max(HOUR, (epoch_seconds(due) if due else self.now + 48 * HOUR) - self.now)
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
        self, session: Session, game: int, seat: str, question: int, text: str, delay: int,
        code: str = "",
    ) -> None:  # fmt: skip
        number = len(self.mailbox) + len(self.taken)
        code = code or session.code(seat)
        head = f"Subject: Re: [pbem {code}]\nMessage-ID: <{number}@example.org>\n"
        data = f"From: {seat}@example.org\n{head}\n{text}\n".encode()
        self.mailbox.append(Mail(self.now + delay, game, seat, question, text, data))

    def rule(self, game: int, ruling: tuple[str, ...]) -> None:
        record = self.session(game).record
        day = datetime.fromtimestamp(self.now, UTC).date()
        said = {"SEAT": self.chance.choice(record.setup.seats)}
        said["DAYS"] = f"{day}..{day + timedelta(days=3)}"
        act, *words = ruling
        words = [said.get(word, word).format(self.now) for word in words]
        reason = [] if act == "note" else ["--reason", f"a ruling of {self.now}"]
        found = run(self.place, self.now, "amend", str(self.root(game)), act, *words, *reason)
        assert found.code in (0, 1, 2), found.text
        self.due[game] = 0
        self.hold(self.session(game), game)

    def hold(self, session: Session, game: int) -> Consent | None:
        """What its players are asked about an undo: meanwhile nothing falls due."""
        asked = find_open_consent(session)
        (self.held.add if asked else self.held.discard)(game)
        return asked

    def check(self, session: Session, game: int) -> None:
        """Of each new state: nobody missed a turn before its time, nor with an answer there."""
        for n in range(self.checked[game] + 1, session.record.n + 1):
            before, record = read_older_record(session, n - 1), read_older_record(session, n)
            for entry in record.entries:
                source = source_of(entry.source)
                if source in (DEFAULT, BY_BOT):
                    self.missed_rightly(game, before, record, entry.seat)
                    self.missed[game].append((before.n, entry.seat))
        self.checked[game] = session.record.n

    def missed_rightly(self, game: int, before: StateRecord, record: StateRecord, seat: str) -> None:
        clock = before.clock
        if not clock.for_seat(seat).deadline:  # its turn went on in this very state
            return
        end = clock.missed_at(seat)
        assert epoch_seconds(record.time) >= end
        question = dict(before.answer_counts)[seat]
        for mail in (*self.taken, *self.mailbox):
            mine = (mail.game, mail.seat, mail.question) == (game, seat, question)
            assert not (mine and mail.orders and mail.at < end), (mail, before.n)

    def complete(self, game: int) -> None:
        """Of a whole game: no order that was accepted is lost, nothing went out twice, and whoever
        missed a turn was reminded, where there was a run in time.
        """
        session = self.session(game)
        records = [read_older_record(session, n) for n in range(DEAL, session.record.n)] + [session.record]
        for mail, n in self.kept:
            if mail.game == game and mail.orders:
                assert self.used(session, records[n - DEAL :], mail), mail
        folder, reminded = session.folder, Counter[tuple[str, str, str]]()
        sent = [
            folder.read_message(MessageStatus.SENT, name) or b"" for name in folder.list_messages(MessageStatus.SENT)
        ]
        ids = [re.search(rb"(?m)^Message-ID: *\S+", data) for data in sent]
        assert len({found[0] for found in ids if found}) == len(sent)
        for name in folder.list_messages(MessageStatus.SENT):
            if found := re.fullmatch(r"(\d+)-(\w+)-reminder-(\d+)", name):
                state, seat, hours = found.groups()
                reminded[seat, records[int(state) - DEAL].clock.for_seat(seat).deadline, hours] += 1
        assert max(reminded.values(), default=1) == 1, reminded.most_common(1)
        for n, seat in self.missed[game]:
            due, clock = records[n - DEAL].clock.for_seat(seat).deadline, records[n - DEAL].clock
            answered = dict(records[n - DEAL].answer_counts)[seat]  # two questions may have one deadline
            asked = next(
                record
                for record in records
                if record.clock.for_seat(seat).deadline == due and dict(record.answer_counts)[seat] == answered
            )
            for hours in clock.remind if due else ():
                begin, end = epoch_seconds(due) - int(hours) * HOUR, epoch_seconds(due)
                before = epoch_seconds(asked.time) < begin
                if before and any(begin <= run < end for run in self.ran[game]):
                    assert any(key[:2] == (seat, due) for key in reminded), (seat, due)

    def used(self, session: Session, records: list[StateRecord], mail: Mail) -> bool:
        """Whether these orders, or what replaced them, were played, or wait, or a ruling let them
        go; ``records``: from the newest state on that there was when they came.
        """
        for before, record in pairwise(records):
            if record.phase == CLOSED:
                return True
            if dict(before.answer_counts)[mail.seat] != mail.question:
                return False
            ruled = {ruling.name for ruling in record.rulings} & {"undo", "player"}
            own = [entry for entry in record.entries if entry.seat == mail.seat]
            if ruled or any(not source_of(entry.source).answered_for_player for entry in own):
                return True
        return bool(session.pending_by_seat[mail.seat].orders)


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
    first = request.param == 0
    number = size("games of the first club") if first else size("games of a club")
    return Club(fresh(tmp_path / "club"), seed, number)


def test_a_year(club: Club) -> None:
    with patch("os.fsync"):  # what becomes of a power cut is tried elsewhere
        club.live(size("days of a club"))
    played = 0
    for game in club.due:
        club.complete(game)
        record = club.session(game).record
        played += sum(len(read_older_record(club.session(game), n).entries) for n in range(3, record.n + 1))
        root = str(club.root(game))
        if record.phase != CLOSED:
            said = run(club.place, club.now, "amend", root, "close", "--reason", "the year is over")
            assert said.code == 0, said.text
        said = run(club.place, club.now, "audit", root)
        assert said.code == 0, said.text
        assert "contradicted" not in said.text, said.text
    assert played > len(club.due) * size("days of a club") // 10
