"""Validate the orders of an email against its player's View: all are accepted, or none.

Not allowed here: files; the State; another seat's pending orders. Every result depends only
on the player's View and own lines (P2).
Law: an order that nobody can foresee is accepted, and checked when its time comes.
Source: docs/DESIGN.md "Email"; FORMAT.md "Orders in an email or move file"; R-1.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.row import say
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.play import sentences
from pbem.play.half_action import find_unfinished_turn
from pbem.play.pending_orders import (
    LEFTOVER,
    MAX_COUNTER,
    NOW,
    UNSIGNED,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    SignedLine,
    group_name_for,
    is_group_withdrawn,
    is_withdrawal,
    order_of,
    place_of,
)
from pbem.play.signed_orders import number_orders
from pbem.play.validation import (
    EmailContext,
    LineOutcome,
    LineVerdict,
    merge_conditional_orders,
    validate_later,
    validate_now,
    validate_sequence,
    why_never_follows,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game


MAX_ORDERS = 500  #: of one email or move file
MAX_PENDING_ROWS = 5_000  #: pending orders and leftovers of one seat; limited because every command reads them


class OrdersResult(NamedTuple):
    """The result of validating an email."""

    pending: PendingOrders  #: after the email
    is_accepted: bool  #: no line was refused or doubtful
    has_changed: bool  #: the email changed the pending orders
    verdicts: tuple[LineVerdict, ...]
    commands: tuple[str, ...]
    parsed_orders: ParsedOrders = ParsedOrders()  #: the lines that the verdicts are about


def validate_orders(
    game: "Game", context: EmailContext, pending: PendingOrders, parsed_orders: ParsedOrders
) -> OrdersResult:
    """Validate the orders of an authenticated email. The pending orders of the result have the new lines if, and only
    if, all of them are accepted.
    """
    if len(parsed_orders.now) + len(parsed_orders.later) > MAX_ORDERS:
        return _refuse_too_many(pending, parsed_orders)
    validated = _validate_lines(game, context, pending, parsed_orders)
    parsed_orders, verdicts = validated.parsed_orders, validated.verdicts
    if any(verdict.outcome in (LineOutcome.REFUSED, LineOutcome.UNCLEAR) for verdict in verdicts):
        return _refuse(pending, parsed_orders, _reject_remaining_lines(verdicts))
    new_pending = _store_orders(pending, context, game, parsed_orders._replace(now=validated.counted_now))
    if sum(len(group.orders) for group in new_pending.groups) > MAX_PENDING_ROWS:
        full_verdict = LineVerdict(0, "", LineOutcome.REFUSED, say(sentences.FULL, most=MAX_PENDING_ROWS))
        return _refuse(pending, parsed_orders, (full_verdict, *_reject_remaining_lines(verdicts)))
    has_changed = new_pending is not pending
    new_pending = _apply_report_choice(new_pending, parsed_orders.commands)
    return OrdersResult(new_pending, True, has_changed, verdicts, parsed_orders.commands, parsed_orders)


class _ValidatedEmail(NamedTuple):
    """The lines of an email after each was validated."""

    parsed_orders: ParsedOrders  #: with the standing orders that count
    counted_now: tuple[OrderLine, ...]  #: the orders for now that count
    verdicts: tuple[LineVerdict, ...]


def _validate_lines(
    game: "Game", context: EmailContext, pending: PendingOrders, parsed_orders: ParsedOrders
) -> _ValidatedEmail:
    """Validate each line of an email. The verdicts are in the order of the lines."""
    # a line with ``when`` is a standing order, wherever it is in the email
    waiting_lines = tuple(line for line in parsed_orders.now if line.when)
    now = tuple(line for line in parsed_orders.now if not line.when)
    parsed_orders = parsed_orders._replace(now=now, later=(*waiting_lines, *parsed_orders.later))
    conditional_orders = merge_conditional_orders(pending, parsed_orders)
    validated = validate_now(game, context, pending, parsed_orders.now, conditional_orders)
    later_verdicts = [validate_later(game, context.view, line, pending) for line in parsed_orders.later]
    pairs = zip(parsed_orders.later, later_verdicts, strict=True)
    parsed_orders = parsed_orders._replace(
        later=tuple(line for line, verdict in pairs if verdict.outcome != LineOutcome.LEFT)
    )
    # pbem has played these lines already, but not what is behind their `then`
    skipped_lines = parsed_orders.now[: len(parsed_orders.now) - len(validated.lines)]
    following = [_validate_following(game, context.view, line) for line in skipped_lines if line.then]
    later_verdicts += [verdict for _, verdict in following]
    following_lines = [line for line, verdict in following if verdict.is_accepted]
    parsed_orders = parsed_orders._replace(later=(*following_lines, *parsed_orders.later))
    doubtful_lines = parsed_orders.doubtful_lines
    doubtful_verdicts = [LineVerdict(line.number, line.text, LineOutcome.UNCLEAR, line.why) for line in doubtful_lines]
    doubtful_numbers = {line.number for line in doubtful_lines}
    unread_lines = (line for line in parsed_orders.message_lines if line.number not in doubtful_numbers)
    unread_verdicts = [LineVerdict(line.number, line.text, LineOutcome.MESSAGE) for line in unread_lines]
    all_verdicts = (*doubtful_verdicts, *validated.verdicts, *later_verdicts, *unread_verdicts)
    verdicts = tuple(sorted(all_verdicts, key=lambda verdict: verdict.number))
    return _ValidatedEmail(parsed_orders, validated.lines, verdicts)


def _refuse(pending: PendingOrders, parsed_orders: ParsedOrders, verdicts: tuple[LineVerdict, ...]) -> OrdersResult:
    """Return the result of an email that is not accepted, with the pending orders as they were."""
    return OrdersResult(pending, False, False, verdicts, parsed_orders.commands, parsed_orders)


def leaves_turn_unfinished(result: OrdersResult) -> bool:
    """Return whether the orders leave an action that needs another order."""
    return any(verdict.why is not None and verdict.why.text == sentences.HALF for verdict in result.verdicts)


def _apply_report_choice(pending: PendingOrders, commands: tuple[str, ...]) -> PendingOrders:
    """Note which reports the player wants from now on, if a command says so. The last choice counts."""
    choices = [command for command in commands if command.startswith("mails ")]
    return pending._replace(report_choice=choices[-1].removeprefix("mails ")) if choices else pending


def _refuse_too_many(pending: PendingOrders, parsed_orders: ParsedOrders) -> OrdersResult:
    """Refuse an email with more than ``MAX_ORDERS`` orders, which no game needs."""
    count = len(parsed_orders.now) + len(parsed_orders.later)
    line = (*parsed_orders.now, *parsed_orders.later)[MAX_ORDERS]
    why = say(sentences.TOO_MANY, number=count, most=MAX_ORDERS)
    return _refuse(pending, parsed_orders, (LineVerdict(line.number, line.text, LineOutcome.REFUSED, why),))


def _validate_following(game: "Game", view: Any, line: OrderLine) -> tuple[OrderLine, LineVerdict]:
    """Validate the order behind the ``then`` of a line that pbem has played for the player already (R-1). Returns it
    as a standing order, and the verdict, which is never a refusal.
    """
    why = why_never_follows(game, view, line)
    verdict = LineVerdict(line.number, line.text, LineOutcome.LEFT if why else LineOutcome.ACCEPTED, why)
    return OrderLine(line.number, line.text, line.then or "", place_of(line.order)), verdict


def _reject_remaining_lines(verdicts: tuple[LineVerdict, ...]) -> tuple[LineVerdict, ...]:
    """Return the verdicts of an email with a refused line: no other line is accepted either."""
    why = say(sentences.OTHER_LINE)
    return tuple(
        verdict._replace(outcome=LineOutcome.LEFT, why=why) if verdict.is_accepted else verdict for verdict in verdicts
    )


def prepend_waiting_orders(
    game: "Game", context: EmailContext, pending: PendingOrders, parsed_orders: ParsedOrders
) -> ParsedOrders:
    """Put the pending orders for now before those of an email that continues the same turn.

    So the halves of an action may come in two emails (decision 0022). An email that is signed or
    was authenticated in another way does not continue the pending orders; it replaces them.
    """
    own_lines = tuple(line for line in parsed_orders.now if not line.when)
    waiting_group = next((group for group in pending.groups if group.name == NOW), OrderGroup(NOW, ()))
    if not own_lines or not context.is_asked or context.orders_since_report:
        return parsed_orders
    if context.email_number or parsed_orders.doubtful_lines or is_group_withdrawn(NOW, parsed_orders.commands):
        return parsed_orders
    unfinished_turn = find_unfinished_turn(game, context.view, pending)
    if unfinished_turn is None or len(own_lines) > unfinished_turn.max_orders:
        return parsed_orders
    conditional_orders = merge_conditional_orders(pending, parsed_orders)
    # behind an order whose result nobody can foresee, a line is not legal before that order
    number = own_lines[0].number
    unplayed_lines = tuple(OrderLine(number, order, order) for order in unfinished_turn.unplayed)
    sequence = validate_sequence(game, unfinished_turn.view, (*unplayed_lines, *own_lines), conditional_orders)
    if waiting_group.source != context.source or any(not verdict.is_accepted for verdict in sequence.verdicts):
        return parsed_orders
    waiting_lines = (OrderLine(number, order.order, order.order) for order in waiting_group.orders)
    return parsed_orders._replace(now=(*waiting_lines, *parsed_orders.now))


def _store_orders(
    pending: PendingOrders, context: EmailContext, game: "Game", parsed_orders: ParsedOrders
) -> PendingOrders:
    """Replace and withdraw groups of pending orders. Returns ``pending`` itself if the email changes nothing."""
    signed_by_number = {signed_line.number: signed_line for signed_line in context.signed_lines}
    email_number = context.email_number or min(pending.newest_email_number + 1, MAX_COUNTER)
    orders_by_group = dict[str, tuple[PendingOrder, ...]]()
    parsed_orders = number_orders(parsed_orders)
    for line in (*parsed_orders.now, *parsed_orders.later):
        group_name = NOW if line in parsed_orders.now else group_name_for(line.when or "")
        signed_line = signed_by_number.get(line.signature_number, UNSIGNED)
        order = _make_pending_order(signed_line, line.signature_number, line.order)
        orders_by_group[group_name] = (*orders_by_group.get(group_name, ()), order)
    withdrawn_names = [
        group.name
        for group in pending.groups
        if group.playable_orders and is_group_withdrawn(group.name, parsed_orders.commands)
    ]
    if not orders_by_group and not withdrawn_names:
        return pending
    turn = game.turn(context.view)
    source, state_hash = context.source, context.state_hash
    groups = [
        OrderGroup(name, orders, email_number, source, state_hash, turn=turn if name == NOW else 0)
        for name, orders in orders_by_group.items()
    ]
    stored_numbers = {order.number for orders in orders_by_group.values() for order in orders}
    leftover_orders = _list_leftovers(context, parsed_orders.commands, stored_numbers)
    leftover = OrderGroup(f"{LEFTOVER}{email_number}", leftover_orders, email_number, source, state_hash)
    return pending.with_email(groups, leftover, withdrawn_names)


def _list_leftovers(
    context: EmailContext, commands: tuple[str, ...], stored_numbers: set[int]
) -> tuple[PendingOrder, ...]:
    """Return what else the states record of an email: its other signed lines, or unsigned `withdraw` commands."""
    if context.signed_lines:
        other_lines = (line for line in context.signed_lines if line.number not in stored_numbers)
        return tuple(map(_make_pending_order, other_lines))
    numbered_commands = enumerate(commands, len(stored_numbers) + 1)
    return tuple(filter(is_withdrawal, (PendingOrder(number, command) for number, command in numbered_commands)))


def _make_pending_order(signed_line: SignedLine, number: int = 0, order: str = "") -> PendingOrder:
    """Return a pending order: the one in ``signed_line``, or else the unsigned ``order``."""
    if not signed_line.signature:
        return PendingOrder(number, order)
    return PendingOrder(
        signed_line.number,
        order_of(signed_line.line),
        signed_line.signature,
        signed_line.line,
        signed_line.signed_count,
    )
