"""Who may sign: the referees' keys, and how they pass from one to the next.

What lives here: Referees (one row of the succession), who signs state n, and whether a row is
rightly there. What must never be here: files, a private key that is not handed in.
Laws: a row is signed by a key of the row before it: the acting referee hands over his own place,
the recovery key both; nobody else can add one. Every state has all rows.
Source: docs/SPECIFICATION.md section 5 (succession).
"""

from typing import NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import Refused
from pbem.moderator.chain.rows import read_number

ACTING, RECOVERY = "acting", "recovery"
PARTS = 7


class Referees(NamedTuple):
    """The keys from state ``since`` on: of each referee the Ed25519 and the X25519 half."""

    since: int
    acting: bytes
    acting_wrap: bytes
    recovery: bytes
    recovery_wrap: bytes
    by: str = ""  #: which key of the row before signed it; "" in the genesis
    sig: bytes = b""

    def row(self) -> str:
        """The row of a state."""
        keys = (self.acting, self.acting_wrap, self.recovery, self.recovery_wrap)
        return " ".join((str(self.since), *map(b64, keys), self.by or "-", b64(self.sig) or "-"))

    def signed_by(self, by: str, key: PrivateKey, game: str) -> "Referees":
        """The row with its signature; ``key`` is the private key that ``by`` names."""
        return self._replace(by=by, sig=sign(key, "keys", *self._parts(game)))

    def _parts(self, game: str) -> tuple[str | int | bytes, ...]:
        keys = (self.acting, self.acting_wrap, self.recovery, self.recovery_wrap)
        return (game, self.since, *keys)

    def follows(self, before: "Referees", game: str) -> bool:
        """Whether this row may come after that one: later, signed, and no more than it may."""
        if self.since <= before.since or self.by not in (ACTING, RECOVERY):
            return False
        kept = (before.recovery, before.recovery_wrap)
        if self.by == ACTING and (self.recovery, self.recovery_wrap) != kept:
            return False
        signer = before.acting if self.by == ACTING else before.recovery
        return verify(signer, "keys", self.sig, *self._parts(game))


def read_referees(row: str) -> Referees:
    """Read ``Referees.row`` back; ValueError or BadInput where it is none."""
    since, acting, acting_wrap, recovery, recovery_wrap, by, sig = row.split(" ")
    if not by or not sig:  # a dash stands for nothing, and nothing for a dash
        raise ValueError(row)
    return Referees(
        read_number(since),
        unb64(acting, 32),
        unb64(acting_wrap, 32),
        unb64(recovery, 32),
        unb64(recovery_wrap, 32),
        "" if by == "-" else by,
        b"" if sig == "-" else unb64(sig, 64),
    )


def in_force(rows: tuple[Referees, ...], n: int) -> Referees:
    """The row by which state ``n`` is signed."""
    return max((row for row in rows if row.since <= n), key=lambda row: row.since)


def wrong_succession(
    rows: tuple[Referees, ...], before: tuple[Referees, ...] | None, game: str, n: int
) -> str:
    """What is wrong with the rows of state ``n``, after those of the state before; "" if nothing.

    Without the state before (None), each row must follow the one above it from the genesis on.
    """
    known = rows[:1] if before is None else before
    if not rows or rows[: len(known)] != known or rows[0].since or rows[0].by:
        return "changes the referees of the past"
    last = known[-1]
    for row in rows[len(known) :]:
        if not row.follows(last, game):
            return "names a referee whom no referee before him appointed"
        if before is not None and row.since not in (n, n + 1):
            return "appoints a referee for another state than the next"
        last = row
    return ""


def refuse_wrong(rows: tuple[Referees, ...], game: str, n: int) -> None:
    """Refused ``state/referees`` where a state names referees that nobody appointed."""
    wrong = wrong_succession(rows, None, game, n)
    if not n and rows[1:]:
        wrong = "names more than its first referees"
    if wrong:
        raise Refused(
            "state/referees",
            f"state {n} {wrong}",
            "somebody who is no referee of this game wrote it: compare with the copies of others",
        )
