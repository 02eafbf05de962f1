"""Lines that are no orders and mean something to the moderator: `withdraw`, `help`, `later:`.

What must never be here: what is done about them.
Law: total: any text is one of these or none.
Source: docs/NOTATION.md "Words for every game".
"""

import re

from pbem.notation.absence import absent_in, unclear_in
from pbem.notation.asks import MAILS, VOTES, WITHDRAW
from pbem.notation.grammar import Grammar
from pbem.notation.tokens import POLITE, bare, canonical_name

ASKS = (WITHDRAW, "resend", "help", *VOTES)
_BULLET = re.compile(r"^(?:[*•-]\s+|\d{1,3}[.)]\s*)")
_RULES = re.compile(r"rules\s+([a-z]{1,4})\s*-?\s*(\d{1,3}[a-z]?)\W*")
_MAILS = re.compile(rf"mails? ({'|'.join(MAILS)})")
_LATER_VERSION = re.compile(r"(message)\s+(?:[\w' -]{1,40}\s*:|all\b).*|(leave)\W*")
_ABSENCE = re.compile(r"(?:absente?s?|abwesend|assente|tavol)\b|present\b")
_LATER = re.compile(r"\W*later\s*(?:([:;.,-]?)\W*|:\s*(\S.*))")


def ask_in(line: str) -> str | None:
    """The question or command in a plain line, canonical (``rules CC-26``, ``mails round``,
    ``yes``); None if none.
    """
    if _ABSENCE.match(bare(line)) and (away := absent_in(line) or unclear_in(line)):
        return away
    line = _BULLET.sub("", line).strip(" *_`\"'.!")
    if match := _MAILS.fullmatch(" ".join(_said(line))):
        return f"mails {match[1]}"
    if match := _RULES.fullmatch(line):
        return f"rules {match[1].upper()}-{match[2].upper()}"
    return _only_word(line, (*ASKS, "rules"))


def not_yet(line: str) -> str | None:
    """The reserved word in a plain line that this version does not act on; None if none."""
    match = _LATER_VERSION.fullmatch(_BULLET.sub("", line).strip(" *_`\"'"))
    return match[match.lastindex or 0] if match else None


def is_choice(line: str) -> bool:
    """Whether a plain line chooses emails in a way that there is not: `mails weekly`."""
    return len(said := _said(line)) == 2 and said[0] in ("mail", "mails")


def answer_in(line: str) -> str | None:
    """``yes`` or ``no`` in a plain line that says nothing else, politeness apart."""
    return _only_word(line, VOTES)


def _only_word(line: str, known: tuple[str, ...]) -> str | None:
    words = _said(line)
    if len(words) != 1 or words[0] not in known or ("?" in line and words[0] != "help"):
        return None
    return words[0]


def _said(line: str) -> list[str]:
    return [word for word in re.findall(r"\w+", line) if not POLITE.fullmatch(word)]


def withdrawn_in(line: str, grammar: Grammar) -> str | None:
    """``withdraw later``, ``withdraw now`` or ``withdraw NAME`` in a plain line, canonical."""
    word, *part = _said(line) or [""]
    part = part[1:] if part[:1] == ["when"] else part
    if word != WITHDRAW or len(part) != 1:
        return None
    name = part[0]
    if name in ("now", "later"):
        return f"{WITHDRAW} {name}"
    return f"{WITHDRAW} {canonical_name(name)}" if grammar.is_name(name) else None


def later_heading(line: str) -> tuple[bool, str] | None:
    """If a plain line is the heading `later:`: whether it has its colon, and what follows it."""
    match = _LATER.fullmatch(line)
    return (match[1] in (":", None), match[2] or "") if match else None
