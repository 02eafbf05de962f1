"""A key file under a passphrase: the root sealed, its public halves beside it.

What lives here: locking and unlocking the text of a key file. What must never be here: asking for a
passphrase, a path; a message that quotes a passphrase or a root.
Laws: who has the file and not the passphrase has to try passphrases, 128 MiB and half a second
each; the public halves can be read without it, and hold only if the root gives them.
Source: docs/SPECIFICATION.md section 4; FORMAT.md "A referee's key under a passphrase"; RFC 7914,
RFC 8439.
"""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag

from pbem.crypto.encoding import b64, pae, unb64
from pbem.crypto.keys import ROOT_SIZE, RefereeKey
from pbem.errors import BadInput, Refused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FIRST_LINE = "pbem-locked-referee-key 1"
N, R, P = 1 << 17, 8, 1
SALT_SIZE, NONCE_SIZE, TAG_SIZE = 16, 12, 16
SHORTEST = 10
_LINES = 4


def good_passphrase(text: str) -> str:
    """A passphrase fit to lock a key, in one spelling; BadInput ``passphrase/short``."""
    found = unicodedata.normalize("NFC", text)
    if len(found.strip()) < SHORTEST:
        hint = "take four or five words that nobody would put together"
        raise BadInput("passphrase/short", f"a passphrase has at least {SHORTEST} letters", hint)
    return found


def new_salt_and_nonce() -> bytes:
    """28 fresh random bytes; they are public."""
    return os.urandom(SALT_SIZE + NONCE_SIZE)


def lock(root: bytes, passphrase: str, fresh: bytes | None = None) -> str:
    """The text of the key file; ``fresh``: 28 random bytes, salt and nonce."""
    fresh = fresh or new_salt_and_nonce()
    salt, nonce = fresh[:SALT_SIZE], fresh[SALT_SIZE:]
    key = RefereeKey(root)
    publics = key.public, key.wrap_public
    box = _cipher(good_passphrase(passphrase), salt).encrypt(nonce, root, _bound(salt, *publics))
    rows = (FIRST_LINE, " ".join(map(b64, publics)), b64(salt), b64(nonce + box))
    return "".join(f"{row}\n" for row in rows)


def unlock(text: str, passphrase: str) -> bytes:
    """The root. Refused ``passphrase/wrong``; BadInput ``key/…`` where the file is damaged."""
    publics, salt, sealed = _parts(text)
    cipher = _cipher(unicodedata.normalize("NFC", passphrase), salt)
    nonce, box = sealed[:NONCE_SIZE], sealed[NONCE_SIZE:]
    try:
        root = cipher.decrypt(nonce, box, _bound(salt, *publics))
    except InvalidTag:
        message = "the passphrase does not open the key, or its file was changed"
        hint = "type it again; nobody can open this file without its passphrase"
        raise Refused("passphrase/wrong", message, hint) from None
    return root


def publics(text: str) -> tuple[bytes, bytes]:
    """The public signing and wrapping key, as the file has them; no passphrase needed."""
    return _parts(text)[0]


def _parts(text: str) -> tuple[tuple[bytes, bytes], bytes, bytes]:
    rows = [row.rstrip(" \t\r") for row in text.rstrip().split("\n")]
    try:
        first, names, salt, sealed = rows
        if first != FIRST_LINE:
            raise ValueError
        sign, wrap = names.split(" ")
        size = NONCE_SIZE + ROOT_SIZE + TAG_SIZE
        return (unb64(sign, 32), unb64(wrap, 32)), unb64(salt, SALT_SIZE), unb64(sealed, size)
    except (ValueError, BadInput):
        message = f"the locked referee key cannot be read: it is not the {_LINES} lines it was"
        raise BadInput("key/cut", message, "copy the key file again, whole") from None


def _cipher(passphrase: str, salt: bytes) -> ChaCha20Poly1305:
    """Slow to make. The two are loaded here: every command knows what a locked key looks like."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    key = Scrypt(salt=salt, length=32, n=N, r=R, p=P).derive(passphrase.encode())
    return ChaCha20Poly1305(key)


def _bound(salt: bytes, public: bytes, wrap_public: bytes) -> bytes:
    return pae("pbem/1/referee/locked", salt, public, wrap_public)
