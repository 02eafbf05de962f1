"""The states of a game under audit: as they are signed, and as they were played again.

What lives here: SignedState, PlayedOrder, ReplayedState, Replay. What must never be here: playing
again (replay.py); a check (orders.py, audit.py).
Source: docs/SPECIFICATION.md section 12.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.decision import Event
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import Played

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: numbers of signed orders used so far: by seat the highest file, and the lines used of it
UsedNumbers = dict[str, tuple[int, frozenset[int]]]


class SignedState(NamedTuple):
    """A state whose signature holds: its body as signed, the link in it, its head."""

    body: bytes
    link: Link
    head: bytes


class PlayedOrder(NamedTuple):
    """One order as it was carried out, what came of it, and the State it was given in."""

    played: Played
    events: tuple[Event, ...]
    state: Any = None


class ReplayedState(NamedTuple):
    """The game at one link, played up to there."""

    link: Link
    head: bytes
    state: Any  #: None before the deal
    orders: tuple[PlayedOrder, ...] = ()
    events: tuple[Event, ...] = ()  #: of the deal


class Replay(NamedTuple):
    """What a game is played again with; ``past`` grows with every link."""

    game: "Game"
    secret: bytes
    genesis: bytes
    past: dict[int, ReplayedState]
    used: UsedNumbers  #: with the key that each seat has now
