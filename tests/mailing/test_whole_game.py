"""Whole games by email alone: robots who have nothing but their mailboxes, nine mail programs, real
servers, and a referee whose timer runs `pbem tick`. Source: decision 0014.
"""

from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from random import Random

import pytest
from durability import games
from sizes import LONG, size

from mailing import servers
from mailing.desk import Desk
from mailing.programs import PROGRAMS, reply
from mailing.servers import HOST, USER, Imap, Server
from pbem import catalog
from pbem.bots.mails import Mail, read_mail, subject_of
from pbem.bots.player import Below, Bot, at_random

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
#: runs of the timer: a sample is closed after these, a whole game that is not over by then is stuck
MOST = size("runs of a timer")


class Robot:
    """A player with a mailbox and a mail program; another one for each email, where ``program`` is
    none. Careless as bots are: slips of the pen, half an action, move files, old reports answered.
    """

    def __init__(self, kind: str, seat: str, chance: Random, program: str = "") -> None:
        game = catalog.load(kind)
        self.written = 0
        self._seat, self._chance, self._program = seat, chance, program
        self._bot = Bot(game, seat, chance.randrange, at_random, self._write)

    def _write(self, mail: Mail, lines: list[str], below: Below, date: str) -> bytes:
        self.written += 1
        program = self._program or list(PROGRAMS)[below(len(PROGRAMS))]
        return reply(program, mail, lines, self.written)

    def answers(self, mails: list[bytes]) -> Iterator[bytes]:
        """What it writes: to each receipt, and to the newest of the reports."""
        read = [data for data in mails if "receipt" in subject_of(data)[1]]
        reports = [data for data in mails if data not in read]
        for data in [*read, *reports[-1:]]:
            if "you are invited" in subject_of(data)[1]:
                yield self._write(read_mail(data), ["yes"], self._chance.randrange, "")
            elif found := self._bot.answer(data, ""):
                yield found.data if found.ending == ".eml" else self._attached(data, found.data)

    def _attached(self, data: bytes, move: bytes) -> bytes:
        self.written += 1
        mail, message = read_mail(data), EmailMessage()
        message["From"], message["To"] = mail.to, mail.sender
        message["Subject"] = f"Re: {mail.subject}"
        message["Message-ID"] = f"<{self.written}.{parseaddr(mail.to)[1]}>"
        message.set_content("See the attachment.\n")
        message.add_attachment(move.decode(), filename="my-turn.toml")
        return message.as_bytes()


@pytest.fixture
def server(certificates: servers.Authority) -> Iterator[Server]:
    with servers.smtp(certificates.good, "smtps") as found:
        yield found


@pytest.mark.parametrize("round_", range(size("games by email")))
@pytest.mark.parametrize("kind", ["chang-cheng", "great-wall"])
def test_from_the_account_to_the_archive(
    kind: str,
    round_: int,
    imap: Imap,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    certificates: servers.Authority,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    desk = Desk(games.fresh(tmp_path / "desk"))
    desk.account(
        fetch=f"imaps://{USER}@{HOST}:{imap.port}/INBOX", send=f"smtps://{USER}@{HOST}:{server.port}",
        per_hour="100000",
    )  # fmt: skip
    chance = Random(f"{kind} {round_}")  # noqa: S311 - what robots do
    players = size("players by email")
    seats = catalog.load(kind).seats[:players]
    who = {f"{name.lower()}@example.org": seat for name, seat in zip(NAMES, seats, strict=False)}
    programs = chance.sample(list(PROGRAMS), players) if round_ % 2 else [""] * players
    robots = {
        address: Robot(kind, seat, chance, program)
        for (address, seat), program in zip(who.items(), programs, strict=True)
    }
    invited = [
        f"--player={seat}={address.partition('@')[0].title()},{address}"
        for address, seat in who.items()
    ]
    desk.done("new", "GAME", f"--game={kind}", *invited, "--referee=Ref,ref@example.org")
    came = _played(desk, robots, imap, server)
    _each_once_and_to_whom_it_is_for(came)
    archive = str(tmp_path / "game.tar")
    desk.done("archive", "GAME", "-o", archive)
    assert "proven" in desk.done("audit", archive)
    assert (imap.flags(), desk.marked("outbox"), desk.marked("failed")) == (set(), [], [])


def _played(
    desk: Desk, robots: dict[str, Robot], imap: Imap, server: Server
) -> dict[str, list[bytes]]:
    """To its end: all that came, by address."""
    boxes: dict[str, list[bytes]] = {address: [] for address in robots}
    for _ in range(MOST):
        desk.later(11)
        said = desk.run("tick", str(desk.place.path))
        assert said.code == 0, said.text
        new = {
            address: [data for to, data in server.inbox.mails if to == address] for address in boxes
        }
        assert sum(map(len, new.values())) == len(server.inbox.mails)
        server.inbox.mails.clear()
        for address, mails in new.items():
            boxes[address] += mails
        if all(any(_over(data) for data in mails) for mails in new.values()):
            return boxes
        for address, robot in robots.items():
            for data in robot.answers(new[address]):
                imap.deliver(data)
    assert not LONG, "the game is stuck"
    desk.done("amend", "GAME", "close", "--reason=enough")
    desk.done("send", "GAME")
    return boxes


def _over(data: bytes) -> bool:
    return "the game is over" in subject_of(data)[1]


def _each_once_and_to_whom_it_is_for(boxes: dict[str, list[bytes]]) -> None:
    """No email came twice, and no code of one player lies in the mailbox of another."""
    read = {
        address: [read_mail(data) for data in mails if not _over(data)]
        for address, mails in boxes.items()
    }
    ids = [mail.message_id for mails in read.values() for mail in mails]
    assert len(ids) == len(set(ids))
    codes = {address: {mail.code for mail in mails} for address, mails in read.items()}
    for address, mails in boxes.items():
        others = set().union(*(codes[other] for other in boxes if other != address))
        assert not [code for code in others if code.encode() in b"".join(mails)]
