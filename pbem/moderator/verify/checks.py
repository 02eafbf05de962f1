"""One check of one state, and what is said where it does not hold.

What lives here: EarlierStates, Unreadable, ``look``, ``wrong_state``. What must never be here: a
check; those are in verify.py.
Law: what nobody can read is a finding that names its state, never our own fault: whoever holds the
referee's key may sign rows of any kind.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.errors import PbemError, Refused
from pbem.moderator.chain.link import Link


class EarlierStates(NamedTuple):
    """What a state is held against besides the one before it."""

    heads: Mapping[int, bytes]
    game: str
    links: Mapping[int, Link]


class Unreadable(Exception):
    """A state, genuine and in its place, whose rows say nothing that its game could say."""

    def __init__(self, n: int) -> None:
        super().__init__(f"state {n}")
        self.n = n


Check = Callable[[Link, Link | None, EarlierStates], None]


def look(check: Check, link: Link, before: Link | None, past: EarlierStates) -> None:
    """One check of one state; Refused ``verify/…`` where it does not hold, or cannot be made."""
    try:
        check(link, before, past)
    except PbemError:
        raise
    except Exception as error:
        raise wrong_state(link.n, "has rows that nobody can read") from error


def wrong_state(n: int, what: str) -> Refused:
    """What is wrong with a state."""
    return Refused(
        "verify/chain",
        f"state {n} {what}",
        "compare with the copies of others; somebody's chain was rewritten",
    )
