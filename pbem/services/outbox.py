"""Compose every email to a player and put it into the outbox.

Not allowed here: a change of the game, an incoming email, what a report (reports.py) or a
receipt (receipts.py) says.
Laws: no other module composes an email or writes into desk/outbox (tests/house/test_post.py). A
player without an address gets none. A subject ends with the reply code exactly where there is one.
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

NO_ADDRESS = "pbem@localhost"  #: for a referee without an address
_TO_HEADER = re.compile(rb"(?m)^To: (.*(?:\n[ \t].*)*)")


class Message(NamedTuple):
    """One email before it is encoded. Two messages of a game differ in ``file_name`` or ``id_part``."""

    recipient: Person | None  #: nothing is sent if it is None or has no address
    text: str
    subject: str  #: without the code
    file_name: str  #: in the outbox
    id_part: str  #: makes the Message-ID different, because email programs drop one that they have seen
    time: str
    code: str = ""  #: "" where no answer is expected
    attachments: tuple[tuple[str, bytes], ...] = ()  #: name and content
    parent_id: str = ""  #: the Message-ID that it answers or follows; "" for the first of the game
    is_reply: bool = False
    html: str | None = None  #: the text with links (decision 0022)


def send(folder: GameFolder, game: str, codes_secret: bytes, referee: Person, message: Message) -> None:
    """Put a message into the outbox, if its recipient has an address."""
    for data in build_outbox_files(game, codes_secret, referee, message).values():
        folder.put_outbox(message.file_name, data)


def build_outbox_files(game: str, codes_secret: bytes, referee: Person, message: Message) -> dict[str, bytes]:
    """Return the file of a message, by its path in the private folder; {} if the recipient has no address."""
    recipient = message.recipient
    if recipient is None or not recipient.address:
        return {}
    sender = referee.address or NO_ADDRESS
    thread_id = make_message_id(codes_secret, game, "", sender)  # all emails of a game form one thread
    data = write_mail(
        to=(recipient.name, recipient.address),
        sender=(referee.name, sender),
        subject=subject_with_code(message.code, message.subject),
        text=message.text,
        message_id=make_message_id(codes_secret, game, message.id_part, sender, message.code),
        date=format_mail_date(message.time),
        thread=tuple(filter(MESSAGE_ID.fullmatch, (thread_id, message.parent_id))),
        files=message.attachments,
        is_reply=message.is_reply,
        html=message.html,
    )
    return {f"outbox/{message.file_name}.eml": data}


def send_to_new_addresses(folder: GameFolder) -> None:
    """Redirect waiting and refused emails from a player's former address to the present one.

    Emails to a former player of the seat, who has another name, stay as they are.
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
    """Put an email into the outbox again if its recipient's name has another address now."""
    headers, separator, body = (folder.read_message(mark, name) or b"").partition(b"\n\n")
    to_header = _TO_HEADER.search(headers)
    if to_header is None:
        return
    *name_words, address = to_header[1].split()
    new_recipients = [
        recipient
        for recipient in current_recipients
        if recipient.split()[:-1] == name_words and recipient.split()[-1] != address
    ]
    if not new_recipients:
        return
    new_recipient, *_ = new_recipients
    if mark is MessageStatus.WAITING or folder.read_message(MessageStatus.WAITING, name) is None:
        headers = headers[: to_header.start(1)] + new_recipient + headers[to_header.end(1) :]
        folder.put_outbox(name, headers + separator + body)
    if mark is MessageStatus.FAILED:
        folder.remove_message(name, mark)


def build_referee_mail(
    referee: tuple[str, str], subject: str, template: str, values: dict[str, str], message_id: str, time: str
) -> bytes:
    """Return an email from the referee to themselves, from a template, ready to be sent."""
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
    """Make a message to the player at a seat, dated now, with the HTML of its text."""
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
    """Put a message of an open game into the outbox."""
    referee, game = session.players.referee, session.record.game
    send(session.folder, game, session.codes_secret, referee, message)


def subject_with_code(code: str, subject: str) -> str:
    """Return the whole subject of an email: `autumn: your turn [pbem K7Q2-9F3A]`."""
    return f"{subject} [pbem {code}]" if code else subject
