"""Tokens: a hidden value, sealed so that it may lie in a file others read.

What lives here: the key of one link, and sealing and opening under it.
What must never be here: a random or counted nonce; a message that quotes a value.
The law it keeps: a token opens only in its slot, game and link; tokens of a kind have one length;
one value has one token in a link, so a body can be made again byte for byte.
Source: docs/SPECIFICATION.md section 8 (tokens).
"""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.hashing import DIGEST_SIZE, exactly, pae, prf
from pbem.errors import BadInput

VALUE_SIZE = 32
ORDER_SIZE = 256
_SIZES = (VALUE_SIZE, ORDER_SIZE)
_NONCE_SIZE = 12
_TAG_SIZE = 16


def link_key(secret: bytes, game: str, n: int, prev_head: bytes) -> bytes:
    """Give Kn, 32 bytes, from S, the game, the link's number and the head of link n-1 (32 bytes).

    Whoever sees it reads every token of that link: it never leaves the process.
    """
    return prf(secret, "pbem/1/seal", game, n, exactly(prev_head, DIGEST_SIZE, "a head"))


class Sealer:
    """Seals and opens the tokens of one link; makes the cipher once (50 tokens: about 0.3 ms)."""

    __slots__ = ("_cipher", "_game", "_kn", "_n")

    def __init__(self, kn: bytes, game: str, n: int) -> None:
        """``kn`` is the key of link ``n`` of ``game``, as ``link_key`` gives it."""
        self._cipher = ChaCha20Poly1305(prf(kn, "key"))
        self._kn, self._game, self._n = kn, game, n

    def seal(self, slot: str, value: bytes, size: int = VALUE_SIZE) -> str:
        """Give the token of ``value`` in ``slot``: 80 characters for size 32, 379 for size 256.

        Raises ValueError, not quoting the value, if it is longer than ``size`` or ends in NUL:
        padding could not be told from it. A token may be seen by all.
        """
        padded = _pad(value, size)
        nonce = self._nonce(slot, padded)
        return b64(nonce + self._cipher.encrypt(nonce, padded, self._bound_to(slot)))

    def open(self, slot: str, token: str, size: int = VALUE_SIZE) -> bytes:
        """Give the value sealed as ``token`` in ``slot`` of this link, without its padding.

        Raises BadInput ``token/does-not-open`` for anything that ``seal`` would not have written
        with this key, game, link, slot and size. The result is hidden: only the View says who may
        see it.
        """
        raw = _token_bytes(slot, token, size)
        nonce = raw[:_NONCE_SIZE]
        try:
            padded = self._cipher.decrypt(nonce, raw[_NONCE_SIZE:], self._bound_to(slot))
        except InvalidTag:
            raise _refusal(slot) from None
        # The cipher takes any nonce. Held to the formula, a value has one token and nobody who
        # seals can hide a message in the choice of nonces.
        if self._nonce(slot, padded) != nonce:
            raise _refusal(slot)
        return padded.rstrip(b"\0")

    def _nonce(self, slot: str, padded: bytes) -> bytes:
        # From the value as well as the slot: were a link ever made twice with one Kn (a restored
        # backup) and other values, no nonce would serve two of them.
        return prf(self._kn, "nonce", slot, padded)[:_NONCE_SIZE]

    def _bound_to(self, slot: str) -> bytes:
        return pae("pbem/1/token", self._game, self._n, slot)


def seal(kn: bytes, game: str, n: int, slot: str, value: bytes, size: int = VALUE_SIZE) -> str:
    """Seal one value; see ``Sealer.seal``. For more than one, make the Sealer once."""
    return Sealer(kn, game, n).seal(slot, value, size)


def open_token(
    kn: bytes, game: str, n: int, slot: str, token: str, size: int = VALUE_SIZE
) -> bytes:
    """Open one token; see ``Sealer.open``. For more than one, make the Sealer once."""
    return Sealer(kn, game, n).open(slot, token, size)


def _pad(value: bytes, size: int) -> bytes:
    _check_size(size)
    if len(value) > size:
        raise ValueError(f"a value of {len(value)} bytes does not fit into a token of {size}")
    if value.endswith(b"\0"):
        raise ValueError("a value that ends in NUL cannot be sealed")
    return value.ljust(size, b"\0")


def _token_bytes(slot: str, token: str, size: int) -> bytes:
    _check_size(size)
    try:
        return unb64(token, _NONCE_SIZE + size + _TAG_SIZE)
    except BadInput:
        raise _refusal(slot) from None


def _check_size(size: int) -> None:
    if size not in _SIZES:  # another length would tell kinds of tokens apart
        raise ValueError(f"a token holds {VALUE_SIZE} or {ORDER_SIZE} bytes, not {size}")


def _refusal(slot: str) -> BadInput:
    return BadInput(
        "token/does-not-open",
        f"the token at slot {slot} does not open: changed, or of another slot, game or link",
        "take the state file again from where it was sent",
    )
