"""Send the emails that wait in outboxes, or file those that the referee sent by hand.

Not allowed here: the protocol of a server; what an email says.
Laws: each step is in the log before it is done; after a delivery, the email moves to its new folder
before anything else is written; an email is always sent with the same bytes and the same
Message-ID; no game is locked while pbem waits for a server.
Source: docs/decisions/0014-the-post.md; FORMAT.md "Marks of a message"; docs/EMAIL.md "By hand"; RFC
1047; RFC 4155 (mbox).
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem.chain.clock import format_instant
from pbem.disk import system, whole
from pbem.disk.folder import PASSWORD_PREFIX, GameFolder, MessageStatus
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
    BY_HAND,
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

LAST_HOUR = "hour"  #: journal file: when the emails of the last hour went out, one time per line
MAX_CUTS = 2  #: after this many broken connections, a run ends
_LOCK_SECONDS = 60.0  #: how long to wait for a busy game once its email has gone out
_CHECK_HINT = "see to that; if it went, and lies in desk/sending, move it to desk/sent first"


class _Outcome(NamedTuple):
    """What pbem notes about a delivery."""

    event: str  #: for the log
    status: MessageStatus  #: the folder that the email moves to


_OUTCOMES = {
    DeliveryStatus.TAKEN: _Outcome(SENT, MessageStatus.SENT),
    DeliveryStatus.LATER: _Outcome(LATER, MessageStatus.WAITING),
    DeliveryStatus.NEVER: _Outcome(FAILED, MessageStatus.FAILED),
    DeliveryStatus.NOT_SENT: _Outcome(BACK, MessageStatus.WAITING),
    DeliveryStatus.UNKNOWN: _Outcome(UNSURE, MessageStatus.SENDING),
}


class MessageResult(NamedTuple):
    """What a run did with one email."""

    game_dir: str
    message: OutgoingMessage
    outcome: str  #: sent, later, failed, unsure, back, held (not tried), or due (dry run)
    explanation: str


class SendResult(NamedTuple):
    """What a run did for one account."""

    account: str  #: "" for an email that no account can send
    results: list[MessageResult]
    error: PbemError | None = None


class QueuedMessage(NamedTuple):
    """An email in the outbox of a game."""

    folder: GameFolder
    message: OutgoingMessage

    def result(self, outcome: str, explanation: str) -> MessageResult:
        return MessageResult(str(self.folder.root), self.message, outcome, explanation)


def list_outboxes(roots: Sequence[Path]) -> tuple[list[GameFolder], list[str]]:
    """Return the games in these folders, and a note on each folder that cannot be read. It needs no key."""
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
    """Send what is due in these games. Yield a result for each account, and for each other error."""
    accounts_by_name = load_accounts(home)
    queue_by_account = dict[str, list[QueuedMessage]]()
    for folder in folders:
        try:
            yield from _prepare_outbox(home, folder, time, dry_run)
            names = _list_unsent(folder)
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
                yield _failure(f"{folder.root}: {name}", error)
                continue
            if message:
                queue_by_account.setdefault(account, []).append(QueuedMessage(folder, message))
    for account, queue in queue_by_account.items():
        if dry_run:
            yield SendResult(account, [_preview(queued, time) for queued in queue])
        else:
            yield _SendingRun(home, accounts_by_name[account], time).send_queue(queue)


def _failure(subject: str, error: PbemError) -> SendResult:
    return SendResult("", [], type(error)(error.code, f"{subject}: {error.message}", error.hint))


def _prepare_outbox(home: Home, folder: GameFolder, time: str, dry_run: bool) -> Iterator[SendResult]:
    """Address the emails of a game to the players' present addresses. Yield what went wrong.

    Refused if the folder may not send. The next run tries a busy game again.
    """
    if _list_unsent(folder) or folder.list_messages(MessageStatus.FAILED):
        check_outbox(home, folder, time)
    if dry_run:
        return
    _remove_leftovers(folder)
    try:
        send_to_new_addresses(folder)
    except PbemError as error:
        if error.code != "game/busy":
            yield _failure(str(folder.root), error)


def _remove_leftovers(folder: GameFolder) -> None:
    """Remove the temporary files of an interrupted command, unless the game is busy."""
    desk = folder.root / "desk"
    if any(name.startswith(system.TEMP_PREFIX) for name in system.list_names(desk)):
        with suppress(Refused), folder.lock():
            system.remove_temps(desk)


def list_waiting(folder: GameFolder) -> list[OutgoingMessage]:
    """Return every email that waits, or whose sending was interrupted."""
    messages = (_read_message(folder, status, name) for status, name in _list_unsent(folder))
    return [message for message in messages if message is not None]


def _list_unsent(folder: GameFolder) -> list[tuple[MessageStatus, str]]:
    statuses = (MessageStatus.SENDING, MessageStatus.WAITING)
    return [(status, name) for status in statuses for name in folder.list_messages(status)]


def _read_message(folder: GameFolder, status: MessageStatus, name: str) -> OutgoingMessage | None:
    data = folder.read_message(status, name)
    return None if data is None else parse_message(status, name, data)


def _preview(queued: QueuedMessage, time: str) -> MessageResult:
    paused_until = OutboxLog(queued.folder).paused_until(queued.message.message_id)
    return queued.result("held", paused_until) if paused_until > time else queued.result("due", "")


class _SendingRun:
    """One run of sending for one account."""

    def __init__(self, home: Home, account: Account, time: str) -> None:
        self._account = account
        self._time = time
        self._journal = AccountJournal(home, account.name)
        self._limits = Limits()
        self._sent_times: list[str] = []  #: of the last hour
        self._blocked_games: dict[Path, PbemError] = {}  #: games that are busy or cannot be read

    def send_queue(self, queue: list[QueuedMessage]) -> SendResult:
        """Send what can be sent now. An error ends the run, and is returned with the results so far."""
        results = list[MessageResult]()
        try:
            with self._journal.hold():
                for result in self._send_each(queue):
                    results.append(result)
        except Exception as error:  # noqa: BLE001 - an account does not stop the others
            return SendResult(self._account.name, results, as_pbem_error(error))
        return SendResult(self._account.name, results)

    def _send_each(self, queue: list[QueuedMessage]) -> Iterator[MessageResult]:
        """Send each email that can go; yield every result. Connect again after a cut, up to MAX_CUTS times."""
        self._journal.remove_leftovers()
        self._sent_times = self._read_last_hour()
        cuts = 0
        with ExitStack() as stack:
            carrier = None
            for queued in queue:
                held_result = self._result_if_not_now(queued) or self._result_if_limited(queued)
                if held_result is not None:
                    yield held_result
                    continue
                if carrier is None:
                    carrier = stack.enter_context(open_carrier(self._account, self._limits))
                self._write_last_hour([*self._sent_times, self._time])  # counts even if pbem is killed
                sending = self._begin(queued)
                if sending is None:
                    continue
                answer = carrier.deliver(self._account.address, sending.message.recipient, sending.message.content)
                yield self._note_outcome(sending, answer)
                if answer.status is DeliveryStatus.TAKEN:
                    self._sent_times.append(self._time)
                else:
                    self._write_last_hour(self._sent_times)
                if answer.status in (DeliveryStatus.UNKNOWN, DeliveryStatus.NOT_SENT):
                    stack.close()
                    carrier = None
                    cuts += 1
                if cuts == MAX_CUTS:
                    raise Refused("post/cut", f"[{self._account.name}] {answer.message}", "run the command again")
        for error in self._blocked_games.values():
            if isinstance(error, CannotRead):
                raise error

    def _read_last_hour(self) -> list[str]:
        hour_ago = format_instant((datetime.fromisoformat(self._time) - timedelta(hours=1)).timestamp())
        rows = (self._journal.read(LAST_HOUR) or b"").decode("ascii", "replace").split()
        return [row for row in rows if hour_ago < row]

    def _write_last_hour(self, sent_times: list[str]) -> None:
        self._journal.write(LAST_HOUR, "".join(f"{time}\n" for time in sent_times).encode())

    def _result_if_limited(self, queued: QueuedMessage) -> MessageResult | None:
        """Return the result of an email that a limit holds back until the next run; None if it can go now."""
        if self._limits.is_spent:
            return queued.result("held", "the server is slow, and the next run goes on")
        if len(self._sent_times) >= self._account.per_hour:
            return queued.result("held", f"{self._account.per_hour} emails went within an hour (per_hour)")
        return None

    def _result_if_not_now(self, queued: QueuedMessage) -> MessageResult | None:
        """Return the result of an email that is not sent in this run; None if it can go now.

        Once a game is found busy or unreadable, this run skips its emails, so that it does not
        hold up the other games.
        """
        root = queued.folder.root
        blocked_by = self._blocked_games.get(root)
        if blocked_by is None:
            try:
                return self._finish_earlier_try(queued)
            except PbemError as error:
                if error.code != "game/busy" and not isinstance(error, CannotRead):
                    raise
                self._blocked_games[root] = blocked_by = error
        return queued.result("held", blocked_by.message)

    def _finish_earlier_try(self, queued: QueuedMessage) -> MessageResult | None:
        """Finish what an interrupted run began with an email. Return its result; None if it can go now."""
        message_id = queued.message.message_id
        with queued.folder.lock():
            log = OutboxLog(queued.folder)
            if queued.message.status is MessageStatus.SENDING:
                event = log.finish_interrupted(queued.message, self._time)
                if event is not None:
                    return queued.result(event, log.last_answer(message_id))
            paused_until = log.paused_until(message_id)
        if paused_until > self._time:
            return queued.result("held", f"until {format_date_in_prose(paused_until)}")
        return None

    def _begin(self, queued: QueuedMessage) -> QueuedMessage | None:
        """Log that an email is about to go, and move it to desk/sending. Return None if it is gone or changed."""
        folder, message = queued.folder, queued.message
        name = message.name
        try:
            with folder.lock():
                if _read_message(folder, message.status, name) != message:
                    return None
                is_retry = message.status is MessageStatus.SENDING
                # made before the delivery, since the drive may be full after it
                system.make_folder(folder.root / "desk" / MessageStatus.SENT.value, 0o700)
                OutboxLog(folder).add_row(self._time, RESENDING if is_retry else SENDING, message)
                if not is_retry:
                    name = folder.move_message(name, MessageStatus.WAITING, MessageStatus.SENDING)
        except CannotRead as error:
            self._blocked_games[folder.root] = error
            return None
        return QueuedMessage(folder, message._replace(status=MessageStatus.SENDING, name=name))

    def _note_outcome(self, sending: QueuedMessage, answer: DeliveryResult) -> MessageResult:
        """Note what a delivery did. Raises Refused ``post/not-noted`` if that fails, which stops the run."""
        try:
            return self._move_and_log(sending, answer)
        except PbemError as error:
            message = sending.message
            outcome = "went" if answer.status is DeliveryStatus.TAKEN else "may not have gone"
            problem = f"{message.name} {outcome} to {message.recipient}, but that cannot be noted: {error.message}"
            raise Refused("post/not-noted", problem, _CHECK_HINT) from error

    def _move_and_log(self, sending: QueuedMessage, answer: DeliveryResult) -> MessageResult:
        """Move an email to the folder of its outcome, and log the outcome. Give up after too many delays."""
        folder, message = sending.folder, sending.message
        name = message.name
        outcome = _OUTCOMES[answer.status]
        with folder.lock(_LOCK_SECONDS):
            if outcome.status is MessageStatus.SENT:  # before the log: if that fails, it is not sent twice
                name = folder.move_message(name, MessageStatus.SENDING, outcome.status)
            log = OutboxLog(folder)
            if outcome.event == LATER and log.is_exhausted(message.message_id):
                outcome = _OUTCOMES[DeliveryStatus.NEVER]
            log.add_row(self._time, outcome.event, message, answer.message)
            if outcome.status not in (MessageStatus.SENDING, MessageStatus.SENT):
                name = folder.move_message(name, MessageStatus.SENDING, outcome.status)
        sent_message = message._replace(status=outcome.status, name=name)
        return QueuedMessage(folder, sent_message).result(outcome.event, answer.message)


def write_mbox(messages: Sequence[OutgoingMessage], path: Path, time: str) -> None:
    """Write emails into a new file that an email program can import. Raises Refused ``post/exists``.

    A line `From …` begins each email. The composer writes no other such line.
    """
    weekday, day, month, year, time_of_day, _ = format_date_in_prose(time).replace(",", "").split(" ")
    from_line = f"From pbem@localhost {weekday} {month} {int(day):2d} {time_of_day}:00 {year}\n".encode()
    data = b"".join(from_line + message.content.rstrip(b"\n") + b"\n\n" for message in messages)
    with system.os_errors("write", path):
        system.sweep_temps(path.parent)
    try:
        whole.create(path, data, 0o600)
    except Refused as error:
        if error.code != "save/number-taken":
            raise
        raise Refused("post/exists", f"there is a file {path} already", "name a new file") from None


def mark_sent(folder: GameFolder, files: Sequence[str], time: str) -> list[str]:
    """File emails as sent that the referee sent by hand: all of them, or none. Return their names.

    An email that is already filed is accepted beside others. Raises BadInput ``post/not-waiting``,
    which names the first email that is in no folder, or if all of them are filed already.
    """
    names = [*dict.fromkeys(Path(file).name.removesuffix(".eml") for file in files)]
    with folder.lock():
        messages = list[OutgoingMessage]()
        absent_names = list[str]()
        for name in names:
            message = _read_message(folder, MessageStatus.WAITING, name) or _read_message(
                folder, MessageStatus.FAILED, name
            )
            is_filed = name.startswith(PASSWORD_PREFIX) or bool(folder.read_message(MessageStatus.SENT, name))
            if message is not None:
                messages.append(message)
            elif not is_filed:
                absent_names.append(name)
        if absent_names or not messages:
            problem = f"no email {(absent_names or names)[0][:80]!r} waits in {folder.root}/desk/outbox"
            raise BadInput("post/not-waiting", problem, f"pbem outbox {folder.root}")
        log = OutboxLog(folder)
        for message in messages:
            log.add_row(time, BY_HAND, message)
            folder.move_message(message.name, message.status, MessageStatus.SENT)
    return names
