"""Taking a message: read, whose it is, and under the lock: gate, known, judge, keep, receipt.

What lives here: the one way of every message, whatever the phase of its game; the phase (before the
deal, play, over, a message that cannot be read) chooses only how it is judged; keeping it. What
must never be here: how it is judged (before_deal.py, play.py, unreadable.py), printing.
Laws: received and durable comes before the receipt (P8); the same message again changes nothing;
what is not shown to be the player's has no effect, and gets one fixed answer (P6); a message with a
good code never gets silence, but where the same words changed nothing before; of one that cannot be
read nothing is kept but its headers (P11).
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.catalog import is_traceback_wanted, unexpected_fault
from pbem.chain.sources import REPLIED, SIGNED, WITH_PASSWORD
from pbem.crypto.encoding import digest
from pbem.disk.whole import read_beginning, read_input
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.parsed import MAIL_LIMIT
from pbem.report.message_ids import has_our_id
from pbem.services.amend.consent import store_answer
from pbem.services.lock import open_for_writing
from pbem.services.receipts import send_receipt_again, write_receipt
from pbem.services.receive import before_deal, play
from pbem.services.receive.absences import store_absences
from pbem.services.receive.authentication import Authentication, refuse_typed_orders, reject_unauthenticated
from pbem.services.receive.bounces import clear_bounce, note_unregistered_sender, notify_opponent, store_bounce
from pbem.services.receive.find_game import EmailOwner, Games
from pbem.services.receive.message import ReceivedEmail, read_message
from pbem.services.receive.result import KEYS_BY_KIND, ReceiveResult, result_without_seat
from pbem.services.receive.submission import (
    COPIED,
    REPEATED,
    Submission,
    Validation,
    build_stored_message,
    format_stored_email,
    has_same_bytes,
    stored_file_name,
    update_under_lock,
    was_received_before,
)
from pbem.services.receive.unreadable import (
    advise_sender,
    authenticate_unreadable,
    find_submission,
    mark_not_read,
    validate_unreadable,
)
from pbem.services.session.newest import find_seat
from pbem.services.session.session import Session

NO_CODE = Refused(
    "mail/unknown",
    "it has no code of a game",
    "give the whole email with its subject; a code looks like [pbem K7Q2-9F3A]. If you typed it "
    "for a player, use --typed SEAT",
)
FOREIGN_CODE = Refused(
    NO_CODE.code,
    "its code is of no game here",
    "name the folder of that game, or compare the code with that of the report",
)
NOTHING_ASKED = Refused(
    NO_CODE.code,
    "it answers an email that asks for nothing, such as the last one of a game",
    "read it yourself; nothing in it is for pbem",
)
NOT_FOR_PBEM = (NOTHING_ASKED.message, FOREIGN_CODE.message)
OWN_EMAIL = BadInput(
    "mail/own",
    "pbem or the referee wrote this email, not a player",
    "nothing to do; to enter a player's orders, use --typed SEAT",
)
UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet
TOO_LARGE = "an email may have at most 1 MiB; send the orders alone, without pictures"


class Phase(NamedTuple):
    """How messages are judged: how each is shown to be the player's, and what it is worth."""

    authenticate: Callable[[Submission], Authentication]
    validate: Callable[[Submission, Authentication], Validation]


BEFORE_DEAL = Phase(before_deal.authenticate, before_deal.validate)
PLAY = Phase(play.authenticate, play.validate)
OVER = Phase(lambda _: Authentication("anybody"), play.validate_late)  # all may know how it ended
UNREADABLE = Phase(authenticate_unreadable, validate_unreadable)


def receive_file(
    games: Games,
    path: str,
    show_hidden_orders: bool = False,
    typed_seat: str = "",
    arrival: str = "",
    contents: bytes | None = None,
    own_address_only: bool = False,
) -> ReceiveResult:
    """One file, from the drive to its receipt; raises nothing (but under PBEM_TRACEBACK=1).

    ``games``: all that it may be for; the one that it is for is replaced by what it has become.
    ``show_hidden_orders``: hidden orders stand in the verdict. ``typed_seat``: the seat the referee typed it for.
    ``arrival``: when it came, where a server tells. ``contents``: its bytes, where they were read.
    ``own_address_only``: a code counts from its player's own address alone.
    """
    data = b""
    try:
        try:
            data = read_input(path, MAIL_LIMIT) if contents is None else contents
            email = read_message(data)._replace(arrival=arrival, own_address_only=own_address_only)
            result = receive_email(games, path, email, show_hidden_orders, typed_seat)
        except PbemError as error:
            result = _receive_failed(Games(()) if typed_seat else games, path, data, error, own_address_only)
        try:
            if arrival and not typed_seat and result.facts.get("why") not in NOT_FOR_PBEM:
                advise_sender(games, data, result)
        except PbemError as error:  # it comes again
            result = result_without_seat(path, "unfinished", error)
        return result
    except Exception as error:
        if is_traceback_wanted():
            raise
        hint = "keep the file, run `PBEM_TRACEBACK=1 pbem receive` with it alone"
        return result_without_seat(path, "unreadable", unexpected_fault(error, hint))


def receive_email(
    games: Games, path: str, email: ReceivedEmail, show_hidden_orders: bool = False, typed_seat: str = ""
) -> ReceiveResult:
    """One message that could be read."""
    email = games.with_code(email)
    owner = games.find_owner(email)
    if typed_seat:
        owner = _find_typed_owner(games, owner, typed_seat)
        # the same words typed once more in another state are not the same message: it has no code
        typed_bytes = f"{owner.session.record.n} {email.digest}".encode()
        email = email._replace(digest=digest(typed_bytes).hex())
    if owner is None:
        refusal = NOTHING_ASKED if games.answers_our_email(email) else NO_CODE
        return result_without_seat(path, "unknown", FOREIGN_CODE if email.codes else refusal)
    if not typed_seat and _is_from_referee(owner, email):
        raise OWN_EMAIL
    submission = Submission(
        owner.session, owner.seat, email, typed_by_referee=bool(typed_seat), shows_hidden_orders=show_hidden_orders
    )
    return _process_under_lock(games, path, submission)


def _receive_failed(games: Games, path: str, data: bytes, error: PbemError, own_address_only: bool) -> ReceiveResult:
    """A message that was not read, or not taken; its player is told, where its subject says who."""
    try:
        if error.code == "mail/automatic" and (bounce := store_bounce(games.sessions, data)):
            return _bounce_result(path, *bounce)
        if error.code == "file/too-large":
            error = type(error)(error.code, error.message, TOO_LARGE)
            data = read_beginning(path)
        submission = find_submission(games, data, error)
        if submission is not None:
            submission = submission._replace(email=submission.email._replace(own_address_only=own_address_only))
            return _process_under_lock(games, path, submission)
    except PbemError as later_error:
        error = later_error
    return result_without_seat(path, "unfinished" if error.code == UNFINISHED else "unreadable", error)


def _bounce_result(path: str, session: Session, seat: str, status: str) -> ReceiveResult:
    """What a server says: the email to a player came back."""
    record, reason = session.record, f"email to them comes back{f' ({status})' * bool(status)}"
    facts = {"dir": str(session.folder.root), "game": record.game, "seat": seat, "why": reason}
    player_label = f"{session.label}, {record.player(seat).label}"
    return ReceiveResult(path, "bounced", f"{reason}; ask for another address", 0, facts, player_label=player_label)


def _find_typed_owner(games: Games, owner: EmailOwner | None, typed_name: str) -> EmailOwner:
    """The game of what the referee typed: among several, the one whose code the words carry."""
    if owner is None and len(games.sessions) == 1:
        owner = EmailOwner(games.sessions[0], find_seat(games.sessions[0].record, typed_name), 0)
    if owner is None:
        why = f"it carries no code, and there are {len(games.sessions)} games here"
        hint = "give one game's folder, or add the line `[pbem CODE]` of the player's report"
        raise BadInput("typed/games", why, hint)
    record, seat = owner.session.record, find_seat(owner.session.record, typed_name)
    if owner.seat != seat:
        coded_player, typed_player = record.player(owner.seat).label, record.player(seat).label
        why = f"it carries the code of {coded_player}, and you typed it for {typed_player}"
        raise BadInput("typed/other-seat", why, "leave --typed out for emails that players sent")
    refuse_typed_orders(owner.session, seat)
    return EmailOwner(owner.session, seat, 0)


def _process_under_lock(games: Games, path: str, submission: Submission) -> ReceiveResult:
    """The game as it is now; what the message is worth in it, kept and answered."""
    with open_for_writing(submission.session, allow_closed=not submission.typed_by_referee) as session:
        games.replace(submission.session, session)
        submission = update_under_lock(submission, session)
        validation = _validate_once(submission)
        receipt = store_email(submission, validation)
        if validation.receipt is not None and _is_from_player(submission, validation):
            clear_bounce(session, submission.seat)
    facts = {
        "dir": str(session.folder.root),
        "game": session.record.game,
        "seat": submission.seat,
        "lines": [verdict.plain() for verdict in validation.verdicts],
        "asks": list(validation.requests),
        "why": validation.reason,
        "receipt": receipt,
    }
    if submission.error is not None:
        facts |= submission.error.as_document()
    extra_lines = validation.extra_lines
    if "notes" in KEYS_BY_KIND[validation.kind]:
        facts["notes"] = list(session.notes)
        extra_lines = (*extra_lines, *(f"  note: {note}" for note in session.notes))
        session.notes.clear()
    player_label = f"{session.label}, {session.record.player(submission.seat).label}"
    return ReceiveResult(
        path, validation.kind, validation.summary, validation.exit_code, facts, extra_lines, player_label
    )


def _validate_once(submission: Submission) -> Validation:
    """Gate, then whether it is the player's, then what it is worth."""
    phase = PLAY if submission.session.record.is_dealt else BEFORE_DEAL
    if submission.is_too_late:
        phase = OVER
    elif submission.error is not None:
        phase = UNREADABLE
    if was_received_before(submission, is_final=phase is OVER or (phase is PLAY and submission.is_stale)):
        folder, file_names = (
            submission.session.folder,
            [stored_file_name(submission, is_authenticated) for is_authenticated in (True, False)],
        )
        if not any(map(folder.read_parsed_email, file_names)):  # killed before it was kept
            validation = _authenticate_and_validate(submission, phase, already_handled=True)
            folder.store_parsed_email(
                stored_file_name(submission, validation.is_proven), format_stored_email(submission, validation)
            )
        return Validation(submission.pending, "repeated", REPEATED if has_same_bytes(submission) else COPIED)
    return _authenticate_and_validate(submission, phase)


def _authenticate_and_validate(submission: Submission, phase: Phase, already_handled: bool = False) -> Validation:
    """``already_handled``: the hand has its marks already."""
    authentication = phase.authenticate(submission)
    validation = (
        phase.validate(submission, authentication)
        if authentication.source
        else reject_unauthenticated(submission, authentication)
    )
    record = submission.session.record
    signs_orders = (
        record.is_dealt and record.player(submission.seat).method.key
    )  # others may have a code of such a seat
    proven_sources = (SIGNED.name,) if signs_orders else PROVEN_SOURCES
    validation = validation._replace(is_proven=authentication.source in proven_sources and authentication.fault is None)
    changes_nothing = validation.kind in UNCHANGED_KINDS and not already_handled
    if changes_nothing and not (
        validation.repeated_receipt_number or validation.requests or submission.orders.commands
    ):
        fingerprint = words_fingerprint(submission, validation)
        if fingerprint in dict(submission.pending.handled_marks):
            return Validation(submission.pending, "repeated", ANSWERED_BEFORE)
        validation = validation._replace(fingerprints=(*validation.fingerprints, fingerprint))
    if validation.receipt is not None and authentication.source in PROVEN_SOURCES:
        receipt = validation.receipt._replace(answered_id=submission.email.quotable_id)
        validation = validation._replace(receipt=receipt)
    return mark_not_read(submission, validation) if phase is UNREADABLE else validation


#: kinds of verdicts that another machine may get without end, for what it writes
UNCHANGED_KINDS = ("answered", "refused", "stale", "ended", "not known")
ANSWERED_BEFORE = "the same words were answered before; nothing changed, and no receipt goes out"


def words_fingerprint(submission: Submission, validation: Validation) -> str:
    """By what an email that changes nothing is known, so that two machines do not answer each other
    for ever: the state, what waits, and the player's own words; of a list the state alone. Of what
    waits nobody but its player may notice anything.
    """
    email, error = submission.email, submission.error.code if submission.error else ""
    lines = (*email.lines, *email.lines_between_quotes, *email.signature_lines)
    words = [line.text.strip() for line in lines] + [str(email.order_signatures)]
    waiting_lines = [order.order for order in submission.pending.orders] if validation.is_proven else []
    words = ["mass"] if email.headers.is_mass_mail else [validation.kind, error, *waiting_lines, *words]
    return digest("\n".join([str(submission.session.record.n), *words]).encode("utf-8", "replace")).hex()


def _is_from_referee(owner: EmailOwner, email: ReceivedEmail) -> bool:
    """Whether it is an email of ours that came back, or one that the referee wrote."""
    session, sender = owner.session, email.headers.sender
    if has_our_id(email.headers.message_id, session.known_codes):
        return True
    people = session.players
    return bool(sender) and people.referee.has_address(sender) and not people.seats[owner.seat].has_address(sender)


#: sources of an email that is shown to be the player's: its Message-ID is no stranger's text
PROVEN_SOURCES = (REPLIED.name, SIGNED.name, WITH_PASSWORD.name)


def _is_from_player(submission: Submission, validation: Validation) -> bool:
    """Whether the player wrote it, as far as it was shown."""
    return validation.kind != "not known" and not submission.typed_by_referee


def store_email(submission: Submission, validation: Validation) -> str:
    """A vote, the hand, what was understood of the message; then the receipt, whose name comes
    back; "" if there is none. The message is kept when it counts, and not before: a file of it says
    that it came (case.py), so a kill between the two would lose its orders.

    Raises Refused ``receive/unfinished`` where all is kept but the receipt.
    """
    session, email = submission.session, submission.email
    if validation.repeated_receipt_number:  # as a mail of its own: nothing else changes
        send_receipt_again(
            session, submission.seat, validation.repeated_receipt_number, email.digest, email.quotable_id
        )
        session.store_pending(
            submission.seat, submission.pending.with_handled_marks(validation.repeated_receipt_number, email.digest)
        )
    if validation.receipt is None:
        return ""
    file_name = stored_file_name(submission, validation.is_proven)
    session.folder.read_parsed_email(file_name)  # where it will be kept is no link to elsewhere
    if validation.referee_message and not email.may_hold_password:
        stored_message = build_stored_message(submission, validation.referee_message)
        session.folder.put_referee_message(stored_message.name, stored_message.encode())
    store_absences(session, submission.seat, validation.absences)
    if validation.votes:
        store_answer(session, submission.seat, validation.votes, validation.vote_signature)
    if _is_from_player(submission, validation):  # before it counts: a command may be killed
        note_unregistered_sender(submission, counts=validation.kind == "kept" or bool(validation.votes))
    elif submission.opponent_seat and session.record.player(submission.seat).method.code:
        notify_opponent(submission)
    receipt_number = validation.pending.receipt_count + 1
    pending = validation.pending.with_handled_marks(receipt_number, email.digest, *validation.fingerprints)
    pending = pending._replace(
        receipt_count=receipt_number, newest_receipt=validation.receipt.encode(), last_answered_at=session.time
    )
    session = session.store_pending(submission.seat, pending)
    try:
        session.folder.store_parsed_email(file_name, format_stored_email(submission, validation))
        return write_receipt(session, submission.seat, session.pending_by_seat[submission.seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        why = f"the email is kept, but its receipt is not written: {error.message}"
        raise Refused(UNFINISHED, why, hint) from error
