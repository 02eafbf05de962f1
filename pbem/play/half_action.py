"""Find a turn that pending orders leave unfinished: from where it goes on, and which orders may follow.

Not allowed here: the State; another seat's pending orders.
Source: docs/decisions/0022-faces.md; FORMAT.md "Orders in an email or move file".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.play.pending_orders import MAX_COUNTER, NOW, OrderGroup, PendingOrders

if TYPE_CHECKING:
    from pbem.engine.game import Game


class ConditionalOrder(NamedTuple):
    """A standing order for a question about a NAME: `when AP2: flood -2`."""

    name: str
    order: str


class UnfinishedTurn(NamedTuple):
    """A turn that needs further orders."""

    view: Any  #: from which it goes on; if not certain, the View before the first order with an unknown result
    is_certain: bool  #: the player can foresee the View after all pending orders
    max_orders: int  #: how many orders may follow; if certain, a number that no turn reaches


def find_unfinished_turn(game: "Game", view: Any, pending: PendingOrders) -> UnfinishedTurn | None:
    """Return how the turn goes on after the pending orders for now.

    Returns None if these orders complete the turn, do not fit it, or do not exist. Nobody can
    foresee the View after a draw. Then the game may say how many orders are too many. If it does
    not, the turn needs as many orders as the example of a complete answer has.
    """
    orders = list_orders_for_now(game, view, pending)
    turn = game.turn(view)
    last_view = view
    if not orders or too_many(game, view, [*orders, orders[-1]]):
        return None
    conditional_orders = list_conditional_orders(pending)
    for index, order in enumerate(orders):
        view_at_order = advance_past_conditional(game, last_view, order, conditional_orders)
        next_view = None
        if view_at_order is not None:
            is_turn_open = game.legal(view_at_order) and game.turn(view_at_order) == turn
            if not is_turn_open or game.check(view_at_order, order):
                return None
            next_view = game.foresee(view_at_order, order)
        if next_view is None:
            question = game.ask(last_view)
            example = question.example if question else ()
            max_orders = _count_fitting_repeats(game, view, orders, example)
            if max_orders == len(example):  # the game sets no limit
                max_orders = len(example) - len(orders[index:])
            return UnfinishedTurn(last_view, False, max_orders) if max_orders > 0 else None
        last_view = next_view
    last_view = advance_past_conditional(game, last_view, "", conditional_orders)
    is_unfinished = last_view is not None and game.legal(last_view) and game.turn(last_view) == turn
    return UnfinishedTurn(last_view, True, MAX_COUNTER) if is_unfinished else None


def list_conditional_orders(pending: PendingOrders) -> list[ConditionalOrder]:
    """Return the pending orders that wait for a question about a NAME."""
    return [
        ConditionalOrder(group.when, order.order)
        for group in pending.groups
        if group.when
        for order in group.playable_orders
    ]


def advance_past_conditional(
    game: "Game", view: Any, order: str, conditional_orders: Sequence[ConditionalOrder]
) -> Any | None:
    """Return the View at which an order is checked, after conditional orders answered the questions before it.

    Returns None if nobody can foresee that View, or if ``view`` is None. With "" as the order,
    every question is answered for which there is a conditional order.
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
    """Return whether a conditional order answers the present question of the View's seat."""
    fits = game.concerns(view, conditional.name) and game.fits(view, conditional.order)
    return fits and game.check(view, game.complete(view, conditional.order)) is None


def _count_fitting_repeats(game: "Game", view: Any, turn_orders: list[str], example: tuple[str, ...]) -> int:
    """Count how often the last order of an example fits into the turn, up to the length of the example."""
    count = 0
    for repeats in range(1, len(example) + 1):
        longer_turn = turn_orders + [example[-1]] * repeats
        count += not too_many(game, view, longer_turn)
    return count


def list_orders_for_now(game: "Game", view: Any, pending: PendingOrders) -> list[str]:
    """Return the pending orders for the seat's present question; [] if it has no question."""
    group_now = next((group for group in pending.groups if group.name == NOW), OrderGroup(NOW, ()))
    is_current = group_now.turn == game.turn(view) and game.legal(view)
    return [order.order for order in group_now.orders] if is_current else []
