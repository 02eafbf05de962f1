"""Message-IDs: what an email of ours is called, and how an answer to it is known again.

What must never be here: a list of what was sent; a reply code that others can read, since servers
log these ids.
Law: same game, same message, same id; whoever lacks the desk's secret can neither make one, nor
tell of two that they are of one game, nor read the code in it. Whoever has one can answer the
email, as with its code.
Source: docs/decisions/0014-the-post.md; FORMAT.md section 5.
"""

import re
from collections.abc import Iterable

from pbem.crypto.encoding import prf
from pbem.mail.identity import ALPHABET

_ID_LETTERS = 24  #: of 5 bits: three parts of 5 bytes
_PART_BYTES = 5
_LOCAL_PART = re.compile(r"<([0-9a-z]{24})@[^<>\s@]{1,253}>")
_LOWER_ALPHABET = ALPHABET.lower()
MOST_IDS = 20  #: of the ids in the headers of an email: so many are looked at


def make_message_id(secret: bytes, game: str, name: str, address: str, code: str = "") -> str:
    """``<…@example.org>``: of the message that its game calls ``name``; the domain is that of
    ``address``. In it is the reply ``code`` of the message, "" for none; the desk alone reads it.
    """
    id_prefix = prf(secret, "pbem/1/message-id", game, name, code)[:_PART_BYTES]
    tag = id_prefix + _mask_number(secret, id_prefix, _decode_base32(code.replace("-", "").lower()))
    number = int.from_bytes(tag + _compute_mac(secret, tag), "big")
    return f"<{_encode_base32(number, _ID_LETTERS)}@{address.rpartition('@')[2]}>"


def has_our_id(ids: str, secrets: Iterable[bytes]) -> bool:
    """Whether one of the Message-IDs in a header is one that a desk with such a secret made."""
    return bool(_recognize_ids(_LOCAL_PART.findall(ids.lower()), tuple(secrets)))


def read_answered_code(ids: str, secrets: Iterable[bytes]) -> str:
    """The code of the email that is answered, by the ids in headers, the nearest one last; "" if
    none of them was made by a desk with such a secret, or no answer was expected.
    """
    for secret, tag in _recognize_ids(_LOCAL_PART.findall(ids.lower())[-MOST_IDS:][::-1], tuple(secrets)):
        masked_number = int.from_bytes(tag[_PART_BYTES:], "big")
        if number := int.from_bytes(_mask_number(secret, tag[:_PART_BYTES], masked_number), "big"):
            letters = _encode_base32(number, 8).upper()
            return f"{letters[:4]}-{letters[4:]}"
    return ""


def _recognize_ids(local_parts: list[str], secrets: tuple[bytes, ...]) -> list[tuple[bytes, bytes]]:
    """Those that a desk made: its secret, and the part that is not the seal."""
    matches = []
    for local_part in local_parts:
        if set(local_part) <= set(_LOWER_ALPHABET):
            data = _decode_base32(local_part).to_bytes(3 * _PART_BYTES, "big")
            tag, mac = data[: 2 * _PART_BYTES], data[2 * _PART_BYTES :]
            matches += [(secret, tag) for secret in secrets if _compute_mac(secret, tag) == mac]
    return matches


def _mask_number(secret: bytes, id_prefix: bytes, number: int) -> bytes:
    """A code under the desk's secret, and the same way back."""
    mask = prf(secret, "pbem/1/code-in-message-id", id_prefix)[:_PART_BYTES]
    return (int.from_bytes(mask, "big") ^ number).to_bytes(_PART_BYTES, "big")


def _compute_mac(secret: bytes, tag: bytes) -> bytes:
    return prf(secret, "pbem/1/our-message-id", tag)[:_PART_BYTES]


def _decode_base32(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number << 5 | _LOWER_ALPHABET.index(letter)
    return number


def _encode_base32(number: int, length: int) -> str:
    return "".join(_LOWER_ALPHABET[number >> 5 * position & 31] for position in reversed(range(length)))
