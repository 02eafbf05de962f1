"""Validate the lines of an email, each at its player's View: what the player knows of the game.

A standing order is for a later question. A conditional order is a standing order for a question
about one NAME (`when AP2: flood -2`). A forced order is one that pbem played for the player (R-1).

Not allowed here: which orders are stored (validate_email.py); files; the State; another seat's
pending orders. Every verdict depends only on the player's View and own lines (P2).
Source: FORMAT.md "Orders in an email or move file"; R-1.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pbem.chain.sources import REPLIED
from pbem.engine.optional_parts import never, too_many
from pbem.engine.row import Sentence, say
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.play import sentences
from pbem.play.half_action import ConditionalOrder, advance_past_conditional, list_conditional_orders
from pbem.play.pending_orders import (
    PendingOrder,
    PendingOrders,
    SignedLine,
    count_repeated,
    group_name_for,
    is_group_withdrawn,
    place_of,
)

if TYPE_CHECKING:
    from pbem.engine.decision import Refusal
    from pbem.engine.game import Game


class EmailContext(NamedTuple):
    """What a seat is asked, and how its answer was authenticated."""

    view: Any
    is_asked: bool
    state_hash: str  #: of the state for which the orders are written, b64
    orders_since_report: tuple[str, ...] = ()  #: forced orders since the report that the email answers
    source: str = REPLIED.name
    email_number: int = 0  #: the player's own number of signed orders
    signed_lines: tuple[SignedLine, ...] = ()


class LineOutcome(StrEnum):
    """What became of one line. The values are those of ``--json``; the words after them are the attributes."""

    kind: str  #: its macro is ``verdict_KIND``
    screen_word: str
    block_word: str  #: in the signed block; "" if the line is not there

    def __new__(cls, value: str, kind: str, screen_word: str, block_word: str = "") -> Self:
        outcome = str.__new__(cls, value)
        outcome._value_, outcome.kind, outcome.screen_word, outcome.block_word = value, kind, screen_word, block_word
        return outcome

    ACCEPTED = "kept", "accepted", "accepted", "kept"
    REFUSED = "refused", "refused", "refused", "refused"  #: not legal
    DONE = "passed over", "done", "already done", "done"  #: pbem has played this order for the player already
    UNCLEAR = "doubtful", "unclear", "not clear"  #: it may mean an order
    LEFT = "not kept", "left", "not accepted", "left"  #: not stored, though it was not refused itself
    MESSAGE = "not read", "letter", "message"  #: to the referee


class LineVerdict(NamedTuple):
    """What became of one line, and why."""

    number: int  #: of the line in the email; 0 for the email as a whole
    text: str
    outcome: LineOutcome
    why: Sentence | None = None

    @property
    def is_accepted(self) -> bool:
        return self.outcome == LineOutcome.ACCEPTED

    @property
    def rule(self) -> str:
        """Return the number of the rule that the reason cites; "" if none."""
        return str(self.why.values.get("ruling", "")) if self.why else ""

    def plain(self) -> dict[str, Any]:
        """Return the verdict as ``--json`` prints it."""
        return {"number": self.number, "text": self.text, "what": str(self.outcome), "why": str(self.why or "")}


def validate_later(game: "Game", view: Any, line: OrderLine, pending: PendingOrders) -> LineVerdict:
    """Return the verdict on a standing order. It is refused if it can never answer a question.

    If the same order is pending already, it is ``not kept`` instead, so that it does not block the
    email: it was possible when the player first sent it.
    """
    why = _why_never_asked(game, view, line.when) if line.when else None
    why = why or _why_never_legal(game, view, line.order) or why_never_follows(game, view, line)
    is_already_pending = any(
        group.name == group_name_for(line.when or "") and order.order == line.order
        for group in pending.groups
        for order in group.playable_orders
    )
    failure = LineOutcome.LEFT if is_already_pending else LineOutcome.REFUSED
    is_marked_later = line.when or line.text.lower().startswith("later")
    text = line.text if is_marked_later else f"later: {line.text}"
    return LineVerdict(line.number, text, failure if why else LineOutcome.ACCEPTED, why)


def _why_never_asked(game: "Game", view: Any, name: str) -> Sentence | None:
    """Return why no question can ever be about this name; None if one can."""
    why = game.why_never(view, name)
    return say(sentences.SAYS, why=why) if why else None


def _why_never_legal(game: "Game", view: Any, order: str) -> Sentence | None:
    """Return why an order can never become legal; None if it can."""
    return _refusal_sentence(never(game, view, order))


def why_never_follows(game: "Game", view: Any, line: OrderLine) -> Sentence | None:
    """Return why the order behind a ``then`` can never be used; None if it can, or if the line has no ``then``."""
    if not line.then:
        return None
    return _why_never_asked(game, view, place_of(line.order)) or _why_never_legal(game, view, line.then)


def _refusal_sentence(refusal: "Refusal | None") -> Sentence | None:
    return say(sentences.REFUSED, why=refusal.sentence, ruling=refusal.ruling) if refusal else None


def merge_conditional_orders(pending: PendingOrders, parsed_orders: ParsedOrders) -> list[ConditionalOrder]:
    """Return the conditional orders of the email, and the pending ones that it does not replace or withdraw."""
    lines = (*parsed_orders.now, *parsed_orders.later)
    own_orders = [ConditionalOrder(line.when, line.order) for line in lines if line.when]
    replaced_names = {conditional.name for conditional in own_orders}
    replaced_names |= {group.when for group in pending.groups if is_group_withdrawn(group.name, parsed_orders.commands)}
    pending_orders = list_conditional_orders(pending)
    return [*own_orders, *(conditional for conditional in pending_orders if conditional.name not in replaced_names)]


class ValidatedLines(NamedTuple):
    """The verdicts on orders for now, and the lines that count."""

    verdicts: list[LineVerdict]
    lines: tuple[OrderLine, ...]  #: without those passed over; as far as checked, each with its order in full


def validate_now(
    game: "Game",
    context: EmailContext,
    pending: PendingOrders,
    lines: tuple[OrderLine, ...],
    conditional_orders: Sequence[ConditionalOrder],
) -> ValidatedLines:
    """Validate the orders for now of an email. After a refused line, no other is checked."""
    orders = tuple(line.order for line in lines)
    skipped_count = count_passed_over(game, context.view, context.orders_since_report, pending.forced_orders, orders)
    verdicts = [
        LineVerdict(line.number, line.text, LineOutcome.DONE, say(sentences.DONE, ruling="R-1"))
        for line in lines[:skipped_count]
    ]
    counted_lines = lines[skipped_count:]
    if counted_lines and not context.is_asked:
        reason = _why_not_asked(game, context.view, counted_lines[0].order)
        refused_verdict = LineVerdict(counted_lines[0].number, counted_lines[0].text, LineOutcome.REFUSED, reason)
        return ValidatedLines([*verdicts, refused_verdict, *_mark_unchecked(counted_lines[1:])], counted_lines)
    sequence = validate_sequence(game, context.view, counted_lines, conditional_orders)
    for verdict, line in zip(sequence.verdicts, counted_lines, strict=True):
        why = why_never_follows(game, context.view, line) if verdict.is_accepted else None
        verdicts.append(verdict._replace(outcome=LineOutcome.REFUSED, why=why) if why else verdict)
    return ValidatedLines(verdicts, sequence.lines)


def _mark_unchecked(lines: tuple[OrderLine, ...]) -> list[LineVerdict]:
    """Return the verdicts on the lines below a refused one."""
    why = say(sentences.NOT_LOOKED_AT)
    return [LineVerdict(line.number, line.text, LineOutcome.LEFT, why) for line in lines]


def _why_not_asked(game: "Game", view: Any, order: str) -> Sentence:
    """Return why a seat without a question may not give this order now, and what to do unless the game is over."""
    refusal = game.check(view, order)
    why = _refusal_sentence(refusal) or say(sentences.NOT_ASKED)
    if game.outcome(view) is not None:
        return why
    rule_values = {"ruling": refusal.ruling} if refusal else {}
    return say(sentences.LATER_HINT, why=why, **rule_values)


def count_passed_over(
    game: "Game",
    view: Any,
    orders_since_report: tuple[str, ...],
    forced_orders: tuple[str, ...],
    orders: tuple[str, ...],
) -> int:
    """Count the first ``orders`` that only repeat what pbem played for the player (R-1). An audit uses it too.

    An answer to an older report may repeat all ``orders_since_report``. An answer to the newest
    report may repeat the ``forced_orders``, which that report names. But if its first order is
    legal now, it is a new order, and the result is 0.
    """
    if orders_since_report:
        return count_repeated(orders_since_report, orders)
    if orders and game.legal(view) and game.check(view, orders[0]) is None:
        return 0
    return count_repeated(forced_orders, orders)


def validate_sequence(
    game: "Game", view: Any, lines: tuple[OrderLine, ...], conditional_orders: Sequence[ConditionalOrder]
) -> ValidatedLines:
    """Play the lines one after the other on the player's own View, as far as the player can foresee it.

    ``conditional_orders`` answer the questions that the lines do not. Behind an order whose result
    nobody can foresee, a line is refused only if it can never be legal in this turn.
    """
    verdicts: list[LineVerdict] = []
    completed_lines = [*lines]
    turn = game.turn(view)
    current_view = view  # None from the first line on whose View nobody can foresee
    for index, line in enumerate(lines):
        current_view = _foresee_question(game, current_view, line.order, conditional_orders, turn)
        if current_view is None:
            why = _why_never_in_turn(game, view, [earlier.order for earlier in completed_lines[: index + 1]])
        else:
            order = game.complete(current_view, line.order)
            completed_lines[index] = line._replace(order=order)
            why = _why_refused(game, current_view, order, turn)
        if why:
            has_other_orders = sum(other_line.number == line.number for other_line in lines) > 1
            text = (line.order if has_other_orders else "") or line.text
            verdicts.append(LineVerdict(line.number, text, LineOutcome.REFUSED, why))
            verdicts += _mark_unchecked(lines[index + 1 :])
            break
        note = say(sentences.CHECKED_THEN) if current_view is None else None
        verdicts.append(LineVerdict(line.number, line.text, LineOutcome.ACCEPTED, note))
        if current_view is not None:
            current_view = game.foresee(current_view, order)
    current_view = advance_past_conditional(game, current_view, "", conditional_orders)
    is_unfinished = current_view is not None and game.turn(current_view) == turn and game.legal(current_view)
    if is_unfinished and verdicts and verdicts[-1].is_accepted:
        verdicts[-1] = verdicts[-1]._replace(why=say(sentences.HALF))
    return ValidatedLines(verdicts, tuple(completed_lines))


def _foresee_question(
    game: "Game", view: Any | None, order: str, conditional_orders: Sequence[ConditionalOrder], turn: int
) -> Any | None:
    """Return the View at which an order is checked; None if it is unforeseeable or another seat answers first."""
    view = advance_past_conditional(game, view, order, conditional_orders)
    if view is None or game.turn(view) != turn or game.legal(view):
        return view
    is_other_seat_asked = bool(game.questions(view))
    return None if is_other_seat_asked else view


def _why_never_in_turn(game: "Game", view: Any, orders: list[str]) -> Sentence | None:
    """Return why the last order can never be legal in this turn, after a draw or scoring; None if it may be."""
    if too_many(game, view, orders):
        return say(sentences.TURN_OVER)
    return _why_never_legal(game, view, orders[-1])


def are_orders_possible(
    game: "Game", view: Any, orders: Iterable[PendingOrder], conditional_orders: Sequence[ConditionalOrder]
) -> bool:
    """Return whether a seat may give these orders for now, as far as its View tells. An audit uses it."""
    lines = tuple(OrderLine(number, order.order, order.order) for number, order in enumerate(orders, 1))
    return all(verdict.is_accepted for verdict in validate_sequence(game, view, lines, conditional_orders).verdicts)


def _why_refused(game: "Game", view: Any, order: str, turn: int) -> Sentence | None:
    """Return why an order is not legal at this point of the turn; None if it is."""
    if not game.legal(view) or game.turn(view) != turn:
        return say(sentences.TURN_OVER)
    return _refusal_sentence(game.check(view, order))
