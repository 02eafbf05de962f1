"""Keys and passwords of people: a referee's key, its passphrase, a player's password.

A referee's root is 32 random bytes, from which all their keys are derived. A key file holds it in the
clear, or locked: encrypted with a passphrase.

Not allowed here: the path of a key file; asking for a passphrase; a message or a repr that
quotes a root, a passphrase or a password.
Laws: the root is all that needs a backup, and a damaged copy is never taken for another referee's key.
Without its passphrase, a locked file opens only by trying passphrases, each of which takes half a
second and 128 MiB. Its public keys can be read without the passphrase, but only the root proves them.
Checking a password takes the same time for every wrong one.
Source: docs/SPECIFICATION.md section 4 (keys and the secret); FORMAT.md "A referee's key under a
passphrase"; decision 0005; RFC 7914 (scrypt), RFC 8439; docs/DESIGN.md P6.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cryptography.exceptions import InvalidKey, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.crypto.encoding import DIGEST_SIZE, b64, digest, pae, prf, require_length, spoken_words, unb64
from pbem.crypto.signing import key_id
from pbem.errors import BadInput, Refused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

ROOT_SIZE = DIGEST_SIZE
_KIND = "pbem-referee-key"
_FIRST_LINE = f"{_KIND} 1"
_LINE_COUNT = 3
_CHECK_BYTES = 4
_COPY_AGAIN = "copy the key file again, whole"


class RefereeKey:
    """A referee's keys: Ed25519 for signing, X25519 for decrypting wrapped secrets. Its repr shows no secret."""

    def __init__(self, root: bytes) -> None:
        """Derive the keys from a root, which only the referee may see. Raise ValueError unless it is 32 bytes."""
        self._root = require_length(root, ROOT_SIZE, "a root")

    @cached_property
    def signing(self) -> Ed25519PrivateKey:
        """The private key for ``signing.sign``, only for the referee."""
        return Ed25519PrivateKey.from_private_bytes(prf(self._root, "pbem/1/referee/sign"))

    @cached_property
    def wrapping(self) -> X25519PrivateKey:
        """The private key for ``secret.unwrap``, only for the referee. The first use takes 6 ms."""
        return X25519PrivateKey.from_private_bytes(prf(self._root, "pbem/1/referee/wrap"))

    @cached_property
    def public(self) -> bytes:
        """The 32 public bytes that verify the referee's signatures."""
        return self.signing.public_key().public_bytes_raw()

    @cached_property
    def wrap_public(self) -> bytes:
        """The 32 public bytes for which secrets are wrapped."""
        return self.wrapping.public_key().public_bytes_raw()

    @property
    def id(self) -> str:
        """The public name of the signing key: 22 characters."""
        return key_id(self.public)


def new_root() -> bytes:
    """Return 32 random bytes: the root of a new referee, which only the referee may see."""
    return os.urandom(ROOT_SIZE)


def format_key(root: bytes) -> str:
    """Return the three lines of a key file. They are as secret as the root."""
    require_length(root, ROOT_SIZE, "a root")
    return f"{_FIRST_LINE}\n{b64(root)}\n{_checksum(root)}\n"


def parse_key(text: str) -> bytes:
    """Return the root in the text of a key file. A BOM, CRLF, and blanks at the end of lines are ignored.
    Raises BadInput ``key/not-a-key``, ``key/version``, ``key/cut``, ``key/root`` or
    ``key/mistyped``. No message quotes the text, because people show messages to others when they
    ask for help.
    """
    # splitlines would also break at form feeds and U+2028
    lines = [line.rstrip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines or lines[0] != _FIRST_LINE:
        raise _first_line_error(lines[0] if lines else "")
    if len(lines) != _LINE_COUNT:
        raise _key_error("key/cut", f"it has {len(lines)} lines where {_LINE_COUNT} were expected")
    try:
        root = unb64(lines[1], ROOT_SIZE)
    except BadInput:
        length = len(lines[1])
        expected_length = len(b64(bytes(ROOT_SIZE)))
        fault = f"its second line has {length} characters where {expected_length} were expected"
        if length == expected_length:
            fault = "its second line is not base64url (A-Z a-z 0-9 - _)"
        raise _key_error("key/root", fault) from None
    if lines[2] != _checksum(root):
        raise _key_error("key/mistyped", "its second line does not agree with the check on its third")
    return root


def _first_line_error(line: str) -> BadInput:
    kind, _, version = line.partition(" ")
    if kind == _KIND and version.isdecimal():
        # do not quote it: in a file with its lines run together, the key is here
        return _key_error("key/version", f"its first line names another version than '{_FIRST_LINE}'")
    return _key_error("key/not-a-key", f"its first line is not '{_FIRST_LINE}'")


def _checksum(root: bytes) -> str:
    return digest(pae("pbem/1/referee/check", root))[:_CHECK_BYTES].hex()


def _key_error(code: str, reason: str) -> BadInput:
    return BadInput(code, f"the referee key cannot be read: {reason}", _COPY_AGAIN)


LOCKED_LINE = "pbem-locked-referee-key 1"
SALT_SIZE, NONCE_SIZE, TAG_SIZE = 16, 12, 16
SHORTEST_PASSPHRASE = 10
LOCK_N = 1 << 17  #: the cost of scrypt: 128 MiB and half a second


def normalize_passphrase(text: str) -> str:
    """Return a passphrase in its one spelling (NFC). Raise BadInput ``passphrase/short`` if it is too short."""
    normalized = unicodedata.normalize("NFC", text)
    if len(normalized.strip()) < SHORTEST_PASSPHRASE:
        hint = "take four or five words that nobody would put together"
        raise BadInput("passphrase/short", f"a passphrase has at least {SHORTEST_PASSPHRASE} letters", hint)
    return normalized


def new_salt_and_nonce() -> bytes:
    """Return 28 random bytes for ``lock_key``, which are public."""
    return os.urandom(SALT_SIZE + NONCE_SIZE)


def lock_key(root: bytes, passphrase: str, salt_and_nonce: bytes | None = None) -> str:
    """Return the text of a key file that ``passphrase`` locks; ``salt_and_nonce`` is for tests."""
    salt_and_nonce = salt_and_nonce or new_salt_and_nonce()
    salt, nonce = salt_and_nonce[:SALT_SIZE], salt_and_nonce[SALT_SIZE:]
    key = RefereeKey(root)
    public_keys = key.public, key.wrap_public
    ciphertext = _cipher(normalize_passphrase(passphrase), salt).encrypt(
        nonce, root, _associated_data(salt, *public_keys)
    )
    rows = (LOCKED_LINE, " ".join(map(b64, public_keys)), b64(salt), b64(nonce + ciphertext))
    return "".join(f"{row}\n" for row in rows)


def unlock_key(text: str, passphrase: str) -> bytes:
    """Return the root in a locked key file. Raise Refused ``passphrase/wrong``, or BadInput ``key/…`` if damaged."""
    locked = _parse_locked(text)
    cipher = _cipher(unicodedata.normalize("NFC", passphrase), locked.salt)
    try:
        root = cipher.decrypt(locked.nonce, locked.ciphertext, _associated_data(locked.salt, *locked.public_keys))
        key = RefereeKey(root)
        if locked.public_keys != (key.public, key.wrap_public):
            raise InvalidTag
        return root
    except InvalidTag:
        message = "the passphrase does not open the key, or its file was changed"
        hint = "type it again; nobody can open this file without its passphrase"
        raise Refused("passphrase/wrong", message, hint) from None


def read_public_keys(text: str) -> tuple[bytes, bytes]:
    """Return the public signing and wrapping keys in a locked file. This needs no passphrase."""
    return _parse_locked(text).public_keys


class _LockedKey(NamedTuple):
    public_keys: tuple[bytes, bytes]  #: for signing and for wrapping
    salt: bytes
    nonce: bytes
    ciphertext: bytes


def _parse_locked(text: str) -> _LockedKey:
    """Return what the four lines of a locked key file hold. Raise BadInput ``key/cut`` for anything else."""
    rows = [row.rstrip(" \t\r") for row in text.rstrip().split("\n")]
    try:
        first_line, public_line, salt, sealed_line = rows
        if first_line != LOCKED_LINE:
            raise ValueError
        sign, wrap = public_line.split(" ")
        sealed = unb64(sealed_line, NONCE_SIZE + ROOT_SIZE + TAG_SIZE)
        public_keys = (unb64(sign, 32), unb64(wrap, 32))
        return _LockedKey(public_keys, unb64(salt, SALT_SIZE), sealed[:NONCE_SIZE], sealed[NONCE_SIZE:])
    except (ValueError, BadInput):
        message = "the locked referee key cannot be read: it is not the 4 lines it was"
        raise BadInput("key/cut", message, _COPY_AGAIN) from None


def _cipher(passphrase: str, salt: bytes) -> ChaCha20Poly1305:
    """Return the cipher of a passphrase. This is slow on purpose."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(_make_scrypt(salt, LOCK_N).derive(passphrase.encode()))


def _associated_data(salt: bytes, public: bytes, wrap_public: bytes) -> bytes:
    return pae("pbem/1/referee/locked", salt, public, wrap_public)


def _make_scrypt(salt: bytes, n: int) -> Scrypt:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=n, r=8, p=1)


PASSWORD_BYTES = 8  #: random bytes of a password, which become four words
LONGEST_PASSWORD = 200  #: characters in the longest text that is tried as a password
PASSWORD_N = 1 << 14  # 16 MiB and about 40 ms: the words already have 64 random bits
_HASH_METHOD = "scrypt 14 8 1"


def new_password() -> str:
    """Return a random password like ``lusab babad gutih tugad``. Only its player may see it."""
    return " ".join(spoken_words(os.urandom(PASSWORD_BYTES)))


def new_salt() -> bytes:
    """Return a random salt for ``password_hash``."""
    return os.urandom(SALT_SIZE)


def password_hash(password: str, salt: bytes) -> str:
    """Return the stored form of a password: ``scrypt 14 8 1 <salt> <hash>``. It stays in the private folder."""
    return f"{_HASH_METHOD} {b64(salt)} {b64(_make_scrypt(salt, PASSWORD_N).derive(_normalize_password(password)))}"


def is_password(password: str, stored_hash: str) -> bool:
    """Return whether a player wrote the password of this hash. Case and punctuation do not matter. False
    if ``stored_hash`` was not written by ``password_hash``.
    """
    text_before, _, encoded_parts = stored_hash.partition(f"{_HASH_METHOD} ")
    parts = encoded_parts.split(" ")
    if text_before or len(parts) != 2 or len(password) > LONGEST_PASSWORD:
        return False
    try:
        salt, expected = unb64(parts[0], SALT_SIZE), unb64(parts[1], 32)
        _make_scrypt(salt, PASSWORD_N).verify(_normalize_password(password), expected)  # compares in constant time
    except (BadInput, InvalidKey):
        return False
    return True


def _normalize_password(password: str) -> bytes:
    """Return only the words: "Lusab, BABAD!" becomes ``lusab babad``."""
    letters = "".join(c if "a" <= c <= "z" else " " for c in password.lower())
    return " ".join(letters.split()).encode()
