"""A mail that answers an asking: whose its code is, and what of it is an answer.

What lives here: the codes of the mails that ask whether orders may be undone, `yes` and `no` in a
mail that has one, what it is answered. What must never be here: asking, keeping an answer
(services/ruling/consent.py).
Laws: an answer counts for the asking whose code it carries and for no other; what is said of it is
a function of the seat's own mails and answers (P2).
Source: FORMAT.md "Rulings"; docs/DESIGN.md "Email".
"""

from pbem.disk.folder import CONSENT
from pbem.engine.row import Row
from pbem.files.orders.lines import Sheet
from pbem.moderator.ruling import consent
from pbem.moderator.ruling.consent import NO, YES, Asking, Consent
from pbem.moderator.sentences import ELSEWHERE
from pbem.moderator.turn.codes import Owner
from pbem.moderator.turn.intake import Taken
from pbem.services.session.session import Session


def owner_of_asking(session: Session, code: str) -> Owner | None:
    """Whose mail of an asking has this code; one that is over is older than any question."""
    for seat in session.link.setup.seats:
        found = _asking_of(session, seat, code)
        if found is not None:
            return Owner(seat, 0 if found.open else dict(session.link.answered)[seat] + 1)
    return None


def with_vote(
    session: Session, seat: str, codes: tuple[str, ...], sheet: Sheet, stale: bool, typed: bool
) -> tuple[Sheet, Asking | None]:
    """The mail with its `yes` or `no` among what it asks, if it answers what is asked now.

    Also the asking that its code is of, open or over; None where it answers a report.
    """
    data = session.folder.desk_file(CONSENT)
    asked = consent.current(data, session.newest.raw, session.link.setup.seats)
    mine = _typed(session, seat, asked) if typed else _of_mail(session, seat, codes, stale)
    if mine is not None and mine.open:
        return consent.answer_in(sheet), mine
    if mine is None and not stale and asked is not None and asked.asks(seat):
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
    found = [asking for code in codes if (asking := _asking_of(session, seat, code))]
    found.sort(key=lambda asking: not asking.open)
    return found[0] if found and (found[0].open or stale) else None


def _typed(session: Session, seat: str, asked: Consent | None) -> Asking | None:
    """What the referee typed has no code: it answers what is asked now, if it says yes or no."""
    if asked is None or not asked.asks(seat):
        return None
    code = consent.code(asked.id, session.codes_secret, session.link.game, seat)
    return Asking(code, True, dict(asked.answers)[seat])


def _asking_of(session: Session, seat: str, code: str) -> Asking | None:
    """The asking of a seat that has this code."""
    data = session.folder.desk_file(CONSENT)
    if not data:
        return None
    seats = session.link.setup.seats
    newest, now = consent.decode(data), consent.current(data, session.newest.raw, seats)
    answers = dict(now.answers) if now else {}
    for asking in (newest.id, *reversed(newest.past)):
        if code == consent.code(asking, session.codes_secret, session.link.game, seat):
            asked, last = seat in answers, asking == newest.id
            return Asking(code, asked and last, answers.get(seat, ""), anew=asked and not last)
    return None


def headlines(
    plain: Row, asking: Asking | None, taken: Taken, stale: bool, unclear: bool
) -> list[Row]:
    """What became of a mail, which may answer an asking; ``plain``: of its orders alone."""
    if asking is None or (not asking.open and not stale):
        return [plain]
    if not asking.open:
        return [Row("undo_again" if asking.anew else "undo_over")]
    if unclear and asking.answer:
        return [Row("undo_same", {"answer": asking.answer})]
    if unclear:
        return [Row("undo_unclear")]
    said = taken.accepted and {*taken.asks} & {YES, NO}
    return [plain] if said or asking.answer else [plain, Row("undo_open")]
