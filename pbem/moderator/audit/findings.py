"""What an audit has found so far, the first of each item.

What lives here: Findings, and what an audit is given. What must never be here: a check.
Law: what could not be checked is never called forged, and never called proven (P9).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pbem.moderator.audit.states import Replay, SignedState
from pbem.moderator.chain.link import Link

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: the rules that a game is played by here, and the version they come from; PbemError: not here
Rules = Callable[[Link], tuple["Game", str]]
#: the transcript of a game, made again from what was proven
Transcript = Callable[[Replay | None, Mapping[int, SignedState]], bytes]


class Findings:
    """By item: what contradicts it and where, or why it could not be checked."""

    """What was found so far, the first of each item."""

    def __init__(self) -> None:
        self.wrong: dict[str, tuple[int | None, str]] = {}
        self.open: dict[str, str] = {}

    def contradict(self, item: str, n: int | None, what: str) -> None:
        named = n is None or what.startswith(f"state {n}")
        place = what if named else f"state {n}, {what}"
        old = self.wrong.get(item)
        if old is None or (n is not None and (old[0] is None or n < old[0])):
            self.wrong[item] = n, place

    def leave(self, items: tuple[str, ...], why: str) -> None:
        for item in items:
            self.open.setdefault(item, why)
