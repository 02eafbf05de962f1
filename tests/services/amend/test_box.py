"""What lies on the table is out of the box after a correction too, and what it shows is opened.

Found by a review: every region was corrected to one threat counter of value 2, a board was put into
the box a second time, a card at a site became one that nobody had played; and a corrected fact told
a seat hidden values that its report did not open.
"""

from pathlib import Path
from typing import Any

import pytest
from durability import games
from proof.audit.table import SECRET, TIME, Table

from pbem.chain.rulings import correct
from pbem.chain.rulings.correct import build_correction_basis, check_piles
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.clock import now
from pbem.disk.home import Home
from pbem.services.open.new_game import create_game

WHY = ("--reason", "the referee's slip")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game of Great Wall in which a card lies at a site."""
    place = games.fresh(tmp_path_factory.mktemp("wall") / "one")
    wanted = {**games.WANTED, "game": "great-wall"}
    create_game(place.game, wanted, Home(place.home), games.fixed_secrets(), now())
    for _ in range(8):
        session, seat = place.session(), games.asked(place)
        legal = session.game.legal(session.game.view(session.position.state, seat))
        playing = [line for line in legal if line.startswith("play S1 ")]
        games.answer(place, playing[0] if playing else "")
    return place


def refused(place: Any, words: str, *changes: str) -> None:
    """It is refused in one line, with these words in it, and nothing is written."""
    before = games.tree(place.path)
    said = place.run("amend", "GAME", "correct", *changes, *WHY)
    assert said.code == 1, said.text
    games.one_line(said)
    assert words in said.text
    assert games.tree(place.path) == before


def facts(place: Any) -> Any:
    return place.session().record.position


def test_no_two_regions_have_one_counter(place: Any) -> None:
    words = "region AM1 has the counter drawn for it (0), or none"
    refused(place, words, "regions.AM1=1")
    refused(place, words, "regions.AM1=1", "regions.AM2=0")


def test_a_region_has_no_counter_that_was_not_drawn(place: Any) -> None:
    refused(place, "region AM1 has the counter drawn for it (0), or none", "regions.AM1=14")


def test_a_counter_may_be_gone_and_come_back(place: Any) -> None:
    place.done("amend", "GAME", "correct", "regions.AM1=gone", *WHY)
    place.done("amend", "GAME", "correct", "regions.AM1=0", *WHY)
    assert facts(place)["regions"][0] == "AM1 0"


def test_nobody_looked_at_a_counter_that_was_not_drawn(place: Any) -> None:
    drawn = len(facts(place)["regions"])
    words = f"blue cannot have looked at counter {drawn}: {drawn} are drawn"
    refused(place, words, f"looked.blue=0,1,{drawn}")


def free(place: Any, number: int) -> list[str]:
    """Squares with nothing on them, with another one between each two."""
    position = facts(place)
    taken = {row.split(" ")[0] for row in position["squares"]}
    names = [f"{letter}{i}" for letter in "AB" for i in range(1, 12)]
    return [name for name in names if name not in taken][:number]


def test_a_colour_has_its_pieces_and_no_more(place: Any) -> None:
    one, two, three, *_ = rows = free(place, 16)
    towers = (f"squares.{one}=red tower", f"squares.{three}=red tower")
    refused(place, "red has one tower, and 2 would stand there", *towers)
    apart = (f"squares.{one}=red double", f"squares.{three}=red double")
    refused(place, "red has one double wall, on two squares side by side", *apart)
    walls = [f"squares.{name}=red single" for name in rows]
    refused(place, "red has 14 single walls, and", *walls)
    place.done("amend", "GAME", "correct", f"squares.{two}=red single", *WHY)


def test_a_board_lies_on_the_table_or_in_the_box(place: Any) -> None:
    position = facts(place)
    on_the_table, in_the_box = position["boards"][0].split(" ")[1], position["box"]
    refused(place, "the pile box of boards", f"box.0={on_the_table}")
    changes = [
        f"{key}.{at}.0=C{row.split(' ')[0][1:]}"
        for key in ("boards", "squares", "provinces", "regions")
        for at, row in enumerate(position[key])
        if row.startswith("B")
    ]
    refused(place, "the boards would be lettered A, C", *changes)
    if len(in_the_box) > 1:
        swap = (f"box.0={in_the_box[1]}", f"box.1={in_the_box[0]}")
        place.done("amend", "GAME", "correct", *swap, *WHY)


def test_a_card_at_a_site_was_played(sites: Any) -> None:
    row = facts(sites)["cards"][0].split(" ")
    played = next(one for one in facts(sites)["colours"] if one.startswith(f"{row[2]} "))
    kind = next(k for k in ("noble", "watchtower", "gate") if k not in played)
    refused(sites, f"{row[2]} has played {kind} 0 times, and 1 would lie there", f"cards.0.3={kind}")
    other = {"red": "blue", "blue": "red"}[row[2]]
    had = sum(f" {other} {row[3]}" in one for one in facts(sites)["cards"])
    theirs = next(one for one in facts(sites)["colours"] if one.startswith(f"{other} "))
    assert f"{row[3]}:{had + 1}" not in theirs
    refused(sites, f"{other} has played {row[3]} {had} times", f"cards.0.2={other}")


def test_a_dragon_alone_covers(sites: Any) -> None:
    rows = [row.split(" ") for row in facts(sites)["cards"] if row.startswith("S1 ")]
    under = next(i for i, row in enumerate(rows) if len(row) == 4)
    at = next(i for i, row in enumerate(rows) if i > under and row[3] != "dragon")
    words = "at S1 a card that is no dragon would cover another"
    refused(sites, words, f"cards.{at}={' '.join(rows[at])} over={under + 1}")


def opened(place: Any, name: str, n: int) -> set[str]:
    """The slots that a report opens."""
    text = (place.game / f"desk/reports/{n:04d}/{name}.txt").read_text()
    return {line.split(" ")[1] for line in text.split("\n") if line.startswith("open ")}


def known(place: Any, seat: str) -> set[str]:
    """The hidden slots that a seat may know, as the chain calls them."""
    session = place.session()
    found = session.game.encode(session.position.state).hidden
    return {session.record.current_slot(s) for s, one in found.items() if seat in one.audience}


@pytest.mark.attack(
    "use a correction to show a player a false value", by="verify, with the report to that player", who="referee"
)
def test_what_a_correction_shows_is_opened(place: Any) -> None:
    before = known(place, "blue")
    place.done("amend", "GAME", "correct", "looked.blue=0,1,2,3,4,5", *WHY)
    n = place.session().record.n
    assert known(place, "blue") - before
    assert opened(place, "blue", n) == known(place, "blue")
    assert opened(place, "red", n) == known(place, "red")
    assert not opened(place, "spectators", n)
    file = place.game / f"desk/reports/{n:04d}/blue.txt"
    assert f"{len(known(place, 'blue'))} openings checked" in place.done("verify", "GAME", str(file))
    text = file.read_text()
    slot = min(known(place, "blue") - before)
    file.unlink()
    place.done("report", "GAME", "--player", "blue")
    assert f"\nopen {slot} " in text
    assert file.read_text() == text


def test_cards_drawn_by_a_correction_are_opened(sites: Any, tmp_path: Path) -> None:
    place = games.copied(sites, tmp_path / "copy")
    row = next(one for one in facts(place)["colours"] if one.startswith("red "))
    held = {k: int(v) for k, v in (w.split("=") for w in row.split(" ")[1:3])}
    before = known(place, "red")
    deck, hand = f"colours.red.deck={held['deck'] - 2}", f"colours.red.hand={held['hand'] + 2}"
    place.done("amend", "GAME", "correct", deck, hand, *WHY)
    now = known(place, "red")
    assert len(now - before) == 2
    assert opened(place, "red", place.session().record.n) == now
    assert not opened(place, "blue", place.session().record.n) & now
    place.done("verify", "GAME")


@pytest.mark.attack("use a correction to put more pieces on the table than the box has", by="audit", who="referee")
def test_an_audit_finds_what_is_not_out_of_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee with a tool of his own makes the ruling: his chain is genuine, and contradicted."""
    table = Table()
    for _ in range(3):
        table.play("wall")
    rows = table.position.record.position["regions"]
    changes = [correct.Correction(f"regions.{row.split(' ')[0]}", "4") for row in rows]
    wrong = [one for one, row in zip(changes, rows, strict=True) if not row.endswith(" 4")]
    with monkeypatch.context() as patch:
        patch.setattr(correct, "check_piles", lambda *_: None)
        basis = build_correction_basis(table.position, wrong, "a slip")
    table.save(build_ruling_state(table.position, basis, SECRET, table.key, TIME, {}).raw)
    found = table.audit()
    assert found.first_contradiction is not None
    assert found.first_contradiction.name == "rulings"
    assert "region AM1 has the counter drawn for it (0), or none" in found.first_contradiction.text


def test_a_game_without_misfit_may_be_corrected(place: Any) -> None:
    """It is the game's to say or not: a plug-in of an older time does not."""
    position = place.session().position

    class Plain:
        def __getattr__(self, name: str) -> Any:
            if name == "misfit":
                raise AttributeError(name)
            return getattr(position.game, name)

    plain = position._replace(game=Plain())
    check_piles(plain, position.state, ())
