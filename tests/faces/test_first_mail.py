"""A player's first email is short, and an invitation says what the game is, and how it is played.

Source: docs/decisions/0022-faces.md "The first email".
"""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from faces.played import faces
from pbem.render import render

TWO = ("neutral", "two-colour")
GAMES = [
    *(("chang-cheng", players, {}) for players in (2, 3, 4)),
    *(("chang-cheng", 2, {"variant": variant}) for variant in TWO),
    ("chang-cheng", 2, {"variant": "neutral", "events": "A,B"}),
    *(("great-wall", players, {}) for players in (2, 3, 4, 5)),
]


@pytest.mark.parametrize(("kind", "players", "options"), GAMES)
def test_the_first_report_has_at_most_70_lines(
    kind: str, players: int, options: dict[str, str], tmp_path: Path
) -> None:
    """It had up to 88: one line for each colour that has what all have, empty headings."""
    found = list(faces(tmp_path / "one", kind, players, options, 7, 0))
    assert len(found) == players
    for face in found:
        assert len(face.text.splitlines()) <= 70, face.name
        assert all(name in face.text for name in ("Ann", "Ben"))


@pytest.mark.parametrize(("kind", "title"), [("chang-cheng", "CC"), ("great-wall", "GW")])
def test_an_invitation_says_in_ten_lines_what_is_played(kind: str, title: str) -> None:
    link: dict[str, Any] = dict.fromkeys(
        ("code", "label", "player", "options", "seats", "notices"), ""
    )
    told = link | {"kind": kind, "title": title, "seat": "red", "way": "reply", "names": {}}
    told |= {"drawn": "", "rulings_of": "", "round": 1, "head_words": "", "block": ""}
    text = render("invitation.txt", **told)
    begin = text.split("\n\n")[1].strip()
    lines = [line for said in begin.splitlines() for line in textwrap.wrap(said, 78)]
    assert 5 < len(lines) <= 10
    assert len(text.splitlines()) <= 60
    for word in ("most points win", "email", "receipt", "`help`"):
        assert word in begin
