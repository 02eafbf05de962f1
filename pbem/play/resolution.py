"""Playing out what is in hand: orders, forced answers, defaults, until the game waits.

What lives here: ``play_out``. What must never be here: files, mail, keys.
Laws: orders in hand go first (R-1); a forced answer is given only where everybody can see that one
order alone is legal; nothing here asks what another seat has in hand.
Source: docs/DESIGN.md "One turn"; R-1, R-2.
"""

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
from pbem.engine.decision import Event, Question
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

MAX_STEPS = 10_000  # a game that asks itself for ever is broken


class Resolution(NamedTuple):
    """What came of it: the new State, the orders used, the events, hands, hidden values passed."""

    state: Any
    played_orders: tuple[ExecutedOrder, ...]
    events: tuple[Event, ...]
    pending_by_seat: dict[str, PendingOrders]
    hidden_values: dict[str, str]  #: every hidden value there was on the way; the moderator's alone
    committed_before: Mapping[str, str] = MappingProxyType({})  #: hands before, as the link commits to them


#: what ties an order to its player: nr, number, quoted head, signature, line as signed, of how many
OrderProof = tuple[int, int, str, bytes, str, int]
NO_PROOF: OrderProof = (0, 0, "", b"", "", 0)


def _proof_of(next_order: NextOrder) -> OrderProof:
    group, pending_order = next_order.group, next_order.pending_order
    if group.source == SIGNED.name and not pending_order.signature:
        raise OurFault("hand/unsigned", "an order in hand has lost its signature", "report this")
    signature = unb64(pending_order.signature, 64) if pending_order.signature else b""
    return (
        group.email_number,
        pending_order.number,
        group.state_hash,
        signature,
        pending_order.signed_line,
        pending_order.signed_count,
    )


#: (game, seat, its View, questions it has answered): the source and the order in a missed turn
MissedTurnPolicy = Callable[["Game", str, Any, int], tuple[str, str]]


def choose_default_order(game: "Game", _: str, view: Any, __: int) -> tuple[str, str]:
    """R-2."""
    return DEFAULT.name, game.default(view)


class _ResolutionRun:
    """The course as it grows; frozen into a Course at the end."""

    def __init__(
        self,
        position: LoadedGame,
        pending_by_seat: Mapping[str, PendingOrders],
        missed_seats: frozenset[str],
        recorded_orders: Sequence[ExecutedOrder],
        missed_turn_policy: MissedTurnPolicy,
    ) -> None:
        self.game, self.state, self.state_number = (position.game, position.state, position.record.n + 1)
        self.pending_by_seat = {seat: pending._replace(notes=()) for seat, pending in pending_by_seat.items()}
        self.answered_by_seat = {seat: position.answered_count(seat) for seat in position.config.seats}
        self.missed_turns, self.recorded_orders = (self.find_missed_turns(missed_seats), [*recorded_orders])
        self.missed_turn_policy, self.played_orders = missed_turn_policy, list[ExecutedOrder]()
        self.events: list[Event] = []
        self.hidden_values = hidden_values(self.game, self.state)

    def find_missed_turns(self, missed_seats: frozenset[str]) -> dict[str, int]:
        """The missed turn of each of these seats: whom the game does not wait for has none."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {question.seat: turn for question in self.questions() if question.seat in missed_seats}

    def questions(self) -> tuple[Question, ...]:
        return self.game.questions(self.game.view(self.state, None))

    def answer(self, question: Question) -> bool:
        """Answer one question if it can be answered now."""
        seat = question.seat
        view = self.game.view(self.state, seat)
        next_order, pending = pop_next_order(
            self.pending_by_seat.get(seat, PendingOrders()), self.game, view, self.answered_by_seat[seat]
        )
        self.pending_by_seat[seat] = pending
        if next_order is not None:
            self.apply(seat, next_order.group.source, next_order.order, _proof_of(next_order))
        elif self.recorded_order_answers(view, question):
            recorded_order = self.recorded_orders.pop(0)
            proof = (
                recorded_order.orders_number,
                recorded_order.line_number,
                recorded_order.quoted_hash,
                recorded_order.signature,
                recorded_order.signed_line,
                recorded_order.line_count,
            )
            self.play_for_seat(view, seat, recorded_order.source, recorded_order.line, proof)
        elif question.forced:
            self.play_for_seat(view, seat, FORCED.name, self.game.legal(view)[0])
        elif self.missed_turns.get(seat) == self.game.turn(view):
            # a missed turn is played to its end, and no further
            self.play_for_seat(view, seat, *self.missed_turn_policy(self.game, seat, view, self.answered_by_seat[seat]))
        else:
            return False
        return True

    def recorded_order_answers(self, view: Any, question: Question) -> bool:
        """Whether the next order that is taken as it stands answers this question; no bot is asked
        where one order alone is legal.
        """
        return any(
            order.seat == question.seat
            and not (question.forced and source_of(order.source) is BY_BOT)
            and self.game.check(view, order.line) is None
            for order in self.recorded_orders[:1]
        )

    def play_for_seat(self, view: Any, seat: str, source: str, order: str, proof: OrderProof = NO_PROOF) -> None:
        """R-1: an order given for the seat; an equal next order in hand is used up by it."""
        self.apply(seat, source, order, proof)
        pending = self.pending_by_seat[seat]
        group = next(
            (group for group in list_answering_groups(pending, self.game, view) if group.playable_orders), None
        )
        if group is not None and group.playable_orders[0].order == order:
            note = str(say(USED_UP, line=order, ruling="R-1"))
            pending = pending.without_orders(group, group.playable_orders[0])._replace(notes=(*pending.notes, note))
        self.pending_by_seat[seat] = pending._replace(done=(*pending.done, order)) if source == FORCED.name else pending

    def tidy_pending(self) -> dict[str, PendingOrders]:
        """The hands at the end: what was left of a first part does not outlive its turn."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {seat: drop_old_turn(pending, turn) for seat, pending in self.pending_by_seat.items()}

    def apply(self, seat: str, source: str, order: str, proof: OrderProof = NO_PROOF) -> None:
        step = self.game.apply(self.state, seat, order, self.state_number)
        self.state = step.state
        self.events += step.events
        self.played_orders.append(ExecutedOrder(seat, source, order, self.game.public_words(order), *proof))
        self.hidden_values |= hidden_values(self.game, self.state)
        pending = self.pending_by_seat[seat]._replace(stopped=NOT_STOPPED)
        self.pending_by_seat[seat] = pending if source == FORCED.name else pending._replace(done=())
        self.answered_by_seat[seat] += 1
        if len(self.played_orders) > MAX_STEPS:
            raise OurFault("game/endless", "the game does not come to a question", "report this")


def play_out(
    position: LoadedGame,
    pending_by_seat: Mapping[str, PendingOrders],
    missed_seats: frozenset[str] = frozenset(),
    recorded_orders: Sequence[ExecutedOrder] = (),
    missed_turn_policy: MissedTurnPolicy = choose_default_order,
) -> Resolution:
    """Play until the game waits for somebody without an answer, or is over.

    ``missed_seats`` names seats whose present turn is to be played by default orders (R-2). ``recorded_orders``:
    orders that an audit takes as they stand, in this order, where nothing in hand answers: those
    of bots, and of seats of which nobody knows what waited. ``missed_turn_policy``: what answers for the seats
    that missed. Pure: the same position and hands give
    the same course. Secrecy: the moderator alone.
    """
    run = _ResolutionRun(position, pending_by_seat, missed_seats, recorded_orders, missed_turn_policy)
    while any(map(run.answer, run.questions())):
        pass  # after one answer, all is asked anew: the order may have changed what is asked
    orders_and_events = tuple(run.played_orders), tuple(run.events)
    return Resolution(
        run.state, *orders_and_events, run.tidy_pending(), run.hidden_values, committed_values(pending_by_seat)
    )


def make_next_state(
    position: LoadedGame,
    resolution: Resolution,
    secret: bytes,
    key: RefereeKey,
    time: str,
    clocked: NextClock = keep_clock,
) -> NewState:
    """The link that follows ``position`` after a course, signed and read back."""
    state, played_orders, events, _, values, committed_before = resolution
    seals = position.next_seals(secret)
    parts = NextRecordInputs.after(position, time, position.record, values, committed_before)
    record = build_next_record(parts, position.game, state, played_orders, events, seals)
    return build_state(position, record, state, seals, key, clocked)
