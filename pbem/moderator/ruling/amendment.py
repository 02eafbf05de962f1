"""The link a ruling makes, signed and read back.

What lives here: ``made``. What must never be here: files, asking for consent, what one kind does.
Laws: a ruling makes exactly one link, without orders; a commitment stays with its slot, and nothing
is dealt again; who is told what stays told. An undo and a correction make older answers stale.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

from pbem.crypto.keys import RefereeKey
from pbem.moderator.chain.link import CLOSED, PHASES, Link
from pbem.moderator.chain.position import (
    Made,
    Next,
    Position,
    Seals,
    hidden_values,
    made,
    next_link,
)
from pbem.moderator.ruling.kind import Basis
from pbem.moderator.ruling.kinds import checked


def amended(position: Position, basis: Basis, secret: bytes, key: RefereeKey, time: str) -> Made:
    """The link of a ruling, signed and read back. ``position`` is the newest one."""
    seals = Seals(secret, position.id, position.link.n + 1, position.head)
    link = checked(ruled_link(position, basis, secret, time, seals))
    return made(position, link, basis.state, seals, key)


def ruled_link(position: Position, basis: Basis, secret: bytes, time: str, seals: Seals) -> Link:
    """What the link of a ruling says, after the newest position."""
    n, values = position.link.n + 1, hidden_values(position.game, basis.state)
    parts = Next(n, position.id, position.head, PHASES[3], time, basis.before, values)
    link = next_link(parts, position.game, basis.state, (), (), seals, basis.rulings)
    return link._replace(phase=CLOSED, secret=secret) if basis.closing else link
