"""Half an action that waits: whether the turn goes on after it, and from where; and what that waits
answers in between.

What must never be here: a look at the State; another seat's hand.
Source: docs/decisions/0022-faces.md; docs/NOTATION.md "A mail or move file".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.play.pending_orders import MAX_COUNTER, NOW, OrderGroup, PendingOrders

if TYPE_CHECKING:
    from pbem.engine.game import Game


ConditionalOrder = tuple[str, str]  #: the NAME that an order waits for; the order


class UnfinishedTurn(NamedTuple):
    """A turn that goes on."""

    view: Any  #: of its seat, as far as it can tell
    is_certain: bool  #: else it is the View before an order after which it cannot tell
    max_orders: int  #: how many orders may come yet; more than any turn has where the View tells it


def find_unfinished_turn(game: "Game", view: Any, pending: PendingOrders) -> UnfinishedTurn | None:
    """How the turn goes on after what waits for now; None where that is whole.

    After a draw nobody can tell: then the game says how many orders are too many, or an example,
    which is a whole answer, has so many.
    """
    orders, turn, last_view = list_orders_for_now(game, view, pending), game.turn(view), view
    if not orders or too_many(game, view, [*orders, orders[-1]]):  # one more of any kind
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
    """What waits for a question about its NAME."""
    return [(group.when, order.order) for group in pending.groups if group.when for order in group.playable_orders]


def advance_past_conditional(
    game: "Game", view: Any, order: str, conditional_orders: Sequence[ConditionalOrder]
) -> Any | None:
    """The View at which a line is looked at: what waits has answered each question before that the
    line does not fit, as far as it can. None where nobody can tell.
    """
    remaining_orders = [*conditional_orders]
    while remaining_orders and game.legal(view) and not game.fits(view, order):
        answering_order = next(
            (
                conditional_order
                for conditional_order in remaining_orders
                if _answers_question(game, view, *conditional_order)
            ),
            None,
        )
        if answering_order is None:
            break
        remaining_orders.remove(answering_order)
        view = game.foresee(view, game.complete(view, answering_order[1]))
        if view is None:
            return None
    return view


def _answers_question(game: "Game", view: Any, when: str, order: str) -> bool:
    """Whether it is used for the question now put to the View's seat."""
    fits = game.concerns(view, when) and game.fits(view, order)
    return fits and game.check(view, game.complete(view, order)) is None


def _count_room(game: "Game", view: Any, turn_orders: list[str], example: tuple[str, ...]) -> int:
    """How often the last order of an example has room in the turn besides; at most as many times as
    the example has orders.
    """
    longer_turns = ([*turn_orders, *example[-1:] * n] for n, _ in enumerate(example, 1))
    return sum(not too_many(game, view, orders) for orders in longer_turns)


def list_orders_for_now(game: "Game", view: Any, pending: PendingOrders) -> list[str]:
    """The orders that answer what a seat is asked in this turn; none where it is not asked."""
    group_now = next((group for group in pending.groups if group.name == NOW), OrderGroup(NOW, ()))
    is_current = group_now.turn == game.turn(view) and game.legal(view)
    return [order.order for order in group_now.orders] if is_current else []
