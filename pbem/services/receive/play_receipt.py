"""Write the receipt of a player's orders, and sum up their validation for the referee's screen.

Not allowed here: which orders count (play.py); storing anything.
Law: what a receipt says depends only on the seat's own View and lines and on the rules (P2).
Source: docs/DESIGN.md "Email", P2; FORMAT.md "Signed receipts".
"""

from typing import NamedTuple

from pbem.engine.row import Row
from pbem.notation.absence import is_absence
from pbem.notation.asks import WITHDRAW
from pbem.play.consent import UndoReply
from pbem.play.half_action import find_unfinished_turn
from pbem.play.pending_orders import format_pending_orders, list_possible_groups
from pbem.play.sentences import HALF
from pbem.play.validate_email import OrdersResult
from pbem.play.validation import LineOutcome
from pbem.report.receipt import (
    ORDERS_COMPLETE,
    QUESTION_STILL_OPEN,
    UNANSWERED,
    OrdersReceipt,
    choices_like,
    completeness_rows,
    describe_commands,
    list_replaced_orders,
    public_verdicts,
    receipt_block_lines,
    receipt_headline,
    receipt_subject,
    replaced_groups,
    verdict_lines,
    verdict_rows,
    votes_in,
    withdrawals_in,
)
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services import html
from pbem.services.receipts import StoredReceipt, create_receipt
from pbem.services.receive import yes_or_no
from pbem.services.receive.absences import read_absences
from pbem.services.receive.result import Effect, StoreAbsences, StoreMessage, StoreVote, Validation
from pbem.services.receive.submission import Submission, answer_rows
from pbem.services.recipients import FEW

SUMMARIES = {
    "stale": "not accepted: that question is settled (the report goes out again)",
    "refused": "not accepted, the receipt says why",
}


class Assessment(NamedTuple):
    """The orders of an email that count, and what else it says."""

    result: OrdersResult
    is_stale: bool = False  #: it answers a question that is settled
    voided_by_ruling: bool = False  #: it is stale because a ruling made older answers void
    is_unclear_vote: bool = False  #: it answers an open undo, but says neither `yes` nor `no`
    is_proven: bool = True  #: it is authenticated; otherwise its receipt shows only rules
    signed_number: int = 0  #: the player's own number for signed orders; 0 for unsigned ones
    proposal: tuple[str, ...] = ()  #: the orders that the player may have meant, to be confirmed
    proposal_reply: str = ""  #: what became of a `yes` or `no`: ``ProposalReply.kind``
    undo_reply: UndoReply | None = None  #: the request for an undo that it answers
    vote_signature: str = ""  #: of the `yes` or `no` to that request; "" if it is not signed

    @property
    def is_undo_open(self) -> bool:
        return self.undo_reply is not None and self.undo_reply.is_open

    @property
    def accepted_commands(self) -> tuple[str, ...]:
        return self.result.commands if self.result.is_accepted else ()

    @property
    def only_answers_proposal(self) -> bool:
        """Whether the email says `yes` or `no`, and that changes no orders. Its receipt then says only why."""
        return self.proposal_reply in yes_or_no.NO_CHANGE and not self.result.has_changed


def build_validation(submission: Submission, assessment: Assessment) -> Validation:
    """Return the validation of an email whose orders were assessed, with its receipt."""
    kind = _verdict_kind(assessment)
    result = assessment.result
    verdicts, requests = result.verdicts, result.commands
    if not submission.shows_hidden_orders:
        verdicts = public_verdicts(submission.session.game, result.parsed_orders, verdicts)
        withdrawals = withdrawals_in(requests)
        requests = tuple(dict.fromkeys(WITHDRAW if command in withdrawals else command for command in requests))
    shown_verdicts = () if assessment.is_stale else verdicts
    extra_lines = [f"  {line}" for line in verdict_lines(shown_verdicts)]
    # commands in a refused email are answered too, except that no absence is noted
    answered_requests = [command for command in requests if result.is_accepted or not is_absence(command)]
    if answered_requests:
        extra_lines.append(f"  asked for: {describe_commands(tuple(answered_requests))}")
    return Validation(
        pending=result.pending,
        kind=kind,
        summary=_summary(kind, assessment),
        receipt=build_receipt(submission, assessment),
        exit_code=0 if kind in ("kept", "answered") else 1,
        verdicts=shown_verdicts,
        requests=requests,
        extra_lines=tuple(extra_lines),
        effects=_list_effects(submission, assessment),
    )


def _verdict_kind(assessment: Assessment) -> str:
    """Return the kind of verdict, a key of ``KEYS_BY_KIND`` in result.py."""
    if assessment.is_stale:
        return "stale"
    if assessment.result.has_changed:
        return "kept"
    is_unresolved = assessment.is_unclear_vote or assessment.proposal_reply in ("nothing", *yes_or_no.SHOWN_AGAIN)
    return "answered" if assessment.result.is_accepted and not is_unresolved else "refused"


def _summary(kind: str, assessment: Assessment) -> str:
    """Return the verdict in words, for the referee's screen."""
    result = assessment.result
    if assessment.undo_reply is not None and assessment.is_stale:
        return "not counted: it answers a question about an undo that has been decided"
    if assessment.undo_reply is not None and assessment.is_unclear_vote:
        return "neither `yes` nor `no` to the undo"
    if assessment.only_answers_proposal:
        return yes_or_no.NO_CHANGE[assessment.proposal_reply]
    if kind == "kept":
        return "accepted" if result.pending.orders else "all pending orders withdrawn"
    if kind == "answered":
        return "answered" if result.commands else "no order in it"
    return SUMMARIES[kind]


def _list_effects(submission: Submission, assessment: Assessment) -> tuple[Effect, ...]:
    """List what an email causes, apart from new pending orders and a receipt."""
    if not assessment.is_proven:
        return ()
    effects = list[Effect]()
    message = submission.referee_message
    if message:
        effects.append(StoreMessage(message))
    commands = assessment.accepted_commands
    absences = read_absences(submission.session, submission.seat, commands).absences
    if absences is not None:
        effects.append(StoreAbsences(absences))
    votes = votes_in(commands)
    if votes:
        effects.append(StoreVote(votes, assessment.vote_signature))
    return tuple(effects)


def build_receipt(submission: Submission, assessment: Assessment) -> StoredReceipt:
    """Make the receipt of an email. It will be stored with the pending orders, so that it cannot be lost."""
    session, seat, result = submission.session, submission.seat, assessment.result
    code = assessment.undo_reply.code if assessment.undo_reply and assessment.is_undo_open else session.code(seat)
    answers = answer_rows(session, seat, result.commands, result.is_accepted) if result.commands else []
    message_row = _message_row(submission, assessment)
    view = session.game.view(session.position.state, seat)
    headline = _headline(submission, assessment, message_row, is_asked=bool(session.game.legal(view)))
    headlines, wanted_rows = [headline], list[Row]()
    if assessment.undo_reply and (assessment.is_undo_open or assessment.is_stale):
        headlines = yes_or_no.undo_headlines(headline, assessment.undo_reply, result, assessment.is_unclear_vote)
    answered_count = session.position.answered_count(seat)
    if not assessment.is_undo_open:  # while players are asked about an undo nothing is played
        wanted_rows = completeness_rows(session.game, view, result.pending, answered_count)
    replaced_orders = list_replaced_orders(submission.pending, result.pending)
    # accepted orders are shown among the pending ones, as pbem understood them
    order_verdicts = [
        verdict
        for verdict in result.verdicts
        if verdict.outcome != LineOutcome.MESSAGE
        and not (verdict.is_accepted and (verdict.why is None or verdict.why.text == HALF))
    ]
    is_unanswered = headline.kind in UNANSWERED and assessment.is_proven and not assessment.undo_reply
    question = html.open_question(session, seat, result.pending) if is_unanswered else {}
    choices = choices_like(question.get("choices", ()), result.verdicts)
    has_half = result.has_changed or is_unanswered
    half = html.half_action_question(session, seat, result.pending) if has_half else {}
    if half and not half["choices"]:
        wanted_rows = [Row("reveals") if row.kind == "goes_on" else row for row in wanted_rows]
    content = OrdersReceipt(
        kind=session.game.kind,
        way=session.record.player(seat).method_name,
        names={person.seat: person.name for person in session.record.people},
        headline=(*headlines, *(wanted_rows if result.has_changed else ())),
        lines=[] if assessment.is_stale else verdict_rows(order_verdicts),
        answers=answers,
        hand=format_pending_orders(list_possible_groups(result.pending.groups, session.game, view)),
        replaced=replaced_orders.replaced,
        back=replaced_orders.back,
        withdrawn=not any(verdict.is_accepted for verdict in result.verdicts),
        cited="" if assessment.is_stale else next((verdict.rule for verdict in result.verdicts if verdict.rule), ""),
        half=half,
        question=question | {"choices": choices, "is_part": choices != question["choices"]} if question else {},
        proposal=assessment.proposal,
        letter=message_row if headline.kind != "letter" else None,
        elsewhere=submission.unregistered_sender,
        not_read=submission.email.unread_files,
        minutes=session.record.clock.replace_minutes if wanted_rows == [ORDERS_COMPLETE] else 0,
        proven=assessment.is_proven,
        block=_receipt_block(submission, assessment),
    )
    resend = assessment.is_stale or "resend" in result.commands
    subject = receipt_subject(headlines[0], wanted_rows if result.has_changed else ())
    receipt = create_receipt(session, seat, code, subject, content, resend)
    is_still_asked = wanted_rows == [QUESTION_STILL_OPEN]
    has_news = content.elsewhere or content.replaced or message_row or assessment.undo_reply or is_still_asked
    return receipt._replace(is_quiet=_can_stay_unsent(submission, assessment) and not has_news)


def _message_row(submission: Submission, assessment: Assessment) -> Row | None:
    """Return what the receipt says about a message to the referee, or None if there is no message."""
    # a doubtful line for which pbem proposes nothing may be a question to the referee
    is_unclear = submission.orders.doubtful_lines and not assessment.proposal
    has_words = submission.orders.message_lines or submission.email.lines_beside_file or is_unclear
    message = submission.referee_message if assessment.is_proven and has_words else ()
    row = submission.referee_message_row(message)
    return Row("kept_with_unclear") if row == Row("kept") and is_unclear else row


def _headline(submission: Submission, assessment: Assessment, message_row: Row | None, *, is_asked: bool) -> Row:
    """Return what became of the orders, or of the proposal if the email answers or needs one."""
    result, message_kind = assessment.result, message_row.kind if message_row else ""
    position, game = submission.session.position, submission.session.game
    open_questions = game.questions(game.view(position.state, None))
    players_asked = [position.player_name(question.seat) for question in open_questions]
    headline = receipt_headline(
        result, assessment.is_stale, assessment.voided_by_ruling, message_kind, is_asked, players_asked
    )
    if assessment.only_answers_proposal and not assessment.is_stale:
        return Row(f"confirm_{assessment.proposal_reply}", {"answer": submission.proposal_answer})
    if assessment.proposal and (not result.is_accepted or headline.kind in ("no_order", "letter")):
        return Row("proposed")
    return headline


def _can_stay_unsent(submission: Submission, assessment: Assessment) -> bool:
    """Return whether a player who wants few emails does not need this receipt (decision 0018).

    That is so if their orders were accepted as written, and either complete the turn or lead to
    something that nobody can foresee. A receipt for signed orders is a proof, so it is always sent.
    """
    result, game = assessment.result, submission.session.game
    if result.pending.report_choice != FEW or not result.has_changed or result.commands or assessment.signed_number:
        return False
    if submission.proposal_answer or any(line.text != line.order for line in submission.orders.now):
        return False  # the player wrote prose, and the receipt shows what orders pbem took it for
    view = game.view(submission.session.position.state, submission.seat)
    unfinished_turn = find_unfinished_turn(game, view, result.pending)
    all_accepted = all(verdict.outcome in (LineOutcome.ACCEPTED, LineOutcome.MESSAGE) for verdict in result.verdicts)
    return all_accepted and not (unfinished_turn and unfinished_turn.is_certain)


def _receipt_block(submission: Submission, assessment: Assessment) -> str:
    """Write the signed block, so that the referee cannot deny that these orders were pending."""
    session, result = submission.session, assessment.result
    absence_lines = read_absences(session, submission.seat, assessment.accepted_commands).noted_lines
    replaced_numbers = [group.email_number for group in replaced_groups(submission.pending, result.pending)]
    receipt = Receipt(
        game=session.record.game,
        seat=submission.seat,
        orders_number=assessment.signed_number or (result.pending.newest_email_number if result.has_changed else 0),
        time=session.time,
        n=session.record.n,
        state_hash=session.position.state_hash,
        restore_hash=session.record.latest_restored_hash(session.position.state_hash),
        replaced_number=max(replaced_numbers, default=0),
        lines=() if assessment.is_stale else receipt_block_lines(result, bool(assessment.signed_number), absence_lines),
    )
    return write_receipt_block(receipt, session.key.signing, session.key.public)
