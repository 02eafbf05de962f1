"""What becomes of the lines of an email: each judged at its player's View.

What must never be here: what is kept of them (validate_email.py); files, the State, another seat's
hand. Everything said here is a function of the player's View and of his own lines (P2).
Source: docs/NOTATION.md "A mail or move file"; R-1.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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
    """What a seat is asked, as intake needs it, and whence its answer comes."""

    view: Any
    is_asked: bool  #: it is asked at all now
    state_hash: str  #: of the link that the orders are written for, b64
    orders_since_report: tuple[str, ...] = ()  #: done for the seat (R-1) after the report it answers was written
    source: str = REPLIED.name
    email_number: int = 0  #: the player's own, where he signed
    signed_lines: tuple[SignedLine, ...] = ()  #: his signatures


class LineVerdict(NamedTuple):
    """What became of one line.

    ``kept``, ``refused``, ``passed over`` (done for the player already), ``doubtful`` (an order may
    be meant), ``not kept`` (nothing wrong with it, but with another line), ``not read`` (prose).
    """

    number: int
    text: str
    what: str
    why: Sentence | None = None

    @property
    def rule(self) -> str:
        """The rule that the reason cites; "" where it cites none."""
        return str(self.why.values.get("ruling", "")) if self.why else ""

    def plain(self) -> dict[str, Any]:
        """As ``--json`` has it."""
        return {**self._asdict(), "why": str(self.why or "")}


def validate_later(game: "Game", view: Any, line: OrderLine, pending: PendingOrders) -> LineVerdict:
    """A standing order: it can be legal, at a place that a question can be about, or is refused.

    One that he holds already and sends again is no fault of his mail: its moment is over.
    """
    why = _why_never_asked(game, view, line.when) if line.when else None
    why = why or _why_never_legal(game, view, line.order) or why_never_follows(game, view, line)
    is_already_pending = any(
        group.name == group_name_for(line.when or "") and order.order == line.order
        for group in pending.groups
        for order in group.playable_orders
    )
    failure = "not kept" if is_already_pending else "refused"
    is_marked_later = line.when or line.text.lower().startswith("later")
    text = line.text if is_marked_later else f"later: {line.text}"
    return LineVerdict(line.number, text, failure if why else "kept", why)


def _why_never_asked(game: "Game", view: Any, name: str) -> Sentence | None:
    why = game.why_never(view, name)
    return say(sentences.SAYS, why=why) if why else None


def _why_never_legal(game: "Game", view: Any, order: str) -> Sentence | None:
    """Why an order is not worth waiting for; None where it may be legal yet."""
    return _refusal_sentence(never(game, view, order))


def why_never_follows(game: "Game", view: Any, line: OrderLine) -> Sentence | None:
    """Why what stands behind a ``then`` can never be asked for, or never be legal."""
    if not line.then:
        return None
    return _why_never_asked(game, view, place_of(line.order)) or _why_never_legal(game, view, line.then)


def _refusal_sentence(refusal: "Refusal | None") -> Sentence | None:
    return say(sentences.REFUSED, why=refusal.sentence, ruling=refusal.ruling) if refusal else None


def merge_conditional_orders(pending: PendingOrders, parsed_orders: ParsedOrders) -> list[ConditionalOrder]:
    """What may answer a question in between, once the mail is taken: its own lines with ``when``,
    and of what waited so the parts that it does not replace.
    """
    own_orders = [(line.when, line.order) for line in (*parsed_orders.now, *parsed_orders.later) if line.when]
    replaced_names = {when for when, _ in own_orders}
    withdrawn_names = [group.when for group in pending.groups if is_group_withdrawn(group.name, parsed_orders.commands)]
    return [
        *own_orders,
        *(
            conditional_order
            for conditional_order in list_conditional_orders(pending)
            if conditional_order[0] not in {*replaced_names, *withdrawn_names}
        ),
    ]


def validate_now(
    game: "Game",
    context: EmailContext,
    pending: PendingOrders,
    lines: tuple[OrderLine, ...],
    conditional_orders: Sequence[ConditionalOrder],
) -> tuple[list[LineVerdict], tuple[OrderLine, ...]]:
    """Verdicts for the first part, and the lines of it that count."""
    orders = tuple(line.order for line in lines)
    skipped_count = count_passed_over(game, context.view, context.orders_since_report, pending.forced_orders, orders)
    verdicts = [
        LineVerdict(line.number, line.text, "passed over", say(sentences.DONE, ruling="R-1"))
        for line in lines[:skipped_count]
    ]
    counted_lines = lines[skipped_count:]
    if counted_lines and not context.is_asked:
        reason = _why_not_asked(game, context.view, counted_lines[0].order)
        refused_verdict = LineVerdict(counted_lines[0].number, counted_lines[0].text, "refused", reason)
        return [*verdicts, refused_verdict, *_mark_unchecked(counted_lines[1:])], counted_lines
    sequence_verdicts, completed_lines = validate_sequence(game, context.view, counted_lines, conditional_orders)
    for verdict, line in zip(sequence_verdicts, counted_lines, strict=True):
        why = why_never_follows(game, context.view, line) if verdict.what == "kept" else None
        verdicts.append(verdict._replace(what="refused", why=why) if why else verdict)
    return verdicts, completed_lines


def _mark_unchecked(lines: tuple[OrderLine, ...]) -> list[LineVerdict]:
    why = say(sentences.NOT_LOOKED_AT)
    return [LineVerdict(line.number, line.text, "not kept", why) for line in lines]


def _why_not_asked(game: "Game", view: Any, order: str) -> Sentence:
    """Why a seat that is not asked may not answer, as the game has it; and the way out."""
    refusal = game.check(view, order)
    why = _refusal_sentence(refusal) or say(sentences.NOT_ASKED)
    rule_values = {"ruling": refusal.ruling} if refusal else {}
    return why if game.outcome(view) is not None else say(sentences.LATER_HINT, why=why, **rule_values)


def count_passed_over(
    game: "Game",
    view: Any,
    orders_since_report: tuple[str, ...],
    forced_orders: tuple[str, ...],
    orders: tuple[str, ...],
) -> int:
    """How many lines repeat what was ``forced_orders`` for the player (R-1); also for an audit.

    In an answer to a report from before, all that was done ``orders_since_report`` counts. In an answer to the
    newest one, which told him, an order that is legal again is meant again (a second `draw`).
    """
    if orders_since_report:
        return count_repeated(orders_since_report, orders)
    if orders and game.legal(view) and game.check(view, orders[0]) is None:
        return 0
    return count_repeated(forced_orders, orders)


def validate_sequence(
    game: "Game", view: Any, lines: tuple[OrderLine, ...], conditional_orders: Sequence[ConditionalOrder]
) -> tuple[list[LineVerdict], tuple[OrderLine, ...]]:
    """Play the lines on the player's own View, as far as he can tell; what ``conditional_orders`` answers what
    they do not.

    The lines come back as they are meant: complete, where their question is known already.
    """
    verdicts: list[LineVerdict] = []
    completed_lines = list(lines)
    turn = game.turn(view)
    current_view: Any | None = view
    for index in range(len(lines)):
        line = completed_lines[index]
        current_view = (
            None
            if current_view is None
            else advance_past_conditional(game, current_view, line.order, conditional_orders)
        )
        if current_view is not None and game.turn(current_view) == turn and not game.legal(current_view):
            current_view = None if game.questions(current_view) else current_view  # somebody else chooses now
        if current_view is None:  # only the course of the game can tell (a scoring, a draw)
            orders = [earlier_line.order for earlier_line in (*completed_lines[:index], line)]
            why = say(sentences.TURN_OVER) if too_many(game, view, orders) else None
            why = why or _why_never_legal(game, view, line.order)
        else:
            order = game.complete(current_view, line.order)
            completed_lines[index] = line._replace(order=order)
            why = _why_refused(game, current_view, order, turn)
        if why:
            is_shared = sum(other_line.number == line.number for other_line in lines) > 1
            text = (line.order if is_shared else "") or line.text
            verdicts.append(LineVerdict(line.number, text, "refused", why))
            verdicts += _mark_unchecked(lines[index + 1 :])
            break
        note = say(sentences.CHECKED_THEN) if current_view is None else None
        verdicts.append(LineVerdict(line.number, line.text, "kept", note))
        current_view = None if current_view is None else game.foresee(current_view, order)
    current_view = (
        None if current_view is None else advance_past_conditional(game, current_view, "", conditional_orders)
    )
    is_unfinished = current_view is not None and game.turn(current_view) == turn and game.legal(current_view)
    if is_unfinished and verdicts and verdicts[-1].what == "kept":
        verdicts[-1] = verdicts[-1]._replace(why=say(sentences.HALF))
    return verdicts, tuple(completed_lines)


def are_orders_possible(
    game: "Game", view: Any, orders: Iterable[PendingOrder], conditional_orders: Sequence[ConditionalOrder]
) -> bool:
    """Whether a seat that is asked may give these orders for now, as far as its View tells, where
    this ``conditional_orders``; for an audit.
    """
    lines = tuple(OrderLine(number, order.order, order.order) for number, order in enumerate(orders, 1))
    return all(verdict.what == "kept" for verdict in validate_sequence(game, view, lines, conditional_orders)[0])


def _why_refused(game: "Game", view: Any, order: str, turn: int) -> Sentence | None:
    """Why an order cannot be legal at this point of his turn; None if it is."""
    if not game.legal(view) or game.turn(view) != turn:
        return say(sentences.TURN_OVER)
    return _refusal_sentence(game.check(view, order))
