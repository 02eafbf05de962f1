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
from pbem.disk.folder import CONSENT_FILE
from pbem.errors import Refused
from pbem.mail.set_apart import mark_words
from pbem.notation.asks import NO, YES
from pbem.notation.lines import ParsedOrders
from pbem.play import consent
from pbem.play.consent import Consent, UndoQuestion, UndoReply
from pbem.play.reply_codes import CodeOwner, OwnedCodes
from pbem.play.sentences import ELSEWHERE
from pbem.report.render import render
from pbem.services.html import YES_OR_NO
from pbem.services.lock import open_for_writing
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.session.history import undo_effects_for
from pbem.services.session.session import Session


def list_consent_codes(session: Session) -> OwnedCodes:
    """The code of every mail of an asking; one that is over is older than any question."""
    for seat, number in session.record.answer_counts:
        for code, asking in _askings_by_code(session, seat).items():
            yield code, CodeOwner(seat, 0 if asking.is_open else number + 1)


def read_vote(
    session: Session,
    seat: str,
    codes: tuple[str, ...],
    parsed_orders: ParsedOrders,
    is_stale: bool,
    is_typed: bool,
    has_proposal: bool,
) -> tuple[ParsedOrders, UndoReply | None]:
    """The mail with its `yes` or `no` among what it asks, if it answers what is asked now.

    Also the asking that its code is of, open or over; None where it answers a report. ``has_proposal``:
    orders that pbem proposed wait for an answer too.
    """
    request = find_open_consent(session)
    own_asking = (
        _asking_of_typed_answer(session, seat, request) if is_typed else _find_asking(session, seat, codes, is_stale)
    )
    if own_asking is not None and own_asking.is_open:
        return parsed_orders, own_asking
    if own_asking is None and not is_stale and not has_proposal and request is not None and request.is_asked(seat):
        return consent.doubt_stray_vote(parsed_orders), None
    return parsed_orders, own_asking


def is_about_undo(asking: UndoReply | None, parsed_orders: ParsedOrders) -> bool:
    """Whether a mail without orders is about an undo, answered in the right place or elsewhere."""
    if asking is not None:
        return asking.is_open
    return any(doubtful_line.reason.text == ELSEWHERE for doubtful_line in parsed_orders.doubtful_lines)


def has_open_code(session: Session, seat: str, codes: tuple[str, ...]) -> bool:
    """Whether a mail carries the code of what its seat is asked now."""
    return _find_asking(session, seat, codes, is_stale=False) is not None


def _find_asking(session: Session, seat: str, codes: tuple[str, ...], is_stale: bool) -> UndoReply | None:
    """The open asking before one that is over; that one only where nothing newer is answered."""
    asking_by_code = _askings_by_code(session, seat)
    matches = [asking_by_code[code] for code in codes if code in asking_by_code]
    matches.sort(key=lambda asking: not asking.is_open)
    return matches[0] if matches and (matches[0].is_open or is_stale) else None


def _asking_of_typed_answer(session: Session, seat: str, request: Consent | None) -> UndoReply | None:
    """What the referee typed has no code: it answers what is asked now, if it says yes or no."""
    if request is None or not request.is_asked(seat):
        return None
    return UndoReply(consent_code(session, request, seat), True, dict(request.answers)[seat])


def _askings_by_code(session: Session, seat: str) -> dict[str, UndoReply]:
    """The askings of a seat, by the codes of their mails."""
    data = session.folder.read_desk_file(CONSENT_FILE)
    if not data:
        return {}
    seats = session.record.setup.seats
    newest_request, open_request = (consent.decode(data), consent.read_current_consent(data, session.newest.raw, seats))
    answers = dict(open_request.answers) if open_request else {}
    is_asked, answer = seat in answers, answers.get(seat, "")
    is_newest_by_code = {
        consent.undo_code(asking_id, session.codes_secret, session.record.game, seat): asking_id == newest_request.id
        for asking_id in (*newest_request.past_ids, newest_request.id)
    }
    return {
        code: UndoReply(code, is_asked and is_newest, answer, is_asked_again=is_asked and not is_newest)
        for code, is_newest in is_newest_by_code.items()
    }


def find_open_consent(session: Session) -> Consent | None:
    """The undo the players are asked about now; None where nothing is asked, or it has lapsed."""
    data, seats = session.folder.read_desk_file(CONSENT_FILE), session.record.setup.seats
    return consent.read_current_consent(data, session.newest.raw, seats)


def ask_players(session: Session, undo: Undo, seats: tuple[str, ...], reason: str) -> Consent:
    """Under the lock: the mails first, so that a kill between leaves nothing that waits unasked."""
    data, state_hash = session.folder.read_desk_file(CONSENT_FILE), b64(session.position.state_hash)
    last_request = consent.decode(data) if data else None
    new_request = Consent(undo.target_number, state_hash, reason, tuple((seat, "") for seat in seats))
    request = consent.with_next_number(last_request, new_request)
    for seat in seats:
        values: dict[str, Any] = undo_effects_for(session, undo, seat)._asdict()
        values["reason"] = mark_words(reason)
        values["way"] = session.record.player(seat).method_name
        values["asking"] = question_for(session, request, seat).to_text()
        _send_mail(session, seat, "may this be undone?", "consent.txt", values, request)
    session.folder.put_desk_file(CONSENT_FILE, consent.encode(request))
    return request


def question_for(session: Session, request: Consent, seat: str) -> UndoQuestion:
    """What a seat is asked, as its player signs the answer."""
    return UndoQuestion(session.record.game, seat, request.act, request.state_hash)


def consent_code(session: Session, request: Consent, seat: str) -> str:
    """The code of the mail by which a seat is asked this."""
    return consent.undo_code(request.id, session.codes_secret, session.record.game, seat)


def _send_mail(
    session: Session, seat: str, headline: str, template: str, extra_values: dict[str, Any], request: Consent
) -> None:
    """One mail of an asking, ``request``, which makes its id one of its kind."""
    state_number, player_name = session.record.n, session.position.player_name(seat)
    # an answer to the mail that says "it is not undone" is one to the question then open
    code = consent_code(session, request, seat) if template == "consent.txt" else session.code(seat)
    values = {"label": session.label, "seat": seat, "player": player_name, "code": code, **extra_values}
    text = render(template, *session.templates, **values)
    session.folder.put_report(state_number, f"{seat}.consent.txt", text.encode())
    kind, subject = template.partition(".")[0], f"{session.label}: {headline}"
    choices = YES_OR_NO if kind == "consent" else ()
    message = message_to_seat(
        session,
        seat,
        text,
        subject,
        file_name=f"{state_number:04d}-{seat}-consent",
        id_part=f"{state_number:04d}.{seat}.{kind}{request.number}.{b64(session.position.state_hash)[:8]}",
        code=code,
        choices=choices,
    )
    send_message(session, message)


def store_answer(session: Session, seat: str, answer_words: tuple[str, ...], signature: str) -> None:
    """Under the lock, before the receipt; ``signature`` of a seat with a key."""
    request, answer = find_open_consent(session), NO if NO in answer_words else YES
    if request is not None:
        session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.with_answer(seat, answer, signature)))


def refuse_if_denied(session: Session, request: Consent) -> None:
    """Somebody does not agree: it is not undone, and the question is closed."""
    denying_seats = request.seats_answering(NO)
    if not denying_seats:
        return
    _close_request(session, request)
    names = ", ".join(f"{session.position.player_name(seat)} ({seat})" for seat in denying_seats)
    problem = f"not undone: {names} said no"
    raise Refused("undo/no", problem, "go on with the game as it is: `pbem resolve DIR`")


def withdraw(session: Session) -> Session:
    """The referee asks no longer. The game, as it was under the lock."""
    with open_for_writing(session) as session:
        request = find_open_consent(session)
        if request is None:
            problem = "no player is being asked about an undo"
            raise Refused("undo/not-asked", problem, "pbem amend DIR undo")
        _close_request(session, request)
    return session


def _close_request(session: Session, request: Consent) -> None:
    """All who were asked read the same, whether somebody said no or the referee thought better."""
    for seat, _ in request.answers:
        _send_mail(session, seat, "it is not undone", "not_undone.txt", {}, request)
    session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.as_dropped()))
