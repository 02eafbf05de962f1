"""What shows whose an email is: reply codes such as ``[pbem K7Q2-9F3A]``, the line `password …`,
game ids.

The bar that marks words of people is here too: no code is read in a line behind it.

Not allowed here: whether a code or a password is valid; storing or quoting a password.
Source: FORMAT.md section 4; Crockford base32 (no I L O U; O is read as 0, I and L as 1);
docs/SPECIFICATION.md section 10 ("Read out of an email"); docs/decisions/0009 and 0027.
"""

import re
import textwrap

from pbem.mail.text import fold_text

#: the id of a game, as crypto/encoding.py makes it
GAME_ID = "[a-z2-7]{26}"
MOST_CODES = 10  #: of one text that pbem tries
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

# Mail programs wrap inside the brackets and quote the second half with `>`. The gap is bounded, so
# that a megabyte of blanks after a bracket costs nothing.
_GAP = r"[\s>]{0,16}"
_FOUR_LETTERS = r"([0-9a-hj-km-np-tv-zilo]{4})"
_DASH = "[-\u2010-\u2015\u2212_.]?"
# Compiled at first use: it takes 2 ms, and commands that only write codes do not need it.
_CODE = rf"(?i)\[{_GAP}pbem{_GAP}{_FOUR_LETTERS}{_GAP}{_DASH}{_GAP}{_FOUR_LETTERS}{_GAP}\]"
_BARRED_LINE = r"(?m)^(?:[^\S\n]|>)*\|.*"
_LOOKALIKES = str.maketrans("OIL", "011")
_PASSWORD_LINE = r"(?is)[\s>*•\"'`_-]{0,20}passwords?(?![^\W_])[\s:=_*-]*(.*)"  # noqa: S105 - the first word of a line


def canonical_code(text: str) -> str | None:
    """The canonical spelling of a bare code such as ``k7q2 9f3a``; None if it is not a code."""
    letters = re.sub(rf"{_DASH}\s?", "", fold_text(text).strip()).upper().translate(_LOOKALIKES)
    if len(letters) != 8 or any(character not in ALPHABET for character in letters):
        return None
    return f"{letters[:4]}-{letters[4:]}"


def blank_barred_lines(text: str, blank: str = "") -> str:
    """The text of an email with ``blank`` in place of each line behind a bar."""
    return re.sub(_BARRED_LINE, blank, text) if "|" in text else text


def find_codes(text: str) -> tuple[str, ...]:
    """The first codes in the text, in canonical spelling, in order and without repetition."""
    codes = (canonical_code(a + b) for a, b in re.findall(_CODE, blank_barred_lines(fold_text(text))))
    return tuple(dict.fromkeys(code for code in codes if code))[:MOST_CODES]


def find_first_code_line(texts: list[str]) -> int | None:
    """The index of the first line in which a code begins; None if there is none."""
    joined = blank_barred_lines("\n".join(fold_text(text) for text in texts))
    match = re.search(_CODE, joined)
    return None if match is None else joined.count("\n", 0, match.start())


def read_password(line: str) -> str | None:
    """The text after ``password`` at the beginning of a line; None if the line begins otherwise."""
    match = re.match(_PASSWORD_LINE, fold_text(line))
    return match[1].strip() if match else None


def mentions_password(text: str) -> bool:
    """Whether the text contains the word ``password``."""
    return "password" in fold_text(text).lower()


MARK, MARKED_WIDTH = "  | ", 66  #: the bar in front of each such line, and the width of the line
#: how a signed block begins or what it contains, or what marks an unreadable text
_OUR_WORDS = r"(?i)pbem\s1\b|\bline\s+kept\b|[a-z0-9_-]{43}|content-transfer-encoding"


def mark_words(text: str) -> str:
    """The words of a person as separate lines, each behind the bar."""
    lines = (textwrap.wrap(line, MARKED_WIDTH) or [""] for line in text.splitlines())
    return "\n".join(f"{MARK}{line}".rstrip() for wrapped_lines in lines for line in wrapped_lines)


def looks_like_ours(text: str) -> bool:
    """Whether a reader of our emails could take the text for a code or part of a signed block."""
    return bool(find_codes(text) or re.search(_OUR_WORDS, fold_text(text)))
