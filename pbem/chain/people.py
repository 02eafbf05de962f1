"""Who sits where, and what each is identified by: the rows of the players.

What must never be here: an address, a password, anything that a stranger may not read.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 5 and 6.
"""

from typing import NamedTuple

from pbem.chain.referees import SIGNING_KEY
from pbem.chain.rows import NAME, NUMBER, WORD, RowFormat, choice_cell, optional_cell
from pbem.chain.sources import IDENTIFICATION_METHODS, IdentificationMethod


class SeatedPlayer(NamedTuple):
    """The player at a seat; ``key`` is b"" where they are not identified by one."""

    seat: str
    method_name: str  #: by what: the name of a way
    key: bytes  #: b"" too in the genesis, for a seat whose player must join with a key
    orders_since: int  #: orders count that were written for this state or a later one
    name: str

    @property
    def method(self) -> IdentificationMethod:
        return IDENTIFICATION_METHODS[self.method_name]

    @property
    def label(self) -> str:
        """Name and colour, as the referee reads them: ``Ann (red)``."""
        return f"{self.name} ({self.seat})"


PEOPLE = RowFormat(
    "people",
    SeatedPlayer,
    ("seat", WORD),
    ("known", choice_cell(IDENTIFICATION_METHODS)),
    ("key", optional_cell(SIGNING_KEY, b"")),
    ("since", NUMBER),
    ("name", NAME),
    check=lambda player: player.method.key or not player.key,
)
