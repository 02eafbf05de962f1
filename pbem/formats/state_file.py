"""The frame of a signed state (body, key, signature) and the one spelling of its body.

Files of the private folder (desk/) are such documents without a signature, or lists of rows.
Not allowed here: checking a signature; what a document means.
Law: verify before parsing. ``split`` parses nothing; ``parse`` is for verified bodies. A state has
one spelling (``encode_canonical``).
Source: docs/SPECIFICATION.md section 5; FORMAT.md section 1; docs/DESIGN.md P1.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pbem.errors import BadInput, OurFault
from pbem.formats import toml

SIZE_LIMIT = 4 * 1024 * 1024
FIRST_LINE = b"pbem = 1\n"

# 16 and 64 bytes leave four spare bits in the last character, which must be zero
_TAIL = re.compile(rb'\n\[signature\]\nkey = "([A-Za-z0-9_-]{21}[AQgw])"\nsig = "([A-Za-z0-9_-]{85}[AQgw])"\n')
_TAIL_MARK = b"\n[signature]\n"
_TAIL_LENGTH = len(_TAIL_MARK + b'key = ""\nsig = ""\n') + 22 + 86
_ASK_AGAIN = "ask for the file again, as an attachment"


class SplitState(NamedTuple):
    """The parts of a state file. ``body`` is the signed part; ``key`` and ``sig`` are base64url."""

    body: bytes
    key: str
    sig: str


def split(data: bytes) -> SplitState:
    """Split a state file without parsing it. Raise BadInput ``state/…`` if it is not one, or was damaged."""
    if len(data) > SIZE_LIMIT:
        message = f"the file has {len(data)} bytes; a state has at most {SIZE_LIMIT}"
        raise BadInput("state/too-large", message, "is this the right file?")
    if not data.strip():
        raise BadInput("state/empty", "the file is empty", _ASK_AGAIN)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        hint = f"an editor changed the file; {_ASK_AGAIN}"
        raise BadInput("state/bom", "the file begins with a byte order mark", hint)
    _check_beginning(data)
    tail = _TAIL.fullmatch(data, max(0, len(data) - _TAIL_LENGTH))
    if tail is None:
        raise _tail_error(data)
    return SplitState(data[:-_TAIL_LENGTH], tail[1].decode(), tail[2].decode())


def join(body: bytes, key: str, sig: str) -> bytes:
    """Return the state file of a body, key and signature. Raise OurFault if key or signature is misspelled."""
    tail = f'\n[signature]\nkey = "{key}"\nsig = "{sig}"\n'.encode()
    if not _TAIL.fullmatch(tail):
        raise OurFault("state/signature", "key or signature is not base64url of the right length")
    return body + tail


def parse(body: bytes) -> dict[str, Any]:
    """Return the document in a body whose signature was verified. Raise BadInput ``state/…`` if it is damaged."""
    if b"\x00" in body and b"\r" not in body:
        raise BadInput("state/nul-bytes", "the state holds NUL bytes", _ASK_AGAIN)
    _check_beginning(body)
    return toml.load(toml.utf8(body, "state", _ASK_AGAIN), "state")


def dump(document: dict[str, Any]) -> bytes:
    """Return the body of an unsigned document, ``pbem = 1`` first. Raise OurFault if it cannot be written."""
    if document.get("pbem", 1) != 1 or isinstance(document.get("pbem"), bool):
        raise OurFault("document/version", "a state of another version cannot be written")
    if "signature" in document:
        raise OurFault("document/signature", "the word signature belongs to the frame")
    return toml.dump({"pbem": 1} | document).encode()


# a body is lines ``key = value``, then tables: a blank line, ``[name]``, and more such lines
_PLAIN_CHARACTERS = rb'[^"\\\x00-\x1f\x7f]*+'
_ROW = rb'"%b(?:\\["\\]%b)*+"' % (_PLAIN_CHARACTERS, _PLAIN_CHARACTERS)
_LINE = rb"[A-Za-z0-9_-]{1,60} = (?:%b|\[\n(?:    %b,\n)++\]|\[\]|0|[1-9][0-9]{0,17}|true|false)\n" % (_ROW, _ROW)
_CANONICAL_BODY = re.compile(rb"(?:%b)*+(?:\n\[[A-Za-z0-9_-]{1,60}\]\n(?:%b)*+)*+" % (_LINE, _LINE))

# characters that an email loses: they move the cursor, end a line, change the direction of text,
# look like a blank, or are invisible (SPECIFICATION section 10)
_INVISIBLE_RANGES = (
    "\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
_INVISIBLE = re.compile(f"[{_INVISIBLE_RANGES}]")
FORBIDDEN_CHARACTER = re.compile(f"[\x00-\x1f{_INVISIBLE_RANGES}]")


def is_canonical(body: bytes) -> bool:
    """Return whether a body follows the grammar of SPECIFICATION section 5, whatever its keys."""
    has_invisible = not body.isascii() and _INVISIBLE.search(body.decode())
    return not has_invisible and _CANONICAL_BODY.fullmatch(body) is not None


_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")


def encode_canonical(document: Mapping[str, Any]) -> bytes:
    """Return the body of a signed state in its one spelling (SPECIFICATION section 5). It may hold
    texts, whole numbers from 0, flags and lists of texts, and after these, tables of them. Raises
    ValueError for anything else.
    """
    tables = {key: value for key, value in document.items() if type(value) is dict}
    lines = [_canonical_line(key, value) for key, value in document.items() if key not in tables]
    for name, table in tables.items():
        lines.append(f"\n[{_require_key(name)}]\n")
        lines += [_canonical_line(key, value) for key, value in table.items()]
    return "".join(lines).encode()


def _canonical_line(key: str, value: object) -> str:
    name = _require_key(key)
    try:
        return f"{name} = {_canonical_value(value)}\n"
    except ValueError:
        raise ValueError(name) from None


def _require_key(key: str) -> str:
    if not _NAME.fullmatch(key):
        raise ValueError("a key")
    return key


def _canonical_value(value: object) -> str:
    """Return a value as it is written: ``true``, ``12``, a quoted text, or a list with a text per line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and 0 <= value < 10**18:
        return str(value)
    if isinstance(value, list):
        rows = ",\n    ".join([_quote_text(row) for row in value])
        return f"[\n    {rows},\n]" if rows else "[]"
    return _quote_text(value)


def _quote_text(text: object) -> str:
    if not isinstance(text, str) or FORBIDDEN_CHARACTER.search(text):
        raise ValueError(text)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _check_beginning(data: bytes) -> None:
    """Refuse bytes with a CR, or whose first line is not that of a state."""
    if b"\r" in data:
        hint = f"an email program or git changed its line ends; {_ASK_AGAIN}"
        raise BadInput("state/crlf", "the file has CR line ends; a state has LF only", hint)
    if data.startswith(FIRST_LINE):
        return
    if version := re.match(rb"pbem = (\d{1,6})\n", data):
        message = f"a state of format {version[1].decode()}; this pbem reads format 1"
        raise BadInput("state/version", message, "install a newer pbem")
    hint = "name the game.toml of a game's folder, or a file in its states folder"
    raise BadInput("state/not-a-state", "the first line is not `pbem = 1`", hint)


def _tail_error(data: bytes) -> BadInput:
    """Return the error for a missing, truncated or changed signature."""
    offset = data.rfind(_TAIL_MARK)
    if offset < 0 and data.endswith(b"\n"):
        return BadInput("state/no-signature", "the file ends without a [signature]", _ASK_AGAIN)
    if offset < 0 or len(data) - offset < _TAIL_LENGTH:
        return BadInput("state/truncated", "the file breaks off before its end", _ASK_AGAIN)
    if len(data) - offset > _TAIL_LENGTH:
        return BadInput("state/trailing", "there is something after the signature", _ASK_AGAIN)
    return BadInput("state/signature", "the [signature] at the end is not spelt as one", _ASK_AGAIN)


_NUMBER = re.compile("[0-9]{1,7}")  # pbem never writes a longer number here


def read_rows(data: bytes | None, word_count: int) -> list[list[str]]:
    """Return the words of each line of a private file. Lines without ``word_count`` words are ignored.
    ``data`` is None if there is no file.
    """
    rows = [line.split(" ") for line in (data or b"").decode("ascii", "replace").splitlines()]
    return [row for row in rows if len(row) == word_count]


def write_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """Return the private file of these rows, with their words separated by blanks."""
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows).encode()


def are_numbers(words: Iterable[str]) -> bool:
    """Return whether all of these words are numbers."""
    return all(map(_NUMBER.fullmatch, words))
