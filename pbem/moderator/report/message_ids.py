"""Message-IDs: what an email of ours is called, and how an answer to it is known again.

What must never be here: a list of what was sent; a reply code, since servers log these ids.
Law: same game, same message, same id; whoever lacks the desk's secret can neither make one nor tell
of two that they are of one game.
Source: docs/decisions/0014-the-post.md; FORMAT.md section 5.
"""

import re
from collections.abc import Iterable

from pbem.crypto.encoding import prf
from pbem.files.identity import ALPHABET

_LETTERS = 24  #: of 5 bits: 15 bytes
_TAG = 10
_LOCAL = re.compile(r"<([0-9a-z]{24})@[^<>\s@]{1,253}>")
_LOWER = ALPHABET.lower()


def message_id(secret: bytes, game: str, name: str, address: str) -> str:
    """``<…@example.org>``: of the message that its game calls ``name``; the domain is that of
    ``address``.
    """
    tag = prf(secret, "pbem/1/message-id", game, name)[:_TAG]
    number = int.from_bytes(tag + _seal(secret, tag), "big")
    local = "".join(_LOWER[number >> 5 * at & 31] for at in reversed(range(_LETTERS)))
    return f"<{local}@{address.rpartition('@')[2]}>"


def ours(ids: str, secrets: Iterable[bytes]) -> bool:
    """Whether one of the Message-IDs in a header is one that a desk with such a secret made."""
    known = tuple(secrets)
    for local in _LOCAL.findall(ids.lower()):
        if not set(local) <= set(_LOWER):
            continue
        number = 0
        for letter in local:
            number = number << 5 | _LOWER.index(letter)
        data = number.to_bytes(_LETTERS * 5 // 8, "big")
        if any(_seal(secret, data[:_TAG]) == data[_TAG:] for secret in known):
            return True
    return False


def _seal(secret: bytes, tag: bytes) -> bytes:
    return prf(secret, "pbem/1/our-message-id", tag)[: _LETTERS * 5 // 8 - _TAG]
