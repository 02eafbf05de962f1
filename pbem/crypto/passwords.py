"""Passwords that pbem makes for players: 64 random bits as four words, kept as a slow hash.

What lives here: making one, its hash, checking what a player wrote. What must never be here:
where it is kept; a message that quotes one.
Laws: nothing but the hash is ever kept; how long a check takes says nothing of how near it was.
Source: decision 0005; RFC 7914 (scrypt); docs/DESIGN.md P6.
"""

import hmac
import os

from pbem.crypto.encoding import b64, spoken, unb64
from pbem.errors import BadInput

BYTES = 8  #: of chance: four words
N, R, P = 1 << 14, 8, 1  #: 16 MiB and some 40 ms: the words have 64 bits of their own
SALT = 16
LONGEST = 200  #: letters of what is tried: a mail may hold anything
_HOW = "scrypt 14 8 1"


def new_password() -> str:
    """A fresh one: ``lusab babad gutih tugad``. Only its player may see it."""
    return " ".join(spoken(os.urandom(BYTES)))


def new_salt() -> bytes:
    """A fresh salt for ``password_hash``."""
    return os.urandom(SALT)


def password_hash(password: str, salt: bytes) -> str:
    """What may be kept of it: ``scrypt 14 8 1 <salt> <hash>``. Stays in desk/ all the same."""
    return f"{_HOW} {b64(salt)} {b64(_slow(password, salt))}"


def is_password(given: str, kept: str) -> bool:
    """Whether what a player wrote is the password of this hash; case, dashes and marks are free.
    False where ``kept`` is no hash of ours.
    """
    how, _, rest = kept.partition(f"{_HOW} ")
    parts = rest.split(" ")
    if how or len(parts) != 2 or len(given) > LONGEST:
        return False
    try:
        salt, known = unb64(parts[0], SALT), unb64(parts[1], 32)
    except BadInput:
        return False
    return hmac.compare_digest(_slow(given, salt), known)


def _slow(password: str, salt: bytes) -> bytes:
    from hashlib import scrypt

    letters = " ".join("".join(c if "a" <= c <= "z" else " " for c in password.lower()).split())
    return scrypt(letters.encode(), salt=salt, n=N, r=R, p=P, maxmem=64 << 20, dklen=32)
