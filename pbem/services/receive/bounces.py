"""Notes about players' addresses: emails that bounced, and orders from other addresses.

A note in desk/bounced stays until the player writes or has another address. A note in
desk/elsewhere stays until an email from the player's own address counts.
What must never be here: reading what a server wrote (mail/bounce.py).
Law: a bounce counts only if it names the Message-ID of an email of this game; the game does not change.
Source: docs/decisions/0014-the-post.md.
"""

from typing import NamedTuple

from pbem.disk.folder import GameFolder
from pbem.formats.desk_rows import write_rows
from pbem.mail.bounce import find_failed_addresses
from pbem.report.message_ids import has_our_id
from pbem.report.subjects import IGNORED_SUBJECT
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.receipts import create_receipt
from pbem.services.receive.submission import Submission
from pbem.services.session.folders import check_acting_folder
from pbem.services.session.session import Session
from pbem.services.session.worklist import BOUNCED_FILE, ELSEWHERE_FILE, read_notes

_MOST_BYTES = 256 << 10  #: of a bounce that are searched for our Message-ID


class Bounce(NamedTuple):
    """An email of a game that came back."""

    session: Session
    seat: str
    status: str  #: the server's code, such as 5.1.1; "" if unknown


def store_bounce(games: list[Session], data: bytes) -> Bounce | None:
    """Note whose email bounced; None if it is an email of none of these games."""
    status_by_address = find_failed_addresses(data)
    if not status_by_address:
        return None
    text = data[:_MOST_BYTES].decode("ascii", "replace")
    for session in games:
        addresses = {seat: person.address.lower() for seat, person in session.players.seats.items() if person.address}
        bounces = [
            Bounce(session, seat, status_by_address[address])
            for seat, address in addresses.items()
            if address in status_by_address
        ]
        if not bounces or not has_our_id(text, session.known_codes):
            continue
        with session.folder.lock():
            check_acting_folder(session)
            rows = read_notes(session.folder, BOUNCED_FILE)
            rows |= {bounce.seat: [addresses[bounce.seat], session.time, bounce.status or "-"] for bounce in bounces}
            _write_notes(session.folder, BOUNCED_FILE, rows)
        return bounces[0]
    return None


def clear_bounce(session: Session, seat: str) -> None:
    """Remove the note about a bounce, because the player wrote. Under the lock."""
    rows = read_notes(session.folder, BOUNCED_FILE)
    if rows.pop(seat, None):
        _write_notes(session.folder, BOUNCED_FILE, rows)


def notify_opponent(submission: Submission) -> None:
    """Tell the player whose address the email came from that it was ignored, once a day."""
    session, seat, day = submission.session, submission.opponent_seat, submission.session.time[:10]
    player_name, name = session.record.player(submission.seat).label, f"opponent-{seat}-{day}"
    receipt = create_receipt(session, seat, "", IGNORED_SUBJECT, "opponent.txt", {"other": player_name})
    message = message_to_seat(session, seat, receipt.text, receipt.subject, file_name=name, id_part=name)
    send_message(session, message._replace(time=f"{day}T00:00:00Z"))


def note_unregistered_sender(submission: Submission, counts: bool) -> None:
    """Note that orders came from another address than the player's, which their receipt says too.

    The note stays until orders from the player's own address count. A question does not remove it:
    the player may be asking about orders that they never wrote. Under the lock.
    """
    if not counts:
        return
    folder, sender = submission.session.folder, submission.email.headers.sender
    rows = read_notes(folder, ELSEWHERE_FILE)
    is_own_address = submission.session.players.seats[submission.seat].has_address(sender)
    if submission.unregistered_sender:
        rows[submission.seat] = [submission.unregistered_sender.replace(" ", "-"), submission.session.time, "-"]
    elif not is_own_address or not rows.pop(submission.seat, None):
        return
    _write_notes(folder, ELSEWHERE_FILE, rows)


def _write_notes(folder: GameFolder, name: str, rows: dict[str, list[str]]) -> None:
    folder.put_desk_file(name, write_rows((seat, *row) for seat, row in rows.items()))
