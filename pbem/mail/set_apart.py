"""The words of people in the emails that we write: how they are set apart, and passed over again.

What lives here: the mark before each line that a player or the referee wrote. What must never be
here: what anybody wrote.
Law: in a text that we wrote, quoted or not, nothing behind the mark is a code, a block or a line of
the moderator's. Linear time.
Source: docs/SPECIFICATION.md section 10 ("Read out of an email"); docs/decisions/0027.
"""

import re
import textwrap

from pbem.mail.identity import find_codes
from pbem.mail.text import fold_text

MARK, MARKED_WIDTH = "  | ", 66  #: before each line of such words, and how broad it may be
#: besides a code: what a block begins with or has, or what says that a text cannot be read
_OUR_WORDS = r"(?i)pbem\s1\b|\bline\s+kept\b|[a-z0-9_-]{43}|content-transfer-encoding"


def mark_words(text: str) -> str:
    """Words of people as lines of their own, each behind the mark."""
    lines = (textwrap.wrap(line, MARKED_WIDTH) or [""] for line in text.splitlines())
    return "\n".join(f"{MARK}{line}".rstrip() for wrapped_lines in lines for line in wrapped_lines)


def looks_like_ours(text: str) -> bool:
    """Whether a reader of our emails could take it for a code, or for part of a signed block."""
    return bool(find_codes(text) or re.search(_OUR_WORDS, fold_text(text)))
