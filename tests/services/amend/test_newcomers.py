"""Who takes a seat over: what he reads first, and what he is not bothered with.

Found by a review of 2026-11-21: he got a bare report, and receipts for mails of the one before.
"""

import re
from pathlib import Path
from typing import Any

from durability import games

ZOE = ("amend", "GAME", "player", "red", "--name", "Zoe", "--address", "zoe@else.org")
WHY = ("--reason", "Ann has left")


def told(place: Any, name: str) -> str:
    n = place.session().record.n
    text = (place.game / f"desk/reports/{n:04d}/{name}.txt").read_text("utf-8")
    return " ".join(text.split())


def test_he_is_welcomed_and_nobody_else(place: Any) -> None:
    place.done(*ZOE, *WHY)
    said = "WELCOME, ZOE You play red from now on, in place of Ann. "
    assert said in told(place, "red")
    assert "The code in brackets shows that an email is yours" in told(place, "red")
    assert "WELCOME" not in told(place, "blue") + told(place, "spectators")
    assert "HOW TO PLAY Chang Cheng, by Walter Obert, " in told(place, "red")
    assert "HOW TO PLAY" not in told(place, "blue")
    assert "HOUSE RULES OF THIS GAME" in told(place, "red")
    assert "HOUSE RULES OF THIS GAME" not in told(place, "blue")
    games.answer(place)
    assert "WELCOME" not in told(place, "red")


def test_another_address_is_no_other_person(place: Any) -> None:
    place.done("amend", "GAME", "player", "red", "--address", "ann@else.org", *WHY)
    assert "WELCOME" not in told(place, "red")


def receipts(place: Any) -> list[str]:
    return sorted(one.name for one in (place.game / "desk/receipts").glob("red-*"))


def test_a_mail_of_the_player_before_is_for_the_referee_alone(place: Any) -> None:
    old = from_ann(place.mail("red", "wall A1", "old.eml"))
    place.done(*ZOE, *WHY)
    before = receipts(place)
    for _ in range(2):
        said = place.run("receive", "GAME", old)
        assert said.code == 1
        assert "ignored: it answers an email to Ann, who played there before, and" in said.text
        assert "comes from red@example.org; pbem sends Zoe nothing" in said.text
        assert receipts(place) == before


def from_ann(mail: str) -> str:
    path = Path(mail)
    path.write_text(f"From: red <red@example.org>\n{path.read_text('utf-8')}", "utf-8")
    return mail


def test_his_own_mail_is_answered(place: Any) -> None:
    """Sent on to him, an old report can be answered by himself."""
    old = from_ann(place.mail("red", "wall A1", "old.eml"))
    place.done(*ZOE, *WHY)
    text = (place.path / "old.eml").read_text("utf-8").replace("red@example.org", "Zoe@else.org")
    (place.path / "old.eml").write_text(text, "utf-8")
    before = receipts(place)
    assert "answered" in place.run("receive", "GAME", old).text.lower()
    assert len(receipts(place)) == len(before) + 1


def test_what_a_newcomer_may_know_is_opened_to_him(place: Any) -> None:
    """Found by a review of corrections: he read his hand on the referee's word alone (P5)."""
    n = place.session().record.n + 1
    place.done("amend", "GAME", "player", "red", "--name", "Zoe", "--reason", "Ann has left")
    session = place.session()
    hidden = session.game.encode(session.position.state).hidden
    own = {slot for slot, one in hidden.items() if one.value_for("red") is not None}
    opened = {}
    for seat in ("red", "blue"):
        path = place.game / "desk" / "reports" / f"{n:04d}" / f"{seat}.txt"
        opened[seat] = set(re.findall(r"^open (\S+) ", path.read_text(), re.MULTILINE))
        place.done("verify", "GAME", str(path))
    assert opened == {"red": own, "blue": set()}
    assert own


def test_what_was_played_before_is_told_of_whoever_played_it(place: Any) -> None:
    """Found by a newcomer, 26 November 2026: `Zoe drew`, and she was not there yet."""
    games.answer(place)
    assert games.asked(place) == "red"
    games.answer(place)
    place.done(*ZOE, *WHY)
    said = told(place, "blue")
    happened = said.partition("SINCE YOUR LAST REPORT")[2].partition("THE BOARD")[0]
    assert "- Ann built" in happened
    assert "Zoe" not in happened
    assert "Zoe (red)" in said.partition("SCORES")[2]
