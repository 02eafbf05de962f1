"""Play pending orders, forced answers and defaults until the game waits for a player.

What must never be here: files, emails.
Source: docs/DESIGN.md "One turn"; R-1, R-2; docs/SPECIFICATION.md section 9 (Bots).
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame, hidden_values
from pbem.chain.next_record import (
    ExecutedOrder,
    NewState,
    NextClock,
    NextRecordInputs,
    build_next_record,
    build_state,
    keep_clock,
)
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.crypto.encoding import unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import DealWords, bot_key
from pbem.engine.decision import Event, Question
from pbem.engine.hidden import Below, Chance
from pbem.engine.row import say
from pbem.errors import OurFault
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import (
    NOT_STOPPED,
    NextOrder,
    PendingOrders,
    drop_old_turn,
    list_answering_groups,
    pop_next_order,
)
from pbem.play.sentences import USED_UP

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_STEPS = 10_000  # a game that never waits is broken


class Resolution(NamedTuple):
    """The result of playing until the game waits."""

    state: Any
    played_orders: tuple[ExecutedOrder, ...]
    events: tuple[Event, ...]
    pending_by_seat: dict[str, PendingOrders]
    hidden_values: dict[str, str]  #: every hidden value on the way; for the referee alone
    committed_before: Mapping[str, str] = MappingProxyType(
        {}
    )  #: the pending orders before, as the state commits to them


def _from_pending(seat: str, next_order: NextOrder) -> ExecutedOrder:
    """A pending order as it is executed, with the email and the signature of its player."""
    group, order = next_order.group, next_order.pending_order
    if group.source == SIGNED.name and not order.signature:
        raise OurFault("hand/unsigned", "an order in hand has lost its signature", "report this")
    return ExecutedOrder(
        seat,
        group.source,
        next_order.order,
        "",
        group.email_number,
        order.number,
        group.state_hash,
        unb64(order.signature, 64) if order.signature else b"",
        order.signed_line,
        order.signed_count,
    )


#: from the game, seat, its View and its number of answers: the source and the order of a missed turn
MissedTurnPolicy = Callable[["Game", str, Any, int], tuple[str, str]]


def choose_default_order(game: "Game", _: str, view: Any, __: int) -> tuple[str, str]:
    """The source and the order of rule R-2."""
    return DEFAULT.name, game.default(view)


#: the bot that plays missed turns; an audit cannot repeat the orders of others
BOT_NAME = "sensible"


def make_bot_draws(secret: bytes, game: str, seat: str, answered: int) -> Below:
    """The chance for one order of a bot, after the seat answered ``answered`` questions. Secret.

    It depends only on the secret and the place of the order, so nobody can choose it and an audit
    can repeat it. A state hash is not part of it: the referee could change one by a note.
    """
    return Chance(DealWords(bot_key(secret, game, seat, answered)), BOT_NAME).below


class _ResolutionRun:
    """A resolution in progress."""

    def __init__(
        self,
        position: LoadedGame,
        pending_by_seat: Mapping[str, PendingOrders],
        missed_seats: frozenset[str],
        recorded_orders: Sequence[ExecutedOrder],
        missed_turn_policy: MissedTurnPolicy,
    ) -> None:
        self.game, self.state = position.game, position.state
        self.state_number = position.record.n + 1
        self.pending_by_seat = {seat: pending._replace(notes=()) for seat, pending in pending_by_seat.items()}
        self.answered_by_seat = {seat: position.answered_count(seat) for seat in position.config.seats}
        self.missed_turns = self.find_missed_turns(missed_seats)
        self.recorded_orders = deque(recorded_orders)
        self.missed_turn_policy = missed_turn_policy
        self.played_orders: list[ExecutedOrder] = []
        self.events: list[Event] = []
        self.hidden_values = hidden_values(self.game, self.state)

    def find_missed_turns(self, missed_seats: frozenset[str]) -> dict[str, int]:
        """The missed turn of each of these seats, if the game waits for it."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {question.seat: turn for question in self.questions() if question.seat in missed_seats}

    def questions(self) -> tuple[Question, ...]:
        """What the game asks now."""
        return self.game.questions(self.game.view(self.state, None))

    def answer(self, question: Question) -> bool:
        """Answer one question if that is possible now."""
        seat = question.seat
        view = self.game.view(self.state, seat)
        next_order, pending = pop_next_order(
            self.pending_by_seat.get(seat, PendingOrders()), self.game, view, self.answered_by_seat[seat]
        )
        self.pending_by_seat[seat] = pending
        if next_order is not None:
            self.apply(_from_pending(seat, next_order))
        elif self.recorded_order_answers(view, question):
            self.play_for_seat(view, self.recorded_orders.popleft())
        elif question.forced:
            self.play_for_seat(view, ExecutedOrder(seat, FORCED.name, self.game.legal(view)[0], ""))
        elif self.missed_turns.get(seat) == self.game.turn(view):
            # a missed turn is played to its end, and no further
            source, line = self.missed_turn_policy(self.game, seat, view, self.answered_by_seat[seat])
            self.play_for_seat(view, ExecutedOrder(seat, source, line, ""))
        else:
            return False
        return True

    def recorded_order_answers(self, view: Any, question: Question) -> bool:
        """Whether the next recorded order answers this question. A bot never answers a forced one."""
        if not self.recorded_orders:
            return False
        order = self.recorded_orders[0]
        is_needless = question.forced and source_of(order.source) is BY_BOT
        return order.seat == question.seat and not is_needless and self.game.check(view, order.line) is None

    def play_for_seat(self, view: Any, order: ExecutedOrder) -> None:
        """Play an order for the seat (R-1). An equal next pending order is used up by it."""
        self.apply(order)
        pending = self.pending_by_seat[order.seat]
        answering_groups = list_answering_groups(pending, self.game, view)
        group = next((group for group in answering_groups if group.playable_orders), None)
        if group is not None and group.playable_orders[0].order == order.line:
            note = str(say(USED_UP, line=order.line, ruling="R-1"))
            pending = pending.without_orders(group, group.playable_orders[0])._replace(notes=(*pending.notes, note))
        if order.source == FORCED.name:
            pending = pending._replace(forced_orders=(*pending.forced_orders, order.line))
        self.pending_by_seat[order.seat] = pending

    def tidy_pending(self) -> dict[str, PendingOrders]:
        """The pending orders at the end; orders for now do not outlive their turn."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {seat: drop_old_turn(pending, turn) for seat, pending in self.pending_by_seat.items()}

    def apply(self, order: ExecutedOrder) -> None:
        """Carry out one order."""
        step = self.game.apply(self.state, order.seat, order.line, self.state_number)
        self.state = step.state
        self.events += step.events
        self.played_orders.append(order._replace(public_words=self.game.public_words(order.line)))
        self.hidden_values |= hidden_values(self.game, self.state)
        pending = self.pending_by_seat[order.seat]._replace(stopped_at=NOT_STOPPED)
        if order.source != FORCED.name:
            pending = pending._replace(forced_orders=())
        self.pending_by_seat[order.seat] = pending
        self.answered_by_seat[order.seat] += 1
        if len(self.played_orders) > MAX_STEPS:
            raise OurFault("game/endless", "the game does not come to a question", "report this")


def play_out(
    position: LoadedGame,
    pending_by_seat: Mapping[str, PendingOrders],
    missed_seats: frozenset[str] = frozenset(),
    recorded_orders: Sequence[ExecutedOrder] = (),
    missed_turn_policy: MissedTurnPolicy = choose_default_order,
) -> Resolution:
    """Play until the game waits for a player without an answer, or is over.

    The seats in ``missed_seats`` have their present turn played by ``missed_turn_policy`` (R-2).
    Pending orders go first (R-1). An order is forced only where everybody can see that it alone is
    legal.

    ``recorded_orders``: for an audit, orders to use as recorded, in this order, where no pending
    order answers: those of bots, and of seats whose pending orders are unknown. Pure: the same
    input gives the same result.
    Secrecy: the referee alone.
    """
    run = _ResolutionRun(position, pending_by_seat, missed_seats, recorded_orders, missed_turn_policy)
    while any(map(run.answer, run.questions())):
        pass  # each answer may change what the game asks
    return Resolution(
        run.state,
        tuple(run.played_orders),
        tuple(run.events),
        run.tidy_pending(),
        run.hidden_values,
        committed_values(pending_by_seat),
    )


def make_next_state(
    position: LoadedGame,
    resolution: Resolution,
    secret: bytes,
    key: RefereeKey,
    time: str,
    clocked: NextClock = keep_clock,
) -> NewState:
    """The signed state that follows ``position`` after a resolution."""
    seals = position.next_seals(secret)
    inputs = NextRecordInputs.after(
        position, time, position.record, resolution.hidden_values, resolution.committed_before
    )
    record = build_next_record(
        inputs, position.game, resolution.state, resolution.played_orders, resolution.events, seals
    )
    return build_state(position, record, resolution.state, seals, key, clocked)
