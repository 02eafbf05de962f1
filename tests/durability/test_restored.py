"""The high-water mark: an old copy of a game is not played on by mistake, only by a ruling. P7."""

import shutil
from pathlib import Path

import pytest

from .games import Place, copied, fingerprint, one_line, points, tree
from .test_lost import play_on

WRITING = (("resolve", "GAME"), ("report", "GAME", "--player", "red"))


@pytest.fixture
def restored(place: Place) -> tuple[Place, str]:
    """A game put back from a backup made two states ago, and a report of a state now lost."""
    place.done("backup", "GAME", "-o", str(place.path / "kept.pbem"))
    play_on(place)
    lost = place.file("lost.txt", (place.game / "desk/reports/0004/red.txt").read_bytes())
    place.file("early.txt", (place.game / "desk/reports/0002/red.txt").read_bytes())
    shutil.rmtree(place.game)
    said = place.run("restore", str(place.path / "kept.pbem"), "--to", "GAME")
    assert said.code == 0, said.text
    assert "--go-on" in said.text
    return place, lost


@pytest.mark.attack(
    "put an old copy of a game back in its place",
    by="refused by every command that writes, if this machine has seen a newer state",
    who="finder",
)
def test_writing_commands_refuse_an_old_copy(restored: tuple[Place, str]) -> None:
    """They change nothing and name the way out; reading ones work."""
    place, _ = restored
    mail = place.mail("red", "wall A1")
    before = tree(place.path)
    for words in (*WRITING, ("receive", "GAME", mail)):
        said = place.run(*words)
        assert said.code == 1
        one_line(said)
        assert "pbem restore --go-on" in said.text
    for command in ("status", "show", "legal"):
        assert place.run(command, "GAME").code == 0
    assert tree(place.path) == before
    assert place.run("verify", "GAME").code == 0  # it remembers what it saw


def test_the_ruling_goes_on_and_is_told_to_all(restored: tuple[Place, str]) -> None:
    """The next report has it, play goes on, and the report of the lost state is found out."""
    place, lost = restored
    said = place.done("restore", "--go-on", "GAME", "--reason", "the disk broke")
    assert "state 2 as state 3" in said
    for seat in ("red", "blue", "spectators"):
        report = (place.game / "desk" / "reports" / "0003" / f"{seat}.txt").read_text()
        assert "the disk broke" in report
        assert "Went on from state 2" in " ".join(report.split())
    play_on(place)
    place.done("verify", "GAME", str(place.path / "early.txt"))
    said = place.run("verify", "GAME", lost).text
    assert "says that newer states were lost and the game went on from state 2" in said
    refused = place.run("restore", "--go-on", "GAME", "--reason", "once more")
    assert refused.code == 1
    assert "no ruling is needed" in refused.text


def test_the_ruling_survives_kills(restored: tuple[Place, str], tmp_path: Path) -> None:
    """Killed anywhere, the ruling can be given (again) and the game goes on."""
    base, _ = restored
    words = ("restore", "--go-on", "GAME", "--reason", "the disk broke")
    steps = copied(base, tmp_path / "count").steps(*words)
    for k in points(len(steps)):
        place = copied(base, tmp_path / str(k))
        place.struck(k, "half", *words)
        said = place.run("resolve", "GAME")
        if said.code:
            one_line(said)
            place.done(*words)
        play_on(place)
        place.done("verify", "GAME")
        assert "the disk broke" in place.session().folder.read_state(3).decode()  # type: ignore[union-attr]
        shutil.rmtree(place.path)


def test_a_ruling_that_is_saved_is_said_to_be(restored: tuple[Place, str], tmp_path: Path) -> None:
    """The drive was full when its second state was written: "free some space, then run the command
    again", as if nothing were done.
    """
    base, _ = restored
    words = ("restore", "--go-on", "GAME", "--reason", "the disk broke")
    steps = copied(base, tmp_path / "count").steps(*words)
    saved = next(i for i, step in enumerate(steps, 1) if step.endswith("states/0003.toml"))
    for k in points(len(steps), saved + 1):
        place = copied(base, tmp_path / str(k))
        said = place.struck(k, "full", *words)
        assert said.code == 0 or "is saved, but" in said.text, (steps[k - 1], said)
        said = place.run("resolve", "GAME")
        if said.code:  # that it is decided is noted last
            one_line(said)
            assert "pbem restore --go-on" in said.text
            place.done(*words)
            place.done("resolve", "GAME")
        rulings = [place.session().folder.read_state(n) or b"" for n in place.numbers()]
        assert sum(b"restore from=" in raw for raw in rulings) == 1
        shutil.rmtree(place.path)


def test_a_mark_of_another_history_has_a_way_out(place: Place, tmp_path: Path) -> None:
    """The same number with another head, or a lower one that the chain does not come from."""
    play_on(place)
    other = copied(place, tmp_path / "other")
    play_on(place)
    other.done("receive", "GAME", other.mail("red", "withdraw"))
    session = other.session()
    seat = session.game.questions(session.game.view(session.position.state, None))[0].seat
    line = session.game.legal(session.game.view(session.position.state, seat))[-1]
    other.done("receive", "GAME", other.mail(seat, line, "fork.eml"))
    other.done("resolve", "GAME")
    shutil.rmtree(place.game)
    shutil.copytree(other.game, place.game)
    said = place.run("resolve", "GAME")
    assert said.code == 1
    assert "another history" in said.text or "pbem restore --go-on" in said.text
    place.done("restore", "--go-on", "GAME", "--reason", "the other machine counts")
    play_on(place)
    place.done("verify", "GAME")


def test_a_chain_that_goes_on_elsewhere_is_accepted(place: Place, tmp_path: Path) -> None:
    """Played on at another machine and brought back: every link between is looked at."""
    other = copied(place, tmp_path / "other")
    play_on(other)
    play_on(other)
    shutil.rmtree(place.game)
    shutil.copytree(other.game, place.game)
    gap = copied(place, tmp_path / "gap")
    place.done("resolve", "GAME")
    play_on(place)
    (gap.game / "states" / "0004.toml").unlink()
    said = gap.run("resolve", "GAME")
    assert said.code == 1
    assert "does not show that its state 6 follows from it" in said.text
    gap.done("restore", "--go-on", "GAME", "--reason", "one state is lost")
    play_on(gap)


def test_a_corrupt_mark_is_told_with_the_way_out(place: Place) -> None:
    """Nothing is written; without the file the game goes on, and says that it had no mark."""
    mark = next((place.home / "marks").iterdir())
    mail = place.mail("red", "wall A1")
    for data in (b"", b"n = 2\n", b'n = 02\nhead = "x"\n', mark.read_bytes() + b"#", b"\xff" * 40):
        mark.write_bytes(data)
        before = fingerprint(place.game)
        for words in (*WRITING, ("receive", "GAME", mail)):
            said = place.run(*words)
            assert said.code == 2
            one_line(said)
            assert "high-water mark" in said.text
        assert fingerprint(place.game) == before
    mark.unlink()
    assert "cannot know whether newer states" in place.done("resolve", "GAME")
    assert "cannot know whether newer" not in place.done("resolve", "GAME")
