"""Find a turn that pending orders leave unfinished: from where it goes on, and which orders may follow.

Not allowed here: the true State; another seat's pending orders. States drawn from a View are in place of it.
Source: docs/decisions/0022-faces.md; FORMAT.md "Orders in an email or move file".
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.hidden import Chance
from pbem.engine.optional_parts import too_many
from pbem.engine.row import Choice
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
    unplayed: tuple[str, ...] = ()  #: pending orders of the turn after ``view``; () if certain


POSSIBLE_STATES = 64  #: at most so many States are drawn, to see which orders are legal in all of them


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
            return UnfinishedTurn(last_view, False, max_orders, tuple(orders[index:])) if max_orders > 0 else None
        last_view = next_view
    last_view = advance_past_conditional(game, last_view, "", conditional_orders)
    is_unfinished = last_view is not None and game.legal(last_view) and game.turn(last_view) == turn
    return UnfinishedTurn(last_view, True, MAX_COUNTER) if is_unfinished else None


def list_safe_choices(game: "Game", seat: str, unfinished_turn: UnfinishedTurn) -> tuple[Choice, ...]:
    """Return the orders that may follow, as far as the player can know: those legal in every State drawn.

    The States are drawn from the View alone, by fixed numbers. So two States that the seat cannot
    tell apart give the same choices. Returns () if the turn may go on with different orders or not
    at all.
    """
    if unfinished_turn.is_certain:
        question = game.ask(unfinished_turn.view)
        return question.choices if question else ()
    question = None
    safe_orders = set[str]()
    for number in range(POSSIBLE_STATES):
        view = _draw_view_after(game, seat, unfinished_turn, number)
        legal_orders = set(game.legal(view)) if view is not None else set()
        safe_orders = safe_orders & legal_orders if number else legal_orders
        if not safe_orders:
            return ()
        question = question or game.ask(view)
    if question is None:
        return ()
    safe_choices = (
        Choice(choice.order, tuple(end for end in choice.rest if f"{choice.order} {end}".rstrip() in safe_orders))
        for choice in question.choices
    )
    return tuple(choice for choice in safe_choices if choice.rest)


def _fixed_word(pile: str, index: int) -> int:
    """Return the same number each time: nothing secret is drawn, and twins must draw alike."""
    return int.from_bytes(sha256(f"{pile} {index}".encode()).digest()[:8], "big")


def _draw_view_after(game: "Game", seat: str, unfinished_turn: UnfinishedTurn, number: int) -> Any | None:
    """Return the seat's View after the unplayed orders in a drawn State; None if its turn does not go on there."""
    view, turn = unfinished_turn.view, game.turn(unfinished_turn.view)
    state = game.guess(view, Chance(_fixed_word, f"{number}").below)
    for order in unfinished_turn.unplayed:
        if not game.legal(view) or game.turn(view) != turn or game.check(view, order):
            return None
        state = game.apply(state, seat, game.complete(view, order), 0).state
        view = game.view(state, seat)
    return view if game.legal(view) and game.turn(view) == turn else None


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
