"""The referee's address book: the file is read strictly, and stays out of games. Source: P11."""

from pathlib import Path

import pytest
from durability.games import Place

ANN = '"Ann Lee" = "ann@example.org"\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def written(place: Place, text: bytes) -> Path:
    place.home.mkdir(0o700, exist_ok=True)
    path = place.home / "people.toml"
    path.write_bytes(text)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'"Ann Lee" = 3\n', "Ann Lee: expected a text, found the number 3"),
        (b'["Ann Lee"]\naddress = "ann@example.org"\n', "Ann Lee: expected a text, found a table"),
        (b'Ann Lee = "ann@example.org"\n', "line 1 is not TOML"),
        (ANN.encode() * 2, "not TOML"),
        (ANN.encode() + b'"ann lee" = "b@example.org"\n', "'ann lee' is there twice"),
        (b'Ann = "ann"\n', "'ann' is not an email address for Ann"),
        (b'Ann = ""\n', "Ann has no address"),
        (b'"Lee, Ann" = "ann@example.org"\n', "the name 'Lee, Ann' has a comma"),
        (b'"<Ann>" = "ann@example.org"\n', "cannot be '<Ann>'"),
        (b'"" = "ann@example.org"\n', "cannot be ''"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_each_fault_is_one_line_that_names_the_file(place: Place, text: bytes, said: str) -> None:
    path = written(place, text)
    for words in ("people", "people add Zoe z@example.org", "people remove Zoe"):
        told = place.run(*words.split())
        assert (told.code, said in told.text, str(path) in told.text) == (2, True, True), told.text
        assert told.text.count("\n") == 1
    assert path.read_bytes() == text


def test_a_book_that_others_can_read_is_not_used(place: Place) -> None:
    written(place, ANN.encode()).chmod(0o644)
    told = place.run("people")
    assert (told.code, "chmod 600" in told.text) == (1, True)


def test_what_the_referee_wrote_by_hand_stays(place: Place) -> None:
    path = written(place, b'# the club\r\n"Ann Lee" = "ann@example.org"')
    place.done("people", "add", "Ben  Ott", "ben@example.org")
    assert path.stat().st_mode & 0o777 == 0o600
    added = b'\n"Ben Ott" = "ben@example.org"\n'
    assert path.read_bytes() == b'# the club\r\n"Ann Lee" = "ann@example.org"' + added
    place.done("people", "remove", "ann")
    assert path.read_bytes() == b"# the club\r\n" + added[1:]
    place.done("people", "remove", "ben ott")
    assert path.read_bytes() == b"# the club\r\n"


def test_a_name_on_lines_of_its_own_is_removed_too(place: Place) -> None:
    path = written(place, b'Ann = """\nann@example.org"""\nBen = "ben@example.org"\n')
    place.done("people", "remove", "ann")
    assert path.read_bytes() == b'Ben = "ben@example.org"\n'


NEW = ("new", "GAME", "--game", "great-wall", "--referee", "Ref,ref@example.org", "--deal")


def test_nothing_of_the_book_is_in_the_shared_part(place: Place) -> None:
    """The name is as it was typed; the address is in desk/ alone."""
    place.done("key", "new")
    written(place, ANN.encode())
    words = [str(place.game) if word == "GAME" else word for word in NEW]
    place.done(*words, "--player", "red=Ann", "--player", "blue=Bob,bob@example.org")
    shared = b"".join(path.read_bytes() for path in (place.game / "states").iterdir())
    assert b"Ann" in shared
    assert b" Lee" not in shared  # with a blank: keys are letters too
    assert b"example.org" not in shared
    assert "ann@example.org" in (place.game / "desk" / "players.toml").read_text()


def test_a_broken_book_stops_nobody_who_types_addresses(place: Place) -> None:
    place.done("key", "new")
    written(place, b"?")
    words = [str(place.game) if word == "GAME" else word for word in NEW]
    red, bob = ("--player", "red=Ann,ann@example.org"), ("--player", "blue=Bob")
    told = place.run(*words, *red, *bob)
    assert (told.code, "people.toml: line 1" in told.text) == (2, True)
    place.done(*words, *red, "--player", "blue=Bob,")


def test_a_plan_in_a_file_and_the_next_round_find_people_too(place: Place) -> None:
    place.done("key", "new")
    written(place, ANN.encode() + b'Bob = "bob@example.org"\nZoe = "zoe@example.org"\n')
    plan = place.home / "plan.toml"
    players = '[players]\nred = "Ann"\nblue = "Bob"\n'
    plan.write_text(f'game = "great-wall"\nreferee = "Ref,ref@example.org"\n{players}')
    place.done("new", str(place.game), "--from", str(plan))
    desk = (place.game / "desk" / "players.toml").read_text()
    assert "ann@example.org" in desk
    assert "bob@example.org" in desk
    place.done("amend", str(place.game), "close", "--reason", "late")
    after = place.game.with_name("after")
    place.done("new", str(after), "--after", str(place.game), "--player", "blue=Zoe")
    assert "zoe@example.org" in (after / "desk" / "players.toml").read_text()
