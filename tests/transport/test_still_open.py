"""Orders that only wait for a moment to come: the turn is still open, and nothing is ready to be
played. Found by an experienced referee, November 2026.
"""

import json

import pytest

from transport.desk import Desk
from transport.test_who_gets_what import orders, other, sent, took, turn

WHEN = "when AP1: flood -2"


def ready(desk: Desk) -> bool:
    return bool(json.loads(desk.done("status", "GAME", "--json"))["games"][0]["ready"])


@pytest.mark.parametrize(
    ("text", "playable"),
    [
        (WHEN, False),
        ("later: flood -2", False),  # it answers another question
        (f"{WHEN}\n{{wall}}", True),
        ("later: {wall}", True),
        ("{wall}", True),
    ],
)
def test_ready_is_what_can_be_played(text: str, playable: bool, desk: Desk) -> None:
    said = took(desk, text.format(wall=orders(desk).splitlines()[0]))
    assert "accepted" in said
    assert ready(desk) == playable
    would = desk.done("resolve", "GAME", "--dry-run")
    assert ("would be played" in would) == playable


def test_ready_says_yes_where_nobody_can_tell(desk: Desk) -> None:
    seat = desk.asked()
    took(desk, WHEN)
    view = desk.game / "desk" / "reports" / "0002" / f"{seat}.view.toml"
    view.write_text("nonsense")
    assert ready(desk)


def test_a_receipt_for_a_standing_order_alone_says_that_the_turn_is_open(desk: Desk) -> None:
    seat = desk.asked()
    said = took(desk, WHEN)
    assert "It is still your turn." in said
    assert "still open" not in took(desk, WHEN, other(seat))  # they are not asked
    assert "still open" not in took(desk, f"{WHEN}\n{orders(desk)}")
    assert "still open" not in took(desk, f"when AP2: flood -2\n{orders(desk)}")


def test_what_can_never_come_is_not_listed(desk: Desk) -> None:
    one = desk.asked()
    assert WHEN in took(desk, WHEN)
    sent(desk)
    for _ in range(40):
        session = desk.place.session()
        view = session.game.view(session.position.state, one)
        if session.game.why_never(view, "AP1"):
            break
        turn(desk)
    assert session.game.why_never(view, "AP1")
    assert WHEN in [
        f"when {part.when}: {x.order}" for part in session.pending_by_seat[one].groups for x in part.playable_orders
    ]
    n = session.record.n
    assert WHEN not in (desk.game / f"desk/reports/{n:04d}/{one}.txt").read_text()
    assert WHEN not in took(desk, "when AP2: flood -2", one)
