"""Nothing lost after a receipt, wherever a command is killed; nothing of others before its time."""

import shutil
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from disk import killer

from . import games, table

difference, tree = games.difference, games.tree


def receipts(place: Any) -> set[str]:
    return {path.name for path in (place.game / "desk" / "receipts").glob("*.txt")}


def killed_and_done(base: Any, to: Path, *words: str) -> None:
    """Killed at each point, then run again: the same files as of a run that was not."""
    whole = games.copied(base, to / "whole")
    steps = whole.steps(*words)
    wanted = tree(whole.path)
    for k in games.points(len(steps)):
        place = games.copied(base, to / str(k))
        assert place.struck(k, ("before", "half")[k % 2], *words).code == games.KILLED
        if receipts(place) - receipts(base):
            assert [one for one in place.session().pending_by_seat.values() if one.joining_row]
        assert place.run(*words).code == 0
        assert difference(tree(place.path), wanted) == []
        shutil.rmtree(place.path)


def test_a_round_opened_and_killed_anywhere(tmp_path: Path) -> None:
    """No game, or invitations, all of them."""
    wanted = tree(table.invited(tmp_path / "whole").path)

    def opening(path: Path) -> Any:
        return lambda: table.invited(path)

    steps = killer.fork_points(opening(tmp_path / "count"))
    found = set()
    for k in games.points(len(steps)):
        killed = killer.fork_killed(opening(tmp_path / str(k)), k, "before")
        assert killed.code == games.KILLED
        place = games.Place(tmp_path / str(k))
        if not place.game.exists():
            continue
        place.done("resolve", "GAME")
        found.add(k)
        assert difference(tree(place.path), wanted) == []
    assert 0 < len(found) < len(games.points(len(steps)))


def test_an_answer_to_the_invitation_killed_anywhere(invited: Any, tmp_path: Path) -> None:
    table.with_key(invited, "red")
    text = table.joins(invited, 0, "red")
    mail = Path(table.letter(invited, 0, "red", text)).name
    shutil.move(invited.path / mail, tmp_path / mail)
    killed_and_done(invited, tmp_path, "receive", "GAME", str(tmp_path / mail))


def test_an_opening_killed_anywhere(roster: Any, tmp_path: Path) -> None:
    mail = table.letter(roster, 1, "red", table.joins(roster, 1, "red"))
    shutil.move(mail, tmp_path / "open.eml")
    killed_and_done(roster, tmp_path, "receive", "GAME", str(tmp_path / "open.eml"))


@pytest.mark.parametrize("seats", [("red", "green"), ()], ids=["keys", "lines"])
def test_closing_and_dealing_killed_anywhere(invited: Any, roster: Any, tmp_path: Path, seats: tuple[str, ...]) -> None:
    if seats:
        base = roster
        for seat in seats:
            mail = table.letter(base, 1, seat, table.joins(base, 1, seat))
            base.done("receive", "GAME", mail)
    else:
        base = invited
        for seat in table.SEATS:
            base.done("receive", "GAME", table.letter(base, 0, seat, f"give: line of {seat}"))
    whole = games.copied(base, tmp_path / "whole")
    steps = whole.steps("resolve", "GAME")
    for k in games.points(len(steps)):
        place = games.copied(base, tmp_path / str(k))
        assert place.struck(k, "before", "resolve", "GAME").code == games.KILLED
        place.done("resolve", "GAME")
        assert difference(tree(place.path), tree(whole.path)) == []
        shutil.rmtree(place.path)


def test_the_key_is_kept_before_anything_is_printed(invited: Any, tmp_path: Path) -> None:
    words = ("orders", "join", str(table.sent(invited, 0, "red")))
    counted = table.as_player(games.copied(invited, tmp_path / "count"), "red")
    for k in games.points(len(counted.steps(*words))):
        place = games.copied(invited, tmp_path / str(k))
        player = table.as_player(place, "red")
        struck = player.struck(k, "before", *words)
        assert struck.code == games.KILLED
        kept = sorted((place.path / "red").rglob("*.toml")) if (place.path / "red").exists() else []
        assert bool(kept) or "join key" not in struck.text
        first = player.done(*words)
        assert struck.text in ("", first)
        assert player.done(*words) == first
        shutil.rmtree(place.path)


def test_an_opening_is_noted_before_it_is_printed(roster: Any, tmp_path: Path) -> None:
    """Else a second roster could have it too."""
    words = ("orders", "join", str(table.sent(roster, 1, "red")))
    counted = table.as_player(games.copied(roster, tmp_path / "count"), "red")
    for k in games.points(len(counted.steps(*words))):
        place = games.copied(roster, tmp_path / str(k))
        struck = table.as_player(place, "red").struck(k, "before", *words)
        (kept,) = (place.path / "red").rglob("*.toml")
        assert "opened = " in kept.read_text("utf-8") or "open r" not in struck.text
        shutil.rmtree(place.path)


def told(place: Any, seat: str) -> dict[str, bytes]:
    """All that a seat has been sent."""
    desk = place.game / "desk"
    found = {}
    for folder in ("outbox", "reports", "receipts"):
        for path in sorted((desk / folder).rglob("*")):
            if path.is_file() and seat in path.name:
                found[str(path.relative_to(desk))] = path.read_bytes()
    return found


@pytest.mark.attack(
    "choose their addition to the shuffle after seeing another player's",
    by="not possible: all players commit to their additions before any is shown",
    who="player",
)
def test_what_others_answered_does_not_show_before_the_roster(invited: Any, tmp_path: Path) -> None:
    """Ann is told the same, byte for byte, whatever the others did: P2."""
    quiet, busy = invited, games.copied(invited, tmp_path / "busy")
    for seat in ("red", "green"):
        table.with_key(quiet, seat)
        table.with_key(busy, seat)
    lines = table.joins(busy, 0, "green")
    busy.done("receive", "GAME", table.letter(busy, 0, "green", lines))
    busy.done("receive", "GAME", table.letter(busy, 0, "blue", "secret thought"))
    busy.done("receive", "GAME", table.letter(busy, 0, "violet", "other"))
    for text in ("a line", table.joins(quiet, 0, "red"), "resend", "help", "withdraw", lines):
        name = f"{crc32(text.encode())}.eml"
        for place in (quiet, busy):
            place.run("receive", "GAME", table.letter(place, 0, "red", text, name))
        assert told(quiet, "red") == told(busy, "red")
    for place in (quiet, busy):
        place.done("report", "GAME", "--player", "red")
    assert told(quiet, "red") == told(busy, "red")
    assert len(told(quiet, "red")) > 10


def test_who_has_opened_does_not_show_before_the_deal(roster: Any, tmp_path: Path) -> None:
    busy = games.copied(roster, tmp_path / "busy")
    busy.done("receive", "GAME", table.letter(busy, 1, "green", table.joins(busy, 1, "green")))
    for text in ("resend", "hello", table.joins(roster, 1, "red")):
        name = f"{crc32(text.encode())}.eml"
        for place in (roster, busy):
            place.run("receive", "GAME", table.letter(place, 1, "red", text, name))
        assert told(roster, "red") == told(busy, "red")
