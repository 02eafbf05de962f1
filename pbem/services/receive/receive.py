"""Receive an email: read it, find its game, then authenticate, validate and store it.

Not allowed here: how an email is validated (before_deal.py, play.py, unreadable.py); printing.
Laws: everything is on the drive before the receipt goes out (P8); an email that arrives twice counts
once; an email that fails authentication has no effect and gets a fixed answer (P6); an email with a
valid code is always answered, unless the same words changed nothing before; pbem stores only the
headers of an unreadable email (P11).
Source: docs/DESIGN.md "The way of an email"; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.catalog import is_traceback_wanted, unexpected_fault
from pbem.chain.sources import REPLIED, SIGNED, WITH_PASSWORD
from pbem.crypto.encoding import digest
from pbem.disk.whole import read_beginning, read_input
from pbem.engine.row import Sentence
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.parsed import MAIL_LIMIT
from pbem.report.message_ids import has_our_id
from pbem.services.lock import open_for_writing
from pbem.services.receive import play
from pbem.services.receive.authentication import Authentication, refuse_typed_orders, reject_unauthenticated
from pbem.services.receive.find_game import EmailOwner, Games
from pbem.services.receive.message import ReceivedEmail, read_message
from pbem.services.receive.result import (
    COPIED,
    KEYS_BY_KIND,
    REPEATED,
    ReceiveResult,
    RememberWords,
    Validation,
    result_without_seat,
)
from pbem.services.receive.storage import (
    UNFINISHED,
    Bounce,
    format_stored_email,
    has_same_bytes,
    is_stored,
    store_bounce,
    store_email,
    stored_file_name,
    was_received_before,
)
from pbem.services.receive.submission import IncomingEmail, Submission, read_under_lock
from pbem.services.receive.unreadable import (
    advise_sender,
    authenticate_unreadable,
    find_seat_by_headers,
    mark_not_read,
    why_unreadable,
)
from pbem.services.session.newest import find_seat

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
TOO_LARGE = "an email may have at most 1 MiB; send the orders alone, without pictures"


class Phase(NamedTuple):
    """How emails are authenticated and validated in one phase of a game."""

    authenticate: Callable[[Submission], Authentication]
    validate: Callable[[Submission, Authentication], Validation]
    refuse: Callable[[Submission, Sentence], Validation]  #: refuses an email as a whole


#: sources of an authentication that prove who wrote the email, so that our answer may name its Message-ID
PROVEN_SOURCES = (REPLIED.name, SIGNED.name, WITH_PASSWORD.name)
#: kinds of verdicts that change nothing. They are not answered twice, or two machines could go on for ever
UNCHANGED_KINDS = ("answered", "refused", "stale", "ended", "not known")
ANSWERED_BEFORE = "the same words were answered before; nothing changed, and no receipt goes out"


def receive_file(
    games: Games,
    path: str,
    show_hidden_orders: bool = False,
    typed_seat: str = "",
    arrival: str = "",
    contents: bytes | None = None,
    own_address_only: bool = False,
) -> ReceiveResult:
    """Receive one file, from the drive to its receipt. Raises nothing, except under PBEM_TRACEBACK=1.

    ``games``: the games that the email may be for; its own game is replaced by the changed one.
    ``show_hidden_orders``: whether the verdict names hidden orders.
    ``typed_seat``: the seat for which the referee typed the file; "" if a player sent it.
    ``arrival``: when a server received it; "" if unknown.
    ``contents``: its bytes, if they were read already.
    ``own_address_only``: orders by code count only from the player's own address.
    """
    try:
        result, data = _read_and_receive(
            games, path, show_hidden_orders, typed_seat, arrival, contents, own_address_only
        )
        return result if typed_seat or not arrival else _advise(games, data, result)
    except Exception as error:
        if is_traceback_wanted():
            raise
        hint = "keep the file, run `PBEM_TRACEBACK=1 pbem receive` with it alone"
        return result_without_seat(path, "unreadable", unexpected_fault(error, hint))


def _read_and_receive(
    games: Games,
    path: str,
    show_hidden_orders: bool,
    typed_seat: str,
    arrival: str,
    contents: bytes | None,
    own_address_only: bool,
) -> tuple[ReceiveResult, bytes]:
    """Return the result for a file, and its bytes; b"" if they cannot be read. See ``receive_file``."""
    data = contents or b""
    try:
        if contents is None:
            data = read_input(path, MAIL_LIMIT)
        email = read_message(data)._replace(arrival=arrival, own_address_only=own_address_only)
        return receive_email(games, path, email, show_hidden_orders, typed_seat), data
    except PbemError as error:
        answering_games = Games(()) if typed_seat else games  # the referee needs no answer by email
        return _receive_failed(answering_games, path, data, error, own_address_only), data


def _advise(games: Games, data: bytes, result: ReceiveResult) -> ReceiveResult:
    """Tell the sender how to write if no game accepted the email. Return the result after that."""
    if result.facts.get("why") in NOT_FOR_PBEM:
        return result
    try:
        advise_sender(games, data, result)
    except PbemError as error:  # the email stays in the mailbox and is received again
        return result_without_seat(result.file, "unfinished", error)
    return result


def receive_email(
    games: Games, path: str, email: ReceivedEmail, show_hidden_orders: bool = False, typed_seat: str = ""
) -> ReceiveResult:
    """Receive one email that could be read. Raise a PbemError if it is not for any game here."""
    email = games.with_code(email)
    owner = games.find_owner(email)
    if typed_seat:
        owner = _find_typed_owner(games, owner, typed_seat)
        # typed text has no code, so the same words count as a new email once there is a new state
        typed_bytes = f"{owner.session.record.n} {email.digest}".encode()
        email = email._replace(digest=digest(typed_bytes).hex())
    if owner is None:
        refusal = NOTHING_ASKED if games.answers_our_email(email) else NO_CODE
        return result_without_seat(path, "unknown", FOREIGN_CODE if email.codes else refusal)
    if not typed_seat and _is_from_referee(owner, email):
        raise OWN_EMAIL
    incoming = IncomingEmail(owner.session, owner.seat, email, bool(typed_seat), show_hidden_orders)
    return _process_under_lock(games, path, incoming)


def _receive_failed(games: Games, path: str, data: bytes, error: PbemError, own_address_only: bool) -> ReceiveResult:
    """Answer an email that failed with this ``error``, if its headers show whose it is; note a bounce."""
    try:
        if error.code == "mail/automatic":
            bounce = store_bounce(games.sessions, data)
            if bounce:
                return _bounce_result(path, bounce)
        if error.code == "file/too-large":
            error = type(error)(error.code, error.message, TOO_LARGE)
            data = read_beginning(path)
        incoming = find_seat_by_headers(games, data, error)
        if incoming is not None:
            email = incoming.email._replace(own_address_only=own_address_only)
            return _process_under_lock(games, path, incoming._replace(email=email))
    except PbemError as later_error:
        error = later_error
    return result_without_seat(path, "unfinished" if error.code == UNFINISHED else "unreadable", error)


def _bounce_result(path: str, bounce: Bounce) -> ReceiveResult:
    """Return the result for an email that came back."""
    session, seat = bounce.session, bounce.seat
    reason = f"email to them comes back ({bounce.status})" if bounce.status else "email to them comes back"
    facts = {"dir": str(session.folder.root), "game": session.record.game, "seat": seat, "why": reason}
    player_label = f"{session.label}, {session.record.player(seat).label}"
    return ReceiveResult(
        path, "bounced", "; ".join([reason, "ask for another address"]), 0, facts, player_label=player_label
    )


def _find_typed_owner(games: Games, owner: EmailOwner | None, typed_name: str) -> EmailOwner:
    """Find the game for which the referee typed an email: the only game, or that of the email's code."""
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


def _process_under_lock(games: Games, path: str, incoming: IncomingEmail) -> ReceiveResult:
    """Validate and store a received email in its game as it is now, and return the result."""
    with open_for_writing(incoming.session, allow_closed=not incoming.typed_by_referee) as session:
        games.replace(incoming.session, session)
        submission = read_under_lock(incoming, session)
        validation = _validate_once(submission)
        receipt_name = store_email(submission, validation)
    facts = {
        "dir": str(session.folder.root),
        "game": session.record.game,
        "seat": submission.seat,
        "lines": [verdict.plain() for verdict in validation.verdicts],
        "asks": list(validation.requests),
        "why": validation.reason,
        "receipt": receipt_name,
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


def _choose_phase(submission: Submission) -> Phase:
    """Choose how this email is authenticated and validated."""
    phase = Phase(play.authenticate, play.validate, play.refuse)
    if not submission.session.record.is_dealt:
        from pbem.services.receive import before_deal

        phase = Phase(before_deal.authenticate, before_deal.validate, before_deal.refuse)
    if submission.is_too_late:  # everybody may know how the game ended
        return phase._replace(authenticate=lambda _: Authentication("anybody"), validate=play.validate_late)
    if submission.error is not None:
        refuse, why = phase.refuse, why_unreadable(submission.error)
        return phase._replace(
            authenticate=authenticate_unreadable, validate=lambda submission, _: refuse(submission, why)
        )
    return phase


def _validate_once(submission: Submission) -> Validation:
    """Validate an email, unless it was received before."""
    phase = _choose_phase(submission)
    is_stale = submission.is_stale and submission.error is None
    if not was_received_before(submission, cannot_count=submission.is_too_late or is_stale):
        return _authenticate_and_validate(submission, phase)
    if not is_stored(submission):  # pbem was killed before it stored the email
        validation = _authenticate_and_validate(submission, phase, already_handled=True)
        stored_email = format_stored_email(submission, validation)
        submission.session.folder.store_parsed_email(stored_file_name(submission, validation.is_proven), stored_email)
    return Validation(submission.pending, "repeated", REPEATED if has_same_bytes(submission) else COPIED)


def _authenticate_and_validate(submission: Submission, phase: Phase, already_handled: bool = False) -> Validation:
    """Authenticate an email, then validate it. ``already_handled``: the pending orders remember it."""
    authentication = phase.authenticate(submission)
    if authentication.source:
        validation = phase.validate(submission, authentication)
    else:
        validation = reject_unauthenticated(submission, authentication)
    record = submission.session.record
    # where a seat has a key, others may know its code, so the code proves nothing
    needs_signature = record.is_dealt and record.player(submission.seat).method.key
    proven_sources = (SIGNED.name,) if needs_signature else PROVEN_SOURCES
    validation = validation._replace(is_proven=authentication.source in proven_sources and authentication.fault is None)
    has_commands = validation.requests or submission.orders.commands
    if validation.kind in UNCHANGED_KINDS and not already_handled and not has_commands:
        fingerprint = words_fingerprint(submission, validation)
        if fingerprint in dict(submission.pending.handled_marks):
            return Validation(submission.pending, "repeated", ANSWERED_BEFORE)
        validation = validation._replace(effects=(*validation.effects, RememberWords(fingerprint)))
    if validation.receipt is not None and authentication.source in PROVEN_SOURCES:
        receipt = validation.receipt._replace(answered_id=submission.email.quotable_id)
        validation = validation._replace(receipt=receipt)
    is_unreadable = submission.error is not None and not submission.is_too_late
    return mark_not_read(submission, validation) if is_unreadable else validation


def words_fingerprint(submission: Submission, validation: Validation) -> str:
    """Return a hash that recognises an email that changes nothing, so that two machines do not answer
    each other for ever.

    It covers the state, the pending orders and the player's own words, but only the state for mass
    mail. Pending orders are left out of an unproven email, whose sender must not learn about them.
    """
    email, error_code = submission.email, submission.error.code if submission.error else ""
    words = ["mass"]
    if not email.headers.is_mass_mail:
        lines = (*email.lines, *email.lines_between_quotes, *email.signature_lines)
        pending_orders = [order.order for order in submission.pending.orders] if validation.is_proven else []
        words = [validation.kind, error_code, *pending_orders, *(line.text.strip() for line in lines)]
        words.append(str(email.order_signatures))
    return digest("\n".join([str(submission.session.record.n), *words]).encode("utf-8", "replace")).hex()


def _is_from_referee(owner: EmailOwner, email: ReceivedEmail) -> bool:
    """Return whether pbem or the referee wrote the email. A referee may also play."""
    session, sender = owner.session, email.headers.sender
    if has_our_id(email.headers.message_id, session.known_codes):
        return True
    people = session.players
    return bool(sender) and people.referee.has_address(sender) and not people.seats[owner.seat].has_address(sender)
