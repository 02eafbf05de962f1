"""``pbem messages``: players' messages to the referee, and the referee's answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from typer import Option

from pbem.clock import now
from pbem.commands.arguments import OptionalRoots
from pbem.disk.folder import GameFolder, MessageStatus
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
NO_ADDRESS = "nobody"


def run(
    roots: OptionalRoots = None,
    include_read: Annotated[bool, Option("--all", help="Also show messages that you have read.")] = False,
    answered_name: Annotated[
        str, Option("--answer", metavar="MESSAGE", help="Answer this message of the game ROOT.")
    ] = "",
    answer_file: Annotated[str, Option("--text", metavar="FILE", help="Your answer. Default: standard input.")] = "",
) -> Result:
    """Show players' messages to you, and mark them as read. Orders are not shown.

    It also shows emails from players' addresses that belong to no game, because they have no code.
    Answer those from your email program. `--answer` puts your answer into the game's outbox.
    """
    if answered_name and not include_read:
        return _answer_message(roots or [Path()], answered_name, answer_file or "-")
    if answered_name or answer_file:
        problem = "--text needs --answer, and --all excludes it"
        raise BadInput("messages/options", problem, "leave one out")
    home = open_home()
    messages, notes = list[ShownMessage](), list[str]()
    for root in roots or [Path()]:
        folders, folder_notes = find_games(root)
        notes += folder_notes
        for folder in folders:
            messages += _show_game_messages(folder, include_read)
    messages += _show_unassigned_messages(home, include_read)
    lines = [line for message in messages for line in message.lines]
    lines = lines or ["there is no message" if include_read else "there is no new message"]
    return Result({"messages": [message.document for message in messages], "notes": notes}, "\n".join(lines + notes))


class ShownMessage(NamedTuple):
    """A message to show."""

    document: dict[str, Any]  #: for ``--json``
    lines: list[str]  #: for the screen


def _show_game_messages(folder: GameFolder, include_read: bool) -> list[ShownMessage]:
    """Return the messages of a game, and mark them as read."""
    statuses = (MessageStatus.UNREAD, MessageStatus.READ) if include_read else (MessageStatus.UNREAD,)
    messages = list_messages(folder, *statuses)
    shown_messages = list[ShownMessage]()
    for message in messages:
        document = {
            "dir": str(folder.root),
            "seat": message.seat,
            "message": message.name,
            "from": message.sender,
            "time": message.time,
            "lines": list(message.lines),
        }
        player = f"{message.player} ({message.seat})"
        heading = f"{_short_name(message, messages)}: {folder.root}, {player}, {_date_text(message.time)}"
        shown_messages.append(ShownMessage(document, [heading, *_quoted_lines(message.lines)]))
    mark_as_read(folder, messages)
    return shown_messages


def _short_name(message: StoredMessage, messages: list[StoredMessage]) -> str:
    """Return the shortest beginning of the message's name that no other message has."""
    size = len(message.seat) + 1 + MIN_PREFIX_LENGTH  # a name begins with `SEAT-`
    while size < len(message.name) and sum(other.name[:size] == message.name[:size] for other in messages) > 1:
        size += MIN_PREFIX_LENGTH
    return message.name[:size]


def _date_text(time: str) -> str:
    try:
        return format_date_in_prose(time)
    except BadInput:  # the file was changed
        return "at an unknown time"


def _quoted_lines(lines: tuple[str, ...]) -> list[str]:
    return [*(f"  | {line}" for line in lines), ""]


def _show_unassigned_messages(home: Home, include_read: bool) -> Iterator[ShownMessage]:
    """Yield the emails of mail accounts that belong to no game, and mark them as read."""
    statuses = (EmailStatus.UNREAD, EmailStatus.READ) if include_read else (EmailStatus.UNREAD,)
    for path in sorted(message_files(home, *statuses)):
        data = read_input(str(path), MAIL_LIMIT)
        sender = address_in_header("from", data) or NO_ADDRESS
        account = path.parent.parent.name
        if path.parent.name == EmailStatus.UNREAD.value:
            journal = AccountJournal(home, account)
            journal.move_email(path.stem, EmailStatus.UNREAD, EmailStatus.READ)
            path = journal.email_path(EmailStatus.READ, path.stem)
        try:
            text_lines = tuple(line.text for line in parse_email(data).own_lines if line.text.strip())
        except BadInput as error:
            text_lines = (f"({error.message})",)
        document = {"dir": "", "seat": "", "message": str(path), "from": sender, "lines": list(text_lines), "time": ""}
        heading = f"{sender}, without a code, to {account}; the email is {path}"
        yield ShownMessage(document, [heading, *_quoted_lines(text_lines)])


def _answer_message(roots: list[Path], name: str, answer_file: str) -> Result:
    """Put an answer into the outbox of a game. Raises BadInput ``messages/games`` unless it is a single game."""
    folders, _ = find_games(roots[0])
    if len(folders) != 1 or len(roots) != 1:
        problem = "an answer belongs to a message of a single game"
        raise BadInput("messages/games", problem, "name its folder: pbem messages DIR --answer MESSAGE")
    answer_text = decode(read_input(answer_file, ANSWER_LIMIT))
    session = open_session(folders[0].root, now())
    with open_for_writing(session, allow_closed=True) as session:  # even if the game is closed
        return _queue_answer(session, name, answer_text)


def _queue_answer(session: Session, name: str, answer_text: str) -> Result:
    message = find_message(session.folder, name)
    outbox_name = send_answer(session, message, answer_text)
    player_name, root = session.record.player(message.seat).label, session.folder.root
    text = f"The answer to {player_name} is in {root / 'desk' / 'outbox'}. Only they will read it."
    data = {"dir": str(root), "seat": message.seat, "message": message.name, "email": outbox_name}
    return Result(data, text)
