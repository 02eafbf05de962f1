"""A player's first email is short, and an invitation says what the game is, and how it is played.

Source: docs/decisions/0022-faces.md "The first email".
"""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from pbem.report.render import render
from report.html.played import faces

TWO = ("neutral", "two-colour")
GAMES = [
    *(("chang-cheng", players, {}) for players in (2, 3, 4)),
    *(("chang-cheng", 2, {"variant": variant}) for variant in TWO),
    ("chang-cheng", 2, {"variant": "neutral", "events": "A,B"}),
    ("chang-cheng", 2, {"variant": "two-colour", "events": "A,B"}),
    ("chang-cheng", 4, {"events": "A,B"}),
    *(("great-wall", players, {}) for players in (2, 3, 4, 5)),
]
SLOTS = {"slots": "mon thu 19:00", "zone": "Europe/Rome", "missed": "default"}
SPANS = {"turn": "3d", "bank": "4d", "grace": "12h", "remind": "1d", "missed": "default"}


@pytest.mark.parametrize("clock", [{}, SLOTS, SPANS], ids=["", "slots", "spans"])
@pytest.mark.parametrize(("kind", "players", "options"), GAMES)
def test_the_first_report_has_at_most_70_lines(
    kind: str, players: int, options: dict[str, str], clock: dict[str, str], tmp_path: Path
) -> None:
    """It had up to 88: one line for each colour that has what all have, empty headings; with
    deadlines 80, which were said twice.
    """
    found = list(faces(tmp_path / "one", kind, players, options | clock, 7, 0))
    assert len(found) == players
    for face in found:
        assert len(face.text.splitlines()) <= 70, face.name
        assert all(name in face.text for name in ("Ann", "Ben"))
        # found by a newcomer: the news named boards that never leave it, and the board did not
        assert len({*re.findall(r"Pieces of wall that join later: ([^.;]+)", face.text)}) == (kind == "chang-cheng")


def test_what_is_on_the_board_is_explained_where_it_is_seen_first(tmp_path: Path) -> None:
    """Found by a newcomer without the rules: `double`, `tower`, `reserve`, `AP1 +0`, bare numbers
    of markers.
    """
    markers = "Whoever wins a marker gets as many points as its number"
    for face in faces(tmp_path / "markers", "great-wall", 3, {}, 7, 0):
        assert markers in face.text
    pieces = re.compile(r"The double is one wall on two .*The tower reserves a free .*`reserve`")
    told: dict[str, list[bool]] = {}
    for face in faces(tmp_path / "pieces", "chang-cheng", 3, {}, 7, 14):
        assert not face.view or "\nProvince, points when full: squares\n" in face.text
        if "Choose an action: " in face.text:
            told.setdefault(face.to, []).append(bool(pieces.search(face.text)))
    assert len(told) == 3
    assert all(first and not any(later) for first, *later in told.values())


@pytest.mark.parametrize(("kind", "title"), [("chang-cheng", "CC"), ("great-wall", "GW")])
def test_an_invitation_says_in_ten_lines_what_is_played(kind: str, title: str) -> None:
    link: dict[str, Any] = dict.fromkeys(("code", "label", "player", "options", "seats", "notices"), "")
    told = link | {"kind": kind, "title": title, "seat": "red", "way": "reply", "names": {}}
    told |= {"drawn": "", "rulings_of": "", "round": 1, "head_words": "", "block": ""}
    text = render("invitation.txt", **told)
    _, asked, answers, begin, *_ = (part.strip() for part in text.split("\n\n"))
    assert (
        asked == "Write one of these lines at the top of your reply:"
    )  # found on a phone: it stood below the first screen
    assert answers == "- `yes` if you play.\n- `no` if you do not."
    lines = [line for said in begin.splitlines() for line in textwrap.wrap(said, 78)]
    assert 5 < len(lines) <= 10
    assert len(text.splitlines()) <= 60
    for word in ("most points win", "email", "receipt", "`help`"):
        assert word in begin
