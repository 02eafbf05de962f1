"""What was sent to a seat, as its player may quote it.

What must never be here: which lines are the player's (mail/quotation.py); another seat's
emails; anything that is kept of an email that came (docs/decisions/0009).
Law: it depends on that seat's own messages alone.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from collections.abc import Iterator

from pbem.disk.folder import MessageStatus
from pbem.errors import BadInput
from pbem.mail.every_text import read_mail_texts
from pbem.mail.mime import Headers
from pbem.services.session.session import Session

NEWEST = 2  #: of each kind: so many messages are tried where the reply names none
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,320}>")
_MESSAGE_ID_HEADER = re.compile(rb"(?mi)^Message-ID:\s*(<[^<>\s]{1,320}>)")


def texts_sent_to(session: Session, seat: str, headers: Headers) -> Iterator[tuple[str, ...]]:
    """The texts of each message to a seat: those that an email names, then the newest of each kind,
    then the newest report, where no message was made of it.
    """
    named_ids = {*_MESSAGE_ID.findall(f"{headers.in_reply_to} {headers.references}")[-9:]}
    messages_by_kind = dict[str, list[tuple[MessageStatus, str]]]()
    for mark in (MessageStatus.SENT, MessageStatus.SENDING, MessageStatus.WAITING):
        for name in session.folder.list_messages(mark):
            if seat in name.partition(".")[0].split("-"):
                messages_by_kind.setdefault(re.sub(r"\d+", "", name), []).append((mark, name))
    newest_messages = [
        message_key for messages in messages_by_kind.values() for message_key in messages[: -NEWEST - 1 : -1]
    ]
    older_messages = [message_key for messages in messages_by_kind.values() for message_key in messages[:-NEWEST]]
    unnamed_messages = list[bytes]()
    for index, (mark, name) in enumerate((*newest_messages, *older_messages)):
        if index >= len(newest_messages) and not named_ids:
            break
        data = session.folder.read_message(mark, name) or b""
        match = _MESSAGE_ID_HEADER.search(data[:4096])
        if match and match[1].decode("ascii", "replace") in named_ids:
            named_ids.discard(match[1].decode("ascii", "replace"))
            yield _texts(data)
        elif index < len(newest_messages):
            unnamed_messages.append(data)
    yield from map(_texts, unnamed_messages)
    if report := session.folder.read_report(session.record.n, f"{seat}.txt"):
        yield (report.decode(),)


def _texts(data: bytes) -> tuple[str, ...]:
    """The text, and the HTML as text."""
    try:
        return read_mail_texts(data).texts[:2]
    except BadInput:
        return ()
