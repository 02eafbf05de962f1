"""Nothing that a player or a referee wrote becomes markup, in no email. Source: decision 0022."""

import os
from pathlib import Path

import pytest
from durability import games

from pbem.clock import now
from pbem.disk.home import Home
from pbem.report import render
from pbem.services.open.new_game import create_game
from report.html.played import face_of, plain, read

NAME = "&lt;b&gt;'"  #: a name may have neither `<` nor a double quote
BAD = "<b>x</b>&amp;\"'<img src=x>"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "div", "p", "h1", "h2", "b", "br", "a"),
    *("ul", "li", "table", "caption", "tr", "th", "td", "span", "pre", "code", "small", "s"),
}
BAR = '<span style="display:inline-block;border-left:4px solid;padding-left:6px">'


@pytest.fixture(scope="module", params=["chang-cheng", "great-wall"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> games.Place:
    """A game whose players and referee write markup in their names and words."""
    place = games.fresh(tmp_path_factory.mktemp("bad") / "<i>&")
    os.environ.update(place.env())
    names = {seat: f"{NAME}{n},p{n}@example.org" for n, seat in enumerate(("red", "blue"))}
    wanted = {**games.WANTED, "game": request.param, "players": names}
    create_game(place.game, wanted, Home(place.home), games.fixed_secrets(), now())
    seat = games.asked(place)
    path = place.path / "one.eml"
    subject = f"Subject: [pbem {place.session().code(seat)}]\nMessage-ID: <one@x.example>"
    path.write_text(f"{subject}\n\nwall {BAD} A1\nplay {BAD} S1\n\nHello {BAD}\n")
    place.run("receive", "GAME", str(path))
    place.done("amend", "GAME", "note", BAD)
    return place


def test_no_tag_that_is_not_ours(place: games.Place) -> None:
    found = [*map(face_of, (place.game / "desk" / "outbox").glob("*.eml"))]
    assert len(found) >= 3
    for face in found:
        assert read(face.html).tags <= TAGS, face.name
        assert "&amp;amp;lt;" not in face.html  # escaped once
        said = plain("".join(read(face.html).words))
        assert NAME in face.text
        assert NAME in said


def test_the_words_are_read_as_they_were_written(place: games.Place) -> None:
    """A ruling quotes the referee in full."""
    texts = [face_of(path) for path in (place.game / "desk" / "outbox").glob("0003-*.eml")]
    assert texts
    for face in texts:
        assert BAD in face.text
        assert BAD in "".join(read(face.html).words)


def test_what_the_referee_wrote_is_marked_beside_every_line(place: games.Place) -> None:
    """Found on a screen of 360 px: the marks stood in the middle of lines, and a note could pass
    for a sentence of pbem's.
    """
    place.done("amend", "GAME", "note", " ".join(["so many words"] * 12))
    newest = max((place.game / "desk" / "outbox").glob("0*.eml"))
    marked = face_of(newest).html.split("  | ")[1:]
    assert len(marked) > 2
    before = face_of(newest).html.split("  | ")[:-1]
    assert all(part.endswith(BAR) for part in before)


def test_also_in_an_email_that_is_its_text(tmp_path: Path) -> None:
    """Emails from before the deal and of a closed game had the marks in the middle of lines."""
    text = "Cancelled.\n[pbem A]\nautumn\n\nRuling of the referee: closed:\n  | too few <players>\n  | of us"
    values = {"text": text, "title": "t", "code": "A", "offered": [], "way": "", "link": {"begins": "", "ends": ""}}
    said = " ".join(render.render("mail.html", **values).split())
    assert f"closed: <br> {BAR} | too few &lt;players&gt;</span> <br> {BAR} | of us</span>" in said


def test_a_macro_of_a_text_is_text_in_html(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("{% macro say(v) %}<{{ v }}>{% endmacro %}")
    (tmp_path / "own.html").write_text("{% macro bold(v) %}<b>{{ v }}</b>{% endmacro %}")
    lines = [
        "{% import 'words.txt' as words %}{% from 'own.html' import bold %}",
        "{{ words.say(x) }} {{ words['say'](x) | upper }} {{ bold(words.say(x)) }}",
        "{% set kept = words.say(x) %}{{ kept }}",
    ]
    (tmp_path / "a.html").write_text("".join(lines))
    safe = "&lt;&amp;&gt;"
    found = render.render("a.html", str(tmp_path), x="&")
    assert found == f"{safe} {safe.upper()} <b>{safe}</b>{safe}"


def test_a_game_without_a_board_of_tables_shows_its_text(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice" / "words.txt").write_text("")
    (tmp_path / "dice" / "board.txt").write_text("THE DICE\n{{ board[0] }}\n")
    values = {
        "kind": "dice",
        "table": {},
        "board": ["<6> & <1>"],
        "heading_lines": ["t"],
        "standings": {"seats": [], "places": [], "outlook": []},
    }
    found = render.render("show.html", str(tmp_path), secret=[], names={}, **values)
    assert ">THE DICE\n&lt;6&gt; &amp; &lt;1&gt;\n</pre>" in found
