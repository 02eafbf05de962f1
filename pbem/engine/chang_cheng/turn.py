"""The course of a turn: an order is carried out, what it causes follows, a new question comes up.

Law: consequences of a step are resolved before the next step (CC-13).
Source: CC-10 to CC-13, CC-31, CC-40, CC-41, CC-60, CC-61.
"""

from pbem.engine.chang_cheng import placing, scoring
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.layout import PlacingOrder
from pbem.engine.chang_cheng.legal import derive_question
from pbem.engine.chang_cheng.state import ANYWHERE, UNKNOWN_PILE, Draft, Play, State, View, view_of
from pbem.engine.decision import Step, event, event_from_texts
from pbem.engine.hidden import Unseen
from pbem.engine.table import new_tuple


def apply(state: State, line: str, link: int) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state, link)
    table = play.table
    if table.stage in ("action", "second") and line != "pass":
        order = table.layout.parse_order(line)
        if order is not None:  # None cannot be: it has been found legal
            _apply_placing(play, order)
    elif line == "pass":  # a turn in which nothing can be done is skipped; a neutral wall may follow
        play.log.append(event("skipped", "CC-12", {"seat": table.rules.seats[table.seat]}))
        table.skips += 1
        _continue_turn(play)
    else:
        _apply_answer(play, line.split())
    table.asked = derive_question(table)
    # the table cannot be changed any more
    next_state = new_tuple(State, (table.frozen(), play.kinds, play.threat, play.reputation, play.hands))
    return new_tuple(Step, (next_state, tuple(play.log)))


def _apply_answer(play: Play, words: list[str]) -> None:
    """The answer to a question about something else than the action: a card's (CC-22), say."""
    table = play.table
    stage, current_scoring = table.stage, table.scoring
    if stage == "colour":  # the action that follows is this colour's (CC-61)
        table.colour, table.stage = table.rules.colours.index(words[1]), "action"
        facts = (("seat", table.rules.seats[table.seat]), ("colour", words[1]))
        play.log.append(event_from_texts("colour", "CC-61", facts))
        return
    if stage == "card" and current_scoring is not None:
        scoring.drop_first_card(play, EFFECTS[current_scoring.cards[0][0]].carry_out(play, current_scoring, words))
    elif stage == "board":
        placing.add_board(play, words)
        _update_unnamed_reserves(play.table)
    else:
        scoring.queue_full_provinces(play, placing.place_neutral(play, words))
        _update_unnamed_reserves(play.table)
    _continue_turn(play)


def _apply_placing(play: Play, order: PlacingOrder) -> None:
    """One step of an action; the first of two, where a complete action is possible (CC-12)."""
    table = play.table
    word, numbers = order
    is_first_of_two = table.stage == "action" and table.asked.placements.can_complete
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
    if table.neutral_zone is not None:
        placing.update_neutral_zone(table, word, numbers)
    if word != "card":
        scoring.queue_full_provinces(play, numbers)
        _update_unnamed_reserves(table)
    table.first_step, table.first_province = (word, province) if is_first_of_two and province >= 0 else ("", -1)
    table.skips = 0
    _continue_turn(play)


def _update_unnamed_reserves(table: Draft) -> None:
    """The wall has changed, and perhaps what towers keep, where that is not named (CC-15)."""
    if not table.rules.edition.reserve_named:
        placing.update_reserves(table)


def _continue_turn(play: Play) -> None:
    """Score what is to be scored; then the turn goes on, or ends."""
    table = play.table
    if (table.queue or table.scoring is not None) and scoring.score_queue(play):
        return
    if table.first_step and (table.rules.edition.reserve_named or any(placing.second_placements(table)[:2])):
        # nothing can follow where a board came at once, beside a tower that keeps its only square
        table.stage = "second"
    elif table.neutral_zone is not None and placing.neutral_squares(table):
        table.stage = "neutral"  # CC-60: before a board is added at the end of the turn
    else:
        _end_turn(play)


def _end_turn(play: Play) -> None:
    """A board may join (CC-31), the game may end (CC-40, CC-41), or the next turn begins.

    Then the next seat is asked for a colour, if it has two (CC-61), and for an action.
    """
    table = play.table
    table.first_step, table.first_province, table.neutral_zone = "", -1, None
    if placing.board_joins(table, table.emperors):
        table.stage = "board"
    elif table.occupied == table.layout.all_squares:
        scoring.end_game(play, "CC-40")
    elif table.skips >= len(table.rules.seats):
        scoring.end_game(play, "CC-41")
    else:
        table.seat = (table.seat + 1) % len(table.rules.seats)
        colours = table.rules.colours_by_seat[table.seat]
        table.colour = colours[0]
        table.stage = "action" if len(colours) == 1 else "colour"
        table.neutral_zone = ANYWHERE if table.rules.neutral_colour >= 0 else None
        table.turns += 1


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell.

    It is played on the State as this seat knows it, with holes. A counter that the order shows it
    is still unknown, and a card it lays lies in a slot of link 0: neither changes what is asked
    next, or what is legal then.
    """
    imagined = State(view.public, view.kinds, view.threat, UNKNOWN_PILE, view.hands)
    try:
        return view_of(apply(imagined, line, link=0).state, view.seat)
    except Unseen:
        return None
