"""A real Chromium of a phone's width, which opens emails and taps their links.

Not allowed here: a test. Source: docs/decisions/0022-faces.md.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import parseaddr
from random import Random
from typing import Any

import pytest

from report.html.played import Face, Link, link_of

PROGRAMS = ("/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell", "chromium")
INSTALL = (
    "apt-get install -y --no-install-recommends chromium-headless-shell && "
    ".venv/bin/pip install playwright axe-playwright-python"
)
PHONE, DESK = 360, 1280
#: links that the player does not tap: those that answer nothing
OTHERS = re.compile(r"(?i)no$|when |withdraw|help|absent|$")
#: records a tapped link and opens nothing
WATCH = """document.addEventListener('click', event => {
    event.preventDefault(); window.tapped = event.target.closest('a').href })"""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser while the context lasts; without one the test is skipped."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    api = pytest.importorskip("playwright.sync_api", reason=f"needs playwright: {INSTALL}")
    pytest.importorskip("axe_playwright_python", reason=f"needs axe: {INSTALL}")
    if program is None:
        pytest.skip(f"needs Chromium: {INSTALL}")
    with api.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, html: str, width: int = PHONE, scheme: str = "light") -> Iterator[Any]:
    """A page with this email, pictures and scripts of its own off."""
    size = {"width": width, "height": 740}
    page = browser.new_page(viewport=size, color_scheme=scheme)
    page.set_content(html)
    yield page
    page.close()


def axe(page: Any) -> list[Any]:
    """The faults that axe reports."""
    from axe_playwright_python.sync_playwright import Axe

    return list(Axe().run(page).response["violations"])


class Finger:
    """A player who answers by tapping alone, in the newest email that has something to tap."""

    def __init__(self, browser: Any, seat: str, chance: Random) -> None:
        self.seat, self.written = seat, 0
        self._browser, self._chance = browser, chance

    def answers(self, faces: list[Face]) -> Iterator[bytes]:
        """The email that its program writes when it taps and presses Send."""
        for face in reversed(faces):
            link = self._tapped(face.html)
            if link is not None:
                self.written += 1
                yield self._sent(link, face.to)
                return

    def _tapped(self, html: str) -> Link | None:
        with opened(self._browser, html) as page:
            page.evaluate(WATCH)
            links = page.locator('a[href^="mailto:"]')
            written = [link_of(str(links.nth(n).get_attribute("href")), "").body for n in range(links.count())]
            # it never withdraws, or it might do so for ever
            answers = [n for n, body in enumerate(written) if not OTHERS.match(body)]
            if not answers:
                return None
            chosen = links.nth(self._chance.choice(answers))
            chosen.click()
            return link_of(str(page.evaluate("window.tapped")), str(chosen.inner_text()))

    def _sent(self, link: Link, name: str) -> bytes:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = name, link.to, link.subject
        message["Message-ID"] = f"<{self.written}.{parseaddr(name)[1]}>"
        message.set_content(f"{self.typed(link.body)}\n\n-- \nSent from my phone\n")
        return message.as_bytes()

    def typed(self, draft: str) -> str:
        """What it sends of a draft: all of it, as it is."""
        return draft


class Typist(Finger):
    """A player who taps, and adds the lines that the draft gives as an example."""

    def typed(self, draft: str) -> str:
        _, found, examples = draft.partition("for example: ")
        example = examples.partition("\r\n")[0].split(" or ")[0]
        return f"{draft}\r\n{example.replace('; ', chr(10))}" if found else draft
