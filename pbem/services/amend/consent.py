"""Asking players by mail whether an undo may be, reading and keeping what they answer.

What lives here: the mails that ask, whose their codes are, `yes` and `no` in a mail that has one,
the answers in desk/. What must never be here: carrying the undo out; telling a player what another
one answered.
Laws: an answer counts for the asking whose code it carries and for no other; it is durable before
its receipt, and about one undo from one state; what is said of it is a function of the seat's own
mails and answers (P2).
Source: docs/DESIGN.md P2, P8, "Email"; FORMAT.md "Rulings".
"""

from typing import Any

from pbem.chain.rulings.undo import Undo
from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT
from pbem.errors import Refused
from pbem.mail.set_apart import marked
from pbem.notation.asks import NO, YES
from pbem.notation.lines import Sheet
from pbem.play import consent
from pbem.play.consent import Asked, Asking, Consent
from pbem.play.reply_codes import Coded, Owner
from pbem.play.sentences import ELSEWHERE
from pbem.report.render import render
from pbem.services.html import YES_OR_NO
from pbem.services.lock import writing
from pbem.services.outbox import send_of, to_seat
from pbem.services.session.history import told_of
from pbem.services.session.session import Session


def codes_of_askings(session: Session) -> Coded:
    """The code of every mail of an asking; one that is over is older than any question."""
    for seat, number in session.link.answered:
        for code, asking in _askings_of(session, seat).items():
            yield code, Owner(seat, 0 if asking.open else number + 1)


def with_vote(
    session: Session,
    seat: str,
    codes: tuple[str, ...],
    sheet: Sheet,
    stale: bool,
    typed: bool,
    proposed: bool,
) -> tuple[Sheet, Asking | None]:
    """The mail with its `yes` or `no` among what it asks, if it answers what is asked now.

    Also the asking that its code is of, open or over; None where it answers a report. ``proposed``:
    orders that pbem proposed wait for an answer too.
    """
    asked = open_consent(session)
    mine = _typed(session, seat, asked) if typed else _of_mail(session, seat, codes, stale)
    if mine is not None and mine.open:
        return sheet, mine
    if mine is None and not stale and not proposed and asked is not None and asked.asks(seat):
        return consent.elsewhere(sheet), None
    return sheet, mine


def about_undo(asking: Asking | None, sheet: Sheet) -> bool:
    """Whether a mail without orders is about an undo, answered in the right place or elsewhere."""
    if asking is not None:
        return asking.open
    return any(suspect.reason.text == ELSEWHERE for suspect in sheet.suspects)


def answers_open(session: Session, seat: str, codes: tuple[str, ...]) -> bool:
    """Whether a mail carries the code of what its seat is asked now."""
    return _of_mail(session, seat, codes, stale=False) is not None


def _of_mail(session: Session, seat: str, codes: tuple[str, ...], stale: bool) -> Asking | None:
    """The open asking before one that is over; that one only where nothing newer is answered."""
    made = _askings_of(session, seat)
    found = [made[code] for code in codes if code in made]
    found.sort(key=lambda asking: not asking.open)
    return found[0] if found and (found[0].open or stale) else None


def _typed(session: Session, seat: str, asked: Consent | None) -> Asking | None:
    """What the referee typed has no code: it answers what is asked now, if it says yes or no."""
    if asked is None or not asked.asks(seat):
        return None
    return Asking(code_of(session, asked, seat), True, dict(asked.answers)[seat])


def _askings_of(session: Session, seat: str) -> dict[str, Asking]:
    """The askings of a seat, by the codes of their mails."""
    data = session.folder.desk_file(CONSENT)
    if not data:
        return {}
    seats = session.link.setup.seats
    newest, now = consent.decode(data), consent.current(data, session.newest.raw, seats)
    answers = dict(now.answers) if now else {}
    asked, answer = seat in answers, answers.get(seat, "")
    made = {
        consent.code(one, session.codes_secret, session.link.game, seat): one == newest.id
        for one in (*newest.past, newest.id)
    }
    return {
        code: Asking(code, asked and last, answer, anew=asked and not last)
        for code, last in made.items()
    }


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
        values: dict[str, Any] = told_of(session, wanted, seat)._asdict()
        values["reason"] = marked(reason)
        values["way"] = session.link.player(seat).identified
        values["asking"] = asked_of(session, asked, seat).text()
        _mail(session, seat, "may this be undone?", "consent.txt", values, asked)
    session.folder.put_desk_file(CONSENT, consent.encode(asked))
    return asked


def asked_of(session: Session, asked: Consent, seat: str) -> Asked:
    """What a seat is asked, as its player signs the answer."""
    return Asked(session.link.game, seat, asked.act, asked.head)


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
    kind, about = template.partition(".")[0], f"{session.label}: {what}"
    offered = YES_OR_NO if kind == "consent" else ()
    message = to_seat(
        session,
        seat,
        text,
        about,
        file=f"{n:04d}-{seat}-consent",
        called=f"{n:04d}.{seat}.{kind}{asked.number}.{b64(session.position.head)[:8]}",
        code=code,
        offered=offered,
    )
    send_of(session, message)


def keep_answer(session: Session, seat: str, asks: tuple[str, ...], sig: str) -> None:
    """Under the lock, before the receipt; ``sig`` of a seat with a key."""
    asked, said = open_consent(session), NO if NO in asks else YES
    if asked is not None:
        session.folder.put_desk_file(CONSENT, consent.encode(asked.with_answer(seat, said, sig)))


def refuse_no(session: Session, asked: Consent) -> None:
    """Somebody does not agree: it is not undone, and the question is closed."""
    against = asked.given(NO)
    if not against:
        return
    _close(session, asked)
    names = ", ".join(f"{session.position.name(seat)} ({seat})" for seat in against)
    why = f"not undone: {names} said no"
    raise Refused("undo/no", why, "go on with the game as it is: `pbem resolve DIR`")


def withdraw(session: Session) -> Session:
    """The referee asks no longer. The game, as it was under the lock."""
    with writing(session) as session:
        asked = open_consent(session)
        if asked is None:
            why = "no player is being asked about an undo"
            raise Refused("undo/not-asked", why, "pbem amend DIR undo")
        _close(session, asked)
    return session


def _close(session: Session, asked: Consent) -> None:
    """All who were asked read the same, whether somebody said no or the referee thought better."""
    for seat, _ in asked.answers:
        _mail(session, seat, "it is not undone", "not_undone.txt", {}, asked)
    session.folder.put_desk_file(CONSENT, consent.encode(asked.dropped()))
