"""Who sits where, and what each is identified by: the rows of the players.

What must never be here: an address, a password, anything that a stranger may not read.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md sections 5 and 6.
"""

from typing import NamedTuple

from pbem.chain.referees import SIGNING_KEY
from pbem.chain.rows import (
    BYTES_32,
    BYTES_64,
    NAME,
    NUMBER,
    WORD,
    RowFormat,
    check_words,
    choice_cell,
    optional_cell,
)
from pbem.chain.sources import IDENTIFICATION_METHODS, IdentificationMethod
from pbem.crypto.encoding import b64, unb64


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

SEALED, PLAIN, NONE = "key", "plain", "none"  #: what a seat gave, in the roster
OPENED = "opened"  #: what was sealed, from the deal on
CLASSES = (OPENED, PLAIN, NONE)  #: of contributions, from the deal on
#: all of these in words
CLASS_WORDS = {SEALED: "sealed, not opened", OPENED: "bound and opened", PLAIN: "a plain line", NONE: "nothing"}


class RosterEntry(NamedTuple):
    """What a seat answered to the invitation: a key with a commitment, a plain line, or nothing."""

    seat: str
    contribution: str
    key: bytes = b""
    commitment: bytes = b""
    signature: bytes = b""
    text: str = ""

    @property
    def is_sealed(self) -> bool:
        """Whether they joined with a key, and what they gave is sealed."""
        return self.contribution == SEALED

    @property
    def deal_class(self) -> str:
        """The class of the contribution that a deal has of it."""
        return OPENED if self.is_sealed else self.contribution

    def row(self) -> str:
        if self.is_sealed:
            parts = b64(self.key), b64(self.commitment), b64(self.signature)
            return " ".join((self.seat, self.contribution, *parts))
        return f"{self.seat} {self.contribution} {self.text}".rstrip(" ")


def read_roster_entry(row: str) -> RosterEntry:
    """Read it back; ValueError or BadInput where it is none."""
    seat, contribution, *remaining_parts = row.split(" ", 2)
    if contribution == SEALED:
        key, commitment, signature = remaining_parts[0].split(" ")
        return RosterEntry(seat, contribution, unb64(key, 32), unb64(commitment, 32), unb64(signature, 64))
    if contribution not in (PLAIN, NONE) or (contribution == PLAIN) != bool(remaining_parts):
        raise ValueError(row)
    return RosterEntry(seat, contribution, text=check_words(remaining_parts[0]) if remaining_parts else "")


class OpenedContribution(NamedTuple):
    """A contribution, opened: 32 bytes, signed with the key of its seat."""

    seat: str
    random_bytes: bytes
    signature: bytes


OPENED_ROW = RowFormat("opened", OpenedContribution, ("seat", WORD), ("r", BYTES_32), ("sig", BYTES_64))
