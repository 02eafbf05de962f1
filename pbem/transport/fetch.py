"""Fetching: from a mailbox into the journal, and from the journal into the games.

What lives here: what is downloaded, the names of the journal's files, what becomes of each mail.
What must never be here: a server's words; whether orders are good (services/receive).
Laws: bytes are durable before anything reads them; where we are moves on only behind what is in
the journal; each mail counts once, and no other with its Message-ID; one that makes pbem fail stops
no other; the mailbox stays as it was.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from pbem.chain.clock import written
from pbem.disk.home import Home
from pbem.disk.journal import Journal, Kept
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput, CannotRead, OurFault, PbemError, Refused
from pbem.mail.compose import date_in_prose
from pbem.mail.identity import find_codes
from pbem.mail.parts import header
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import Incoming
from pbem.services.receive.receive import take_file
from pbem.services.receive.result import Received, of_nobody
from pbem.services.receive.unreadable import ITS_OWN
from pbem.services.session.folders import UNDECIDED
from pbem.services.session.session import HANDED_OVER, Session
from pbem.transport.accounts import Account, accounts, serving
from pbem.transport.backends import mailbox_of
from pbem.transport.headers import (
    Wanted,
    address_in,
    heading,
    is_report,
    is_wanted,
    same_mail,
    tells_of_ours,
)
from pbem.transport.mailbox import Mailbox, Place, Seen
from pbem.transport.server_errors import as_told

PLACE = "place.toml"
MOST_TRIES = 3
WAITS_DAYS = 60  #: for a run with the folder of its game
_CHUNK = 100
BROKEN = BadInput("mail/broken", "pbem fails with this email", "look at it yourself")
COPY = Refused("mail/copy", "it is a copy of an older email, changed on its way", "ignore it")


class Came(NamedTuple):
    """What became of one mail."""

    account: str
    sender: str
    arrival: str
    mark: Kept
    file: str  #: where its bytes are; "" where none are left
    received: Received


class Fetched(NamedTuple):
    """What became of one account."""

    account: str  #: "" of a game that no account serves
    came: list[Came]
    notes: list[str]
    error: PbemError | None = None  #: of the mailbox; what was there before is taken all the same


def fetch(
    home: Home, games: list[Session], time: str, since: str = "", failed: Sequence[PbemError] = ()
) -> Iterator[Fetched]:
    """Fetch for each account, and take what came, for all games. ``since``: a day, or "". Before
    there is any game each account notes where it begins, so that no answer to the first is missed.
    ``failed``: why games could not be opened; if one cannot be read, an email that is nobody's
    waits, for it may be that game's.
    """
    since = f"{_day(since)}T00:00:00Z" if since else ""
    known, wrong = accounts(home), [*failed]
    served: dict[str, list[Session]] = {} if games else {name: [] for name in known}
    for session in games:
        try:
            account = serving(known, session.players.referee.address)
        except PbemError as error:
            wrong.append(error)
            if not known:
                raise
            message = f"{session.label}: {error.message}"
            yield Fetched("", [], [], type(error)(error.code, message, error.hint))
        else:
            served.setdefault(account.name, []).append(session)
    every = Games(games, not any(isinstance(error, CannotRead) for error in wrong))
    for name, mine in served.items():
        yield _of_account(Journal(home, name), known[name], mine, every, time, since)


def _of_account(
    journal: Journal,
    account: Account,
    mine: list[Session],
    games: Games,
    time: str,
    since: str,
) -> Fetched:
    """Fetch, then take: what was there before is taken whatever is wrong with the mailbox."""
    came, notes, trouble = list[Came](), list[str](), None
    try:
        with journal.hold():
            journal.tidy()
            place = journal.read(PLACE)
            try:
                with mailbox_of(account) as mailbox:
                    notes += download(journal, mailbox, _wanted(account, mine), time, since)
            except Exception as error:  # noqa: BLE001 - one account stops no other
                trouble = as_told(error)
            if place and not games.whole:  # the next run looks at all of it again
                journal.write(PLACE, place)
            for one in take_all(journal, games, time, account.strict):
                came.append(one)
    except Exception as error:  # noqa: BLE001 - as above
        trouble = as_told(error)
    return Fetched(account.name, came, notes, trouble)


def _day(given: str) -> str:
    try:
        return datetime.strptime(given, "%Y-%m-%d").date().isoformat()  # noqa: DTZ007 - a day
    except ValueError:
        raise BadInput("time/shape", f"{given[:40]!r} is not a day", "--since 2026-11-01") from None


def _wanted(account: Account, games: list[Session]) -> Wanted:
    people = {one.address.lower() for game in games for one in game.players.seats.values()}
    secrets = tuple(secret for game in games for secret in game.known_codes)
    return Wanted(account.address, frozenset(people - {""}), secrets)


def download(
    journal: Journal, mailbox: Mailbox, wanted: Wanted, time: str, since: str
) -> list[str]:
    """Everything that is ours and not in the journal yet. What to tell the referee."""
    data = journal.read(PLACE)
    place = Place.decode(data, str(journal.folder / PLACE)) if data is not None else None
    if place is None and not since:
        journal.write(PLACE, mailbox.end(time).encode())
        return ["fetching begins with what comes from now on; --since DAY takes older email too"]
    place, notes = _begin(place or Place(mailbox.validity, since), mailbox, since)
    end = mailbox.end(place.began) if place.since else place
    journal.write(PLACE, place.encode())
    known = _known(journal)
    uids, done = mailbox.fresh(place), list[str]()
    number = {uid: at for at, uid in enumerate(uids)}
    try:
        for at in range(0, len(uids), _CHUNK):
            chunk = uids[at : at + _CHUNK]
            for seen in mailbox.heads(chunk):
                stamp = f"{_stamp(min(seen.arrival or time, time))}-{number[seen.uid]:06d}"
                _keep(journal, mailbox, wanted, seen, stamp, known)
                done.append(seen.uid)
            done += chunk  # what is not there any more will not come back
    finally:
        if done:
            journal.write(PLACE, mailbox.behind(place, done).encode())
    if place.since:
        journal.write(PLACE, mailbox.behind(end, done)._replace(since="").encode())
    return notes


def _begin(place: Place, mailbox: Mailbox, since: str) -> tuple[Place, list[str]]:
    """Where to go on: from a time, if one is asked for, or if the mailbox was made anew."""
    notes, times = [], [one for one in (since, place.since) if one]
    if place.validity != mailbox.validity:
        times.append(place.began)
        notes.append(f"the mailbox was made anew, so all since {place.began} was looked at again")
        place = Place(mailbox.validity, place.began)
    since = min(times, default="")
    if since != place.since:  # all is looked at once more
        place = Place(place.validity, place.began)
    return place._replace(since=since, began=min([place.began, *times])), notes


def _known(journal: Journal) -> set[str]:
    """The hashes in all names."""
    return {part for mark in Kept for name in journal.names(mark) for part in name.split(".")[1:3]}


def _keep(
    journal: Journal, mailbox: Mailbox, wanted: Wanted, seen: Seen, stamp: str, known: set[str]
) -> None:
    """One mail, if it is ours and new, into the journal; ``stamp`` sorts it."""
    uid = _short(f"{mailbox.validity} {seen.uid}".encode())
    if uid in known:
        return
    try:
        head = heading(seen.head)
        sure, named = is_wanted(head, wanted), header(head, "message-id") or uid
        maybe = sure or is_report(head)
    except Exception as error:  # noqa: BLE001 - it is broken, and stops no other
        as_told(error)
        journal.put(Kept.NEW, f"{stamp}.{uid}.{uid}.{uid}.{MOST_TRIES}", seen.head)
        return
    data = mailbox.whole(seen.uid) if maybe else None
    if data is not None and (sure or tells_of_ours(data, wanted)):
        same = same_mail(data)[:16]
        if same not in known:
            journal.put(Kept.NEW, f"{stamp}.{uid}.{same}.{_short(named.encode())}.0", data)
        known |= {uid, same}


def _short(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _stamp(arrival: str) -> str:
    return arrival.translate(str.maketrans("", "", "-:")).lower()


def _arrival(name: str) -> str:
    try:
        when = datetime.strptime(f"{name.partition('-')[0]}+0000", "%Y%m%dt%H%M%Sz%z").timestamp()
    except ValueError:  # no name of ours
        when = 0
    return written(max(when, 0))


def _id(name: str) -> str:
    return name.split(".")[-2:][0]  # of the Message-ID, before the number of tries


def _stem(name: str) -> str:
    return name.rpartition(".")[0]


def take_all(journal: Journal, games: Games, time: str, strict: bool) -> Iterator[Came]:
    """Every mail that waits, the oldest first."""
    _look_again(journal, games, time)
    names = journal.names(Kept.TAKEN)
    taken, ids = set(map(_stem, names)), set(map(_id, names))
    for name in journal.names(Kept.NEW):
        if _stem(name) in taken:  # a command was killed between the two
            journal.remove(name, Kept.NEW)
        elif came := _take(journal, name, games, strict, _id(name) in ids):
            ids |= {_id(name)} if came.mark is Kept.TAKEN else set()
            yield came


def _look_again(journal: Journal, games: Games, time: str) -> None:
    """What waits for a run with the folder of its game: is it here now?"""
    oldest = datetime.fromisoformat(time) - timedelta(days=WAITS_DAYS)
    for name in journal.names(Kept.NOT_OURS):
        if datetime.fromisoformat(_arrival(name)) < oldest:
            _finish(journal, name, Kept.NOT_OURS)
            continue
        codes = find_codes(header(heading(_read(journal, Kept.NOT_OURS, name)), "subject"))
        try:
            found = games.owner(Incoming("", codes, (), (), listed=False))
        except BadInput:
            continue
        if found is not None:
            journal.move(name, Kept.NOT_OURS, Kept.NEW)


def _take(journal: Journal, name: str, games: Games, strict: bool, copy: bool) -> Came | None:
    """One mail. That pbem begins with it is on the drive before it does. None where it waits, as
    its game does, for what the referee says of a backup.
    """
    stem, _, number = name.rpartition(".")
    if number not in map(str, range(MOST_TRIES)):
        journal.explain(name, BROKEN.message)
        return _put_aside(journal, "", name, Kept.BROKEN, BROKEN)
    mail, tries = heading(_read(journal, Kept.NEW, name)), int(number)
    sender = address_in(mail, "from")
    if copy:
        return _put_aside(journal, sender, name, Kept.LETTER, COPY)
    counted = f"{stem}.{tries + 1}"
    journal.move(name, Kept.NEW, Kept.NEW, counted)
    path = str(journal.path(Kept.NEW, counted))
    received = take_file(games, path, arrival=_arrival(name), strict=strict)
    if received.facts.get("code") == UNDECIDED:
        journal.move(counted, Kept.NEW, Kept.NEW, name)
        return None
    mark = _mark(received, bool(find_codes(header(mail, "subject"))))
    if received.kind == "unknown" and not games.whole:
        mark = Kept.NEW
    if mark is Kept.NEW:  # nothing is wrong with the mail
        journal.move(counted, Kept.NEW, Kept.NEW, name)
        counted = name
    elif mark is Kept.TAKEN:
        _finish(journal, counted, Kept.NEW)
    elif mark is not Kept.BROKEN:
        journal.move(counted, Kept.NEW, mark, f"{stem}.0")
        counted = f"{stem}.0"
    elif tries + 1 >= MOST_TRIES:
        journal.explain(counted, str(received.facts.get("why", received.said)))
        journal.move(counted, Kept.NEW, mark)
    else:
        mark = Kept.NEW  # it may have been bad luck
    return _came(journal, sender, counted, mark, received)


def _put_aside(journal: Journal, sender: str, name: str, mark: Kept, why: PbemError) -> Came:
    """A mail that nobody reads but the referee."""
    journal.move(name, Kept.NEW, mark)
    return _came(journal, sender, name, mark, of_nobody("", "unreadable", why))


def _mark(received: Received, has_code: bool) -> Kept:
    """What became of it, by what its taking says."""
    if received.kind == "unknown":
        return Kept.NOT_OURS if has_code else Kept.LETTER
    if received.kind == "unfinished":
        return Kept.NEW
    if received.kind != "unreadable":
        return Kept.TAKEN
    code = str(received.facts["code"])
    if code.startswith(ITS_OWN) or code == HANDED_OVER:
        return Kept.LETTER  # all else is trouble of this machine, and passes
    return Kept.BROKEN if received.exit_code == OurFault.exit_code else Kept.NEW


def _finish(journal: Journal, name: str, mark: Kept) -> None:
    """Its name is left, and no bytes."""
    journal.put(Kept.TAKEN, name, b"")
    journal.remove(name, mark)


def _read(journal: Journal, mark: Kept, name: str) -> bytes:
    return read_beginning(str(journal.path(mark, name)))


def _came(journal: Journal, who: str, name: str, mark: Kept, received: Received) -> Came:
    file = "" if mark is Kept.TAKEN else str(journal.path(mark, name))
    arrival = _arrival(name)
    shown = received._replace(file=f"{who or 'nobody'}, {date_in_prose(arrival)}")
    return Came(journal.folder.name, who, arrival, mark, file, shown)
