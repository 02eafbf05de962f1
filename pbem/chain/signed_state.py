"""Bytes of a state: signed, verified, hashed. Nothing is parsed before its signature holds.

What must never be here: files, rules.
Source: docs/SPECIFICATION.md section 5; P1.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.chain.referees import RECOVERY, REFEREES, RefereeKeys, keys_in_force
from pbem.chain.rows import GET_AGAIN_HINT
from pbem.chain.state_record import StateRecord, read_record, write_record
from pbem.crypto.encoding import b64, digest, spoken_words, unb64
from pbem.crypto.signing import PrivateKey, key_id, sign, verify
from pbem.errors import BadInput, Refused
from pbem.formats import state_file

_FIRST_REFEREE = re.compile(rb'"0 ([A-Za-z0-9_-]{43})(?: [A-Za-z0-9_-]{43}){3} - -"')  # the first referee
_STATE_NUMBER = re.compile(rb"pbem = 1\nn = ([0-9]{1,6})\n")
_REFEREE_ROW = re.compile(rb'"([0-9]{1,6}(?: [A-Za-z0-9_-]{43}){4} (?:acting|recovery) [A-Za-z0-9_-]{86})"')
BACKUP_HINT = f"{GET_AGAIN_HINT}, or from a backup"


def state_hash_of(raw: bytes) -> bytes:
    """The head of a link: H of the whole file, tail included, what sha256sum shows."""
    return digest(raw)


def read_unverified_record(raw: bytes) -> StateRecord:
    """The link in a state file, its signature not looked at: for bytes whose head a state names
    that was verified. BadInput ``state/…`` or ``document/…``.
    """
    return read_record(state_file.parse(state_file.split(raw).body))


def state_hash_words(state_hash: bytes) -> str:
    """The first 96 bits of a head in six words: for people, who compare them by eye or ear."""
    return "-".join(spoken_words(state_hash[:12]))


def sign_state(body: bytes, signing_key: PrivateKey, public_key: bytes) -> bytes:
    """A state file: the body with its tail."""
    return state_file.join(body, key_id(public_key), b64(sign(signing_key, "state", body)))


def read_verified_body(raw: bytes, public_key: bytes, label: str = "this state") -> bytes:
    """The body of a state file that ``public_key`` signed.

    BadInput ``state/…`` where it is no state file, Refused ``state/other-key`` or
    ``state/not-genuine`` where the signature does not hold.
    """
    parts = state_file.split(raw)
    if parts.key != key_id(public_key):
        raise Refused(
            "state/other-key",
            f"{label} is signed by key {parts.key}, not by the referee's key {key_id(public_key)}",
            "is it a state of this game, and is this the right key? `pbem key show` names yours",
        )
    try:
        is_genuine = verify(public_key, "state", unb64(parts.sig, 64), parts.body)
    except BadInput:  # not canonical base64url: no signature at all
        is_genuine = False
    if not is_genuine:
        message = f"{label} was changed after the referee signed it"
        raise Refused("state/not-genuine", message, BACKUP_HINT)
    return parts.body


def read_verified_record(raw: bytes, public_key: bytes, label: str = "this state") -> StateRecord:
    """The link of a state file, verified and then parsed; ``label`` it is called in errors."""
    body = read_verified_body(raw, public_key, label)
    try:
        document = state_file.parse(body)
        record = read_record(document, label if label[-1:].isdigit() else "")
        if not state_file.is_canonical(body) or _ordered_items(write_record(record)) != _ordered_items(document):
            raise _spelling_error(body, record)
    except BadInput as error:
        if label[-1:].isdigit() and not error.message.startswith(f"{label}: "):
            raise BadInput(error.code, f"{label}: {error.message}", error.hint) from error
        raise
    if public_key not in {row.acting for row in record.referees if row.since <= record.n}:
        message = f"{label} is signed by a key that its referees do not have"
        raise Refused("state/not-genuine", message, BACKUP_HINT)
    return record


def _ordered_items(document: Mapping[str, Any]) -> list[Any]:
    """All that a document says, in its order."""
    return [(key, [*value.items()] if isinstance(value, dict) else value) for key, value in document.items()]


def _spelling_error(body: bytes, record: StateRecord) -> Refused:
    """Why a body is not as we write its link: where nothing differs, nothing hides."""
    try:
        expected = state_file.encode_canonical(write_record(record))
        pairs = itertools.zip_longest(body.split(b"\n"), expected.split(b"\n"))
        number = next((n for n, (line, expected_line) in enumerate(pairs, 1) if line != expected_line), 0)
        message = f": line {number} is not written as a state is written"
    except ValueError as error:
        message = f" holds what no state may: {str(error)[:60]}"
    return Refused("state/spelling", f"state {record.n}{message}", GET_AGAIN_HINT)


def signer_of(raw: bytes, rows: tuple[RefereeKeys, ...], game_id: str, number: int) -> bytes:
    """The public key by which state n must be signed, after the rows of the state before.

    It appoints its own signer where the recovery key does: that row is looked up in the bytes,
    which are not parsed before its signature holds.
    """
    for row in _find_referee_rows(state_file.split(raw).body):
        is_new = row.since == number and row.appointed_by == RECOVERY
        if is_new and row.may_follow(rows[-1], game_id):
            return row.acting
    return keys_in_force(rows, number).acting


def _find_referee_rows(body: bytes) -> Iterator[RefereeKeys]:
    """Rows of referees after the first, looked up in bytes whose signature was not checked yet."""
    for match in _REFEREE_ROW.finditer(body):
        try:
            yield REFEREES.read_row(match[1].decode("ascii"))
        except (ValueError, LookupError, BadInput):
            continue


def read_succession(raw: bytes, first_row: RefereeKeys, game_id: str) -> tuple[RefereeKeys, ...]:
    """The referees that a state names, each appointed by the one before, from the first one on.

    Each row vouches for itself, by the signature in it.
    """
    rows = [first_row]
    for row in _find_referee_rows(state_file.split(raw).body):
        if row.may_follow(rows[-1], game_id):
            rows.append(row)
    return tuple(rows)


def claimed_state_number(raw: bytes) -> int:
    """What number a state gives itself, before it is verified; 0 where it gives none."""
    match = _STATE_NUMBER.match(raw)
    return int(match[1]) if match else 0


def read_self_signed_record(raw: bytes, label: str = "the genesis") -> StateRecord:
    """The link of a state signed by the very key it names: how a genesis vouches for itself.

    The key is looked up in the bytes; they are parsed only when its signature holds.
    """
    parts = state_file.split(raw)
    for match in _FIRST_REFEREE.finditer(parts.body):
        try:
            public_key = unb64(match[1].decode("ascii"), 32)
        except BadInput:
            continue
        if key_id(public_key) == parts.key:
            return read_verified_record(raw, public_key, label)
    message = f"{label} is not signed by the key that it names"
    raise Refused("state/not-genuine", message, BACKUP_HINT)
