"""Ed25519 signatures over exact bytes and their type.

Not allowed here: X25519 or HPKE, which take 6 ms to set up while most commands only sign or
verify; parsing of what was signed.
Law: a signature is valid for one type of thing and one list of parts.
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

# Edwards25519 has eight points whose order divides 8. Under such a key anyone can make a signature
# with S = 0, one signature is valid for many messages, and OpenSSL accepts it. There are eight
# proper encodings (y below p = 2^255 - 19, sign bit of x) and six improper ones that decoders also
# accept: y + p for y = 0 and y = 1, and the sign bit set where x is 0. tests/crypto/curve.py
# computes the list from the equation of the curve; C2SP/CCTV, ed25519/README.md, has the same
# count.
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
# X25519 keys with which everybody knows the shared secret, which is 0
WEAK_WRAP_KEYS = frozenset((0, 1, *_ORDER_8_POINTS, _P - 1))


def is_safe_wrap_key(public: bytes) -> bool:
    """Return whether a secret may be wrapped for this X25519 key. It must not be weak, and must have its one
    spelling: X25519 itself accepts u + p for u and ignores the top bit.
    """
    u = int.from_bytes(public, "little")
    return u < _P and u not in WEAK_WRAP_KEYS


def is_safe_signing_key(public: bytes) -> bool:
    """Return whether only the owner of this Ed25519 key can sign with it."""
    return public not in SMALL_ORDER


def private_key(seed: bytes) -> PrivateKey:
    """Return the signing key of a 32-byte seed (RFC 8032); ValueError for another length. Anyone
    who has the key can sign as its owner. Printing it shows nothing.
    """
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key(private: PrivateKey) -> bytes:
    """Return the 32 public bytes of a signing key."""
    return private.public_key().public_bytes_raw()


def sign(private: PrivateKey, kind: str, *parts: Part) -> bytes:
    """Return Sig("pbem/1/<kind>", parts): 64 bytes, the same for the same key and parts. Raises
    ValueError unless ``kind`` is in SIGNATURE_KINDS. Never publish a signature over a hidden value
    that can be guessed: anyone with the public key could test their guesses.
    """
    return private.sign(_signed_bytes(kind, parts))


def verify(public: bytes, kind: str, signature: bytes, *parts: Part) -> bool:
    """Return whether ``signature`` is Sig("pbem/1/<kind>", parts) by the owner of the key ``public``. False
    for anything else: a wrong length, a key of small order, a key that is not a point. Raises
    ValueError for a kind that does not exist, which is a bug of pbem.
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
    """Return a key's short public name: b64 of the first 16 bytes of H(public), 22 characters."""
    return b64(digest(public)[:_KEY_ID_BYTES])


def _signed_bytes(kind: str, parts: tuple[Part, ...]) -> bytes:
    if kind not in SIGNATURE_KINDS:
        raise ValueError(f"no signature is of kind {kind!r}")
    return pae(f"pbem/1/{kind}", *parts)
