"""Find out what a referee has to do for a game, from its folder and the home, without a key.

Not allowed here: text for people; how email is sent or fetched.
Law: an older state counts if the state after it names its hash.
Source: docs/decisions/0014-the-post.md.
"""

import re
from collections import Counter
from contextlib import suppress

from pbem.chain.clock import check_instant, epoch_seconds
from pbem.chain.clock_words import count_text
from pbem.chain.signed_state import read_unverified_record, state_hash_of
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, config_of
from pbem.crypto.encoding import unb64
from pbem.disk.folder import PLAYERS_FILE, GameFolder, MessageStatus
from pbem.disk.home import Home
from pbem.disk.journal import EmailStatus, message_files, read_last_tick
from pbem.disk.whole import read_beginning
from pbem.errors import BadInput, Refused
from pbem.formats import state_file
from pbem.formats.state_file import read_rows
from pbem.mail.compose import format_date_in_prose
from pbem.play.pending_file import decode_pending
from pbem.play.pending_orders import PendingOrders, pop_next_order
from pbem.report import players
from pbem.services.session.newest import game_of, spectators_view

BOUNCED_FILE = "bounced"  #: desk file: players whose email bounced, one per line
ELSEWHERE_FILE = "elsewhere"  #: desk file: players whose email counted though it came from another address
_DAY = 24 * 60 * 60
MOST_LOOKED_BACK = 100  #: how many older states are read at most
_LINE = r"(?im)^%s:((?:[^\n]|\n[ \t]){0,1000})"  #: a header with this name, over several lines
_ADDRESS = re.compile(rb"[^\s<>\"(),:;@]{1,64}@[a-z0-9.\[\]-]{1,253}")


def find_asked_since(folder: GameFolder, record: StateRecord, seats: set[str]) -> dict[str, str]:
    """Return by seat since when it has been asked its present question. Looks back from the newest state."""
    answered = dict(record.answer_counts)
    since = dict.fromkeys(seats, record.time)
    # seats whose present question may have been asked in an older state already
    open_seats = seats - {entry.seat for entry in record.entries}
    oldest_number = max(DEAL, record.n - MOST_LOOKED_BACK)
    while open_seats and record.n > oldest_number:
        raw = folder.read_state(record.n - 1)
        if raw is None or state_hash_of(raw) != unb64(record.previous_hash, 32):
            break
        try:
            record = read_unverified_record(raw)
            game, view = spectators_view(record)
            asked_seats = {question.seat for question in game.questions(view)}
        except (BadInput, Refused):  # its rules are missing, or its position is not valid
            break
        answered_before = dict(record.answer_counts)
        open_seats = {seat for seat in open_seats & asked_seats if answered_before[seat] == answered[seat]}
        since |= dict.fromkeys(open_seats, record.time)
        open_seats -= {entry.seat for entry in record.entries}
    return since


def find_held_emails(folder: GameFolder, record: StateRecord) -> dict[str, bool]:
    """Find the seats with an email that pbem did not understand, and whether it has proposed a meaning."""
    is_in_play = record.is_dealt and record.phase != CLOSED
    pending_files = folder.read_pending(record.n) if is_in_play else {}
    pending_by_seat = {seat: decode_pending(data, seat) for seat, data in pending_files.items() if b"held = " in data}
    answered = dict(record.answer_counts)
    return {
        seat: bool(pending.proposal)
        for seat, pending in pending_by_seat.items()
        if pending.held_question == answered.get(seat, 0) + 1
    }


def is_ready(folder: GameFolder, record: StateRecord, seats: set[str]) -> bool:
    """Return whether a pending order of these seats, which are asked, can be played or reported as illegal."""
    pending_files = folder.read_pending(record.n)
    pending_by_seat = {seat: decode_pending(pending_files[seat], seat) for seat in seats & pending_files.keys()}
    return any(
        pending.orders and _can_be_resolved(folder, record, seat, pending) for seat, pending in pending_by_seat.items()
    )


def _can_be_resolved(folder: GameFolder, record: StateRecord, seat: str, pending: PendingOrders) -> bool:
    """Return the same as ``is_ready`` for one seat, judged by the view file of its newest report."""
    game = game_of(record)
    try:
        document = state_file.parse(folder.read_report(record.n, f"{seat}.view.toml") or b"")
        view = game.decode_view(config_of(record), document["view"])
    except (BadInput, LookupError):  # missing or changed
        return True
    order, remaining = pop_next_order(pending, game, view, dict(record.answer_counts)[seat])
    return order is not None or (
        remaining.notes != pending.notes and pending.newest_email_number > pending.noted_email_number
    )


def count_referee_messages(home: Home) -> Counter[str]:
    """Count the unread messages to the referee by sender's address."""
    counts = Counter[str]()
    for path in message_files(home, EmailStatus.UNREAD):
        counts.update(filter(None, [address_in_header("from", read_beginning(str(path)))]))
    return counts


def address_in_header(name: str, headers: bytes) -> str:
    """Return the address in a header of an email, such as ``from``, in lower case; "" if there is none."""
    line = re.search((_LINE % name).encode(), headers.replace(b"\r\n", b"\n"))
    addresses = _ADDRESS.findall(line[1].lower()) if line else []
    return addresses[-1].decode("ascii", "replace") if addresses else ""


def count_messages_in(folder: GameFolder, seats: tuple[str, ...], counts: Counter[str]) -> int:
    """Count the unread messages that belong to this game, or come from one of its players."""
    data = folder.read_desk_file(PLAYERS_FILE) if counts else None
    people = players.decode(data, seats).seats.values() if data is not None else ()
    addresses = {person.address.lower() for person in people}
    return len(folder.list_messages(MessageStatus.UNREAD)) + sum(counts[address] for address in addresses)


def read_notes(folder: GameFolder, name: str) -> dict[str, list[str]]:
    """Read a desk file with rows of a seat, an address, a time and the server's code. Return rows by seat."""
    return {seat: values for seat, *values in read_rows(folder.read_desk_file(name), 4)}


def find_unreached(folder: GameFolder, seats: tuple[str, ...]) -> list[str]:
    """List the seats whose email bounced or was refused, and whose address has not changed since."""
    rows = read_notes(folder, BOUNCED_FILE)
    names = folder.list_messages(MessageStatus.FAILED)
    data = folder.read_desk_file(PLAYERS_FILE) if rows or names else None
    people = players.decode(data, seats).seats if data is not None else {}
    refused = {address_in_header("to", folder.read_message(MessageStatus.FAILED, name) or b"") for name in names}
    bounced = {seat: row[0] for seat, row in rows.items()}
    return [
        seat
        for seat, person in people.items()
        if person.address and any(map(person.has_address, {bounced.get(seat, ""), *refused}))
    ]


def find_late_tick(home: Home, time: str) -> list[str]:
    """Return a line about it if `pbem tick` ran before, but not within the last day; else []."""
    last_tick = read_last_tick(home).time
    with suppress(ValueError):
        if last_tick and epoch_seconds(time) - epoch_seconds(check_instant(last_tick)) > _DAY:
            day = format_date_in_prose(last_tick)
            return [f"`pbem tick` last ran on {day}; look at the timer that should start it"]
    return []


def find_tick_problems(home: Home) -> list[str]:
    """Return lines about what the last `pbem tick` could not do, and emails on which pbem failed."""
    lines = [
        f"the last `pbem tick` reported: {problem}" for problem in read_last_tick(home).problems.split("\t") if problem
    ]
    broken = message_files(home, EmailStatus.BROKEN)
    lines += [f"pbem could not process {count_text(len(broken), 'email')}"] if broken else []
    return [*lines, "`pbem doctor` says what is wrong and what to type"] if lines else []
