"""The round after one that was given up, with another player or another way to be known.

Found by a review of 2026-11-21: an invitation, and `amend`, named this way out, and `new --after`
refused it.
"""

from typing import Any

import pytest

from . import table


def given_up(place: Any) -> str:
    place.done("amend", "GAME", "close", "--reason", "Bob has no time")
    return str(place.path / "next")


def test_another_player_and_another_way_to_be_known(invited: Any) -> None:
    from pbem.clock import now
    from pbem.services.session.session import open_session

    folder = given_up(invited)
    who = ("--player", "green=Zoe,zoe@example.org", "--auth", "red=typed")
    said = invited.done("new", folder, "--after", "GAME", *who)
    assert "Ann (red), Zoe (green), Cleo (blue), Dan (violet)" in said
    mail = (invited.path / "next/desk/outbox/0000-green.eml").read_text("utf-8")
    assert "zoe@example.org" in mail
    assert "This is round 2." in mail
    from pathlib import Path

    record = open_session(Path(folder), now()).record
    assert [one.method_name for one in record.people] == ["typed", "reply", "reply", "reply"]
    assert record.setup.seats == table.SEATS
    assert "is round 2, after game" in invited.done("verify", folder, "GAME")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--player", "black=Zoe"), "no seat 'black' in this game"),
        (("--player", "red=Zoe", "--player", "red=Ann"), "two players sit at red"),
        (("--auth", "red=magic"), "a player is not identified by"),
        (("--referee", "Zoe"), "the next round has the plan of the one before"),
        (("--option", "edition=it"), "the next round has the plan of the one before"),
    ],
)
def test_what_binds_stays(invited: Any, words: tuple[str, ...], said: str) -> None:
    folder = given_up(invited)
    refused = invited.run("new", folder, "--after", "GAME", *words)
    assert refused.code in (1, 2)
    assert said in refused.text
    assert not (invited.path / "next").exists()
