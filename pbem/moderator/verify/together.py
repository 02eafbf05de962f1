"""What is given together: of one game, in one history? And was a history left by a ruling?

What lives here: ``same_game``, ``parting``, ``lost``. What must never be here: a signature, files,
the secret, the rules of a game.
Law: a ruling `restore` is the referee's word that newer states were lost. It is told with what it
gave up, never called proven, and never called a forgery: players judge it.
Source: docs/SPECIFICATION.md section 12; P7.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import Refused
from pbem.moderator.chain.link import Link
from pbem.moderator.ruling.plain import gone_on_from

if TYPE_CHECKING:
    from pbem.moderator.verify.verify import Chain


class Parting(NamedTuple):
    """Two histories of one game: the first state of which there are two, and how that came."""

    n: int
    lost: bool = False  #: by a ruling `restore` that one of them has in state n
    here: bool = False  #: it is the second of them that has the ruling
    last: int = 0  #: the last state that is known of those lost

    def words(self, other: str) -> str:
        """The sentence for the second of them, beside the first, which is ``other``."""
        if not self.lost:
            return f"{other} has another state {self.n} of this game: one of the two was rewritten"
        which = f"states {self.n} to {self.last}" if self.last > self.n else f"state {self.n}"
        count = "count" if self.last > self.n else "counts"
        ruled = f"newer states were lost, and went on from state {self.n - 1}"
        if self.here:
            return (
                f"the referee ruled in state {self.n} that {ruled}: {which} of {other} {count} "
                "no more"
            )
        return (
            f"in {other} the referee ruled in state {self.n} that {ruled}: {which} here {count} "
            "no more"
        )

    @property
    def hint(self) -> str:
        """What to do with them."""
        more = ", and compare what was played" if self.lost else ": together they prove it"
        return f"keep both{more}"


class Given(dict[str, "Chain"]):
    """The chains given together, by game, and the file that each came from."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: dict[str, str] = {}

    def keep(self, path: str, found: "Chain") -> None:
        """One more, the longest of a game is compared with; Refused where two of them part."""
        self.agrees(found)
        known = self.get(found.game)
        if known is None or _reach(known) < _reach(found):
            self[found.game], self.paths[found.game] = found, path

    def agrees(self, found: "Chain") -> None:
        """Refused ``verify/lost`` or ``verify/two-histories`` where it is no part of the same."""
        known = self.get(found.game)
        if known is None:
            return
        parted = parting(known.heads, found.heads, known.links, found.links)
        if parted is None:
            return
        code = "verify/lost" if parted.lost else "verify/two-histories"
        raise Refused(code, parted.words(self.paths[found.game]), parted.hint)


def _reach(chain: "Chain") -> tuple[bool, int]:
    return chain.from_genesis, len(chain.heads)


def same_game(what: str, game: str, given: Collection[str]) -> None:
    """Refused ``verify/other-game`` where a report or receipt is of none of the games given."""
    if given and game not in given:
        raise Refused(
            "verify/other-game",
            f"this is a {what} of game {game}, not of {' or '.join(given)}",
            "is it the right file?",
        )


def parting(
    mine: Mapping[int, bytes],
    other: Mapping[int, bytes],
    links: Mapping[int, Link],
    others: Mapping[int, Link],
) -> Parting | None:
    """Where two chains of one game part, by their heads; None where neither contradicts."""
    n = min((n for n in mine.keys() & other.keys() if mine[n] != other[n]), default=None)
    if n is None:
        return None
    # a restore excuses what parts at its own state; not what parts later, in states that both had
    sure = n - 1 in mine and n - 1 in other
    for here, by, left in ((False, links, other), (True, others, mine)):
        at = max((m for m in gone_on_from(by) if m == n or (m < n and not sure)), default=None)
        if at is not None:
            return Parting(at, True, here, max(left))
    return Parting(n)


def lost(name: str, n: int | None, links: Mapping[int, Link]) -> Refused | None:
    """Of a report of state ``n`` that is not in a chain: whether a ruling says that it was lost.

    ``n`` None: of a state whose number is not known. None where no ruling can have lost it.
    """
    by = {at: old for at, old in gone_on_from(links).items() if n is None or at <= n}
    if not by:
        return None
    ruled = "; ".join(
        f"his ruling in state {at} says that newer states were lost and the game went on from "
        f"state {old}"
        for at, old in by.items()
    )
    played = f". So it shows a state {n} that was played and counts no more" if n else ""
    return Refused(
        "verify/lost",
        f"{name} is signed by the referee, and not in this chain: {ruled}{played}",
        "keep both, and compare what it tells with what was played since",
    )
