"""Asking players by mail whether an undo may be, and keeping what they answer.

What lives here: the mails, the answers in desk/. What must never
be here: carrying the undo out; telling a player what another one answered.
Laws: an answer is durable before its receipt; an answer is about one undo from one state.
Source: docs/DESIGN.md P2, P8; FORMAT.md "Rulings".
"""

from typing import Any

from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT
from pbem.errors import Refused
from pbem.moderator.ruling import consent
from pbem.moderator.ruling.consent import NO, YES, Consent
from pbem.moderator.ruling.undo import Undo
from pbem.render import render
from pbem.services.post import Message, send
from pbem.services.session.history import told_of
from pbem.services.session.session import Session
from pbem.services.writing import writing


def open_consent(session: Session) -> Consent | None:
    """The undo the players are asked about now; None where nothing is asked, or it has lapsed."""
    data, seats = session.folder.desk_file(CONSENT), session.link.setup.seats
    return consent.current(data, session.newest.raw, seats)


def ask(session: Session, wanted: Undo, seats: tuple[str, ...], reason: str) -> Consent:
    """Under the lock: the mails first, so that a kill between leaves nothing that waits unasked."""
    data, head = session.folder.desk_file(CONSENT), b64(session.position.head)
    before = consent.decode(data) if data else None
    fresh = Consent(wanted.to, head, reason, tuple((seat, "") for seat in seats))
    asked = consent.after(before, fresh)
    for seat in seats:
        values: dict[str, Any] = told_of(session, wanted, seat)._asdict() | {"reason": reason}
        values["way"] = session.link.player(seat).identified
        _mail(session, seat, "may this be undone?", "consent.txt", values, asked)
    session.folder.put_desk_file(CONSENT, consent.encode(asked))
    return asked


def code_of(session: Session, asked: Consent, seat: str) -> str:
    """The code of the mail by which a seat is asked this."""
    return consent.code(asked.id, session.codes_secret, session.link.game, seat)


def _mail(
    session: Session, seat: str, what: str, template: str, more: dict[str, Any], asked: Consent
) -> None:
    """One mail of an asking, ``asked``, which makes its id one of its kind."""
    n, name = session.link.n, session.position.name(seat)
    # an answer to the mail that says "it is not undone" is one to the question then open
    code = code_of(session, asked, seat) if template == "consent.txt" else session.code(seat)
    values = {"label": session.label, "seat": seat, "player": name, "code": code, **more}
    text = render(template, *session.templates, **values)
    session.folder.put_report(n, f"{seat}.consent.txt", text.encode())
    kind = template.partition(".")[0]
    message = Message(
        to=session.players.seats[seat],
        text=text,
        about=f"{session.label}: {what}",
        file=f"{n:04d}-{seat}-consent",
        id=f"{n:04d}.{seat}.{kind}{asked.number}.{b64(session.position.head)[:8]}",
        time=session.time,
        code=code,
    )
    send(session.folder, session.link.game, session.players.referee, message)


def keep_answer(session: Session, seat: str, asks: tuple[str, ...]) -> None:
    """Under the lock, before the receipt."""
    asked, said = open_consent(session), NO if NO in asks else YES
    if asked is not None and dict(asked.answers).get(seat) != said:
        session.folder.put_desk_file(CONSENT, consent.encode(asked.with_answer(seat, said)))


def refuse_no(session: Session, asked: Consent) -> None:
    """Somebody does not agree: it is not undone, and the question is closed."""
    against = asked.given(NO)
    if not against:
        return
    _close(session, asked)
    names = ", ".join(f"{session.position.name(seat)} ({seat})" for seat in against)
    raise Refused(
        "undo/no",
        f"not undone: {names} said no",
        "go on with the game as it is: `pbem resolve DIR`",
    )


def withdraw(session: Session) -> Session:
    """The referee asks no longer. The game, as it was under the lock."""
    with writing(session) as session:
        asked = open_consent(session)
        if asked is None:
            raise Refused(
                "undo/not-asked", "no player is being asked about an undo", "pbem amend DIR undo"
            )
        _close(session, asked)
    return session


def _close(session: Session, asked: Consent) -> None:
    """All who were asked read the same, whether somebody said no or the referee thought better."""
    for seat, _ in asked.answers:
        _mail(session, seat, "it is not undone", "not_undone.txt", {}, asked)
    session.folder.put_desk_file(CONSENT, consent.encode(asked.dropped()))
