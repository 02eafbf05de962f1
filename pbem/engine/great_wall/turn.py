"""The course of a turn: examine, second action, third action; then the next seat.

Source: GW-4, GW-11, GW-20 to GW-22, GW-30, GW-31.
"""

from pbem.engine.decision import Step
from pbem.engine.great_wall import cards, ending
from pbem.engine.great_wall.ending import examine, no_free_marker
from pbem.engine.great_wall.legal import now_asked
from pbem.engine.great_wall.spelling import Order, order_of
from pbem.engine.great_wall.state import Play, State, View, view_of
from pbem.engine.hidden import Unseen

ACTIONS = {"draw": cards.do_draw, "play": cards.do_cards, "horseman": cards.do_horseman}


def apply(state: State, line: str) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state)
    order = order_of(line)
    if order is not None:  # None cannot be: it has been found legal
        _carry_out(play, order)
    play.table.asked = now_asked(play.table)
    return Step(play.state(), tuple(play.log))


def _carry_out(play: Play, order: Order) -> None:
    table = play.table
    if order.word == "take":
        cards.do_take(play, order)
        _examined(play, order.site + 1)
        return
    ACTIONS[order.word](play, order)
    if order.word != "horseman":  # GW-21: besides the action
        if table.stage == "third":
            end_of_turn(play)
            return
        table.stage = "third"
    _stop_if_out(play)


def _examined(play: Play, first: int) -> None:
    """Go on examining; then the actions, or in the last examination the next seat (GW-31)."""
    table = play.table
    if not examine(play, first):
        if no_free_marker(play):
            ending.end(play, "GW-30")
    elif table.stage == "final":
        end_of_turn(play)
    else:
        table.stage = "second"
        _stop_if_out(play)


def _stop_if_out(play: Play) -> None:
    """With hand and deck both empty no action is possible: the turn ends there (GW-22)."""
    if play.table.out_of_cards(play.table.seat):
        end_of_turn(play)


def end_of_turn(play: Play) -> None:
    """The next seat examines; after the last turn once more from the caller on (GW-31)."""
    table = play.table
    ending.call_if_out(play)
    following = (table.seat + 1) % len(table.rules.seats)
    if following == table.caller:
        if table.stage == "final":
            ending.end(play, "GW-31")
            return
        table.stage = "final"
    elif table.stage != "final":
        table.stage = "examine"
    begin(play, following)


def begin(play: Play, seat: int) -> None:
    """A turn begins with the examination (GW-10)."""
    table = play.table
    table.seat = seat
    table.turns += 1
    _examined(play, 0)


def imagine(view: View) -> State:
    """The State as this seat knows it, with holes."""
    public = view.public
    decks: list[tuple[int | None, ...]] = []
    hands: list[int | None] = []
    for colour, left in enumerate(public.decks):
        own = colour == view.seat
        decks.append((*(view.drawn if own else ()), *(None,) * left))
        hands.append(view.hand if own else None)
    return State(public, tuple(decks), tuple(hands), (None,) * public.left)


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell.

    It can not after a draw, and not where a new pair is laid.
    """
    try:
        return view_of(apply(imagine(view), line).state, view.seat)
    except Unseen:
        return None
