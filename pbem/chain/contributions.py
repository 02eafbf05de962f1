"""What each seat gave to the deal: its row in the roster, and its row once it is opened.

What must never be here: how it is made or checked (play/joining/contribution.py).
Source: docs/SPECIFICATION.md section 6; docs/DESIGN.md P4.
"""

from typing import NamedTuple

from pbem.chain.rows import BYTES_32, BYTES_64, WORD, Shape, words
from pbem.crypto.encoding import b64, unb64

SEALED, PLAIN, NONE = "key", "plain", "none"  #: what a seat gave, in the roster
OPENED = "opened"  #: what was sealed, from the deal on
CLASSES = (OPENED, PLAIN, NONE)  #: of contributions, from the deal on
#: all of these in words
GAVE = {
    SEALED: "sealed, not opened",
    OPENED: "bound and opened",
    PLAIN: "a plain line",
    NONE: "nothing",
}


class Joined(NamedTuple):
    """What a seat answered to the invitation: a key with a commitment, a plain line, or nothing."""

    seat: str
    gave: str
    key: bytes = b""
    commitment: bytes = b""
    sig: bytes = b""
    text: str = ""

    @property
    def sealed(self) -> bool:
        """Whether they joined with a key, and what they gave is sealed."""
        return self.gave == SEALED

    @property
    def given(self) -> str:
        """The class of the contribution that a deal has of it."""
        return OPENED if self.sealed else self.gave

    def row(self) -> str:
        if self.sealed:
            parts = b64(self.key), b64(self.commitment), b64(self.sig)
            return " ".join((self.seat, self.gave, *parts))
        return f"{self.seat} {self.gave} {self.text}".rstrip(" ")


def read_joined(row: str) -> Joined:
    """Read it back; ValueError or BadInput where it is none."""
    seat, gave, *rest = row.split(" ", 2)
    if gave == SEALED:
        key, commitment, sig = rest[0].split(" ")
        return Joined(seat, gave, unb64(key, 32), unb64(commitment, 32), unb64(sig, 64))
    if gave not in (PLAIN, NONE) or (gave == PLAIN) != bool(rest):
        raise ValueError(row)
    return Joined(seat, gave, text=words(rest[0]) if rest else "")


class Opened(NamedTuple):
    """A contribution, opened: 32 bytes, signed with the key of its seat."""

    seat: str
    r: bytes
    sig: bytes


OPENED_ROW = Shape("opened", Opened, ("seat", WORD), ("r", BYTES_32), ("sig", BYTES_64))
