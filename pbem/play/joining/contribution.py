"""Commit a player's secret contribution to the deal, open it later, and verify both.

So that nobody can choose the deal, each player with a key first commits to random bytes. After the
roster is closed, the player opens them: publishes them, signed for that one roster.

Not allowed here: files, emails, the referee's secret.
Source: docs/SPECIFICATION.md section 6; P4.
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

CONTRIBUTION_SIZE = 32  #: bytes
RESTORE_HINT = "put the file back from a copy; without it this seat's orders cannot be signed here"


class Keyring(NamedTuple):
    """The secrets of one seat. Only what they sign is shown or sent, and in time the contribution."""

    game: str  #: the game's id
    seat: str
    seed: bytes  #: of the Ed25519 key, 32 bytes
    contribution: bytes = b""  #: b"" if none was given
    opened_roster_hash: bytes = b""  #: the only roster to which it was opened; b"" before that
    last_email_number: int = 0  #: of the newest signed orders
    referee_key: bytes = b""  #: the key that signed the genesis, if the invitation was answered on this machine

    @property
    def signing(self) -> PrivateKey:
        """Return the private key, which signs in this seat's name."""
        return private_key(self.seed)

    @property
    def public(self) -> bytes:
        """Return the public key, as it is in the roster."""
        return public_key(self.signing)


def encode_keyring(keyring: Keyring) -> bytes:
    """Return the file of a keyring. Empty fields are left out."""
    document = {"pbem": 1, "game": keyring.game, "seat": keyring.seat, "private": b64(keyring.seed)}
    optional_fields = {
        "r": b64(keyring.contribution),
        "opened": b64(keyring.opened_roster_hash),
        "nr": keyring.last_email_number,
        "referee": b64(keyring.referee_key),
    }
    return state_file.dump(document | {key: value for key, value in optional_fields.items() if value})


def decode_keyring(data: bytes, game: str, seat: str) -> Keyring:
    """Read a keyring from its file. Raises BadInput ``keyring/…``, which quotes nothing from the file."""
    try:
        reader = TableReader(state_file.parse(data), "")
        reader.number("pbem", 1, 1)
        keyring = Keyring(
            game=reader.text("game"),
            seat=reader.text("seat"),
            seed=unb64(reader.text("private"), 32),
            contribution=_read_optional_bytes(reader, "r"),
            opened_roster_hash=_read_optional_bytes(reader, "opened"),
            last_email_number=reader.maybe_number("nr", 0, MAX_COUNTER) or 0,
            referee_key=_read_optional_bytes(reader, "referee"),
        )
        reader.refuse_unknown_keys()
    except BadInput:
        raise BadInput("keyring/damaged", f"your key for {seat} is damaged", RESTORE_HINT) from None
    if (keyring.game, keyring.seat) != (game, seat):
        raise BadInput("keyring/other", f"the key kept for {seat} is of another game or seat", RESTORE_HINT)
    return keyring


def _read_optional_bytes(reader: TableReader, key: str) -> bytes:
    """Read a value of 32 bytes; b"" if the file does not have the key."""
    return unb64(reader.maybe_text(key) or "", 32) if reader.has_key(key) else b""


def compute_commitment(genesis_hash: bytes, seat: str, contribution: bytes) -> bytes:
    """Return the public commitment to a contribution of 32 bytes. It is valid for one genesis and seat only."""
    return digest(pae("pbem/1/contribution", genesis_hash, seat, contribution))


def make_join_answer(
    genesis_hash: bytes, seat: str, contribution: bytes, key: PrivateKey, public: bytes
) -> RosterEntry:
    """Return a player's signed answer to the invitation with this genesis."""
    commitment = compute_commitment(genesis_hash, seat, contribution)
    signature = sign(key, "join", genesis_hash, seat, public, commitment)
    return RosterEntry(seat, SEALED, public, commitment, signature)


def open_contribution(roster_hash: bytes, seat: str, contribution: bytes, key: PrivateKey) -> OpenedContribution:
    """Open a contribution to this roster. Anyone who sees the result knows the contribution."""
    return OpenedContribution(seat, contribution, sign(key, "opening", roster_hash, seat, contribution))


def is_genuine_join(genesis_hash: bytes, answer: RosterEntry) -> bool:
    """Return whether an answer with a key was signed with that key for this genesis and seat."""
    return verify(answer.key, "join", answer.signature, genesis_hash, answer.seat, answer.key, answer.commitment)


def seat_players(people: tuple[SeatedPlayer, ...], roster: tuple[RosterEntry, ...]) -> tuple[SeatedPlayer, ...]:
    """Return the players from the roster on. Anyone who gave a key is identified by it."""
    return tuple(
        player._replace(method_name=KEY.name, key=answer.key) if answer.is_sealed else player
        for player, answer in zip(people, roster, strict=True)
    )


def find_key_fault(people: tuple[SeatedPlayer, ...], state_number: int, was_given_up: bool = False) -> str:
    """Return the fault of the players' keys in state ``state_number``; "" if there is none.

    A key in the genesis, before its player has joined, could only be the referee's own. Nobody can
    play a seat that is identified by a key but has none. ``was_given_up``: the round was cancelled.
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
    """Return the fault of a roster that follows this genesis; "" if there is none."""
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
    """Return the fault of one opened contribution; "" if there is none."""
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
    """Return the fault of the opened contributions of a deal; "" if each committed seat opened its own."""
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
    """Return the fault of the contributions in a deal; "" if there is none. ``genesis_hash`` may be unknown."""
    if genesis_hash is not None:
        fault = find_openings_fault(genesis_hash, roster_hash, openings, roster)
        if fault:
            return fault
    is_same = contribution_kinds == tuple((answer.seat, answer.deal_class) for answer in roster)
    return "" if is_same else "tells otherwise than the roster what each seat gave"
