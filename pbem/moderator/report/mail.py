"""Mails to players: headers and dates around a text.

What lives here: the .eml of a report or a receipt. What must never be here: what it says.
Law: a function of its arguments; the time comes in as text.
Source: FORMAT.md section 5.
"""

from datetime import datetime

from pbem.errors import BadInput
from pbem.files.mail.compose import write_mail
from pbem.moderator.report.players import Person

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def mail_date(time: str) -> str:
    """``2026-11-21T09:45:00Z`` as RFC 5322 has it, in English whatever the locale."""
    try:
        when = datetime.fromisoformat(time.removesuffix("Z"))  # strptime costs a ms to import
    except ValueError:
        raise BadInput(
            "time/shape", f"{time[:40]!r} is not a time", "such as 2026-11-21T09:45:00Z"
        ) from None
    clock = f"{when.hour:02d}:{when.minute:02d}:{when.second:02d}"
    return f"{DAYS[when.weekday()]}, {when.day} {MONTHS[when.month - 1]} {when.year} {clock} +0000"


def compose_mail(
    to: Person,
    referee: Person,
    subject: str,
    text: str,
    game: str,
    name: str,
    time: str,
    attachment: tuple[str, bytes] | None = None,
    also: tuple[tuple[str, bytes], ...] = (),
) -> bytes:
    """One mail from the referee.

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
        attachment=attachment,
        also=also,
    )
