"""Emails in a real browser: at a phone's width and a desk's, light and dark, read aloud, by keys.

Source: docs/decisions/0022-faces.md.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from durability.games import fresh
from sizes import chance, drawn, size

from report.html.browser import DESK, PHONE, axe, chromium, opened
from report.html.played import GAMES, Face, face_of, link_of

SHOTS = Path(__file__).parents[3] / "build" / "faces"
HEIGHT = 24  #: the least height of a link in CSS pixels (WCAG 2.5.8)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", params=drawn("games in a browser", [*GAMES]))
def all_of(request: pytest.FixtureRequest, faces_of: Callable[[str], list[Face]]) -> list[Face]:
    """Of the emails of a game: the largest, the first and the last report, and a receipt."""
    found = faces_of(request.param)
    reports = [face for face in found if face.view]
    receipts = [face for face in found if face.name.startswith("receipt")]
    return [max(reports, key=lambda face: len(face.html)), reports[0], reports[-1], receipts[0]]


@pytest.fixture
def some(all_of: list[Face]) -> list[Face]:
    """The largest, and of the others as many as this run looks at, drawn for each test."""
    largest, *others = all_of
    number = size("emails in a browser") - 1
    at = chance("emails in a browser")
    return [largest, *((others * 2)[at % len(others) :][:number])]


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_axe_finds_nothing(browser: Any, some: list[Face], width: int, scheme: str) -> None:
    for face in some:
        with opened(browser, face.html, width, scheme) as page:
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, face.name
            wrong = {rule["id"]: rule["nodes"][0]["html"] for rule in axe(page)}
            assert not wrong, face.name


def test_every_link_is_large_enough_and_reached_by_keys(browser: Any, some: list[Face]) -> None:
    for face in some:
        with opened(browser, face.html) as page:
            links = page.locator("a").all()
            for link in links:
                assert link.bounding_box()["height"] >= HEIGHT, face.name
            reached = []
            for _ in links:
                page.keyboard.press("Tab")
                reached.append(page.evaluate("document.activeElement.href"))
            assert reached == [link.get_attribute("href") for link in links], face.name
            assert all(link_of(href, "").to for href in reached)


@pytest.mark.parametrize("kind", ["chang-cheng", "great-wall"])
def test_an_invitation_fits_two_screens(browser: Any, kind: str, tmp_path: Path) -> None:
    """Found by a player with a phone: it had four, its choices twice, and the signed block."""
    place = fresh(tmp_path / "place")
    people = [f"--player={seat}={name},{name}@example.org" for seat, name in (("red", "Ann"), ("blue", "Bob"))]
    place.done("new", "GAME", "--game", kind, *people, "--option", "turn=3d", "--referee=Rita,rita@example.org")
    html = face_of(place.game / "desk/outbox/0000-red.eml").html
    assert "pbem 1 " not in html
    assert html.count("if you play") == 0
    with opened(browser, html) as page:
        assert page.evaluate("document.documentElement.scrollHeight") <= 1600
        assert page.locator("a").all_inner_texts() == ["yes", "no"]
        assert axe(page) == []


def test_it_asks_for_nothing(browser: Any, some: list[Face]) -> None:
    """No picture, font or script: an email program shows it whole at once."""
    for face in some:
        asked: list[str] = []
        page = browser.new_page()
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.set_content(face.html)
        page.close()
        assert asked == [], face.name


def test_screenshots(browser: Any, all_of: list[Face], request: pytest.FixtureRequest) -> None:
    """For people to look at: build/faces has them."""
    game = request.node.callspec.id
    for number, face in enumerate(all_of[: size("screenshots of a game")]):
        for width, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESK, "light")):
            with opened(browser, face.html, width, scheme) as page:
                file = SHOTS / f"{game}-{number}-{width}-{scheme}.png"
                assert len(page.screenshot(path=file, full_page=True)) > 10_000
