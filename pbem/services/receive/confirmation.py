"""A `yes` or `no` to what pbem proposed for an email that was held.

What must never be here: making a proposal (prose.py); an answer to an undo (services/amend).
Laws: a `yes` confirms the lines that the email which it answers has shown, and no others; they are
judged as if they were sent now; it counts for the question that they were proposed for.
Source: docs/decisions/0023-notation-is-played.md.
"""

from typing import NamedTuple

from pbem.mail.text import Line
from pbem.notation.asks import YES
from pbem.notation.lines import ParsedOrders
from pbem.notation.reading import read_orders
from pbem.play.pending_orders import SEVERAL_PROPOSALS
from pbem.report.message_ids import has_our_id, make_message_id
from pbem.services.outbox import NO_ADDRESS
from pbem.services.receive.message import grammar_of
from pbem.services.receive.submission import Submission

#: what becomes of a `yes` or `no` that plays nothing
NO_CHANGE = {
    "nothing": "nothing waits for its `yes` or `no`",
    "other": "the email that it answers proposes nothing",
    "unclear": "words stand beside its `yes` or `no`",
    "dropped": "declines what was proposed",
}
SHOWN_AGAIN = ("other", "unclear")  #: what was proposed waits, and is shown once more
_MOST_IDS = 20  #: Message-IDs of an email that are looked at


class ProposalReply(NamedTuple):
    """What becomes of a `yes` or `no`."""

    orders: ParsedOrders  #: what the email says, with what it confirms
    kind: str = ""  #: what its receipt says of it, the macro ``confirm_KIND``; "" for nothing
    drops_proposal: bool = False  #: what was proposed is not waiting any longer


def read_reply(submission: Submission) -> ProposalReply:
    """What an email with an answer says; of any other, what it says as it is."""
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
    confirmed_orders = read_orders(lines, grammar_of(submission.session.game))
    return ProposalReply(
        confirmed_orders._replace(
            commands=(*orders.commands, *confirmed_orders.commands), message_lines=orders.message_lines
        )
    )


def _has_words_beside(orders: ParsedOrders) -> bool:
    """Whether words stand right above or below the answer: `yes`, `but only if Ben agrees`."""
    answer_numbers = {number for number, kind in orders.other_lines if kind == "asked"}
    return any(not answer_numbers.isdisjoint((line.number - 1, line.number + 1)) for line in orders.message_lines)


def is_proposal_waiting(submission: Submission) -> bool:
    """Whether something that was proposed waits for a `yes` at this question."""
    question = submission.session.position.answered_count(submission.seat)
    return bool(submission.pending.proposal) and submission.pending.held_question == question + 1


def _answers_proposal(submission: Submission) -> bool:
    """Whether it answers an email that shows what was proposed; or names no email of ours, and
    nothing else was proposed at this question.
    """
    session, headers = submission.session, submission.email.headers
    answered_ids = f"{headers.references} {headers.in_reply_to}".lower().split()  # the last is answered
    answered_ids = [mail_id for mail_id in answered_ids[-_MOST_IDS:] if has_our_id(mail_id, session.known_codes)]
    if submission.typed_by_referee or not answered_ids:
        return submission.typed_by_referee or SEVERAL_PROPOSALS not in submission.pending.proposal_email_ids
    sender, code = session.players.referee.address or NO_ADDRESS, session.code(submission.seat)
    proposal_ids = (
        make_message_id(session.codes_secret, session.record.game, name, sender, code).lower()
        for name in submission.pending.proposal_email_ids
    )
    return answered_ids[-1] in proposal_ids
