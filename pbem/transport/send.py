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

from pbem.chain.clock import written
from pbem.disk import system
from pbem.disk.folder import GameFolder, Mark
from pbem.disk.games import NO_GAMES, find_games
from pbem.disk.home import Home
from pbem.disk.journal import Journal
from pbem.errors import BadInput, CannotRead, PbemError, Refused
from pbem.mail.compose import date_in_prose
from pbem.services.outbox import send_to_new_addresses
from pbem.services.session.folders import check_outbox
from pbem.transport.accounts import Account, accounts, serving
from pbem.transport.backends import carrier_of
from pbem.transport.connection import Limits
from pbem.transport.log import (
    AGAIN,
    BACK,
    FAILED,
    LATER,
    SENDING,
    SENT,
    UNSURE,
    Letter,
    Log,
    letter_in,
)
from pbem.transport.server_errors import as_told
from pbem.transport.smtp import Answer, Kind

HOUR = "hour"  #: when messages of the last hour went, a line each
MOST_CUTS = 2  #: connections that may break in one run
_PATIENCE = 60.0  #: seconds for a game that is busy when an email of it went out
_LOOK = "see to that; if it went, and lies in desk/sending, move it to desk/sent first"
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
Stopped = dict[Path, PbemError]  #: games that are busy or cannot be read, and why


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
        try:
            yield from _prepared(home, folder, time, dry_run)
            names = _names(folder)
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


def _prepared(home: Home, folder: GameFolder, time: str, dry_run: bool) -> Iterator[Sent]:
    """Refused where the folder may not act; its messages go to the addresses of now."""
    if _names(folder) or folder.messages(Mark.FAILED):
        check_outbox(home, folder, time)
    if not dry_run:
        _sweep(folder)
        yield from _not_addressed(folder)


def _sweep(folder: GameFolder) -> None:
    """Removes what a command that was killed left lying, unless the game is busy."""
    desk = folder.root / "desk"
    if any(name.startswith(system.PREFIX) for name in system.list_names(desk)):
        with suppress(Refused), folder.lock():
            system.remove_temps(desk)


def _not_addressed(folder: GameFolder) -> Iterator[Sent]:
    """Messages go to the addresses of now, or what is wrong; those of a busy game go next time."""
    try:
        send_to_new_addresses(folder)
    except PbemError as error:
        if error.code != "game/busy":
            message = f"{folder.root}: {error.message}"
            yield Sent("", [], type(error)(error.code, message, error.hint))


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
    except Exception as error:  # noqa: BLE001 - one account stops no other
        return Sent(account.name, told, as_told(error))
    return Sent(account.name, told)


def _all(journal: Journal, account: Account, due: list[Due], time: str) -> Iterator[Told]:
    journal.tidy()
    went, cuts, limits, stopped = _last_hour(journal, time), 0, Limits(), Stopped()
    with ExitStack() as line:
        carrier = None
        for folder, letter in due:
            if (held := _held(folder, letter, time, stopped)) is not None:
                yield held
                continue
            if len(went) >= account.per_hour or limits.spent:
                why = f"{account.per_hour} emails went within an hour (per_hour)"
                why = "the server is slow, and the next run goes on" if limits.spent else why
                yield Told(str(folder.root), letter, "held", why)
                continue
            if carrier is None:
                carrier = line.enter_context(carrier_of(account, limits))
            _count(journal, [*went, time])  # before it goes: then its mark comes next
            begun = _begin(folder, letter, time, stopped)
            if begun is None:
                continue
            answer = carrier.deliver(account.address, begun.to, begun.bytes_sent)
            yield _noted(folder, begun, answer, time)
            if answer.kind is Kind.TAKEN:
                went.append(time)
            else:
                _count(journal, went)
            if answer.kind in (Kind.UNKNOWN, Kind.NOT_SENT):
                line.close()
                carrier, cuts = None, cuts + 1
            if cuts == MOST_CUTS:
                raise Refused(
                    "post/cut", f"[{account.name}] {answer.said}", "run the command again"
                )
    unread = next((error for error in stopped.values() if isinstance(error, CannotRead)), None)
    if unread is not None:
        raise unread


def _noted(folder: GameFolder, begun: Letter, answer: Answer, time: str) -> Told:
    """What became of a message, noted durably; Refused ``post/not-noted``: sending must stop."""
    try:
        return _end(folder, begun, answer, time)
    except PbemError as error:
        how = "went" if answer.kind is Kind.TAKEN else "may not have gone"
        why = f"{begun.name} {how} to {begun.to}, but that cannot be noted: {error.message}"
        raise Refused("post/not-noted", why, _LOOK) from error


def _count(journal: Journal, went: list[str]) -> None:
    journal.write(HOUR, "".join(f"{one}\n" for one in went).encode())


def _last_hour(journal: Journal, time: str) -> list[str]:
    begin = written((datetime.fromisoformat(time) - timedelta(hours=1)).timestamp())
    rows = (journal.read(HOUR) or b"").decode("ascii", "replace").split()
    return [row for row in rows if begin < row]


def _held(folder: GameFolder, letter: Letter, time: str, stopped: Stopped) -> Told | None:
    """A message that must not go now: what the log says of it is done first. A game that is
    busy is waited for once; neither it nor one that cannot be read stops another.
    """
    root = str(folder.root)
    try:
        if folder.root not in stopped:
            return _settled(folder, letter, time)
    except PbemError as error:
        if error.code != "game/busy" and not isinstance(error, CannotRead):
            raise
        stopped[folder.root] = error
    return Told(root, letter, "held", stopped[folder.root].message)


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


def _begin(folder: GameFolder, letter: Letter, time: str, stopped: Stopped) -> Letter | None:
    """The intent, durable; None if the message is not there any more, or is another one now."""
    try:
        with folder.lock():
            if _letter(folder, letter.mark, letter.name) != letter:
                return None
            again = letter.mark is Mark.SENDING
            sent = folder.root / "desk" / Mark.SENT.value
            system.make_folder(sent, 0o700)  # while there is room
            Log(folder).add(time, AGAIN if again else SENDING, letter)
            name = letter.name if again else folder.move(letter.name, Mark.WAITING, Mark.SENDING)
    except CannotRead as error:
        stopped[folder.root] = error
        return None
    return letter._replace(mark=Mark.SENDING, name=name)


def _end(folder: GameFolder, letter: Letter, answer: Answer, time: str) -> Told:
    """Of one that went the mark is written first: whatever fails then, it does not go again."""
    event, mark = _AFTER[answer.kind]
    with folder.lock(_PATIENCE):
        name = letter.name
        if mark is Mark.SENT:
            name = folder.move(letter.name, Mark.SENDING, mark)
        log = Log(folder)
        if event == LATER and log.tried(letter.id):
            event, mark = FAILED, Mark.FAILED
        log.add(time, event, letter, answer.said)
        if mark not in (Mark.SENDING, Mark.SENT):
            name = folder.move(letter.name, Mark.SENDING, mark)
    return Told(str(folder.root), letter._replace(mark=mark, name=name), event, answer.said)
