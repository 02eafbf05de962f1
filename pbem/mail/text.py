"""Turn bytes into text, and characters that look alike into one spelling.

Not allowed here: the structure of an email, lower case, dashes.
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
#: byte order marks of UTF-16, as Windows writes them; UTF-32 may begin with one too
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WIDE_BOMS = (*UTF_16, codecs.BOM_UTF32_BE)
# One-byte character sets: a text that is valid UTF-8 was labelled wrongly.
_ONE_BYTE_CODECS = frozenset({"ascii", "iso8859-1", "cp1252", "latin-1", "iso8859-15"})
# Python calls these text encodings, but no email is written in them; punycode is quadratic.
_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined"})
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff]")
#: The first key of a move file, well formed or not.
_MOVE_FILE = re.compile(r"\s*(?:(?:pbem|code|orders)\s*=|\[orders?\]|(?:game|seat)\s*=\s*\")")


class Line(NamedTuple):
    """One line that a player sent, with the number that the player sees."""

    number: int
    text: str


def decode(data: bytes, label: str | None = None) -> str:
    """The text of these bytes, with LF line ends. ``label`` is the character set that they claim.

    Control characters other than tab and LF are dropped, so that a text cannot move a terminal's
    cursor. Raises BadInput ``mail/nul-bytes`` for NUL, and no other error.
    """
    text = _decode_leniently(data, label)
    if "\x00" in text:
        message = "this holds NUL bytes, so it is neither an email nor plain text"
        hint = "save the email as .eml, or its text as plain text in UTF-8"
        raise BadInput("mail/nul-bytes", message, hint)
    return _CONTROLS.sub("", "\n".join(text.splitlines()))


def to_utf8(data: bytes) -> bytes:
    """The bytes in UTF-8, without a byte order mark."""
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
    """The codecs to try for this label; () for one that no email uses."""
    try:
        codec = codecs.lookup((label or "utf-8").strip().strip("'\"")[:40])
    except (LookupError, ValueError, UnicodeError):
        return ()
    if not getattr(codec, "_is_text_encoding", True) or codec.name in _NOT_CHARSETS:
        return ()
    if codec.name in _ONE_BYTE_CODECS:
        return ("utf-8", codec.name) if codec.name == "iso8859-15" else ()
    return (codec.name,)


# Normalising takes quadratic time in the length of a run of marks; ASCII ends a run.
_PIECES = re.compile(r"[\x00-\x7f]*[^\x00-\x7f]{0,200}")
# Signs that NFKC expands to five letters or more (one to 18). No order has them.
_EXPANDING = re.compile("[\u3300-\u3357\u33ae\u33af\ufdfa\ufdfb]")
# Category Cf, written out: looking up each letter takes ten times as long.
_INVISIBLE = re.compile(
    "[\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def fold_text(text: str) -> str:
    """The text in NFKC without invisible characters, in linear time. No line end is added or lost."""
    if text.isascii():
        return text
    pieces = _PIECES.findall(_EXPANDING.sub(" ", text))
    return _INVISIBLE.sub("", "".join(unicodedata.normalize("NFKC", piece) for piece in pieces))


def looks_like_move_file(data: bytes) -> bool:
    """Whether the bytes begin like a move file, well formed or not. Raises nothing."""
    beginning = data[:4096]
    encoding = "utf-16" if beginning.startswith(UTF_16) else "utf-8-sig"
    lines = beginning.decode(encoding, errors="replace").splitlines()[:40]
    first_line = next((line for line in lines if line.strip() and line.lstrip()[0] != "#"), "")
    return _MOVE_FILE.match(first_line) is not None
