"""Two histories of one game: where they part, and whether a ruling gave one of them up.

What must never be here: a signature, a block, a file. What is compared is a head and what it knows.
Laws: a ruling `restore` is the referee's word that newer states were lost; what differs without one
was rewritten. From a succession's own state on nothing counts that the old key signed, and no
ruling of that key either. Nobody is accused of a theft: a key signed two histories.
Source: docs/SPECIFICATION.md section 12 (histories); P5, P7.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pbem.chain.referees import RECOVERY, Referees, in_force
from pbem.chain.state_record import StateRecord
from pbem.crypto.signing import key_id
from pbem.errors import Refused


class Parting(NamedTuple):
    """Two histories of one game, as the second is told: the first state of which there are two."""

    n: int
    genuine: bool = False  #: the second is still called so
    lost: bool = False  #: by a ruling `restore` that one of them has in state n
    last: int = 0  #: the last state that is known of those lost
    untold: bool = False  #: they do not know the same ruling `restore`, and none is here
    keys: tuple[str, ...] = ()  #: who signed state n, where one of the two has a new referee

    @property
    def ruled(self) -> bool:
        """Whether a ruling gave one of the two up, or may have: nobody is accused then."""
        return self.lost or self.untold

    def words(self, other: str) -> str:
        """The sentence for the second of them, beside the first, which is ``other``."""
        if self.untold:
            said = (
                f"{other} has another state {self.n} of this game, and the two do not know the same"
            )
            return f"{said} ruling `restore`: by that ruling one of them may count no more"
        if self.keys:
            said = f"key {' and key '.join(self.keys)} signed two histories of this game"
            return f"{said}, from state {self.n} on: this one and that of {other}"
        if not self.lost:
            return f"{other} has another state {self.n} of this game: one of the two was rewritten"
        which = f"states {self.n} to {self.last}" if self.last > self.n else f"state {self.n}"
        count = "count" if self.last > self.n else "counts"
        ruled = f"newer states were lost, and went on from state {self.n - 1}"
        said = f"the referee ruled in state {self.n} that {ruled}: {which}"
        if self.genuine:
            return f"{said} of {other} {count} no more"
        return f"in {other} {said} here {count} no more"

    @property
    def hint(self) -> str:
        if self.untold:
            return "keep both; the newest copy of the game's folder tells which one counts"
        if self.keys:
            return "keep both, and ask each referee; an old copy that was restored looks the same"
        more = ", and compare what was played" if self.lost else ": together they prove it"
        return f"keep both{more}"

    def refusal(self, other: str) -> Refused:
        """Why the second of them is not called genuine."""
        code = "verify/lost" if self.ruled else "verify/two-histories"
        return Refused(code, self.words(other), self.hint)


class Seen(NamedTuple):
    """What is known of one state: its head, and that of the newest `restore` it knows (b"": none).

    A chain, a single state, a report and a receipt are all compared as these, by number.
    """

    head: bytes
    knows: bytes = b""


class History(NamedTuple):
    """The states of one game that a chain, a report or a receipt tells of."""

    states: Mapping[int, Seen]
    rows: tuple[Referees, ...] = ()  #: its referees; a report and a receipt name none

    def appointed(self, other: "History", n: int) -> tuple[Referees, ...]:
        """Its new referees since it parted from another one in state ``n``, as far as is known.
        Rows are only as good as the first one, which a genesis alone vouches for.
        """
        if not other.rows or not self.rows:
            return ()
        if self.rows[0] != other.rows[0] and 0 not in self.states:
            return () if 0 in other.states else self.rows[:1]
        return tuple(row for row in self.rows if row not in other.rows or row.added >= n)


def history_of(records: Mapping[int, StateRecord], heads: Mapping[int, bytes]) -> History:
    """What a chain tells."""
    states = {n: Seen(head, records[n].knows(head)) for n, head in heads.items()}
    return History(states, records[max(records)].referees if records else ())


def lost_by(states: Mapping[int, Seen], n: int, knows: bytes) -> list[int]:
    """The states with a ruling `restore` that names a state ``n`` off this history as lost.

    The ruling in state k goes on from state k-1: lost is what is of state k or later and does not
    know that ruling, or one after it. ``knows``: the newest that it does know.
    """
    rulings = sorted(at for at, one in states.items() if one.head == one.knows)
    known = max((at for at in rulings if states[at].head == knows), default=0)
    return [at for at in rulings if known < at <= n]


def parting(mine: History, other: History) -> Parting | None:
    """Where two histories of one game part; None where neither contradicts."""
    old, new = mine.states, other.states
    n = min((n for n in old.keys() & new.keys() if old[n].head != new[n].head), default=None)
    if n is None:
        return None
    appointed = mine.appointed(other, n), other.appointed(mine, n)
    for here, by, left in ((False, old, new), (True, new, old)):
        ruled = lost_by(by, n, left[n].knows)
        if ruled and not appointed[not here]:
            return Parting(ruled[-1], here, lost=True, last=max(left))
    if not any(appointed):
        return Parting(n, untold=old[n].knows != new[n].knows)
    keys = {key_id(in_force(one.rows, n).acting): None for one in (mine, other)}
    return Parting(n, _outranks(appointed[1], appointed[0], n), keys=tuple(keys))


def _outranks(rows: tuple[Referees, ...], others: tuple[Referees, ...], n: int) -> bool:
    """Whether a history that has these new referees counts beside one that has the others, and
    parts from it in state ``n``: by a recovery, or since the old key was replaced by then.
    """
    recovers, recover = (any(row.by == RECOVERY for row in x) for x in (rows, others))
    if recovers or recover:
        return recovers and not recover
    return bool(rows) and not others and n >= rows[0].added
