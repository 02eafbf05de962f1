"""Deadlines of a question that a ruling asks again, pauses undone, turns missed in a row.

Found by an attack of 2026-11-22: each left a player an hour, or a second, where weeks were told.
"""

from typing import Any

import pytest
from vectors.base_game import consent

from pbem.chain.clock import Clock, SeatClock
from pbem.chain.loaded_game import load_game
from pbem.chain.rulings.clock import CLOCK, PAUSE, RESUME
from pbem.chain.rulings.kind import VOID, build_void_basis, unchanged_basis
from pbem.chain.rulings.people import PLAYER, build_seating_basis
from pbem.chain.rulings.undo import UNDO, build_undo_basis

from .table import SECRET, Table
from .test_clock import DUE, LATER, NOON, both_asked, found_by_both, goes_on

FAR = "2026-11-30T20:00:00Z"
NOTICE = "gives red a deadline without notice"


def clock(red: str, blue: str = "", **other: Any) -> Clock:
    rows = (SeatClock("red", red, 0, 0), SeatClock("blue", blue, 0, 0))
    return Clock(turn=216, choice=1, missed="default", seats=rows).with_options(other)


def asked(table: Table, seat: str) -> int:
    """The newest state in which this seat is asked."""

    def who(n: int) -> str:
        state = load_game(table.states[n], table.key.public, SECRET, table.game).state
        return table.game.questions(table.game.view(state, None))[0].seat

    return max(n for n in range(3, table.last + 1) if who(n) == seat)


def undo(table: Table, to: int, then: Clock, agrees: bool = False) -> None:
    """``agrees``: red, who has a key and was shown something there, is asked and says yes."""
    back = load_game(table.states[to], table.key.public, SECRET, table.game)
    table.clock = then
    ruling = UNDO.make_ruling("a slip", ("to", str(to)))
    votes = (consent(table, ruling),) if agrees else ()
    table.amend(build_undo_basis(table.position, back, ruling, votes))


def due_red() -> Table:
    """Red is asked, and has until the 30th."""
    table = Table(missed="default")
    for _ in range(3):
        table.play("wall")
    while table.asked() != "red":
        table.play()
    table.clock = clock(FAR)
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as asked", ("what", "turn,choice"))))
    return table


@pytest.mark.attack("make a deadline earlier by undoing a pause", by="verify", who="referee")
@pytest.mark.parametrize(
    ("again", "resumed", "found"),
    [
        ("2026-11-30T21:00:00Z", "", "gives red less time than it had before it answered"),
        ("2026-12-10T06:00:00Z", FAR, ""),
    ],
)
def test_a_pause_that_was_undone_takes_no_deadline_back(again: str, resumed: str, found: str) -> None:
    """Undo to blue's turn, pause, undo back, resume: red was due in one hour. Red agrees."""
    table = due_red()
    k, until = table.last, FAR
    undo(table, asked(table, "blue"), clock("", "2026-11-25T11:00:00Z"), agrees=True)
    table.clock = clock("", "2026-12-04T21:00:00Z", paused=until)
    table.amend(unchanged_basis(table.position, PAUSE.make_ruling("a holiday", ("until", until))))
    undo(table, k, clock(again, paused=until), agrees=True)
    assert found_by_both(table).removeprefix(f"state {table.last} ") == found
    if resumed:
        table.clock = clock(resumed)
        table.amend(unchanged_basis(table.position, RESUME.make_ruling("we are back")))
        assert found_by_both(table) == ""


@pytest.mark.parametrize(("due", "found"), [("2026-11-24T09:59:59Z", NOTICE), ("2026-11-24T10:00:00Z", "")])
def test_an_undo_of_ones_own_order_gives_notice(due: str, found: str) -> None:
    """Red had answered at once, and an hour after the undo red's turn was missed."""
    table = due_red()
    k = table.last
    table.clock = clock("2026-11-30T20:00:00Z")
    while table.asked() == "red":
        line = table.legal("wall")
        then = table.game.apply(table.position.state, "red", line, table.last + 1).state
        who = table.game.questions(table.game.view(then, None))[0].seat
        table.clock = clock(FAR) if who == "red" else clock("", FAR)
        table.carry(table.order(line))
    assert found_by_both(table) == ""
    undo(table, k, clock(due))
    assert found_by_both(table).removeprefix(f"state {table.last} ") == found


@pytest.mark.attack(
    "give a player less than 72 hours for a question that a ruling asks again", by="verify", who="referee"
)
@pytest.mark.parametrize(("later", "found"), [(FAR, NOTICE), ("2026-12-03T20:00:00Z", "")])
@pytest.mark.parametrize("how", ["void", "player"])
def test_orders_made_void_at_the_deadline_can_be_sent_again(how: str, later: str, found: str) -> None:
    """And a second later the turn was missed."""
    table = due_red()
    table.time, table.clock = FAR, clock(later)
    if how == "void":
        table.amend(build_void_basis(table.position, VOID.make_ruling("Send again.", ("from", str(table.last)))))
    else:
        row = table.position.record.player("red")._replace(name="Zoe", orders_since=table.last + 1)
        what = PLAYER.make_ruling("Ann left.", ("seat", "red"), ("what", "name"))
        table.amend(build_seating_basis(table.position, row, what))
    assert found_by_both(table).removeprefix(f"state {table.last} ") == found


@pytest.mark.attack("clear one player's missed turns by a ruling about something else", by="verify", who="referee")
def test_no_other_ruling_forgets_missed_turns() -> None:
    """Of one player: a reminder was set, and it was as if they had missed none."""
    table = both_asked(strikes=3)
    goes_on(table, LATER, f"{DUE} 0 1", f"{NOON} 48 0", source="default")
    fresh = tuple(row._replace(missed_turns=0) for row in table.clock.seats)
    seat = next(row.seat for row in table.clock.seats if row.missed_turns)
    wrong = f"counts the missed turns in a row of {seat} wrong"
    before = dict(table.states)
    for what, other, good in (("remind", {"remind": ("24",)}, False), ("strikes", {"strikes": 4}, True)):
        table.states = dict(before)
        table.load()
        table.clock = table.clock._replace(seats=fresh).with_options(other)
        table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as asked", ("what", what))))
        assert found_by_both(table) == ("" if good else f"state {table.last} {wrong}")
        table.clock = table.clock._replace(remind=())
