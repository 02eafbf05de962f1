"""A mail that nobody can read gets its answer in a closed game as well.

Found by a review: whoever wrote so after the close heard nothing.
"""

import pytest

from .table import Table
from .test_unread import KINDS, mail


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", ["blue", "violet"])
def test_its_player_is_told_that_the_game_is_closed(later: Table, seat: str, kind: str) -> None:
    file = mail(later, seat, kind)
    later.place.done("amend", "GAME", "close", "--reason", "the end of it")
    before = later.receipts(seat)
    said = later.receive(file)
    assert "the game is closed; its player gets" in said.text
    assert later.receipts(seat) == before + 1
    assert "the end of it" in later.receipt(seat)
    assert "came before" in later.receive(file).text
