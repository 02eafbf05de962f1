"""Bytes as text: base64url, strictly, and the name of a game.

What lives here: the two alphabets a person ever sees.
What must never be here: hashing of anything secret; a message that quotes what it was given (a text
that fails to decode may be a key).
The law it keeps: a value has one spelling. Readers encode again what they decoded and compare, so
no two files differ in text and agree in meaning.
Source: docs/SPECIFICATION.md section 2 (text forms).
"""

from base64 import b32encode
from binascii import Error, a2b_base64, b2a_base64

from pbem.crypto.hashing import digest
from pbem.errors import BadInput

# binascii and not base64: the latter imports re and struct, which the shortest commands do not
# need.
_TO_URL = bytes.maketrans(b"+/", b"-_")
_FROM_URL = bytes.maketrans(b"-_", b"+/")
_GAME_LENGTH = 26


def b64(data: bytes) -> str:
    """Give bytes as base64url (RFC 4648 section 5) without ``=``: 32 bytes are 43 characters.

    No secret becomes safer by it: who may see the result is who may see ``data``.
    """
    return b2a_base64(data, newline=False).rstrip(b"=\n").translate(_TO_URL).decode("ascii")


def unb64(text: str, length: int | None = None) -> bytes:
    """Give the bytes that ``b64`` wrote as ``text``; with ``length``, exactly so many bytes.

    Raises BadInput ``crypto/base64`` for any other spelling (padding, blanks, ``+`` or ``/``, stray
    low bits) and for any other length. The message tells lengths and never quotes the text.
    """
    data = _decode(text)
    if b64(data) != text:
        # The decoder of the library skips foreign characters and stray bits; only this line refuses
        # them.
        raise _refusal("is not written the one way base64url allows")
    if length is not None and len(data) != length:
        raise _refusal(f"holds {len(data)} bytes where {length} were expected")
    return data


def game_id(genesis_file: bytes) -> str:
    """Give a game's name from its whole genesis file, tail included: 26 characters of a-z and 2-7.

    Public. It is 130 bits of SHA-256, so whoever knows the name knows the genesis.
    """
    return b32encode(digest(genesis_file)).decode("ascii").lower()[:_GAME_LENGTH]


def _decode(text: str) -> bytes:
    try:
        raw = text.encode("ascii").translate(_FROM_URL)
        return a2b_base64(raw + b"=" * (-len(raw) % 4))
    except (UnicodeEncodeError, Error):
        raise _refusal("is not base64url") from None  # the cause would quote the text


def _refusal(reason: str) -> BadInput:
    return BadInput(
        "crypto/base64",
        f"an encoded value {reason}",
        "copy it again, whole, using only A-Z a-z 0-9 - _ and no = at the end",
    )
