"""What each seat gave to the deal: its row in the roster, and its row once it is opened.

What must never be here: how it is made or checked (play/joining/contribution.py).
Source: docs/SPECIFICATION.md section 6; docs/DESIGN.md P4.
"""

from typing import NamedTuple

from pbem.chain.rows import BYTES_32, BYTES_64, WORD, RowFormat, check_words
from pbem.crypto.encoding import b64, unb64

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
