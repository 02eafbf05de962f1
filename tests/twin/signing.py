"""Worlds whose players all have keys: what they send is signed, or is not as it should be.

What lives here: Signing, and the keys. Not allowed here: a comparison.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from pbem.chain.people import SeatedPlayer
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, digest
from pbem.crypto.signing import private_key, public_key
from pbem.notation.move_file import write_signatures
from pbem.play.signed_orders import SigningContext, list_signed_lines, sign_orders
from pbem.services.receive.find_game import find_owner
from pbem.services.receive.message import grammar_of, parse_orders, read_message

from .private import Private

if TYPE_CHECKING:
    from pbem.crypto.signing import PrivateKey


def key_of(seat: str) -> "PrivateKey":
    return private_key(digest(seat.encode()))


@contextmanager
def all_with_keys() -> Iterator[None]:
    """Every seat is known by a key."""
    real = StateRecord.player

    def player(record: StateRecord, seat: str) -> SeatedPlayer:
        return real(record, seat)._replace(method_name="key", key=public_key(key_of(seat)))

    with patch.object(StateRecord, "player", player):
        yield


class Signing(Private):
    """Signs what is sent; what comes of chance in it looks the same in both worlds."""

    def receive(self, data: bytes) -> Any:
        found = find_owner([self.session], read_message(data))
        return super().receive(self._signed(data, found.seat) if found else data)

    def _signed(self, data: bytes, seat: str) -> bytes:
        session = self.session
        sheet = parse_orders(read_message(data), grammar_of(session.game))
        looks = [session.game.public_words(line.order) for line in sheet.now]
        turn = digest(f"{seat} {session.record.n} {looks} {sheet.commands}".encode())[0] % 8
        turn = 7 if "withdraw" in sheet.commands else turn  # what one desk alone holds is taken back
        if not turn:
            return data  # unsigned
        lines = [line for _, line in list_signed_lines(sheet)]
        nr = session.pending_by_seat[seat].newest_signed_number + (turn != 1)  # 1: a number that came before
        record, head = session.record, session.position.state_hash if turn != 2 else bytes(32)
        order = SigningContext(record.game, seat, max(nr, 1), b64(head), record.setup.rules_version)
        block = sign_orders(order, lines[: -1 if turn == 3 else None], key_of(seat))
        text = data.decode()
        at = text.rindex("\n", 0, text.rindex("[pbem")) + 1
        return f"{text[:at]}{write_signatures(block)}\n\n{text[at:]}".encode()
