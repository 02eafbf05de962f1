"""Many emails into many games: what one costs does not grow with the games."""

import os
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.clock import now
from pbem.disk.home import Home
from pbem.play import reply_codes
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.session.session import open_session

NUMBER = 12


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """A folder of games, and an answer to each."""
    place = games.fresh(tmp_path_factory.mktemp("many"))
    os.environ.update(place.env())
    for number in range(NUMBER):
        secrets = Secrets(*(bytes([number, k]) * 16 for k in range(3)))
        root = place.path / "games" / f"g{number}"
        root.parent.mkdir(exist_ok=True)
        create_game(root, games.WANTED, Home(place.home), secrets, now())
    return place


def mails(place: games.Place) -> list[str]:
    found = []
    for root in sorted((place.path / "games").iterdir()):
        session = open_session(root, now(), Home(place.home))
        view = session.game.view(session.position.state, None)
        seat = session.game.questions(view)[0].seat
        line = session.game.legal(session.game.view(session.position.state, seat))[0]
        text = f"Subject: [pbem {session.code(seat)}]\nMessage-ID: <{root.name}@x>\n\n{line}\n"
        found.append(place.file(f"{root.name}.eml", text))
    return found


def test_each_code_is_made_once_for_all_emails(
    club: games.Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by an attack of 2026-11: each email made the codes of every game, so 1,000 for 1,000
    games took 270 s.
    """
    place = games.copied(club, tmp_path / "one")
    files = mails(place)
    made: list[Any] = []
    real = reply_codes.code_of

    def counted(desk_secret: bytes, game: str, seat: str, question: int | str) -> str:
        made.append((game, seat, question))
        return real(desk_secret, game, seat, question)

    monkeypatch.setattr(reply_codes, "code_of", counted)
    stranger = place.file("stranger.eml", "Subject: [pbem 2222-2222]\n\nwall A1\n")
    asked = ("receive", str(place.path / "games"), stranger, *files, stranger, *files)
    said = place.run(*asked)
    verdicts = f"{2 * NUMBER + 2} emails: {NUMBER + 2} ignored, {NUMBER} accepted"
    assert said.text.splitlines()[-1] == verdicts
    # of each game, all of them once for the stranger; then those of one game for its own mails
    assert len(made) < NUMBER * 6 + 2 * NUMBER * 6


def test_a_damaged_desk_hinders_no_other_game(club: games.Place, tmp_path: Path) -> None:
    """Its codes cannot all be made; it was asked for those of every email, and so was every one
    refused.
    """
    place = games.copied(club, tmp_path / "two")
    files = mails(place)
    for name in ("g0", "g9"):
        (place.path / "games" / name / "desk" / "consent.toml").write_bytes(b"pbem = ")
    said = place.run("receive", str(place.path / "games"), *files[1:11])
    assert said.text.splitlines()[-1] == "10 emails: 10 accepted"
    stranger = place.file("stranger.eml", "Subject: [pbem 2222-2222]\n\nwall A1\n")
    said = place.run("receive", str(place.path / "games"), stranger)
    assert "desk/consent.toml" in said.text


def test_a_backup_of_many_says_once_what_is_so_of_each(club: games.Place, tmp_path: Path) -> None:
    """Found by a newcomer in 2026-11: 18 games, 36 lines of the same two notes."""
    place = games.copied(club, tmp_path / "one")
    file = str(place.path / "b.tar.gz")
    place.done("backup", str(place.path / "games"), "-o", file)
    for path in (place.home / "marks").iterdir():
        path.unlink()
    said = place.done("restore", file, "--to", str(place.path / "many"))
    notes = [line for line in said.splitlines() if line.startswith("note: ")]
    begins = [line.partition(": nothing")[0].partition(": if")[0] for line in notes[:2]]
    assert begins == [f"note: each of {NUMBER} games"] * 2
    assert sum("restore --go-on DIR --" in line for line in notes) == 2
    one = place.path / "games" / "g1"
    place.done("backup", str(one), "-o", str(place.path / "c.tar.gz"))
    to = place.path / "single"
    said = place.done("restore", str(place.path / "c.tar.gz"), "--to", str(to))
    assert said.count(f"restore --go-on {to} --") == 2
