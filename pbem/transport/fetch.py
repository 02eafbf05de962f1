"""Fetch emails from a mailbox into the journal, and receive them from the journal into the games.

An email is ours if it is for a game. The journal is a folder of an account's emails (disk/journal.py).

Not allowed here: the protocol of a server; whether orders are valid (services/receive).
Laws: an email is durable in the journal before anything reads it; the place, up to which pbem has
looked in the mailbox, moves only past emails that are in the journal or not ours; each email counts
once; an email on which pbem fails does not stop the others; the mailbox is not changed.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.message import Message
from hashlib import sha256
from typing import NamedTuple

from pbem.chain.clock import format_instant
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput, CannotRead, OurFault, PbemError, Refused
from pbem.mail.compose import format_date_in_prose
from pbem.mail.identity import find_codes
from pbem.mail.mime import header_value
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import ReceivedEmail
from pbem.services.receive.receive import receive_file
from pbem.services.receive.result import ReceiveResult, result_without_seat
from pbem.services.receive.unreadable import EMAIL_ERRORS
from pbem.services.session.folders import RESTORE_UNDECIDED
from pbem.services.session.session import HANDED_OVER, Session
from pbem.transport.accounts import Account, find_account_for, load_accounts
from pbem.transport.backends import open_mailbox
from pbem.transport.connection import Limits
from pbem.transport.headers import (
    MailFilter,
    build_mail_filter,
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
MAX_TRIES = 3  #: after this many failures, pbem puts an email aside
MAX_WAIT_DAYS = 60  #: how long an email waits for a run that includes its game
_CHUNK = 100  #: emails whose headers are read together
BROKEN = BadInput("mail/broken", "pbem fails with this email", "look at it yourself")
COPY = Refused("mail/copy", "it is a copy of an older email, changed on its way", "ignore it")


class FetchedEmail(NamedTuple):
    """An email from the journal, and what pbem did with it."""

    account: str
    sender: str
    arrival: str
    status: EmailStatus
    file: str  #: where its bytes are; "" if they were deleted
    result: ReceiveResult


class FetchResult(NamedTuple):
    """What a run did for one account."""

    account: str  #: "" for a game that no account serves
    emails: list[FetchedEmail]
    notes: list[str]
    error: PbemError | None = None  #: why the mailbox failed; older emails were received anyway


class JournalName(NamedTuple):
    """A file name in the journal: ``ARRIVAL-INDEX.UID.CONTENT.MESSAGE-ID.TRIES``.

    ARRIVAL-INDEX sorts the emails. UID, CONTENT and MESSAGE-ID are hashes. TRIES counts how often
    pbem began to receive the email.
    """

    stem: str  #: all but the number of tries
    tries: int | None  #: None if somebody else put the file there

    @classmethod
    def parse(cls, text: str) -> "JournalName":
        stem, _, tries = text.rpartition(".")
        return cls(stem, int(tries) if tries in map(str, range(MAX_TRIES + 1)) else None)

    @classmethod
    def build(cls, sort_key: str, uid_hash: str, content_hash: str, message_hash: str, tries: int = 0) -> "JournalName":
        return cls(f"{sort_key}.{uid_hash}.{content_hash}.{message_hash}", tries)

    def __str__(self) -> str:
        return f"{self.stem}.{self.tries}"

    @property
    def known_hashes(self) -> list[str]:
        """Return the hashes of the UID and the content."""
        return self.stem.split(".")[1:3]

    @property
    def message_hash(self) -> str:
        """Return the hash of the Message-ID."""
        return self.stem.rpartition(".")[2]

    @property
    def arrival(self) -> str:
        """Return when the email arrived, or the start of 1970 if the name does not say."""
        try:
            timestamp = datetime.strptime(f"{self.stem.partition('-')[0]}+0000", "%Y%m%dt%H%M%Sz%z").timestamp()
        except ValueError:
            timestamp = 0
        return format_instant(max(timestamp, 0))


def fetch_all(
    home: Home, games: list[Session], time: str, since: str = "", failures: Sequence[PbemError] = ()
) -> Iterator[FetchResult]:
    """Fetch the new emails of each account and receive them. Yield a result for each account.

    ``since``: fetch older emails too, from this day on; "" for new emails only. ``failures``: why
    some games could not be opened. If one of them could not be read, an email that belongs to no
    game waits, since it may belong to that one.
    """
    since = f"{_parse_day(since)}T00:00:00Z" if since else ""
    accounts_by_name = load_accounts(home)
    errors = [*failures]
    sessions_by_account = dict[str, list[Session]]()
    if not games:  # each account notes where its mailbox ends, so that no answer to a first game is missed
        sessions_by_account = {name: [] for name in accounts_by_name}
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
    all_games = Games(games, is_complete=not any(isinstance(error, CannotRead) for error in errors))
    for name, sessions in sessions_by_account.items():
        yield _fetch_account(AccountJournal(home, name), accounts_by_name[name], sessions, all_games, time, since)


def _fetch_account(
    journal: AccountJournal, account: Account, sessions: list[Session], games: Games, time: str, since: str
) -> FetchResult:
    """Download new emails, then receive all in the journal, even if the mailbox fails."""
    emails = list[FetchedEmail]()
    notes = list[str]()
    problem = None
    try:
        with journal.hold():
            journal.remove_leftovers()
            place = journal.read(PLACE)
            try:
                mail_filter, unread = build_mail_filter(account, sessions)
                games.is_complete = games.is_complete and not unread
                notes += unread
                with open_mailbox(account, Limits()) as mailbox:
                    notes += download(journal, mailbox, mail_filter, time, since)
            except Exception as error:  # noqa: BLE001 - an account does not stop the others
                problem = as_pbem_error(error)
            if place and not games.is_complete:  # the next run looks at the same emails again
                journal.write(PLACE, place)
            for email in receive_all(journal, games, time, account.is_strict):
                emails.append(email)
    except Exception as error:  # noqa: BLE001 - as above
        problem = as_pbem_error(error)
    return FetchResult(account.name, emails, notes, problem)


def _parse_day(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()  # noqa: DTZ007 - a day
    except ValueError:
        raise BadInput("time/shape", f"{text[:40]!r} is not a day", "--since 2026-11-01") from None


def download(journal: AccountJournal, mailbox: Mailbox, mail_filter: MailFilter, time: str, since: str) -> list[str]:
    """Store every email that is ours and new. Return notes for the referee. A first run only stores its place."""
    data = journal.read(PLACE)
    place = Place.decode(data, str(journal.folder / PLACE)) if data is not None else None
    if place is None and not since:
        journal.write(PLACE, mailbox.end_place(time).encode())
        return ["fetching begins with what comes from now on; --since DAY takes older email too"]
    place, notes = _resume_place(place or Place(mailbox.uid_validity, since), mailbox, since)
    end_place = mailbox.end_place(place.start_time) if place.since else place  # where a look back ends
    journal.write(PLACE, place.encode())
    known_hashes = _known_hashes(journal)
    uids = mailbox.new_uids(place)
    done_uids = list[str]()
    index_by_uid = {uid: index for index, uid in enumerate(uids)}
    try:
        for start in range(0, len(uids), _CHUNK):
            chunk = uids[start : start + _CHUNK]
            for mail in mailbox.read_headers(chunk):
                sort_key = f"{_sort_stamp(min(mail.arrival or time, time))}-{index_by_uid[mail.uid]:06d}"
                _store_if_wanted(journal, mailbox, mail_filter, mail, sort_key, known_hashes)
                done_uids.append(mail.uid)
            done_uids += chunk  # an email that has vanished has no headers, and does not come back
    finally:
        if done_uids:
            journal.write(PLACE, mailbox.advance(place, done_uids).encode())
    if place.since:
        journal.write(PLACE, mailbox.advance(end_place, done_uids)._replace(since="").encode())
    return notes


def _resume_place(place: Place, mailbox: Mailbox, since: str) -> tuple[Place, list[str]]:
    """Return where to go on, and notes for the referee. A new mailbox, or ``since``, needs a look back."""
    notes = list[str]()
    times = [time for time in (since, place.since) if time]
    if place.uid_validity != mailbox.uid_validity:
        times.append(place.start_time)
        notes.append(f"the mailbox was created again, so all since {place.start_time} was looked at again")
        place = Place(mailbox.uid_validity, place.start_time)
    earliest = min(times, default="")
    if earliest != place.since:  # forgets which emails it has looked at
        place = Place(place.uid_validity, place.start_time)
    return place._replace(since=earliest, start_time=min([place.start_time, *times])), notes


def _known_hashes(journal: AccountJournal) -> set[str]:
    """Return the UID and content hashes of every email in the journal."""
    names = [name for status in EmailStatus for name in journal.list_emails(status)]
    return {known_hash for name in names for known_hash in JournalName.parse(name).known_hashes}


def _store_if_wanted(
    journal: AccountJournal,
    mailbox: Mailbox,
    mail_filter: MailFilter,
    mail: MailHeaders,
    sort_key: str,
    known_hashes: set[str],
) -> None:
    """Put one email into the journal if it is ours and new, and add it to ``known_hashes``."""
    uid_hash = _short_hash(f"{mailbox.uid_validity} {mail.uid}".encode())
    if uid_hash in known_hashes:
        return
    try:
        headers = parse_headers(mail.headers)
        is_sure = is_wanted(headers, mail_filter)
        message_id = header_value(headers, "message-id") or uid_hash
        is_possible = is_sure or is_report(headers)  # only a report's body shows whether it is ours
    except Exception as error:  # noqa: BLE001 - a broken email does not stop the others
        as_pbem_error(error)  # raises it for a developer who wants the traceback
        name = JournalName.build(sort_key, uid_hash, uid_hash, uid_hash, MAX_TRIES)
        journal.put_email(EmailStatus.NEW, str(name), mail.headers)
        return
    data = mailbox.read_email(mail.uid) if is_possible else None
    if data is not None and (is_sure or quotes_our_mail(data, mail_filter)):
        content_hash = content_digest(data)[:16]
        if content_hash not in known_hashes:
            name = JournalName.build(sort_key, uid_hash, content_hash, _short_hash(message_id.encode()))
            journal.put_email(EmailStatus.NEW, str(name), data)
        known_hashes |= {uid_hash, content_hash}


def _short_hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _sort_stamp(arrival: str) -> str:
    """Return ``20261101t080000z`` for ``2026-11-01T08:00:00Z``."""
    return arrival.translate(str.maketrans("", "", "-:")).lower()


def receive_all(journal: AccountJournal, games: Games, time: str, strict: bool) -> Iterator[FetchedEmail]:
    """Receive every new email of the journal, the oldest first. Yield each outcome.

    ``strict``: a reply code counts only from its player's own address.
    """
    _requeue_waiting(journal, games, time)
    received_names = [JournalName.parse(name) for name in journal.list_emails(EmailStatus.RECEIVED)]
    received_stems = {name.stem for name in received_names}
    received_ids = {name.message_hash for name in received_names}
    for name in journal.list_emails(EmailStatus.NEW):
        new_name = JournalName.parse(name)
        if new_name.stem in received_stems:  # a command was interrupted before it removed the email
            journal.remove_email(name, EmailStatus.NEW)
            continue
        email = _receive_new(journal, name, games, strict, new_name.message_hash in received_ids)
        if email is None:
            continue
        if email.status is EmailStatus.RECEIVED:
            received_ids.add(new_name.message_hash)
        yield email


def _requeue_waiting(journal: AccountJournal, games: Games, time: str) -> None:
    """Make emails new again if their game is here now. Delete those that waited for too long."""
    oldest = datetime.fromisoformat(time) - timedelta(days=MAX_WAIT_DAYS)
    for name in journal.list_emails(EmailStatus.NOT_OURS):
        if datetime.fromisoformat(JournalName.parse(name).arrival) < oldest:
            _discard_bytes(journal, name, EmailStatus.NOT_OURS)
            continue
        codes = find_codes(header_value(_read_headers(journal, EmailStatus.NOT_OURS, name), "subject"))
        try:
            owner = games.find_owner(ReceivedEmail("", codes, (), (), is_move_file=False))
        except BadInput:
            continue
        if owner is not None:
            journal.move_email(name, EmailStatus.NOT_OURS, EmailStatus.NEW)


def _receive_new(journal: AccountJournal, name: str, games: Games, strict: bool, is_copy: bool) -> FetchedEmail | None:
    """Receive one email. Return None if it waits, because its game was restored and may not act yet.

    The file's number of tries goes up first, so that pbem notices an email that kills it.
    """
    journal_name = JournalName.parse(name)
    if journal_name.tries is None or journal_name.tries >= MAX_TRIES:
        journal.write_reason(name, BROKEN.message)
        return _put_aside(journal, "", name, EmailStatus.BROKEN, BROKEN)
    headers = _read_headers(journal, EmailStatus.NEW, name)
    sender = first_address(headers, "from")
    if is_copy:
        return _put_aside(journal, sender, name, EmailStatus.UNREAD, COPY)
    counted_name = journal_name._replace(tries=journal_name.tries + 1)
    journal.move_email(name, EmailStatus.NEW, EmailStatus.NEW, str(counted_name))
    path = str(journal.email_path(EmailStatus.NEW, str(counted_name)))
    result = receive_file(games, path, arrival=journal_name.arrival, own_address_only=strict)
    if result.facts.get("code") == RESTORE_UNDECIDED:
        journal.move_email(str(counted_name), EmailStatus.NEW, EmailStatus.NEW, name)
        return None
    has_code = bool(find_codes(header_value(headers, "subject")))
    status = _status_for(result, has_code, games.is_complete)
    return _file_email(journal, sender, counted_name, status, result)


def _file_email(
    journal: AccountJournal, sender: str, name: JournalName, status: EmailStatus, result: ReceiveResult
) -> FetchedEmail:
    """Move an email to the folder of its status. Return its outcome. ``name`` counts this try."""
    tries = name.tries or 0
    new_name = name
    if status is EmailStatus.NEW:  # nothing is wrong with the email, so this try does not count
        new_name = name._replace(tries=tries - 1)
        journal.move_email(str(name), EmailStatus.NEW, EmailStatus.NEW, str(new_name))
    elif status is EmailStatus.RECEIVED:
        _discard_bytes(journal, str(name), EmailStatus.NEW)
    elif status is not EmailStatus.BROKEN:
        new_name = name._replace(tries=0)
        journal.move_email(str(name), EmailStatus.NEW, status, str(new_name))
    elif tries >= MAX_TRIES:
        journal.write_reason(str(name), str(result.facts.get("why", result.summary)))
        journal.move_email(str(name), EmailStatus.NEW, status)
    else:
        status = EmailStatus.NEW  # the next try may succeed
    return _describe_email(journal, sender, str(new_name), status, result)


def _put_aside(journal: AccountJournal, sender: str, name: str, status: EmailStatus, error: PbemError) -> FetchedEmail:
    """Move an email that pbem does not receive to the folder of ``status``, for the referee."""
    journal.move_email(name, EmailStatus.NEW, status)
    return _describe_email(journal, sender, name, status, result_without_seat("", "unreadable", error))


def _status_for(result: ReceiveResult, has_code: bool, all_games_known: bool) -> EmailStatus:
    """Return the status of an email after a try to receive it."""
    if result.kind == "unknown":  # no game of this run recognizes it
        if not all_games_known:
            return EmailStatus.NEW
        return EmailStatus.NOT_OURS if has_code else EmailStatus.UNREAD
    if result.kind == "unfinished":
        return EmailStatus.NEW
    if result.kind != "unreadable":
        return EmailStatus.RECEIVED
    code = str(result.facts["code"])
    if code.startswith(EMAIL_ERRORS) or code == HANDED_OVER:
        return EmailStatus.UNREAD
    # what is left is a fault of pbem, or trouble on this machine, which passes
    return EmailStatus.BROKEN if result.exit_code == OurFault.exit_code else EmailStatus.NEW


def _discard_bytes(journal: AccountJournal, name: str, status: EmailStatus) -> None:
    """Delete the bytes of an email, and keep its name among those received."""
    journal.put_email(EmailStatus.RECEIVED, name, b"")
    journal.remove_email(name, status)


def _read_headers(journal: AccountJournal, status: EmailStatus, name: str) -> Message:
    return parse_headers(read_beginning(str(journal.email_path(status, name))))


def _describe_email(
    journal: AccountJournal, sender: str, name: str, status: EmailStatus, result: ReceiveResult
) -> FetchedEmail:
    file = "" if status is EmailStatus.RECEIVED else str(journal.email_path(status, name))
    arrival = JournalName.parse(name).arrival
    # people know an email by its sender and time
    described = result._replace(file=f"{sender or 'nobody'}, {format_date_in_prose(arrival)}")
    return FetchedEmail(journal.folder.name, sender, arrival, status, file, described)
