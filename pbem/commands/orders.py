"""``pbem orders``: for players, from their own report's view file, offline."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pbem import catalog
from pbem.crypto.encoding import unb64
from pbem.disk import keyrings
from pbem.disk.reading import read_input
from pbem.errors import BadInput
from pbem.files import toml_text
from pbem.files.mail.charset import decode
from pbem.files.mail.letter import MAIL_LIMIT, read_letter, unmarked
from pbem.files.reply_code import canonical
from pbem.files.strict import Reader
from pbem.moderator.report.receipt import verdict_lines
from pbem.moderator.turn.hand import Hand
from pbem.moderator.turn.intake import Asked, take
from pbem.result import Result
from pbem.services.intake.message import Message, read_message, sheet_of
from pbem.services.session.naming import naming
from pbem.services.session.newest import the_home

if TYPE_CHECKING:
    from pbem.engine.game import Game

LIMIT = 1024 * 1024
AGAIN = "take the view file again from the mail of your report"
VIEW = Annotated[
    Path,
    typer.Argument(
        metavar="VIEW",
        help="The view file of your report (…view.toml), or its mail as you saved it.",
    ),
]


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


def run_list(view: VIEW) -> Result:
    """List what you may order now, one a line."""
    seen = read_view(view)
    lines = list(seen.game.legal(seen.view))
    if not lines:
        return Result(
            {"seat": seen.seat, "legal": []}, "There is nothing for you to decide now.", 1
        )
    return Result({"seat": seen.seat, "legal": lines}, "\n".join(lines))


def run_check(
    view: VIEW,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Your orders: text, mail or move file; - is standard input."
        ),
    ],
) -> Result:
    """Check your orders before you send them, by the very checks of the moderator."""
    seen = read_view(view)
    sent: Message = read_message(read_input(file, MAIL_LIMIT))
    notes = []
    if sent.codes and seen.code not in sent.codes:
        notes.append("it carries the code of another report: take the view file of that one")
    asked = Asked(seen.view, bool(seen.game.legal(seen.view)), seen.head)
    taken = take(seen.game, asked, Hand(done=seen.done), sheet_of(sent, seen.game))
    found = [one for one in taken.verdicts if one.what != "not read"]
    good = taken.accepted and bool(found or taken.asks) and not notes
    lines = verdict_lines(taken.verdicts, kept="good")
    lines += [f"note: {note}" for note in notes]
    lines.append(_verdict(good, bool(found or taken.asks), _way(seen, view, file)))
    data = {
        "seat": seen.seat,
        "good": good,
        "lines": [one._asdict() for one in taken.verdicts],
        "notes": notes,
    }
    return Result(data, "\n".join(lines), 0 if good else 1)


def _way(seen: Seen, view: Path, file: str) -> str:
    """How good orders go to the referee; whose key is here plays by signed ones."""
    if seen.seat != "spectators" and keyrings.path_of(the_home(), seen.id, seen.seat).exists():
        return f"now sign it: pbem orders sign {view} {file}, and send what that prints"
    return "send it as an answer to your report, with your password if you have one"


def _verdict(good: bool, any_order: bool, way: str) -> str:
    if good:
        return f"Good: {way}."
    return "Not good yet." if any_order else "There is no order in it."


def read_view(path: Path) -> Seen:
    """The View in a view file; BadInput ``view/…`` where it is none."""
    text = _view_text(read_input(str(path), LIMIT))
    if "[view]" not in text:
        raise BadInput(
            "view/none",
            f"{path} is no view file, nor the mail of a report",
            "it came with your report, as SEAT.view.toml",
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

    reader = Reader(document, "")
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
        raise BadInput("view/seat", "its seat is none of its game's seats")
    view = game.decode_view(config, document["view"])
    return Seen(game, view, seat, head, code, done, name, rulings, nr)


def _check_names(game: str, code: str | None, head: str) -> None:
    """What ties the file to its report, as the referee's pbem wrote it; BadInput ``view/…``."""
    if not re.fullmatch("[a-z2-7]{26}", game):
        raise BadInput("view/game", "its `game` is not the id of a game", AGAIN)
    if code is not None and canonical(code) != code:
        raise BadInput("view/code", "its `code` is no code such as K7Q2-9F3A", AGAIN)
    try:
        unb64(head, 32)
    except BadInput:
        raise BadInput("view/head", "its `head` is not the head of a state", AGAIN) from None
