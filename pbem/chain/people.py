"""The rows about players: who plays which seat, and what each seat contributed to the deal.

Not allowed here: an address, a password, anything that a stranger may not read; how a
contribution is made or checked (play/joining/contribution.py).
Source: docs/DESIGN.md P4 and P6; docs/SPECIFICATION.md sections 5 and 6.
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
    """The player at a seat, and how pbem authenticates them."""

    seat: str
    method_name: str  #: name of an IdentificationMethod
    key: bytes  #: b"" without a key, and in the genesis also for a player who must join with one
    orders_since: int  #: orders count if written for this state or a later one
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

SEALED, PLAIN, NONE = "key", "plain", "none"  #: kinds of contribution in the roster
OPENED = "opened"  #: the kind of a sealed contribution once it is opened
CLASSES = (OPENED, PLAIN, NONE)  #: kinds of contribution from the deal on
#: what audits call them
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
        """Whether they joined with a key and sealed their contribution."""
        return self.contribution == SEALED

    @property
    def deal_class(self) -> str:
        """The kind of this contribution from the deal on."""
        return OPENED if self.is_sealed else self.contribution

    def row(self) -> str:
        if self.is_sealed:
            parts = b64(self.key), b64(self.commitment), b64(self.signature)
            return " ".join((self.seat, self.contribution, *parts))
        return f"{self.seat} {self.contribution} {self.text}".rstrip(" ")


def read_roster_entry(row: str) -> RosterEntry:
    """Return the entry of a row; ValueError or BadInput if it is not one."""
    seat, contribution, *remaining_parts = row.split(" ", 2)
    if contribution == SEALED:
        key, commitment, signature = " ".join(remaining_parts).split(" ")
        return RosterEntry(seat, contribution, unb64(key, 32), unb64(commitment, 32), unb64(signature, 64))
    if contribution not in (PLAIN, NONE) or (contribution == PLAIN) != bool(remaining_parts):
        raise ValueError(row)
    return RosterEntry(seat, contribution, text=check_words(remaining_parts[0]) if remaining_parts else "")


class OpenedContribution(NamedTuple):
    """A contribution that was sealed and is now open, signed with the key of its seat."""

    seat: str
    random_bytes: bytes
    signature: bytes


OPENED_ROW = RowFormat("opened", OpenedContribution, ("seat", WORD), ("r", BYTES_32), ("sig", BYTES_64))
