"""The course of a turn: an order is carried out, what it causes follows, a new question comes up.

Law: consequences of a step are resolved before the next step (CC-13).
Source: CC-10 to CC-13, CC-31, CC-40, CC-41.
"""

from pbem.engine.chang_cheng import board, card, double, ending, scoring, tower, wall
from pbem.engine.chang_cheng.asking import now_asked
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import Order
from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import State
from pbem.engine.decision import Step
from pbem.engine.event import event


def apply(state: State, line: str, link: int) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state, link)
    table = play.table
    if table.stage == "card":
        _resolve(play, line)
        _settled(play)
    elif table.stage == "board":
        board.do(play, line.split())
        _end_of_turn(play)
    elif line == "pass":
        _pass(play)
    else:
        order = table.layout.order(line)
        if order is not None:  # None cannot be: it has been found legal
            _place(play, order)
    table.asked = now_asked(table)
    return Step(play.state(), tuple(play.log))


def _place(play: Play, order: Order) -> None:
    """One step of an action; the first of two, where a complete action is possible (CC-12)."""
    table = play.table
    word, numbers = order
    first_of_two = table.stage == "action" and table.asked.can.complete
    province = table.layout.province_of[numbers[0]] if word == "wall" else -1
    if word == "wall":
        wall.do(play, numbers)
    elif word == "card":
        card.do(play, numbers)
        province = numbers[1]
    elif word == "double":
        double.do(play, numbers)
    else:
        tower.do(play, numbers)
        numbers = numbers[:1]  # nothing stands on the reserved square
    if word != "card":
        scoring.filled(play, numbers)
    table.first, table.where = (word, province) if first_of_two and province >= 0 else ("", -1)
    table.skips = 0
    _settled(play)


def _resolve(play: Play, line: str) -> None:
    """The owner of the first card has chosen (CC-22)."""
    current = play.table.scoring
    if current is not None:  # it is: stage "card"
        effect = EFFECTS[current.cards[0][0]]
        scoring.resolved(play, effect.do(play, current, line.split()))


def _settled(play: Play) -> None:
    """Score what is to be scored; then the turn goes on, or ends."""
    table = play.table
    scoring.go_on(play)
    if table.scoring is not None:
        return
    if table.first:
        table.stage = "second"
    else:
        _end_of_turn(play)


def _pass(play: Play) -> None:
    """A turn in which nothing can be done is skipped (CC-12)."""
    table = play.table
    play.log.append(event("skipped", "CC-12", {"seat": table.rules.seats[table.seat]}))
    table.skips += 1
    _end_of_turn(play)


def _end_of_turn(play: Play) -> None:
    """A board may join (CC-31), the game may end (CC-40, CC-41), or the next turn begins."""
    table = play.table
    table.first, table.where = "", -1
    if board.due(table):
        table.stage = "board"
    elif table.taken == table.layout.full:
        ending.end(play, "CC-40")
    elif table.skips >= len(table.rules.seats):
        ending.end(play, "CC-41")
    else:
        table.seat = (table.seat + 1) % len(table.rules.seats)
        table.colour = table.rules.seat_of.index(table.seat)
        table.turns += 1
        table.stage = "action"
