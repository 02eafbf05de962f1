"""Whole games by email alone: robots who have nothing but their mailboxes, nine mail programs,
real servers, and a referee whose timer runs `pbem tick`; also where much goes wrong.
Source: decision 0014.
"""

from collections.abc import Callable, Iterator, Sequence
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from random import Random

import pytest
from durability import games
from report.html.browser import Finger, Typist, chromium
from report.html.played import opened
from sizes import LONG, drawn, size

from pbem import catalog
from pbem.bots.mails import read_mail, recipient_and_subject
from transport import servers
from transport.desk import Desk
from transport.faults import AGAIN, Faults
from transport.robots import NAMES, Careful, Robot, invited, over, table
from transport.servers import HOST, USER, Imap, Server

#: runs of the timer: a sample is closed after these, a whole game that is not over by then is stuck
MOST = size("runs of a timer")
QUIET = 6  #: runs without an email, after which a game is stuck
GAMES = ("chang-cheng", "great-wall")
KINDS = pytest.mark.parametrize("kind", GAMES)
Boxes = dict[str, list[bytes]]


@pytest.fixture
def server(certificates: servers.Authority) -> Iterator[Server]:
    with servers.smtp(certificates.good, "smtps") as found:
        yield found


@pytest.fixture
def desk(
    tmp_path: Path, imap: Imap, server: Server, certificates: servers.Authority, monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """An account, and no game yet."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    monkeypatch.setattr("pbem.transport.connection.MAX_SILENCE", 5.0)
    desk = Desk(games.fresh(tmp_path / "desk"))
    desk.account(
        fetch=f"imaps://{USER}@{HOST}:{imap.port}/INBOX", send=f"smtps://{USER}@{HOST}:{server.port}",
        per_hour="100000",
    )  # fmt: skip
    return desk


@pytest.mark.parametrize("round_", range(size("games by email")))
@KINDS
def test_from_the_account_to_the_archive(kind: str, round_: int, desk: Desk, imap: Imap, server: Server) -> None:
    chance = Random(f"{kind} {round_}")
    robots = table(kind, size("players by email"), chance, bool(round_ % 2))

    boxes = _played(kind, desk, robots, imap, server, lambda: _ticked(desk))
    _only_to_whom_it_is_for(boxes)
    _few(boxes, robots)
    ids = [_id(data) for mails in boxes.values() for data in mails]
    assert len(ids) == len(set(ids))
    assert (imap.flags(), desk.marked("outbox"), desk.marked("failed")) == (set(), [], [])


@KINDS
def test_who_wants_few_emails_gets_few(kind: str, desk: Desk, imap: Imap, server: Server) -> None:
    """At most 1.3 for each answer, receipts and all (0018), and five that a game has: the
    invitation, its receipt, the deal, the receipt of that wish, the end.
    """
    robots = table(kind, 3, Random(f"few {kind}"), True, made=Careful)
    boxes = _played(kind, desk, robots, imap, server, lambda: _ticked(desk))
    got = {address: (len(mails), robots[address].written) for address, mails in boxes.items()}
    assert all(mails <= 1.3 * answers + 5 for mails, answers in got.values()), got
    assert all(sum(map(is_receipt, mails)) == 2 for mails in boxes.values())


@pytest.mark.parametrize("round_", range(size("games in trouble")))
@pytest.mark.parametrize("kind", drawn("kinds of games in trouble", GAMES))
def test_where_much_goes_wrong(kind: str, round_: int, desk: Desk, imap: Imap, server: Server) -> None:
    """Killed, cut off, refused, full, renumbered, two at once, a clock that goes back: it comes to
    its end, and each order counts once.
    """
    chance = Random(f"{kind} {round_}")
    robots = table(kind, 2, chance, one_program_each=False)
    faults, most = Faults(chance, desk, imap, server), size("faults at a time")

    def timer() -> None:
        for _ in range(most):
            faults.one()
        faults.mended()

    boxes = _played(kind, desk, robots, imap, server, timer)
    faults.mended()  # who answered when the game was over is told so
    for to, data in server.inbox.mails:
        boxes[to].append(data)
    server.inbox.mails.clear()
    while faults.struck.total() < size("faults of a game"):  # when it is over too
        faults.one()
    assert server.inbox.mails == []
    _only_to_whom_it_is_for(boxes)
    came = [data for mails in boxes.values() for data in mails]
    twice = len(came) - len({*came})
    assert len({*map(_id, came)}) == len({*came})  # what comes twice is the same
    assert twice <= sum(faults.struck[what] for what in AGAIN), faults.struck
    sent = desk.game / "desk" / "sent"
    assert {_id(path.read_bytes()) for path in sent.iterdir()} <= {*map(_id, came)}
    assert (desk.marked("outbox"), desk.marked("sending"), desk.marked("failed")) == ([], [], [])
    written = sum(robot.written for robot in robots.values())
    assert len(desk.receipts()) <= written


class Tapper(Robot):
    """A player who answers by the links of a browser alone, and so makes no mistake."""

    def __init__(self, kind: str, finger: Finger, chance: Random) -> None:
        super().__init__(kind, finger.seat, chance)
        self._finger = finger

    def answers(self, mails: list[bytes]) -> Iterator[bytes]:
        found = [opened("", data) for data in mails]
        assert not [face.text for face in found if "no orders accepted" in face.subject]
        for sent in self._finger.answers(found):
            self.written += 1
            yield sent


#: games, and how many emails a player writes for each of their turns: by taps alone, and with the lines of an
#: example added. A turn has two orders, with a neutral colour three, with two colours four.
#: The goals are 2.1 and 1.15; where they are missed, the bound is above what was measured in several deals.
TAPPED = {
    "chang-cheng-four": ("chang-cheng", 4, [], (2.1, 1.6)),
    "chang-cheng-neutral": ("chang-cheng", 2, ["variant=neutral"], (3.2, 1.8)),
    "chang-cheng-two-colour": ("chang-cheng", 2, ["variant=two-colour"], (3.5, 1.15)),
    "great-wall-five": ("great-wall", 5, [], (2.1, 1.15)),
}


@pytest.mark.parametrize("player", [Finger, Typist])
@pytest.mark.parametrize("game", drawn("kinds of games by taps", [*TAPPED]))
def test_by_tapping_alone(game: str, player: type[Finger], desk: Desk, imap: Imap, server: Server) -> None:
    """Players with phones, from the invitation on."""
    kind, players, options, (most_by_taps, most_by_typing) = TAPPED[game]
    chance, seats = Random(f"taps {game}"), catalog.load(kind).seats
    with chromium() as browser:
        robots: dict[str, Robot] = {
            f"{name.lower()}@example.org": Tapper(kind, player(browser, seat, chance), chance)
            for name, seat in zip(NAMES[:players], seats, strict=False)
        }

        _played(kind, desk, robots, imap, server, lambda: _ticked(desk), options)
    assert all(robot.written > 2 for robot in robots.values())
    session = desk.place.session()
    turns = session.game.turn(session.game.view(session.position.state, None))
    answers = sum(robot.written - 1 for robot in robots.values())  # without those to the invitation
    told = f"{game}, {player.__name__}: {answers} emails in {turns} turns, {answers / turns:.2f} a turn"
    print(told)
    assert not LONG or answers <= (most_by_typing if player is Typist else most_by_taps) * turns, told


def _ticked(desk: Desk) -> None:
    said = desk.run("tick", str(desk.place.path))
    assert said.code == 0, said.text


def _played(
    kind: str,
    desk: Desk,
    robots: dict[str, Robot],
    imap: Imap,
    server: Server,
    timer: Callable[[], None],
    options: Sequence[str] = (),
) -> Boxes:
    """To its end, and its archive is proven: all that came, by address."""
    chosen = [f"--option={option}" for option in options]
    desk.done("new", "GAME", f"--game={kind}", *invited(robots), *chosen, "--referee=Ref,ref@example.org")
    boxes: Boxes = {address: [] for address in robots}
    quiet = 0
    for _ in range(MOST):
        desk.later(11)
        timer()
        came, known = list(server.inbox.mails), {data for box in boxes.values() for data in box}
        server.inbox.mails.clear()
        assert {to for to, _ in came} <= {*boxes}
        for address, robot in robots.items():
            mails = [data for to, data in came if to == address]
            boxes[address] += mails
            new = [data for data in dict.fromkeys(mails) if data not in known]
            for data in robot.answers(new):  # a mail program drops what comes twice
                imap.deliver(data)
        if all(any(over(data) for data in mails) for mails in boxes.values()):
            break
        quiet = 0 if came else quiet + 1
        assert quiet < QUIET, [[*map(recipient_and_subject, mails[-3:])] for mails in boxes.values()]
    else:
        assert not LONG, "the game is stuck"
        desk.done("amend", "GAME", "close", "--reason=enough")
        desk.done("send", "GAME")
        for to, data in server.inbox.mails:
            boxes[to].append(data)
    archive = str(desk.place.path / "game.tar")
    desk.done("archive", "GAME", "-o", archive)
    assert "proven" in desk.done("audit", archive)
    return boxes


def _few(boxes: Boxes, robots: dict[str, Robot]) -> None:
    """A report for each answer, and some more: when invited, at the end (0018)."""
    for address, mails in boxes.items():
        reports = [data for data in mails if not is_receipt(data)]
        assert len(reports) <= 1.3 * robots[address].written + 2, address


def is_receipt(data: bytes) -> bool:
    """Whether an email answers one."""
    return b"\nAuto-Submitted: auto-replied\n" in data.replace(b"\r\n", b"\n")


def _id(data: bytes) -> str:
    return str(BytesParser(policy=default).parsebytes(data, headersonly=True)["Message-ID"])


def _only_to_whom_it_is_for(boxes: Boxes) -> None:
    """No code of one player lies in the mailbox of another."""
    codes = {
        address: {read_mail(data).code for data in mails if " [pbem " in recipient_and_subject(data)[1]}
        for address, mails in boxes.items()
    }
    for address, mails in boxes.items():
        others = set().union(*(codes[other] for other in boxes if other != address))
        assert not [code for code in others if code.encode() in b"".join(mails)]
