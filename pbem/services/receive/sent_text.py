"""What was sent to a seat, as its player may quote it.

What must never be here: which lines are the player's (mail/quotation.py); another seat's
emails; anything that is kept of an email that came (docs/decisions/0009).
Law: it depends on that seat's own messages alone.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from collections.abc import Iterator

from pbem.disk.folder import Mark
from pbem.errors import BadInput
from pbem.mail.every_text import every_text
from pbem.mail.parts import Headers
from pbem.services.session.session import Session

NEWEST = 2  #: of each kind: so many messages are tried where the reply names none
_ID = re.compile(r"<[^<>\s]{1,320}>")
_OURS = re.compile(rb"(?mi)^Message-ID:\s*(<[^<>\s]{1,320}>)")


def sent_to(session: Session, seat: str, headers: Headers) -> Iterator[tuple[str, ...]]:
    """The texts of each message to a seat: those that an email names, then the newest of each kind,
    then the newest report, where no message was made of it.
    """
    named = {*_ID.findall(f"{headers.in_reply_to} {headers.references}")[-9:]}
    kinds = dict[str, list[tuple[Mark, str]]]()
    for mark in (Mark.SENT, Mark.SENDING, Mark.WAITING):
        for name in session.folder.messages(mark):
            if seat in name.partition(".")[0].split("-"):
                kinds.setdefault(re.sub(r"\d+", "", name), []).append((mark, name))
    newest = [each for kind in kinds.values() for each in kind[: -NEWEST - 1 : -1]]
    older = [each for kind in kinds.values() for each in kind[:-NEWEST]]
    waiting = list[bytes]()
    for at, (mark, name) in enumerate((*newest, *older)):
        if at >= len(newest) and not named:
            break
        data = session.folder.message(mark, name) or b""
        found = _OURS.search(data[:4096])
        if found and found[1].decode("ascii", "replace") in named:
            named.discard(found[1].decode("ascii", "replace"))
            yield _texts(data)
        elif at < len(newest):
            waiting.append(data)
    yield from map(_texts, waiting)
    if report := session.folder.report(session.link.n, f"{seat}.txt"):
        yield (report.decode(),)


def _texts(data: bytes) -> tuple[str, ...]:
    """The text, and the HTML as text."""
    try:
        return every_text(data).texts[:2]
    except BadInput:
        return ()
