"""Players whose email comes back, noted in desk/bounced until they write, or have another address;
those for whom an email counted that came from elsewhere, in desk/elsewhere until they write; and
who has the address from which another seat's orders came.

What must never be here: reading what a server wrote (mail/bounce.py).
Law: it counts only with the Message-ID of an email of the very game; nothing of the game changes.
Source: docs/decisions/0014-the-post.md.
"""

from pbem.disk.folder import GameFolder
from pbem.formats.desk_rows import write_rows
from pbem.mail.bounce import find_failed_addresses
from pbem.report.message_ids import has_our_id
from pbem.report.sentences import IGNORED_SUBJECT
from pbem.services.outbox import message_to_seat, send_message
from pbem.services.receipts import create_receipt
from pbem.services.receive.submission import Submission
from pbem.services.session.folders import check_acting_folder
from pbem.services.session.session import Session
from pbem.services.session.worklist import BOUNCED_FILE, ELSEWHERE_FILE, read_notes

_MOST_BYTES = 256 << 10  #: bytes of a bounce in which the email that came back is looked for


def store_bounce(games: list[Session], data: bytes) -> tuple[Session, str, str] | None:
    """Note whose email came back: game, seat and the server's code; None if it is of no game."""
    status_by_address = find_failed_addresses(data)
    if not status_by_address:
        return None
    text = data[:_MOST_BYTES].decode("ascii", "replace")
    for session in games:
        people = session.players.seats.items()
        seats = [seat for seat, person in people if person.address and person.address.lower() in status_by_address]
        if not seats or not has_our_id(text, session.known_codes):
            continue
        with session.folder.lock():
            check_acting_folder(session)
            rows = read_notes(session.folder, BOUNCED_FILE)
            for seat in seats:
                address = session.players.seats[seat].address.lower()
                rows[seat] = [address, session.time, status_by_address[address] or "-"]
            _write_notes(session.folder, BOUNCED_FILE, rows)
        return session, seats[0], status_by_address[session.players.seats[seats[0]].address.lower()]
    return None


def clear_bounce(session: Session, seat: str) -> None:
    """A player wrote, so emails reach them. Under the lock."""
    rows = read_notes(session.folder, BOUNCED_FILE)
    if rows.pop(seat, None):
        _write_notes(session.folder, BOUNCED_FILE, rows)


def notify_opponent(submission: Submission) -> None:
    """Whoever has the address that it came from reads that it was ignored; once a day."""
    session, seat, day = submission.session, submission.opponent_seat, submission.session.time[:10]
    player_name, name = session.record.player(submission.seat).label, f"opponent-{seat}-{day}"
    receipt = create_receipt(session, seat, "", IGNORED_SUBJECT, "opponent.txt", {"other": player_name})
    message = message_to_seat(session, seat, receipt.text, receipt.subject, file_name=name, id_part=name)
    send_message(session, message._replace(time=f"{day}T00:00:00Z"))


def note_unregistered_sender(submission: Submission, counts: bool) -> None:
    """Note whence an email came that counts, if not from its player; they were told. What counts
    of the player themselves takes the note away, and nothing else: who asks a question about an
    order that they never wrote is still to be helped. Under the lock.
    """
    folder, rows = submission.session.folder, read_notes(submission.session.folder, ELSEWHERE_FILE)
    is_own_address = submission.session.players.seats[submission.seat].has_address(submission.email.headers.sender)
    if not counts:
        return
    if submission.unregistered_sender:
        rows[submission.seat] = [submission.unregistered_sender.replace(" ", "-"), submission.session.time, "-"]
    elif not is_own_address or not rows.pop(submission.seat, None):
        return
    _write_notes(folder, ELSEWHERE_FILE, rows)


def _write_notes(folder: GameFolder, name: str, rows: dict[str, list[str]]) -> None:
    folder.put_desk_file(name, write_rows((seat, *row) for seat, row in rows.items()))
