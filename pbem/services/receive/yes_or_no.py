"""A `yes` or `no` in an email: it answers a proposal of pbem, or a question about an undo.

A proposal is a list of orders that pbem takes a player's words for. It waits for their `yes`.
Not allowed here: making a proposal (play/proposals); storing a vote (services/amend).
Laws: a `yes` confirms exactly the lines in the email that it answers; they are validated as if they
were sent now; it counts only for the question for which they were proposed.
Source: docs/decisions/0023-notation-is-played.md.
"""

from typing import NamedTuple

from pbem.engine.row import Row
from pbem.mail.text import Line
from pbem.notation.asks import YES
from pbem.notation.lines import ParsedOrders
from pbem.notation.reading import read_orders
from pbem.play.consent import UndoReply
from pbem.play.pending_orders import SEVERAL_PROPOSALS
from pbem.play.validate_email import OrdersResult
from pbem.report.message_ids import has_our_id, make_message_id
from pbem.report.receipt import votes_in
from pbem.services.outbox import NO_ADDRESS
from pbem.services.receive.submission import Submission

#: summaries of a `yes` or `no` that changes no orders, by the kind of reply
NO_CHANGE = {
    "nothing": "nothing waits for its `yes` or `no`",
    "other": "the email that it answers proposes nothing",
    "unclear": "there are other words beside its `yes` or `no`",
    "dropped": "declines what was proposed",
}
SHOWN_AGAIN = ("other", "unclear")  #: the proposal stays, and the receipt shows it once more
_MOST_IDS = 20  #: how many Message-IDs that an email answers are looked at


class ProposalReply(NamedTuple):
    """What an email with a `yes` or `no` says."""

    orders: ParsedOrders  #: the orders of the email, with those that it confirms
    kind: str = ""  #: what its receipt says of the answer, for the macro ``confirm_KIND``; "" for nothing
    drops_proposal: bool = False
    confirms: bool = False  #: it agrees to the proposal


def read_reply(submission: Submission) -> ProposalReply:
    """Return the orders of an email with those that its `yes` confirms, or why it confirms none."""
    orders = submission.orders
    if not submission.proposal_answer:
        return ProposalReply(orders)
    if orders.now or orders.later or orders.doubtful_lines:
        return ProposalReply(orders, "besides")
    if not is_proposal_waiting(submission):
        return ProposalReply(orders, "nothing")
    if not _answers_proposal(submission):
        return ProposalReply(orders, "other")
    if _has_words_beside(orders):
        return ProposalReply(orders, "unclear")
    if submission.proposal_answer != YES:
        return ProposalReply(orders, "dropped", drops_proposal=True)
    lines = [Line(number, text) for number, text in enumerate(submission.pending.proposal, 1)]
    confirmed_orders = read_orders(lines, submission.grammar)
    commands = (*orders.commands, *confirmed_orders.commands)
    return ProposalReply(
        confirmed_orders._replace(commands=commands, message_lines=orders.message_lines), confirms=True
    )


def _has_words_beside(orders: ParsedOrders) -> bool:
    """Return whether there are words right above or below the answer: `yes`, `but only if Ben agrees`."""
    answer_numbers = {number for number, kind in orders.other_lines if kind == "asked"}
    return any(not answer_numbers.isdisjoint((line.number - 1, line.number + 1)) for line in orders.message_lines)


def is_proposal_waiting(submission: Submission) -> bool:
    """Return whether a proposal for the present question waits for a `yes`."""
    question = submission.session.position.answered_count(submission.seat)
    return bool(submission.pending.proposal) and submission.pending.held_question == question + 1


def _answers_proposal(submission: Submission) -> bool:
    """Return whether the email answers one of our emails that shows the proposal.

    If it names none of our emails, it counts as such an answer unless this question had several proposals.
    """
    session, headers = submission.session, submission.email.headers
    if submission.typed_by_referee:
        return True
    named_ids = f"{headers.references} {headers.in_reply_to}".lower().split()  # the last one is answered
    our_ids = [mail_id for mail_id in named_ids[-_MOST_IDS:] if has_our_id(mail_id, session.known_codes)]
    if not our_ids:
        return SEVERAL_PROPOSALS not in submission.pending.proposal_email_ids
    sender = session.players.referee.address or NO_ADDRESS
    code = session.code(submission.seat)
    proposal_ids = (
        make_message_id(session.codes_secret, session.record.game, name, sender, code).lower()
        for name in submission.pending.proposal_email_ids
    )
    return our_ids[-1] in proposal_ids


def is_unclear_vote(undo_reply: UndoReply | None, orders: ParsedOrders, result: OrdersResult) -> bool:
    """Return whether an email answers an open undo without a `yes` or `no`, and does nothing else."""
    return undo_reply is not None and undo_reply.is_open and not orders.commands and not result.has_changed


def undo_headlines(headline: Row, undo_reply: UndoReply, result: OrdersResult, is_unclear: bool) -> list[Row]:
    """Return what became of an email that answers an undo. ``headline``: what became of its orders."""
    if not undo_reply.is_open:
        return [Row("undo_again" if undo_reply.is_asked_again else "undo_over")]
    if is_unclear and undo_reply.answer:
        return [Row("undo_same", {"answer": undo_reply.answer})]
    if is_unclear:
        return [Row("undo_unclear")]
    has_voted = result.is_accepted and votes_in(result.commands)
    return [headline] if has_voted or undo_reply.answer else [headline, Row("undo_open")]
