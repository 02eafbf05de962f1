"""The deal: from the secret and everybody's contributions to endless words, a stream per pile.

What lives here: the table T, the deal key KD, and word j of a pile.
What must never be here: drawing below a number and shuffling (pbem/engine/chance.py does both, from
the words); a random number generator of any library, whose output may change with its version.
The law it keeps: no pile's words depend on how many another pile has drawn.
Source: docs/SPECIFICATION.md section 6 (the deal).
"""

from collections.abc import Sequence

from pbem.crypto.hashing import DIGEST_SIZE, Part, digest, exactly, pae, prf

WORDS_PER_BLOCK = 4
_WORD_SIZE = 8


def table(head1: bytes, contributions: Sequence[tuple[str, bytes]]) -> bytes:
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


def words(deal_key: bytes) -> Words:
    """Give the words of the deal key KD, 32 bytes: a callable ``(pile, j) -> int``.

    Word j is number j mod 4 of the four u64le in block j div 4. Raises ValueError for a negative j.
    """
    return Words(deal_key)
