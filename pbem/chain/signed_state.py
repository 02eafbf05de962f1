"""Bytes of a state: signed, verified, hashed. Nothing is parsed before its signature holds.

What must never be here: files, rules.
Source: docs/SPECIFICATION.md section 5; P1.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.chain.referees import RECOVERY, REFEREES, Referees, in_force
from pbem.chain.rows import AGAIN
from pbem.chain.state_record import StateRecord, read_link, write_link
from pbem.crypto.encoding import b64, digest, spoken, unb64
from pbem.crypto.signing import PrivateKey, key_id, sign, verify
from pbem.errors import BadInput, Refused
from pbem.formats import state_file

_NAMED = re.compile(rb'"0 ([A-Za-z0-9_-]{43})(?: [A-Za-z0-9_-]{43}){3} - -"')  # the first referee
_NUMBER = re.compile(rb"pbem = 1\nn = ([0-9]{1,6})\n")
_ROW = re.compile(rb'"([0-9]{1,6}(?: [A-Za-z0-9_-]{43}){4} (?:acting|recovery) [A-Za-z0-9_-]{86})"')
BACKUP = f"{AGAIN}, or from a backup"


def head_of(raw: bytes) -> bytes:
    """The head of a link: H of the whole file, tail included, what sha256sum shows."""
    return digest(raw)


def unverified_link(raw: bytes) -> StateRecord:
    """The link in a state file, its signature not looked at: for bytes whose head a state names
    that was verified. BadInput ``state/…`` or ``document/…``.
    """
    return read_link(state_file.parse(state_file.split(raw).body))


def head_words(head: bytes) -> str:
    """The first 96 bits of a head in six words: for people, who compare them by eye or ear."""
    return "-".join(spoken(head[:12]))


def sign_state(body: bytes, signing: PrivateKey, public: bytes) -> bytes:
    """A state file: the body with its tail."""
    return state_file.join(body, key_id(public), b64(sign(signing, "state", body)))


def verified_body(raw: bytes, public: bytes, what: str = "this state") -> bytes:
    """The body of a state file that ``public`` signed.

    BadInput ``state/…`` where it is no state file, Refused ``state/other-key`` or
    ``state/not-genuine`` where the signature does not hold.
    """
    cut = state_file.split(raw)
    if cut.key != key_id(public):
        raise Refused(
            "state/other-key",
            f"{what} is signed by key {cut.key}, not by the referee's key {key_id(public)}",
            "is it a state of this game, and is this the right key? `pbem key show` names yours",
        )
    try:
        genuine = verify(public, "state", unb64(cut.sig, 64), cut.body)
    except BadInput:  # not canonical base64url: no signature at all
        genuine = False
    if not genuine:
        wrong = f"{what} was changed after the referee signed it"
        raise Refused("state/not-genuine", wrong, BACKUP)
    return cut.body


def genuine_link(raw: bytes, public: bytes, what: str = "this state") -> StateRecord:
    """The link of a state file, verified and then parsed; ``what`` it is called in errors."""
    body = verified_body(raw, public, what)
    try:
        document = state_file.parse(body)
        record = read_link(document, what if what[-1:].isdigit() else "")
        if not state_file.is_spelt(body) or _order(write_link(record)) != _order(document):
            raise _misspelt(body, record)
    except BadInput as error:
        if what[-1:].isdigit() and not error.message.startswith(f"{what}: "):
            raise BadInput(error.code, f"{what}: {error.message}", error.hint) from error
        raise
    if public not in {row.acting for row in record.referees if row.since <= record.n}:
        wrong = f"{what} is signed by a key that its referees do not have"
        raise Refused("state/not-genuine", wrong, BACKUP)
    return record


def _order(document: Mapping[str, Any]) -> list[Any]:
    """All that a document says, in its order."""
    return [
        (key, [*value.items()] if isinstance(value, dict) else value)
        for key, value in document.items()
    ]


def _misspelt(body: bytes, record: StateRecord) -> Refused:
    """Why a body is not as we write its link: where nothing differs, nothing hides."""
    try:
        meant = state_file.spell(write_link(record))
        pairs = itertools.zip_longest(body.split(b"\n"), meant.split(b"\n"))
        number = next((n for n, (found, wanted) in enumerate(pairs, 1) if found != wanted), 0)
        why = f": line {number} is not written as a state is written"
    except ValueError as error:
        why = f" holds what no state may: {str(error)[:60]}"
    return Refused("state/spelling", f"state {record.n}{why}", AGAIN)


def signer_of(raw: bytes, rows: tuple[Referees, ...], game: str, n: int) -> bytes:
    """The public key by which state n must be signed, after the rows of the state before.

    It appoints its own signer where the recovery key does: that row is looked up in the bytes,
    which are not parsed before its signature holds.
    """
    for row in _referees_in(state_file.split(raw).body):
        new = row.since == n and row.by == RECOVERY
        if new and row.follows(rows[-1], game):
            return row.acting
    return in_force(rows, n).acting


def _referees_in(body: bytes) -> Iterator[Referees]:
    """Rows of referees after the first, looked up in bytes whose signature was not checked yet."""
    for found in _ROW.finditer(body):
        try:
            yield REFEREES.one(found[1].decode("ascii"))
        except (ValueError, LookupError, BadInput):
            continue


def succession(raw: bytes, first: Referees, game: str) -> tuple[Referees, ...]:
    """The referees that a state names, each appointed by the one before, from the first one on.

    Each row vouches for itself, by the signature in it.
    """
    rows = [first]
    for row in _referees_in(state_file.split(raw).body):
        if row.follows(rows[-1], game):
            rows.append(row)
    return tuple(rows)


def state_number(raw: bytes) -> int:
    """What number a state gives itself, before it is verified; 0 where it gives none."""
    found = _NUMBER.match(raw)
    return int(found[1]) if found else 0


def self_signed_link(raw: bytes, what: str = "the genesis") -> StateRecord:
    """The link of a state signed by the very key it names: how a genesis vouches for itself.

    The key is looked up in the bytes; they are parsed only when its signature holds.
    """
    cut = state_file.split(raw)
    for found in _NAMED.finditer(cut.body):
        try:
            public = unb64(found[1].decode("ascii"), 32)
        except BadInput:
            continue
        if key_id(public) == cut.key:
            return genuine_link(raw, public, what)
    wrong = f"{what} is not signed by the key that it names"
    raise Refused("state/not-genuine", wrong, BACKUP)
