"""The specification once more, straight through, with hashlib and hmac alone.

The tests hold pbem/crypto to this and not to itself. It imports nothing of pbem and must stay so:
where the two differ, docs/SPECIFICATION.md decides.
"""

import base64
import hashlib
import hmac
import struct


def pae(*parts: bytes) -> bytes:
    """Section 1, parts as bytes only: the caller writes numbers and text out."""
    body = b"".join(struct.pack("<Q", len(part)) + part for part in parts)
    return struct.pack("<Q", len(parts)) + body


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def prf(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, pae(*parts), hashlib.sha256).digest()


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def deal_words(secret: bytes, head1: bytes, rows: list[tuple[bytes, bytes]], pile: bytes) -> list[int]:
    """Section 6: the first twelve words of a pile."""
    t = sha(pae(b"pbem/1/table", head1, *[part for row in rows for part in row]))
    kd = prf(secret, b"pbem/1/deal", t)
    blocks = b"".join(prf(kd, b"pbem/1/stream", pile, number) for number in (b"0", b"1", b"2"))
    return list(struct.unpack("<12Q", blocks))


def commitment(secret: bytes, game: bytes, slot: bytes, head: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Section 7: (k, C)."""
    k = prf(secret, b"pbem/1/open", game, slot, head, value)
    return k, sha(pae(b"pbem/1/commit", game, slot, k, value))


def token(kn: bytes, game: bytes, n: bytes, slot: bytes, value: bytes, size: int) -> str:
    """Section 8, with the library's cipher called in one line."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    padded = value + bytes(size - len(value))
    nonce = prf(kn, b"nonce", slot, padded)[:12]
    bound_to = pae(b"pbem/1/token", game, n, slot)
    sealed = ChaCha20Poly1305(prf(kn, b"key")).encrypt(nonce, padded, bound_to)
    return b64(nonce + sealed)


def hpke_seal(ephemeral: bytes, recipient: bytes, info: bytes, plain: bytes) -> bytes:
    """Section 4: RFC 9180 base mode, X25519, HKDF-SHA256, ChaCha20-Poly1305, key of the sender
    given.

    enc (32 bytes) then the ciphertext. Only for vectors: a real wrap never repeats its ephemeral
    key.
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    private = X25519PrivateKey.from_private_bytes(ephemeral)
    enc = private.public_key().public_bytes_raw()
    shared = private.exchange(X25519PublicKey.from_public_bytes(recipient))
    kem, suite = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
    secret = _expand(kem, _extract(kem, b"", b"eae_prk", shared), b"shared_secret", enc + recipient, 32)
    psk_hash = _extract(suite, b"", b"psk_id_hash", b"")
    context = b"\0" + psk_hash + _extract(suite, b"", b"info_hash", info)
    master = _extract(suite, secret, b"secret", b"")
    key = _expand(suite, master, b"key", context, 32)
    nonce = _expand(suite, master, b"base_nonce", context, 12)
    return enc + ChaCha20Poly1305(key).encrypt(nonce, plain, b"")


def _extract(suite: bytes, salt: bytes, label: bytes, data: bytes) -> bytes:
    return hmac.new(salt or bytes(32), b"HPKE-v1" + suite + label + data, hashlib.sha256).digest()


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    labelled = struct.pack(">H", length) + b"HPKE-v1" + suite + label + info
    return hmac.new(key, labelled + b"\x01", hashlib.sha256).digest()[:length]


def sign(seed: bytes, kind: bytes, *parts: bytes) -> bytes:
    """Section 3, with the library's Ed25519."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed).sign(pae(b"pbem/1/" + kind, *parts))
