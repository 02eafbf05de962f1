"""Asking players by email whether an undo may happen, and storing their answers.

What must never be here: the undo itself (undo.py); telling one player what another answered.
Laws: an answer counts only for the question whose code it has; it is durable before its receipt; what
a player reads depends only on their own emails and answers (P2).
Source: docs/DESIGN.md P2, P8, "Email"; FORMAT.md "Rulings".
"""

from typing import Any, NamedTuple

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
    """The code of every question about an undo. A closed one counts as older than any report."""
    for seat, number in session.record.answer_counts:
        for code, asking in _askings_by_code(session, seat).items():
            yield code, CodeOwner(seat, 0 if asking.is_open else number + 1)


class ReadVote(NamedTuple):
    """The orders of an email, and the question about an undo that it answers, if any."""

    parsed_orders: ParsedOrders
    asking: UndoReply | None


def read_vote(
    session: Session,
    seat: str,
    codes: tuple[str, ...],
    parsed_orders: ParsedOrders,
    is_stale: bool,
    is_typed: bool,
    has_proposal: bool,
) -> ReadVote:
    """Find the question about an undo that an email answers; it may be closed.

    A `yes` or `no` in reply to something else becomes doubtful. ``is_typed``: the referee typed it.
    ``has_proposal``: orders that pbem proposed wait for an answer too.
    """
    request = find_open_consent(session)
    own_asking = (
        _asking_of_typed_answer(session, seat, request) if is_typed else _find_asking(session, seat, codes, is_stale)
    )
    if own_asking is not None and own_asking.is_open:
        return ReadVote(parsed_orders, own_asking)
    if own_asking is None and not is_stale and not has_proposal and request is not None and request.is_asked(seat):
        return ReadVote(consent.doubt_stray_vote(parsed_orders), None)
    return ReadVote(parsed_orders, own_asking)


def is_about_undo(asking: UndoReply | None, parsed_orders: ParsedOrders) -> bool:
    """Whether an email without orders is about an undo, in the right place or elsewhere."""
    if asking is not None:
        return asking.is_open
    return any(doubtful_line.reason.text == ELSEWHERE for doubtful_line in parsed_orders.doubtful_lines)


def has_open_code(session: Session, seat: str, codes: tuple[str, ...]) -> bool:
    """Whether an email has the code of the open question to its seat."""
    return _find_asking(session, seat, codes, is_stale=False) is not None


def _find_asking(session: Session, seat: str, codes: tuple[str, ...], is_stale: bool) -> UndoReply | None:
    """The question that has one of these codes: an open one, or a closed one if ``is_stale``."""
    asking_by_code = _askings_by_code(session, seat)
    matches = [asking_by_code[code] for code in codes if code in asking_by_code]
    open_match = next((asking for asking in matches if asking.is_open), None)
    return open_match or (next(iter(matches), None) if is_stale else None)


def _asking_of_typed_answer(session: Session, seat: str, request: Consent | None) -> UndoReply | None:
    """The open question. What the referee typed has no code."""
    if request is None or not request.is_asked(seat):
        return None
    return UndoReply(consent_code(session, request, seat), True, dict(request.answers)[seat])


def _askings_by_code(session: Session, seat: str) -> dict[str, UndoReply]:
    """Every question to a seat, by its code."""
    data = session.folder.read_desk_file(CONSENT_FILE)
    if not data:
        return {}
    seats = session.record.setup.seats
    newest_request = consent.decode(data)
    open_request = consent.read_current_consent(data, session.newest.raw, seats)
    answers = dict(open_request.answers) if open_request else {}
    is_asked = seat in answers
    answer = answers.get(seat, "")
    is_newest_by_code = {
        consent.undo_code(asking_id, session.codes_secret, session.record.game, seat): asking_id == newest_request.id
        for asking_id in (*newest_request.past_ids, newest_request.id)
    }
    return {
        code: UndoReply(code, is_asked and is_newest, answer, is_asked_again=is_asked and not is_newest)
        for code, is_newest in is_newest_by_code.items()
    }


def find_open_consent(session: Session) -> Consent | None:
    """The undo about which players are asked; None if there is none, or the game has gone on."""
    data = session.folder.read_desk_file(CONSENT_FILE)
    return consent.read_current_consent(data, session.newest.raw, session.record.setup.seats)


def ask_players(session: Session, undo: Undo, seats: tuple[str, ...], reason: str) -> Consent:
    """Ask these players about an undo. Under the lock.

    The emails are written first: an interruption then leaves no game waiting for unasked players.
    """
    data = session.folder.read_desk_file(CONSENT_FILE)
    state_hash = b64(session.position.state_hash)
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
    """The question to a seat, in the form that its player signs."""
    return UndoQuestion(session.record.game, seat, request.act, request.state_hash)


def consent_code(session: Session, request: Consent, seat: str) -> str:
    """The code of the email that asks a seat."""
    return consent.undo_code(request.id, session.codes_secret, session.record.game, seat)


def _send_mail(
    session: Session, seat: str, headline: str, template: str, extra_values: dict[str, Any], request: Consent
) -> None:
    """Send one email about a question. ``template`` and ``request`` make its Message-ID unique."""
    state_number = session.record.n
    player_name = session.position.player_name(seat)
    # a reply to "it is not undone" answers the question of the game
    code = consent_code(session, request, seat) if template == "consent.txt" else session.code(seat)
    values = {"label": session.label, "seat": seat, "player": player_name, "code": code, **extra_values}
    text = render(template, *session.templates, **values)
    session.folder.put_report(state_number, f"{seat}.consent.txt", text.encode())
    kind = template.partition(".")[0]
    subject = f"{session.label}: {headline}"
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
    """Store a player's answer before its receipt is written. Under the lock."""
    request = find_open_consent(session)
    answer = NO if NO in answer_words else YES
    if request is not None:
        session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.with_answer(seat, answer, signature)))


def refuse_if_denied(session: Session, request: Consent) -> None:
    """If a player said no, close the question and raise Refused."""
    denying_seats = request.seats_answering(NO)
    if not denying_seats:
        return
    _close_request(session, request)
    names = ", ".join(f"{session.position.player_name(seat)} ({seat})" for seat in denying_seats)
    raise Refused("undo/no", f"not undone: {names} said no", "go on with the game as it is: `pbem resolve DIR`")


def withdraw(session: Session) -> Session:
    """The referee stops asking. Returns the game as it was under the lock."""
    with open_for_writing(session) as session:
        request = find_open_consent(session)
        if request is None:
            raise Refused("undo/not-asked", "no player is being asked about an undo", "pbem amend DIR undo")
        _close_request(session, request)
    return session


def _close_request(session: Session, request: Consent) -> None:
    """Close a question. The email does not say who ended it."""
    for seat, _ in request.answers:
        _send_mail(session, seat, "it is not undone", "not_undone.txt", {}, request)
    session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.as_dropped()))
