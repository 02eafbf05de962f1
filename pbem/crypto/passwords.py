"""Passwords that pbem makes for players: 64 random bits as four words, kept as a slow hash.

What lives here: making one, its hash, checking what a player wrote. What must never be here:
where it is kept; a message that quotes one.
Laws: nothing but the hash is ever kept; how long a check takes says nothing of how near it was.
Source: decision 0005; RFC 7914 (scrypt); design.md P6.
"""

import hmac
import os
import re

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.spoken import spoken
from pbem.errors import BadInput

BYTES = 8  #: of chance: four words
N, R, P = 1 << 14, 8, 1  #: 16 MiB and some 40 ms: the words have 64 bits of their own
SALT = 16
_HASH = re.compile(r"scrypt 14 8 1 ([A-Za-z0-9_-]{22}) ([A-Za-z0-9_-]{43})")


def new_password() -> str:
    """A fresh one: ``lusab babad gutih tugad``. Only its player may see it."""
    return " ".join(spoken(os.urandom(BYTES)))


def password_hash(password: str, salt: bytes | None = None) -> str:
    """What may be kept of it: ``scrypt 14 8 1 <salt> <hash>``. Stays in desk/ all the same."""
    salt = os.urandom(SALT) if salt is None else salt
    return f"scrypt 14 8 1 {b64(salt)} {b64(_slow(password, salt))}"


def is_hash(text: str) -> bool:
    """Whether a text is such a hash."""
    return _HASH.fullmatch(text) is not None


def is_password(given: str, kept: str) -> bool:
    """Whether what a player wrote is the password of this hash; case, dashes and marks are free."""
    match = _HASH.fullmatch(kept)
    if match is None or len(given) > 200:
        return False
    try:
        salt, known = unb64(match[1], SALT), unb64(match[2], 32)
    except BadInput:
        return False
    return hmac.compare_digest(_slow(given, salt), known)


def _slow(password: str, salt: bytes) -> bytes:
    from hashlib import scrypt

    letters = " ".join(re.findall("[a-z]+", password.lower()))
    return scrypt(letters.encode(), salt=salt, n=N, r=R, p=P, maxmem=64 << 20, dklen=32)
