"""A correction puts things in other places and makes no pile another pile: in both games.

Found by a review: every threat counter was corrected to 2, and the audit of it said "proven".
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from durability import games
from proof.audit import games_told as told
from proof.audit.table import SECRET, TIME, Table

from pbem.chain.rulings import correct
from pbem.chain.rulings.correct import build_correction_basis, pile_of
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.state_record import config_of
from pbem.clock import now
from pbem.disk.home import Home
from pbem.engine.optional_parts import misfit, piles_now
from pbem.services.open.new_game import create_game

WHY = ("--reason", "the referee's slip")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game of the other kind, some turns old."""
    place = games.fresh(tmp_path_factory.mktemp("wall") / "one")
    wanted = {**games.WANTED, "game": "great-wall"}
    create_game(place.game, wanted, Home(place.home), games.fixed_secrets(), now())
    for _ in range(6):
        games.answer(place, "")
    return place


def hidden(place: Any, pile: str) -> dict[str, str]:
    """Slot and value of every hidden thing of a pile."""
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    return {s: h.for_sealing() for s, h in found.items() if pile_of(s) == pile}


def pair(values: dict[str, str]) -> tuple[str, str]:
    """Two places with two values."""
    first = min(values)
    return first, min(s for s, v in values.items() if v != values[first])


PILES = [("place", "threat"), ("place", "reputation"), ("other", "deck/red"), ("other", "reserve")]


@pytest.mark.parametrize(("which", "pile"), PILES)
def test_one_value_alone_is_refused(which: str, pile: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    place = games.copied(request.getfixturevalue(which), tmp_path / "copy")
    values = hidden(place, pile)
    one, two = pair(values)
    before = games.tree(place.path)
    said = place.run("amend", "GAME", "correct", f"{one}={values[two]}", *WHY)
    assert said.code == 1, said.text
    games.one_line(said)
    assert f"the pile {pile} was made of" in said.text
    assert f"Swap two things: {one}=" in said.text
    assert games.tree(place.path) == before


@pytest.mark.parametrize(("which", "pile"), PILES)
def test_a_swap_is_carried_out(which: str, pile: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    place = games.copied(request.getfixturevalue(which), tmp_path / "copy")
    values = hidden(place, pile)
    one, two = pair(values)
    changes = (f"{one}={values[two]}", f"{two}={values[one]}")
    place.done("amend", "GAME", "correct", *changes, *WHY)
    now = hidden(place, pile)
    assert (now[one], now[two]) == (values[two], values[one])
    place.done("verify", "GAME")
    place.done("amend", "GAME", "close", *WHY)
    assert "2 rulings did" not in place.done("audit", "GAME")  # three: both values, and the end
    assert "3 rulings did what they say" in place.done("audit", "GAME")


def test_what_lies_open_counts_with_the_pile(place: Any) -> None:
    """A counter that is turned up is one of the pile too."""
    name, value = place.session().record.position["provinces"][0].split(" ")[:2]
    new = next(v for v in "01234" if v != value)
    said = place.run("amend", "GAME", "correct", f"provinces.{name}.1={new}", *WHY)
    assert said.code == 1, said.text
    assert "the pile reputation was made of" in said.text


def test_a_card_is_none_that_lies_there_already(place: Any) -> None:
    """A colour has each of its six cards once."""
    for _ in range(4):
        games.answer(place, "card")
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    lying = [(row.split(" ")[1], row.split(" ")[0]) for row in session.record.position["cards"]]
    (colour, one), (_, two) = [pair for pair in lying if pair[0] == lying[0][0]][:2]
    said = place.run("amend", "GAME", "correct", f"{one}={found[two].for_sealing()}", *WHY)
    assert said.code == 1, said.text
    assert f"the pile {colour}'s cards" in said.text


@pytest.mark.parametrize("name", told.EXAMPLES)
def test_a_pile_holds_the_same_all_game_long(name: str) -> None:
    """What a game says of its piles is the pile, in every state of a whole game."""
    run = told.replayed(told.example(name), told.key_of(name))
    record = run.past_states[2].record
    made_of = {pile.name: Counter(pile.items) for pile in run.game.piles(config_of(record))}
    first: dict[str, Counter[str]] = {}
    for n, standing in run.past_states.items():
        if standing.state is None:
            continue
        now = {key: Counter(rows) for key, rows in piles_now(run.game, standing.state).items()}
        for pile, things in now.items():
            assert things == made_of.get(pile, first.setdefault(pile, things)), (n, pile)
            assert "?" not in things
        assert misfit(run.game, standing.state) == ""


@pytest.mark.attack("use a correction to change which items are in a pile", by="audit", who="referee")
def test_an_audit_finds_a_pile_that_became_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee with a tool of his own makes the ruling: his chain is genuine, and contradicted."""
    table = Table()
    for _ in range(3):
        table.play("wall")
    values = {s: v for s, v in table.values(table.position.state).items() if "/threat/" in s}
    slots = [slot for slot, value in values.items() if value != "2"]
    changes = [correct.Correction(slot, "2") for slot in slots]
    with monkeypatch.context() as patch:
        patch.setattr(correct, "check_piles", lambda *_: None)
        basis = build_correction_basis(table.position, changes, "a slip")
    table.save(build_ruling_state(table.position, basis, SECRET, table.key, TIME, {}).raw)
    found = table.audit()
    assert found.first_contradiction is not None
    assert found.first_contradiction.name == "rulings"
    assert found.first_contradiction.text.startswith(f"state {table.last}, ")
    assert "the pile threat was made of" in found.first_contradiction.text
