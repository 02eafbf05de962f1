"""Carries out an order and its consequences, and derives the next question.

Law: the consequences of a step are resolved before the next step (CC-13).
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
    """Carry out a legal order of the seat with the question.

    Raise Unseen if an imagined State does not know a value that this needs.
    """
    play = Play(state, link)
    table = play.table
    if table.stage in ("action", "second") and line != "pass":
        order = table.layout.parse_order(line)
        if order is not None:  # never None, because the line is legal
            _apply_placing(play, order)
    elif line == "pass":  # the turn is skipped (CC-12); a neutral wall may follow
        play.log.append(event("skipped", "CC-12", {"seat": table.rules.seats[table.seat]}))
        table.skips += 1
        _continue_turn(play)
    else:
        _apply_answer(play, line.split())
    table.asked = derive_question(table)
    next_state = new_tuple(State, (table.frozen(), play.kinds, play.threat, play.reputation, play.hands))
    return new_tuple(Step, (next_state, tuple(play.log)))


def _apply_answer(play: Play, words: list[str]) -> None:
    """Carry out the answer to a question that is not for an action, such as what a card does (CC-22)."""
    table = play.table
    stage, current_scoring = table.stage, table.scoring
    if stage == "colour":  # CC-61
        table.colour = table.rules.colours.index(words[1])
        table.stage = "action"
        facts = (("seat", table.rules.seats[table.seat]), ("colour", words[1]))
        play.log.append(event_from_texts("colour", "CC-61", facts))
        return
    if stage == "card" and current_scoring is not None:
        effect = EFFECTS[current_scoring.cards[0].kind]
        scoring.drop_first_card(play, effect.carry_out(play, current_scoring, words))
    elif stage == "board":
        placing.add_board(play, words)
        _update_unnamed_reserves(play.table)
    else:
        scoring.queue_full_provinces(play, placing.place_neutral(play, words))
        _update_unnamed_reserves(play.table)
    _continue_turn(play)


def _apply_placing(play: Play, order: PlacingOrder) -> None:
    """Carry out one step of an action, and note in ``first_step`` if a second step can follow (CC-12)."""
    table = play.table
    word, squares = order.word, order.squares
    province = order.province
    is_first_of_two = table.stage == "action" and table.asked.placements.can_complete and word in ("wall", "card")
    if word == "wall":
        province = table.layout.province_of[squares[0]]
        placing.place_wall(play, squares[0])
    elif word == "card":
        placing.place_card(play, order.kind, province)
    elif word == "double":
        left, right = squares
        placing.place_double(play, left, right)
    else:
        placing.place_tower(play, squares[0], squares[1] if len(squares) == 2 else None)
        squares = squares[:1]  # the reserved square stays empty
    if table.neutral_zone is not None:
        provinces = 1 << province if word == "card" else 0
        for square in squares:
            provinces |= 1 << table.layout.province_of[square]
        placing.update_neutral_zone(table, word, provinces)
    if word != "card":
        scoring.queue_full_provinces(play, squares)
        _update_unnamed_reserves(table)
    table.first_step = word if is_first_of_two else ""
    table.first_province = province if is_first_of_two else -1
    table.skips = 0
    _continue_turn(play)


def _update_unnamed_reserves(table: Draft) -> None:
    """Update the squares that towers reserve, in editions where players do not name them (CC-15)."""
    if not table.rules.edition.reserve_named:
        placing.update_reserves(table)


def _continue_turn(play: Play) -> None:
    """Score complete provinces. Then continue the turn or end it."""
    table = play.table
    if (table.queue or table.scoring is not None) and scoring.score_queue(play):
        return
    if table.first_step and _can_take_second_step(table):
        table.stage = "second"
    elif table.neutral_zone is not None and placing.neutral_squares(table):
        table.stage = "neutral"  # CC-60: before a board is added at the end of the turn
    else:
        _end_turn(play)


def _can_take_second_step(table: Draft) -> bool:
    """Return whether the action can be completed.

    It cannot if a board joined during the turn and a tower now reserves the only square left.
    """
    if table.rules.edition.reserve_named:
        return True
    placements = placing.second_placements(table)
    return bool(placements.walls or placements.cards)


def _end_turn(play: Play) -> None:
    """End the turn: a board joins (CC-31), the game ends (CC-40, CC-41) or the next turn begins.

    A seat with two colours first chooses one of them (CC-61).
    """
    table = play.table
    table.first_step = ""
    table.first_province = -1
    table.neutral_zone = None
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
    """Return the seat's View after its own legal order; None if the seat cannot know it.

    Carry out the order on the State as this seat knows it. There, a counter that the order reveals
    stays unknown, and a card that it lays gets a slot of state 0. Neither changes the next question
    or the legal orders.
    """
    imagined = State(view.public, view.kinds, view.threat, UNKNOWN_PILE, view.hands)
    try:
        return view_of(apply(imagined, line, link=0).state, view.seat)
    except Unseen:
        return None
