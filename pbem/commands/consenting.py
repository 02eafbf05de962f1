"""Asking players by mail whether an undo may be, and keeping what they answer.

What lives here: the mails, the answers in desk/, what the referee is told of them. What must never
be here: carrying the undo out; telling a player what another one answered.
Laws: an answer is durable before its receipt; an answer is about one undo from one state.
Source: issue 4; design.md P2, P8.
"""

from typing import TYPE_CHECKING

from pbem.commands.result import Result
from pbem.crypto.encoding import b64
from pbem.errors import Refused
from pbem.moderator import consent
from pbem.moderator.consent import FILE, NO, YES, Consent

if TYPE_CHECKING:
    from pbem.commands.session import Session
    from pbem.moderator.undoing import Undo


def open_consent(session: "Session") -> Consent | None:
    """The undo the players are asked about now; None where nothing is asked, or it has lapsed."""
    data = session.folder.desk_file(FILE)
    if not data:
        return None
    found = consent.decode(data)
    return found if found.head == b64(session.position.head) else None


def ask(session: "Session", wanted: "Undo", seats: tuple[str, ...], reason: str) -> Consent:
    """Under the lock: the mails first, so that a kill between leaves nothing that waits unasked."""
    asked = Consent(
        wanted.to, b64(session.position.head), reason, tuple((seat, "") for seat in seats)
    )
    orders = [f"{session.position.name(seat)} ({seat}): {words}" for seat, words in wanted.orders]
    for seat in seats:
        values: dict[str, object] = {
            "label": session.label,
            "seat": seat,
            "player": session.position.name(seat),
        }
        values |= {"orders": orders, "reason": reason, "code": session.code(seat)}
        values["known"] = session.link.player(seat).known
        _mail(session, seat, "may this be undone?", "consent.txt", values, f"c{wanted.to}")
    session.folder.put_desk_file(FILE, consent.encode(asked))
    return asked


def _mail(
    session: "Session", seat: str, what: str, template: str, values: dict[str, object], mark: str
) -> None:
    from pbem.commands.clock import now
    from pbem.moderator import posting
    from pbem.render import render

    to, n = session.players.seats[seat], session.link.n
    text = render(template, *session.templates, **values)
    name = f"{n:04d}.{seat}.{mark}.{b64(session.position.head)[:8]}"
    session.folder.put_report(n, f"{seat}.consent.txt", text.encode())
    if to.address:
        subject = f"[pbem {session.code(seat)}] {session.label}: {what}"
        game = session.link.game
        mail = posting.mail(to, session.players.referee, subject, text, game, name, now())
        session.folder.put_outbox(f"{n:04d}-{seat}-consent", mail)


def keep_answer(session: "Session", seat: str, asks: tuple[str, ...]) -> None:
    """Under the lock, before the receipt."""
    asked, said = open_consent(session), NO if NO in asks else YES
    if asked is not None and dict(asked.answers).get(seat) != said:
        session.folder.put_desk_file(FILE, consent.encode(asked.answered(seat, said)))


def refuse_no(session: "Session", asked: Consent) -> None:
    """Somebody does not agree: it is not undone, and the question is closed."""
    against = asked.given(NO)
    if not against:
        return
    _close(session, asked)
    names = ", ".join(f"{session.position.name(seat)} ({seat})" for seat in against)
    raise Refused(
        "undo/no", f"not undone: {names} said no", "the game goes on as it is: pbem resolve"
    )


def withdraw(session: "Session") -> Result:
    """The referee asks no longer."""
    asked = open_consent(session)
    if asked is None:
        raise Refused(
            "undo/not-asked", "no player is asked about an undo now", "pbem amend DIR undo"
        )
    _close(session, asked)
    data = {"dir": str(session.folder.root), "game": session.link.game, "n": session.link.n}
    more = {"dry_run": False, "rulings": [], "notes": list(session.notes), "orders": [], "asks": []}
    return Result({**data, **more}, f"{session.label}: nothing is undone, and nobody is asked")


def _close(session: "Session", asked: Consent) -> None:
    """All who were asked read the same, whether somebody said no or the referee thought better."""
    for seat, _ in asked.answers:
        values: dict[str, object] = {
            "label": session.label,
            "seat": seat,
            "player": session.position.name(seat),
        }
        values |= {"orders": [], "reason": "", "code": session.code(seat)}
        _mail(session, seat, "it is not undone", "not_undone.txt", values, f"d{asked.to}")
    session.folder.put_desk_file(FILE, b"")


def still_waits(session: "Session", asked: Consent) -> list[str]:
    """Whose answer is missing, for the referee."""
    found = [
        f"  {session.position.name(seat)} ({seat}) is asked by mail" for seat in asked.given("")
    ]
    agreed = [f"  {session.position.name(seat)} ({seat}) agrees" for seat in asked.given("yes")]
    where = session.folder.root
    return [*agreed, *found, f"  when all have said yes: pbem amend {where} undo"]
