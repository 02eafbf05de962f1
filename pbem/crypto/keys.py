"""A referee's key: one root of 32 bytes, what follows from it, and the text it is kept as.

What lives here: the derivation of the signing and the wrapping key, the key file's text and its
check.
What must never be here: the path of a key file; a message or a repr that quotes a root.
The law it keeps: one root is all there is to back up, and a copy that was cut or mistyped is told
from one that belongs to somebody else.
Source: docs/SPECIFICATION.md section 4 (keys and the secret).
"""

from __future__ import annotations

import os
from functools import cached_property

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.crypto.encoding import DIGEST_SIZE, b64, digest, exactly, pae, prf, unb64
from pbem.crypto.signing import key_id
from pbem.errors import BadInput

ROOT_SIZE = DIGEST_SIZE
_KIND = "pbem-referee-key"
_FIRST_LINE = f"{_KIND} 1"
_LINES = 3
_CHECK_BYTES = 4


class RefereeKey:
    """A referee: signs with Ed25519, and can be wrapped to with X25519. Prints as nothing."""

    def __init__(self, root: bytes) -> None:
        """The referee of a 32-byte root, else ValueError. Only he may see the root."""
        self._root = exactly(root, ROOT_SIZE, "a root")

    @cached_property
    def signing(self) -> Ed25519PrivateKey:
        """The private key for ``signing.sign``. His alone."""
        return Ed25519PrivateKey.from_private_bytes(prf(self._root, "pbem/1/referee/sign"))

    @cached_property
    def wrapping(self) -> X25519PrivateKey:
        """The private key for ``secret.unwrap``. His alone. Costs 6 ms the first time: ask late."""
        return X25519PrivateKey.from_private_bytes(prf(self._root, "pbem/1/referee/wrap"))

    @cached_property
    def public(self) -> bytes:
        """The 32 bytes that check his signatures. Public."""
        return self.signing.public_key().public_bytes_raw()

    @cached_property
    def wrap_public(self) -> bytes:
        """The 32 bytes to which secrets are wrapped. Public."""
        return self.wrapping.public_key().public_bytes_raw()

    @property
    def id(self) -> str:
        """The 22 characters that name his signing key. Public."""
        return key_id(self.public)


def new_root() -> bytes:
    """Give 32 fresh random bytes from the system: a new referee. Only he may see them."""
    return os.urandom(ROOT_SIZE)


def format_key(root: bytes) -> str:
    """Give the text of a key file: three lines, LF at the end of each. As secret as the root."""
    exactly(root, ROOT_SIZE, "a root")
    return f"{_FIRST_LINE}\n{b64(root)}\n{_check(root)}\n"


def parse_key(text: str) -> bytes:
    """Give the root from a key file's text; a BOM, CRLF and blanks at the end of lines do no harm.

    Raises BadInput ``key/not-a-key``, ``key/version``, ``key/cut``, ``key/root`` or
    ``key/mistyped``. No message quotes the text: it is shown on a screen, and may be sent on when
    asking for help.
    """
    # Split at LF alone: splitlines would also break at form feeds and U+2028.
    lines = [line.rstrip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines or lines[0] != _FIRST_LINE:
        raise _another_first_line(lines[0] if lines else "")
    if len(lines) != _LINES:
        raise _refusal("key/cut", f"it has {len(lines)} lines where {_LINES} were expected")
    try:
        root = unb64(lines[1], ROOT_SIZE)
    except BadInput:
        raise _refusal("key/root", _root_fault(lines[1])) from None
    if lines[2] != _check(root):
        raise _refusal("key/mistyped", "its second line does not agree with the check on its third")
    return root


def _another_first_line(line: str) -> BadInput:
    kind, _, version = line.partition(" ")
    if kind == _KIND and version.isdecimal():
        # Not quoted: a file with its lines run together has the key here.
        return _refusal("key/version", f"its first line names another version than '{_FIRST_LINE}'")
    return _refusal("key/not-a-key", f"its first line is not '{_FIRST_LINE}'")


def _root_fault(line: str) -> str:
    wanted = len(b64(bytes(ROOT_SIZE)))
    if len(line) != wanted:
        return f"its second line has {len(line)} characters where {wanted} were expected"
    return "its second line is not base64url (A-Z a-z 0-9 - _)"


def _check(root: bytes) -> str:
    return digest(pae("pbem/1/referee/check", root))[:_CHECK_BYTES].hex()


def _refusal(code: str, reason: str) -> BadInput:
    hint = "copy the key file again, whole"
    return BadInput(code, f"the referee key cannot be read: {reason}", hint)
