"""The three functions everything else is built from: PAE, H and PRF.

What lives here: unambiguous joining, SHA-256, HMAC-SHA256.
What must never be here: a hash of joined bytes without PAE (two lists could give one string); a
text label of one construction, which belongs beside that construction.
The law it keeps: two different lists of parts never give the same bytes.
Source: docs/SPECIFICATION.md section 1 (notation).
"""

# Not hashlib and hmac: they would load a second OpenSSL beside the one in cryptography, which every
# command that hashes needs anyway for its signatures (2.5 ms, a quarter of a bare start).
from cryptography.hazmat.primitives import hashes, hmac

_SHA256 = hashes.SHA256()

Part = bytes | str | int

DIGEST_SIZE = 32


def pae(*parts: Part) -> bytes:
    """Join parts so that the list can be read back: their number, then each with its length.

    A str counts as its UTF-8 bytes and a number as its decimal text, so ``7`` and ``"7"`` are the
    same part on purpose. Raises TypeError for any other type (a bool too), ValueError for a
    negative number.
    """
    joined = [len(parts).to_bytes(8, "little")]
    for part in parts:
        data = _part_bytes(part)
        joined.append(len(data).to_bytes(8, "little"))
        joined.append(data)
    return b"".join(joined)


def digest(data: bytes) -> bytes:
    """Give H: the 32 bytes of SHA-256.

    Never over a value that can be guessed, unless 32 secret bytes go in with it: six kinds of card
    are six guesses.
    """
    hashing = hashes.Hash(_SHA256)
    hashing.update(data)
    return hashing.finalize()


def prf(key: bytes, *parts: Part) -> bytes:
    """Give PRF(key, parts): 32 bytes of HMAC-SHA256 over the PAE of the parts.

    ``key`` is 32 bytes, else ValueError: HMAC pads a short key with NUL, and two keys would be one.
    """
    hashing = hmac.HMAC(exactly(key, DIGEST_SIZE, "a key"), _SHA256)
    hashing.update(pae(*parts))
    return hashing.finalize()


def exactly(data: bytes, length: int, what: str) -> bytes:
    """Hand ``data`` back if it is ``length`` bytes, else raise ValueError naming ``what``: our bug.

    It catches a head passed as text, which would hash without complaint to something nobody can
    check.
    """
    if type(data) is not bytes or len(data) != length:
        raise ValueError(f"{what} must be {length} bytes")
    return data


def _part_bytes(part: Part) -> bytes:
    if isinstance(part, bytes):
        return part
    if isinstance(part, str):
        return part.encode("utf-8")
    return _decimal(part)


def _decimal(number: int) -> bytes:
    if type(number) is not int:  # a bool is an int to Python, and "True" is no number
        raise TypeError(f"a part is bytes, str or int, not {type(number).__name__}")
    if number < 0:
        raise ValueError("a number in a construction is never negative")
    return str(number).encode("ascii")


def unpae(data: bytes) -> tuple[bytes, ...]:
    """Give the parts that ``pae`` joined; ValueError for bytes it never gives."""
    count, at = int.from_bytes(data[:8], "little"), 8
    parts: list[bytes] = []
    while at < len(data) and len(parts) <= count:
        end = at + 8 + int.from_bytes(data[at : at + 8], "little")
        parts.append(data[at + 8 : end])
        at = end
    if len(parts) != count or pae(*parts) != data:
        raise ValueError("these bytes are no list of parts")
    return tuple(parts)
