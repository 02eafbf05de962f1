"""The course of a turn: an order is carried out, what it causes follows, a new question comes up.

Law: consequences of a step are resolved before the next step (CC-13).
Source: CC-10 to CC-13, CC-31, CC-40, CC-41, CC-60, CC-61.
"""

from pbem.engine.chang_cheng import board, colours, neutral, placing, reservations, scoring
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import Order
from pbem.engine.chang_cheng.legal import now_asked
from pbem.engine.chang_cheng.placing import second_step
from pbem.engine.chang_cheng.state import ANYWHERE, Draft, Play, State, new
from pbem.engine.decision import Step
from pbem.engine.event import event


def apply(state: State, line: str, link: int) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state, link)
    table = play.table
    if table.stage in ("action", "second") and line != "pass":
        order = table.layout.order(line)
        if order is not None:  # None cannot be: it has been found legal
            _place(play, order)
    elif line == "pass":
        _pass(play)
    else:
        _answer(play, line.split())
    table.asked = now_asked(table)
    return new(Step, (play.state(), tuple(play.log)))


def _answer(play: Play, words: list[str]) -> None:
    """The answer to a question about something else than the action."""
    stage = play.table.stage
    if stage == "colour":
        colours.do(play, words)
        return
    if stage == "card":
        _resolve(play, words)
    elif stage == "board":
        board.do(play, words)
        _look_afresh(play.table)
    else:
        scoring.filled(play, neutral.place_neutral(play, words))
        _look_afresh(play.table)
    _settled(play)


def _place(play: Play, order: Order) -> None:
    """One step of an action; the first of two, where a complete action is possible (CC-12)."""
    table = play.table
    word, numbers = order
    first_of_two = table.stage == "action" and table.asked.can.complete
    province = table.layout.province_of[numbers[0]] if word == "wall" else -1
    if word == "wall":
        placing.place_wall(play, numbers)
    elif word == "card":
        placing.place_card(play, numbers)
        province = numbers[1]
    elif word == "double":
        placing.place_double(play, numbers)
    else:
        placing.place_tower(play, numbers)
        numbers = numbers[:1]  # nothing stands on the reserved square
    if table.neutral is not None:
        neutral.near_to(table, word, numbers)
    if word != "card":
        scoring.filled(play, numbers)
        _look_afresh(table)
    table.first, table.where = (word, province) if first_of_two and province >= 0 else ("", -1)
    table.skips = 0
    _settled(play)


def _look_afresh(table: Draft) -> None:
    """The wall has changed, and perhaps what towers keep, where that is not named (CC-15)."""
    if not table.rules.edition.reserve_named:
        reservations.reserve_afresh(table)


def _resolve(play: Play, words: list[str]) -> None:
    """The owner of the first card has chosen (CC-22)."""
    current = play.table.scoring
    if current is not None:  # it is: stage "card"
        effect = EFFECTS[current.cards[0][0]]
        scoring.resolved(play, effect.do(play, current, words))


def _settled(play: Play) -> None:
    """Score what is to be scored; then the turn goes on, or ends."""
    table = play.table
    if (table.queue or table.scoring is not None) and scoring.go_on(play):
        return
    if table.first and _can_follow(table):
        table.stage = "second"
    elif table.neutral is not None and neutral.neutral_squares(table):
        table.stage = "neutral"  # CC-60: before a board is added at the end of the turn
    else:
        _end_of_turn(play)


def _can_follow(table: Draft) -> bool:
    """Always, but where a board came at once, on the side where a tower keeps its only square."""
    if table.rules.edition.reserve_named:
        return True
    can = second_step(table)
    return bool(can.walls or can.cards)


def _pass(play: Play) -> None:
    """A turn in which nothing can be done is skipped (CC-12); a neutral wall may follow (CC-60)."""
    table = play.table
    play.log.append(event("skipped", "CC-12", {"seat": table.rules.seats[table.seat]}))
    table.skips += 1
    _settled(play)


def _end_of_turn(play: Play) -> None:
    """A board may join (CC-31), the game may end (CC-40, CC-41), or the next turn begins."""
    table = play.table
    table.first, table.where, table.neutral = "", -1, None
    if board.due(table):
        table.stage = "board"
    elif table.taken == table.layout.full:
        scoring.end(play, "CC-40")
    elif table.skips >= len(table.rules.seats):
        scoring.end(play, "CC-41")
    else:
        _next_turn(table)


def _next_turn(table: Draft) -> None:
    """The next seat is asked for a colour, if it has two (CC-61), and for an action."""
    table.seat = (table.seat + 1) % len(table.rules.seats)
    own = table.rules.own[table.seat]
    table.colour = own[0]
    table.stage = "action" if len(own) == 1 else "colour"
    table.neutral = ANYWHERE if table.rules.neutral >= 0 else None
    table.turns += 1
