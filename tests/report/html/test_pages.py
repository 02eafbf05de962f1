"""`pbem show --html` and `pbem report --html`: the same as a file. Source: decision 0022."""

import stat
from pathlib import Path

import pytest
from durability import games

from pbem.services.html import WIDE
from report.html.played import face_of, plain, read


@pytest.fixture
def place(scored: games.Place, tmp_path: Path) -> games.Place:
    return games.copied(scored, tmp_path / "one")


def words(page: Path) -> str:
    return plain("".join(read(page.read_text("utf-8")).words))


def test_the_board_for_everybody(place: games.Place, tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    shown = place.done("show", "GAME", "--html", str(page))
    assert stat.S_IMODE(page.stat().st_mode) & 0o600 == 0o600
    board, said = shown.rsplit("\n\n", 1)
    assert said == f"The page is in {page}.\n"
    for line in board.split("SCORES\n")[1].splitlines():
        player, _, points = line.partition(": ")
        assert plain(f"{player.partition(' (')[0]} {points} points") in words(page)
    assert "the wall" in words(page)
    assert read(page.read_text("utf-8")).links == []
    assert "eyes alone" not in words(page)


def test_what_the_referee_alone_may_see(place: games.Place, tmp_path: Path) -> None:
    page = tmp_path / "secret.html"
    shown = place.done("show", "GAME", "--secret", "--html", str(page))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    hidden = shown.rsplit("\n\n", 1)[0].split("HANDS (for your eyes only)\n")[1].splitlines()
    assert len(hidden) > 10
    for line in hidden:
        assert plain(line) in words(page)


def test_a_report_is_what_its_email_has(place: games.Place, tmp_path: Path) -> None:
    page, seat = tmp_path / "report.html", games.asked(place)
    said = place.done("report", "GAME", "--player", seat, "--html", str(page))
    assert (
        f"note: the email to {place.session().record.player(seat).label} is in {place.game}/desk/outbox again\n" in said
    )
    assert said.endswith(f"note: the page is in {page}\n")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    n = place.numbers()[-1]
    mail = face_of(place.game / "desk" / "outbox" / f"{n:04d}-{seat}.eml")
    assert page.read_text("utf-8").replace(WIDE, "").strip() == mail.html.strip()


def test_a_report_for_spectators_has_no_link(place: games.Place, tmp_path: Path) -> None:
    page = tmp_path / "all.html"
    place.done("report", "GAME", "--player", "spectators", "--html", str(page))
    assert read(page.read_text("utf-8")).links == []
    assert "your cards" not in words(page)


def test_where_it_cannot_be_written(place: games.Place, tmp_path: Path) -> None:
    said = place.run("show", "GAME", "--html", str(tmp_path / "no" / "board.html"))
    assert said.code == 2
    assert "no/board.html" in said.text
