"""Rulings before the deal: what only the desk knows can change, the rest is refused with a way."""

import re
from typing import Any

import pytest
from durability import games


def states(place: Any) -> dict[str, bytes]:
    return {name: data for name, data in games.tree(place.game).items() if "states" in name}


@pytest.mark.parametrize("phase", ["invited", "roster"])
def test_another_address_before_the_deal(phase: str, request: pytest.FixtureRequest) -> None:
    """Found by a review of rulings: it was refused, and the address was changed all the same."""
    place = request.getfixturevalue(phase)
    before, link = states(place), place.session().record
    seat = link.setup.seats[0]
    said = place.done("amend", "GAME", "player", seat, "--address", "new@else.org", "--dry-run")
    assert "nothing was changed" in said
    said = place.done("amend", "GAME", "player", seat, "--address", "new@else.org")
    assert "other players are not informed" in said
    mail = (place.game / f"desk/outbox/{link.n:04d}-{seat}.eml").read_text()
    assert "<new@else.org>" in mail
    assert states(place) == before
    assert place.session().players.seats[seat].address == "new@else.org"
    place.done("amend", "GAME", "player", seat, "--language", "en", "--reason", "not needed")
    assert place.session().players.seats[seat].language == "en"


@pytest.mark.parametrize(
    "words",
    [
        ("player", "red", "--name", "Zoe", "--address", "zoe@else.org", "--reason", "Ann left"),
        ("player", "red", "--auth", "typed", "--reason", "he telephones"),
        ("player", "red", "--reason", "nothing at all"),
        ("player", "pink", "--address", "a@else.org"),
        ("note", "hello to all of you"),
        ("undo", "--reason", "too early"),
        ("correct", "turn=3", "--reason", "too early"),
    ],
)
def test_what_the_genesis_settled_is_refused(invited: Any, words: tuple[str, ...]) -> None:
    before = games.tree(invited.path)
    said = invited.run("amend", "GAME", *words)
    assert said.code in (1, 2)
    games.one_line(said)
    assert games.tree(invited.path) == before


def test_the_way_out_is_told(invited: Any) -> None:
    said = invited.run("amend", "GAME", "player", "red", "--name", "Zoe", "--reason", "Ann left")
    assert "stay as in the invitation" in said.text
    assert "`, then `pbem new NEW --after" in said.text
    said = invited.run("amend", "GAME", "note", "hello to all of you")
    assert "before the deal no state can hold a note" in said.text


def test_a_lost_password_before_the_deal(tmp_path: Any) -> None:
    place = games.fresh(tmp_path)
    people = ("--player", "red=Ann,ann@e.org", "--player", "blue=Bob,bob@e.org")
    place.done("new", "GAME", "--game", "great-wall", *people, "--auth", "red=password")
    mail = place.game / "desk/outbox/password-red.eml"
    before = re.findall(r"password (?:[a-z]{5} ){3}[a-z]{5}", mail.read_text())
    words = ("amend", "GAME", "player", "red", "--auth", "password")
    said = place.done(*words, "--address", "other@e.org")
    assert "the email that went to ann@e.org still counts" in said
    after = re.findall(r"password (?:[a-z]{5} ){3}[a-z]{5}", mail.read_text())
    assert before != after
    assert "To: Ann <other@e.org>" in mail.read_text()
    assert place.run("receive", "GAME", place.mail("red", f"{before[0]}\nyes\n", "old.eml")).code == 1
    place.done("receive", "GAME", place.mail("red", f"{after[0]}\nyes\n", "new.eml"))


def test_an_answer_to_a_round_given_up_is_answered(invited: Any) -> None:
    """Found by a review of rulings: its player got silence."""
    mail = invited.mail("red", "give: my line", "late.eml")
    invited.done("amend", "GAME", "close", "--reason", "nobody has time")
    said = invited.run("receive", "GAME", mail)
    assert said.code == 1
    text = max((invited.game / "desk/receipts").glob("red-*.txt")).read_text()
    assert "the referee has cancelled this round" in text
    assert invited.run("receive", "GAME", "--typed", "red", mail).code == 1
