"""From a course of orders to the next link's bytes.

What lives here: ``next_state``. What must never be here: files, the clock.
Law: the bytes are read back, opened and decoded, and compared with what was played, before they
are given out. Source: docs/DESIGN.md "One turn"; docs/SPECIFICATION.md sections 5 and 12 (body n =
encode(…)).
"""

from typing import NamedTuple

from pbem.crypto.keys import RefereeKey
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import (
    Next,
    Position,
    check_decodes,
    next_link,
    written,
)
from pbem.moderator.chain.ruling import Ruling
from pbem.moderator.chain.seals import Seals
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.turn.resolution import Course


class Made(NamedTuple):
    """The next state: its bytes, its link as read back, and the game at it."""

    raw: bytes
    link: Link
    position: Position


def next_state(
    position: Position,
    course: Course,
    secret: bytes,
    key: RefereeKey,
    time: str,
    rulings: tuple[Ruling, ...] = (),
) -> Made:
    """The link that follows ``position`` after a course, signed and read back."""
    n = position.link.n + 1
    seals = Seals(secret, position.id, n, position.head)
    made = Next(n, position.id, position.head, "play", time, position.link, course.values)
    link = next_link(
        made, position.game, course.state, course.played, course.events, seals, rulings
    )
    check_decodes(link, course.state, seals, position.game)
    raw = written(link, key.signing, key.public)
    after = position._replace(link=link, head=head_of(raw), state=course.state)
    return Made(raw, link, after)
