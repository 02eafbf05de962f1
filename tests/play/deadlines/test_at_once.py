"""What another command does between planning and acting, and what cannot be done at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from durability import games
from durability.games import Place, fresh

from pbem.chain.clock import epoch_seconds
from pbem.notation.absence import Absence
from pbem.play.deadlines import due
from pbem.play.deadlines.due import NEVER, Extension, MissedTurn, Reminder
from pbem.services.lock import open_for_writing
from pbem.services.resolve import deadlines
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.session.desk import AWAY_FILE, encode_absences
from pbem.services.session.session import Session

NEW = (
    "new", "GAME", "--game", "great-wall", "--player", "red=Ann", "--player", "blue=Bob",
    "--referee", "Ref", "--deal", "--option", "turn=1d", "--option", "missed=default",
)  # fmt: skip
DAY = 24 * 3600


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Nobody has answered, and the first turn of two days is over."""
    place = fresh(tmp_path)
    place.done(*NEW)
    monkeypatch.setattr(games, "TIME", str(1_700_000_000 + 2 * DAY + 1))
    return place


def test_a_ruling_that_was_faster_than_the_timer_counts(late: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn was missed although its deadline had just been moved (found by reading the code)."""
    rest = ["the first look"]

    @contextmanager
    def held(session: Session) -> Iterator[Session]:
        if rest:
            rest.clear()
            late.done("amend", "GAME", "extend", "--by", "3d", "--reason", "asked by phone")
        with open_for_writing(session) as now:
            yield now

    monkeypatch.setattr(deadlines, "open_for_writing", held)
    act_on_deadlines(late.session(), 10, MailKnowledge(), dry_run=False)
    record = late.session().record
    assert not record.entries
    assert record.clock.for_seat("red").deadline > record.time
    late.done("verify", "GAME")


def test_a_deadline_that_cannot_move_is_said_once(late: Place) -> None:
    """It was tried a hundred times in a run, with as many messages."""
    reason = ("--reason", "it takes long")
    late.done("amend", "GAME", "extend", "--by", "715h", *reason)
    session = late.session()
    day = date.fromisoformat(session.record.clock.for_seat("red").deadline[:10])
    with session.folder.lock():
        days = encode_absences(session.folder, "red", [Absence(day, day.replace(day=day.day + 5))])
        session.folder.put_desk_file(AWAY_FILE, days)
    came, _ = act_on_deadlines(session, 10, MailKnowledge(), dry_run=False)  # by the five hours that are left
    moved = came.session.record.n
    again = late.session()
    came, _ = act_on_deadlines(again, 10, MailKnowledge(), dry_run=False)
    assert came.session.record.n == moved
    assert sum("cannot move any further" in note for note in again.notes) == 1
    assert "cannot move any further" not in came.summary


def test_what_cannot_move_holds_up_nothing_else(late: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    late.done("amend", "GAME", "extend", "--by", "720h", "--reason", "it takes long")
    session, acts = late.session(), (Extension(("red",), 9, due.AWAY), Reminder("red", 2))
    done = late.game / "desk" / deadlines.REMINDED_FILE
    monkeypatch.setattr(deadlines, "find_due_actions", lambda *_: (acts[: 2 - done.exists()], NEVER))
    came, _ = act_on_deadlines(session, 10, MailKnowledge(), dry_run=False)
    assert "is reminded" in came.summary


def test_a_missed_turn_that_waits_for_a_regret_holds_up_nothing_else(
    late: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reminder of another seat waited for the next run (found by reading the code)."""
    late.done("receive", "GAME", late.mail("red", "draw"))
    session, acts = late.session(), (MissedTurn("red"), Reminder("red", 2))
    done = late.game / "desk" / deadlines.REMINDED_FILE
    monkeypatch.setattr(deadlines, "find_due_actions", lambda *_: (acts[: 2 - done.exists()], NEVER))
    came, following = act_on_deadlines(session, 10, MailKnowledge(), dry_run=False)
    assert "is reminded" in came.summary
    assert not came.orders
    assert following == epoch_seconds(session.time)


@pytest.mark.parametrize("days", ["2023-11-20..2023-11-18", "2023-10-01..2023-10-03"])
def test_days_that_are_none_are_refused(late: Place, days: str) -> None:
    words = ("extend", "--player", "red", "--absent", days, "--reason", "by phone")
    said = late.run("amend", "GAME", *words)
    assert said.code == 2
    assert "is over" in said.text or "ends before it begins" in said.text


def test_absences_are_counted_together_and_bounded(late: Place) -> None:
    """Two absences of 20 days are more than 30; a span of 8,000 years is not counted day by day."""
    text = "absent 2023-11-20 to 2023-12-09\nabsent 2023-12-15 to 2024-01-03\n"
    text += "".join(f"absent 2023-11-{day:02d} to 9999-12-31\n" for day in range(16, 31))
    late.done("receive", "GAME", late.mail("red", text))
    rows = (late.game / "desk" / AWAY_FILE).read_text().splitlines()
    assert rows == ["red 2023-11-20 2023-12-09"]
    receipt = next((late.game / "desk" / "receipts").glob("red-*")).read_text()
    assert "a player can be away for at most 30 days" in " ".join(receipt.split())


def test_nobody_is_away_in_the_past(late: Place) -> None:
    late.done("receive", "GAME", late.mail("red", "absent 2023-11-10 to 2023-11-18"))
    assert (late.game / "desk" / AWAY_FILE).read_text() == "red 2023-11-16 2023-11-18\n"


def test_tick_says_whose_turn_was_missed_and_whose_seat_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It only said how many orders were played (found by a newcomer, 26 November 2026)."""
    place = fresh(tmp_path)
    place.done(*NEW, "--option", "strikes=1")
    monkeypatch.setattr(games, "TIME", str(1_700_000_000 + 2 * DAY + 1))
    said = place.done("tick", "GAME")
    assert "missed turn: Ann (red)" in said
    assert "the seat is vacant: Ann (red)" in said
