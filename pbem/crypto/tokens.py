"""What is derived from the secret S of a game: the deal, commitments, and tokens of hidden values.

A slot is the name of a hidden value. Its token is the encrypted value. Its commitment fixes the value
without revealing it, and an opening (value and key k) proves which value that was. S, T, KD, k, C and
Kn are the names in the specification.

Not allowed here: S in a result; a key shared by two slots; a random or counted nonce; a
message that quotes a value.
Laws: an opening proves one value for one slot of one game. A token opens only in its slot, game and
state. All tokens of a kind have the same length. A value has one token in a state, so that the state
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
    """Return commit_S, 32 public bytes: it binds S and, since S cannot be guessed, hides it."""
    return digest(pae("pbem/1/secret", require_length(secret, SECRET_SIZE, "a secret")))


def deal_table(roster_hash: bytes, contributions: Sequence[tuple[str, bytes]]) -> bytes:
    """Return T, 32 bytes, from the hash of the roster and pairs (seat, contribution) in seat order. A
    contribution is 32 random bytes that a seat has opened, the UTF-8 bytes of a plain line, or
    empty. The list has every seat; ValueError if one occurs twice. T is public once all
    contributions are.
    """
    seats = [seat for seat, _ in contributions]
    if len(set(seats)) != len(seats):
        raise ValueError("a seat contributes to the deal once")
    parts: list[Part] = [part for contribution in contributions for part in contribution]
    return digest(pae("pbem/1/table", require_length(roster_hash, DIGEST_SIZE, "a head"), *parts))


def deal_key(secret: bytes, table: bytes) -> bytes:
    """Return KD, 32 bytes, from S and T. It reveals every pile, and never leaves the process."""
    return prf(secret, "pbem/1/deal", require_length(table, DIGEST_SIZE, "a table"))


def bot_key(secret: bytes, game: str, seat: str, answered: int) -> bytes:
    """Return KB, 32 bytes, for a bot's choice of one order. It never leaves the process."""
    return prf(secret, "pbem/1/bot", game, seat, answered)


class DealWords:
    """Random words from the deal key KD: ``words(pile, j)`` is word j = 0, 1, … of a pile. A word
    is from 0 to 2^64 - 1: number j mod 4 of the four u64le in block j div 4. It depends only on
    (KD, pile, j), not on the order of calls. Words are hidden, since they reveal the pile. Raises
    ValueError for j below 0.
    """

    __slots__ = ("_blocks", "_deal_key")

    def __init__(self, deal_key: bytes) -> None:
        self._deal_key = require_length(deal_key, DIGEST_SIZE, "a deal key")
        # the last block of each pile, since a shuffle asks for its four words in a row
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
    """Return k, 32 bytes: the blinding of a slot's commitment. Only those may see it who may know the value.
    ``hash_before`` is the hash of the state before the one that created the slot. The value is part
    of k, so that two histories with different values never share a k.
    """
    state_hash = require_length(hash_before, DIGEST_SIZE, "a head")
    return prf(secret, "pbem/1/open", game, slot, state_hash, value)


def commit(game: str, slot: str, blinding: bytes, value: Value) -> bytes:
    """Return C, 32 public bytes: it binds the value and, while k is unknown, hides it. A str counts
    as its UTF-8 bytes; orders are bytes.
    """
    require_length(blinding, DIGEST_SIZE, "an opening key")
    return digest(pae("pbem/1/commit", game, slot, blinding, value))


def opens_commitment(commitment: bytes, game: str, slot: str, blinding: bytes, value: Value) -> bool:
    """Return whether ``commitment`` is to ``value`` in ``slot``. ``blinding`` is k; False if it is not 32 bytes."""
    return len(blinding) == DIGEST_SIZE and commit(game, slot, blinding, value) == commitment


VALUE_SIZE, ORDER_SIZE = 32, 256
_NONCE_SIZE, _TAG_SIZE = 12, 16


def state_key(secret: bytes, game: str, n: int, previous_hash: bytes) -> bytes:
    """Return Kn, 32 bytes, for state ``n``; ``previous_hash`` is the hash of state n-1. Anyone who
    has it can read every token of that state: it never leaves the process.
    """
    return prf(secret, "pbem/1/seal", game, n, require_length(previous_hash, DIGEST_SIZE, "a head"))


class Sealer:
    """Seals and opens the tokens of one state; it makes its cipher once (50 tokens take 0.3 ms)."""

    __slots__ = ("_cipher", "_game", "_kn", "_n")

    def __init__(self, key: bytes, game: str, n: int) -> None:
        """Take the key of state ``n`` of ``game``, from ``state_key``."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        self._cipher = ChaCha20Poly1305(prf(key, "key"))
        self._kn, self._game, self._n = key, game, n

    def seal(self, slot: str, value: bytes, size: int = VALUE_SIZE) -> str:
        """Return the public token of ``value`` in ``slot``: 80 characters for size 32, 379 for size
        256. Raises ValueError, not quoting the value, if it is longer than ``size`` or ends in NUL,
        which would look like padding.
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
        """Return the value in a token of ``slot`` in this state, without its padding. Raises
        BadInput ``token/does-not-open`` for a token that ``seal`` would not write with this key,
        game, state, slot and size. The result is hidden: only the View decides who may see it.
        """
        _check_size(size)
        try:
            raw = unb64(token, _NONCE_SIZE + size + _TAG_SIZE)
            nonce = raw[:_NONCE_SIZE]
            padded = self._cipher.decrypt(nonce, raw[_NONCE_SIZE:], self._associated_data(slot))
        except (BadInput, InvalidTag):
            nonce = padded = b""
        # The cipher accepts any nonce. The formula allows only one, so nobody can hide a message in
        # the choice of nonces.
        if not nonce or self._nonce(slot, padded) != nonce:
            problem = f"the token at slot {slot} does not open: it was changed, or belongs elsewhere"
            hint = "get the state file again from where it came"
            raise BadInput("token/does-not-open", problem, hint)
        return padded.rstrip(b"\0")

    def _nonce(self, slot: str, padded: bytes) -> bytes:
        # The nonce depends on the value too: if a state were made twice with one Kn (after
        # restoring a backup), different values get different nonces.
        return prf(self._kn, "nonce", slot, padded)[:_NONCE_SIZE]

    def _associated_data(self, slot: str) -> bytes:
        return pae("pbem/1/token", self._game, self._n, slot)


def _check_size(size: int) -> None:
    if size not in (VALUE_SIZE, ORDER_SIZE):  # another length would reveal the kind of a token
        raise ValueError(f"a token holds {VALUE_SIZE} or {ORDER_SIZE} bytes, not {size}")
