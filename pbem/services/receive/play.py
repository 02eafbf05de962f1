"""A message while its game is played: orders, questions, an answer to the asking about an undo.

What lives here: how it is shown to be the player's, what its orders are worth, its receipt. What
must never be here: keeping anything; finding out that they are signed (authentication.py), the
number of those that are (order_numbers.py); the legality of an order.
Laws: what is said is a function of the seat's own View and lines and of the rules (P2); where the
mail was not shown to be the player's, of the rules alone. Of signed orders: authenticate, then the
number, then whether they are in time, then if they are legal; the same orders again get the same
receipt again, another list under a number that came is refused.
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

from typing import NamedTuple

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.engine.row import Row, Sentence, say
from pbem.errors import Missing
from pbem.mail.compose import format_date_in_prose
from pbem.mail.set_apart import mark_words
from pbem.notation.absence import Absence, is_absence
from pbem.notation.asks import WITHDRAW
from pbem.notation.lines import ParsedOrders
from pbem.play import validate_email, validation
from pbem.play.consent import UndoReply
from pbem.play.email_order import VOTE, is_overtaken, list_changed_groups, note_arrival
from pbem.play.half_action import find_unfinished_turn
from pbem.play.pending_orders import format_pending_orders, list_possible_groups
from pbem.play.reply_codes import VOID_AGE
from pbem.play.validate_email import OrdersResult
from pbem.report.frequency import FEW
from pbem.report.receipt import (
    ORDERS_COMPLETE,
    QUESTION_STILL_OPEN,
    build_receipt_values,
    completeness_rows,
    describe_commands,
    public_verdicts,
    receipt_block_lines,
    receipt_headline,
    replaced_groups,
    verdict_lines,
    votes_in,
    withdrawals_in,
)
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.report.report import format_winners
from pbem.report.subjects import receipt_subject
from pbem.services import html, sentences
from pbem.services.receipts import StoredReceipt, create_receipt, receipt_name
from pbem.services.receive import confirmation
from pbem.services.receive.absences import read_absences, with_dates
from pbem.services.receive.authentication import Authentication, authenticate_player
from pbem.services.receive.order_numbers import check_number
from pbem.services.receive.submission import (
    REPEATED,
    Submission,
    Validation,
    answer_rows,
    check_claims,
    only_asks_rules,
)
from pbem.services.session.history import read_older_record


def validate_late(submission: Submission, _: Authentication) -> Validation:
    """How it ended; the report goes out again."""
    session, record, game = submission.session, submission.session.record, submission.session.game
    outcome = game.outcome(game.view(session.position.state, None))
    values = {
        "closed": mark_words(record.rulings[0].reason) if record.phase == CLOSED else "",
        "over": outcome is not None,
        "winners": format_winners(session.position, outcome),
        "n": record.n,
        "date": format_date_in_prose(record.time),
    }
    subject = "the game is over" if outcome else "the game is closed"
    receipt = create_receipt(session, submission.seat, "", subject, "ended.txt", values, resends_report=True)
    state = "closed" if record.phase == CLOSED else "over"
    summary = f"ignored: the game is {state}; its player gets the last report again"
    # whoever writes is answered alike (P6): that there is a letter is not told
    has_code = session.record.player(submission.seat).method.code
    return Validation(
        submission.pending, "ended", summary, receipt, 1, referee_message=submission.referee_message if has_code else ()
    )


RULES_SOURCE = "rules"  #: nobody need be known for what stands in the rules
SUMMARIES = {
    "stale": "not accepted: that question is settled (the report goes out again)",
    "refused": "not accepted, the receipt says why",
}


class Assessment(NamedTuple):
    """What a mail's orders are worth."""

    result: OrdersResult
    is_stale: bool = False
    voided_by_ruling: bool = False  #: stale by a ruling
    is_unclear_vote: bool = False  #: it answers an open asking, and says neither `yes` nor `no`
    is_proven: bool = True  #: shown to be the player's; else it is told nothing but the rules
    signed_number: int = 0  #: that the player gave his orders, where he signed them
    proposal: tuple[str, ...] = ()  #: what its player may have meant, for him to confirm
    proposal_reply: str = ""  #: what becomes of its `yes` or `no`, by kind


def authenticate(submission: Submission) -> Authentication:
    """How the state says this player is known, and whether the mail shows it."""
    check_claims(submission)
    email = submission.email
    if (
        submission.is_stale
        and not submission.typed_by_referee
        and not email.order_signatures
        and (why := _find_other_sender(submission))
    ):
        return Authentication("", why, answers_nobody=True)
    authentication = authenticate_player(submission)
    return (
        Authentication(RULES_SOURCE)
        if not authentication.source and only_asks_rules(submission.orders)
        else authentication
    )


def validate(submission: Submission, authentication: Authentication) -> Validation:
    """What is kept of its orders, and what its player is told."""
    if authentication.source == RULES_SOURCE:
        result = OrdersResult(submission.pending, True, False, (), submission.orders.commands)
        return build_validation(submission, Assessment(result, is_proven=False), None)
    if authentication.order_signatures is not None:
        return _validate_signed(submission, authentication, authentication.order_signatures.email_number)
    if authentication.fault is not None:
        return build_validation(
            submission, refuse_all(submission, authentication.fault, ParsedOrders()), submission.undo_reply
        )
    reply = confirmation.read_reply(submission)
    assessment = _unless_overtaken(
        submission,
        assess_orders(submission, authentication, reply.orders, submission.question_age, submission.undo_reply),
    )
    assessment = _with_held_proposal(submission, assessment, reply)
    return build_validation(submission, assessment, submission.undo_reply)._replace(
        vote_signature=authentication.vote_signature
    )


def _with_held_proposal(
    submission: Submission, assessment: Assessment, reply: confirmation.ProposalReply
) -> Assessment:
    """With what waits for its player's `yes` from now on."""
    result, pending = assessment.result, assessment.result.pending
    is_held = not result.is_accepted and bool(result.parsed_orders.doubtful_lines)
    if assessment.proposal or is_held:
        signs_with_key = submission.session.record.player(submission.seat).method.key
        proposal_lines = () if signs_with_key else assessment.proposal
        receipt_id = f"r{receipt_name(submission.seat, submission.pending.receipts + 1)}"
        pending = pending.with_held_email(
            submission.session.position.answered_count(submission.seat), proposal_lines, receipt_id
        )
    elif result.has_changed or reply.drops_proposal:
        pending = pending.without_held_email()
    elif reply.kind in confirmation.SHOWN_AGAIN or (
        not (reply.kind or result.commands) and confirmation.is_proposal_waiting(submission)
    ):
        # its receipt shows once more what was proposed
        receipt_id = f"r{receipt_name(submission.seat, submission.pending.receipts + 1)}"
        pending = pending._replace(shown=(*pending.shown, receipt_id))
        assessment = assessment._replace(proposal=pending.proposal)
    return assessment._replace(result=result._replace(pending=pending), proposal_reply=reply.kind)


def _unless_overtaken(submission: Submission, assessment: Assessment) -> Assessment:
    """What changes anything, unless a newer email did; what is signed has its number for that."""
    result = assessment.result
    if not result.is_accepted or assessment.is_stale:
        return assessment
    touched_names = list_changed_groups(submission.pending, result.pending, result.commands)
    if submission.undo_reply is not None and votes_in(result.commands):
        touched_names.add(VOTE)
    if not touched_names:
        return assessment
    if is_overtaken(submission.pending, touched_names, submission.received_at, submission.session.time):
        return refuse_all(submission, say(sentences.NEWER_EMAIL_TAKEN), ParsedOrders())
    return assessment._replace(
        result=result._replace(pending=note_arrival(result.pending, touched_names, submission.received_at))
    )


def _validate_signed(submission: Submission, authentication: Authentication, nr: int) -> Validation:
    """The number first, then whether they are in time, then what they are worth."""
    number = check_number(submission, authentication)
    if number.repeated_receipt_number:
        return Validation(
            submission.pending, "repeated", REPEATED, repeated_receipt_number=number.repeated_receipt_number
        )
    if reason := number.refusal or number.late_reason:
        assessment = refuse_all(submission, reason, number.orders)
    else:
        assessment = assess_orders(submission, authentication, number.orders, number.question_age, None)
    if not number.refusal:
        result = assessment.result
        touched_names = list_changed_groups(submission.pending, result.pending, result.commands)
        pending = (
            note_arrival(result.pending, touched_names, submission.received_at) if touched_names else result.pending
        )
        assessment = assessment._replace(result=result._replace(pending=pending._replace(seen=nr)))
    receipt_number = 0 if number.refusal else nr  # the receipt of another email may have the number
    return build_validation(submission, assessment._replace(signed_number=receipt_number), None)._replace(
        fingerprints=(number.fingerprint,) if number.fingerprint else ()
    )


def refuse_all(submission: Submission, why: Sentence, orders: ParsedOrders) -> Assessment:
    """The whole mail is refused, and nothing in hand changes."""
    verdicts = (validation.LineVerdict(0, "", "refused", why),)
    return Assessment(OrdersResult(submission.pending, False, False, verdicts, (), orders))


def _find_other_sender(submission: Submission) -> str:
    """Why a mail is one of the player who sat there before, for the referee; "" if it is not.

    It answers a report from before the ruling, and did not come from the address of today's player:
    he wrote nothing, and is sent nothing.
    """
    session, seat, sender = submission.session, submission.seat, submission.email.headers.sender
    since = session.record.player(seat).orders_since
    if not since or session.position.answered_count(seat) - submission.question_age >= submission.pending.ruled:
        return ""
    if not sender or session.players.seats[seat].has_address(sender):
        return ""
    try:
        previous_name = read_older_record(session, since - 1).player(seat).name
    except Missing:
        return ""
    current_name = session.record.player(seat).name
    if previous_name == current_name:
        return ""
    sender = "another address" if submission.email.may_hold_password else sender
    return (
        f"it answers an email to {previous_name}, who played there before, and comes from {sender}; "
        f"pbem sends {current_name} nothing"
    )


def assess_orders(
    submission: Submission,
    authentication: Authentication,
    orders: ParsedOrders,
    question_age: int,
    undo_reply: UndoReply | None,
) -> Assessment:
    """What the orders are worth; ``question_age``: of the question they answer."""
    session, pending, game = submission.session, submission.pending, submission.session.game
    is_stale, view = (question_age > len(pending.done), game.view(session.position.state, submission.seat))
    done_since = pending.done[-question_age:] if question_age and not is_stale else ()
    state_hash, nr = b64(session.position.state_hash), 0
    if authentication.order_signatures is not None:
        state_hash, nr = (authentication.order_signatures.state_hash, authentication.order_signatures.email_number)
    origin = authentication.source, nr, authentication.line_signatures
    context = validation.EmailContext(view, bool(game.legal(view)), state_hash, done_since, *origin)
    answered_count = session.position.answered_count(submission.seat)
    is_void = question_age >= answered_count + VOID_AGE  # not even its standing orders count
    answers_old_question = is_stale and (is_void or _may_answer_question(orders, undo_reply))
    orders = orders if is_stale else validate_email.prepend_waiting_orders(game, context, pending, orders)
    counted_orders = (
        ParsedOrders() if answers_old_question else orders._replace(message_lines=()) if is_stale else orders
    )
    result = validate_email.validate_orders(game, context, pending, counted_orders)
    is_unclear_vote = undo_reply is not None and undo_reply.is_open and not orders.commands and not result.has_changed
    voided_by_ruling = answers_old_question and answered_count - question_age < pending.ruled
    result = result._replace(parsed_orders=orders) if answers_old_question else result
    proposal_lines = () if is_stale else _propose_orders(submission, context, result)
    return Assessment(result, answers_old_question, voided_by_ruling, is_unclear_vote, proposal=proposal_lines)


def _propose_orders(submission: Submission, context: validation.EmailContext, result: OrdersResult) -> tuple[str, ...]:
    """What pbem proposes for an email that is held, or whose words may be a command."""
    if submission.email.is_automatic or (result.is_accepted and not result.parsed_orders.proposed_commands):
        return ()
    from pbem.play.proposals.proposals import find_proposal
    from pbem.services.receive.prose import make_reader

    reader = make_reader(submission.session, submission.seat, submission.email.may_hold_password)
    commands = (
        with_dates(submission.session, command) if is_absence(command) else command
        for command in result.parsed_orders.proposed_commands
    )
    return (*find_proposal(reader, context, result.parsed_orders), *filter(None, commands))


def _may_answer_question(orders: ParsedOrders, undo_reply: UndoReply | None) -> bool:
    """Whether it answers a question, or may: standing orders and `help` are tied to none."""
    is_about_undo = undo_reply is not None and not orders.commands
    return is_about_undo or bool(orders.doubtful_lines) or any(not line.when for line in orders.now)


def build_validation(submission: Submission, assessment: Assessment, undo_reply: UndoReply | None) -> Validation:
    """The verdict and the receipt of orders that were weighed."""
    result = assessment.result
    kind = _verdict_kind(assessment)
    summaries = SUMMARIES | {
        "kept": "accepted" if result.pending.orders else "all pending orders withdrawn",
        "answered": "answered" if result.commands else "no order in it",
    }
    if assessment.proposal_reply in confirmation.NO_CHANGE and not result.has_changed:
        summaries[kind] = confirmation.NO_CHANGE[assessment.proposal_reply]
    if undo_reply is not None and (assessment.is_stale or assessment.is_unclear_vote):
        decided_summary = "not counted: it answers a question about an undo that has been decided"
        summaries[kind] = decided_summary if assessment.is_stale else "neither `yes` nor `no` to the undo"
    verdicts, requests = result.verdicts, result.commands
    if not submission.shows_hidden_orders:
        verdicts = public_verdicts(submission.session.game, result.parsed_orders, verdicts)
        requests = tuple(dict.fromkeys(WITHDRAW if ask in withdrawals_in(requests) else ask for ask in requests))
    shown_verdicts = () if assessment.is_stale else verdicts
    extra_lines = [f"  {line}" for line in verdict_lines(shown_verdicts)]
    # what of a held email is answered all the same; of an absence nothing was noted
    answered_requests = requests if result.is_accepted else tuple(ask for ask in requests if not is_absence(ask))
    extra_lines += [f"  asked for: {describe_commands(answered_requests)}"] if answered_requests else []
    return Validation(
        result.pending,
        kind,
        summaries[kind],
        build_receipt(submission, assessment, undo_reply),
        0 if kind in ("kept", "answered") else 1,
        shown_verdicts,
        requests,
        tuple(extra_lines),
        votes=result.commands if result.is_accepted and votes_in(result.commands) else (),
        referee_message=_referee_message(submission, assessment),
        absences=_changed_absences(submission, assessment),
    )


def _referee_message(submission: Submission, assessment: Assessment) -> tuple[str, ...]:
    """What is for the referee to read."""
    return submission.referee_message if assessment.is_proven else ()


def _changed_absences(submission: Submission, assessment: Assessment) -> tuple[Absence, ...] | None:
    """What is to be noted then of what its player says of being away, if that changes."""
    counts = assessment.result.is_accepted and assessment.is_proven
    return read_absences(submission.session, submission.seat, assessment.result.commands if counts else ()).absences


def _verdict_kind(assessment: Assessment) -> str:
    if assessment.is_stale:
        return "stale"
    if assessment.result.has_changed:
        return "kept"
    is_unresolved = assessment.is_unclear_vote or assessment.proposal_reply in ("nothing", *confirmation.SHOWN_AGAIN)
    return "answered" if assessment.result.is_accepted and not is_unresolved else "refused"


def build_receipt(submission: Submission, assessment: Assessment, undo_reply: UndoReply | None) -> StoredReceipt:
    """What its player is told; it is kept with the orders so that it cannot be lost."""
    session, seat, result = submission.session, submission.seat, assessment.result
    code = undo_reply.code if undo_reply and undo_reply.is_open else session.code(seat)
    player = session.record.player(seat)
    answers = answer_rows(session, seat, result.commands, result.is_accepted) if result.commands else []
    referee_message = (
        _referee_message(submission, assessment)
        if submission.orders.message_lines or submission.email.lines_beside_file
        else ()
    )
    message_row = submission.referee_message_row(referee_message)
    message_kind = message_row.kind if message_row else ""
    view = session.game.view(session.position.state, seat)
    is_asked = bool(session.game.legal(view))
    headline = receipt_headline(result, assessment.is_stale, assessment.voided_by_ruling, message_kind, is_asked)
    if assessment.proposal_reply in confirmation.NO_CHANGE and not (result.has_changed or assessment.is_stale):
        headline = Row(f"confirm_{assessment.proposal_reply}", {"answer": submission.proposal_answer})
    elif assessment.proposal and (not result.is_accepted or headline.kind in ("no_order", "letter")):
        headline = Row("proposed")
    headlines = [headline]
    if undo_reply is not None and (undo_reply.is_open or assessment.is_stale):
        headlines = _undo_headlines(headline, undo_reply, result, assessment.is_unclear_vote)
    is_played_now = undo_reply is None or not undo_reply.is_open  # while an undo is open nothing is played
    answered_count = session.position.answered_count(seat)
    wanted_rows = completeness_rows(session.game, view, result.pending, answered_count) if is_played_now else []
    headlines += wanted_rows if result.has_changed else []
    values = build_receipt_values(result, assessment.is_stale, answers, submission.pending, session.rule_summary)
    values |= {
        "hand": format_pending_orders(list_possible_groups(result.pending.parts, session.game, view)),
        "headline": [row.plain() for row in headlines],
        "way": player.method_name,
        "proven": assessment.is_proven,
        "elsewhere": submission.unregistered_sender,
        "letter": message_row.plain() if message_row and headline.kind != "letter" else None,
        "kind": session.game.kind,
        "names": {person.seat: person.name for person in session.record.people},
        "half": html.half_action_question(session, seat, result.pending) if result.has_changed else {},
        "proposal": list(assessment.proposal),
        "confirms": assessment.proposal_reply,
        "not_read": list(submission.email.unread_files),
        "minutes": session.record.clock.replace_minutes if wanted_rows == [ORDERS_COMPLETE] else 0,
        "block": _receipt_block(submission, assessment),
    }
    subject = receipt_subject(headlines[0])
    resend = assessment.is_stale or "resend" in result.commands
    receipt = create_receipt(session, seat, code, subject, "receipt.txt", values, resend)
    has_news = (
        values["elsewhere"] or values["replaced"] or message_row or undo_reply or wanted_rows == [QUESTION_STILL_OPEN]
    )
    return receipt._replace(is_quiet=not has_news and _is_no_news(submission, assessment))


def _is_no_news(submission: Submission, assessment: Assessment) -> bool:
    """Whether a player who wants few emails knows what became of the orders (0018): accepted as
    they were written, and what goes before what nobody can tell yet, or whole. A receipt for signed
    orders is a proof: it always goes.
    """
    result, game = assessment.result, submission.session.game
    if result.pending.mails != FEW or not result.has_changed or result.commands or assessment.signed_number:
        return False
    if submission.proposal_answer or any(line.text != line.order for line in submission.orders.now):
        return False  # in words: the receipt shows what they mean
    half_action = find_unfinished_turn(
        game, game.view(submission.session.position.state, submission.seat), result.pending
    )
    all_accepted = all(verdict.what in ("kept", "not read") for verdict in result.verdicts)
    return all_accepted and not (half_action and half_action.is_certain)


def _undo_headlines(headline: Row, undo_reply: UndoReply, result: OrdersResult, is_unclear_vote: bool) -> list[Row]:
    """What became of a mail that answers an asking; ``headline``: of its orders alone."""
    if not undo_reply.is_open:
        return [Row("undo_again" if undo_reply.is_asked_again else "undo_over")]
    if is_unclear_vote and undo_reply.answer:
        return [Row("undo_same", {"answer": undo_reply.answer})]
    if is_unclear_vote:
        return [Row("undo_unclear")]
    has_voted = result.is_accepted and votes_in(result.commands)
    return [headline] if has_voted or undo_reply.answer else [headline, Row("undo_open")]


def _receipt_block(submission: Submission, assessment: Assessment) -> str:
    """What the referee cannot deny to have had in hand."""
    session, result, pending_before = submission.session, assessment.result, submission.pending
    requests = result.commands if result.is_accepted else ()
    absence_lines = read_absences(session, submission.seat, requests).noted_lines
    receipt = Receipt(
        session.record.game,
        submission.seat,
        assessment.signed_number or (result.pending.nr if result.has_changed else 0),
        session.time,
        session.record.n,
        session.position.state_hash,
        session.record.latest_restored_hash(session.position.state_hash),
        max((group.email_number for group in replaced_groups(pending_before, result.pending)), default=0),
        () if assessment.is_stale else receipt_block_lines(result, bool(assessment.signed_number), absence_lines),
    )
    return write_receipt_block(receipt, session.key.signing, session.key.public)
