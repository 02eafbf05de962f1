"""``pbem letters``: what players write to the referee besides orders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.clock import now
from pbem.commands.arguments import RootsOrHere
from pbem.disk.folder import Mark
from pbem.disk.games import find_games
from pbem.disk.home import Home
from pbem.disk.journal import Journal, Kept, letter_files
from pbem.disk.whole import read_input
from pbem.errors import BadInput
from pbem.mail.compose import date_in_prose
from pbem.mail.parsed import MAIL_LIMIT, read_letter
from pbem.mail.text import decode
from pbem.result import Result
from pbem.services.lock import writing
from pbem.services.messages import LEAST, KeptLetter, answer, letter_called, letters_of, were_read
from pbem.services.session.keys import the_home
from pbem.services.session.session import Session, open_session
from pbem.services.session.worklist import address_after

ANSWER_LIMIT = 64 << 10


def run(
    roots: RootsOrHere = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show those too that you have read.")
    ] = False,
    answered: Annotated[
        str,
        typer.Option(
            "--answer", metavar="LETTER", help="Answer this letter; ROOT is its game's folder."
        ),
    ] = "",
    text: Annotated[
        str,
        typer.Option("--text", metavar="FILE", help="Your answer; without it, standard input."),
    ] = "",
) -> Result:
    """Show what players wrote to you besides orders. What was shown counts as read.

    Also shown are emails without a code from players' addresses, which no game took. Answer
    those from your email program. `--answer` puts your answer into the game's outbox.
    """
    if answered and not every:
        return _answered(roots or [Path()], answered, text or "-")
    if answered or text:
        why = "--text goes with --answer, and --all does not"
        raise BadInput("letters/options", why, "leave one out")
    home = the_home()
    marks = (Mark.LETTER, Mark.READ) if every else (Mark.LETTER,)
    rows, lines, notes = list[dict[str, Any]](), list[str](), list[str]()
    for root in roots or [Path()]:
        folders, said = find_games(root)
        notes += said
        for folder in folders:
            found = letters_of(folder, *marks)
            for one in found:
                who = f"{one.player} ({one.seat})"
                rows.append({"dir": str(folder.root), "seat": one.seat} | _facts(one))
                lines += [f"{_called(one, found)}: {folder.root}, {who}, {_when(one.time)}"]
                lines += _quoted(one.lines)
            were_read(folder, found)
    for row, shown in _of_no_game(home, every):
        rows.append(row)
        lines += shown
    lines = [*(lines or ["no letter waits" if not every else "there is no letter"]), *notes]
    return Result({"letters": rows, "notes": notes}, "\n".join(lines))


def _facts(one: KeptLetter) -> dict[str, Any]:
    return {"letter": one.name, "from": one.sender, "time": one.time, "lines": list(one.lines)}


def _called(one: KeptLetter, among: list[KeptLetter]) -> str:
    """As much of its name as tells it from the others."""
    size = len(one.seat) + 1 + LEAST
    while size < len(one.name) and sum(x.name[:size] == one.name[:size] for x in among) > 1:
        size += LEAST
    return one.name[:size]


def _when(time: str) -> str:
    try:
        return date_in_prose(time)
    except BadInput:  # the file was altered
        return "nobody knows when"


def _quoted(lines: tuple[str, ...]) -> list[str]:
    return [*(f"  | {line}" for line in lines), ""]


def _of_no_game(home: Home, every: bool) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Those of the accounts, each with its lines for the screen."""
    marks = (Kept.LETTER, Kept.READ) if every else (Kept.LETTER,)
    for path in sorted(letter_files(home, *marks)):
        data = read_input(str(path), MAIL_LIMIT)
        who, account = address_after("from", data) or "nobody", path.parent.parent.name
        if path.parent.name == Kept.LETTER.value:
            journal = Journal(home, account)
            journal.move(path.stem, Kept.LETTER, Kept.READ)
            path = journal.path(Kept.READ, path.stem)
        try:
            said = tuple(line.text for line in read_letter(data).lines if line.text.strip())
        except BadInput as error:
            said = (f"({error.message})",)
        row = {"dir": "", "seat": "", "letter": str(path), "from": who, "lines": list(said)}
        shown = [f"{who}, without a code, to {account}; the email is {path}"]
        yield row | {"time": ""}, [*shown, *_quoted(said)]


def _answered(roots: list[Path], name: str, text: str) -> Result:
    folders, _ = find_games(roots[0])
    if len(folders) != 1 or len(roots) != 1:
        why = "an answer goes to a letter of one game"
        raise BadInput("letters/games", why, "name its folder: pbem letters DIR --answer LETTER")
    words = decode(read_input(text, ANSWER_LIMIT))
    session = open_session(folders[0].root, now())
    with writing(session, closed=True) as session:  # also when the game is over
        return _put(session, name, words)


def _put(session: Session, name: str, words: str) -> Result:
    letter = letter_called(session.folder, name)
    sent = answer(session, letter, words)
    who, root = session.link.player(letter.seat).shown, session.folder.root
    said = f"The answer to {who} waits in {root / 'desk' / 'outbox'}. Only they will read it."
    data = {"dir": str(root), "seat": letter.seat, "letter": letter.name, "message": sent}
    return Result(data, said)
