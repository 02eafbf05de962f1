"""An email in a game that is dealt: authenticate it, and assess which of its orders count.

An email is stale if it answers a question that is settled. A player with a key signs and numbers
their orders. A proposal is what pbem thinks that the player meant; it waits for their `yes`.

Not allowed here: storing anything; the receipt (play_receipt.py); whether an order is legal.
Laws: pbem checks the signature of signed orders first, then their number, then the question that
they answer, then whether they are legal. A number counts once: the same orders get the same receipt
again, and other orders with that number are refused.
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.chain.signed_state import read_unverified_record, state_hash_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64, digest
from pbem.engine.row import Sentence, say
from pbem.engine.settings import ARCHIVE_ATTACHED
from pbem.errors import Missing
from pbem.mail.compose import format_date_in_prose
from pbem.mail.identity import mark_words
from pbem.notation.absence import is_absence
from pbem.notation.lines import ParsedOrders
from pbem.notation.move_file import MAX_LEAP, OrderSignatures, write_signatures
from pbem.play import validate_email
from pbem.play.consent import UndoReply
from pbem.play.email_order import VOTE, is_overtaken, list_changed_groups, note_arrival
from pbem.play.pending_orders import PendingOrders
from pbem.play.reply_codes import VOID_AGE
from pbem.play.signed_orders import MAX_SIGNED_BYTES, list_signed_lines, number_orders
from pbem.play.validate_email import OrdersResult
from pbem.play.validation import EmailContext, LineOutcome, LineVerdict
from pbem.report.build import list_winners
from pbem.report.receipt import votes_in
from pbem.report.report import Winner
from pbem.report.sentences import GAME_CLOSED, GAME_OVER
from pbem.services import sentences
from pbem.services.receipts import create_receipt, receipt_name
from pbem.services.receive import yes_or_no
from pbem.services.receive.absences import spell_out_absence
from pbem.services.receive.authentication import Authentication, authenticate_player
from pbem.services.receive.play_receipt import Assessment, build_validation
from pbem.services.receive.result import REPEATED, RememberWords, ResendReceipt, StoreMessage, Validation
from pbem.services.receive.submission import Submission, check_claims, only_asks_rules
from pbem.services.session.history import read_older_record
from pbem.services.session.session import Session

RULES_SOURCE = "rules"  #: the email asks only for rules, which needs no authentication
_NO_ORDERS = ParsedOrders()
_PREV = re.compile(rb'\nprev = "([A-Za-z0-9_-]{43})"\n')


class EndedReceipt(NamedTuple):
    """Says how the game ended."""

    closed: str  #: why the referee closed it; "" if it is open
    over: bool
    winners: list[Winner]
    n: int  #: number of the newest state
    date: str  #: of that state
    brings_archive: bool  #: whether the last report, sent again, is meant to carry the archive
    template: str = "ended.txt"


def validate_late(submission: Submission, _: Authentication) -> Validation:
    """Answer an email that comes after the end: say how the game ended, and send the last report again."""
    session, record, game = submission.session, submission.session.record, submission.session.game
    outcome = game.outcome(game.view(session.position.state, None))
    is_closed = record.phase == CLOSED
    content = EndedReceipt(
        closed=mark_words(record.rulings[0].reason) if is_closed else "",
        over=outcome is not None,
        winners=list_winners(session.position, outcome),
        n=record.n,
        date=format_date_in_prose(record.time),
        brings_archive=is_closed and ARCHIVE_ATTACHED in record.setup.options,
    )
    subject = GAME_OVER if outcome else GAME_CLOSED
    receipt = create_receipt(session, submission.seat, "", subject, content, resends_report=True)
    summary = "ignored: the game is over; its player gets the last report again"
    if is_closed:
        summary = "ignored: the game is closed; its player gets the last report again"
    # the receipt does not mention a message: nobody was authenticated, so every sender gets the same receipt (P6)
    message = submission.referee_message if record.player(submission.seat).method.code else ()
    effects = (StoreMessage(message),) if message else ()
    return Validation(submission.pending, "ended", summary, receipt, exit_code=1, effects=effects)


def authenticate(submission: Submission) -> Authentication:
    """Authenticate an email by the method of its seat. A question about rules needs no authentication."""
    check_claims(submission)
    if submission.is_stale and not submission.typed_by_referee and not submission.email.order_signatures:
        reason = _explain_former_player(submission)
        if reason:
            return Authentication("", reason, answers_nobody=True)
    authentication = authenticate_player(submission)
    if not authentication.source and only_asks_rules(submission.orders):
        return Authentication(RULES_SOURCE)
    return authentication


def _explain_former_player(submission: Submission) -> str:
    """Return why the email seems to come from the seat's former player, for the referee; "" if it does not.

    Such an email answers a report from before the ruling that replaced the player. It did not come
    from the address of today's player, who gets no answer to it.
    """
    session, seat, sender = submission.session, submission.seat, submission.email.headers.sender
    since = session.record.player(seat).orders_since  # 0: no ruling changed the player
    question = session.position.answered_count(seat) - submission.question_age
    if not since or question >= submission.pending.first_valid_question:
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
    is_hidden = submission.email.may_hold_password
    sentence = sentences.FORMER_PLAYER_HIDDEN if is_hidden else sentences.FORMER_PLAYER
    return sentence.format(previous=previous_name, sender=sender, current=current_name)


def validate(submission: Submission, authentication: Authentication) -> Validation:
    """Validate the orders of an authenticated email, and write its receipt."""
    if authentication.source == RULES_SOURCE:
        result = OrdersResult(
            submission.pending, is_accepted=True, has_changed=False, verdicts=(), commands=submission.orders.commands
        )
        return build_validation(submission, Assessment(result, is_proven=False))
    signatures, undo_reply = authentication.order_signatures, submission.undo_reply
    if signatures is not None:
        return _validate_signed(submission, authentication, signatures)
    if authentication.fault is not None:
        return build_validation(submission, _refuse_all(submission, authentication.fault, undo_reply=undo_reply))
    reply = yes_or_no.read_reply(submission)
    assessment = assess_orders(submission, authentication, reply.orders, submission.question_age, undo_reply)
    if _is_overtaken(submission, assessment):
        assessment = _refuse_all(submission, say(sentences.NEWER_EMAIL_TAKEN), undo_reply=undo_reply)
    elif assessment.result.is_accepted and not assessment.is_stale:
        assessment = _note_arrival(submission, assessment)
    assessment = _with_held_proposal(submission, assessment, reply)
    return build_validation(submission, assessment._replace(vote_signature=authentication.vote_signature))


def refuse(submission: Submission, why: Sentence) -> Validation:
    """Return the validation of an email that is refused as a whole for this reason."""
    return build_validation(submission, _refuse_all(submission, why))


def _refuse_all(
    submission: Submission, why: Sentence, orders: ParsedOrders = _NO_ORDERS, undo_reply: UndoReply | None = None
) -> Assessment:
    """Return an assessment that accepts no line of the email and changes no pending order."""
    verdicts = (LineVerdict(0, "", LineOutcome.REFUSED, why),)  # line 0: the email as a whole
    result = OrdersResult(submission.pending, False, False, verdicts, (), orders)
    return Assessment(result, undo_reply=undo_reply)


def _changed_groups(submission: Submission, assessment: Assessment) -> set[str]:
    """Return the names of the groups of pending orders that an email changes, and ``VOTE`` if it votes on an undo."""
    result = assessment.result
    names = list_changed_groups(submission.pending, result.pending, result.commands)
    return names | {VOTE} if assessment.undo_reply is not None and votes_in(result.commands) else names


def _is_overtaken(submission: Submission, assessment: Assessment) -> bool:
    """Return whether a newer email has already changed the same unsigned orders."""
    if not assessment.result.is_accepted or assessment.is_stale:
        return False
    names, time = _changed_groups(submission, assessment), submission.session.time
    return bool(names) and is_overtaken(submission.pending, names, submission.received_at, time)


def _note_arrival(submission: Submission, assessment: Assessment) -> Assessment:
    """Return the assessment with the time of arrival noted at the orders that the email changed."""
    names = _changed_groups(submission, assessment)
    if not names:
        return assessment
    return _with_pending(assessment, note_arrival(assessment.result.pending, names, submission.received_at))


def _with_pending(assessment: Assessment, pending: PendingOrders) -> Assessment:
    return assessment._replace(result=assessment.result._replace(pending=pending))


def _with_held_proposal(submission: Submission, assessment: Assessment, reply: yes_or_no.ProposalReply) -> Assessment:
    """Return the assessment with a new proposal, without the old one, or with the old one shown again."""
    result, pending = assessment.result, assessment.result.pending
    assessment = assessment._replace(proposal_reply=reply.kind)
    receipt_id = f"r{receipt_name(submission.seat, submission.pending.receipt_count + 1)}"
    if assessment.proposal or (not result.is_accepted and result.parsed_orders.doubtful_lines):
        has_key = submission.session.record.player(submission.seat).method.key
        proposal = () if has_key else assessment.proposal  # a `yes` would not be signed
        question_number = submission.session.position.answered_count(submission.seat)
        return _with_pending(assessment, pending.with_held_email(question_number, proposal, receipt_id))
    # an absence that was confirmed changes no orders
    if result.has_changed or reply.drops_proposal or (reply.confirms and result.is_accepted):
        return _with_pending(assessment, pending.without_held_email())
    says_nothing = not reply.kind and not result.commands
    if reply.kind in yes_or_no.SHOWN_AGAIN or (says_nothing and yes_or_no.is_proposal_waiting(submission)):
        pending = pending._replace(proposal_email_ids=(*pending.proposal_email_ids, receipt_id))
        return _with_pending(assessment, pending)._replace(proposal=pending.proposal)
    return assessment


def assess_orders(
    submission: Submission,
    authentication: Authentication,
    orders: ParsedOrders,
    question_age: int,
    undo_reply: UndoReply | None,
) -> Assessment:
    """Assess which of these orders count. ``question_age``: how many answers the seat has given since its report."""
    session, pending, game = submission.session, submission.pending, submission.session.game
    is_stale = question_age > len(pending.forced_orders)
    context = _make_context(submission, authentication, question_age, is_stale)
    answered_count = session.position.answered_count(submission.seat)
    is_void = question_age >= answered_count + VOID_AGE  # its code is void, so not even standing orders count
    answers_old_question = is_stale and (is_void or _may_answer_question(orders, undo_reply))
    if not is_stale:
        orders = validate_email.prepend_waiting_orders(game, context, pending, orders)
    counted_orders = orders._replace(message_lines=()) if is_stale else orders
    if answers_old_question:
        counted_orders = _NO_ORDERS
    result = validate_email.validate_orders(game, context, pending, counted_orders)
    is_unclear_vote = yes_or_no.is_unclear_vote(undo_reply, orders, result)
    voided_by_ruling = answers_old_question and answered_count - question_age < pending.first_valid_question
    if answers_old_question:
        result = result._replace(parsed_orders=orders)
    proposal = _propose_orders(submission, context, result, is_stale=is_stale)
    return Assessment(
        result, answers_old_question, voided_by_ruling, is_unclear_vote, proposal=proposal, undo_reply=undo_reply
    )


def _make_context(
    submission: Submission, authentication: Authentication, question_age: int, is_stale: bool
) -> EmailContext:
    """Return what the seat is asked, and how its orders were authenticated."""
    session, signatures = submission.session, authentication.order_signatures
    view = session.game.view(session.position.state, submission.seat)
    return EmailContext(
        view=view,
        is_asked=bool(session.game.legal(view)),
        state_hash=b64(session.position.state_hash) if signatures is None else signatures.state_hash,
        orders_since_report=submission.pending.forced_orders[-question_age:] if question_age and not is_stale else (),
        source=authentication.source,
        email_number=0 if signatures is None else signatures.email_number,
        signed_lines=authentication.line_signatures,
    )


def _propose_orders(
    submission: Submission, context: EmailContext, result: OrdersResult, *, is_stale: bool
) -> tuple[str, ...]:
    """Return the orders and commands that the player may have meant; () if there is nothing to propose.

    In an answer to an old question, only an absence is proposed.
    """
    if submission.email.is_automatic or (result.is_accepted and not result.parsed_orders.proposed_commands):
        return ()
    from pbem.play.proposals.proposals import find_proposal
    from pbem.services.receive.prose import make_reader

    reader = make_reader(submission.session, submission.seat, submission.grammar)
    commands = (
        spell_out_absence(submission.session, command) if is_absence(command) else command
        for command in result.parsed_orders.proposed_commands
        if is_absence(command) or not is_stale
    )
    orders = () if is_stale else find_proposal(reader, context, result.parsed_orders)
    return (*orders, *filter(None, commands))


def _may_answer_question(orders: ParsedOrders, undo_reply: UndoReply | None) -> bool:
    """Return whether an email may answer a question. Standing orders and `help` do not."""
    is_about_undo = undo_reply is not None and not orders.commands
    return is_about_undo or bool(orders.doubtful_lines) or any(not line.when for line in orders.now)


def _validate_signed(submission: Submission, authentication: Authentication, signatures: OrderSignatures) -> Validation:
    """Validate signed orders: first their number, then their question, then the orders themselves."""
    orders, number = number_orders(submission.orders), signatures.email_number
    fingerprint = _fingerprint_of(signatures, submission.orders)
    receipt_numbers = dict(submission.pending.handled_marks)
    if (
        number <= submission.pending.newest_signed_number
        and not authentication.fault
        and fingerprint in receipt_numbers
    ):
        effects = (ResendReceipt(receipt_numbers[fingerprint]),)
        return Validation(submission.pending, "repeated", REPEATED, effects=effects)
    refusal = _find_signed_fault(submission, authentication, number)
    if refusal:  # the number is not used up, and the receipt of another email may have it
        return build_validation(submission, _refuse_all(submission, refusal, orders))
    question = find_quoted_question(submission.session, submission.seat, signatures.state_hash)
    if question.refusal:
        assessment = _refuse_all(submission, question.refusal, orders)
    else:
        assessment = assess_orders(submission, authentication, orders, question.age, None)
    assessment = _note_arrival(submission, assessment)
    assessment = _with_pending(assessment, assessment.result.pending._replace(newest_signed_number=number))
    validation = build_validation(submission, assessment._replace(signed_number=number))
    return validation._replace(effects=(*validation.effects, RememberWords(fingerprint)))


def _find_signed_fault(submission: Submission, authentication: Authentication, number: int) -> Sentence | None:
    """Return why signed orders are refused without using up their number; None if they are not refused."""
    last_number = submission.pending.newest_signed_number
    if authentication.fault:
        return authentication.fault
    if number == last_number:
        return say(sentences.NUMBER_REUSED, number=number)
    if number < last_number:
        return say(sentences.NUMBER_OUTDATED, number=number, last=last_number)
    if number > last_number + MAX_LEAP:  # one wrong number must not use up all numbers
        return say(sentences.NUMBER_LEAPS, number=number, last=last_number)
    for row in authentication.line_signatures:
        if len(row.line.encode()) > MAX_SIGNED_BYTES:
            return say(sentences.LINE_TOO_LONG, number=row.number, most=MAX_SIGNED_BYTES)
    return None


def _fingerprint_of(signatures: OrderSignatures, orders: ParsedOrders) -> str:
    """Return a hash by which the same signed orders are recognised in another email."""
    lines = "\n".join(line for _, line in list_signed_lines(orders))
    return digest(f"{write_signatures(signatures)}\n{lines}".encode()).hex()


class QuotedQuestion(NamedTuple):
    """The question for which signed orders were written."""

    age: int = 0  #: how many questions the seat has answered since
    refusal: Sentence | None = None  #: why orders that answer it are refused; None if they can count


def find_quoted_question(session: Session, seat: str, state_hash: str) -> QuotedQuestion:
    """Find the question that was open in the state with this hash.

    The search goes from the newest state back, since each state names the hash of the one before.
    """
    record = session.record
    before_ruling = QuotedQuestion(refusal=say(sentences.BEFORE_A_RULING))
    orders_since = record.player(seat).orders_since
    if state_hash == b64(session.position.state_hash):
        return before_ruling if record.n < orders_since else QuotedQuestion()
    n, prev = record.n - 1, record.previous_hash  # the state to look at, and the hash that it must have
    while n > 1:
        raw = session.folder.read_state(n)
        if raw is None or b64(state_hash_of(raw)) != prev:
            break  # the file is lost, so no older state can be trusted
        if prev == state_hash:
            if n < orders_since:
                return before_ruling
            answered_count = dict(read_unverified_record(raw).answer_counts).get(seat, 0)
            return QuotedQuestion(session.position.answered_count(seat) - answered_count)
        match = _PREV.search(raw)
        n, prev = n - 1, match[1].decode() if match else ""
    return QuotedQuestion(refusal=say(sentences.OTHER_GAMES_REPORT))
