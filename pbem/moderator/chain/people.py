"""Who sits where, how each is known, and what each gave to the deal.

What lives here: Seated and Joined, rows of a state. What must never be here: an address, a
password, anything that a stranger may not read.
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md section 6.
"""

from typing import NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.moderator.chain.rows import one_line, read_number

#: how a player is known: signed orders; the code of his own mail; a password; the referee's word
KNOWN = ("key", "reply", "password", "typed")
GAVE = ("key", "plain", "none")  #: in the roster
CLASSES = ("opened", "plain", "none")  #: of contributions, from the deal on


class Seated(NamedTuple):
    """The player at a seat. ``key`` is his public key where he is known by it, else b""."""

    seat: str
    known: str
    key: bytes  #: b"" too in the genesis, for a seat whose player must join with a key
    since: int  #: orders count that were written for this state or a later one
    name: str

    def row(self) -> str:
        """The row of a state."""
        return f"{self.seat} {self.known} {b64(self.key) or '-'} {self.since} {self.name}"


def read_seated(row: str) -> Seated:
    """Read it back; ValueError or BadInput where it is none."""
    seat, known, key, since, name = row.split(" ", 4)
    if known not in KNOWN or (known != "key" and key != "-") or not name:
        raise ValueError(row)
    public = unb64(key, 32) if key != "-" else b""
    return Seated(seat, known, public, read_number(since), one_line(name))


class Joined(NamedTuple):
    """What a seat answered to the invitation: a key with a commitment, a plain line, or nothing."""

    seat: str
    gave: str
    key: bytes = b""
    commitment: bytes = b""
    sig: bytes = b""
    text: str = ""

    def row(self) -> str:
        """The row of the roster."""
        if self.gave == "key":
            parts = b64(self.key), b64(self.commitment), b64(self.sig)
            return " ".join((self.seat, self.gave, *parts))
        return f"{self.seat} {self.gave} {self.text}".rstrip(" ")


def read_joined(row: str) -> Joined:
    """Read it back; ValueError or BadInput where it is none."""
    seat, gave, *rest = row.split(" ", 2)
    if gave == "key":
        key, commitment, sig = rest[0].split(" ")
        return Joined(seat, gave, unb64(key, 32), unb64(commitment, 32), unb64(sig, 64))
    if gave not in GAVE or (gave == "plain") != bool(rest):
        raise ValueError(row)
    return Joined(seat, gave, text=one_line(rest[0]) if rest else "")


class Opened(NamedTuple):
    """A contribution, opened: 32 bytes, signed with the key of its seat."""

    seat: str
    r: bytes
    sig: bytes

    def row(self) -> str:
        """The row of the deal."""
        return f"{self.seat} {b64(self.r)} {b64(self.sig)}"


def read_opened(row: str) -> Opened:
    """Read it back; ValueError or BadInput where it is none."""
    seat, r, sig = row.split(" ")
    return Opened(seat, unb64(r, 32), unb64(sig, 64))


Pairs = tuple[tuple[str, str], ...]


def read_given(seats: tuple[str, ...], pairs: Pairs) -> Pairs:
    """One of each seat, in turn order, of a class that there is; ValueError where it is not."""
    if [seat for seat, _ in pairs] != list(seats) or {kind for _, kind in pairs} - set(CLASSES):
        raise ValueError("contributions")
    return pairs


def read_answered(seats: tuple[str, ...], pairs: Pairs) -> tuple[tuple[str, int], ...]:
    """How many questions each seat has answered, in turn order; ValueError where not."""
    counts = tuple((seat, read_number(text)) for seat, text in pairs)
    if [seat for seat, _ in pairs] != list(seats) or min((k for _, k in counts), default=0) < 0:
        raise ValueError("answered")
    return counts
