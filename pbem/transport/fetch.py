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

from pbem.chain.clock import format_instant
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput, CannotRead, OurFault, PbemError, Refused
from pbem.mail.compose import format_date_in_prose
from pbem.mail.identity import find_codes
from pbem.mail.parts import header_value
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import ReceivedEmail
from pbem.services.receive.receive import receive_file
from pbem.services.receive.result import ReceiveResult, result_without_seat
from pbem.services.receive.unreadable import EMAIL_ERRORS
from pbem.services.session.folders import RESTORE_UNDECIDED
from pbem.services.session.session import HANDED_OVER, Session
from pbem.transport.accounts import Account, find_account_for, load_accounts
from pbem.transport.backends import open_mailbox
from pbem.transport.headers import (
    MailFilter,
    content_digest,
    first_address,
    is_report,
    is_wanted,
    parse_headers,
    quotes_our_mail,
)
from pbem.transport.mailbox import Mailbox, MailHeaders, Place
from pbem.transport.server_errors import as_pbem_error

PLACE = "place.toml"
MAX_TRIES = 3
MAX_WAIT_DAYS = 60  #: for a run with the folder of its game
_CHUNK = 100
BROKEN = BadInput("mail/broken", "pbem fails with this email", "look at it yourself")
COPY = Refused("mail/copy", "it is a copy of an older email, changed on its way", "ignore it")


class FetchedEmail(NamedTuple):
    """What became of one mail."""

    account: str
    sender: str
    arrival: str
    status: EmailStatus
    file: str  #: where its bytes are; "" where none are left
    result: ReceiveResult


class FetchResult(NamedTuple):
    """What became of one account."""

    account: str  #: "" of a game that no account serves
    emails: list[FetchedEmail]
    notes: list[str]
    error: PbemError | None = None  #: of the mailbox; what was there before is taken all the same


def fetch_all(
    home: Home, games: list[Session], time: str, since: str = "", failures: Sequence[PbemError] = ()
) -> Iterator[FetchResult]:
    """Fetch for each account, and take what came, for all games. ``since``: a day, or "". Before
    there is any game each account notes where it begins, so that no answer to the first is missed.
    ``failures``: why games could not be opened; if one cannot be read, an email that is nobody's
    waits, for it may be that game's.
    """
    since = f"{_check_day(since)}T00:00:00Z" if since else ""
    accounts_by_name, errors = load_accounts(home), [*failures]
    sessions_by_account: dict[str, list[Session]] = {} if games else {name: [] for name in accounts_by_name}
    for session in games:
        try:
            account = find_account_for(accounts_by_name, session.players.referee.address)
        except PbemError as error:
            errors.append(error)
            if not accounts_by_name:
                raise
            message = f"{session.label}: {error.message}"
            yield FetchResult("", [], [], type(error)(error.code, message, error.hint))
        else:
            sessions_by_account.setdefault(account.name, []).append(session)
    all_games = Games(games, not any(isinstance(error, CannotRead) for error in errors))
    for name, sessions in sessions_by_account.items():
        yield _fetch_account(AccountJournal(home, name), accounts_by_name[name], sessions, all_games, time, since)


def _fetch_account(
    journal: AccountJournal, account: Account, sessions: list[Session], games: Games, time: str, since: str
) -> FetchResult:
    """Fetch, then take: what was there before is taken whatever is wrong with the mailbox."""
    emails, notes, problem = list[FetchedEmail](), list[str](), None
    try:
        with journal.hold():
            journal.remove_leftovers()
            place = journal.read(PLACE)
            try:
                with open_mailbox(account) as mailbox:
                    notes += download(journal, mailbox, _mail_filter_of(account, sessions), time, since)
            except Exception as error:
                problem = as_pbem_error(error)
            if place and not games.is_complete:  # the next run looks at all of it again
                journal.write(PLACE, place)
            for email in receive_all(journal, games, time, account.is_strict):
                emails.append(email)
    except Exception as error:
        problem = as_pbem_error(error)
    return FetchResult(account.name, emails, notes, problem)


def _check_day(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise BadInput("time/shape", f"{text[:40]!r} is not a day", "--since 2026-11-01") from None


def _mail_filter_of(account: Account, games: list[Session]) -> MailFilter:
    addresses = {player.address.lower() for game in games for player in game.players.seats.values()}
    secrets = tuple(secret for game in games for secret in game.known_codes)
    return MailFilter(account.address, frozenset(addresses - {""}), secrets)


def download(journal: AccountJournal, mailbox: Mailbox, mail_filter: MailFilter, time: str, since: str) -> list[str]:
    """Everything that is ours and not in the journal yet. What to tell the referee."""
    data = journal.read(PLACE)
    place = Place.decode(data, str(journal.folder / PLACE)) if data is not None else None
    if place is None and not since:
        journal.write(PLACE, mailbox.end_place(time).encode())
        return ["fetching begins with what comes from now on; --since DAY takes older email too"]
    place, notes = _resume_place(place or Place(mailbox.uid_validity, since), mailbox, since)
    end_place = mailbox.end_place(place.start_time) if place.since else place
    journal.write(PLACE, place.encode())
    known_hashes = _known_hashes(journal)
    uids, done_uids = mailbox.new_uids(place), list[str]()
    index_by_uid = {uid: index for index, uid in enumerate(uids)}
    try:
        for start in range(0, len(uids), _CHUNK):
            chunk = uids[start : start + _CHUNK]
            for mail in mailbox.read_headers(chunk):
                stamp = f"{_sort_stamp(min(mail.arrival or time, time))}-{index_by_uid[mail.uid]:06d}"
                _store_if_wanted(journal, mailbox, mail_filter, mail, stamp, known_hashes)
                done_uids.append(mail.uid)
            done_uids += chunk  # what is not there any more will not come back
    finally:
        if done_uids:
            journal.write(PLACE, mailbox.advance(place, done_uids).encode())
    if place.since:
        journal.write(PLACE, mailbox.advance(end_place, done_uids)._replace(since="").encode())
    return notes


def _resume_place(place: Place, mailbox: Mailbox, since: str) -> tuple[Place, list[str]]:
    """Where to go on: from a time, if one is asked for, or if the mailbox was made anew."""
    notes, times = [], [time for time in (since, place.since) if time]
    if place.uid_validity != mailbox.uid_validity:
        times.append(place.start_time)
        notes.append(f"the mailbox was created again, so all since {place.start_time} was looked at again")
        place = Place(mailbox.uid_validity, place.start_time)
    since = min(times, default="")
    if since != place.since:  # all is looked at once more
        place = Place(place.uid_validity, place.start_time)
    return place._replace(since=since, start_time=min([place.start_time, *times])), notes


def _known_hashes(journal: AccountJournal) -> set[str]:
    """The hashes in all names."""
    return {part for status in EmailStatus for name in journal.list_emails(status) for part in name.split(".")[1:3]}


def _store_if_wanted(
    journal: AccountJournal,
    mailbox: Mailbox,
    mail_filter: MailFilter,
    mail: MailHeaders,
    stamp: str,
    known_hashes: set[str],
) -> None:
    """One mail, if it is ours and new, into the journal; ``stamp`` sorts it."""
    uid = _short_hash(f"{mailbox.uid_validity} {mail.uid}".encode())
    if uid in known_hashes:
        return
    try:
        headers = parse_headers(mail.headers)
        is_sure, message_id = (is_wanted(headers, mail_filter), header_value(headers, "message-id") or uid)
        is_possible = is_sure or is_report(headers)
    except Exception as error:
        as_pbem_error(error)
        journal.put_email(EmailStatus.NEW, f"{stamp}.{uid}.{uid}.{uid}.{MAX_TRIES}", mail.headers)
        return
    data = mailbox.read_email(mail.uid) if is_possible else None
    if data is not None and (is_sure or quotes_our_mail(data, mail_filter)):
        content_hash = content_digest(data)[:16]
        if content_hash not in known_hashes:
            journal.put_email(
                EmailStatus.NEW, f"{stamp}.{uid}.{content_hash}.{_short_hash(message_id.encode())}.0", data
            )
        known_hashes |= {uid, content_hash}


def _short_hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _sort_stamp(arrival: str) -> str:
    return arrival.translate(str.maketrans("", "", "-:")).lower()


def _arrival_of(name: str) -> str:
    try:
        timestamp = datetime.strptime(f"{name.partition('-')[0]}+0000", "%Y%m%dt%H%M%Sz%z").timestamp()
    except ValueError:  # no name of ours
        timestamp = 0
    return format_instant(max(timestamp, 0))


def _message_hash_of(name: str) -> str:
    return name.split(".")[-2:][0]  # of the Message-ID, before the number of tries


def _stem_of(name: str) -> str:
    return name.rpartition(".")[0]


def receive_all(journal: AccountJournal, games: Games, time: str, strict: bool) -> Iterator[FetchedEmail]:
    """Every mail that waits, the oldest first."""
    _requeue_waiting(journal, games, time)
    names = journal.list_emails(EmailStatus.RECEIVED)
    taken_stems, taken_hashes = set(map(_stem_of, names)), set(map(_message_hash_of, names))
    for name in journal.list_emails(EmailStatus.NEW):
        if _stem_of(name) in taken_stems:  # a command was killed between the two
            journal.remove_email(name, EmailStatus.NEW)
        elif email := _receive_email(journal, name, games, strict, _message_hash_of(name) in taken_hashes):
            taken_hashes |= {_message_hash_of(name)} if email.status is EmailStatus.RECEIVED else set()
            yield email


def _requeue_waiting(journal: AccountJournal, games: Games, time: str) -> None:
    """What waits for a run with the folder of its game: is it here now?"""
    oldest = datetime.fromisoformat(time) - timedelta(days=MAX_WAIT_DAYS)
    for name in journal.list_emails(EmailStatus.NOT_OURS):
        if datetime.fromisoformat(_arrival_of(name)) < oldest:
            _discard_bytes(journal, name, EmailStatus.NOT_OURS)
            continue
        codes = find_codes(header_value(parse_headers(_read(journal, EmailStatus.NOT_OURS, name)), "subject"))
        try:
            owner = games.find_owner(ReceivedEmail("", codes, (), (), is_move_file=False))
        except BadInput:
            continue
        if owner is not None:
            journal.move_email(name, EmailStatus.NOT_OURS, EmailStatus.NEW)


def _receive_email(
    journal: AccountJournal, name: str, games: Games, strict: bool, is_copy: bool
) -> FetchedEmail | None:
    """One mail. That pbem begins with it is on the drive before it does. None where it waits, as
    its game does, for what the referee says of a backup.
    """
    stem, _, tries_text = name.rpartition(".")
    if tries_text not in map(str, range(MAX_TRIES)):
        journal.write_reason(name, BROKEN.message)
        return _set_aside(journal, "", name, EmailStatus.BROKEN, BROKEN)
    headers, tries = parse_headers(_read(journal, EmailStatus.NEW, name)), int(tries_text)
    sender = first_address(headers, "from")
    if is_copy:
        return _set_aside(journal, sender, name, EmailStatus.UNREAD, COPY)
    counted_name = f"{stem}.{tries + 1}"
    journal.move_email(name, EmailStatus.NEW, EmailStatus.NEW, counted_name)
    path = str(journal.email_path(EmailStatus.NEW, counted_name))
    result = receive_file(games, path, arrival=_arrival_of(name), own_address_only=strict)
    if result.facts.get("code") == RESTORE_UNDECIDED:
        journal.move_email(counted_name, EmailStatus.NEW, EmailStatus.NEW, name)
        return None
    status = _status_for(result, bool(find_codes(header_value(headers, "subject"))))
    if result.kind == "unknown" and not games.is_complete:
        status = EmailStatus.NEW
    if status is EmailStatus.NEW:  # nothing is wrong with the mail
        journal.move_email(counted_name, EmailStatus.NEW, EmailStatus.NEW, name)
        counted_name = name
    elif status is EmailStatus.RECEIVED:
        _discard_bytes(journal, counted_name, EmailStatus.NEW)
    elif status is not EmailStatus.BROKEN:
        journal.move_email(counted_name, EmailStatus.NEW, status, f"{stem}.0")
        counted_name = f"{stem}.0"
    elif tries + 1 >= MAX_TRIES:
        journal.write_reason(counted_name, str(result.facts.get("why", result.summary)))
        journal.move_email(counted_name, EmailStatus.NEW, status)
    else:
        status = EmailStatus.NEW  # it may have been bad luck
    return _describe_email(journal, sender, counted_name, status, result)


def _set_aside(journal: AccountJournal, sender: str, name: str, status: EmailStatus, error: PbemError) -> FetchedEmail:
    """A mail that nobody reads but the referee."""
    journal.move_email(name, EmailStatus.NEW, status)
    return _describe_email(journal, sender, name, status, result_without_seat("", "unreadable", error))


def _status_for(result: ReceiveResult, has_code: bool) -> EmailStatus:
    """What became of it, by what its taking says."""
    if result.kind == "unknown":
        return EmailStatus.NOT_OURS if has_code else EmailStatus.UNREAD
    if result.kind == "unfinished":
        return EmailStatus.NEW
    if result.kind != "unreadable":
        return EmailStatus.RECEIVED
    code = str(result.facts["code"])
    if code.startswith(EMAIL_ERRORS) or code == HANDED_OVER:
        return EmailStatus.UNREAD  # all else is trouble of this machine, and passes
    return EmailStatus.BROKEN if result.exit_code == OurFault.exit_code else EmailStatus.NEW


def _discard_bytes(journal: AccountJournal, name: str, status: EmailStatus) -> None:
    """Its name is left, and no bytes."""
    journal.put_email(EmailStatus.RECEIVED, name, b"")
    journal.remove_email(name, status)


def _read(journal: AccountJournal, status: EmailStatus, name: str) -> bytes:
    return read_beginning(str(journal.email_path(status, name)))


def _describe_email(
    journal: AccountJournal, sender: str, name: str, status: EmailStatus, result: ReceiveResult
) -> FetchedEmail:
    file = "" if status is EmailStatus.RECEIVED else str(journal.email_path(status, name))
    arrival = _arrival_of(name)
    described = result._replace(file=f"{sender or 'nobody'}, {format_date_in_prose(arrival)}")
    return FetchedEmail(journal.folder.name, sender, arrival, status, file, described)
