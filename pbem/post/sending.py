"""Sending: what waits in the outboxes goes out.

What lives here: which message is due, one step of one message, what is told. What must never be
here: a server's words; what a message says.
Laws: what is about to be done is in the log before it is done; a message goes again with the same
bytes and the same Message-ID; no game is locked while a server is asked.
Source: docs/decisions/0014-the-post.md; FORMAT.md "Marks of a message"; RFC 1047.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem.disk.folder import GameFolder, Mark
from pbem.disk.games import NO_GAMES, find_games
from pbem.disk.home import Home
from pbem.disk.journal import Journal
from pbem.errors import BadInput, PbemError, Refused
from pbem.files.mail.compose import date_in_prose
from pbem.moderator.chain.clock import written
from pbem.post.accounts import Account, accounts, serving
from pbem.post.log import AGAIN, BACK, FAILED, LATER, SENDING, SENT, UNSURE, Letter, Log, letter_in
from pbem.post.smtp import Answer, Kind
from pbem.post.ways import carrier_of
from pbem.services.session.folders import check_outbox

HOUR = "hour"  #: when messages of the last hour went, a line each
MOST_CUTS = 2  #: connections that may break in one run
#: what the log says of an answer, and where the message goes
_AFTER = {
    Kind.TAKEN: (SENT, Mark.SENT),
    Kind.LATER: (LATER, Mark.WAITING),
    Kind.NEVER: (FAILED, Mark.FAILED),
    Kind.NOT_SENT: (BACK, Mark.WAITING),
    Kind.UNKNOWN: (UNSURE, Mark.SENDING),
}


class Told(NamedTuple):
    """What became of one message."""

    dir: str
    letter: Letter
    what: str  #: sent, later, failed, unsure, back, or of a dry run or a pause: due, held
    said: str


class Sent(NamedTuple):
    """What became of one account."""

    account: str  #: "" of a message that no account can send
    told: list[Told]
    error: PbemError | None = None


Due = tuple[GameFolder, Letter]


def outboxes(roots: Sequence[Path]) -> tuple[list[GameFolder], list[str]]:
    """Every game that is named or lies in a folder that is named, and a line for what cannot be
    read. It needs no key.
    """
    found, notes = dict[Path, GameFolder](), list[str]()
    for root in roots:
        folders, unread = find_games(root)
        notes += unread
        found |= {folder.root.resolve(): folder for folder in folders}
    if not found:
        where = ", ".join(map(str, roots))
        raise BadInput("game/none", f"there is no game in {where}", NO_GAMES)
    return list(found.values()), notes


def send(home: Home, folders: list[GameFolder], time: str, dry_run: bool) -> Iterator[Sent]:
    """Send what is due in these games, account by account."""
    known, mine = accounts(home), dict[str, list[Due]]()
    for folder in folders:
        names = _names(folder)
        try:
            if names:
                check_outbox(home, folder, time)
        except PbemError as error:
            yield Sent("", [], error)
            continue
        for mark, name in names:
            try:
                letter = _letter(folder, mark, name)
                account = serving(known, letter.sender).name if letter else ""
            except PbemError as error:
                if not known:
                    raise
                message = f"{folder.root}: {name}: {error.message}"
                yield Sent("", [], type(error)(error.code, message, error.hint))
                continue
            if letter:
                mine.setdefault(account, []).append((folder, letter))
    for name, due in mine.items():
        if dry_run:
            told = [_planned(folder, letter, time) for folder, letter in due]
            yield Sent(name, told)
        else:
            yield _of_account(home, known[name], due, time)


def waiting(folder: GameFolder) -> list[Letter]:
    """Every message that waits or was interrupted."""
    found = (_letter(folder, mark, name) for mark, name in _names(folder))
    return [letter for letter in found if letter is not None]


def _names(folder: GameFolder) -> list[tuple[Mark, str]]:
    marks = (Mark.SENDING, Mark.WAITING)
    return [(mark, name) for mark in marks for name in folder.messages(mark)]


def _letter(folder: GameFolder, mark: Mark, name: str) -> Letter | None:
    data = folder.message(mark, name)
    return None if data is None else letter_in(mark, name, data)


def _planned(folder: GameFolder, letter: Letter, time: str) -> Told:
    until = Log(folder).paused(letter.id)
    held = until > time
    return Told(str(folder.root), letter, "held" if held else "due", until if held else "")


def _of_account(home: Home, account: Account, due: list[Due], time: str) -> Sent:
    told, journal = list[Told](), Journal(home, account.name)
    try:
        with journal.hold():
            for row in _all(journal, account, due, time):
                told.append(row)
    except PbemError as error:
        return Sent(account.name, told, error)
    return Sent(account.name, told)


def _all(journal: Journal, account: Account, due: list[Due], time: str) -> Iterator[Told]:
    went, cuts, busy = _last_hour(journal, time), 0, dict[Path, str]()
    with ExitStack() as line:
        carrier = None
        for folder, letter in due:
            if (held := _held(folder, letter, time, busy)) is not None:
                yield held
                continue
            if len(went) >= account.per_hour:
                why = f"{account.per_hour} emails went within an hour (per_hour)"
                yield Told(str(folder.root), letter, "held", why)
                continue
            if carrier is None:
                carrier = line.enter_context(carrier_of(account))
            begun = _begin(folder, letter, time)
            if begun is None:
                continue
            answer = carrier.deliver(account.address, begun.to, begun.bytes_sent)
            if answer.kind is Kind.TAKEN:
                went.append(time)
                journal.write(HOUR, "".join(f"{one}\n" for one in went).encode())
            yield _end(folder, begun, answer, time)
            if answer.kind in (Kind.UNKNOWN, Kind.NOT_SENT):
                line.close()
                carrier, cuts = None, cuts + 1
            if cuts == MOST_CUTS:
                raise Refused(
                    "post/cut", f"[{account.name}] {answer.said}", "run the command again"
                )


def _last_hour(journal: Journal, time: str) -> list[str]:
    begin = written((datetime.fromisoformat(time) - timedelta(hours=1)).timestamp())
    rows = (journal.read(HOUR) or b"").decode("ascii", "replace").split()
    return [row for row in rows if begin < row]


def _held(folder: GameFolder, letter: Letter, time: str, busy: dict[Path, str]) -> Told | None:
    """A message that must not go now: what the log says of it is done first. A game that is
    ``busy`` is waited for once, and stops no other.
    """
    root = str(folder.root)
    try:
        if folder.root not in busy:
            return _settled(folder, letter, time)
    except Refused as error:
        if error.code != "game/busy":
            raise
        busy[folder.root] = error.message
    return Told(root, letter, "held", busy[folder.root])


def _settled(folder: GameFolder, letter: Letter, time: str) -> Told | None:
    with folder.lock():
        log = Log(folder)
        if letter.mark is Mark.SENDING:
            left = log.settle(letter, time)
            if left is not None:
                return Told(str(folder.root), letter, left, log.said(letter.id))
        until = log.paused(letter.id)
    return (
        Told(str(folder.root), letter, "held", f"until {date_in_prose(until)}")
        if until > time
        else None
    )


def _begin(folder: GameFolder, letter: Letter, time: str) -> Letter | None:
    """The intent, durable; None if the message is not there any more, or is another one now."""
    with folder.lock():
        if _letter(folder, letter.mark, letter.name) != letter:
            return None
        again = letter.mark is Mark.SENDING
        Log(folder).add(time, AGAIN if again else SENDING, letter)
        name = letter.name if again else folder.move(letter.name, Mark.WAITING, Mark.SENDING)
    return letter._replace(mark=Mark.SENDING, name=name)


def _end(folder: GameFolder, letter: Letter, answer: Answer, time: str) -> Told:
    event, mark = _AFTER[answer.kind]
    with folder.lock():
        log = Log(folder)
        if event == LATER and log.tried(letter.id):
            event, mark = FAILED, Mark.FAILED
        log.add(time, event, letter, answer.said)
        name = letter.name
        if mark is not Mark.SENDING:
            name = folder.move(letter.name, Mark.SENDING, mark)
    return Told(str(folder.root), letter._replace(mark=mark, name=name), event, answer.said)
