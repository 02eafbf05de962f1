"""The bytes of a state: signing, verifying and hashing them.

Not allowed here: files, rules.
Law: nothing is parsed before its signature is verified.
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

_FIRST_REFEREE = re.compile(rb'"0 ([A-Za-z0-9_-]{43})(?: [A-Za-z0-9_-]{43}){3} - -"')  # the row of the first referee
_STATE_NUMBER = re.compile(rb"pbem = 1\nn = ([0-9]{1,6})\n")
_REFEREE_ROW = re.compile(rb'"([0-9]{1,6}(?: [A-Za-z0-9_-]{43}){4} (?:acting|recovery) [A-Za-z0-9_-]{86})"')
BACKUP_HINT = f"{GET_AGAIN_HINT}, or from a backup"


def state_hash_of(raw: bytes) -> bytes:
    """Return the hash of a state: that of its whole file, as sha256sum shows it."""
    return digest(raw)


def read_unverified_record(raw: bytes) -> StateRecord:
    """Return the record of a state file without checking its signature. Only for bytes whose hash a
    verified state names. Raises BadInput ``state/…`` or ``document/…``.
    """
    return read_record(state_file.parse(state_file.split(raw).body))


def state_hash_words(state_hash: bytes) -> str:
    """Return the check words: the first 96 bits of a state hash as six words for people."""
    return "-".join(spoken_words(state_hash[:12]))


def sign_state(body: bytes, signing_key: PrivateKey, public_key: bytes) -> bytes:
    """Return a state file: the body with its key and signature."""
    return state_file.join(body, key_id(public_key), b64(sign(signing_key, "state", body)))


def read_verified_body(raw: bytes, public_key: bytes, label: str = "this state") -> bytes:
    """Return the body of a state file that ``public_key`` signed. ``label`` is what errors call the
    state. Raises BadInput ``state/…`` if it is not a state file, Refused ``state/other-key`` or
    ``state/not-genuine`` if the signature is not valid.
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
    except BadInput:  # not canonical base64url
        is_genuine = False
    if not is_genuine:
        message = f"{label} was changed after the referee signed it"
        raise Refused("state/not-genuine", message, BACKUP_HINT)
    return parts.body


def read_verified_record(raw: bytes, public_key: bytes, label: str = "this state") -> StateRecord:
    """Verify a state file, then parse it. ``label`` is what errors call the state. Raises what
    ``read_verified_body`` raises, BadInput ``document/…``, and Refused ``state/spelling`` if pbem
    would write the document in another way.
    """
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
    """List everything in a document, in its order."""
    return [(key, [*value.items()] if isinstance(value, dict) else value) for key, value in document.items()]


def _spelling_error(body: bytes, record: StateRecord) -> Refused:
    """Return the error for a body that differs from what pbem writes, which could hide something."""
    try:
        expected = state_file.encode_canonical(write_record(record))
        pairs = itertools.zip_longest(body.split(b"\n"), expected.split(b"\n"))
        number = next((n for n, (line, expected_line) in enumerate(pairs, 1) if line != expected_line), 0)
        message = f": line {number} is not written as a state is written"
    except ValueError as error:
        message = f" holds what no state may: {str(error)[:60]}"
    return Refused("state/spelling", f"state {record.n}{message}", GET_AGAIN_HINT)


def signer_of(raw: bytes, rows: tuple[RefereeKeys, ...], game_id: str, number: int) -> bytes:
    """Return the public key that must sign state ``number``, given the referees of the state
    before. The recovery key may appoint a new signer in that very state. That row is searched for
    in the unparsed bytes.
    """
    for row in _find_referee_rows(state_file.split(raw).body):
        is_new = row.since == number and row.appointed_by == RECOVERY
        if is_new and row.may_follow(rows[-1], game_id):
            return row.acting
    return keys_in_force(rows, number).acting


def _find_referee_rows(body: bytes) -> Iterator[RefereeKeys]:
    """Yield the referee rows after the first that occur in an unverified body."""
    for match in _REFEREE_ROW.finditer(body):
        try:
            yield REFEREES.read_row(match[1].decode("ascii"))
        except (ValueError, LookupError, BadInput):
            continue


def read_succession(raw: bytes, first_row: RefereeKeys, game_id: str) -> tuple[RefereeKeys, ...]:
    """Return the referees that a state names, each appointed by the one before. Every row is signed
    by itself, so the bytes need not be verified.
    """
    rows = [first_row]
    for row in _find_referee_rows(state_file.split(raw).body):
        if row.may_follow(rows[-1], game_id):
            rows.append(row)
    return tuple(rows)


def claimed_state_number(raw: bytes) -> int:
    """Return the number that an unverified state gives itself; 0 if it gives none."""
    match = _STATE_NUMBER.match(raw)
    return int(match[1]) if match else 0


def read_self_signed_record(raw: bytes, label: str = "the genesis") -> StateRecord:
    """Return the record of a state that is signed by the first key it names, as a genesis is. The
    key is searched for in the bytes, which are parsed only once its signature is verified.
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
