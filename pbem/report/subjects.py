"""The subjects of receipts: what became of an email, in a few words.

What must never be here: anything that is not in the receipt's first line; the code.
Law: never that an email was received, which says nothing.
Source: docs/decisions/0014-the-post.md.
"""

import re

from pbem.engine.row import Row

#: what became of an email, for the subject of its receipt, by kind of headline
RECEIPT_SUBJECTS = {
    "settled": "no orders accepted, that question is settled",
    "ruled": "no orders accepted, the referee made a ruling",
    "refused": "no orders accepted, please correct them",
    "refused_whole": "no orders accepted",
    "voted": "your `{answer}` is noted",
    "voted_with_orders": "your `{answer}` is noted, {number} accepted",
    "accepted": "{number} accepted",
    "done": "played for you already",
    "withdrawn": "your orders are withdrawn",
    "withdrawn_part": "these orders are withdrawn",
    "nothing_to_withdraw": "nothing to withdraw",
    "sent_again": "your report comes again",
    "chosen": "your choice is noted",
    "absence": "when you are away",
    "answered": "what you asked for",
    "no_order": "no order found",
    "letter": "your words go to your referee",
    "proposed": "please confirm your orders",
    "confirm_nothing": "nothing to confirm",
    "confirm_other": "please confirm your orders",
    "confirm_unclear": "please confirm your orders",
    "confirm_dropped": "your orders are not played",
    "undo_unclear": "please answer yes or no",
    "undo_same": "your `{answer}` still counts",
    "undo_over": "the undo has been decided",
    "undo_again": "please answer the later question",
}

#: what became of an answer, for the subject of its receipt, by kind of headline
ANSWER_SUBJECTS = {
    "refused": "your answer was not accepted",
    "withdrawn": "your answer is withdrawn",
    "nothing_to_withdraw": "nothing to withdraw",
    "help": "how to answer",
    "asked": "what you asked for",
    "sent_again": "the last email comes again",
    "declined": "you have declined",
    "received": "your answer is accepted",
    "letter": "please answer yes or no",
    "letter_too": "your answer stays as it is",
}

#: of a report that asks nothing, by the first of these facts that is there
REPORT_SUBJECTS = {
    "welcome": "you play from now on",
    "open": "your seat is open to another player",
    "missed": "your turn was missed",
    "new_referee": "who signs from now on",
    "rulings": "a ruling of the referee",
}

#: of an email to whoever has the address that another seat's orders came from
IGNORED_SUBJECT = "an email from your address was ignored"

#: the subjects of emails that have no signed block: before the deal, and what tells nothing that
#: a referee could deny
UNSIGNED_SUBJECT = re.compile(
    f": (?:{'|'.join(map(re.escape, ANSWER_SUBJECTS.values()))}|you are invited|your password"
    "|who gave what to the deal|open your contribution|reminder, by .*|an answer from your referee"
    f"|may this be undone\\?|it is not undone|your email was ignored|{IGNORED_SUBJECT}"
    "|.* plays .* from now on)"
    r"(?: \[pbem .*)?$"
)


def receipt_subject(headline: Row) -> str:
    """The subject of a receipt, but for game and code: what became of the email."""
    facts = dict(headline.facts)
    if "number" in facts:
        facts["number"] = f"{facts['number']} order{'s' * (facts['number'] != 1)}"
    return RECEIPT_SUBJECTS[headline.kind].format(**facts)
