"""Taking what a player sent: read, check against his View, keep whole or not at all.

What lives here: OrdersResult, ``validate_orders``. What must never be here: files, the State, another
seat's hand. Everything said here is a function of the player's View and of his own lines (P2).
Laws: one line refused and none is kept; a mail handled before gets the same answer again; what
nobody can tell yet is taken, and looked at when its time comes.
Source: docs/DESIGN.md "Email"; docs/NOTATION.md "A mail or move file"; R-1.
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
    LineVerdict,
    merge_conditional_orders,
    validate_later,
    validate_now,
    validate_sequence,
    why_never_follows,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game


MAX_ORDERS = 500  #: of one mail, as of a move file
MAX_PENDING_ROWS = 5_000  #: in a hand, with what signed mails left: a file that every command reads


class OrdersResult(NamedTuple):
    """The answer to one mail: the hand afterwards, each line's verdict, what was asked for."""

    pending: PendingOrders
    is_accepted: bool  #: nothing was refused or doubtful
    has_changed: bool  #: the orders in hand are other than before
    verdicts: tuple[LineVerdict, ...]
    commands: tuple[str, ...]
    parsed_orders: ParsedOrders = ParsedOrders()  #: what the verdicts are about: mended, where that was clear


def validate_orders(
    game: "Game", context: EmailContext, pending: PendingOrders, parsed_orders: ParsedOrders
) -> OrdersResult:
    """Judge one mail whose code is good.

    The returned hand has the new lines if, and only if, all of them are accepted.
    """
    if len(parsed_orders.now) + len(parsed_orders.later) > MAX_ORDERS:
        return _refuse_too_many(pending, parsed_orders)
    # a line with ``when`` waits for its moment, wherever it stands in the mail
    waiting_lines = tuple(line for line in parsed_orders.now if line.when)
    now = tuple(line for line in parsed_orders.now if not line.when)
    parsed_orders = parsed_orders._replace(now=now, later=(*waiting_lines, *parsed_orders.later))
    doubtful_verdicts = [
        LineVerdict(doubtful_line.number, doubtful_line.text, "doubtful", doubtful_line.why)
        for doubtful_line in parsed_orders.doubtful_lines
    ]
    doubtful_numbers = {doubtful_line.number for doubtful_line in parsed_orders.doubtful_lines}  # once is enough
    unread_verdicts = [
        LineVerdict(line.number, line.text, "not read")
        for line in parsed_orders.message_lines
        if line.number not in doubtful_numbers
    ]
    conditional_orders = merge_conditional_orders(pending, parsed_orders)
    now_verdicts, counted_lines = validate_now(game, context, pending, parsed_orders.now, conditional_orders)
    later_verdicts = [validate_later(game, context.view, line, pending) for line in parsed_orders.later]
    pairs = zip(parsed_orders.later, later_verdicts, strict=True)
    parsed_orders = parsed_orders._replace(later=tuple(line for line, verdict in pairs if verdict.what != "not kept"))
    skipped_lines = parsed_orders.now[: len(parsed_orders.now) - len(counted_lines)]
    if skipped_lines:
        parsed_orders, following_verdicts = _add_following_orders(game, context.view, parsed_orders, skipped_lines)
        later_verdicts += following_verdicts
    verdicts = tuple(
        sorted(
            (*doubtful_verdicts, *now_verdicts, *later_verdicts, *unread_verdicts), key=lambda verdict: verdict.number
        )
    )
    is_refused = any(verdict.what in ("refused", "doubtful") for verdict in verdicts)
    if is_refused:
        return OrdersResult(
            pending, False, False, _reject_remaining_lines(verdicts), parsed_orders.commands, parsed_orders
        )
    new_pending = _store_orders(pending, context, game, parsed_orders._replace(now=counted_lines))
    if sum(len(group.orders) for group in new_pending.groups) > MAX_PENDING_ROWS:
        full_verdict = LineVerdict(0, "", "refused", say(sentences.FULL, most=MAX_PENDING_ROWS))
        return OrdersResult(
            pending,
            False,
            False,
            (full_verdict, *_reject_remaining_lines(verdicts)),
            parsed_orders.commands,
            parsed_orders,
        )
    return OrdersResult(
        _apply_report_choice(new_pending, parsed_orders.commands),
        True,
        new_pending is not pending,
        verdicts,
        parsed_orders.commands,
        parsed_orders,
    )


def leaves_turn_unfinished(result: OrdersResult) -> bool:
    """Whether its orders leave an action that needs another one."""
    return any(verdict.why is not None and verdict.why.text == sentences.HALF for verdict in result.verdicts)


def _apply_report_choice(pending: PendingOrders, commands: tuple[str, ...]) -> PendingOrders:
    """With which reports its player wants from now on, if they say so; the last time counts."""
    choices = [command for command in commands if command.startswith("mails ")]
    return pending._replace(report_choice=choices[-1].removeprefix("mails ")) if choices else pending


def _refuse_too_many(pending: PendingOrders, parsed_orders: ParsedOrders) -> OrdersResult:
    """More orders than a game has turns: something went wrong where they were written."""
    count = len(parsed_orders.now) + len(parsed_orders.later)
    line = (*parsed_orders.now, *parsed_orders.later)[MAX_ORDERS]
    why = say(sentences.TOO_MANY, number=count, most=MAX_ORDERS)
    verdicts = (LineVerdict(line.number, line.text, "refused", why),)
    return OrdersResult(pending, False, False, verdicts, parsed_orders.commands, parsed_orders)


def _add_following_orders(
    game: "Game", view: Any, parsed_orders: ParsedOrders, skipped_lines: tuple[OrderLine, ...]
) -> tuple[ParsedOrders, list[LineVerdict]]:
    """An order was done for him already (R-1): what stood after its ``then`` still counts.

    Where the moment is over it is no fault of his mail, which is read as it is.
    """
    following_lines, verdicts = [], []
    for line in skipped_lines:
        if line.then:
            why = why_never_follows(game, view, line)
            if not why:
                following_lines.append(OrderLine(line.number, line.text, line.then, place_of(line.order)))
            verdicts.append(LineVerdict(line.number, line.text, "not kept" if why else "kept", why))
    return parsed_orders._replace(later=(*following_lines, *parsed_orders.later)), verdicts


def _reject_remaining_lines(verdicts: tuple[LineVerdict, ...]) -> tuple[LineVerdict, ...]:
    """One line refused: the good ones are not kept either."""
    why = say(sentences.OTHER_LINE)
    return tuple(
        verdict._replace(what="not kept", why=why) if verdict.what == "kept" else verdict for verdict in verdicts
    )


def prepend_waiting_orders(
    game: "Game", context: EmailContext, pending: PendingOrders, parsed_orders: ParsedOrders
) -> ParsedOrders:
    """With what waits for now before its own lines, where these only go on with it.

    So the halves of an action may come in two emails (decision 0022). What is signed has its own
    number and goes on with nothing; neither do lines of another source.
    """
    own_lines = tuple(line for line in parsed_orders.now if not line.when)
    waiting_group = next((group for group in pending.groups if group.name == NOW), OrderGroup(NOW, ()))
    unfinished_turn = (
        find_unfinished_turn(game, context.view, pending)
        if own_lines and context.is_asked and not context.orders_since_report
        else None
    )
    stands_alone = bool(
        context.email_number or parsed_orders.doubtful_lines or is_group_withdrawn(NOW, parsed_orders.commands)
    )
    if (
        unfinished_turn is None
        or stands_alone
        or waiting_group.source != context.source
        or len(own_lines) > unfinished_turn.max_orders
    ):
        return parsed_orders
    verdicts, _ = validate_sequence(
        game, unfinished_turn.view, own_lines, merge_conditional_orders(pending, parsed_orders)
    )
    if any(verdict.what != "kept" for verdict in verdicts):
        return parsed_orders
    waiting_lines = (OrderLine(own_lines[0].number, order.order, order.order) for order in waiting_group.orders)
    return parsed_orders._replace(now=(*waiting_lines, *parsed_orders.now))


def _store_orders(
    pending: PendingOrders, context: EmailContext, game: "Game", parsed_orders: ParsedOrders
) -> PendingOrders:
    """What a mail makes of the hand: what it withdraws, then the parts that it has lines for."""
    signed_by_number = {signed_line.number: signed_line for signed_line in context.signed_lines}
    email_number, orders_by_group = (
        context.email_number or min(pending.newest_email_number + 1, MAX_COUNTER),
        dict[str, tuple[PendingOrder, ...]](),
    )
    parsed_orders = number_orders(parsed_orders)
    for line in (*parsed_orders.now, *parsed_orders.later):
        group_name = NOW if line in parsed_orders.now else group_name_for(line.when or "")
        order = _make_pending_order(
            signed_by_number.get(line.signature_number, UNSIGNED), line.signature_number, line.order
        )
        orders_by_group[group_name] = (*orders_by_group.get(group_name, ()), order)
    withdrawn_names = [
        group.name
        for group in pending.groups
        if group.playable_orders and is_group_withdrawn(group.name, parsed_orders.commands)
    ]
    if not orders_by_group and not withdrawn_names:
        return pending
    turn = game.turn(context.view)
    groups = [
        OrderGroup(
            group_name, orders, email_number, context.source, context.state_hash, turn if group_name == NOW else 0
        )
        for group_name, orders in orders_by_group.items()
    ]
    stored_numbers = {order.number for orders in orders_by_group.values() for order in orders}
    leftover_orders = [
        _make_pending_order(signed_line)
        for signed_line in context.signed_lines
        if signed_line.number not in stored_numbers
    ]
    if not context.signed_lines:
        leftover_orders = [
            PendingOrder(number, command)
            for number, command in enumerate(parsed_orders.commands, len(stored_numbers) + 1)
        ]
        leftover_orders = list(filter(is_withdrawal, leftover_orders))
    return pending.with_email(
        groups,
        OrderGroup(
            f"{LEFTOVER}{email_number}", tuple(leftover_orders), email_number, context.source, context.state_hash
        ),
        withdrawn_names,
    )


def _make_pending_order(signed_line: SignedLine, number: int = 0, order: str = "") -> PendingOrder:
    """A line in hand: as it was signed, if it was."""
    if not signed_line.signature:
        return PendingOrder(number, order)
    return PendingOrder(
        signed_line.number,
        order_of(signed_line.line),
        signed_line.signature,
        signed_line.line,
        signed_line.signed_count,
    )
