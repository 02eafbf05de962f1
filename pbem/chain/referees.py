"""The keys by which a game is signed: the rows of its referees, and who may follow whom.

What must never be here: a private key that is kept; the ruling that appoints
(chain/rulings/people.py).
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.chain.rows import BYTES_64, NUMBER, WORD, Cell, Shape, or_dash
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, may_sign, may_wrap, sign, verify
from pbem.errors import Refused

ACTING, RECOVERY = "acting", "recovery"
#: who appointed a referee, in words
APPOINTED = {ACTING: "by the referee before", RECOVERY: "by the recovery key"}


class Referees(NamedTuple):
    """The keys from state ``since`` on: of each referee the Ed25519 and the X25519 half."""

    since: int
    acting: bytes
    acting_wrap: bytes
    recovery: bytes
    recovery_wrap: bytes
    by: str = ""  #: which key of the row before signed it; "" in the genesis
    sig: bytes = b""

    @property
    def added(self) -> int:
        """The state that brings it."""
        return self.since - (self.by == ACTING)

    def signed_by(self, by: str, key: PrivateKey, game: str) -> "Referees":
        """The row with its signature; ``key`` is that which ``by`` names."""
        return self._replace(by=by, sig=sign(key, "keys", *self._parts(game)))

    def _parts(self, game: str) -> tuple[str | int | bytes, ...]:
        keys = (self.acting, self.acting_wrap, self.recovery, self.recovery_wrap)
        return (game, self.since, *keys)

    def follows(self, before: "Referees", game: str) -> bool:
        """Whether this row may come after that one: later, signed, and no more than it may.

        A recovery may be of the state for which the row before was made: else whoever has stolen an
        acting key, and hands over in each state, could never be stopped.
        """
        later = self.since >= before.since + (self.by == ACTING)
        if not later or self.by not in (ACTING, RECOVERY):
            return False
        kept = (before.recovery, before.recovery_wrap)
        if self.by == ACTING and (self.recovery, self.recovery_wrap) != kept:
            return False
        signer = before.acting if self.by == ACTING else before.recovery
        return verify(signer, "keys", self.sig, *self._parts(game))


def _key(good: Callable[[bytes], bool]) -> Cell:
    """A public key, and none that is anybody's."""

    def read(text: str) -> bytes:
        if not good(key := unb64(text, 32)):
            raise ValueError(text)
        return key

    return Cell(b64, read)


SIGNS, WRAPS_TO = _key(may_sign), _key(may_wrap)
REFEREES = Shape(
    "referees",
    Referees,
    ("since", NUMBER),
    ("acting-sign", SIGNS),
    ("acting-wrap", WRAPS_TO),
    ("recovery-sign", SIGNS),
    ("recovery-wrap", WRAPS_TO),
    ("by", or_dash(WORD, "")),
    ("sig", or_dash(BYTES_64, b"")),
    # a recovery key that is used each day recovers nothing
    check=lambda row: row.acting != row.recovery and row.acting_wrap != row.recovery_wrap,
)


def in_force(rows: tuple[Referees, ...], n: int) -> Referees:
    """The row by which state ``n`` is signed: of two that began together, the later one."""
    return max((row for row in reversed(rows) if row.since <= n), key=lambda row: row.since)


def wrong_succession(
    rows: tuple[Referees, ...], before: tuple[Referees, ...] | None, game: str, n: int
) -> str:
    """What is wrong with the rows of state ``n``, after those of the state before; "" if nothing.

    Without the state before (None), each row must follow the one above it from the genesis on.
    """
    known = rows[:1] if before is None else before
    if not rows or rows[: len(known)] != known or rows[0].since or rows[0].by:
        return "changes the referees of the past"
    if before is not None and len(rows) > len(known) + 1:
        return "appoints two referees at once"
    last = known[-1]
    for row in rows[len(known) :]:
        if not row.follows(last, game):
            return "names a referee whom no referee before him appointed"
        if before is not None and row.added != n:
            return "appoints a referee for another state than the next"
        last = row
    return ""


def refuse_wrong(rows: tuple[Referees, ...], game: str, n: int) -> None:
    """Refused ``state/referees`` where a state names referees that nobody appointed."""
    wrong = wrong_succession(rows, None, game, n)
    if not n and rows[1:]:
        wrong = "names more than its first referees"
    if wrong:
        hint = "somebody else wrote it; compare it with the copies of others"
        raise Refused("state/referees", f"state {n} {wrong}", hint)
