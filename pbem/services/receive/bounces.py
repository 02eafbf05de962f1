"""Players whose email comes back, noted in desk/bounced until they write, or have another address;
those for whom an email counted that came from elsewhere, in desk/elsewhere until they write; and
who has the address from which another seat's orders came.

What must never be here: reading what a server wrote (mail/bounce.py).
Law: it counts only with the Message-ID of an email of the very game; nothing of the game changes.
Source: docs/decisions/0014-the-post.md.
"""

from pbem.disk.folder import GameFolder
from pbem.formats.desk_rows import write_rows
from pbem.mail.bounce import refused
from pbem.report.message_ids import ours
from pbem.report.subjects import IGNORED
from pbem.services.outbox import send_of, to_seat
from pbem.services.receipts import receipt_for
from pbem.services.receive.submission import Case
from pbem.services.session.folders import check_folder
from pbem.services.session.session import Session
from pbem.services.session.worklist import BOUNCED, ELSEWHERE, noted_of

_LOOKED_AT = 256 << 10  #: bytes of a bounce in which the email that came back is looked for


def note_bounce(games: list[Session], data: bytes) -> tuple[Session, str, str] | None:
    """Note whose email came back: game, seat and the server's code; None if it is of no game."""
    found = refused(data)
    if not found:
        return None
    text = data[:_LOOKED_AT].decode("ascii", "replace")
    for session in games:
        people = session.players.seats.items()
        seats = [seat for seat, one in people if one.address and one.address.lower() in found]
        if not seats or not ours(text, session.known_codes):
            continue
        with session.folder.lock():
            check_folder(session)
            rows = noted_of(session.folder, BOUNCED)
            for seat in seats:
                address = session.players.seats[seat].address.lower()
                rows[seat] = [address, session.time, found[address] or "-"]
            _write(session.folder, BOUNCED, rows)
        return session, seats[0], found[session.players.seats[seats[0]].address.lower()]
    return None


def heard_from(session: Session, seat: str) -> None:
    """A player wrote, so emails reach them. Under the lock."""
    rows = noted_of(session.folder, BOUNCED)
    if rows.pop(seat, None):
        _write(session.folder, BOUNCED, rows)


def tell_opponent(case: Case) -> None:
    """Whoever has the address that it came from reads that it was ignored; once a day."""
    session, seat, day = case.session, case.opponent, case.session.time[:10]
    other, name = session.link.player(case.seat).shown, f"opponent-{seat}-{day}"
    told = receipt_for(session, seat, "", IGNORED, "opponent.txt", {"other": other})
    message = to_seat(session, seat, told.text, told.about, file=name, called=name)
    send_of(session, message._replace(time=f"{day}T00:00:00Z"))


def note_elsewhere(case: Case, counts: bool) -> None:
    """Note whence an email came that counts, if not from its player; they were told. What counts
    of the player themselves takes the note away, and nothing else: who asks a question about an
    order that they never wrote is still to be helped. Under the lock.
    """
    folder, rows = case.session.folder, noted_of(case.session.folder, ELSEWHERE)
    own = case.session.players.seats[case.seat].has(case.message.headers.sender)
    if not counts:
        return
    if case.elsewhere:
        rows[case.seat] = [case.elsewhere.replace(" ", "-"), case.session.time, "-"]
    elif not own or not rows.pop(case.seat, None):
        return
    _write(folder, ELSEWHERE, rows)


def _write(folder: GameFolder, name: str, rows: dict[str, list[str]]) -> None:
    folder.put_desk_file(name, write_rows((seat, *row) for seat, row in rows.items()))
