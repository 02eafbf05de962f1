"""Split a line of an email into lower-case tokens, whatever bullets, dashes and quotes it has.

Not allowed here: the order words and the places of any game (``is_name`` knows them).
Source: FORMAT.md section 3, "Lines", "Notation".
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
    """Return a name as every order spells it: ``AP2`` for ``ap02``."""
    match = _PLACE.fullmatch(name)
    return f"{match[1].upper()}{match[2].lstrip('0') or '0'}" if match else name.upper()


def normalize_line(text: str) -> str:
    """Return a plain line: lower case, without its comment, with one kind of dash, blank and quote."""
    text = fold_text(_DASHES.sub("-", text.split("#", 1)[0][:_MAX_LETTERS]))
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Me"))
    text = re.sub("[’‘ʼ]", "'", text).lower()
    text = _ARROW.sub(": ", re.sub(r"\s+", " ", _SMILE.sub(" ", text)))
    return _KISS.sub(r"\1", text.strip())


def strip_accents(text: str) -> str:
    """Return the text with plain letters in place of accented ones."""
    if text.isascii():
        return text
    marked = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("œ", "oe"))
    return "".join(c for c in marked if not unicodedata.combining(c))


def tokenize(line: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """Split a plain line into tokens, in linear time for any text.

    They are words, names, signed numbers and the separators ``, ; . : & / +``. For example, `1) wall a 5, flood - 2`
    is ``wall``, ``a5``, ``,``, ``flood`` and ``-2``. ``is_name`` says whether letters and digits make a name.
    """
    for _ in range(2):  # a line may have two bullets: `- 1) wall A5`
        line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    line = _NAME.sub(lambda match: match[1] + match[2] if is_name(match[1] + match[2]) else match[0], line)
    line = _BETWEEN.sub(" ", line)
    line = _GLUED_SIGN.sub(r" \1", line)
    line = _SIGN.sub(r" \1", line)
    return tuple(_TOKEN.findall(line))


def split_segments(line_tokens: tuple[str, ...], order_words: frozenset[str]) -> list[tuple[str, ...]]:
    """Split a line at separators before an order word: `wall a5, draw` is two segments. Drop other separators."""
    segments: list[list[str]] = [[]]
    previous_token = ""
    for token in line_tokens:
        if previous_token in SEPARATORS and token in order_words:
            segments.append([])
        if token not in SEPARATORS:
            segments[-1].append(token)
        previous_token = token
    return [tuple(segment) for segment in segments if segment]


def is_one_slip_apart(a: str, b: str) -> bool:
    """Return whether a becomes b by one added, missing or wrong letter, or by swapping two neighbours."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    rest_a, rest_b = a[start:], b[start:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b or rest_a == rest_b[1:]
    swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] == rest_b[1:] or swapped
