"""What a player gives to the deal: a commitment first, then, to one roster, what was committed.

What must never be here: files, mail, the referee's secret.
Laws: a contribution is bound to one genesis and one seat before anybody knows another's; it is
opened to one roster only, one that holds the commitment (P4).
Source: docs/SPECIFICATION.md section 6.
"""

from typing import NamedTuple

from pbem.chain.people import SEALED, OpenedContribution, RosterEntry, SeatedPlayer
from pbem.chain.sources import KEY
from pbem.crypto.encoding import b64, digest, pae, unb64
from pbem.crypto.signing import PrivateKey, private_key, public_key, sign, verify
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.play.pending_orders import MAX_COUNTER

CONTRIBUTION_SIZE = 32  #: bytes of a contribution
RESTORE_HINT = "put the file back from a copy; without it this seat's orders cannot be signed here"


class Keyring(NamedTuple):
    """The secrets of one seat. Never shown, never sent: only what they sign is."""

    game: str  #: the game's id
    seat: str
    seed: bytes  #: of the Ed25519 key, 32 bytes
    contribution: bytes = b""  #: the contribution to the deal, b"" where none was given
    opened_roster_hash: bytes = b""  #: head of the one roster it was opened to, b"" before that
    last_email_number: int = 0  #: the number of the newest orders that were signed
    referee_key: bytes = b""  #: the key that signed the game's genesis, where that was answered here

    @property
    def signing(self) -> PrivateKey:
        """What signs in this seat's name."""
        return private_key(self.seed)

    @property
    def public(self) -> bytes:
        """The public half, as it stands in the roster."""
        return public_key(self.signing)


def encode_keyring(keyring: Keyring) -> bytes:
    """The file: only what is there."""
    document = {"pbem": 1, "game": keyring.game, "seat": keyring.seat, "private": b64(keyring.seed)}
    optional_fields = {
        "r": b64(keyring.contribution),
        "opened": b64(keyring.opened_roster_hash),
        "nr": keyring.last_email_number,
    }
    optional_fields |= {"referee": b64(keyring.referee_key)}
    return state_file.dump(document | {key: value for key, value in optional_fields.items() if value})


def decode_keyring(data: bytes, game: str, seat: str) -> Keyring:
    """Read it back; BadInput ``keyring/…`` (nothing of it is quoted) where it is damaged."""
    try:
        reader = TableReader(state_file.parse(data), "")
        reader.number("pbem", 1, 1)
        keyring = Keyring(
            reader.text("game"),
            reader.text("seat"),
            unb64(reader.text("private"), 32),
            unb64(reader.maybe_text("r") or "", 32) if reader.has_key("r") else b"",
            unb64(reader.maybe_text("opened") or "", 32) if reader.has_key("opened") else b"",
            reader.maybe_number("nr", 0, MAX_COUNTER) or 0,
            unb64(reader.maybe_text("referee") or "", 32) if reader.has_key("referee") else b"",
        )
        reader.refuse_unknown_keys()
    except BadInput:
        raise BadInput("keyring/damaged", f"your key for {seat} is damaged", RESTORE_HINT) from None
    if (keyring.game, keyring.seat) != (game, seat):
        raise BadInput("keyring/other", f"the key kept for {seat} is of another game or seat", RESTORE_HINT)
    return keyring


def compute_commitment(genesis_hash: bytes, seat: str, contribution: bytes) -> bytes:
    """c of a contribution r (32 bytes) to the game with this genesis head. Public."""
    return digest(pae("pbem/1/contribution", genesis_hash, seat, contribution))


def make_join_answer(
    genesis_hash: bytes, seat: str, contribution: bytes, key: PrivateKey, public: bytes
) -> RosterEntry:
    """A player's answer to the invitation whose genesis has this head."""
    commitment_bytes = compute_commitment(genesis_hash, seat, contribution)
    return RosterEntry(
        seat, SEALED, public, commitment_bytes, sign(key, "join", genesis_hash, seat, public, commitment_bytes)
    )


def open_contribution(roster_hash: bytes, seat: str, contribution: bytes, key: PrivateKey) -> OpenedContribution:
    """A player's contribution, opened to the roster with this head: whoever sees it knows r."""
    return OpenedContribution(seat, contribution, sign(key, "opening", roster_hash, seat, contribution))


def is_genuine_join(genesis_hash: bytes, answer: RosterEntry) -> bool:
    """Whether an answer with a key was signed with that key, for this genesis and this seat."""
    return verify(answer.key, "join", answer.signature, genesis_hash, answer.seat, answer.key, answer.commitment)


def seat_players(people: tuple[SeatedPlayer, ...], roster: tuple[RosterEntry, ...]) -> tuple[SeatedPlayer, ...]:
    """Who sits where from the roster on: anyone who gave a key is identified by it."""
    return tuple(
        player._replace(method_name=KEY.name, key=answer.key) if answer.is_sealed else player
        for player, answer in zip(people, roster, strict=True)
    )


def find_key_fault(people: tuple[SeatedPlayer, ...], state_number: int, was_given_up: bool = False) -> str:
    """What is wrong with the players' keys in state ``state_number``; "" if nothing.

    A key that was there before its player joined would be the referee's own; a seat that is known
    by a key and has none, nobody can play. ``was_given_up``: the game was closed instead of dealt.
    """
    keys = [player.key for player in people if player.key]
    if len(set(keys)) != len(keys):
        return "has one key at two seats"
    if not state_number and (keys or any(player.orders_since for player in people)):
        return "has keys of players before any of them has joined"
    keyless_seats = [player.seat for player in people if player.method.key and not player.key]
    if state_number and keyless_seats and not was_given_up:
        return f"has no key for {keyless_seats[0]}, who is identified by a key"
    return ""


def find_roster_fault(genesis_hash: bytes, roster: tuple[RosterEntry, ...], seats: tuple[str, ...]) -> str:
    """What is wrong with a roster that follows the genesis of this head; "" if nothing."""
    if tuple(answer.seat for answer in roster) != seats:
        return "does not say of every seat what it answered"
    for answer in roster:
        if answer.is_sealed and not is_genuine_join(genesis_hash, answer):
            return f"has an answer of {answer.seat} that was not signed with the key in it"
    keys = [answer.key for answer in roster if answer.is_sealed]
    return "has one key at two seats" if len(set(keys)) != len(keys) else ""


def find_opening_fault(
    genesis_hash: bytes, roster_hash: bytes, opening: OpenedContribution, roster: tuple[RosterEntry, ...]
) -> str:
    """What is wrong with one contribution as opened; "" if nothing."""
    committed_answer = next((row for row in roster if row.seat == opening.seat and row.is_sealed), None)
    if committed_answer is None:
        return f"opens a contribution of {opening.seat}, who committed to none"
    if compute_commitment(genesis_hash, opening.seat, opening.random_bytes) != committed_answer.commitment:
        return f"opens another contribution of {opening.seat} than was committed to"
    if not verify(committed_answer.key, "opening", opening.signature, roster_hash, opening.seat, opening.random_bytes):
        prefix = f"has a contribution of {opening.seat}"
        return f"{prefix} that was not opened with his key to this roster"
    return ""


def find_openings_fault(
    genesis_hash: bytes, roster_hash: bytes, openings: tuple[OpenedContribution, ...], roster: tuple[RosterEntry, ...]
) -> str:
    """What is wrong with the contributions of a deal; "" if all of them are there, each once."""
    if [opening.seat for opening in openings] != [answer.seat for answer in roster if answer.is_sealed]:
        return "is dealt without the contributions of all who committed to one"
    faults = (find_opening_fault(genesis_hash, roster_hash, opening, roster) for opening in openings)
    return next(filter(None, faults), "")


def find_deal_fault(
    genesis_hash: bytes | None,
    roster_hash: bytes,
    openings: tuple[OpenedContribution, ...],
    contribution_kinds: tuple[tuple[str, str], ...],
    roster: tuple[RosterEntry, ...],
) -> str:
    """What is wrong with what a deal says of the contributions; no ``genesis_hash``: left unchecked."""
    if fault := find_openings_fault(genesis_hash, roster_hash, openings, roster) if genesis_hash is not None else "":
        return fault
    is_same = contribution_kinds == tuple((answer.seat, answer.deal_class) for answer in roster)
    return "" if is_same else "tells otherwise than the roster what each seat gave"
