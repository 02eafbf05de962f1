"""What an audit works on, and what it has found so far.

An *item* is one line of an audit, like "the deal". To replay a game is to play it again.

Not allowed here: playing a game again (replay.py); a check (orders.py, audit.py).
Law: anything that could not be checked is called neither forged nor proven (P9).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.kind import StateLookup
from pbem.chain.rulings.kinds import describe_rulings, kind_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.engine.decision import Event
from pbem.engine.hidden import Below
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit.archive import ArchiveTexts

if TYPE_CHECKING:
    from pbem.engine.game import Game


class UsedNumber(NamedTuple):
    """The newest orders number that was used of a group of orders, and which of its lines were used."""

    number: int
    lines: frozenset[int]


#: the signed orders used so far, by seat and name of their group
UsedNumbers = dict[str, dict[str, UsedNumber]]


class Fault(NamedTuple):
    """One thing that is wrong with a game."""

    item: str  #: the item of the audit that it contradicts
    text: str
    needs_rules: bool = False  #: whether another version of the rules might not find it


class Contradiction(Exception):
    """Raised when a state does not follow from the states before it."""

    def __init__(self, fault: Fault, n: int, kind: str = "") -> None:
        super().__init__(fault.text)
        self.fault, self.n = fault, n
        self.kind = "rules" if fault.needs_rules else kind


class SignedState(NamedTuple):
    """A state with a valid signature."""

    body: bytes
    record: StateRecord
    state_hash: bytes


class PlayedOrder(NamedTuple):
    """One order as it was carried out, its events, and the State it was given in."""

    played: ExecutedOrder
    events: tuple[Event, ...]
    state: Any = None


class RemainingPending(NamedTuple):
    """The orders that a state leaves pending for a seat, and the highest number of its emails so far."""

    pending: PendingOrders
    highest_number: int


#: by seat; None if a ruling says that the orders were lost, so that nobody knows
RemainingBySeat = Mapping[str, RemainingPending | None]


class ReplayedState(NamedTuple):
    """The game at one state, played up to there."""

    record: StateRecord
    state_hash: bytes
    state: Any  #: None before the deal
    orders: tuple[PlayedOrder, ...] = ()
    pending: RemainingBySeat = MappingProxyType({})


#: returns the bot that an order's source names, or None if that version of it is not installed. The bot
#: chooses a line from the game, its seat, its seat's View and a random source
FindBot = Callable[[str], Callable[["Game", str, Any, Below], str] | None]


def no_bot(_: str) -> None:
    """Return None, as a FindBot does if no bot is installed."""


class Replay(NamedTuple):
    """The inputs and results of a replay; ``past_states`` and ``used_numbers`` grow with every state."""

    game: "Game"
    secret: bytes
    genesis: bytes
    past_states: dict[int, ReplayedState]
    used_numbers: UsedNumbers  #: of orders signed with each seat's present key
    pending_values: Mapping[int, Mapping[str, str]] | None  #: pending orders, by state and seat; None if not here
    lost_numbers: frozenset[int] = frozenset()  #: states whose pending orders are lost, by a ruling
    cleared_numbers: frozenset[int] = frozenset()  #: those of them whose pending orders were never used
    find_bot: "FindBot" = no_bot


#: the heading of each item, in the order of an audit
TITLES = {
    "container": "the archive itself",
    "states": "states and signatures",
    "referees": "who may sign",
    "chain": "the log",
    "secret": "the game's secret",
    "contributions": "additions to the shuffle",
    "deal": "the deal",
    "sealed": "hidden things",
    "signed": "whose orders they were",
    "orders": "what the orders did",
    "hands": "pending orders",
    "openings": "what was turned up",
    "rulings": "the referee's rulings",
    "result": "the result",
    "transcript": "the transcript",
    "told": "reports and receipts",
}
NEEDS_SECRET = ("secret", "deal", "sealed", "signed", "orders", "hands", "rulings", "result")


class Item(NamedTuple):
    """One line of an audit."""

    name: str
    verdict: str
    text: str
    n: int | None  #: the state that contradicts it, if there is one
    is_stated: bool = False  #: whether part of it rests on the referee's word alone
    kind: str = ""  #: of the fault (SPECIFICATION section 12); "" if there is none


class RulingSummary(NamedTuple):
    """A ruling, for the list of them."""

    n: int
    text: str
    changed_position: bool
    changed_player: bool  #: whether it changed who plays or signs
    voided_names: tuple[str, ...] = ()  #: the players whose pending orders it made void


def list_rulings(
    states: Mapping[int, SignedState], game: "Game | None", replay: Replay | None
) -> tuple[RulingSummary, ...]:
    """Return every ruling in the chain. Their texts show hidden values only once the game is over."""
    return tuple(
        RulingSummary(
            n,
            text,
            kind_of(ruling).rewrites_history,
            kind_of(ruling).changes_actors(ruling),
            _voided_names(states, n, replay),
        )
        for n, state in states.items()
        for ruling, text in zip(state.record.rulings, ruling_texts(states, n, game, replay), strict=True)
    )


def _voided_names(states: Mapping[int, SignedState], n: int, replay: Replay | None) -> tuple[str, ...]:
    """Return the names of players whose known pending orders the rulings of a state made void."""
    values_by_state = replay.pending_values if replay is not None else None
    pending_values = (values_by_state or {}).get(n, {})
    voided_seats = [
        player.seat
        for player in states[n].record.people
        if player.orders_since == n and pending_values.get(player.seat)
    ]
    previous = states.get(n - 1, states[n]).record
    return tuple(previous.player(seat).name for seat in voided_seats)


def ruling_texts(
    states: Mapping[int, SignedState], n: int, game: "Game | None", replay: Replay | None
) -> tuple[str, ...]:
    """Return the rulings of one state in full sentences."""
    if not states[n].record.rulings:
        return ()

    def earlier(state_number: int) -> StateRecord | None:
        return states[state_number].record if state_number in states else None

    past_states = replay.past_states if replay is not None and is_over(replay, states) else {}

    def value(state_number: int, slot: str) -> str:
        if replay is None or state_number not in past_states:
            return ""
        hidden_value = replay.game.encode(past_states[state_number].state).hidden.get(slot)
        return hidden_value.for_sealing() if hidden_value else ""

    def order(state_number: int, number: int) -> str:
        orders = past_states[state_number].orders if state_number in past_states else ()
        if not orders:
            return ""
        played = orders[number - 1].played
        return played.signed_line or played.line

    return describe_rulings(states[n].record, StateLookup(game, earlier, value, order))


def is_over(replay: Replay, states: Mapping[int, SignedState]) -> bool:
    """Return whether the game was played to its end, or closed by the referee."""
    last_number = max(states)
    if states[last_number].record.phase == CLOSED:
        return True
    return last_number in replay.past_states and outcome_at(replay, last_number) is not None


def outcome_at(replay: Replay, number: int) -> Any:
    """Return the outcome of the game at a state; None before the deal, or if the game goes on."""
    state = replay.past_states[number].state
    return replay.game.outcome(replay.game.view(state, None)) if state is not None else None


#: returns the installed rules of a game, and their version; raises PbemError if they are not installed
LoadRules = Callable[[StateRecord], tuple["Game", str]]
#: makes the texts of an archive again from the states
MakeTexts = Callable[[Replay | None, Mapping[int, SignedState]], ArchiveTexts]


#: the kind of an item's faults, unless a check names another; `rules` for items not listed
_KINDS = {
    "secret": "secret", "deal": "deal", "sealed": "sealed", "hands": "hands", "signed": "order",
    "container": "container", "transcript": "transcript",
}  # fmt: skip


class Finding(NamedTuple):
    """What contradicts an item."""

    n: int | None  #: the state that shows it, if there is one
    text: str
    kind: str


class Findings:
    """The earliest contradiction of each item, and the first reason why an item could not be checked."""

    def __init__(self) -> None:
        self.contradictions: dict[str, Finding] = {}
        self.unchecked: dict[str, str] = {}

    def contradict(self, item: str, n: int | None, message: str, kind: str = "") -> None:
        """Record a contradiction, unless one in an earlier state is known. ``kind`` "" means the item's own kind."""
        names_state = n is None or message.startswith(f"state {n}")
        text = message if names_state else f"state {n}, {message}"
        earlier = self.contradictions.get(item)
        if earlier is None or (n is not None and (earlier.n is None or n < earlier.n)):
            self.contradictions[item] = Finding(n, text, kind or _KINDS.get(item, "rules"))

    def leave_unchecked(self, items: tuple[str, ...], reason: str) -> None:
        """Record why items could not be checked, unless they have a reason already."""
        for item in items:
            self.unchecked.setdefault(item, reason)
