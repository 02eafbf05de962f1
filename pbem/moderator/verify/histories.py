"""Two histories of one game: where they part, and whether a ruling gave one of them up.

What must never be here: a signature, a block, a file. What is compared is a head and what it knows.
Law: a ruling `restore` is the referee's word that newer states were lost; what differs without one
was rewritten.
Source: docs/SPECIFICATION.md section 12 (histories); P5, P7.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pbem.errors import Refused
from pbem.moderator.chain.link import Link

HERE_BEFORE = "an earlier copy that this machine has seen"


class Parting(NamedTuple):
    """Two histories of one game: the first state of which there are two, and how that came."""

    n: int
    lost: bool = False  #: by a ruling `restore` that one of them has in state n
    here: bool = False  #: it is the second of them that has the ruling
    last: int = 0  #: the last state that is known of those lost
    untold: bool = False  #: they do not know the same ruling `restore`, and none is here

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
        if not self.lost:
            return f"{other} has another state {self.n} of this game: one of the two was rewritten"
        which = f"states {self.n} to {self.last}" if self.last > self.n else f"state {self.n}"
        count = "count" if self.last > self.n else "counts"
        ruled = f"newer states were lost, and went on from state {self.n - 1}"
        said = f"the referee ruled in state {self.n} that {ruled}: {which}"
        if self.here:
            return f"{said} of {other} {count} no more"
        return f"in {other} {said} here {count} no more"

    @property
    def hint(self) -> str:
        if self.untold:
            return "keep both; the newest copy of the game's folder tells which one counts"
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


#: the states of one game that a chain, a report or a receipt tells of
History = Mapping[int, Seen]


class Remembered(NamedTuple):
    """What this machine knows of a game: the keys of its referees, each with the first state of
    which it is in force, and the states it has seen.
    """

    keys: frozenset[tuple[int, bytes]] = frozenset()
    states: History = MappingProxyType({})

    def in_force(self, key: bytes, n: int) -> bool:
        """Whether a report or receipt of state ``n`` may be signed by this key, as far as is known:
        in the state that hands the game over by both.
        """
        newest = max((since for since, _ in self.keys if since <= n), default=0)
        return key in {one for since, one in self.keys if since in (newest, n + 1)}


def history_of(links: Mapping[int, Link], heads: Mapping[int, bytes]) -> dict[int, Seen]:
    """What a chain tells."""
    return {n: Seen(head, links[n].knows(head)) for n, head in heads.items()}


def lost_by(history: History, n: int, knows: bytes) -> list[int]:
    """The states with a ruling `restore` that names a state ``n`` off this history as lost.

    The ruling in state k goes on from state k-1: lost is what is of state k or later and does not
    know that ruling, or one after it. ``knows``: the newest that it does know.
    """
    rulings = sorted(at for at, one in history.items() if one.head == one.knows)
    known = max((at for at in rulings if history[at].head == knows), default=0)
    return [at for at in rulings if known < at <= n]


def parting(mine: History, other: History) -> Parting | None:
    """Where two histories of one game part; None where neither contradicts."""
    n = min((n for n in mine.keys() & other.keys() if mine[n].head != other[n].head), default=None)
    if n is None:
        return None
    for here, by, left in ((False, mine, other), (True, other, mine)):
        if ruled := lost_by(by, n, left[n].knows):
            return Parting(ruled[-1], True, here, max(left))
    return Parting(n, untold=mine[n].knows != other[n].knows)
