"""Split a line of an email into lower-case tokens, with one spelling for bullets, dashes and
quotes.

What must never be here: the order words and the places of any game (``is_name`` knows them).
Source: FORMAT.md section 3 ("Lines"); docs/NOTATION.md.
"""

import re
import unicodedata
from collections.abc import Callable

from pbem.mail.text import fold_text

POLITE = re.compile("please|pls|plz|thanks|thank|thx|ty|you|cheers|danke|bitte|merci|grazie|prego|kösz|köszi|köszönöm")
_PLACE = re.compile("([a-z]+)([0-9]+)")
SEPARATORS = frozenset({",", ";", ".", ":", "&", "/", "+", "and"})
_DASHES = re.compile("[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d\u00ad]")
_BULLET = re.compile(r"\s*(?:[*•·‣◦▪+-]\s+|[•·‣◦▪]|\(?\d{1,3}[.)]\s*(?=[^\W\d])|\(?[a-z][.)]\s*)")
_SIGN = re.compile(r"(?<![\w])([+-])\s+(?=\d)")
_GLUED_SIGN = re.compile(r"(?<=[a-z]{3})([+-])(?=\d)")
_NAME = re.compile(r"(?<![\w+-])((?!um)[a-z]{1,2})\s{0,3}-?\s{0,3}([0-9]{1,2})(?!\w)")
_BETWEEN = re.compile(r"(?<=\d)\s*[-+/&]\s*(?=[a-z]{1,2}\s?\d)")
_TOKEN = re.compile(r"[+-]\d+|[^\W_](?:[\w'-]*[^\W_])?|[,;.:&/+]")
_KISS = re.compile(r"\b(please|pls|thanks|thx|cheers|ta)\s+x{1,3}$")
_SMILE = re.compile(r"(?<!\S)(?:[:;=]-?[()dp]+|<3+)(?!\S)")
_ARROW = re.compile(r" ?[-=]> ?(?=[^\W\d_]{3})")  #: `AP1 -> warrior mandarin`
_MAX_LETTERS = 2000


def canonical_name(name: str) -> str:
    """The name as every order spells it: ``ap02`` is ``AP2``."""
    match = _PLACE.fullmatch(name)
    return f"{match[1].upper()}{match[2].lstrip('0') or '0'}" if match else name.upper()


def normalize_line(text: str) -> str:
    """The line in lower case without its comment, with one kind of dash, blank and quote."""
    text = fold_text(_DASHES.sub("-", text.split("#", 1)[0][:_MAX_LETTERS]))
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Me"))
    text = re.sub("[’‘ʼ]", "'", text).lower()
    text = _ARROW.sub(": ", re.sub(r"\s+", " ", _SMILE.sub(" ", text)))
    return _KISS.sub(r"\1", text.strip())


def strip_accents(text: str) -> str:
    """The text with plain letters in place of accented ones."""
    if text.isascii():
        return text
    marked = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("œ", "oe"))
    return "".join(c for c in marked if not unicodedata.combining(c))


def tokenize(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The tokens of a plain line, in linear time for any text.

    They are words, names (``a 5`` is ``a5``), signed numbers and the separators ``, ; . : & / +``.
    ``is_name`` says whether two parts make one name.
    """
    for _ in range(2):
        line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    line = _NAME.sub(lambda m: m[1] + m[2] if is_name(m[1] + m[2]) else m[0], line)
    line = _BETWEEN.sub(" ", line)
    line = _GLUED_SIGN.sub(r" \1", line)
    line = _SIGN.sub(r" \1", line)
    return tuple(_TOKEN.findall(line))


def split_segments(line_tokens: tuple[str, ...], order_words: frozenset[str]) -> list[tuple[str, ...]]:
    """The line split at separators that an order word follows. Other separators are dropped."""
    parts: list[list[str]] = [[]]
    for before, token in zip((" ", *line_tokens), line_tokens, strict=False):
        if before in SEPARATORS and token in order_words:
            parts.append([])
        if token not in SEPARATORS:
            parts[-1].append(token)
    return [tuple(segment) for segment in parts if segment]


def is_one_slip_apart(a: str, b: str) -> bool:
    """Whether a becomes b by one added, missing or wrong letter, or by swapping two."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    rest_a, rest_b = a[start:], b[start:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b or rest_a == rest_b[1:]
    swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] == rest_b[1:] or swapped
