"""Bytes to text, whatever the label says; one spelling for characters that look alike; a line.

What must never be here: mail structure, lower case, dashes.
Laws: linear time and room; ``decode`` always gives a text (never raises but for NUL bytes); lines
end in LF; no control characters but tab and LF, so that nothing a player sent can move a terminal's
cursor. ``folded`` is total; a text of ASCII comes back as it is; no line end is added or lost.
Source: WHATWG Encoding (latin-1 is read as windows-1252); docs/DESIGN.md P11; Unicode NFKC (UAX
15); general category Cf (joiners, marks of direction, soft hyphen).
"""

import codecs
import re
import unicodedata
from contextlib import suppress
from typing import NamedTuple

from pbem.errors import BadInput

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: it begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: how a text in UTF-16 begins, as Windows saves it; one in UTF-32 may begin so, too
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WIDE_BOMS = (*UTF_16, codecs.BOM_UTF32_BE)
# Labels of one byte a letter: a text that is good UTF-8 all the same was labelled wrongly.
_ONE_BYTE_CODECS = frozenset({"ascii", "iso8859-1", "cp1252", "latin-1", "iso8859-15"})
# Codecs that Python calls text encodings, and no mail is written in; punycode is quadratic.
_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"})
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff]")
#: how a move file begins, well formed or not
_MOVE_FILE = re.compile(r"\s*(?:(?:pbem|code|orders)\s*=|\[orders?\]|(?:game|seat)\s*=\s*\")")


class Line(NamedTuple):
    """One line of what a player sent, as the player sees it."""

    number: int
    text: str


def decode(data: bytes, label: str | None = None) -> str:
    """The text of these bytes; ``label`` is the character set they claim. Refuses NUL."""
    text = _decode_leniently(data, label)
    if "\x00" in text:
        message = "this holds NUL bytes, so it is neither an email nor plain text"
        hint = "save the email as .eml, or its text as plain text in UTF-8"
        raise BadInput("mail/nul-bytes", message, hint)
    return _CONTROLS.sub("", "\n".join(text.splitlines()))


def to_utf8(data: bytes) -> bytes:
    """These bytes without the mark they begin with; those that are marked as wider, in UTF-8."""
    if data.startswith(_WIDE_BOMS):
        data = decode(data).encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def _decode_leniently(data: bytes, label: str | None) -> str:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(name, errors="replace")
    for name in (*_codecs_to_try(label), "utf-8", "cp1252"):
        with suppress(ValueError):
            text = data.decode(name)
            text.encode("utf-8")  # UTF-7 can write half a pair, which is no letter
            return text
    return data.decode("latin-1")


def _codecs_to_try(label: str | None) -> tuple[str, ...]:
    """The label as a codec worth trying, or nothing."""
    try:
        codec = codecs.lookup((label or "utf-8").strip().strip("'\"")[:40])
    except (LookupError, ValueError, UnicodeError):
        return ()
    if not getattr(codec, "_is_text_encoding", True) or codec.name in _NOT_CHARSETS:
        return ()
    if codec.name in _ONE_BYTE_CODECS:
        return ("utf-8", codec.name) if codec.name == "iso8859-15" else ()
    return (codec.name,)


# To put marks in order takes time that grows with the square of their run; ASCII ends a run.
_PIECES = re.compile(r"[\x00-\x7f]*[^\x00-\x7f]{0,200}")
# One sign for five letters and more (there is one for 18): no order has it.
_EXPANDING = re.compile("[\u3300-\u3357\u33ae\u33af\ufdfa\ufdfb]")
# Category Cf, written out: to ask for each letter takes ten times as long.
_INVISIBLE = re.compile(
    "[\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def fold_text(text: str) -> str:
    """The text in NFKC, without characters that do not show; in linear time and room."""
    if text.isascii():
        return text
    pieces = _PIECES.findall(_EXPANDING.sub(" ", text))
    return _INVISIBLE.sub("", "".join(unicodedata.normalize("NFKC", piece) for piece in pieces))


def looks_like_move_file(data: bytes) -> bool:
    """Whether these bytes are meant as a move file, well formed or not; never raises."""
    beginning = data[:4096]
    encoding = "utf-16" if beginning.startswith(UTF_16) else "utf-8-sig"
    lines = beginning.decode(encoding, errors="replace").splitlines()[:40]
    first_line = next((line for line in lines if line.strip() and line.lstrip()[0] != "#"), "")
    return _MOVE_FILE.match(first_line) is not None
