"""A `yes` or `no` to what pbem proposed for an email that was held.

What must never be here: making a proposal (prose.py); an answer to an undo (services/amend).
Laws: a `yes` confirms the lines that the email which it answers has shown, and no others; they are
judged as if they were sent now; it counts for the question that they were proposed for.
Source: docs/decisions/0023-notation-is-played.md.
"""

from typing import NamedTuple

from pbem.mail.text import Line
from pbem.notation.asks import YES
from pbem.notation.lines import Sheet
from pbem.notation.reading import read_orders
from pbem.play.pending_orders import SEVERAL
from pbem.report.message_ids import message_id, ours
from pbem.services.outbox import NO_ADDRESS
from pbem.services.receive.message import grammar_of
from pbem.services.receive.submission import Case

#: what becomes of a `yes` or `no` that plays nothing
NO_CHANGE = {
    "nothing": "nothing waits for its `yes` or `no`",
    "other": "the email that it answers proposes nothing",
    "unclear": "words stand beside its `yes` or `no`",
    "dropped": "declines what was proposed",
}
AGAIN = ("other", "unclear")  #: what was proposed waits, and is shown once more
_MOST_NAMED = 20  #: Message-IDs of an email that are looked at


class Reply(NamedTuple):
    """What becomes of a `yes` or `no`."""

    sheet: Sheet  #: what the email says, with what it confirms
    kind: str = ""  #: what its receipt says of it, the macro ``confirm_KIND``; "" for nothing
    drops: bool = False  #: what was proposed is not waiting any longer


def reply_of(case: Case) -> Reply:
    """What an email with an answer says; of any other, what it says as it is."""
    sheet = case.sheet
    if not case.answer:
        return Reply(sheet)
    if sheet.first or sheet.later or sheet.suspects:
        return Reply(sheet, "besides")
    if not waits(case):
        return Reply(sheet, "nothing")
    if not _answers_it(case):
        return Reply(sheet, "other")
    if _touches_words(sheet):
        return Reply(sheet, "unclear")
    if case.answer != YES:
        return Reply(sheet, "dropped", drops=True)
    lines = [Line(number, text) for number, text in enumerate(case.hand.proposal, 1)]
    confirmed = read_orders(lines, grammar_of(case.session.game))
    return Reply(confirmed._replace(asks=(*sheet.asks, *confirmed.asks), unread=sheet.unread))


def _touches_words(sheet: Sheet) -> bool:
    """Whether words stand right above or below the answer: `yes`, `but only if Ben agrees`."""
    asked = {number for number, kind in sheet.others if kind == "asked"}
    return any(not asked.isdisjoint((line.number - 1, line.number + 1)) for line in sheet.unread)


def waits(case: Case) -> bool:
    """Whether something that was proposed waits for a `yes` at this question."""
    question = case.session.position.answered(case.seat)
    return bool(case.hand.proposal) and case.hand.held == question + 1


def _answers_it(case: Case) -> bool:
    """Whether it answers an email that shows what was proposed; or names no email of ours, and
    nothing else was proposed at this question.
    """
    session, headers = case.session, case.message.headers
    named = f"{headers.references} {headers.in_reply_to}".lower().split()  # the last is answered
    named = [one for one in named[-_MOST_NAMED:] if ours(one, session.known_codes)]
    if case.typed or not named:
        return case.typed or SEVERAL not in case.hand.shown
    sender, code = session.players.referee.address or NO_ADDRESS, session.code(case.seat)
    shown = (
        message_id(session.codes_secret, session.link.game, name, sender, code).lower()
        for name in case.hand.shown
    )
    return named[-1] in shown
