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

from pbem.disk.folder import PLAYERS_FILE, GameFolder, MessageStatus
from pbem.mail.compose import MESSAGE_ID, UNSENT_HEADER, format_mail_date, format_mailbox, write_mail
from pbem.report import players
from pbem.report.message_ids import make_message_id
from pbem.report.players import Person
from pbem.report.render import render
from pbem.services.html import render_mail_html
from pbem.services.session.session import Session

NO_ADDRESS = "pbem@localhost"  #: of a referee who gave none
_TO_HEADER = re.compile(rb"(?m)^To: (.*(?:\n[ \t].*)*)")


class Message(NamedTuple):
    """One email, before it has any bytes. Messages of one game differ in ``file`` or in ``id``."""

    recipient: Person | None  #: None, or somebody without an address: no email
    text: str
    subject: str  #: the subject, but for the code
    file_name: str  #: its name in the outbox
    id_part: str  #: its own part of the Message-ID: an email program drops an id that it has seen
    time: str
    code: str = ""  #: "" where no answer is expected
    attachments: tuple[tuple[str, bytes], ...] = ()  #: attached, by name
    parent_id: str = ""  #: the Message-ID of what it answers or comes after; "": the game's own
    is_reply: bool = False  #: it answers an email
    html: str | None = None  #: the same once more, with links (decision 0022)


def send(folder: GameFolder, game: str, codes_secret: bytes, referee: Person, message: Message) -> None:
    """Puts a message into the outbox, if there is an address. ``codes_secret``: of the reply codes."""
    for data in build_outbox_files(game, codes_secret, referee, message).values():
        folder.put_outbox(message.file_name, data)


def build_outbox_files(game: str, codes_secret: bytes, referee: Person, message: Message) -> dict[str, bytes]:
    """A message for the outbox, by its path in the desk: it comes with a state, or not at all."""
    recipient = message.recipient
    if recipient is None or not recipient.address:
        return {}
    sender = referee.address or NO_ADDRESS
    data = write_mail(
        to=(recipient.name, recipient.address),
        sender=(referee.name, sender),
        subject=subject_with_code(message.code, message.subject),
        text=message.text,
        message_id=make_message_id(codes_secret, game, message.id_part, sender, message.code),
        date=format_mail_date(message.time),
        # emails of a game thread together
        thread=tuple(
            filter(MESSAGE_ID.fullmatch, (make_message_id(codes_secret, game, "", sender), message.parent_id))
        ),
        files=message.attachments,
        is_reply=message.is_reply,
        html=message.html,
    )
    return {f"outbox/{message.file_name}.eml": data}


def send_to_new_addresses(folder: GameFolder) -> None:
    """Messages to a former address of a player, refused ones too, wait to go to the address of now.
    Whoever had the seat before, under another name, keeps theirs.
    """
    if not any(map(folder.list_messages, (MessageStatus.FAILED, MessageStatus.WAITING))):
        return
    with folder.lock():
        data = folder.read_desk_file(PLAYERS_FILE)
        persons = players.decode(data).seats.values() if data is not None else ()
        current_recipients = [
            format_mailbox((person.name, person.address)).encode() for person in persons if person.address
        ]
        for mark in (MessageStatus.FAILED, MessageStatus.WAITING):
            for name in folder.list_messages(mark):
                _readdress(folder, mark, name, current_recipients)


def _readdress(folder: GameFolder, mark: MessageStatus, name: str, current_recipients: Sequence[bytes]) -> None:
    headers, separator, body = (folder.read_message(mark, name) or b"").partition(b"\n\n")
    if (to_header := _TO_HEADER.search(headers)) is None:
        return
    *name_words, address = to_header[1].split()
    new_recipients = [
        recipient
        for recipient in current_recipients
        if recipient.split()[:-1] == name_words and recipient.split()[-1] != address
    ]
    if new_recipients and (mark is MessageStatus.WAITING or folder.read_message(MessageStatus.WAITING, name) is None):
        headers = headers[: to_header.start(1)] + new_recipients[0] + headers[to_header.end(1) :]
        folder.put_outbox(name, headers + separator + body)
    if new_recipients and mark is MessageStatus.FAILED:
        folder.remove_message(name, mark)


def build_referee_mail(
    referee: tuple[str, str], subject: str, template: str, values: dict[str, str], message_id: str, time: str
) -> bytes:
    """A mail from the referee to the referee, in the words of a template: as it goes out."""
    data = write_mail(
        to=referee,
        sender=referee,
        subject=subject,
        text=render(template, **values),
        message_id=message_id,
        date=format_mail_date(time),
    )
    return data.replace(f"{UNSENT_HEADER}\n".encode(), b"", 1)


def message_to_seat(
    session: Session,
    seat: str,
    text: str,
    subject: str,
    *,
    file_name: str,
    id_part: str,
    code: str = "",
    parent_id: str = "",
    choices: Sequence[Mapping[str, Any]] = (),
) -> Message:
    """An email of now to whoever plays at a seat, with the HTML of its text. ``id_part``: its id."""
    return Message(
        recipient=session.players.seats[seat],
        text=text,
        subject=subject,
        file_name=file_name,
        id_part=id_part,
        time=session.time,
        code=code,
        parent_id=parent_id,
        html=render_mail_html(session, seat, text, subject, code, choices),
    )


def send_message(session: Session, message: Message) -> None:
    """The same, of a game that is open."""
    referee, game = session.players.referee, session.record.game
    send(session.folder, game, session.codes_secret, referee, message)


def subject_with_code(code: str, subject: str) -> str:
    """A whole subject."""
    return f"{subject} [pbem {code}]" if code else subject
