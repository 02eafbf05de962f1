"""The Message-IDs of our emails, by which we recognise an answer.

Not allowed here: a list of sent emails; a readable reply code, because servers log these ids.
Laws: the same message of a game has the same id. Without the secret in the private folder nobody
can make an id, tell whether two ids are of one game, or read the code in one. Anyone who has an
id can answer the email, as with its code.
Source: docs/decisions/0014-the-post.md; FORMAT.md section 5.
"""

import re
from collections.abc import Iterable

from pbem.crypto.encoding import prf
from pbem.mail.identity import ALPHABET

_ID_LETTERS = 24  #: of 5 bits, for three parts of 5 bytes
_PART_BYTES = 5
_LOCAL_PART = re.compile(r"<([0-9a-z]{24})@[^<>\s@]{1,253}>")
_LOWER_ALPHABET = ALPHABET.lower()
MOST_IDS = 20  #: in the headers of an email; only the nearest ones are read


def make_message_id(secret: bytes, game: str, name: str, address: str, code: str = "") -> str:
    """``<…@example.org>``, for the message that its game calls ``name``, with the domain of ``address``.

    It contains the reply ``code``, "" for none, readable with the ``secret`` alone.
    """
    id_prefix = prf(secret, "pbem/1/message-id", game, name, code)[:_PART_BYTES]
    tag = id_prefix + _mask_number(secret, id_prefix, _decode_base32(code.replace("-", "").lower()))
    number = int.from_bytes(tag + _compute_mac(secret, tag), "big")
    return f"<{_encode_base32(number, _ID_LETTERS)}@{address.rpartition('@')[2]}>"


def has_our_id(ids: str, secrets: Iterable[bytes]) -> bool:
    """Whether one of these secrets made one of the Message-IDs in a header."""
    return bool(_recognize_ids(_LOCAL_PART.findall(ids.lower()), tuple(secrets)))


def read_answered_code(ids: str, secrets: Iterable[bytes]) -> str:
    """The reply code of the answered email, from the Message-IDs in headers, the nearest one last.

    "" if none of these secrets made the ids, or the email expected no answer.
    """
    for secret, tag in _recognize_ids(_LOCAL_PART.findall(ids.lower())[-MOST_IDS:][::-1], tuple(secrets)):
        masked_number = int.from_bytes(tag[_PART_BYTES:], "big")
        number = int.from_bytes(_mask_number(secret, tag[:_PART_BYTES], masked_number), "big")
        if number:
            letters = _encode_base32(number, 8).upper()
            return f"{letters[:4]}-{letters[4:]}"
    return ""


def _recognize_ids(local_parts: list[str], secrets: tuple[bytes, ...]) -> list[tuple[bytes, bytes]]:
    """The ids that one of the secrets made: the secret, and the id without its MAC."""
    matches = []
    for local_part in local_parts:
        if set(local_part) <= set(_LOWER_ALPHABET):
            data = _decode_base32(local_part).to_bytes(3 * _PART_BYTES, "big")
            tag, mac = data[: 2 * _PART_BYTES], data[2 * _PART_BYTES :]
            matches += [(secret, tag) for secret in secrets if _compute_mac(secret, tag) == mac]
    return matches


def _mask_number(secret: bytes, id_prefix: bytes, number: int) -> bytes:
    """Encrypts a code, and decrypts it again."""
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
