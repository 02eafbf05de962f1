"""`archive=attach`: the closing email of every player carries the archive of the game, and no other email does."""

from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from durability import games
from durability.games import Place

from pbem.services import reports
from pbem.services.prove import saved_emails

WHY = ("--reason", "it is over")
ATTACH = {"archive": "attach"}


def open_game(path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, str] = ATTACH) -> Place:
    """A dealt game with these options, in which one wall is built."""
    monkeypatch.setitem(games.WANTED, "options", options)
    place = games.opened(path / "place")
    games.answer(place)
    return place


def emails(place: Place) -> dict[str, Message]:
    """The emails that wait to be sent, by name."""
    return {path.name: message_from_bytes(path.read_bytes()) for path in (place.game / "desk/outbox").glob("*.eml")}


def archives(email: Message) -> list[object]:
    return [part.get_payload(decode=True) for part in email.walk() if part.get_filename() == "archive.tar"]


def text(email: Message) -> str:
    plain = next(part for part in email.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
    assert isinstance(plain, bytes)
    return " ".join(plain.decode().split())


def closing(place: Place) -> dict[str, Message]:
    """The emails of the newest state."""
    return {name: email for name, email in emails(place).items() if name.startswith(f"{place.numbers()[-1]:04d}")}


def test_the_closing_email_has_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_game(tmp_path, monkeypatch)
    first = (place.game / "desk/reports/0002/red.txt").read_text()
    assert "every player is emailed its archive" in first.partition("HOUSE RULES OF THIS GAME")[2]
    assert not any(map(archives, emails(place).values()))
    place.done("amend", "GAME", "close", *WHY)
    file = tmp_path / "made.tar"
    place.done("archive", "GAME", "-o", str(file))
    closing_emails = closing(place)
    assert len(closing_emails) == 2
    for email in closing_emails.values():
        assert archives(email) == [file.read_bytes()]
        assert "`pbem audit archive.tar`" in text(email)
    spectators = (place.game / f"desk/reports/{place.numbers()[-1]:04d}/spectators.txt").read_text()
    assert "archive.tar" not in spectators
    saved = next(iter(closing_emails.values())).as_bytes()
    monkeypatch.setattr(saved_emails, "MAIL_LIMIT", len(saved) - file.stat().st_size)  # the archive does not count
    place.done("audit", str(file), place.file("saved.eml", saved))


def test_an_invitation_says_so(tmp_path: Path) -> None:
    place = games.fresh(tmp_path / "place")
    words = ("new", "GAME", "--game", "great-wall", "--player", "red=Ann,ann@example.org", "--player", "blue=Bob")
    assert (
        "archive='often' is not possible. Allowed: ask, attach" in place.run(*words, "--option", "archive=often").text
    )
    place.done(*words, "--option", "archive=attach")
    assert "every player is emailed its archive" in (place.game / "desk/reports/0000/red.txt").read_text()
    place.done("amend", "GAME", "close", *WHY)
    assert not any(map(archives, emails(place).values()))  # its states are attached, and nothing was hidden
    place.done("new", str(tmp_path / "next"), "--after", "GAME")
    assert b'"archive=attach"' in (tmp_path / "next/game.toml").read_bytes()


def test_nothing_goes_out_before_the_end_is_closed(over: Place, tmp_path: Path) -> None:
    place = games.copied(over, tmp_path / "place")
    assert not any(map(archives, emails(place).values()))
    ended = [text(email) for email in closing(place).values()]
    assert len(ended) == 2
    assert all("When the referee closes the game, you are emailed its archive" in one for one in ended)
    place.done("amend", "GAME", "close", *WHY)
    assert [len(archives(email)) for email in closing(place).values()] == [1, 1]
    assert all("`pbem audit archive.tar`" in text(email) for email in closing(place).values())


def test_without_the_option_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_game(tmp_path, monkeypatch, {"archive": "ask"})
    assert place.session().record.options == open_game(tmp_path / "other", monkeypatch, {}).session().record.options
    place.done("amend", "GAME", "close", *WHY)
    for email in closing(place).values():
        assert not archives(email)
        assert "Ask the referee for the game's archive" in text(email)


def test_a_large_archive_is_not_attached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_game(tmp_path, monkeypatch)
    monkeypatch.setattr(reports, "MAX_ATTACHED_ARCHIVE", 1000)
    assert "too large for an email" in place.done("amend", "GAME", "close", *WHY)
    for email in closing(place).values():
        assert not archives(email)
        assert "could not be attached. To check the whole game, ask the referee for its archive" in text(email)


def test_a_killed_close_sends_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = open_game(tmp_path, monkeypatch)
    words = ("amend", "GAME", "close", *WHY)
    steps = games.copied(base, tmp_path / "count").steps(*words)
    for k in games.points(len(steps)):
        place = games.copied(base, tmp_path / str(k))
        place.struck(k, "half", *words)
        if place.numbers() == base.numbers():
            assert not any(map(archives, emails(place).values()))
            place.done(*words)
        waiting = sorted((place.game / "desk/outbox").glob("*.eml"))
        place.done("sent", "GAME", *map(str, waiting)) if waiting else None
        place.done("resolve", "GAME")
        sent = [message_from_bytes(path.read_bytes()) for path in (place.game / "desk/sent").glob("*.eml")]
        found = [*sent, *emails(place).values()]
        assert sorted(email["To"] for email in found if archives(email)) == sorted(
            f"{name}" for name in ("Ann <ann@example.org>", "Bob <bob@example.org>")
        ), k
