"""Joining when it is too late, or with half of what is to be sent.

Found by a review of 2026-11-21: a report given to `orders join` was "neither the referee's mail nor
a state", and `join key xyz` was kept as the line that its player gives to the deal.
"""

from typing import Any

import pytest

from . import table


def test_a_report_is_no_invitation(dealt: Any) -> None:
    said = table.player(dealt, "red", "orders", "join", str(table.sent(dealt, 2, "red")))
    assert said.code == 1
    assert "this game is dealt, so you need not join" in said.text


@pytest.mark.parametrize("text", ["join key xyz", "Join commit", "join sig: abc"])
def test_half_a_join_is_no_line(invited: Any, text: str) -> None:
    said = invited.run("receive", "GAME", table.letter(invited, 0, "red", text))
    assert said.code == 1
    assert "copy all the lines `join …`" in said.text
    assert invited.session().pending_by_seat["red"].joining_row == ""


def test_orders_check_says_what_comes_next(dealt: Any) -> None:
    """Found by the same review: who plays with a key was told to send orders that do not count."""
    view = str(dealt.game / "desk/reports/0002/red.view.toml")
    file = dealt.file("mine.txt", dealt.run("orders", "list", view).text.splitlines()[0] + "\n")
    said = table.player(dealt, "red", "orders", "check", view, str(file)).text
    assert f"now type `pbem orders sign {view} {file}` and send what it prints" in said
    said = dealt.run("orders", "check", view, str(file)).text
    assert "send it as a reply to your report, with your password if you have one." in said


def test_a_line_about_joining_is_a_letter(invited: Any) -> None:
    invited.done("receive", "GAME", table.letter(invited, 0, "red", "I join, the key is mine"))
    assert invited.session().pending_by_seat["red"].joining_row == ""
    receipt = (invited.game / "desk/receipts/red-0001.txt").read_text("utf-8")
    assert "Will you play?" in receipt


def test_the_mail_that_is_meant_is_named(roster: Any) -> None:
    said = roster.run("receive", "GAME", table.letter(roster, 1, "red", "Here I am"))
    assert "save the email that asks you to open your addition to the shuffle" in said.text
