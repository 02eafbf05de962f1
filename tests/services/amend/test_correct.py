"""Corrections: of a public fact, of a hidden value; what is no position of the game is refused."""

from typing import Any

import pytest
from durability import games

from pbem.crypto.tokens import opens_commitment

WHY = ("--reason", "the referee's slip")


def test_a_public_fact(place: Any) -> None:
    link = place.session().record
    row = link.position["squares"][0]
    square, colour, _ = row.split(" ")
    other = {"red": "blue", "blue": "red"}[colour]
    said = place.done("amend", "GAME", "correct", f"squares.{square}={other} single", *WHY)
    assert f"from `{colour} single` to `{other} single`" in said
    now = place.session().record
    assert now.position["squares"][0] == f"{square} {other} single"
    assert [one.commitment for one in now.sealed_values] == [one.commitment for one in link.sealed_values]
    assert "correct (state" in place.done("verify", "GAME")
    games.answer(place)
    place.done("verify", "GAME")


def test_a_wall_is_taken_away_and_a_score_put_right(place: Any) -> None:
    link = place.session().record
    square = link.position["squares"][0].split(" ")[0]
    place.done("amend", "GAME", "correct", f"squares.{square}=", "colours.red.1=5", *WHY)
    now = place.session().record
    assert len(now.position["squares"]) == len(link.position["squares"]) - 1
    assert now.position["colours"][0].startswith("red 5 ")
    assert len(now.rulings) == 2
    place.done("verify", "GAME")


def hidden(place: Any) -> tuple[str, str, str]:
    """A threat counter face down, its value, and another value that one of them has."""
    rows = counters(place)
    slot, value = max(rows.items())
    return slot, value, next(v for v in sorted(rows.values()) if v != value)


def counters(place: Any) -> dict[str, str]:
    """Every threat counter that lies face down, by its slot."""
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    return {s: h.for_sealing() for s, h in found.items() if "/threat/" in s}


def swapped(place: Any, slot: str, other: str) -> tuple[str, str]:
    """The two corrections by which ``other`` comes to lie in ``slot``."""
    rows = counters(place)
    place_of_other = min(s for s, value in rows.items() if value == other)
    return f"{slot}={other}", f"{place_of_other}={rows[slot]}"


def test_a_hidden_value_gets_a_slot_of_its_own(place: Any) -> None:
    slot, value, other = hidden(place)
    before = place.session().record
    changes = swapped(place, slot, other)
    said = place.done("amend", "GAME", "correct", *changes, *WHY)
    link = place.session().record
    stand_in = f"{link.n}/corrected/1"
    assert stand_in in said
    assert f"={other}" not in said
    assert dict(link.replaced_slots)[slot] == stand_in
    assert len(link.replaced_slots) == 2
    assert [name for name, _ in link.new_commitments] == [stand_in, f"{link.n}/corrected/2"]
    assert slot not in [one.slot for one in link.sealed_values]
    assert slot in [one.slot for one in before.sealed_values]
    session = place.session()
    assert session.game.encode(session.position.state).hidden[slot].for_sealing() == other
    for name in ("red", "blue", "spectators"):
        text = (place.game / f"desk/reports/{link.n:04d}/{name}.txt").read_text()
        assert f"commit {stand_in} " in text
        assert "it lies hidden, its values are shown at the end" in " ".join(text.split())
        assert "The threat counter" in " ".join(text.split())
    place.done("verify", "GAME", str(place.game / f"desk/reports/{link.n:04d}/red.txt"))
    for _ in range(4):
        games.answer(place)
    place.done("verify", "GAME")
    assert place.session().record.replaced_slots == link.replaced_slots
    del value


def test_a_counter_that_was_looked_at_is_opened_anew_to_who_may_know_it(place: Any) -> None:
    session = place.session()
    for _ in range(6):
        found = session.game.encode(session.position.state).hidden
        known = [(s, h.audience) for s, h in found.items() if h.audience and "threat" in s]
        if known:
            break
        games.answer(place)
        session = place.session()
    slot, knowing = known[0]
    value = found[slot].for_sealing()
    other = next(v for v in "234" if v != value)
    place.done("amend", "GAME", "correct", *swapped(place, slot, other), *WHY)
    n = place.session().record.n
    mine = f"open {n}/corrected/1 {other} "
    for name in ("red", "blue", "spectators"):
        text = (place.game / f"desk/reports/{n:04d}/{name}.txt").read_text()
        assert (mine in text) == (name in knowing), name
    place.done("verify", "GAME", str(place.game / f"desk/reports/{n:04d}/{min(knowing)}.txt"))


def test_what_is_turned_up_later_fits_the_new_commitment(place: Any) -> None:
    """And an undo to before the correction brings the old commitment back."""
    slot, _, other = hidden(place)
    n = place.session().record.n
    place.done("amend", "GAME", "correct", *swapped(place, slot, other), *WHY)
    place.done("amend", "GAME", "undo", "--to", str(n), "--reason", "it was right before")
    now = place.session().record
    assert not now.replaced_slots
    assert slot in [one.slot for one in now.sealed_values]
    place.done("verify", "GAME")
    place.done("amend", "GAME", "correct", *swapped(place, slot, other), *WHY)
    closed = place.done("amend", "GAME", "close", *WHY)
    assert "closed" in closed
    link = place.session().record
    row = next(one for one in link.sealed_values if one.slot == dict(link.replaced_slots)[slot])
    session = place.session()
    k, _ = session.seals.commit(row.slot, other, dict(link.state_hashes)[int(row.slot.split("/")[0])])
    assert opens_commitment(row.commitment, link.game, row.slot, k, other)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("turn=three", "is a number"),
        ("squares.Z9=red single", "not be a position of this game"),
        ("squares.99=red single", "there is no"),
        ("seat=green", "not be a position of this game"),
        ("nothing.here=1", "there is no"),
        ("stage=over", "could not go on from that position"),
        ("2/threat/99=3", "there is no"),
        ("turn", "FIELD=NEW"),
        ("colours.red.hand=x", "not be a position of this game"),
        ("colours.red.nose=3", "there is no"),
        ("squares.A5.name.more=1", "there is no"),
        # found by a review: thirty nines took all memory, or ended in "this is our fault"
        pytest.param(f"looked.0.1={'9' * 30}", "not be a position of this game", id="looked-30-nines"),
        pytest.param(f"turn={'9' * 30}", "turn is a number", id="turn-30-nines"),
        pytest.param(f"colours.red.1={'9' * 30}", "not be a position of this game", id="points-30-nines"),
        pytest.param(f"squares.{'9' * 5000}=A1", "not be a position of this game", id="row-5000-nines"),
        pytest.param(f"squares.0.{'9' * 5000}=A1", "there is no", id="word-5000-nines"),
        ("squares.²=A1 red single", "not be a position of this game"),
        ("squares.0.²=red", "there is no"),
    ],
)
def test_what_cannot_be_is_refused(place: Any, change: str, word: str) -> None:
    before = games.tree(place.path)
    said = place.run("amend", "GAME", "correct", change, *WHY)
    assert said.code in (1, 2), said.text
    games.one_line(said)
    assert word in said.text
    assert games.tree(place.path) == before


def test_a_hidden_value_is_never_quoted(place: Any) -> None:
    slot, value, _ = hidden(place)
    for new in (value, "9", "sharp"):
        said = place.run("amend", "GAME", "correct", f"{slot}={new}", *WHY)
        assert said.code in (1, 2)
        assert "sharp" not in said.text
        assert f"`{value}`" not in said.text
