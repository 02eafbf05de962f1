"""Play pending orders, forced answers and missed turns until the game waits for a player.

An answer is forced where only one order is legal (R-1). A missed turn is played by default or by a bot (R-2).

Not allowed here: files, emails.
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
    #: the pending orders before, as the next state commits to them
    committed_before: Mapping[str, str] = MappingProxyType({})


def _make_executed_order(seat: str, next_order: NextOrder) -> ExecutedOrder:
    """Return a pending order as a state records it, with its player's email number and signature."""
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


#: called with the game, a seat, its View and how many questions it has answered; returns the source and
#: the order that plays a missed turn
MissedTurnPolicy = Callable[["Game", str, Any, int], tuple[str, str]]


def choose_default_order(game: "Game", _: str, view: Any, __: int) -> tuple[str, str]:
    """Play the order that rule R-2 fixes for a missed turn."""
    return DEFAULT.name, game.default(view)


#: the bot that plays missed turns; an audit can repeat only its orders
BOT_NAME = "sensible"


def make_bot_draws(secret: bytes, game: str, seat: str, answered: int) -> Below:
    """Return the random numbers for one order of a bot, as a function: ``below(bound)`` draws one. Secret.

    They depend only on the game's secret, the seat, and how many questions it has answered. So nobody can choose them,
    and an audit can repeat them. They do not depend on a state hash, because the referee could change that by a note.
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
        """Return, for each of these seats that the game waits for, the number of the turn that it missed."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {question.seat: turn for question in self.questions() if question.seat in missed_seats}

    def questions(self) -> tuple[Question, ...]:
        """Return what the game asks now."""
        return self.game.questions(self.game.view(self.state, None))

    def answer(self, question: Question) -> bool:
        """Answer one question if that is possible without its player. Return whether it was."""
        seat = question.seat
        view = self.game.view(self.state, seat)
        next_order, pending = pop_next_order(
            self.pending_by_seat.get(seat, PendingOrders()), self.game, view, self.answered_by_seat[seat]
        )
        self.pending_by_seat[seat] = pending
        if next_order is not None:
            self.apply(_make_executed_order(seat, next_order))
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
        """Return whether the next recorded order answers this question. A bot never answers a forced one."""
        if not self.recorded_orders:
            return False
        order = self.recorded_orders[0]
        is_out_of_place = question.forced and source_of(order.source) is BY_BOT
        return order.seat == question.seat and not is_out_of_place and self.game.check(view, order.line) is None

    def play_for_seat(self, view: Any, order: ExecutedOrder) -> None:
        """Play an order for the seat (R-1). If its next pending order is the same, remove that one."""
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

    def pending_at_end(self) -> dict[str, PendingOrders]:
        """Return the pending orders at the end, without orders for now whose turn is over."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {seat: drop_old_turn(pending, turn) for seat, pending in self.pending_by_seat.items()}

    def apply(self, order: ExecutedOrder) -> None:
        """Carry out one order, and note what follows from it."""
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
    """Play until the game waits for a player who has no pending order for it, or is over.

    Pending orders go first (R-1). An order is forced only where everybody can see that it alone is legal. The present
    turn of each seat in ``missed_seats`` is played by ``missed_turn_policy``. ``recorded_orders`` are for an audit:
    where no pending order answers, it uses the recorded orders of bots, and of seats whose pending orders are unknown.
    The same input always gives the same result. Only the referee may see it.
    """
    run = _ResolutionRun(position, pending_by_seat, missed_seats, recorded_orders, missed_turn_policy)
    while any(map(run.answer, run.questions())):
        pass  # each answer may change what the game asks
    return Resolution(
        run.state,
        tuple(run.played_orders),
        tuple(run.events),
        run.pending_at_end(),
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
    """Build and sign the state that follows ``position`` after a resolution."""
    seals = position.next_seals(secret)
    inputs = NextRecordInputs.after(
        position, time, position.record, resolution.hidden_values, resolution.committed_before
    )
    record = build_next_record(
        inputs, position.game, resolution.state, resolution.played_orders, resolution.events, seals
    )
    return build_state(position, record, resolution.state, seals, key, clocked)
