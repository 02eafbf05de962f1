"""Makes the pictures of docs/PLAYING.md anew: `PYTHONPATH=tests .venv/bin/python` and its name.

What lives here: which emails of which games are shown, and what of them. It needs Chromium and
playwright, as tests/report/html/browser.py says. Not allowed here: anything that draws by itself.
"""

import tempfile
from pathlib import Path
from typing import Any

from report.html.browser import DESK, PHONE, chromium, opened
from report.html.played import Face, faces

HERE = Path(__file__).parent
ANSWERS = 26
GAMES = {
    "chang-cheng": ("chang-cheng", 4, {}, 1),
    "chang-cheng-neutral": ("chang-cheng", 2, {"variant": "neutral"}, 3),
    "chang-cheng-two-colour": ("chang-cheng", 2, {"variant": "two-colour"}, 4),
    "great-wall": ("great-wall", 4, {}, 2),
}
#: where the board begins, and what comes behind it
BEGIN, END = ("the board", "the sites"), ("hidden, but", "your cards", "scores")


def main() -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as place:
        for name, game in GAMES.items():
            found = list(faces(Path(place) / name, *game, ANSWERS))
            last = [face for face in found if face.view and "your turn" in face.subject][-1]
            _board(browser, last, HERE / f"{name}.png")
            if name == "chang-cheng":
                _phone(browser, last, HERE / "phone.png")


def _board(browser: Any, face: Face, path: Path) -> None:
    with opened(browser, face.html, DESK) as page:
        tops = {head.inner_text().lower(): head.bounding_box() for head in page.locator("h2").all()}
        (begin,) = (box for text, box in tops.items() if text.startswith(BEGIN))
        end = min(box["y"] for text, box in tops.items() if text.startswith(END))
        clip = {"x": begin["x"] - 8, "y": begin["y"], "width": begin["width"] + 16}
        clip["height"] = end - begin["y"] - 12
        page.screenshot(path=path, full_page=True, clip=clip)


def _phone(browser: Any, face: Face, path: Path) -> None:
    with opened(browser, face.html, PHONE, "dark") as page:
        page.screenshot(path=path)


if __name__ == "__main__":
    main()
