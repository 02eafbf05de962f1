"""The course of a turn: an order is carried out, what it causes follows, a new question comes up.

Law: consequences of a step are resolved before the next step (CC-13).
Source: CC-10 to CC-13, CC-31, CC-40, CC-41, CC-60, CC-61.
"""

from pbem.engine.chang_cheng import placing, scoring
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import Order
from pbem.engine.chang_cheng.legal import now_asked
from pbem.engine.chang_cheng.state import ANYWHERE, UNKNOWN, Draft, Play, State, View, view_of
from pbem.engine.decision import Step, event, plain_event
from pbem.engine.hidden import Unseen
from pbem.engine.table import new


def apply(state: State, line: str, link: int) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state, link)
    table = play.table
    if table.stage in ("action", "second") and line != "pass":
        order = table.layout.order(line)
        if order is not None:  # None cannot be: it has been found legal
            _place(play, order)
    elif (
        line == "pass"
    ):  # a turn in which nothing can be done is skipped; a neutral wall may follow
        play.log.append(event("skipped", "CC-12", {"seat": table.rules.seats[table.seat]}))
        table.skips += 1
        _settled(play)
    else:
        _answer(play, line.split())
    table.asked = now_asked(table)
    # the table cannot be changed any more
    after = new(State, (table.frozen(), play.kinds, play.threat, play.reputation, play.hands))
    return new(Step, (after, tuple(play.log)))


def _answer(play: Play, words: list[str]) -> None:
    """The answer to a question about something else than the action: a card's (CC-22), say."""
    table = play.table
    stage, current = table.stage, table.scoring
    if stage == "colour":  # the action that follows is this colour's (CC-61)
        table.colour, table.stage = table.rules.colours.index(words[1]), "action"
        facts = (("seat", table.rules.seats[table.seat]), ("colour", words[1]))
        play.log.append(plain_event("colour", "CC-61", facts))
        return
    if stage == "card" and current is not None:
        scoring.resolved(play, EFFECTS[current.cards[0][0]].do(play, current, words))
    elif stage == "board":
        placing.add_board(play, words)
        _look_afresh(play.table)
    else:
        scoring.filled(play, placing.place_neutral(play, words))
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
        placing.near_to(table, word, numbers)
    if word != "card":
        scoring.filled(play, numbers)
        _look_afresh(table)
    table.first, table.where = (word, province) if first_of_two and province >= 0 else ("", -1)
    table.skips = 0
    _settled(play)


def _look_afresh(table: Draft) -> None:
    """The wall has changed, and perhaps what towers keep, where that is not named (CC-15)."""
    if not table.rules.edition.reserve_named:
        placing.reserve_afresh(table)


def _settled(play: Play) -> None:
    """Score what is to be scored; then the turn goes on, or ends."""
    table = play.table
    if (table.queue or table.scoring is not None) and scoring.go_on(play):
        return
    if table.first and (table.rules.edition.reserve_named or any(placing.second_step(table)[:2])):
        # nothing can follow where a board came at once, beside a tower that keeps its only square
        table.stage = "second"
    elif table.neutral is not None and placing.neutral_squares(table):
        table.stage = "neutral"  # CC-60: before a board is added at the end of the turn
    else:
        _end_of_turn(play)


def _end_of_turn(play: Play) -> None:
    """A board may join (CC-31), the game may end (CC-40, CC-41), or the next turn begins.

    Then the next seat is asked for a colour, if it has two (CC-61), and for an action.
    """
    table = play.table
    table.first, table.where, table.neutral = "", -1, None
    if placing.joins_with(table, table.emperors):
        table.stage = "board"
    elif table.taken == table.layout.full:
        scoring.end(play, "CC-40")
    elif table.skips >= len(table.rules.seats):
        scoring.end(play, "CC-41")
    else:
        table.seat = (table.seat + 1) % len(table.rules.seats)
        own = table.rules.own[table.seat]
        table.colour = own[0]
        table.stage = "action" if len(own) == 1 else "colour"
        table.neutral = ANYWHERE if table.rules.neutral >= 0 else None
        table.turns += 1


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell.

    It is played on the State as this seat knows it, with holes. A counter that the order shows it
    is still unknown, and a card it lays lies in a slot of link 0: neither changes what is asked
    next, or what is legal then.
    """
    known = State(view.public, view.kinds, view.threat, UNKNOWN, view.hands)
    try:
        return view_of(apply(known, line, link=0).state, view.seat)
    except Unseen:
        return None
