"""A turn that pending orders leave unfinished: from where it goes on, and which orders may follow.

What must never be here: the State; another seat's pending orders.
Source: docs/decisions/0022-faces.md; docs/NOTATION.md "A mail or move file".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.play.pending_orders import MAX_COUNTER, NOW, OrderGroup, PendingOrders

if TYPE_CHECKING:
    from pbem.engine.game import Game


class ConditionalOrder(NamedTuple):
    """An order that waits for a question about a NAME."""

    name: str
    order: str


class UnfinishedTurn(NamedTuple):
    """A turn that needs further orders."""

    view: Any  #: from which it goes on; if not certain, before the first unforeseeable order
    is_certain: bool
    max_orders: int  #: how many orders may follow; if certain, more than any turn has


def find_unfinished_turn(game: "Game", view: Any, pending: PendingOrders) -> UnfinishedTurn | None:
    """How the turn goes on after the pending orders for now; None if they complete it or there are none.

    Nobody can foresee what follows a draw. Then the game knows how many orders are too many, or an
    example of a complete answer has as many orders as the turn needs.
    """
    orders, turn, last_view = list_orders_for_now(game, view, pending), game.turn(view), view
    if not orders or too_many(game, view, [*orders, orders[-1]]):
        return None
    conditional_orders = list_conditional_orders(pending)
    for index, order in enumerate(orders):
        view_at_order = advance_past_conditional(game, last_view, order, conditional_orders)
        if view_at_order is not None and (
            not game.legal(view_at_order) or game.turn(view_at_order) != turn or game.check(view_at_order, order)
        ):
            return None
        next_view = None if view_at_order is None else game.foresee(view_at_order, order)
        if next_view is None:
            question = game.ask(last_view)
            example = question.example if question else ()
            max_orders = _count_room(game, view, orders, example)
            max_orders = max_orders if max_orders < len(example) else len(example) - len(orders[index:])
            return UnfinishedTurn(last_view, False, max_orders) if max_orders > 0 else None
        last_view = next_view
    last_view = advance_past_conditional(game, last_view, "", conditional_orders)
    is_unfinished = last_view is not None and game.legal(last_view) and game.turn(last_view) == turn
    return UnfinishedTurn(last_view, True, MAX_COUNTER) if is_unfinished else None


def list_conditional_orders(pending: PendingOrders) -> list[ConditionalOrder]:
    """The pending orders that wait for a question about a NAME."""
    return [
        ConditionalOrder(group.when, order.order)
        for group in pending.parts
        if group.when
        for order in group.playable_orders
    ]


def advance_past_conditional(
    game: "Game", view: Any, order: str, conditional_orders: Sequence[ConditionalOrder]
) -> Any | None:
    """The View at which an order is checked: conditional orders have answered the questions before it.

    None where nobody can foresee it, also if ``view`` is None.
    """
    unused_orders = [*conditional_orders]
    while view is not None and unused_orders and game.legal(view) and not game.fits(view, order):
        answers = (unused for unused in unused_orders if _answers_question(game, view, unused))
        answer = next(answers, None)
        if answer is None:
            break
        unused_orders.remove(answer)
        view = game.foresee(view, game.complete(view, answer.order))
    return view


def _answers_question(game: "Game", view: Any, conditional: ConditionalOrder) -> bool:
    """Whether a conditional order answers the present question of the View's seat."""
    fits = game.concerns(view, conditional.name) and game.fits(view, conditional.order)
    return fits and game.check(view, game.complete(view, conditional.order)) is None


def _count_room(game: "Game", view: Any, turn_orders: list[str], example: tuple[str, ...]) -> int:
    """How often the last order of an example fits into the turn, at most as often as it has orders."""
    longer_turns = ([*turn_orders, *example[-1:] * n] for n, _ in enumerate(example, 1))
    return sum(not too_many(game, view, orders) for orders in longer_turns)


def list_orders_for_now(game: "Game", view: Any, pending: PendingOrders) -> list[str]:
    """The pending orders for the seat's present question; none if it has no question."""
    group_now = next((group for group in pending.parts if group.name == NOW), OrderGroup(NOW, ()))
    is_current = group_now.turn == game.turn(view) and game.legal(view)
    return [order.order for order in group_now.orders] if is_current else []
