"""An order that arrived in time costs no time bank, whenever it is played. Receipts and states say
when it arrived.

For a player with a key, the time of the play used to count (found by an attack of 22 November
2026).
Source: docs/SPECIFICATION.md sections 5 (clock) and 12.
"""

import re
import tarfile
from pathlib import Path

import pytest
from durability import games
from services.amend.asked import undone
from services.receive.table import dealt

from pbem.chain.clock import HOUR, epoch_seconds


@pytest.mark.parametrize("note", [True, False])
def test_signed_orders_count_when_they_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, note: bool) -> None:
    table = dealt(tmp_path)
    place, begun = table.place, int(games.TIME)
    clock = ("turn=2d", "bank=2d", "missed=default", "--reason", "as all asked")
    place.done("amend", "GAME", "clock", *clock)
    assert epoch_seconds(place.session().record.clock.for_seat("red").deadline) == begun + 96 * HOUR

    def after(hours: int) -> None:
        monkeypatch.setattr(games, "TIME", str(begun + hours * HOUR))

    after(94)
    place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "one"))
    told = place.file("told.txt", table.receipt("red"))
    if note:
        after(95)
        place.done("amend", "GAME", "note", "hello")
    after(104)
    place.done("resolve", "GAME")
    record = place.session().record
    assert [entry.public_words for entry in record.entries][:1] == ["wall A1"]
    assert record.clock.for_seat("red").time_bank == 48
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    archive = str(place.path / "x.tar")
    place.done("archive", "GAME", "-o", archive)
    said = place.run("audit", archive, told)
    assert said.code == 0, said.text


def test_a_pause_and_undos_keep_what_was_told(tmp_path: Path) -> None:
    """Blue was asked, an undo followed, a pause began, an undo of the undo followed. If the referee
    resumes at once, blue still has the time that was promised first.
    """
    table = dealt(tmp_path)
    place, why = table.place, ("--reason", "as all asked")
    place.done("amend", "GAME", "clock", "turn=9d", "choice=1h", "missed=default", *why)
    text = "wall A1\nlater: wall A9"
    place.done("receive", "GAME", table.mail("red", table.signed(text), "one"))
    place.done("resolve", "GAME")
    k, told = place.numbers()[-1], place.session().record.clock.for_seat("blue").deadline
    assert told
    undone(place, "--to", "3", *why, password=table.password)
    assert not place.session().record.clock.for_seat("blue").deadline
    place.done("amend", "GAME", "pause", "--for", "9d", *why)
    undone(place, "--to", str(k), *why, password=table.password)
    place.done("amend", "GAME", "resume", *why)
    assert place.session().record.clock.for_seat("blue").deadline >= told
    assert place.done("verify", "GAME")


def test_an_undo_gives_no_less_time_than_its_question_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first turn was due on Saturday, 20:00, and after an undo at 12:56, although every
    deadline is at 20:00 (found by a newcomer, 27 November 2026).
    """
    table = dealt(tmp_path)
    place, why = table.place, ("--reason", "as all asked")
    place.done("amend", "GAME", "clock", "turn=2d", "at=20:00", "missed=default", *why)
    told = place.session().record.clock.for_seat("red").deadline
    assert "T20:00" in told
    monkeypatch.setattr(games, "TIME", str(int(games.TIME) + 3 * HOUR))
    place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "one"))
    place.done("resolve", "GAME")
    undone(place, "--orders", "1", *why, password=table.password)
    assert place.session().record.clock.for_seat("red").deadline >= told
    monkeypatch.setattr(games, "TIME", str(epoch_seconds(told) - 10 * HOUR))
    place.done("receive", "GAME", table.mail("red", table.signed("wall A2", place.session().record.n), "two"))
    place.done("resolve", "GAME")
    undone(place, "--orders", "1", *why, password=table.password)
    assert place.session().record.clock.for_seat("red").deadline[10:] == told[10:]
    assert place.done("verify", "GAME")


def test_an_absence_of_a_year_gives_no_year(tmp_path: Path) -> None:
    """No verifier knows of absences: a deadline that is a year later would contradict its referee."""
    table = dealt(tmp_path)
    place, why = table.place, ("--reason", "as all asked")
    place.done("amend", "GAME", "clock", "turn=9d", "missed=default", *why)
    days = f"{place.session().record.time[:10]}..2027-11-01"
    place.done("amend", "GAME", "extend", "--player", "red", "--absent", days, *why)
    place.done("amend", "GAME", "player", "red", "--auth", "typed", *why)
    record = place.session().record
    assert epoch_seconds(record.clock.for_seat("red").deadline) == record.clock.latest_deadline(record.time)
    place.done("verify", "GAME")


def test_an_archive_has_no_local_time(tmp_path: Path) -> None:
    """An auditor writes its transcript again. With other tables of time zones, or none, an honest
    game was contradicted (attack of 23 November 2026).
    """
    table = dealt(tmp_path)
    place, why = table.place, ("--reason", "as all asked")
    clock = ("turn=2d", "zone=Europe/Rome", "at=20:00", "missed=default")
    place.done("amend", "GAME", "clock", *clock, *why)
    place.done("amend", "GAME", "pause", "--for", "7d", *why)
    assert re.search("until .* Europe/Rome", table.report("red").read_text("utf-8"))
    place.done("amend", "GAME", "resume", *why)
    place.done("amend", "GAME", "close", *why)
    place.done("archive", "GAME", "-o", str(place.path / "x.tar"))
    with tarfile.open(place.path / "x.tar") as tar:
        names = [one for one in tar.getnames() if one.endswith(".txt")]
        texts = [tar.extractfile(name).read().decode() for name in names]  # type: ignore[union-attr]
    assert "stands still until Tue" in "".join(texts)
    assert not re.search("[0-9]:[0-9]{2} Europe/Rome", "".join(texts))
