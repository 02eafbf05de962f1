"""Sending: what waits in the outboxes goes out.

What lives here: which message is due, one step of one message, what is told. What must never be
here: a server's words; what a message says.
Laws: what is about to be done is in the log before it is done; after a delivery the mark is the
next thing written; a message goes again with the same bytes and the same Message-ID; no game is
locked while a server is asked.
Source: docs/decisions/0014-the-post.md; FORMAT.md "Marks of a message"; RFC 1047.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem.chain.clock import format_instant
from pbem.disk import system
from pbem.disk.folder import GameFolder, MessageStatus
from pbem.disk.games import NO_GAMES_HINT, find_games
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal
from pbem.errors import BadInput, CannotRead, PbemError, Refused
from pbem.mail.compose import format_date_in_prose
from pbem.services.outbox import send_to_new_addresses
from pbem.services.session.folders import check_outbox
from pbem.transport.accounts import Account, find_account_for, load_accounts
from pbem.transport.backends import open_carrier
from pbem.transport.connection import Limits
from pbem.transport.log import (
    BACK,
    FAILED,
    LATER,
    RESENDING,
    SENDING,
    SENT,
    UNSURE,
    OutboxLog,
    OutgoingMessage,
    parse_message,
)
from pbem.transport.server_errors import as_pbem_error
from pbem.transport.smtp import DeliveryResult, DeliveryStatus

LAST_HOUR = "hour"  #: when messages of the last hour went, a line each
MAX_CUTS = 2  #: connections that may break in one run
_LOCK_SECONDS = 60.0  #: seconds for a game that is busy when an email of it went out
_CHECK_HINT = "see to that; if it went, and lies in desk/sending, move it to desk/sent first"
#: what the log says of an answer, and where the message goes
_OUTCOMES = {
    DeliveryStatus.TAKEN: (SENT, MessageStatus.SENT),
    DeliveryStatus.LATER: (LATER, MessageStatus.WAITING),
    DeliveryStatus.NEVER: (FAILED, MessageStatus.FAILED),
    DeliveryStatus.NOT_SENT: (BACK, MessageStatus.WAITING),
    DeliveryStatus.UNKNOWN: (UNSURE, MessageStatus.SENDING),
}


class MessageResult(NamedTuple):
    """What became of one message."""

    game_dir: str
    message: OutgoingMessage
    outcome: str  #: sent, later, failed, unsure, back, or of a dry run or a pause: due, held
    explanation: str


class SendResult(NamedTuple):
    """What became of one account."""

    account: str  #: "" of a message that no account can send
    results: list[MessageResult]
    error: PbemError | None = None


DueMessage = tuple[GameFolder, OutgoingMessage]
BlockedGames = dict[Path, PbemError]  #: games that are busy or cannot be read, and why


def list_outboxes(roots: Sequence[Path]) -> tuple[list[GameFolder], list[str]]:
    """Every game that is named or lies in a folder that is named, and a line for what cannot be
    read. It needs no key.
    """
    folders_by_path = dict[Path, GameFolder]()
    notes = list[str]()
    for root in roots:
        folders, unread = find_games(root)
        notes += unread
        folders_by_path |= {folder.root.resolve(): folder for folder in folders}
    if not folders_by_path:
        where = ", ".join(map(str, roots))
        raise BadInput("game/none", f"there is no game in {where}", NO_GAMES_HINT)
    return list(folders_by_path.values()), notes


def send_all(home: Home, folders: list[GameFolder], time: str, dry_run: bool) -> Iterator[SendResult]:
    """Send what is due in these games, account by account."""
    accounts_by_name = load_accounts(home)
    due_by_account = dict[str, list[DueMessage]]()
    for folder in folders:
        try:
            yield from _prepare(home, folder, time, dry_run)
            names = _names(folder)
        except PbemError as error:
            yield SendResult("", [], error)
            continue
        for status, name in names:
            try:
                message = _read_message(folder, status, name)
                account = find_account_for(accounts_by_name, message.sender).name if message else ""
            except PbemError as error:
                if not accounts_by_name:
                    raise
                text = f"{folder.root}: {name}: {error.message}"
                yield SendResult("", [], type(error)(error.code, text, error.hint))
                continue
            if message:
                due_by_account.setdefault(account, []).append((folder, message))
    for name, due_messages in due_by_account.items():
        if dry_run:
            results = [_plan(folder, message, time) for folder, message in due_messages]
            yield SendResult(name, results)
        else:
            yield _send_account(home, accounts_by_name[name], due_messages, time)


def _prepare(home: Home, folder: GameFolder, time: str, dry_run: bool) -> Iterator[SendResult]:
    """Refused where the folder may not act; its messages go to the addresses of now."""
    if _names(folder) or folder.list_messages(MessageStatus.FAILED):
        check_outbox(home, folder, time)
    if not dry_run:
        _remove_leftovers(folder)
        yield from _update_addresses(folder)


def _remove_leftovers(folder: GameFolder) -> None:
    """Removes what a command that was killed left lying, unless the game is busy."""
    desk = folder.root / "desk"
    if any(name.startswith(system.TEMP_PREFIX) for name in system.list_names(desk)):
        with suppress(Refused), folder.lock():
            system.remove_temps(desk)


def _update_addresses(folder: GameFolder) -> Iterator[SendResult]:
    """Messages go to the addresses of now, or what is wrong; those of a busy game go next time."""
    try:
        send_to_new_addresses(folder)
    except PbemError as error:
        if error.code != "game/busy":
            message = f"{folder.root}: {error.message}"
            yield SendResult("", [], type(error)(error.code, message, error.hint))


def list_waiting(folder: GameFolder) -> list[OutgoingMessage]:
    """Every message that waits or was interrupted."""
    messages = (_read_message(folder, status, name) for status, name in _names(folder))
    return [message for message in messages if message is not None]


def _names(folder: GameFolder) -> list[tuple[MessageStatus, str]]:
    statuses = (MessageStatus.SENDING, MessageStatus.WAITING)
    return [(status, name) for status in statuses for name in folder.list_messages(status)]


def _read_message(folder: GameFolder, status: MessageStatus, name: str) -> OutgoingMessage | None:
    data = folder.read_message(status, name)
    return None if data is None else parse_message(status, name, data)


def _plan(folder: GameFolder, message: OutgoingMessage, time: str) -> MessageResult:
    until = OutboxLog(folder).paused_until(message.message_id)
    is_held = until > time
    return MessageResult(str(folder.root), message, "held" if is_held else "due", until if is_held else "")


def _send_account(home: Home, account: Account, due_messages: list[DueMessage], time: str) -> SendResult:
    results = list[MessageResult]()
    journal = AccountJournal(home, account.name)
    try:
        with journal.hold():
            for result in _send_each(journal, account, due_messages, time):
                results.append(result)
    except Exception as error:
        return SendResult(account.name, results, as_pbem_error(error))
    return SendResult(account.name, results)


def _send_each(
    journal: AccountJournal, account: Account, due_messages: list[DueMessage], time: str
) -> Iterator[MessageResult]:
    journal.remove_leftovers()
    sent_times = _read_last_hour(journal, time)
    cuts = 0
    limits = Limits()
    blocked_games = BlockedGames()
    with ExitStack() as stack:
        carrier = None
        for folder, message in due_messages:
            if (held_result := _check_held(folder, message, time, blocked_games)) is not None:
                yield held_result
                continue
            if len(sent_times) >= account.per_hour or limits.is_spent:
                problem = f"{account.per_hour} emails went within an hour (per_hour)"
                problem = "the server is slow, and the next run goes on" if limits.is_spent else problem
                yield MessageResult(str(folder.root), message, "held", problem)
                continue
            if carrier is None:
                carrier = stack.enter_context(open_carrier(account, limits))
            _write_last_hour(journal, [*sent_times, time])  # before it goes: then its mark comes next
            sending = _begin(folder, message, time, blocked_games)
            if sending is None:
                continue
            answer = carrier.deliver(account.address, sending.recipient, sending.content)
            yield _note_outcome(folder, sending, answer, time)
            if answer.status is DeliveryStatus.TAKEN:
                sent_times.append(time)
            else:
                _write_last_hour(journal, sent_times)
            if answer.status in (DeliveryStatus.UNKNOWN, DeliveryStatus.NOT_SENT):
                stack.close()
                carrier = None
                cuts = cuts + 1
            if cuts == MAX_CUTS:
                raise Refused("post/cut", f"[{account.name}] {answer.message}", "run the command again")
    unread = next((error for error in blocked_games.values() if isinstance(error, CannotRead)), None)
    if unread is not None:
        raise unread


def _note_outcome(folder: GameFolder, message: OutgoingMessage, answer: DeliveryResult, time: str) -> MessageResult:
    """What became of a message, noted durably; Refused ``post/not-noted``: sending must stop."""
    try:
        return _finish(folder, message, answer, time)
    except PbemError as error:
        outcome = "went" if answer.status is DeliveryStatus.TAKEN else "may not have gone"
        problem = f"{message.name} {outcome} to {message.recipient}, but that cannot be noted: {error.message}"
        raise Refused("post/not-noted", problem, _CHECK_HINT) from error


def _write_last_hour(journal: AccountJournal, sent_times: list[str]) -> None:
    journal.write(LAST_HOUR, "".join(f"{time}\n" for time in sent_times).encode())


def _read_last_hour(journal: AccountJournal, time: str) -> list[str]:
    hour_ago = format_instant((datetime.fromisoformat(time) - timedelta(hours=1)).timestamp())
    rows = (journal.read(LAST_HOUR) or b"").decode("ascii", "replace").split()
    return [row for row in rows if hour_ago < row]


def _check_held(
    folder: GameFolder, message: OutgoingMessage, time: str, blocked_games: BlockedGames
) -> MessageResult | None:
    """A message that must not go now: what the log says of it is done first. A game that is
    busy is waited for once; neither it nor one that cannot be read stops another.
    """
    root = str(folder.root)
    try:
        if folder.root not in blocked_games:
            return _settle(folder, message, time)
    except PbemError as error:
        if error.code != "game/busy" and not isinstance(error, CannotRead):
            raise
        blocked_games[folder.root] = error
    return MessageResult(root, message, "held", blocked_games[folder.root].message)


def _settle(folder: GameFolder, message: OutgoingMessage, time: str) -> MessageResult | None:
    with folder.lock():
        log = OutboxLog(folder)
        if message.status is MessageStatus.SENDING:
            event = log.settle_interrupted(message, time)
            if event is not None:
                return MessageResult(str(folder.root), message, event, log.last_answer(message.message_id))
        until = log.paused_until(message.message_id)
    return (
        MessageResult(str(folder.root), message, "held", f"until {format_date_in_prose(until)}")
        if until > time
        else None
    )


def _begin(
    folder: GameFolder, message: OutgoingMessage, time: str, blocked_games: BlockedGames
) -> OutgoingMessage | None:
    """The intent, durable; None if the message is not there any more, or is another one now."""
    try:
        with folder.lock():
            if _read_message(folder, message.status, message.name) != message:
                return None
            is_retry = message.status is MessageStatus.SENDING
            sent_folder = folder.root / "desk" / MessageStatus.SENT.value
            system.make_folder(sent_folder, 0o700)  # while there is room
            OutboxLog(folder).add_row(time, RESENDING if is_retry else SENDING, message)
            name = (
                message.name
                if is_retry
                else folder.move_message(message.name, MessageStatus.WAITING, MessageStatus.SENDING)
            )
    except CannotRead as error:
        blocked_games[folder.root] = error
        return None
    return message._replace(status=MessageStatus.SENDING, name=name)


def _finish(folder: GameFolder, message: OutgoingMessage, answer: DeliveryResult, time: str) -> MessageResult:
    """Of one that went the mark is written first: whatever fails then, it does not go again."""
    event, status = _OUTCOMES[answer.status]
    with folder.lock(_LOCK_SECONDS):
        name = message.name
        if status is MessageStatus.SENT:
            name = folder.move_message(message.name, MessageStatus.SENDING, status)
        log = OutboxLog(folder)
        if event == LATER and log.is_exhausted(message.message_id):
            event = FAILED
            status = MessageStatus.FAILED
        log.add_row(time, event, message, answer.message)
        if status not in (MessageStatus.SENDING, MessageStatus.SENT):
            name = folder.move_message(message.name, MessageStatus.SENDING, status)
    return MessageResult(str(folder.root), message._replace(status=status, name=name), event, answer.message)
