"""Emails in a real browser: at a phone's width and a desk's, light and dark, read aloud, by keys.

Source: docs/decisions/0022-faces.md.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faces.browser import DESK, PHONE, axe, chromium, opened
from faces.played import Face, faces, link_of

GAMES = {
    "four": ("chang-cheng", 4, {}, 1),
    "neutral": ("chang-cheng", 2, {"variant": "neutral", "edition": "it", "events": "D"}, 3),
    "two-colour": (
        "chang-cheng",
        2,
        {"variant": "two-colour", "edition": "hu", "events": "A,B"},
        4,
    ),
    "great-wall": ("great-wall", 5, {}, 2),
}
ANSWERS = 30
HEIGHT = 24  #: CSS pixels of what is tapped, at least (WCAG 2.5.8)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", params=[*GAMES])
def some(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Face]:
    """Of the emails of a game: the largest, the first and the last report, and a receipt."""
    found = list(faces(tmp_path_factory.mktemp("seen") / "one", *GAMES[request.param], ANSWERS))
    reports = [face for face in found if face.view]
    receipts = [face for face in found if face.name.startswith("receipt")]
    return [max(reports, key=lambda face: len(face.html)), reports[0], reports[-1], receipts[0]]


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_axe_finds_nothing(
    browser: Any, some: list[Face], width: int, scheme: str
) -> None:
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
            assert all(link_of(href, "").body for href in reached)


def test_it_asks_for_nothing(browser: Any, some: list[Face]) -> None:
    """No picture, font or script: an email program shows it whole at once."""
    for face in some:
        asked: list[str] = []
        page = browser.new_page()
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.set_content(face.html)
        page.close()
        assert asked == [], face.name


def test_screenshots(browser: Any, some: list[Face], tmp_path: Path) -> None:
    """For whoever wants to look: they lie in the test's folder."""
    for number, face in enumerate(some):
        for width, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESK, "light")):
            with opened(browser, face.html, width, scheme) as page:
                page.screenshot(path=tmp_path / f"{number}-{width}-{scheme}.png", full_page=True)
