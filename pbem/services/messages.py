"""Store, list and answer the messages of players to their referee.

Not allowed here: which words of an email are a message (services/receive/message.py);
messages that belong to no game (disk/journal.py).
Laws: a message has no effect on a game. It is stored once, under the hash of its email. Its folder
alone says whether it was read.
Source: docs/decisions/0017-letters.md.
"""

from typing import NamedTuple

from pbem.crypto.encoding import digest
from pbem.disk.folder import GameFolder, MessageStatus
from pbem.errors import BadInput, Refused
from pbem.mail.compose import format_mail_date
from pbem.mail.identity import mark_words
from pbem.report.render import render
from pbem.report.sentences import ANSWER_FROM_REFEREE, SUBJECT
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.recipients import last_report_id
from pbem.services.session.session import Session

MIN_PREFIX_LENGTH = 4  #: how many letters of its hash name a message on a screen
_HEADERS = ("From", "Date", "Message-ID", "X-Pbem-Arrived", "X-Pbem-Player")


class StoredMessage(NamedTuple):
    """The message in one email. For the referee alone."""

    name: str  #: ``red-`` and the hash of the email
    player: str  #: who wrote it; somebody else may play this seat now
    sender: str  #: the address that it came from; "" if the email has none
    time: str  #: of its arrival
    id: str  #: the Message-ID of the email; "" where it has no valid one
    lines: tuple[str, ...]

    @property
    def seat(self) -> str:
        return self.name.rpartition("-")[0]

    def encode(self) -> bytes:
        """Return the message as an email that any email program can show."""
        values = self.sender, format_mail_date(self.time), self.id, self.time, self.player
        rows = [f"{key}: {value}" for key, value in zip(_HEADERS, values, strict=True) if value]
        rows += ["MIME-Version: 1.0", 'Content-Type: text/plain; charset="utf-8"']
        rows += ["Content-Transfer-Encoding: 8bit"]
        return "\n".join([*rows, "", *self.lines, ""]).encode()

    @classmethod
    def decode(cls, name: str, data: bytes) -> "StoredMessage":
        """Read a stored message. Missing parts of an edited file become ""."""
        headers, _, text = data.decode("utf-8", "replace").partition("\n\n")
        value_by_header = dict(row.partition(": ")[::2] for row in headers.split("\n"))
        sender, _, message_id, time, player = (value_by_header.get(key, "") for key in _HEADERS)
        return cls(name, player, sender, time, message_id, tuple(text.rstrip("\n").split("\n")))


def list_messages(folder: GameFolder, *marks: MessageStatus) -> list[StoredMessage]:
    """List the messages of a game with these marks, the oldest first. For the referee."""
    marked_names = ((mark, name) for mark in marks for name in folder.list_messages(mark))
    messages = (StoredMessage.decode(name, folder.read_message(mark, name) or b"") for mark, name in marked_names)
    return sorted(messages, key=lambda message: (message.time, message.name))


def mark_as_read(folder: GameFolder, messages: list[StoredMessage]) -> None:
    """Mark messages that the referee has seen as read."""
    for message in messages:
        with folder.lock():
            if folder.read_message(MessageStatus.UNREAD, message.name) is not None:
                folder.move_message(message.name, MessageStatus.UNREAD, MessageStatus.READ)


def find_message(folder: GameFolder, prefix: str) -> StoredMessage:
    """Return the message whose name begins like this. Raises Refused ``messages/none``, ``messages/several``."""
    messages = list_messages(folder, MessageStatus.UNREAD, MessageStatus.READ)
    matches = [message for message in messages if prefix and message.name.startswith(prefix)]
    if len(matches) != 1:
        problem = "several messages begin" if matches else "there is no message that begins"
        code = "messages/several" if matches else "messages/none"
        raise Refused(code, f"{problem} with {prefix}", f"`pbem messages {folder.root} --all` shows them")
    return matches[0]


def send_answer(session: Session, message: StoredMessage, text: str) -> str:
    """Put an answer into the outbox, in the thread of the message. Return the email's name.

    Raises BadInput ``messages/empty``; Refused ``messages/no-address``, ``messages/other-player``.
    """
    answer_text, seat = text.strip(), message.seat
    player = session.record.player(seat)
    person = session.players.seats[seat]
    if not answer_text:
        hint = "write your answer into a file, and name it with `--text FILE`"
        raise BadInput("messages/empty", "the answer has no words", hint)
    if message.player != player.name:
        problem = f"{message.player} wrote it, and {player.name} plays {seat} now"
        raise Refused("messages/other-player", problem, "answer from your email program")
    if not person.address:
        problem = f"there is no email address for {player.label}"
        raise Refused("messages/no-address", problem, "tell them yourself")
    # the same answer to the same message is the same email, even if older emails were deleted
    email_name = f"letter-{message.name}-{digest(answer_text.encode()).hex()[:8]}"
    code = session.code(seat)
    values = {
        "label": session.label,
        "player": player.name,
        "seat": seat,
        "code": code,
        "referee": session.players.referee.name,
        "words": mark_words(answer_text),
        "quoted": mark_words("\n".join(message.lines)),
    }
    text = render("letter.txt", *session.templates, **values)
    subject = SUBJECT.format(label=session.label, summary=ANSWER_FROM_REFEREE)
    parent_id = message.id or last_report_id(session, seat)
    answer = message_to_seat(
        session, seat, text, subject, file_name=email_name, id_part=email_name, code=code, parent_id=parent_id
    )
    send_message(session, answer)
    return email_name
