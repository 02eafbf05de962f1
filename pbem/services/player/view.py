"""The view file of a player's report, read: what he may know, and what he is asked.

What lives here: Seen, ``read_view``. What must never be here: a key; anything written.
Law: it is found in the file, in the report's mail, or quoted in a text; what ties it to its report
is checked as the referee's pbem wrote it.
Source: pbem/files/FORMAT.md.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import catalog
from pbem.crypto.encoding import unb64
from pbem.disk.whole import read_input
from pbem.errors import BadInput, naming
from pbem.files import toml_text
from pbem.files.characters import decode
from pbem.files.identity import canonical
from pbem.files.mail.letter import read_letter, unmarked
from pbem.files.toml_text import TableReader

if TYPE_CHECKING:
    from pbem.engine.game import Game

LIMIT = 1024 * 1024
AGAIN = "use the view file from the email of your report again"


class Seen(NamedTuple):
    """A view file, read."""

    game: "Game"
    view: Any
    seat: str
    head: str
    code: str
    done: tuple[str, ...]
    id: str  #: of the game
    rulings: str
    nr: int  #: the highest number of orders that the moderator had seen


def read_view(path: Path) -> Seen:
    """The View in a view file; BadInput ``view/…`` where it is none."""
    text = _view_text(read_input(str(path), LIMIT))
    if "[view]" not in text:
        raise BadInput(
            "view/none",
            f"{path} is neither a view file nor the email of a report",
            "use the file SEAT.view.toml that came with your report",
        )
    with naming(path, AGAIN):
        return _seen(toml_text.load(text, "view"))


def _view_text(data: bytes) -> str:
    """The view file in these bytes: itself, attached to a mail, or quoted in a text."""
    if data.removeprefix(b"\xef\xbb\xbf").startswith(b"pbem = "):
        return decode(data)
    try:
        letter = read_letter(unmarked(data))
    except BadInput:
        return ""
    attached = [one.data for one in letter.attachments if b"[view]" in one.data]
    if attached:
        return decode(attached[0])
    lines = [line.text.lstrip("> \t\xa0") for line in sorted((*letter.lines, *letter.below))]
    start = next((i for i, line in enumerate(lines) if line.startswith("pbem = 1")), len(lines))
    return "\n".join(lines[start:])


def _seen(document: dict[str, Any]) -> Seen:
    reader = TableReader(document, "")
    reader.number("pbem", 1, 1)
    kind, seat, code, head = (reader.text(key) for key in ("kind", "seat", "code", "head"))
    reader.number("n", 0, 999_999)
    name, rulings = reader.text("game"), reader.text("rulings")
    nr = reader.number("nr", 0, 10**6)
    seats = tuple(row.partition(" ")[0] for row in reader.rows("seats"))
    options = tuple(
        (name, value) for name, _, value in (row.partition("=") for row in reader.rows("options"))
    )
    done = tuple(reader.rows("done"))
    reader.table("view")
    reader.done()
    _check_names(name, code if seat != "spectators" else None, head)
    game = catalog.playing(kind, rulings, "use the pbem that your referee uses")
    config = game.configure(seats, dict(options), rulings)
    if seat not in (*seats, "spectators"):
        raise BadInput("view/seat", "its seat is not a seat of its game")
    view = game.decode_view(config, document["view"])
    return Seen(game, view, seat, head, code, done, name, rulings, nr)


def _check_names(game: str, code: str | None, head: str) -> None:
    """What ties the file to its report, as the referee's pbem wrote it; BadInput ``view/…``."""
    if not re.fullmatch("[a-z2-7]{26}", game):
        raise BadInput("view/game", "its `game` is not the id of a game", AGAIN)
    if code is not None and canonical(code) != code:
        raise BadInput("view/code", "its `code` is not a code such as K7Q2-9F3A", AGAIN)
    try:
        unb64(head, 32)
    except BadInput:
        raise BadInput("view/head", "its `head` is not the head of a state", AGAIN) from None
