"""What in a letter shows whose it is: a reply code, ``[pbem K7Q2-9F3A]``; the line `password …`; a
game's id.

What must never be here: whether a code or a password is a good one; keeping or quoting a password.
Laws: codes are given in canonical spelling, in order, each once, and few; bounded time. A line
behind a bar, quoted or not, has words of people (quotation.py): no code is read in it.
Source: FORMAT.md section 4; Crockford base32 (no I L O U; read O as 0, I and L as 1);
docs/NOTATION.md "Words for every game"; docs/decisions/0009.
"""

import re

from pbem.mail.text import fold_text

#: the id of a game, as crypto/encoding.py makes it
GAME_ID = "[a-z2-7]{26}"
MOST_CODES = 10  #: of one text that are tried
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

# Mail programs wrap inside the brackets, and quote the wrapped half with `>`. Bounded, so that a
# megabyte of blanks behind a bracket costs nothing.
_GAP = r"[\s>]{0,16}"
_FOUR_LETTERS = r"([0-9a-hj-km-np-tv-zilo]{4})"
_DASH = "[-\u2010-\u2015\u2212_.]?"
# Compiled by ``re`` at first use: it takes 2 ms, and a command that only writes codes needs none.
_CODE = rf"(?i)\[{_GAP}pbem{_GAP}{_FOUR_LETTERS}{_GAP}{_DASH}{_GAP}{_FOUR_LETTERS}{_GAP}\]"
_BARRED_LINE = r"(?m)^(?:[^\S\n]|>)*\|.*"
_LOOKALIKES = str.maketrans("OIL", "011")
_PASSWORD_LINE = r"(?is)[\s>*•\"'`_-]{0,20}passwords?(?![^\W_])[\s:=_*-]*(.*)"


def canonical_code(text: str) -> str | None:
    """The canonical spelling of a bare code such as ``k7q2 9f3a``; None if it is none."""
    letters = re.sub(rf"{_DASH}\s?", "", fold_text(text).strip()).upper().translate(_LOOKALIKES)
    if len(letters) != 8 or any(character not in ALPHABET for character in letters):
        return None
    return f"{letters[:4]}-{letters[4:]}"


def blank_barred_lines(text: str, blank: str = "") -> str:
    """The text of an email, with ``blank`` in place of each line behind a bar."""
    return re.sub(_BARRED_LINE, blank, text) if "|" in text else text


def find_codes(text: str) -> tuple[str, ...]:
    """The first codes in the text, canonical, in order, each once."""
    codes = (canonical_code(a + b) for a, b in re.findall(_CODE, blank_barred_lines(fold_text(text))))
    return tuple(dict.fromkeys(code for code in codes if code))[:MOST_CODES]


def find_first_code_line(texts: list[str]) -> int | None:
    """Index of the first line that holds a code or in which a wrapped code begins; else None."""
    joined = blank_barred_lines("\n".join(fold_text(text) for text in texts))
    match = re.search(_CODE, joined)
    return None if match is None else joined.count("\n", 0, match.start())


def read_password(line: str) -> str | None:
    """What a line that begins with ``password`` says after it, perhaps nothing; else None."""
    match = re.match(_PASSWORD_LINE, fold_text(line))
    return match[1].strip() if match else None


def mentions_password(text: str) -> bool:
    """Whether the word ``password`` stands in it at all."""
    return "password" in fold_text(text).lower()
