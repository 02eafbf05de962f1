"""What a player's own tool keeps of one seat in one game: his key, his contribution, his numbers.

What lives here: Keyring, its file (``PBEM_HOME/players/<game>/<seat>.toml``). What must never be
here: a path (disk/keyrings.py), the referee's keys, a message that quotes a secret.
Laws: what is in it is his alone and is on the drive before anything made from it is shown; a
contribution is opened to one roster only; no number of orders is used twice.
Source: docs/SPECIFICATION.md sections 6 and 9; decision 0005; FORMAT.md "A player's key".
"""

from typing import Any, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, private_key, public_key
from pbem.errors import BadInput
from pbem.files import state_file
from pbem.files.strict import Reader

MOST_NR = 10**6
HINT = "put the file back from a copy; without it this seat's orders cannot be signed here"


class Keyring(NamedTuple):
    """The secrets of one seat. Never shown, never sent: only what they sign is."""

    game: str  #: the game's id
    seat: str
    seed: bytes  #: of the Ed25519 key, 32 bytes
    r: bytes = b""  #: the contribution to the deal, b"" where none was given
    opened: bytes = b""  #: head of the one roster it was opened to, b"" before that
    nr: int = 0  #: the number of the newest orders that were signed

    @property
    def signing(self) -> PrivateKey:
        """What signs in this seat's name."""
        return private_key(self.seed)

    @property
    def public(self) -> bytes:
        """The public half, as it stands in the roster."""
        return public_key(self.signing)


def encode(ring: Keyring) -> bytes:
    """The file: only what is there."""
    document: dict[str, Any] = {"pbem": 1, "game": ring.game, "seat": ring.seat}
    document["private"] = b64(ring.seed)
    document |= {"r": b64(ring.r)} if ring.r else {}
    document |= {"opened": b64(ring.opened)} if ring.opened else {}
    document |= {"nr": ring.nr} if ring.nr else {}
    return state_file.dump(document)


def decode(data: bytes, game: str, seat: str) -> Keyring:
    """Read it back; BadInput ``keyring/…`` (nothing of it is quoted) where it is damaged."""
    try:
        reader = Reader(state_file.parse(data), "")
        reader.number("pbem", 1, 1)
        ring = Keyring(
            reader.text("game"),
            reader.text("seat"),
            unb64(reader.text("private"), 32),
            unb64(reader.maybe_text("r") or "", 32) if reader.has("r") else b"",
            unb64(reader.maybe_text("opened") or "", 32) if reader.has("opened") else b"",
            reader.maybe_number("nr", 0, MOST_NR) or 0,
        )
        reader.done()
    except BadInput:
        raise BadInput("keyring/damaged", f"your key for {seat} is damaged", HINT) from None
    if (ring.game, ring.seat) != (game, seat):
        raise BadInput("keyring/other", f"the key kept for {seat} is of another game or seat", HINT)
    return ring
