"""Words that mean the same in every game: withdraw, resend, help, rules …, and later ones.

What lives here: recognising them, so that no game reads them otherwise.
What must never be here: doing what they ask.
Law: a reserved word in its form is never read as prose; what this version does not do is told.
Source: docs/NOTATION.md "Words for every game".
"""

import re

ASKS = ("withdraw", "resend", "help")
POLITE = re.compile(
    "please|pls|plz|thanks|thank|thx|ty|you|cheers|danke|bitte|merci|grazie|prego"
    "|kösz|köszi|köszönöm"
)
_RULES = re.compile(r"rules\s+([a-z]{1,4})\s*-?\s*(\d{1,3}[a-z]?)\W*")
_LATER_VERSION = (
    (re.compile(r"message\s+[\w' -]{1,40}\s*:.*"), "message"),
    (re.compile(r"message\s+all\b.*"), "message"),
    (re.compile(r"absent\b.*\d.*"), "absent"),
    (re.compile(r"absent\W*"), "absent"),
    (re.compile(r"(yes|no|leave)\W*"), ""),
)
_LATER = re.compile(r"\W*later\s*([:;.,-]?)\W*")
_LATER_AND = re.compile(r"\W*later\s*:\s*(\S.*)")


def ask_in(line: str) -> str | None:
    """The question or command in a plain line, canonical (``rules CC-26``); None if none."""
    line = re.sub(r"^(?:[*•-]\s+|\d{1,3}[.)]\s*)", "", line).strip(" *_`\"'.!")
    match = _RULES.fullmatch(line)
    if match:
        return f"rules {match[1].upper()}-{match[2].upper()}"
    words = [word for word in re.findall(r"\w+", line) if not POLITE.fullmatch(word)]
    return words[0] if len(words) == 1 and words[0] in (*ASKS, "rules") else None


def not_yet(line: str) -> str | None:
    """The reserved word in a plain line that this version does not act on; None if none."""
    line = re.sub(r"^(?:[*•-]\s+|\d{1,3}[.)]\s*)", "", line).strip(" *_`\"'")
    for pattern, word in _LATER_VERSION:
        match = pattern.fullmatch(line)
        if match:
            return word or match[1]
    return answer_in(line)


def answer_in(line: str) -> str | None:
    """``yes`` or ``no`` in a plain line that says nothing else, politeness apart."""
    words = [word for word in re.findall(r"\w+", line) if not POLITE.fullmatch(word)]
    return words[0] if len(words) == 1 and words[0] in ("yes", "no") else None


def later_heading(line: str) -> tuple[bool, str] | None:
    """If a plain line is the heading `later:`: whether it has its colon, and what follows it."""
    match = _LATER.fullmatch(line)
    if match:
        return match[1] == ":", ""
    match = _LATER_AND.fullmatch(line)
    return (True, match[1]) if match else None
