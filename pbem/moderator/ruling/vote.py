"""`yes` and `no` in a mail, to the question whether orders may be undone.

What lives here: finding the one answer in what a player wrote. What must never be here: whether he
is asked (consent.py), keeping it.
Law: an answer with a condition, or two different ones, is none.
Source: decision 0005 ("Consent lies in desk/ until it is complete").
"""

import re

from pbem.files.orders import reserved
from pbem.files.orders.sheet import Sheet
from pbem.files.orders.tokens import plain
from pbem.moderator.ruling.consent import NO, YES

ELSEWHERE = "to say so of the undo, answer the mail that asks about it: it has a code of its own"
_SPOKEN = re.compile(
    r"\W*(?:(yes|no)\s*(?:[,.;:!\u2013\u2014]| - )|(yes|no) (?:way|go on|go ahead)\b)"
)
_CONDITION = re.compile(
    r"\b(yes|no|not|but|if|only|unless|until|when|then|first|except|however|though|although|or|ask"
    r"|provided|depends|maybe|perhaps|what|why|how|which)\b|\?|n't\b|n\u2019t\b"
)


def answer_in(sheet: Sheet) -> Sheet:
    """The mail with the one answer in it among what it asks; where there are two, none counts."""
    votes = [suspect for suspect in sheet.suspects if _vote(suspect.text)]
    said = {_vote(vote.text) for vote in votes}
    if not (sheet.suspects or sheet.first or sheet.later or sheet.asks):
        said = {spoken for spoken in [_spoken([line.text for line in sheet.unread])] if spoken}
    if len(said) > 1:
        return _doubted(sheet, "there are both `yes` and `no` in this mail: send one")
    rest = tuple(suspect for suspect in sheet.suspects if suspect not in votes)
    return sheet._replace(suspects=rest, asks=(*sheet.asks, *said))


def elsewhere(sheet: Sheet) -> Sheet:
    """`yes` in a mail that answers another question than the undo its player is asked about."""
    return _doubted(sheet, ELSEWHERE)


def votes(sheet: Sheet) -> bool:
    """Whether there is such a `yes` in it, and nothing else is ordered."""
    return any(suspect.reason == ELSEWHERE for suspect in sheet.suspects)


def _doubted(sheet: Sheet, why: str) -> Sheet:
    told = tuple(s._replace(reason=why) if _vote(s.text) else s for s in sheet.suspects)
    return sheet._replace(suspects=told)


def _spoken(lines: list[str]) -> str:
    """``yes`` or ``no`` that begins what was written, and stands apart from it: `Yes, go on`.

    "" where anything after it may be a condition, or another answer.
    """
    found = _SPOKEN.match(plain(lines[0])) if lines else None
    rest = plain(" ".join(lines))[found.end() :] if found else ""
    return found[1] or found[2] if found and not _CONDITION.search(rest) else ""


def _vote(text: str) -> str:
    """``yes``, ``no`` or ""."""
    said = reserved.not_yet(plain(text))
    return said if said in (YES, NO) else ""
