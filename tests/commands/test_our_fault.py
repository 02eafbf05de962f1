"""A fault of ours in one message is told of it, and the others are taken.

Found by a fresh reader: a fault while a mail that cannot be read was answered ended `receive`, and
the verdicts of all other files were gone.
"""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from durability import games

from pbem.chain import next_record
from pbem.chain.state_record import Opening
from pbem.errors import OurFault
from pbem.services.receive import receive
from pbem.services.receive.find_game import Games


@pytest.mark.parametrize("where", ["while it is answered", "while it is taken"])
def test_a_fault_of_ours_stays_with_its_message(tmp_path: Path, where: str) -> None:
    place = games.opened(tmp_path / "place")
    seat = games.asked(place)
    bad = tmp_path / "bad.eml"
    bad.write_bytes(b"Subject: hello\nMessage-ID: <1@x>\nContent-Type: image/png\n\n\0")
    name = "receive_email" if where == "while it is taken" else "find_seat_by_headers"

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    session = place.session()
    path = bad if name == "find_seat_by_headers" else place.mail(seat, "wall A1", "good.eml")
    with patch.object(receive, name, broken):
        verdict = receive.receive_file(Games([session]), str(path))
    assert (verdict.kind, verdict.facts["code"], verdict.exit_code) == ("unreadable", "fault/unexpected", 3)


def test_a_slot_that_no_event_opens_is_named() -> None:
    openings = [Opening(slot, "2", b"", b"") for slot in ("3/bid/01", "3/bid/02")]
    told = (("all", "3/bid/01"), ("all", "4/bid/03"), ("red", "5/bid/07"))
    with pytest.raises(OurFault, match=r"what its events say differ: 3/bid/02, 4/bid/03$"):
        next_record._check_disclosures(openings, told)
