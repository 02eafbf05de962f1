"""What everybody is sent before the deal: invitation, roster, or that the round is given up.

What lives here: writing them into reports and outbox, with the states attached. What must never be
here: an answer that lies in hand; what they say (moderator/opening/rounds.py and the templates).
Laws: as in settling.py; the text file is written last and marks the report as complete.
Source: decision 0005; docs/DESIGN.md P8.
"""

from pbem.crypto.encoding import b64
from pbem.disk.names import state_name
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening import rounds
from pbem.moderator.report.mail import compose_mail
from pbem.moderator.report.report import Reader
from pbem.render import render
from pbem.services.session.session import Session


def write_report(session: Session, reader: Reader, last: bool, mark: str) -> str:
    """The mail with the states it is about, then the text."""
    link, head = session.link, head_of(session.newest.raw)
    signed = rounds.signed_block(link, head, reader.name, session.key.signing, session.key.public)
    seat = reader.seat or ""
    told = rounds.values(link, head, session.game, session.label, seat, reader.code, signed)
    mine = next((one.gave for one in link.roster if one.seat == seat), "")
    told["silent"] = mine == "none" and not reader.hand.receipts  # not one mail of his came
    text = render(rounds.TEMPLATES[link.phase], *session.templates, **told)
    to = session.players.seats[seat] if seat else None
    if to is not None and to.address:
        mail = compose_mail(
            to,
            session.players.referee,
            rounds.subject(told, link.phase),
            text,
            link.game,
            mail_name(session, reader, mark),
            link.time,
            also=_states(session),
        )
        session.folder.put_outbox(f"{link.n:04d}-{reader.name}", mail, durable=False)
    session.folder.put_report(link.n, f"{reader.name}.txt", text.encode(), durable=last)
    return reader.name


def _states(session: Session) -> tuple[tuple[str, bytes], ...]:
    """Every state so far that is here, as attachments: they are public, and there are few."""
    found = ((state_name(n), session.folder.state(n)) for n in range(session.link.n + 1))
    return tuple((name, raw) for name, raw in found if raw is not None)


def mail_name(session: Session, reader: Reader, mark: str) -> str:
    """What makes a report's mail one of its kind: its link, its code, the receipts before it."""
    head = b64(head_of(session.newest.raw))[:8]
    parts = (f"{session.link.n:04d}", reader.name, head, reader.code, str(reader.hand.receipts))
    return ".".join(part for part in (*parts, mark) if part)
