"""Asks players by email whether an undo may happen, and stores their answers.

There is at most one request at a time, for all players who must agree. It is closed if the undo is made
or dropped. The email to each of them, the question, has a reply code of its own.
Not allowed here: the undo itself (undo.py); telling one player what another answered.
Laws: an answer counts only for the question whose code it has. It is on the drive before its receipt is
sent. What a player reads depends only on their own emails and answers (P2).
Source: docs/DESIGN.md P2, P8, "Email"; FORMAT.md "Rulings".
"""

from typing import Any, NamedTuple

from pbem.chain.rulings.undo import Undo
from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT_FILE
from pbem.errors import Refused
from pbem.mail.identity import mark_words
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
    """Yield the code and owner of each question about an undo, open or closed."""
    for seat, answer_count in session.record.answer_counts:
        for code, question in _questions_by_code(session, seat).items():
            # a closed question counts as older than any report
            yield code, CodeOwner(seat, 0 if question.is_open else answer_count + 1)


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
    """Find the question about an undo that an email answers, open or closed.

    While a question is open, a `yes` or `no` in reply to another email becomes doubtful: pbem does not
    guess what it is about. ``codes``: the reply codes in the email. ``is_stale``: it answers an older report.
    ``is_typed``: the referee typed the email. ``has_proposal``: orders that pbem proposed also wait for
    a `yes` of this seat.
    """
    request = find_open_consent(session)
    if is_typed:
        question = _question_of_typed_answer(session, seat, request)
    else:
        question = _find_question(session, seat, codes, is_stale)
    may_be_stray = question is None and not is_stale and not has_proposal
    if may_be_stray and request is not None and request.is_asked(seat):
        return ReadVote(consent.hold_stray_vote(parsed_orders), None)
    return ReadVote(parsed_orders, question)


def is_about_undo(asking: UndoReply | None, parsed_orders: ParsedOrders) -> bool:
    """Return whether an email without orders answers an open question, or has a `yes` or `no` to one elsewhere."""
    if asking is not None:
        return asking.is_open
    return any(doubtful_line.why.text == ELSEWHERE for doubtful_line in parsed_orders.doubtful_lines)


def has_open_code(session: Session, seat: str, codes: tuple[str, ...]) -> bool:
    """Return whether one of an email's codes is that of the open question to its seat."""
    return _find_question(session, seat, codes, is_stale=False) is not None


def _find_question(session: Session, seat: str, codes: tuple[str, ...], is_stale: bool) -> UndoReply | None:
    """Return the open question that has one of these codes. If ``is_stale``, a closed one will also do."""
    question_by_code = _questions_by_code(session, seat)
    matches = [question_by_code[code] for code in codes if code in question_by_code]
    for question in matches:
        if question.is_open:
            return question
    return matches[0] if matches and is_stale else None


def _question_of_typed_answer(session: Session, seat: str, request: Consent | None) -> UndoReply | None:
    """Return the open question to a seat, or None. Orders typed by the referee have no code to find it by."""
    if request is None or not request.is_asked(seat):
        return None
    return UndoReply(consent_code(session, request, seat), True, dict(request.answers)[seat])


def _questions_by_code(session: Session, seat: str) -> dict[str, UndoReply]:
    """Return every question to a seat since the game began, by its code."""
    data = session.folder.read_desk_file(CONSENT_FILE)
    if not data:
        return {}
    seats = session.record.setup.seats
    newest_request = consent.decode(data)
    open_request = consent.read_current_consent(data, session.newest.raw, seats)
    answers = dict(open_request.answers) if open_request else {}
    is_asked = seat in answers
    questions = dict[str, UndoReply]()
    for question_id in (*newest_request.past_ids, newest_request.id):
        code = consent.undo_code(question_id, session.codes_secret, session.record.game, seat)
        is_newest = question_id == newest_request.id
        questions[code] = UndoReply(
            code,
            is_open=is_asked and is_newest,
            answer=answers.get(seat, ""),
            is_asked_again=is_asked and not is_newest,
        )
    return questions


def find_open_consent(session: Session) -> Consent | None:
    """Return the open request about an undo, or None if there is none or the game has gone on since."""
    data = session.folder.read_desk_file(CONSENT_FILE)
    return consent.read_current_consent(data, session.newest.raw, session.record.setup.seats)


def ask_players(session: Session, undo: Undo, seats: tuple[str, ...], reason: str) -> Consent:
    """Ask these players about an undo and return the request. The caller holds the lock.

    The emails are written before the request, so an interruption never leaves a game that waits for
    players who were not asked.
    """
    data = session.folder.read_desk_file(CONSENT_FILE)
    last_request = consent.decode(data) if data else None
    state_hash = b64(session.position.state_hash)
    new_request = Consent(undo.target_number, state_hash, reason, tuple((seat, "") for seat in seats))
    request = consent.with_next_number(last_request, new_request)
    for seat in seats:
        values: dict[str, Any] = undo_effects_for(session, undo, seat)._asdict()
        values["reason"] = mark_words(reason)
        values["way"] = session.record.player(seat).method_name
        values["asking"] = question_for(session, request, seat).to_text()
        _send_email(session, seat, "may this be undone?", "consent.txt", values, request)
    session.folder.put_desk_file(CONSENT_FILE, consent.encode(request))
    return request


def question_for(session: Session, request: Consent, seat: str) -> UndoQuestion:
    """Return the question to a seat in the form that its player signs."""
    return UndoQuestion(session.record.game, seat, request.act, request.state_hash)


def consent_code(session: Session, request: Consent, seat: str) -> str:
    """Return the code of the email that asks a seat."""
    return consent.undo_code(request.id, session.codes_secret, session.record.game, seat)


def _send_email(
    session: Session, seat: str, headline: str, template: str, extra_values: dict[str, Any], request: Consent
) -> None:
    """Put one email about a request into the outbox. ``template`` and ``request`` make its Message-ID unique."""
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
    """Store a player's answer, if a request is open. The caller holds the lock and writes the receipt later."""
    request = find_open_consent(session)
    answer = NO if NO in answer_words else YES  # anyone who writes both does not agree
    if request is not None:
        session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.with_answer(seat, answer, signature)))


def refuse_if_denied(session: Session, request: Consent) -> None:
    """Raise Refused ``undo/no`` if a player said no."""
    if denying_seats := request.seats_answering(NO):
        names = ", ".join(f"{session.position.player_name(seat)} ({seat})" for seat in denying_seats)
        raise Refused("undo/no", f"not undone: {names} said no", "go on with the game as it is: `pbem resolve DIR`")


def withdraw(session: Session) -> Session:
    """Stop asking the players, as the referee wants. Return the game as it was under the lock."""
    with open_for_writing(session) as session:
        request = find_open_consent(session)
        if request is None:
            raise Refused("undo/not-asked", "no player is being asked about an undo", "pbem amend DIR undo")
        close_request(session, request)
    return session


def close_request(session: Session, request: Consent) -> None:
    """Stop asking about an undo, and tell everyone who was asked. The email does not say who ended it."""
    for seat, _ in request.answers:
        _send_email(session, seat, "it is not undone", "not_undone.txt", {}, request)
    session.folder.put_desk_file(CONSENT_FILE, consent.encode(request.as_dropped()))
