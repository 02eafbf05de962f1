"""A message that got another mark does not wait again, whatever was killed. Source: P8;
FORMAT.md "Marks of a message".
"""

import os
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder, MessageStatus

from .games import KILLED, Place, copied

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and kills")


def send_all(place: Place) -> set[str]:
    """Everything that waits is sent; its names."""
    game = GameFolder(place.game)
    with game.lock():
        return {
            game.move_message(name, MessageStatus.WAITING, MessageStatus.SENT)
            for name in game.list_messages(MessageStatus.WAITING)
        }


def test_what_was_sent_before_its_report_was_complete_stays_sent(scoring: Place, tmp_path: Path) -> None:
    """The report's text, which marks it complete, comes after the message: it is made again."""
    scoring = copied(scoring, tmp_path / "base")
    for seat in ("red", "blue"):
        scoring.done("receive", "GAME", scoring.mail(seat, "mails every"))
    send_all(scoring)
    peace = copied(scoring, tmp_path / "peace")
    steps = peace.steps("resolve", "GAME")
    written = [k for k, step in enumerate(steps, 1) if "/desk/outbox/" in step]
    everything = set(GameFolder(peace.game).list_messages(MessageStatus.WAITING))
    assert len(written) == len(everything) > 1
    for k in written:
        place = copied(scoring, tmp_path / str(k))
        assert place.struck(k, "half", "resolve", "GAME").code == KILLED
        sent = send_all(place)
        assert sent
        place.done("resolve", "GAME")
        waiting = set(GameFolder(place.game).list_messages(MessageStatus.WAITING))
        assert (sent & waiting, sent | waiting) == (set(), everything)


def test_a_report_asked_for_anew_waits_beside_the_one_that_was_sent(place: Place) -> None:
    place.done("report", "GAME", "--player", "red")
    sent = send_all(place)
    place.done("receive", "GAME", place.mail("red", "resend"))
    game = GameFolder(place.game)
    assert game.list_messages(MessageStatus.WAITING) == ("0002-red", "receipt-red-0001")
    assert set(game.list_messages(MessageStatus.SENT)) == sent
    with game.lock():
        assert game.move_message("0002-red", MessageStatus.WAITING, MessageStatus.SENT) == "0002-red.2"
