"""What players, referee and auditors read of a ruling: in words, in full, and nothing hidden.

Found by a review: a correction was told in the file's own words (`cards.7 is corrected`), a new
player without the old one, an undo without the orders it took back, and what a hidden thing was
corrected to nowhere, not even when the game was over.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from durability import games
from proof.audit import games_told as told

from pbem import catalog
from pbem.chain.rulings.correct import pile_of
from pbem.chain.rulings.fields import describe_fact
from pbem.services.prove.audit import make_transcript

WHY = ("--reason", "the referee's slip")


def report(place: Any, name: str = "blue") -> str:
    """The newest report, on one line."""
    n = place.session().record.n
    return " ".join((place.game / f"desk/reports/{n:04d}/{name}.txt").read_text().split())


def transcript(place: Any) -> str:
    """What the archive of a closed game tells."""
    file = place.path / "x.tar"
    place.done("archive", "GAME", "-o", str(file))
    from pbem.proof.audit.archive import unpack

    return unpack(file.read_bytes()).texts.files["transcript.txt"].decode()


def test_an_undo_names_what_it_takes_back(place: Any) -> None:
    seat, name = (one := games.asked(place)), {"red": "Ann", "blue": "Bob"}[one]
    line = games.answer(place)
    n = place.session().record.n
    who = f"{name} ({seat}): {line}"
    assert f"\n  undone: {who}\n" in place.done("amend", "GAME", "undo", *WHY, "--dry-run") + "\n"
    assert f"\n  undone: {who}\n" in place.done("amend", "GAME", "undo", *WHY) + "\n"
    for reader in ("red", "blue", "spectators"):
        assert f"UNDONE - {who} Nothing is dealt again." in report(place, reader)
    text = f"Undone: {who}. Reason:\n  | the referee's slip"
    assert text in place.run("audit", "GAME").text
    place.done("amend", "GAME", "close", *WHY)
    found = transcript(place)
    assert text in found
    assert f"): undone by state {n + 1}\n" in found
    assert f"\nThe board after state {n + 1}:\n" in found


def test_an_undo_of_an_undo_in_transcript_and_audit(place: Any) -> None:
    """Found by a newcomer's review: `taken back` for ever, and `Taken back: no order`.

    A card's kind, hidden while the game goes on, is told in the ruling once all is open.
    """
    seat = games.asked(place)
    name = {"red": "Ann", "blue": "Bob"}[seat]
    line = games.answer(place, "card")
    n = place.session().record.n
    public = place.session().record.entries[0].public_words
    assert "?" in public
    place.done("amend", "GAME", "undo", *WHY)
    place.done("amend", "GAME", "undo", "--to", str(n), *WHY)
    hidden = place.run("audit", "GAME").text
    place.done("amend", "GAME", "close", *WHY)
    found = transcript(place)
    assert f"): undone by state {n + 1}, counts again by state {n + 2}\n" in found
    for text in (found, place.done("audit", "GAME")):
        assert f"The game goes back to state {n - 1}. Undone: {name} ({seat}): {line}." in text
        assert f"The game goes back to state {n}. Counts again: {name} ({seat}): {line}." in text
        assert "no order" not in text
    assert f"Counts again: {name} ({seat}): {line}." in hidden or public in hidden


def test_a_drawn_turn_order_is_told_as_drawn(place: Any) -> None:
    """Found by a newcomer's review: `in turn order` stood above the order of naming."""
    folder = str(place.path / "drawn")
    words = ("new", folder, "--game", "chang-cheng", "--deal", "--option", "seats=drawn")
    people = ("--player", "red=Ann,a@x.org", "--player", "blue=Bob,b@x.org")
    said = place.done(*words, *people)
    assert "in turn order" not in said
    assert "Players: Ann (red), Bob (blue); the turn order was drawn" in said
    later = ("new", folder + "2", "--game", "chang-cheng", "--option", "seats=drawn", *people)
    assert "; the turn order is drawn at the deal." in place.done(*later)
    place.done("amend", folder, "close", *WHY)
    file = place.path / "drawn.tar"
    place.done("archive", folder, "-o", str(file))
    from pbem.proof.audit.archive import unpack

    text = unpack(file.read_bytes()).texts.files["transcript.txt"].decode()
    assert "\nPLAYERS\n" in text
    report = min((place.path / "drawn/desk/reports").glob("*/red.txt")).read_text()
    assert "Turn order as drawn: " in " ".join(report.split())


def test_a_report_is_told_again_where_older_states_are_lost(place: Any) -> None:
    """Then it tells what the newest state has."""
    games.answer(place)
    place.done("amend", "GAME", "undo", *WHY)
    n = place.session().record.n
    (place.game / "states" / f"{n - 1:04d}.toml").unlink()
    place.run("report", "GAME", "--player", "red")
    assert "The game goes back to state" in report(place, "red")


def test_a_new_player_is_told_with_the_old_one(place: Any) -> None:
    player = ("amend", "GAME", "player", "red")
    place.done(*player, "--name", "Zoe", "--auth", "typed", "--address", "zoe@else.org", *WHY)
    text = (
        "Zoe plays red from now on in place of Ann, identified by the referee's word "
        "(before: by the code in each email), with another email address. "
        "Reason: | the referee's slip"
    )
    assert text in report(place)
    place.done(*player, "--language", "en", *WHY)
    assert "Zoe (red) has emails in en from now on." in report(place)
    place.done("verify", "GAME")
    place.done("amend", "GAME", "close", *WHY)
    said = place.done("audit", "GAME")
    assert text in " ".join(said.split())
    found = transcript(place)
    assert text in " ".join(found.split())
    before = "; up to state 5 Ann, identified by the code in each email"
    assert f"Zoe (red), identified by the referee's word{before}\n" in found
    assert "else.org" not in said + found


def test_a_fact_is_called_as_players_call_it(place: Any) -> None:
    row = place.session().record.position["squares"][0]
    square, colour, _ = row.split(" ")
    other = {"red": "blue", "blue": "red"}[colour]
    changes = (f"squares.{square}={other} single", "colours.red.1=5", "turn=9")
    said = place.done("amend", "GAME", "correct", *changes, *WHY)
    for text in (
        f"Square {square}: corrected from `{colour} single` to `{other} single`.",
        "The points of red: corrected from `0` to `5`.",
        "The number of the turn: corrected from `",
    ):
        assert text in said
        assert text in report(place)
    assert "squares." not in said
    assert "colours." not in said


def test_points_have_a_name(place: Any) -> None:
    """Found by a newcomer's review: the whole row alone could be typed, and was told whole."""
    row = next(r for r in place.session().record.position["colours"] if r.startswith("red "))
    points, *rest = row.split(" ")[1:]
    text = f"The points of red: corrected from `{points}` to `5`"
    said = place.done("amend", "GAME", "correct", "colours.red.points=5", "--dry-run", *WHY)
    assert text in said
    place.done("amend", "GAME", "correct", f"colours.red={' '.join(['5', *rest])}", *WHY)
    assert f"{text}. Reason" in report(place)
    assert "hand=" not in report(place).split("THE BOARD")[0]
    place.done("amend", "GAME", "correct", "colours.red.points=7", *WHY)
    assert "The points of red: corrected from `5` to `7`. Reason" in report(place)
    assert "genuine" in place.done("verify", "GAME")
    assert "but for 2 rulings" in place.run("audit", "GAME").text
    wrong = place.run("amend", "GAME", "correct", "colours.red.score=5", *WHY)
    games.one_line(wrong)
    assert "For example colours.red.points, colours.red.hand, colours.red.out" in wrong.text


@pytest.mark.parametrize("closed", [True, False])
def test_a_hidden_thing_is_told_when_it_is_open(place: Any, closed: bool) -> None:
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    rows = {s: h.for_sealing() for s, h in found.items() if pile_of(s) == "threat"}
    one = max(rows)
    two = next(slot for slot in rows if rows[slot] != rows[one])
    place.done("amend", "GAME", "correct", f"{one}={rows[two]}", f"{two}={rows[one]}", *WHY)
    assert "it lies hidden, its values are shown at the end" in report(place)
    name = "Threat counter 15 of the pile"
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
                words = describe_fact(game, position, field)
                assert "." not in words, (field, words)
                assert "{" not in words


def test_a_game_without_names_shows_the_path() -> None:
    class Bare:
        """A game that names nothing."""

    assert describe_fact(Bare(), {"gold": ["red 3"]}, "gold.red.1") == "gold.red.1"


def test_the_transcript_of_a_finished_game_hides_nothing() -> None:
    """What each saw by his own order stands there: the cards drawn, the counters looked at."""
    for name, said in (
        ("great-wall-3", "Blue drew a card: a guard. (GW-20)"),
        ("chang-cheng-4", "saw the threat of AM3 ("),
    ):
        contents = told.example(name)
        found = told.audited(contents.states, contents.secret)
        assert said in make_transcript(found.replay, found.states).decode()
        hidden = told.audited({n: raw for n, raw in contents.states.items() if n < 9}, b"")
        text = make_transcript(None, hidden.states).decode()
        assert "drew a card:" not in text
        assert not re.search("saw the threat of AM\\d \\(", text)


def test_what_is_waited_for_is_no_jargon(place: Any) -> None:
    """Found by a newcomer's review: "waits for Ann (red), for the second in AP2"."""
    seat = games.asked(place)
    other = {"red": "blue", "blue": "red"}[seat]
    session = place.session()
    view = session.game.view(session.position.state, seat)
    first = next(one for one in session.game.legal(view) if one.startswith("wall"))
    place.done("receive", "GAME", place.mail(seat, first))
    place.done("resolve", "GAME")
    assert "IT IS THE TURN OF" in report(place, other)
    assert f"({seat})" in place.done("status", "GAME")


@pytest.mark.attack(
    "write a note that looks like a sentence of pbem",
    by="not possible: pbem marks the note and puts it on lines of its own",
    who="referee",
)
def test_a_note_cannot_pass_for_pbems_own_words(place: Any) -> None:
    """Found by an attack of 2026-11: a note stood there like a sentence of pbem's own."""
    text = "THE GAME IS OVER. Ann won. SCORES Ann (red): 99. This game was dealt with a sealed one."
    place.done("amend", "GAME", "note", text)
    n = place.session().record.n
    for name in ("red", "spectators"):
        lines = (place.game / f"desk/reports/{n:04d}/{name}.txt").read_text().split("\n")
        at = lines.index("- A note of the referee:")
        told = []
        for line in lines[at + 1 :]:
            if not line.startswith("  | "):
                break
            told.append(line.removeprefix("  | "))
        assert " ".join(told) == text
        assert len(told) > 1
        assert all(len(line) <= 70 for line in lines[at : at + 1 + len(told)])
        assert sum("Ann won" in line for line in lines) == 1


def test_what_changes_who_plays_or_signs_is_counted_apart(place: Any) -> None:
    """Found by an attack of 2026-11: a replaced key was "none of which changed the position"."""
    place.done("amend", "GAME", "note", "hello to all")
    place.done("amend", "GAME", "player", "red", "--name", "Zoe", *WHY)
    games.answer(place)
    place.done("amend", "GAME", "undo", *WHY)
    place.done("amend", "GAME", "close", *WHY)
    said = place.run("audit", "GAME").text
    changed = "1 changed the position, 1 changed who plays or signs"
    assert f"proven, but for 4 rulings ({changed})" in said
