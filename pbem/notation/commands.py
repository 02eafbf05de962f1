"""Read lines that are commands rather than orders: `withdraw`, `help`, `later:`.

Not allowed here: what follows from a command.
Source: FORMAT.md "Words for every game".
"""

import re
from typing import NamedTuple

from pbem.notation.absence import find_absence, find_unclear_absence
from pbem.notation.asks import MAILS, VOTES, WITHDRAW
from pbem.notation.lines import Grammar
from pbem.notation.tokens import POLITE, canonical_name, strip_accents

COMMANDS = (WITHDRAW, "resend", "help", *VOTES)
_BULLET = re.compile(r"^(?:[*•-]\s+|\d{1,3}[.)]\s*)")
_RULES = re.compile(r"rules\s+([a-z]{1,4})\s*-?\s*(\d{1,3}[a-z]?)\W*")
_MAILS = re.compile(rf"mails? ({'|'.join(MAILS)})")
_RESERVED = re.compile(r"(message)\s+(?:[\w' -]{1,40}\s*:|all\b).*|(leave)\W*")
_ABSENCE = re.compile(r"(?:absente?s?|abwesend|assente|tavol)\b|present\b")
_LATER = re.compile(r"\W*later\s*(?:([:;.,-]?)\W*|:\s*(\S.*))")


def find_command(line: str) -> str | None:
    """Return the command in a plain line, such as ``rules CC-26`` or ``mails round``; None if there is none. A plain
    line comes from ``normalize_line``: it has small letters and single blanks.
    """
    if _ABSENCE.match(strip_accents(line)):
        absence = find_absence(line) or find_unclear_absence(line)
        if absence:
            return absence
    line = _BULLET.sub("", line).strip(" *_`\"'.!")
    if match := _MAILS.fullmatch(" ".join(_words_in(line))):
        return f"mails {match[1]}"
    if match := _RULES.fullmatch(line):
        return f"rules {match[1].upper()}-{match[2].upper()}"
    return _only_word(line, (*COMMANDS, "rules"))


def find_reserved_word(line: str) -> str | None:
    """Return the word in a plain line that is reserved for a later version; None if there is none."""
    match = _RESERVED.fullmatch(_BULLET.sub("", line).strip(" *_`\"'"))
    return match[1] or match[2] if match else None


def is_unknown_mail_choice(line: str) -> bool:
    """Return whether a plain line chooses reports in a way that does not exist: `mails weekly`."""
    words = _words_in(line)
    return len(words) == 2 and words[0] in ("mail", "mails")


def find_vote(line: str) -> str | None:
    """Return ``yes`` or ``no`` if a plain line says only that, apart from polite words; otherwise None."""
    return _only_word(line, VOTES)


def _only_word(line: str, allowed_words: tuple[str, ...]) -> str | None:
    """Return the only word of a line, apart from polite words, if it is allowed. `withdraw?` is not a command."""
    words = _words_in(line)
    if len(words) != 1 or words[0] not in allowed_words:
        return None
    is_question = "?" in line and words[0] != "help"
    return None if is_question else words[0]


def _words_in(line: str) -> list[str]:
    """Return the words of a line, without polite ones."""
    return [word for word in re.findall(r"\w+", line) if not POLITE.fullmatch(word)]


def find_withdraw_command(line: str, grammar: Grammar) -> str | None:
    """Return ``withdraw later``, ``withdraw now`` or ``withdraw NAME`` in a plain line; None if there is none."""
    word, *names = _words_in(line) or [""]
    if names[:1] == ["when"]:
        names = names[1:]
    if word != WITHDRAW or len(names) != 1:
        return None
    name = names[0]
    if name in ("now", "later"):
        return f"{WITHDRAW} {name}"
    return f"{WITHDRAW} {canonical_name(name)}" if grammar.is_name(name) else None


class LaterHeading(NamedTuple):
    """The heading `later:`, above orders for a later turn."""

    has_colon: bool
    order: str  #: the text after it on the same line


def match_later_heading(line: str) -> LaterHeading | None:
    """Return the heading `later:` in a plain line, with or without its colon; None if there is none."""
    match = _LATER.fullmatch(line)
    return LaterHeading(match[1] in (":", None), match[2] or "") if match else None
