"""The text, the HTML and the view file of an email say the same.

Source: docs/decisions/0022-faces.md.
"""

import re
from collections.abc import Callable

import pytest

from report.html.played import GAMES, Face, asked_in, plain, read, view_in

#: lines of the text that the HTML words differently; the tests below compare their content
OTHERWISE = re.compile(
    r"province, its counter: its squares|region, its squares: its counter|you may write:"
    r"|answer (now|at any time)\b.*|\[pbem .*|the example repeats.*"
    r"|[a-z]+(, [a-z]+)*: (\d+ points?, )?\d+ (walls?|cards? in hand)\b.*"
)
#: words that only the HTML has: in tables, and about tapping
OWN = """
colour walls pieces cards squares counter regions and their threat counters what each everybody has
colours left it card on in markers won deck hand the tap you choose your email program opens with
written press send if turn takes more than one order next too is added answer at any time before
that
"""


@pytest.fixture(scope="module", params=[*GAMES])
def reports(request: pytest.FixtureRequest, faces_of: Callable[[str], list[Face]]) -> list[Face]:
    found = faces_of(request.param)
    assert all(face.html for face in found)
    return [face for face in found if face.view]


def test_every_legal_order_is_a_link(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        legal, over = game.legal(view), game.outcome(view) is not None
        assert {link.body for link in asked_in(face)} == {*legal}, face.name
        for link in read(face.html).links:
            assert link.to == "referee@example.org"
            assert f"[pbem {face.view['code']}]" in link.subject
        assert not (over and legal)
    assert any(asked_in(face) for face in reports)


def test_of_many_choices_the_board_comes_first(reports: list[Face]) -> None:
    """Found on a phone: the board came two or three screens below the question."""
    first = set()
    for face in filter(asked_in, reports):
        many = len({link.body for link in asked_in(face)}) > 12
        board = re.search("(?i)<h2[^>]*>the (board|sites)", face.html)
        assert board is not None
        first.add(many)
        assert (board.start() < face.html.index("For example:")) == many, face.name
    assert True in first


def test_the_text_lists_the_same_orders(reports: list[Face]) -> None:
    for face in reports:
        _, _, rest = face.text.partition("You may write:\n")
        listed = rest.partition("\n\n")[0].splitlines()
        shown = {line.split(":")[0] for line in listed}
        begins = {order for order in shown if order}
        orders = {link.body for link in asked_in(face)}
        assert all(any(order.startswith(one) for one in begins) for order in orders), face.name
        assert all(any(order.startswith(one) for order in orders) for one in begins), face.name


def test_what_the_text_says_the_html_says(reports: list[Face]) -> None:
    for face in reports:
        html = plain("".join(read(face.html).words))
        listed = face.text.partition("You may write:\n")[2].partition("\n\n")[0]
        for line in face.text.replace(listed, "").splitlines():
            said = plain(line).removeprefix("- ").removesuffix(" each")
            if OTHERWISE.fullmatch(said):
                continue
            for piece in re.split(r"[:;,()]+ *|\.$", said):
                assert piece in html, f"{face.name}: {line!r}"


def test_the_html_says_what_each_has_left(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        html, table = plain("".join(read(face.html).words)), game.describe(view)
        for one in table.get("colours", ()):
            points = f" ({one['points']} point{'s' * (one['points'] != 1)})" if table["pairs"] else ""
            assert f" {one['colour']}{points} {one['walls']} " in html, face.name
        for one in table.get("players", ()):
            called = ", called the last turn" if one["called"] else ""
            row = f" {one['seat']}{called} {one['hand']} {one['deck']} {one['won']} "
            assert row in html, face.name


def test_the_html_says_nothing_that_the_text_does_not(reports: list[Face]) -> None:
    """The HTML has no words that the text lacks, except about links and tables."""
    own = {*OWN.split()}
    for face in reports:
        words = re.findall(r"[a-z0-9_'-]+", plain("".join(read(face.html).words)))
        there = set(re.findall(r"[a-z0-9_'-]+", plain(face.text)))
        legal = {word.lower() for link in read(face.html).links for word in link.body.split()}
        assert {*words} - there - own <= legal, face.name


def test_it_needs_nothing_from_elsewhere(reports: list[Face]) -> None:
    for face in reports:
        assert not read(face.html).tags & {"script", "img", "link", "iframe", "form", "object"}
        assert "url(" not in face.html
        assert "http" not in face.html


def test_a_message_is_small(reports: list[Face]) -> None:
    assert max(len(face.raw) for face in reports) <= 60_000


def test_a_text_is_whole_and_first(reports: list[Face]) -> None:
    for face in reports:
        assert face.raw.index(b"Content-Type: text/plain") < face.raw.index(b"text/html")
