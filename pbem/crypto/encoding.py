"""Encodings: bytes as text, lists of parts as bytes, and hashes of both.

Not allowed here: a message that quotes its input, which may be a key.
Law: a value has one spelling. Readers encode again what they have decoded and compare the two. So no two
files differ in text and agree in meaning.
Source: docs/SPECIFICATION.md section 2 (text forms).
"""

from base64 import b32encode
from binascii import Error, a2b_base64, b2a_base64

from cryptography.hazmat.primitives import hashes, hmac

from pbem.errors import BadInput

# hashlib and hmac would load a second OpenSSL beside the one in cryptography, which signatures need
# anyway (2.5 ms, a quarter of the shortest start).

_SHA256 = hashes.SHA256()

Part = bytes | str | int

DIGEST_SIZE = 32


def pae(*parts: Part) -> bytes:
    """Join parts so that they can be separated again: the number of parts, then each part after its
    length. A str counts as its UTF-8 bytes and a number as its decimal text, so ``7`` and ``"7"`` are
    the same part on purpose. Raises TypeError for any other type, also bool; ValueError for a negative
    number.
    """
    joined = [len(parts).to_bytes(8, "little")]
    for part in parts:
        if isinstance(part, bytes):
            data = part
        elif isinstance(part, str):
            data = part.encode("utf-8")
        elif type(part) is not int:  # a bool is an int to Python, but "True" is not a number
            raise TypeError(f"a part is bytes, str or int, not {type(part).__name__}")
        elif part < 0:
            raise ValueError("a number in a construction is never negative")
        else:
            data = str(part).encode("ascii")
        joined += (len(data).to_bytes(8, "little"), data)
    return b"".join(joined)


def digest(data: bytes) -> bytes:
    """Return the 32 bytes of SHA-256, which the specification calls H. If a value can be guessed, hash it
    only together with 32 secret bytes: six kinds of card are six guesses.
    """
    hashing = hashes.Hash(_SHA256)
    hashing.update(data)
    return hashing.finalize()


def prf(key: bytes, *parts: Part) -> bytes:
    """Return PRF(key, parts): 32 bytes of HMAC-SHA256 over the PAE of the parts. Raises ValueError
    unless ``key`` has 32 bytes: HMAC pads a short key, so two keys could be equal.
    """
    hashing = hmac.HMAC(require_length(key, DIGEST_SIZE, "a key"), _SHA256)
    hashing.update(pae(*parts))
    return hashing.finalize()


def require_length(data: bytes, length: int, label: str) -> bytes:
    """Return ``data`` if it is ``length`` bytes, else raise ValueError naming ``label``. It catches
    a state hash passed as text, which would hash to something that nobody can check.
    """
    if type(data) is not bytes or len(data) != length:
        raise ValueError(f"{label} must be {length} bytes")
    return data


def unpae(data: bytes) -> tuple[bytes, ...]:
    """Return the parts that ``pae`` joined. Raise ValueError for bytes that it never returns."""
    count = int.from_bytes(data[:8], "little")
    offset = 8
    parts: list[bytes] = []
    while offset < len(data) and len(parts) <= count:
        end = offset + 8 + int.from_bytes(data[offset : offset + 8], "little")
        parts.append(data[offset + 8 : end])
        offset = end
    if len(parts) != count or pae(*parts) != data:
        raise ValueError("these bytes are no list of parts")
    return tuple(parts)


CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"


def spoken_words(data: bytes) -> tuple[str, ...]:
    """Return a word for each two bytes: ``7f 00 00 01`` is lusab babad. Raise ValueError for an odd number."""
    if len(data) % 2:
        raise ValueError("words are made of two bytes each")
    numbers = (int.from_bytes(data[offset : offset + 2], "big") for offset in range(0, len(data), 2))
    # 4 bits choose each of the 16 consonants, and 2 bits each of the 4 vowels: by lowest bit and letters
    shape = ((12, CONSONANTS), (10, VOWELS), (6, CONSONANTS), (4, VOWELS), (0, CONSONANTS))
    return tuple("".join(letters[(n >> bit) % len(letters)] for bit, letters in shape) for n in numbers)


# base64 would import re and struct, which the shortest commands do not need
_TO_URL = bytes.maketrans(b"+/", b"-_")
_FROM_URL = bytes.maketrans(b"-_", b"+/")
_GAME_LENGTH = 26


def b64(data: bytes) -> str:
    """Return bytes as base64url (RFC 4648 section 5) without ``=``: 32 bytes are 43 characters."""
    return b2a_base64(data, newline=False).rstrip(b"=\n").translate(_TO_URL).decode("ascii")


def unb64(text: str, length: int | None = None) -> bytes:
    """Return the bytes that ``b64`` wrote as ``text``. Raises BadInput ``crypto/base64`` for any other
    spelling (padding, blanks, ``+``, ``/``, stray low bits), and for another length than ``length``, if
    given. The message never quotes the text.
    """
    try:
        raw = text.encode("ascii").translate(_FROM_URL)
        data = a2b_base64(raw + b"=" * (-len(raw) % 4))
    except (UnicodeEncodeError, Error):
        raise _encoding_error("is not base64url") from None  # the cause would quote the text, which may be a key
    if b64(data) != text:
        # the library's decoder ignores foreign characters and stray bits
        raise _encoding_error("is not written the one way base64url allows")
    if length is not None and len(data) != length:
        raise _encoding_error(f"holds {len(data)} bytes where {length} were expected")
    return data


def game_id(genesis_file: bytes) -> str:
    """Return a game's id from its genesis file: 26 characters of a-z and 2-7. It is public. Its
    130 bits of SHA-256 identify one genesis.
    """
    return b32encode(digest(genesis_file)).decode("ascii").lower()[:_GAME_LENGTH]


def _encoding_error(reason: str) -> BadInput:
    hint = "copy it again, whole, using only A-Z a-z 0-9 - _ and no = at the end"
    return BadInput("crypto/base64", f"an encoded value {reason}", hint)
