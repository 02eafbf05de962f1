"""What a player gives to the deal: a commitment first, then, to one roster, what was committed.

What must never be here: files, mail, the referee's secret.
Laws: a contribution is bound to one genesis and one seat before anybody knows another's; it is
opened to one roster only, one that holds the commitment (P4).
Source: docs/SPECIFICATION.md section 6.
"""

from typing import NamedTuple

from pbem.chain.contributions import SEALED, Joined, Opened
from pbem.chain.people import Seated
from pbem.chain.sources import KEY
from pbem.crypto.encoding import b64, digest, pae, unb64
from pbem.crypto.signing import PrivateKey, private_key, public_key, sign, verify
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.play.pending_orders import MOST

R_SIZE = 32  #: bytes of a contribution
HINT = "put the file back from a copy; without it this seat's orders cannot be signed here"


class Keyring(NamedTuple):
    """The secrets of one seat. Never shown, never sent: only what they sign is."""

    game: str  #: the game's id
    seat: str
    seed: bytes  #: of the Ed25519 key, 32 bytes
    r: bytes = b""  #: the contribution to the deal, b"" where none was given
    opened: bytes = b""  #: head of the one roster it was opened to, b"" before that
    nr: int = 0  #: the number of the newest orders that were signed
    referee: bytes = b""  #: the key that signed the game's genesis, where that was answered here

    @property
    def signing(self) -> PrivateKey:
        """What signs in this seat's name."""
        return private_key(self.seed)

    @property
    def public(self) -> bytes:
        """The public half, as it stands in the roster."""
        return public_key(self.signing)


def encode_keyring(ring: Keyring) -> bytes:
    """The file: only what is there."""
    document = {"pbem": 1, "game": ring.game, "seat": ring.seat, "private": b64(ring.seed)}
    more = {"r": b64(ring.r), "opened": b64(ring.opened), "nr": ring.nr}
    more |= {"referee": b64(ring.referee)}
    return state_file.dump(document | {key: value for key, value in more.items() if value})


def decode_keyring(data: bytes, game: str, seat: str) -> Keyring:
    """Read it back; BadInput ``keyring/…`` (nothing of it is quoted) where it is damaged."""
    try:
        reader = TableReader(state_file.parse(data), "")
        reader.number("pbem", 1, 1)
        ring = Keyring(
            reader.text("game"),
            reader.text("seat"),
            unb64(reader.text("private"), 32),
            unb64(reader.maybe_text("r") or "", 32) if reader.has("r") else b"",
            unb64(reader.maybe_text("opened") or "", 32) if reader.has("opened") else b"",
            reader.maybe_number("nr", 0, MOST) or 0,
            unb64(reader.maybe_text("referee") or "", 32) if reader.has("referee") else b"",
        )
        reader.done()
    except BadInput:
        raise BadInput("keyring/damaged", f"your key for {seat} is damaged", HINT) from None
    if (ring.game, ring.seat) != (game, seat):
        raise BadInput("keyring/other", f"the key kept for {seat} is of another game or seat", HINT)
    return ring


def commitment(head: bytes, seat: str, r: bytes) -> bytes:
    """c of a contribution r (32 bytes) to the game with this genesis head. Public."""
    return digest(pae("pbem/1/contribution", head, seat, r))


def joined(head: bytes, seat: str, r: bytes, key: PrivateKey, public: bytes) -> Joined:
    """A player's answer to the invitation whose genesis has this head."""
    c = commitment(head, seat, r)
    return Joined(seat, SEALED, public, c, sign(key, "join", head, seat, public, c))


def opened(head: bytes, seat: str, r: bytes, key: PrivateKey) -> Opened:
    """A player's contribution, opened to the roster with this head: whoever sees it knows r."""
    return Opened(seat, r, sign(key, "opening", head, seat, r))


def genuine(head: bytes, answer: Joined) -> bool:
    """Whether an answer with a key was signed with that key, for this genesis and this seat."""
    return verify(answer.key, "join", answer.sig, head, answer.seat, answer.key, answer.commitment)


def seated(people: tuple[Seated, ...], roster: tuple[Joined, ...]) -> tuple[Seated, ...]:
    """Who sits where from the roster on: anyone who gave a key is identified by it."""
    return tuple(
        player._replace(identified=KEY.name, key=gave.key) if gave.sealed else player
        for player, gave in zip(people, roster, strict=True)
    )


def wrong_keys(people: tuple[Seated, ...], n: int, given_up: bool = False) -> str:
    """What is wrong with the players' keys in state ``n``; "" if nothing.

    A key that was there before its player joined would be the referee's own; a seat that is known
    by a key and has none, nobody can play. ``given_up``: the game was closed instead of dealt.
    """
    keys = [player.key for player in people if player.key]
    if len(set(keys)) != len(keys):
        return "has one key at two seats"
    if not n and (keys or any(player.since for player in people)):
        return "has keys of players before any of them has joined"
    without = [player.seat for player in people if player.way.key and not player.key]
    if n and without and not given_up:
        return f"has no key for {without[0]}, who is identified by a key"
    return ""


def wrong_roster(head: bytes, roster: tuple[Joined, ...], seats: tuple[str, ...]) -> str:
    """What is wrong with a roster that follows the genesis of this head; "" if nothing."""
    if tuple(answer.seat for answer in roster) != seats:
        return "does not say of every seat what it answered"
    for answer in roster:
        if answer.sealed and not genuine(head, answer):
            return f"has an answer of {answer.seat} that was not signed with the key in it"
    keys = [answer.key for answer in roster if answer.sealed]
    return "has one key at two seats" if len(set(keys)) != len(keys) else ""


def wrong_opening(head0: bytes, head1: bytes, opening: Opened, roster: tuple[Joined, ...]) -> str:
    """What is wrong with one contribution as opened; "" if nothing."""
    told = next((row for row in roster if row.seat == opening.seat and row.sealed), None)
    if told is None:
        return f"opens a contribution of {opening.seat}, who committed to none"
    if commitment(head0, opening.seat, opening.r) != told.commitment:
        return f"opens another contribution of {opening.seat} than was committed to"
    if not verify(told.key, "opening", opening.sig, head1, opening.seat, opening.r):
        whose = f"has a contribution of {opening.seat}"
        return f"{whose} that was not opened with his key to this roster"
    return ""


def wrong_openings(
    head0: bytes, head1: bytes, given: tuple[Opened, ...], roster: tuple[Joined, ...]
) -> str:
    """What is wrong with the contributions of a deal; "" if all of them are there, each once."""
    if [one.seat for one in given] != [answer.seat for answer in roster if answer.sealed]:
        return "is dealt without the contributions of all who committed to one"
    found = (wrong_opening(head0, head1, one, roster) for one in given)
    return next(filter(None, found), "")


def wrong_deal(
    head0: bytes | None,
    head1: bytes,
    given: tuple[Opened, ...],
    told: tuple[tuple[str, str], ...],
    roster: tuple[Joined, ...],
) -> str:
    """What is wrong with what a deal says of the contributions; no ``head0``: left unchecked."""
    if wrong := wrong_openings(head0, head1, given, roster) if head0 is not None else "":
        return wrong
    same = told == tuple((answer.seat, answer.given) for answer in roster)
    return "" if same else "tells otherwise than the roster what each seat gave"
