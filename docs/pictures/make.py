"""Makes the pictures of docs/PLAYING.md anew: `PYTHONPATH=tests .venv/bin/python` and its name.

What lives here: which emails of which games are shown, and what of them. It needs Chromium and
playwright, as tests/report/html/browser.py says. Not allowed here: anything that draws by itself.
"""

import re
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
#: the headings of a board
BOARD = re.compile(r"the wall|s\d")


def main() -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as place:
        for name, game in GAMES.items():
            found = list(faces(Path(place) / name, *game, ANSWERS))
            last = [
                face
                for face in found
                if face.view and "your turn" in face.subject.lower() and "complete" not in face.subject
            ][-1]
            _board(browser, last, HERE / f"{name}.png")
            if name == "chang-cheng":
                _phone(browser, last, HERE / "phone.png")


def _board(browser: Any, face: Face, path: Path) -> None:
    with opened(browser, face.html, DESK) as page:
        heads = [(head.inner_text().lower(), head.bounding_box()) for head in page.locator("h2").all()]
        board = [number for number, (text, _) in enumerate(heads) if BOARD.match(text)]
        begin, end = heads[board[0]][1], heads[board[-1] + 1][1]["y"]
        clip = {"x": begin["x"] - 16, "y": begin["y"] - 8, "width": 600}
        clip["height"] = end - begin["y"] - 12
        page.screenshot(path=path, full_page=True, clip=clip)


def _phone(browser: Any, face: Face, path: Path) -> None:
    with opened(browser, face.html, PHONE, "dark") as page:
        page.screenshot(path=path)


if __name__ == "__main__":
    main()
