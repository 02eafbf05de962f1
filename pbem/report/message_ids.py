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

_LETTERS = 24  #: of 5 bits: three parts of 5 bytes
_PART = 5
_LOCAL = re.compile(r"<([0-9a-z]{24})@[^<>\s@]{1,253}>")
_LOWER = ALPHABET.lower()
MOST = 20  #: of the ids in the headers of an email: so many are looked at


def message_id(secret: bytes, game: str, name: str, address: str, code: str = "") -> str:
    """``<…@example.org>``: of the message that its game calls ``name``; the domain is that of
    ``address``. In it is the reply ``code`` of the message, "" for none; the desk alone reads it.
    """
    begin = prf(secret, "pbem/1/message-id", game, name, code)[:_PART]
    tag = begin + _hidden(secret, begin, _number(code.replace("-", "").lower()))
    number = int.from_bytes(tag + _seal(secret, tag), "big")
    return f"<{_spelled(number, _LETTERS)}@{address.rpartition('@')[2]}>"


def ours(ids: str, secrets: Iterable[bytes]) -> bool:
    """Whether one of the Message-IDs in a header is one that a desk with such a secret made."""
    return bool(_found(_LOCAL.findall(ids.lower()), tuple(secrets)))


def answered_code(ids: str, secrets: Iterable[bytes]) -> str:
    """The code of the email that is answered, by the ids in headers, the nearest one last; "" if
    none of them was made by a desk with such a secret, or no answer was expected.
    """
    for secret, tag in _found(_LOCAL.findall(ids.lower())[-MOST:][::-1], tuple(secrets)):
        hidden = int.from_bytes(tag[_PART:], "big")
        if number := int.from_bytes(_hidden(secret, tag[:_PART], hidden), "big"):
            letters = _spelled(number, 8).upper()
            return f"{letters[:4]}-{letters[4:]}"
    return ""


def _found(locals_: list[str], secrets: tuple[bytes, ...]) -> list[tuple[bytes, bytes]]:
    """Those that a desk made: its secret, and the part that is not the seal."""
    found = []
    for local in locals_:
        if set(local) <= set(_LOWER):
            data = _number(local).to_bytes(3 * _PART, "big")
            tag, seal = data[: 2 * _PART], data[2 * _PART :]
            found += [(secret, tag) for secret in secrets if _seal(secret, tag) == seal]
    return found


def _hidden(secret: bytes, begin: bytes, number: int) -> bytes:
    """A code under the desk's secret, and the same way back."""
    mask = prf(secret, "pbem/1/code-in-message-id", begin)[:_PART]
    return (int.from_bytes(mask, "big") ^ number).to_bytes(_PART, "big")


def _seal(secret: bytes, tag: bytes) -> bytes:
    return prf(secret, "pbem/1/our-message-id", tag)[:_PART]


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number << 5 | _LOWER.index(letter)
    return number


def _spelled(number: int, letters: int) -> str:
    return "".join(_LOWER[number >> 5 * at & 31] for at in reversed(range(letters)))
