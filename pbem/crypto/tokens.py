"""Tokens: a hidden value, sealed so that it may lie in a file others read.

What lives here: the key of one link, and sealing and opening under it.
What must never be here: a random or counted nonce; a message that quotes a value.
The law it keeps: a token opens only in its slot, game and link; tokens of a kind have one length;
one value has one token in a link, so a body can be made again byte for byte.
Source: docs/SPECIFICATION.md section 8 (tokens).
"""

from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.crypto.encoding import DIGEST_SIZE, Part, b64, digest, exactly, pae, prf, unb64
from pbem.errors import BadInput

WORDS_PER_BLOCK = 4
_WORD_SIZE = 8


def stream_table(head1: bytes, contributions: Sequence[tuple[str, bytes]]) -> bytes:
    """Give T, 32 bytes, from the head of the roster and (seat, contribution) in seat order.

    A contribution is the 32 bytes r of a seat that opened, the UTF-8 bytes of a plain line, or
    empty for a seat that gave nothing; every seat stands in the list. Raises ValueError if a seat
    stands twice. T is public once all contributions are.
    """
    seats = [seat for seat, _ in contributions]
    if len(set(seats)) != len(seats):
        raise ValueError("a seat contributes to the deal once")
    parts: list[Part] = [part for contribution in contributions for part in contribution]
    return digest(pae("pbem/1/table", exactly(head1, DIGEST_SIZE, "a head"), *parts))


def deal_key(secret: bytes, table: bytes) -> bytes:
    """Give KD, 32 bytes, from S and T. It tells every pile, and never leaves the process."""
    return prf(secret, "pbem/1/deal", exactly(table, DIGEST_SIZE, "a table"))


class Words:
    """The words of a deal: ``words(pile, j)`` is word j = 0, 1, … of a pile, from 0 to 2^64 - 1.

    A word is a function of (KD, pile, j) alone; asking in another order changes nothing. Hidden:
    words tell the pile. Made by ``words``.
    """

    __slots__ = ("_blocks", "_deal_key")

    def __init__(self, deal_key: bytes) -> None:
        self._deal_key = exactly(deal_key, DIGEST_SIZE, "a deal key")
        # The last block of each pile: a shuffle asks for its four words one after the other.
        self._blocks: dict[str, tuple[int, bytes]] = {}

    def __call__(self, pile: str, j: int) -> int:
        number, place = divmod(j, WORDS_PER_BLOCK)
        start = place * _WORD_SIZE
        return int.from_bytes(self._block(pile, number)[start : start + _WORD_SIZE], "little")

    def _block(self, pile: str, number: int) -> bytes:
        known = self._blocks.get(pile)
        if known is not None and known[0] == number:
            return known[1]
        block = prf(self._deal_key, "pbem/1/stream", pile, number)
        self._blocks[pile] = (number, block)
        return block


def stream_words(deal_key: bytes) -> Words:
    """Give the words of the deal key KD, 32 bytes: a callable ``(pile, j) -> int``.

    Word j is number j mod 4 of the four u64le in block j div 4. Raises ValueError for a negative j.
    """
    return Words(deal_key)


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
