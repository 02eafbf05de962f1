"""Signatures: exact bytes together with their type, Ed25519.

What must never be here: X25519 or HPKE (their set-up costs 6 ms and most commands only sign or
verify); parsing of what was signed.
The law it keeps: a signature holds for one type of thing and one list of parts.
Source: docs/SPECIFICATION.md section 3 (signatures).
"""

from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pbem.crypto.encoding import Part, b64, digest, pae

PrivateKey: TypeAlias = Ed25519PrivateKey

SIGNATURE_KINDS = frozenset({"state", "join", "opening", "order", "consent", "receipt", "report", "keys", "archive"})

PUBLIC_SIZE = 32
SIGNATURE_SIZE = 64
_KEY_ID_BYTES = 16

# Edwards25519 has eight points whose order divides 8. Under such a key a signature with S = 0 is
# easily made without any private key, and one signature holds for many messages; OpenSSL accepts
# it. Eight proper encodings (y below p = 2^255 - 19, sign bit of x) and six improper ones that
# decoders also take: y + p for y = 0 and y = 1, and the sign bit set where x is 0.
# tests/crypto/curve.py computes the list from the curve's equation alone; the count, eight plus
# six, is also that of C2SP/CCTV, ed25519/README.md.
SMALL_ORDER = frozenset(
    bytes.fromhex(text)
    for text in (
        # order 1, y = 1: proper, sign bit on x = 0, y + p, both
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        # order 2, y = p - 1: proper, sign bit on x = 0
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        # order 4, y = 0: both signs, proper, then both signs of y + p
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        # order 8: two values of y, both signs each
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)

_P = 2**255 - 19
_ORDER_8_POINTS = (
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
# The same for the keys that a secret is wrapped to (X25519, of which nothing is loaded here): under
# them everybody has the shared secret, which is 0.
WEAK_WRAP_KEYS = frozenset((0, 1, *_ORDER_8_POINTS, _P - 1))


def is_safe_wrap_key(public: bytes) -> bool:
    """Tell whether a secret may be wrapped to this X25519 key: one that is somebody's own, and is
    written the one way it can be (X25519 itself takes u + p for u, and passes over the top bit).
    """
    u = int.from_bytes(public, "little")
    return u < _P and u not in WEAK_WRAP_KEYS


def is_safe_signing_key(public: bytes) -> bool:
    """Tell whether a signature under this Ed25519 key is somebody's own."""
    return public not in SMALL_ORDER


def private_key(seed: bytes) -> PrivateKey:
    """Give the signing key of a 32-byte seed (RFC 8032), else ValueError.

    Whoever holds the result signs as its owner; the object shows nothing of itself when printed.
    """
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key(private: PrivateKey) -> bytes:
    """Give the 32 public bytes of a signing key. Public."""
    return private.public_key().public_bytes_raw()


def sign(private: PrivateKey, kind: str, *parts: Part) -> bytes:
    """Give Sig("pbem/1/<kind>", parts): 64 bytes, the same for the same key and parts.

    ``kind`` is one of KINDS, else ValueError. A signature over a value that can be guessed tells
    the value to whoever sees it and knows the public key: never show one over something hidden.
    """
    return private.sign(_signed_bytes(kind, parts))


def verify(public: bytes, kind: str, signature: bytes, *parts: Part) -> bool:
    """Tell whether ``signature`` is Sig("pbem/1/<kind>", parts) under the 32 bytes ``public``.

    False for anything not genuine: a wrong length, a key of small order, a key that is no point.
    Raises ValueError only for a kind that does not exist, which is our bug and no one's forgery.
    """
    message = _signed_bytes(kind, parts)
    if len(public) != PUBLIC_SIZE or len(signature) != SIGNATURE_SIZE or not is_safe_signing_key(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: bytes) -> str:
    """Give a key's short name: b64 of the first 16 bytes of H(public), 22 characters. Public."""
    return b64(digest(public)[:_KEY_ID_BYTES])


def _signed_bytes(kind: str, parts: tuple[Part, ...]) -> bytes:
    if kind not in SIGNATURE_KINDS:
        raise ValueError(f"no signature is of kind {kind!r}")
    return pae(f"pbem/1/{kind}", *parts)
