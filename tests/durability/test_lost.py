"""Files deleted: the game goes on from the key and the newest state, and says what is lost."""

import shutil
from pathlib import Path

import pytest

from . import games
from .games import Place, copied, one_line


def stripped(base: Place, to: Path, with_marks: bool) -> Place:
    """Only the referee's keys and the newest game.toml."""
    place = copied(base, to)
    for name in ("states", "desk"):
        shutil.rmtree(place.game / name)
    if not with_marks:
        shutil.rmtree(place.home / "marks")
    return place


def adopted(place: Place) -> list[str]:
    """It is new to this home by now, for its desk is lost; what is said of that."""
    words = ("adopt", "GAME"), ("restore", "--nothing-lost", "GAME")
    return [place.done(*line) for line in words]


@pytest.mark.attack("everything except the key and the newest state is lost", by="the game can go on", who="machine")
@pytest.mark.parametrize("with_marks", [True, False])
@pytest.mark.parametrize("first", ["resolve", "report"])
def test_key_and_newest_state_are_enough(scoring: Place, tmp_path: Path, with_marks: bool, first: str) -> None:
    """All that is lost is named, new reports with new codes are there, and play goes on."""
    place = stripped(scoring, tmp_path / "lost", with_marks)
    kept, n = (place.game / "game.toml").read_bytes(), scoring.numbers()[-1]
    old_codes = {seat: scoring.session().code(seat) for seat in ("red", "blue")}
    assert "not checked" in place.done("verify", "GAME")
    for command in ("status", "show"):
        place.done(command, "GAME")
    heard = "".join(adopted(place))
    if first == "resolve":
        said = heard + place.done("resolve", "GAME")
        for lost in ("pending orders", "no address", "reply codes", f"{n} of the states before {n}"):
            assert lost in said, said
        assert ("this machine has not seen this game before" in said) == (not with_marks)
    else:
        place.done("report", "GAME", "--player", "red")
    assert (place.game / "states" / f"{n:04d}.toml").read_bytes() == kept
    session = place.session()
    for seat, old in old_codes.items():
        report = (place.game / "desk" / "reports" / f"{n + 1:04d}" / f"{seat}.txt").read_text()
        assert "orders that waited from state 2 on were lost" in " ".join(report.split())
        assert session.code(seat) != old
        assert session.code(seat) in report
        assert old not in report
    play_on(place)
    assert place.numbers() == [n, n + 1, n + 2, n + 3]  # the first: that orders were lost
    said = place.done("verify", "GAME")
    assert f"states {n} to {n + 3}" in said
    assert f"states before {n} are missing and were not checked" in said
    assert "lost" not in place.done("resolve", "GAME")


def play_on(place: Place) -> None:
    for _ in range(2):
        session = place.session()
        view = session.game.view(session.position.state, None)
        seat = session.game.questions(view)[0].seat
        line = session.game.legal(session.game.view(session.position.state, seat))[0]
        place.done("receive", "GAME", place.mail(seat, line))
        assert "1 order played" in place.done("resolve", "GAME")


def test_an_old_report_is_not_called_forged_where_its_state_is_lost(scoring: Place, tmp_path: Path) -> None:
    """What cannot be compared is said to be so; one of a state that is here is compared."""
    n = scoring.numbers()[-1]
    report = (scoring.game / "desk" / "reports" / f"{n:04d}" / "red.txt").read_bytes()
    place = stripped(scoring, tmp_path / "lost", True)
    path = place.file("kept.txt", report)
    assert "belongs to this log" in place.done("verify", "GAME", path)
    adopted(place)
    place.done("resolve", "GAME")
    play_on(place)
    assert "belongs to this log" in place.done("verify", "GAME", path)
    (place.game / "states" / f"{n:04d}.toml").unlink()
    assert f"state {n} is not here to compare it with" in place.done("verify", "GAME", path)


def test_old_mails_do_not_count_after_the_codes_are_lost(place: Place) -> None:
    """Without codes `receive` takes nothing and says why; after `resolve` the new codes count."""
    mail = place.mail("red", "wall A1")
    (place.game / "desk" / "codes").unlink()
    said = place.run("receive", "GAME", mail)
    assert said.code == 1
    assert "reply codes are lost" in said.text
    assert "pbem resolve" in said.text
    assert "the reply codes were lost, so they are void" in place.done("resolve", "GAME")
    assert place.run("receive", "GAME", mail).code == 1
    for seat in ("red", "blue"):
        code = place.session().code(seat)
        for found in ("desk/reports/0002/{}.txt", "desk/outbox/0002-{}.eml"):
            assert code in (place.game / found.format(seat)).read_text()
    place.done("receive", "GAME", place.mail("red", "wall A1", "new.eml"))


def test_a_kill_while_new_codes_are_made_leaves_no_report_with_a_void_code(place: Place, tmp_path: Path) -> None:
    """The codes are written after the reports that carry them."""
    (place.game / "desk" / "codes").unlink()
    steps = copied(place, tmp_path / "count").steps("resolve", "GAME")
    for k in games.points(len(steps)):
        struck = copied(place, tmp_path / str(k))
        struck.struck(k, "half", "resolve", "GAME")
        struck.done("resolve", "GAME")
        for seat in ("red", "blue"):
            report = struck.game / "desk" / "reports" / "0002" / f"{seat}.txt"
            assert struck.session().code(seat) in report.read_text(), k
        shutil.rmtree(struck.path)


def test_a_receipt_comes_after_the_hands_are_lost(place: Place) -> None:
    """A number that was given before is not given again, or the receipt would not be written."""
    place.done("receive", "GAME", place.mail("red", "wall A1"))
    shutil.rmtree(place.game / "desk" / "hand")
    said = place.run("receive", "GAME", place.mail("red", "wall A3", "late.eml"))
    assert "pending orders were lost" in said.text
    assert "that question is settled" in said.text  # by the ruling, of which all are told first
    place.done("receive", "GAME", place.mail("red", "wall A2", "again.eml"))
    last = (place.game / "desk" / "receipts" / "red-0003.txt").read_text()
    assert "wall A2" in last
    assert (place.game / "desk" / "outbox" / "receipt-red-0003.eml").exists()


@pytest.mark.parametrize("what", ["missing", "another game's", "damaged"])
def test_the_secret_in_the_desk(place: Place, what: str) -> None:
    """The copy in daily use is put right from the state; a damaged one is told in one line."""
    path = place.game / "desk" / "secret"
    right = path.read_bytes()
    if what == "missing":
        path.unlink()
    else:
        path.write_text(f"{'A' * 43}\n" if what == "another game's" else "rubbish\n")
    said = place.run("resolve", "GAME")
    if what == "damaged":
        assert said.code == 2
        one_line(said)
        path.unlink()
        said = place.run("resolve", "GAME")
    assert said.code == 0, said.text
    assert path.read_bytes() == right


def test_game_toml_newer_than_the_states_is_kept(scoring: Place, tmp_path: Path) -> None:
    """The only copy of a state goes into states/ before game.toml is written over."""
    place = copied(scoring, tmp_path / "one")
    n = place.numbers()[-1]
    newest = place.newest()
    (place.game / "states" / f"{n:04d}.toml").unlink()
    place.done("resolve", "GAME")
    assert (place.game / "states" / f"{n:04d}.toml").read_bytes() == newest
    place.done("verify", "GAME")


def test_game_toml_missing_or_old_is_written_again(scoring: Place, tmp_path: Path) -> None:
    """The newest of states/ decides."""
    place = copied(scoring, tmp_path / "one")
    for damage in (None, (place.game / "states" / "0004.toml").read_bytes()):
        path = place.game / "game.toml"
        path.unlink()
        if damage:
            path.write_bytes(damage)
        place.done("report", "GAME", "--player", "red")
        assert path.read_bytes() == place.newest()


def test_the_whole_key_folder_lost_is_told_in_one_line(place: Place) -> None:
    """Status, show and verify go on from the genesis; the rest says that there is no key."""
    shutil.rmtree(place.home)
    for command in ("status", "show", "verify"):
        place.done(command, "GAME")
    for command in ("legal", "resolve"):
        said = place.run(command, "GAME")
        assert said.code == 2
        one_line(said)
        assert "no referee key" in said.text
