"""What players, referee and auditors read of a ruling: in words, in full, and nothing hidden.

Found by a review: a correction was told in the file's own words (`cards.7 is corrected`), a new
player without the old one, an undo without the orders it took back, and what a hidden thing was
corrected to nowhere, not even when the game was over.
"""

from pathlib import Path
from typing import Any

import pytest
from audit import games_told as told
from durability import games

from pbem import catalog
from pbem.commands.proving import transcript_of
from pbem.moderator.fields import field_words
from pbem.moderator.rearranging import pile_of

WHY = ("--reason", "the referee's slip")


def report(place: Any, name: str = "blue") -> str:
    """The newest report, on one line."""
    n = place.session().link.n
    return " ".join((place.game / f"desk/reports/{n:04d}/{name}.txt").read_text().split())


def transcript(place: Any) -> str:
    """What the archive of a closed game tells."""
    file = place.path / "x.tar"
    place.done("archive", "GAME", "-o", str(file))
    from pbem.moderator.archive import unpack

    return unpack(file.read_bytes()).transcript.decode()


def test_an_undo_names_what_it_takes_back(place: Any) -> None:
    seat, name = (one := games.asked(place)), {"red": "Ann", "blue": "Bob"}[one]
    line = games.answer(place)
    n = place.session().link.n
    who = f"{name} ({seat}): {line}"
    assert (
        f"\n  taken back: {who}\n" in place.done("amend", "GAME", "undo", *WHY, "--dry-run") + "\n"
    )
    assert f"\n  taken back: {who}\n" in place.done("amend", "GAME", "undo", *WHY) + "\n"
    for reader in ("red", "blue", "spectators"):
        assert f"TAKEN BACK - {who} Nothing is dealt anew." in report(place, reader)
    text = f"Taken back: {who}. Reason: the referee's slip"
    assert text in place.run("audit", "GAME").text
    place.done("amend", "GAME", "close", *WHY)
    found = transcript(place)
    assert text in found
    assert f"): taken back by state {n + 1}\n" in found


def test_a_report_is_told_again_where_older_states_are_lost(place: Any) -> None:
    """Then it tells what the newest state has."""
    games.answer(place)
    place.done("amend", "GAME", "undo", *WHY)
    n = place.session().link.n
    (place.game / "states" / f"{n - 1:04d}.toml").unlink()
    place.run("report", "GAME", "--player", "red")
    assert "the game goes back to state" in report(place, "red")


def test_a_new_player_is_told_with_the_old_one(place: Any) -> None:
    player = ("amend", "GAME", "player", "red")
    place.done(*player, "--name", "Zoe", "--known", "typed", "--address", "zoe@else.org", *WHY)
    text = (
        "Zoe plays red from now on in place of Ann, known by the referee's word (before: by the "
        "code in each mail), with another mail address. Reason: the referee's slip"
    )
    assert text in report(place)
    place.done(*player, "--language", "en", *WHY)
    assert "Zoe (red) has mails in en from now on." in report(place)
    place.done("verify", "GAME")
    place.done("amend", "GAME", "close", *WHY)
    said = place.done("audit", "GAME")
    assert text in said
    found = transcript(place)
    assert text in found
    assert "Zoe (red), known by the referee's word; up to state 5 Ann\n" in found
    assert "else.org" not in said + found


def test_a_fact_is_called_as_players_call_it(place: Any) -> None:
    row = place.session().link.position["squares"][0]
    square, colour, _ = row.split(" ")
    other = {"red": "blue", "blue": "red"}[colour]
    changes = (f"squares.{square}={other} single", "colours.red.1=5", "turn=9")
    said = place.done("amend", "GAME", "correct", *changes, *WHY)
    for text in (
        f"square {square}: corrected from `{colour} single` to `{other} single`.",
        "the points of red: corrected from `0` to `5`.",
        "the number of the turn: corrected from `",
    ):
        assert text in said
        assert text in report(place)
    assert "squares." not in said
    assert "colours." not in said


@pytest.mark.parametrize("closed", [True, False])
def test_a_hidden_thing_is_told_when_it_is_open(place: Any, closed: bool) -> None:
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    rows = {s: h.for_sealing() for s, h in found.items() if pile_of(s) == "threat"}
    one = max(rows)
    two = next(slot for slot in rows if rows[slot] != rows[one])
    place.done("amend", "GAME", "correct", f"{one}={rows[two]}", f"{two}={rows[one]}", *WHY)
    assert "it lies hidden, its values are shown at the end" in report(place)
    name = "threat counter 15"
    said = f"{name}, which lay hidden: corrected from {rows[one]} to {rows[two]}"
    if not closed:
        out = place.run("audit", "GAME").text
        assert "NOT OVER YET: all so far is proven, but for 2 rulings" in out
        assert said not in out
        assert f"{name} is corrected; it lies hidden, its values are shown at the end" in out
        file = str(place.path / "early.tar")
        place.done("archive", "GAME", "-o", file, "--unfinished")
        assert "which lay hidden" not in place.run("audit", file).text
        assert b"which lay hidden" not in Path(file).read_bytes()
        return
    place.done("amend", "GAME", "close", *WHY)
    assert said in place.done("audit", "GAME")
    assert said in transcript(place)
    assert said in place.done("audit", str(place.path / "x.tar"))


@pytest.mark.parametrize("name", told.EXAMPLES)
def test_every_fact_of_a_game_has_a_name(name: str) -> None:
    """And so has every word of its rows but the first, which is its name."""
    contents = told.example(name)
    kind = told.document_of(contents.states[2])["setup"]["kind"]
    game = catalog.load(kind)
    for raw in contents.states.values():
        position = told.document_of(raw).get("position", {})
        for key, value in position.items():
            rows = value if isinstance(value, list) else []
            fields = [key, *(f"{key}.{at}" for at in range(len(rows)) if " " in rows[at])]
            fields += [f"{key}.{at}.1" for at in range(len(rows)) if " " in rows[at]]
            for field in fields:
                words = field_words(game, position, field)
                assert "." not in words, (field, words)
                assert "{" not in words


def test_a_game_without_names_shows_the_path() -> None:
    class Bare:
        """A game that names nothing."""

    assert field_words(Bare(), {"gold": ["red 3"]}, "gold.red.1") == "gold.red.1"


def test_the_transcript_of_a_finished_game_hides_nothing() -> None:
    """What each saw by his own order stands there: the cards drawn, the counters looked at."""
    for name, said in (
        ("great-wall-3", "Blue drew a card: a guard. (GW-20)"),
        ("chang-cheng-4", "looked at the threat counter of AM3 (it is "),
    ):
        contents = told.example(name)
        found = told.audited(contents.states, contents.secret)
        assert said in transcript_of(found.replay, found.states).decode()
        hidden = told.audited({n: raw for n, raw in contents.states.items() if n < 9}, b"")
        text = transcript_of(None, hidden.states).decode()
        assert "drew a card:" not in text
        assert "(it is" not in text
