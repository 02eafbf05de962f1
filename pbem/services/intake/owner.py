"""Whose a message is: the seat whose code it carries.

What lives here: ``owner``. What must never be here: whether it is the player's (known.py).
Source: docs/DESIGN.md "Email"; decision 0002.
"""

from typing import NamedTuple

from pbem.errors import BadInput
from pbem.moderator.turn.codes import Owner, owner_before_deal, owner_of, owner_of_void_code
from pbem.services.intake.consent import owner_of_asking
from pbem.services.intake.message import Message
from pbem.services.session.session import Session


class Owned(NamedTuple):
    """A message's game and seat."""

    session: Session
    seat: str
    age: int  #: how many of the seat's questions were answered since the newest of the codes


def owner(games: list[Session], message: Message) -> Owned | None:
    """One seat of one game, else BadInput ``mail/two-codes``; None if nobody's."""
    found: dict[tuple[str, str], Owned] = {}
    for session in games:
        if not session.codes_secret:
            continue
        for code in message.codes:
            named = _owner_of(session, code)
            if named is not None:
                key = session.link.game, named.seat
                age = min(named.age, found[key].age) if key in found else named.age
                found[key] = Owned(session, named.seat, age)
    if len(found) > 1:
        raise BadInput(
            "mail/two-codes",
            "it carries the codes of two different questions",
            "answer one report at a time, in its own mail",
        )
    return next(iter(found.values()), None)


def _owner_of(session: Session, code: str) -> Owner | None:
    """Whose code this is in this game."""
    link, secret = session.link, session.codes_secret
    if not link.dealt:
        return owner_before_deal(code, secret, link.game, link.setup.seats, link.phase)
    answered = dict(link.answered)
    found = owner_of(code, secret, link.game, answered) or owner_of_asking(session, code)
    return found or owner_of_void_code(code, session.former_codes, link.game, answered)
