"""A mail that nobody can read gets its answer in a closed game as well.

Found by a review: whoever wrote so after the close heard nothing.
"""

from email import message_from_bytes

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


def test_thanks_for_the_last_email_are_told_as_what_they_are(later: Table) -> None:
    """Found by a newcomer: `it has no code of a game`, and no code was there to be copied."""
    place = later.place
    before = later.outbox()
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    made = next(name for name in later.outbox() - before if "blue" in name)
    last = message_from_bytes((place.game / "desk" / "outbox" / f"{made}.eml").read_bytes())
    head = f"From: Bob <bob@example.org>\nIn-Reply-To: {last['Message-ID']}\nSubject: Re: over\n"
    said = later.receive(place.file("thanks.eml", f"{head}\nThank you for the game!\n"))
    assert "not imported: it answers an email that asks for nothing" in said.text
    assert said.code == 1
