"""The tokens and commitments of one state, and the commitments to pending orders.

All other code gets tokens and commitments from ``Seals``, so that a test can put random strings in
their place (P2). Not allowed here: files; what a value means.
Law: a token is bound to its slot, its game and its state. A slot keeps its commitment for ever.
Source: docs/DESIGN.md P2; docs/SPECIFICATION.md sections 7 to 9.
"""

from pbem.chain.state_record import StateRecord
from pbem.crypto.tokens import ORDER_SIZE, VALUE_SIZE, Sealer, commit, opening_key, state_key


class Seals:
    """Seals and opens the values of one state with the game's secret."""

    def __init__(self, secret: bytes, game_id: str, number: int, previous_hash: bytes) -> None:
        """The seals of state ``number``; ``previous_hash`` is the hash of the state before it."""
        self._secret, self._game = secret, game_id
        self._sealer = Sealer(state_key(secret, game_id, number, previous_hash), game_id, number)

    def seal(self, slot: str, value: str) -> str:
        """Return the token of a hidden value; the token is public."""
        return self._sealer.seal(slot, value.encode(), VALUE_SIZE)

    def open(self, slot: str, token: str) -> str:
        """Return the value in a token of this state; only the moderator may see it."""
        return self._sealer.open(slot, token, VALUE_SIZE).decode()

    def seal_order(self, slot: str, value: bytes) -> str:
        """Return the token of an order; the token is public."""
        return self._sealer.seal(slot, value, ORDER_SIZE)

    def open_order(self, slot: str, token: str) -> bytes:
        """Return the order in a token of this state; only the moderator may see it."""
        return self._sealer.open(slot, token, ORDER_SIZE)

    def commit(self, slot: str, value: str | bytes, previous_hash: bytes) -> tuple[bytes, bytes]:
        """Return the opening key, for those who may know the value, and the public commitment.
        ``previous_hash`` is the hash of the state before the one that created the slot.
        """
        key = opening_key(self._secret, self._game, slot, previous_hash, value)
        return key, commit(self._game, slot, key, value)


def slot_state_number(slot: str) -> int:
    """Return the number of the state that created a slot."""
    return int(slot.partition("/")[0])


def pending_slot(number: int, seat: str) -> str:
    """Return the slot of the orders that a seat had pending before state ``number``."""
    return f"{number}/hand/{seat}"


def pending_commitment(seals: Seals, number: int, seat: str, value: str, previous_hash: bytes) -> bytes:
    """Return the commitment of state ``number`` to these pending orders of a seat."""
    _, commitment = seals.commit(pending_slot(number, seat), value, previous_hash)
    return commitment


def commits_to_pending(secret: bytes, record: StateRecord, previous_hash: bytes, seat: str, value: str) -> bool:
    """Tell whether a state commits to ``value`` as the pending orders of a seat."""
    seals = Seals(secret, record.game, record.n, previous_hash)
    expected_commitment = pending_commitment(seals, record.n, seat, value, previous_hash)
    return expected_commitment == dict(record.pending_commitments).get(seat)
