"""An order's token is opened before a state is given out (found in the review of 2026-11-21)."""

import pytest
from durability import games

from pbem.chain.next_record import ExecutedOrder, NextRecordInputs, _entry
from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record
from pbem.chain.state_record import StateRecord
from pbem.crypto.keys import RefereeKey
from pbem.errors import OurFault

PLAYED = ExecutedOrder("red", "reply", "wall A1", "wall A1", 1, 1, "")


class Forgetful(Seals):
    """Seals something else than the order."""

    def seal_order(self, slot: str, value: bytes) -> str:
        return super().seal_order(slot, value[:-1] + b"2")


def made(record: StateRecord) -> NextRecordInputs:
    return NextRecordInputs(3, "a" * 26, bytes(32), "play", record.time, record, {})


def test_a_token_that_does_not_give_back_the_order_is_our_fault(record: StateRecord) -> None:
    given = (games.SECRET, "a" * 26, 3, bytes(32))
    entry = _entry(made(record), 1, PLAYED, Seals(*given))
    assert Seals(*given).open_order("3/order/1", entry.token).endswith(b"wall A1")
    with pytest.raises(OurFault, match="token of 3/order/1"):
        _entry(made(record), 1, PLAYED, Forgetful(*given))


@pytest.fixture
def record(states: dict[int, bytes]) -> StateRecord:
    return read_verified_record(states[2], RefereeKey(games.ACTING).public)
