"""Sealing and committing the hidden values of one link.

What lives here: Seals, the moderator's only way to tokens and commitments, so that a test can put
random strings in their place (P2). What must never be here: which values are hidden.
Law: a token is bound to its slot, game and link; a commitment stays with its slot for ever.
Source: docs/SPECIFICATION.md sections 7, 8 and 9.
"""

from pbem.crypto.tokens import ORDER_SIZE, VALUE_SIZE, Sealer, commit, link_key, opening_key


class Seals:
    """The Seals of one link of one game, from the game's secret."""

    def __init__(self, secret: bytes, game: str, n: int, prev: bytes) -> None:
        self._secret, self._game = secret, game
        self._sealer = Sealer(link_key(secret, game, n, prev), game, n)

    def seal(self, slot: str, value: str) -> str:
        """The token of a hidden value; public."""
        return self._sealer.seal(slot, value.encode(), VALUE_SIZE)

    def open(self, slot: str, token: str) -> str:
        """The value of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, VALUE_SIZE).decode()

    def seal_order(self, slot: str, value: bytes) -> str:
        """The token of an order; public."""
        return self._sealer.seal(slot, value, ORDER_SIZE)

    def open_order(self, slot: str, token: str) -> bytes:
        """The order of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, ORDER_SIZE)

    def commit(self, slot: str, value: str | bytes, head_before: bytes) -> tuple[bytes, bytes]:
        """(k, C): the opening key, for whoever may know the value, and the public commitment."""
        k = opening_key(self._secret, self._game, slot, head_before, value)
        return k, commit(self._game, slot, k, value)
