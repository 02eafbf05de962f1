"""The secret S of a game: making it, and wrapping (encrypting) it for its referees with HPKE and X25519.

Not allowed here: anything that must stay secret after the game, because S is published at its end.
Law: only the recipient's key opens a wrap.
Source: docs/SPECIFICATION.md section 4 (keys and the secret).
"""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from pbem.crypto.encoding import pae, require_length
from pbem.crypto.tokens import SECRET_SIZE
from pbem.errors import BadInput


def new_secret() -> bytes:
    """Return 32 random bytes. Only the referee may see them while the game runs."""
    return os.urandom(SECRET_SIZE)


def new_wrap(secret: bytes, public_x25519: bytes, ephemeral: bytes = b"") -> bytes:
    """Return S encrypted to a referee's X25519 key: 80 public bytes, different at every call.

    ``ephemeral`` is 32 bytes from which to make the sender's key, for a game without secrets that
    must be reproducible. Two secrets with the same ephemeral key and recipient would reveal each
    other.

    Raises BadInput ``secret/recipient`` for a key that nobody can own. A wrap does not show who
    made it: the signed genesis that contains it does, and its commit_S shows whether S is the right
    one.
    """
    require_length(secret, SECRET_SIZE, "a secret")
    try:
        recipient = X25519PublicKey.from_public_bytes(public_x25519)
        if ephemeral:
            return _wrap_with_ephemeral(secret, recipient, ephemeral)
        return _suite().encrypt(secret, recipient, info=_info(public_x25519))
    except ValueError:  # a wrong length or a point of small order
        message = "the wrapping key of a referee is not a usable X25519 key"
        hint = "ask the referee for both public keys again"
        raise BadInput("secret/recipient", message, hint) from None


def unwrap(wrapped: bytes, private: X25519PrivateKey) -> bytes:
    """Return S, 32 bytes, from its wrap and the recipient's private key (``RefereeKey.wrapping``).
    Raises BadInput ``secret/does-not-unwrap`` if the wrap is for another key or was changed. The caller must
    still compare ``commit_secret`` with the genesis: anyone can wrap any secret. Hidden from all
    players.
    """
    public = private.public_key().public_bytes_raw()
    try:
        secret = _suite().decrypt(wrapped, private, info=_info(public))
        return require_length(secret, SECRET_SIZE, "a secret")
    except (InvalidTag, ValueError):
        message = "the game's secret does not open with this referee key"
        hint = "use the key of the acting or the recovery referee named in the genesis"
        raise BadInput("secret/does-not-unwrap", message, hint) from None


def _wrap_with_ephemeral(secret: bytes, recipient: X25519PublicKey, ephemeral: bytes) -> bytes:
    """Return S encrypted as RFC 9180 sections 4.1 and 5.1 say, in base mode. ``Suite`` itself accepts no
    ephemeral key.
    """
    sender = X25519PrivateKey.from_private_bytes(ephemeral)
    encapsulated_key, public = sender.public_key().public_bytes_raw(), recipient.public_bytes_raw()
    kem = b"KEM\x00\x20"  # the id of X25519, then of this suite: X25519, HKDF-SHA256, ChaCha20Poly1305
    suite = b"HPKE\x00\x20\x00\x01\x00\x03"
    shared = _extract(kem, b"", b"eae_prk", sender.exchange(recipient))
    shared = _expand(kem, shared, b"shared_secret", encapsulated_key + public, 32)
    context = b"\x00" + _extract(suite, b"", b"psk_id_hash", b"")
    context += _extract(suite, b"", b"info_hash", _info(public))
    key = _extract(suite, shared, b"secret", b"")
    nonce = _expand(suite, key, b"base_nonce", context, 12)
    return encapsulated_key + ChaCha20Poly1305(_expand(suite, key, b"key", context, 32)).encrypt(nonce, secret, b"")


def _extract(suite: bytes, salt: bytes, label: bytes, data: bytes) -> bytes:
    return _mac(salt or bytes(32), b"HPKE-v1" + suite + label + data)


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    labelled_info = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return _mac(key, labelled_info + b"\x01")[:length]


def _mac(key: bytes, data: bytes) -> bytes:
    hashing = hmac.HMAC(key, hashes.SHA256())
    hashing.update(data)
    return hashing.finalize()


def _suite() -> Suite:
    return Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


def _info(public: bytes) -> bytes:
    # the wrap is part of the genesis, whose hash names the game
    return pae("pbem/1/wrap", "game secret", public)
