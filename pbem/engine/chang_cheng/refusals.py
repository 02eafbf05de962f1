"""Finds the reason why an order is refused, now or for the rest of the game.

A function ``…_refusal`` knows that the order is refused and says why. A function ``_never_…`` returns
None if the order may still become legal.
Not allowed here: the check itself (legal.py, ``find_refusal``); a sentence (sentences.py).
Law of ``never`` and ``why_never``: the reason follows from the seat's View and holds to the end of
the game, whatever others do. Only single walls ever move, by a swap, and nothing comes back.
Source: CC-1, CC-2, CC-10 to CC-17, CC-20 to CC-26, CC-30, CC-60, CC-61.
"""

from pbem.engine.chang_cheng import sentences
from pbem.engine.chang_cheng.layout import KIND_NUMBER, KINDS, LETTERS, NEUTRAL, members, names_of
from pbem.engine.chang_cheng.spelling import spell
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.decision import Refusal, refusal
from pbem.engine.row import say


def not_asked_refusal(public: Public) -> Refusal:
    """Return why a seat without a question may not give any order."""
    if public.stage == "over":
        return refusal(public.ended_by, sentences.OVER)
    return refusal("CC-13", sentences.NOT_YOU, seat=public.rules.seats[public.asked.seat])


def wall_refusal(public: Public, squares: tuple[int, ...]) -> Refusal:
    """Return why a single wall of the current colour may not go on the square (the only one given)."""
    square, colour = squares[0], public.colour
    if square_problem := square_refusal(public, square, for_wall_of=colour):
        return square_problem
    if not public.supply(colour):
        return refusal("CC-10", sentences.NO_WALL_LEFT)
    if public.stage == "second":
        is_after_wall = public.first_step == "wall"
        text = sentences.WALLS_APART if is_after_wall else sentences.WALL_AFTER_CARD
        return refusal("CC-10", text, province=public.layout.provinces[public.first_province])
    return refusal("CC-12", sentences.NO_SECOND_WALL, square=public.layout.squares[square])


def square_refusal(public: Public, square: int, for_wall_of: int | None) -> Refusal | None:
    """Return why a piece may not go on a square: it is taken, or a tower reserves it (CC-15). Else None.

    ``for_wall_of`` is the colour of a single wall, which may use its own tower's square; None for
    any other piece.
    """
    name = public.layout.squares[square]
    if public.occupied >> square & 1:
        return refusal("CC-10", sentences.TAKEN, square=name)
    for colour, reserved in enumerate(public.reserve):
        if reserved >> square & 1 and colour != for_wall_of:
            owner = public.rules.colours[colour]
            return refusal("CC-15", sentences.RESERVED, square=name, colour=owner)
    return None


def double_refusal(public: Public, squares: tuple[int, ...]) -> Refusal:
    """Return why a double wall of the current colour may not go on these two squares."""
    if public.double[public.colour]:
        return refusal("CC-10", sentences.DOUBLE_PLACED)
    for square in squares:
        if square_problem := square_refusal(public, square, for_wall_of=None):
            return square_problem
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    return refusal("CC-10", sentences.DOUBLE_ALONE)


def tower_refusal(public: Public, squares: tuple[int, ...]) -> Refusal:
    """Return why a tower may not go on the first square, or may not reserve the second one."""
    square = squares[0]
    if public.tower[public.colour]:
        return refusal("CC-10", sentences.TOWER_PLACED)
    if square_problem := square_refusal(public, square, for_wall_of=None):
        return square_problem
    name = public.layout.squares[square]
    if any((tower << 1 | tower >> 1) >> square & 1 for tower in public.tower):
        return refusal("CC-14", sentences.TOWERS_APART, square=name)
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    if public.stage == "second":
        return refusal("CC-10", sentences.TOWER_ALONE)
    if len(squares) == 2:
        is_square_named = public.rules.edition.reserve_named
        text = sentences.NO_CHOICE if is_square_named else sentences.NONE_NAMED
        return refusal("CC-15", text, square=name)
    left, right = (public.layout.tower_line(square, step) for step in (-1, 1))
    return refusal("CC-15", sentences.WHICH_SQUARE, left=left, right=right)


def card_refusal(public: Public, kind: int, province: int, hand: int) -> Refusal:
    """Return why a seat with this hand may not lay this card in this province."""
    name = public.layout.provinces[province]
    if not hand >> kind & 1:
        return refusal("CC-10", sentences.NOT_HELD, kind=KINDS[kind])
    if public.scored_provinces >> province & 1:
        return refusal("CC-10", sentences.COMPLETED, province=name)
    if public.turns == 1:
        return refusal("CC-11", sentences.FIRST_TURN)
    if public.stage == "second":
        is_after_wall = public.first_step == "wall"
        text = sentences.CARD_FIRST if is_after_wall else sentences.CARDS_APART
        return refusal("CC-10", text, province=name)
    return refusal("CC-12", sentences.NOTHING_AFTER_CARD, province=name)


def neutral_refusal(public: Public, line: str) -> Refusal | None:
    """Return why a neutral wall may not go on the square that the line names; None if it names no square."""
    word, _, name = line.partition(" ")
    square, zone = public.layout.square_number.get(name), public.neutral_zone
    if word != NEUTRAL or square is None or zone is None:
        return None
    if square_problem := square_refusal(public, square, for_wall_of=None):
        return square_problem
    names = public.layout.provinces
    zone_text = " or ".join(names[province] for province in members(zone.provinces))
    text = sentences.NEUTRAL_INSIDE if zone.is_inside else sentences.NEUTRAL_OUTSIDE
    province_name = names[public.layout.province_of[square]]
    return refusal("CC-60", text, square=name, here=province_name, used=zone_text)


def never(view: View, line: str) -> Refusal | None:
    public = view.public
    if view.seat is None or spell(tuple(line.lower().split())) != line:
        return None
    if public.stage == "over":
        return not_asked_refusal(public)
    word, *arguments = line.split()
    names = [name for name in arguments if name[:1].isupper()]
    possible_names = _list_possible_names(public)
    for name in names:
        if name not in possible_names:
            return refusal("CC-2", sentences.NO_SUCH_PLACE, name=name)
    if word in KIND_NUMBER:
        return _never_effect(view, word, names)
    own_colours = public.rules.colours_by_seat[view.seat]
    if word in ("wall", "double", "tower", "neutral"):
        return _never_piece(public, own_colours, word) or _never_square(public, word, names)
    if word == "card":
        return _never_card(view, *arguments)
    if word == "board":
        can_board_join = public.box and len(public.layout.placed) < public.rules.max_boards
        return None if can_board_join else refusal("CC-30", sentences.NO_BOARD)
    return _never_colour(public, own_colours, arguments[0]) if word == "colour" else None


def _never_colour(public: Public, own_colours: tuple[int, ...], name: str) -> Refusal | None:
    """Refuse a colour that the seat never chooses. A seat with one colour never chooses (CC-61)."""
    names = [public.rules.colours[colour] for colour in own_colours] if len(own_colours) > 1 else []
    return None if name in names else refusal("CC-61", sentences.NOT_YOUR_COLOUR, colour=name)


def _never_piece(public: Public, own_colours: tuple[int, ...], word: str) -> Refusal | None:
    """Refuse a piece that is used up in each of the seat's colours (CC-1)."""
    if word == "neutral":
        neutral = public.rules.neutral_colour
        is_used_up = neutral < 0 or not public.supply(neutral)
        return refusal("CC-60", sentences.NO_NEUTRAL) if is_used_up else None
    if word == "wall":
        is_used_up = not any(public.supply(colour) for colour in own_colours)
        text = sentences.NO_WALL_LEFT
    elif word == "double":
        is_used_up = all(public.double[colour] for colour in own_colours)
        text = sentences.DOUBLE_PLACED
    else:
        is_used_up = all(public.tower[colour] for colour in own_colours)
        text = sentences.TOWER_PLACED
    return refusal("CC-10", text) if is_used_up else None


def _never_square(public: Public, word: str, names: list[str]) -> Refusal | None:
    """Refuse a square that is taken or beside a tower (CC-14), or two squares that are not neighbours.

    Boards join at the ends of the wall, so the distance of two squares on it never changes.
    """
    squares = [public.layout.square_number.get(name, -1) for name in names]
    for name, square in zip(names, squares, strict=True):
        if square >= 0 and public.occupied >> square & 1:
            return refusal("CC-10", sentences.TAKEN, square=name)
    if len(squares) == 2 and min(squares) >= 0 and abs(squares[0] - squares[1]) != 1:
        if word == "tower":
            return refusal("CC-15", sentences.NOT_BESIDE, kept=names[1], square=names[0])
        return refusal("CC-10", sentences.NOT_NEIGHBOURS, left=names[0], right=names[1])
    towers = sum(public.tower)
    if word == "tower" and squares[0] >= 0 and (towers << 1 | towers >> 1) >> squares[0] & 1:
        return refusal("CC-14", sentences.TOWERS_APART, square=names[0])
    return None


def _never_card(view: View, kind: str, province: str) -> Refusal | None:
    """Refuse a card that has left the hand, or a province that has been scored (CC-20)."""
    public = view.public
    if not any((hand or 0) >> KIND_NUMBER[kind] & 1 for hand in view.hands):
        return refusal("CC-10", sentences.NOT_HELD, kind=kind)
    number = public.layout.province_number.get(province)
    if number is not None and public.scored_provinces >> number & 1:
        return refusal("CC-10", sentences.COMPLETED, province=province)
    return None


def _never_effect(view: View, word: str, names: list[str]) -> Refusal | None:
    """Refuse the effect of a card that the seat no longer has, or on something that it can never affect."""
    public = view.public
    if not _has_card(view, KIND_NUMBER[word]):
        return refusal("CC-21", sentences.CARD_OUT, kind=word)
    layout = public.layout
    fixed_squares = sum(public.double) | sum(public.tower) | public.broken
    for name in names:
        if name in layout.square_number and fixed_squares >> layout.square_number[name] & 1:
            ruling = "CC-24" if word == "traitor" else "CC-26"
            return refusal(ruling, sentences.NO_SINGLE_WALL, square=name)
        if name in layout.region_number and public.threat_places[layout.region_number[name]] < 0:
            return refusal("CC-24", sentences.COUNTER_OUT, region=name)
    return None


def _has_card(view: View, kind: int) -> bool:
    """Return whether the seat has a card of this kind in hand, face down, or turned up to resolve."""
    public = view.public
    own_colours = public.rules.colours_by_seat[view.seat] if view.seat is not None else ()
    cards_to_resolve = public.scoring.cards if public.scoring is not None else ()
    return (
        any((hand or 0) >> kind & 1 for hand in view.hands)
        or kind in view.kinds
        or any(card.kind == kind and card.colour in own_colours for card in cards_to_resolve)
    )


def why_never(view: View, name: str) -> str:
    public = view.public
    if any(question.about == name for question in public.asked.questions):
        return ""
    if name not in _list_possible_names(public):
        return str(say(sentences.NO_SUCH_PLACE, name=name))
    if name[1] != "P":  # not a province such as AP2
        return str(say(sentences.NAME_A_PROVINCE, name=name))
    province = public.layout.province_number.get(name)
    if province is not None and public.scored_provinces >> province & 1:
        return str(say(sentences.SCORED, name=name))
    return ""


def _list_possible_names(public: Public) -> set[str]:
    """Return every name on the wall and on boards that can still join (CC-30); all are public (CC-6)."""
    layout = public.layout
    board_count = len(layout.placed)
    boards_to_come = public.box[: max(0, public.rules.max_boards - board_count)]
    names = {*layout.squares, *layout.provinces, *layout.regions}
    for letter, board in zip(LETTERS[board_count:], boards_to_come, strict=False):
        names.update(*names_of(letter, board))
    return names
