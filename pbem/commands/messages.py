"""``pbem messages``: what players write to the referee besides orders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.clock import now
from pbem.commands.arguments import OptionalRoots
from pbem.disk.folder import MessageStatus
from pbem.disk.games import find_games
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus, message_files
from pbem.disk.whole import read_input
from pbem.errors import BadInput
from pbem.mail.compose import format_date_in_prose
from pbem.mail.parsed import MAIL_LIMIT, parse_email
from pbem.mail.text import decode
from pbem.result import Result
from pbem.services.lock import open_for_writing
from pbem.services.messages import (
    MIN_PREFIX_LENGTH,
    StoredMessage,
    find_message,
    list_messages,
    mark_as_read,
    send_answer,
)
from pbem.services.session.keys import open_home
from pbem.services.session.session import Session, open_session
from pbem.services.session.worklist import address_in_header

ANSWER_LIMIT = 64 << 10


def run(
    roots: OptionalRoots = None,
    include_read: Annotated[bool, typer.Option("--all", help="Show those too that you have read.")] = False,
    answered_name: Annotated[
        str, typer.Option("--answer", metavar="MESSAGE", help="Answer this message; ROOT is its game's folder.")
    ] = "",
    answer_file: Annotated[
        str, typer.Option("--text", metavar="FILE", help="Your answer; without it, standard input.")
    ] = "",
) -> Result:
    """Show what players wrote to you besides orders. What was shown counts as read.

    Also shown are emails without a code from players' addresses, which no game took. Answer
    those from your email program. `--answer` puts your answer into the game's outbox.
    """
    if answered_name and not include_read:
        return _answer_message(roots or [Path()], answered_name, answer_file or "-")
    if answered_name or answer_file:
        problem = "--text goes with --answer, and --all does not"
        raise BadInput("messages/options", problem, "leave one out")
    home = open_home()
    statuses = (MessageStatus.UNREAD, MessageStatus.READ) if include_read else (MessageStatus.UNREAD,)
    rows, lines, notes = list[dict[str, Any]](), list[str](), list[str]()
    for root in roots or [Path()]:
        folders, folder_notes = find_games(root)
        notes += folder_notes
        for folder in folders:
            messages = list_messages(folder, *statuses)
            for message in messages:
                player = f"{message.player} ({message.seat})"
                rows.append({"dir": str(folder.root), "seat": message.seat} | _message_document(message))
                lines += [f"{_short_name(message, messages)}: {folder.root}, {player}, {_date_text(message.time)}"]
                lines += _quoted_lines(message.lines)
            mark_as_read(folder, messages)
    for row, message_lines in _unassigned_messages(home, include_read):
        rows.append(row)
        lines += message_lines
    lines = [*(lines or ["no message waits" if not include_read else "there is no message"]), *notes]
    return Result({"messages": rows, "notes": notes}, "\n".join(lines))


def _message_document(message: StoredMessage) -> dict[str, Any]:
    return {"message": message.name, "from": message.sender, "time": message.time, "lines": list(message.lines)}


def _short_name(message: StoredMessage, messages: list[StoredMessage]) -> str:
    """As much of its name as tells it from the others."""
    size = len(message.seat) + 1 + MIN_PREFIX_LENGTH
    while size < len(message.name) and sum(other.name[:size] == message.name[:size] for other in messages) > 1:
        size += MIN_PREFIX_LENGTH
    return message.name[:size]


def _date_text(time: str) -> str:
    try:
        return format_date_in_prose(time)
    except BadInput:  # the file was altered
        return "nobody knows when"


def _quoted_lines(lines: tuple[str, ...]) -> list[str]:
    return [*(f"  | {line}" for line in lines), ""]


def _unassigned_messages(home: Home, include_read: bool) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Those of the accounts, each with its lines for the screen."""
    statuses = (EmailStatus.UNREAD, EmailStatus.READ) if include_read else (EmailStatus.UNREAD,)
    for path in sorted(message_files(home, *statuses)):
        data = read_input(str(path), MAIL_LIMIT)
        sender, account = address_in_header("from", data) or "nobody", path.parent.parent.name
        if path.parent.name == EmailStatus.UNREAD.value:
            journal = AccountJournal(home, account)
            journal.move_email(path.stem, EmailStatus.UNREAD, EmailStatus.READ)
            path = journal.email_path(EmailStatus.READ, path.stem)
        try:
            text_lines = tuple(line.text for line in parse_email(data).own_lines if line.text.strip())
        except BadInput as error:
            text_lines = (f"({error.message})",)
        row = {"dir": "", "seat": "", "message": str(path), "from": sender, "lines": list(text_lines)}
        screen_lines = [f"{sender}, without a code, to {account}; the email is {path}"]
        yield row | {"time": ""}, [*screen_lines, *_quoted_lines(text_lines)]


def _answer_message(roots: list[Path], name: str, answer_file: str) -> Result:
    folders, _ = find_games(roots[0])
    if len(folders) != 1 or len(roots) != 1:
        problem = "an answer goes to a message of one game"
        raise BadInput("messages/games", problem, "name its folder: pbem messages DIR --answer MESSAGE")
    answer_text = decode(read_input(answer_file, ANSWER_LIMIT))
    session = open_session(folders[0].root, now())
    with open_for_writing(session, allow_closed=True) as session:  # also when the game is over
        return _queue_answer(session, name, answer_text)


def _queue_answer(session: Session, name: str, answer_text: str) -> Result:
    message = find_message(session.folder, name)
    outbox_name = send_answer(session, message, answer_text)
    player_name, root = session.record.player(message.seat).label, session.folder.root
    text = f"The answer to {player_name} waits in {root / 'desk' / 'outbox'}. Only they will read it."
    data = {"dir": str(root), "seat": message.seat, "message": message.name, "email": outbox_name}
    return Result(data, text)
