"""Mails to players: headers around a text.

What lives here: the .eml of a message. What must never be here: what it says; who gets one (the
post room alone makes mails: pbem/services/post.py).
Law: a function of its arguments; the time comes in as text.
Source: FORMAT.md section 5.
"""

from pbem.files.mail.compose import mail_date, write_mail
from pbem.moderator.report.players import Person


def compose_mail(
    to: Person,
    referee: Person,
    subject: str,
    text: str,
    game: str,
    name: str,
    time: str,
    files: tuple[tuple[str, bytes], ...] = (),
) -> bytes:
    """One mail from the referee, with ``files`` attached.

    ``name`` is unique within the game; mails of a game thread together.
    """
    return write_mail(
        to=(to.name, to.address),
        sender=(referee.name, referee.address or "pbem@localhost"),
        subject=subject,
        text=text,
        message_id=f"<{game}.{name}@pbem>",
        date=mail_date(time),
        in_reply_to=f"<{game}@pbem>",
        also=files,
    )
