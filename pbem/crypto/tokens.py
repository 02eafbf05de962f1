"""What follows from the secret S of a game: its commitment, the deal, a hidden value's commitment
and its token, sealed so that it may lie in a file others read.

What must never be here: S in anything that is handed out; a key shared by two slots; a random or
counted nonce; a message that quotes a value.
The law it keeps: an opening proves one value for one slot of one game; a token opens only in its
slot, game and link; tokens of a kind have one length; one value has one token in a link, so a body
can be made again byte for byte.
Source: docs/SPECIFICATION.md sections 4, 6 to 8 (the secret, the deal, commitments, tokens).
"""

from collections.abc import Sequence

from cryptography.exceptions import InvalidTag

from pbem.crypto.encoding import DIGEST_SIZE, Part, b64, digest, pae, prf, require_length, unb64
from pbem.errors import BadInput

SECRET_SIZE = DIGEST_SIZE
WORDS_PER_BLOCK, _WORD_SIZE = 4, 8


def commit_secret(secret: bytes) -> bytes:
    """Give commit_S, 32 bytes, public: it binds S, and hides it since S cannot be guessed."""
    return digest(pae("pbem/1/secret", require_length(secret, SECRET_SIZE, "a secret")))


def deal_table(roster_hash: bytes, contributions: Sequence[tuple[str, bytes]]) -> bytes:
    """Give T, 32 bytes, from the head of the roster and (seat, contribution) in seat order.

    A contribution is the 32 bytes r of a seat that opened, the UTF-8 bytes of a plain line, or
    empty for a seat that gave nothing; every seat stands in the list. Raises ValueError if a seat
    stands twice. T is public once all contributions are.
    """
    seats = [seat for seat, _ in contributions]
    if len(set(seats)) != len(seats):
        raise ValueError("a seat contributes to the deal once")
    parts: list[Part] = [part for contribution in contributions for part in contribution]
    return digest(pae("pbem/1/table", require_length(roster_hash, DIGEST_SIZE, "a head"), *parts))


def deal_key(secret: bytes, table: bytes) -> bytes:
    """Give KD, 32 bytes, from S and T. It tells every pile, and never leaves the process."""
    return prf(secret, "pbem/1/deal", require_length(table, DIGEST_SIZE, "a table"))


def bot_key(secret: bytes, game: str, seat: str, answered: int) -> bytes:
    """Give KB, 32 bytes: what a bot draws by for one order. It never leaves the process."""
    return prf(secret, "pbem/1/bot", game, seat, answered)


class DealWords:
    """The words of the deal key KD, 32 bytes: ``words(pile, j)`` is word j = 0, 1, … of a pile,
    from 0 to 2^64 - 1; number j mod 4 of the four u64le in block j div 4. ValueError for j below 0.

    A word is a function of (KD, pile, j) alone; asking in another order changes nothing. Hidden:
    words tell the pile.
    """

    __slots__ = ("_blocks", "_deal_key")

    def __init__(self, deal_key: bytes) -> None:
        self._deal_key = require_length(deal_key, DIGEST_SIZE, "a deal key")
        # The last block of each pile: a shuffle asks for its four words one after the other.
        self._blocks: dict[str, tuple[int, bytes]] = {}

    def __call__(self, pile: str, index: int) -> int:
        number, place = divmod(index, WORDS_PER_BLOCK)
        start = place * _WORD_SIZE
        cached_number, block = self._blocks.get(pile, (None, b""))
        if cached_number != number:
            block = prf(self._deal_key, "pbem/1/stream", pile, number)
            self._blocks[pile] = (number, block)
        return int.from_bytes(block[start : start + _WORD_SIZE], "little")


Value = str | bytes


def opening_key(secret: bytes, game: str, slot: str, hash_before: bytes, value: Value) -> bytes:
    """Give k, 32 bytes: the blinding of one slot's commitment. For whoever may know the value.

    ``hash_before`` is the head of the link before the one that created the slot, 32 bytes. The
    value goes in, so that two histories that differ in it never share a k.
    """
    state_hash = require_length(hash_before, DIGEST_SIZE, "a head")
    return prf(secret, "pbem/1/open", game, slot, state_hash, value)


def commit(game: str, slot: str, blinding: bytes, value: Value) -> bytes:
    """Give C, 32 bytes, public: it binds the value and, while k is unknown, hides it.

    A str value counts as its UTF-8 bytes; bytes are for the values of orders.
    """
    require_length(blinding, DIGEST_SIZE, "an opening key")
    return digest(pae("pbem/1/commit", game, slot, blinding, value))


def check_opening(commitment: bytes, game: str, slot: str, blinding: bytes, value: Value) -> bool:
    """Tell whether (slot, value, k) opens the commitment ``commitment``; False for a k of another length."""
    return len(blinding) == DIGEST_SIZE and commit(game, slot, blinding, value) == commitment


VALUE_SIZE, ORDER_SIZE = 32, 256
_NONCE_SIZE, _TAG_SIZE = 12, 16


def state_key(secret: bytes, game: str, n: int, previous_hash: bytes) -> bytes:
    """Give Kn, 32 bytes, from S, the game, the link's number and the head of link n-1 (32 bytes).

    Whoever sees it reads every token of that link: it never leaves the process.
    """
    return prf(secret, "pbem/1/seal", game, n, require_length(previous_hash, DIGEST_SIZE, "a head"))


class Sealer:
    """Seals and opens the tokens of one link; makes the cipher once (50 tokens: about 0.3 ms)."""

    __slots__ = ("_cipher", "_game", "_kn", "_n")

    def __init__(self, key: bytes, game: str, n: int) -> None:
        """``key`` is the key of link ``n`` of ``game``, as ``link_key`` gives it."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        self._cipher = ChaCha20Poly1305(prf(key, "key"))
        self._kn, self._game, self._n = key, game, n

    def seal(self, slot: str, value: bytes, size: int = VALUE_SIZE) -> str:
        """Give the token of ``value`` in ``slot``: 80 characters for size 32, 379 for size 256.

        Raises ValueError, not quoting the value, if it is longer than ``size`` or ends in NUL:
        padding could not be told from it. A token may be seen by all.
        """
        _check_size(size)
        if len(value) > size:
            raise ValueError(f"a value of {len(value)} bytes does not fit into a token of {size}")
        if value.endswith(b"\0"):
            raise ValueError("a value that ends in NUL cannot be sealed")
        padded = value.ljust(size, b"\0")
        nonce = self._nonce(slot, padded)
        return b64(nonce + self._cipher.encrypt(nonce, padded, self._associated_data(slot)))

    def open(self, slot: str, token: str, size: int = VALUE_SIZE) -> bytes:
        """Give the value sealed as ``token`` in ``slot`` of this link, without its padding.

        Raises BadInput ``token/does-not-open`` for anything that ``seal`` would not have written
        with this key, game, link, slot and size. The result is hidden: only the View says who may
        see it.
        """
        _check_size(size)
        try:
            raw = unb64(token, _NONCE_SIZE + size + _TAG_SIZE)
            nonce = raw[:_NONCE_SIZE]
            padded = self._cipher.decrypt(nonce, raw[_NONCE_SIZE:], self._associated_data(slot))
        except (BadInput, InvalidTag):
            nonce = padded = b""
        # The cipher takes any nonce. Held to the formula, a value has one token and nobody who
        # seals can hide a message in the choice of nonces.
        if not nonce or self._nonce(slot, padded) != nonce:
            problem = f"the token at slot {slot} does not open: it was changed, or belongs elsewhere"
            hint = "get the state file again from where it came"
            raise BadInput("token/does-not-open", problem, hint)
        return padded.rstrip(b"\0")

    def _nonce(self, slot: str, padded: bytes) -> bytes:
        # From the value as well as the slot: were a link ever made twice with one Kn (a restored
        # backup) and other values, no nonce would serve two of them.
        return prf(self._kn, "nonce", slot, padded)[:_NONCE_SIZE]

    def _associated_data(self, slot: str) -> bytes:
        return pae("pbem/1/token", self._game, self._n, slot)


def _check_size(size: int) -> None:
    if size not in (VALUE_SIZE, ORDER_SIZE):  # another length would tell kinds of tokens apart
        raise ValueError(f"a token holds {VALUE_SIZE} or {ORDER_SIZE} bytes, not {size}")
