"""The keys that sign a game: the rows of its referees, and who may appoint the next one.

Not allowed here: a private key; the ruling that appoints (chain/rulings/people.py).
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.chain.rows import BYTES_64, NUMBER, WORD, Cell, RowFormat, optional_cell
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, is_safe_signing_key, is_safe_wrap_key, sign, verify
from pbem.errors import Refused

ACTING, RECOVERY = "acting", "recovery"
#: who appointed a referee
APPOINTMENT_WORDS = {ACTING: "by the referee before", RECOVERY: "by the recovery key"}


class RefereeKeys(NamedTuple):
    """The keys in force from state ``since`` on, each as an Ed25519 and an X25519 half."""

    since: int
    acting: bytes
    acting_wrap: bytes
    recovery: bytes
    recovery_wrap: bytes
    appointed_by: str = ""  #: the key of the row before that signed this one; "" in the genesis
    signature: bytes = b""

    @property
    def added_in(self) -> int:
        """The number of the state that adds this row."""
        return self.since - (self.appointed_by == ACTING)

    def sign_row(self, appointed_by: str, key: PrivateKey, game_id: str) -> "RefereeKeys":
        """Return the row signed with ``key``, the key that ``appointed_by`` names."""
        return self._replace(appointed_by=appointed_by, signature=sign(key, "keys", *self._signed_parts(game_id)))

    def _signed_parts(self, game_id: str) -> tuple[str | int | bytes, ...]:
        keys = (self.acting, self.acting_wrap, self.recovery, self.recovery_wrap)
        return (game_id, self.since, *keys)

    def may_follow(self, previous: "RefereeKeys", game_id: str) -> bool:
        """Whether this row may follow ``previous``: it is later, signed, and within the signer's
        powers. A recovery may replace a row made for the same state. Otherwise a thief of the
        acting key who hands over in every state could never be stopped.
        """
        is_later = self.since >= previous.since + (self.appointed_by == ACTING)
        if not is_later or self.appointed_by not in (ACTING, RECOVERY):
            return False
        recovery_keys = (previous.recovery, previous.recovery_wrap)
        if self.appointed_by == ACTING and (self.recovery, self.recovery_wrap) != recovery_keys:
            return False
        signer = previous.acting if self.appointed_by == ACTING else previous.recovery
        return verify(signer, "keys", self.signature, *self._signed_parts(game_id))


def _key_cell(is_valid: Callable[[bytes], bool]) -> Cell:
    """A column for a public key; it refuses keys that belong to nobody."""

    def read(text: str) -> bytes:
        key = unb64(text, 32)
        if not is_valid(key):
            raise ValueError(text)
        return key

    return Cell(b64, read)


SIGNING_KEY, WRAPPING_KEY = _key_cell(is_safe_signing_key), _key_cell(is_safe_wrap_key)
REFEREES = RowFormat(
    "referees",
    RefereeKeys,
    ("since", NUMBER),
    ("acting-sign", SIGNING_KEY),
    ("acting-wrap", WRAPPING_KEY),
    ("recovery-sign", SIGNING_KEY),
    ("recovery-wrap", WRAPPING_KEY),
    ("by", optional_cell(WORD, "")),
    ("sig", optional_cell(BYTES_64, b"")),
    # a recovery key in daily use could be stolen with the acting one
    check=lambda row: row.acting != row.recovery and row.acting_wrap != row.recovery_wrap,
)


def keys_in_force(rows: tuple[RefereeKeys, ...], number: int) -> RefereeKeys:
    """Return the row whose acting key signs state ``number``: the last of those in force."""
    return max((row for row in reversed(rows) if row.since <= number), key=lambda row: row.since)


def find_succession_fault(
    rows: tuple[RefereeKeys, ...], previous_rows: tuple[RefereeKeys, ...] | None, game_id: str, number: int
) -> str:
    """Describe what is wrong with the referees of state ``number``; "" if nothing.
    ``previous_rows`` are the referees of the state before. If they are unknown (None), every row
    must follow the one before it, from the genesis on.
    """
    trusted_rows = rows[:1] if previous_rows is None else previous_rows
    if not rows or rows[: len(trusted_rows)] != trusted_rows or rows[0].since or rows[0].appointed_by:
        return "changes the referees of the past"
    if previous_rows is not None and len(rows) > len(trusted_rows) + 1:
        return "appoints two referees at once"
    last_row = trusted_rows[-1]
    for row in rows[len(trusted_rows) :]:
        if not row.may_follow(last_row, game_id):
            return "names a referee whom no referee before him appointed"
        if previous_rows is not None and row.added_in != number:
            return "appoints a referee for another state than the next"
        last_row = row
    return ""


def check_succession(rows: tuple[RefereeKeys, ...], game_id: str, number: int) -> None:
    """Raise Refused ``state/referees`` if a state names referees that nobody appointed."""
    message = find_succession_fault(rows, None, game_id, number)
    if not number and rows[1:]:
        message = "names more than its first referees"
    if message:
        hint = "somebody else wrote it; compare it with the copies of others"
        raise Refused("state/referees", f"state {number} {message}", hint)
