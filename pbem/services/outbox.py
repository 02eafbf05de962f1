"""The post room: the one way out of every email to a player: ``send``.

What lives here: a message, its headers, its place in the outbox. What must never be here: a change
of the game, an email that came in, what a report (reports.py) or a receipt (receipts.py) says.
Laws: nobody else composes an email or writes into desk/outbox (tests/house/test_post.py); a player
without an address gets none; the code alone decides whether the subject ends with it.
Source: docs/DESIGN.md "Email"; FORMAT.md section 5.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.disk.folder import PLAYERS, GameFolder, Mark
from pbem.mail.compose import ID, UNSENT, mail_date, mailbox, write_mail
from pbem.report import players
from pbem.report.message_ids import message_id
from pbem.report.players import Person
from pbem.report.render import render
from pbem.services.html import framed
from pbem.services.session.session import Session

NO_ADDRESS = "pbem@localhost"  #: of a referee who gave none
_TO = re.compile(rb"(?m)^To: (.*(?:\n[ \t].*)*)")


class Message(NamedTuple):
    """One email, before it has any bytes. Messages of one game differ in ``file`` or in ``id``."""

    to: Person | None  #: None, or somebody without an address: no email
    text: str
    about: str  #: the subject, but for the code
    file: str  #: its name in the outbox
    id: str  #: its own part of the Message-ID: an email program drops an id that it has seen
    time: str
    code: str = ""  #: "" where no answer is expected
    files: tuple[tuple[str, bytes], ...] = ()  #: attached, by name
    follows: str = ""  #: the Message-ID of what it answers or comes after; "": the game's own
    reply: bool = False  #: it answers an email
    html: str | None = None  #: the same once more, with links (decision 0022)


def send(desk: GameFolder, game: str, secret: bytes, referee: Person, message: Message) -> None:
    """Puts a message into the outbox, if there is an address. ``secret``: of the reply codes."""
    for data in sent_later(game, secret, referee, message).values():
        desk.put_outbox(message.file, data)


def sent_later(game: str, secret: bytes, referee: Person, message: Message) -> dict[str, bytes]:
    """A message for the outbox, by its path in the desk: it comes with a state, or not at all."""
    to = message.to
    if to is None or not to.address:
        return {}
    sender = referee.address or NO_ADDRESS
    data = write_mail(
        to=(to.name, to.address),
        sender=(referee.name, sender),
        subject=with_code(message.code, message.about),
        text=message.text,
        message_id=message_id(secret, game, message.id, sender, message.code),
        date=mail_date(message.time),
        # emails of a game thread together
        thread=tuple(filter(ID.fullmatch, (message_id(secret, game, "", sender), message.follows))),
        files=message.files,
        reply=message.reply,
        html=message.html,
    )
    return {f"outbox/{message.file}.eml": data}


def send_to_new_addresses(desk: GameFolder) -> None:
    """Messages to a former address of a player, refused ones too, wait to go to the address of now.
    Whoever had the seat before, under another name, keeps theirs.
    """
    if not any(map(desk.messages, (Mark.FAILED, Mark.WAITING))):
        return
    with desk.lock():
        data = desk.desk_file(PLAYERS)
        people = players.decode(data).seats.values() if data is not None else ()
        now = [mailbox((one.name, one.address)).encode() for one in people if one.address]
        for mark in (Mark.FAILED, Mark.WAITING):
            for name in desk.messages(mark):
                _to_address_of_now(desk, mark, name, now)


def _to_address_of_now(desk: GameFolder, mark: Mark, name: str, now: Sequence[bytes]) -> None:
    head, gap, body = (desk.message(mark, name) or b"").partition(b"\n\n")
    if (found := _TO.search(head)) is None:
        return
    *who, address = found[1].split()
    fresh = [to for to in now if to.split()[:-1] == who and to.split()[-1] != address]
    if fresh and (mark is Mark.WAITING or desk.message(Mark.WAITING, name) is None):
        head = head[: found.start(1)] + fresh[0] + head[found.end(1) :]
        desk.put_outbox(name, head + gap + body)
    if fresh and mark is Mark.FAILED:
        desk.take_out(name, mark)


def own_mail(
    referee: tuple[str, str],
    about: str,
    template: str,
    values: dict[str, str],
    message_id: str,
    time: str,
) -> bytes:
    """A mail from the referee to the referee, in the words of a template: as it goes out."""
    data = write_mail(
        to=referee,
        sender=referee,
        subject=about,
        text=render(template, **values),
        message_id=message_id,
        date=mail_date(time),
    )
    return data.replace(f"{UNSENT}\n".encode(), b"", 1)


def to_seat(
    session: Session,
    seat: str,
    text: str,
    about: str,
    *,
    file: str,
    called: str,
    code: str = "",
    follows: str = "",
    offered: Sequence[Mapping[str, Any]] = (),
) -> Message:
    """An email of now to whoever plays at a seat, with the HTML of its text. ``called``: its id."""
    return Message(
        to=session.players.seats[seat],
        text=text,
        about=about,
        file=file,
        id=called,
        time=session.time,
        code=code,
        follows=follows,
        html=framed(session, seat, text, about, code, offered),
    )


def send_of(session: Session, message: Message) -> None:
    """The same, of a game that is open."""
    referee, game = session.players.referee, session.link.game
    send(session.folder, game, session.codes_secret, referee, message)


def with_code(code: str, about: str) -> str:
    """A whole subject."""
    return f"{about} [pbem {code}]" if code else about
