"""What everybody is sent before the deal: invitation, roster, or that the round is given up.

What lives here: writing them into reports and outbox, with the states attached. What must never be
here: an answer that lies in hand; what they say (moderator/opening/rounds.py and the templates).
Laws: as in reports.py; the text file is written last and marks the report as complete.
Source: decision 0005; docs/DESIGN.md P8.
"""

from typing import Any

from pbem.disk.names import state_name
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import rounds
from pbem.moderator.report.report import Reader
from pbem.services.post.outbox import Message, Template, post_of, send
from pbem.services.session.session import Session


def write_invitation(session: Session, reader: Reader, last: bool, message_id: str) -> str:
    """The mail with the states it is about, then the text."""
    link, told = session.link, _told(session, reader)
    message = Message(
        to=session.players.seats[reader.seat] if reader.seat else None,
        words=Template(rounds.TEMPLATES[link.phase], told),
        about=rounds.subject(told, link.phase),
        file=f"{link.n:04d}-{reader.name}",
        id=message_id,
        time=link.time,
        code=told["code"],
        files=_states(session),
        durable=False,
    )
    text = send(post_of(session), message)
    session.folder.put_report(link.n, f"{reader.name}.txt", text.encode(), durable=last)
    return reader.name


def _told(session: Session, reader: Reader) -> dict[str, Any]:
    link, head = session.link, head_of(session.newest.raw)
    signed = rounds.signed_block(link, head, reader.name, session.key.signing, session.key.public)
    seat = reader.seat or ""
    told = rounds.values(link, head, session.game, session.label, seat, reader.code, signed)
    mine = next((one.gave for one in link.roster if one.seat == seat), "")
    silent = mine == "none" and not reader.hand.receipts  # not one mail of his came
    return {**told, "silent": silent}


def _states(session: Session) -> tuple[tuple[str, bytes], ...]:
    """Every state so far that is here, as attachments: they are public, and there are few."""
    found = ((state_name(n), session.folder.state(n)) for n in range(session.link.n + 1))
    return tuple((name, raw) for name, raw in found if raw is not None)
