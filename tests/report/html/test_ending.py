"""The end of a game in words: who won and by how much, where points came from, what was hidden.

Source: docs/decisions/0022-faces.md "The end".
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.engine.decision import Outcome
from pbem.report import game_rows
from pbem.report.render import render
from report.html.played import Face, plain, read


@pytest.fixture(scope="module", params=["four", "two-colour", "great-wall"])
def last(request: pytest.FixtureRequest, faces_of: Callable[[str], list[Face]]) -> list[Face]:
    found = faces_of(request.param)
    return [face for face in found if "\nTHE GAME IS OVER\n" in face.text]


def test_who_won_and_by_how_much(last: list[Face]) -> None:
    assert len(last) >= 2
    for face in last:
        points = [int(n) for n in re.findall(r"(?m)^\d\. [A-Z]\w+(?: \(\w+\))?: (-?\d+)(?:  [▁-█]+)?$", face.text)]
        assert points == sorted(points, reverse=True)
        ahead = points[0] - points[1]
        said = f"won, {ahead} point{'s' * (ahead != 1)} ahead of" if ahead else "won"
        assert said in face.text
        assert said in plain("".join(read(face.html).words))


def test_where_the_points_came_from(last: list[Face]) -> None:
    """Each source is the sum of its parts, and each player's points the sum of the sources."""
    for face in last:
        result = face.text.partition("THE RESULT\n")[2].partition("\n\n")[0]
        html = plain("".join(read(face.html).words))
        for player in re.split(r"(?m)^(?=\d\. )", result)[1:]:
            first, *sources = player.splitlines()
            total = 0
            for source in sources:
                what, _, parts = source.partition(":")
                total += int(what.split()[-1])
                assert plain(source) in html
                if re.search(r" -?\d", parts) and "double" not in what:
                    bare = re.sub(r"\(.*?\)", "", parts)
                    assert sum(int(one.split()[-1]) for one in bare.split(",")) == int(what.split()[-1])
            assert total == int(first.rpartition(": ")[2].split()[0])


def test_what_lies_open_and_how_to_check_it(last: list[Face]) -> None:
    for face in last:
        for text in (plain(face.text), plain("".join(read(face.html).words))):
            assert "what was hidden" in text
            assert "now lie open" in text
            assert "`pbem audit`" in text
            assert "thank you for playing" in text


@pytest.mark.parametrize(
    ("points", "winners", "said"),
    [
        ((9, 4, 4), 1, "Ann (red, 9 points) won, 5 points ahead of Ben and Cleo."),
        ((9, 8, 4), 1, "Ann (red, 9 points) won, 1 point ahead of Ben."),
        ((9, 9, 4), 1, "Ann (red, 9 points) won, level on points with Ben."),
        ((9, 9, 4), 2, "Ann (red, 9 points) and Ben (green, 9 points) won, 5 points ahead of Cleo."),
        ((1, 1, 1), 3, "Ann (red, 1 point), Ben (green, 1 point) and Cleo (blue, 1 point) won."),
        ((2, 9, 9), 1, "Ann (red, 2 points) won."),  # a game in which few points win
    ],
)
def test_a_margin_in_words(points: tuple[int, ...], winners: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "won.txt").write_text(
        '{% import "ending.txt" as ending with context %}{{ ending.won(winners, places) }}'
    )
    names = {"red": "Ann", "green": "Ben", "blue": "Cleo"}
    players = [
        {"player": name, "seat": seat, "points": n} for (seat, name), n in zip(names.items(), points, strict=True)
    ]
    outcome = Outcome(tuple(zip(names, points, strict=True)), tuple(names)[:winners], "CC-43")
    places = game_rows.place_rows(outcome, {})
    text = render("won.txt", str(tmp_path), winners=players[:winners], places=game_rows.to_plain(places), names=names)
    assert text == said
