"""A line of a mail as lower-case tokens: bullets, dashes, quotes and odd blanks made plain.

What lives here: everything about spelling that is the same for every game.
What must never be here: which words are orders; the names of any game's places (``is_name`` says).
Law: total and linear: any text gives tokens. Nothing is corrected here but form.
Source: FORMAT.md section 3 ("Lines"); docs/NOTATION.md.
"""

import re
import unicodedata
from collections.abc import Callable

from pbem.files.characters import folded

SEPARATORS = frozenset({",", ";", ".", ":", "&", "/", "+", "and"})
_DASHES = re.compile("[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d\u00ad]")
_BULLET = re.compile(r"\s*(?:[*•·‣◦▪o+-]\s+|[•·‣◦▪]|\(?\d{1,3}[.)]\s*(?=[^\W\d])|\(?[a-z][.)]\s*)")
_SIGN = re.compile(r"(?<![\w])([+-])\s+(?=\d)")
_GLUED_SIGN = re.compile(r"(?<=[a-z]{3})([+-])(?=\d)")
_NAME = re.compile(r"(?<![\w+-])([a-z]{1,2})\s{0,3}-?\s{0,3}([0-9]{1,2})(?!\w)")
_BETWEEN = re.compile(r"(?<=\d)\s*[-+/&]\s*(?=[a-z]{1,2}\s?\d)")
_TOKEN = re.compile(r"[+-]\d+|[^\W_](?:[\w'-]*[^\W_])?|[,;.:&/+]")
_LONGEST = 2000


def plain(text: str) -> str:
    """The line in lower case, comment cut, one kind of dash, blank and quote."""
    text = folded(_DASHES.sub("-", text.split("#", 1)[0][:_LONGEST]))
    text = "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Me"))
    text = re.sub("[’‘ʼ]", "'", text).lower()
    return re.sub(r"\s+", " ", text).strip()


def tokens(text: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The tokens of a line: words, names (``a 5`` is ``a5``), numbers with their sign, and the
    separators ``, ; . : & / +``. ``is_name`` says whether two parts make one name.
    """

    def joined(match: re.Match[str]) -> str:
        name = match[1] + match[2]
        return name if is_name(name) else match[0]

    line = plain(text)
    for _ in range(2):
        line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    line = _NAME.sub(joined, line)
    line = _BETWEEN.sub(" ", line)
    line = _GLUED_SIGN.sub(r" \1", line)
    line = _SIGN.sub(r" \1", line)
    return tuple(_TOKEN.findall(line))


def segments(line: tuple[str, ...], words: frozenset[str]) -> list[tuple[str, ...]]:
    """The line split at separators that an order word follows; other separators are blanks."""
    found: list[list[str]] = [[]]
    waiting = False
    for token in line:
        if token in SEPARATORS:
            waiting = True
            continue
        if waiting and token in words:
            found.append([])
        waiting = False
        found[-1].append(token)
    return [tuple(segment) for segment in found if segment]
