"""Who sits where, and what each is identified by: the rows of the players.

What must never be here: an address, a password, anything that a stranger may not read.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 5 and 6.
"""

from typing import NamedTuple

from pbem.chain.referees import SIGNS
from pbem.chain.rows import NAME, NUMBER, WORD, Shape, among, or_dash
from pbem.chain.sources import WAYS, Way


class Seated(NamedTuple):
    """The player at a seat; ``key`` is b"" where they are not identified by one."""

    seat: str
    identified: str  #: by what: the name of a way
    key: bytes  #: b"" too in the genesis, for a seat whose player must join with a key
    since: int  #: orders count that were written for this state or a later one
    name: str

    @property
    def way(self) -> Way:
        return WAYS[self.identified]

    @property
    def shown(self) -> str:
        """Name and colour, as the referee reads them: ``Ann (red)``."""
        return f"{self.name} ({self.seat})"


PEOPLE = Shape(
    "people",
    Seated,
    ("seat", WORD),
    ("known", among(WAYS)),
    ("key", or_dash(SIGNS, b"")),
    ("since", NUMBER),
    ("name", NAME),
    check=lambda player: player.way.key or not player.key,
)
